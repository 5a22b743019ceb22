"""Writes one game as one HTML file that opens from disk: the pages, the program, its runtime, the rulebook and the bots."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html import escape
from pathlib import Path

from msgspec import Struct

from hoyle.game.game import Game
from hoyle.language.sentences import LANGUAGES
from hoyle.resources import folder, is_below, words_beside
from hoyle.rulebook.book import build_book
from hoyle.rulebook.formats import render_html
from hoyle.site.builder import (
    HERE,
    PACKAGE,
    TONES,
    Files,
    draw_start,
    hash_files,
    pack_program,
    read_runtime,
)
from hoyle.site.engines import build_engine
from hoyle.web import display, shelf

MARK = b'<meta name="generator" content="hoyle publish">'
"""Is in the first lines of every published file."""
PAGES = ("shelf.html", "table.html", "record.html")
RULESETS = "published"
"""The folder of the program's archive with rulesets that are not shipped."""
_TEXTS = ("loading", "load_failed", "close")
_IMPORT = re.compile(r'(from |import\()"\./([^"]+)"')
_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_STYLE = re.compile(r"<link rel=\"(?:icon|stylesheet|manifest)\"[^>]*>\s*")


class Published(Struct, frozen=True):
    """A published file, and why the game has no compiled bots (empty if it has)."""

    data: bytes
    reason: str


def publish(game: Game, runtime: Path, bots: bool) -> Published:
    """Return a game with its options as an HTML file. Raises NoRuntime.

    Args:
        runtime: a folder with Pyodide's files.
        bots: compile bots to WebAssembly, which needs the package ziglang.
    """
    files = {**read_runtime(runtime), **_read_pages()}
    files["runtime/pyodide-lock.json"] = _shorten_lock(files["runtime/pyodide-lock.json"])
    main = game.merged.files[-1].resolve()
    own = _collect_rulesets(game)
    name = game.name if own else main.stem
    files["app/program.zip"] = pack_program(more={f"{RULESETS}/{path}": data for path, data in own.items()})
    rulesets = [f"{RULESETS}/{main.name}"] if own else []
    known = shelf.load_rulesets([main])[0] if own else {}
    for lang in LANGUAGES:
        listed = [one for one in shelf.list_games(lang, known) if one["name"] == name]
        for kind, data in (("words", display.load_page_texts(lang)), ("games", {"games": listed})):
            files[f"data/{kind}.{lang}.json"] = json.dumps(data, ensure_ascii=False).encode()
        files[f"rules/{name}.{lang}.html"] = render_html(build_book(game, lang, pictures=False)).encode()
        for tone in TONES:
            files[f"data/{name}.{lang}.{tone}.svg"] = draw_start(game, lang, tone)
    reason = ""
    if bots:
        engine = build_engine(game)
        reason = engine.reason
        if engine.data:
            files[f"bots/{engine.file}"] = engine.data
    description = {"snapshot": False, "rulesets": rulesets, "options": {name: game.compiled.set_options}}
    files["app/site.json"] = json.dumps(description).encode()
    return Published(_write_document(game, name, files), reason)


def _collect_rulesets(game: Game) -> Files:
    """Return the files of a game that are not shipped, with their translations, by path. Names lead to the same files."""
    found: Files = {}
    top = game.merged.files[-1].resolve().parent
    for ruleset in game.merged.files:
        if is_below(ruleset, folder("rulesets")):
            continue
        for path in (ruleset, *words_beside(ruleset)):
            place = path.resolve()
            within = place.relative_to(top).as_posix() if place.is_relative_to(top) else place.name
            found[within] = place.read_bytes()
    return found


def _shorten_lock(data: bytes) -> bytes:
    """Leave out Pyodide's packages, which the file does not have."""
    return json.dumps({**json.loads(data or b"{}"), "packages": {}}).encode()


def _read_pages() -> Files:
    """Return the pages and their modules, which name each other by their place in the file instead of relatively."""
    files: Files = {}
    for source in (PACKAGE / "web" / "static", HERE / "static", HERE / "published"):
        for path in sorted(source.iterdir()):
            if path.suffix == ".js":
                files[f"static/{path.name}"] = _IMPORT.sub(r'\1"static/\2"', path.read_text(encoding="utf-8")).encode()
            elif path.name in PAGES:
                text = _STYLE.sub("", path.read_text(encoding="utf-8"))
                files[path.name] = re.sub(r'(<script type="module") src="([^"]+)">', r'\1>import "\2";', text).encode()
    files["static/style.css"] = (PACKAGE / "web" / "static" / "style.css").read_bytes()
    for name in ("shell", "service_worker"):
        del files[f"static/{name}.js"]
    return files


def _write_document(game: Game, name: str, files: Files) -> bytes:
    sizes = json.dumps([(path, len(data)) for path, data in sorted(files.items())]).encode()
    packed = len(sizes).to_bytes(4, "big") + sizes + b"".join(data for _, data in sorted(files.items()))
    words = {lang: {key: display.load_page_texts(lang)["page"][key] for key in _TEXTS} for lang in LANGUAGES}
    texts = {"name": name, "version": f"{name}-{hash_files(files)}", "texts": words}
    book = _BODY.search(files[f"rules/{name}.{LANGUAGES[0]}.html"].decode())
    filled = {
        "TITLE": escape(game.title()),
        "BOOK": book[1] if book else "",
        "TEXTS": json.dumps(texts).replace("<", "\\u003c"),
        "SHELL": (HERE / "published" / "shell.js").read_text(encoding="utf-8").replace("</script", "<\\/script"),
        "DATA": base64.b64encode(gzip.compress(packed, 9, mtime=0)).decode(),
    }
    text = (HERE / "published" / "document.html").read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda mark: filled[mark[1]], text).encode()
