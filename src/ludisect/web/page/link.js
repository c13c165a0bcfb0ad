// Links: the game, the line of play and the place in it, in the fragment of the address.

import { register } from "./api.js";
import { toast } from "./dom.js";
import { goTo, openGame, study } from "./play.js";
import { choices, state } from "./store.js";
import { at, child, line } from "./study.js";

const LONGEST = 6000;
export const TOO_LONG = "This sheet is too long for a link; save a file instead.";

/** @type {Map<string, string|null>} */
const named = new Map();

/** The bytes through a stream that packs or unpacks them. */
async function pass(bytes, through) {
  const answer = new Response(new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(through));
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param {string} text */
export async function pack(text) {
  const bytes = await pass(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
export async function unpack(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await pass(Uint8Array.from(raw, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw")));
}

/** How a link names a game; null if its sheet is too long. */
async function nameOf(game) {
  if (named.has(game.id)) return named.get(game.id) ?? null;
  /** @type {string|null} */
  let name = null;
  if (game.fen) name = `fen:${encodeURIComponent(game.fen)}`;
  else if (game.sum) name = `sum:${encodeURIComponent(game.sum)}`;
  else if (game.source) name = encodeURIComponent(game.source).replaceAll("%3A", ":").replaceAll("%2C", ",");
  else if (game.yours) name = `yours:${encodeURIComponent(game.yours)}`;
  else if (game.text) name = `z:${await pack(game.text)}`;
  if (name !== null && name.length > LONGEST) name = null;
  named.set(game.id, name);
  return name;
}

/** @param {string} name @returns {Promise<any>} what to register */
export async function sourceOf(name) {
  const rest = (prefix) => decodeURIComponent(name.slice(prefix.length));
  if (name.startsWith("z:")) return { text: await unpack(name.slice(2)) };
  if (name.startsWith("sum:")) return { sum: rest("sum:") };
  if (name.startsWith("fen:")) return { fen: rest("fen:") };
  if (name.startsWith("yours:")) return { yours: rest("yours:") };
  return { source: decodeURIComponent(name) };
}

/** One step of a line as letters. */
function letters(node, before) {
  if (!node.moves) return node.to === "left" ? "L" : "R";
  const roles = study().game.kind === "sum" ? Object.keys(node.moves) : before.to;
  return roles.map((role) => [...(before.legal[role] ?? [])].sort().indexOf(node.moves?.[role] ?? "").toString(36)).join("-");
}

/** The address of what is shown now. @returns {Promise<string|null>} */
export async function address() {
  const game = study();
  const name = await nameOf(game.game);
  if (name === null) return null;
  const query = [];
  const steps = [];
  for (const node of line(game).slice(1)) {
    const before = node.parent === null ? null : at(game, node.parent).position;
    if (!before) break;
    steps.push(letters(node, before));
  }
  const place = line(game).findIndex((node) => node.id === game.current);
  if (steps.length) query.push(`l=${steps.join(".")}`, `at=${place}`);
  if (state.tab !== "parts") query.push(`tab=${state.tab}`);
  if (state.lit !== null) query.push(`part=${state.lit}`);
  if (!choices.values) query.push("v=0");
  const hash = at(game, game.current).position?.hash;
  if (hash && steps.length) query.push(`h=${hash}`);
  return `#/${state.view}/${name}${query.length ? `?${query.join("&")}` : ""}`;
}

let shown = "";
let following = false;
let turn = 0;

/** Writes the address: a new entry of the history for a new game or view, else in place. @param {boolean} [anew] */
export async function writeAddress(anew = false) {
  if (!state.study || following) return;
  const mine = (turn += 1);
  const wanted = (await address()) ?? `#/${state.view}/`;
  if (wanted === location.hash || mine !== turn || following) return;
  shown = wanted;
  if (anew) history.pushState(null, "", wanted);
  else history.replaceState(null, "", wanted);
}

/** Whether the page itself wrote this address. @param {string} hash */
export function ownAddress(hash) {
  return hash === shown;
}

/** @param {string} hash @returns {{view: string, name: string, query: URLSearchParams}|null} */
export function parse(hash) {
  const found = /^#\/(bench|graph|rules|run)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash);
  return found ? { view: found[1], name: found[2] ?? "", query: new URLSearchParams(found[3] ?? "") } : null;
}

/** Opens what a link names. @param {string} hash @returns {Promise<boolean>} whether it names a game */
export async function follow(hash) {
  const asked = parse(hash);
  if (!asked) return false;
  state.view = asked.view;
  if (!asked.name) return false;
  const now = state.study ? await nameOf(state.study.game) : null;
  if (now === asked.name && !asked.query.has("l")) return true;
  following = true;
  try {
    await openGame(await register(await sourceOf(asked.name)));
    await restore(asked.query);
  } finally {
    following = false;
  }
  writeAddress();
  return true;
}

/** @param {URLSearchParams} query */
async function restore(query) {
  const tab = query.get("tab");
  if (tab) state.tab = tab;
  const part = query.get("part");
  if (part) state.lit = Number(part);
  if (query.get("v") === "0") choices.values = false;
  await walkLine(query);
}

async function walkLine(query) {
  const game = study();
  const steps = (query.get("l") ?? "").split(".").filter(Boolean);
  let node = at(game, 0);
  const wanted = Math.min(Number(query.get("at") ?? steps.length), steps.length);
  let stop = node;
  for (const [i, step] of steps.entries()) {
    const next = node.position ? meaning(node.position, step) : null;
    if (!next) {
      toast(`This link was made for other rules: move ${i + 1} does not exist here.`);
      break;
    }
    node = child(game, node.id, next);
    await goTo(node, true);
    if (i + 1 === wanted) stop = node;
  }
  await goTo(stop);
  const hash = query.get("h");
  if (hash && stop.position?.hash && hash !== stop.position.hash) toast(`This link was made for other rules: move ${wanted} does not exist here.`);
}

function meaning(position, step) {
  if (step === "L" || step === "R") return { to: step === "L" ? "left" : "right" };
  const chosen = step.split("-").map((each) => parseInt(each, 36));
  /** @type {Record<string, string>} */
  const moves = {};
  const roles = position.to;
  if (chosen.length !== roles.length) return null;
  for (const [i, role] of roles.entries()) {
    const move = [...(position.legal[role] ?? [])].sort()[chosen[i]];
    if (move === undefined) return null;
    moves[role] = move;
  }
  if (study().game.kind !== "sum") for (const [role, legal] of Object.entries(position.legal)) moves[role] ??= legal[0];
  return { moves };
}
