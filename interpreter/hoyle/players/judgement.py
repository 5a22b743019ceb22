"""A move judged: what it cost against the best that its seat could know of."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.move_evaluation import (
    NEXT_TO_NOTHING,
    OFTEN,
    Step,
    Weight,
    certain_weight,
    certain_weights,
    line,
    line_of,
    sure_line,
    weights,
)
from hoyle.players.search.driver import MOST, Hunt, go_on, hunted
from hoyle.players.search.endgame import certain, ending_of
from hoyle.players.search.win_search import SHARE, Won, may_be_known, winning_way, winning_way_with, worth_of_win
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Outcome, Tried
from hoyle.running.state import Core

ERROR = 0.05
"""A move that costs at least so much is an error, if it surely costs something."""
NOTABLE = 0.005
"""What costs less is not worth telling."""
DEAR = 0.5
"""Points: who loses fewer by a move need not be told."""
OTHERS = 2
"""Moves that are tried again beside the best and the one that was made."""
AFTER, INSTEAD = 7, 8
"""Uses of chance: ways to win with the move that was made, and with any."""
SURE = 2.0
"""What a move costs is sure, if it is more than so many standard errors."""


class Decision(Struct, frozen=True):
    """A choice that was made: after how many moves, by whom, in which state and what that seat saw of it, by its number among the legal ones; how far each
    side was ahead; what whoever chose knew besides what it saw; and how often chance had had a part before."""

    number: int
    actor: int
    core: Core
    seen: RedactedState
    made: int
    lead: list[float]
    knowledge: Knowledge | None
    drawn: int = 0


class Way(Struct, frozen=True):
    """A way to win that is known for certain: the number of the move that it begins with, what it gains, and how it goes on."""

    number: int
    gained: float
    line: tuple[Step, ...] = ()


class Judged(Struct, frozen=True):
    """What a search found at a decision: of each move, the best first. If another than the best was made, `own` and `best` are what games found
    that were played afterwards, as many of each; and if that surely cost something, `line` is how play went on mostly after the best, and `others` are moves
    that were better too, found alike."""

    number: int
    actor: int
    moves: list[Weight]
    best: Weight
    own: Weight
    line: tuple[Step, ...] = ()
    others: tuple[Weight, ...] = ()
    way: Way | None = None
    """One that was known before the move. If the move is part of it, that is certain, and nothing was lost; else none was found that it is part of,
    which proves nothing."""

    @property
    def is_kept(self) -> bool:
        """Is a way to win known that the move is part of? Then what it comes to is that of the way, and not of games."""
        return self.way is not None and self.way.number == self.own.number

    @property
    def has_left(self) -> bool:
        """Was another move made than one after which a way to win was known?"""
        return self.way is not None and not self.is_kept

    @property
    def loss(self) -> float:
        """What the move that was made costs, as a share of a win: nothing if it turned out better than what the search speaks for."""
        return max(0.0, self.apart)

    @property
    def apart(self) -> float:
        """The same as games found it, which may be less than nothing: over many moves that makes up for what is found too great."""
        return self.best.tried.mean - self.own.tried.mean

    @property
    def is_exact(self) -> bool:
        """Is that known for certain, and not from games?"""
        return self.best.outcome.is_exact

    @property
    def error(self) -> float:
        """The standard error of that."""
        return math.hypot(self.best.tried.error, self.own.tried.error) if self.best.number != self.own.number else 0.0

    @property
    def points(self) -> float:
        """What it costs in points, by what wins first."""
        return max(0.0, self.points_apart)

    @property
    def points_apart(self) -> float:
        """The same as games found it."""
        return self.best.outcome.gain - self.own.outcome.gain

    @property
    def is_sure(self) -> bool:
        return self.loss > SURE * self.error + NEXT_TO_NOTHING

    @property
    def is_notable(self) -> bool:
        """Did it surely cost something worth telling? Of two moves the better is told with the better figures, or not at all."""
        ended = self.own.ended and self.best.ended
        return self.is_sure and self.loss >= NOTABLE and self.best.standing(ended) > self.own.standing(ended)

    @property
    def is_dear(self) -> bool:
        """Did it surely cost points?"""
        if self.best.number == self.own.number or not (self.best.outcome.tells and self.own.outcome.tells):
            return False
        error = math.hypot(self.best.outcome.gain_error, self.own.outcome.gain_error)
        return self.points >= DEAR and self.points > SURE * error

    @property
    def is_error(self) -> bool:
        return self.is_sure and self.loss >= ERROR


def judge(
    game: Compiled,
    decision: Decision,
    seed: int,
    iterations: int | None,
    seconds: float | None = None,
    before: frozenset[Hashable] = frozenset(),
    won: float | None = None,
) -> Judged | None:
    """What the move was worth that was made, from what its seat saw; None if no state could be imagined that looks so. If the search speaks for another,
    both are tried as often again, or as long, in the same worlds and with the same chance. `before`: of who plays alone what was seen at earlier choices; `won`: what was
    gained later, if that is known to have been a way to win."""
    most = iterations or MOST
    solved = _solved(game, decision, Bounds(most), seconds)
    if solved is not None:
        return solved
    if won is not None:
        return kept(decision, won)
    way = _way(game, decision, seed, Bounds(most), seconds)
    if way is not None and way.number == decision.made:
        return kept(decision, way.worth.gained)
    left = seconds if seconds is None or not may_be_known(game, decision.seen) else (1 - SHARE) * seconds
    found = _by_games(game, decision, seed, most, left, before)
    if found is None or way is None:
        return found
    return replace(found, way=Way(way.number, way.worth.gained, tuple(line_of(game, way))))


def _way(game: Compiled, decision: Decision, seed: int, bounds: Bounds, seconds: float | None) -> Won | None:
    """A way to win that is found: one that begins with the move that was made, or else any."""
    seen, half = decision.seen, None if seconds is None else seconds / 2
    chances = (Chance.stream(seed, decision.number, use) for use in (AFTER, INSTEAD))
    with_it = winning_way_with(game, seen, decision.made, bounds, next(chances), half)
    return with_it or winning_way(game, seen, bounds, next(chances), half)


def kept(decision: Decision, gained: float) -> Judged:
    """A way to win was known before the move and after it; what it gains."""
    sure = certain_weight(decision.made, worth_of_win(gained))
    return Judged(decision.number, decision.actor, [sure], sure, sure, way=Way(decision.made, gained))


def _by_games(
    game: Compiled,
    decision: Decision,
    seed: int,
    most: int,
    seconds: float | None,
    before: frozenset[Hashable],
) -> Judged | None:
    """What games say that are tried out."""
    chance = Chance.stream(seed, decision.number, PLAYER)
    hunt = hunted(game, decision.seen, chance, Bounds(most), seconds, before, decision.knowledge)
    if hunt is None:
        return None
    found = weights(hunt)
    best, own = found[0], _made(found, decision)
    if best.tried != own.tried:  # else it is the best, or cannot be told from it
        best, own = (_tried_again(game, hunt, weight, most, seconds) for weight in (best, own))
    one = Judged(decision.number, decision.actor, found, best, own)
    if not one.is_notable:
        return one
    others = [_tried_again(game, hunt, weight, most, seconds) for weight in _better(one)]
    return replace(one, line=tuple(line(game, hunt, best.number)), others=_better_still(one, others))


def _solved(game: Compiled, decision: Decision, bounds: Bounds, seconds: float | None) -> Judged | None:
    """The same where it can be worked out."""
    seen, known = decision.seen, decision.knowledge
    ending = ending_of(game, seen, bounds, seconds, known, every=True)
    if ending is None or ending.worths[decision.made] is None:
        return None
    found = certain_weights(ending)
    one = Judged(decision.number, decision.actor, found, found[0], _made(found, decision))
    state = certain(game, seen, known) if one.is_notable else None
    if state is None:
        return one
    steps = sure_line(game, state, found[0].number, bounds, seconds)
    return replace(one, line=steps, others=_better_still(one, _better(one)))


def _better(one: Judged) -> list[Weight]:
    """The best of the moves besides that were better than the one that was made, as far as the search itself shows. Of those that whoever chose could not tell
    apart one is enough."""
    own, known = _of_number(one.moves, one.own.number), [one.best.number, one.own.number]
    told = [_of_number(one.moves, number).tried for number in known]
    found = list[Weight]()
    for weight in sorted(one.moves, key=lambda weight: -weight.tried.mean):
        often = weight.outcome.is_exact or (weight.tried.tried >= OFTEN and weight.tried not in told)
        if often and weight.number not in known and weight.tried.mean > own.tried.mean + NEXT_TO_NOTHING:
            told.append(weight.tried)
            found.append(weight)
    return found[:OTHERS]


def _better_still(one: Judged, others: Sequence[Weight]) -> tuple[Weight, ...]:
    """Those that are better when they are tried again, the best first."""
    found = [weight for weight in others if weight.tried.mean > one.own.tried.mean]
    return tuple(sorted(found, key=lambda weight: -weight.tried.mean))


def _made(found: Sequence[Weight], decision: Decision) -> Weight:
    return _of_number(found, decision.made)


def _of_number(found: Sequence[Weight], number: int) -> Weight:
    return next(weight for weight in found if weight.number == number)


def _tried_again(game: Compiled, hunt: Hunt, weight: Weight, most: int, seconds: float | None) -> Weight:
    """A move as games find it that were not played to find the best: what was chosen because it looked best looks better than it is."""
    before = _of(hunt, weight.number)
    with game.machine.uncounted():
        go_on(hunt, most, most, seconds, weight.number)
    after = _of(hunt, weight.number)
    return Weight(weight.number, without(after.tried, before.tried), without(after.outcome, before.outcome))


def _of(hunt: Hunt, number: int) -> Weight:
    return Weight(number, hunt.found()[number], hunt.outcomes()[number])


Sums = TypeVar("Sums", Tried, Outcome)


def without(all_: Sums, some: Sums) -> Sums:
    """The sums of those games that are not among some."""
    return type(all_)(*(getattr(all_, name) - getattr(some, name) for name in all_.__struct_fields__))
