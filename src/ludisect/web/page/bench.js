// The bench: board, answer, parts, tree, why, transport and chart.

import { drawAnswer, drawWhy } from "./answer.js";
import { drawBoards, rememberFocus } from "./board.js";
import { drawChart } from "./chart.js";
import { $, button, h, isProjector, put, s, select, tabs } from "./dom.js";
import { engineDialog } from "./engines.js";
import { drawParts } from "./parts.js";
import { bestMoves, engineReply, goTo, playBest, switchPlayer } from "./play.js";
import { choices, on, showTab, state, tell, toggle } from "./store.js";
import { here, isSum, line, ply, study } from "./study.js";
import { roleName } from "./text.js";
import { drawTree } from "./treeview.js";

const TABS = /** @type {Tab[]} */ ([["parts", "Parts", drawParts], ["tree", "Tree of moves", drawTree], ["why", "Why", drawWhy]]);

/** @type {Record<string, HTMLElement>} */
const places = {};
export function buildBench(main) {
  for (const name of ["head", "boards", "transport", "chart", "answer", "tabs", "panel"]) places[name] = h(`div.${name}`, { id: name });
  places.boards.setAttribute("role", "group");
  places.answer.setAttribute("aria-live", "polite");
  rememberFocus(places.boards);
  places.boards.addEventListener("mousedown", (event) => event.preventDefault()); // a click does not take the focus: arrows go on walking the line
  put(main, h("div.bench",
    h("section.panel.stage", { "aria-label": "Board" }, places.head, places.boards, places.transport, places.chart),
    h("section.panel.side", { "aria-label": "Answer and parts" }, places.answer, places.tabs, places.panel)));
  drawBoard();
  drawPanels();
}

const shown = () => state.view === "bench" && state.study && places.boards?.isConnected;

/** The board at once, everything else in the next frame. */
function drawBoard() {
  if (shown()) drawBoards(places.boards);
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
  const active = here().position?.to ?? [];
  const { roles } = study().game;
  const swatch = (role) => isSum() && h("i", { class: `swatch ${role === roles[0] ? "first" : "second"}`, "aria-hidden": "true" }); // the shape of a player's pieces
  const check = (name) => h("label.check", h("input", { type: "checkbox", checked: choices[name], onchange: () => toggle(name) }), name);
  put(places.head, h("div.segments", { role: "group", "aria-label": isSum() ? "Who is to play" : "To move" }, roles.map((role) => h("button", { "aria-pressed": String(active.includes(role)), onclick: () => switchPlayer(role) }, swatch(role), roleName(role)))), h("span.grow"),
    !isSum() && roles.length > 1 && h("label.field.valuesfor", "values for", select("values for", [["", "who is to move"], ...roles], state.valuesFor ?? "", (role) => { state.valuesFor = role || null; tell("look"); }, { class: "small" })), check("parts"), check("values"));
}

function drawTransport() {
  const way = line();
  const place = way.indexOf(here());
  const over = here().position?.terminal;
  const engines = Object.values(state.seats).some(Boolean);
  const step = (d, label, to) => h("button.button.step", { "aria-label": label, disabled: !way[to] || to === place, onclick: () => goTo(way[to]) }, s("svg", { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("path", { d })));
  put(places.transport, step("M-6-6h2.5V6h-2.5zM7-6V6L-3 0z", "First position", 0), step("M5-6V6L-6 0z", "Back", place - 1), step("M-5-6V6L6 0z", "Forward", place + 1), step("M6-6h-2.5V6h2.5zM-7-6V6L3 0z", "Last position", way.length - 1),
    h("span.soft.plies", `move ${ply()} of ${ply(way[way.length - 1].id)}`), h("span.grow"),
    h("button.button.primary.best", { disabled: over || !bestMoves().length, onclick: playBest }, h("span.long", "Play the best move"), h("span.short", "best move")),
    h("span.joined", h("button.button.engine", { disabled: over, onclick: engineReply }, "Let the engine reply ", h("span.soft.small", `${choices.clock} s`)),
      button("▾", engineDialog, { class: "button engines", "aria-label": engines ? "Engines, on" : "Engines", "aria-pressed": String(engines), "aria-haspopup": "dialog" })));
}

function drawTabs() {
  places.tabs.hidden = isProjector();
  if (isProjector()) {
    places.panel.removeAttribute("role");
    return put(places.panel, TABS.map(([name, title, draw]) => {
      const place = h("div.sectionbody");
      draw(place);
      return h("section.opensection", { "data-tab": name, "aria-label": title }, name !== "parts" && h("h2", title), place);
    }));
  }
  const [tab, , draw] = TABS.find(([name]) => name === state.tab) ?? TABS[0];
  const focus = places.tabs.contains(document.activeElement);
  const fresh = tabs("What is shown", TABS, tab, showTab, "panel");
  fresh.id = "tabs";
  places.tabs.replaceWith(fresh);
  places.tabs = fresh;
  if (focus) $("[aria-selected=true]", fresh).focus();
  for (const [name, value] of [["role", "tabpanel"], ["aria-labelledby", `tab-${tab}`]]) places.panel.setAttribute(name, value);
  draw(places.panel);
}

on("node look choices values game parts size", drawBoard, true);
on("node look choices values game parts size", drawPanels);
new ResizeObserver(() => requestAnimationFrame(() => tell("size"))).observe(document.documentElement);
