// Everything around the table: whose turn it is, the events, dialogs and answers of the server.

import { $, announce, el } from "./dom.js";
import { showHint } from "./hint_arrow.js";
import { showAnalysis } from "./analysis.js";
import { Ending } from "./ending.js";
import { isNarrow, openEvents } from "./layout.js";
import { Links } from "./links.js";
import { Moves } from "./moves.js";
import { goTo } from "./navigation.js";
import { Rulebook } from "./rulebook.js";
import { hideNotice, toParagraphs, showNotice } from "./notices.js";
import { t } from "./translation.js";

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
    this.rulebook = new Rulebook(() => game.connection);
    this.bind();
  }

  bind() {
    const on = (id, what) => $(id).addEventListener("click", what);
    on("#undo", () => this.game.undo());
    on("#hint", () => this.askHint());
    on("#why", () => this.showWhy());
    on("#show-keys", () => $("#keys").showModal());
    on("#download", () => this.requestRecord("save"));
    on("#replay", () => this.requestRecord("open"));
    $("#why-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.game.connection.send({ t: "why", move: $("#why-move").value });
    });
  }

  get current() {
    return this.game.table;
  }

  showConnection(open, isDead) {
    if (isDead) this.disableAll();
    else if (!open) this.showState(t(this.current ? "lost" : "connecting"));
    else if (this.current) this.showTurn(this.current);
  }

  /** A dead link: nothing can be asked. */
  disableAll() {
    this.showState("");
    for (const id of ["#undo", "#hint", "#why", "#show-moves", "#show-rules"]) $(id).disabled = true;
  }

  /** Another seat is taken: forget what this one was told. */
  forget() {
    [this.news, this.n] = [[], null];
    this.links.found = null;
    this.ending.forget();
    hideNotice();
  }

  showState(text) {
    const place = $("#state");
    if (place.textContent !== text) place.textContent = text;
  }

  // ---- the table ----

  showTable(message, first) {
    this.showHead(message);
    this.showEvents(message, first);
    const text = this.showTurn(message);
    this.expireNotice(message);
    this.ending.show(message, first);
    this.links.update(message);
    if (message.stop === "deal") showNotice(this.listDealEvents(message), "deal");
    if (!first && (message.moves.length || message.over)) announce(message.over ? message.result.join(" ") || text : text);
  }

  /** Hide the notice about the table before, unless it explains the change. */
  expireNotice(message) {
    if (this.n !== null && message.n !== this.n && !this.isLate) hideNotice();
    [this.n, this.isLate] = [message.n, false];
  }

  showHead(message) {
    document.title = `${message.title} – Hoyle`;
    $("h1").textContent = message.title;
    $("#undo").disabled = !message.undo;
    $("#hint").disabled = $("#why").disabled = !message.moves.length;
    $("#show-moves").disabled = !message.moves.length;
    $("#place").textContent = message.place;
    if (message.seeded !== undefined) $("#seeded").textContent = message.seeded;
    $("#seeded").hidden = !$("#seeded").textContent;
    $("#seats").replaceChildren(...message.seats.map((one) => this.createSeat(one, message)));
    this.describePiles(message);
  }

  createSeat(one, message) {
    const own = one.seat === message.seat ? ` (${t("you")})` : "";
    const node = el("li", { className: one.acts ? "acts" : "" }, one.name + own);
    if (one.acts) node.setAttribute("aria-current", "true");
    return node;
  }

  /** Describe the piles for screen readers. */
  describePiles(message) {
    const lines = message.piles.map((pile) => {
      const shown = pile.pieces.filter(Boolean).map((piece) => piece[2] || piece[1]);
      const hidden = pile.count - shown.length;
      const backs = hidden ? [`${hidden} × ${t("back")}`] : [];
      return el("li", {}, `${pile.words}: ${[...backs, ...shown].join(", ") || t("empty")}`);
    });
    $("#spoken").replaceChildren(...lines);
  }

  showTurn(message) {
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
    this.showState(text);
    return text;
  }

  showEvents(message, first) {
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

  /** The scores and announcements at the end of a deal. */
  listDealEvents(message) {
    const told = message.news.items.filter((item) => item && item.kind !== "move");
    return told.slice(-MOST_TOLD).map((item) => item.text);
  }

  showNews() {
    if (isNarrow()) openEvents(true);
    else $("#news").focus();
  }

  /** A player picks up something while others are to move. */
  refuseTurn() {
    const [acting, own] = [this.current?.seats.find((one) => one.acts), this.current?.seat];
    if (!acting || own === null || acting.seat === own) return;
    const text = t("not_yours", { seat: acting.name });
    showNotice([text], "refused");
    announce(text);
  }

  /** The player has selected as many pieces as a move takes. */
  refuseSelection(count) {
    showNotice([t("full", { count })], "refused full");
    announce(t("full", { count }));
  }

  // ---- requests ----

  askHint() {
    if (!this.current?.moves.length) return;
    showNotice([t("searching")]);
    this.game.connection.send({ t: "hint" });
  }

  showWhy() {
    if (!this.current?.moves.length) return;
    this.moves.fillList($("#why-moves"), this.current.moves.slice(0, MOST_ASKED), (move) => this.game.connection.send({ t: "why", move: move.id }));
    $("#why-told").replaceChildren();
    $("#why-move").value = "";
    $("#asking").showModal();
    $("#why-move").focus();
  }

  receive(message) {
    if (message.t === "hint") this.showMoveHint(message);
    else if (message.t === "why") this.showReason(message);
    else if (message.t === "refused" || message.t === "closed") this.showRefusal(message);
    else if (message.t === "analysing") showNotice([t("analysing", message)]);
    else if (message.t === "analysis") showAnalysis(message, (at) => this.requestRecord("open", at));
    else if (message.t === "record") this.useRecord(message);
    else if (message.t === "rules") this.rulebook.show(message);
    else if (message.t === "links") this.links.show(message);
    else if (message.t === "again") this.ending.enterNext(message.token);
    const words = message.lines ?? (message.text && message.t !== "record" ? [message.text] : []);
    for (const line of words) announce(line);
  }

  showRefusal(message) {
    this.game.picture.putDown();
    this.isLate = message.why === "late";
    showNotice([message.text], "refused");
  }

  showMoveHint(message) {
    showNotice(message.lines, "hint");
    if (message.n === this.current.n) showHint(this.game.picture, this.current.moves.find((one) => one.id === message.id));
  }

  showReason(message) {
    if (!message.lines.length) return; // the drag may still have several targets
    if (this.game.selection.isStray) this.game.clearSelection(true);
    this.rulebook.clauses = message.at;
    const source = message.source.map((line) => el("p", { className: "source" }, line));
    const more = message.more.length ? [el("details", {}, el("summary", {}, t("more")), ...toParagraphs(message.more))] : [];
    const parts = [...source, ...more, ...(message.at.length ? [this.createRuleButton()] : [])];
    if ($("#asking").open) $("#why-told").replaceChildren(...toParagraphs(message.lines), ...parts);
    else showNotice(message.lines, "why", ...parts);
  }

  createRuleButton() {
    const node = el("button", { type: "button" }, t("to_rule"));
    node.addEventListener("click", () => {
      $("#asking").close();
      this.rulebook.open();
    });
    return node;
  }

  /** Request the record, to save or to open it. */
  requestRecord(what, at = 0) {
    this.wanted = what;
    this.at = at;
    this.game.connection.send({ t: "record" });
  }

  useRecord(message) {
    if (this.wanted === "open") {
      sessionStorage.setItem("hoyle.record", message.text);
      goTo("record", this.at);
      return;
    }
    const url = URL.createObjectURL(new Blob([message.text], { type: "application/jsonl" }));
    const link = el("a", { href: url, download: message.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  retranslate() {
    if (this.current) this.showTurn(this.current);
  }
}
