// The list of one's own games on the start page.

import { $, announce, el } from "./dom.js";
import { forget, mine } from "./mine.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

export function showMine() {
  const all = mine();
  const [going, ended] = [all.filter((one) => !one.over), all.filter((one) => one.over)];
  $("#mine").hidden = !all.length;
  $("#going").replaceChildren(...going.map(row));
  $("#ended").hidden = !ended.length;
  $("#ended summary").textContent = t("ended", { count: ended.length });
  $("#ended ul").replaceChildren(...ended.map(row));
}

function row(one) {
  const name = one.seat ? `${one.title} (${one.seat})` : one.title;
  const link = el("a", { href: `/table#${one.token}` }, el("strong", {}, name), el("span", {}, how(one)));
  const remove = el("button", { type: "button", "aria-label": t("forget_of", { name }), title: t("forget") }, "×");
  remove.addEventListener("click", () => {
    forget(one.token);
    announce(t("forgotten", { name }));
    showMine();
    $("#mine a, #search")?.focus();
  });
  return el("li", {}, link, remove);
}

/** How far it was, and when that was seen. */
function how(one) {
  if (!one.at) return "";
  const locales = [...navigator.languages.filter((tag) => tag.startsWith(settings.lang)), settings.lang];
  const when = new Intl.DateTimeFormat(locales, { dateStyle: "medium", timeStyle: "short" }).format(one.at);
  const turn = one.over ? "" : one.yours ? t("your_turn") : one.acting ? t("turn_of", { seat: one.acting }) : "";
  return [t("moved", { count: one.moved ?? 0 }), turn, when].filter(Boolean).join(" · ");
}
