// The analysis of a finished game: what each move cost.

import { $, el } from "./dom.js";
import { t } from "./translation.js";

/** `open` opens the record before a move. */
export function showAnalysis(found, open) {
  const parts = found.parts.flatMap((part) => [
    el("h3", {}, part.head),
    part.note ? el("p", {}, part.note) : null,
    ...part.moves.flatMap((move) => [el("h4", {}, link(move, open)), ...move.told.map((line) => el("p", {}, line))]),
  ]);
  $("#analysis-told").replaceChildren(
    el("h3", {}, found.title),
    table(found.heads, found.accounts),
    ...found.notes.map((note) => el("p", {}, note)),
    ...parts.filter(Boolean),
    el("details", {}, el("summary", {}, t("all_moves")), table(found.columns, found.moves)),
  );
  $("#told").hidden = true;
  $("#analysis").showModal();
}

function link(move, open) {
  const node = el("a", { href: "record.html" }, move.title);
  node.addEventListener("click", (event) => {
    event.preventDefault();
    open(move.at);
  });
  return node;
}

function table(heads, rows) {
  const head = el("tr", {}, ...heads.map((text) => el(text ? "th" : "td", text ? { scope: "col" } : {}, text)));
  const body = rows.map((row) => el("tr", {}, ...row.map((text) => el("td", {}, String(text)))));
  return el("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": heads.filter(Boolean).join(", ") }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)));
}
