// Words and numbers as the page writes them: values in type, counts, memory, names of moves.

import { h } from "./dom.js";

const SINGLE = { "1/2": "½", "1/4": "¼", "3/4": "¾", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞" };

/** A combinatorial value or a number in type: true minus, star and fractions, blanks around the bar. */
export function typeset(value) {
  const line = h("span.serif", { "data-value": value ?? "" });
  for (const piece of String(value ?? "…").split(/(\d+\/\d+)/)) {
    const fraction = /^(\d+)\/(\d+)$/.exec(piece);
    if (fraction) line.append(SINGLE[piece] ?? h("span.frac", `${fraction[1]}⁄${fraction[2]}`));
    else if (piece) line.append(plain(piece));
  }
  return line;
}

const plain = (text) => text.replaceAll("-", "−").replaceAll("*", "∗").replaceAll("^", "↑").replace(/\bv(?=[\d∗]|\b)/g, "↓").replace(/\s*(\|+)\s*/g, " $1 ").replaceAll(",", ", ").replace(/,\s+/g, ", ");

/** The same as plain text, for labels. */
export const inline = (value) => plain(String(value ?? "…")).replace(/(?<!\d)\d\/\d(?!\d)/g, (piece) => SINGLE[piece] ?? piece).replaceAll("/", "⁄");

export const count = (n) => n.toLocaleString("en-US");

/** "1 move", "9 moves". */
export const counted = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** "proving 3 of 5". @param {Job["step"]} step */
export const stepWords = (step) => (step ? `${step.name} ${count(step.done)}${step.of ? ` of ${count(step.of)}` : ""}` : "reading");

/** Large counts, short: 2.1 M. */
export const rough = (n) => (n >= 1e9 ? `${(n / 1e9).toFixed(1)} G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${Math.round(n / 1e3)} k` : count(Math.round(n)));

export function duration(seconds) {
  if (seconds < 1) return `${Math.max(seconds, 0.01).toFixed(seconds < 0.1 ? 2 : 1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}

export const memory = (gigabytes) => (gigabytes < 1 ? `${Math.round(gigabytes * 1000)} MB` : `${gigabytes.toFixed(1).replace(/\.0$/, "")} GB`);

/** A fraction such as "-3/2" as a number. */
export function number(value) {
  if (typeof value === "number") return value;
  const [, above, below = "1"] = /^(-?[\d.]+)(?:\/(\d+))?$/.exec(value ?? "") ?? [];
  return above ? Number(above) / Number(below) : NaN;
}

/** A number as a fraction where it is one with a small denominator. */
export function fraction(x) {
  for (const below of [1, 2, 4, 8, 16, 32, 64, 3, 5, 6, 7]) {
    if (Math.abs(x * below - Math.round(x * below)) < 1e-9) return inline(below === 1 ? String(Math.round(x)) : `${Math.round(x * below)}/${below}`);
  }
  return x.toFixed(2);
}

const capital = (name) => name.slice(0, 1).toUpperCase() + name.slice(1);

/** "left" as "Left"; roles of rules stay as the rules spell them. */
export const roleName = (role) => (/^(left|right)$/.test(role) ? capital(role) : role);

/** A role in few letters: "x" of "xplayer". */
export function shortRole(role) {
  const stem = role.replace(/_?player$/, "");
  return stem && stem.length < role.length ? stem : roleName(role);
}

/** Outcome classes in words. */
export const OUTCOMES = { N: "whoever moves first wins", P: "whoever moves second wins", L: "Left wins, whoever begins", R: "Right wins, whoever begins" };
