// The chart along the play: value of the first role, or mean of a sum with its temperature as a band; points are places to go to.

import { h, isProjector, put, s } from "./dom.js";
import { goTo } from "./play.js";
import { at, here, isSum, line, study, worth } from "./study.js";
import { number, roleName } from "./text.js";

/** @returns {Dot[]} */
function dots() {
  const first = study().game.roles[0];
  return line().filter((node) => node.moves || node.parent === null).map((node, ply) => {
    const { id, values, position, stored } = node;
    if (isSum()) return { node: id, ply, value: number(values?.mean ?? (position?.terminal ? "0" : null)), heat: Math.max(0, number(values?.temperature) || 0) };
    const value = position?.goals?.[first] ?? worth(node)?.value?.[first] ?? values?.value?.[first];
    return { node: id, ply, value: value ?? stored?.value?.[first] ?? NaN, heat: 0, old: (value ?? null) === null && stored?.old };
  });
}
export function drawChart(place) {
  const all = dots();
  const sum = isSum();
  const caption = sum ? "Mean of the sum, with the temperature as a band; above 0 Left is ahead" : `Value for ${roleName(study().game.roles[0] ?? "")}`;
  const known = all.filter((dot) => !Number.isNaN(dot.value));
  const width = Math.max(220, place.clientWidth || 700);
  const height = isProjector() ? 116 : 92;
  const most = sum ? Math.max(1, Math.ceil(Math.max(0, ...known.map((dot) => Math.abs(dot.value) + dot.heat)))) : 100;
  const least = sum ? -most : 0;
  const last = Math.max(8, all.length - 1);
  const x = (ply) => 46 + (ply * (width - 64)) / last;
  const y = (value) => 8 + ((most - value) * (height - 34)) / (most - least);
  const to = (dot, value) => `${x(dot.ply).toFixed(1)} ${y(value).toFixed(1)}`;
  const step = Math.max(1, Math.ceil(((last + 1) * 26) / (width - 58)));
  const words = known.map((dot) => `${dot.ply}: ${Math.round(dot.value * 100) / 100}`).join(", ") || "nothing known yet";
  const now = here().moves ? here().id : here().parent ?? 0;
  const curve = all.map((dot, i) => (Number.isNaN(dot.value) ? "" : `${i && !Number.isNaN(all[i - 1].value) ? "L" : "M"}${to(dot, dot.value)}`)).join("");
  const wide = known.length === 1 ? [known[0], { ...known[0], ply: known[0].ply + 0.25 }] : known;
  const band = `M${[...wide.map((dot) => to(dot, dot.value + dot.heat)), ...[...wide].reverse().map((dot) => to(dot, dot.value - dot.heat))].join("L")}Z`;
  const label = (attributes, text) => s("text.charttext", { "font-size": 12, ...attributes }, text);
  const go = (event) => {
    const box = shown.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.x) * width) / box.width - 46) * last / (width - 64));
    goTo(at(all[Math.max(0, Math.min(all.length - 1, ply))].node));
  };
  const shown = s("svg.chart", { role: "img", "data-picture": "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": `${caption}: ${words}`, onclick: go },
    [most, (most + least) / 2, least].map((tick, i) => [s("path", { class: i === 1 ? "zero" : "faint", d: `M40 ${y(tick)}H${width - 14}` }), label({ x: 33, y: y(tick) + 4, "text-anchor": "end" }, String(tick).replace("-", "−"))]),
    Array.from({ length: Math.max(2, all.length) }, (_, i) => (i % step ? null : label({ x: x(i), y: height - 4, "text-anchor": "middle" }, i))),
    sum && known.length ? s("path.band", { d: band }) : null, s("path.curve", { d: curve }),
    known.map((dot) => s("circle", { class: `dot${dot.node === now ? " now" : ""}${dot.old ? " old" : ""}`, cx: x(dot.ply), cy: y(dot.value), r: 4.5, "data-ply": dot.ply })));
  put(place, h("p.soft.caption", caption), shown);
}
