// Picking a move on the board: squares chosen one after the other, lists where a square has several moves, focus by arrows.

import { button, dialog, say, toast } from "./dom.js";
import { playMove } from "./play.js";
import { choices, state, tell } from "./store.js";
import { here, tidy } from "./study.js";
import { valueOf, worthText } from "./pills.js";

/** Moves that can be made now: of those who have a choice and have not chosen. */
export function choosable() {
  const position = here().position;
  if (!position || position.terminal) return [];
  return position.moves.filter((move) => position.to.includes(move.role) && state.pending[move.role] === undefined);
}

/** Whether any square of the move will do, or they are to be picked one after the other. @param {Move} move */
export const anySquare = (move) => ["column", "heap"].includes(move.where?.kind ?? "");

/** @param {Move} move */
export const onBoard = (move) => Boolean(move.where && move.where.board !== null && move.where.cells.length);

/** Moves that go on from what is selected. */
export function open() {
  return choosable().filter((move) => onBoard(move) && state.selection.every(([board, r, c], i) =>
    move.where?.kind === "from-to" && move.where.board === board && String(move.where.cells[i]) === `${r},${c}`));
}

/** The moves that a square would continue or complete. @param {Spot} square */
export function movesAt([board, r, c]) {
  const step = state.selection.length;
  return open().filter((move) => move.where?.board === board && move.where.kind !== "edge" && move.where.cells.slice(...(anySquare(move) ? [] : [step, step + 1])).some((cell) => String(cell) === `${r},${c}`));
}

/** A square was clicked, or Enter pressed on it. @param {Spot} square */
export function activate(square) {
  let found = movesAt(square);
  if (!found.length && state.selection.length) {
    state.selection = [];
    found = movesAt(square);
    if (!found.length) return tell("look");
  }
  if (!found.length) return say("No move here.");
  const step = state.selection.length;
  const whole = found.filter((move) => anySquare(move) || move.where?.kind === "cell" || move.where?.cells.length === step + 1);
  if (whole.length === found.length) return whole.length === 1 ? playMove(whole[0]) : ask(whole);
  state.selection = [...state.selection, square];
  say("Selected. Choose where to.");
  tell("look");
}

/** Several moves on one square: a list. */
function ask(moves) {
  const box = dialog("which", "Which move?", moves.map((move) => {
    const value = choices.values ? valueOf(move) : null;
    return button(`${tidy(move.move)}  ${worthText(value, state.valuesFor ?? move.role)}`.trim(), () => { box.close(); playMove(move); }, { class: value?.best ? "button primary" : "button" });
  }));
}

export function unselect() {
  if (!state.selection.length && !Object.keys(state.pending).length) return false;
  Object.assign(state, { selection: [], pending: {} });
  tell("look");
  return true;
}

export function playText(text) {
  const plain = (each) => each.toLowerCase().replaceAll("–", "-").replace(/[()\s]+/g, " ").trim();
  const found = choosable().find((move) => [plain(move.move), plain(move.move).replace(/^\d+: /, "")].includes(plain(text)));
  return found ? playMove(found) : toast(`${text} is not legal here.`);
}

const AIMS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The stop nearest to another one; with a key, in its direction, where sideways distance counts 2.5 times. @param {Element[]} stops */
export function nearest(from, stops, key = "") {
  const centre = (element) => {
    const box = (element.querySelector("rect, circle") ?? element).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  const far = (stop) => {
    const [u, v] = centre(stop);
    if (!key) return Math.hypot(u - x, v - y);
    const [dx, dy] = AIMS[key];
    const ahead = (u - x) * dx + (v - y) * dy;
    return ahead > 1 ? ahead + 2.5 * (Math.abs((u - x) * dy) + Math.abs((v - y) * dx)) : Infinity;
  };
  const others = stops.filter((stop) => stop !== from).map((stop) => /** @type {[Element, number]} */ ([stop, far(stop)])).filter(([, length]) => length < Infinity);
  return others.sort((a, b) => a[1] - b[1])[0]?.[0] ?? null;
}
