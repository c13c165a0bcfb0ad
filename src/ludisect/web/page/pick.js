// Picking a move on the board: squares chosen one after the other, lists where a square has several moves, focus by arrows.

import { button, dialog, say, toast } from "./dom.js";
import { playMove, study } from "./play.js";
import { choices, state, tell } from "./store.js";
import { here, tidy } from "./study.js";
import { valueOf, worthText } from "./pills.js";

/** @typedef {[number, number, number]} Spot board, row, column */

/** Moves that can be made now: of those who have a choice and have not chosen. @returns {Move[]} */
export function choosable() {
  const position = here(study()).position;
  if (!position || position.terminal) return [];
  return position.moves.filter((move) => position.to.includes(move.role) && state.pending[move.role] === undefined);
}

/** Whether any square of the move will do (a column, a heap), or they are to be picked one after the other. @param {Move} move */
export function anySquare(move) {
  return move.where?.kind === "column" || move.where?.kind === "heap";
}

/** @param {Move} move */
export function onBoard(move) {
  return Boolean(move.where && move.where.board !== null && move.where.cells.length);
}

/** Moves that go on from what is selected. @returns {Move[]} */
export function open() {
  const chosen = state.selection;
  return choosable().filter((move) => onBoard(move) && chosen.every(([board, r, c], i) => {
    const cell = move.where?.cells[i];
    return move.where?.board === board && cell && cell[0] === r && cell[1] === c && move.where.kind === "from-to";
  }));
}

/** The moves that a square would continue or complete. @param {Spot} square @returns {Move[]} */
export function movesAt([board, r, c]) {
  const step = state.selection.length;
  return open().filter((move) => {
    if (move.where?.board !== board || move.where.kind === "edge") return false;
    const cells = anySquare(move) ? move.where.cells : move.where.cells.slice(step, step + 1);
    return cells.some(([row, column]) => row === r && column === c);
  });
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
  const values = here(study()).values;
  const box = dialog("Which move?", moves.map((move) => {
    const value = valueOf(values, move);
    const text = choices.values ? worthText(value, state.valuesFor ?? move.role) : "";
    return button(text ? `${tidy(move.move)}  ${text}` : tidy(move.move), { class: value?.best && choices.values ? "button primary" : "button", onclick: () => { box.close(); playMove(move); } });
  }), { id: "which" });
}

export function unselect() {
  if (!state.selection.length && !Object.keys(state.pending).length) return false;
  state.selection = [];
  state.pending = {};
  tell("look");
  return true;
}

/** Plays a move that was typed. @param {string} text */
export function playText(text) {
  const plain = (each) => each.toLowerCase().replaceAll("–", "-").replace(/[()\s]+/g, " ").trim();
  const wanted = plain(text);
  const found = choosable().filter((move) => plain(move.move) === wanted || plain(move.move).replace(/^\d+: /, "") === wanted);
  if (found.length) return playMove(found[0]);
  toast(`${text} is not legal here.`);
}

/**
 * The focus stop nearest in a direction; sideways distance counts 2.5 times.
 * @param {Element} from @param {Element[]} stops @param {string} key
 */
export function nearest(from, stops, key) {
  const centre = (element) => {
    const box = (element.querySelector("rect, circle") ?? element).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  const [dx, dy] = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[key];
  /** @type {Element|null} */
  let best = null;
  let least = Infinity;
  for (const stop of stops) {
    if (stop === from) continue;
    const [u, v] = centre(stop);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (ahead > 1 && ahead + 2.5 * aside < least) {
      least = ahead + 2.5 * aside;
      best = stop;
    }
  }
  return best;
}
