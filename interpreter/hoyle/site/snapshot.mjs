// Run by Node.js when a site is built: RUNTIME PROGRAM GAME RESULT. Writes the memory of Pyodide with the program imported
// and a game and the shelf loaded, so that browsers restore it instead of starting Python.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, program, game, result] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime + path.sep, _makeSnapshot: true });
python.unpackArchive(new Uint8Array(fs.readFileSync(program)).buffer, "zip", { extractDir: "/lib/hoyle" });
python.globals.set("game", game);
python.runPython(`
import sys
sys.path.insert(0, "/lib/hoyle")
sys.dont_write_bytecode = True
import importlib, pkgutil
import hoyle.site.worker
for module in pkgutil.walk_packages(hoyle.__path__, "hoyle.", onerror=lambda name: None):
    if not module.name.startswith("hoyle.site.") and not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError:  # it needs a package that a browser lacks
            pass
from hoyle import load
load(game)
del game
from hoyle.web.shelf import list_games
list_games("en")
`);
fs.writeFileSync(result, python.makeMemorySnapshot());
process.exit(0);
