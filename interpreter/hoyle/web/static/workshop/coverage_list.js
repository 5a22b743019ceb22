// Which rules the game just played has used, and how often its conditions held.

import { $, el } from "../dom.js";
import { t } from "../translation.js";
import { createLink } from "./example_list.js";
import { LatestRequest } from "./requests.js";

export class CoverageList {
  constructor(goTo) {
    this.goTo = goTo;
    this.requests = new LatestRequest("coverage");
  }

  async update({ name, text, options, seed }, moves) {
    const found = await this.requests.ask({ name, text, options, seed, moves });
    if (found) this.show(found.rules, moves.length);
  }

  show(rules, count) {
    if (!rules.length) {
      $("#coverage-note").textContent = t("no_own_rules");
      $("#coverage").replaceChildren();
      return;
    }
    const used = rules.filter((rule) => rule.count).length;
    $("#coverage-note").textContent = t("coverage_summary", { count, used, rules: rules.length });
    const head = ["rule", "times_used", "times_true", "times_false"].map((key) => el("th", { scope: "col" }, HEADS[key]()));
    const rows = rules.map((rule) => this.createRow(rule));
    $("#coverage").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
  }

  createRow(rule) {
    const [name, more] = rule.name ? [rule.name, rule.text] : [rule.text, ""];
    const words = more && more !== name ? el("span", { className: "faint" }, ` ${more}`) : null;
    const isCondition = rule.yes + rule.no > 0;
    const cells = [rule.count, isCondition ? rule.yes : "", isCondition ? rule.no : ""].map((value) => el("td", {}, String(value)));
    return el("tr", { className: rule.count ? "" : "unused" }, el("th", { scope: "row" }, createLink(rule, name, this.goTo), words), ...cells);
  }
}

const HEADS = { rule: () => t("rule"), times_used: () => t("times_used"), times_true: () => t("times_true"), times_false: () => t("times_false") };
