// The one place where text becomes elements: pictures of the server, stripped of everything outside a list.

const ELEMENTS = new Set("svg g path rect circle ellipse line polyline polygon text tspan title desc defs marker pattern clippath use".split(" "));
const ATTRIBUTES = new Set(("class id viewbox width height x y x1 y1 x2 y2 cx cy r rx ry d points transform fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-opacity " +
  "fill-opacity fill-rule opacity font-size font-weight font-family font-style text-anchor dominant-baseline dx dy role tabindex marker-end marker-start markerwidth markerheight " +
  "refx refy orient patternunits patterntransform clip-path preserveaspectratio xmlns").split(" "));

const plain = { createHTML: (text) => text };
const policy = window.trustedTypes?.createPolicy("ludisect", plain) ?? plain;

/**
 * An SVG picture from the server's text, without script, style, links, or anything that is not on the list.
 * @returns {SVGSVGElement}
 */
export function svgFrom(text) {
  const parsed = new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg") throw new Error("The server sent no picture.");
  strip(root);
  return /** @type {any} */ (document.importNode(root, true));
}

function strip(element) {
  for (const attribute of [...element.attributes]) if (!allowed(attribute)) element.removeAttributeNode(attribute);
  for (const child of [...element.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) continue;
    if (child.nodeType === Node.ELEMENT_NODE && ELEMENTS.has(child.localName.toLowerCase())) strip(child);
    else child.remove();
  }
}

function allowed(attribute) {
  const name = attribute.name.toLowerCase();
  const value = attribute.value.trim();
  if (name === "href" || name === "xlink:href") return value.startsWith("#");
  if (/url\s*\(\s*["']?(?!#)/i.test(value)) return false;
  return ATTRIBUTES.has(name) || name.startsWith("data-") || name.startsWith("aria-");
}
