// The list of the player's tables on the start page.

import { $, announce, el } from "./dom.js";
import { listSavedTables, removeTable } from "./saved_tables.js";
import { settings } from "./settings.js";
import { t } from "./translation.js";

export function showOwnTables() {
  const all = listSavedTables();
  const [going, ended] = [all.filter((one) => !one.over), all.filter((one) => one.over)];
  $("#mine").hidden = !all.length;
  $("#going").replaceChildren(...going.map(createRow));
  $("#ended").hidden = !ended.length;
  $("#ended summary").textContent = t("ended", { count: ended.length });
  $("#ended ul").replaceChildren(...ended.map(createRow));
}

function createRow(one) {
  const name = one.seat ? `${one.title} (${one.seat})` : one.title;
  const link = el("a", { href: `table.html#${one.token}` }, el("strong", {}, name), el("span", {}, describeProgress(one)));
  const remove = el("button", { type: "button", "aria-label": t("forget_of", { name }), title: t("forget") }, "×");
  remove.addEventListener("click", () => {
    removeTable(one.token);
    announce(t("forgotten", { name }));
    showOwnTables();
    $("#mine a, #search")?.focus();
  });
  return el("li", {}, link, remove);
}

/** The progress of a table, and when it was last seen. */
function describeProgress(one) {
  if (!one.at) return "";
  const locales = [...navigator.languages.filter((tag) => tag.startsWith(settings.lang)), settings.lang];
  const when = new Intl.DateTimeFormat(locales, { dateStyle: "medium", timeStyle: "short" }).format(one.at);
  const turn = one.over ? "" : one.yours ? t("your_turn") : one.acting ? t("turn_of", { seat: one.acting }) : "";
  return [t("moved", { count: one.moved ?? 0 }), turn, when].filter(Boolean).join(" · ");
}
