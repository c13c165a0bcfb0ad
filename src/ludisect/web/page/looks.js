// How the page looks, changed by hand: one part lit up, light or dark, the tab that is open.

import { byId, say } from "./dom.js";
import { choices, choose, state, tell } from "./store.js";

/** Lights up one part and fades the rest; once more clears it. @param {number|null} part */
export function light(part) {
  state.lit = state.lit === part ? null : part;
  say(state.lit === null ? "All parts." : `Part ${state.lit}.`);
  tell("look");
}

/** The other theme. */
export function switchTheme() {
  const root = document.documentElement;
  const next = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    // private windows keep nothing
  }
  tell("theme");
}

/** @param {"parts"|"values"|"coordinates"|"letters"} name */
export function toggle(name) {
  choose({ [name]: !choices[name] });
  say(`${name} ${choices[name] ? "shown" : "hidden"}`);
}

/** @param {string} tab */
export function showTab(tab) {
  state.tab = tab;
  tell("look");
  byId("main").querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: "nearest" });
}
