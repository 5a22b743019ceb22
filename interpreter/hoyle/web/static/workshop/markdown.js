// The little Markdown of the server's explanations: paragraphs, fenced and inline code, bold and italic words.

import { el } from "../dom.js";

const TAGS = { "`": "code", "**": "strong", "*": "em", _: "em" };
const WORDS = /(`)([^`]+)`|(\*\*)([^*]+)\*\*|(\*)([^*\s][^*]*)\*|(?<!\w)(_)([^_\s][^_]*)_(?!\w)/g;

/** Parse a text into nodes. */
export function parseMarkdown(text) {
  return text.split(/^(```[^\n]*\n[^]*?^```)$/m).flatMap((part) => {
    const code = part.match(/^```[^\n]*\n([^]*?)\n?```$/);
    if (code) return [el("pre", {}, code[1])];
    const paragraphs = part.split(/\n{2,}/).map((one) => one.trim());
    return paragraphs.filter(Boolean).map((one) => el("p", {}, ...parseWords(one)));
  });
}

function parseWords(text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(WORDS)) {
    const [sign, words] = match.slice(1).filter((part) => part !== undefined);
    found.push(text.slice(at, match.index), el(TAGS[sign], {}, words));
    at = match.index + match[0].length;
  }
  return [...found, text.slice(at)];
}
