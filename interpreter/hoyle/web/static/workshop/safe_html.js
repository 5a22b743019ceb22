// Passages of a rulebook that the server wrote as HTML. Only plain elements are taken over, without attributes that do anything.

const PLAIN = new Set("a abbr article aside b blockquote br caption code dd div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 header hr i img li mark ol p pre q s section small span strong sub sup table tbody td tfoot th thead tr u ul".split(" "));
const KEPT = new Set(["class", "colspan", "rowspan", "lang", "data-from", "data-section", "data-entry", "id"]);

/** Parse HTML into nodes of this page. */
export function parsePassage(html) {
  const passage = document.createDocumentFragment();
  passage.append(...[...new DOMParser().parseFromString(html, "text/html").body.childNodes].flatMap(copyNode));
  return passage;
}

function copyNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
  if (node.nodeType !== Node.ELEMENT_NODE || ["script", "style", "template"].includes(node.localName)) return [];
  const inside = [...node.childNodes].flatMap(copyNode);
  if (!PLAIN.has(node.localName)) return inside;
  const copy = document.createElement(node.localName);
  for (const { name, value } of node.attributes) if (KEPT.has(name)) copy.setAttribute(name, name === "id" ? `book-${value}` : value);
  const link = node.getAttribute("href");
  if (node.localName === "a" && link?.startsWith("#")) copy.setAttribute("href", `#book-${link.slice(1)}`);
  const picture = node.getAttribute("src");
  if (node.localName === "img" && picture?.startsWith("data:image/")) copy.setAttribute("src", picture);
  if (node.localName === "img") copy.setAttribute("alt", node.getAttribute("alt") ?? "");
  if (copy.classList.contains("wide")) copy.tabIndex = 0; // it can be scrolled by keys
  copy.append(...inside);
  return [copy];
}
