// The sum line: the game written as a sum of coloured parts, with its value; it stands above everything.

import { badge, chip, h, hue, put } from "./dom.js";
import { smallBoard } from "./glyphs.js";
import { independence, NONE, partsHere } from "./parts.js";
import { light, state } from "./store.js";
import { here, isSum } from "./study.js";
import { inline, OUTCOMES, shortRole, typeset } from "./text.js";

export function drawSum(place) {
  if (!state.study) return put(place);
  const parts = partsHere().filter((part) => part.kind === "part");
  const words = parts.map((part) => `part ${part.part} ${part.value?.value === undefined ? "" : inline(part.value.value)}`.trim()).join(" plus ") || "not taken apart yet";
  const one = parts.length <= 1 && !isSum() && state.decomposition;
  put(place, h("div.terms", { role: "group", tabindex: 0, "aria-label": `Sum: ${words}` }, parts.length ? parts.map((part, i) => [i ? sign("+") : null, term(part)]) : h("span.term.empty", "…"), total()),
    one && h("span.soft", parts.length ? "One part: nothing to take apart." : NONE), h("div.evidence", evidence()));
}

const sign = (text) => h("span.plus", { "aria-hidden": "true" }, text);

function term(part) {
  const board = part.board === null ? null : here().position?.boards[part.board];
  const small = !isSum() && board?.kind === "grid" && board.columns.length <= 8 && board.rows.length <= 8;
  const value = part.value?.value ?? null;
  const inside = small ? smallBoard(board, Math.min(10, 30 / board.rows.length), undefined, { class: "mini", "aria-hidden": "true" }) : value !== null || isSum() ? typeset(value) : h("span.soft.short", part.name);
  return h("button", { class: `term ${hue(part.part)}${state.lit !== null && state.lit !== part.part ? " faded" : ""}`, "data-part": part.part, "aria-pressed": String(state.lit === part.part),
    "aria-label": `Part ${part.part}, ${part.name}${value === null ? "" : `, worth ${inline(value)}`}: light up`, onclick: () => light(part.part) }, badge(part.part), h("span.termvalue", inside));
}

function total() {
  const { values, position } = here();
  if (isSum() && values && (values.total?.value ?? null) === null) return h("span.soft", `sum not added up: mean ${inline(values.mean ?? "not known")}, temperature at most ${inline(values.temperature ?? "not known")}`);
  if (isSum()) return [sign("="), h("span.total", typeset(values?.total?.value))];
  const goals = Object.entries(position?.goals ?? values?.value ?? {}).map(([role, value]) => [shortRole(role), value ?? "…"]);
  const text = goals.length === 2 ? `${goals[0].join(" ")} : ${[...goals[1]].reverse().join(" ")}` : goals.map((each) => each.join(" ")).join(" · ");
  return [sign("="), h("span.total.serif", text || "…")];
}

function evidence() {
  if (isSum()) {
    const { values } = here();
    return values && [values.exact ? chip("exact", "exact") : chip("guessed", "guessed"), h("span.soft", OUTCOMES[values.total?.outcome] ?? values.total?.outcome)];
  }
  const sure = independence();
  if (!sure) return h("span.soft", "not verified");
  const context = partsHere().filter((part) => part.kind === "context").map((part) => part.name.replace(/\s*\*|[()]/g, "")).join(", ");
  return [chip(sure[0], sure[1]), h("span.soft", [state.decomposition.structure, context && `context: ${context}`].filter(Boolean).join(" · "))];
}
