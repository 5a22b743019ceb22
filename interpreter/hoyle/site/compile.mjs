// Run by Node.js when a site is built: RUNTIME PROGRAM RESULT. Replaces the modules of a program by the bytecode of Pyodide's Python.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, program, result] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime + path.sep });
python.FS.writeFile("/program.zip", fs.readFileSync(program));
python.runPython(`
import importlib.util, marshal, zipfile

def compile_module(name, text):
    code = compile(text, name, "exec", dont_inherit=True, optimize=0)
    return importlib.util.MAGIC_NUMBER + (0b01).to_bytes(4, "little") + importlib.util.source_hash(text) + marshal.dumps(code)

with zipfile.ZipFile("/program.zip") as given, zipfile.ZipFile("/result.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
    for entry in given.infolist():
        data, name = given.read(entry), entry.filename
        files = {name: data}
        if name.endswith(".py"):  # other packages may read their own sources
            own, code = name.startswith("hoyle/"), compile_module(name, data)
            files = {name + "c": code} if own else {name: data, importlib.util.cache_from_source(name): code}
        for path, content in files.items():
            made.writestr(zipfile.ZipInfo(path, entry.date_time), content, zipfile.ZIP_DEFLATED)
`);
fs.writeFileSync(result, python.FS.readFile("/result.zip"));
process.exit(0);
