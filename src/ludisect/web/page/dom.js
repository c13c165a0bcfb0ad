// Elements: made by name, never from text; badges, chips, tables, tabs and dialogs that every view uses.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if ((value ?? false) === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (["value", "checked", "disabled", "selected"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => (child ?? false) !== false));
  return element;
}

function make(element, classes, rest) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const given = rest[0] && Object.getPrototypeOf(rest[0]) === Object.prototype;
  return fill(element, given ? rest[0] : null, given ? rest.slice(1) : rest);
}

/**
 * An HTML element: `h("p.soft", {id: "x"}, "text", other)`; attributes, if any, come first; those that begin with `on` are listeners.
 * @param {string} what a tag, with its classes after dots @param {...any} rest
 */
export function h(what, ...rest) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (tag === "button") element.setAttribute("type", "button");
  return make(element, classes, rest);
}

/** An SVG element, in the same way. @param {...any} rest */
export function s(what, ...rest) {
  const [tag, ...classes] = what.split(".");
  return make(document.createElementNS(SVG, tag), classes, rest);
}

/** Puts children in the place of those that are there. @param {...any} children */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, null, children);
}

/** The first element that a selector means. @param {ParentNode} [inside] */
export const $ = (selector, inside = document) => inside.querySelector(selector);

/** Classes that give a part its colour: eight hues, then the same with a hatch, then with dots, then grey; 0 is the context. */
export function hue(part) {
  if (part === null || part === undefined) return "";
  if (part <= 0 || part > 24) return "p0";
  return `p${((part - 1) % 8) + 1}${part > 16 ? " dots" : part > 8 ? " hatch" : ""}`;
}
export const badge = (part) => h("span", { class: `badge ${hue(part)}`, "data-part": part }, part > 0 ? part : "C");

const SIGNS = { proved: "✓ ", exact: "✓ ", tested: "≈ ", refuted: "✕ ", guessed: "? " };

/** A chip says how sure something is: `proved`, `exact`, `tested`, `refuted`, `guessed`, `running`. */
export const chip = (kind, text) => h("span", { class: `chip ${kind}` }, SIGNS[kind], text);
export const button = (text, onclick, more = {}) => h("button", { class: "button", onclick, ...more }, text);
export const small = (text, onclick, more = {}) => button(text, onclick, { class: "button small", ...more });

/** A table: its name, the heads of its columns if any, rows of cells; the first cell of a row is its head if `named`. */
export function table(caption, heads, rows, named = false) {
  return h("table.facts", h("caption.unseen", caption), heads && h("thead", h("tr", heads.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", rows.map((row) => h("tr", row.map((cell, i) => (named && !i ? h("th", { scope: "row" }, cell) : h("td", cell)))))));
}

export function select(label, names, now, onchange, more = {}) {
  return h("select", { "aria-label": label, onchange: (event) => onchange?.(event.target.value), ...more }, names.map((name) => {
    const [value, text] = [name].flat();
    return h("option", { value, selected: value === now }, text ?? value);
  }));
}

/** Tabs: names with titles, of which one is open; arrows go from one to the next. */
export function tabs(label, names, now, open, panel, prefix = "tab") {
  const keys = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    open(names[(names.findIndex(([name]) => name === now) + by + names.length) % names.length][0]);
  };
  return h("div.tabs", { role: "tablist", "aria-label": label, onkeydown: keys }, names.map(([name, title]) => h("button", {
    role: "tab", id: `${prefix}-${name}`, "aria-controls": panel, "aria-selected": String(now === name), tabindex: now === name ? 0 : -1, onclick: () => open(name) }, title)));
}

/** How far a step is, as a bar. @param {Job["step"]} step */
export function bar(label, step) {
  const made = h("div.bar", { role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": step?.of ?? 100, "aria-valuenow": step?.of ? Math.min(step.done, step.of) : null }, h("i"));
  if (step?.of) made.firstChild.style.width = `${Math.min(100, (100 * step.done) / step.of)}%`;
  return made;
}

/** Says something to who listens instead of looking. */
export function say(text) {
  $("#saying").textContent = text;
}

let fading = 0;

export function toast(text) {
  $(".toast")?.remove();
  $("#notices").append(h("div.toast", { role: "status" }, text));
  clearTimeout(fading);
  fading = window.setTimeout(() => $(".toast")?.remove(), 5000);
}

/** A modal dialog with a head and a button that closes it. @param {...any} body */
export function dialog(id, title, ...body) {
  const box = h("dialog", { "aria-labelledby": `${id}-title`, id, onclose: () => box.remove(), onclick: (event) => { if (event.target === box) box.close(); } },
    h("div.dialoghead", h("h2", { id: `${id}-title` }, title), small("Close", () => box.close())), h("div.dialogbody", body));
  document.body.append(box);
  box.showModal();
  return box;
}

/** Wide enough for panels side by side without tabs. */
export const isProjector = () => window.innerWidth >= 1500;
