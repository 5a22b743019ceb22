"""Measure how many random games per second each engine plays. Engines take short turns, so a busy machine slows them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.native.engine import Native
from hoyle.native.engine_builder import engine_of, is_ready
from hoyle.running.machine import MOST_DECISIONS

Name = Literal["python", "native"]
TURN = 0.25
"""Length of a turn in seconds; a turn is at least one game."""
_BATCH = TURN / 8  # seconds that games of one call take, about

Played = tuple[int, int]
"""Number of games, and of decisions in them."""
Play = Callable[[int, int], Played]
"""Plays random games of the series from a number on; fewer if the engine leaves one to another."""
Tick = Callable[[int], None]


class Speed(Struct):
    """Games and seconds of one engine, the seconds until it could play, whether it was built in them, and the games it left to Python (not counted)."""

    engine: Name
    ready: float
    is_new: bool = False
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    left: int = 0

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds if self.seconds else 0.0


class Bench(Struct, frozen=True):
    """Speeds of the engines for one game. `loading`: seconds to read, check and compile it."""

    game: Compiled
    loading: float
    speeds: tuple[Speed, ...]

    @property
    def ratio(self) -> float | None:
        """Games of the native engine per game of Python; None unless both played."""
        python, native = (next((s for s in self.speeds if s.engine == name), None) for name in ("python", "native"))
        if python is None or native is None or not python.games:
            return None
        return native.games_per_second / python.games_per_second


class _Player(Struct):
    """An engine, what it has done so far, and how many games it plays by one call."""

    speed: Speed
    play: Play
    first: int = 0
    batch: int = 1

    def turn(self) -> None:
        began = time.perf_counter()
        while (passed := time.perf_counter() - began) < TURN:
            games, decisions = self.play(self.first, self.batch)
            self.speed.games += games
            self.speed.decisions += decisions
            self.speed.left += games < self.batch
            self.first += games + (games < self.batch)
            took = time.perf_counter() - began - passed
            self.batch = (
                2 * self.batch if took < _BATCH / 2 else max(1, self.batch // 2) if took > _BATCH else self.batch
            )
        self.speed.seconds += passed


def bench(
    game: Compiled, loading: float, engines: Sequence[Name], seed: int, seconds: float, wanted: bool, tick: Tick
) -> Bench:
    """Random games of the series `seed`, for about so many seconds by each engine; `tick` hears of each turn (see `turns`). Where the native
    engine is not there, its speed is missing, with a warning. Raises Refused, also if it is `wanted` and cannot be built."""
    players = [player for engine in engines if (player := _player(game, engine, seed, wanted)) is not None]
    for _ in range(count_turns(seconds)):
        for player in players:
            player.turn()
            tick(1)
    return Bench(game, loading, tuple(player.speed for player in players))


def count_turns(seconds: float) -> int:
    """Return the number of turns of each engine."""
    return max(1, round(seconds / TURN))


def _player(game: Compiled, engine: Name, seed: int, wanted: bool) -> _Player | None:
    began = time.perf_counter()
    if engine == "python":
        return _Player(Speed(engine, 0.0), _by_python(game, seed))
    was_built = is_ready(game.ruleset, game.machine)
    native = engine_of(game.ruleset, game.machine, wanted)
    if native is None:
        return None
    ready = time.perf_counter() - began
    return _Player(Speed(engine, ready, not was_built), _natively(native, seed))


def _by_python(game: Compiled, seed: int) -> Play:
    def play(first: int, games: int) -> Played:
        played = (game.machine.playout(seed, index, most=MOST_DECISIONS) for index in range(first, first + games))
        return games, sum(decisions for _, decisions in played)

    return play


def _natively(native: Native, seed: int) -> Play:
    def play(first: int, games: int) -> Played:
        found, _ = native.series(seed, first, games)
        return len(found), sum(one.decisions for one in found)

    return play
