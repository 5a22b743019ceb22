// The dialog with the links of a table: of the other seats and for spectators. Only for its creator.

import { $, announce, el } from "./dom.js";
import { saveSeats } from "./hot_seat.js";
import { goTo } from "./navigation.js";
import { t } from "./translation.js";
import { isShared } from "./transport.js";

const FRESH = "hoyle.begun";

/** Go to the first seat of a new table. */
export function enterTable(tokens) {
  const [[, own], ...others] = Object.entries(tokens);
  if (others.length && isShared) sessionStorage.setItem(FRESH, own);
  else if (others.length) saveSeats(tokens);
  goTo("table", own);
}

export class Links {
  constructor(game) {
    this.game = game;
    this.found = null;
    $("#show-links").addEventListener("click", () => this.open());
  }

  /** Show the button to the creator, and open the dialog on the first visit. */
  update(message) {
    if (!isShared) return;
    $("#show-links").hidden = !message.began;
    if (message.began && sessionStorage.getItem(FRESH) === this.game.token) this.open();
    sessionStorage.removeItem(FRESH);
  }

  /** Each request creates new links, so ask only once. */
  open() {
    if (this.found) this.show(this.found);
    else this.game.connection.send({ t: "links" });
  }

  show(found) {
    this.found = found;
    const address = (token) => new URL(`table.html#${token}`, location.href).href;
    const seats = found.seats.map(([, name, token]) => createLink(name, address(token)));
    $("#links").replaceChildren(...seats, createLink(t("onlooker"), address(found.onlooker)));
    $("#invite-note").hidden = !found.seats.length;
    $("#invite").showModal();
  }
}

/** A row with a link to copy. */
export function createLink(name, address) {
  const field = el("input", { readOnly: true, value: address, className: "link" });
  const copy = el("button", { type: "button", "aria-label": t("copy_of", { name }) }, t("copy"));
  copy.addEventListener("click", async () => {
    await copyText(field, address);
    copy.textContent = t("copied");
    announce(t("copied_of", { name }));
  });
  return el("li", {}, el("label", { className: "row" }, el("span", {}, name), field), copy);
}

/** Without encryption a page may not use the clipboard API: fall back to the old command. */
async function copyText(field, address) {
  field.select();
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    document.execCommand("copy");
  }
}
