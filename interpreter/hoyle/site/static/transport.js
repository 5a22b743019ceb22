// How pages reach the program: here a worker of this browser. `hoyle serve` has another module with the same functions.

import { fetchFile, fetchUnpacked } from "./files.js";
import { showFailure, showProgress } from "./progress.js";

/** True if other people can follow links to this address. */
export const isShared = false;

const answers = new Map();
const seats = new Map();
let last = 0;
const port = await connect();

/** The frame around this page that keeps the worker, or this page itself. */
function findShell() {
  let shell = window;
  while (shell.parent !== shell && typeof shell.connect !== "function") shell = shell.parent;
  return shell;
}

async function connect() {
  const shell = findShell();
  if (typeof shell.connect !== "function") { // opened by itself: open it in the frame
    const [page, hash] = [location.pathname.split("/").pop().replace(/\.html$/, ""), location.hash.slice(1)];
    location.replace(`./${location.search}#${page}${hash ? `/${hash}` : ""}`);
    await new Promise(() => undefined); // this page ends
  }
  const port = shell.connect();
  port.onmessage = ({ data }) => receive(data);
  addEventListener("pagehide", () => port.postMessage({ t: "bye" }));
  return port;
}

function receive(message) {
  if (message.t === "progress") showProgress(message);
  else if (message.t === "failed") fail(message.why);
  else if (message.t === "seat") seats.get(message.seat)?.received(message.text);
  else if (message.t === "closed") seats.get(message.seat)?.end(message.code);
  else {
    answers.get(message.id)?.(message);
    answers.delete(message.id);
  }
}

function fail(why) {
  showFailure(why);
  for (const answer of answers.values()) answer({ status: 503, type: "application/json", text: JSON.stringify({ text: why }) });
  answers.clear();
}

function ask(path, order) {
  const body = order === undefined || typeof order === "string" ? order : JSON.stringify(order);
  last += 1;
  port.postMessage({ t: "request", id: last, method: body === undefined ? "GET" : "POST", path, body });
  return new Promise((resolve) => answers.set(last, resolve));
}

/** The file that the site has ready for a path, or null. */
function locateFile(path) {
  const { pathname, searchParams } = new URL(path, "http://site/");
  const lang = searchParams.get("lang") ?? "en";
  if (searchParams.get("options") && searchParams.get("chosen") !== null) return null;
  if (/^\/api\/(words|games)$/.test(pathname)) return `data/${pathname.slice(5)}.${lang}.json`;
  const [, name, what] = pathname.match(/^\/api\/games\/([^/]+)\/(picture\.svg|book)$/) ?? [];
  if (!name || searchParams.has("options")) return null;
  return what === "book" ? `rules/${name}.${lang}.html` : `data/${name}.${lang}.${searchParams.get("tone") ?? "light"}.svg.gz`;
}

/** Ask for `path`, with an order to send if there is one. Returns { ok, data, reason }. */
export async function request(path, order) {
  const file = order === undefined ? locateFile(path) : null;
  if (file !== null) {
    const answer = await fetchFile(file);
    return { ok: answer.ok, data: answer.ok ? await answer.json() : {}, reason: answer.statusText };
  }
  const { status, text } = await ask(path, order);
  const data = JSON.parse(text || "{}");
  return { ok: status < 400, data, reason: data.text ?? String(status) };
}

/** Set `src` or `href` to the address of a picture or page. */
export function setAddress(node, name, path) {
  const file = locateFile(path);
  if (file?.endsWith(".gz")) {
    fetchUnpacked(file.slice(0, -3))
      .then((answer) => answer.text())
      .then((svg) => (node[name] = `data:image/svg+xml,${encodeURIComponent(svg)}`));
  } else if (file !== null) node[name] = file;
  else {
    ask(path).then(({ type, text }) => (node[name] = URL.createObjectURL(new Blob([text], { type }))));
  }
  return node;
}

/** Open the connection of a seat. Returns an object with `send(text)`, `close()` and `isOpen`. */
export function openSeat({ opened, received, closed }) {
  last += 1;
  const seat = last;
  const connection = {
    isOpen: true,
    received,
    send: (text) => port.postMessage({ t: "send", seat, text }),
    close: () => port.postMessage({ t: "close", seat }),
    end(code) {
      connection.isOpen = false;
      seats.delete(seat);
      closed(code);
    },
  };
  seats.set(seat, connection);
  port.postMessage({ t: "open", seat });
  setTimeout(opened);
  return connection;
}
