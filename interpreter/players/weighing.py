"""What a search has to say of the moves of a decision: what each comes to, how sure that is, and how play goes on after the best."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct, structs

from interpreter.game.compiled import Compiled
from interpreter.game.seen import Seen
from interpreter.players.knowledge import Knowledge
from interpreter.players.lines import OFTEN, Step, certain_line, line
from interpreter.players.search import MOST, Hunt, go_on, hunted
from interpreter.players.solving import certain, ending_in
from interpreter.players.winning import SHARE as SOUGHT
from interpreter.players.winning import Key, Won, may_be_known, winning_way
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.solved import Ending, Fate, Known, Worth
from interpreter.running.state import Core
from interpreter.running.tried import Bounds, Outcome, Tried

DOUBT = 0.25
"""Of a search, what goes into the second best move alone: why it is worse shows only if it is tried often."""
FOREMOST = 3
"""Moves that are put in the order of what they came to."""
ENDED = 0.9
"""Of the games, where they are said to have been played to their end."""
NEXT_TO_NOTHING = 1e-9
"""Numbers that are the same may differ by so much, if they were worked out in different ways."""


class Weight(Struct, frozen=True):
    """What speaks for a move, given by its number among the legal ones."""

    number: int
    tried: Tried
    outcome: Outcome

    @property
    def is_won(self) -> bool:
        """Does it win for certain?"""
        return self.outcome.is_exact and self.outcome.over >= 1 and self.outcome.share >= 1

    @property
    def is_often(self) -> bool:
        """Was it tried often enough to go by?"""
        return self.tried.tried >= OFTEN or self.outcome.is_exact

    @property
    def told(self) -> int:
        """What sorts the best first by what people are told: its share of the win, in hundredths."""
        return -round(100 * self.outcome.share)

    @property
    def ended(self) -> bool:
        """Were games after it played to their end, all or nearly all?"""
        return self.outcome.over >= ENDED * self.outcome.games > 0


class Weighed(Struct, frozen=True):
    """The moves, the best first, and how play went on mostly after the two best. Before all others stand those that were tried most, which a player that searches chooses
    from, in the order of what they came to."""

    moves: list[Weight]
    games: int
    lines: tuple[Sequence[Step], ...] = ()
    is_exact: bool = False
    """Is nothing guessed, because everything that can still happen was gone through, or a way to win is known?"""
    won: Won | None = None
    """The way, of which the only move that is told is the first."""
    sought: bool = False
    """Was a way looked for?"""

    @property
    def is_close(self) -> bool:
        """Is the best not certainly better than the second, by what both are worth or by what is told of them? Of one that was tried once nothing is."""
        if len(self.moves) < 2 or not self.moves[1].outcome.tells:
            return False
        first, second = self.moves[:2]
        worth = _apart(first.tried.mean, second.tried.mean, first.tried.error, second.tried.error)
        return not (worth and _told_apart(first, second))


def _apart(first: float, second: float, *errors: float) -> bool:
    """Is the first surely more?"""
    return first - second > math.hypot(*errors) + NEXT_TO_NOTHING


def _told_apart(first: Weight, second: Weight) -> bool:
    """The same of the figures that are told: shares of the win, where games were played to their end and differ by that; else by how much one gets ahead."""
    one, other = first.outcome, second.outcome
    if first.ended and second.ended and one.share != other.share:
        return _apart(one.share, other.share, one.share_error, other.share_error)
    return _apart(one.gain, other.gain, one.gain_error, other.gain_error)


def weigh(
    game: Compiled,
    seen: Seen,
    decisions: int,
    seconds: float,
    iterations: int | None = None,
    knowledge: Knowledge | None = None,
    ways: dict[Key, int] | None = None,
) -> Weighed | None:
    """The moves (two or more) of a seat that sees this, after so many decisions; None if nothing speaks for any of them. `iterations`: so many
    games, however long it takes; then the same is found everywhere. `knowledge`: what the seat knows besides what it sees now; `ways`: what is to be
    chosen on ways to win that were found before, to which the one is added that is found now."""
    bounds, limit = Bounds(iterations or MOST), None if iterations is not None else seconds
    sure = _certainly(game, seen, bounds, limit, knowledge) or _won(game, seen, decisions, bounds, limit, ways)
    if sure is not None:
        return sure
    sought = may_be_known(game, seen)
    left = (1 - SOUGHT) * seconds if sought else seconds
    found = _searched(game, seen, decisions, bounds, None if limit is None else left, knowledge)
    return structs.replace(found, sought=sought) if found is not None else None


def _searched(
    game: Compiled, seen: Seen, decisions: int, bounds: Bounds, seconds: float | None, knowledge: Knowledge | None
) -> Weighed | None:
    """What a search says of them."""
    most, chance = bounds.iterations, Chance.stream(decisions, 1, PLAYER)
    doubt = int(DOUBT * most)
    rest = None if seconds is None else (1 - DOUBT) * seconds
    hunt = hunted(game, seen, chance, Bounds(most - doubt), rest, knowledge=knowledge)
    if hunt is None:
        return None
    order = [weight.number for weight in weights(hunt)]
    with game.machine.uncounted():
        go_on(hunt, most - doubt, doubt, None if seconds is None else DOUBT * seconds, order[1])
    found = sorted(weights(hunt), key=lambda weight: order.index(weight.number))
    found = in_order(found[:FOREMOST]) + found[FOREMOST:]
    games = sum(weight.tried.tried for weight in found)
    return Weighed(found, games, tuple(line(game, hunt, one.number) for one in found[:2])) if games else None


def in_order(found: Sequence[Weight]) -> list[Weight]:
    """By what they came to, and by what is told of that first: where all were played to their end, the share of the win in hundredths. What
    gets ahead without winning is worth something, too, but nobody understands why 0 of 100 should stand above 5. What was tried a few times only may
    have been lucky."""
    ended = all(one.ended for one in found)
    return sorted(found, key=lambda one: (not one.is_often, one.told if ended else 0, -one.tried.mean))


def _certainly(
    game: Compiled, seen: Seen, bounds: Bounds, seconds: float | None, knowledge: Knowledge | None
) -> Weighed | None:
    """The same where it can be worked out."""
    with game.machine.uncounted():
        state = certain(game, seen, knowledge)
        ending = ending_in(game, state, bounds, seconds, every=True) if state is not None else None
    if state is None or ending is None:
        return None

    found = certain_weights(ending)
    two = (sure_line(game, state, one.number, bounds, seconds) for one in found[:2])
    return Weighed(found, 0, tuple(two), is_exact=True)


def sure_line(game: Compiled, state: Core, number: int, bounds: Bounds, seconds: float | None) -> tuple[Step, ...]:
    """How an ending goes on at best that was solved, after this move."""

    def best(core: Core) -> int | None:
        found = ending_in(game, core, bounds, seconds)
        return found.best if found is not None else None

    return tuple(certain_line(game, state, number, best))


def _won(
    game: Compiled,
    seen: Seen,
    decisions: int,
    bounds: Bounds,
    seconds: float | None,
    ways: dict[Key, int] | None,
) -> Weighed | None:
    """The same where a way to win is found, or known."""
    won = winning_way(game, seen, bounds, Chance.stream(decisions, 2, PLAYER), seconds, ways)
    if won is None:
        return None
    if ways is not None:
        ways |= won.chosen
    return Weighed([certain_weight(won.number, won.worth)], 0, (line_of(game, won),), is_exact=True, won=won)


def line_of(game: Compiled, won: Won) -> list[Step]:
    """How a way to win begins."""
    return certain_line(game, won.core, won.number, lambda core: won.chosen.get(core.key()))


def certain_weight(number: int, worth: Worth) -> Weight:
    """A move by its number, of which it is known what it comes to."""
    outcome = Fate(1, worth.over, worth.won, worth.won**2, worth.gained, worth.gained**2)
    return Weight(number, Known(1, 1, worth.reward, worth.reward**2), outcome)


def certain_weights(ending: Ending) -> list[Weight]:
    """What each move of an ending comes to that was solved, the best first."""
    found = [certain_weight(number, one) for number, one in enumerate(ending.worths) if one is not None]
    return sorted(found, key=lambda one: (-one.tried.total, one.number))


def weights(hunt: Hunt) -> list[Weight]:
    """What a search found of each move, the best first."""
    both = enumerate(zip(hunt.found(), hunt.outcomes(), strict=True))
    found = [Weight(number, tried, outcome) for number, (tried, outcome) in both]
    return sorted(found, key=lambda one: (-one.tried.tried, -one.tried.mean))
