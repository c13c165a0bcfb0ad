// The graph: one box per part with its variables at their places, what ties parts to each other, methods side by side, variables dragged into another part.

import { get } from "./api.js";
import { badge, button, chip, dialog, h, hue, put, s } from "./dom.js";
import { ended } from "./jobs.js";
import { kindOf, stem } from "./partinfo.js";
import { study, takeApart } from "./play.js";
import { showPicture } from "./serverpicture.js";
import { refute } from "./refutation.js";
import { on, state } from "./store.js";
import { here } from "./study.js";
import { count, counted } from "./text.js";

const METHODS = ["exact", "playouts", "instances", "symbols"];
const MOST = 150;
const shown = { method: "exact", against: "", zoom: 1 };
/** @type {any[]} */
let edges = [];
/** @type {Map<number, string>} what the server says of an edge */
const sentences = new Map();
/** @type {HTMLElement|null} */
let place = null;
/** Nothing is redrawn under the hand of who drags. */
let dragging = false;

/** @param {HTMLElement} main */
export function buildGraph(main) {
  place = h("div.graphview");
  put(main, place);
  draw();
  fetchEdges();
}

async function fetchEdges() {
  edges = [];
  sentences.clear();
  if (study().game.kind !== "rules") return;
  edges = await get(`/games/${study().game.id}/edges`).then((answer) => answer.edges, () => []);
  draw();
}

/** The variable that a fluent is a value of: its text without the last word. @param {string} fluent */
export function variable(fluent) {
  const words = fluent.replace(/^\(|\)$/g, "").split(/\s+/);
  return words.length > 2 ? `(${words.slice(0, -1).join(" ")} *)` : words.length === 2 ? `(${words[0]} *)` : fluent;
}

/** What a method found, if it is there. */
function resultOf(method) {
  return state.methods[method]?.result ?? (method === "exact" ? state.decomposition : null);
}

function draw() {
  if (!place?.isConnected || state.view !== "graph" || dragging) return;
  if (study().game.kind !== "rules") return put(place, h("section.panel.view", h("p.soft", "A sum shows its parts on the bench; the graph of dependencies is for games given by rules.")));
  const pick = (label, value, more, use) => h("label.field", label, h("select", { onchange: (event) => use(event.target.value) }, more, METHODS.map((name) => h("option", { value: name, selected: value === name }, name))));
  const bar = h("div.row.graphbar",
    pick("method", shown.method, null, (name) => choose("method", name)), pick("against", shown.against, h("option", { value: "" }, "none"), (name) => choose("against", name)), h("span.grow"),
    button("⊕", { class: "button small", "aria-label": "Larger", onclick: () => zoom(1.2) }), button("⊖", { class: "button small", "aria-label": "Smaller", onclick: () => zoom(1 / 1.2) }), button("fit", { class: "button small", onclick: () => zoom(0) }), button("Picture", { class: "button small", onclick: () => showPicture("Dependencies", { what: "graph" }, "graph") }));
  const sides = [shown.method, shown.against].filter(Boolean).map((method) => oneGraph(method));
  put(place, h("section.panel.view.graph", { "aria-label": "Dependencies" }, bar, h("p.soft", "Drag a variable into another part, or press Enter on it: the counterexample appears."), h("div", { class: `graphs${sides.length > 1 ? " two" : ""}` }, sides)), h("aside.panel.view.edges", { "aria-label": "Edges", id: "edgepanel" }, edgeTable()));
  requestAnimationFrame(joinBoxes);
}

async function choose(which, name) {
  shown[which] = name;
  draw();
  if (name && !resultOf(name)) await takeApart(name);
  await fetchEdges();
}

function zoom(by) {
  shown.zoom = by ? Math.max(0.6, Math.min(2, shown.zoom * by)) : 1;
  draw();
}

function oneGraph(method) {
  const found = resultOf(method);
  const job = state.methods[method];
  if (!found) return h("div.onegraph", h("h2", method), h("p.soft", { role: "status" }, !job ? "Starting …" : ended(job) ? `Method ${method} failed: ${job.problem?.detail ?? job.problem?.title ?? job.state}` : `${job.step?.name ?? "reading"} ${job.step ? count(job.step.done) : ""} …`));
  const status = found.evidence?.status;
  const sure = status === "proved" ? ["proved", "proved"] : status === "failed" ? ["refuted", "refuted"] : ["tested", `tested ${count(found.evidence?.transitions ?? 0)}`];
  return h("div.onegraph", { "data-method": method }, h("h2", method, " ", chip(sure[0], sure[1])), h("div.boxes", s("svg.ties", { "aria-hidden": "true" }), [false, true].map((context) => h("div.boxrow", found.subgames.filter((part) => (part.kind === "independent") === context).map((part) => box(part, found))))), found.subgames.length ? null : h("p.soft", "No parts found: every square depends on every other."));
}

function box(part, found) {
  const kind = kindOf(part);
  const number = kind === "context" ? 0 : part.id;
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const fluent of part.fluents) groups.set(variable(fluent), [...(groups.get(variable(fluent)) ?? []), fluent]);
  const lumped = groups.size > MOST ? lump(groups) : groups;
  const where = squares();
  const placed = [...lumped.keys()].filter((name) => where.has(name));
  const single = new Set(placed.map((name) => where.get(name)?.board)).size === 1;
  const grid = h("div", { class: `nodes${single && placed.length === lumped.size ? " onboard" : ""}` }, [...lumped].map(([name, fluents]) => node(name, fluents, part, found, single && placed.length === lumped.size ? where.get(name)?.at ?? null : null)));
  if (shown.zoom !== 1) grid.style.zoom = String(shown.zoom);
  const symbols = new Map();
  for (const list of Object.values(part.moves ?? {})) for (const own of /** @type {any[]} */ (list)) for (const move of own) symbols.set(symbol(move), (symbols.get(symbol(move)) ?? 0) + 1);
  const inside = edges.filter((edge) => partOf(edge.from, found) === part.id && partOf(edge.to, found) === part.id).length;
  const title = kind === "context" ? `context: ${[...groups.keys()].map((name) => name.replace(/[()*]/g, "").trim()).slice(0, 4).join(", ")}` : `${stem(part.fluents)}: ${counted(groups.size, placed.length === groups.size ? "square" : "variable")}, ${counted(part.fluents.length, "fluent")}`;
  return h("section", { class: `box ${hue(number)}`, "data-part": number, "data-id": part.id, "aria-label": title }, h("h3", badge(number), " ", title, kind === "idle" ? h("span.tag", "idle part") : null),
    h("div.boxbody", grid, symbols.size ? h("div.movesymbols", [...symbols.keys()].slice(0, 8).map((name) => h("span.movesymbol.mono", `← ${name}`))) : null),
    inside ? h("p.soft.inside", `${counted(inside, "dependency", "dependencies")} inside, each with a witness. Rest on a variable to see its own.`) : null, h("p.soft.told", { "aria-live": "polite" }));
}

/** "(mark1 · ·)" of "(mark1 1 1)". */
function symbol(term) {
  const words = term.replace(/^\(|\)$/g, "").split(/\s+/);
  return words.length > 1 ? `(${words[0]}${" ·".repeat(words.length - 1)})` : words[0];
}

/** Where a variable stands on the boards of the position in front. */
function squares() {
  const found = new Map();
  here(study()).position?.boards.forEach((board, i) => board.kind === "grid" && board.cells.forEach((cell) => cell.fluents.forEach((fluent) => found.set(variable(fluent), { board: i, at: cell.at }))));
  return found;
}

/** Too many: one node per symbol. */
function lump(groups) {
  const made = new Map();
  for (const [name, fluents] of groups) made.set(symbol(name), [...(made.get(symbol(name)) ?? []), ...fluents]);
  return made;
}

/** The part that a node of an edge belongs to, in a result that is not the one the edges were found for. */
function partOf(end, found) {
  return found.subgames.some((part) => part.id === end.part) ? end.part : null;
}

/** A variable without its symbol: "1 1" of "(cell1 1 1 *)". */
function shortName(name) {
  return name.replace(/^\(\S+\s/, "").replace(/\s?\*\)$|\)$/g, "") || name;
}

function node(name, fluents, part, found, at) {
  const short = shortName(name);
  const made = h("button.node", { "data-node": name, "data-short": short, "data-id": part.id, "data-fluents": JSON.stringify(fluents.slice(0, 50)), title: name, "aria-label": `${name}, move to another part`, "aria-haspopup": "dialog" }, at ? short.split(" ").slice(-2).join(" ") : name.replace(/\s?\*\)$/, ")").replace("()", ""));
  if (at) {
    made.style.gridRow = String(at[0] + 1);
    made.style.gridColumn = String(at[1] + 1);
  }
  made.addEventListener("pointerenter", () => relate(made, name));
  made.addEventListener("focus", () => relate(made, name));
  made.addEventListener("pointerleave", () => relate(made, null));
  drag(made, (target) => refute(found, fluents, part.id, target), () => menu(name, fluents, part, found));
  return made;
}

/** Shows what a variable depends on and what depends on it, with the words for the first of them. */
async function relate(made, name) {
  const is = (end, node) => String(end.part) === node.dataset.id && (end.label === node.dataset.short || end.label === node.dataset.node);
  const own = name === null ? [] : edges.filter((edge) => is(edge.from, made) || is(edge.to, made));
  for (const each of made.closest(".boxes")?.querySelectorAll(".node") ?? []) each.classList.toggle("related", each !== made && own.some((edge) => is(edge.from, each) || is(edge.to, each)));
  const told = made.closest(".box")?.querySelector(".told");
  if (!told) return;
  told.textContent = name === null ? "" : `${name}: ${counted(own.length, "dependency", "dependencies")}.`;
  if (!own.length) return;
  const words = await (sentences.get(own[0].index) ?? get(`/games/${study().game.id}/edges/${own[0].index}`).then((edge) => edge.told, () => ""));
  sentences.set(own[0].index, words);
  if (told.textContent) told.textContent = `${name}: ${counted(own.length, "dependency", "dependencies")}. ${words}`;
}

/** Dragging by pointer; a click without a drag opens the menu. */
function drag(made, drop, click) {
  let start = /** @type {number[]|null} */ (null);
  let moved = false;
  made.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    dragging = true;
    moved = false;
    made.setPointerCapture(event.pointerId);
  });
  made.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    if (Math.hypot(dx, dy) > 6) moved = true;
    if (!moved) return;
    made.classList.add("dragged");
    made.style.translate = `${dx / shown.zoom}px ${dy / shown.zoom}px`;
    for (const each of document.querySelectorAll(".box")) each.classList.toggle("target", each === under(event, made));
  });
  const stop = (event) => {
    const target = moved ? under(event, made) : null;
    start = null;
    dragging = false;
    made.style.translate = "";
    made.classList.remove("dragged");
    for (const each of document.querySelectorAll(".box")) each.classList.remove("target");
    if (target) drop(Number(target.getAttribute("data-id")));
  };
  made.addEventListener("pointerup", stop);
  made.addEventListener("pointercancel", () => { moved = false; stop(new Event("cancel")); });
  made.addEventListener("click", () => { if (!moved) click(); moved = false; });
}

/** The box of another part under the pointer. */
function under(event, made) {
  const box = document.elementsFromPoint(event.clientX, event.clientY).filter((each) => each !== made).map((each) => each.closest(".box")).find(Boolean);
  return box && box !== made.closest(".box") ? box : null;
}

function menu(name, fluents, part, found) {
  const others = found.subgames.filter((each) => each.id !== part.id);
  const own = dialog(`Move ${name} to …`, [h("div.row", others.map((each) => button(kindOf(each) === "context" ? "the context" : `part ${each.id}`, { class: "button", onclick: () => { own.close(); refute(found, fluents, part.id, each.id); } }))), others.length ? null : h("p.soft", "There is no other part.")], { id: "movemenu" });
}

/** Edges between boxes, thick. */
function joinBoxes() {
  for (const boxes of document.querySelectorAll(".boxes")) {
    const svg = boxes.querySelector(".ties");
    const found = resultOf(boxes.parentElement?.dataset.method ?? "");
    if (!svg || !found) continue;
    const frame = boxes.getBoundingClientRect();
    const pairs = new Set(between(found).map(({ from, to }) => `${from},${to}`));
    const middle = (id) => boxes.querySelector(`.box[data-id="${id}"]`)?.getBoundingClientRect();
    put(svg, s("defs", s("marker", { id: "tiehead", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, s("path.arrowhead", { d: "M0 0L8 4L0 8z" }))), [...pairs].map((pair) => {
      const [a, b] = pair.split(",").map(middle);
      if (!a || !b) return null;
      const down = a.y > b.y;
      const [x, y, u, v] = [a.x + a.width / 2 - frame.x, (down ? a.y : a.y + a.height) - frame.y, b.x + b.width / 2 - frame.x, (down ? b.y + b.height : b.y) - frame.y];
      return s("path.tie", { "marker-end": "url(#tiehead)", d: `M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}` });
    }));
  }
}

/** What leads from part to part: edges found, stages, and the context into all. */
function between(found) {
  const all = edges.map((edge) => ({ from: partOf(edge.from, found), to: partOf(edge.to, found), kind: edge.kind, evidence: edge.evidence, a: edge.from.label, b: edge.to.label })).filter((edge) => edge.from !== null && edge.to !== null && edge.from !== edge.to);
  const context = found.subgames.filter((part) => part.kind === "independent");
  const rest = found.subgames.filter((part) => part.kind !== "independent");
  const known = new Set(all.map((edge) => `${edge.from},${edge.to}`));
  for (const part of rest) {
    for (const before of part.after ?? []) if (!known.has(`${before},${part.id}`)) all.push({ from: before, to: part.id, kind: "opens", evidence: "stage", a: `part ${before}`, b: `part ${part.id}` });
    for (const own of context) if (!known.has(`${own.id},${part.id}`)) all.push({ from: own.id, to: part.id, kind: "context", evidence: found.evidence?.claims?.context ?? "", a: "context", b: `part ${part.id}` });
  }
  return all;
}

/** The same as a table. */
function edgeTable() {
  const found = resultOf(shown.method);
  if (!found) return h("p.soft", "…");
  const ties = between(found);
  const cells = (/** @type {any[]} */ words) => h("tr", words.map((word) => h("td", word)));
  return [h("h2", "Between parts"), h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Table of edges" }, h("table.facts", h("caption.unseen", "Edges between parts"), h("thead", h("tr", ["from", "to", "kind"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", ties.slice(0, 200).map((tie) => cells([tie.a, tie.b, tie.kind])), ties.length ? null : cells(["none", "", ""]))),
    edges.length ? [h("h2", "Inside parts"), h("table.facts", h("caption.unseen", "Edges inside parts"), h("thead", h("tr", ["from", "to", "kind"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", edges.filter((edge) => partOf(edge.from, found) === partOf(edge.to, found)).slice(0, 150).map((edge) => cells([`${edge.from.part}: ${edge.from.label}`, `${edge.to.part}: ${edge.to.label}`, edge.kind]))))] : null)];
}

on("parts game", draw);
