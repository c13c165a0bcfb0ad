// The tree of moves of the game in front: main line and side lines, where we are, and changes that can be taken back.

import { state } from "./store.js";

/** @returns {Study} */
export function study() {
  if (!state.study) throw new Error("no game yet");
  return state.study;
}

/** Whether the game in front is a sum of positions, not given by rules. */
export const isSum = () => study().game.kind === "sum";

/** @param {Game} game @returns {Study} */
export const newStudy = (game) => ({ game, knots: new Map([[0, knot(0, null)]]), current: 0, next: 1, undo: [], extra: {} });

const knot = (id, parent) => ({ id, parent, children: [], position: null, values: null });

export function at(id) {
  const found = study().knots.get(id ?? 0);
  if (!found) throw new Error(`no node ${id}`);
  return found;
}

export const here = () => at(study().current);

/** The node before another one. @param {Knot} node */
export const before = (node) => (node.parent === null ? null : at(node.parent));

export function path(id = study().current) {
  const way = [];
  for (let step = /** @type {Knot|null} */ (at(id)); step; step = before(step)) way.push(step);
  return way.reverse();
}

/** On from a node by first children. @param {Knot[]} way */
export function onward(way) {
  for (let last = way[way.length - 1]; last.children.length; last = way[way.length - 1]) way.push(at(last.children[0]));
  return way;
}

/** The line through the current node to its end. */
export const line = () => onward(path());

/** What the server needs to find a position: moves, and who is to play where that was changed. @param {Knot[]} [way] */
export const request = (way = path()) => ({ line: way.filter((step) => step.moves).map((step) => step.moves), to: way[way.length - 1].to ?? null });

/** Moves played so far. */
export const ply = (id) => path(id).filter((step) => step.moves).length;

/** The child that a move leads to: an old one if the move was played before, else a new one.
 * @param {{moves?: Record<string, string>, to?: string|null}} step */
export function child(parent, step) {
  const told = (each) => JSON.stringify([Object.entries(each.moves ?? {}).sort(), each.to ?? null]);
  const above = at(parent);
  const known = above.children.find((id) => told(at(id)) === told(step));
  if (known !== undefined) return at(known);
  const made = { ...knot(study().next++, parent), ...step };
  study().knots.set(made.id, made);
  above.children.push(made.id);
  return made;
}

/** The node at which the side line of a node left its main line: the first that is not a first child, from below. @param {Knot} [node] */
export const sideStart = (node = here()) => path(node.id).reverse().find((step) => step.parent !== null && at(step.parent).children[0] !== step.id) ?? null;

/** Another move at this place: the next or last child of the same parent. */
export function sibling(by) {
  const all = before(here())?.children ?? [];
  const found = all[all.indexOf(here().id) + by];
  return found === undefined ? null : at(found);
}

/** Moves the side line of the current node up (-1) or down (+1) among its brothers. */
export function shift(by) {
  const start = sideStart() ?? (by < 0 ? null : here());
  const all = (start && before(start)?.children) ?? [];
  const from = start ? all.indexOf(start.id) : 0;
  if (from + by < 0 || from + by >= all.length) return false;
  const move = (a, b) => all.splice(b, 0, ...all.splice(a, 1));
  move(from, from + by);
  study().undo.push(() => move(from + by, from));
  return true;
}

/** Removes a node and all below it; the current node falls back to its parent. @param {Knot} gone */
export function prune(gone) {
  const above = before(gone);
  if (!above) return false;
  const place = above.children.indexOf(gone.id);
  const old = study().current;
  if (path().includes(gone)) study().current = above.id;
  above.children.splice(place, 1);
  study().undo.push(() => {
    above.children.splice(place, 0, gone.id);
    study().current = old;
  });
  return true;
}

/** @param {Knot} node @param {{comment?: string, mark?: string}} words */
export function annotate(node, words) {
  const old = { comment: node.comment, mark: node.mark };
  Object.assign(node, words);
  study().undo.push(() => Object.assign(node, old));
}

/** Every node, parents first, children in their order. */
export const all = (from = at(0)) => [from, ...from.children.flatMap((id) => all(at(id)))];

/** The worth of the move that led to a node, as its parent's values tell it. @param {Knot} node */
export const worth = (node) => before(node)?.values?.values.find((each) => node.moves?.[each.role] === each.move) ?? null;

/** The move of those who had a choice that led to a node, as it stood before. @param {Knot} node */
export function made(node) {
  const old = before(node)?.position;
  return old?.moves.find((each) => node.moves?.[each.role] === each.move && old.to.includes(each.role));
}

/** The moves of all who did not wait, in words. */
export const busyMoves = (moves) => Object.values(moves ?? {}).filter((move) => move !== "noop").join(" ");

/** What was played, in a word: the moves of those who had a choice. @param {Knot} node */
export function played(node) {
  if (!node.moves) return node.to ? `${node.to} to play` : "start";
  const old = before(node)?.position;
  const entries = Object.entries(node.moves);
  const chosen = entries.filter(([role, move]) => (old ? old.to.includes(role) : move !== "noop"));
  return (chosen.length ? chosen : entries.slice(0, 1)).map(([, move]) => tidy(move)).join(" ");
}

/** A move as people write it: dominoes with a dash. */
export const tidy = (move) => (move.startsWith("(") ? move : move.replace(/([a-z]\d+)-([a-z]\d+)/g, "$1–$2"));
