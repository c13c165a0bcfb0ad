// The tree of moves: main line in running text, side lines below the move they replace, comments under their move.

import { $, button, dialog, h, hue, put, select, small } from "./dom.js";
import { goTo } from "./play.js";
import { tell } from "./store.js";
import { annotate, at, before, here, isSum, path, played, ply, prune, shift, sideStart, study, worth } from "./study.js";
import { roleName } from "./text.js";

const MOST = 2000;
let budget = 0;
export function drawTree(place) {
  const root = at(0);
  budget = MOST;
  if (!root.children.length) return put(place, h("p.soft.empty", "No moves yet. Click a square or press Enter on it."));
  const tree = h("div.tree", { role: "tree", "aria-label": "Tree of moves", onkeydown: treeKey });
  writeLine(tree, root, 1);
  put(place, tree, study().knots.size > MOST && h("p.soft", "2,000 nodes; older side lines are folded."), tools());
  const stop = $("[aria-current]", tree) ?? $("[role=treeitem]", tree);
  stop.setAttribute("tabindex", "0");
  const frame = place.getBoundingClientRect();
  const spot = stop.getBoundingClientRect();
  if (place.scrollHeight > place.clientHeight && (spot.bottom > frame.bottom || spot.top < frame.top)) place.scrollTop += spot.top - frame.top - frame.height / 2;
}

/** The moves after a node, side lines where they branch off. */
function writeLine(place, from, level) {
  for (let node = from; node.children.length; ) {
    const [first, ...others] = node.children.map(at);
    place.append(...item(first, level));
    if (budget > 0 || others.some((other) => path().includes(other))) {
      for (const other of others) {
        const side = h("div.side", { role: "group" }, item(other, level + 1));
        writeLine(side, other, level + 1);
        place.append(side);
      }
    }
    node = first;
  }
}

function item(node, level) {
  budget -= 1;
  const told = value(node);
  const wrong = node.mark === "?" || (node.mark === undefined && told.wrong);
  const now = node === here();
  const mark = node.mark ?? (wrong ? "?" : "");
  const name = node.moves ? played(node) : `${roleName(node.to ?? "")} to play`;
  const piece = h("span", {
    role: "treeitem", class: `knot${now ? " now" : ""}${wrong ? " wrong" : ""}`, tabindex: -1, "aria-level": level, "aria-current": now ? "true" : null, "aria-selected": String(now), "data-node": node.id,
    "aria-label": [`move ${ply(node.id)}`, name, mark && `marked ${mark}`, told.text && `value ${told.text}`, told.old && "of another version", node.comment].filter(Boolean).join(", "), onclick: () => goTo(node),
  }, h("span.soft", node.moves ? `${ply(node.id)}.` : "↔"), (node.part ?? null) !== null && h("i", { class: `dot ${hue(node.part)}`, "data-part": node.part }),
  h("span.movename", name), mark && h("b", mark), told.text && h("span", { class: `knotvalue${told.old ? " old" : ""}`, title: told.old && "from a file of another version, not computed again" }, told.text));
  return node.comment ? [piece, h("p.comment", { role: "none" }, node.comment)] : [piece];
}

/** What stands beside a move: its worth, whether it was a mistake, and whether another version found that. */
function value(node) {
  const found = worth(node);
  if (isSum()) {
    const could = before(node)?.values?.values.some((each) => each.role === found?.role && each.wins);
    return { text: found?.wins === true ? "✓" : "", wrong: Boolean(could && found?.wins === false) };
  }
  const first = study().game.roles[0];
  const worthy = found?.value?.[first] ?? null;
  return { text: String(worthy ?? node.stored?.value?.[first] ?? ""), wrong: Boolean(found && !found.best), old: worthy === null && node.stored?.old };
}

/** Arrows inside the tree go from move to move. */
function treeKey(event) {
  const items = [...event.currentTarget.querySelectorAll("[role=treeitem]")];
  const now = items.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (by) items[now + by]?.focus();
  else if (event.key === "Enter" || event.key === " ") items[now]?.click();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function tools() {
  const node = here();
  const root = node.parent === null;
  return h("div.row.treetools", small("Comment", () => editComment(node), { disabled: root }),
    !root && select("Mark of this move", [["", "no mark"], "!", "?", "!?", "?!"], node.mark ?? "", (mark) => { annotate(node, { mark: mark || undefined }); tell("node"); }, { class: "small" }),
    small("Promote", () => move(-1), { disabled: !sideStart() }), small("Demote", () => move(1), { disabled: (before(node)?.children.length ?? 0) < 2 }),
    small("Delete", removeHere, { disabled: root }), small("Undo", undo, { disabled: !study().undo.length }), small("Copy as text", () => navigator.clipboard?.writeText(asText(at(0))).catch(() => {})));
}

function editComment(node) {
  const field = h("textarea.wide", { rows: 3, "aria-label": "Comment", value: node.comment ?? "" });
  const keep = () => { annotate(node, { comment: field.value.trim() || undefined }); box.close(); tell("node"); };
  const box = dialog("commentdialog", `Comment on move ${ply(node.id)}`, field, h("div.row", button("Keep", keep, { class: "button primary" })));
  field.focus();
}

/** Promotes (-1) or demotes (+1) the line of the current move. */
export function move(by) {
  if (shift(by)) tell("node");
}

/** Removes the side line of the current move, or the move itself on the main line. */
export function removeHere() {
  if (prune(sideStart() ?? here())) goTo(here());
}

export function undo() {
  const step = study().undo.pop();
  step?.();
  if (step) goTo(here());
}

/** The tree after a node as text: side lines in parentheses. */
function asText(node) {
  const word = (each) => `${each.moves ? `${ply(each.id)}. ` : ""}${played(each)}${each.mark ?? ""}${each.comment ? ` {${each.comment}}` : ""}`;
  const [first, ...others] = node.children.map(at);
  return first ? [word(first), ...others.map((other) => `(${[word(other), asText(other)].filter(Boolean).join(" ")})`), asText(first)].filter(Boolean).join(" ") : "";
}
