// The sum line: the game written as a sum of coloured parts, with its value; it stands above everything.

import { badge, chip, h, hue, put, s } from "./dom.js";
import { light } from "./looks.js";
import { independence, partsHere } from "./partinfo.js";
import { study } from "./play.js";
import { state } from "./store.js";
import { here } from "./study.js";
import { inline, outcomeWords, shortRole, typeset } from "./text.js";

/** @param {HTMLElement} place */
export function drawSum(place) {
  if (!state.study) return put(place);
  const parts = partsHere().filter((part) => part.kind === "part");
  const terms = parts.flatMap((part, i) => [i ? h("span.plus", { "aria-hidden": "true" }, "+") : null, term(part)]);
  const one = parts.length <= 1 && study().game.kind === "rules" && state.decomposition;
  put(place, h("div.terms", { role: "group", tabindex: "0", "aria-label": `Sum: ${words(parts)}` }, terms.length ? terms : waiting(), total()),
    one ? h("span.soft", parts.length ? "One part: nothing to take apart." : "No parts found: every square depends on every other.") : null,
    h("div.evidence", evidence()));
}

function words(parts) {
  return parts.map((part) => `part ${part.part}${part.value?.value !== undefined ? ` ${inline(part.value.value)}` : ""}`).join(" plus ") || "not taken apart yet";
}

function waiting() {
  return [h("span.term.empty", "…")];
}

function term(part) {
  const board = part.board === null ? null : here(study()).position?.boards[part.board];
  const small = study().game.kind === "rules" && board && board.kind === "grid" && board.columns.length <= 8 && board.rows.length <= 8;
  const value = part.value?.value;
  const inside = small ? mini(board) : value !== undefined && value !== null ? typeset(value) : study().game.kind === "sum" ? typeset("…") : h("span.soft.short", part.name);
  return h("button", {
    type: "button", class: `term ${hue(part.part)}${state.lit !== null && state.lit !== part.part ? " faded" : ""}`, "data-part": part.part, "aria-pressed": String(state.lit === part.part),
    "aria-label": `Part ${part.part}, ${part.name}${value !== undefined && value !== null ? `, worth ${inline(value)}` : ""}: light up`, onclick: () => light(part.part),
  }, badge(part.part), h("span.termvalue", inside));
}

/** A board the size of a letter. */
function mini(board) {
  const rows = board.rows.length;
  const columns = board.columns.length;
  const unit = Math.min(10, 30 / rows);
  const marks = board.cells.filter((cell) => cell.holds).map((cell) => {
    const x = (cell.at[1] + 0.5) * unit;
    const y = (cell.at[0] + 0.5) * unit;
    const r = unit * 0.28;
    if (cell.glyph === "cross") return s("path.ministroke", { d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
    if (cell.glyph === "nought" || cell.glyph === "stone-second") return s("circle.ministroke", { cx: x, cy: y, r });
    return s("circle.minidot", { cx: x, cy: y, r });
  });
  let d = "";
  for (let i = 1; i < columns; i += 1) d += `M${i * unit} 0V${rows * unit}`;
  for (let i = 1; i < rows; i += 1) d += `M0 ${i * unit}H${columns * unit}`;
  return s("svg.mini", { width: columns * unit, height: rows * unit, viewBox: `0 0 ${columns * unit} ${rows * unit}`, "aria-hidden": "true" }, s("path.minigrid", { d }), marks);
}

function total() {
  const node = here(study());
  const values = node.values;
  const equals = h("span.plus", { "aria-hidden": "true" }, "=");
  if (study().game.kind === "sum") {
    if (!values) return [equals, h("span.total", "…")];
    const whole = values.total;
    if (whole !== null) return [equals, h("span.total", typeset(whole))];
    return [h("span.soft", `sum not added up: mean ${inline(values.mean ?? "not known")}, temperature at most ${inline(values.temperature ?? "not known")}`)];
  }
  const goals = node.position?.goals ?? values?.value;
  if (!goals) return [equals, h("span.total", "…")];
  const entries = Object.entries(goals);
  const text = entries.length === 2 ? `${shortRole(entries[0][0])} ${entries[0][1] ?? "…"} : ${entries[1][1] ?? "…"} ${shortRole(entries[1][0])}` : entries.map(([role, value]) => `${shortRole(role)} ${value ?? "…"}`).join(" · ");
  return [equals, h("span.total.serif", text)];
}

function evidence() {
  const node = here(study());
  if (study().game.kind === "sum") {
    if (!node.values) return null;
    return [chip(node.values.exact ? "exact" : "guessed", node.values.exact ? "exact" : "guessed"), h("span.soft", outcomeWords(node.values.outcome))];
  }
  const sure = independence();
  if (!sure) return h("span.soft", "not verified");
  const context = partsHere().filter((part) => part.kind === "context").map((part) => part.name.replace(/\s*\*/g, "").replace(/[()]/g, "")).join(", ");
  return [chip(sure.kind, sure.text), h("span.soft", [state.decomposition.structure, context ? `context: ${context}` : null].filter(Boolean).join(" · "))];
}

