// The list of parts: what each is worth, its thermograph, whether it is the hottest; lit up when one rests on it.

import { badge, button, chip, h, hue, put } from "./dom.js";
import { exportButtons } from "./pictures.js";
import { light } from "./looks.js";
import { showPicture } from "./serverpicture.js";
import { hottest, partsHere } from "./partinfo.js";
import { study, takeApart } from "./play.js";
import { state } from "./store.js";
import { showThermograph, smallThermograph } from "./thermograph.js";
import { count, number, typeset } from "./text.js";

/** @param {HTMLElement} place */
export function drawParts(place) {
  const parts = partsHere();
  const hot = hottest();
  const list = h("ul.parts", parts.map((part) => h("li", card(part, hot?.part === part.part))));
  put(place, progress(), parts.length ? list : state.decomposition ? h("p.soft", "No parts found: every square depends on every other.") : null, evidence());
}

/** Steps of the decomposition as a list, while it runs or after it broke off. */
function progress() {
  const job = state.methods.exact;
  if (!job || (job.state === "done" && !job.limit)) return null;
  if (job.state === "failed") return h("p.fault", `Method exact failed: ${job.problem?.detail ?? job.problem?.title ?? "unknown"}`);
  if (job.state === "cancelled") return h("p.soft", "Cancelled; parts of the last run shown.");
  if (job.limit) {
    const tested = job.result?.evidence?.transitions;
    return h("p.soft", tested ? `Tested on ${count(tested)} transitions, not proved in ${Math.round(job.seconds ?? 20)} s. ` : `Not done in ${Math.round(job.seconds ?? 20)} s. `, button("Go on proving", { class: "button small", onclick: () => takeApart("exact", 120) }));
  }
  const step = job.step;
  const order = ["reading", "grounding", "building", "playing", "looking for dependencies", "testing", "proving"];
  const now = step ? order.findIndex((name) => step.name.startsWith(name.slice(0, 4))) : -1;
  return h("p.soft.steps", { role: "status" }, now > 0 ? order.slice(0, now).map((name) => `${name} ✓ `).join("") : "", step ? `${step.name} ${count(step.done)}${step.of ? ` of ${count(step.of)}` : ""} …` : "reading …");
}

function card(part, hot) {
  const value = part.value;
  const lit = state.lit === part.part;
  const thermograph = value && study().game.kind === "sum" && !value.number ? smallThermograph(value) : null;
  const tag = hot ? "hottest" : value && study().game.kind === "sum" && value.number ? "a number" : part.kind === "part" ? null : part.kind === "idle" ? "idle part" : part.kind;
  const box = h("div", { class: `part ${hue(part.part)}${lit ? " lit" : ""}${state.lit !== null && !lit ? " faded" : ""}`, "data-part": part.part },
    h("div.partbody",
      h("div.parthead", h("button.lightup", { "aria-pressed": String(lit), "aria-label": `Light up ${part.part > 0 ? `part ${part.part}` : "the context"}`, onclick: () => light(part.part) }, badge(part.part)),
        h("h3", { class: part.name.startsWith("(") ? "mono" : "" }, part.name), tag ? h("span.tag", tag) : null),
      study().game.kind === "sum" || (value && typeof value.value === "string") ? h("p.partvalue", typeset(value?.value ?? "…")) : null,
      h("dl.partfacts", facts(part).flatMap(([name, told]) => [h("dt", name), h("dd", told)]))),
    thermograph ? h("button.thermobutton", { "aria-label": `Thermograph of part ${part.part}, larger`, onclick: () => value && showThermograph(value, [...exportButtons(() => document.querySelector("#thermographdialog svg"), `thermograph-${part.part}`), button("Tree of its moves", { class: "button small", onclick: () => showPicture(`Moves in part ${part.part}`, { what: "tree", part: part.part }, `tree-${part.part}`) })]) }, thermograph) : null);
  box.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") rest(part.part, true); });
  box.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") rest(part.part, false); });
  return box;
}

/** Resting on a part fades the others on the board, without redrawing the list. */
function rest(part, on) {
  for (const mark of document.querySelectorAll("#boards [data-part], #sumline [data-part]")) mark.classList.toggle("resting", on && mark.getAttribute("data-part") !== String(part));
}

const ALONE = /** @type {Record<string, string>} */ ({ N: "first wins", P: "second wins", L: "Left wins", R: "Right wins" });

function facts(part) {
  const value = part.value;
  if (study().game.kind === "sum") {
    if (!value) return [["position", part.facts.text ?? ""]];
    if (value.number) {
      const worth = number(value.value);
      const ahead = worth > 0 ? "Left is ahead" : worth < 0 ? "Right is ahead" : "nobody is ahead";
      return [["alone", [ahead, "; moving here costs ", typeset(value.cost)]]];
    }
    const stops = value.stops ?? [value.left_stop, value.right_stop];
    return /** @type {[string, any][]} */ ([["mean", value.mean], ["temperature", value.temperature], ["stops", stops?.[0] === undefined ? null : stops.join(", ")]].filter(([, told]) => told !== null && told !== undefined).map(([name, told]) => [name, typeset(told)]).concat(value.outcome ? [["alone", ALONE[value.outcome] ?? value.outcome]] : []));
  }
  const own = part.facts;
  if (part.kind === "context") return [["runs by itself", "whatever is played"]];
  const moves = Object.entries(own.moves ?? {}).map(([role, list]) => `${/** @type {any[]} */ (list).length} ${role}`);
  /** @type {[string, any][]} */
  const told = [["fluents", count(own.fluents.length)], ["moves", new Set(moves.map((each) => each.split(" ")[0])).size === 1 && moves.length > 1 ? `${moves[0].split(" ")[0]} each` : moves.join(", ") || "none"]];
  if (value?.why && typeof value.value !== "string") told.push(["brings", brief(value.why, part.part)]);
  return told;
}

/** A reason without the part's name, which stands above it. */
function brief(why, part) {
  return why.replace(new RegExp(`^part ${part}, .*?\\), `), "").replace(/^(brings|is worth) /, "");
}

/** What was proved, claim by claim. */
function evidence() {
  const claims = state.decomposition?.evidence?.claims;
  if (!claims || study().game.kind !== "rules") return null;
  const kinds = (text) => (/^proved|^checked/.test(text) ? "proved" : /^tested/.test(text) ? "tested" : /^fail|^refut/.test(text) ? "refuted" : "guessed");
  return h("section.claims", h("h3", "Evidence"), h("dl", Object.entries(claims).flatMap(([name, told]) => [h("dt", name), h("dd", chip(kinds(String(told)), String(told)))])));
}
