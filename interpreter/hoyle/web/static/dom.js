// Helpers that every page uses.

import { t } from "./translation.js";
import { request } from "./transport.js";

/** Create an element. Properties with `-`, `role` and `for` are set as attributes. */
export function el(tag, properties = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...inside.filter((one) => one !== null && one !== undefined));
  return node;
}

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Fetch JSON. Throws the explanation of a refusal. */
export async function fetchJson(path, order) {
  const { ok, data, reason } = await request(path, order);
  if (!ok) throw new Error(reason);
  return data;
}

/** Announce a text to screen readers. Arrows are put in words. */
export function announce(text) {
  const live = $("#live");
  live.append(el("p", {}, `${text}`.replaceAll("→", t("said_arrow"))));
  while (live.children.length > 8) live.firstChild.remove();
}

/** Remove accents and capitals, for searching. */
export const normalize = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function bindCloseButtons(dialog) {
  for (const button of $$("[data-close]", dialog)) button.addEventListener("click", () => dialog.close());
  return dialog;
}

/** True if a key goes into a field. A closed field keeps the focus until the next frame: hidden fields do not count. */
export const isTyping = ({ target }) => /^(input|textarea|select)$/i.test(target.tagName) && target.type !== "range" && target.checkVisibility();

/** Parse a picture of the server into nodes of this page. It has no scripts, and the page would run none. */
export function parseSvg(text) {
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", svg.querySelector(":scope > desc")?.textContent ?? "");
  svg.querySelectorAll("title").forEach((title) => title.remove());
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  return svg;
}
