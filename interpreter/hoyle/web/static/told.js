// What is told beside the table: a refusal, a hint, a reason. It takes no room from the table, and stays until it is closed or somebody moves.

import { $, el } from "./dom.js";
import { t } from "./words.js";

export function tell(lines, kind = "", ...more) {
  const close = el("button", { type: "button", className: "close", "aria-label": t("close") }, "×");
  close.addEventListener("click", () => quiet());
  const place = $("#told");
  place.replaceChildren(close, ...said(lines), ...more);
  place.className = kind;
  place.hidden = false;
  place.scrollTop = 0;
}

export const said = (lines) => lines.map((line) => el("p", {}, line));

/** Closes what is told, or only what is told of one kind. */
export function quiet(kind) {
  const place = $("#told");
  if (kind === undefined || place.classList.contains(kind)) place.hidden = true;
}
