// A variable moved into another part is refuted by two situations that look the same from there and go on differently.

import * as api from "./api.js";
import { $, badge, chip, h, put, small } from "./dom.js";
import { smallBoard } from "./glyphs.js";
import { start, trouble } from "./jobs.js";
import { busyMoves, study } from "./study.js";
import { count, duration, stepWords } from "./text.js";

const LOOKING = "Looking for a state that refutes it …";

/** Moves fluents into another part and asks whether that holds. @param {any} found decomposition */
export async function refute(found, fluents, from, to, seconds = 20) {
  const changed = structuredClone(found);
  const [source, target] = [from, to].map((id) => changed.subgames.find((part) => part.id === id));
  source.fluents = source.fluents.filter((fluent) => !fluents.includes(fluent));
  target.fluents = [...target.fluents, ...fluents].sort();
  if (!source.fluents.length) changed.subgames = changed.subgames.filter((part) => part !== source);
  const name = fluents.length > 1 ? fluents[0].replace(/\S+\)$/, "*)") : fluents[0] ?? "nothing";
  const goal = target.kind === "independent" ? "the context" : `part ${to}`;
  /** @type {any} */
  let job = null;
  const close = () => { place.remove(); job?.cancel(); };
  const words = h("p.soft", { role: "status" }, LOOKING);
  $("#refutation")?.remove();
  const place = h("aside.panel.drawer", { id: "refutation", "aria-label": "Refutation", tabindex: -1, onkeydown: (event) => { if (event.key === "Escape") close(); } }, h("div.row", h("h2.grow", `${name} to ${goal}`), small("Undo", close)), words);
  document.body.append(place);
  place.focus();
  try {
    job = await start("verify", study().game.id, { options: { decomposition: changed, prove: true }, seconds }, (now) => { if (now.step) words.textContent = `${LOOKING} ${stepWords(now.step)}`; });
    const done = await job.done;
    words.remove();
    await show(place, done, name, goal, to);
  } catch (error) {
    put(words, error.message);
  }
}

async function show(place, job, name, goal, to) {
  const evidence = (job.result ?? job.partial)?.evidence;
  const example = evidence?.counterexample;
  const looked = job.limit ? `${count(evidence?.transitions ?? 0)} transitions` : "1,000 plays";
  const [kind, text, more] = job.state !== "done" ? ["refuted", "not judged", trouble(job)] : example ? ["refuted", "refuted", `${name} does not belong to ${goal}.`]
    : evidence?.status === "proved" ? ["proved", "holds", "This division is as good: it was proved, too."] : ["tested", "open", `No state found in ${looked} and no proof in ${duration(job.seconds ?? 0)}: open.`];
  place.append(h("p", chip(kind, text), " ", more));
  if (!example) return;
  const situations = example.situations ?? [];
  const label = h("span.soft");
  const pictures = h("div.situations");
  const draw = async (step) => {
    put(pictures, await Promise.all(situations.map((each, i) => situation(each, i, step, example.subgame ?? to))));
    label.textContent = step ? "after the moves" : "before the moves";
    buttons.forEach((button, i) => { button.disabled = i === step; });
  };
  const buttons = [small("◀", () => draw(0), { "aria-label": "The states before" }), small("▶", () => draw(1), { "aria-label": "The states after" })];
  place.append(h("p.soft", example.what ? `${example.what[0].toUpperCase()}${example.what.slice(1)} (condition ${example.condition}).` : `Condition ${example.condition} fails.`), h("div.row", buttons, label), pictures);
  await draw(situations.length ? 1 : 0);
}

/** One situation: its moves, and its state before or after them. */
async function situation(each, index, step, part) {
  const shown = step ? (each.next ?? each.state) : each.state;
  const inside = (step ? each.part_next : each.part) ?? [];
  const fresh = new Set(step ? shown.filter((fluent) => !each.state.includes(fluent)) : []);
  const position = await api.position(study().game.id, { state: shown }).catch(() => null);
  return h("figure.situation", h("figcaption.mono", `${"AB"[index] ?? index + 1}: ${busyMoves(each.moves) || "no move"}`), position?.boards.filter((board) => board.kind === "grid").map((board) => picture(board, fresh)), h("p.soft", badge(part), ` holds ${inside.slice(0, 12).join(" ")}${inside.length > 12 ? " …" : ""}`));
}

function picture(board, fresh) {
  const ringed = (cell) => cell.fluents.some((fluent) => fresh.has(fluent));
  const told = board.cells.filter(ringed).map((cell) => `row ${board.rows[cell.at[0]]}, column ${board.columns[cell.at[1]]} changed to ${cell.holds || "empty"}`).join("; ");
  return smallBoard(board, Math.max(18, Math.min(34, Math.floor(150 / board.columns.length))), ringed, { role: "img", "aria-label": `${board.title}: ${told || "nothing changed"}` });
}
