"""What the whole program has: its version, the shipped rulesets and the grammar, which are inside an installed package, else in the checkout
beside it, folders of the user's, and what files of rulesets are called. Where others are found by name, `packs` knows."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

VERSION = "0.1.0"
ENDINGS = (".yaml", ".yml")
_PACKAGE = Path(__file__).resolve().parent
_WORDS = re.compile(r"(?P<name>.+)\.(?P<lang>[a-z]{2}(?:-[A-Z]{2})?)")
"""What a file is called that says a ruleset's words in another language, without its ending: `NAME.fr`, `NAME.de-CH`."""


def folder(name: str) -> Path:
    """The folder `name` ("rulesets" or "grammar") that goes with this interpreter."""
    packaged = _PACKAGE / "data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / name


def cache_folder() -> Path | None:
    """Where what took long to work out is kept for the next time: `HOYLE_CACHE`, else where this system wants it. It need not be
    there yet. None if nobody knows where the user is at home."""
    given = os.environ.get("HOYLE_CACHE")
    if given:
        return Path(given).absolute()
    return _of_user("XDG_CACHE_HOME", "~/.cache", "user_cache_path")


def data_folder() -> Path | None:
    """Where this system wants what users have for the program. It need not be there. None if nobody knows where the user is at home."""
    return _of_user("XDG_DATA_HOME", "~/.local/share", "user_data_path")


def _of_user(variable: str, usual: str, asked: str) -> Path | None:
    if sys.platform == "linux":  # what platformdirs finds too, without the ten milliseconds to import it
        wanted = os.environ.get(variable, "").strip()
        found = Path(wanted if os.path.isabs(wanted) else os.path.expanduser(usual), "hoyle")
    else:
        import platformdirs

        found = getattr(platformdirs, asked)("hoyle", appauthor=False)
    return found if found.is_absolute() else None


def shipped() -> dict[str, Path]:
    """Every shipped ruleset and library by name."""
    return rulesets_in(folder("rulesets"))


def rulesets_in(place: Path) -> dict[str, Path]:
    """The files of a folder that are called as rulesets are, by name. Raises OSError."""
    return dict(_rulesets_in(place, os.stat(place).st_mtime_ns))


@lru_cache(maxsize=64)
def _rulesets_in(place: Path, changed: int) -> dict[str, Path]:
    """`changed`, the time of the folder's last change, keeps what is remembered from being out of date."""
    names = sorted(name.removesuffix(".yaml") for name in os.listdir(place) if name.endswith(".yaml"))
    return {name: place / f"{name}.yaml" for name in names if name and name[0] != "." and not _WORDS.fullmatch(name)}


def is_language(name: str) -> bool:
    """May a file of words say that it is in this language?"""
    return _WORDS.fullmatch(f"words.{name}") is not None


def language_of(path: Path) -> str:
    """The language of a file of words, by its name; nothing for a ruleset."""
    found = _WORDS.fullmatch(path.stem) if path.suffix in ENDINGS else None
    return found["lang"] if found else ""


def ruleset_of(path: Path) -> Path:
    """The ruleset whose words a file says, by its name: beside `NAME.fr.yaml` lies `NAME.yaml`. The path itself for a ruleset."""
    lang = language_of(path)
    return path.with_name(f"{path.stem.removesuffix(f'.{lang}')}{path.suffix}") if lang else path


def words_beside(path: Path) -> list[Path]:
    """The files that say a ruleset's words in other languages, in the order of the languages."""
    if path.suffix not in ENDINGS:
        return []
    try:
        names = [n for n in os.listdir(path.parent) if n.startswith(f"{path.stem}.") and n != path.name]
    except OSError:
        return []
    found = [path.with_name(name) for name in sorted(names)]
    return [f for f in found if language_of(f) and ruleset_of(f) == path and is_below(f, path.parent)]


def beside(name: str, place: Path) -> Path | None:
    """The ruleset that a text in this folder names: a `.yaml` file there or below, with or without its ending; None if there is
    none. A name cannot lead elsewhere, through links neither, and to nothing but a regular file."""
    candidates = [place / name, place / f"{name}.yaml"]
    return next((path for path in candidates if path.suffix in ENDINGS and is_below(path, place)), None)


def name_below(path: Path, place: Path) -> str | None:
    """How a text in this folder names a file; None if it cannot, because the file is neither there nor below."""
    if path.suffix not in ENDINGS or not is_below(path, place):
        return None
    return path.resolve().relative_to(place.resolve()).as_posix()


def is_below(path: Path, place: Path) -> bool:
    """Is this a regular file in the folder or below it, wherever links lead?"""
    try:
        return path.is_file() and path.resolve().is_relative_to(place.resolve())
    except (OSError, ValueError, RuntimeError):  # names that no file can have, links in a circle
        return False


@contextmanager
def uncollected() -> Iterator[None]:
    """Without looking for garbage in circles: what is being built is all kept, and looking took a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # to the old ones with what was built, or it would all be looked through now
                gc.freeze()
                gc.unfreeze()
            gc.enable()
