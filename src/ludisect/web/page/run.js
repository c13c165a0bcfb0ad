// Runs: playouts, solving, matches, sweeps as jobs with live tables, and the list of jobs with a cancel that ends the work.

import { get } from "./api.js";
import { bar, h, put, s, select, small, table } from "./dom.js";
import { engines } from "./engines.js";
import { fault } from "./games.js";
import { cancel, ended, jobs, start, trouble } from "./jobs.js";
import { on, state } from "./store.js";
import { isSum, request, study } from "./study.js";
import { count, duration, memory, rough, stepWords } from "./text.js";

/** @type {HTMLElement|null} */
let list = null;
const open = new Set();
export async function buildRun(main) {
  list = h("ul.jobs");
  const said = h("div");
  const names = await engines().catch(() => []);
  if (state.view !== "run") return;
  const field = (label, made, more = "") => h(`label.field${more}`, label, made);
  const number = (label, name, value, min, max) => field(label, h("input.short", { type: "number", name, value, min, max, step: "any" }));
  const players = (isSum() ? ["optimal", "hotstrat"] : ["parts", "random"]).map((name, i) => field(i ? "and" : "players", select("player", names, name, null, { name: "players" })));
  const form = (title, ...fields) => h("form.row.runform", { "aria-label": title, onsubmit: (event) => submit(event, title.toLowerCase(), said) }, h("h2", title), fields, h("button.button.primary", { type: "submit" }, "Start"));
  put(main, h("section.panel.view.run", { "aria-label": "Run" },
    !isSum() && form("Simulate", number("plays", "playouts", 1000000, 1, 1e9), number("seed", "seed", 1, 0, 1e9)),
    form("Solve", number("seconds", "seconds", 20, 1, 600), number("memory, GB", "memory", 2, 0.1, 16)),
    form("Match", players, !isSum() && number("games", "games", 10, 1, 1000), number("seconds a move", "clock", 0.2, 0.05, 60)),
    form("Sweep", field("task", select("task", ["decompose", "solve", "simulate", "check", "build"], "decompose", null, { name: "task" })),
      field("games", h("input.wide.mono", { type: "text", name: "games", placeholder: "all, or names with blanks between" }), ".grow"), number("seconds a game", "clock", 5, 0.1, 600)),
    said, h("h2", "Jobs"), list));
  const known = await get(`/jobs?page=${state.page}`).catch(() => ({ jobs: [] }));
  for (const job of known.jobs) if (!jobs.has(job.id)) jobs.set(job.id, job);
  draw();
}

async function submit(event, command, said) {
  event.preventDefault();
  /** @type {Record<string, any>} */
  const { seconds = 600, memory: gigabytes = 2, ...options } = Object.fromEntries([...event.target.elements].filter(({ name }) => name).map(({ name, type, value }) => [name, type === "number" ? Number(value) : value]));
  if (command === "match") options.players = new FormData(event.target).getAll("players");
  if (command === "sweep") options.games = options.games.split(/\s+/).filter(Boolean);
  const here = command === "solve" || (command === "match" && isSum());
  put(said);
  try {
    const job = await start(command, command === "sweep" ? "" : study().game.id, { ...(here && request()), options, seconds, memory: gigabytes });
    open.add(job.id);
    draw();
  } catch (error) {
    put(said, fault(error));
  }
}

/** What a job says of itself. @param {Job} job */
function stateWords(job) {
  const time = duration(job.seconds ?? 0);
  if (job.state === "queued") return `queued, ${job.before ?? 0} before it`;
  if (job.state === "running") return `running ${time}, ${memory(job.memory ?? 0)}`;
  if (job.state === "cancelled") return "Cancelled; process gone.";
  if (job.state === "failed") return trouble(job);
  return job.limit === "memory" ? `Stopped at ${memory(job.memory ?? 0)}.` : `${job.limit ? "stopped after" : "done"} ${time}`;
}

function draw() {
  if (!list?.isConnected) return;
  const all = [...jobs.values()].filter((job) => job.command !== "values" || !ended(job)).reverse().slice(0, 30);
  put(list, all.length ? all.map(row) : h("li.soft", "Nothing running."));
}

function row(job) {
  const { id, command, step, seconds = 0 } = job;
  const busy = !ended(job);
  const shown = open.has(id);
  const rate = step && seconds && step.done > 1000 ? ` ${rough(step.done / seconds)}/s` : "";
  const result = job.result ?? (command === "values" ? null : job.partial);
  const turn = () => { if (!open.delete(id)) open.add(id); draw(); };
  return h("li.job", { "data-job": id, "data-state": job.state }, h("div.row", h("b", command), h("span", { class: job.state === "failed" ? "fault" : "soft" }, stateWords(job)), busy && step && h("span.soft", `${stepWords(step)}${rate}`), h("span.grow"),
    busy ? small("Cancel", () => cancel(id), { "aria-label": `Cancel ${command}` }) : result && small(shown ? "close" : "open", turn, { "aria-expanded": String(shown) })),
  busy && bar(command, step), result && (busy || shown) && h("div.result", results(command, result)));
}

function results(command, result) {
  if (result.mean_goal) return simulated(result);
  if (command === "match") return rowsOf(result.table ?? result.pairings ?? result.players ?? []);
  if (command === "sweep") return swept(result);
  const told = command === "solve" ? { value: result.value, move: result.move, "found by": result.algorithm, exact: result.exact, evidence: result.evidence, nodes: result.nodes } : result;
  return table("Result", null, Object.entries(told).filter(([, each]) => (each ?? null) !== null).slice(0, 14).map(([name, each]) => [name, plain(each)]), true);
}

function simulated(result) {
  const error = (role) => {
    const counts = Object.entries(result.goals?.[role] ?? {}).map((each) => each.map(Number));
    const n = Math.max(1, counts.reduce((sum, [, times]) => sum + times, 0));
    return 1.96 * Math.sqrt(counts.reduce((sum, [goal, times]) => sum + times * (goal - result.mean_goal[role]) ** 2, 0)) / n;
  };
  return [h("p", `${count(result.playouts)} plays, ${rough(result.playouts_per_second ?? 0)}/s, ${rough(result.states_per_second ?? 0)} states/s, mean length ${result.mean_length?.toFixed(2) ?? "…"}`),
    table("Results", ["role", "mean", "±", "goals"], Object.keys(result.mean_goal).map((role) => [role, result.mean_goal[role]?.toFixed(1), error(role).toFixed(2), bars(result.goals?.[role] ?? {})]), true)];
}

function bars(counts) {
  const entries = Object.entries(counts).map((each) => each.map(Number)).sort((a, b) => a[0] - b[0]);
  const most = Math.max(1, ...entries.map(([, times]) => times));
  return s("svg.bars", { role: "img", width: Math.max(60, entries.length * 12), height: 22, "aria-label": entries.map(([goal, times]) => `${goal}: ${count(times)}`).join(", ") }, entries.map(([, times], i) => s("rect", { x: i * 12, y: 22 - (20 * times) / most, width: 9, height: (20 * times) / most })));
}

function swept({ games = [], summary }) {
  const more = ["evidence", "structure", "algorithm", "value"].filter((name) => games.some((game) => game[name]));
  return [h("p", Object.entries(summary?.status ?? {}).map((each) => each.join(" ")).join(", ") || "No game is done yet."),
    table("Games", ["game", "how it ended", "seconds", "MB", ...more], games.map((game) => [game.game, game.status, game.seconds?.toFixed(2), Math.round(game.peak / 2 ** 20), ...more.map((name) => plain(game[name] ?? ""))]), true)];
}

function rowsOf(rows) {
  const names = Object.keys(rows[0] ?? {});
  return table("Results", names, rows.map((each) => names.map((name) => plain(each[name] ?? "–"))));
}

function plain(value) {
  const text = typeof value === "string" ? value : typeof value === "number" ? String(Math.round(value * 1000) / 1000) : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}

let drawn = 0;
function drawSoon() {
  if (performance.now() - drawn < 100) return void setTimeout(drawSoon, 110);
  drawn = performance.now();
  draw();
}
on("jobs", drawSoon);
on("game", () => { if (state.view === "run" && list?.isConnected) buildRun(/** @type {HTMLElement} */ (list.closest("main"))); });
