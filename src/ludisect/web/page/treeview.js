// The tree of moves: main line in running text, side lines below the move they replace, comments under their move.

import { button, dialog, h, hue, put } from "./dom.js";
import { goTo, study } from "./play.js";
import { tell } from "./store.js";
import { annotate, at, here, played, ply, prune, shift, sideStart, takeBack, worth } from "./study.js";
import { number, roleName } from "./text.js";

const MOST = 2000;
let budget = 0;

/** @param {HTMLElement} place */
export function drawTree(place) {
  const game = study();
  const root = at(game, 0);
  budget = MOST;
  if (!root.children.length) return put(place, h("p.soft.empty", "No moves yet. Click a square or press Enter on it."));
  const tree = h("div", { role: "tree", class: "tree", "aria-label": "Tree of moves" });
  const count = game.knots.size;
  writeLine(tree, root, 1);
  tree.addEventListener("keydown", treeKey);
  put(place, tree, count > MOST ? h("p.soft", "2,000 nodes; older side lines are folded.") : null, tools());
  const stop = tree.querySelector("[aria-current]") ?? tree.querySelector("[role=treeitem]");
  stop?.setAttribute("tabindex", "0");
  const frame = place.getBoundingClientRect();
  const spot = stop?.getBoundingClientRect();
  if (spot && place.scrollHeight > place.clientHeight && (spot.bottom > frame.bottom || spot.top < frame.top)) place.scrollTop += spot.top - frame.top - frame.height / 2;
}

/** The moves after a node, side lines where they branch off. */
function writeLine(place, from, level) {
  let node = from;
  while (node.children.length) {
    const [first, ...others] = node.children.map((id) => at(study(), id));
    place.append(...item(first, level));
    if (others.length && (budget > 0 || others.some((other) => isOnPath(other.id)))) {
      for (const other of others) {
        const side = h("div", { role: "group", class: "side" });
        side.append(...item(other, level + 1));
        writeLine(side, other, level + 1);
        place.append(side);
      }
    }
    node = first;
  }
}

function isOnPath(id) {
  for (let step = /** @type {number|null} */ (study().current); step !== null; step = at(study(), step).parent) if (step === id) return true;
  return false;
}

function item(node, level) {
  budget -= 1;
  const told = value(node);
  const wrong = node.mark === "?" || (node.mark === undefined && told.wrong);
  const now = node.id === study().current;
  const mark = node.mark ?? (wrong ? "?" : "");
  const piece = h("span", {
    role: "treeitem", class: `knot${now ? " now" : ""}${wrong ? " wrong" : ""}`, tabindex: "-1", "aria-level": level, "aria-current": now ? "true" : null, "aria-selected": String(now), "data-node": node.id,
    "aria-label": [`move ${ply(study(), node.id)}`, played(study(), node), mark ? `marked ${mark}` : null, told.text ? `value ${told.text}` : null, node.comment].filter(Boolean).join(", "),
    onclick: () => goTo(node),
  }, h("span.soft", node.moves ? `${ply(study(), node.id)}.` : "↔"), node.part !== null && node.part !== undefined ? h("i", { class: `dot ${hue(node.part)}`, "data-part": node.part }) : null,
    h("span.movename", node.moves ? played(study(), node) : `${roleName(node.to ?? "")} to play`), mark ? h("b", mark) : null, told.text ? h("span.knotvalue", told.text) : null);
  return node.comment ? [piece, h("p.comment", { role: "none" }, node.comment)] : [piece];
}

function value(node) {
  const game = study();
  const found = worth(game, node);
  const first = game.game.roles[0];
  if (game.game.kind === "sum") {
    const parent = node.parent === null ? null : at(game, node.parent).values;
    const could = parent?.values.some((each) => each.role === found?.role && each.wins);
    return { text: found?.wins === true ? "✓" : "", wrong: Boolean(found && could && found.wins === false) };
  }
  const worthy = found?.value?.[first] ?? node.stored?.value?.[first];
  return { text: worthy === undefined || worthy === null || Number.isNaN(number(worthy)) ? "" : String(worthy), wrong: Boolean(found && !found.best) };
}

/** Arrows inside the tree go from move to move. */
function treeKey(event) {
  const items = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("[role=treeitem]")];
  const place = items.indexOf(/** @type {Element} */ (document.activeElement));
  if (event.key === "Enter" || event.key === " ") /** @type {HTMLElement} */ (document.activeElement).click();
  else if (event.key === "ArrowDown" || event.key === "ArrowRight") /** @type {HTMLElement} */ (items[place + 1])?.focus();
  else if (event.key === "ArrowUp" || event.key === "ArrowLeft") /** @type {HTMLElement} */ (items[place - 1])?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function tools() {
  const node = here(study());
  const mark = h("select.small", { "aria-label": "Mark of this move", onchange: () => { annotate(study(), node, { mark: mark.value || undefined }); tell("node"); } },
    ["", "!", "?", "!?", "?!"].map((sign) => h("option", { value: sign, selected: (node.mark ?? "") === sign }, sign || "no mark")));
  return h("div.row.treetools",
    button("Comment", { class: "button small", disabled: node.parent === null, onclick: () => editComment(node) }), node.parent === null ? null : mark,
    button("Promote", { class: "button small", disabled: !sideStart(study(), node.id), onclick: () => move(-1) }), button("Demote", { class: "button small", disabled: node.parent === null || at(study(), node.parent).children.length < 2, onclick: () => move(1) }),
    button("Delete", { class: "button small", disabled: node.parent === null, onclick: () => removeHere() }), button("Undo", { class: "button small", disabled: !study().undo.length, onclick: undo }),
    button("Copy as text", { class: "button small", onclick: () => navigator.clipboard?.writeText(asText()).catch(() => {}) }));
}

function editComment(node) {
  const field = h("textarea", { rows: 3, class: "wide", "aria-label": "Comment", value: node.comment ?? "" });
  const box = dialog(`Comment on move ${ply(study(), node.id)}`, [field, h("div.row", button("Keep", { class: "button primary", onclick: () => { annotate(study(), node, { comment: field.value.trim() || undefined }); box.close(); tell("node"); } }))], { id: "commentdialog" });
  field.focus();
}

/** Promotes (-1) or demotes (+1) the line of the current move. @param {number} by */
export function move(by) {
  if (shift(study(), study().current, by)) tell("node");
}

/** Removes the side line of the current move, or the move itself on the main line. */
export function removeHere() {
  const start = sideStart(study(), study().current) ?? here(study());
  if (prune(study(), start.id)) goTo(here(study()));
}

export function undo() {
  if (takeBack(study())) goTo(here(study()));
}

/** The tree as text: side lines in parentheses. */
export function asText() {
  const write = (from) => {
    const out = [];
    let node = from;
    while (node.children.length) {
      const [first, ...others] = node.children.map((id) => at(study(), id));
      const word = (each) => `${each.moves ? `${ply(study(), each.id)}. ` : ""}${played(study(), each)}${each.mark ?? ""}${each.comment ? ` {${each.comment}}` : ""}`;
      out.push(word(first));
      for (const other of others) out.push(`(${word(other)} ${write(other)})`.replace(" )", ")"));
      node = first;
    }
    return out.join(" ");
  };
  return write(at(study(), 0));
}
