// Shows how far the program has loaded, and why it could not be. The rulebooks are pages of their own, so they can be read meanwhile.

import { el } from "./dom.js";
import { t } from "./translation.js";

let box = null;

function showBox(...inside) {
  if (box === null) {
    box = el("div", { className: "loading", role: "status" });
    document.body.append(box);
  }
  box.replaceChildren(...inside);
}

export function showProgress({ done, of }) {
  if (done < of) showBox(el("label", {}, t("loading"), " ", el("progress", { max: of, value: done })));
  else {
    box?.remove();
    box = null;
  }
}

export function showFailure(why) {
  showBox(el("p", { role: "alert" }, t("load_failed", { why })), el("a", { href: "rules/index.html" }, t("rules_book")));
}
