// Moves as words: buttons of those that are about no piece, a list of all of them, and the question which is meant.

import { $, $$, el, plain } from "./dom.js";
import { t } from "./words.js";

const MOST_BUTTONS = 24;
const FEW = 12;
const MANY = 40;

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

  /** Buttons: moves that take hold of nothing, and those that what is held is enough for. */
  held(hold) {
    const plainly = hold.moves.filter((move) => !move.pick?.length);
    const done = hold.complete();
    const all = [...done, ...(hold.picked.length ? [] : plainly)];
    const had = document.activeElement?.closest?.("#actions") !== null && document.activeElement !== document.body;
    const shown = all.slice(0, MOST_BUTTONS).map((move) => this.button(move, done.includes(move)));
    $("#actions").replaceChildren(...shown, ...(all.length > MOST_BUTTONS ? [this.others(all.length)] : []));
    if (had) $("#actions button")?.focus();
  }

  others(count) {
    const node = el("button", { type: "button", id: "other-moves" }, t("moves_all", { count }));
    node.addEventListener("click", () => this.open());
    return node;
  }

  button(move, main) {
    const node = this.row(move, () => this.game.play(move));
    node.className = main ? "main" : "";
    return node;
  }

  row(move, chosen) {
    const node = el("button", { type: "button" }, move.fault ? `${move.text} [${move.fault}]` : move.text);
    node.dataset.id = move.id;
    node.addEventListener("click", () => chosen(move));
    return node;
  }

  list(place, moves, chosen) {
    place.replaceChildren(...moves.map((move) => el("li", {}, this.row(move, chosen))));
  }

  choose(moves, chosen, left) {
    const dialog = $("#choose");
    this.list($("#choices"), moves, (move) => {
      dialog.returnValue = "chosen";
      dialog.close("chosen");
      chosen(move);
    });
    dialog.onclose = () => dialog.returnValue !== "chosen" && left();
    dialog.returnValue = "";
    dialog.showModal();
  }

  // ---- all of them ----

  open() {
    const moves = this.game.table?.moves ?? [];
    if (!moves.length) return;
    const chosen = (move) => {
      $("#moves").close();
      this.game.play(move);
    };
    const groups = new Map();
    for (const move of moves) groups.set(move.group, [...(groups.get(move.group) ?? []), move]);
    const grouped = moves.length > FEW && groups.size > 1;
    this.folded = grouped && moves.length > MANY;
    const lists = grouped ? [...groups].map(([head, own]) => this.group(head, own, chosen)) : [this.plainList(moves, chosen)];
    $("#all-moves").replaceChildren(...lists);
    $("#moves-search-row").hidden = moves.length <= FEW;
    $("#moves-search").value = "";
    this.search();
    $("#moves").showModal();
  }

  plainList(moves, chosen) {
    const list = el("ol", { className: "choices" });
    this.list(list, moves, chosen);
    return list;
  }

  group(head, moves, chosen) {
    return el("details", {}, el("summary", {}, el("span", { className: "head" }, head), ` (${moves.length})`), this.plainList(moves, chosen));
  }

  search() {
    const words = plain($("#moves-search").value).split(/\s+/).filter(Boolean);
    for (const row of $$("#all-moves li")) row.hidden = !words.every((word) => plain(row.textContent).includes(word));
    for (const part of $$("#all-moves details")) {
      part.hidden = !$$("li", part).some((row) => !row.hidden);
      part.open = words.length > 0 || !this.folded;
    }
  }
}
