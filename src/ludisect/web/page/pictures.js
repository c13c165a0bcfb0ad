// Pictures as files: SVG with its colours written in, and PNG of twice the size through a canvas.

import { button, toast } from "./dom.js";

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline", "visibility"];

/** A picture as a document that stands alone: computed colours as attributes. @param {SVGSVGElement} svg @returns {string} */
export function standalone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const olds = [svg, ...svg.querySelectorAll("*")];
  const news = [copy, ...copy.querySelectorAll("*")];
  const gone = [];
  for (const [i, old] of olds.entries()) {
    const made = news[i];
    const seen = getComputedStyle(old);
    if (seen.display === "none" || made.matches(".ring, .hit")) gone.push(made);
    for (const name of PAINT) made.setAttribute(name, seen.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role"]) if (made !== copy) made.removeAttribute(name);
  }
  for (const each of gone) each.remove();
  const size = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: size.x, y: size.y, width: size.width, height: size.height, fill: getComputedStyle(document.documentElement).getPropertyValue("--surface").trim() })) ground.setAttribute(name, String(value));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {SVGSVGElement} svg @param {string} name */
export function saveSvg(svg, name) {
  download(new Blob([standalone(svg)], { type: "image/svg+xml" }), `${name}.svg`);
}

/** @param {SVGSVGElement} svg @param {string} name */
export async function savePng(svg, name) {
  const size = svg.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = size.width * 2;
    canvas.height = size.height * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => { if (blob) download(blob, `${name}.png`); }, "image/png");
  } catch {
    toast("This picture cannot be made into a PNG here; save it as SVG.");
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Two buttons that save the picture that is there when they are pressed. @param {() => Element|null} find @param {string} name */
export function exportButtons(find, name) {
  const use = (save) => () => {
    const found = find();
    if (found instanceof SVGSVGElement) save(found, name);
  };
  return [button("Save SVG", { class: "button small", onclick: use(saveSvg) }), button("Save PNG", { class: "button small", onclick: use(savePng) })];
}
