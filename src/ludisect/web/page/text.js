// Words and numbers as the page writes them: values in type, counts, memory, names of moves.

import { h } from "./dom.js";

const SINGLE = /** @type {Record<string, string>} */ ({ "1/2": "½", "1/4": "¼", "3/4": "¾", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞" });

/**
 * A combinatorial value or a number in type: true minus, star and fractions, blanks around the bar.
 * @param {string|number|null|undefined} value
 * @returns {HTMLElement}
 */
export function typeset(value) {
  const line = h("span.serif", { "data-value": value ?? "" });
  for (const piece of String(value ?? "…").split(/(\d+\/\d+)/)) {
    const fraction = /^(\d+)\/(\d+)$/.exec(piece);
    if (fraction) line.append(SINGLE[piece] ?? h("span.frac", `${fraction[1]}⁄${fraction[2]}`));
    else if (piece) line.append(plain(piece));
  }
  return line;
}

function plain(text) {
  return text.replaceAll("-", "−").replaceAll("*", "∗").replaceAll("^", "↑").replace(/\bv(?=[\d∗]|\b)/g, "↓").replace(/\s*(\|+)\s*/g, " $1 ").replaceAll(",", ", ").replace(/,\s+/g, ", ");
}

/** The same as plain text, for labels. @param {string|number|null|undefined} value */
export function inline(value) {
  return plain(String(value ?? "…")).replace(/(?<!\d)\d\/\d(?!\d)/g, (piece) => SINGLE[piece] ?? piece).replaceAll("/", "⁄");
}

/** @param {number} n */
export function count(n) {
  return n.toLocaleString("en-US");
}

/** "1 move", "9 moves". @param {number} n @param {string} one @param {string} [many] */
export function counted(n, one, many) {
  return `${count(n)} ${n === 1 ? one : (many ?? `${one}s`)}`;
}

/** Large counts, short: 2.1 M. @param {number} n */
export function rough(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  if (n >= 1e4) return `${Math.round(n / 1e3)} k`;
  return count(Math.round(n));
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return `${Math.max(seconds, 0.01).toFixed(seconds < 0.1 ? 2 : 1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}

/** @param {number} gigabytes */
export function memory(gigabytes) {
  return gigabytes < 1 ? `${Math.round(gigabytes * 1000)} MB` : `${gigabytes.toFixed(1).replace(/\.0$/, "")} GB`;
}

/** @param {string} text @param {number} [most] */
export function shorten(text, most = 60) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** A fraction such as "-3/2" as a number. @param {string|number|null|undefined} value */
export function number(value) {
  if (value === null || value === undefined || value === "") return NaN;
  if (typeof value === "number") return value;
  const whole = Object.entries(SINGLE).find(([, sign]) => value.endsWith(sign));
  if (whole) return number(value.replace(whole[1], whole[0]));
  const found = /^\s*(-?)(\d+(?:\.\d+)?)(?:[/⁄](\d+))?\s*$/.exec(value.replace("−", "-"));
  if (!found) return NaN;
  const size = Number(found[2]) / (found[3] ? Number(found[3]) : 1);
  return found[1] ? -size : size;
}

/** A number as a fraction where it is one with a small denominator. @param {number} x */
export function fraction(x) {
  for (const below of [1, 2, 4, 8, 16, 32, 64, 3, 5, 6, 7]) {
    if (Math.abs(x * below - Math.round(x * below)) < 1e-9) return inline(below === 1 ? String(Math.round(x)) : `${Math.round(x * below)}/${below}`);
  }
  return x.toFixed(2);
}

/** @param {string} name */
export function capital(name) {
  return name ? name[0].toUpperCase() + name.slice(1) : name;
}

/** "left" as "Left"; roles of rules stay as the rules spell them. @param {string} role */
export function roleName(role) {
  return role === "left" || role === "right" ? capital(role) : role;
}

/** A role in few letters: "x" of "xplayer". @param {string} role */
export function shortRole(role) {
  const stem = role.replace(/_?player$/, "");
  return stem && stem.length < role.length ? stem : roleName(role);
}

/** A game's name for people. @param {{title?: string, game?: string, source?: string|null}} game */
export function gameTitle(game) {
  const name = game.title || game.game || game.source || "a game of yours";
  if (/[|/\s]/.test(name) && !/^[a-z]+ \d+x\d+$/.test(name)) return capital(name);
  return capital(name).replaceAll("tictactoe", "tic-tac-toe").replace(/[-_](?=[a-z])/g, (mark, place, whole) => (/tic$|tac$/.test(whole.slice(0, place)) ? mark : " ")).replace(/:/, " ").replace(/(\d)x(\d)/g, "$1×$2");
}

/** Outcome classes in words. @param {string|null|undefined} outcome */
export function outcomeWords(outcome) {
  return /** @type {Record<string, string>} */ ({ N: "whoever moves first wins", P: "whoever moves second wins", L: "Left wins, whoever begins", R: "Right wins, whoever begins" })[outcome ?? ""] ?? outcome ?? "";
}
