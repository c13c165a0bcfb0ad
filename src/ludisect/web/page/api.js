// Requests to the server: JSON there and back, problems as errors with words, games registered again when forgotten.

import { $, h } from "./dom.js";

const GONE = "The server is gone. Start `ludisect web` again; this page will go on by itself.";

export class Problem extends Error {
  constructor(body, status) {
    super(body?.detail || body?.title || `The server answered ${status}.`);
    this.body = body ?? {};
    this.status = status;
  }
}

let lost = false;

/** Says when the server is gone, and asks for its version until somebody answers again. */
async function connection(gone) {
  if (gone === lost) return;
  lost = gone;
  $(".banner")?.remove();
  if (gone) $("#notices").append(h("div.banner", { role: "alert" }, GONE));
  while (lost) {
    await new Promise((done) => setTimeout(done, 1000));
    if ((await fetch("/api/v1/version").catch(() => null))?.ok) connection(false);
  }
}

async function send(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { method, headers: method === "GET" ? {} : { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  } catch {
    connection(true);
    throw new Problem({ title: GONE }, 0);
  }
  connection(false);
  if (!answer.ok) throw new Problem(await answer.json().catch(() => null), answer.status);
  return answer;
}
export const get = async (path) => (await send("GET", path)).json();
export const post = async (path, body) => (await send("POST", path, body)).json();
export const remove = async (path) => (await send("DELETE", path, {})).json();
export const exchange = (token) => send("POST", "/token", { token });

/** What games were registered by, kept for the day the server has forgotten them. @type {Map<string, any>} */
export const registered = new Map();

/** Registers a game: `{source}`, `{text}`, `{sum}`, `{fen}` or `{yours}`. */
export async function register(what) {
  const game = await post("/games", what);
  registered.set(game.id, what);
  return { ...what, ...game };
}

/** A request about a game; if the server has forgotten it, it is registered once more. @template T @param {() => Promise<T>} request @returns {Promise<T>} */
export async function about(id, request) {
  try {
    return await request();
  } catch (error) {
    const what = registered.get(id);
    if (error.status !== 404 || !what) throw error;
    await post("/games", what);
    return request();
  }
}

/** @returns {Promise<Position>} */
export async function position(id, body) {
  const found = await about(id, () => post(`/games/${id}/position`, body));
  if (!found.to.length && !found.terminal) found.to = forced(found.legal);
  return found;
}

/** Who moves where nobody has a choice: those whose only move is no waiting. */
function forced(legal) {
  const roles = Object.keys(legal).filter((role) => legal[role].length);
  const busy = roles.filter((role) => !/^\(?(noop|wait|pass)\)?$/i.test(legal[role][0]));
  return busy.length ? busy : roles;
}
export const picture = (id, body) => about(id, async () => (await send("POST", `/games/${id}/picture`, body)).text());
