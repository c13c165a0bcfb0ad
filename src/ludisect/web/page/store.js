// What the page shows: one object, who wants to hear of changes, and changes by hand.

import { $, say } from "./dom.js";

/** What the person has chosen for looking; kept in the browser. */
export const choices = { parts: true, values: true, coordinates: true, letters: true, clock: 1, engine: "parts", strategy: "optimal", ...kept() };

function kept() {
  try {
    return JSON.parse(localStorage.getItem("choices") ?? "{}");
  } catch {
    return {};
  }
}

/** Keeps something in the browser; private windows keep nothing. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {}
}

/** @param {Partial<typeof choices>} change */
export function choose(change) {
  Object.assign(choices, change);
  keep("choices", JSON.stringify(choices));
  tell("choices");
}

/** @type {PageState} */
export const state = {
  view: "bench", tab: "parts", lit: null, study: null, decomposition: null, methods: {}, valuesFor: null, selection: [], hint: false, seats: {}, pending: {},
  page: Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

/** @type {Map<string, Set<() => void>>} */
const listeners = new Map();
/** @type {Set<() => void>} */
let later = new Set();
/** Topics that wait until no button of the pointer is down: nothing is drawn anew between press and click. */
const waiting = new Set();
let down = false;

/**
 * Calls `listener` when one of the topics changes: `game`, `node`, `values`, `parts`, `choices`, `view`, `look`, `jobs`, `theme`, `size`.
 * The board listens with `first`, so that it is redrawn at once; everything else waits for the next frame.
 * @param {() => void} listener
 */
export function on(topics, listener, first = false) {
  for (const topic of topics.split(" ")) listeners.set(topic, (listeners.get(topic) ?? new Set()).add(first ? listener : () => soon(listener)));
}

function soon(listener) {
  if (!later.size) requestAnimationFrame(draw);
  later.add(listener);
}

function draw() {
  if (down) return; // again when it is up
  const now = later;
  later = new Set();
  for (const each of now) each();
}
export function tell(topics) {
  for (const topic of topics.split(" ")) {
    if (down) waiting.add(topic);
    else for (const listener of listeners.get(topic) ?? []) listener();
  }
}

function up() {
  if (!down) return;
  down = false;
  const topics = [...waiting].join(" ");
  waiting.clear();
  tell(topics);
  draw();
}

addEventListener("pointerdown", () => { down = true; }, true);
// the click comes right after the release, in the same task
for (const kind of ["pointerup", "pointercancel", "blur"]) addEventListener(kind, () => setTimeout(up), true);
addEventListener("pointermove", (event) => { if (!event.buttons) up(); }, true);

/** Lights up one part and fades the rest; once more clears it. */
export function light(part) {
  state.lit = state.lit === part ? null : part;
  say(state.lit === null ? "All parts." : `Part ${state.lit}.`);
  tell("look");
}

export function switchTheme() {
  const root = document.documentElement.dataset;
  root.theme = root.theme === "dark" ? "light" : "dark";
  keep("theme", root.theme);
  tell("theme");
}

/** @param {"parts"|"values"|"coordinates"|"letters"} name */
export function toggle(name) {
  choose({ [name]: !choices[name] });
  say(`${name} ${choices[name] ? "shown" : "hidden"}`);
}
export function showTab(tab) {
  state.tab = tab;
  tell("look");
  $(`#main [data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest" });
}
export function show(view) {
  if (state.view === view) return;
  state.view = view;
  tell("view");
}
