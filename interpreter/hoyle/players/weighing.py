"""What a search has to say of the moves of a decision: what each comes to, how sure that is, and how play goes on after the best."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from hoyle.game.compiled import Compiled
from hoyle.game.seen import Seen
from hoyle.players.knowledge import Knowledge
from hoyle.players.lines import OFTEN, Step, certain_line, line
from hoyle.players.search import MOST, Hunt, go_on, hunted
from hoyle.players.solving import certain, ending_in
from hoyle.players.winning import SHARE as SOUGHT
from hoyle.players.winning import Key, Won, may_be_known, winning_way
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.solved import Ending, Fate, Known, Worth
from hoyle.running.state import Core
from hoyle.running.tried import Bounds, Outcome, Tried

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
    tried: Tried | Known
    outcome: Outcome | Fate

    @property
    def is_won(self) -> bool:
        """Does it win for certain?"""
        return self.outcome.is_exact and self.outcome.over >= 1 and self.outcome.share >= 1

    @property
    def is_often(self) -> bool:
        """Was it tried often enough to go by?"""
        return min(self.tried.tried, self.outcome.games) >= OFTEN or self.outcome.is_exact

    @property
    def share(self) -> tuple[float, float]:
        """Of the win, in hundredths, and how far that may be off, both as they are told."""
        if self.outcome.is_exact:
            return round(100 * self.outcome.share, 1), 0.0
        return round(100 * self.outcome.share), max(1, round(100 * self.outcome.share_error))

    @property
    def gain(self) -> tuple[float, float]:
        """The same of what it gains, in points."""
        if self.outcome.is_exact:
            return self.outcome.gain, 0.0
        return round(self.outcome.gain, 1), max(0.1, round(self.outcome.gain_error, 1))

    def standing(self, ended: bool) -> tuple[float, float, float]:
        """What sorts the best last by what people are told: its share of the win where games were played to their end, and what it gains; of moves of which
        the same is told, by what they are worth to a search."""
        return self.share[0] if ended else 0.0, self.gain[0], self.tried.mean

    @property
    def ended(self) -> bool:
        """Were games after it played to their end, all or nearly all?"""
        return self.outcome.over >= ENDED * self.outcome.games > 0


class Weighed(Struct, frozen=True):
    """The moves, and how play went on mostly after those of the best that are `followed`. Before all others stand those that are told (`foremost`)."""

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
    def told(self) -> list[Weight]:
        """The best, by what is told of them, the best first."""
        return foremost(self.moves)

    @property
    def ended(self) -> bool:
        """Are they told by their share of the win?"""
        return all(one.ended for one in self.told)

    @property
    def is_alike(self) -> bool:
        """Is the same share of the win told of the two best, so that only points part them?"""
        return len({one.share[0] for one in self.told[:2]}) == 1 < len(self.told)

    @property
    def is_close(self) -> bool:
        """Do the figures of the two best that part them overlap, as they are told?"""
        if len(self.told) < 2:
            return False
        (first, *one), (second, *other) = (
            weight.share if self.ended and not self.is_alike else weight.gain for weight in self.told[:2]
        )
        return first - second <= sum((*one, *other)) + NEXT_TO_NOTHING


def foremost(found: Sequence[Weight]) -> list[Weight]:
    """Of the first of the moves, which were tried most, those that are told, the best first: nothing is told of what was tried once. What was tried
    a few times beside what was tried often may have been lucky: it is told only if it stands no higher. What gets ahead without winning is worth something to a search, but nobody
    understands why 0 of 100 should stand above 5, nor fewer points above more."""
    some = [one for one in found[:FOREMOST] if one.outcome.tells]
    often = [one for one in some if one.is_often] or some
    ended = all(one.ended for one in often)
    best = max((one.standing(ended) for one in often), default=())
    told = [one for one in some if one in often or (one.ended >= ended and one.standing(ended) <= best)]
    return sorted(told, key=lambda one: one.standing(ended), reverse=True) or [*found[:1]]


def followed(told: Sequence[Weight]) -> list[Weight]:
    """Of the moves that are told, best first: the best and the next that was tried often enough to know how play goes on after it, if one was."""
    often = [one for one in told[1:] if one.is_often]
    return [*told[:1], *(often or told[1:])[:1]]


def _told_first(found: Sequence[Weight]) -> list[Weight]:
    told = foremost(found)
    return [*told, *(one for one in found if one not in told)]


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
    found = _told_first(found)
    games = sum(weight.tried.tried for weight in found)
    return (
        Weighed(found, games, tuple(line(game, hunt, one.number) for one in followed(foremost(found))))
        if games
        else None
    )


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
    ended = all(one.ended for one in found)
    found = _told_first(sorted(found, key=lambda one: one.standing(ended), reverse=True))
    two = (sure_line(game, state, one.number, bounds, seconds) for one in followed(foremost(found)))
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
