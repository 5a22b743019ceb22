"""Where rulesets were found by name, and which of two of one name is meant, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hoyle import packs
from hoyle.cli.options import Settings
from hoyle.cli.output import note
from hoyle.diagnostics import Diagnostic
from hoyle.presentation.catalogue import t

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic, Refused
    from hoyle.game.game import Game
    from hoyle.language.model import Ruleset


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


Opened = TypeVar("Opened")


def open_game(name: str, settings: Settings = ()) -> Game:
    """The game, ready to be played, with the options of the command line; of several of that name it is told which one is meant."""
    from hoyle.game.game import load

    opened = with_settings(load, name, settings)
    tell_which(name)
    return opened


def checked_ruleset(name: str, settings: Settings = ()) -> Ruleset:
    """The checked ruleset behind a game, to be described."""
    from hoyle.checking.build import ruleset

    return with_settings(lambda game, values: ruleset(game, values)[0], name, settings)


def with_settings(opened: Callable[[str, dict[str, Any]], Opened], name: str, settings: Settings) -> Opened:
    """A bad option is wrong usage; a ruleset that is bad without options too is a problem in what was given."""
    from hoyle.cli.output import diagnose
    from hoyle.diagnostics import Refused

    try:
        return opened(name, dict(settings))
    except Refused as refused:
        if not settings:
            raise
        opened(name, {})
        diagnose(_with_remedy(name, settings, refused))
        raise click.exceptions.Exit(2) from refused


def _with_remedy(name: str, settings: Settings, refused: Refused) -> list[Diagnostic]:
    """Return the refusal; if options exclude each other, its help names others to set as well."""
    from msgspec.structs import replace

    from hoyle.checking.constraints import EXCLUDED
    from hoyle.checking.remedies import find_remedy
    from hoyle.language.sentences import said

    if refused.cause.code != EXCLUDED:
        return list(refused.diagnostics)
    found = find_remedy(name, dict(settings), refused)
    added = " ".join(f"--set {option}={str(value).lower()}" for option, value in found.items())
    return [
        replace(d, help=said("set_as_well", added=added)) if found and d.code == EXCLUDED else d
        for d in refused.diagnostics
    ]
