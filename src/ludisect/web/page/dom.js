// Elements: made by name, never from text; badges and chips that every view uses.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node|string|number|null|undefined|false} Child */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of /** @type {any[]} */ (children).flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** @param {Element} element @param {string[]} classes @param {any[]} rest */
function finish(element, classes, rest) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const given = rest.length && rest[0] !== null && typeof rest[0] === "object" && Object.getPrototypeOf(rest[0]) === Object.prototype;
  fill(element, given ? rest[0] : null, given ? rest.slice(1) : rest);
  return element;
}

/**
 * An HTML element: `h("p.soft", {id: "x"}, "text", other)`; attributes, if any, come first; those that begin with `on` are listeners.
 * @param {string} what a tag, with its classes after dots
 * @param {...any} rest
 * @returns {any}
 */
export function h(what, ...rest) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (tag === "button") element.setAttribute("type", "button");
  return finish(element, classes, rest);
}

/**
 * An SVG element, in the same way.
 * @param {string} what
 * @param {...any} rest
 * @returns {any}
 */
export function s(what, ...rest) {
  const [tag, ...classes] = what.split(".");
  return finish(document.createElementNS(SVG, tag), classes, rest);
}

/** @param {Element} element @param {...(Child|Child[])} children */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, null, children);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * Classes that give a part its colour: eight hues, then the same with a hatch, then with dots, then grey.
 * @param {number|null|undefined} part 0 is the context
 */
export function hue(part) {
  if (part === null || part === undefined) return "";
  if (part <= 0 || part > 24) return "p0";
  const kind = part > 16 ? " dots" : part > 8 ? " hatch" : "";
  return `p${((part - 1) % 8) + 1}${kind}`;
}

/** @param {number} part @param {string} [text] */
export function badge(part, text) {
  return h("span", { class: `badge ${hue(part)}`, "data-part": part }, text ?? (part > 0 ? part : "C"));
}

const SIGNS = /** @type {Record<string, string>} */ ({ proved: "✓", exact: "✓", tested: "≈", refuted: "✕", guessed: "?" });

/** A chip says how sure something is: `proved`, `exact`, `tested`, `refuted`, `guessed`, `running`.
 * @param {string} kind @param {string} text */
export function chip(kind, text) {
  return h("span", { class: `chip ${kind}` }, SIGNS[kind] ? `${SIGNS[kind]} ${text}` : text);
}

/** @param {string} text @param {Record<string, any>} attributes */
export function button(text, attributes) {
  return h("button", { class: "button", ...attributes }, text);
}

/** Says something to who listens instead of looking. @param {string} text */
export function say(text) {
  byId("saying").textContent = text;
}

/** @type {number} */
let fading = 0;

/** A notice of what the person did. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  byId("notices").append(h("div", { class: "toast", role: "status" }, text));
  clearTimeout(fading);
  fading = window.setTimeout(() => document.querySelector(".toast")?.remove(), 5000);
}

/**
 * A modal dialog with a head and a button that closes it.
 * @param {string} title
 * @param {Child[]} body
 * @param {{id?: string, onclose?: () => void}} [more]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, body, more = {}) {
  const heading = `title-${Math.random().toString(36).slice(2, 8)}`;
  const box = h("dialog", { "aria-labelledby": heading, id: more.id, onclose: () => { box.remove(); more.onclose?.(); } },
    h("div.dialoghead", h("h2", { id: heading }, title), button("Close", { onclick: () => box.close(), class: "button small" })),
    h("div.dialogbody", ...body));
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

/** Wide enough for panels side by side without tabs. */
export function isProjector() {
  return window.innerWidth >= 1500;
}
