// Jobs of this page: started, watched by polling while they are young and by the event stream after that, cancelled.

import { about, get, post, Problem, remove } from "./api.js";
import { state, tell } from "./store.js";

/** @typedef {{line?: any[], options?: Record<string, any>, seconds?: number, memory?: number, to?: string|null, position?: any}} Request */

const ENDED = new Set(["done", "failed", "cancelled"]);
const YOUNG = [40, 80, 160];
const HIDDEN = 30000;

/** @type {Map<string, Job>} */
export const jobs = new Map();
/** @type {Map<string, ((job: Job) => void)[]>} */
const watching = new Map();
/** @type {EventSource|null} */
let stream = null;
let hiding = 0;

/** @param {Job} job */
export function ended(job) {
  return ENDED.has(job.state);
}

/**
 * Starts a job and tells every change of it.
 * @param {string} command @param {string} game @param {Request} request @param {(job: Job) => void} [onchange]
 * @returns {Promise<{id: string, done: Promise<Job>, cancel: () => Promise<Job>}>}
 */
export async function start(command, game, request, onchange) {
  /** @type {Job} */
  const job = await about(game, () => post("/jobs", { command, game, line: [], options: {}, page: state.page, ...request }));
  const done = new Promise((resolve) => {
    watching.set(job.id, [(now) => {
      onchange?.(now);
      if (ended(now)) resolve(now);
    }]);
  });
  learn(job);
  if (!ended(job)) follow(job.id);
  return { id: job.id, done, cancel: () => cancel(job.id) };
}

/** @param {string} id @returns {Promise<Job>} */
export async function cancel(id) {
  const job = await remove(`/jobs/${id}`);
  learn(job);
  return job;
}

/** Calls the watcher on every change of a job. @param {string} id @param {(job: Job) => void} watcher */
export function watch(id, watcher) {
  watching.set(id, [...(watching.get(id) ?? []), watcher]);
}

function learn(job) {
  const known = jobs.get(job.id);
  if (known && ended(known)) return;
  const now = { ...known, ...job };
  jobs.set(job.id, now);
  for (const watcher of watching.get(job.id) ?? []) watcher(now);
  if (ended(now)) watching.delete(job.id);
  tell("jobs");
  if (!unfinished().length) closeStream();
}

function unfinished() {
  return [...jobs.values()].filter((job) => !ended(job));
}

async function follow(id) {
  for (const pause of YOUNG) {
    await new Promise((done) => setTimeout(done, pause));
    await look(id);
    const job = jobs.get(id);
    if (!job || ended(job)) return;
  }
  openStream();
}

async function look(id) {
  try {
    learn(await get(`/jobs/${id}`));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) vanish(id);
  }
}

/** The server does not know the job any more. */
function vanish(id) {
  const job = jobs.get(id);
  if (job) learn({ ...job, state: "failed", problem: { title: "The server was started anew; this job is gone." } });
}

function openStream() {
  if (stream || !unfinished().length) return;
  stream = new EventSource(`/api/v1/events?page=${state.page}`);
  stream.addEventListener("job", (event) => {
    const job = JSON.parse(/** @type {MessageEvent} */ (event).data);
    if (jobs.has(job.id)) learn(job);
  });
  stream.addEventListener("idle", closeStream);
  stream.addEventListener("open", () => unfinished().forEach((job) => look(job.id)));
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) {
      closeStream();
      setTimeout(() => unfinished().length && openStream(), 1000);
    }
    unfinished().forEach((job) => look(job.id));
  });
}

function closeStream() {
  stream?.close();
  stream = null;
}

/** Whether the event stream is open now; a page without unfinished jobs has none. */
export function streaming() {
  return stream !== null;
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = window.setTimeout(closeStream, HIDDEN);
  else if (unfinished().length) openStream();
});
