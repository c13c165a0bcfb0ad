// Links: the game, the line of play and the place in it, in the fragment of the address.

import { register } from "./api.js";
import { toast } from "./dom.js";
import { goTo, openGame } from "./play.js";
import { choices, state } from "./store.js";
import { at, before, child, here, isSum, line, study } from "./study.js";

const LONGEST = 6000;

/** @type {Map<string, string|null>} */
const named = new Map();

/** The bytes through a stream that packs or unpacks them. */
async function pass(bytes, through) {
  const answer = new Response(new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(through));
  return new Uint8Array(await answer.arrayBuffer());
}

async function pack(text) {
  const bytes = await pass(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const raw = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await pass(Uint8Array.from(raw, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw")));
}

/** How a link names a game; null if its sheet is too long. */
async function nameOf(game) {
  if (!named.has(game.id)) {
    const kind = ["fen", "sum", "source", "yours", "text"].find((each) => game[each]) ?? "source";
    const word = kind === "text" ? `z:${await pack(game.text)}` : encodeURIComponent(game[kind]);
    const name = kind === "source" ? word.replaceAll("%3A", ":").replaceAll("%2C", ",") : kind === "text" ? word : `${kind}:${word}`;
    named.set(game.id, name.length > LONGEST ? null : name);
  }
  return named.get(game.id) ?? null;
}

async function sourceOf(name) {
  if (name.startsWith("z:")) return { text: await unpack(name.slice(2)) };
  const [, kind, rest] = /^(?:(sum|fen|yours):)?(.*)$/.exec(name) ?? [];
  return { [kind ?? "source"]: decodeURIComponent(rest) };
}

const sorted = (position, role) => [...(position.legal[role] ?? [])].sort();

function letters(node, old) {
  if (!node.moves) return node.to === "left" ? "L" : "R";
  return (isSum() ? Object.keys(node.moves) : old.to).map((role) => sorted(old, role).indexOf(node.moves[role]).toString(36)).join("-");
}

export async function address() {
  const name = await nameOf(study().game);
  if (name === null) return null;
  const steps = [];
  for (const node of line().slice(1)) {
    const old = before(node)?.position;
    if (!old) break;
    steps.push(letters(node, old));
  }
  const query = [];
  if (steps.length) query.push(`l=${steps.join(".")}`, `at=${line().indexOf(here())}`);
  if (state.tab !== "parts") query.push(`tab=${state.tab}`);
  if (state.lit !== null) query.push(`part=${state.lit}`);
  if (!choices.values) query.push("v=0");
  const hash = here().position?.hash;
  if (hash && steps.length) query.push(`h=${hash}`);
  return `#/${state.view}/${name}${query.length ? `?${query.join("&")}` : ""}`;
}

let shown = "";
let following = false;
let turn = 0;

/** Writes the address: a new entry of the history for a new game or view, else in place. */
export async function writeAddress(anew = false) {
  if (!state.study || following) return;
  const mine = (turn += 1);
  const wanted = (await address()) ?? `#/${state.view}/`;
  if (wanted === location.hash || mine !== turn || following) return;
  shown = wanted;
  if (anew) history.pushState(null, "", wanted);
  else history.replaceState(null, "", wanted);
}

export const ownAddress = (hash) => hash === shown;

export function parse(hash) {
  const found = /^#\/(bench|graph|rules|run)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash);
  return found ? { view: found[1], name: found[2] ?? "", query: new URLSearchParams(found[3] ?? "") } : null;
}

/** Opens what a link names. @returns {Promise<boolean>} whether it names a game */
export async function follow(hash) {
  const asked = parse(hash);
  if (!asked?.name) return false;
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

async function restore(query) {
  state.tab = query.get("tab") ?? state.tab;
  if (query.get("part")) state.lit = Number(query.get("part"));
  if (query.get("v") === "0") choices.values = false;
  const steps = (query.get("l") ?? "").split(".").filter(Boolean);
  const wanted = Math.min(Number(query.get("at") ?? steps.length), steps.length);
  const other = (move) => toast(`This link was made for other rules: move ${move} does not exist here.`);
  let node = at(0);
  let stop = node;
  for (const [i, step] of steps.entries()) {
    const next = node.position && meaning(node.position, step);
    if (!next) {
      other(i + 1);
      break;
    }
    node = child(node.id, next);
    await goTo(node, true);
    if (i + 1 === wanted) stop = node;
  }
  await goTo(stop);
  const hash = query.get("h");
  if (hash && stop.position?.hash && hash !== stop.position.hash) other(wanted);
}

function meaning(position, step) {
  if (step === "L" || step === "R") return { to: step === "L" ? "left" : "right" };
  const chosen = step.split("-").map((each) => parseInt(each, 36));
  /** @type {Record<string, string>} */
  const moves = Object.fromEntries(position.to.map((role, i) => [role, sorted(position, role)[chosen[i]]]));
  if (chosen.length !== position.to.length || Object.values(moves).includes(/** @type {any} */ (undefined))) return null;
  if (!isSum()) for (const [role, legal] of Object.entries(position.legal)) moves[role] ??= legal[0];
  return { moves };
}
