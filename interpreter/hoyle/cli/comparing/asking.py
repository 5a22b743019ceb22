"""What `compare` and `sweep` have in common: editions that are asked for, who plays them, and the same games of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.cli.options import with_settings
from hoyle.cli.playing.seats import kind_of, kinds_of
from hoyle.cli.series import keeping, play_through, seed_for

if TYPE_CHECKING:
    from hoyle.differences.edition import Edition as Read
    from hoyle.game.game import Game
    from hoyle.running.machine import Engine
    from hoyle.running.outcomes import Tallies
    from hoyle.series.comparison import Comparison
    from hoyle.series.variants import Edition, Plan, Played
    from hoyle.series.workers import Workers


class Asked(Struct, frozen=True):
    """How to play, as it was said: games of each edition, who sits where, and who sits at all other seats."""

    games: int
    seats: str | None
    usual: str
    seed: int | None
    engine: Engine
    keep: str | None = None

    def plan(self, editions: Sequence[Edition], read: Sequence[Read]) -> Plan:
        """Raises Trouble if no such players are known, or an edition has not so many seats."""
        from hoyle.series.variants import Plan

        kinds, usual = _kinds(read, self.seats, self.usual), kind_of(self.usual)
        return Plan(tuple(editions), self.games, seed_for(self.seed, self.keep), kinds, usual, self.engine)


class Compared(Struct, frozen=True):
    """The editions as they were opened, the games of each, what came out, and the exit code."""

    games: tuple[Game, ...]
    played: tuple[list[Tallies], ...]
    found: Comparison
    code: int


def reading(edition: Edition) -> Read:
    """Raises Refused, and Trouble where what is wrong are the options."""
    from hoyle.differences.edition import edition as read

    return with_settings(lambda game, values: read(game, values), edition.game, edition.options)


def play(plan: Plan, workers: Workers, keep: str | None = None) -> Compared | None:
    """Plays and compares; None if Ctrl-C came before there was a share of each edition. Raises Refused."""
    from hoyle.series import variants
    from hoyle.series.comparison import compared
    from hoyle.series.simulate import joined

    played: list[Played] = []
    wanted = plan.games * len(plan.editions)
    with keeping(keep, lambda: variants.head_of(plan), variants.FORM) as kept:
        work = partial(variants.play, plan, workers, done=played, kept=kept)
        code = play_through(wanted, played, work, kept, variants.games_of)
    chunks = variants.by_edition(played, len(plan.editions))
    if not chunks[0]:
        return None
    games = tuple(game for game, _ in variants.opened(plan))
    return Compared(games, tuple(joined(some)[0] for some in chunks), compared(games, chunks), code)


def _kinds(read: Sequence[Read], seats: str | None, usual: str) -> tuple[str, ...]:
    """Who sits where it is said; that there is such a seat in every edition is seen to."""
    usual = kind_of(usual)
    kinds = [tuple(kinds_of(seats, one.rules.seats, people=False, usual=usual).values()) for one in read]
    return kinds[0][: len(seats.split(","))] if seats else ()
