// The list of problems below the text: a click goes to the place, a button makes a fix, F8 goes to the next one.

import { $, el } from "../dom.js";
import { t } from "../translation.js";

export class ProblemList {
  constructor(editor) {
    this.editor = editor;
    this.problems = [];
    document.addEventListener("keydown", (event) => {
      if (event.key !== "F8" || !this.problems.length) return;
      event.preventDefault();
      event.stopPropagation();
      this.goToNext(event.shiftKey);
    }, { capture: true });
  }

  show(problems) {
    this.problems = [...problems].sort((one, other) => one.from - other.from);
    $("#problems").replaceChildren(...this.problems.map((one) => this.createRow(one)));
    $("#problems").hidden = !problems.length;
  }

  createRow(problem) {
    const place = el("button", { type: "button", className: "place" }, el("strong", {}, t("line", { count: problem.line })), ` ${problem.message}`);
    place.addEventListener("click", () => this.goTo(problem));
    const notes = [...(problem.notes ?? []), problem.help].filter(Boolean);
    const fixes = problem.fixes.map((fix) => {
      const button = el("button", { type: "button", className: "fix" }, fix.title);
      button.addEventListener("click", () => this.editor.applyEdits(fix.edits));
      return button;
    });
    const row = el("li", { className: problem.severity }, place, ...notes.map((note) => el("p", { className: "note" }, note)), fixes.length ? el("p", { className: "buttons" }, ...fixes) : null);
    row.dataset.code = problem.code;
    return row;
  }

  goTo({ from, to }) {
    this.editor.goTo(from, to);
  }

  goToNext(isBack) {
    const at = this.editor.cursor;
    const [before, after] = [this.problems.filter((one) => one.to < at), this.problems.filter((one) => one.from > at)];
    this.goTo(isBack ? (before.at(-1) ?? this.problems.at(-1)) : (after[0] ?? this.problems[0]));
  }
}
