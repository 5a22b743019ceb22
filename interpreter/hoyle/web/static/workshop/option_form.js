// The options of the ruleset as controls, each with its sentence. They hold for the table, or are written into a variant.

import { $, el } from "../dom.js";
import { t } from "../translation.js";

export class OptionForm {
  /** `host`: `changed(values)`, `goTo(from)`, `write(values)`. */
  constructor(host) {
    this.host = host;
    this.values = {};
    this.options = [];
    $("#usual-options").addEventListener("click", () => this.change({}));
    $("#write-options").addEventListener("click", () => host.write(this.values));
  }

  show(options, values) {
    this.options = options;
    this.values = Object.fromEntries(Object.entries(values).filter(([name]) => options.some((one) => one.name === name)));
    const had = document.activeElement?.dataset?.option;
    $("#option-list").replaceChildren(...options.map((one) => this.createRow(one)));
    if (had) $(`#option-list [data-option="${CSS.escape(had)}"]`)?.focus();
    $("#options-note").textContent = options.length ? t("options_note") : t("no_options");
    this.showButtons();
  }

  showButtons() {
    const isUsual = !Object.keys(this.values).length;
    $("#usual-options").hidden = $("#write-options").hidden = !this.options.length;
    $("#usual-options").disabled = $("#write-options").disabled = isUsual;
  }

  createRow(one) {
    const field = this.createField(one);
    const label = el("label", { className: "row" }, el("span", {}, one.label), field);
    const sentences = [one.sentence ?? []].flat().filter((text) => text !== one.label);
    const pencil = one.from === undefined || one.from === null ? null : this.createPencil(one);
    const row = el("li", {}, label, ...sentences.map((text) => el("p", { className: "note" }, text)), pencil);
    row.classList.toggle("changed", one.name in this.values);
    return row;
  }

  createPencil(one) {
    const button = el("button", { type: "button", className: "pencil", title: t("change_rule"), "aria-label": `${t("change_rule")}: ${one.label}` }, "✎");
    button.addEventListener("click", () => this.host.goTo(one.from));
    return button;
  }

  createField(one) {
    const value = this.values[one.name] ?? one.value;
    const field = one.choices
      ? el("select", {}, ...one.choices.map(([name, words]) => new Option(words, name, name === value, name === value)))
      : "low" in one
        ? el("input", { type: "number", min: one.low, max: one.high, required: true, value })
        : el("input", { type: "checkbox", checked: value });
    field.dataset.option = one.name;
    field.addEventListener("change", () => field.checkValidity() && this.note(one, field));
    return field;
  }

  note(one, field) {
    const value = field.type === "checkbox" ? field.checked : field.type === "number" ? field.valueAsNumber : field.value;
    const { [one.name]: _, ...others } = this.values;
    this.change(value === one.value ? others : { ...others, [one.name]: value });
  }

  change(values) {
    this.show(this.options, values);
    this.host.changed(values);
  }
}

/** The line that gives options their values. */
export const formatSetLine = (values) => `set: {${Object.entries(values).map(([name, value]) => `${name}: ${value}`).join(", ")}}`;

/** Write the values into a variant's text: into its `set`, if that is one line, or as a new line after `extends`. Null: that is not possible. */
export function writeValues(text, values) {
  const extended = text.match(/^extends:.*$/m);
  if (!extended) return null;
  const own = text.match(/^set:(.*)$/m);
  if (!own) {
    const at = extended.index + extended[0].length;
    return [{ from: at, to: at, text: `\n${formatSetLine(values)}` }];
  }
  const inside = own[1].match(/^\s*\{([^{}]*)\}\s*(?:#.*)?$/)?.[1];
  if (inside === undefined) return null;
  const before = inside.split(",").map((pair) => pair.split(":").map((part) => part.trim())).filter(([name, value]) => name && value);
  return [{ from: own.index, to: own.index + own[0].length, text: formatSetLine({ ...Object.fromEntries(before), ...values }) }];
}
