// The dialog with the rules: folded by section, searchable, opened at the clause of the last refusal.

import { $, $$, el, normalize } from "./dom.js";
import { tone } from "./settings.js";
import { t } from "./translation.js";
import { setAddress } from "./transport.js";

export class Rulebook {
  constructor(wire) {
    this.connection = wire;
    this.clauses = [];
    $("#show-rules").addEventListener("click", () => this.open());
    $("#rules-search").addEventListener("input", () => this.search());
  }

  /** `clauses`: where to open; by default at those of the last refusal. */
  open(clauses = this.clauses) {
    this.wanted = clauses;
    $("#rules-search").value = "";
    $("#rules").showModal();
    this.connection().send({ t: "rules" });
  }

  show(found) {
    const parts = found.parts.map((part) => createSection(part));
    const picture = found.picture ? setAddress(el("img", { alt: "" }), "src", `${found.picture}&tone=${tone()}`) : ""; // a draft has none
    const link = setAddress(el("a", { target: "_blank", rel: "noopener" }, t("rules_book")), "href", found.book);
    const book = found.book ? el("p", {}, link) : "";
    $("#rules-told").replaceChildren(el("h3", {}, found.title), book, picture, ...found.source.map((line) => el("p", { className: "source" }, line)), ...parts);
    this.search();
    this.scrollTo(this.wanted ?? []);
  }

  scrollTo(clauses) {
    const lit = $$("#rules-told .rule").filter((rule) => clauses.some((clause) => rule.dataset.at.split(" ").includes(clause)));
    for (const rule of lit) {
      rule.classList.add("lit");
      rule.closest("details").open = true;
    }
    lit[0]?.scrollIntoView({ block: "center" });
  }

  /** Show only rules with all words, and open the sections that have some. */
  search() {
    const words = normalize($("#rules-search").value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const part of $$("#rules-told details")) {
      const rules = $$(".rule", part);
      for (const rule of rules) rule.hidden = !words.every((word) => normalize(rule.textContent).includes(word));
      const shown = rules.filter((rule) => !rule.hidden).length;
      count += shown;
      part.hidden = !shown;
      part.open = words.length > 0 || $(".lit", part) !== null;
    }
    $("#rules-count").textContent = words.length ? t("rules_found", { count }) : "";
  }
}

function createSection(part) {
  const head = el("summary", {}, el("span", { className: "head" }, part.head), ` (${part.rules.length})`);
  return el("details", {}, head, ...part.rules.map(createRule));
}

function createRule(one) {
  const at = one.at ? el("span", { className: "at" }, ` [${one.at}]`) : null;
  const node = el("p", { className: "rule" }, el("strong", {}, one.name), el("span", {}, one.text, at));
  node.dataset.at = `${one.name} ${one.at}`;
  return node;
}
