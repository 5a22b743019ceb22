"""Play many games with bots, and summarize them with confidence intervals.

Game number i of a series has its own random streams, made from the seed and i. Results do not depend on the number of
processes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.analysis import find_reachable
from hoyle.game.compiled import Rules, compile_ruleset
from hoyle.game.game import Game
from hoyle.game.playouts import REPAYS, TRIED, note_game_number, play_game, play_random_games, with_native_engine
from hoyle.native.engine_builder import is_ready
from hoyle.players.bots import Player, create_players, is_searching
from hoyle.players.bots import resolve_kind as settled_kind
from hoyle.players.inference.knowledge import Memory
from hoyle.running.machine import Engine
from hoyle.running.outcomes import Tallies
from hoyle.series.measures import LENGTHS, Measure, measure_mean, measure_share
from hoyle.series.result_file import Header, ResultFile, ResultFormat, describe_game
from hoyle.series.workers import ALONE, Tick, Worker, Workers, collect, run_tasks, split_by_time

SECTIONS = ("move", "obligation", "whenever", "early", "step", "passed", "at_most")
SHARE, FEW = 256, 16
"""Maximum number of games in a chunk: of random games, and of bots with a few playouts per move. Searches have 1."""
SHARES = 32
"""Minimum number of chunks, if there are as many games."""


class Order(Struct, frozen=True):
    """Settings of a series that each process needs."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    kinds: tuple[str, ...] = ()
    """The player kind of each seat. If empty, all play at random."""
    engine: Engine = "auto"

    @property
    def is_random(self) -> bool:
        """Return whether all seats play at random. The native engine plays only such games."""
        return set(self.kinds) <= {"random"}


Uses = Counter[tuple[str, str]]
"""Number of uses of each rule, by section and name."""
Chunk = tuple[list[Tallies], Uses]
Plain = tuple[list[Tallies], list[tuple[str, str, int]]]
"""A chunk as it is stored: each rule is (section, name, number of uses)."""


def load_traced(order: Order) -> Game:
    """Load the game, compiled so that it counts the uses of its rules."""
    from hoyle.checking.build import load_ruleset

    return Game(compile_ruleset(*load_ruleset(order.game, dict(order.options)), trace=True))


def play_games(game: Game, order: Order, indices: range) -> Chunk:
    """Play some games of a series and count the rules they use. Raises Refused."""
    machine = game.machine
    before = machine.hits[:]
    played = [one for some in _games(game, order, indices) for one in some]
    uses = Counter({rule: machine.hits[i] - before[i] for rule, i in machine.counters.items()})
    for name, move in game.ruleset.moves.items():  # counts moves made, not moves tried by a look-ahead
        uses["move", name] = sum(one.moves[move.number] for one in played)
    early = (name for section, name in machine.counters if section == "whenever")
    for place, name in enumerate(early):
        uses["early", name] = sum(one.early[place] for one in played)
    return played, uses


def _games(game: Game, order: Order, indices: range) -> Iterator[list[Tallies]]:
    if order.is_random:
        yield from play_random_games(game.compiled, order.engine, order.seed, indices.start, len(indices))
        return
    for index in indices:
        players, memories = _seated(game, order)
        with note_game_number(order.seed, index):
            yield [play_game(game.compiled, order.seed, index, players, memories)]


def _seated(game: Game, order: Order) -> tuple[list[Player], list[Memory]]:
    """Create the players of all seats and their memories. Builds what a search needs. Raises Refused."""
    return create_players(order.kinds, game, order.engine)


# Chunks


def play_series(
    game: Game,
    order: Order,
    games: int,
    workers: Workers = ALONE,
    tick: Tick = lambda done: None,
    done: list[Chunk] | None = None,
    kept: ResultFile[Chunk] | None = None,
) -> Chunk:
    """Play all games and return them in order of their index.

    Args:
        game: a traced game (see `load_traced`).
        order: the players, seed and engine.
        games: number of games.
        workers: processes or a cluster to use.
        tick: called with the number of games that were finished since the last call.
        done: list that receives each chunk once it is played, so that chunks survive an interrupt.
        kept: file of results.
    """
    done = [] if done is None else done
    collect(_chunks(game, order, games, workers, kept), done, tick, count_games)
    return join_chunks(done)


def count_games(chunk: Chunk) -> int:
    """Return the number of games in a chunk."""
    return len(chunk[0])


def join_chunks(chunks: Iterable[Chunk]) -> Chunk:
    """Join chunks of a series into one."""
    found: list[Tallies] = []
    uses: Uses = Counter()
    for played, used in chunks:
        found += played
        uses.update(used)
    return found, uses


def _chunks(
    game: Game, order: Order, games: int, workers: Workers, kept: ResultFile[Chunk] | None
) -> Generator[Chunk, None, None]:
    """Yield the chunks in the file, then play the others.

    If Python plays, the first few games show whether compiling the native engine pays off for the others.
    """
    order, is_free = resolve_players(game, order), workers == ALONE and kept is None
    todo, left = split_by_time(range(games)) if is_free else split_games(order, games), games
    for some, chunk in kept.take(todo) if kept is not None else ():
        left -= len(some)
        yield chunk
    if order.engine == "auto" and order.is_random and (left <= TRIED or not is_ready(game.ruleset, game.machine)):
        began, done = time.perf_counter(), 0
        slow = partial(play_games, game, replace(order, engine="python"))
        for chunk in run_tasks(slow, lambda: slow, _up_to(TRIED, todo), ALONE, kept):
            done += count_games(chunk)
            yield chunk
        seconds = (time.perf_counter() - began) / max(1, done) * (left - done)
        order = order if seconds / workers.jobs > REPAYS else replace(order, engine="python")
    yield from _others(game, order, todo, workers, kept)


def _others(
    game: Game, order: Order, todo: Iterator[range], workers: Workers, kept: ResultFile[Chunk] | None
) -> Generator[Chunk, None, None]:
    """Choose the engine and play these chunks."""
    _seated(game, order)  # builds the engine before other processes need it
    here = partial(play_games, *choose_engine(game, order))
    yield from run_tasks(here, partial(_player, order, (game.ruleset, game.merged)), todo, workers, kept)


def _up_to(games: int, todo: Iterator[range]) -> Iterator[range]:
    """Yield the first ranges that together have at least this many games."""
    while games > 0 and (some := next(todo, None)) is not None:
        yield some
        games -= len(some)


def split_games(order: Order, games: int) -> Iterator[range]:
    """Split a series into ranges for several processes or a file. The ranges do not depend on the number of processes."""
    most = SHARE if order.is_random else 1 if any(map(is_searching, order.kinds)) else FEW
    size = max(1, min(most, games // SHARES))
    return (range(start, min(start + size, games)) for start in range(0, games, size))


def _player(order: Order, rules: Rules) -> Worker[range, Chunk]:
    """Return the worker of a process: it loads the game once and then plays ranges of games."""
    return partial(play_games, *choose_engine(Game(compile_ruleset(*rules, trace=True)), order))


def choose_engine(game: Game, order: Order) -> tuple[Game, Order]:
    """Choose the engine, and return the game and order for it. The returned order needs no further choice."""
    if order.engine == "python" or not order.is_random:
        return game, order
    return Game(with_native_engine(game.compiled, order.engine == "native")), replace(order, engine="python")


def resolve_players(game: Game, order: Order) -> Order:
    """Return the order with kinds of players that play alike on every machine."""
    return replace(order, kinds=tuple(settled_kind(kind, game, order.engine) for kind in order.kinds))


# Format in a result file


def make_header(game: Game, order: Order, games: int) -> Header:
    """Return the header of a result file: all that the games depend on. Raises Refused."""
    kinds = resolve_players(game, order).kinds
    return Header(
        series="simulate", hangs_on={**describe_game(game), "seed": order.seed, "seats": kinds, "games": games}
    )


def pack_chunk(chunk: Chunk) -> Plain:
    """Convert a chunk to its stored form."""
    return chunk[0], [(*rule, count) for rule, count in chunk[1].items() if count]


def unpack_chunk(found: Plain) -> Chunk:
    """Convert a chunk from its stored form."""
    return found[0], Counter({(section, name): count for section, name, count in found[1]})


FORMAT: ResultFormat[Chunk] = ResultFormat(Plain, pack_chunk, unpack_chunk)
"""Format of chunks in a result file."""


# Account


class Account(Struct, frozen=True):
    """Results of a series. Wins and scores are by side; games that nobody won are `lost`.

    `uses` and `unused` list rules by section: move, obligation, whenever, step, and
    early    rules of `whenever` that act before the first decision, as in the deal
    passed   choices without a legal move for which the rules say nothing
    at_most  loops that `at_most` ended before their `until` or `skip` did
    """

    games: int
    wins: dict[str, int]
    draws: int
    lost: int
    unfinished: int
    scores: dict[str, Measure]
    measures: dict[str, Measure]
    uses: dict[str, dict[str, int]]
    unused: dict[str, list[str]]

    def data(self) -> dict[str, Any]:
        return {
            "wins": {seat: {"games": won, **measure_share(won, self.games).data()} for seat, won in self.wins.items()},
            "draws": {"games": self.draws, **measure_share(self.draws, self.games).data()},
            "lost": {"games": self.lost, **measure_share(self.lost, self.games).data()},
            "unfinished": self.unfinished,
            "scores": {seat: found.data() for seat, found in self.scores.items()},
            **{name: found.data() for name, found in self.measures.items()},
            "uses": self.uses,
            "unused": self.unused,
        }


def summarize(game: Game, chunk: Chunk) -> Account:
    """Summarize the games of a traced game. A shared win counts as a draw."""
    played, uses = chunk
    return Account(
        games=len(played),
        wins={side: sum(one.wins[n] and sum(one.wins) == 1 for one in played) for n, side in enumerate(game.sides)},
        draws=sum(sum(one.wins) > 1 for one in played),
        lost=sum(one.over and not any(one.wins) for one in played),
        unfinished=sum(not one.over for one in played),
        scores=_scores(played, game.sides),
        measures=_measures(played),
        uses={section: _used(game, uses, section) for section in SECTIONS},
        unused={section: _unused(game, uses, section) for section in SECTIONS},
    )


def _used(game: Game, uses: Uses, section: str) -> dict[str, int]:
    """Return the number of uses of each rule that was used, the most used first."""
    found = {name: uses[section, name] for name in _names(game, section) if uses[section, name]}
    return dict(sorted(found.items(), key=lambda rule: (-rule[1], rule[0])))


def _unused(game: Game, uses: Uses, section: str) -> list[str]:
    return [name for name in _names(game, section) if not uses[section, name]]


def _names(game: Game, section: str) -> list[str]:
    if section in ("step", "passed", "at_most"):
        return [name for where, name in game.machine.counters if where == section]
    rules, ever = game.ruleset, find_reachable(game.ruleset)
    sections: Mapping[str, list[str]] = {
        "move": [name for name in rules.moves if name in ever.moves],
        "obligation": [name for name in rules.obligations if name in ever.obligations],
        "whenever": list(rules.whenever),
        "early": list(rules.whenever),
    }
    return sections[section]


def _scores(played: Sequence[Tallies], sides: Sequence[str]) -> dict[str, Measure]:
    return {side: measure_mean([one.scores[n] for one in played]) for n, side in enumerate(sides)}


def _measures(played: Sequence[Tallies]) -> dict[str, Measure]:
    begun = [game for game in played if game.decisions]
    found: dict[str, Measure] = {}
    for name, length in LENGTHS.items():
        values = [length.of_game(game) for game in (begun if length.is_ratio else played)]
        found[name] = measure_mean(values or [length.empty], 0.0)
    return found
