// Choosing a game: bundled games with their parameters as fields, rulesets, games of one's own; as a dialog and as panels.

import { get, register } from "./api.js";
import { button, dialog, h, put, toast } from "./dom.js";
import { openGame } from "./play.js";
import { gameTitle } from "./text.js";

/** @type {Promise<any>|null} */
let list = null;

/** What the server offers; asked anew for games of one's own, whose files may have changed. @param {boolean} [anew] */
export function offered(anew = false) {
  if (!list || anew) list = get("/games");
  list.catch(() => { list = null; });
  return list;
}

/** Opens a game; says whether it went well. @param {any} what @param {HTMLElement} [place] where trouble is told */
export async function open(what, place) {
  if (place) put(place, h("p.soft", what.text ? `Reading ${what.text.split("\n").length.toLocaleString("en-US")} lines …` : "Reading …"));
  try {
    const game = await register(what);
    if (what.yours) game.yours = what.yours;
    await openGame(game);
    if (place) put(place);
    return true;
  } catch (error) {
    if (place) put(place, trouble(error));
    else toast(error.message);
    return false;
  }
}

/** A problem in words: faults of a sheet, or where a ruleset of one's own broke. @param {any} error */
export function trouble(error) {
  const body = error.body ?? {};
  const faults = (body.problems ?? []).filter((each) => each.line);
  const head = faults.length ? `${faults.length} ${faults.length === 1 ? "fault" : "faults"} in the sheet. The first is in line ${faults[0].line}.` : error.message;
  const where = body.file ? `${body.file}${body.line ? `, line ${body.line}` : ""}${body.position ? `, at ${body.position}` : ""}` : null;
  return h("div.fault", { role: "alert" }, h("p", head), where ? h("p.mono", where) : null);
}

/** Fields for the parameters of a family. */
function fields(game) {
  const pattern = /^[^:]*:(.*)$/.exec(game.parameters ?? "")?.[1];
  if (!pattern) return { boxes: [], source: () => game.name };
  const usual = game.default ?? game.example?.split(":")[1] ?? "";
  const [one, ...more] = pattern.split(/,\s*(?=\.\.\.|…)/);
  const names = one.split(/[x,]/).map((name) => name.toLowerCase());
  const joints = one.match(/[x,]/g) ?? [];
  const first = more.length && !/^[A-Z]+$/.test(one) ? usual.split(",") : [usual];
  if (names.length > 1 && new Set(names).size === names.length && names.every((name) => /^[a-z]+$/.test(name))) {
    const given = first[0].split(/[x,]/);
    const boxes = names.map((name, i) => h("input", { type: "number", min: 1, max: 99, value: given[i] ?? "", "aria-label": name, class: "short" }));
    const rest = more.length ? h("input", { type: "text", value: first.slice(1).join(","), "aria-label": "more boards", placeholder: "more, such as 2x3,4x4", size: 20 }) : null;
    return {
      boxes: [...boxes.map((box, i) => h("label.field", names[i], box)), rest ? h("label.field", "more boards", rest) : null],
      source: () => `${game.name}:${boxes.map((box, i) => `${i ? joints[i - 1] : ""}${box.value}`).join("")}${rest?.value ? `,${rest.value}` : ""}`,
    };
  }
  const box = h("input", { type: "text", value: usual, "aria-label": pattern.toLowerCase(), size: 16 });
  return { boxes: [h("label.field", pattern.toLowerCase(), box)], source: () => (box.value ? `${game.name}:${box.value}` : game.name) };
}

/** The bundled games, found by typing. @param {() => void} [done] called when one is open */
export function bundledPanel(done) {
  const said = h("div");
  const rows = h("ul.gamelist");
  const field = h("input", { type: "search", class: "wide", placeholder: "Find a game", "aria-label": "Find a game", autofocus: true });
  const show = (all) => {
    const words = field.value.toLowerCase().trim();
    const found = all.filter((game) => `${game.name} ${gameTitle({ title: game.name })} ${game.summary} ${game.structure}`.toLowerCase().includes(words));
    put(rows, (found.length ? found : all.slice(0, 5)).map((game) => row(game, said, done)));
    put(said, found.length ? null : h("p.soft", "No game of that name. Paste a rule sheet, or try one of these:"));
  };
  offered().then((all) => { field.addEventListener("input", () => show(all.games)); show(all.games); }, (error) => put(said, trouble(error)));
  return h("div.stack", field, said, rows);
}

function row(game, said, done) {
  const { boxes, source } = fields(game);
  const go = async () => { if (await open({ source: source() }, said)) done?.(); };
  const parts = game.action_dependent > 1 ? `${game.action_dependent} parts` : game.structure;
  return h("li.gamerow", h("div.grow", h("h3", gameTitle({ title: game.name }), h("span.tag", parts)), h("p.soft", game.summary)), h("form.row", { onsubmit: (event) => { event.preventDefault(); go(); } }, boxes, h("button", { type: "submit", class: "button small", "aria-label": `Open ${game.name}` }, "Open")));
}

/** Sums and rulesets by text. @param {string} start @param {() => void} [done] */
export function sumPanel(start, done) {
  const said = h("div");
  const field = h("input", { type: "text", class: "wide mono", value: start, "aria-label": "Sum" });
  const samples = h("ul.row");
  offered().then((all) => put(samples, all.rulesets.map((each) => h("li", button(each.example ?? each.name, { class: "button small mono", onclick: () => { field.value = each.example ?? each.name; } })))), () => {});
  return h("div.stack", h("p.soft", "A position, a value, or several with + between them: domineering 6x6 + nim 3 + {1|*}"),
    h("form.row", { onsubmit: async (event) => { event.preventDefault(); if (await open({ sum: field.value }, said)) done?.(); } }, field, h("button", { type: "submit", class: "button primary" }, "Open")), said, h("h3", "Rulesets"), samples);
}

/** Kings and pawns. @param {() => void} [done] */
export function fenPanel(done) {
  const said = h("div");
  const field = h("input", { type: "text", class: "wide mono", value: "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", "aria-label": "FEN" });
  return h("div.stack", h("p.soft", "A chess position with kings and pawns; the kings stand still, the pawns are the game."), h("form.row", { onsubmit: async (event) => { event.preventDefault(); if (await open({ fen: field.value.trim() }, said)) done?.(); } }, field, h("button", { type: "submit", class: "button primary" }, "Open")), said);
}

/** Games of one's own. @param {() => void} [done] */
export function yoursPanel(done) {
  const said = h("div");
  const rows = h("ul.gamelist");
  offered(true).then((all) => {
    put(rows, (all.yours ?? []).map((game) => {
      const field = game.kind === "sum" ? h("input", { type: "text", class: "mono", value: game.example ?? game.name, "aria-label": `Position of ${game.name}` }) : null;
      const go = async () => { if (await open(field ? { sum: field.value } : { yours: game.name }, said)) done?.(); };
      return h("li.gamerow", h("div.grow", h("h3", game.name), h("p.soft.mono", game.file ?? "")), h("form.row", { onsubmit: (event) => { event.preventDefault(); go(); } }, field, h("button", { type: "submit", class: "button small", "aria-label": `Open ${game.name}` }, "New game")));
    }));
    put(said, (all.faults ?? []).map((fault) => trouble({ message: fault.title ?? fault.what, body: fault })), (all.yours ?? []).length ? null : h("p.soft", "None yet. Start with `ludisect web --games my_game.py`."));
  }, (error) => put(said, trouble(error)));
  return h("div.stack", said, rows);
}

export function gamesDialog() {
  const close = () => box.close();
  const quick = ["double-tictactoe", "nim:3,5,7"].map((source) => button(gameTitle({ title: source }), { class: "button small", onclick: async () => { if (await open({ source })) close(); } }));
  const sums = ["domineering 6x6", "clobber XOXO|OXOX|XOXO"].map((sum) => button(gameTitle({ title: sum }), { class: "button small", onclick: async () => { if (await open({ sum })) close(); } }));
  const rules = h("a.button.small", { href: "#/rules/", onclick: close }, "Paste a rule sheet");
  const box = dialog("Games", [h("div.row.quick", quick, sums, rules), bundledPanel(close), h("h3.apart", "Sums"), sumPanel("domineering 6x6", close), h("h3.apart", "Yours"), yoursPanel(close)], { id: "gamesdialog" });
}
