// The end of a game: how it ended, the same once more with the same people, what the moves cost, its record.

import { $, announce } from "./dom.js";
import { quiet, said } from "./told.js";
import { t } from "./words.js";

const SECONDS = 10;

export class Ending {
  constructor(game) {
    this.game = game;
    this.left = null;
    $("#again").addEventListener("click", () => this.go());
    $("#stay").addEventListener("click", () => this.stay());
    $("#analyse").addEventListener("click", () => game.wire.say({ t: "analyse" }));
  }

  show(message, first) {
    const begins = message.over && $("#over").hidden;
    $("#over").hidden = !message.over;
    $("#result").replaceChildren(...said(message.result));
    if (begins) quiet();
    if (begins && !first) $("#over").scrollIntoView({ block: "nearest" });
    if (message.over && message.again && this.left === null) this.called(message.seat !== null && !first);
    if (!message.over) this.stay();
  }

  /** Somebody has begun the next game: who sits here is brought along, unless they would rather stay. */
  called(along) {
    $("#again").textContent = t("come_along");
    $("#along").hidden = false;
    $("#along").textContent = t(along ? "called_along" : "next_begun", { count: SECONDS });
    if (this.asked) return;
    announce($("#along").textContent);
    this.left = SECONDS;
    if (!along) return;
    $("#stay").hidden = false;
    this.ticking = setInterval(() => this.tick(), 1000);
  }

  tick() {
    if (document.querySelector("dialog[open]")) return; // who reads is not disturbed
    this.left -= 1;
    $("#along").textContent = t("called_along", { count: this.left });
    if (this.left <= 0) this.go();
  }

  stay() {
    clearInterval(this.ticking);
    $("#stay").hidden = true;
    if (!$("#along").hidden) $("#along").textContent = t("next_begun");
  }

  go() {
    this.stay();
    this.asked = true;
    this.game.wire.say({ t: "again" });
  }

  /** The link of one's own seat at the next table. */
  begun(token) {
    if (this.asked) location.assign(`/table#${token}`);
  }
}
