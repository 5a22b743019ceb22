// What stands around the table: whose turn it is, moves that are no pieces, what happened, and what was asked for.

import { $, announce, el } from "./dom.js";
import { point } from "./advice.js";
import { analysis } from "./analysis.js";
import { Ending } from "./ending.js";
import { isNarrow, sheet } from "./layout.js";
import { Links } from "./links.js";
import { Moves } from "./moves.js";
import { Rulebook } from "./rulebook.js";
import { quiet, said, tell } from "./told.js";
import { t } from "./words.js";

const MOST_NEWS = 400;
const MOST_ASKED = 40;
const MOST_TOLD = 40;

export class Panels {
  constructor(game) {
    this.game = game;
    this.news = [];
    this.n = null;
    this.moves = new Moves(game);
    this.ending = new Ending(game);
    this.links = new Links(game);
    this.rulebook = new Rulebook(() => game.wire);
    this.bind();
  }

  bind() {
    const on = (id, what) => $(id).addEventListener("click", what);
    on("#undo", () => this.game.undo());
    on("#hint", () => this.askHint());
    on("#why", () => this.showWhy());
    on("#show-keys", () => $("#keys").showModal());
    on("#download", () => this.wants("save"));
    on("#replay", () => this.wants("open"));
    $("#why-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.game.wire.say({ t: "why", move: $("#why-move").value });
    });
  }

  get now() {
    return this.game.table;
  }

  line(open, isDead) {
    if (isDead) this.dead();
    else if (!open) this.state(t(this.now ? "lost" : "connecting"));
    else if (this.now) this.turn(this.now);
  }

  /** Of a link that leads nowhere nothing can be asked. */
  dead() {
    this.state("");
    for (const id of ["#undo", "#hint", "#why", "#show-moves", "#show-rules"]) $(id).disabled = true;
  }

  state(text) {
    const place = $("#state");
    if (place.textContent !== text) place.textContent = text;
  }

  // ---- the table ----

  table(message, first) {
    this.around(message);
    this.happened(message, first);
    const text = this.turn(message);
    this.passes(message);
    this.ending.show(message, first);
    this.links.table(message);
    if (message.stop === "deal") tell(this.counted(message), "deal");
    if (!first && (message.moves.length || message.over)) announce(message.over ? message.result.join(" ") || text : text);
  }

  /** What was told is of the table before, unless it says that this one is another. */
  passes(message) {
    if (this.n !== null && message.n !== this.n && !this.isLate) quiet();
    [this.n, this.isLate] = [message.n, false];
  }

  around(message) {
    document.title = `${message.title} – Hoyle`;
    $("h1").textContent = message.title;
    $("#undo").disabled = !message.undo;
    $("#hint").disabled = $("#why").disabled = !message.moves.length;
    $("#show-moves").disabled = !message.moves.length;
    $("#place").textContent = message.place;
    if (message.seeded !== undefined) $("#seeded").textContent = message.seeded;
    $("#seeded").hidden = !$("#seeded").textContent;
    $("#seats").replaceChildren(...message.seats.map((one) => this.seat(one, message)));
    this.spoken(message);
  }

  seat(one, message) {
    const own = one.seat === message.seat ? ` (${t("you")})` : "";
    const node = el("li", { className: one.acts ? "acts" : "" }, one.name + own);
    if (one.acts) node.setAttribute("aria-current", "true");
    return node;
  }

  /** The table in words, for those who do not see it. */
  spoken(message) {
    const lines = message.piles.map((pile) => {
      const shown = pile.pieces.filter(Boolean).map((piece) => piece[2] || piece[1]);
      const hidden = pile.count - shown.length;
      const backs = hidden ? [`${hidden} × ${t("back")}`] : [];
      return el("li", {}, `${pile.words}: ${[...backs, ...shown].join(", ") || t("empty")}`);
    });
    $("#spoken").replaceChildren(...lines);
  }

  turn(message) {
    const acting = message.seats.find((one) => one.acts);
    const text = message.preparing
      ? t("preparing")
      : message.over
      ? t("over")
      : message.stop
        ? (message.stop === "deal" ? t("stop_deal") : t("stop_trick"))
      : message.moves.length
        ? t("your_turn")
        : acting
          ? t(acting.human ? "turn_of" : "thinking", { seat: acting.name })
          : "";
    this.state(text);
    return text;
  }

  happened(message, first) {
    const { from, items } = message.news;
    this.news.length = Math.min(this.news.length, from);
    for (const [n, item] of items.entries()) this.news[from + n] = item;
    const told = this.news.slice(-MOST_NEWS).filter(Boolean);
    const list = $("#news");
    list.replaceChildren(...told.map((item) => el("li", { className: item.kind }, item.text)));
    list.scrollTop = list.scrollHeight;
    $("#latest").textContent = told.slice(-2).map((item) => item.text).join(" · ");
    if (!first) for (const item of items.filter(Boolean)) announce(item.text);
  }

  /** What was counted and said at the end of a deal. */
  counted(message) {
    const told = message.news.items.filter((item) => item && item.kind !== "move");
    return told.slice(-MOST_TOLD).map((item) => item.text);
  }

  showNews() {
    if (isNarrow()) sheet(true);
    else $("#news").focus();
  }

  /** Somebody takes hold of something while others are to move. */
  notYet() {
    const [acting, own] = [this.now?.seats.find((one) => one.acts), this.now?.seat];
    if (!acting || own === null || acting.seat === own) return;
    const text = t("not_yours", { seat: acting.name });
    tell([text], "refused");
    announce(text);
  }

  /** As many pieces are chosen as there may be. */
  full(count) {
    tell([t("full", { count })], "refused full");
    announce(t("full", { count }));
  }

  // ---- what is asked for ----

  askHint() {
    if (!this.now?.moves.length) return;
    tell([t("searching")]);
    this.game.wire.say({ t: "hint" });
  }

  showWhy() {
    if (!this.now?.moves.length) return;
    this.moves.list($("#why-moves"), this.now.moves.slice(0, MOST_ASKED), (move) => this.game.wire.say({ t: "why", move: move.id }));
    $("#why-told").replaceChildren();
    $("#why-move").value = "";
    $("#asking").showModal();
    $("#why-move").focus();
  }

  hear(message) {
    if (message.t === "hint") this.hinted(message);
    else if (message.t === "why") this.explained(message);
    else if (message.t === "refused" || message.t === "closed") this.refused(message);
    else if (message.t === "analysing") tell([t("analysing", message)]);
    else if (message.t === "analysis") analysis(message, (at) => this.wants("open", at));
    else if (message.t === "record") this.save(message);
    else if (message.t === "rules") this.rulebook.show(message);
    else if (message.t === "links") this.links.show(message);
    else if (message.t === "again") this.ending.begun(message.token);
    const words = message.lines ?? (message.text && message.t !== "record" ? [message.text] : []);
    for (const line of words) announce(line);
  }

  refused(message) {
    this.game.picture.putDown();
    this.isLate = message.why === "late";
    tell([message.text], "refused");
  }

  hinted(message) {
    tell(message.lines, "hint");
    if (message.n === this.now.n) point(this.game.picture, this.now.moves.find((one) => one.id === message.id));
  }

  explained(message) {
    if (!message.lines.length) return; // it could go to several places: which, is not yet known
    if (this.game.hold.isStray) this.game.letGo(true);
    this.rulebook.clauses = message.at;
    const source = message.source.map((line) => el("p", { className: "source" }, line));
    const more = message.more.length ? [el("details", {}, el("summary", {}, t("more")), ...said(message.more))] : [];
    const parts = [...source, ...more, ...(message.at.length ? [this.toRule()] : [])];
    if ($("#asking").open) $("#why-told").replaceChildren(...said(message.lines), ...parts);
    else tell(message.lines, "why", ...parts);
  }

  toRule() {
    const node = el("button", { type: "button" }, t("to_rule"));
    node.addEventListener("click", () => {
      $("#asking").close();
      this.rulebook.open();
    });
    return node;
  }

  /** The record is asked for, to be kept or to be gone through. */
  wants(what, at = 0) {
    this.wanted = what;
    this.at = at;
    this.game.wire.say({ t: "record" });
  }

  save(message) {
    if (this.wanted === "open") {
      sessionStorage.setItem("hoyle.record", message.text);
      location.assign(`/record#${this.at}`);
      return;
    }
    const url = URL.createObjectURL(new Blob([message.text], { type: "application/jsonl" }));
    const link = el("a", { href: url, download: message.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  renew() {
    if (this.now) this.turn(this.now);
  }
}
