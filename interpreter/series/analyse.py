"""The choices of a record, judged one after another or shared by several processes. What is found does not depend on how many they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from interpreter.diagnostics import Source
from interpreter.players.analysis import Course, course, sights
from interpreter.players.hindsight import won_later
from interpreter.players.judging import Judged, judge
from interpreter.players.redeals import Prospects
from interpreter.players.redeals import redealt as another_deal
from interpreter.players.search import searching
from interpreter.players.seats import reach
from interpreter.running.machine import Engine
from interpreter.series.crew import shared


class Order(Struct, frozen=True):
    """What is to be gone through: a record, by its name and text, the game if it is not the one it names, the kind of player that judges
    (`search:500`), and what its chance and engine are."""

    name: str
    text: str
    game: str | None
    kind: str
    seed: int
    engine: Engine

    def course(self) -> Course:
        """Raises Refused."""
        return course(Source(self.name, self.text), self.game)


def judged(order: Order, found: Course, numbers: list[int], jobs: int) -> Iterator[Judged | None]:
    """What was found at these of the record's choices, in order."""
    if jobs == 1 or len(numbers) < 2:
        return map(_judge(order, found), numbers)
    return shared(partial(_prepared, order), numbers, min(jobs, len(numbers)))


def redealt(order: Order, found: Course, deals: int, jobs: int) -> Iterator[Prospects]:
    """What seats could expect of so many other deals; nothing where nothing is dealt before somebody has to choose."""
    numbers = [*range(deals)] if found.is_dealt else []
    if jobs == 1 or len(numbers) < 2:
        return map(_redeal(order, found), numbers)
    return shared(partial(_prepared_to_deal, order), numbers, min(jobs, len(numbers)))


def _prepared_to_deal(order: Order) -> Callable[[int], Prospects]:
    return _redeal(order, order.course())


def _redeal(order: Order, found: Course) -> Callable[[int], Prospects]:
    game = searching(found.state.game, order.engine)
    iterations, seconds = reach(order.kind, game)
    return lambda number: another_deal(game, number, order.seed, iterations, seconds)


def _prepared(order: Order) -> Callable[[int], Judged | None]:
    return _judge(order, order.course())


def _judge(order: Order, found: Course) -> Callable[[int], Judged | None]:
    game = searching(found.state.game, order.engine)
    iterations, seconds = reach(order.kind, game)
    seen = sights(game, found.decisions)

    def work(number: int) -> Judged | None:
        decision = found.decisions[number]
        before, won = frozenset(seen[:number]), won_later(found, decision)
        return judge(game, decision, order.seed, iterations, seconds, before, won)

    return work
