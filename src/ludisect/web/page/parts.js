// The parts of the position in front, and the list of them: what each is worth, its thermograph, whether it is the hottest.

import { badge, chip, h, hue, put, small } from "./dom.js";
import { trouble } from "./jobs.js";
import { exportButtons, showPicture } from "./pictures.js";
import { takeApart } from "./play.js";
import { light, state } from "./store.js";
import { here, isSum } from "./study.js";
import { count, counted, duration, number, stepWords, typeset } from "./text.js";
import { showThermograph, smallThermograph } from "./thermograph.js";

export function drawParts(place) {
  const parts = partsHere();
  const hot = hottest();
  const list = h("ul.parts", parts.map((part) => h("li", card(part, hot?.part === part.part))));
  put(place, progress(), state.decomposition && !parts.some((part) => part.kind !== "context") && h("p.soft", NONE), list, evidence());
}

export const NONE = "No parts found: every square depends on every other.";
const STAGES = ["reading", "grounding", "building", "playing", "looking for dependencies", "testing", "proving"];

/** Steps of the decomposition as a list, while it runs or after it broke off. */
function progress() {
  const job = state.methods.exact;
  if (!job || (job.state === "done" && !job.limit)) return null;
  if (job.state === "failed") return h("p.fault", `Method exact failed: ${trouble(job)}`);
  if (job.state === "cancelled") return h("p.soft", "Cancelled; parts of the last run shown.");
  if (job.limit) {
    const tested = (job.result ?? job.partial)?.evidence?.transitions;
    const time = duration(job.seconds ?? 0);
    return h("p.soft", tested ? `Tested on ${count(tested)} transitions, not proved in ${time}. ` : `Not done in ${time}. `, small("Go on proving", () => takeApart("exact", 120)));
  }
  const now = job.step ? STAGES.findIndex((name) => name.startsWith(job.step.name.slice(0, 4))) : 0;
  return h("p.soft.steps", { role: "status" }, STAGES.slice(0, Math.max(0, now)).map((name) => `${name} ✓ `), `${stepWords(job.step)} …`);
}

function card(part, hot) {
  const value = part.value;
  const lit = state.lit === part.part;
  const thermograph = value && isSum() && !value.number ? smallThermograph(value) : null;
  const tag = hot ? "hottest" : value?.number && isSum() ? "a number" : { idle: "idle part", context: "context" }[part.kind];
  const enlarge = () => showThermograph(value, [...exportButtons(() => document.querySelector("#thermographdialog svg"), `thermograph-${part.part}`), small("Tree of its moves", () => showPicture(`Moves in part ${part.part}`, { what: "tree", part: part.part }, `tree-${part.part}`))]);
  const rest = (on) => (event) => { if (event.pointerType === "mouse") resting(on ? String(part.part) : null); };
  return h("div", { class: `part ${hue(part.part)}${lit ? " lit" : ""}${state.lit !== null && !lit ? " faded" : ""}`, "data-part": part.part, onpointerenter: rest(true), onpointerleave: rest(false) },
    h("div.partbody",
      h("div.parthead", h("button.lightup", { "aria-pressed": String(lit), "aria-label": `Light up ${part.part > 0 ? `part ${part.part}` : "the context"}`, onclick: () => light(part.part) }, badge(part.part)),
        h("h3", { class: part.name.startsWith("(") ? "mono" : "" }, part.name), tag && h("span.tag", tag)),
      isSum() || typeof value?.value === "string" ? h("p.partvalue", typeset(value?.value ?? "…")) : null,
      h("dl.partfacts", facts(part).map(([name, told]) => [h("dt", name), h("dd", told)]))),
    thermograph && h("button.thermobutton", { "aria-label": `Thermograph of part ${part.part}, larger`, onclick: enlarge }, thermograph));
}

/** Resting on a part fades the others on the board, without redrawing the list. */
function resting(part) {
  for (const mark of document.querySelectorAll("#boards [data-part], #sumline [data-part]")) mark.classList.toggle("resting", part !== null && mark.getAttribute("data-part") !== part);
}

const ALONE = { N: "first wins", P: "second wins", L: "Left wins", R: "Right wins" };

/** @returns {any[]} */
function facts(part) {
  const { value, facts: own } = part;
  if (isSum()) {
    if (!value) return [["position", own.text ?? ""]];
    if (value.number) {
      const worth = number(value.value);
      return [["alone", [worth > 0 ? "Left is ahead" : worth < 0 ? "Right is ahead" : "nobody is ahead", "; moving here costs ", typeset(value.cost)]]];
    }
    const stops = (value.stops ?? [value.left_stop, value.right_stop]).filter((stop) => stop !== undefined).join(", ");
    const told = [["mean", value.mean], ["temperature", value.temperature], ["stops", stops]].filter(([, each]) => each).map(([name, each]) => [name, typeset(each)]);
    return value.outcome ? [...told, ["alone", ALONE[value.outcome] ?? value.outcome]] : told;
  }
  if (part.kind === "context") return [["runs by itself", "whatever is played"]];
  const moves = Object.entries(own.moves ?? {}).map(([role, list]) => [/** @type {any[]} */ (list).length, role]);
  const each = moves.length > 1 && new Set(moves.map(([n]) => n)).size === 1;
  // a reason without the part's name, which stands above it
  const why = value?.why && typeof value.value !== "string" && value.why.replace(new RegExp(`^part ${part.part}, .*?\\), `), "").replace(/^(brings|is worth) /, "");
  return [["fluents", count(own.fluents.length)], ["moves", each ? `${moves[0][0]} each` : moves.map((move) => move.join(" ")).join(", ") || "none"], ...(why ? [["brings", why]] : [])];
}

/** What was proved, claim by claim. */
function evidence() {
  const claims = state.decomposition?.evidence?.claims;
  if (!claims || isSum()) return null;
  const kind = (text) => (/^proved|^checked/.test(text) ? "proved" : /^tested/.test(text) ? "tested" : /^fail|^refut/.test(text) ? "refuted" : "guessed");
  return h("section.claims", h("h3", "Evidence"), h("dl", Object.entries(claims).map(([name, told]) => [h("dt", name), h("dd", chip(kind(String(told)), String(told)))])));
}

export function partsHere() {
  const node = here();
  const values = new Map((node.values?.parts ?? []).map((each) => [each.part, each]));
  const position = node.position;
  if (!position) return [];
  if (isSum()) {
    return (position.parts ?? []).map((each) => ({ part: numberOf(each), kind: "part", name: each.name, board: each.board ?? null, cells: each.cells ?? [], value: values.get(numberOf(each)) ?? null, facts: each }));
  }
  const facts = state.decomposition?.subgames ?? [];
  return facts.map((each) => {
    const told = (position.parts ?? []).find((other) => numberOf(other) === each.id);
    const board = position.boards.findIndex((one) => one.part === each.id || (one.cells.length > 0 && one.cells.every((cell) => cell.part === each.id)));
    return { part: each.kind === "independent" ? 0 : each.id, kind: kindOf(each), name: /** @type {any} */ (told)?.name || stem(each.fluents), board: board < 0 ? null : board, cells: [], value: values.get(each.id) ?? null, facts: each };
  });
}

const numberOf = (each) => each.part ?? each.number;

/** @param {any} part of a decomposition */
export const kindOf = (part) => (part.kind === "independent" ? "context" : part.useful ? "part" : "idle");

/** A name for fluents: their common symbol. */
export const stem = (fluents) => [...new Set(fluents.map((fluent) => fluent.replace(/^\(|\)$/g, "").split(/\s+/)[0]))].join(", ");

/** The part that is hottest, of those with a temperature above 0. */
export function hottest() {
  const heat = (each) => number(each.value?.temperature) || 0;
  return partsHere().filter((each) => heat(each) > 0).sort((a, b) => heat(b) - heat(a))[0] ?? null;
}

/** How sure parts are, as kind of chip and text. @returns {[string, string]} */
export function certainty(found) {
  const { status, transitions } = found.evidence ?? {};
  return status === "proved" ? [status, status] : status === "failed" ? ["refuted", "refuted"] : transitions ? ["tested", `tested ${count(transitions)}`] : ["guessed", "not verified"];
}

/** What is known of independence, in the same way. */
export function independence() {
  const found = state.decomposition;
  if (!found) return null;
  const parts = found.subgames.filter((part) => part.kind === "dependent").length;
  const [kind, text] = certainty(found);
  return [kind, `${counted(parts, "part")}, ${text}${kind === "proved" && parts > 1 ? " independent" : ""}`];
}
