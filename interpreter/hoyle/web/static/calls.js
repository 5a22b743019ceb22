// The button for calls: claims that a player may still make about an earlier move. With several such moves it asks for which.

import { $, announce } from "./dom.js";
import { showNotice } from "./notices.js";
import { t } from "./translation.js";

export class Calls {
  constructor(game) {
    this.game = game;
    $("#call").addEventListener("click", () => this.ask());
  }

  show(message) {
    this.table = message;
    $("#call").hidden = !message.call;
    $("#call").textContent = message.call?.text ?? "";
    if (!message.called || message.moves.length) return;
    showNotice([message.called]);
    announce(message.called);
  }

  ask() {
    const places = this.table?.call?.places ?? [];
    if (places.length < 2) {
      for (const [made] of places) this.send(made);
      return;
    }
    const rows = places.map(([made, after]) => ({ id: String(made), text: after })).reverse();
    const head = $("#choose-head");
    head.textContent = t("call_after");
    this.game.panels.moves.choose(rows, (row) => this.send(Number(row.id)), () => undefined);
    $("#choose").addEventListener("close", () => (head.textContent = t("choose")), { once: true });
  }

  send(made) {
    this.game.connection.send({ t: "call", n: this.table.n, made });
  }
}
