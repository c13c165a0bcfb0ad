// The page: its head, first game, views, address; everything else is called from here.

import { exchange, register, registered } from "./api.js";
import { buildBench } from "./bench.js";
import { copyLink, keyTable, palette } from "./commands.js";
import { $, button, h, put, s, toast } from "./dom.js";
import { openText, save } from "./files.js";
import { gamesDialog } from "./games.js";
import { buildGraph } from "./graph.js";
import { follow, ownAddress, parse, writeAddress } from "./link.js";
import { openGame } from "./play.js";
import { buildRules } from "./rules.js";
import { buildRun } from "./run.js";
import { on, show, state, switchTheme, tell } from "./store.js";
import { drawSum } from "./sum.js";

const FIRST = "double-tictactoe";
const BUILD = { bench: buildBench, graph: buildGraph, rules: buildRules, run: buildRun };

let built = "";

function drawView() {
  if (built === state.view || !state.study) return;
  built = state.view;
  document.body.dataset.view = state.view;
  BUILD[state.view]($("#main"));
}

async function begin() {
  const token = /^#t=(.+)$/.exec(location.hash)?.[1];
  if (token) { // of an address that was opened from another machine: exchanged for a cookie, taken out of the address
    await exchange(decodeURIComponent(token));
    history.replaceState(null, "", "/");
  }
  const asked = parse(location.hash);
  if (asked) state.view = asked.view;
  drawHeader($("#top"));
  try {
    if (asked?.name && (await follow(location.hash))) return;
  } catch (error) {
    toast(error.message);
  }
  const given = JSON.parse($("#first").textContent); // what the server put into the page
  if (given) registered.set(given.game.id, { source: FIRST });
  await (given ? openGame(given.game, given) : openGame(await register({ source: FIRST })));
}

on("game view theme", () => drawHeader($("#top")));
on("game node values look parts choices", () => drawSum($("#sumline")));
on("game view", drawView);
on("game view", () => writeAddress(true));
on("node look choices", () => writeAddress());
addEventListener("popstate", async () => {
  const asked = parse(location.hash);
  if (!asked || ownAddress(location.hash)) return;
  state.view = asked.view;
  await follow(location.hash).catch((error) => toast(error.message));
  tell("view");
});
addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
addEventListener("drop", async (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  await openText(await file.text(), file.name);
});

begin().then(() => tell("view"), (error) => put($("#main"), h("div.panel.trouble", h("p", error.message))));

function drawHeader(place) {
  const name = state.study ? state.study.game.shown ?? "a game of yours" : "Choose a game";
  const focus = place.contains(document.activeElement) && document.activeElement?.dataset.at;
  const tool = (at, text, onclick, more = "", label = "") => button(text, onclick, { class: `plain ${more}`, "data-at": at, "aria-label": label || null });
  put(place,
    h("span.brand", s("svg", { width: 20, height: 20, viewBox: "0 0 20 20", "aria-hidden": "true" }, [[1, 1, 18], [11, 1, 8], [11, 11, 8]].map(([x, y, height]) => s("rect", { x, y, width: 8, height }))), h("span", "ludisect")),
    h("h1", h("button.button.gamename", { "data-at": "game", "aria-haspopup": "dialog", title: name, onclick: gamesDialog }, h("span", name), "▾")),
    h("nav.views", { "aria-label": "Views" }, ["Bench", "Graph", "Rules", "Run"].map((title) => [title.toLowerCase(), title]).map(([view, title]) => h("a", { href: `#/${view}/`, "data-at": view, "aria-current": state.view === view ? "page" : null, onclick: (event) => { event.preventDefault(); show(view); } }, title))),
    h("div.tools", tool("link", "Link", copyLink, "roomy"), tool("save", "Save", save, "roomy"), tool("more", "⋯", palette, "narrow", "All commands"),
      tool("theme", document.documentElement.dataset.theme === "dark" ? "Light" : "Dark", switchTheme), tool("keys", "?", keyTable, "", "Keys")));
  document.title = state.study ? `${name} · ludisect` : "ludisect";
  if (focus) $(`[data-at="${focus}"]`, place)?.focus();
}
