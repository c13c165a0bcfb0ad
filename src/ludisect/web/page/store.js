// What the page shows: one object, and who wants to hear of changes.

/** What the person has chosen for looking; kept in the browser. */
export const choices = load();

function load() {
  const usual = { parts: true, values: true, coordinates: true, letters: true, clock: 1, engine: "parts", strategy: "optimal" };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem("choices") ?? "{}") };
  } catch {
    return usual;
  }
}

/** @param {Partial<typeof choices>} change */
export function choose(change) {
  Object.assign(choices, change);
  try {
    localStorage.setItem("choices", JSON.stringify(choices));
  } catch {
    // private windows keep nothing
  }
  tell("choices");
}

/**
 * @type {{view: string, tab: string, lit: number|null, study: Study|null, decomposition: any, methods: Record<string, any>,
 *   valuesFor: string|null, selection: [number, number, number][], hint: boolean, seats: Record<string, string>, page: string,
 *   pending: Record<string, string>}}
 */
export const state = {
  view: "bench", tab: "parts", lit: null, study: null, decomposition: null, methods: {}, valuesFor: null, selection: [], hint: false,
  seats: {}, page: pageName(), pending: {},
};

function pageName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {Map<string, Set<() => void>>} */
const listeners = new Map();
/** @type {Set<() => void>} */
let later = new Set();

/**
 * Calls `listener` when one of the topics changes: `game`, `node`, `values`, `parts`, `choices`, `view`, `look`, `jobs`.
 * The board listens with `first`, so that it is redrawn at once; everything else waits for the next frame.
 * @param {string} topics @param {() => void} listener @param {boolean} [first]
 */
export function on(topics, listener, first = false) {
  for (const topic of topics.split(" ")) {
    const known = listeners.get(topic) ?? new Set();
    listeners.set(topic, known);
    known.add(first ? listener : () => soon(listener));
  }
}

function soon(listener) {
  if (!later.size) requestAnimationFrame(() => {
    const now = later;
    later = new Set();
    for (const each of now) each();
  });
  later.add(listener);
}

/** @param {string} topics */
export function tell(topics) {
  for (const topic of topics.split(" ")) for (const listener of listeners.get(topic) ?? []) listener();
}
