// What stands on a square: crosses, stones, dominoes, counters, chessmen; told apart by shape and shade, never by hue.

import { s } from "./dom.js";

const KING = "M0-34v10M-6-29h12M-4-22h8l2 8c10-6 24-2 22 10-1 8-8 14-12 18h-32c-4-4-11-10-12-18-2-12 12-16 22-10zM-17 18h34v7h-34z";
const PAWN = "M0-22a9 9 0 0 1 7 15c6 6 9 13 9 23h-32c0-10 3-17 9-23a9 9 0 0 1 7-15zM-17 18h34v7h-34z";
const TOAD = "M-22 10c0-16 8-24 22-24s22 8 22 24zM-15-13a6 6 0 1 1 8-4M15-13a6 6 0 1 0-8-4";

/**
 * The drawing of what a square holds, or nothing.
 * @param {Cell} cell @param {number} x centre @param {number} y @param {number} size of the square
 * @returns {SVGElement|null}
 */
export function glyph(cell, x, y, size) {
  const r = size * 0.27;
  const width = Math.max(2.5, size * 0.075);
  switch (cell.glyph) {
    case "":
      return null;
    case "cross":
      return s("path.stroke", { "stroke-width": width, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}` });
    case "nought":
      return s("circle.stroke", { "stroke-width": width, cx: x, cy: y, r });
    case "stone-first":
    case "stone-second":
      return s("circle", { class: cell.glyph === "stone-first" ? "first" : "second", cx: x, cy: y, r: size * 0.34 });
    case "counter":
      return s("circle.first", { cx: x, cy: y, r: size * 0.4 });
    case "domino-first":
    case "domino-second":
      return s("rect", { class: cell.glyph === "domino-first" ? "first" : "second", x: x - size * 0.4, y: y - size * 0.4, width: size * 0.8, height: size * 0.8, rx: size * 0.12 });
    case "blocked":
      return s("rect.hatched", { x: x - size / 2 + 1, y: y - size / 2 + 1, width: size - 2, height: size - 2 });
    case "tint-left":
    case "tint-right":
      return s("rect", { class: cell.glyph, x: x - size * 0.3, y: y - size * 0.3, width: size * 0.6, height: size * 0.6, rx: size * 0.1 });
    case "pawn-white":
    case "pawn-black":
      return figure(PAWN, cell.glyph.endsWith("black"), x, y, size);
    case "king-white":
    case "king-black":
      return figure(KING, cell.glyph.endsWith("black"), x, y, size);
    case "toad":
    case "frog":
      return figure(TOAD, cell.glyph === "toad", x, y, size);
    default:
      return letters(cell.holds, x, y, size);
  }
}

function figure(path, filled, x, y, size) {
  return s("path", { class: filled ? "first" : "second", d: path, transform: `translate(${x} ${y}) scale(${size / 80})`, "vector-effect": "non-scaling-stroke" });
}

function letters(text, x, y, size) {
  if (!text) return null;
  const room = Math.max(1, Math.floor(size / 8));
  const shown = text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
  const font = Math.max(12, Math.min(size * 0.42, (size * 1.5) / shown.length));
  return s("text.letter", { x, y, "font-size": font.toFixed(1), "text-anchor": "middle", "dominant-baseline": "central" }, shown);
}

/**
 * A piece that covers several squares: a domino.
 * @param {Piece} piece @param {(at: [number, number]) => [number, number]} corner of a square @param {number} size @param {boolean} first
 */
export function covering(piece, corner, size, first) {
  const places = piece.cells.map(corner);
  const left = Math.min(...places.map(([x]) => x));
  const top = Math.min(...places.map(([, y]) => y));
  const right = Math.max(...places.map(([x]) => x)) + size;
  const bottom = Math.max(...places.map(([, y]) => y)) + size;
  const gap = Math.max(3, size * 0.085);
  return s("rect", {
    class: `${first ? "first" : "second"}${piece.last ? " last" : ""}`, "data-piece": piece.glyph, "data-role": piece.role, "data-last": piece.last ? "" : null,
    x: left + gap, y: top + gap, width: right - left - 2 * gap, height: bottom - top - 2 * gap, rx: Math.max(4, size * 0.15),
  });
}

/**
 * The outline of some squares, 3 px, on their inner side, so that neighbours show both of theirs.
 * @param {Set<string>} squares keys "row,column" @param {(at: [number, number]) => [number, number]} corner @param {number} size
 */
export function outline(squares, corner, size) {
  const has = (r, c) => squares.has(`${r},${c}`);
  const [ax, ay] = corner([0, 0]);
  const flip = corner([1, 0])[1] < ay ? -1 : 1;
  let d = "";
  for (const key of squares) {
    const [r, c] = key.split(",").map(Number);
    const [x, y] = corner([r, c]);
    const up = -flip;
    // for each free side: where the line begins and ends, longer by its width where the outline turns inwards
    for (const [dr, dc, line] of /** @type {[number, number, (a: number, b: number) => string][]} */ ([
      [up, 0, (a, b) => `M${x - a} ${y + 1.5}H${x + size + b}`],
      [-up, 0, (a, b) => `M${x - a} ${y + size - 1.5}H${x + size + b}`],
      [0, -1, (a, b) => `M${x + 1.5} ${y - a}V${y + size + b}`],
      [0, 1, (a, b) => `M${x + size - 1.5} ${y - a}V${y + size + b}`],
    ])) {
      if (has(r + dr, c + dc)) continue;
      const before = dr ? [0, -1] : [up, 0];
      const after = dr ? [0, 1] : [-up, 0];
      const turns = (side) => (has(r + side[0], c + side[1]) && has(r + side[0] + dr, c + side[1] + dc) ? 3 : 0);
      d += line(turns(before), turns(after));
    }
  }
  return s("path.outline", { d, "data-x": ax });
}
