// The keyboard: which command a key means, and where keys are dead.

import { boardKey } from "./board.js";
import { COMMANDS } from "./commands.js";
import { unselect } from "./pick.js";
import { stopValues, working } from "./values.js";
import { choices, state } from "./store.js";
import { light } from "./looks.js";

const ANYWHERE = new Set(["Ctrl+s", "Ctrl+o", "Ctrl+k"]);

function nameOf(event) {
  const held = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}`;
  return held + (held.startsWith("Ctrl") ? event.key.toLowerCase() : event.key);
}

/** Whether somebody is typing; a field of a dialog that was just closed still has the focus until the next frame. */
function typing(element) {
  return Boolean(element?.matches("input:not([type=checkbox]), textarea, select, [contenteditable]") && element.checkVisibility());
}

function onKey(event) {
  const name = nameOf(event);
  const command = COMMANDS.find((each) => each.keys.includes(name));
  if (command && ANYWHERE.has(name)) {
    event.preventDefault();
    return command.run();
  }
  if (typing(document.activeElement) || document.querySelector("dialog[open]") || event.altKey) return;
  if (name === "Escape") return escape();
  const place = document.getElementById("boards");
  if (place && boardKey(event, place)) return event.preventDefault();
  if (!command || !state.study) return;
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  if (letter && !choices.letters && name !== "?") return;
  if (state.view !== "bench" && !letter && name !== "Ctrl+z") return;
  if (document.activeElement?.matches("[role=tab], [role=treeitem]") && event.key.startsWith("Arrow")) return;
  if (document.activeElement?.matches("button, a") && (name === "Enter" || name === " ")) return;
  event.preventDefault();
  command.run();
}

/** Selection, light, job in front: the first there is. */
function escape() {
  if (unselect()) return;
  if (state.lit !== null) return light(state.lit);
  if (state.study && working()) stopValues();
}

export function listenToKeys() {
  document.addEventListener("keydown", onKey);
}
