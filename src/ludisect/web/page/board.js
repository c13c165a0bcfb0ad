// The boards of a position: squares in the colours of their parts, pieces, lines, and on every legal move what it is worth.

import { badge, h, hue, isProjector, put, s, table } from "./dom.js";
import { arrowTip, covering, glyph, outline } from "./glyphs.js";
import { activate, anySquare, choosable, movesAt, nearest, onBoard, open } from "./pick.js";
import { pill, stop, valueOf, worthText, worthWords } from "./pills.js";
import { playMove } from "./play.js";
import { choices, state } from "./store.js";
import { here, isSum, made, study, tidy } from "./study.js";

let stopKey = "";

/** Draws all boards of the position in front into their place. */
export function drawBoards(place) {
  const position = here().position;
  if (!position) return;
  const inside = place.contains(document.activeElement);
  const { title, game } = study().game;
  const layout = measure(place, position.boards);
  place.setAttribute("aria-label", `${title ?? game ?? ""} board, ${position.terminal ? "game over" : `${position.to.join(" and ")} to play`}`);
  put(place, position.boards.length ? h("div.boards", position.boards.map((board, i) => oneBoard(board, i, layout))) : stateTable(position), moveList(position));
  rove(place, inside);
}

function oneBoard(board, index, layout) {
  const parts = new Set(board.cells.map((cell) => cell.part));
  const whole = parts.size === 1 && !parts.has(null);
  const own = board.part ?? (whole ? [...parts][0] : null);
  const svg = board.kind === "graph" ? drawLines(board, index, layout) : grid(board, index, layout, layout.titled && whole);
  return h("figure", { class: `board${dimmed(own)}` },
    layout.titled && h("figcaption.boardname", own !== null && choices.parts && badge(own), h("span", titleOf(board, index))),
    svg, board.unused && h("p.soft.unused", board.unused));
}

const titleOf = (board, index) => board.title || `board ${index + 1}`;
const dimmed = (part) => (state.lit !== null && part !== state.lit ? " faded" : "");

function grid(board, index, layout, named) {
  const { cell: size, left, top } = layout;
  const heaps = board.kind === "heaps";
  const rows = rowsOf(board);
  /** @type {Corner} */
  const corner = ([r, c]) => [left + c * size, top + (heaps ? rows - 1 - r : r) * size];
  const width = left + board.columns.length * size + 6;
  const height = top + rows * size + (heaps ? 52 : 6);
  const large = (board.pieces ?? []).filter((piece) => piece.cells.length > 1);
  const covered = new Set(large.flatMap((piece) => piece.cells.map(String)));
  const idle = (cell) => isSum() && cell.part === null && !cell.holds && !covered.has(String(cell.at));
  const hatching = board.cells.filter(idle).length <= board.cells.length * 0.6;
  const fills = board.cells.map((cell) => {
    const [x, y] = corner(cell.at);
    const colour = choices.parts && cell.part !== null ? `tinted ${hue(cell.part)}${dimmed(cell.part)}` : hatching && idle(cell) ? "hatched" : "square";
    return s("rect", { class: colour, "data-part": choices.parts ? cell.part : null, x, y, width: size, height: size });
  });
  /** @type {Map<number, Cell[]>} */
  const lines = new Map();
  for (const cell of board.cells) lines.set(cell.at[0], [...(lines.get(cell.at[0]) ?? []), cell]);
  return s("svg", { class: `grid${heaps ? " heaps" : ""}`, role: "grid", "aria-label": titleOf(board, index), "data-picture": "board", "data-board": index, viewBox: `0 0 ${width} ${height}`, width, height },
    s("g", { "aria-hidden": "true" }, s("defs", s("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path.hatchline", { d: "M0 0V8" })), arrowTip("arrowtip")), fills,
      heaps ? null : s("path.ruling", { d: board.cells.map((cell) => `M${corner(cell.at).join(" ")}h${size}v${size}h${-size}z`).join("") }),
      choices.coordinates && labels(board, corner, size, heaps, rows), choices.parts && partLines(board, corner, size, named, covered, index, heaps),
      large.map((piece) => covering(piece, corner, size, piece.role === study().game.roles[0]))),
    [...lines.values()].map((cells) => s("g", { role: "row" }, cells.map((cell) => gridcell(board, cell, index, corner, size, covered)), edgeMoves(index, cells, corner, size))),
    arrows(index, corner, size));
}

function labels(board, corner, size, heaps, rows) {
  const font = size > 66 ? 15 : 13;
  const [x, y] = corner([0, 0]);
  const every = Math.max(1, Math.ceil((Math.max(...board.columns.map((name) => name.length), 1) * font * 0.62 + 4) / size));
  const over = board.columns.map((name, c) => (c % every ? null : s("text.coordinate.mid", { "font-size": font, x: corner([0, c])[0] + size / 2, y: heaps ? y + size + 14 : y - 13 }, name)));
  return [over, heaps ? null : board.rows.slice(0, rows).map((name, r) => s("text.coordinate.mid.end", { "font-size": font, x: x - 10, y: corner([r, 0])[1] + size / 2 }, name))];
}

function partLines(board, corner, size, named, covered, index, heaps) {
  /** @type {Map<number, Cell[]>} */
  const parts = new Map();
  for (const cell of board.cells) if (cell.part !== null) parts.set(cell.part, [...(parts.get(cell.part) ?? []), cell]);
  return [...parts].map(([part, cells]) => {
    const bare = (cell) => !cell.holds && !covered.has(String(cell.at));
    const free = cells.find((cell) => size >= 44 || (bare(cell) && !movesAt([index, ...cell.at]).length)) ?? cells[0];
    const [x, y] = corner(free.at);
    const side = size >= 66 ? 24 : 20;
    const inset = bare(free) && size >= 44 ? 6 : size < 44 && !free.holds ? Math.max(0, (size - side) / 2) : -side / 2 + 2;
    const [bx, by] = heaps ? [x + (size - side) / 2, corner([0, 0])[1] + size + 24] : [x + inset, y + inset];
    return s("g", { class: `partmark ${hue(part)}${dimmed(part)}`, "data-part": part }, outline(new Set(cells.map((cell) => String(cell.at))), corner, size),
      named ? null : [s("rect.badgebox", { x: bx, y: by, width: side, height: side, rx: 4 }), s("text.badgetext.mid", { x: bx + side / 2, y: by + side / 2 + 0.5, "font-size": side > 20 ? 15 : 13 }, part > 0 ? part : "C")]);
  });
}

function gridcell(board, cell, index, corner, size, covered) {
  const [x, y] = corner(cell.at);
  const [r, c] = cell.at;
  const moves = movesAt([index, r, c]);
  const role = state.valuesFor ?? moves[0]?.role ?? "";
  const worth = (value) => Number(value?.value?.[role] ?? -1);
  const valued = moves.map(valueOf);
  const top = valued.find((value) => value?.best) ?? valued.reduce((best, value) => (worth(value) > worth(best) ? value : best), null);
  const chosen = state.selection.some((square) => String(square) === `${index},${r},${c}`);
  const under = covered.has(`${r},${c}`);
  const away = cell.glyph && cell.glyph !== "counter" && size >= 34 ? 0.76 : 0.5;
  return stop(`${index}:${r},${c}`, moves.length > 0, [`row ${board.rows[r] ?? r + 1}, column ${board.columns[c] ?? c + 1}`, under ? "covered" : cell.holds || "empty",
    cell.part !== null && (cell.part > 0 ? `part ${cell.part}` : "context"), moves.length && (choices.values ? worthWords(top, role) : "can be played"), chosen && "selected"], () => activate([index, r, c]), {
    class: `cell${moves.length ? " live" : ""}${chosen ? " chosen" : ""}`, "data-board": index, "data-row": r, "data-column": c, "data-holds": cell.holds, "data-fluents": JSON.stringify(cell.fluents), "aria-selected": chosen ? "true" : null,
  },
  s("rect.hit", { x: x + 1, y: y + 1, width: size - 2, height: size - 2 }), glyph(cell, x + size / 2, y + size / 2, size),
  !under && wasPlayed(index, r, c) ? s("rect.lastmove", { x: x + 5, y: y + 5, width: size - 10, height: size - 10, rx: 6 }) : null,
  moves.length ? pill(worthText(top, role), Boolean(top?.best), x + size * away, y + size * away, size * (away > 0.5 ? 0.62 : 1), choices.values || (state.hint && Boolean(top?.best))) : null,
  s("rect.ring", { x: x + 2.5, y: y + 2.5, width: size - 5, height: size - 5, rx: 4 }));
}

/** Whether the last move was made on a square. */
function wasPlayed(index, r, c) {
  const move = /** @type {any} */ (made(here()));
  return move?.where?.board === index && !anySquare(move) && move.where.cells.some((cell) => String(cell) === `${r},${c}`);
}

/** Dominoes: a stop on the edge between two squares. */
function edgeMoves(index, row, corner, size) {
  const squares = row.map((cell) => String(cell.at));
  return choosable().filter(({ where }) => where?.kind === "edge" && where.board === index && squares.includes(String(where.cells[0]))).map((move) => {
    const places = move.where?.cells.map(corner) ?? [];
    const [cx, cy] = [0, 1].map((way) => places.reduce((sum, place) => sum + place[way], 0) / places.length + size / 2);
    const value = valueOf(move);
    const role = state.valuesFor ?? move.role;
    const r = Math.max(12, Math.min(size * 0.3, 22));
    return stop(`${index}:${move.move}`, true, [tidy(move.move), move.part !== null && `part ${move.part}`, choices.values ? worthWords(value, role) : "can be played"], () => playMove(move), { class: `cell live edge${dimmed(move.part)}`, "data-move": move.move },
      s("circle.hit", { cx, cy, r }), pill(worthText(value, role), Boolean(value?.best), cx, cy, size, choices.values || (state.hint && Boolean(value?.best))), s("circle.ring", { cx, cy, r }));
  });
}

/** From-to moves that go on from the selection, as arrows. */
function arrows(index, corner, size) {
  const last = state.selection[state.selection.length - 1];
  if (last?.[0] !== index) return null;
  const targets = new Set(open().filter((move) => move.where?.board === index && !anySquare(move)).map((move) => String(move.where?.cells[state.selection.length])));
  const [x, y] = corner([last[1], last[2]]);
  return s("g.arrows", { "aria-hidden": "true" }, [...targets].map((target) => {
    const [u, v] = corner(target.split(",").map(Number));
    const length = Math.hypot(u - x, v - y) || 1;
    const part = 1 - Math.min(18, length / 3) / length;
    return s("path.arrow", { "marker-end": "url(#arrowtip)", d: `M${x + size / 2} ${y + size / 2}l${(u - x) * part} ${(v - y) * part}` });
  }));
}

/** Moves that have no square of their own, as a list. */
function moveList(position) {
  const all = choosable();
  const moves = all.filter((move) => !onBoard(move));
  const text = (move) => (choices.values ? worthText(valueOf(move), state.valuesFor ?? move.role) : "");
  const known = all.filter(text).length;
  const waiting = Object.entries(state.pending).map(([role, move]) => `${role} has chosen ${tidy(move)}.`);
  if (here().values && known < all.length && choices.values) waiting.push(`values for ${known} of ${all.length} moves`);
  return h("div.movelist", { hidden: !moves.length && !waiting.length }, waiting.map((words) => h("p.soft", words)), h("ul.row", { "aria-label": "Moves" }, moves.map((move) =>
    h("li", h("button", { class: `button small mono${valueOf(move)?.best && choices.values ? " primary" : ""}`, "data-move": move.move, onclick: () => playMove(move) }, position.to.length > 1 && `${move.role}: `, tidy(move.move), text(move) && ` ${text(move)}`)))));
}

const stateTable = (position) => h("div.statetable", h("p.soft", "This game has no board that can be drawn; here is its state as a table."), table("The state", null, position.state.map((fluent) => [h("span.mono", fluent)])));

/** One stop of the tab key in all boards; the focus comes back to where it was, or near it. */
function rove(place, inside) {
  const stops = [...place.querySelectorAll("[data-stop]")];
  const every = [...place.querySelectorAll("[role=gridcell]")];
  const old = every.find((each) => each.dataset.key === stopKey);
  const home = old && stops.length && !stops.includes(old) ? nearest(old, stops) ?? old : old ?? stops[0] ?? every[0];
  if (!home) return;
  home.setAttribute("tabindex", "0");
  if (inside) home.focus({ preventScroll: true });
}

/** Arrows, Enter and the like inside the board. @param {KeyboardEvent} event @returns {boolean} whether it was ours */
export function boardKey(event, place) {
  const now = document.activeElement;
  if (!now || !place.contains(now) || now.getAttribute("role") !== "gridcell") return false;
  if (event.key.startsWith("Arrow")) {
    const next = nearest(now, [...place.querySelectorAll(event.shiftKey ? "[role=gridcell]:not(.edge)" : "[data-stop]")], event.key);
    if (next) {
      now.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
    return true;
  }
  if (event.key !== "Enter" && event.key !== " ") return false;
  now.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return true;
}
export function rememberFocus(place) {
  place.addEventListener("focusin", (event) => { stopKey = event.target?.dataset.key ?? stopKey; });
}

/** @param {Board} board @param {{room: number}} layout */
function drawLines(board, index, layout) {
  const nodes = board.nodes ?? [];
  const spans = [0, 1].map((way) => {
    const all = nodes.map((node) => node[way]);
    return [Math.min(...all), Math.max(1, Math.max(...all) - Math.min(...all))];
  });
  const unit = Math.max(24, Math.min(90, (layout.room - 60) / spans[0][1], 330 / spans[1][1]));
  const place = (i) => spans.map(([low], way) => 30 + (nodes[i][way] - low) * unit);
  const [width, height] = spans.map(([, size]) => 60 + size * unit);
  const lines = (board.lines ?? []).map((line) => {
    const cell = board.cells[line.cell];
    if (!cell) return null;
    const [x, y] = place(line.ends[0]);
    const [u, v] = place(line.ends[1]);
    const [cx, cy, d] = [(x + u) / 2, (y + v) / 2, `M${x} ${y}L${u} ${v}`];
    const moves = movesAt([index, ...cell.at]);
    const value = moves.length ? valueOf(moves[0]) : null;
    const role = state.valuesFor ?? moves[0]?.role ?? "";
    return stop(`${index}:${cell.at}`, moves.length > 0, [`line ${line.cell + 1}`, cell.holds, cell.part !== null && `part ${cell.part}`, moves.length && worthWords(value, role)], () => activate([index, ...cell.at]), {},
      choices.parts && cell.part !== null && s("path", { class: `partline ${hue(cell.part)}`, "data-part": cell.part, d }), s("path", { class: `wire ${cell.glyph}`, d }),
      moves.length ? pill(worthText(value, role), Boolean(value?.best), cx, cy, 50, choices.values) : null, s("circle.ring.hit", { cx, cy, r: 18 }));
  });
  return s("svg.grid.wires", { role: "grid", "aria-label": titleOf(board, index), "data-picture": "board", viewBox: `0 0 ${width} ${height}`, width, height },
    s("g", { role: "row" }, lines), s("g", { "aria-hidden": "true" }, nodes.map((_, i) => s("circle.point", { cx: place(i)[0], cy: place(i)[1], r: 5 }))));
}

const GAP = 24;
const TOUCH = 44;

/** @param {Board[]} boards */
function measure(place, boards) {
  const room = Math.max(240, place.clientWidth);
  const phone = window.innerWidth <= 560;
  const widest = Math.max(1, ...boards.flatMap((board) => (board.kind === "grid" ? board.rows.map((name) => name.length) : [1])));
  const left = choices.coordinates ? Math.max(28, widest * 8 + 16) : 4;
  const top = choices.coordinates ? 28 : 4;
  const columns = Math.max(1, ...boards.map((board) => (board.kind === "graph" ? 4 : board.columns.length)));
  const rows = Math.max(1, ...boards.map((board) => (board.kind === "graph" ? 4 : rowsOf(board))));
  const titled = boards.length > 1;
  const tall = roomBelow();
  const most = isProjector() ? 120 : boards.some((board) => board.kind === "heaps") ? 44 : 84;
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

/** How many rows a board has; heaps have no names for theirs. @param {Board} board */
export const rowsOf = (board) => board.rows.length || Math.max(1, ...board.cells.map((cell) => cell.at[0] + 1));

/** The height that boards may take so that the bench fits without scrolling; null where it scrolls anyway. */
function roomBelow() {
  if (isProjector()) return Math.min(window.innerHeight * 0.56, 720);
  if (window.innerWidth > 900) return Math.max(240, window.innerHeight - 404);
  return window.innerWidth > 560 ? 620 : null;
}
