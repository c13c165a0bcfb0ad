// The tree of moves of one game: main line and side lines, where we are, and changes that can be taken back.

/** @param {Game} game @returns {Study} */
export function newStudy(game) {
  return { game, knots: new Map([[0, knot(0, null)]]), current: 0, next: 1, undo: [], extra: {} };
}

function knot(id, parent) {
  return { id, parent, children: [], position: null, values: null };
}

/** @param {Study} study @param {number} id @returns {Knot} */
export function at(study, id) {
  const found = study.knots.get(id);
  if (!found) throw new Error(`no node ${id}`);
  return found;
}

/** @param {Study} study @returns {Knot} */
export function here(study) {
  return at(study, study.current);
}

/** From the root to a node. @param {Study} study @param {number} [id] @returns {Knot[]} */
export function path(study, id = study.current) {
  const way = [];
  for (let step = /** @type {number|null} */ (id); step !== null; step = at(study, step).parent) way.push(at(study, step));
  return way.reverse();
}

/** The line through the current node, on to its end by first children. @param {Study} study @returns {Knot[]} */
export function line(study) {
  const way = path(study);
  for (let last = way[way.length - 1]; last.children.length; last = way[way.length - 1]) way.push(at(study, last.children[0]));
  return way;
}

/** What the server needs to find a position: moves, and who is to play where that was changed. @param {Knot[]} way */
export function request(way) {
  const last = way[way.length - 1];
  return { line: way.filter((step) => step.moves).map((step) => step.moves), to: last.to ?? null };
}

/** Moves played so far. @param {Study} study @param {number} [id] */
export function ply(study, id = study.current) {
  return path(study, id).filter((step) => step.moves).length;
}

function same(a, b) {
  return JSON.stringify(Object.entries(a ?? {}).sort()) === JSON.stringify(Object.entries(b ?? {}).sort());
}

/**
 * The child that a move leads to: an old one if the move was played before, else a new one.
 * @param {Study} study @param {number} parent @param {{moves?: Record<string, string>, to?: string|null}} step @returns {Knot}
 */
export function child(study, parent, step) {
  const above = at(study, parent);
  for (const id of above.children) {
    const known = at(study, id);
    if (same(known.moves, step.moves) && (known.to ?? null) === (step.to ?? null)) return known;
  }
  const made = { ...knot(study.next, parent), ...step };
  study.knots.set(made.id, made);
  study.next += 1;
  above.children.push(made.id);
  return made;
}

/** The node at which the side line of a node left its main line: the first that is not a first child, from below.
 * @param {Study} study @param {number} id @returns {Knot|null} */
export function sideStart(study, id) {
  for (const step of path(study, id).reverse()) {
    if (step.parent !== null && at(study, step.parent).children[0] !== step.id) return step;
  }
  return null;
}

/** Another move at this place: the next or last child of the same parent. @param {Study} study @param {number} by @returns {Knot|null} */
export function sibling(study, by) {
  const now = here(study);
  if (now.parent === null) return null;
  const all = at(study, now.parent).children;
  const found = all[all.indexOf(now.id) + by];
  return found === undefined ? null : at(study, found);
}

/** Moves the side line of a node up (-1) or down (+1) among its brothers. @param {Study} study @param {number} id @param {number} by */
export function shift(study, id, by) {
  const start = by < 0 ? sideStart(study, id) : (sideStart(study, id) ?? at(study, id));
  if (!start || start.parent === null) return false;
  const all = at(study, start.parent).children;
  const from = all.indexOf(start.id);
  const to = from + by;
  if (to < 0 || to >= all.length) return false;
  all.splice(to, 0, ...all.splice(from, 1));
  study.undo.push(() => all.splice(from, 0, ...all.splice(to, 1)));
  return true;
}

/** Removes a node and all below it; the current node falls back to its parent. @param {Study} study @param {number} id */
export function prune(study, id) {
  const gone = at(study, id);
  if (gone.parent === null) return false;
  const above = at(study, gone.parent);
  const place = above.children.indexOf(id);
  const old = study.current;
  above.children.splice(place, 1);
  if (path(study).some((step) => step.id === id)) study.current = above.id;
  study.undo.push(() => {
    above.children.splice(place, 0, id);
    study.current = old;
  });
  return true;
}

/** @param {Study} study @param {Knot} node @param {{comment?: string, mark?: string}} words */
export function annotate(study, node, words) {
  const before = { comment: node.comment, mark: node.mark };
  Object.assign(node, words);
  study.undo.push(() => Object.assign(node, before));
}

/** Takes the last change back. @param {Study} study */
export function takeBack(study) {
  const step = study.undo.pop();
  step?.();
  return step !== undefined;
}

/** Every node, parents first, children in their order. @param {Study} study @returns {Knot[]} */
export function all(study) {
  /** @type {Knot[]} */
  const found = [];
  const open = [0];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const now = at(study, id);
    found.push(now);
    open.push(...[...now.children].reverse());
  }
  return found;
}

/**
 * The worth of the move that led to a node, as its parent's values tell it.
 * @param {Study} study @param {Knot} node @returns {MoveValue|null}
 */
export function worth(study, node) {
  if (node.parent === null || !node.moves) return null;
  const values = at(study, node.parent).values;
  if (!values) return null;
  const moves = node.moves;
  return values.values.find((each) => moves[each.role] === each.move) ?? null;
}

/** What was played, in a word: the moves of those who had a choice. @param {Study} study @param {Knot} node */
export function played(study, node) {
  if (!node.moves) return node.to ? `${node.to} to play` : "start";
  const before = node.parent === null ? null : at(study, node.parent).position;
  const entries = Object.entries(node.moves);
  const chosen = before ? entries.filter(([role]) => before.to.includes(role)) : entries.filter(([, move]) => move !== "noop");
  return (chosen.length ? chosen : entries.slice(0, 1)).map(([, move]) => tidy(move)).join(" ");
}

/** A move as people write it: dominoes with a dash. @param {string} move */
export function tidy(move) {
  return /^\(/.test(move) ? move : move.replace(/([a-z]\d+)-([a-z]\d+)/g, "$1–$2");
}
