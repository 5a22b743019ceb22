"""What the whole program has: where the shipped rulesets and the grammar are, inside an installed package, else in the checkout beside it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ENDINGS = (".yaml", ".yml")
_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name` ("rulesets" or "grammar") that goes with this interpreter."""
    packaged = _PACKAGE / "data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def shipped() -> dict[str, Path]:
    """Every shipped ruleset and library by name."""
    return {path.stem: path for path in sorted(folder("rulesets").glob("*.yaml"))}


def beside(name: str, place: Path) -> Path | None:
    """The ruleset that a text in this folder names: a `.yaml` file there or below, with or without its ending; None if there is
    none. A name cannot lead elsewhere, through links neither, and to nothing but a regular file."""
    candidates = [place / name, place / f"{name}.yaml"]
    return next((path for path in candidates if path.suffix in ENDINGS and _is_below(path, place)), None)


def name_below(path: Path, place: Path) -> str | None:
    """How a text in this folder names a file; None if it cannot, because the file is neither there nor below."""
    if path.suffix not in ENDINGS or not _is_below(path, place):
        return None
    return path.resolve().relative_to(place.resolve()).as_posix()


def _is_below(path: Path, place: Path) -> bool:
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
            gc.enable()
