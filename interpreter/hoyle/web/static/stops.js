// Where the table is looked at before it goes on: a trick for a moment, a deal until somebody says so.

import { $, el } from "./dom.js";
import { quiet } from "./told.js";
import { t } from "./words.js";

const MOMENT = 1200;

export class Stops {
  constructor() {
    this.end = null;
    document.addEventListener("pointerdown", () => this.what === "trick" && this.goOn());
  }

  /** Kept until the moment is over, somebody clicks or presses a key; at the end of a deal until the button is pressed. */
  wait(message, quick) {
    if (message.stop === "trick" && quick) return Promise.resolve();
    this.what = message.stop;
    const over = new Promise((resolve) => (this.end = resolve));
    const timer = message.stop === "deal" ? this.ask() : setTimeout(() => this.goOn(), MOMENT);
    return over.then(() => {
      clearTimeout(timer);
      $("#go-on")?.remove();
      if (message.stop === "deal") quiet("deal");
      this.what = null;
    });
  }

  ask() {
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
