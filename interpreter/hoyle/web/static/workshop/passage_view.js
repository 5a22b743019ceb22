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
    $("#passage").replaceChildren(found.html ? parsePassage(found.html) : el("p", { className: "faint" }, t("no_passage")));
  }
}

export class BookView {
  /** `host`: `goTo(from)`, `copyEntry(section, entry)` into the text. */
  constructor(host) {
    this.host = host;
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
    for (const rule of $$("#book :is([data-from], [data-entry])")) rule.prepend(this.createPencil(rule));
    $("#panel-book").scrollTop = top;
  }

  /** The pencil of an own rule leads to its entry; that of an inherited one writes a copy of the entry first. */
  createPencil(rule) {
    const { from, section, entry } = rule.dataset;
    const words = rule.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
    const isOwn = from !== undefined;
    const title = t(isOwn ? "change_rule" : "copy_rule");
    const pencil = el("button", { type: "button", className: "pencil", title, "aria-label": `${title}: ${words}` }, "✎");
    pencil.classList.toggle("inherited", !isOwn);
    pencil.addEventListener("click", () => (isOwn ? this.host.goTo(Number(from)) : this.host.copyEntry(section, entry)));
    return pencil;
  }
}
