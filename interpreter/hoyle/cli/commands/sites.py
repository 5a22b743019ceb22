"""`hoyle site` and `hoyle publish`: all games as a folder of static files, and one game as one file. Neither needs a server."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from hoyle.cli.files import check_writable, make_stem, write
from hoyle.cli.options import FileName, RulesetName, Settings, game_argument, lang_option, set_option
from hoyle.cli.output import note, progress
from hoyle.cli.rulesets import open_game
from hoyle.cli.shell import argument, command, option
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.files import is_stream

PACKAGES = ("starlette",)
USUAL_RUNTIME = "node_modules/pyodide"
DESCRIPTION = "app/site.json"
"""The file of a site that lists its files. A folder without it is not replaced."""
_BEGINNING = 600
"""Bytes of a file that contain the mark of published ones."""


@command("site")
@argument("folder", type=FileName())
@option("--runtime", type=FileName(), default=USUAL_RUNTIME)
@option("--game", "games", type=RulesetName(), multiple=True)
@option("--no-bots", "no_bots", is_flag=True)
@lang_option
def site_command(folder: str, runtime: str, games: tuple[str, ...], no_bots: bool) -> int:
    _check_packages(no_bots)
    from hoyle.site.builder import GameFiles, NoRuntime, build_site, list_playable

    old = _read_old_files(folder)
    try:
        names, left_out = list_playable(games), list[str]()
        with progress(t("site.games"), len(names)) as tick:

            def report(made: GameFiles) -> None:
                if made.reason:
                    left_out.append(made.name)
                tick(1)

            files = build_site(names, Path(runtime), not no_bots, report, os.cpu_count() or 1)
    except KeyError as unknown:
        raise UserError(t("site.no_game", name=unknown.args[0]), code=2) from None
    except NoRuntime as error:
        raise UserError(t("site.no_runtime", folder=runtime, file=error.missing), code=2) from None
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, data)
    for name in old - files.keys():
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
    if left_out:
        note(t("site.python_bots", games=", ".join(left_out)))
    if shutil.which("node") is None:
        note(t("site.no_node"))
    note(t("site.written", count=len(names), folder=folder, size=f"{sum(map(len, files.values())) / 1e6:.0f}"))
    return 0


def _read_old_files(folder: str) -> set[str]:
    """Return the files of the site in a folder. Raises UserError if it has other files."""
    place = Path(folder)
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return set()
    try:
        return set(json.loads((place / DESCRIPTION).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(t("file.exists", name=folder), code=2) from None


@command("publish")
@game_argument
@option("--out", "--output", "-o", "output", type=FileName())
@set_option
@option("--runtime", type=FileName(), default=USUAL_RUNTIME)
@option("--no-bots", "no_bots", is_flag=True)
@lang_option
def publish_command(game: str, output: str | None, settings: Settings, runtime: str, no_bots: bool) -> int:
    _check_packages(no_bots)
    from hoyle.site.builder import NoRuntime
    from hoyle.site.publisher import publish

    loaded = open_game(game, settings)
    name = output or f"{make_stem(loaded.name)}.html"
    _check_replaceable(name)
    check_writable(name)
    try:
        published = publish(loaded, Path(runtime), not no_bots)
    except NoRuntime as error:
        raise UserError(t("site.no_runtime", folder=runtime, file=error.missing), code=2) from None
    write(name, published.data)
    if published.reason:
        note(t("site.python_bots", games=loaded.name))
    note(t("site.published", game=loaded.title(lang()), file=name, size=f"{len(published.data) / 1e6:.1f}"))
    return 0


def _check_packages(no_bots: bool) -> None:
    """Raise UserError without the packages for pages and bots."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise UserError(t("serve.missing", names=", ".join(missing)), code=2)
    from hoyle.site.engines import has_compiler

    if not no_bots and not has_compiler():
        raise UserError(t("site.no_compiler"), code=2)


def _check_replaceable(name: str) -> None:
    """Raise UserError if a file exists that this command did not write."""
    from hoyle.site.publisher import MARK

    place = Path(name)
    if name == "-" or is_stream(name) or not place.exists():
        return
    with place.open("rb") as file:
        if MARK not in file.read(_BEGINNING):
            raise UserError(t("file.exists", name=name), code=2)
