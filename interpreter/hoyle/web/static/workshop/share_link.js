// Links that carry a ruleset in their fragment, which browsers never send to a server. They hold no moves.

const KEY = "share=";
const LONGEST_TEXT = 300_000;
/** Bytes: a compressed fragment may not unfold to more. */
const MOST_BYTES = 4 * LONGEST_TEXT + 10_000;

/** Return the fragment of a link to a draft. */
export async function encodeDraft({ text, options, seed }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, text, options, seed }));
  return KEY + toBase64(await readAll(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))));
}

/** Return text, options and seed of a fragment; null if it carries no ruleset. Throws if it is damaged. */
export async function decodeFragment(fragment) {
  const hash = fragment.replace(/^#/, "");
  if (!hash.startsWith(KEY)) return null;
  const packed = new Blob([fromBase64(hash.slice(KEY.length))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await readAll(packed)));
  const { text, options, seed } = found;
  if (found.version !== 1 || typeof text !== "string" || text.length > LONGEST_TEXT || !Number.isSafeInteger(seed) || seed < 0) throw new Error("damaged");
  return { text, options: keepValues(options), seed };
}

/** A number by which a link is recognised. */
export const computeChecksum = (link) => [...link].reduce((sum, sign) => (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0, 0);

/** Options are numbers, names or truth values. */
function keepValues(options) {
  const entries = Object.entries(options ?? {}).filter(([, value]) => ["boolean", "number", "string"].includes(typeof value));
  return Object.fromEntries(entries);
}

async function readAll(stream) {
  const parts = [];
  let size = 0;
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) throw new Error("damaged");
    parts.push(value);
  }
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}
