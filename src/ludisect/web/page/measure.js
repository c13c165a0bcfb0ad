// How large the squares are: boards side by side or below one another, drawn at the width at hand so that no text shrinks.

import { choices } from "./store.js";

const GAP = 24;
const TOUCH = 44;

/**
 * @param {HTMLElement} place @param {Board[]} boards
 * @returns {{cell: number, left: number, top: number, perRow: number, titled: boolean, room: number}}
 */
export function measure(place, boards) {
  const room = Math.max(240, place.clientWidth);
  const phone = window.innerWidth <= 560;
  const widest = Math.max(1, ...boards.flatMap((board) => (board.kind === "grid" ? board.rows.map((name) => name.length) : [1])));
  const left = choices.coordinates ? Math.max(28, widest * 8 + 16) : 4;
  const top = choices.coordinates ? 28 : 4;
  const columns = Math.max(1, ...boards.map((board) => (board.kind === "graph" ? 4 : board.columns.length)));
  const rows = Math.max(1, ...boards.map((board) => (board.kind === "graph" ? 4 : board.rows.length || height(board))));
  const titled = boards.length > 1;
  const tall = roomBelow();
  const most = window.innerWidth >= 1500 ? 120 : boards.some((board) => board.kind === "heaps") ? 44 : 84;
  let best = { cell: 0, perRow: 1 };
  for (let perRow = Math.min(boards.length, 8); perRow >= 1; perRow -= 1) {
    const wide = (room - perRow * (left + 6) - (perRow - 1) * GAP) / (perRow * columns);
    const lines = Math.ceil(boards.length / perRow);
    const high = tall === null ? Infinity : (tall - lines * (top + 6 + (titled ? 40 : 0))) / (lines * rows);
    const cell = Math.floor(Math.min(most, wide, Math.max(high, 26)));
    if (phone && wide >= TOUCH) return { cell: Math.floor(Math.min(most, wide)), left, top, perRow, titled, room };
    if (cell > best.cell) best = { cell, perRow };
  }
  return { cell: Math.max(phone ? 16 : 20, best.cell), left, top, perRow: best.perRow, titled, room };
}

function height(board) {
  return Math.max(1, ...board.cells.map((cell) => cell.at[0] + 1));
}

/** The height that boards may take so that the bench fits without scrolling; null where it scrolls anyway. */
function roomBelow() {
  if (window.innerWidth >= 1500) return Math.min(window.innerHeight * 0.56, 720);
  if (window.innerWidth > 900) return Math.max(240, window.innerHeight - 404);
  return window.innerWidth > 560 ? 620 : null;
}
