// Boards that are no grids: points joined by lines (hackenbush), the lines being what is played.

import { hue, s } from "./dom.js";
import { activate, movesAt } from "./pick.js";
import { pill, valueOf, worthText, worthWords } from "./pills.js";
import { study } from "./play.js";
import { choices, state } from "./store.js";
import { here } from "./study.js";

/** @param {Board} board @param {number} index @param {{room: number}} layout */
export function drawLines(board, index, layout) {
  const nodes = board.nodes ?? [];
  const xs = nodes.map(([x]) => x);
  const ys = nodes.map(([, y]) => y);
  const span = Math.max(1, Math.max(...xs) - Math.min(...xs));
  const rise = Math.max(1, Math.max(...ys) - Math.min(...ys));
  const unit = Math.max(24, Math.min(90, (layout.room - 60) / span, 330 / rise));
  const place = (i) => [30 + (nodes[i][0] - Math.min(...xs)) * unit, 30 + (nodes[i][1] - Math.min(...ys)) * unit];
  const values = here(study()).values;
  const lines = (board.lines ?? []).map((line) => {
    const cell = board.cells[line.cell];
    if (!cell) return null;
    const [r, c] = cell.at;
    const [x, y] = place(line.ends[0]);
    const [u, v] = place(line.ends[1]);
    const moves = movesAt([index, r, c]);
    const value = moves.length ? valueOf(values, moves[0]) : null;
    const role = state.valuesFor ?? moves[0]?.role ?? "";
    const label = [`line ${line.cell + 1}`, cell.holds, cell.part === null ? null : `part ${cell.part}`, moves.length ? worthWords(value, role) : null].filter(Boolean).join(", ");
    return s("g", { role: "gridcell", class: `cell${moves.length ? " live" : ""}`, tabindex: "-1", "data-stop": moves.length ? "" : null, "data-key": `${index}:${r},${c}`, "aria-label": label, onclick: () => activate([index, r, c]) },
      choices.parts && cell.part !== null ? s("path", { class: `partline ${hue(cell.part)}`, "data-part": cell.part, d: `M${x} ${y}L${u} ${v}` }) : null,
      s("path", { class: `wire ${cell.glyph}`, d: `M${x} ${y}L${u} ${v}` }),
      moves.length ? pill(worthText(value, role), Boolean(value?.best), (x + u) / 2, (y + v) / 2, 50, choices.values) : null,
      s("circle.ring.hit", { cx: (x + u) / 2, cy: (y + v) / 2, r: 18 }));
  });
  const width = 60 + span * unit;
  const height = 60 + rise * unit;
  return s("svg.grid.wires", { role: "grid", "aria-label": board.title || `board ${index + 1}`, "data-picture": "board", viewBox: `0 0 ${width} ${height}`, width, height },
    s("g", { role: "row" }, lines),
    s("g", { "aria-hidden": "true" }, nodes.map((_, i) => s("circle.point", { cx: place(i)[0], cy: place(i)[1], r: 5 }))));
}
