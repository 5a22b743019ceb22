// The program in a worker: Python, the rulesets and all tables. Every page of the site speaks to it through a port.

import { listTables, saveTable } from "./database.js";
import { fetchFile, fetchForRuntime, fetchUnpacked, importFile, runtime } from "./files.js";

const PACKAGES = "/lib/hoyle";
const ports = new Set();
let progress = { done: 0, of: 4 };
let failure = null;
let server = null;

const started = start().catch((error) => {
  failure = String(error?.message ?? error);
  tell({ t: "failed", why: failure });
});

function tell(message) {
  for (const port of ports) port.postMessage(message);
}

function advance(done) {
  progress = { ...progress, done };
  tell({ t: "progress", ...progress });
}

async function fetchBytes(path) {
  const answer = await fetchFile(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function start() {
  const program = fetchBytes("app/program.zip");
  const { snapshot, rulesets = [], options = {} } = await (await fetchFile("app/site.json")).json();
  const python = await loadPython(snapshot);
  advance(1);
  python.unpackArchive(await program, "zip", { extractDir: PACKAGES });
  if (!snapshot) python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}"); sys.dont_write_bytecode = True`);
  advance(2);
  const worker = python.pyimport("hoyle.site.worker");
  advance(3);
  const save = (ident, contents) => saveTable(ident, contents);
  const fetchEngine = (name, path) => fetchCompiled(python, name, path);
  server = worker.BrowserServer(JSON.stringify(await listTables()), save, fetchEngine, JSON.stringify({ rulesets, options }));
  advance(4);
}

/** Start Python, if there is a snapshot from the memory that it had when the program was imported. */
async function loadPython(snapshot) {
  const unpacked = snapshot ? fetchUnpacked("app/snapshot").then((answer) => answer.arrayBuffer()) : null;
  const [{ loadPyodide }, { default: createModule }] = await Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((file) => importFile(`runtime/${file}`)));
  if (!snapshot) return loadPyodide({ indexURL: runtime, createPyodideModule: createModule });
  const createPyodideModule = async (settings) => {
    const module = await createModule(settings);
    module._malloc((await unpacked).byteLength); // the memory must be large enough before it is overwritten
    return module;
  };
  return loadPyodide({ indexURL: runtime, createPyodideModule, _loadSnapshot: unpacked });
}

self.fetch = fetchForRuntime;

/** Write the compiled bots of a game into Python's file system. Returns false if the site has none. */
async function fetchCompiled(python, name, path) {
  const bytes = await fetchUnpacked(`bots/${name}`).then((answer) => answer.arrayBuffer()).catch(() => null);
  if (bytes === null) return false;
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, new Uint8Array(bytes));
  return true;
}

// ---- pages ----

class Page {
  constructor(port) {
    this.port = port;
    this.seats = new Map();
    ports.add(port);
    port.onmessage = ({ data }) => this.receive(data);
    port.postMessage(failure === null ? { t: "progress", ...progress } : { t: "failed", why: failure });
  }

  async receive(message) {
    if (message.t === "bye") return this.leave();
    await started;
    if (server === null) return undefined;
    if (message.t === "request") return this.answer(message);
    if (message.t === "open") {
      const send = (text) => this.port.postMessage({ t: "seat", seat: message.seat, text });
      const close = (code) => this.port.postMessage({ t: "closed", seat: message.seat, code });
      this.seats.set(message.seat, server.open_seat(send, close));
      return undefined;
    }
    const seat = this.seats.get(message.seat);
    if (message.t === "send") seat?.send(message.text);
    else if (message.t === "close") seat?.close();
    return undefined;
  }

  async answer({ id, method, path, body }) {
    try {
      const answer = await server.request(method, `/${path}`, body);
      const [status, type, bytes] = answer.toJs();
      answer.destroy();
      this.port.postMessage({ t: "answer", id, status, type, text: new TextDecoder().decode(bytes) });
    } catch (error) {
      this.port.postMessage({ t: "answer", id, status: 500, type: "application/json", text: JSON.stringify({ text: String(error) }) });
    }
  }

  leave() {
    ports.delete(this.port);
    for (const seat of this.seats.values()) seat.close();
    this.seats.clear();
  }
}

if (typeof SharedWorkerGlobalScope !== "undefined") self.onconnect = ({ ports: [port] }) => new Page(port);
else self.onmessage = ({ data }) => new Page(data);
