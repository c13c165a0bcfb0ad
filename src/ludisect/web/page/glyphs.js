// What stands on a square: crosses, stones, dominoes, counters, chessmen; told apart by shape and shade, never by hue.

import { s } from "./dom.js";

const KING = "M0-34v10M-6-29h12M-4-22h8l2 8c10-6 24-2 22 10-1 8-8 14-12 18h-32c-4-4-11-10-12-18-2-12 12-16 22-10zM-17 18h34v7h-34z";
const PAWN = "M0-22a9 9 0 0 1 7 15c6 6 9 13 9 23h-32c0-10 3-17 9-23a9 9 0 0 1 7-15zM-17 18h34v7h-34z";
const TOAD = "M-22 10c0-16 8-24 22-24s22 8 22 24zM-15-13a6 6 0 1 1 8-4M15-13a6 6 0 1 0-8-4";

/** The drawing of what a square holds, or nothing. @param {Cell} cell */
export function glyph(cell, x, y, size) {
  const kind = cell.glyph;
  const r = size * 0.27;
  const width = Math.max(2.5, size * 0.075);
  const first = /first|black|toad|counter/.test(kind) ? "first" : "second";
  const square = (shape, half, rx) => s("rect", { class: shape, x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx });
  if (!kind) return null;
  if (kind === "cross") return s("path.stroke", { "stroke-width": width, d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
  if (kind === "nought") return s("circle.stroke", { "stroke-width": width, cx: x, cy: y, r });
  if (/^stone|^counter/.test(kind)) return s("circle", { class: first, cx: x, cy: y, r: size * (kind === "counter" ? 0.4 : 0.34) });
  if (kind.startsWith("domino")) return square(first, size * 0.4, size * 0.12);
  if (kind === "blocked") return square("hatched", size / 2 - 1, 0);
  if (kind.startsWith("tint")) return square(kind, size * 0.3, size * 0.1);
  const path = kind.startsWith("pawn") ? PAWN : kind.startsWith("king") ? KING : /^(toad|frog)$/.test(kind) ? TOAD : null;
  if (path) return s("path", { class: first, d: path, transform: `translate(${x} ${y}) scale(${size / 80})`, "vector-effect": "non-scaling-stroke" });
  return letters(cell.holds, x, y, size);
}

function letters(text, x, y, size) {
  if (!text) return null;
  const room = Math.max(1, Math.floor(size / 8));
  const shown = text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
  const font = Math.max(12, Math.min(size * 0.42, (size * 1.5) / shown.length));
  return s("text.letter.mid", { x, y, "font-size": font.toFixed(1) }, shown);
}

/** A piece that covers several squares: a domino. @param {Piece} piece @param {Corner} corner */
export function covering(piece, corner, size, first) {
  const gap = Math.max(3, size * 0.085);
  const [[x, w], [y, t]] = [0, 1].map((way) => piece.cells.map((cell) => corner(cell)[way])).map((all) => [Math.min(...all) + gap, Math.max(...all) - Math.min(...all) + size - 2 * gap]);
  return s("rect", { class: `${first ? "first" : "second"}${piece.last ? " last" : ""}`, "data-piece": piece.glyph, "data-role": piece.role, "data-last": piece.last, x, y, width: w, height: t, rx: Math.max(4, size * 0.15) });
}

export const arrowTip = (id) => s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, s("path.arrowhead", { d: "M0 0L8 4L0 8z" }));

/** A board as a small picture, with the squares ringed that `ringed` means. @param {Board} board */
export function smallBoard(board, size, ringed = (_) => false, more = {}) {
  const width = board.columns.length * size + 2;
  const height = board.rows.length * size + 2;
  return s("svg.smallboard", { width, height, viewBox: `0 0 ${width} ${height}`, ...more }, board.cells.map((cell) => {
    const [x, y] = [1 + cell.at[1] * size, 1 + cell.at[0] * size];
    const plain = size < 24 && !/cross|nought|stone|counter|domino/.test(cell.glyph) && cell.glyph ? { ...cell, glyph: "counter" } : cell;
    return [s("rect.square.bordered", { x, y, width: size, height: size }), glyph(plain, x + size / 2, y + size / 2, size), ringed(cell) && s("rect.changed", { x: x + 1.5, y: y + 1.5, width: size - 3, height: size - 3 })];
  }));
}

/** The outline of some squares, 3 px, on their inner side, so that neighbours show both of theirs.
 * @param {Set<string>} squares keys "row,column" @param {Corner} corner */
export function outline(squares, corner, size) {
  const up = corner([1, 0])[1] < corner([0, 0])[1] ? 1 : -1;
  let d = "";
  for (const key of squares) {
    const [r, c] = key.split(",").map(Number);
    const has = (dr, dc) => squares.has(`${r + dr},${c + dc}`);
    const [x, y] = corner([r, c]);
    for (const [dr, dc, far] of [[up, 0, 1.5], [-up, 0, size - 1.5], [0, -1, 1.5], [0, 1, size - 1.5]]) {
      if (has(dr, dc)) continue;
      // longer by its width where the outline turns inwards
      const turns = (sr, sc) => (has(sr, sc) && has(sr + dr, sc + dc) ? 3 : 0);
      d += dr ? `M${x - turns(0, -1)} ${y + far}H${x + size + turns(0, 1)}` : `M${x + far} ${y - turns(up, 0)}V${y + size + turns(-up, 0)}`;
    }
  }
  return s("path.outline", { d });
}
