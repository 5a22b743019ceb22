// What stands around the table: whose turn it is, moves that are no pieces, what happened, and what was asked for.

import { $, announce, el } from "./dom.js";
import { t } from "./words.js";
import { analysis } from "./analysis.js";

const MOST_NEWS = 400;
const MOST_BUTTONS = 40;
const MOST_TOLD = 40;

export class Panels {
  constructor(game) {
    this.game = game;
    this.news = [];
    this.bind();
  }

  bind() {
    const on = (id, what) => $(id).addEventListener("click", what);
    on("#undo", () => this.game.undo());
    on("#hint", () => this.askHint());
    on("#why", () => this.showWhy());
    on("#show-moves", () => this.showMoves());
    on("#show-rules", () => this.showRules());
    on("#show-keys", () => $("#keys").showModal());
    on("#analyse", () => this.game.wire.say({ t: "analyse" }));
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

  title() {
    return $("h1").textContent;
  }

  line(open) {
    if (!open) this.state(t(this.now ? "lost" : "connecting"));
    else if (this.now) this.turn(this.now);
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
    if (this.wasStopped) this.quiet();
    this.wasStopped = message.stop === "deal";
    if (this.wasStopped) this.tell(this.counted(message), "deal");
    if (!first && (message.moves.length || message.over)) announce(message.over ? message.result.join(" ") || text : text);
    if (!message.moves.length && message.stop !== "deal") this.quiet();
  }

  around(message) {
    document.title = `${message.title} – Hoyle`;
    $("h1").textContent = message.title;
    $("#undo").disabled = !message.undo;
    $("#hint").disabled = $("#why").disabled = !message.moves.length;
    $("#show-moves").disabled = !message.moves.length;
    $("#place").textContent = message.place;
    $("#over").hidden = !message.over;
    $("#result").replaceChildren(...message.result.map((line) => el("p", {}, line)));
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

  // ---- moves ----

  /** Buttons: moves that take hold of nothing, and those that what is held is enough for. */
  held(hold) {
    const plain = hold.moves.filter((move) => !move.pick?.length);
    const done = hold.complete();
    const shown = [...done, ...(hold.picked.length ? [] : plain)].slice(0, MOST_BUTTONS);
    const had = document.activeElement?.closest?.("#actions") !== null && document.activeElement !== document.body;
    $("#actions").replaceChildren(...shown.map((move) => this.button(move, done.includes(move))));
    if (had) $("#actions button")?.focus();
  }

  button(move, main) {
    const node = el("button", { type: "button", className: main ? "main" : "" }, this.text(move));
    node.dataset.id = move.id;
    node.addEventListener("click", () => this.game.play(move));
    return node;
  }

  text(move) {
    return move.fault ? `${move.text} [${move.fault}]` : move.text;
  }

  choose(moves, chosen, left) {
    const dialog = $("#choose");
    this.list($("#choices"), moves, (move) => {
      dialog.returnValue = "chosen";
      dialog.close("chosen");
      chosen(move);
    });
    dialog.onclose = () => dialog.returnValue !== "chosen" && left();
    dialog.returnValue = "";
    dialog.showModal();
  }

  list(place, moves, chosen) {
    const rows = moves.map((move) => {
      const node = el("button", { type: "button" }, this.text(move));
      node.dataset.id = move.id;
      node.addEventListener("click", () => chosen(move));
      return el("li", {}, node);
    });
    place.replaceChildren(...rows);
  }

  showMoves() {
    if (!this.now?.moves.length) return;
    this.list($("#all-moves"), this.now.moves, (move) => {
      $("#moves").close();
      this.game.play(move);
    });
    $("#moves").showModal();
  }

  showNews() {
    $("#news").focus();
  }

  // ---- what is asked for ----

  askHint() {
    if (!this.now?.moves.length) return;
    this.tell([t("searching")]);
    this.game.wire.say({ t: "hint" });
  }

  showWhy() {
    if (!this.now?.moves.length) return;
    this.list($("#why-moves"), this.now.moves.slice(0, MOST_BUTTONS), (move) => this.game.wire.say({ t: "why", move: move.id }));
    $("#why-told").replaceChildren();
    $("#why-move").value = "";
    $("#asking").showModal();
    $("#why-move").focus();
  }

  showRules() {
    $("#rules").showModal();
    this.game.wire.say({ t: "rules" });
  }

  rules(found) {
    const parts = found.parts.map((part) => el("section", {}, el("h3", {}, part.head), el("dl", {}, ...part.rules.flatMap(rule))));
    $("#rules-told").replaceChildren(el("h3", {}, found.title), ...found.source.map((line) => el("p", { className: "source" }, line)), ...parts);
  }

  tell(lines, kind = "", place = $("#told")) {
    place.replaceChildren(...lines.map((line) => el("p", {}, line)));
    place.className = kind;
    place.hidden = false;
  }

  quiet() {
    $("#told").hidden = true;
  }

  hear(message) {
    if (message.t === "hint") this.hinted(message);
    else if (message.t === "why") this.explained(message);
    else if (message.t === "refused" || message.t === "closed") this.tell([message.text], "refused");
    else if (message.t === "analysing") this.tell([t("analysing", message)]);
    else if (message.t === "analysis") analysis(message, (at) => this.wants("open", at));
    else if (message.t === "record") this.save(message);
    else if (message.t === "rules") this.rules(message);
    const said = message.lines ?? (message.text && message.t !== "record" ? [message.text] : []);
    for (const line of said) announce(line);
  }

  hinted(message) {
    this.tell(message.lines, "hint");
    const move = this.now.moves.find((one) => one.id === message.id);
    const pieces = this.game.picture.pieces();
    for (const pick of move?.pick ?? []) pieces.find((piece) => meetsNode(pick, piece) && !piece.classList.contains("hinted"))?.classList.add("hinted");
  }

  explained(message) {
    if (!message.lines.length) return; // it could go to several places: which, is not yet known
    if (this.game.hold.isStray) this.game.letGo(true);
    const place = $($("#asking").open ? "#why-told" : "#told");
    this.tell(message.lines, "why", place);
    place.append(...message.source.map((line) => el("p", { className: "source" }, line)));
    if (message.more.length) place.append(el("details", {}, el("summary", {}, t("more")), ...message.more.map((line) => el("p", {}, line))));
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

function rule(one) {
  return [el("dt", {}, one.name), el("dd", {}, one.text, one.at ? el("span", { className: "at" }, ` [${one.at}]`) : null)];
}

function meetsNode(pick, node) {
  const { pile, at, sign } = node.dataset;
  return pile === pick.pile && (pick.sign === undefined ? String(pick.at) === at : pick.sign === sign);
}
