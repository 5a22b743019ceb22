"""Random games, counted: one by one in Python, or many in one call of the native engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct, structs

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState, redact
from hoyle.language.sentences import make_message
from hoyle.native.engine import Native, NativeMachine
from hoyle.native.engine_builder import engine_of, is_ready, with_native
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import MOST_DECISIONS, Engine
from hoyle.running.outcomes import Tallies
from hoyle.running.state import Action, Core

Choose = Callable[[RedactedState, Chance], int]
"""Choose one of several actions by what the seat knows. It may draw from the players' chance."""


class Witness(Protocol):
    """Observer of a game that is played."""

    def begins(self, core: Core) -> None: ...

    def moved(self, before: Core, action: Action, after: Core) -> None: ...


REPAYS = 6.0
"""Seconds of Python's play above which the native engine is built."""
TRIED = 16
"""Games that are played to estimate how long others take. For so few no engine is looked for."""
_CALL_SECONDS = 0.25  # seconds that a call of the native engine should take, so that it can be interrupted


class Playouts(Struct, frozen=True):
    """Results of random games, game by game; scores and wins by side."""

    decisions: list[int]
    over: list[bool]
    scores: dict[str, list[int]]
    wins: dict[str, list[bool]]

    @classmethod
    def of(cls, game: Compiled, played: Iterable[list[Tallies]]) -> Playouts:
        found = [one for some in played for one in some]
        sides = [*enumerate(game.ruleset.side_names)]
        return cls(
            [one.decisions for one in found],
            [one.over for one in found],
            {side: [one.scores[n] for one in found] for n, side in sides},
            {side: [one.wins[n] for one in found] for n, side in sides},
        )


def with_native_engine(game: Compiled, wanted: bool = True) -> Compiled:
    """Return the game with a native machine, if there is an engine. Raises Refused if it is `wanted` and cannot be
    built."""
    engine = engine_of(game.ruleset, game.machine, wanted)
    return structs.replace(game, machine=with_native(game.machine, engine)) if engine is not None else game


def play_game(
    game: Compiled, seed: int, index: int, choose: Sequence[Choose] = (), witnesses: Sequence[Witness] = ()
) -> Tallies:
    """Play game `index` of a series in Python, at random or by the choosers of the seats. Raises Refused."""
    machine, chance = game.machine, Chance.stream(seed, index, PLAYER)
    pick = chance.picker() if not choose else chance.below
    before = machine.hits[:]
    core, last, moves = machine.start(Chance.stream(seed, index), bool(witnesses)), None, [0] * len(game.ruleset.moves)
    for witness in witnesses:
        witness.begins(core)
    early = [machine.hits[i] - before[i] for (s, _), i in machine.counters.items() if s == "whenever"]
    decisions = choices = turns = offered = most = 0
    while not core.over and decisions < MOST_DECISIONS:
        count = len(core.acts)
        decisions, choices, turns = decisions + 1, choices + (count > 1), turns + (core.actor != last)
        offered, most, last = offered + count, max(most, count), core.actor
        number = (
            choose[core.actor](redact(game, core, core.actor), chance)
            if count > 1 and choose
            else pick(count)
            if count > 1
            else 0
        )
        moves[core.acts[number][0]] += 1
        if witnesses:
            _play_watched(witnesses, game, core, number)
        else:
            machine.play(core, core.acts[number])
    won = results.find_winners(game, core)
    wins = tuple(n in won for n in range(len(game.ruleset.sides)))
    scores = tuple(results.count_scores(game, core))
    return Tallies(decisions, choices, turns, offered, most, tuple(moves), scores, wins, tuple(early), core.over)


def _play_watched(witnesses: Sequence[Witness], game: Compiled, core: Core, number: int) -> None:
    """Make a move and notify the witnesses. The log has this move alone."""
    core.log = []
    before, action = core.copy(), core.acts[number]
    game.machine.play(core, action)
    for witness in witnesses:
        witness.moved(before, action, core)


def play_random_games(game: Compiled, engine: Engine, seed: int, first: int, games: int) -> Iterator[list[Tallies]]:
    """Play games `first` … of a series, yielding several at a time. Uses of rules are counted in the machine. Raises
    Refused."""
    Chance.stream(seed, first)  # raises TypeError for a seed or index that is no number
    if first < 0 or games < 0:
        raise ValueError("games of a series are numbered from 0, and there are none or some")
    played, native, began = 0, _initial_engine(game, engine, games), time.perf_counter()
    while native is None and played < games:
        some = min(TRIED, games - played)
        yield [_play_random_game(game, seed, first + played + n) for n in range(some)]
        played += some
        left = (time.perf_counter() - began) / played * (games - played)
        if engine == "auto" and left > REPAYS:
            native, engine = engine_of(game.ruleset, game.machine, wanted=False), "python"
    if native is not None:
        yield from _play_natively(game, native, seed, first + played, games - played)


def _play_random_game(game: Compiled, seed: int, index: int) -> Tallies:
    with note_game_number(seed, index):
        return play_game(game, seed, index)


@contextmanager
def note_game_number(seed: int, index: int) -> Iterator[None]:
    """Add the number of the game to errors."""
    try:
        yield
    except Refused as refused:
        note = make_message("game.in_game", number=index + 1, seed=seed)
        raise Refused(structs.replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None


def _initial_engine(game: Compiled, engine: Engine, games: int) -> Native | None:
    """Return the engine to begin with; None for Python."""
    if isinstance(game.machine, NativeMachine):
        return game.machine.native
    few = engine == "auto" and games <= TRIED
    if engine == "python" or few or (engine == "auto" and not is_ready(game.ruleset, game.machine)):
        return None
    return engine_of(game.ruleset, game.machine, wanted=engine == "native")


def _play_natively(game: Compiled, native: Native, seed: int, first: int, games: int) -> Iterator[list[Tallies]]:
    """Play in batches. Python plays what the native engine cannot, and reports what is wrong with the ruleset, if
    anything."""
    done, some = 0, 1
    while done < games:
        began, wanted = time.perf_counter(), min(some, games - done)
        found, hits = native.series(seed, first + done, wanted)
        for index, uses in enumerate(hits):
            game.machine.hits[index] += uses
        if len(found) < wanted:
            found = [*found, _play_random_game(game, seed, first + done + len(found))]
        yield found
        done += len(found)
        some = 2 * some if time.perf_counter() - began < _CALL_SECONDS else max(1, some // 2)
