// "From here this must be legal", or illegal: adds a worked example with the position on the table.

import { $, announce, el } from "../dom.js";
import { t } from "../translation.js";
import { ask } from "./requests.js";

const MOST = 60;

export class PositionDialog {
  /** `host`: `describe()` the ruleset with its moves, `applyEdits(edits)`, `goTo(at)`. */
  constructor(host) {
    this.host = host;
    this.dialog = $("#claim-dialog");
    $("#claim-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.add($("#claim-move").value.trim());
    });
  }

  /** `moves`: the legal moves of the seat that is to act, as `{id, text}`. */
  open(moves) {
    this.moves = moves;
    $("#claim-told").textContent = "";
    $("#claim-move").value = "";
    $("#claim-moves").replaceChildren(...moves.slice(0, MOST).map((move) => this.createRow(move)));
    this.dialog.showModal();
    $("#claim-move").focus();
  }

  createRow(move) {
    const button = el("button", { type: "button" }, move.text);
    button.addEventListener("click", () => {
      $("#claim-move").value = move.id;
      $("#claim-move").focus();
    });
    return el("li", {}, button);
  }

  async add(move) {
    const claim = $("#claim-form").elements.claim.value;
    if (!move) return;
    try {
      const found = await ask("example", { ...this.host.describe(), claim, move });
      this.dialog.close();
      this.host.applyEdits(found.edits);
      this.host.goTo(found.at);
      announce(t("example_added"));
    } catch (error) {
      $("#claim-told").textContent = error.message;
    }
  }
}
