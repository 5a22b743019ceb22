"""Rulesets found by name: in the user's folders, among the shipped ones, and in installed packages, in this order.

The first place wins. Packages come last, so they never change the meaning of a shipped name, and they are searched only if
no other place has the name, or if all names are wanted, because that takes long.
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
"""Environment variable with folders of rulesets, separated as in `PATH`."""
GROUP = "hoyle.rulesets"
"""Entry points of packages with rulesets; each names a Python package with a folder `rulesets`."""
FOLDER = "rulesets"
Origin = Literal["path", "user", "shipped", "package"]
Trouble = Literal["", "absent", "closed", "gone", "broken"]


class Place(Struct, frozen=True):
    """A folder with rulesets that are found by name.

    origin   "path": from `HOYLE_PATH`; "user": the user's data folder; "shipped"; "package": an installed package
    folder   the folder; for a package without rulesets where it should be, or an empty path
    package  name and version of the package
    trouble  why it has no rulesets: "absent" (no folder), "closed" (not readable), "gone" (a package without its rulesets),
             "broken" (invalid metadata); else empty
    """

    origin: Origin
    folder: Path
    package: str = ""
    trouble: Trouble = ""

    def rulesets(self) -> dict[str, Path]:
        """Its rulesets by name."""
        return {name: path for name, path in self._named().items() if self._holds(path)}

    def find(self, name: str) -> Path | None:
        """The ruleset of a name, or None."""
        path = self._named().get(name)
        return path if path is not None and self._holds(path) else None

    def left_out(self) -> list[Path]:
        """Paths that are named like rulesets but are none: links to elsewhere, folders."""
        return [path for path in self._named().values() if not self._holds(path)]

    def _named(self) -> dict[str, Path]:
        try:
            return {} if self.trouble else rulesets_in(self.folder)
        except OSError:  # it has gone since
            return {}

    def _holds(self, path: Path) -> bool:
        return self.origin == "shipped" or is_below(path, self.folder)


class Found(Struct, frozen=True):
    """A ruleset with its name and its place."""

    name: str
    path: Path
    place: Place


def list_places() -> Iterator[Place]:
    """Yield every place, the winner first. A folder counts once; packages are searched lazily."""
    seen: set[Path] = {_real(_shipped().folder)}
    for place in _in_order():
        real = _real(place.folder)
        if place.trouble or place.origin == "shipped" or real not in seen:
            seen.add(real)
            yield place


def candidates(name: str) -> Iterator[Found]:
    """Yield the rulesets of a name, the one that is meant first."""
    for place in list_places():
        path = place.find(name)
        if path is not None:
            yield Found(name, path, place)


def is_path(text: str) -> bool:
    """Is it a path and not a name? `-` is standard input."""
    return text == "-" or "/" in text or os.sep in text or Path(text).suffix in ENDINGS


def find(name: str) -> Path | None:
    """The ruleset that a name means, or None."""
    return next((found.path for found in candidates(name)), None)


def shipped_as(name: str) -> Path | None:
    """The shipped ruleset of a name, even if another one hides it."""
    return _shipped().find(name)


def list_all() -> dict[str, list[Found]]:
    """All rulesets by name; for each name the one that is meant first, then those that it hides."""
    found: dict[str, list[Found]] = {}
    for place in list_places():
        for name, path in place.rulesets().items():
            found.setdefault(name, []).append(Found(name, path, place))
    return found


def list_known() -> dict[str, Path]:
    """All rulesets by name, as they are meant."""
    return {name: found[0].path for name, found in list_all().items()}


def place_of(path: Path) -> Found | None:
    """The pack entry of a file; None if no name leads to it."""
    return next((found for found in candidates(path.stem) if found.path == path), None)


# ---- folders ---------------------------------------------------------------------------------------------------------


def _in_order() -> Iterator[Place]:
    for given in os.environ.get(VARIABLE, "").split(os.pathsep):
        if given:
            yield _own("path", Path(os.path.expanduser(given)).absolute())
    mine = user_place()
    if mine is not None and mine.trouble != "absent":  # few have one
        yield mine
    yield _shipped()
    yield from package_places()


def user_place() -> Place | None:
    """The folder of the user's data; None without a home folder."""
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


def package_places() -> tuple[Place, ...]:
    """The rulesets of installed packages, in the order of their names. Cached while `sys.path` stays the same."""
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
    """Yield the metadata folders of packages below a path whose entry points mention rulesets."""
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
    """Yield the name of a package and the places of its rulesets. Invalid metadata are reported and hide nothing else."""
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
    """The folders of a Python package, found without importing it."""
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except Exception:  # whoever finds packages is others' code, too
        return []
    return [*(spec.submodule_search_locations or ())] if spec is not None else []
