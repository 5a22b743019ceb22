"""Play the same games with several rulesets, variants or option values.

Game number i has the same random streams in all of them, so that luck cancels out of their differences (common random
numbers; Law, Simulation Modeling and Analysis, chapter 11).
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.build import load_ruleset
from hoyle.checking.sections.options import EXCLUDED
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.game.compiled import Rules, compile_ruleset
from hoyle.game.game import Game
from hoyle.game.playouts import REPAYS
from hoyle.native.engine_builder import is_ready
from hoyle.running.machine import Engine
from hoyle.series.result_file import Header, ResultFile, ResultFormat, describe_game
from hoyle.series.simulate import (
    Chunk,
    Order,
    Plain,
    choose_engine,
    count_games,
    load_traced,
    pack_chunk,
    play_games,
    resolve_players,
    unpack_chunk,
)
from hoyle.series.workers import ALONE, Tick, Worker, Workers, collect, run_tasks

SHARES = 32
"""Minimum number of chunks into which the games of a variant are divided, if there are as many games."""
MOST = 1024
"""Maximum number of games in a chunk."""

Share = tuple[int, range]
"""Number of a variant, and a range of its games."""
Played = tuple[int, Chunk]
"""Number of a variant, and the results of a chunk of its games."""


class Variant(Struct, frozen=True):
    """A ruleset with options, as on the command line."""

    game: str
    options: tuple[tuple[str, Any], ...] = ()


class Plan(Struct, frozen=True):
    """Variants and games to play. `kinds` are the bots by seat; `usual` is the bot of all other seats."""

    editions: tuple[Variant, ...]
    games: int
    seed: int
    kinds: tuple[str, ...] = ()
    usual: str = "random"
    engine: Engine = "auto"

    def shares(self) -> Iterator[Share]:
        """Yield chunks. The variants take turns with the same games, so that a stopped series has pairs."""
        size = max(1, min(MOST, self.games // SHARES))
        for start in range(0, self.games, size):
            for number in range(len(self.editions)):
                yield number, range(start, min(start + size, self.games))


def load_games(plan: Plan) -> list[tuple[Game, Order]]:
    """Load the variants, compiled so that they count uses of rules. Raises Refused."""
    return [_opened(plan, edition) for edition in plan.editions]


def _opened(plan: Plan, edition: Variant) -> tuple[Game, Order]:
    order = Order(edition.game, edition.options, plan.seed, (), plan.engine)
    game = load_traced(order)
    others = len(game.seats) - len(plan.kinds)
    return game, resolve_players(game, replace(order, kinds=(*plan.kinds, *[plan.usual] * others)[: len(game.seats)]))


def play_plan(
    plan: Plan,
    workers: Workers = ALONE,
    tick: Tick = lambda done: None,
    done: list[Played] | None = None,
    kept: ResultFile[Played] | None = None,
) -> list[list[Chunk]]:
    """Play the games of a plan and return the chunks of each variant in order.

    Args:
        plan: variants and games to play.
        workers: processes or a cluster to use.
        tick: called with the number of games that were finished since the last call.
        done: list that receives the results, so that they survive an interrupt.
        kept: file of results.

    Raises:
        Refused: a variant cannot be loaded or played.
    """
    done = [] if done is None else done
    collect(_portions(plan, workers, kept), done, tick, count_variant_games)
    return group_by_variant(done, len(plan.editions))


def count_variant_games(played: Played) -> int:
    """Return the number of games in a result."""
    return count_games(played[1])


def group_by_variant(done: Sequence[Played], editions: int) -> list[list[Chunk]]:
    """Group results by variant. If the series was stopped, unpaired chunks are dropped."""
    found = [[chunk for number, chunk in done if number == wanted] for wanted in range(editions)]
    whole = min(map(len, found))
    return [chunks[:whole] for chunks in found]


def _portions(plan: Plan, workers: Workers, kept: ResultFile[Played] | None) -> Generator[Played, None, None]:
    """Play one chunk of each variant in this process, then let workers play the others.

    The time of the first chunk shows whether building the native engine pays off.
    """
    games, todo = load_games(plan), plan.shares()
    yield from (played for _, played in kept.take(todo)) if kept is not None else ()
    orders = [order for _, order in games]
    for share in islice(todo, len(games)):
        (number, indices), began = share, time.perf_counter()
        yield from run_tasks(_once(games), partial(_once, games), [share], ALONE, kept)
        left = (time.perf_counter() - began) / len(indices) * (plan.games - indices.stop)
        if orders[number].engine == "auto" and left / workers.jobs <= REPAYS:
            orders[number] = replace(orders[number], engine="python")
    yield from _others(games, orders, todo, workers, kept)


def _others(
    games: Sequence[tuple[Game, Order]],
    orders: Sequence[Order],
    todo: Iterator[Share],
    workers: Workers,
    kept: ResultFile[Played] | None,
) -> Generator[Played, None, None]:
    """Choose and build engines, then let workers play these chunks."""
    here = [choose_engine(game, order) for (game, _), order in zip(games, orders, strict=True)]
    prepare = partial(_prepared, orders, [(game.ruleset, game.merged) for game, _ in games])
    yield from run_tasks(_played(here), prepare, todo, workers, kept)


def _once(games: Sequence[tuple[Game, Order]]) -> Worker[Share, Played]:
    return lambda share: (share[0], play_games(*_at_first(*games[share[0]]), share[1]))


def _at_first(game: Game, order: Order) -> tuple[Game, Order]:
    """Use Python for the first chunk, unless an engine is demanded or ready."""
    waits = order.engine == "auto" and order.is_random and not is_ready(game.ruleset, game.machine)
    return (game, replace(order, engine="python")) if waits else choose_engine(game, order)


def _played(games: Sequence[tuple[Game, Order]]) -> Worker[Share, Played]:
    return lambda share: (share[0], play_games(*games[share[0]], share[1]))


def _prepared(orders: Sequence[Order], rules: Sequence[Rules]) -> Worker[Share, Played]:
    """Return the work of a process: it loads each game once and plays its chunks."""
    loaded: dict[int, tuple[Game, Order]] = {}

    def work(share: Share) -> Played:
        number, indices = share
        if number not in loaded:
            loaded[number] = choose_engine(Game(compile_ruleset(*rules[number], trace=True)), orders[number])
        return number, play_games(*loaded[number], indices)

    return work


# Format in a result file


def make_header(plan: Plan) -> Header:
    """Return everything on which the games of a plan depend. Raises Refused."""
    found = [{**describe_game(game), "seats": order.kinds} for game, order in load_games(plan)]
    return Header(series="editions", hangs_on={"editions": found, "seed": plan.seed, "games": plan.games})


FORMAT: ResultFormat[Played] = ResultFormat(
    tuple[int, Plain],
    lambda played: (played[0], pack_chunk(played[1])),
    lambda found: (found[0], unpack_chunk(found[1])),
)
"""Format of chunks in a file."""


Axis = tuple[str, tuple[Any, ...]]
"""An option and its values."""


class Grid(Struct, frozen=True):
    """Combinations of option values; the last option varies fastest.

    `excluded` lists the combinations that constraints forbid, with reasons.
    """

    axes: tuple[Axis, ...]
    editions: tuple[Variant, ...]
    excluded: tuple[tuple[Variant, Diagnostic], ...]


def make_grid(game: str, axes: Sequence[Axis]) -> Grid:
    """Combine option values. Raises Refused for unknown options or values, or if no combination is allowed."""
    editions, excluded = list[Variant](), list[tuple[Variant, Diagnostic]]()
    for values in product(*(values for _, values in axes)):
        edition = Variant(game, tuple((name, value) for (name, _), value in zip(axes, values, strict=True)))
        reason = _reason(edition)
        if reason is None:
            editions.append(edition)
        else:
            excluded.append((edition, reason))
    if not editions:
        raise Refused([reason for _, reason in excluded])
    return Grid(tuple(axes), tuple(editions), tuple(excluded))


def _reason(edition: Variant) -> Diagnostic | None:
    """Return why the ruleset forbids a combination, or None."""
    try:
        load_ruleset(edition.game, dict(edition.options))
    except Refused as refused:
        if refused.cause.code != EXCLUDED:
            raise
        return refused.cause
    return None
