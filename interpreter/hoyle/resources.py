"""Version, shipped files, the user's folders, and file names of rulesets and translations.

Shipped files are inside an installed package, else in the checkout beside it. `packs` finds rulesets by name.
"""

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
"""The name of a translation without its ending: `NAME.fr`, `NAME.de-CH`."""


def folder(name: str) -> Path:
    """A folder that is shipped: "rulesets" or "grammar"."""
    packaged = _PACKAGE / "data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / name


def cache_folder() -> Path | None:
    """The cache folder: `HOYLE_CACHE`, else the system's. It need not exist. None without a home folder."""
    given = os.environ.get("HOYLE_CACHE")
    if given:
        return Path(given).absolute()
    return _of_user("XDG_CACHE_HOME", "~/.cache", "user_cache_path")


def data_folder() -> Path | None:
    """The system's folder for the user's data. It need not exist. None without a home folder."""
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
    """The shipped rulesets and libraries by name."""
    return rulesets_in(folder("rulesets"))


def rulesets_in(place: Path) -> dict[str, Path]:
    """The rulesets of a folder by name, without translations. Raises OSError."""
    return dict(_rulesets_in(place, os.stat(place).st_mtime_ns))


@lru_cache(maxsize=64)
def _rulesets_in(place: Path, changed: int) -> dict[str, Path]:
    """`changed`, the folder's modification time, keeps the cache valid."""
    names = sorted(name.removesuffix(".yaml") for name in os.listdir(place) if name.endswith(".yaml"))
    return {name: place / f"{name}.yaml" for name in names if name and name[0] != "." and not _WORDS.fullmatch(name)}


def is_language(name: str) -> bool:
    """Can a translation be in this language?"""
    return _WORDS.fullmatch(f"words.{name}") is not None


def language_of(path: Path) -> str:
    """The language of a translation by its file name; empty for a ruleset."""
    found = _WORDS.fullmatch(path.stem) if path.suffix in ENDINGS else None
    return found["lang"] if found else ""


def ruleset_of(path: Path) -> Path:
    """The ruleset of a translation: `NAME.fr.yaml` → `NAME.yaml`. A ruleset's path is returned unchanged."""
    lang = language_of(path)
    return path.with_name(f"{path.stem.removesuffix(f'.{lang}')}{path.suffix}") if lang else path


def words_beside(path: Path) -> list[Path]:
    """The translations of a ruleset, in the order of their languages."""
    if path.suffix not in ENDINGS:
        return []
    try:
        names = [n for n in os.listdir(path.parent) if n.startswith(f"{path.stem}.") and n != path.name]
    except OSError:
        return []
    found = [path.with_name(name) for name in sorted(names)]
    return [f for f in found if language_of(f) and ruleset_of(f) == path and is_below(f, path.parent)]


def find_beside(name: str, place: Path) -> Path | None:
    """The ruleset in a folder, or below it, that a text there names, with or without its ending; None if there is none.

    Names cannot lead out of the folder, not even through links, and only to regular files.
    """
    candidates = [place / name, place / f"{name}.yaml"]
    return next((path for path in candidates if path.suffix in ENDINGS and is_below(path, place)), None)


def name_below(path: Path, place: Path) -> str | None:
    """The name by which a text in a folder refers to a file there or below; None for other files."""
    if path.suffix not in ENDINGS or not is_below(path, place):
        return None
    return path.resolve().relative_to(place.resolve()).as_posix()


def is_below(path: Path, place: Path) -> bool:
    """Is it a regular file in a folder or below, links resolved?"""
    try:
        return path.is_file() and path.resolve().is_relative_to(place.resolve())
    except (OSError, ValueError, RuntimeError):  # names that no file can have, links in a circle
        return False


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pause garbage collection while a large structure that is all kept is built: it took a third of the time."""
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
