// Runs: playouts, solving, matches as jobs with live tables, and the list of jobs with a cancel that ends the work.

import { get } from "./api.js";
import { button, h, put, s } from "./dom.js";
import { offered, trouble } from "./games.js";
import { cancel, ended, jobs, start } from "./jobs.js";
import { study } from "./play.js";
import { on, state } from "./store.js";
import { path, request } from "./study.js";
import { count, duration, memory, rough } from "./text.js";

/** @type {HTMLElement|null} */
let list = null;
/** @type {Map<string, HTMLElement>} results by job */
const places = new Map();
const open = new Set();

/** @param {HTMLElement} main */
export function buildRun(main) {
  list = h("ul.jobs");
  const said = h("div");
  const rules = study().game.kind === "rules";
  put(main, h("section.panel.view.run", { "aria-label": "Run" },
    rules ? form("Simulate", "simulate", [number("plays", "playouts", 1000000, 1, 1e9), number("seed", "seed", 1, 0, 1e9)], said) : null,
    form("Solve", "solve", [number("seconds", "seconds", 20, 1, 600), number("memory, GB", "memory", 2, 0.1, 16)], said),
    rules ? form("Match", "match", [choice("players", "players"), choice("and", "players"), number("games", "games", 10, 1, 1000), number("seconds a move", "clock", 0.2, 0.05, 60)], said) : null,
    said, h("h2", "Jobs"), list));
  if (rules) offered().then((all) => document.querySelectorAll("select[data-players]").forEach((select, i) => put(select, all.players.map((name) => h("option", { value: name, selected: name === ["parts", "random"][i] }, name)))), () => {});
  get(`/jobs?page=${state.page}`).then((answer) => { for (const job of answer.jobs) if (!jobs.has(job.id)) jobs.set(job.id, job); draw(); }, () => {});
  draw();
}

function number(label, name, value, min, max) {
  return h("label.field", label, h("input", { type: "number", name, value, min, max, step: "any", class: "short" }));
}

function choice(label, name) {
  return h("label.field", label, h("select", { name, "data-players": "" }));
}

function form(title, command, fields, said) {
  return h("form.row.runform", { "aria-label": title, onsubmit: async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    /** @type {Record<string, any>} */
    const options = {};
    for (const [name, value] of data) {
      if (name === "players") options.players = [...(options.players ?? []), value];
      else options[name] = Number(value);
    }
    const { seconds, memory: gigabytes, ...rest } = options;
    put(said);
    try {
      const job = await start(command, study().game.id, { ...(command === "solve" ? request(path(study())) : {}), options: rest, seconds: seconds ?? 600, memory: gigabytes ?? 2 });
      open.add(job.id);
      draw();
    } catch (error) {
      put(said, trouble(error));
    }
  } }, h("h2", title), fields, h("button", { type: "submit", class: "button primary" }, "Start"));
}

/** What a job says of itself. @param {Job} job */
export function stateWords(job) {
  if (job.state === "queued") return `queued, ${job.before ?? 0} before it`;
  if (job.state === "running") return `running ${duration(job.seconds ?? 0)}, ${memory(job.memory ?? 0)}`;
  if (job.state === "cancelled") return "Cancelled; process gone.";
  if (job.state === "failed") return job.problem?.signal ? `The worker was ended by signal ${job.problem.signal}. Nothing else was lost.` : (job.problem?.detail ?? job.problem?.title ?? "failed");
  if (job.limit === "memory") return `Stopped at ${memory(job.memory ?? 0)}.`;
  return job.limit ? `stopped after ${duration(job.seconds ?? 0)}` : `done ${duration(job.seconds ?? 0)}`;
}

function draw() {
  if (!list?.isConnected || state.view !== "run") return;
  const all = [...jobs.values()].filter((job) => job.command !== "values" || !ended(job)).reverse().slice(0, 30);
  put(list, all.length ? all.map(row) : h("li.soft", "Nothing running."));
}

function row(job) {
  const busy = !ended(job);
  const step = job.step;
  const bar = h("div.bar", { role: "progressbar", "aria-label": job.command, "aria-valuemin": 0, "aria-valuemax": step?.of ?? 100, "aria-valuenow": step?.of ? Math.min(step.done, step.of) : null }, h("i"));
  if (step?.of) bar.firstChild.style.width = `${Math.min(100, (100 * step.done) / step.of)}%`;
  const rate = step && job.seconds && step.done > 1000 ? ` ${rough(step.done / job.seconds)}/s` : "";
  const result = job.result ?? (job.command === "simulate" || job.command === "match" ? job.partial : null);
  const made = h("li.job", { "data-job": job.id, "data-state": job.state }, h("div.row", h("b", job.command), h("span", { class: job.state === "failed" ? "fault" : "soft" }, stateWords(job)), busy && step ? h("span.soft", `${step.name} ${count(step.done)}${step.of ? ` of ${count(step.of)}` : ""}${rate}`) : null, h("span.grow"),
    busy ? button("Cancel", { class: "button small", "aria-label": `Cancel ${job.command}`, onclick: () => cancel(job.id).catch(() => {}) }) : result ? button(open.has(job.id) ? "close" : "open", { class: "button small", "aria-expanded": String(open.has(job.id)), onclick: () => { if (!open.delete(job.id)) open.add(job.id); draw(); } }) : null),
  busy ? bar : null, result && (busy || open.has(job.id)) ? h("div.result", table(job.command, result)) : null);
  places.set(job.id, made);
  return made;
}

function table(command, result) {
  if (command === "simulate" && result.mean_goal) return simulated(result);
  if (command === "match" && (result.players || result.table || result.pairings)) return tableOf(result.table ?? result.pairings ?? result.players);
  if (command === "solve") return pairs({ value: result.value, move: result.move, "found by": result.algorithm, exact: result.exact, evidence: result.evidence, nodes: result.nodes });
  return pairs(result);
}

function simulated(result) {
  const roles = Object.keys(result.mean_goal);
  const error = (role) => {
    const counts = Object.entries(result.goals?.[role] ?? {});
    const n = counts.reduce((sum, [, times]) => sum + Number(times), 0);
    const spread = counts.reduce((sum, [goal, times]) => sum + Number(times) * (Number(goal) - result.mean_goal[role]) ** 2, 0) / Math.max(1, n);
    return 1.96 * Math.sqrt(spread / Math.max(1, n));
  };
  return [h("p", `${count(result.playouts)} plays, ${rough(result.playouts_per_second ?? 0)}/s, ${rough(result.states_per_second ?? 0)} states/s, mean length ${result.mean_length?.toFixed(2) ?? "…"}`),
    h("table.facts", h("caption.unseen", "Results"), h("thead", h("tr", h("th", { scope: "col" }, "role"), h("th", { scope: "col", class: "n" }, "mean"), h("th", { scope: "col", class: "n" }, "±"), h("th", { scope: "col" }, "goals"))), h("tbody", roles.map((role) => h("tr", h("th", { scope: "row" }, role), h("td.n", result.mean_goal[role].toFixed(1)), h("td.n", error(role).toFixed(2)), h("td", bars(result.goals?.[role] ?? {})))))),
  ];
}

/** Counts as small bars. */
function bars(counts) {
  const all = Object.entries(counts);
  const most = Math.max(1, ...all.map(([, n]) => n));
  return s("svg.bars", { role: "img", width: all.length * 12, height: 24, viewBox: `0 0 ${all.length * 12} 24`, "aria-label": all.map(([goal, n]) => `${goal}: ${n}`).join(", ") }, all.map(([, n], i) => s("rect", { x: i * 12, y: 24 - (22 * n) / most, width: 9, height: Math.max(1, (22 * n) / most) })));
}

function tableOf(rows) {
  const all = Array.isArray(rows) ? rows : Object.entries(rows).map(([name, row]) => (typeof row === "object" && row ? { name, ...row } : { name, value: row }));
  const names = Object.keys(all[0] ?? {});
  return h("table.facts", h("caption.unseen", "Results"), h("thead", h("tr", names.map((name) => h("th", { scope: "col" }, name)))), h("tbody", all.map((row) => h("tr", names.map((name) => h("td", plain(row[name])))))));
}

function pairs(result) {
  return h("table.facts", h("caption.unseen", "Result"), h("tbody", Object.entries(result).filter(([, value]) => value !== null && value !== undefined).slice(0, 14).map(([name, value]) => h("tr", h("th", { scope: "row" }, name), h("td", plain(value))))));
}

function plain(value) {
  const text = typeof value === "string" ? value : typeof value === "number" ? String(Math.round(value * 1000) / 1000) : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}

let drawn = 0;
on("jobs", () => {
  const now = performance.now();
  if (now - drawn > 100) {
    drawn = now;
    draw();
  } else setTimeout(() => { if (performance.now() - drawn > 90) { drawn = performance.now(); draw(); } }, 110);
});
on("game", () => { if (state.view === "run" && list?.isConnected) buildRun(/** @type {HTMLElement} */ (list.closest("main"))); });
