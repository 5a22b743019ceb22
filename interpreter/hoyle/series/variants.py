"""Several rulesets, variants or settings of options, each playing the same games of a series: game number i has the same random streams in
all of them, so that luck falls out of their differences (common random numbers; Law, Simulation Modeling and Analysis, chapter 11)."""

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
"""Into so many shares the games of an edition are divided: the same ones whoever plays them, for what is counted share by share."""
MOST = 1024
"""Games of a share at most."""

Share = tuple[int, range]
"""An edition's number, and which of its games."""
Played = tuple[int, Chunk]
"""An edition's number, and what a share of its games came to."""


class Variant(Struct, frozen=True):
    """A ruleset with options: what is said on a command line."""

    game: str
    options: tuple[tuple[str, Any], ...] = ()


class Plan(Struct, frozen=True):
    """What to play. `kinds`: who plays, seat by seat, and `usual` at all others."""

    editions: tuple[Variant, ...]
    games: int
    seed: int
    kinds: tuple[str, ...] = ()
    usual: str = "random"
    engine: Engine = "auto"

    def shares(self) -> Iterator[Share]:
        """The same games of all editions, one edition after the other, so that whoever stops has them in pairs."""
        size = max(1, min(MOST, self.games // SHARES))
        for start in range(0, self.games, size):
            for number in range(len(self.editions)):
                yield number, range(start, min(start + size, self.games))


def load_games(plan: Plan) -> list[tuple[Game, Order]]:
    """The games of a plan, compiled so that they count how often their rules are used, and what is to be played of each. Raises Refused."""
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
    """Of each edition the shares of its games, in order; `tick` hears how many games more are done. Whoever wants what was played until something
    ends it gives a list. Raises Refused."""
    done = [] if done is None else done
    collect(_portions(plan, workers, kept), done, tick, count_variant_games)
    return group_by_variant(done, len(plan.editions))


def count_variant_games(played: Played) -> int:
    """How many games were played."""
    return count_games(played[1])


def group_by_variant(done: Sequence[Played], editions: int) -> list[list[Chunk]]:
    """What was played, edition by edition: of each the same shares, so that games come in pairs whenever it was stopped."""
    found = [[chunk for number, chunk in done if number == wanted] for wanted in range(editions)]
    whole = min(map(len, found))
    return [chunks[:whole] for chunks in found]


def _portions(plan: Plan, workers: Workers, kept: ResultFile[Played] | None) -> Generator[Played, None, None]:
    """The next share of each edition is played here, which shows what engine the others repay."""
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
    """These shares, once it is settled which engines play; what is to be built is there before other processes look for it."""
    here = [choose_engine(game, order) for (game, _), order in zip(games, orders, strict=True)]
    prepare = partial(_prepared, orders, [(game.ruleset, game.merged) for game, _ in games])
    yield from run_tasks(_played(here), prepare, todo, workers, kept)


def _once(games: Sequence[tuple[Game, Order]]) -> Worker[Share, Played]:
    return lambda share: (share[0], play_games(*_at_first(*games[share[0]]), share[1]))


def _at_first(game: Game, order: Order) -> tuple[Game, Order]:
    """Where no engine is wanted or ready yet, Python shows how long games take."""
    waits = order.engine == "auto" and order.is_random and not is_ready(game.ruleset, game.machine)
    return (game, replace(order, engine="python")) if waits else choose_engine(game, order)


def _played(games: Sequence[tuple[Game, Order]]) -> Worker[Share, Played]:
    return lambda share: (share[0], play_games(*games[share[0]], share[1]))


def _prepared(orders: Sequence[Order], rules: Sequence[Rules]) -> Worker[Share, Played]:
    """What a process does: it loads each game once and plays the shares it is given."""
    loaded: dict[int, tuple[Game, Order]] = {}

    def work(share: Share) -> Played:
        number, indices = share
        if number not in loaded:
            loaded[number] = choose_engine(Game(compile_ruleset(*rules[number], trace=True)), orders[number])
        return number, play_games(*loaded[number], indices)

    return work


# In a file


def make_header(plan: Plan) -> Header:
    """What the games of a plan hang on. Raises Refused."""
    found = [{**describe_game(game), "seats": order.kinds} for game, order in load_games(plan)]
    return Header(series="editions", hangs_on={"editions": found, "seed": plan.seed, "games": plan.games})


FORMAT: ResultFormat[Played] = ResultFormat(
    tuple[int, Plain],
    lambda played: (played[0], pack_chunk(played[1])),
    lambda found: (found[0], unpack_chunk(found[1])),
)
"""How shares are kept."""


Axis = tuple[str, tuple[Any, ...]]
"""An option, and the values it is to have."""


class Grid(Struct, frozen=True):
    """`editions`: one for each combination, the values of the last option changing first; `excluded`: what the constraints of the ruleset forbid, and why."""

    axes: tuple[Axis, ...]
    editions: tuple[Variant, ...]
    excluded: tuple[tuple[Variant, Diagnostic], ...]


def make_grid(game: str, axes: Sequence[Axis]) -> Grid:
    """Raises Refused where a value is none of its option, where there is no such option, or where no combination is allowed."""
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
    """Why its ruleset does not allow an edition; None if it does."""
    try:
        load_ruleset(edition.game, dict(edition.options))
    except Refused as refused:
        if refused.cause.code != EXCLUDED:
            raise
        return refused.cause
    return None
