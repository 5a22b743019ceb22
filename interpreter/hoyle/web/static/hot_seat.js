// Several people at one screen: when another of them is to move, the table is covered until they say that they are there.

import { $ } from "./dom.js";
import { replaceToken } from "./navigation.js";
import { t } from "./translation.js";

const KEY = "hoyle.together";
const MOST = 60;

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Keep the links of all people at a new table: `tokens` by seat. */
export function saveSeats(tokens) {
  localStorage.setItem(KEY, JSON.stringify([tokens, ...load()].slice(0, MOST)));
}

/** Cover the table of one person if another person at this screen is to move. */
export function passOn(token, message) {
  const tokens = load().find((one) => Object.values(one).includes(token)) ?? {};
  const acting = message.seats.find((one) => one.acts);
  const other = acting && acting.seat !== message.seat ? tokens[acting.seat] : undefined;
  if (other === undefined || message.stop) return;
  const dialog = $("#pass-on");
  $("#pass-on-text").textContent = t("pass_on", { seat: acting.name });
  $("#pass-on-go").onclick = () => replaceToken(other);
  document.body.classList.add("covered");
  if (!dialog.open) dialog.showModal();
}
