// The editor of rule sheets: line numbers, faults underlined as one types, help beside them.

import { post } from "./api.js";
import { button, h, put } from "./dom.js";
import { open, trouble } from "./games.js";
import { study } from "./play.js";
import { counted } from "./text.js";

const PAUSE = 250;
const LARGEST = 5_000_000;
const LINES = 4000;

let draft = "";

/** @param {() => void} done */
export function editorPanel(done) {
  const area = h("textarea.code", { spellcheck: "false", "aria-label": "Rule sheet", wrap: "off", rows: 22, value: draft || study().game.text || "", placeholder: "(role white)\n…" });
  const behind = h("pre.code.marks", { "aria-hidden": "true" });
  const gutter = h("pre.code.gutter", { "aria-hidden": "true" });
  const faults = h("ul.faults", { "aria-label": "Faults" });
  const said = h("div", { "aria-live": "polite" });
  const status = h("span.soft", { role: "status" });
  const load = button("Load", { class: "button primary", disabled: true, onclick: async () => { if (await open({ text: area.value }, said)) done(); } });
  /** @type {any[]} */
  let found = [];
  let waiting = 0;
  let asked = 0;

  const paint = () => {
    const lines = area.value.split("\n");
    const bad = new Map(found.map((each) => [each.line, each.level]));
    const shown = lines.slice(0, LINES);
    put(gutter, shown.flatMap((_, i) => [bad.has(i + 1) ? h("b", { class: bad.get(i + 1) === "warning" ? "warned" : "fault", "data-line": i + 1 }, i + 1) : String(i + 1), "\n"]));
    put(behind, shown.flatMap((line, i) => [...underlined(line, found.filter((each) => each.line === i + 1)), "\n"]));
    behind.scrollLeft = area.scrollLeft;
    behind.scrollTop = gutter.scrollTop = area.scrollTop;
  };
  const check = async () => {
    const mine = (asked += 1);
    draft = area.value;
    if (!draft.trim()) {
      found = [];
      load.disabled = true;
      put(faults);
      status.textContent = "";
      return paint();
    }
    if (draft.length > LARGEST) {
      load.disabled = true;
      status.textContent = `The sheet has ${(draft.length / 1e6).toFixed(1)} MB; the limit is 5 MB.`;
      return;
    }
    status.textContent = `Reading ${draft.split("\n").length.toLocaleString("en-US")} lines …`;
    try {
      const answer = await post("/check", { text: draft });
      if (mine !== asked) return;
      found = answer.problems;
    } catch (error) {
      if (mine === asked) put(said, trouble(error));
      return;
    }
    const errors = found.filter((each) => each.level !== "warning");
    load.disabled = errors.length > 0;
    status.textContent = `${counted(errors.length, "fault")}, ${counted(found.length - errors.length, "warning")}`;
    put(faults, found.slice(0, 100).map((each) => fault(each, area, again)));
    put(said, errors.length ? h("p.fault", `${counted(errors.length, "fault")} in the sheet. The first is in line ${errors[0].line}.`) : null);
    paint();
  };
  const again = () => {
    paint();
    clearTimeout(waiting);
    waiting = window.setTimeout(check, PAUSE);
  };
  area.addEventListener("input", again);
  area.addEventListener("scroll", () => { behind.scrollLeft = area.scrollLeft; behind.scrollTop = gutter.scrollTop = area.scrollTop; });
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    area.value = await file.text();
    check();
  });
  const upload = h("input", { type: "file", accept: ".kif,.gdl,.txt", "aria-label": "Rule sheet from a file", onchange: async () => { const file = upload.files?.[0]; if (file) { area.value = await file.text(); check(); } } });
  requestAnimationFrame(() => { paint(); check(); });
  return h("div.stack", h("div.row", upload, button("Sheet of this game", { class: "button small", disabled: !study().game.text, onclick: () => { area.value = study().game.text ?? ""; check(); } })),
    h("div.editor", gutter, h("div.sheet", behind, area)), faults, h("div.row", status, h("span.grow"), load), said);
}

/** A line with its faults underlined. */
function underlined(line, found) {
  const out = [];
  let at = 0;
  for (const each of [...found].sort((a, b) => a.column - b.column)) {
    const from = Math.max(at, (each.column ?? 1) - 1);
    const to = Math.min(Math.max(from + (each.length || 1), from + 1), line.length + 1);
    out.push(line.slice(at, from), h("mark", { class: each.level === "warning" ? "warned" : "" }, line.slice(from, to) || " "));
    at = to;
  }
  out.push(line.slice(at));
  return out;
}

function fault(each, area, again) {
  const goThere = () => {
    const lines = area.value.split("\n");
    const start = lines.slice(0, each.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + (each.column ?? 1) - 1;
    area.focus();
    area.setSelectionRange(start, start + (each.length || 1));
  };
  const meant = /did you mean [`'"]?([^`'"?\s]+)/i.exec(each.help ?? "")?.[1];
  const mend = meant ? button("mend", { class: "button small", onclick: () => { goThere(); area.setRangeText(meant, area.selectionStart, area.selectionEnd, "end"); again(); } }) : null;
  return h("li", { class: each.level === "warning" ? "warned" : "fault" }, h("button.plain.mono", { onclick: goThere, "aria-label": `Go to line ${each.line}, column ${each.column}` }, `${each.level === "warning" ? "!" : "✕"} ${each.line}:${each.column}`), h("span", each.what, each.help ? h("span.soft", ` ${each.help}`) : null), mend);
}
