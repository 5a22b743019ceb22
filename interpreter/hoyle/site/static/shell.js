// The frame around all pages of a site. It keeps the worker while pages change, and their address in its own.

const PAGES = ["shelf", "table", "record", "workshop"];
const frame = document.querySelector("iframe");
const address = new URL("static/worker.js", location.href);
const worker = typeof SharedWorker === "undefined" ? new Worker(address, { type: "module" }) : new SharedWorker(address, { type: "module" });

/** A new port to the worker, for the page in the frame. */
window.connect = () => {
  if (worker.port) return new SharedWorker(address, { type: "module" }).port;
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  return port1;
};

/** The address of a page by this page's own: `#table/TOKEN`. */
function locatePage() {
  const [page, rest] = [location.hash.slice(1).split("/")[0], location.hash.slice(1).split("/").slice(1).join("/")];
  const query = location.search;
  return PAGES.includes(page) ? `${page}.html${query}${rest ? `#${rest}` : ""}` : `shelf.html${query}`;
}

function follow() {
  const inside = frame.contentWindow.location;
  const page = inside.pathname.split("/").pop().replace(/\.html$/, "");
  if (!PAGES.includes(page)) return;
  const hash = inside.hash.slice(1);
  const own = page === "shelf" && !hash ? "" : `#${page}${hash ? `/${hash}` : ""}`;
  if (own !== location.hash) history.replaceState(null, "", own || location.pathname + location.search);
  document.title = frame.contentDocument.title;
  document.documentElement.lang = frame.contentDocument.documentElement.lang;
  new MutationObserver(() => (document.title = frame.contentDocument.title)).observe(frame.contentDocument.querySelector("title"), { childList: true });
  frame.contentWindow.addEventListener("hashchange", follow);
  frame.contentWindow.focus();
}

frame.addEventListener("load", follow);
window.addEventListener("hashchange", () => frame.contentWindow.location.replace(locatePage()));
frame.src = locatePage();
navigator.serviceWorker?.register("service_worker.js");
