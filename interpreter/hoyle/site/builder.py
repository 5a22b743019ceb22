"""Writes a site: the pages, the program and its runtime, and for each game its rulebook, pictures and compiled bots."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import MappingProxyType

from msgspec import Struct

from hoyle.game.game import Game, load
from hoyle.language.sentences import LANGUAGES
from hoyle.resources import folder, shipped
from hoyle.rulebook.book import build_book
from hoyle.rulebook.formats import INDEX, render_html, render_index
from hoyle.site.engines import build_engine
from hoyle.web import display, shelf

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Files of Pyodide's npm package that the site needs."""
COMPRESSED = ("runtime/pyodide.asm.wasm",)
POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' {styles}; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_CHARSET = b'<meta charset="utf-8">'
DISTRIBUTIONS = ("pyyaml", "jinja2", "markupsafe", "starlette", "anyio", "idna", "typing_extensions", "platformdirs")
"""Python packages that the program needs in the browser. Only their Python files are copied."""
LEFT_OUT = ("cli", "laboratory", "learning")
"""Rooms that a browser does not use."""
TONES = ("light", "dark")
_TIME = (2026, 1, 1, 0, 0, 0)
Files = dict[str, bytes]
"""Contents by path in the site."""


class NoRuntime(Exception):
    """A folder is not Pyodide's. `missing`: the first file that it lacks."""

    def __init__(self, missing: str) -> None:
        super().__init__(missing)
        self.missing = missing


class GameFiles(Struct, frozen=True):
    """The files of one game, and why it has no compiled bots (empty if it has)."""

    name: str
    files: Files
    reason: str


def build_site(
    games: Sequence[str], runtime: Path, bots: bool, report: Callable[[GameFiles], None], processes: int = 1
) -> Files:
    """Return all files of a site with these games. Raises NoRuntime.

    Args:
        runtime: a folder with Pyodide's files.
        bots: compile bots to WebAssembly, which needs the package ziglang.
        report: is called after each game.
    """
    files = read_runtime(runtime)
    for name in COMPRESSED:
        files[f"{name}.gz"] = gzip.compress(files.pop(name), 9, mtime=0)
    files |= _read_pages()
    snapshot = make_snapshot(pack_program(), runtime, games[0])
    files["app/program.zip"] = pack_program(with_modules=snapshot is None)
    if snapshot is not None:
        files["app/snapshot.gz"] = snapshot
    with ProcessPoolExecutor(processes) as pool:
        for made in pool.map(_make_game_files, games, [bots] * len(games)):
            files |= made.files
            report(made)
    files |= _make_lists(games)
    _add_policy(files, files[f"rules/{games[0]}.{LANGUAGES[0]}.html"])
    version = hash_files(files)
    description = {"version": version, "games": list(games), "snapshot": snapshot is not None, "files": sorted(files)}
    files["app/site.json"] = json.dumps(description).encode()
    files["service_worker.js"] = _write_service_worker(files, version)
    return files


def read_runtime(runtime: Path) -> Files:
    """Return the files of Pyodide. Raises NoRuntime."""
    files: Files = {}
    for name in RUNTIME:
        if not (runtime / name).is_file():
            raise NoRuntime(name)
        files[f"runtime/{name}"] = (runtime / name).read_bytes()
    return files


def hash_files(files: Files) -> str:
    """Return a digest of paths and contents, 16 hexadecimal digits."""
    digest = sha256()
    for path, data in sorted(files.items()):
        digest.update(path.encode() + sha256(data).digest())
    return digest.hexdigest()[:16]


# ---- pages -----------------------------------------------------------------------------------------------------------


def _read_pages() -> Files:
    """Return the pages of the server, and those of the site beside or instead of them."""
    files: Files = {}
    for source in (PACKAGE / "web" / "static", HERE / "static"):
        for path in sorted(source.rglob("*")):
            if path.is_file():
                within = path.relative_to(source).as_posix()
                place = (
                    within
                    if path.suffix in (".html", ".webmanifest") or within == "service_worker.js"
                    else f"static/{within}"
                )
                files[place] = path.read_bytes()
    return files


def _add_policy(files: Files, book: bytes) -> None:
    """Let the pages load the site's own files only. Rulebooks made in the browser inherit this, so their style is allowed too."""
    styles = re.findall(rb"<style>(.*?)</style>", book, re.DOTALL)
    hashes = " ".join(f"'sha256-{b64encode(sha256(style).digest()).decode()}'" for style in styles)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(styles=hashes)}">'
    for name in [name for name in files if name.endswith(".html") and "/" not in name]:
        files[name] = files[name].replace(_CHARSET, _CHARSET + b"\n  " + policy.encode(), 1)


def _make_lists(games: Sequence[str]) -> Files:
    """Return the texts of the pages and the list of games, in each language."""
    files: Files = {}
    for lang in LANGUAGES:
        listed = [game for game in shelf.list_games(lang) if game["name"] in games]
        for name, data in (("words", display.load_page_texts(lang)), ("games", {"games": listed})):
            files[f"data/{name}.{lang}.json"] = json.dumps(data, ensure_ascii=False).encode()
    parents = {game["name"]: game["extends"] for game in shelf.list_games(LANGUAGES[0])}
    for lang in LANGUAGES:
        books = [build_book(load(shipped()[name]), lang, pictures=False) for name in games]
        index = render_index(books, {name: parents.get(name) for name in games}, lang).replace(
            '.html"', f'.{lang}.html"'
        )
        files[f"rules/{INDEX}" if lang == LANGUAGES[0] else f"rules/index.{lang}.html"] = index.encode()
    return files


def _write_service_worker(files: Files, version: str) -> bytes:
    """Fill in the names of all files: first those without which no page works, then the others."""
    names = sorted(name for name in files if name != "service_worker.js")
    later = [name for name in names if name.startswith(("rules/", "bots/", "data/"))]
    text = (HERE / "static" / "service_worker.js").read_text(encoding="utf-8")
    first = [name for name in names if name not in later]
    for mark, value in (('"@VERSION@"', version), ('["@FIRST@"]', ["./", *first]), ('["@LATER@"]', later)):
        text = text.replace(mark, json.dumps(value))
    return text.encode()


# ---- the program -----------------------------------------------------------------------------------------------------


def pack_program(with_modules: bool = True, more: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """Return a ZIP archive of this package, what it needs, the rulesets and the grammar. Equal sources give equal bytes.

    Without modules it has the files that they read. `more`: further files by path.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(_list_program()):
            if name.endswith(".py") and not with_modules:
                continue
            archive.writestr(zipfile.ZipInfo(name, _TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for name, data in sorted(more.items()):
            archive.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def make_snapshot(program: bytes, runtime: Path, game: str) -> bytes | None:
    """Return the memory of Pyodide after it imported a program and loaded a game, compressed. None without Node.js."""
    node = shutil.which("node")
    if node is None:
        return None
    with TemporaryDirectory(prefix="hoyle-") as folder:
        given, made = Path(folder, "program.zip"), Path(folder, "snapshot")
        given.write_bytes(program)
        words = [node, *map(str, (HERE / "snapshot.mjs", runtime.resolve(), given)), game, str(made)]
        subprocess.run(words, check=True, capture_output=True)
        return gzip.compress(made.read_bytes(), 9, mtime=0)


def _list_program() -> Iterator[tuple[str, Path]]:
    for path in PACKAGE.rglob("*"):
        within = path.relative_to(PACKAGE)
        if path.is_file() and within.parts[0] not in (*LEFT_OUT, "data") and not _is_left_out(within):
            yield f"hoyle/{within.as_posix()}", path
    for data in ("rulesets", "grammar"):
        for path in folder(data).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"hoyle/data/{data}/{path.relative_to(folder(data)).as_posix()}", path
    for path in (HERE / "stand_in").rglob("*.py"):
        yield path.relative_to(HERE / "stand_in").as_posix(), path
    for name in DISTRIBUTIONS:
        yield from _list_distribution(name)


def _is_left_out(within: Path) -> bool:
    return not {"__pycache__", "static", "stand_in", "published"}.isdisjoint(within.parts)


def _list_distribution(name: str) -> Iterator[tuple[str, Path]]:
    """List the Python files and the licence of an installed package."""
    found = distribution(name)
    for file in found.files or ():
        path = PurePosixPath(file)
        is_licence = "licen" in path.name.lower() and ".dist-info" in path.parts[0]
        if (path.suffix == ".py" or path.name == "py.typed" or is_licence) and ".." not in path.parts:
            yield str(path), Path(str(found.locate_file(file)))


# ---- games -----------------------------------------------------------------------------------------------------------


def _make_game_files(name: str, bots: bool) -> GameFiles:
    """Make a game's rulebooks, pictures and compiled bots."""
    game = load(shipped()[name])
    files: Files = {}
    for lang in LANGUAGES:
        home = INDEX if lang == LANGUAGES[0] else f"index.{lang}.html"
        files[f"rules/{name}.{lang}.html"] = render_html(build_book(game, lang, pictures=False), home=home).encode()
        for tone in TONES:
            files[f"data/{name}.{lang}.{tone}.svg.gz"] = gzip.compress(draw_start(game, lang, tone), 9, mtime=0)
    reason = ""
    if bots:
        engine = build_engine(game)
        reason = engine.reason
        if engine.data:
            files[f"bots/{engine.file}.gz"] = gzip.compress(engine.data, 9, mtime=0)
    return GameFiles(name, files, reason)


def draw_start(game: Game, lang: str, tone: str) -> bytes:
    """Return the SVG picture of the table at the start of a game."""
    view = game.start(1).view(game.seats[0])
    return display.draw_table(game, view, display.DisplaySettings(lang, tone)).encode()


def list_playable(names: Iterable[str] = ()) -> list[str]:
    """Return the shipped games, or those named. Raises KeyError with the first name that is not one."""
    playable = [game["name"] for game in shelf.list_games(LANGUAGES[0])]
    wanted = list(names)
    for name in wanted:
        if name not in playable:
            raise KeyError(name)
    return wanted or playable
