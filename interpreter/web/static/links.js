// The links of the other seats: kept by the browser of whoever began the table, to be shown there as often as it is asked for.

import { $, el } from "./dom.js";
import { keep, linksOf } from "./mine.js";
import { t } from "./words.js";

const FRESH = "hoyle.begun";

/** Goes to the seat of whoever begins; the first is one's own. `names`: what seats are called. */
export function enter(tokens, names, title) {
  const [own, ...others] = Object.entries(tokens);
  const links = others.map(([seat, token]) => ({ name: names[seat], token }));
  keep({ token: own[1], title, seat: links.length ? names[own[0]] : "", over: false, links });
  if (links.length) sessionStorage.setItem(FRESH, own[1]);
  location.assign(`/table#${own[1]}`);
}

/** The button that shows them, and at the first time they themselves. */
export function invite(token) {
  const links = linksOf(token);
  $("#show-links").hidden = !links.length;
  $("#show-links").onclick = () => show(links);
  if (links.length && sessionStorage.getItem(FRESH) === token) show(links);
  sessionStorage.removeItem(FRESH);
}

function show(links) {
  $("#links").replaceChildren(...links.map((one) => link(one.name, `${location.origin}/table#${one.token}`)));
  $("#invite").showModal();
}

function link(name, address) {
  const field = el("input", { readOnly: true, value: address, className: "link" });
  const copy = el("button", { type: "button" }, t("copy"));
  copy.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard?.writeText(address);
    copy.textContent = t("copied");
  });
  return el("li", {}, el("label", { className: "row" }, el("span", {}, name), field), copy);
}
