// The links of a table: the server tells whoever began it those of the other seats, and the one for onlookers.

import { $, announce, el } from "./dom.js";
import { t } from "./words.js";

const FRESH = "hoyle.begun";

/** Goes to the seat of whoever begins; the first is one's own. */
export function enter(tokens) {
  const [[, own], ...others] = Object.entries(tokens);
  if (others.length) sessionStorage.setItem(FRESH, own);
  location.assign(`/table#${own}`);
}

export class Links {
  constructor(game) {
    this.game = game;
    this.found = null;
    $("#show-links").addEventListener("click", () => this.open());
  }

  /** The button that shows them, and at the first time they themselves. */
  table(message) {
    $("#show-links").hidden = !message.began;
    if (message.began && sessionStorage.getItem(FRESH) === this.game.token) this.open();
    sessionStorage.removeItem(FRESH);
  }

  /** Each question makes links anew: so it is asked but once. */
  open() {
    if (this.found) this.show(this.found);
    else this.game.wire.say({ t: "links" });
  }

  show(found) {
    this.found = found;
    const address = (token) => `${location.origin}/table#${token}`;
    const seats = found.seats.map(([, name, token]) => link(name, address(token)));
    $("#links").replaceChildren(...seats, link(t("onlooker"), address(found.onlooker)));
    $("#invite-note").hidden = !found.seats.length;
    $("#invite").showModal();
  }
}

function link(name, address) {
  const field = el("input", { readOnly: true, value: address, className: "link" });
  const copy = el("button", { type: "button", "aria-label": t("copy_of", { name }) }, t("copy"));
  copy.addEventListener("click", async () => {
    await copied(field, address);
    copy.textContent = t("copied");
    announce(t("copied_of", { name }));
  });
  return el("li", {}, el("label", { className: "row" }, el("span", {}, name), field), copy);
}

/** Where a page may not write what was copied (without encryption it may not), the old way. */
async function copied(field, address) {
  field.select();
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    document.execCommand("copy");
  }
}
