// Texts of the page in the chosen language, fetched from the server.

import { request } from "./transport.js";

let words = {};
let singular = /^[01]$/;

export async function loadTexts(lang) {
  words = (await request(`api/words?lang=${lang}`)).data;
  singular = new RegExp(`^(?:${words.singular})$`);
  document.documentElement.lang = lang;
}

/** The text of a key with its {places} filled. {n:one|many} chooses the singular or plural by number. */
export function t(key, values = {}) {
  const found = key.split(".").reduce((table, part) => table?.[part], words.page) ?? key;
  return found.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    if (one === undefined) return String(values[name]);
    return singular.test(String(values[name]).match(/\d+(?:[.,]\d+)?$/)?.[0] ?? "") ? one : many;
  });
}

/** Fill in the texts of all elements with `data-t`, `data-t-label` and `data-t-hint`. */
export function translatePage(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of root.querySelectorAll("[data-t-hint]")) node.setAttribute("placeholder", t(node.dataset.tHint));
}
