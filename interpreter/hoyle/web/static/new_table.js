// The dialog for a new table: variant, options and players.

import { $, fetchJson, el } from "./dom.js";
import { enterTable } from "./links.js";
import { settings } from "./settings.js";
import { t } from "./translation.js";

export class NewTableDialog {
  constructor() {
    this.dialog = $("#order");
    this.details = null;
    $("#variant").addEventListener("change", () => this.load($("#variant").value, {}));
    $("#order form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.createTable();
    });
  }

  open(game, all) {
    this.fill(game, all);
    this.dialog.showModal();
  }

  fill(game, all) {
    $("#order h2").textContent = game.title;
    $("#variant").replaceChildren(...all.map((one) => new Option(one.title, one.name)));
    $("#variant-row").hidden = all.length < 2;
    this.load(game.name, {});
  }

  async load(name, options) {
    this.showMessage("");
    $("#start").disabled = true;
    try {
      const asked = encodeURIComponent(JSON.stringify(options));
      this.details = await fetchJson(`api/games/${name}?lang=${settings.lang}&options=${asked}&chosen=true`);
    } catch (error) {
      this.showMessage(error.message);
      return;
    }
    $("#start").disabled = false;
    $("#options").replaceChildren(...this.createPlayersField(), ...this.details.options.map((one) => this.createOption(one)));
    $("#options-box").hidden = !$("#options").children.length;
    $("#who").replaceChildren(...this.details.seats.map(([seat, words], n) => this.createSeat(seat, words, n)));
  }

  showMessage(text) {
    $("#order-told").textContent = text;
  }

  // ---- options ----

  createPlayersField() {
    const [low, high] = this.details.may_play;
    if (low === high) return [];
    const field = el("input", { type: "number", min: low, max: high, value: this.details.values.players });
    field.dataset.option = "players";
    field.addEventListener("change", () => this.load(this.details.name, this.listChanges()));
    return [createRow(t("seats"), field)];
  }

  createOption(one) {
    return createRow(one.label, this.createField(one));
  }

  createField(one) {
    const field = one.choices ? this.createSelect(one) : "low" in one ? el("input", { type: "number", min: one.low, max: one.high, value: one.value }) : el("input", { type: "checkbox", checked: one.value });
    field.dataset.option = one.name;
    field.dataset.value = String(one.value);
    return field;
  }

  createSelect(one) {
    return el("select", {}, ...one.choices.map(([name, words]) => new Option(words, name, name === one.value, name === one.value)));
  }

  /** The options that were changed. */
  listChanges() {
    const found = {};
    for (const field of this.dialog.querySelectorAll("[data-option]")) {
      const value = field.type === "checkbox" ? field.checked : field.type === "number" ? field.valueAsNumber : field.value;
      if (String(value) !== field.dataset.value) found[field.dataset.option] = value;
    }
    return found;
  }

  // ---- seats ----

  createSeat(seat, words, n) {
    const usual = n === 0 ? "human" : "normal";
    const select = el("select", {}, ...this.details.levels.map(([kind, name]) => new Option(name, kind, kind === usual, kind === usual)));
    select.dataset.seat = seat;
    return createRow(words, select);
  }

  async createTable() {
    const seats = Object.fromEntries([...this.dialog.querySelectorAll("[data-seat]")].map((one) => [one.dataset.seat, one.value]));
    this.showMessage(t("beginning"));
    try {
      const begun = await fetchJson(`api/tables?lang=${settings.lang}`, { game: this.details.name, options: this.listChanges(), seats });
      enterTable(begun.tokens);
    } catch (error) {
      this.showMessage(error.message);
    }
  }
}

function createRow(words, field) {
  return el("label", { className: "row" }, el("span", {}, words), field);
}
