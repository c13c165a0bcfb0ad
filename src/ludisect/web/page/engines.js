// Who sits where: a person or an engine for each role, the clock; two engines play each other.

import { button, dialog, h, select, table } from "./dom.js";
import { offered } from "./games.js";
import { replyIfWanted, usualEngine } from "./play.js";
import { choices, choose, state, tell } from "./store.js";
import { isSum, study } from "./study.js";
import { roleName } from "./text.js";

/** The engines that can play the game in front. */
export const engines = async () => (await offered())[isSum() ? "strategies" : "players"];

export async function engineDialog() {
  const names = await engines();
  const seats = study().game.roles.map((role) => [roleName(role), select(`Who plays ${roleName(role)}`, [["", "you"], ...names], state.seats[role] ?? "", (name) => { state.seats = { ...state.seats, [role]: name }; })]);
  const clock = h("input", { type: "number", min: 0.1, max: 120, step: 0.1, value: choices.clock, "aria-label": "Seconds a move", onchange: () => choose({ clock: Math.max(0.1, Math.min(120, Number(clock.value) || 1)) }) });
  const usual = select("Engine for single replies", names, usualEngine(), (name) => choose({ [isSum() ? "strategy" : "engine"]: name }));
  const done = () => { box.close(); tell("choices"); };
  const box = dialog("enginedialog", "Engines", h("p.soft", "An engine moves as soon as everybody who is to move is one. Two engines play until the game is over."),
    table("Seats", null, [...seats, ["seconds a move", clock], ["single replies by", usual]], true),
    h("div.row", button("Start", () => { done(); replyIfWanted(); }, { class: "button primary" }), button("Stop all engines", () => { state.seats = {}; done(); })));
}
