// Moves in words: buttons of moves without pieces, the list of all moves, and the question which move is meant.

import { $, $$, el, normalize } from "./dom.js";
import { t } from "./translation.js";

const MOST_BUTTONS = 24;
const LEAST_GROUPED = 12;
const LEAST_FOLDED = 40;

export class Moves {
  constructor(game) {
    this.game = game;
    $("#show-moves").addEventListener("click", () => this.open());
    $("#moves-search").addEventListener("input", () => this.search());
    $("#moves-search").addEventListener("keydown", (event) => {
      const left = $$("#all-moves button").filter((node) => !node.closest("[hidden]"));
      if (event.key === "Enter" && left.length === 1) left[0].click();
    });
  }

  /** Show buttons for moves without pieces and for moves whose pieces are all selected. */
  showButtons(selection) {
    const plainly = selection.moves.filter((move) => !move.pick?.length);
    const done = selection.findComplete();
    const all = [...done, ...(selection.picked.length ? [] : plainly)];
    const had = document.activeElement?.closest?.("#actions") !== null && document.activeElement !== document.body;
    const shown = all.slice(0, MOST_BUTTONS).map((move) => this.createButton(move, done.includes(move)));
    $("#actions").replaceChildren(...shown, ...(all.length > MOST_BUTTONS ? [this.createMoreButton(all.length)] : []));
    if (had) $("#actions button")?.focus();
  }

  createMoreButton(count) {
    const node = el("button", { type: "button", id: "other-moves" }, t("moves_all", { count }));
    node.addEventListener("click", () => this.open());
    return node;
  }

  createButton(move, main) {
    const node = this.createRow(move, () => this.game.play(move));
    node.className = main ? "main" : "";
    return node;
  }

  createRow(move, chosen) {
    const node = el("button", { type: "button" }, move.fault ? `${move.text} [${move.fault}]` : move.text);
    node.dataset.id = move.id;
    node.addEventListener("click", () => chosen(move));
    return node;
  }

  fillList(place, moves, chosen) {
    place.replaceChildren(...moves.map((move) => el("li", {}, this.createRow(move, chosen))));
  }

  choose(moves, chosen, left) {
    const dialog = $("#choose");
    this.fillList($("#choices"), moves, (move) => {
      dialog.returnValue = "chosen";
      dialog.close("chosen");
      chosen(move);
    });
    dialog.onclose = () => dialog.returnValue !== "chosen" && left();
    dialog.returnValue = "";
    dialog.showModal();
  }

  // ---- all moves ----

  open() {
    const moves = this.game.table?.moves ?? [];
    if (!moves.length) return;
    const chosen = (move) => {
      $("#moves").close();
      this.game.play(move);
    };
    const groups = new Map();
    for (const move of moves) groups.set(move.group, [...(groups.get(move.group) ?? []), move]);
    const grouped = moves.length > LEAST_GROUPED && groups.size > 1;
    this.folded = grouped && moves.length > LEAST_FOLDED;
    const lists = grouped ? [...groups].map(([head, own]) => this.createGroup(head, own, chosen)) : [this.createList(moves, chosen)];
    $("#all-moves").replaceChildren(...lists);
    $("#moves-search-row").hidden = moves.length <= LEAST_GROUPED;
    $("#moves-search").value = "";
    this.search();
    $("#moves").showModal();
  }

  createList(moves, chosen) {
    const list = el("ol", { className: "choices" });
    this.fillList(list, moves, chosen);
    return list;
  }

  createGroup(head, moves, chosen) {
    return el("details", {}, el("summary", {}, el("span", { className: "head" }, head), ` (${moves.length})`), this.createList(moves, chosen));
  }

  search() {
    const words = normalize($("#moves-search").value).split(/\s+/).filter(Boolean);
    for (const row of $$("#all-moves li")) row.hidden = !words.every((word) => normalize(row.textContent).includes(word));
    for (const part of $$("#all-moves details")) {
      part.hidden = !$$("li", part).some((row) => !row.hidden);
      part.open = words.length > 0 || !this.folded;
    }
  }
}
