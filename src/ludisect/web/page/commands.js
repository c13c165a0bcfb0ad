// Every command of the page: its key, its words, what it does; for the keyboard, the table of keys and the palette.

import { boardPicture, walk } from "./bench.js";
import { button, dialog, h, say, toast } from "./dom.js";
import { openFile, save } from "./files.js";
import { gamesDialog } from "./games.js";
import { address, TOO_LONG } from "./link.js";
import { light, switchTheme, toggle } from "./looks.js";
import { choosable, playText } from "./pick.js";
import { savePng, saveSvg } from "./pictures.js";
import { engineReply, goTo, playBest, showBest, spoken, study, switchPlayer, toggleEngine } from "./play.js";
import { choices } from "./store.js";
import { at, line, sibling, sideStart, tidy } from "./study.js";
import { move, removeHere, undo } from "./treeview.js";
import { engineDialog } from "./engines.js";

/** @typedef {{keys: string[], words: string, run: () => any}} Command */

function aside(by) {
  const other = sibling(study(), by);
  if (other) goTo(other);
}

function toSideStart() {
  const start = sideStart(study(), study().current);
  if (start && start.parent !== null) goTo(at(study(), start.parent));
}

function typeMove() {
  const list = h("datalist", { id: "legalmoves" }, choosable().map((each) => h("option", { value: tidy(each.move) })));
  const field = h("input", { type: "text", class: "wide mono", list: "legalmoves", "aria-label": "Move", autocomplete: "off" });
  const form = h("form.row", { onsubmit: (event) => { event.preventDefault(); box.close(); if (field.value) playText(field.value); } }, field, list, h("button.button.primary", { type: "submit" }, "Play"));
  const box = dialog("Type a move", [form], { id: "movedialog" });
  field.focus();
}

export async function copyLink() {
  const end = await address();
  if (end === null) return toast(TOO_LONG);
  const whole = `${location.origin}/${end}`;
  try {
    await navigator.clipboard.writeText(whole);
    toast("Link copied.");
  } catch {
    dialog("Link", [h("p.mono", whole)]);
  }
}

function picture(how) {
  const found = boardPicture();
  if (found) how(found, "board");
}

/** @type {Command[]} */
export const COMMANDS = [
  { keys: ["ArrowLeft", ","], words: "back", run: () => walk(-1) },
  { keys: ["ArrowRight", "."], words: "forward", run: () => walk(1) },
  { keys: ["Home"], words: "first position of the line", run: () => goTo(at(study(), 0)) },
  { keys: ["End"], words: "last position of the line", run: () => goTo(line(study())[line(study()).length - 1]) },
  { keys: ["ArrowUp"], words: "other move at this place, before", run: () => aside(-1) },
  { keys: ["ArrowDown"], words: "other move at this place, after", run: () => aside(1) },
  { keys: ["PageUp"], words: "back to where this side line began", run: toSideStart },
  { keys: ["Shift+ArrowUp"], words: "promote the side line", run: () => move(-1) },
  { keys: ["Shift+ArrowDown"], words: "demote the side line", run: () => move(1) },
  { keys: ["Delete"], words: "remove the side line", run: removeHere },
  { keys: ["Ctrl+z"], words: "undo", run: undo },
  { keys: ["b"], words: "play the best move", run: playBest },
  { keys: ["h"], words: "show the best move without playing", run: showBest },
  { keys: ["e"], words: "engine replies on or off", run: toggleEngine },
  { keys: [], words: "let the engine reply once", run: engineReply },
  { keys: [], words: "engines, seats and clock", run: engineDialog },
  { keys: ["t"], words: "switch who is to play", run: () => switchPlayer(undefined) },
  { keys: ["v"], words: "values on the board", run: () => toggle("values") },
  { keys: ["p"], words: "colours of the parts", run: () => toggle("parts") },
  { keys: ["c"], words: "coordinates", run: () => toggle("coordinates") },
  { keys: ["d"], words: "light or dark", run: switchTheme },
  { keys: ["g"], words: "games", run: () => gamesDialog() },
  { keys: ["m"], words: "type a move", run: typeMove },
  { keys: ["s"], words: "say the state", run: () => { say(""); requestAnimationFrame(() => say(spoken())); toast(spoken()); } },
  { keys: ["y"], words: "copy link", run: copyLink },
  { keys: ["Ctrl+s"], words: "save the study", run: save },
  { keys: ["Ctrl+o"], words: "open a study or a sheet", run: openFile },
  { keys: [], words: "save the board as SVG", run: () => picture(saveSvg) },
  { keys: [], words: "save the board as PNG", run: () => picture(savePng) },
  { keys: [], words: "single-letter keys on or off", run: () => toggle("letters") },
  ...Array.from({ length: 8 }, (_, i) => ({ keys: [String(i + 1)], words: `light up part ${i + 1}`, run: () => light(i + 1) })),
  { keys: ["?"], words: "this table", run: keyTable },
  { keys: ["Ctrl+k"], words: "all commands", run: palette },
];

function keyName(key) {
  const names = /** @type {Record<string, string>} */ ({ ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", PageUp: "PgUp", Delete: "Del" });
  return h("kbd", key.split("+").map((piece) => names[piece] ?? piece).join(" "));
}

export function keyTable() {
  const rows = COMMANDS.filter((each) => each.keys.length && !/part [2-8]$/.test(each.words)).map((each) => h("tr", h("td", each.keys.flatMap((key, i) => [i ? " " : null, keyName(each.words === "light up part 1" ? "1-8" : key)])), h("td", each.words === "light up part 1" ? "light up that part, again to clear" : each.words)));
  const fixed = [["Enter", "play the move under focus; again to drop"], ["Esc", "take the selection back, close, cancel the job in front"], ["Shift ←→↑↓", "on the board: from square to square; without Shift between legal moves"]];
  dialog("Keys", [h("div.keytable", h("table.facts", h("caption.unseen", "Keys"), h("thead", h("tr", h("th", { scope: "col" }, "key"), h("th", { scope: "col" }, "does"))), h("tbody", rows, fixed.map(([key, words]) => h("tr", h("td", keyName(key)), h("td", words)))))),
    h("label.check", h("input", { type: "checkbox", checked: choices.letters, onchange: () => toggle("letters") }), "single-letter keys")], { id: "keysdialog" });
}

/** All commands, found by typing. */
export function palette() {
  const list = h("ul.palette", { role: "listbox", "aria-label": "Commands", id: "palettelist" });
  const field = h("input", { type: "search", class: "wide", role: "combobox", "aria-expanded": "true", "aria-controls": "palettelist", "aria-label": "Command", placeholder: "Type to find a command" });
  let chosen = 0;
  /** @type {Command[]} */
  let found = [];
  const show = () => {
    found = COMMANDS.filter((each) => each.words.includes(field.value.toLowerCase().trim())).slice(0, 14);
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    list.replaceChildren(...found.map((each, i) => h("li", { role: "option", id: `option-${i}`, "aria-selected": String(i === chosen), onclick: () => pick(each) }, h("span.grow", each.words), each.keys.map(keyName))));
    field.setAttribute("aria-activedescendant", `option-${chosen}`);
  };
  const pick = (each) => {
    box.close();
    each.run();
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") chosen += 1;
    else if (event.key === "ArrowUp") chosen -= 1;
    else if (event.key === "Enter" && found[chosen]) return pick(found[chosen]);
    else return;
    event.preventDefault();
    show();
  });
  const box = dialog("Commands", [field, list, button("Close", { class: "unseen", tabindex: "-1", onclick: () => box.close() })], { id: "palettedialog" });
  show();
  field.focus();
}

