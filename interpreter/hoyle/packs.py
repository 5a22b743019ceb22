"""Where rulesets are found by name: in the user's own folders, among those that are shipped, and in installed packages.

What comes first wins. The user's own folders come first, because whoever puts a file there means it; installed packages last,
so that none of them ever changes what a shipped name means. Packages are asked for only when nothing before them has the name,
or when all are wanted, since to look through what is installed takes long.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from hoyle.resources import ENDINGS, data_folder, folder, is_below, rulesets_in

if TYPE_CHECKING:
    from importlib.metadata import Distribution

VARIABLE = "HOYLE_PATH"
"""Folders of rulesets, written as in `PATH`."""
GROUP = "hoyle.rulesets"
"""The entry points of packages that bring rulesets: each names a Python package with a folder `rulesets`."""
FOLDER = "rulesets"
Origin = Literal["path", "user", "shipped", "package"]
Trouble = Literal["", "absent", "closed", "gone", "broken"]


class Place(Struct, frozen=True):
    """Where rulesets lie that are found by name.

    origin   "path": named by `HOYLE_PATH`; "user": the folder of the user's data; "shipped"; "package": installed
    folder   where they lie; of a package that has none, where it should be, or nothing
    package  what is installed, and its version
    trouble  why nothing is found there: "absent" (no folder), "closed" (it may not be read), "gone" (a package without its
             rulesets), "broken" (a package that does not say rightly what it brings); else nothing
    """

    origin: Origin
    folder: Path
    package: str = ""
    trouble: Trouble = ""

    def rulesets(self) -> dict[str, Path]:
        """What is found there, by name."""
        return {name: path for name, path in self._named().items() if self._holds(path)}

    def find(self, name: str) -> Path | None:
        """The ruleset of this name, if it is there."""
        path = self._named().get(name)
        return path if path is not None and self._holds(path) else None

    def left_out(self) -> list[Path]:
        """What is called as a ruleset is, and is none that a name may lead to: a link to elsewhere, a folder."""
        return [path for path in self._named().values() if not self._holds(path)]

    def _named(self) -> dict[str, Path]:
        try:
            return {} if self.trouble else rulesets_in(self.folder)
        except OSError:  # it has gone since
            return {}

    def _holds(self, path: Path) -> bool:
        return self.origin == "shipped" or is_below(path, self.folder)


class Found(Struct, frozen=True):
    """A ruleset that has a name, and where it was found."""

    name: str
    path: Path
    place: Place


def places() -> Iterator[Place]:
    """Every place, the one that wins first. Packages are looked for when they are come to. A folder counts once."""
    seen: set[Path] = {_real(_shipped().folder)}
    for place in _in_order():
        real = _real(place.folder)
        if place.trouble or place.origin == "shipped" or real not in seen:
            seen.add(real)
            yield place


def candidates(name: str) -> Iterator[Found]:
    """The rulesets of this name, the one that is meant first."""
    for place in places():
        path = place.find(name)
        if path is not None:
            yield Found(name, path, place)


def is_path(text: str) -> bool:
    """Does this lead to a file, whatever is found by name? `-` is what is read from standard input."""
    return text == "-" or "/" in text or os.sep in text or Path(text).suffix in ENDINGS


def named(name: str) -> Path | None:
    """The ruleset that a name means, wherever it lies."""
    return next((found.path for found in candidates(name)), None)


def shipped_as(name: str) -> Path | None:
    """The shipped ruleset of this name, whether the name means it or not."""
    return _shipped().find(name)


def every() -> dict[str, list[Found]]:
    """All that is found by name, by name; of each name the one that is meant first, then those that it hides."""
    found: dict[str, list[Found]] = {}
    for place in places():
        for name, path in place.rulesets().items():
            found.setdefault(name, []).append(Found(name, path, place))
    return found


def known() -> dict[str, Path]:
    """All that is found by name, as it is meant."""
    return {name: found[0].path for name, found in every().items()}


def place_of(path: Path) -> Found | None:
    """What a file is that is found by name; None if its path alone leads to it."""
    return next((found for found in candidates(path.stem) if found.path == path), None)


# ---- folders ---------------------------------------------------------------------------------------------------------


def _in_order() -> Iterator[Place]:
    for given in os.environ.get(VARIABLE, "").split(os.pathsep):
        if given:
            yield _own("path", Path(os.path.expanduser(given)).absolute())
    mine = users()
    if mine is not None and mine.trouble != "absent":  # few have one
        yield mine
    yield _shipped()
    yield from installed()


def users() -> Place | None:
    """The folder of the user's data, where it is or should be; None if nobody knows where the user is at home."""
    home = data_folder()
    return _own("user", home / FOLDER) if home is not None else None


def _shipped() -> Place:
    return Place("shipped", folder(FOLDER))


def _own(origin: Origin, place: Path) -> Place:
    return Place(origin, place, trouble=_trouble(place))


def _trouble(place: Path) -> Trouble:
    try:
        if not place.is_dir():
            return "absent"
        os.scandir(place).close()
    except OSError:
        return "closed"
    return ""


def _real(place: Path) -> Path:
    try:
        return place.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return place


# ---- packages --------------------------------------------------------------------------------------------------------


def installed() -> tuple[Place, ...]:
    """What installed packages bring, in the order of their names. Looked for once, until other packages can be imported."""
    import sys

    return _installed(tuple(sys.path))


@lru_cache(maxsize=1)
def _installed(paths: tuple[str, ...]) -> tuple[Place, ...]:
    found: dict[str, list[Place]] = {}
    for told in (told for path in paths for told in _telling(path or os.curdir)):
        from importlib.metadata import Distribution  # takes long, and few have a package of rulesets

        for name, brought in _brought(Distribution.at(told)):
            found.setdefault(name, brought)  # of two that are called alike the first is the one that is imported
    return tuple(place for _, brought in sorted(found.items()) for place in brought)


def _telling(path: str) -> Iterator[str]:
    """Where packages that are installed in a folder say what they are, of those that speak of rulesets."""
    try:
        names = sorted(name for name in os.listdir(path) if name.endswith((".dist-info", ".egg-info")))
    except OSError:  # no folder: an archive, or nothing
        return
    for name in names:
        try:
            with open(os.path.join(path, name, "entry_points.txt"), "rb") as file:
                speaks = GROUP.encode() in file.read()
        except OSError:
            continue
        if speaks:
            yield os.path.join(path, name)


def _brought(one: Distribution) -> Iterator[tuple[str, list[Place]]]:
    """What a package is called and where its rulesets lie, if it brings any. What stands in it others wrote: whatever is wrong with it
    is told of it, and keeps nobody from what is right."""
    try:
        if GROUP not in (one.read_text("entry_points.txt") or ""):
            return
        name = one.metadata["Name"] or "?"
    except Exception:  # what cannot be read brings nothing that could be named
        return
    try:
        said = f"{name} {one.version}"
        values = [point.value for point in one.entry_points if point.group == GROUP]
    except Exception:
        yield name.lower(), [Place("package", Path(), name, "broken")]
        return
    if values:
        yield name.lower(), [_place_of_package(value, said) for value in values]


def _place_of_package(value: str, said: str) -> Place:
    parts = value.split(".")
    if not all(part.isidentifier() for part in parts):
        return Place("package", Path(), said, "broken")
    for location in _locations(parts[0]):
        place = Path(location, *parts[1:], FOLDER)
        if (trouble := _trouble(place)) != "absent":
            return Place("package", place, said, trouble)
    return Place("package", Path(), said, "gone")


def _locations(package: str) -> list[str]:
    """The folders of a Python package, of which nothing is run."""
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except Exception:  # whoever finds packages is others' code, too
        return []
    return [*(spec.submodule_search_locations or ())] if spec is not None else []
