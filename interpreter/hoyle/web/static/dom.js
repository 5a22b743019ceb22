// Small things that every page needs.

import { t } from "./words.js";

/** An element with its properties (those of `data-`, `aria-` and `role` as attributes) and what is in it. */
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

/** What the server answers; its own words where it refuses. */
export async function ask(path, order) {
  const how = order === undefined ? {} : { method: "POST", body: typeof order === "string" ? order : JSON.stringify(order) };
  const answer = await fetch(path, how);
  const found = answer.ok ? await answer.json() : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.text ?? answer.statusText);
  return found;
}

/** Says something to those who do not see the page: in words, for not every reader knows what an arrow is. */
export function announce(text) {
  const live = $("#live");
  live.append(el("p", {}, `${text}`.replaceAll("→", t("said_arrow"))));
  while (live.children.length > 8) live.firstChild.remove();
}

/** Without accents and capitals, as it is searched. */
export const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function closing(dialog) {
  for (const button of $$("[data-close]", dialog)) button.addEventListener("click", () => dialog.close());
  return dialog;
}

/** Is it written into a field? What was closed keeps the keyboard until the page is drawn again: a key goes past a field that is not seen. */
export const isTyping = ({ target }) => /^(input|textarea|select)$/i.test(target.tagName) && target.type !== "range" && target.checkVisibility();

/** A picture that the server drew, as nodes of this page. It has no scripts, and the page would run none. */
export function drawing(text) {
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", svg.querySelector(":scope > desc")?.textContent ?? "");
  svg.querySelectorAll("title").forEach((title) => title.remove());
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  return svg;
}
