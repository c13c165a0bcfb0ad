// What a move is worth, shown where it is played: a number, a tick or a cross, or a small dot while nothing is known.

import { s } from "./dom.js";

/** @param {Values|null} values @param {Move} move @returns {MoveValue|null} */
export function valueOf(values, move) {
  return values?.values.find((each) => each.role === move.role && each.move === move.move) ?? null;
}

/** A move's worth as text: a number for the role asked, or wins and loses. @param {MoveValue|null} value @param {string} role */
export function worthText(value, role) {
  if (!value) return "";
  if (value.wins === true) return "✓";
  if (value.wins === false) return "×";
  if (value.value && value.value[role] !== undefined && value.value[role] !== null) return String(value.value[role]);
  return value.best ? "✓" : "";
}

/** In words, for labels. @param {MoveValue|null} value @param {string} role */
export function worthWords(value, role) {
  if (!value) return "worth not known yet";
  const text = worthText(value, role);
  const words = text === "✓" ? "wins" : text === "×" ? "loses" : text ? `move worth ${text}` : "worth not known yet";
  return value.best && text !== "✓" && text !== "×" ? `${words}, best` : words;
}

/**
 * @param {string} text "" while the worth is not known @param {boolean} good @param {number} x @param {number} y @param {number} size of the square
 * @param {boolean} [shown] whether values are shown at all
 */
export function pill(text, good, x, y, size, shown = true) {
  const best = good && text !== "×";
  if (!text || !shown) return s("circle.pill.unknown", { cx: x, cy: y, r: Math.max(4, Math.min(6, size / 9)) });
  const scale = Math.max(1, Math.min(1.45, size / 62));
  if (text === "✓" || text === "×") {
    const r = Math.min(13 * scale, size * 0.42);
    return s("g", { class: best ? "pill best" : "pill" },
      best && size > 40 ? s("circle.halo", { cx: x, cy: y, r: r + 4 }) : null,
      s("circle", { cx: x, cy: y, r }),
      s("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": Math.max(12, 14 * scale) }, text));
  }
  const font = Math.max(12, 15 * scale);
  const width = Math.min(size - 2, text.length * font * 0.6 + 16 * scale);
  const height = Math.min(size - 2, 26 * scale);
  return s("g", { class: best ? "pill best" : "pill" },
    s("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
    s("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": font }, text));
}
