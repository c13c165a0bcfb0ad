// Playing: moves made, positions and values fetched, the best move, engines that reply.

import * as api from "./api.js";
import { say, toast } from "./dom.js";
import { start } from "./jobs.js";
import { choices, state, tell } from "./store.js";
import { at, child, here, newStudy, path, request, tidy } from "./study.js";
import { shaped, study, wantValues } from "./values.js";

export { study };

const SECONDS = 20;

/** Shows another game from its beginning. @param {Game} game @param {{position?: any, values?: any, decomposition?: any}} [known] */
export async function openGame(game, known = {}) {
  state.study = newStudy(game);
  Object.assign(state, { decomposition: known.decomposition ?? null, methods: {}, lit: null, selection: [], pending: {}, seats: {}, valuesFor: null, hint: false });
  const root = here(study());
  root.position = known.position ?? (await api.position(game.id, { line: [], to: null }));
  root.values = known.values ? shaped(known.values) : null;
  tell("game node parts values");
  if (game.kind === "rules" && !state.decomposition) takeApart();
  wantValues();
}

async function see(node) {
  if (!node.position) node.position = await api.position(study().game.id, request(path(study(), node.id)));
  if (node.position && node.moves && node.parent !== null) {
    const before = at(study(), node.parent).position;
    const moves = node.moves;
    node.part = before?.moves.find((each) => moves[each.role] === each.move && before.to.includes(each.role))?.part ?? null;
  }
}

/** Goes to a node of the tree; on the way to another one, without asking for values. @param {Knot} node @param {boolean} [passing] */
export async function goTo(node, passing = false) {
  const game = study();
  for (const step of path(game, node.id)) await see(step);
  game.current = node.id;
  Object.assign(state, { selection: [], pending: {}, hint: false });
  if (passing) return;
  tell("node");
  wantValues();
}

/** Makes a joint move from the current node. @param {Record<string, string>} moves */
export async function playJoint(moves) {
  const game = study();
  const before = game.next;
  const made = child(game, game.current, { moves });
  try {
    await goTo(made);
  } catch (error) {
    if (game.next !== before) {
      at(game, game.current).children.pop();
      game.knots.delete(made.id);
    }
    state.pending = {};
    tell("look");
    toast([error.message, error.body?.position].filter(Boolean).join(" at "));
    return;
  }
  say(`${Object.values(moves).filter((move) => move !== "noop").join(" ")}. ${spoken()}`);
  replyIfWanted();
}

/** Chooses a move for a role; the joint move is made when everybody who has a choice has chosen. @param {Move} move */
export async function playMove(move) {
  const position = here(study()).position;
  if (!position || position.terminal) return;
  if (study().game.kind === "sum") return playJoint({ [move.role]: move.move });
  state.pending[move.role] = move.move;
  const joint = { ...state.pending };
  for (const [role, legal] of Object.entries(position.legal)) {
    if (joint[role] === undefined && legal.length === 1) joint[role] = legal[0];
    if (joint[role] === undefined && state.seats[role]) joint[role] = await engineMove(role) ?? legal[0];
  }
  const missing = study().game.roles.filter((role) => joint[role] === undefined);
  if (!missing.length) return playJoint(joint);
  state.selection = [];
  say(`${move.role}: ${move.move}. ${missing.join(", ")} to choose.`);
  tell("look");
}

/** "Left to move, 4 parts, 9 moves, 1 wins". */
export function spoken() {
  const node = here(study());
  const position = node.position;
  if (!position) return "";
  if (position.terminal) return `The game is over${position.goals ? `: ${Object.entries(position.goals).map(([role, goal]) => `${role} ${goal}`).join(", ")}` : ""}.`;
  const own = position.moves.filter((move) => position.to.includes(move.role));
  const parts = partCount();
  const best = node.values ? bestMoves().filter((each) => each.wins !== false).length : null;
  const winning = study().game.kind === "sum" ? "wins" : "best";
  return [`${position.to.join(" and ")} to move`, `${parts} ${parts === 1 ? "part" : "parts"}`, `${own.length} moves`, best === null ? null : `${best} ${winning}`].filter(Boolean).join(", ");
}

/** How many parts the position in front has. */
export function partCount() {
  const position = here(study()).position;
  if (study().game.kind === "sum") return position?.parts?.length ?? 0;
  return state.decomposition?.subgames.filter((part) => part.kind === "dependent").length ?? 1;
}

/** Takes the game of rules apart by a method; the answer is shown when it is the one in front. @param {string} [method] */
export async function takeApart(method = "exact", seconds = SECONDS) {
  const game = study();
  if (game.game.kind !== "rules") return null;
  const options = { method, prove: true };
  const mine = await start("decompose", game.game.id, { options, seconds }, (job) => {
    if (state.study !== game) return;
    state.methods[method] = job;
    if (job.result && method === "exact") state.decomposition = job.result;
    tell("parts");
  });
  const job = await mine.done;
  if (state.study === game && method === "exact" && job.result) await refresh();
  return job;
}

/** Positions know their parts once the game is taken apart: fetched anew. Whoever makes moves meanwhile loses none. */
async function refresh() {
  const game = study();
  const before = [...game.knots.values()];
  const fresh = new Map();
  for (let way = path(game); way.some((node) => !fresh.has(node)); way = path(game)) {
    const some = await Promise.all(way.map((_, i) => api.position(game.game.id, request(way.slice(0, i + 1)))));
    way.forEach((node, i) => fresh.set(node, some[i]));
  }
  if (state.study !== game) return;
  for (const node of before) node.position = fresh.get(node) ?? null;
  for (const node of path(game)) await see(node);
  tell("node parts");
}

/** The best moves here for who is to move, or none while nothing is known. @returns {MoveValue[]} */
export function bestMoves() {
  const node = here(study());
  return node.values?.values.filter((each) => each.best && node.position?.to.includes(each.role)) ?? [];
}

export async function playBest() {
  const position = here(study()).position;
  const best = bestMoves()[0];
  if (!position || !best) return toast("Not decided yet.");
  const move = position.moves.find((each) => each.role === best.role && each.move === best.move);
  if (move) await playMove(move);
}

export function showBest() {
  state.hint = !state.hint;
  const best = bestMoves()[0];
  say(best ? `Best: ${tidy(best.move)}` : "Not decided yet.");
  tell("look");
}

async function engineMove(role) {
  const game = study();
  const options = { player: state.seats[role] || usualEngine(), clock: choices.clock };
  const mine = await start("play", game.game.id, { ...request(path(game)), options, seconds: Math.min(600, choices.clock * 4 + 20) });
  const job = await mine.done;
  if (job.state !== "done") throw new Error(job.problem?.title ?? "The engine gave no move.");
  return job.result?.moves?.[role] ?? job.result?.move ?? null;
}

/** The engine that replies unless another one has the seat: sums have strategies, rules have players. */
export function usualEngine() {
  return study().game.kind === "sum" ? choices.strategy : choices.engine;
}

/** The engine moves once for who is to move. */
export async function engineReply() {
  const game = study();
  const node = here(game);
  const position = node.position;
  if (!position || position.terminal) return;
  try {
    /** @type {Record<string, string>} */
    const joint = {};
    const roles = game.game.kind === "sum" ? position.to : Object.keys(position.legal);
    for (const role of roles) {
      const legal = position.legal[role] ?? [];
      joint[role] = legal.length === 1 ? legal[0] : (await engineMove(role)) ?? legal[0];
    }
    if (state.study === game && game.current === node.id) await playJoint(joint);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    state.seats = {};
    tell("choices");
  }
}

/** Lets engines move while all who are to move have one. */
export function replyIfWanted() {
  const position = here(study()).position;
  if (!position || position.terminal || !position.to.length) return;
  if (position.to.every((role) => state.seats[role])) return engineReply();
}

/** Engine replies on or off: it takes the seats of all who are not to move now. */
export function toggleEngine() {
  const position = here(study()).position;
  const on = Object.values(state.seats).some(Boolean);
  state.seats = {};
  if (!on) for (const role of study().game.roles) if (!position?.to.includes(role)) state.seats[role] = usualEngine();
  say(on ? "The engine does not reply." : "The engine replies.");
  tell("choices");
}

/** Switches who is to play in a sum. */
export async function switchPlayer(role) {
  const game = study();
  const position = here(game).position;
  if (!position) return;
  if (game.game.kind !== "sum") return toast(`The rules say who is to move: ${position.to.join(" and ") || "nobody"}.`);
  const wanted = role ?? game.game.roles.find((each) => !position.to.includes(each)) ?? game.game.roles[0];
  if (position.to.includes(wanted)) return;
  const now = here(game);
  const back = now.parent !== null && !now.moves ? at(game, now.parent) : null;
  await goTo(back ?? child(game, game.current, { to: wanted }));
}
