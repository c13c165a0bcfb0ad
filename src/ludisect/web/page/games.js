// Choosing a game: bundled games with their parameters as fields, rulesets, games of one's own; as a dialog and as panels.

import { get, register } from "./api.js";
import { dialog, h, put, small, toast } from "./dom.js";
import { openGame } from "./play.js";
import { count, counted } from "./text.js";

/** @type {Promise<any>|null} */
let list = null;

/** What the server offers; asked anew for games of one's own, whose files may have changed. */
export function offered(anew = false) {
  if (!list || anew) list = get("/games");
  list.catch(() => { list = null; });
  return list;
}

/** "Reading 1,204 lines …" */
export const reading = (text) => `Reading ${counted(text.split("\n").length, "line")} …`;

/** Opens a game; says whether it went well. @param {HTMLElement} [place] where trouble is told */
export async function open(what, place) {
  if (place) put(place, h("p.soft", what.text ? reading(what.text) : "Reading …"));
  try {
    await openGame(await register(what));
    if (place) put(place);
    return true;
  } catch (error) {
    if (place) put(place, fault(error));
    else toast(error.message);
    return false;
  }
}

/** A problem in words: faults of a sheet, or where a ruleset of one's own broke. @param {{message: string, body?: any}} error */
export function fault({ message, body = {} }) {
  const faults = (body.problems ?? []).filter((each) => each.line);
  const where = body.file && [body.file, body.line && `line ${body.line}`, body.position && `at ${body.position}`].filter(Boolean).join(", ");
  return h("div.fault", { role: "alert" }, h("p", faults.length ? faultWords(faults) : message), where && h("p.mono", where));
}

/** "3 faults in the sheet. The first is in line 13." */
export const faultWords = (faults) => `${counted(faults.length, "fault")} in the sheet.${faults[0].line ? ` The first is in line ${count(faults[0].line)}.` : ""}`;

function opener(fields, what, said, done, word = "Open", label = "") {
  const go = async (event) => {
    event.preventDefault();
    if (await open(what(), said)) done();
  };
  return h("form.row", { onsubmit: go }, fields, h("button", { type: "submit", class: `button ${label ? "small" : "primary"}`, "aria-label": label || null }, word));
}

const input = (label, value, more = {}) => h("input", { type: "text", value, "aria-label": label, ...more });

const gamerow = (title, more, form) => h("li.gamerow", h("div.grow", h("h3", title), more), form);

/** The bundled games, found by typing. @param {() => void} done called when one is open */
export function bundledPanel(done) {
  const said = h("div");
  const rows = h("ul.gamelist");
  const field = h("input.wide", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", autofocus: true, oninput: () => show() });
  const row = (game) => {
    const boxes = game.fields.map(({ label, value, number }) => input(label, value, number ? { type: "number", min: 1, max: 99, class: "short" } : { size: 16 }));
    const given = () => game.fields.map(({ before }, i) => (boxes[i].value ? before + boxes[i].value : "")).join("");
    return gamerow([game.shown, h("span.tag", game.action_dependent > 1 ? `${game.action_dependent} parts` : game.structure)], h("p.soft", game.summary),
      opener(boxes.map((box, i) => h("label.field", game.fields[i].label, box)), () => ({ source: given() ? `${game.name}:${given()}` : game.name }), said, done, "Open", `Open ${game.name}`));
  };
  const show = async () => {
    try {
      const { games } = await offered();
      const words = field.value.toLowerCase().trim();
      const found = games.filter((game) => `${game.name} ${game.shown} ${game.summary} ${game.structure}`.toLowerCase().includes(words));
      put(rows, (found.length ? found : games.slice(0, 5)).map(row));
      put(said, !found.length && h("p.soft", "No game of that name. Paste a rule sheet, or try one of these:"));
    } catch (error) {
      put(said, fault(error));
    }
  };
  show();
  return h("div.stack", field, said, rows);
}

/** Sums and rulesets by text. @param {() => void} done */
export function sumPanel(start, done) {
  const said = h("div");
  const field = input("Sum", start, { class: "wide mono" });
  const samples = h("ul.row");
  offered().then((all) => put(samples, all.rulesets.map(({ example }) => h("li", small(example, () => { field.value = example; }, { class: "button small mono" })))), () => {});
  return h("div.stack", h("p.soft", "A position, a value, or several with + between them: domineering 6x6 + nim 3 + {1|*}"), opener(field, () => ({ sum: field.value }), said, done), said, h("h3", "Rulesets"), samples);
}

/** Kings and pawns. @param {() => void} done */
export function fenPanel(done) {
  const said = h("div");
  const field = input("FEN", "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8", { class: "wide mono" });
  return h("div.stack", h("p.soft", "A chess position with kings and pawns; the kings stand still, the pawns are the game."), opener(field, () => ({ fen: field.value.trim() }), said, done), said);
}

/** Games of one's own. @param {() => void} done */
export function yoursPanel(done) {
  const said = h("div");
  const rows = h("ul.gamelist");
  offered(true).then(({ yours, faults }) => {
    put(rows, yours.map((game) => {
      const field = game.kind === "sum" && input(`Position of ${game.name}`, game.example ?? game.name, { class: "mono" });
      return gamerow(game.name, h("p.soft.mono", game.file ?? ""), opener(field, () => (field ? { sum: field.value } : { yours: game.name }), said, done, "New game", `Open ${game.name}`));
    }));
    put(said, faults.map((each) => fault({ message: each.title ?? each.what, body: each })), !yours.length && h("p.soft", "None yet. Start with `ludisect web --games my_game.py`."));
  }, (error) => put(said, fault(error)));
  return h("div.stack", said, rows);
}

export function gamesDialog() {
  const close = () => box.close();
  const quick = Object.entries({ "Double tic-tac-toe": { source: "double-tictactoe" }, "Nim 3,5,7": { source: "nim:3,5,7" }, "Domineering 6×6": { sum: "domineering 6x6" }, Clobber: { sum: "clobber XOXO|OXOX|XOXO" } }).map(([name, what]) => small(name, async () => { if (await open(what)) close(); }));
  const box = dialog("gamesdialog", "Games", h("div.row.quick", quick, h("a.button.small", { href: "#/rules/", onclick: close }, "Paste a rule sheet")), bundledPanel(close), h("h3.apart", "Sums"), sumPanel("domineering 6x6", close), h("h3.apart", "Yours"), yoursPanel(close));
}
