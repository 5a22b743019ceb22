"""Static sites: the program without msgspec, the files of a site, and a site in a real browser."""

from __future__ import annotations

import asyncio
import base64
import functools
import gzip
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import agreement
import browsing
import pytest
import tiers

from hoyle import load
from hoyle.site import builder, worker
from hoyle.site.builder import Files, NoRuntime, build_site
from hoyle.site.engines import build_engine
from hoyle.site.publisher import MARK, publish

ROOT = Path(__file__).parents[2]
RUNTIME = Path(os.environ.get("HOYLE_PYODIDE", ROOT / "editors" / "web" / "node_modules" / "pyodide"))
REPORT = Path(__file__).with_name("report.py")
GAMES = 50
WITHOUT = str(Path(builder.__file__).parent / "stand_in")


def describe_program(first_path: str = "") -> Any:
    """Return what the program says about some games, in a process whose modules are searched in `first_path` first."""
    path = os.pathsep.join(filter(None, (first_path, str(ROOT / "interpreter"))))
    done = subprocess.run(
        [sys.executable, REPORT], env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_without_msgspec_the_program_says_the_same() -> None:
    usual, without = describe_program(), describe_program(WITHOUT)
    assert (usual.pop("msgspec"), without.pop("msgspec")) == ("C", "Python")
    assert usual == without and len(usual) > 5


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A site with one game, without a real runtime: empty files, and no Node.js to run them."""
    runtime = tmp_path_factory.mktemp("runtime")
    with pytest.raises(NoRuntime, match=r"pyodide\.mjs"):
        build_site(["klondike"], runtime, False, lambda made: None)
    for name in builder.RUNTIME:
        (runtime / name).touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", "")
        first, second = (build_site(["klondike"], runtime, False, lambda made: None) for _ in range(2))
    assert first == second
    return first


@pytest.mark.whole
def test_a_site_has_every_file_that_its_files_name(files: Files) -> None:
    named = set()
    for name, data in files.items():
        if name.startswith("static/") and name.endswith(".js"):
            imported = re.findall(r"^(?:import|export) .*?from \"(\.[^\"]+)\"", data.decode(), re.MULTILINE)
            named |= {os.path.normpath(os.path.join(os.path.dirname(name), path)) for path in imported}
        elif name.endswith(".html") and "/" not in name:
            named |= {path for path in re.findall(r'(?:href|src)="([^"#]+)"', data.decode()) if ":" not in path}
    assert len(named) > 30
    assert named - {"static/vendor/codemirror.js"} <= set(files)
    worker = files["service_worker.js"].decode()
    assert all(json.dumps(name) in worker for name in files if name != "service_worker.js")
    assert all(
        b"Content-Security-Policy" in data for name, data in files.items() if name.endswith(".html") and "/" not in name
    )
    assert {"rules/klondike.fr.html", "data/klondike.en.dark.svg.gz", "data/games.fr.json"} <= set(files)


VARIANT = """\
ruleset: 1
game: my-klondike
extends: klondike
title: {en: My Klondike, fr: Ma réussite}
"""


@pytest.mark.whole
def test_a_published_file_has_the_rulesets_and_options_of_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in builder.RUNTIME:
        (tmp_path / name).touch()
    (tmp_path / "my-klondike.yaml").write_text(VARIANT, encoding="utf-8")
    data = publish(load(tmp_path / "my-klondike.yaml", {"draw": 1}), tmp_path, False).data
    assert MARK in data[:600] and b"<title>My Klondike</title>" in data
    packed = gzip.decompress(base64.b64decode(re.findall(rb'id="data">([^<]+)<', data)[0]))
    start = 4 + int.from_bytes(packed[:4], "big")
    files = {}
    for name, size in json.loads(packed[4:start]):
        files[name] = packed[start : start + size]
        start += size
    site = json.loads(files["app/site.json"])
    assert (
        site["options"] == {"my-klondike": {"draw": 1}} and len(json.loads(files["data/games.fr.json"])["games"]) == 1
    )
    with zipfile.ZipFile(io.BytesIO(files["app/program.zip"])) as program:
        program.extractall(tmp_path / "program")
    monkeypatch.setattr(worker, "PROGRAM", tmp_path / "program")
    nothing: Any = None
    server = worker.BrowserServer("[]", nothing, nothing, json.dumps(site))
    status, _, answer = asyncio.run(server.request("GET", "/api/games/my-klondike?lang=fr", None))
    assert status == 200 and json.loads(answer)["values"]["draw"] == 1
    assert json.loads(answer)["title"] == "Ma réussite"


# ---- WebAssembly -----------------------------------------------------------------------------------------------------

NAMES = builder.list_playable() if tiers.is_thorough() else ["barbu", "cribbage", "klondike"]


def require_runtime() -> None:
    """Skip the test without Pyodide and Node.js, unless `HOYLE_BROWSER=1`."""
    if not RUNTIME.is_dir() or shutil.which("node") is None:
        (pytest.fail if os.environ.get("HOYLE_BROWSER") == "1" else pytest.skip)(f"there is no Pyodide in {RUNTIME}")


@pytest.mark.slow
def test_engines_in_webassembly_play_like_python(tmp_path: Path) -> None:
    """Random games end alike, and bots make the same moves from the same seed."""
    require_runtime()
    bots = tmp_path / "bots"
    bots.mkdir()
    names = []
    for name in NAMES:
        engine = build_engine(load(name))
        if engine.data:  # not every game can be translated
            (bots / f"{engine.file}.gz").write_bytes(gzip.compress(engine.data, 1))
            names.append(name)
    program, script = tmp_path / "program.zip", Path(__file__).with_name("agreement.py")
    program.write_bytes(builder.pack_program())
    words = ["node", script.with_suffix(".mjs"), bots, RUNTIME, program, script, " ".join(names), str(GAMES)]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs, ours = json.loads(done.stdout), json.loads(agreement.report(names, "python", GAMES))
    assert [name for name in names if theirs[name] != ours[name]] == [] and len(names) >= 3


# ---- in a real browser -----------------------------------------------------------------------------------------------


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # type: ignore[misc]

    def log_message(self, format: str, *args: Any) -> None:
        return


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[http.server.ThreadingHTTPServer]:
    require_runtime()
    folder = tmp_path_factory.mktemp("site")
    made = build_site(["klondike", "cribbage"], RUNTIME, True, lambda game: None, 2)
    assert sum(name.startswith("bots/") for name in made) == 2
    for name, data in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.server_close()


@pytest.mark.slow
@pytest.mark.smoke
def test_a_game_against_a_bot_goes_on_without_a_network(site: http.server.ThreadingHTTPServer) -> None:
    play, path = browsing.needed()
    with play() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page, wrong = browser.new_page(locale="fr-FR"), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"http://127.0.0.1:{site.server_port}/")
        frame = page.frame_locator("iframe")
        frame.locator("[data-game=cribbage]").click(timeout=60_000)
        frame.locator("#start:enabled").click(timeout=60_000)
        frame.locator("#table svg").wait_for(timeout=60_000)
        for _ in range(2):  # the bot answers between
            frame.locator("#show-moves").click()
            frame.locator("dialog[open] .choices button").first.click()
            frame.locator("#undo:enabled").wait_for(timeout=60_000)
        number = frame.locator("#table").get_attribute("data-n")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.wait_for_function(KEPT, timeout=60_000)
        site.shutdown()
        page.reload()
        frame.locator("#table[data-n] svg").wait_for(timeout=60_000)
        assert int(frame.locator("#table").get_attribute("data-n")) >= int(number) > 1 and "#table/" in page.url
        assert wrong == []
        browser.close()


@pytest.mark.slow
@pytest.mark.smoke
def test_a_published_file_plays_from_disk(tmp_path: Path) -> None:
    require_runtime()
    file = tmp_path / "game.html"
    file.write_bytes(publish(load("cribbage"), RUNTIME, True).data)
    assert file.stat().st_size < 20_000_000
    play, path = browsing.needed()
    with play() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page, asked = browser.new_context(locale="fr-FR", offline=True).new_page(), list[str]()
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.on("request", lambda one: asked.append(one.url) if one.url.startswith(("http", "ws")) else None)
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe.page")
        frame.locator("#start:enabled").click(timeout=90_000)
        frame.locator("#table svg").wait_for(timeout=60_000)
        for _ in range(2):  # the bot answers between
            frame.locator("#show-moves").click()
            frame.locator("dialog[open] .choices button").first.click()
            frame.locator("#undo:enabled").wait_for(timeout=60_000)
        frame.locator("#show-rules").click()
        frame.locator("#rules-told a[target=_blank][href]").click()
        page.frame_locator("#book iframe").locator("h1").wait_for()
        assert "#table/" in page.url and asked == []
        browser.close()


KEPT = """async () => {
  const site = await (await fetch("app/site.json")).json();
  const [name] = await caches.keys();
  const kept = name ? await (await caches.open(name)).keys() : [];
  return kept.length >= site.files.length;
}"""
"""Every file is in the cache."""
