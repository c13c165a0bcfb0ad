// Jobs of this page: started, watched by polling while they are young and by the event stream after that, cancelled.

import { about, get, post, remove } from "./api.js";
import { state, tell } from "./store.js";

const YOUNG = [40, 80, 160];
const HIDDEN = 30000;

/** @type {Map<string, Job>} */
export const jobs = new Map();
/** @type {Map<string, (job: Job) => void>} */
const watching = new Map();
/** @type {EventSource|null} */
let stream = null;
let hiding = 0;

/** @param {Job} job */
export const ended = (job) => ["done", "failed", "cancelled"].includes(job.state);

/** Why a job failed, in words. @param {Job} job */
export const trouble = (job) => job.problem?.detail || job.problem?.title || job.state;

/** Starts a job and tells every change of it. @param {JobRequest} request @param {(job: Job) => void} [onchange] */
export async function start(command, game, request, onchange) {
  /** @type {Job} */
  const job = await about(game, () => post("/jobs", { command, game, page: state.page, ...request }));
  const done = new Promise((resolve) => {
    watching.set(job.id, (now) => {
      onchange?.(now);
      if (ended(now)) resolve(now);
    });
  });
  learn(job);
  if (!ended(job)) follow(job.id);
  return { id: job.id, done, cancel: () => cancel(job.id) };
}
export const cancel = (id) => remove(`/jobs/${id}`).then(learn, () => {});

function learn(job) {
  const known = jobs.get(job.id);
  if (known && ended(known)) return;
  const now = { ...known, ...job };
  jobs.set(job.id, now);
  watching.get(job.id)?.(now);
  if (ended(now)) watching.delete(job.id);
  tell("jobs");
  if (!unfinished().length) closeStream();
}

const unfinished = () => [...jobs.values()].filter((job) => !ended(job));

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
  await get(`/jobs/${id}`).then(learn, (error) => {
    if (error.status === 404) learn({ id, state: "failed", problem: { title: "The server was started anew; this job is gone." } });
  });
}

function lookAtAll() {
  for (const job of unfinished()) look(job.id);
}

function openStream() {
  if (stream || !unfinished().length) return;
  stream = new EventSource(`/api/v1/events?page=${state.page}`);
  stream.addEventListener("job", (event) => {
    const job = JSON.parse(event.data);
    if (jobs.has(job.id)) learn(job);
  });
  stream.addEventListener("idle", closeStream);
  stream.addEventListener("open", lookAtAll);
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) {
      closeStream();
      setTimeout(openStream, 1000);
    }
    lookAtAll();
  });
}

function closeStream() {
  stream?.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = window.setTimeout(closeStream, HIDDEN);
  else openStream();
});
