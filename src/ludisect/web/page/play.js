// Playing: moves made, positions and their values fetched, the best move, engines that reply, games taken apart.

import * as api from "./api.js";
import { say, toast } from "./dom.js";
import { ended, start, trouble } from "./jobs.js";
import { choices, state, tell } from "./store.js";
import { before, busyMoves, child, here, isSum, line, made, newStudy, path, request, study, tidy } from "./study.js";
import { counted } from "./text.js";

/** Shows another game from its beginning. @param {Game} game @param {{position?: any, values?: any, decomposition?: any}} [known] */
export async function openGame(game, known = {}) {
  const position = known.position ?? (await api.position(game.id, {}));
  Object.assign(state, { study: newStudy(game), decomposition: known.decomposition ?? null, methods: {}, lit: null, selection: [], pending: {}, seats: {}, valuesFor: null, hint: false });
  Object.assign(here(), { position, values: known.values ?? null });
  tell("game node parts values");
  if (!isSum() && !state.decomposition) takeApart();
  wantValues();
}

async function see(node) {
  node.position ??= await api.position(study().game.id, request(path(node.id)));
  node.part = made(node)?.part ?? null;
}

/** Goes to a node of the tree; on the way to another one, without asking for values. @param {Knot} node */
export async function goTo(node, passing = false) {
  for (const step of path(node.id)) await see(step);
  study().current = node.id;
  Object.assign(state, { selection: [], pending: {}, hint: false });
  if (passing) return;
  tell("node");
  wantValues();
}

/** Makes a joint move from the current node. @param {Record<string, string>} moves */
async function playJoint(moves) {
  const next = study().next;
  const node = child(study().current, { moves });
  try {
    await goTo(node);
  } catch (error) {
    if (node.id === next) forget(node);
    state.pending = {};
    tell("look");
    return toast([error.message, error.body?.position].filter(Boolean).join(" at "));
  }
  say(`${busyMoves(moves)}. ${spoken()}`);
  replyIfWanted();
}

/** Takes a node out of the tree that leads nowhere. @param {Knot} node */
export function forget(node) {
  const brothers = before(node)?.children ?? [];
  brothers.splice(brothers.indexOf(node.id), 1);
  study().knots.delete(node.id);
}

/** Chooses a move for a role; the joint move is made when everybody who has a choice has chosen. @param {Move} move */
export async function playMove(move) {
  const position = here().position;
  if (!position || position.terminal) return;
  if (isSum()) return playJoint({ [move.role]: move.move });
  state.pending[move.role] = move.move;
  const joint = { ...state.pending };
  for (const [role, legal] of Object.entries(position.legal)) {
    if (legal.length === 1) joint[role] ??= legal[0];
    else if (state.seats[role]) joint[role] ??= await engineMove(role) ?? legal[0];
  }
  const missing = study().game.roles.filter((role) => joint[role] === undefined);
  if (!missing.length) return playJoint(joint);
  state.selection = [];
  say(`${move.role}: ${move.move}. ${missing.join(", ")} to choose.`);
  tell("look");
}

/** "Left to move, 4 parts, 9 moves, 1 wins". */
export function spoken() {
  const { position, values } = here();
  if (!position) return "";
  if (position.terminal) return `The game is over${position.goals ? `: ${Object.entries(position.goals).map((each) => each.join(" ")).join(", ")}` : ""}.`;
  const own = position.moves.filter((move) => position.to.includes(move.role));
  const parts = isSum() ? position.parts?.length ?? 0 : state.decomposition?.subgames.filter((part) => part.kind === "dependent").length ?? 1;
  const best = `${bestMoves().filter((each) => each.wins !== false).length} ${isSum() ? "wins" : "best"}`;
  return [`${position.to.join(" and ")} to move`, counted(parts, "part"), `${own.length} moves`, ...(values ? [best] : [])].join(", ");
}

/** Takes the game of rules apart by a method; the answer is shown when it is the one in front. */
export async function takeApart(method = "exact", seconds = 20) {
  const game = study();
  const mine = await start("decompose", game.game.id, { options: { method, prove: true }, seconds }, (job) => {
    if (state.study !== game) return;
    state.methods[method] = job;
    if (job.result && method === "exact") state.decomposition = job.result;
    tell("parts");
  });
  const job = await mine.done;
  if (state.study === game && method === "exact" && job.result) await refresh();
}

/** Positions know their parts once the game is taken apart: those of the line are fetched anew, others when they are seen again. */
async function refresh() {
  const game = study();
  const old = [...game.knots.values()];
  const fresh = new Map();
  const stale = () => line().filter((node) => node.position && old.includes(node) && !fresh.has(node));
  for (let way = stale(); way.length; way = stale()) { // once more for who has moved meanwhile
    const found = await Promise.all(way.map((node) => api.position(game.game.id, request(path(node.id)))));
    if (state.study !== game) return;
    way.forEach((node, i) => fresh.set(node, found[i]));
  }
  for (const node of old) node.position = fresh.get(node) ?? null;
  for (const node of [...fresh.keys(), ...path()]) await see(node);
  tell("node parts");
}

/** The best moves here for who is to move, or none while nothing is known. */
export const bestMoves = () => here().values?.values.filter((each) => each.best && here().position?.to.includes(each.role)) ?? [];

export async function playBest() {
  const best = bestMoves()[0];
  const move = here().position?.moves.find((each) => each.role === best?.role && each.move === best.move);
  return move ? playMove(move) : toast("Not decided yet.");
}

export function showBest() {
  state.hint = !state.hint;
  const best = bestMoves()[0];
  say(best ? `Best: ${tidy(best.move)}` : "Not decided yet.");
  tell("look");
}

async function engineMove(role) {
  const options = { player: state.seats[role] || usualEngine(), clock: choices.clock };
  const mine = await start("play", study().game.id, { ...request(), options, seconds: Math.min(600, choices.clock * 4 + 20) });
  const job = await mine.done;
  if (job.state !== "done") throw new Error(trouble(job));
  return job.result?.moves?.[role] ?? job.result?.move ?? null;
}

/** The engine that replies unless another one has the seat: sums have strategies, rules have players. */
export const usualEngine = () => (isSum() ? choices.strategy : choices.engine);

/** The engine moves once for who is to move. */
export async function engineReply() {
  const game = study();
  const node = here();
  const position = node.position;
  if (!position || position.terminal) return;
  try {
    /** @type {Record<string, string>} */
    const joint = {};
    for (const role of isSum() ? position.to : Object.keys(position.legal)) {
      const legal = position.legal[role];
      joint[role] = legal.length === 1 ? legal[0] : (await engineMove(role)) ?? legal[0];
    }
    if (state.study === game && here() === node) await playJoint(joint);
  } catch (error) {
    toast(error.message);
    state.seats = {};
    tell("choices");
  }
}

/** Lets engines move while all who are to move have one. */
export function replyIfWanted() {
  const to = here().position?.to ?? [];
  if (to.length && to.every((role) => state.seats[role])) return engineReply();
}

/** Engine replies on or off: it takes the seats of all who are not to move now. */
export function toggleEngine() {
  const on = Object.values(state.seats).some(Boolean);
  const others = on ? [] : study().game.roles.filter((role) => !here().position?.to.includes(role));
  state.seats = Object.fromEntries(others.map((role) => [role, usualEngine()]));
  say(on ? "The engine does not reply." : "The engine replies.");
  tell("choices");
}

export async function switchPlayer(role) {
  const to = here().position?.to ?? [];
  if (!isSum()) return toast(`The rules say who is to move: ${to.join(" and ") || "nobody"}.`);
  const wanted = role ?? study().game.roles.find((each) => !to.includes(each));
  if (!wanted || to.includes(wanted)) return;
  const back = here().moves ? null : before(here());
  await goTo(back ?? child(here().id, { to: wanted }));
}

/** One move back (-1) or forward along the line. */
export function walk(by) {
  const next = by < 0 ? before(here()) : line()[path().length];
  if (next) goTo(next);
}

const USUAL = { seconds: 20 };
const ALONG = { seconds: 5 };
const PAUSE = 10;

/** @type {Work} */
export const work = { job: null, node: null, words: null, stopped: false, cancel: null };

let soon = 0;
let starting = Promise.resolve();
/** The study of which a position was too hard to value beside the one in front. @type {Study|null} */
let tired = null;

/** Asks for the values of the position in front, then for those along the line that are missing. @param {Limits} limits */
function wantValues(limits = USUAL) {
  clearTimeout(soon);
  soon = window.setTimeout(() => { starting = starting.then(() => next(limits)); }, PAUSE);
}

export function stopValues() {
  work.stopped = true;
  work.cancel?.();
}

/** Whether a job works on the position in front. */
export const working = () => work.node === here() && work.job !== null && !ended(work.job);

async function next(limits) {
  const game = study();
  const now = here();
  const open = (node) => node.position && !node.values && !node.position.terminal && !node.position.trouble;
  // backwards: later positions are easier, and where one is too hard, those before it are, too
  const missing = tired === game ? undefined : line().reverse().find((node) => open(node) && !node.tried);
  const wanted = open(now) && !(now.tried && work.node === now && limits === USUAL) ? now : missing;
  if (!wanted || (work.node === wanted && work.job && !ended(work.job))) return tell("values");
  Object.assign(work, { job: null, node: wanted, words: null, stopped: false, cancel: null });
  try {
    const mine = await start("values", game.game.id, { ...request(path(wanted.id)), ...(wanted === now ? limits : ALONG) }, (job) => hear(game, wanted, job));
    work.cancel = mine.cancel;
    mine.done.then((job) => { if (state.study === game && (job.state === "done" || !work.stopped)) wantValues(); });
  } catch (error) {
    work.words = error.message;
    tell("values");
  }
}

function hear(game, node, job) {
  if (ended(job)) {
    if (job.state !== "cancelled" || work.stopped) node.tried = true;
    if (job.result) node.values = { ...job.result, limit: job.limit };
    if (job.limit && node.id !== game.current) tired = game;
  }
  if (state.study !== game || work.node !== node) return;
  work.job = job.state === "cancelled" && !work.stopped ? null : job;
  tell("values");
}

/** Lets the search begin anew with other limits. @param {Limits} limits */
export function moreTime(limits) {
  Object.assign(here(), { values: null, tried: false });
  wantValues(limits);
}
