"""A move judged: what it cost against the best that its seat could know of."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from interpreter.game.compiled import Compiled
from interpreter.game.seen import Seen
from interpreter.players.knowledge import Knowledge
from interpreter.players.lines import OFTEN, Step, line
from interpreter.players.search import MOST, Hunt, go_on, hunted
from interpreter.players.solving import certain, ending_of
from interpreter.players.weighing import NEXT_TO_NOTHING, Weight, certain_weights, sure_line, weights
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Core
from interpreter.running.tried import Bounds, Outcome, Tried

ERROR = 0.05
"""A move that costs at least so much is an error, if it surely costs something."""
NOTABLE = 0.005
"""What costs less is not worth telling."""
OTHERS = 2
"""Moves that are tried again beside the best and the one that was made."""
SURE = 2.0
"""What a move costs is sure, if it is more than so many standard errors."""


class Decision(Struct, frozen=True):
    """A choice that was made: after how many moves, by whom, in which state and what that seat saw of it, by its number among the legal ones; how far each
    side was ahead; and what whoever chose knew besides what it saw."""

    number: int
    actor: int
    core: Core
    seen: Seen
    made: int
    lead: list[float]
    knowledge: Knowledge | None


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

    @property
    def loss(self) -> float:
        """What the move that was made costs, as a share of a win; less than nothing if it turned out better than what the search speaks for."""
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
        return self.best.outcome.gain - self.own.outcome.gain

    @property
    def is_sure(self) -> bool:
        return self.loss > SURE * self.error + NEXT_TO_NOTHING

    @property
    def is_notable(self) -> bool:
        """Did it surely cost something worth telling?"""
        return self.is_sure and self.loss >= NOTABLE

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
) -> Judged | None:
    """What the move was worth that was made, from what its seat saw; None if no state could be imagined that looks so. If the search speaks for another,
    both are tried as often again, or as long, in the same worlds and with the same chance. `before`: of who plays alone what was seen at earlier choices."""
    most = iterations or MOST
    solved = _solved(game, decision, Bounds(most), seconds)
    if solved is not None:
        return solved
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
