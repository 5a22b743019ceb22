// What the page says, in the language that was chosen; sentences come from the server.

let words = {};
let singular = /^[01]$/;

export async function load(lang) {
  const answer = await fetch(`/api/words?lang=${lang}`);
  words = await answer.json();
  singular = new RegExp(`^(?:${words.singular})$`);
  document.documentElement.lang = lang;
}

/** The sentence of a key, with its {places} filled; {n:one|many} is the form that the number asks for. */
export function t(key, values = {}) {
  const found = key.split(".").reduce((table, part) => table?.[part], words.page) ?? key;
  return found.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    if (one === undefined) return String(values[name]);
    return singular.test(String(values[name]).match(/\d+(?:[.,]\d+)?$/)?.[0] ?? "") ? one : many;
  });
}

/** All that is said in a part of a page that stands in its file: what has `data-t` gets the sentence of that key. */
export function sayAll(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of root.querySelectorAll("[data-t-hint]")) node.setAttribute("placeholder", t(node.dataset.tHint));
}
