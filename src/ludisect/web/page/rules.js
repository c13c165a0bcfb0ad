// The rules view: where a game comes from, and the editor of rule sheets that marks faults as one types.

import { post } from "./api.js";
import { $, button, h, put, small, tabs } from "./dom.js";
import { bundledPanel, fault, faultWords, fenPanel, open, reading, sumPanel, yoursPanel } from "./games.js";
import { show } from "./store.js";
import { study } from "./study.js";
import { counted } from "./text.js";

const PANELS = /** @type {Tab[]} */ ([
  ["bundled", "Bundled", bundledPanel], ["sheet", "Sheet", editorPanel], ["ruleset", "Ruleset", (done) => sumPanel("domineering 4x4", done)],
  ["sum", "Sum", (done) => sumPanel(study().game.sum ?? "domineering 6x6 + nim 3", done)], ["fen", "FEN", fenPanel], ["yours", "Yours", yoursPanel]]);
const PAUSE = 250;
const LARGEST = 5_000_000;
const LINES = 4000;

let tab = "sheet";
let draft = "";
export function buildRules(main) {
  const choose = (name) => {
    tab = name;
    buildRules(main);
    $(`#rules-${name}`).focus();
  };
  const panel = PANELS.find(([name]) => name === tab)?.[2](() => show("bench"));
  put(main, h("section.panel.view.rules", { "aria-label": "Rules" }, tabs("Where the game comes from", PANELS, tab, choose, "rulespanel", "rules"), h("div.rulespanel", { role: "tabpanel", id: "rulespanel", "aria-labelledby": `rules-${tab}` }, panel)));
}

function editorPanel(done) {
  const area = h("textarea.code", { spellcheck: "false", "aria-label": "Rule sheet", wrap: "off", rows: 22, value: draft || study().game.text || "", placeholder: "(role white)\n…" });
  const behind = h("pre.code.marks", { "aria-hidden": "true" });
  const gutter = h("pre.code.gutter", { "aria-hidden": "true" });
  const faults = h("ul.faults", { "aria-label": "Faults" });
  const said = h("div", { "aria-live": "polite" });
  const status = h("span.soft", { role: "status" });
  const load = button("Load", async () => { if (await open({ text: area.value }, said)) done(); }, { class: "button primary", disabled: true });
  /** @type {any[]} */
  let found = [];
  let waiting = 0;
  let asked = 0;

  const scroll = () => {
    behind.scrollLeft = area.scrollLeft;
    behind.scrollTop = gutter.scrollTop = area.scrollTop;
  };
  const paint = () => {
    const lines = area.value.split("\n").slice(0, LINES);
    const bad = new Map(found.map((each) => [each.line, each.level]));
    put(gutter, lines.map((_, i) => [bad.has(i + 1) ? h("b", { class: bad.get(i + 1) === "warning" ? "warned" : "fault", "data-line": i + 1 }, i + 1) : i + 1, "\n"]));
    put(behind, lines.map((line, i) => [underlined(line, found.filter((each) => each.line === i + 1)), "\n"]));
    scroll();
  };
  const check = async () => {
    const mine = (asked += 1);
    draft = area.value;
    load.disabled = true;
    if (draft.length > LARGEST) return void (status.textContent = `The sheet has ${(draft.length / 1e6).toFixed(1)} MB; the limit is 5 MB.`);
    status.textContent = draft.trim() ? reading(draft) : "";
    try {
      const answer = draft.trim() ? await post("/check", { text: draft }) : { problems: [] };
      if (mine !== asked) return;
      found = answer.problems;
    } catch (error) {
      if (mine === asked) put(said, fault(error));
      return;
    }
    const errors = found.filter((each) => each.level !== "warning");
    load.disabled = errors.length > 0 || !draft.trim();
    if (draft.trim()) status.textContent = `${counted(errors.length, "fault")}, ${counted(found.length - errors.length, "warning")}`;
    put(faults, found.slice(0, 100).map((each) => faultRow(each, area, again)));
    put(said, errors.length > 0 && h("p.fault", faultWords(errors)));
    paint();
  };
  const again = () => {
    load.disabled = true;
    asked += 1; // an answer that comes now is of the sheet before
    paint();
    clearTimeout(waiting);
    waiting = window.setTimeout(check, PAUSE);
  };
  const read = async (file) => {
    if (!file) return;
    area.value = await file.text();
    check();
  };
  area.addEventListener("input", again);
  area.addEventListener("scroll", scroll);
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files[0]) return;
    event.preventDefault();
    event.stopPropagation();
    read(event.dataTransfer.files[0]);
  });
  const upload = h("input", { type: "file", accept: ".kif,.gdl,.txt", "aria-label": "Rule sheet from a file", onchange: () => read(upload.files[0]) });
  requestAnimationFrame(() => { paint(); check(); });
  return h("div.stack", h("div.row", upload, small("Sheet of this game", () => { area.value = study().game.text ?? ""; check(); }, { disabled: !study().game.text })),
    h("div.editor", gutter, h("div.sheet", behind, area)), faults, h("div.row", status, h("span.grow"), load), said);
}

/** A line with its faults underlined. */
function underlined(line, found) {
  const out = [];
  let at = 0;
  for (const each of found.sort((a, b) => a.column - b.column)) {
    const from = Math.max(at, (each.column ?? 1) - 1);
    const to = Math.min(from + (each.length || 1), line.length + 1);
    out.push(line.slice(at, from), h("mark", { class: each.level === "warning" ? "warned" : "" }, line.slice(from, to) || " "));
    at = to;
  }
  return [...out, line.slice(at)];
}

function faultRow(each, area, again) {
  const warned = each.level === "warning";
  const goThere = () => {
    const start = area.value.split("\n").slice(0, each.line - 1).reduce((sum, line) => sum + line.length + 1, (each.column ?? 1) - 1);
    area.focus();
    area.setSelectionRange(start, start + (each.length || 1));
  };
  const meant = /did you mean [`'"]?([^`'"?\s]+)/i.exec(each.help ?? "")?.[1];
  const mend = () => { goThere(); area.setRangeText(meant, area.selectionStart, area.selectionEnd, "end"); again(); };
  return h("li", { class: warned ? "warned" : "fault" }, h("button.plain.mono", { onclick: goThere, "aria-label": `Go to line ${each.line}, column ${each.column}` }, `${warned ? "!" : "✕"} ${each.line}:${each.column}`), h("span", each.what, each.help && h("span.soft", ` ${each.help}`)), meant && small("mend", mend));
}
