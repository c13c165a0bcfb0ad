// The bench: board, answer, parts, tree, why, transport and chart.

import { drawAnswer } from "./answer.js";
import { drawBoards, rememberFocus } from "./board.js";
import { drawChart } from "./chart.js";
import { button, h, isProjector, put, s } from "./dom.js";
import { engineDialog } from "./engines.js";
import { showTab, toggle } from "./looks.js";
import { drawParts } from "./parts.js";
import { bestMoves, engineReply, goTo, playBest, study, switchPlayer } from "./play.js";
import { choices, on, state, tell } from "./store.js";
import { at, here, line, ply } from "./study.js";
import { roleName } from "./text.js";
import { drawTree } from "./treeview.js";
import { drawWhy } from "./why.js";

const TABS = /** @type {[string, string, (place: HTMLElement) => void][]} */ ([["parts", "Parts", drawParts], ["tree", "Tree of moves", drawTree], ["why", "Why", drawWhy]]);

/** @type {Record<string, HTMLElement>} */
const places = {};

/** @param {HTMLElement} main */
export function buildBench(main) {
  for (const name of ["head", "boards", "transport", "chart", "answer", "tabs", "panel", "pictures"]) places[name] = h("div", { class: name, id: name });
  places.boards.setAttribute("role", "group");
  places.answer.setAttribute("aria-live", "polite");
  rememberFocus(places.boards);
  // a click does not take the focus: arrows go on walking the line
  /** @type {HTMLElement | null} */
  let pressed = null;
  const keyed = (/** @type {Event} */ event) => /** @type {any} */ (event.target).closest("[data-key]");
  places.boards.addEventListener("mousedown", (event) => {
    event.preventDefault();
    pressed = keyed(event);
  });
  places.boards.addEventListener("mouseup", (event) => {
    const now = keyed(event);
    // values may draw the board anew between press and release: the browser then makes no click of them
    if (pressed && !pressed.isConnected && now?.dataset.key === pressed.dataset.key) now.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    pressed = null;
  });
  put(main, h("div.bench",
    h("section.panel.stage", { "aria-label": "Board" }, places.head, places.boards, places.transport, places.chart),
    h("section.panel.side", { "aria-label": "Answer and parts" }, places.answer, places.tabs, places.panel)));
  drawAll();
}

/** Whether the bench is what is shown. */
function shown() {
  return state.view === "bench" && state.study && places.boards?.isConnected;
}

/** The board at once, everything else in the next frame. */
function drawBoard() {
  if (shown()) drawBoards(places.boards);
}

function drawAll() {
  if (!shown()) return;
  drawBoards(places.boards);
  drawPanels();
}

function drawPanels() {
  if (!shown()) return;
  drawHead();
  drawTransport();
  drawChart(places.chart);
  drawAnswer(places.answer);
  drawTabs();
}

function drawHead() {
  const position = here(study()).position;
  const game = study().game;
  const sum = game.kind === "sum";
  const active = position?.to ?? [];
  const seats = h("div.segments", { role: "group", "aria-label": sum ? "Who is to play" : "To move" }, game.roles.map((role) => h("button", { "aria-pressed": String(active.includes(role)), onclick: () => switchPlayer(role) }, sum ? swatch(role === game.roles[0]) : null, roleName(role))));
  const check = (name) => h("label.check", h("input", { type: "checkbox", checked: choices[name], onchange: () => toggle(name) }), name);
  const forWhom = !sum && game.roles.length > 1 ? h("label.field.valuesfor", "values for", h("select.small", { onchange: (event) => { state.valuesFor = event.target.value || null; tell("look"); } },
    h("option", { value: "", selected: !state.valuesFor }, "who is to move"), game.roles.map((role) => h("option", { value: role, selected: state.valuesFor === role }, role)))) : null;
  put(places.head, seats, h("span.grow"), forWhom, check("parts"), check("values"));
}

/** The shape of a player's pieces. */
function swatch(first) {
  return h("i", { class: `swatch ${first ? "first" : "second"}`, "aria-hidden": "true" });
}

function drawTransport() {
  const game = study();
  const way = line(game);
  const place = way.findIndex((node) => node.id === game.current);
  const last = ply(game, way[way.length - 1].id);
  const over = here(game).position?.terminal;
  const step = (sign, label, to) => h("button.button.step", { "aria-label": label, disabled: to < 0 || to >= way.length || to === place, onclick: () => goTo(way[to]) },
    s("svg", { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("path", { d: sign })));
  const engines = Object.values(state.seats).some(Boolean);
  put(places.transport, step("M-6-6h2.5V6h-2.5zM7-6V6L-3 0z", "First position", 0), step("M5-6V6L-6 0z", "Back", place - 1), step("M-5-6V6L6 0z", "Forward", place + 1), step("M6-6h-2.5V6h2.5zM-7-6V6L3 0z", "Last position", way.length - 1),
    h("span.soft.plies", `move ${ply(game)} of ${last}`), h("span.grow"),
    h("button.button.primary.best", { disabled: over || !bestMoves().length, onclick: playBest }, h("span.long", "Play the best move"), h("span.short", "best move")),
    h("span.joined", h("button.button.engine", { disabled: over, onclick: engineReply }, "Let the engine reply ", h("span.soft.small", `${choices.clock} s`)),
      button("▾", { class: "button engines", "aria-label": engines ? "Engines, on" : "Engines", "aria-pressed": String(engines), "aria-haspopup": "dialog", onclick: engineDialog })));
}

function drawTabs() {
  const all = isProjector();
  const tab = TABS.some(([name]) => name === state.tab) ? state.tab : "parts";
  if (all) {
    put(places.tabs);
    places.tabs.hidden = true;
    const sections = TABS.map(([name, title, draw]) => {
      const place = h("div.sectionbody");
      draw(place);
      return h("section.opensection", { "data-tab": name, "aria-label": title }, name === "parts" ? null : h("h2", title), place);
    });
    places.panel.removeAttribute("role");
    return put(places.panel, sections);
  }
  places.tabs.hidden = false;
  places.tabs.className = "tabs";
  places.tabs.setAttribute("role", "tablist");
  const focus = places.tabs.contains(document.activeElement);
  put(places.tabs, TABS.map(([name, title]) => h("button", { role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": String(tab === name), tabindex: tab === name ? "0" : "-1", onclick: () => showTab(name), onkeydown: tabKey }, title)));
  if (focus) /** @type {HTMLElement|null} */ (places.tabs.querySelector("[aria-selected=true]"))?.focus();
  places.panel.setAttribute("role", "tabpanel");
  places.panel.setAttribute("aria-labelledby", `tab-${tab}`);
  TABS.find(([name]) => name === tab)?.[2](places.panel);
}

function tabKey(event) {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const names = TABS.map(([name]) => name);
  showTab(names[(names.indexOf(state.tab) + by + names.length) % names.length]);
}

/** The picture of the first board, for the palette. */
export function boardPicture() {
  return places.boards?.querySelector("svg") ?? null;
}

/** @param {number} by plies along the line */
export function walk(by) {
  const way = line(study());
  const found = way[way.findIndex((node) => node.id === study().current) + by];
  if (found) goTo(at(study(), found.id));
}

on("node look choices values game parts", drawBoard, true);
on("node look choices values game parts", drawPanels);
new ResizeObserver(() => requestAnimationFrame(drawAll)).observe(document.documentElement);
