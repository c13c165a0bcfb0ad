// Why: the argument for the answer, in the sentences of the search, and what was tried.

import { button, h, put } from "./dom.js";
import { study } from "./play.js";
import { state } from "./store.js";
import { here } from "./study.js";
import { duration } from "./text.js";
import { download } from "./pictures.js";

/** @param {HTMLElement} place */
export function drawWhy(place) {
  const values = here(study()).values;
  const game = study().game;
  const list = (title, lines) => (lines?.length ? [h("h3", title), h("ul.why", lines.map((line) => h("li", typeof line === "string" ? line : JSON.stringify(line))))] : []);
  const reasons = (values?.parts ?? []).map((part) => part.why).filter(Boolean);
  const basis = typeof values?.evidence === "string" ? [values.evidence] : [];
  const about = [game.roles.length ? `Roles: ${game.roles.join(", ")}.` : "", game.turns ? `Turns: ${game.turns}.` : "", game.fluents ? `${game.fluents} fluents, ${game.rules} rules.` : ""].filter(Boolean).join(" ");
  const spent = values?.seconds === undefined ? null : `Found in ${duration(values.seconds)}${values.algorithm ? ` by ${values.algorithm}` : ""}.`;
  put(place, h("div.whybox",
    values ? null : h("p.soft", "Nothing is known of this position yet."),
    ...list("The parts", reasons), ...list("Together", values?.conclusion), ...list("It rests on", basis), ...list("Notes", values?.notes),
    h("p.soft", [about, spent].filter(Boolean).join(" ")),
    state.decomposition ? h("div.row", button("Save the decomposition as JSON", { class: "button small", onclick: () => download(new Blob([JSON.stringify(state.decomposition, null, 1)], { type: "application/json" }), `${game.game ?? "game"}.decomposition.json`) })) : null));
}
