// Pictures as files: SVG with its colours written in, and PNG of twice the size through a canvas; pictures that the server draws.

import { picture } from "./api.js";
import { dialog, h, put, s, small, toast } from "./dom.js";
import { svgFrom } from "./safe.js";
import { request, study } from "./study.js";

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline", "visibility"];

/** A picture as a document that stands alone: computed colours as attributes. @param {SVGSVGElement} svg */
function standalone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const news = [copy, ...copy.querySelectorAll("*")];
  for (const [i, old] of [svg, ...svg.querySelectorAll("*")].entries()) {
    const seen = getComputedStyle(old);
    for (const name of PAINT) news[i].setAttribute(name, seen.getPropertyValue(name));
    if (seen.display === "none" || old.matches(".ring, .hit")) news[i].remove();
    for (const name of ["class", "tabindex", "role"]) if (i) news[i].removeAttribute(name);
  }
  const { x, y, width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.prepend(s("rect", { x, y, width, height, fill: getComputedStyle(document.documentElement).getPropertyValue("--surface").trim() }));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {BlobPart} data */
export function download(data, type, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {SVGSVGElement} svg */
export function saveSvg(svg, name) {
  download(standalone(svg), "image/svg+xml", `${name}.svg`);
}

/** @param {SVGSVGElement} svg */
export async function savePng(svg, name) {
  const image = h("img", { src: URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" })) });
  try {
    await image.decode();
    const size = svg.viewBox.baseVal;
    const canvas = h("canvas", { width: size.width * 2, height: size.height * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && download(blob, "image/png", `${name}.png`), "image/png");
  } catch {
    toast("This picture cannot be made into a PNG here; save it as SVG.");
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** Two buttons that save the picture that is there when they are pressed. @param {() => any} find */
export const exportButtons = (find, name) => [small("Save SVG", () => find() && saveSvg(find(), name)), small("Save PNG", () => find() && savePng(find(), name))];

/** A picture of the server in a dialog. @param {Record<string, any>} what @param {string} name of the file */
export async function showPicture(title, what, name) {
  const place = h("div.scroll", { tabindex: 0, role: "region", "aria-label": title }, h("p.soft", "Drawing …"));
  dialog("picturedialog", title, place, h("div.row", exportButtons(() => place.querySelector("svg"), name)));
  try {
    const drawn = svgFrom(await picture(study().game.id, { ...request(), theme: document.documentElement.dataset.theme, ...what }));
    for (const side of ["width", "height"]) drawn.setAttribute(side, String(drawn.viewBox.baseVal[side]));
    put(place, drawn);
  } catch (error) {
    put(place, h("p.fault", error.message));
  }
}
