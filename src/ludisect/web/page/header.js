// The head of the page: the name of the game, the four views, link, save, theme and help.

import { button, h, put, s } from "./dom.js";
import { copyLink, keyTable, palette } from "./commands.js";
import { save } from "./files.js";
import { gamesDialog } from "./games.js";
import { switchTheme } from "./looks.js";
import { on, state, tell } from "./store.js";
import { gameTitle } from "./text.js";

const VIEWS = [["bench", "Bench"], ["graph", "Graph"], ["rules", "Rules"], ["run", "Run"]];

/** @param {HTMLElement} place */
export function drawHeader(place) {
  const name = state.study ? gameTitle(state.study.game) : "Choose a game";
  const focus = document.activeElement instanceof HTMLElement && place.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  const dark = document.documentElement.dataset.theme === "dark";
  put(place,
    h("span.brand", s("svg", { width: 20, height: 20, viewBox: "0 0 20 20", "aria-hidden": "true" }, s("rect", { x: 1, y: 1, width: 8, height: 18 }), s("rect", { x: 11, y: 1, width: 8, height: 8 }), s("rect", { x: 11, y: 11, width: 8, height: 8 })), h("span", "ludisect")),
    h("h1", h("button.button.gamename", { "data-at": "game", "aria-haspopup": "dialog", title: name, onclick: () => gamesDialog() }, `${name} ▾`)),
    h("nav.views", { "aria-label": "Views" }, VIEWS.map(([view, title]) => h("a", { href: `#/${view}/`, "data-at": view, "aria-current": state.view === view ? "page" : null, onclick: (event) => { event.preventDefault(); show(view); } }, title))),
    h("div.tools",
      button("Link", { class: "plain roomy", "data-at": "link", onclick: copyLink }), button("Save", { class: "plain roomy", "data-at": "save", onclick: save }),
      button("⋯", { class: "plain narrow", "data-at": "more", "aria-label": "All commands", onclick: palette }),
      button(dark ? "Light" : "Dark", { class: "plain", "data-at": "theme", onclick: switchTheme }), button("?", { class: "plain", "data-at": "keys", "aria-label": "Keys", onclick: keyTable })));
  document.title = state.study ? `${name} · ludisect` : "ludisect";
  if (focus) /** @type {HTMLElement|null} */ (place.querySelector(`[data-at="${focus}"]`))?.focus();
}

/** @param {string} view */
export function show(view) {
  if (state.view === view) return;
  state.view = view;
  tell("view");
}

/** @param {HTMLElement} place */
export function keepHeader(place) {
  on("game view theme", () => drawHeader(place));
}
