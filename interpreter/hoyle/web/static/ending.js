// The end of a game: the result, playing again with the same people, analysis and record.

import { $, announce } from "./dom.js";
import { hideNotice, toParagraphs } from "./notices.js";
import { goTo } from "./navigation.js";
import { t } from "./translation.js";

const SECONDS = 10;

export class Ending {
  constructor(game) {
    this.game = game;
    this.left = null;
    $("#again").addEventListener("click", () => this.playAgain());
    $("#stay").addEventListener("click", () => this.stay());
    $("#analyse").addEventListener("click", () => game.connection.send({ t: "analyse" }));
  }

  forget() {
    this.stay();
    [this.left, this.asked] = [null, false];
    $("#over").hidden = $("#along").hidden = true;
    $("#again").textContent = t("again");
  }

  show(message, first) {
    const begins = message.over && $("#over").hidden;
    $("#over").hidden = !message.over;
    $("#result").replaceChildren(...toParagraphs(message.result));
    if (begins) hideNotice();
    if (begins && !first) $("#over").scrollIntoView({ block: "nearest" });
    if (message.over && message.again && this.left === null) this.offerNext(message.seat !== null && !first);
    if (!message.over) this.stay();
  }

  /** Somebody has begun the next game. A player joins after a countdown, unless they choose to stay. */
  offerNext(along) {
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
    if (document.querySelector("dialog[open]")) return; // do not disturb somebody who reads a dialog
    this.left -= 1;
    $("#along").textContent = t("called_along", { count: this.left });
    if (this.left <= 0) this.playAgain();
  }

  stay() {
    clearInterval(this.ticking);
    $("#stay").hidden = true;
    if (!$("#along").hidden) $("#along").textContent = t("next_begun");
  }

  playAgain() {
    this.stay();
    this.asked = true;
    this.game.connection.send({ t: "again" });
  }

  /** Go to the own seat at the next table. */
  enterNext(token) {
    if (this.asked) goTo("table", token);
  }
}
