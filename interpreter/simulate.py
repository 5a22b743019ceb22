"""Many games at once: played by bots, counted, and told with their uncertainty.

Game number i of a series has its own random streams, made from the seed and i, so the numbers do not depend on how many
processes share the work.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter import Game, Move, State

BOTS = ("random",)
Z95 = statistics.NormalDist().inv_cdf(0.975)
CHUNK = 16  # games that a process plays before it reports


@dataclass(frozen=True, slots=True)
class Order:
    """What to play: everything a process needs to know."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    seats: tuple[str, ...] = ()


@dataclass(slots=True)
class Played:
    """One game, counted. `choices` are decisions with more than one move, `turns` runs of decisions by one seat."""

    winners: tuple[str, ...] = ()
    scores: dict[str, int] = field(default_factory=dict)
    unfinished: bool = False
    decisions: int = 0
    choices: int = 0
    turns: int = 0
    offered: int = 0
    most_offered: int = 0
    moves: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean with its 95 % interval, and how far single games are from it."""

    mean: float
    low: float
    high: float
    sd: float
    min: float
    max: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("mean", "low", "high", "sd", "min", "max")}


def measure(values: Sequence[float]) -> Measure:
    mean = statistics.fmean(values)
    sd = statistics.stdev(values) if len(values) > 1 else 0.0
    half = Z95 * sd / math.sqrt(len(values))
    return Measure(mean, mean - half, mean + half, sd, min(values), max(values))


def share(part: int, whole: int) -> Measure:
    """A proportion with its Wilson interval, which stays between 0 and 1."""
    p, z = part / whole, Z95
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return Measure(p, max(0.0, centre - half), min(1.0, centre + half), math.sqrt(p * (1 - p)), 0.0, 1.0)


def bot_stream(seed: int, index: int = 0, seat: str = "") -> random.Random:
    """The random numbers of bots: their own, so that they never disturb those of the game."""
    return random.Random(f"bot {seed} {index} {seat}")


def choose(moves: Sequence[Move], stream: random.Random) -> Move:
    """A random move."""
    return moves[stream.randrange(len(moves))]


def play_one(game: Game, seed: int, index: int) -> Played:
    """Game number `index` of a series, by random moves."""
    state, stream, played = game.start(seed=seed, index=index), bot_stream(seed, index), Played()
    last = None
    while not state.is_over:
        moves = state.moves()
        _count(played, state, moves, last)
        last = state.to_act
        move = choose(moves, stream)
        played.moves[move.name] += 1
        state.play_here(move)
    played.winners, played.unfinished = tuple(state.winners), bool(state.unfinished)
    played.scores = dict(state.scores)
    return played


def _count(played: Played, state: State, moves: Sequence[Move], last: str | None) -> None:
    played.decisions += 1
    played.choices += len(moves) > 1
    played.turns += state.to_act != last
    played.offered += len(moves)
    played.most_offered = max(played.most_offered, len(moves))


# Several processes

_game: Game | None = None
_order: Order | None = None


def _open(order: Order) -> None:
    """What a process does first: load the game once; the parent alone answers Ctrl-C."""
    import signal

    from interpreter import load

    global _game, _order
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _game, _order = load(order.game, dict(order.options)), order


def _play_chunk(indices: range) -> list[Played]:
    assert _game is not None
    assert _order is not None
    return [play_one(_game, _order.seed, index) for index in indices]


def series(
    game: Game, order: Order, games: int, jobs: int, tick: Callable[[int], None] = lambda done: None
) -> list[Played]:
    """All games in order of their index; `tick` hears how many more are done."""
    found: list[Played] = []
    for chunk in _chunks(game, order, games, min(jobs, games)):
        found += chunk
        tick(len(chunk))
    return found


def _chunks(game: Game, order: Order, games: int, jobs: int) -> Iterator[list[Played]]:
    if jobs <= 1:
        return ([play_one(game, order.seed, index)] for index in range(games))
    return _parallel(order, games, jobs)


def _parallel(order: Order, games: int, jobs: int) -> Iterator[list[Played]]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    size = max(1, min(CHUNK, games // jobs))
    ranges = [range(start, min(start + size, games)) for start in range(0, games, size)]
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside a progress bar
    with ProcessPoolExecutor(jobs, context, _open, (order,)) as pool:
        try:
            yield from pool.map(_play_chunk, ranges)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# The account


@dataclass(frozen=True, slots=True)
class Account:
    """What a series shows."""

    games: int
    wins: dict[str, int]
    draws: int
    unfinished: int
    scores: dict[str, Measure]
    measures: dict[str, Measure]
    moves: dict[str, int]
    unused: list[str]

    def data(self) -> dict[str, Any]:
        return {
            "wins": {seat: {"games": won, **share(won, self.games).data()} for seat, won in self.wins.items()},
            "draws": {"games": self.draws, **share(self.draws, self.games).data()},
            "unfinished": self.unfinished,
            "scores": {seat: found.data() for seat, found in self.scores.items()},
            **{name: found.data() for name, found in self.measures.items()},
            "moves": self.moves,
            "unused": self.unused,
        }


def account(played: Sequence[Played], seats: Iterable[str], known: Iterable[str]) -> Account:
    """`known` are the moves of the rules; a win that is shared counts as a draw."""
    seats = list(seats)
    moves = sum((game.moves for game in played), Counter[str]())
    wins = {seat: sum(game.winners == (seat,) for game in played) for seat in seats}
    return Account(
        games=len(played),
        wins=wins,
        draws=sum(len(game.winners) != 1 and not game.unfinished for game in played),
        unfinished=sum(game.unfinished for game in played),
        scores=_scores(played, seats),
        measures=_measures(played),
        moves=dict(sorted(moves.items(), key=lambda found: (-found[1], found[0]))),
        unused=[name for name in known if name not in moves],
    )


def _scores(played: Sequence[Played], seats: Sequence[str]) -> dict[str, Measure]:
    found: Mapping[str, list[int]] = {seat: [g.scores[seat] for g in played if seat in g.scores] for seat in seats}
    return {seat: measure(values) for seat, values in found.items() if values}


def _measures(played: Sequence[Played]) -> dict[str, Measure]:
    begun = [game for game in played if game.decisions] or [Played(decisions=1, turns=1)]
    return {
        "decisions": measure([game.decisions for game in played]),
        "choices": measure([game.choices for game in played]),
        "turns": measure([game.turns for game in played]),
        "turn_length": measure([game.decisions / game.turns for game in begun]),
        "branching": measure([game.offered / game.decisions for game in begun]),
        "most_branching": measure([game.most_offered for game in played]),
    }
