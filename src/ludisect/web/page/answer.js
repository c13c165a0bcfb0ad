// The answer: one sentence on the position and how sure it is, or what a job does, with a way to stop it; and why it holds.

import { badge, bar, chip, h, put, small } from "./dom.js";
import { ended, trouble } from "./jobs.js";
import { hottest, partsHere } from "./parts.js";
import { download } from "./pictures.js";
import { moreTime, stopValues, work, working } from "./play.js";
import { state } from "./store.js";
import { here, isSum, study, tidy } from "./study.js";
import { duration, roleName, rough, typeset } from "./text.js";

export function drawAnswer(place) {
  const { position, values } = here();
  if (!position) return;
  const words = position.terminal ? over(position) : position.trouble ? [position.trouble] : busy() ?? (values ? told(position, values) : ["Working it out …"]);
  const sure = position.terminal || position.trouble ? chip("exact", "by the rules") : values && !working() ? certainty(values) : null;
  put(place, h("div.answerhead", h("h2", words[0]), sure), words.slice(1).map((line) => h("p.soft", line)));
}

function certainty(values) {
  if (values.limit && !values.value?.[here().position?.to[0] ?? ""]) return chip("running", "open");
  return values.exact ? chip("exact", isSum() ? "proved" : "exact") : chip("guessed", "guessed");
}

/** What is said while a job works on this position, or after it broke off. */
function busy() {
  if (work.node !== here()) return null;
  const again = (seconds, words = `${seconds} s more`) => [small(words, () => moreTime({ seconds }))];
  if (work.words) return [work.words, again(20, "Try again")];
  const job = work.job;
  if (!job) return null;
  const time = duration(job.seconds ?? 0);
  const found = job.result ?? job.partial;
  const best = found?.values?.find((each) => each.best)?.move ?? found?.move?.[here().position?.to[0]];
  const soFar = best ? ` Best so far: ${tidy(best)}.` : "";
  if (!ended(job)) {
    const step = job.step;
    if ((job.seconds ?? 0) < 0.3) return null;
    const amount = step && `${rough(step.done)}${step.of ? ` of ${rough(step.of)}` : ""}`;
    const counted = !step ? "starting" : step.name.endsWith("positions") ? `${amount} positions` : `${step.name} ${amount}`;
    return [`Working it out: ${counted}, ${time}`, [bar("Working it out", step), small("Cancel", stopValues)]];
  }
  if (job.state === "cancelled") return [`Cancelled after ${time}.${soFar}`, again(20)];
  if (job.state === "failed" || job.limit === "memory") return [`The search broke off (${job.limit ?? trouble(job).replace(/\.$/, "")}). The rest of the page still works.`, again(20, "Try again")];
  return job.limit ? [`Not decided in ${time}.${soFar}`, again(60)] : null;
}

function over(position) {
  const goals = Object.entries(position.goals ?? {});
  const winners = goals.filter(([, goal]) => goal === 100).map(([role]) => roleName(role));
  const won = winners.length === 1 && goals.length > 1;
  if (isSum()) return [won ? `${winners[0]} has won: nobody else can move.` : "The game is over."];
  return [won ? `${winners[0]} has won` : "The game is over", goals.map((each) => each.join(" ")).join(", ")];
}

function told(position, values) {
  const mover = position.to[0];
  if (!mover) return ["Nobody has a choice here."];
  const own = values.values.filter((each) => position.to.includes(each.role));
  const keep = own.filter((each) => each.best);
  if (isSum()) return ofSum(mover, own, keep);
  if (position.to.length > 1) return [`${position.to.join(" and ")} choose at once`, values.value ? `Worth ${Object.entries(values.value).map(([role, n]) => `${n} for ${role}`).join(", ")}.` : ""];
  const worth = values.value?.[mover] ?? keep[0]?.value?.[mover];
  if (worth === undefined || worth === null) return [keep.length ? `Best so far: ${tidy(keep[0].move)}` : "Not decided."];
  const others = Object.entries(values.value ?? {}).filter(([role]) => role !== mover).map(([, n]) => n);
  const move = keep.length ? h("span.mono", tidy(keep[0].move)) : "";
  const many = own.length === 1 ? "It is the only move." : keep.length === own.length ? `All ${own.length} moves keep it.` : keep.length === 1 ? [`The only move of ${own.length} that keeps it: `, move, "."] : [`${keep.length} of ${own.length} moves keep it, such as `, move, "."];
  if (!others.length) return [`${mover} gets ${worth} with best play`, many];
  if (worth === 100) return [`${mover} to move wins by ${tidy(keep[0]?.move ?? "")}`, many];
  if (worth === 0) return [`${mover} to move loses`, own.length === 1 ? "There is only one move." : `Each of ${own.length} moves loses.`];
  if (others.every((n) => n === worth)) return [`Even with best play: ${worth} each`, many];
  return [`${mover} to move is ${worth > Math.max(...others) ? "ahead" : "behind"}, ${worth} of 100`, many];
}

function ofSum(mover, own, keep) {
  const wins = keep.filter((each) => each.wins !== false);
  if (!wins.length) return [`${roleName(mover)} to move loses`, own.length ? `None of ${own.length} moves wins.` : "There is no move."];
  const position = here().position;
  const first = position?.moves.find((each) => each.role === mover && each.move === wins[0].move);
  const part = partsHere().find((each) => each.part === first?.part);
  const hot = hottest();
  const many = wins.length > 1 ? `${wins.length} of ${own.length} moves win; this one` : own.length === 1 ? "The only move" : `The only winning move of ${own.length}`;
  const how = part?.value?.temperature ? [" of temperature ", typeset(part.value.temperature), hot?.part === part.part ? ", the hottest" : hot && [", though ", badge(hot.part), " is the hottest"]] : null;
  const line = part ? [many, wins.length === 1 && ": it", " takes part ", badge(part.part), how, "."] : `${many}.`;
  const move = tidy(wins[0].move);
  return [`${roleName(mover)} to move wins by ${position?.boards.length === 1 ? move.replace(/^1: (?=.)/, "") : move}`, line];
}

/** Why: the argument for the answer, in the sentences of the search, and what was tried. */
export function drawWhy(place) {
  const { values } = here();
  const { game, roles, turns, fluents, rules } = study().game;
  const list = (title, lines) => (lines?.length ? [h("h3", title), h("ul.why", lines.map((line) => h("li", typeof line === "string" ? line : JSON.stringify(line))))] : null);
  const about = [`Roles: ${roles.join(", ")}.`, turns && `Turns: ${turns}.`, fluents && `${fluents} fluents, ${rules} rules.`, values?.seconds !== undefined && `Found in ${duration(values.seconds)}${values.algorithm ? ` by ${values.algorithm}` : ""}.`];
  put(place, h("div.whybox", values ? null : h("p.soft", "Nothing is known of this position yet."),
    list("The parts", values?.parts?.map((part) => part.why).filter(Boolean)), list("Together", values?.conclusion), list("It rests on", typeof values?.evidence === "string" && values.evidence ? [values.evidence] : []), list("Notes", values?.notes),
    h("p.soft", about.filter(Boolean).join(" ")),
    state.decomposition && h("div.row", small("Save the decomposition as JSON", () => download(JSON.stringify(state.decomposition, null, 1), "application/json", `${game ?? "game"}.decomposition.json`)))));
}
