// The page of one seat at a table.

import { $, announce, bindCloseButtons } from "./dom.js";
import { Calls } from "./calls.js";
import { enableDragging } from "./drag.js";
import { Selection, isSameSpot } from "./selection.js";
import { bindKeys } from "./keys.js";
import { Panels } from "./panels.js";
import { Picture, getSpot } from "./picture.js";
import { Roving } from "./roving.js";
import { initPage, describeSettings } from "./settings.js";
import { initLayout } from "./layout.js";
import { saveTable } from "./saved_tables.js";
import { getToken } from "./navigation.js";
import { passOn } from "./hot_seat.js";
import { Pauses } from "./pauses.js";
import { hideNotice } from "./notices.js";
import { LastMove } from "./last_move.js";
import { t } from "./translation.js";
import { Connection } from "./connection.js";
import { forwardFiles, isEmbedded, listenToOuterPage, report } from "./embedding.js";

/** Milliseconds between the two clicks of a double click. */
const DOUBLE_CLICK = 400;

class SeatPage {
  constructor(token) {
    this.token = token;
    this.place = $("#table");
    this.picture = new Picture(this.place);
    this.roving = new Roving(this.picture);
    this.selection = new Selection([]);
    this.panels = new Panels(this);
    this.calls = new Calls(this);
    this.pauses = new Pauses();
    this.lastMove = new LastMove(token);
    this.onKeys = false;
    this.waiting = [];
    this.busy = false;
    this.table = null;
    this.asked = false;
    this.tapped = null;
  }

  start() {
    this.connect();
    enableDragging(this.place, this);
    this.place.addEventListener("click", (event) => event.detail === 0 && this.pressNode(event.target));
    this.place.addEventListener("focusin", (event) => this.noteFocus(event.target));
    document.addEventListener("focusin", (event) => (this.onKeys = this.place.contains(event.target) || (this.onKeys && event.target.id === "go-on")));
    bindKeys(this);
    let resized = 0;
    const resize = () => {
      clearTimeout(resized);
      resized = setTimeout(() => this.sendSettings(false), 150);
    };
    new ResizeObserver(resize).observe(this.place);
    window.addEventListener("resize", resize);
  }

  connect() {
    const connection = new Connection(this.token, (message) => connection === this.connection && this.receive(message), (open, isDead) => this.showConnection(open, isDead));
    this.connection = connection;
    connection.room = this.picture.measureRoom();
  }

  showConnection(open, isDead) {
    this.panels.showConnection(open, isDead);
    if (isDead) report({ t: "dead", token: this.token });
  }

  /** Take another seat, perhaps at another table. */
  enter(token) {
    if (token === this.token) return;
    this.connection.leave();
    this.token = token;
    this.lastMove = new LastMove(token);
    this.selection = new Selection([]);
    [this.table, this.waiting, this.asked] = [null, [], false];
    this.picture.putDown();
    this.panels.forget();
    this.pauses.goOn();
    this.connect();
  }

  /** Send changed settings or room, so that the server sends the table again. */
  sendSettings(always = true) {
    const room = this.picture.measureRoom();
    if (!always && room.width === this.connection.room.width && room.height === this.connection.room.height) return;
    this.connection.room = room;
    this.connection.send({ t: "look", ...describeSettings(), ...room });
  }

  // ---- messages ----

  receive(message) {
    if (message.t === "table") {
      this.waiting.push(message);
      this.showWaiting();
    } else this.panels.receive(message);
  }

  /** Show waiting tables one after the other, each when the one before has been seen. */
  async showWaiting() {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting.length) await this.show(this.waiting.shift());
    } finally {
      this.busy = false;
    }
    if (this.table) this.reportTable(this.table);
  }

  /** Tell the page around this one who is to move. */
  reportTable({ n, seat, seats, over, moves }) {
    const acting = seats.find((one) => one.acts)?.seat ?? null;
    report({ t: "table", token: this.token, n, seat, acting, over, moves: moves.map(({ id, text }) => ({ id, text })) });
  }

  async show(message) {
    const had = this.hadFocus();
    const first = this.table === null;
    const picked = !first && message.n === this.table.n ? this.selection.picked : [];
    this.table = message;
    this.asked = false;
    this.selection = new Selection(message.moves, (pile) => this.picture.groupOf(pile), message.aims);
    this.lastMove.notePlaces(this.picture);
    const seen = this.picture.show(message, first || this.waiting.length > 4);
    this.lastMove.mark(this.picture, message);
    this.selection.picked = picked.filter((spot) => this.selection.isSource(spot));
    this.panels.showTable(message, first);
    this.calls.show(message);
    if (!message.stop && !isEmbedded) {
      saveTable(this.token, message);
      passOn(this.token, message);
    }
    if (this.waiting.length) await seen;
    this.mark(had);
    await seen;
    if (message.stop) await this.pauses.wait(message, this.waiting.length > 8);
  }

  /** True if the keyboard focus is on the table, or was when the last selectable piece disappeared. */
  hadFocus() {
    const active = document.activeElement;
    return this.place.contains(active) || (this.onKeys && (active === null || active === document.body || active.id === "go-on"));
  }

  /** A key press ends the pause after a trick. */
  goOn() {
    if (this.pauses.kind === "trick") this.pauses.goOn();
  }

  mark(hadFocus = this.place.contains(document.activeElement)) {
    this.picture.mark(this.selection);
    this.roving.update(hadFocus);
    this.panels.moves.showButtons(this.selection);
    this.place.dataset.n = this.table?.n ?? "";
  }

  // ---- moves ----

  get mayMove() {
    return Boolean(this.table?.moves.length) && !this.waiting.length;
  }

  press(spot) {
    if (this.mayMove) this.carryOut(this.selection.click(spot), spot);
    else if (!this.waiting.length && !this.busy) this.panels.refuseTurn();
  }

  /** A click, or the second click of a double click on the selected piece. */
  tap(spot) {
    const [before, now] = [this.tapped, performance.now()];
    const twice = before && now - before.at < DOUBLE_CLICK && isSameSpot(before.spot, spot) && this.selection.isPicked(spot);
    this.tapped = { spot, at: now };
    if (twice && this.mayMove) this.carryOut(this.selection.doubleClick(spot), spot);
    else this.press(spot);
  }

  pressNode(node) {
    const found = node?.closest?.("[data-pile]");
    if (found) this.press(getSpot(found));
  }

  carryOut(answer, spot) {
    if (answer.play) this.play(answer.play);
    else if (answer.choose) this.panels.moves.choose(answer.choose, (move) => this.play(move), () => this.clearSelection());
    else if (answer.wrong) this.askWhy(answer.wrong);
    else if (answer.back) this.clearSelection();
    else if (answer.stray) this.selectStray(answer.stray);
    else if (answer.full) this.panels.refuseSelection(answer.full);
    else {
      hideNotice("full");
      if (answer.held) announce(this.describeSelection(spot));
      if (answer.let) announce(t("let_go"));
      this.mark();
    }
  }

  describeSelection(spot) {
    const several = this.selection.findCandidates().some((move) => move.several);
    return several ? t("chosen", { count: this.selection.picked.length }) : t("picked", { piece: this.picture.describe(spot) });
  }

  play(move) {
    this.selection.clear();
    hideNotice();
    this.connection.send({ t: "move", n: this.table.n, id: move.id });
    this.mark();
  }

  askWhy({ from, to }) {
    this.connection.send({ t: "why", from: from.pile, at: from.at, sign: from.sign, to });
    this.clearSelection(true);
  }

  /** A click on something without a move. Select an open piece and ask why if it has a single target.
   * For face-down pieces and places, ask why nothing can be done there. */
  selectStray(spot) {
    const loose = this.picture.isLoose(spot);
    if (loose) this.selection.take(spot);
    this.connection.send(loose ? { t: "why", from: spot.pile, at: spot.at, sign: spot.sign } : { t: "why", from: spot.pile });
    if (!loose) return this.mark();
    announce(this.describeSelection(spot));
    return this.mark();
  }

  clearSelection(quiet = false) {
    if (!this.selection.picked.length) return;
    this.selection.clear();
    if (!quiet) announce(t("let_go"));
    this.mark();
  }

  /** Escape clears the selection, or hides the notice. */
  cancel() {
    if (this.selection.picked.length) this.clearSelection();
    else hideNotice();
  }

  undo() {
    if (this.table?.undo) this.connection.send({ t: "undo", n: this.table.n });
  }

  noteFocus(node) {
    const found = node.closest?.("[role=button][data-pile]");
    if (!found) return;
    this.roving.spot = getSpot(found);
    this.onKeys = true;
  }

  // ---- enableDragging ----

  grab(spot) {
    if (!this.mayMove) return false;
    if (!this.selection.isPicked(spot)) {
      if (!this.selection.findCandidates([spot]).length && !this.picture.isLoose(spot)) return false;
      this.selection.take(spot);
      this.mark();
    }
    return true;
  }

  /** The pieces that are dragged along: those on top of it in a packet, and other selected ones. */
  listLifted(spot) {
    const pile = (pick) => pick.pile === spot.pile && pick.at !== undefined && pick.sign === undefined;
    const packet = this.selection.moves.some((move) => (move.pick ?? []).some((pick) => pile(pick) && (this.selection.isStray || pick.at === spot.at)));
    return this.picture.pieces().filter((piece) => {
      const other = getSpot(piece);
      if (other.pile !== spot.pile) return false;
      return other.at === spot.at || (packet && other.at > spot.at) || this.selection.isPicked(other);
    });
  }

  carry(nodes, x, y) {
    if (!this.picture.over) this.picture.lift(nodes);
    this.picture.carry(x, y);
  }

  carriedBox() {
    return this.picture.over?.getBoundingClientRect() ?? null;
  }

  targetBoxes() {
    return [...this.picture.svg.querySelectorAll(".reach.target")].map((node) => ({ key: node.dataset.pile, box: node.getBoundingClientRect() }));
  }

  /** Drop the selection. If it makes a move, the pieces stay there until the new table is shown. */
  drop(pile) {
    const answer = this.selection.picked.length ? this.selection.drop(pile) : {};
    if (!answer.play) this.picture.putDown();
    this.carryOut(answer, this.selection.picked[0]);
  }
}

const token = getToken();
const game = new SeatPage(token);
for (const dialog of document.querySelectorAll("dialog")) bindCloseButtons(dialog);
initLayout();
await initPage(() => {
  game.sendSettings();
  game.panels.retranslate();
});
game.start();
window.addEventListener("hashchange", () => location.reload());
document.body.classList.toggle("embedded", isEmbedded);
listenToOuterPage((message) => {
  if (message.t === "enter") game.enter(message.token);
  if (message.t !== "settings") return;
  history.replaceState(null, "", `?lang=${message.lang}#${game.token}`);
  location.reload();
});
forwardFiles();
report({ t: "ready" });
