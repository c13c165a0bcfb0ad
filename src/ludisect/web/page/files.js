// Files of a study: a trace line with more keys, saved and opened again with every move checked.

import { get, Problem, register } from "./api.js";
import { byId, h, toast } from "./dom.js";
import { goTo, openGame, study } from "./play.js";
import { download } from "./pictures.js";
import { all, at, child, line, worth } from "./study.js";

const OWN = new Set(["id", "parent", "moves", "to", "comment", "mark", "value", "exact", "seconds"]);
const TOP = new Set(["game", "steps", "final", "format", "rules", "sum", "fen", "made", "version", "at", "tree"]);

/** The study as an object: its main line is a trace that `ludisect replay` checks. */
export async function asFile() {
  const game = study();
  const { ludisect } = await get("/version").catch(() => ({ ludisect: null }));
  const number = new Map(all(game).map((node, i) => [node.id, i]));
  const main = [at(game, 0)];
  for (let last = main[0]; last.children.length; last = main[main.length - 1]) main.push(at(game, last.children[0]));
  for (const node of main) if (!node.position) break;
  const played = main.filter((node) => node.moves);
  const steps = played.map((node) => ({ state: node.parent === null ? [] : (at(game, node.parent).position?.state ?? []), moves: node.moves }));
  const end = main[main.length - 1].position;
  return {
    ...game.extra,
    game: game.game.source ?? game.game.game ?? game.game.title, steps,
    final: { state: end?.state ?? [], terminal: end?.terminal ?? false, goals: end?.goals ?? null },
    format: "ludisect-study/1", rules: game.game.text ?? null, sum: game.game.sum ?? null, fen: game.game.fen ?? null,
    made: new Date().toISOString().replace(/\.\d+Z$/, "Z"), version: ludisect, at: number.get(game.current) ?? 0,
    tree: all(game).map((node) => written(node, number)),
  };
}

function written(node, number) {
  const value = worth(study(), node)?.value ?? node.stored?.value;
  return {
    ...node.extra, id: number.get(node.id), parent: node.parent === null ? null : number.get(node.parent), ...(node.moves ? { moves: node.moves } : {}), ...(node.to ? { to: node.to === "left" ? "L" : "R" } : {}),
    ...(node.comment ? { comment: node.comment } : {}), ...(node.mark ? { mark: node.mark } : {}), ...(value ? { value, exact: node.parent === null ? false : (at(study(), node.parent).values?.exact ?? false) } : {}),
  };
}

export async function save() {
  const file = await asFile();
  const name = String(file.game ?? "game").replace(/[^\w.-]+/g, "-").slice(0, 60);
  download(new Blob([`${JSON.stringify(file)}\n`], { type: "application/json" }), `${name}.study.json`);
  toast("Study saved.");
}

export function openFile() {
  document.getElementById("openfile")?.remove();
  const input = h("input", { type: "file", id: "openfile", hidden: true, accept: ".json,.kif,.gdl,.txt", onchange: async () => { const file = input.files?.[0]; if (file) await openText(await file.text(), file.name); } });
  byId("notices").append(input);
  input.click();
}

/** Opens what a file holds: a study or a rule sheet. @param {string} text @param {string} name */
export async function openText(text, name) {
  try {
    if (name.endsWith(".json") || text.trimStart().startsWith("{")) await load(JSON.parse(text));
    else await openGame(await register({ text }));
  } catch (error) {
    toast(error instanceof SyntaxError ? `${name} is not JSON: ${error.message}` : error instanceof Error ? error.message : String(error));
  }
}

/** @param {any} file */
export async function load(file) {
  if (typeof file !== "object" || file === null || !Array.isArray(file.tree)) throw new Error("This file is no study: it has no tree.");
  const what = file.fen ? { fen: file.fen } : file.sum ? { sum: file.sum } : file.rules ? { text: file.rules } : { source: file.game };
  await openGame(await register(what));
  const game = study();
  game.extra = Object.fromEntries(Object.entries(file).filter(([key]) => !TOP.has(key)));
  /** @type {Map<number, Knot>} */
  const made = new Map();
  for (const [i, entry] of file.tree.entries()) {
    const extra = Object.fromEntries(Object.entries(entry).filter(([key]) => !OWN.has(key)));
    let node = at(game, 0);
    if (entry.parent !== null && entry.parent !== undefined) {
      const parent = made.get(entry.parent);
      if (!parent) throw new Error(`Entry ${i} of the tree has a parent that does not stand before it.`);
      node = child(game, parent.id, entry.moves ? { moves: entry.moves } : { to: entry.to === "R" || entry.to === "right" ? "right" : "left" });
      await arrive(node, entry);
    }
    Object.assign(node, { comment: entry.comment, mark: entry.mark, extra, stored: entry.value ? { value: entry.value } : undefined });
    made.set(entry.id, node);
  }
  await goTo(made.get(file.at) ?? at(game, 0));
}

async function arrive(node, entry) {
  try {
    await goTo(node, true);
  } catch (error) {
    if (!(error instanceof Problem) || error.status < 400) throw error;
    const game = study();
    const parent = node.parent === null ? null : at(game, node.parent);
    parent?.children.splice(parent.children.indexOf(node.id), 1);
    game.knots.delete(node.id);
    const moves = Object.values(entry.moves ?? {}).filter((move) => move !== "noop");
    throw new Error(`Move ${line(game).findIndex((each) => each.id === parent?.id) + 1} of the file is not legal: ${moves.join(" ")}.`);
  }
}
