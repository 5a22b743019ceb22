"""Judge the choices of a record, in this process or by workers. The results do not depend on their number."""

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
from hoyle.players.bots import find_limits, resolve_kind
from hoyle.players.judgement import Judgement, judge
from hoyle.players.record_analysis import Prospects, RecordedGame, find_later_win, list_views, read_record
from hoyle.players.record_analysis import play_other_deal as another_deal
from hoyle.players.search.driver import prepare_search
from hoyle.running.machine import Engine
from hoyle.series.result_file import Header, ResultFile, ResultFormat, describe_game
from hoyle.series.workers import ALONE, Worker, Workers, run_tasks

Found = TypeVar("Found")


class Order(Struct, frozen=True):
    """A record to analyse: its name and text, and the bot (`search:500`), seed and engine that judge it.

    `game` replaces the game that the record names.
    """

    name: str
    text: str
    game: str | None
    kind: str
    seed: int
    engine: Engine

    def course(self, game: Game | None = None) -> RecordedGame:
        """Read the record, for `game` if it is given. Raises Refused."""
        return read_record(Source(self.name, self.text), game or self.game)


def judge_choices(
    order: Order,
    found: RecordedGame,
    numbers: Sequence[int],
    workers: Workers = ALONE,
    kept: ResultFile[Any] | None = None,
) -> Iterator[Judgement | None]:
    """Yield the judgements of these choices in order."""
    order = _settled(order, found)
    return run_tasks(_judge(order, found), partial(_prepared, _judge, order, _rules(found)), numbers, workers, kept)


def play_other_deals(
    order: Order, found: RecordedGame, deals: int, workers: Workers = ALONE, kept: ResultFile[Any] | None = None
) -> Iterator[Prospects]:
    """Yield the prospects of seats in other deals; none if nothing is dealt before the first choice."""
    numbers, order = range(deals if found.is_dealt else 0), _settled(order, found)
    return run_tasks(_redeal(order, found), partial(_prepared, _redeal, order, _rules(found)), numbers, workers, kept)


def _settled(order: Order, found: RecordedGame) -> Order:
    return replace(order, kind=resolve_kind(order.kind, found.state.game, order.engine))


def _rules(found: RecordedGame) -> Rules:
    return found.state.game.ruleset, found.state.game.merged


def _prepared(
    work: Callable[[Order, RecordedGame], Worker[int, Found]], order: Order, rules: Rules
) -> Worker[int, Found]:
    """Load the game in a worker process and return its work."""
    return work(order, order.course(Game(compile_ruleset(*rules))))


def _redeal(order: Order, found: RecordedGame) -> Worker[int, Prospects]:
    game = prepare_search(found.state.game, order.engine)
    iterations, seconds = find_limits(order.kind, game)
    return lambda number: another_deal(game, number, order.seed, iterations, seconds)


def _judge(order: Order, found: RecordedGame) -> Worker[int, Judgement | None]:
    game = prepare_search(found.state.game, order.engine)
    iterations, seconds = find_limits(order.kind, game)
    seen = list_views(game, found.decisions)

    def work(number: int) -> Judgement | None:
        decision = found.decisions[number]
        before, won = frozenset(seen[:number]), find_later_win(found, decision)
        return judge(game, decision, order.seed, iterations, seconds, before, won)

    return work


def make_header(order: Order, found: RecordedGame, numbers: Sequence[int], deals: int) -> Header:
    """Return everything on which the results depend. Raises Refused."""
    wanted = {"record": sha256(order.text.encode()).hexdigest()[:32], "choices": numbers, "deals": deals}
    asked = {"player": _settled(order, found).kind, "seed": order.seed}
    return Header(series="analyse", hangs_on={**describe_game(found.state.game), **asked, **wanted})


FORMAT: ResultFormat[Any] = ResultFormat(Judgement | None | Prospects)
"""Format of results in a file: judgements first, then prospects."""
