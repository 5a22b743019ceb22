// One seat at one table.

import { $, announce, closing } from "./dom.js";
import { Calls } from "./calls.js";
import { dragging } from "./drag.js";
import { Hold, same } from "./hold.js";
import { bindKeys } from "./keys.js";
import { Panels } from "./panels.js";
import { Picture, spotOf } from "./picture.js";
import { Roving } from "./roving.js";
import { begin, taste } from "./settings.js";
import { layout } from "./layout.js";
import { remember } from "./mine.js";
import { Stops } from "./stops.js";
import { quiet } from "./told.js";
import { Trace } from "./trace.js";
import { t } from "./words.js";
import { Wire } from "./wire.js";

/** Two clicks that are a double click: so many milliseconds at most from one to the other. */
const TWICE = 400;

class Game {
  constructor(token) {
    this.token = token;
    this.place = $("#table");
    this.picture = new Picture(this.place);
    this.roving = new Roving(this.picture);
    this.hold = new Hold([]);
    this.panels = new Panels(this);
    this.calls = new Calls(this);
    this.stops = new Stops();
    this.trace = new Trace(token);
    this.onKeys = false;
    this.waiting = [];
    this.busy = false;
    this.table = null;
    this.asked = false;
    this.tapped = null;
  }

  start() {
    this.wire = new Wire(this.token, (message) => this.hear(message), (open, isDead) => this.panels.line(open, isDead));
    this.wire.room = this.picture.room();
    dragging(this.place, this);
    this.place.addEventListener("click", (event) => event.detail === 0 && this.pressNode(event.target));
    this.place.addEventListener("focusin", (event) => this.focused(event.target));
    document.addEventListener("focusin", (event) => (this.onKeys = this.place.contains(event.target) || (this.onKeys && event.target.id === "go-on")));
    bindKeys(this);
    let resized = 0;
    const resize = () => {
      clearTimeout(resized);
      resized = setTimeout(() => this.look(false), 150);
    };
    new ResizeObserver(resize).observe(this.place);
    window.addEventListener("resize", resize);
  }

  /** Asks for the table in other words or colours, or for another room. */
  look(always = true) {
    const room = this.picture.room();
    if (!always && room.width === this.wire.room.width && room.height === this.wire.room.height) return;
    this.wire.room = room;
    this.wire.say({ t: "look", ...taste(), ...room });
  }

  // ---- what is heard ----

  hear(message) {
    if (message.t === "table") {
      this.waiting.push(message);
      this.pump();
    } else this.panels.hear(message);
  }

  /** Tables one after the other, each when the one before has been seen. */
  async pump() {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting.length) await this.show(this.waiting.shift());
    } finally {
      this.busy = false;
    }
  }

  async show(message) {
    const had = this.hadFocus();
    const first = this.table === null;
    const picked = !first && message.n === this.table.n ? this.hold.picked : [];
    this.table = message;
    this.asked = false;
    this.hold = new Hold(message.moves, (pile) => this.picture.kin(pile), message.aims);
    this.trace.leave(this.picture);
    const seen = this.picture.show(message, first || this.waiting.length > 4);
    this.trace.mark(this.picture, message);
    this.hold.picked = picked.filter((spot) => this.hold.isSource(spot));
    this.panels.table(message, first);
    this.calls.show(message);
    if (!message.stop) remember(this.token, message);
    if (this.waiting.length) await seen;
    this.mark(had);
    await seen;
    if (message.stop) await this.stops.wait(message, this.waiting.length > 8);
  }

  /** Who goes by keyboard is on the table, or was when the last piece went that could be taken. */
  hadFocus() {
    const active = document.activeElement;
    return this.place.contains(active) || (this.onKeys && (active === null || active === document.body || active.id === "go-on"));
  }

  /** A key was pressed: a trick that is only looked at may go. */
  goOn() {
    if (this.stops.what === "trick") this.stops.goOn();
  }

  mark(hadFocus = this.place.contains(document.activeElement)) {
    this.picture.mark(this.hold);
    this.roving.renew(hadFocus);
    this.panels.moves.held(this.hold);
    this.place.dataset.n = this.table?.n ?? "";
  }

  // ---- what is done ----

  get mayMove() {
    return Boolean(this.table?.moves.length) && !this.waiting.length;
  }

  press(spot) {
    if (this.mayMove) this.follow(this.hold.click(spot), spot);
    else if (!this.waiting.length && !this.busy) this.panels.notYet();
  }

  /** A click, or the second of a double click on what the first has taken. */
  tap(spot) {
    const [before, now] = [this.tapped, performance.now()];
    const twice = before && now - before.at < TWICE && same(before.spot, spot) && this.hold.isPicked(spot);
    this.tapped = { spot, at: now };
    if (twice && this.mayMove) this.follow(this.hold.twice(spot), spot);
    else this.press(spot);
  }

  pressNode(node) {
    const found = node?.closest?.("[data-pile]");
    if (found) this.press(spotOf(found));
  }

  follow(answer, spot) {
    if (answer.play) this.play(answer.play);
    else if (answer.choose) this.panels.moves.choose(answer.choose, (move) => this.play(move), () => this.letGo());
    else if (answer.wrong) this.wrong(answer.wrong);
    else if (answer.back) this.letGo();
    else if (answer.stray) this.stray(answer.stray);
    else if (answer.full) this.panels.full(answer.full);
    else {
      quiet("full");
      if (answer.held) announce(this.heldWords(spot));
      if (answer.let) announce(t("let_go"));
      this.mark();
    }
  }

  heldWords(spot) {
    const several = this.hold.candidates().some((move) => move.several);
    return several ? t("chosen", { count: this.hold.picked.length }) : t("picked", { piece: this.picture.words(spot) });
  }

  play(move) {
    this.hold.letGo();
    quiet();
    this.wire.say({ t: "move", n: this.table.n, id: move.id });
    this.mark();
  }

  wrong({ from, to }) {
    this.wire.say({ t: "why", from: from.pile, at: from.at, sign: from.sign, to });
    this.letGo(true);
  }

  /** What no move begins with is held all the same: if there is but one place for it, why not is told at once. Of what lies closed, and of a place,
   * it is told what forbids to do something there. */
  stray(spot) {
    const loose = this.picture.isLoose(spot);
    if (loose) this.hold.take(spot);
    this.wire.say(loose ? { t: "why", from: spot.pile, at: spot.at, sign: spot.sign } : { t: "why", from: spot.pile });
    if (!loose) return this.mark();
    announce(this.heldWords(spot));
    return this.mark();
  }

  letGo(quiet = false) {
    if (!this.hold.picked.length) return;
    this.hold.letGo();
    if (!quiet) announce(t("let_go"));
    this.mark();
  }

  /** Escape: what is held, else what was told. */
  putBack() {
    if (this.hold.picked.length) this.letGo();
    else quiet();
  }

  undo() {
    if (this.table?.undo) this.wire.say({ t: "undo", n: this.table.n });
  }

  focused(node) {
    const found = node.closest?.("[role=button][data-pile]");
    if (!found) return;
    this.roving.spot = spotOf(found);
    this.onKeys = true;
  }

  // ---- dragging ----

  grab(spot) {
    if (!this.mayMove) return false;
    if (!this.hold.isPicked(spot)) {
      if (!this.hold.candidates([spot]).length && !this.picture.isLoose(spot)) return false;
      this.hold.take(spot);
      this.mark();
    }
    return true;
  }

  /** What goes along: the piece, and those that lie on it. */
  lifted(spot) {
    const pile = (pick) => pick.pile === spot.pile && pick.at !== undefined && pick.sign === undefined;
    const packet = this.hold.moves.some((move) => (move.pick ?? []).some((pick) => pile(pick) && (this.hold.isStray || pick.at === spot.at)));
    return this.picture.pieces().filter((piece) => {
      const other = spotOf(piece);
      if (other.pile !== spot.pile) return false;
      return other.at === spot.at || (packet && other.at > spot.at) || this.hold.isPicked(other);
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

  /** What is put where it may go lies there until the table is as it is then. */
  fall(pile) {
    const answer = this.hold.picked.length ? this.hold.drop(pile) : {};
    if (!answer.play) this.picture.putDown();
    this.follow(answer, this.hold.picked[0]);
  }
}

const token = location.hash.slice(1);
const game = new Game(token);
for (const dialog of document.querySelectorAll("dialog")) closing(dialog);
layout();
await begin(() => {
  game.look();
  game.panels.renew();
});
game.start();
window.addEventListener("hashchange", () => location.reload());
