"""Random games a second of engines in WebAssembly, compared with machine code: `python -m benchmarks.webassembly [GAME…]`.

Needs Node.js, Pyodide in editors/web/node_modules (`npm install` there) and ziglang.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hoyle import load
from hoyle.site.builder import pack_program
from hoyle.site.engines import build_engine

SECONDS = 2.0


def report(names: list[str], engine: Any, games: int) -> str:
    """Return games a second by name, as JSON. `games`: of one call."""
    speeds = {}
    for name in names:
        game, done, begun = load(name, engine=engine), 0, time.perf_counter()
        machine: Any = game.machine
        machine.native.series(1, 0, 10)
        while (took := time.perf_counter() - begun) < SECONDS:
            machine.native.series(1, done, games)
            done += games
        speeds[name] = done / took
    return json.dumps(speeds)


def main(names: list[str]) -> None:
    root = Path(__file__).parents[1]
    runtime, script = root / "editors" / "web" / "node_modules" / "pyodide", root / "tests" / "site" / "agreement.mjs"
    with TemporaryDirectory() as folder:
        bots, program = Path(folder, "bots"), Path(folder, "program.zip")
        bots.mkdir()
        for name in names:
            engine = build_engine(load(name))
            Path(bots, f"{engine.file}.gz").write_bytes(gzip.compress(engine.data))
        program.write_bytes(pack_program())
        words = ["node", script, bots, runtime, program, __file__, " ".join(names), 20]
        done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, text=True, check=True)
    theirs, ours = json.loads(done.stdout), json.loads(report(names, "native", 20))
    print(f"{'game':20} {'native':>10} {'wasm':>10} {'ratio':>6}")
    for name in names:
        print(f"{name:20} {ours[name]:10.0f} {theirs[name]:10.0f} {theirs[name] / ours[name]:6.2f}")


if __name__ == "__main__" and sys.platform != "emscripten":
    main(sys.argv[1:] or ["klondike", "cribbage", "barbu", "backgammon"])
