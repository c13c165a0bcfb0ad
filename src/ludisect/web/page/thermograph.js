// Thermographs: equal units on both axes, larger values to the left, the mast with the mean beside it.

import { dialog, h, s } from "./dom.js";
import { fraction, inline, number } from "./text.js";

/** @param {PartValue} value @returns {Walls|null} */
function walls(value) {
  const [left, right] = ["left", "right"].map((side) => (value.thermograph?.[side] ?? []).map((corner) => corner.map(number)));
  if (!left.length || !right.length) return null;
  const [top, mean] = left[left.length - 1];
  return { left, right, temperature: number(value.temperature ?? top), mean };
}

function along(wall, t) {
  for (let i = 1; i < wall.length; i += 1) {
    const [t0, x0] = wall[i - 1];
    const [t1, x1] = wall[i];
    if (t <= t1) return x0 + ((x1 - x0) * (t - t0)) / (t1 - t0 || 1);
  }
  return wall[wall.length - 1][1];
}

/** A sentence that says what the picture shows. */
const inWords = (value, seen) => `Thermograph of ${inline(value.value)}: left stop ${fraction(along(seen.left, 0))}, right stop ${fraction(along(seen.right, 0))}, mean ${fraction(seen.mean)}, temperature ${fraction(seen.temperature)}`;

/** The small form of the list. @param {PartValue} value */
export const smallThermograph = (value) => drawn(value, 136, 100, false);

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
  const line = (wall) => `M${[low, ...wall.map(([t]) => t).filter((t) => t > low && t < seen.temperature), seen.temperature].map((t) => `${x(along(wall, t)).toFixed(2)} ${y(t).toFixed(2)}`).join("L")}`;
  const label = (text, left, top, anchor = "middle") => s("text.thermotext", { "text-anchor": anchor, "font-size": full ? 14 : 12, x: left, y: top }, text);
  const stops = [along(seen.left, 0), along(seen.right, 0)];
  const near = Math.abs(x(stops[0]) - x(stops[1])) < 26;
  const below = y(0) + (full ? 20 : 14);
  const hot = seen.temperature > 0;
  return s("svg.thermograph", { role: "img", "data-picture": "thermograph", width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": inWords(value, seen), "data-zero": y(0), "data-unit": unit },
    s("title", inWords(value, seen)), full && axes(x, y, low, high, width, most, least), s("path.zero", { d: `M6 ${y(0)}H${width - 6}` }),
    hot && [s("path.heat", { d: `M6 ${y(seen.temperature)}H${width - 6}` }), label(`t ${fraction(seen.temperature)}`, width - 4, y(seen.temperature) - 5, "end")],
    s("path.wall.leftwall", { "data-wall": "left", d: line(seen.left) }), s("path.wall.rightwall", { "data-wall": "right", d: line(seen.right) }),
    s("path.wall.mast", { "data-wall": "mast", d: `M${x(seen.mean)} ${y(seen.temperature)}V${y(high)}` }), label(fraction(seen.mean), x(seen.mean) + 6, y(high) + 10, "start"),
    hot && (near ? label(stops.map(fraction).join(", "), x((stops[0] + stops[1]) / 2), below) : stops.map((stop) => label(fraction(stop), x(stop), below))));
}

function axes(x, y, low, high, width, most, least) {
  const marks = (from, to) => Array.from({ length: Math.floor(to - from) + 1 }, (_, i) => from + i).filter((_, i) => i % (to - from > 12 ? Math.ceil((to - from) / 8) : 1) === 0);
  const text = (left, top, anchor, mark) => s("text.thermotext", { "font-size": 13, "text-anchor": anchor, x: left, y: top }, fraction(mark));
  return [marks(low, high).map((t) => [s("path.faint", { d: `M30 ${y(t)}H${width - 6}` }), text(26, y(t) + 4, "end", t)]),
    marks(Math.floor(least), Math.ceil(most)).filter((v) => x(v) >= 34 && x(v) <= width - 10).map((v) => [s("path.faint", { d: `M${x(v)} ${y(low)}V${y(high)}` }), text(x(v), y(low) + 18, "middle", v)])];
}

/** The full form in a dialog: axes, and coordinates under the pointer or by the arrow keys. @param {PartValue} value @param {HTMLElement[]} actions */
export function showThermograph(value, actions) {
  const seen = walls(value);
  if (!seen) return;
  const picture = drawn(value, Math.min(620, window.innerWidth - 60), Math.min(440, window.innerHeight - 240), true);
  const top = Math.max(seen.temperature, 0) + 1;
  const told = h("output.soft", "Move over the picture, or move the slider.");
  const tell = (t) => { told.textContent = `at temperature ${fraction(t)}: left wall ${fraction(along(seen.left, t))}, right wall ${fraction(along(seen.right, t))}`; };
  const slider = h("input", { type: "range", min: -1, max: top, step: 1 / 16, value: 0, "aria-label": "Temperature", oninput: () => tell(Number(slider.value)) });
  picture.addEventListener("pointermove", (event) => {
    const { zero, unit } = picture.dataset;
    slider.value = Math.max(-1, Math.min(top, Math.round(((zero - event.offsetY) / unit) * 16) / 16));
    tell(Number(slider.value));
  });
  dialog("thermographdialog", `Thermograph of ${inline(value.value)}`, picture, h("div.row", slider, told), h("div.row", actions));
}
