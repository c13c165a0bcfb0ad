// A variable moved into another part is refuted by two situations: same part, same context, same local moves, and yet another outcome.

import * as api from "./api.js";
import { badge, button, chip, h, put, s } from "./dom.js";
import { glyph } from "./glyphs.js";
import { start } from "./jobs.js";
import { study } from "./play.js";
import { state, tell } from "./store.js";
import { count } from "./text.js";

const SECONDS = 20;

function drawer() {
  document.getElementById("refutation")?.remove();
  const made = h("aside.panel.drawer", { id: "refutation", "aria-label": "Refutation", tabindex: "-1" });
  document.body.append(made);
  made.addEventListener("keydown", (event) => { if (event.key === "Escape") made.remove(); });
  made.focus();
  return made;
}

/** Moves fluents into another part and asks whether that holds. @param {any} found decomposition @param {string[]} fluents @param {number} from @param {number} to */
export async function refute(found, fluents, from, to) {
  const changed = structuredClone(found);
  const source = changed.subgames.find((part) => part.id === from);
  const target = changed.subgames.find((part) => part.id === to);
  source.fluents = source.fluents.filter((fluent) => !fluents.includes(fluent));
  target.fluents = [...target.fluents, ...fluents].sort();
  if (!source.fluents.length) changed.subgames = changed.subgames.filter((part) => part !== source);
  const place = drawer();
  const close = button("Undo", { class: "button small", onclick: () => place.remove() });
  const name = fluents.length > 1 ? fluents[0].replace(/\S+\)$/, "*)") : fluents[0];
  const goal = target.kind === "independent" ? "the context" : `part ${to}`;
  const words = h("p.soft", { role: "status" }, "Looking for a state that refutes it …");
  put(place, h("div.row", h("h2.grow", `${name} to ${goal}`), close), words);
  try {
    const job = await start("verify", study().game.id, { options: { decomposition: changed, prove: true }, seconds: SECONDS }, (now) => {
      if (now.step) words.textContent = `Looking for a state that refutes it … ${now.step.name} ${count(now.step.done)}`;
    });
    close.addEventListener("click", () => job.cancel().catch(() => {}));
    show(place, await job.done, name, goal, to, close);
  } catch (error) {
    put(words, error.message);
  }
}

async function show(place, job, name, goal, to, close) {
  const evidence = job.result?.evidence;
  const head = (kind, text, more) => put(place, h("div.row", h("h2.grow", `${name} to ${goal}`), close), h("p", chip(kind, text), " ", more));
  if (job.state !== "done") return head("refuted", "not judged", job.problem?.detail ?? job.problem?.title ?? "Cancelled.");
  if (!evidence?.counterexample) {
    if (evidence?.status === "proved") return head("proved", "holds", "This division is as good: it was proved, too.");
    return head("tested", "open", `No state found in ${count(1000)} plays and no proof in ${SECONDS} s: open.`);
  }
  const example = evidence.counterexample;
  head("refuted", "refuted", `${name} does not belong to ${goal}.`);
  place.append(h("p.soft", example.what ? `${example.what[0].toUpperCase()}${example.what.slice(1)} (condition ${example.condition}).` : `Condition ${example.condition} fails.`));
  const situations = example.situations ?? [];
  let step = 0;
  const pictures = h("div.situations");
  const draw = async () => {
    const drawn = await Promise.all(situations.map((each, i) => situation(each, i, step, example.subgame ?? to)));
    put(pictures, drawn);
    label.textContent = step ? "after the moves" : "before the moves";
    back.disabled = step === 0;
    on.disabled = step === 1;
  };
  const label = h("span.soft");
  const back = button("◀", { class: "button small", "aria-label": "The states before", onclick: () => { step = 0; draw(); } });
  const on = button("▶", { class: "button small", "aria-label": "The states after", onclick: () => { step = 1; draw(); } });
  place.append(h("div.row", back, on, label), pictures);
  state.lit = null;
  tell("look");
  step = situations.length ? 1 : 0;
  await draw();
}

/** One situation: its moves, and its state before or after them. */
async function situation(each, index, step, part) {
  const shown = step ? (each.next ?? each.state) : each.state;
  const inside = step ? (each.part_next ?? []) : (each.part ?? []);
  const moves = Object.values(each.moves ?? {}).filter((move) => move !== "noop").join(" ");
  const before = new Set(each.state);
  /** @type {any} */
  let picture = null;
  try {
    picture = boards((await api.position(study().game.id, { state: shown })).boards, step ? shown.filter((fluent) => !before.has(fluent)) : []);
  } catch {
    picture = null;
  }
  return h("figure.situation", h("figcaption.mono", `${"AB"[index] ?? index + 1}: ${moves || "no move"}`), picture?.length ? picture : null, h("p.soft", badge(part), ` holds ${inside.slice(0, 12).join(" ")}${inside.length > 12 ? " …" : ""}`));
}

/** Small boards with changed squares ringed. */
function boards(all, changed) {
  const ringed = new Set(changed);
  return all.filter((board) => board.kind === "grid").map((board) => {
    const size = Math.max(18, Math.min(34, Math.floor(150 / board.columns.length)));
    const width = board.columns.length * size + 2;
    const height = board.rows.length * size + 2;
    const told = board.cells.filter((cell) => cell.fluents.some((fluent) => ringed.has(fluent))).map((cell) => `row ${board.rows[cell.at[0]]}, column ${board.columns[cell.at[1]]} changed to ${cell.holds || "empty"}`);
    return s("svg.smallboard", { role: "img", width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": `${board.title}: ${told.join("; ") || "nothing changed"}` }, board.cells.map((cell) => {
      const [x, y] = [1 + cell.at[1] * size, 1 + cell.at[0] * size];
      const hit = cell.fluents.some((fluent) => ringed.has(fluent));
      return s("g", s("rect.square.bordered", { x, y, width: size, height: size }), cell.glyph === "letter" && size < 24 ? null : glyph(cell, x + size / 2, y + size / 2, size), hit ? s("rect.changed", { x: x + 1.5, y: y + 1.5, width: size - 3, height: size - 3 }) : null);
    }));
  });
}
