// The boards of a position: squares in the colours of their parts, pieces, and on every legal move what it is worth.

import { badge, h, hue, put, s } from "./dom.js";
import { covering, glyph, outline } from "./glyphs.js";
import { drawLines } from "./lineboard.js";
import { measure } from "./measure.js";
import { activate, anySquare, choosable, movesAt, nearest, onBoard, open } from "./pick.js";
import { pill, valueOf, worthText, worthWords } from "./pills.js";
import { playMove, study } from "./play.js";
import { choices, state } from "./store.js";
import { here, tidy } from "./study.js";

let focused = "";
let stopKey = "";

/** Draws all boards of the position in front into their place. @param {HTMLElement} place */
export function drawBoards(place) {
  const position = here(study()).position;
  if (!position) return;
  const inside = place.contains(document.activeElement);
  const boards = position.boards;
  if (!boards.length) put(place, stateTable(position));
  else {
    const layout = measure(place, boards);
    const title = study().game.title ?? study().game.game ?? "";
    place.setAttribute("aria-label", `${title} board, ${position.terminal ? "game over" : `${position.to.join(" and ")} to play`}`);
    put(place, h("div.boards", boards.map((board, i) => oneBoard(position, board, i, layout))));
  }
  place.append(moveList(position));
  rove(place, inside);
}

function oneBoard(position, board, index, layout) {
  const parts = new Set(board.cells.map((cell) => cell.part).filter((part) => part !== null));
  const whole = parts.size === 1 && board.cells.every((cell) => cell.part !== null);
  const titled = position.boards.length > 1 && layout.titled;
  const own = board.part ?? (whole ? [...parts][0] : null);
  const svg = board.kind === "graph" ? drawLines(board, index, layout) : grid(board, index, layout, titled && whole);
  return h("figure", { class: `board${dimmed(own)}` },
    titled ? h("figcaption.boardname", own === null || own === undefined || !choices.parts ? null : badge(own), h("span", board.title || `board ${index + 1}`)) : null,
    svg, board.unused ? h("p.soft.unused", board.unused) : null);
}

function dimmed(part) {
  return state.lit !== null && part !== state.lit ? " faded" : "";
}

function grid(board, index, layout, named) {
  const { cell: size, left, top } = layout;
  const heaps = board.kind === "heaps";
  const rows = board.rows.length || Math.max(1, ...board.cells.map((cell) => cell.at[0] + 1));
  const columns = board.columns.length;
  /** @type {(at: [number, number]) => [number, number]} */
  const corner = ([r, c]) => [left + c * size, top + (heaps ? rows - 1 - r : r) * size];
  const width = left + columns * size + 6;
  const height = top + rows * size + (heaps ? 52 : 6);
  const at = new Map(board.cells.map((cell) => [`${cell.at[0]},${cell.at[1]}`, cell]));
  const covered = new Set(large(board).flatMap((piece) => piece.cells.map(([r, c]) => `${r},${c}`)));
  const idle = (cell) => study().game.kind === "sum" && cell.part === null && !cell.holds && !covered.has(`${cell.at[0]},${cell.at[1]}`);
  const hatching = board.cells.filter(idle).length <= board.cells.length * 0.6;
  const fills = board.cells.map((cell) => {
    const [x, y] = corner(cell.at);
    const dead = hatching && idle(cell);
    const colour = choices.parts && cell.part !== null ? `tinted ${hue(cell.part)}${dimmed(cell.part)}` : dead ? "hatched" : "square";
    return s("rect", { class: colour, "data-part": choices.parts ? cell.part : null, x, y, width: size, height: size });
  });
  return s("svg", { class: `grid${heaps ? " heaps" : ""}`, role: "grid", "aria-label": board.title || `board ${index + 1}`, "data-picture": "board", "data-board": index, viewBox: `0 0 ${width} ${height}`, width, height },
    s("g", { "aria-hidden": "true" }, hatch(), fills, heaps ? null : ruling(at, corner, size),
      choices.coordinates ? labels(board, corner, size, heaps, rows) : null, choices.parts ? partLines(board, corner, size, named, covered, index, heaps) : null,
      large(board).map((piece) => covering(piece, corner, size, piece.role === study().game.roles[0]))),
    rowsOf(board).map((cells) => s("g", { role: "row" },
      cells.map((cell) => gridcell(board, cell, index, corner, size, covered)), edgeMoves(index, cells, corner, size))),
    arrows(index, corner, size));
}

/** Pieces on several squares; those on one are what their square holds. */
function large(board) {
  return (board.pieces ?? []).filter((piece) => piece.cells.length > 1);
}

function hatch() {
  return s("defs", null,
    s("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path.hatchline", { d: "M0 0V8" })),
    s("marker", { id: "arrowtip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, s("path.arrowhead", { d: "M0 0L8 4L0 8z" })));
}

function rowsOf(board) {
  /** @type {Map<number, Cell[]>} */
  const rows = new Map();
  for (const cell of board.cells) rows.set(cell.at[0], [...(rows.get(cell.at[0]) ?? []), cell]);
  return [...rows.values()];
}

function ruling(at, corner, size) {
  let d = "";
  for (const cell of at.values()) {
    const [x, y] = corner(cell.at);
    d += `M${x} ${y}h${size}v${size}h${-size}z`;
  }
  return s("path.ruling", { d });
}

function labels(board, corner, size, heaps, rows) {
  const font = size > 66 ? 15 : 13;
  const anchor = { class: "coordinate", "text-anchor": "middle", "dominant-baseline": "central", "font-size": font };
  const every = Math.max(1, Math.ceil((Math.max(...board.columns.map((name) => name.length), 1) * font * 0.62 + 4) / size));
  const below = heaps ? corner([0, 0])[1] + size + 14 : corner([0, 0])[1] - 13;
  const over = board.columns.map((name, c) => (c % every ? null : s("text", { ...anchor, x: corner([0, c])[0] + size / 2, y: below }, name)));
  if (heaps) return over;
  return [over, board.rows.slice(0, rows).map((name, r) => s("text", { ...anchor, x: corner([r, 0])[0] - 10, y: corner([r, 0])[1] + size / 2, "text-anchor": "end" }, name))];
}

/** Outlines and badges. */
function partLines(board, corner, size, named, covered, index, heaps) {
  /** @type {Map<number, Cell[]>} */
  const parts = new Map();
  for (const cell of board.cells) if (cell.part !== null) parts.set(cell.part, [...(parts.get(cell.part) ?? []), cell]);
  return [...parts].map(([part, cells]) => {
    const squares = new Set(cells.map((cell) => `${cell.at[0]},${cell.at[1]}`));
    const free = cells.find((cell) => size >= 44 || (!cell.holds && !covered.has(`${cell.at[0]},${cell.at[1]}`) && !movesAt([index, cell.at[0], cell.at[1]]).length)) ?? cells[0];
    const [x, y] = corner(free.at);
    const side = size >= 66 ? 24 : 20;
    const room = !free.holds && !covered.has(String(free.at)) && size >= 44;
    const inset = room ? 6 : size < 44 && !free.holds ? Math.max(0, (size - side) / 2) : -side / 2 + 2;
    const [bx, by] = heaps ? [x + (size - side) / 2, corner([0, 0])[1] + size + 24] : [x + inset, y + inset];
    return s("g", { class: `partmark ${hue(part)}${dimmed(part)}`, "data-part": part }, outline(squares, corner, size),
      named ? null : s("rect.badgebox", { x: bx, y: by, width: side, height: side, rx: 4 }),
      named ? null : s("text.badgetext", { x: bx + side / 2, y: by + side / 2 + 0.5, "text-anchor": "middle", "dominant-baseline": "central", "font-size": side > 20 ? 15 : 13 }, part > 0 ? part : "C"));
  });
}

function gridcell(board, cell, index, corner, size, covered) {
  const [x, y] = corner(cell.at);
  const [r, c] = cell.at;
  const moves = movesAt([index, r, c]);
  const values = here(study()).values;
  const role = state.valuesFor ?? moves[0]?.role ?? "";
  const valued = moves.map((move) => valueOf(values, move));
  const top = valued.find((value) => value?.best) ?? valued.reduce((best, value) => (Number(value?.value?.[role] ?? -1) > Number(best?.value?.[role] ?? -1) ? value : best), null);
  const chosen = state.selection.some(([b, row, column]) => b === index && row === r && column === c);
  const last = wasPlayed(index, r, c);
  const away = cell.glyph && cell.glyph !== "counter" && size >= 34 ? 0.76 : 0.5;
  const marks = top && state.hint && !choices.values ? top.best : choices.values;
  const holds = covered.has(`${r},${c}`) ? "covered" : cell.holds || "empty";
  const label = [`row ${board.rows[r] ?? r + 1}, column ${board.columns[c] ?? c + 1}`, holds, cell.part === null ? null : cell.part > 0 ? `part ${cell.part}` : "context",
    moves.length ? (choices.values ? worthWords(top ?? null, role) : "can be played") : null, chosen ? "selected" : null].filter(Boolean).join(", ");
  return s("g", {
    role: "gridcell", class: `cell${moves.length ? " live" : ""}${chosen ? " chosen" : ""}`, tabindex: "-1", "data-stop": moves.length ? "" : null, "data-key": `${index}:${r},${c}`,
    "data-board": index, "data-row": r, "data-column": c, "data-holds": cell.holds, "data-fluents": JSON.stringify(cell.fluents), "data-part": null, "aria-label": label,
    "aria-selected": chosen ? "true" : null, onclick: () => activate([index, r, c]),
  },
    s("rect.hit", { x: x + 1, y: y + 1, width: size - 2, height: size - 2 }),
    cell.glyph === "counter" && moves.length ? s("circle.first.liveCounter", { cx: x + size / 2, cy: y + size / 2, r: size * 0.4 }) : glyph(cell, x + size / 2, y + size / 2, size),
    last && !covered.has(`${r},${c}`) ? s("rect.lastmove", { x: x + 5, y: y + 5, width: size - 10, height: size - 10, rx: 6 }) : null,
    moves.length ? pill(worthText(top ?? null, role), Boolean(top?.best), x + size * away, y + size * away, size * (away > 0.5 ? 0.62 : 1), marks) : null,
    s("rect.ring", { x: x + 2.5, y: y + 2.5, width: size - 5, height: size - 5, rx: 4 }));
}

/** Whether the last move was made on a square. */
function wasPlayed(/** @type {number} */ board, r, c) {
  const node = here(study());
  if (!node.moves || node.parent === null) return false;
  const moves = node.moves;
  const before = study().knots.get(node.parent)?.position;
  const made = before?.moves.find((move) => before.to.includes(move.role) && moves[move.role] === move.move);
  if (made?.where?.board !== board || made.where.kind === "column" || made.where.kind === "heap") return false;
  return made.where.cells.some(([row, column]) => row === r && column === c);
}

/** Dominoes: a stop on the edge between two squares. */
function edgeMoves(/** @type {number} */ index, row, corner, size) {
  const values = here(study()).values;
  return choosable().filter((move) => move.where?.kind === "edge" && move.where.board === index && row.some((cell) => String(cell.at) === String(move.where?.cells[0]))).map((move) => {
    const places = move.where?.cells.map((at) => corner(at)) ?? [];
    const x = places.reduce((sum, [u]) => sum + u, 0) / places.length + size / 2;
    const y = places.reduce((sum, [, v]) => sum + v, 0) / places.length + size / 2;
    const value = valueOf(values, move);
    const role = state.valuesFor ?? move.role;
    const label = [tidy(move.move), move.part === null ? null : `part ${move.part}`, choices.values ? worthWords(value, role) : "can be played"].filter(Boolean).join(", ");
    const reach = Math.max(12, Math.min(size * 0.3, 22));
    return s("g", { role: "gridcell", class: `cell live edge${dimmed(move.part)}`, tabindex: "-1", "data-stop": "", "data-key": `${index}:${move.move}`, "data-move": move.move, "aria-label": label, onclick: () => playMove(move) },
      s("circle.hit", { cx: x, cy: y, r: reach }),
      pill(worthText(value, role), Boolean(value?.best), x, y, size, choices.values || (state.hint && Boolean(value?.best))),
      s("circle.ring", { cx: x, cy: y, r: reach }));
  });
}

/** From-to moves that go on from the selection, as arrows. */
function arrows(index, corner, size) {
  if (!state.selection.length) return null;
  const last = state.selection[state.selection.length - 1];
  if (last[0] !== index) return null;
  const targets = new Map(open().filter((move) => move.where?.board === index && !anySquare(move)).map((move) => [String(move.where?.cells[state.selection.length]), move]));
  const [x, y] = corner([last[1], last[2]]);
  return s("g.arrows", { "aria-hidden": "true" }, [...targets.values()].map((move) => {
    const cell = move.where?.cells[state.selection.length];
    if (!cell) return null;
    const [u, v] = corner(cell);
    const length = Math.hypot(u - x, v - y) || 1;
    const back = Math.min(18, length / 3);
    return s("path.arrow", { "marker-end": "url(#arrowtip)", d: `M${x + size / 2} ${y + size / 2}L${u + size / 2 - ((u - x) / length) * back} ${v + size / 2 - ((v - y) / length) * back}` });
  }));
}

/** Moves that have no square of their own, as a list. */
function moveList(position) {
  const values = here(study()).values;
  const moves = choosable().filter((move) => !onBoard(move));
  const waiting = Object.entries(state.pending).map(([role, move]) => h("p.soft", `${role} has chosen ${tidy(move)}.`));
  const all = choosable();
  const known = values ? all.filter((move) => worthText(valueOf(values, move), state.valuesFor ?? move.role)).length : 0;
  if (values && known < all.length && choices.values) waiting.push(h("p.soft", `values for ${known} of ${all.length} moves`));
  if (!moves.length && !waiting.length) return h("div.movelist", { hidden: true });
  const several = position.to.length > 1;
  return h("div.movelist", waiting, h("ul.row", { "aria-label": "Moves" }, moves.map((move) => {
    const value = valueOf(values, move);
    const text = choices.values ? worthText(value, state.valuesFor ?? move.role) : "";
    return h("li", h("button", { class: `button small mono${value?.best && choices.values ? " primary" : ""}`, "data-move": move.move, onclick: () => playMove(move) }, several ? `${move.role}: ` : "", tidy(move.move), text ? ` ${text}` : ""));
  })));
}

function stateTable(position) {
  return h("div.statetable",
    h("p.soft", "This game has no board that can be drawn; here is its state as a table."),
    h("table.facts", h("caption.unseen", "The state"), h("tbody", position.state.map((fluent) => h("tr", h("td.mono", fluent))))));
}

/** One stop of the tab key in all boards; the focus comes back to where it was, or near it. */
function rove(place, inside) {
  const stops = [...place.querySelectorAll("[data-stop]")];
  const every = [...place.querySelectorAll("[role=gridcell]")];
  const old = every.find((stop) => stop.getAttribute("data-key") === stopKey);
  const home = old && (old.hasAttribute("data-stop") || !stops.length) ? old : old ? closest(old, stops) : (stops[0] ?? every[0]);
  if (!home) return;
  home.setAttribute("tabindex", "0");
  if (inside) {
    stopKey = home.getAttribute("data-key") ?? "";
    /** @type {any} */ (home).focus({ preventScroll: true });
  }
}

function closest(from, stops) {
  const box = from.getBoundingClientRect();
  let best = from;
  let least = Infinity;
  for (const stop of stops) {
    const other = stop.getBoundingClientRect();
    const far = Math.hypot(other.x - box.x, other.y - box.y);
    if (far < least) [best, least] = [stop, far];
  }
  return best;
}

/** Arrows, Enter and the like inside the board. @param {KeyboardEvent} event @param {HTMLElement} place @returns {boolean} whether it was ours */
export function boardKey(event, place) {
  const now = document.activeElement;
  if (!now || !place.contains(now) || now.getAttribute("role") !== "gridcell") return false;
  if (event.key.startsWith("Arrow")) {
    const stops = [...place.querySelectorAll(event.shiftKey ? "[role=gridcell]:not(.edge)" : "[data-stop]")];
    const next = nearest(now, stops, event.key);
    if (next) focusOn(now, next);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    stopKey = now.getAttribute("data-key") ?? "";
    /** @type {any} */ (now).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return true;
  }
  return false;
}

function focusOn(from, to) {
  from.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  stopKey = to.getAttribute("data-key") ?? "";
  /** @type {any} */ (to).focus();
}

/** @param {HTMLElement} place */
export function rememberFocus(place) {
  place.addEventListener("focusin", (event) => {
    focused = /** @type {Element} */ (event.target).getAttribute("data-key") ?? focused;
    stopKey = focused || stopKey;
  });
}
