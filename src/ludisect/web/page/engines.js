// Who sits where: a person or an engine for each role, the clock; two engines play each other.

import { get } from "./api.js";
import { button, dialog, h } from "./dom.js";
import { replyIfWanted, study, usualEngine } from "./play.js";
import { choices, choose, state, tell } from "./store.js";
import { roleName } from "./text.js";

/** @type {{players: string[], strategies: string[]}|null} */
let known = null;

async function players() {
  known ??= await get("/games");
  return (study().game.kind === "sum" ? known?.strategies : known?.players) ?? [];
}

export async function engineDialog() {
  const names = await players();
  const seats = study().game.roles.map((role) => {
    const select = h("select", { "aria-label": `Who plays ${roleName(role)}`, onchange: () => { state.seats = { ...state.seats, [role]: select.value }; } },
      h("option", { value: "" }, "you"), names.map((name) => h("option", { value: name, selected: state.seats[role] === name }, name)));
    return h("tr", h("th", { scope: "row" }, roleName(role)), h("td", select));
  });
  const clock = h("input", { type: "number", min: 0.1, max: 120, step: 0.1, value: choices.clock, "aria-label": "Seconds a move", onchange: () => choose({ clock: Math.max(0.1, Math.min(120, Number(clock.value) || 1)) }) });
  const usual = h("select", { "aria-label": "Engine for single replies", onchange: () => choose({ [study().game.kind === "sum" ? "strategy" : "engine"]: usual.value }) }, names.map((name) => h("option", { value: name, selected: usualEngine() === name }, name)));
  const box = dialog("Engines", [
    h("p.soft", "An engine moves as soon as everybody who is to move is one. Two engines play until the game is over."),
    h("table.facts", h("caption.unseen", "Seats"), h("tbody", seats, h("tr", h("th", { scope: "row" }, "seconds a move"), h("td", clock)), h("tr", h("th", { scope: "row" }, "single replies by"), h("td", usual)))),
    h("div.row", button("Start", { class: "button primary", onclick: () => { box.close(); tell("choices"); replyIfWanted(); } }), button("Stop all engines", { onclick: () => { state.seats = {}; box.close(); tell("choices"); } })),
  ], { id: "enginedialog" });
}
