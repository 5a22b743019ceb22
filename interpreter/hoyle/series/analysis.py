"""The choices of a record, judged one after another or shared by several processes. What is found does not depend on how many they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import Source
from hoyle.game.compiled import Rules, compile_ruleset
from hoyle.game.game import Game
from hoyle.players.bots import reach, settled
from hoyle.players.judgement import Judged, judge
from hoyle.players.record_analysis import Course, Prospects, course, sights, won_later
from hoyle.players.record_analysis import redealt as another_deal
from hoyle.players.search.driver import searching
from hoyle.running.machine import Engine
from hoyle.series.result_file import Form, Head, Kept, said_of
from hoyle.series.workers import ALONE, Worker, Workers, results

Found = TypeVar("Found")


class Order(Struct, frozen=True):
    """What is to be gone through: a record, by its name and text, the game if it is not the one it names, the kind of player that judges
    (`search:500`), and what its chance and engine are."""

    name: str
    text: str
    game: str | None
    kind: str
    seed: int
    engine: Engine

    def course(self, game: Game | None = None) -> Course:
        """`game`: the one that is meant, where it is there already. Raises Refused."""
        return course(Source(self.name, self.text), game or self.game)


def judged(
    order: Order, found: Course, numbers: Sequence[int], workers: Workers = ALONE, kept: Kept[Any] | None = None
) -> Iterator[Judged | None]:
    """What was found at these of the record's choices, in order."""
    order = _settled(order, found)
    return results(_judge(order, found), partial(_prepared, _judge, order, _rules(found)), numbers, workers, kept)


def redealt(
    order: Order, found: Course, deals: int, workers: Workers = ALONE, kept: Kept[Any] | None = None
) -> Iterator[Prospects]:
    """What seats could expect of so many other deals; nothing where nothing is dealt before somebody has to choose."""
    numbers, order = range(deals if found.is_dealt else 0), _settled(order, found)
    return results(_redeal(order, found), partial(_prepared, _redeal, order, _rules(found)), numbers, workers, kept)


def _settled(order: Order, found: Course) -> Order:
    return replace(order, kind=settled(order.kind, found.state.game, order.engine))


def _rules(found: Course) -> Rules:
    return found.state.game.ruleset, found.state.game.merged


def _prepared(work: Callable[[Order, Course], Worker[int, Found]], order: Order, rules: Rules) -> Worker[int, Found]:
    """What a process does first."""
    return work(order, order.course(Game(compile_ruleset(*rules))))


def _redeal(order: Order, found: Course) -> Worker[int, Prospects]:
    game = searching(found.state.game, order.engine)
    iterations, seconds = reach(order.kind, game)
    return lambda number: another_deal(game, number, order.seed, iterations, seconds)


def _judge(order: Order, found: Course) -> Worker[int, Judged | None]:
    game = searching(found.state.game, order.engine)
    iterations, seconds = reach(order.kind, game)
    seen = sights(game, found.decisions)

    def work(number: int) -> Judged | None:
        decision = found.decisions[number]
        before, won = frozenset(seen[:number]), won_later(found, decision)
        return judge(game, decision, order.seed, iterations, seconds, before, won)

    return work


def head_of(order: Order, found: Course, numbers: Sequence[int], deals: int) -> Head:
    """What is found of a record hangs on. Raises Refused."""
    wanted = {"record": sha256(order.text.encode()).hexdigest()[:32], "choices": numbers, "deals": deals}
    asked = {"player": _settled(order, found).kind, "seed": order.seed}
    return Head(series="analyse", hangs_on={**said_of(found.state.game), **asked, **wanted})


FORM: Form[Any] = Form(Judged | None | Prospects)
"""How both are kept, those of choices first."""
