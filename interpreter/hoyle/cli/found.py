"""Where rulesets were found by name, and which of two of one name is meant, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle import packs
from hoyle.cli.catalogue import t
from hoyle.cli.output import note

MOST = 6
"""So many names are told of files whose names mean others."""


def where(place: packs.Place) -> str:
    """A folder of the user's, what is shipped, or a package with its version."""
    return t(f"pack.{place.origin}", folder=place.folder, package=place.package)


def data_of(found: Sequence[packs.Found]) -> dict[str, Any]:
    """Where a ruleset comes from, and what of its name it hides: plain data."""
    meant, *hidden = found
    return {**_data(meant), "hides": [_data(other) for other in hidden]}


def _data(found: packs.Found) -> dict[str, Any]:
    return {
        "origin": found.place.origin,
        "package": found.place.package or None,
        "file": str(found.path),
    }


def named_data(name: str) -> dict[str, Any] | None:
    """The same of a name; None if it is a path."""
    found = _of_name(name)
    return data_of(found) if found else None


def tell_named(name: str) -> None:
    """Notes where a ruleset comes from that was asked for by name and is not shipped, and which others are called so."""
    found = _of_name(name)
    if not found:
        return
    if found[0].place.origin != "shipped":
        note(t("pack.from", name=name, where=_told(found[0])))
    tell_hidden({name: found})


def tell_which(name: str) -> None:
    """Notes which of several rulesets of one name is meant."""
    if several := _of_name(name):
        tell_hidden({name: several})


def tell_taken(paths: Iterable[str]) -> None:
    """Notes of which of these files the name means another ruleset, so that only their paths lead to them."""
    stems = {Path(path).stem: Path(path) for path in paths if packs.is_path(path) and path != "-"}
    meant = packs.known() if len(stems) > 1 else {name: packs.named(name) for name in stems}
    taken = [name for name, path in stems.items() if (other := meant.get(name)) and other.resolve() != path.resolve()]
    if taken:
        names = [f"`{name}`" for name in sorted(taken)[:MOST]] + ["…"] * (len(taken) > MOST)
        note(t("pack.taken", names=", ".join(names), count=len(taken)))


def tell_hidden(found: Mapping[str, Sequence[packs.Found]]) -> None:
    """Notes of these names which of several rulesets is meant."""
    for line in hidden(found):
        note(line)


def hidden(found: Mapping[str, Sequence[packs.Found]]) -> list[str]:
    """Of these names that several rulesets have, which one is meant."""
    told = {name: [*map(_told, several)] for name, several in found.items() if len(several) > 1}
    return [t("pack.hidden", name=name, meant=one, others=", ".join(more)) for name, (one, *more) in told.items()]


def _of_name(name: str) -> list[packs.Found]:
    return [] if packs.is_path(name) else [*packs.candidates(name)]


def _told(found: packs.Found) -> str:
    return t("pack.at", file=found.path, where=where(found.place)) if _says_more(found.place) else str(found.path)


def _says_more(place: packs.Place) -> bool:
    """Is more known of where it lies than its path says?"""
    return place.origin in ("shipped", "package")


def tell_troubles() -> None:
    """Notes where nothing is found though it should be, and what is left out."""
    for place in packs.places():
        for line in troubles(place):
            note(line)


def troubles(place: packs.Place) -> list[str]:
    """What is wrong with a place."""
    wrong = [t(f"pack.trouble.{place.trouble}", place=where(place), folder=place.folder)] if place.trouble else []
    return wrong + [t("pack.left_out", file=path) for path in place.left_out()]
