// What is asked for before a game begins: the variant, its options, who plays.

import { $, ask, el } from "./dom.js";
import { enter } from "./links.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

export class Order {
  constructor() {
    this.dialog = $("#order");
    this.told = null;
    $("#variant").addEventListener("change", () => this.load($("#variant").value, {}));
    $("#order form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  open(game, all) {
    $("#order h2").textContent = game.title;
    $("#variant").replaceChildren(...all.map((one) => new Option(one.title, one.name)));
    $("#variant-row").hidden = all.length < 2;
    this.load(game.name, {});
    this.dialog.showModal();
  }

  async load(name, options) {
    this.say("");
    try {
      const asked = encodeURIComponent(JSON.stringify(options));
      this.told = await ask(`/api/games/${name}?lang=${settings.lang}&options=${asked}&chosen=true`);
    } catch (error) {
      this.say(error.message);
      return;
    }
    $("#options").replaceChildren(...this.players(), ...this.told.options.map((one) => this.option(one)));
    $("#options-box").hidden = !$("#options").children.length;
    $("#who").replaceChildren(...this.told.seats.map(([seat, words], n) => this.seat(seat, words, n)));
  }

  say(text) {
    $("#order-told").textContent = text;
  }

  // ---- options ----

  players() {
    const [low, high] = this.told.may_play;
    if (low === high) return [];
    const field = el("input", { type: "number", min: low, max: high, value: this.told.values.players });
    field.dataset.option = "players";
    field.addEventListener("change", () => this.load(this.told.name, this.chosen()));
    return [row(t("seats"), field)];
  }

  option(one) {
    return row(one.label, this.field(one));
  }

  field(one) {
    const field = one.choices ? this.select(one) : "low" in one ? el("input", { type: "number", min: one.low, max: one.high, value: one.value }) : el("input", { type: "checkbox", checked: one.value });
    field.dataset.option = one.name;
    field.dataset.value = String(one.value);
    return field;
  }

  select(one) {
    return el("select", {}, ...one.choices.map(([name, words]) => new Option(words, name, name === one.value, name === one.value)));
  }

  /** The options that are not as they were. */
  chosen() {
    const found = {};
    for (const field of this.dialog.querySelectorAll("[data-option]")) {
      const value = field.type === "checkbox" ? field.checked : field.type === "number" ? field.valueAsNumber : field.value;
      if (String(value) !== field.dataset.value) found[field.dataset.option] = value;
    }
    return found;
  }

  // ---- seats ----

  seat(seat, words, n) {
    const usual = n === 0 ? "human" : "normal";
    const select = el("select", {}, ...this.told.levels.map(([kind, name]) => new Option(name, kind, kind === usual, kind === usual)));
    select.dataset.seat = seat;
    return row(words, select);
  }

  async begin() {
    const seats = Object.fromEntries([...this.dialog.querySelectorAll("[data-seat]")].map((one) => [one.dataset.seat, one.value]));
    this.say(t("beginning"));
    try {
      const begun = await ask(`/api/tables?lang=${settings.lang}`, { game: this.told.name, options: this.chosen(), seats });
      enter(begun.tokens);
    } catch (error) {
      this.say(error.message);
    }
  }
}

function row(words, field) {
  return el("label", { className: "row" }, el("span", {}, words), field);
}
