// The files inside a published file. Pages take them from the document around them, and the worker receives them first of all.

const isPage = typeof document !== "undefined";
const files = isPage ? window.parent.files : self.files;

export const scope = isPage ? window.parent.scope : self.name;

/** An address that is never asked for: everything below it is inside this file. */
export const runtime = "http://site/runtime/";

export async function fetchFile(path, type = "application/octet-stream") {
  const bytes = (await files).get(path);
  return bytes ? new Response(bytes, { headers: { "Content-Type": type } }) : new Response(null, { status: 404, statusText: path });
}

export async function importFile(path) {
  return import(URL.createObjectURL(new Blob([(await files).get(path)], { type: "text/javascript" })));
}

export async function fetchUnpacked(path, type) {
  const answer = await fetchFile(path, type);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

export function fetchForRuntime(address) {
  const path = String(address).replace("http://site/", "");
  return fetchFile(path, path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
}
