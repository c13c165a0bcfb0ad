// The page: first game, views, address, connection; everything else is called from here.

import { exchange, register, remember, watchConnection } from "./api.js";
import { buildBench } from "./bench.js";
import { byId, h, put, toast } from "./dom.js";
import { openText } from "./files.js";
import { buildGraph } from "./graph.js";
import { drawHeader, keepHeader } from "./header.js";
import { listenToKeys } from "./keys.js";
import { follow, ownAddress, parse, writeAddress } from "./link.js";
import { openGame } from "./play.js";
import { buildRules } from "./rules.js";
import { buildRun } from "./run.js";
import { on, state, tell } from "./store.js";
import { drawSum } from "./sum.js";

const FIRST = "double-tictactoe";
const BUILD = /** @type {Record<string, (main: HTMLElement) => void>} */ ({ bench: buildBench, graph: buildGraph, rules: buildRules, run: buildRun });

let built = "";

function drawView() {
  if (built === state.view) return;
  built = state.view;
  document.body.dataset.view = state.view;
  BUILD[state.view](byId("main"));
}

/** What the server put into the page. */
function first() {
  return JSON.parse(byId("first").textContent ?? "null");
}

function trouble(text) {
  put(byId("main"), h("div.panel.trouble", h("p", text)));
}

/** The token of an address that was opened from another machine, exchanged for a cookie and taken out of the address. */
async function showToken() {
  const token = /^#t=(.+)$/.exec(location.hash)?.[1];
  if (!token) return;
  await exchange(decodeURIComponent(token));
  history.replaceState(null, "", "/");
}

async function begin() {
  await showToken();
  const asked = parse(location.hash);
  if (asked) state.view = asked.view;
  drawHeader(byId("top"));
  try {
    if (asked?.name && (await follow(location.hash))) return;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
  const given = first();
  if (given?.game) {
    remember(given.game.id, { source: given.game.source ?? FIRST });
    await openGame(given.game, given);
  } else await openGame(await register({ source: FIRST }));
}

watchConnection((gone) => {
  document.querySelector(".banner")?.remove();
  if (gone) byId("notices").append(h("div.banner", { role: "alert" }, "The server is gone. Start `ludisect web` again; this page will go on by itself."));
});

keepHeader(byId("top"));
listenToKeys();
on("game node values look parts choices", () => drawSum(byId("sumline")));
on("game view", drawView);
on("game view", () => writeAddress(true));
on("node look choices", () => writeAddress());
addEventListener("popstate", async () => {
  if (ownAddress(location.hash)) return;
  const asked = parse(location.hash);
  if (!asked) return;
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

begin().then(() => tell("view"), (error) => trouble(error.message));
