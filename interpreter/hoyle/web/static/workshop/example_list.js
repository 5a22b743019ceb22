// The worked examples, green or red as one types.

import { $, el } from "../dom.js";
import { t } from "../translation.js";
import { LatestRequest } from "./requests.js";

export class ExampleList {
  constructor(goTo) {
    this.goTo = goTo;
    this.requests = new LatestRequest("examples");
  }

  /** Run the examples. The server runs some at a time; those that had no turn yet have neither mark. */
  async update({ name, text }) {
    for (;;) {
      const found = await this.requests.ask({ name, text });
      if (!found) return;
      this.show(found.examples);
      if (found.examples.every((one) => one.ok !== null)) return;
    }
  }

  show(examples) {
    const failed = examples.filter((one) => one.ok === false);
    const passed = examples.filter((one) => one.ok);
    $("#examples").replaceChildren(...[...failed, ...examples.filter((one) => one.ok !== false)].map((one) => this.createRow(one)));
    $("#examples").classList.remove("stale");
    $("#examples-note").textContent = examples.length ? "" : t("no_examples");
    $("#examples-count").textContent = examples.length ? `${passed.length}/${examples.length}` : "";
    $("#examples-count").className = failed.length ? "count failed" : "count passed";
  }

  /** The text has errors: what is shown belongs to an older one. */
  markStale() {
    this.requests.drop();
    $("#examples").classList.add("stale");
  }

  createRow(one) {
    const mark = el("span", { className: "mark", role: "img", "aria-label": one.ok === null ? t("example_waits") : t(one.ok ? "example_passed" : "example_failed") }, one.ok === null ? "…" : one.ok ? "✓" : "✗");
    const name = createLink(one, one.name, this.goTo);
    return el("li", { className: one.ok === null ? "waits" : one.ok ? "passed" : "failed" }, mark, name, ...one.lines.map((line) => el("p", { className: "note" }, line)));
  }
}

/** A button that goes to a place of the text; plain text for what stands in another file. */
export function createLink({ from, to }, words, goTo) {
  if (from === undefined || from === null) return el("span", {}, words);
  const button = el("button", { type: "button", className: "place" }, words);
  button.addEventListener("click", () => goTo(from, to ?? from));
  return button;
}
