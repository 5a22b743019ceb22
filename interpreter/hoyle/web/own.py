"""Rulesets of one's own, which stand on the shelf beside those that are shipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.game.game import load
from hoyle.resources import shipped

LIBRARY = "R613"
"""Only a game can be played."""


class Own(Struct, frozen=True):
    """Where a ruleset is, and for how many it is, as the shelf says it."""

    path: Path
    players: str

    @property
    def recorded(self) -> str:
        """What records call it: its file, without the folder."""
        return self.path.stem


Owned = Mapping[str, Own]
"""By the names of the games."""


def opened(files: Iterable[Path]) -> tuple[dict[str, Own], list[Diagnostic]]:
    """Those of these files that are games and may be played, and what is wrong with the others. A library is no game, and nothing is wrong with it;
    of several of one name the last counts."""
    found: dict[str, Own] = {}
    wrong: list[Diagnostic] = []
    for path in files:
        try:
            game = load(path)
        except Refused as refused:
            wrong += [one for one in refused.diagnostics if one.code != LIBRARY]
            continue
        may = game.ruleset.may_play
        found[game.name] = Own(game.merged.files[-1].resolve(), f"{may[0]}–{may[-1]}" if len(may) > 1 else str(may[0]))
    return found, wrong


def by_name() -> tuple[dict[str, Own], list[Diagnostic]]:
    """Those that are found by name, as `opened` gives them. What an installed package brings takes the place of nothing that is there already."""
    meant = [found[0] for found in packs.every().values() if found[0].place.origin != "shipped"]
    brought, wrong = opened(one.path for one in meant if one.place.origin == "package")
    mine, more = opened(one.path for one in reversed(meant) if one.place.origin != "package")
    kept = {name: own for name, own in brought.items() if name not in shipped()}
    return {**kept, **mine}, [*wrong, *more]


def files_of(owned: Owned) -> dict[str, Path]:
    """All rulesets by name: one's own in the place of a shipped one that is called so."""
    return {**shipped(), **{name: own.path for name, own in owned.items()}}
