// What the rulebook says: of the entry at the cursor, and as a whole, with a pencil on each rule that leads to its entry.

import { $, $$, el } from "../dom.js";
import { t } from "../translation.js";
import { LatestRequest } from "./requests.js";
import { parsePassage } from "./safe_html.js";

export class PassageView {
  constructor() {
    this.requests = new LatestRequest("rules");
  }

  async update({ name, text }, at) {
    const found = await this.requests.ask({ name, text, at });
    if (!found) return;
    const head = found.title ? [el("h2", {}, found.title)] : [];
    $("#passage").replaceChildren(...head, found.html ? parsePassage(found.html) : el("p", { className: "faint" }, t("no_passage")));
  }
}

export class BookView {
  constructor(goTo) {
    this.goTo = goTo;
    this.requests = new LatestRequest("book");
    this.shown = "";
  }

  async update({ name, text, options }) {
    const key = JSON.stringify([name, text, options]);
    if (key === this.shown) return;
    $("#book").setAttribute("aria-busy", "true");
    const found = await this.requests.ask({ name, text, options }).finally(() => $("#book").removeAttribute("aria-busy"));
    if (!found) return;
    this.shown = key;
    this.show(found.html);
  }

  show(html) {
    const top = $("#panel-book").scrollTop;
    $("#book").replaceChildren(parsePassage(html));
    for (const rule of $$("#book [data-from]")) rule.prepend(this.createPencil(rule));
    $("#panel-book").scrollTop = top;
  }

  createPencil(rule) {
    const words = rule.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
    const pencil = el("button", { type: "button", className: "pencil", title: t("change_rule"), "aria-label": t("change_rule_of", { rule: words }) }, "✎");
    pencil.addEventListener("click", () => this.goTo(Number(rule.dataset.from)));
    return pencil;
  }
}
