// The rules view: where a game comes from; bundled, a sheet of one's own, a ruleset, a sum, a chess position, Python files.

import { h, put } from "./dom.js";
import { editorPanel } from "./editor.js";
import { bundledPanel, fenPanel, sumPanel, yoursPanel } from "./games.js";
import { show } from "./header.js";
import { study } from "./play.js";

const TABS = /** @type {[string, string][]} */ ([["bundled", "Bundled"], ["sheet", "Sheet"], ["ruleset", "Ruleset"], ["sum", "Sum"], ["fen", "FEN"], ["yours", "Yours"]]);
let tab = "sheet";

/** @param {HTMLElement} main */
export function buildRules(main) {
  const done = () => show("bench");
  const panel = h("div.rulespanel", { role: "tabpanel", id: "rulespanel", "aria-labelledby": `rules-${tab}` });
  const choose = (name) => {
    tab = name;
    buildRules(main);
    /** @type {any} */ (main.querySelector(`#rules-${name}`))?.focus();
  };
  const keys = (event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const names = TABS.map(([name]) => name);
    if (by) choose(names[(names.indexOf(tab) + by + names.length) % names.length]);
  };
  const tabs = h("div.tabs", { role: "tablist", "aria-label": "Where the game comes from", onkeydown: keys }, TABS.map(([name, title]) => h("button", { role: "tab", id: `rules-${name}`, "aria-controls": "rulespanel", "aria-selected": String(tab === name), tabindex: tab === name ? "0" : "-1", onclick: () => choose(name) }, title)));
  put(panel, tab === "bundled" ? bundledPanel(done) : tab === "sheet" ? editorPanel(done) : tab === "ruleset" ? sumPanel("domineering 4x4", done) : tab === "sum" ? sumPanel(study().game.sum ?? "domineering 6x6 + nim 3", done) : tab === "fen" ? fenPanel(done) : yoursPanel(done));
  put(main, h("section.panel.view.rules", { "aria-label": "Rules" }, tabs, panel));
}
