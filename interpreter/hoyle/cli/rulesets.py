"""Open rulesets by name and tell where they were found, and which of several with one name is used."""

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
    from hoyle.differences.compared_ruleset import ComparedRuleset
    from hoyle.game.game import Game
    from hoyle.language.model import Ruleset


MOST_NAMES = 6
"""Names that a note lists."""


def describe_place(place: packs.Place) -> str:
    """Return the words for a user folder, the shipped rulesets, or a package."""
    return t(f"pack.{place.origin}", folder=place.folder, package=place.package)


def describe_origin(rulesets: Sequence[packs.Found]) -> dict[str, Any]:
    """Return the origin of a ruleset and what it hides, as plain data."""
    meant, *hidden = rulesets
    return {**_make_origin_data(meant), "hides": [_make_origin_data(other) for other in hidden]}


def _make_origin_data(ruleset: packs.Found) -> dict[str, Any]:
    return {
        "origin": ruleset.place.origin,
        "package": ruleset.place.package or None,
        "file": str(ruleset.path),
    }


def describe_origin_of_name(name: str) -> dict[str, Any] | None:
    """Return the same for a name; None for a path."""
    found = _find(name)
    return describe_origin(found) if found else None


def note_origin(name: str) -> None:
    """Print where a named ruleset comes from unless it is shipped, and which others it hides."""
    found = _find(name)
    if not found:
        return
    if found[0].place.origin != "shipped":
        note(t("pack.from", name=name, where=_describe_found(found[0])))
    note_hidden({name: found})


def note_choice(name: str) -> None:
    """Print which of several rulesets with this name is used."""
    if several := _find(name):
        note_hidden({name: several})


def note_shadowed_files(paths: Iterable[str]) -> None:
    """Print which of these files share their name with another ruleset, so that only their path finds them."""
    stems = {Path(path).stem: Path(path) for path in paths if packs.is_path(path) and path != "-"}
    meant = packs.list_known() if len(stems) > 1 else {name: packs.find(name) for name in stems}
    taken = [name for name, path in stems.items() if (other := meant.get(name)) and other.resolve() != path.resolve()]
    if taken:
        names = [f"`{name}`" for name in sorted(taken)[:MOST_NAMES]] + ["…"] * (len(taken) > MOST_NAMES)
        note(t("pack.taken", names=", ".join(names), count=len(taken)))


def note_hidden(by_name: Mapping[str, Sequence[packs.Found]]) -> None:
    """Print which rulesets are hidden by others of the same name."""
    for line in describe_hidden(by_name):
        note(line)


def describe_hidden(by_name: Mapping[str, Sequence[packs.Found]]) -> list[str]:
    """Return a note for each name that several rulesets share."""
    told = {name: [*map(_describe_found, several)] for name, several in by_name.items() if len(several) > 1}
    return [t("pack.hidden", name=name, meant=one, others=", ".join(more)) for name, (one, *more) in told.items()]


def _find(name: str) -> list[packs.Found]:
    return [] if packs.is_path(name) else [*packs.candidates(name)]


def _describe_found(ruleset: packs.Found) -> str:
    return (
        t("pack.at", file=ruleset.path, where=describe_place(ruleset.place))
        if _is_described(ruleset.place)
        else str(ruleset.path)
    )


def _is_described(place: packs.Place) -> bool:
    return place.origin in ("shipped", "package")


def note_troubles() -> None:
    """Print which places cannot be used, and what they leave out."""
    for place in packs.list_places():
        for line in describe_troubles(place):
            note(line)


def describe_troubles(place: packs.Place) -> list[str]:
    """Return what is wrong with a place."""
    wrong = (
        [t(f"pack.trouble.{place.trouble}", place=describe_place(place), folder=place.folder)] if place.trouble else []
    )
    return wrong + [t("pack.left_out", file=path) for path in place.left_out()]


Opened = TypeVar("Opened")


def open_game(name: str, settings: Settings = ()) -> Game:
    """Load a game with options; print which ruleset is used if several share the name."""
    from hoyle.game.game import load

    opened = apply_settings(load, name, settings)
    note_choice(name)
    return opened


def load_ruleset(name: str, settings: Settings = ()) -> Ruleset:
    """Return the checked ruleset of a game."""
    from hoyle.checking.build import load_ruleset

    return apply_settings(lambda game, values: load_ruleset(game, values)[0], name, settings)


def load_for_comparison(name: str, settings: Settings) -> ComparedRuleset:
    """Raises Refused, or exits with 2 if an option is wrong."""
    from hoyle.differences.compared_ruleset import load_side

    return apply_settings(lambda game, values: load_side(game, values), name, settings)


def apply_settings(opened: Callable[[str, dict[str, Any]], Opened], name: str, settings: Settings) -> Opened:
    """Exit with code 2 if an option is wrong; a ruleset that is wrong without options raises Refused."""
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
    """Add to the help which options to set as well, if options exclude each other."""
    from msgspec.structs import replace

    from hoyle.checking.build import find_remedy
    from hoyle.checking.sections.options import EXCLUDED
    from hoyle.language.sentences import make_message

    if refused.cause.code != EXCLUDED:
        return list(refused.diagnostics)
    found = find_remedy(name, dict(settings), refused)
    added = " ".join(f"--set {option}={str(value).lower()}" for option, value in found.items())
    return [
        replace(d, help=make_message("set_as_well", added=added)) if found and d.code == EXCLUDED else d
        for d in refused.diagnostics
    ]
