// Requests to the server: JSON there and back, problems as errors with words, games registered again when forgotten.

export class Problem extends Error {
  /** @param {any} body @param {number} status */
  constructor(body, status) {
    super(body?.detail || body?.title || `The server answered ${status}.`);
    this.body = body ?? {};
    this.status = status;
    /** @type {string} */
    this.type = this.body.type ?? "";
  }
}

/** @type {Set<(gone: boolean) => void>} */
const watchers = new Set();
let lost = false;

/** @param {(gone: boolean) => void} watcher */
export function watchConnection(watcher) {
  watchers.add(watcher);
}

function connection(gone) {
  if (gone === lost) return;
  lost = gone;
  for (const watcher of watchers) watcher(gone);
  if (gone) knock();
}

/** Asks for the version until somebody answers again. */
async function knock() {
  while (lost) {
    await new Promise((done) => setTimeout(done, 1000));
    try {
      const answer = await fetch("/api/v1/version");
      if (answer.ok) connection(false);
    } catch {
      // still gone
    }
  }
}

async function send(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      headers: method === "GET" ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    connection(true);
    throw new Problem({ title: "The server is gone. Start `ludisect web` again; this page will go on by itself.", type: "/problems/lost" }, 0);
  }
  connection(false);
  if (answer.ok) return answer;
  let problem = null;
  try {
    problem = await answer.json();
  } catch {
    problem = null;
  }
  throw new Problem(problem, answer.status);
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return (await send("GET", path)).json();
}

/** @param {string} path @param {any} body @returns {Promise<any>} */
export async function post(path, body) {
  return (await send("POST", path, body)).json();
}

/** @param {string} path @returns {Promise<any>} */
export async function remove(path) {
  return (await send("DELETE", path, {})).json();
}

/** @param {string} token */
export async function exchange(token) {
  await send("POST", "/token", { token });
}

/** @type {Map<string, any>} */
const registered = new Map();

/** Registers a game: `{source}`, `{text}`, `{sum}` or `{fen}`. @param {any} what @returns {Promise<Game>} */
export async function register(what) {
  const game = await post("/games", what);
  registered.set(game.id, what);
  return game;
}

/** What a game was registered by, kept for the day the server has forgotten it. @param {string} id @param {any} what */
export function remember(id, what) {
  registered.set(id, what);
}

/** A request about a game; if the server has forgotten it, it is registered once more.
 * @template T @param {string} id @param {() => Promise<T>} request @returns {Promise<T>} */
export async function about(id, request) {
  try {
    return await request();
  } catch (error) {
    const what = registered.get(id);
    if (!(error instanceof Problem) || error.status !== 404 || !what) throw error;
    await post("/games", what);
    return request();
  }
}

/** @param {string} id @param {any} body @returns {Promise<Position>} */
export async function position(id, body) {
  const found = await about(id, () => post(`/games/${id}/position`, body));
  if (!found.to.length && !found.terminal) found.to = forced(found);
  return found;
}

/** Who moves where nobody has a choice: those whose only move is no waiting. @param {Position} found */
export function forced(found) {
  const roles = Object.keys(found.legal).filter((role) => found.legal[role].length);
  const busy = roles.filter((role) => !/^\(?(noop|wait|pass)\)?$/i.test(found.legal[role][0]));
  return busy.length ? busy : roles;
}

/** @param {string} id @param {any} body @returns {Promise<string>} */
export function picture(id, body) {
  return about(id, async () => (await send("POST", `/games/${id}/picture`, body)).text());
}
