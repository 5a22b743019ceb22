// The document of a published file: unpacks the files, starts the worker and shows one page at a time in a frame.

const PAGES = ["shelf", "table", "record"];
const { name, version, texts } = JSON.parse(document.querySelector("#texts").textContent);
const lang = navigator.languages.map((tag) => tag.slice(0, 2)).find((one) => one in texts) ?? "en";
const status = document.querySelector("#status");
const book = document.querySelector("#book");
let modules = "";
let worker = null;

window.scope = `${version}.`;
window.files = unpackFiles();

const read = (files, path) => new TextDecoder().decode(files.get(path));

/** Unpack the data of this document: the length of a list, the list of paths with their sizes, and the contents. */
async function unpackFiles() {
  const data = document.querySelector("#data");
  const packed = await fetch(`data:application/gzip;base64,${data.textContent.trim()}`);
  data.remove();
  const bytes = new Uint8Array(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  let at = 4 + new DataView(bytes.buffer).getUint32(0);
  const sizes = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
  const files = new Map();
  for (const [path, size] of sizes) {
    files.set(path, bytes.subarray(at, at + size));
    at += size;
  }
  return files;
}

function startWorker(files) {
  const script = new Blob([files.get("static/worker_start.js")], { type: "text/javascript" });
  const started = new Worker(URL.createObjectURL(script), { name: window.scope });
  started.addEventListener("error", (event) => showFailure(event.message));
  started.postMessage(new Map([...files].filter(([path]) => /^(runtime|app|bots|static)\//.test(path))));
  return started;
}

function showFailure(why) {
  document.querySelector("iframe.page")?.remove();
  status.textContent = texts[lang].load_failed.replace("{why}", why);
  status.hidden = false;
}

/** A new port to the worker, for the page in the frame. */
window.connect = () => {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  return port1;
};

// ---- pages ----

const splitHash = () => location.hash.slice(1).match(/^([a-z]*)\/?(.*)$/).slice(1);

window.getToken = () => splitHash()[1];

/** Go to a page. An equal address shows it afresh. */
window.goTo = (page, token) => {
  const before = location.hash;
  location.hash = page === "shelf" ? "" : `${page}/${token}`;
  if (location.hash === before) showPage();
};

async function showPage() {
  const files = await window.files;
  const page = PAGES.includes(splitHash()[0]) ? splitHash()[0] : "shelf";
  const frame = document.createElement("iframe");
  frame.title = document.title;
  frame.srcdoc = read(files, `${page}.html`).replace("<head>", () => `<head>${modules}`);
  document.querySelector("iframe.page")?.remove();
  frame.className = "page";
  frame.addEventListener("load", () => {
    status.hidden = true;
    frame.contentWindow.focus();
  });
  document.body.append(frame);
}

/** Show the rulebook above the page. `address`: a path in this file or the address of a page that was made here. */
window.openBook = async (address) => {
  const files = await window.files;
  const path = files.has(address) ? address : `rules/${name}.${lang}.html`;
  const text = address.startsWith("blob:") ? await (await fetch(address)).text() : read(files, path);
  const frame = book.querySelector("iframe");
  frame.srcdoc = text;
  frame.onload = () => frame.contentDocument.addEventListener("click", followInBook);
  book.showModal();
};

/** The address of the rulebook is not its own, so links inside it are followed here. */
function followInBook(event) {
  const address = event.target.closest?.("a[href]")?.getAttribute("href");
  if (!address) return;
  event.preventDefault();
  if (address.startsWith("#")) this.getElementById(decodeURIComponent(address.slice(1)))?.scrollIntoView();
}

async function start() {
  const files = await window.files;
  const paths = [...files.keys()].filter((path) => /^static\/.*\.js$/.test(path));
  const imports = Object.fromEntries(paths.map((path) => [path, `data:text/javascript;charset=utf-8,${encodeURIComponent(read(files, path))}`]));
  modules = `<script type="importmap">${JSON.stringify({ imports })}</script><style>${read(files, "static/style.css")}</style>`;
  worker = startWorker(files);
  window.addEventListener("hashchange", showPage);
  await showPage();
}

book.querySelector("button").textContent = texts[lang].close;
book.querySelector("button").addEventListener("click", () => book.close());
status.textContent = texts[lang].loading;
start().catch((error) => showFailure(error.message));
