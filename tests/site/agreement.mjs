// Run by Node.js: FOLDER RUNTIME PROGRAM SCRIPT NAMES COUNT. Prints the report of agreement.py with the engines of FOLDER, in WebAssembly.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [folder, runtime, program, script, names, count] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime + path.sep });
python.unpackArchive(new Uint8Array(fs.readFileSync(program)).buffer, "zip", { extractDir: "/lib/hoyle" });
python.FS.mkdirTree("/lib/hoyle/hoyle/data/engines");
for (const name of fs.readdirSync(folder)) python.FS.writeFile(`/lib/hoyle/hoyle/data/engines/${name.replace(".gz", "")}`, zlib.gunzipSync(fs.readFileSync(path.join(folder, name))));
python.runPython("import sys; sys.path.insert(0, '/lib/hoyle')");
python.runPython(fs.readFileSync(script, "utf-8"));
try {
  process.stdout.write(`${python.runPython(`report("${names}".split(), "native", ${count})`)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(String(error.message).slice(-2000), () => process.exit(1));
}
