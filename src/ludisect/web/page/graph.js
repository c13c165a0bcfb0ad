// The graph: one box per part, what ties parts to each other, methods side by side, variables dragged into another part.

import { get } from "./api.js";
import { $, badge, button, chip, dialog, h, hue, put, s, select, small, table } from "./dom.js";
import { arrowTip } from "./glyphs.js";
import { ended, trouble } from "./jobs.js";
import { certainty, kindOf, NONE, stem } from "./parts.js";
import { showPicture } from "./pictures.js";
import { takeApart } from "./play.js";
import { refute } from "./refutation.js";
import { on, state } from "./store.js";
import { here, isSum, study } from "./study.js";
import { counted, stepWords } from "./text.js";

const METHODS = ["exact", "playouts", "instances", "symbols"];
const MOST = 150;
const shown = { method: "exact", against: "", zoom: 1 };
/** @type {any[]} */
let edges = [];
/** @type {Map<number, Promise<string>>} what the server says of an edge */
const sentences = new Map();
/** @type {HTMLElement|null} */
let place = null;
export function buildGraph(main) {
  place = h("div.graphview");
  put(main, place);
  draw();
  fetchEdges();
}

async function fetchEdges() {
  edges = [];
  sentences.clear();
  if (isSum()) return;
  edges = await get(`/games/${study().game.id}/edges`).then((answer) => answer.edges, () => []);
  draw();
}

const wordsOf = (term) => term.replace(/^\(|\)$/g, "").split(/\s+/);

/** The variable that a fluent is a value of: its text without the last word. */
function variable(fluent) {
  const words = wordsOf(fluent);
  return words.length > 1 ? `(${words.slice(0, -1).join(" ")} *)` : fluent;
}

/** "(mark1 · ·)" of "(mark1 1 1)". */
function symbol(term) {
  const words = wordsOf(term);
  return words.length > 1 ? `(${words[0]}${" ·".repeat(words.length - 1)})` : words[0];
}

const resultOf = (method) => state.methods[method]?.result ?? (method === "exact" ? state.decomposition : null);

function draw() {
  if (!place?.isConnected) return;
  if (isSum()) return put(place, h("section.panel.view", h("p.soft", "A sum shows its parts on the bench; the graph of dependencies is for games given by rules.")));
  const pick = (label, which, names) => h("label.field", label, select(label, names, shown[which], (name) => choose(which, name)));
  const sides = [shown.method, shown.against].filter(Boolean).map(oneGraph);
  put(place, h("section.panel.view.graph", { "aria-label": "Dependencies" },
    h("div.row.graphbar", pick("method", "method", METHODS), pick("against", "against", [["", "none"], ...METHODS]), h("span.grow"),
      small("⊕", () => zoom(1.2), { "aria-label": "Larger" }), small("⊖", () => zoom(1 / 1.2), { "aria-label": "Smaller" }), small("fit", () => zoom(0)), small("Picture", () => showPicture("Dependencies", { what: "graph" }, "graph"))),
    h("p.soft", "Drag a variable into another part, or press Enter on it: the counterexample appears."), h("div", { class: `graphs${sides.length > 1 ? " two" : ""}` }, sides)), h("aside.panel.view.edges", { "aria-label": "Edges", id: "edgepanel" }, edgeTable()));
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
  if (!found) return h("div.onegraph", h("h2", method), h("p.soft", { role: "status" }, !job ? "Starting …" : ended(job) ? `Method ${method} failed: ${trouble(job)}` : `${stepWords(job.step)} …`));
  const rows = [false, true].map((context) => h("div.boxrow", found.subgames.filter((part) => (part.kind === "independent") === context).map((part) => box(part, found))));
  return h("div.onegraph", { "data-method": method }, h("h2", method, " ", chip(...certainty(found))), h("div.boxes", s("svg.ties", { "aria-hidden": "true" }), rows), !found.subgames.length && h("p.soft", NONE));
}

function gather(names, key) {
  const groups = new Map();
  for (const [name, fluents] of names) groups.set(key(name), [...(groups.get(key(name)) ?? []), ...fluents]);
  return groups;
}

function box(part, found) {
  const kind = kindOf(part);
  const number = kind === "context" ? 0 : part.id;
  const groups = gather(part.fluents.map((fluent) => [fluent, [fluent]]), variable);
  const nodes = groups.size > MOST ? gather(groups, symbol) : groups; // too many: one node per symbol
  const where = squares();
  const boards = new Set([...nodes.keys()].map((name) => where.get(name)?.board));
  const onboard = boards.size === 1 && !boards.has(undefined);
  const grid = h("div", { class: `nodes${onboard ? " onboard" : ""}` }, [...nodes].map(([name, fluents]) => node(name, fluents, part, found, onboard && where.get(name).at)));
  if (shown.zoom !== 1) grid.style.zoom = String(shown.zoom);
  const symbols = new Set(Object.values(part.moves ?? {}).flat(2).map(symbol));
  const inside = edges.filter((edge) => edge.from.part === part.id && edge.to.part === part.id).length;
  const title = kind === "context" ? `context: ${[...groups.keys()].map((name) => name.replace(/[()*]/g, "").trim()).slice(0, 4).join(", ")}` : `${stem(part.fluents)}: ${counted(groups.size, onboard ? "square" : "variable")}, ${counted(part.fluents.length, "fluent")}`;
  return h("section", { class: `box ${hue(number)}`, "data-part": number, "data-id": part.id, "aria-label": title }, h("h3", badge(number), " ", title, kind === "idle" && h("span.tag", "idle part")),
    h("div.boxbody", grid, symbols.size > 0 && h("div.movesymbols", [...symbols].slice(0, 8).map((name) => h("span.movesymbol.mono", `← ${name}`)))),
    inside > 0 && h("p.soft.inside", `${dependencies(inside)} inside, each with a witness. Rest on a variable to see its own.`), h("p.soft.told", { "aria-live": "polite" }));
}

const dependencies = (n) => counted(n, "dependency", "dependencies");

/** Where a variable stands on the boards of the position in front. */
function squares() {
  const found = new Map();
  here().position?.boards.forEach((board, i) => board.kind === "grid" && board.cells.forEach((cell) => cell.fluents.forEach((fluent) => found.set(variable(fluent), { board: i, at: cell.at }))));
  return found;
}

function node(name, fluents, part, found, at) {
  const short = name.replace(/^\(\S+\s/, "").replace(/\s?\*\)$|\)$/g, "") || name; // "1 1" of "(cell1 1 1 *)"
  const made = h("button.node", {
    "data-node": name, "data-short": short, "data-id": part.id, "data-fluents": JSON.stringify(fluents.slice(0, 50)), title: name, "aria-label": `${name}, move to another part`, "aria-haspopup": "dialog",
    onpointerenter: () => relate(made, name), onfocus: () => relate(made, name), onpointerleave: () => relate(made, null),
  }, at ? short.split(" ").slice(-2).join(" ") : name.replace(/\s?\*\)$/, ")").replace("()", ""));
  if (at) [made.style.gridRow, made.style.gridColumn] = at.map((n) => String(n + 1));
  drag(made, (target) => refute(found, fluents, part.id, target), () => menu(name, fluents, part, found));
  return made;
}

/** Shows what a variable depends on and what depends on it, with the words for the first of them. */
async function relate(made, name) {
  const is = (end, node) => String(end.part) === node.dataset.id && [node.dataset.short, node.dataset.node].includes(end.label);
  const touches = (edge, node) => is(edge.from, node) || is(edge.to, node);
  const own = name === null ? [] : edges.filter((edge) => touches(edge, made));
  for (const each of made.closest(".boxes")?.querySelectorAll(".node") ?? []) each.classList.toggle("related", each !== made && own.some((edge) => touches(edge, each)));
  const told = $(".told", made.closest(".box"));
  const head = name === null ? "" : `${name}: ${dependencies(own.length)}.`;
  told.textContent = head;
  if (!own.length) return;
  const { index } = own[0];
  if (!sentences.has(index)) sentences.set(index, get(`/games/${study().game.id}/edges/${index}`).then((edge) => edge.told, () => ""));
  const words = await sentences.get(index);
  if (told.textContent === head) told.textContent = `${head} ${words}`;
}

/** Dragging by pointer; a click without a drag opens the menu. Nothing is redrawn while a button is down. */
function drag(made, drop, click) {
  let start = /** @type {number[]|null} */ (null);
  let moved = false;
  const mark = (target) => { for (const each of document.querySelectorAll(".box")) each.classList.toggle("target", each === target); };
  const stop = (event) => {
    const target = moved && event.type === "pointerup" ? under(event, made) : null;
    start = null;
    made.style.translate = "";
    made.classList.remove("dragged");
    mark(null);
    if (target) drop(Number(target.dataset.id));
  };
  made.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    moved = false;
    made.setPointerCapture(event.pointerId);
  });
  made.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    moved ||= Math.hypot(dx, dy) > 6;
    if (!moved) return;
    made.classList.add("dragged");
    made.style.translate = `${dx / shown.zoom}px ${dy / shown.zoom}px`;
    mark(under(event, made));
  });
  made.addEventListener("pointerup", stop);
  made.addEventListener("pointercancel", stop);
  made.addEventListener("click", () => { if (!moved) click(); moved = false; });
}

function under(event, made) {
  const box = document.elementsFromPoint(event.clientX, event.clientY).filter((each) => each !== made).map((each) => each.closest(".box")).find(Boolean);
  return box !== made.closest(".box") ? box : null;
}

function menu(name, fluents, part, found) {
  const others = found.subgames.filter((each) => each.id !== part.id);
  const own = dialog("movemenu", `Move ${name} to …`, h("div.row", others.map((each) => button(kindOf(each) === "context" ? "the context" : `part ${each.id}`, () => { own.close(); refute(found, fluents, part.id, each.id); }))), !others.length && h("p.soft", "There is no other part."));
}

function joinBoxes() {
  for (const boxes of document.querySelectorAll(".boxes")) {
    const found = resultOf(boxes.parentElement?.dataset.method ?? "");
    if (!found) continue;
    const frame = boxes.getBoundingClientRect();
    const pairs = new Set(between(found).map(({ from, to, kind }) => `${from},${to},${kind}`));
    put($(".ties", boxes), s("defs", arrowTip("tiehead")), [...pairs].map((pair) => {
      const [from, to, kind] = pair.split(",");
      const [a, b] = [from, to].map((id) => $(`.box[data-id="${id}"]`, boxes)?.getBoundingClientRect());
      if (!a || !b) return null;
      const down = a.y > b.y;
      const [x, y, u, v] = [a.x + a.width / 2 - frame.x, (down ? a.y : a.bottom) - frame.y, b.x + b.width / 2 - frame.x, (down ? b.bottom : b.y) - frame.y];
      return [s("path.tie", { "marker-end": "url(#tiehead)", d: `M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}` }), s("text.tietext.mid", { x: (x + u) / 2, y: (y + v) / 2 }, kind)];
    }));
  }
}

/** What leads from part to part: edges found, stages, and the context into all. */
function between(found) {
  const ids = new Set(found.subgames.map((part) => part.id));
  const all = edges.map(({ from, to, kind }) => ({ from: from.part, to: to.part, kind, a: from.label, b: to.label })).filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to));
  const add = (from, to, kind, a) => { if (!all.some((edge) => edge.from === from && edge.to === to)) all.push({ from, to, kind, a, b: `part ${to}` }); };
  for (const part of found.subgames.filter((each) => each.kind !== "independent")) {
    for (const first of part.after ?? []) add(first, part.id, "opens", `part ${first}`);
    for (const own of found.subgames.filter((each) => each.kind === "independent")) add(own.id, part.id, "context", "context");
  }
  return all;
}

/** The same as a table. */
function edgeTable() {
  const found = resultOf(shown.method);
  if (!found) return h("p.soft", "…");
  const ties = between(found).slice(0, 200).map((tie) => [tie.a, tie.b, tie.kind]);
  const inside = edges.filter(({ from, to }) => from.part === to.part).slice(0, 150).map(({ from, to, kind }) => [`${from.part}: ${from.label}`, `${to.part}: ${to.label}`, kind]);
  const heads = ["from", "to", "kind"];
  return [h("h2", "Between parts"), h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Table of edges" }, table("Edges between parts", heads, ties.length ? ties : [["none", "", ""]]), inside.length > 0 && [h("h2", "Inside parts"), table("Edges inside parts", heads, inside)])];
}

on("parts game", draw);
