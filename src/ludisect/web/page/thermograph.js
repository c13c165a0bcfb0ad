// Thermographs: equal units on both axes, larger values to the left, the mast with the mean beside it.

import { dialog, h, s } from "./dom.js";
import { fraction, inline, number } from "./text.js";

/** @typedef {[number, number]} Corner temperature and value */

function corners(wall) {
  const points = Array.isArray(wall) ? wall : (wall?.points ?? []);
  return points.map((/** @type {any[]} */ [t, x]) => /** @type {Corner} */ ([number(t), number(x)]));
}

/** @param {PartValue} value @returns {{left: Corner[], right: Corner[], temperature: number, mean: number}|null} */
export function walls(value) {
  if (!value.thermograph) return null;
  const left = corners(value.thermograph.left);
  const right = corners(value.thermograph.right);
  if (!left.length || !right.length) return null;
  const top = left[left.length - 1];
  return { left, right, temperature: number(value.temperature ?? value.thermograph.temperature ?? top[0]), mean: top[1] };
}

/** The value of a wall at a temperature. */
function along(wall, t) {
  for (let i = 1; i < wall.length; i += 1) {
    const [t0, x0] = wall[i - 1];
    const [t1, x1] = wall[i];
    if (t <= t1) return x0 + ((x1 - x0) * (t - t0)) / (t1 - t0 || 1);
  }
  return wall[wall.length - 1][1];
}

/** A sentence that says what the picture shows. @param {PartValue} value */
export function thermographWords(value) {
  const seen = walls(value);
  if (!seen) return "";
  return `Thermograph of ${inline(value.value)}: left stop ${fraction(along(seen.left, 0))}, right stop ${fraction(along(seen.right, 0))}, mean ${fraction(seen.mean)}, temperature ${fraction(seen.temperature)}`;
}

/** The small form of the list. @param {PartValue} value @param {number} [width] @param {number} [height] */
export function smallThermograph(value, width = 136, height = 100) {
  return drawn(value, width, height, false);
}

function drawn(value, width, height, full) {
  const seen = walls(value);
  if (!seen) return null;
  const low = full ? -1 : seen.temperature > 0 ? 0 : -1;
  const high = Math.max(seen.temperature, 0) + (full ? 1 : Math.max(0.5, (seen.temperature - low) * 0.6));
  const reach = [along(seen.left, low), along(seen.left, 0), seen.mean, along(seen.right, 0), along(seen.right, low)];
  const most = Math.max(...reach);
  const least = Math.min(...reach);
  const margin = full ? 44 : 16;
  const unit = Math.min((width - 2 * margin) / Math.max(most - least, 0.5), (height - (full ? 60 : 30)) / (high - low));
  const middle = (most + least) / 2;
  const x = (v) => width / 2 - (v - middle) * unit;
  const y = (t) => height - (full ? 36 : 20) - (t - low) * unit;
  const line = (wall) => {
    const inside = wall.filter(([t]) => t > low && t < seen.temperature);
    const ends = [low, ...inside.map(([t]) => t), seen.temperature];
    return ends.map((t, i) => `${i ? "L" : "M"}${x(along(wall, t)).toFixed(2)} ${y(t).toFixed(2)}`).join("");
  };
  const anchor = { class: "thermotext", "text-anchor": "middle", "font-size": full ? 14 : 12 };
  const stops = [along(seen.left, 0), along(seen.right, 0)];
  const near = Math.abs(x(stops[0]) - x(stops[1])) < 26;
  const below = y(0) + (full ? 20 : 14);
  const cold = seen.temperature <= 0;
  return s("svg.thermograph", { role: "img", "data-picture": "thermograph", width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": thermographWords(value) },
    s("title", thermographWords(value)),
    full ? axes(x, y, low, high, width, most, least) : null,
    s("path.zero", { d: `M6 ${y(0)}H${width - 6}` }),
    !cold ? s("path.heat", { d: `M6 ${y(seen.temperature)}H${width - 6}` }) : null,
    !cold ? s("text", { ...anchor, "text-anchor": "end", x: width - 4, y: y(seen.temperature) - 5 }, `t ${fraction(seen.temperature)}`) : null,
    s("path.wall.leftwall", { "data-wall": "left", d: line(seen.left) }), s("path.wall.rightwall", { "data-wall": "right", d: line(seen.right) }),
    s("path.wall.mast", { "data-wall": "mast", d: `M${x(seen.mean)} ${y(seen.temperature)}V${y(high)}` }),
    s("text", { ...anchor, "text-anchor": "start", x: x(seen.mean) + 6, y: y(high) + 10 }, fraction(seen.mean)),
    cold ? null : near ? s("text", { ...anchor, x: x((stops[0] + stops[1]) / 2), y: below }, `${fraction(stops[0])}, ${fraction(stops[1])}`) : stops.map((stop) => s("text", { ...anchor, x: x(stop), y: below }, fraction(stop))));
}

function axes(x, y, low, high, width, most, least) {
  const lines = [];
  const step = high - low > 12 ? Math.ceil((high - low) / 8) : 1;
  for (let t = Math.ceil(low); t <= high; t += step) {
    lines.push(s("path.faint", { d: `M30 ${y(t)}H${width - 6}` }), s("text.thermotext", { "font-size": 13, "text-anchor": "end", x: 26, y: y(t) + 4 }, fraction(t)));
  }
  const along = most - least > 12 ? Math.ceil((most - least) / 8) : 1;
  for (let v = Math.floor(least); v <= Math.ceil(most); v += along) {
    if (x(v) < 34 || x(v) > width - 10) continue;
    lines.push(s("path.faint", { d: `M${x(v)} ${y(low)}V${y(high)}` }), s("text.thermotext", { "font-size": 13, "text-anchor": "middle", x: x(v), y: y(low) + 18 }, fraction(v)));
  }
  return lines;
}

/** The full form in a dialog: axes, and coordinates under the pointer or by the arrow keys. @param {PartValue} value @param {HTMLElement[]} actions */
export function showThermograph(value, actions) {
  const seen = walls(value);
  if (!seen) return;
  const wide = Math.min(620, window.innerWidth - 60);
  const picture = drawn(value, wide, Math.min(440, window.innerHeight - 240), true);
  const top = Math.max(seen.temperature, 0) + 1;
  const told = h("output.soft", "Move over the picture, or move the slider.");
  const tell = (t) => { told.textContent = `at temperature ${fraction(t)}: left wall ${fraction(along(seen.left, t))}, right wall ${fraction(along(seen.right, t))}`; };
  const slider = h("input", { type: "range", min: -1, max: top, step: 1 / 16, value: 0, "aria-label": "Temperature", oninput: () => tell(Number(slider.value)) });
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const zero = picture.querySelector(".zero").getBoundingClientRect().y;
    const faint = [...picture.querySelectorAll(".faint")].map((line) => line.getBoundingClientRect().y).sort((a, b) => b - a);
    const unit = faint.length > 1 && faint[0] !== faint[1] ? Math.abs(faint[0] - faint[1]) : box.height / (top + 1);
    const t = Math.max(-1, Math.min(top, Math.round(((zero - event.clientY) / unit) * 16) / 16));
    slider.value = t;
    tell(t);
  });
  dialog(`Thermograph of ${inline(value.value)}`, [picture, h("div.row", slider, told), h("div.row", ...actions)], { id: "thermographdialog" });
}
