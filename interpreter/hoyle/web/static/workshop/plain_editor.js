// The editor of the ruleset without CodeMirror: a text field, with a list of completions at Ctrl+Space. Without colours.

import { el } from "../dom.js";
import { t } from "../translation.js";

export class PlainEditor {
  constructor(place, host) {
    this.host = host;
    this.field = el("textarea", { className: "plain", spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "soft" });
    this.list = el("ul", { className: "completions", role: "listbox", tabIndex: 0, hidden: true });
    this.offered = null;
    place.replaceChildren(this.field, this.list);
    this.retranslate();
    this.field.addEventListener("input", () => this.noteChange());
    this.field.addEventListener("keydown", (event) => this.press(event));
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 200)); // a click on the list comes first
    document.addEventListener("selectionchange", () => document.activeElement === this.field && this.host.moved());
  }

  retranslate() {
    this.field.setAttribute("aria-label", t("ruleset_text"));
    this.list.setAttribute("aria-label", t("completions"));
  }

  noteChange() {
    this.close();
    this.host.changed();
  }

  // ---- the text ----

  get text() {
    return this.field.value;
  }

  get cursor() {
    return this.field.selectionStart;
  }

  setText(text) {
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.close();
    this.host.moved();
  }

  /** Make edits as if they were typed, so that each can be undone. */
  applyEdits(edits) {
    this.field.focus();
    const sorted = [...edits].sort((one, other) => other.from - one.from);
    for (const { from, to, text } of sorted) {
      this.field.setSelectionRange(from, to);
      const isDone = document.execCommand(text ? "insertText" : "delete", false, text);
      if (!isDone) this.field.setRangeText(text, from, to, "end");
    }
    const [last] = sorted;
    const before = sorted.slice(1).reduce((sum, edit) => sum + edit.text.length - (edit.to - edit.from), 0);
    const end = last.from + last.text.length + before;
    this.field.setSelectionRange(end, end);
    this.noteChange();
  }

  goTo(from, to = from) {
    this.field.focus();
    this.field.setSelectionRange(from, to);
    const line = this.text.slice(0, from).split("\n").length - 1;
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = line * height - this.field.clientHeight / 2;
    this.host.moved();
  }

  focus() {
    this.field.focus();
  }

  /** The list of problems below says them all. */
  showProblems(problems) {
    this.field.setAttribute("aria-invalid", String(problems.some((one) => one.severity === "error")));
  }

  showMarks() {}

  // ---- completion ----

  press(event) {
    if (event.key === " " && event.ctrlKey) this.complete();
    else if (this.list.hidden) return;
    else if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (event.key === "ArrowUp") this.choose(this.chosen - 1);
    else if (event.key === "Enter") this.insert(this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async complete() {
    const [at, text] = [this.cursor, this.text];
    const found = await this.host.complete(at);
    if (!found?.items?.length || this.text !== text || this.cursor !== at) return;
    this.offered = { ...found, at };
    const rows = found.items.map((item, n) => {
      const row = el("li", { role: "option", id: `completion-${n}` }, item.label, item.detail ? el("span", { className: "faint" }, ` ${item.detail}`) : null);
      row.addEventListener("mousedown", (event) => event.preventDefault());
      row.addEventListener("click", () => this.insert(n));
      return row;
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = false;
    this.choose(0);
  }

  choose(n) {
    const rows = [...this.list.children];
    this.chosen = (n + rows.length) % rows.length;
    for (const [at, row] of rows.entries()) row.setAttribute("aria-selected", String(at === this.chosen));
    rows[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", rows[this.chosen].id);
  }

  insert(n) {
    const { from, at, items } = this.offered;
    this.close();
    this.applyEdits([{ from, to: at, text: items[n].insert ?? items[n].label }]);
  }

  close() {
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }
}
