// What a move is worth, shown where it is played: a number, a tick or a cross, or a small dot while nothing is known.

import { s } from "./dom.js";
import { here } from "./study.js";

/** @param {Move} move */
export const valueOf = (move) => here().values?.values.find((each) => each.role === move.role && each.move === move.move) ?? null;

/** A move's worth as text: a number for the role asked, or wins and loses. @param {MoveValue|null} value */
export function worthText(value, role) {
  if (typeof value?.wins === "boolean") return value.wins ? "✓" : "×";
  return String(value?.value?.[role] ?? (value?.best ? "✓" : ""));
}

/** In words, for labels. @param {MoveValue|null} value */
export function worthWords(value, role) {
  const text = worthText(value, role);
  return { "✓": "wins", "×": "loses", "": "worth not known yet" }[text] ?? `move worth ${text}${value?.best ? ", best" : ""}`;
}

/** A pill with a text, or a dot while there is none. */
export function pill(text, good, x, y, size, shown) {
  if (!text || !shown) return s("circle.pill.unknown", { cx: x, cy: y, r: Math.max(4, Math.min(6, size / 9)) });
  const best = good && text !== "×";
  const scale = Math.max(1, Math.min(1.45, size / 62));
  const sign = text === "✓" || text === "×";
  const font = Math.max(12, (sign ? 14 : 15) * scale);
  const r = Math.min(13 * scale, size * 0.42);
  const width = Math.min(size - 2, text.length * font * 0.6 + 16 * scale);
  const height = Math.min(size - 2, 26 * scale);
  return s("g", { class: best ? "pill best" : "pill" },
    sign && best && size > 40 ? s("circle.halo", { cx: x, cy: y, r: r + 4 }) : null,
    sign ? s("circle", { cx: x, cy: y, r }) : s("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
    s("text.mid", { x, y, "font-size": font }, text));
}

/** Somewhere the focus can go: a square or a move, with its label. */
export const stop = (key, live, label, onclick, more, ...inside) => s("g", { role: "gridcell", class: `cell${live ? " live" : ""}`, tabindex: -1, "data-stop": live, "data-key": key, "aria-label": label.filter(Boolean).join(", "), onclick, ...more }, inside);
