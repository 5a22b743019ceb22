// What a change does: random games before and after it, in steps, with intervals that become narrower.

import { $, announce, el } from "../dom.js";
import { settings } from "../settings.js";
import { t } from "../translation.js";
import { ask } from "./requests.js";

const SVG = "http://www.w3.org/2000/svg";
const [FIRST, MOST, FACTOR] = [20, 500, 2];
const [WIDTH, HEIGHT, EDGE] = [220, 22, 6];

export class Comparison {
  /** `describe()` returns `{before, after, seed}`. */
  constructor(describe) {
    this.describe = describe;
    this.running = null;
    $("#compare").addEventListener("click", () => (this.running ? this.stop() : this.run()));
  }

  stop() {
    this.running = null;
    $("#compare").textContent = t("compare");
  }

  async run() {
    const run = (this.running = {});
    const order = this.describe();
    $("#comparison").replaceChildren();
    if (JSON.stringify(order.before) === JSON.stringify(order.after)) return this.end(t("nothing_changed"));
    $("#compare").textContent = t("stop");
    try {
      for (let games = FIRST, played = 0; played < MOST && this.running === run; ) {
        $("#compare-note").textContent = played ? t("compared", { count: played }) : t("comparing");
        const found = await ask("compare", { ...order, games });
        if (this.running === run) this.show(found);
        played = found.games;
        if (played >= games) games = Math.min(MOST, FACTOR * games); // the server plays fewer if games take long
      }
      if (this.running === run) this.end($("#compare-note").textContent);
    } catch (error) {
      if (this.running === run) this.end(error.message);
    }
    return undefined;
  }

  end(text) {
    this.stop();
    $("#compare-note").textContent = text;
    announce(text);
  }

  show({ games, measures }) {
    $("#compare-note").textContent = t("compared", { count: games });
    const heads = [t("measure"), t("before"), t("after"), t("difference")];
    const head = el("tr", {}, ...heads.map((words) => el("th", { scope: "col" }, words)));
    $("#comparison").replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...measures.map(createRow))));
  }
}

function createRow({ name, before, after, difference, low, high, share, certain }) {
  const format = (value) => formatNumber(value, share);
  const words = difference === null ? "" : ` ${format(difference)} [${format(low)} – ${format(high)}]`;
  const cell = el("td", { className: certain ? "clear" : "" }, drawInterval(difference, low, high), words);
  return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, format(before)), el("td", {}, format(after)), cell);
}

/** Shares of games are shown in percent. */
function formatNumber(value, isShare) {
  if (value === null) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const how = isShare ? { style: "percent", maximumFractionDigits: 1 } : { maximumFractionDigits: digits };
  return new Intl.NumberFormat(settings.lang, how).format(value);
}

/** An interval around a difference, with a line at zero. */
function drawInterval(difference, low, high) {
  const svg = createNode("svg", { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "interval" });
  if (![difference, low, high].every(Number.isFinite)) return svg;
  const most = Math.max(Math.abs(low), Math.abs(high), 1e-9);
  const x = (value) => WIDTH / 2 + (value / most) * (WIDTH / 2 - EDGE);
  const middle = HEIGHT / 2;
  svg.append(
    createNode("line", { class: "zero", x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: HEIGHT }),
    createNode("line", { class: "range", x1: x(low), x2: x(high), y1: middle, y2: middle }),
    createNode("circle", { class: "mean", cx: x(difference), cy: middle, r: 5 }),
  );
  return svg;
}

function createNode(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
