// What may still be said where somebody was not asked: one button beside the others, and where there are several such places a list of them.

import { $, announce } from "./dom.js";
import { tell } from "./told.js";
import { t } from "./words.js";

export class Calls {
  constructor(game) {
    this.game = game;
    $("#call").addEventListener("click", () => this.ask());
  }

  /** What the table says of it. */
  show(message) {
    this.table = message;
    $("#call").hidden = !message.call;
    $("#call").textContent = message.call?.text ?? "";
    if (!message.called || message.moves.length) return;
    tell([message.called]);
    announce(message.called);
  }

  ask() {
    const places = this.table?.call?.places ?? [];
    if (places.length < 2) {
      for (const [made] of places) this.say(made);
      return;
    }
    const rows = places.map(([made, after]) => ({ id: String(made), text: after })).reverse();
    const head = $("#choose-head");
    head.textContent = t("call_after");
    this.game.panels.moves.choose(rows, (row) => this.say(Number(row.id)), () => undefined);
    $("#choose").addEventListener("close", () => (head.textContent = t("choose")), { once: true });
  }

  say(made) {
    this.game.wire.say({ t: "call", n: this.table.n, made });
  }
}
