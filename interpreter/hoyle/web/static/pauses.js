// Pauses at the end of a trick (for a moment) or a deal (until the player continues).

import { $, el } from "./dom.js";
import { hideNotice } from "./notices.js";
import { t } from "./translation.js";

const TRICK_MILLISECONDS = 1200;

export class Pauses {
  constructor() {
    this.end = null;
    document.addEventListener("pointerdown", () => this.kind === "trick" && this.goOn());
  }

  /** Resolves when the moment is over or the player clicks or presses a key; after a deal only by the button. */
  wait(message, quick) {
    if (message.stop === "trick" && quick) return Promise.resolve();
    this.kind = message.stop;
    const over = new Promise((resolve) => (this.end = resolve));
    const timer = message.stop === "deal" ? this.showButton() : setTimeout(() => this.goOn(), TRICK_MILLISECONDS);
    return over.then(() => {
      clearTimeout(timer);
      $("#go-on")?.remove();
      if (message.stop === "deal") hideNotice("deal");
      this.kind = null;
    });
  }

  showButton() {
    const button = el("button", { type: "button", className: "main", id: "go-on" }, t("go_on"));
    button.addEventListener("click", () => this.goOn());
    $("#state").after(button);
    if (!document.querySelector("dialog[open]")) button.focus({ preventScroll: true });
  }

  goOn() {
    this.end?.();
    this.end = null;
  }
}
