// Values of positions: one job at a time, for the position in front first, then along the line for the chart.

import { ended, start } from "./jobs.js";
import { state, tell } from "./store.js";
import { at, here, line, path, request } from "./study.js";
import { fraction, number } from "./text.js";

const SECONDS = 20;
/** Seconds for a position that is not in front. */
const ALONG = 5;
const PAUSE = 10;

/** The job that works on a position, and what is said of it. @type {{job: Job|null, node: number, words: string|null, stopped: boolean, cancel: (() => any)|null}} */
export const work = { job: null, node: -1, words: null, stopped: false, cancel: null };

/** @returns {Study} */
export function study() {
  if (!state.study) throw new Error("no game yet");
  return state.study;
}

let soon = 0;
let starting = Promise.resolve();
/** The study of which a position was too hard to value beside the one in front. @type {Study|null} */
let tired = null;

/** Asks for the values of the position in front, then for those along the line that are missing. @param {number} [seconds] */
export function wantValues(seconds = SECONDS) {
  clearTimeout(soon);
  soon = window.setTimeout(() => { starting = starting.then(() => next(seconds)); }, PAUSE);
}

/** Stops the job in front, by hand. */
export function stopValues() {
  work.stopped = true;
  work.cancel?.().catch(() => {});
}

/** Whether a job works on the position in front. */
export function working() {
  return work.node === study().current && work.job !== null && !ended(work.job);
}

async function next(seconds) {
  const game = study();
  const now = here(game);
  const open = (node) => node.position && !node.values && !node.position.terminal && !node.position.trouble;
  // backwards: later positions are easier, and where one is too hard, those before it are, too
  const missing = tired === game ? undefined : line(game).reverse().find((node) => open(node) && !node.stored?.tried);
  const wanted = open(now) && !(now.stored?.tried && work.node === now.id && seconds === SECONDS) ? now : missing;
  if (!wanted || (work.node === wanted.id && work.job && !ended(work.job))) return tell("values");
  Object.assign(work, { job: null, node: wanted.id, words: null, stopped: false, cancel: null });
  try {
    const mine = await start("values", game.game.id, { ...request(path(game, wanted.id)), seconds: wanted === now ? seconds : ALONG }, (job) => hear(game, wanted, job));
    work.cancel = mine.cancel;
    mine.done.then((job) => { if (state.study === game && (job.state === "done" || !work.stopped)) wantValues(); });
  } catch (error) {
    work.words = error.message;
    tell("values");
  }
}

function hear(game, node, job) {
  if (ended(job) && (job.state !== "cancelled" || work.stopped)) node.stored = { ...node.stored, tried: true };
  if (ended(job) && job.result) node.values = shaped(job.result, job.limit);
  if (ended(job) && job.limit && node.id !== game.current) tired = game;
  if (state.study !== game || work.node !== node.id) return;
  work.job = job.state === "cancelled" && !work.stopped ? null : job;
  tell("values");
}

/** The values of a position as the page keeps them: of a sum, total, mean and the greatest temperature of a part. @param {any} result @param {string|null} [limit] */
export function shaped(result, limit = null) {
  const parts = result.parts ?? [];
  const whole = result.total ?? (parts.length === 1 ? parts[0] : {});
  const means = parts.map((part) => number(part.mean));
  const heats = parts.map((part) => number(part.temperature)).filter((heat) => !Number.isNaN(heat));
  const mean = whole.mean ?? (means.length && !means.some(Number.isNaN) ? fraction(means.reduce((sum, each) => sum + each, 0)) : null);
  return { ...result, limit, total: whole.value ?? null, outcome: whole.outcome ?? null, mean, temperature: heats.length ? fraction(Math.max(...heats)) : null };
}

/** Lets the search begin anew with more time. @param {number} seconds */
export function moreTime(seconds) {
  const node = at(study(), study().current);
  node.values = null;
  node.stored = { ...node.stored, tried: false };
  wantValues(seconds);
}
