// The rules of the variant that is played: folded by section, searched, and opened at the clause of what was refused last.

import { $, $$, el, plain } from "./dom.js";
import { tone } from "./settings.js";
import { t } from "./words.js";

export class Rulebook {
  constructor(wire) {
    this.wire = wire;
    this.clauses = [];
    $("#show-rules").addEventListener("click", () => this.open());
    $("#rules-search").addEventListener("input", () => this.search());
  }

  /** `clauses`: to be opened at; without them those of the last refusal. */
  open(clauses = this.clauses) {
    this.wanted = clauses;
    $("#rules-search").value = "";
    $("#rules").showModal();
    this.wire().say({ t: "rules" });
  }

  show(found) {
    const parts = found.parts.map((part) => section(part));
    const picture = el("img", { src: `${found.picture}&tone=${tone()}`, alt: "" });
    const book = el("p", {}, el("a", { href: found.book, target: "_blank", rel: "noopener" }, t("rules_book")));
    $("#rules-told").replaceChildren(el("h3", {}, found.title), book, picture, ...found.source.map((line) => el("p", { className: "source" }, line)), ...parts);
    this.search();
    this.turnTo(this.wanted ?? []);
  }

  turnTo(clauses) {
    const lit = $$("#rules-told .rule").filter((rule) => clauses.some((clause) => rule.dataset.at.split(" ").includes(clause)));
    for (const rule of lit) {
      rule.classList.add("lit");
      rule.closest("details").open = true;
    }
    lit[0]?.scrollIntoView({ block: "center" });
  }

  /** Only what has all the words; each section that has some of it is opened. */
  search() {
    const words = plain($("#rules-search").value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const part of $$("#rules-told details")) {
      const rules = $$(".rule", part);
      for (const rule of rules) rule.hidden = !words.every((word) => plain(rule.textContent).includes(word));
      const shown = rules.filter((rule) => !rule.hidden).length;
      count += shown;
      part.hidden = !shown;
      part.open = words.length > 0 || $(".lit", part) !== null;
    }
    $("#rules-count").textContent = words.length ? t("rules_found", { count }) : "";
  }
}

function section(part) {
  const head = el("summary", {}, el("span", { className: "head" }, part.head), ` (${part.rules.length})`);
  return el("details", {}, head, ...part.rules.map(rule));
}

function rule(one) {
  const at = one.at ? el("span", { className: "at" }, ` [${one.at}]`) : null;
  const node = el("p", { className: "rule" }, el("strong", {}, one.name), el("span", {}, one.text, at));
  node.dataset.at = `${one.name} ${one.at}`;
  return node;
}
