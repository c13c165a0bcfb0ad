// The chart along the play: value of the first role, or mean of a sum with its temperature as a band; points are places to go to.

import { put, h, s } from "./dom.js";
import { goTo, study } from "./play.js";
import { at, line, worth } from "./study.js";
import { number, roleName } from "./text.js";

/** @typedef {{node: number, ply: number, value: number, heat: number}} Dot */

function dots() {
  const game = study();
  const first = game.game.roles[0];
  const sum = game.game.kind === "sum";
  return line(game).filter((node) => node.moves || node.parent === null).map((node, ply) => {
    if (sum) return { node: node.id, ply, value: number(node.values?.mean ?? (node.position?.terminal ? "0" : null)), heat: Math.max(0, number(node.values?.temperature) || 0) };
    const value = node.position?.goals?.[first] ?? worth(game, node)?.value?.[first] ?? node.values?.value?.[first] ?? node.stored?.value?.[first];
    return { node: node.id, ply, value: value === undefined || value === null ? NaN : value, heat: 0 };
  });
}

/** @param {HTMLElement} place */
export function drawChart(place) {
  const all = dots();
  const sum = study().game.kind === "sum";
  const first = roleName(study().game.roles[0] ?? "");
  const caption = sum ? "Mean of the sum, with the temperature as a band; above 0 Left is ahead" : `Value for ${first}`;
  const known = all.filter((dot) => !Number.isNaN(dot.value));
  const width = Math.max(220, place.clientWidth || 700);
  const height = window.innerWidth >= 1500 ? 116 : 92;
  const most = sum ? Math.max(1, Math.ceil(Math.max(0, ...known.map((dot) => Math.abs(dot.value) + dot.heat)))) : 100;
  const least = sum ? -most : 0;
  const last = Math.max(8, all.length - 1);
  const x = (ply) => 46 + (ply * (width - 64)) / last;
  const y = (value) => 8 + ((most - value) * (height - 34)) / (most - least);
  const ticks = sum ? [most, 0, -most] : [100, 50, 0];
  const step = Math.max(1, Math.ceil(((last + 1) * 26) / (width - 58)));
  const text = { class: "charttext", "font-size": 12 };
  const words = known.length ? known.map((dot) => `${dot.ply}: ${Math.round(dot.value * 100) / 100}`).join(", ") : "nothing known yet";
  const now = study().current;
  const shown = s("svg.chart", { role: "img", "data-picture": "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": `${caption}: ${words}` },
    ticks.map((tick) => [s("path", { class: tick === 0 && sum ? "zero" : tick === 50 ? "zero" : "faint", d: `M40 ${y(tick)}H${width - 14}` }), s("text", { ...text, x: 33, y: y(tick) + 4, "text-anchor": "end" }, String(tick).replace("-", "−"))]).flat(),
    Array.from({ length: last + 1 }, (_, i) => (i % step || i >= Math.max(2, all.length) ? null : s("text", { ...text, x: x(i), y: height - 4, "text-anchor": "middle" }, i))),
    sum ? s("path.band", { d: band(known, x, y) }) : null,
    s("path.curve", { d: curve(all, x, y) }),
    known.map((dot) => s("circle", { class: `dot${dot.node === now || (!at(study(), now).moves && at(study(), now).parent === dot.node) ? " now" : ""}`, cx: x(dot.ply), cy: y(dot.value), r: 4.5, "data-ply": dot.ply })));
  shown.addEventListener("click", (event) => {
    const inside = ((event.clientX - shown.getBoundingClientRect().x) * width) / shown.getBoundingClientRect().width;
    const ply = Math.round(((inside - 46) * last) / (width - 64));
    const found = all[Math.max(0, Math.min(all.length - 1, ply))];
    if (found) goTo(at(study(), found.node));
  });
  put(place, h("p.soft.caption", caption), shown);
}

function curve(all, x, y) {
  let d = "";
  let down = false;
  for (const dot of all) {
    if (Number.isNaN(dot.value)) {
      down = false;
      continue;
    }
    d += `${down ? "L" : "M"}${x(dot.ply).toFixed(1)} ${y(dot.value).toFixed(1)}`;
    down = true;
  }
  return d;
}

function band(known, x, y) {
  if (known.length < 1) return "";
  const one = known.length === 1 ? [known[0], { ...known[0], ply: known[0].ply + 0.25 }] : known;
  const over = one.map((dot, i) => `${i ? "L" : "M"}${x(dot.ply)} ${y(dot.value + dot.heat)}`).join("");
  return `${over}${[...one].reverse().map((dot) => `L${x(dot.ply)} ${y(dot.value - dot.heat)}`).join("")}Z`;
}
