// One sentence on the position, and how sure it is; while a job works on it, what it does, with a way to stop it.

import { badge, button, chip, h, put } from "./dom.js";
import { ended } from "./jobs.js";
import { hottest, partsHere } from "./partinfo.js";
import { moreTime, stopValues, study, work, working } from "./values.js";
import { here, tidy } from "./study.js";
import { duration, roleName, rough, typeset } from "./text.js";

/** @param {HTMLElement} place */
export function drawAnswer(place) {
  const node = here(study());
  const position = node.position;
  if (!position) return;
  const [kind, sure] = certainty(node.values);
  const words = position.terminal ? over(position) : position.trouble ? [position.trouble] : busy() ?? (node.values ? told(position, node.values) : ["Working it out …"]);
  const settled = position.terminal || position.trouble ? chip("exact", "by the rules") : node.values && !working() ? chip(kind, sure) : null;
  put(place, h("div.answerhead", h("h2", words[0]), settled), ...words.slice(1).map((line) => h("p.soft", line)));
}

function certainty(values) {
  if (!values) return ["running", "running"];
  if (values.limit && !values.value?.[here(study()).position?.to[0] ?? ""]) return ["running", "open"];
  if (!values.exact) return ["guessed", "guessed"];
  return study().game.kind === "sum" ? ["proved", "proved"] : ["exact", "exact"];
}

/** What is said while a job works on this position, or after it broke off. */
function busy() {
  if (work.node !== study().current) return null;
  if (work.words) return [work.words, [button("Try again", { class: "button small", onclick: () => moreTime(20) })]];
  const job = work.job;
  if (!job) return null;
  const seconds = job.seconds ?? 0;
  const soFar = best(job.result ?? job.partial);
  const more = (time) => button(`${time} s more`, { class: "button small", onclick: () => moreTime(time) });
  if (!ended(job)) {
    if (seconds < 0.3) return null;
    const step = job.step;
    const amount = step ? `${rough(step.done)}${step.of ? ` of ${rough(step.of)}` : ""}` : "";
    const counted = !step ? "starting" : step.name.endsWith("positions") ? `${amount} positions` : `${step.name} ${amount}`;
    const bar = h("div.bar", { role: "progressbar", "aria-label": "Working it out", "aria-valuemin": 0, "aria-valuemax": step?.of ?? 100, "aria-valuenow": step?.of ? step.done : null }, h("i"));
    if (step?.of) bar.firstChild.style.width = `${Math.min(100, (100 * step.done) / step.of)}%`;
    return [`Working it out: ${counted}, ${duration(seconds)}`, [bar, button("Cancel", { class: "button small", onclick: stopValues })]];
  }
  if (job.state === "cancelled") return [`Cancelled after ${duration(seconds)}.${soFar ? ` Best so far: ${soFar}.` : ""}`, [more(20)]];
  if (job.state === "failed") {
    const why = job.limit === "memory" ? "memory" : String(job.problem?.detail || job.problem?.title || "unknown").replace(/\.$/, "");
    return [`The search broke off (${why}).`, "The rest of the page still works."];
  }
  if (job.limit) return [`Not decided in ${duration(seconds)}.${soFar ? ` Best so far: ${soFar}.` : ""}`, [more(60)]];
  return null;
}

function best(values) {
  const found = values?.values?.find((each) => each.best);
  return found ? tidy(found.move) : null;
}

function over(position) {
  if (study().game.kind === "sum") {
    const winner = Object.entries(position.goals ?? {}).find(([, goal]) => goal === 100)?.[0];
    return [winner ? `${roleName(winner)} has won: nobody else can move.` : "The game is over."];
  }
  const goals = Object.entries(position.goals ?? {});
  const winners = goals.filter(([, goal]) => goal === 100);
  const score = goals.map(([role, goal]) => `${role} ${goal}`).join(", ");
  return [winners.length === 1 && goals.length > 1 ? `${winners[0][0]} has won` : "The game is over", score];
}

function told(position, values) {
  const mover = position.to[0];
  if (!mover) return ["Nobody has a choice here."];
  const own = values.values.filter((each) => position.to.includes(each.role));
  const keep = own.filter((each) => each.best);
  if (study().game.kind === "sum") return ofSum(mover, own, keep);
  if (position.to.length > 1) return [`${position.to.join(" and ")} choose at once`, values.value ? `Worth ${Object.entries(values.value).map(([role, n]) => `${n} for ${role}`).join(", ")}.` : ""];
  const worth = values.value?.[mover] ?? keep[0]?.value?.[mover];
  if (worth === undefined || worth === null) return [keep.length ? `Best so far: ${tidy(keep[0].move)}` : "Not decided.", ""];
  const others = Object.entries(values.value ?? {}).filter(([role]) => role !== mover).map(([, n]) => n);
  const many = own.length === 1 ? "It is the only move." : keep.length === own.length ? `All ${own.length} moves keep it.` : keep.length === 1 ? [`The only move of ${own.length} that keeps it: `, move(keep[0].move), "."] : [`${keep.length} of ${own.length} moves keep it, such as `, move(keep[0].move), "."];
  if (!others.length) return [`${mover} gets ${worth} with best play`, many];
  if (worth === 100) return [`${mover} to move wins by ${tidy(keep[0]?.move ?? "")}`, many];
  if (worth === 0) return [`${mover} to move loses`, own.length === 1 ? "There is only one move." : `Each of ${own.length} moves loses.`];
  if (others.every((n) => n === worth)) return [`Even with best play: ${worth} each`, many];
  return [`${mover} to move is ${worth > Math.max(...others) ? "ahead" : "behind"}, ${worth} of 100`, many];
}

function move(text) {
  return h("span.mono", tidy(text));
}

function ofSum(mover, own, keep) {
  const wins = keep.filter((each) => each.wins !== false);
  if (!wins.length) return [`${roleName(mover)} to move loses`, own.length ? `None of ${own.length} moves wins.` : "There is no move."];
  const first = here(study()).position?.moves.find((each) => each.role === mover && each.move === wins[0].move);
  const part = partsHere().find((each) => each.part === first?.part);
  const hot = hottest();
  const many = wins.length === 1 ? (own.length === 1 ? "The only move" : `The only winning move of ${own.length}`) : `${wins.length} of ${own.length} moves win; this one`;
  const how = part?.value?.temperature ? [" of temperature ", typeset(part.value.temperature), hot && hot.part === part.part ? ", the hottest." : hot ? [", though ", badge(hot.part), " is the hottest."] : "."].flat() : ["."];
  const line = part ? [wins.length === 1 ? `${many}: it takes part ` : `${many} takes part `, badge(part.part), ...how] : [`${many}.`];
  return [`${roleName(mover)} to move wins by ${inlineMove(wins[0].move)}`, line];
}

function inlineMove(text) {
  return tidy(text).replace(/^1: (?=.)/, here(study()).position?.boards.length === 1 ? "" : "1: ");
}
