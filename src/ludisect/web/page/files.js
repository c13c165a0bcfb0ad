// Files of a study: a trace line with more keys, saved and opened again with every move checked.

import { get, Problem, register } from "./api.js";
import { $, h, toast } from "./dom.js";
import { forget, goTo, openGame } from "./play.js";
import { download } from "./pictures.js";
import { all, at, before, busyMoves, child, here, onward, ply, study, worth } from "./study.js";

const OWN = ["id", "parent", "moves", "to", "comment", "mark", "value", "exact", "seconds"];
const TOP = ["game", "steps", "final", "format", "rules", "sum", "fen", "made", "version", "at", "tree"];

const version = () => get("/version").then((told) => told.ludisect, () => null);
const others = (entry, known) => Object.fromEntries(Object.entries(entry).filter(([key]) => !known.includes(key)));

/** The study as an object: its main line is a trace that `ludisect replay` checks. */
async function asFile() {
  const { game, extra } = study();
  const nodes = all();
  const main = onward([at(0)]);
  const end = main[main.length - 1].position;
  return {
    ...extra, game: game.source ?? game.game ?? game.title,
    steps: main.filter((node) => node.moves).map((node) => { const { state = [], legal = {} } = before(node)?.position ?? {}; return { state, legal, moves: node.moves }; }),
    final: { state: end?.state ?? [], terminal: end?.terminal ?? false, goals: end?.goals ?? null },
    format: "ludisect-study/1", rules: game.text ?? null, sum: game.sum ?? null, fen: game.fen ?? null,
    made: new Date().toISOString().replace(/\.\d+Z$/, "Z"), version: await version(), at: nodes.indexOf(here()), tree: nodes.map((node) => written(node, nodes)),
  };
}

function written(node, nodes) {
  const above = before(node);
  const value = worth(node)?.value ?? (node.stored?.old ? null : node.stored?.value);
  return {
    ...node.extra, id: nodes.indexOf(node), parent: above && nodes.indexOf(above), ...(node.moves && { moves: node.moves }), ...(node.to && { to: node.to === "left" ? "L" : "R" }),
    ...(node.comment && { comment: node.comment }), ...(node.mark && { mark: node.mark }), ...(value && { value, exact: above?.values?.exact ?? node.stored?.exact ?? false }),
  };
}

export async function save() {
  const file = await asFile();
  const name = String(file.game ?? "game").replace(/[^\w.-]+/g, "-").slice(0, 60);
  download(`${JSON.stringify(file)}\n`, "application/json", `${name}.study.json`);
  toast("Study saved.");
}

export function openFile() {
  $("#openfile")?.remove();
  const input = h("input", { type: "file", id: "openfile", hidden: true, accept: ".json,.kif,.gdl,.txt", onchange: async () => { const file = input.files[0]; if (file) await openText(await file.text(), file.name); } });
  $("#notices").append(input);
  input.click();
}

/** Opens what a file holds: a study or a rule sheet. */
export async function openText(text, name) {
  try {
    if (name.endsWith(".json") || text.trimStart().startsWith("{")) await load(JSON.parse(text));
    else await openGame(await register({ text }));
  } catch (error) {
    toast(error instanceof SyntaxError ? `${name} is not JSON: ${error.message}` : error.message);
  }
}

async function load(file) {
  if (!Array.isArray(file?.tree)) throw new Error("This file is no study: it has no tree.");
  await openGame(await register(file.fen ? { fen: file.fen } : file.sum ? { sum: file.sum } : file.rules ? { text: file.rules } : { source: file.game }));
  const game = study();
  game.extra = others(file, TOP);
  const old = file.version !== (await version());
  /** @type {Map<number, Knot>} */
  const known = new Map();
  for (const [i, entry] of file.tree.entries()) {
    let node = at(0);
    if ((entry.parent ?? null) !== null) {
      const above = known.get(entry.parent);
      if (!above) throw new Error(`Entry ${i} of the tree has a parent that does not stand before it.`);
      node = child(above.id, entry.moves ? { moves: entry.moves } : { to: entry.to === "R" || entry.to === "right" ? "right" : "left" });
      await arrive(node, entry);
    }
    Object.assign(node, { comment: entry.comment, mark: entry.mark, extra: others(entry, OWN), stored: entry.value ? { value: entry.value, exact: entry.exact, old } : undefined });
    known.set(entry.id, node);
  }
  await goTo(known.get(file.at) ?? at(0));
}

async function arrive(node, entry) {
  try {
    await goTo(node, true);
  } catch (error) {
    if (!(error instanceof Problem) || error.status < 400) throw error;
    const number = ply(node.id);
    forget(node);
    throw new Error(`Move ${number} of the file is not legal: ${busyMoves(entry.moves)}.`);
  }
}
