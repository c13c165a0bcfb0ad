// Every command of the page: its key, its words, what it does; the keyboard, the table of keys and the palette.

import { boardKey } from "./board.js";
import { $, dialog, h, say, table, toast } from "./dom.js";
import { engineDialog } from "./engines.js";
import { openFile, save } from "./files.js";
import { gamesDialog } from "./games.js";
import { address } from "./link.js";
import { choosable, playText, unselect } from "./pick.js";
import { savePng, saveSvg } from "./pictures.js";
import { engineReply, goTo, playBest, showBest, spoken, stopValues, switchPlayer, toggleEngine, walk, working } from "./play.js";
import { choices, light, state, switchTheme, toggle } from "./store.js";
import { at, before, line, sibling, sideStart, tidy } from "./study.js";
import { move, removeHere, undo } from "./treeview.js";

const goIf = (/** @type {Knot|null|undefined} */ node) => { if (node) goTo(node); };

function toSideStart() {
  const start = sideStart();
  goIf(start && before(start));
}

function typeMove() {
  const field = h("input.wide.mono", { type: "text", list: "legalmoves", "aria-label": "Move", autocomplete: "off" });
  const box = dialog("movedialog", "Type a move", h("form.row", { onsubmit: (event) => { event.preventDefault(); box.close(); if (field.value) playText(field.value); } },
    field, h("datalist", { id: "legalmoves" }, choosable().map((each) => h("option", { value: tidy(each.move) }))), h("button.button.primary", { type: "submit" }, "Play")));
  field.focus();
}

export async function copyLink() {
  const end = await address();
  if (end === null) return toast("This sheet is too long for a link; save a file instead.");
  const whole = `${location.origin}/${end}`;
  try {
    await navigator.clipboard.writeText(whole);
    toast("Link copied.");
  } catch {
    dialog("linkdialog", "Link", h("p.mono", whole));
  }
}

function picture(how) {
  const found = $("#boards svg");
  if (found) how(found, "board");
}

function sayState() {
  say("");
  requestAnimationFrame(() => say(spoken()));
  toast(spoken());
}

/** @type {Command[]} */
const COMMANDS = /** @type {[string, string, () => any][]} */ ([
  ["ArrowLeft ,", "back", () => walk(-1)],
  ["ArrowRight .", "forward", () => walk(1)],
  ["Home", "first position of the line", () => goTo(at(0))],
  ["End", "last position of the line", () => goIf(line().pop())],
  ["ArrowUp", "other move at this place, before", () => goIf(sibling(-1))],
  ["ArrowDown", "other move at this place, after", () => goIf(sibling(1))],
  ["PageUp", "back to where this side line began", toSideStart],
  ["Shift+ArrowUp", "promote the side line", () => move(-1)],
  ["Shift+ArrowDown", "demote the side line", () => move(1)],
  ["Delete", "remove the side line", removeHere],
  ["Ctrl+z", "undo", undo],
  ["b", "play the best move", playBest],
  ["h", "show the best move without playing", showBest],
  ["e", "engine replies on or off", toggleEngine],
  ["", "let the engine reply once", engineReply],
  ["", "engines, seats and clock", engineDialog],
  ["t", "switch who is to play", () => switchPlayer()],
  ["v", "values on the board", () => toggle("values")],
  ["p", "colours of the parts", () => toggle("parts")],
  ["c", "coordinates", () => toggle("coordinates")],
  ["d", "light or dark", switchTheme],
  ["g", "games", gamesDialog],
  ["m", "type a move", typeMove],
  ["s", "say the state", sayState],
  ["y", "copy link", copyLink],
  ["Ctrl+s", "save the study", save],
  ["Ctrl+o", "open a study or a sheet", openFile],
  ["", "save the board as SVG", () => picture(saveSvg)],
  ["", "save the board as PNG", () => picture(savePng)],
  ["", "single-letter keys on or off", () => toggle("letters")],
  ...Array.from({ length: 8 }, (_, i) => [String(i + 1), `light up part ${i + 1}`, () => light(i + 1)]),
  ["?", "this table", keyTable],
  ["Ctrl+k", "all commands", palette],
]).map(([keys, words, run]) => ({ keys: keys.split(" ").filter(Boolean), words, run }));

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", PageUp: "PgUp", Delete: "Del" };

const keyName = (key) => h("kbd", key.split("+").map((piece) => NAMES[piece] ?? piece).join(" "));

export function keyTable() {
  const rows = COMMANDS.filter((each) => each.keys.length && !each.words.startsWith("light up")).map((each) => [each.keys.flatMap((key) => [keyName(key), " "]), each.words]);
  const fixed = [["1-8", "light up that part, again to clear"], ["Enter", "play the move under focus; again to drop"], ["Esc", "take the selection back, close, cancel the job in front"], ["Shift ←→↑↓", "on the board: from square to square; without Shift between legal moves"]];
  dialog("keysdialog", "Keys", table("Keys", ["key", "does"], [...rows, ...fixed.map(([key, words]) => [keyName(key), words])]),
    h("label.check", h("input", { type: "checkbox", checked: choices.letters, onchange: () => toggle("letters") }), "single-letter keys"));
}

export function palette() {
  const list = h("ul.palette", { role: "listbox", "aria-label": "Commands", id: "palettelist" });
  let chosen = 0;
  /** @type {Command[]} */
  let found = [];
  const pick = (each) => {
    box.close();
    each.run();
  };
  const show = () => {
    found = COMMANDS.filter((each) => each.words.includes(field.value.toLowerCase().trim())).slice(0, 14);
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    list.replaceChildren(...found.map((each, i) => h("li", { role: "option", id: `option-${i}`, "aria-selected": String(i === chosen), onclick: () => pick(each) }, h("span.grow", each.words), each.keys.map(keyName))));
    field.setAttribute("aria-activedescendant", `option-${chosen}`);
  };
  const keys = (event) => {
    if (event.key === "Enter" && found[chosen]) return pick(found[chosen]);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    chosen += by;
    event.preventDefault();
    show();
  };
  const field = h("input.wide", { type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "palettelist", "aria-label": "Command", placeholder: "Type to find a command", oninput: show, onkeydown: keys });
  const box = dialog("palettedialog", "Commands", field, list);
  show();
  field.focus();
}

const ANYWHERE = ["Ctrl+s", "Ctrl+o", "Ctrl+k"];

function nameOf(event) {
  const held = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}`;
  return held + (held.startsWith("Ctrl") ? event.key.toLowerCase() : event.key);
}

/** Whether somebody is typing; a field of a dialog that was just closed still has the focus until the next frame. */
const typing = (element) => Boolean(element?.matches("input:not([type=checkbox]), textarea, select, [contenteditable]") && element.checkVisibility());

function onKey(event) {
  const name = nameOf(event);
  const command = COMMANDS.find((each) => each.keys.includes(name));
  if (command && ANYWHERE.includes(name)) {
    event.preventDefault();
    return command.run();
  }
  if (typing(document.activeElement) || $("dialog[open]") || event.altKey) return;
  if (name === "Escape") return escape();
  const place = $("#boards");
  if (place && boardKey(event, place)) return event.preventDefault();
  if (!command || !state.study) return;
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  if (letter && !choices.letters && name !== "?") return;
  if (state.view !== "bench" && !letter && name !== "Ctrl+z") return;
  if (document.activeElement?.matches("[role=tab], [role=treeitem]") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  command.run();
}

/** Selection, light, job in front: the first there is. */
function escape() {
  if (unselect()) return;
  if (state.lit !== null) return light(state.lit);
  if (state.study && working()) stopValues();
}

document.addEventListener("keydown", onKey);
