// Notices beside the table: refusals, hints, reasons. They take no room from the table and stay until closed or until a move.

import { $, el } from "./dom.js";
import { t } from "./translation.js";

export function showNotice(lines, kind = "", ...more) {
  const close = el("button", { type: "button", className: "close", "aria-label": t("close") }, "×");
  close.addEventListener("click", () => hideNotice());
  const place = $("#told");
  place.replaceChildren(close, ...toParagraphs(lines), ...more);
  place.className = kind;
  place.hidden = false;
  place.scrollTop = 0;
}

export const toParagraphs = (lines) => lines.map((line) => el("p", {}, line));

/** Hide the notice; with `kind` only a notice of that kind. */
export function hideNotice(kind) {
  const place = $("#told");
  if (kind === undefined || place.classList.contains(kind)) place.hidden = true;
}
