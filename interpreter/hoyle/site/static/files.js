// The files of the site, for its pages and its worker. A published file has another module with the same functions.

const base = new URL("..", import.meta.url);
const originalFetch = globalThis.fetch.bind(globalThis);

/** Before the names of what the browser keeps. */
export const scope = "";

/** Where Pyodide looks for its files. */
export const runtime = new URL("runtime/", base).href;

export const fetchFile = (path) => originalFetch(new URL(path, base));

export const importFile = (path) => import(new URL(path, base));

/** Fetch a file that is stored compressed as `path`.gz. */
export async function fetchUnpacked(path, type = "application/octet-stream") {
  const answer = await fetchFile(`${path}.gz`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** Pyodide fetches its files itself, and knows no compressed ones. */
export function fetchForRuntime(address, how) {
  return String(address).endsWith(".asm.wasm") ? fetchUnpacked("runtime/pyodide.asm.wasm", "application/wasm") : originalFetch(address, how);
}
