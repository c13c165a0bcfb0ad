// The parts of the position in front, for the sum line, the list and the graph: number, kind, name, value.

import { study } from "./play.js";
import { state } from "./store.js";
import { here } from "./study.js";
import { number } from "./text.js";

/** Every part of the position in front. @returns {PartInfo[]} */
export function partsHere() {
  const node = here(study());
  const values = new Map((node.values?.parts ?? []).map((each) => [each.part, each]));
  const position = node.position;
  if (!position) return [];
  if (study().game.kind === "sum") {
    return (position.parts ?? []).map((each) => ({ part: numberOf(each), kind: "part", name: squares(each) || each.text, board: each.board ?? null, cells: each.cells ?? [], value: values.get(numberOf(each)) ?? null, facts: each }));
  }
  const facts = state.decomposition?.subgames ?? [];
  return facts.map((each) => {
    const told = (position.parts ?? []).find((other) => numberOf(other) === each.id);
    const board = position.boards.findIndex((one) => one.part === each.id || (one.cells.length > 0 && one.cells.every((cell) => cell.part === each.id)));
    return { part: each.kind === "independent" ? 0 : each.id, kind: kindOf(each), name: /** @type {any} */ (told)?.name || stem(each.fluents), board: board < 0 ? null : board, cells: [], value: values.get(each.id) ?? null, facts: each };
  });
}

function numberOf(each) {
  return each.part ?? each.number;
}

/** @param {any} part of a decomposition */
export function kindOf(part) {
  return part.kind === "independent" ? "context" : part.useful ? "part" : "idle";
}

/** "d1 and 7 more" of a part's squares. */
function squares(part) {
  const position = here(study()).position;
  const board = part.board === null || part.board === undefined ? null : position?.boards[part.board];
  if (!board || !part.cells?.length || !Array.isArray(part.cells[0])) return "";
  const [r, c] = part.cells[0];
  const first = /^[a-z]+$/.test(board.columns[c] ?? "") ? `${board.columns[c]}${board.rows[r]}` : `${board.title} ${board.columns[c] ?? ""}`.trim();
  return part.cells.length === 1 ? first : `${first} and ${part.cells.length - 1} more`;
}

/** A name for fluents: their common symbol. @param {string[]} fluents */
export function stem(fluents) {
  const symbols = new Set(fluents.map((fluent) => fluent.replace(/^\(|\)$/g, "").split(/\s+/)[0]));
  return [...symbols].join(", ");
}

/** The part that is hottest, of those with a temperature above 0. */
export function hottest() {
  /** @type {PartInfo|null} */
  let best = null;
  for (const each of partsHere()) {
    const heat = number(each.value?.temperature);
    if (heat > 0 && (best === null || heat > number(best.value?.temperature))) best = each;
  }
  return best;
}

/** What is known of independence, as kind of chip and text. */
export function independence() {
  const found = state.decomposition;
  if (!found) return null;
  const parts = found.subgames.filter((part) => part.kind === "dependent");
  const many = `${parts.length} ${parts.length === 1 ? "part" : "parts"}`;
  const evidence = found.evidence ?? {};
  if (evidence.status === "proved") return { kind: "proved", text: parts.length > 1 ? `${many}, proved independent` : `${many}, proved` };
  if (evidence.status === "failed") return { kind: "refuted", text: `${many}, refuted` };
  if (evidence.transitions) return { kind: "tested", text: `${many}, tested ${evidence.transitions.toLocaleString("en-US")}` };
  return { kind: "guessed", text: `${many}, not verified` };
}
