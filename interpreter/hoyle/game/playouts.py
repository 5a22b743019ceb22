"""Whole games, counted: one by one with Python, or many by one call of the native engine."""

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
from hoyle.language.sentences import said
from hoyle.native.engine import Native, NativeMachine
from hoyle.native.engine_builder import engine_of, is_ready, with_native
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import MOST_DECISIONS, Engine
from hoyle.running.outcomes import Tallies
from hoyle.running.state import Action, Core

Choose = Callable[[RedactedState, Chance], int]
"""Which of several actions a seat takes that sees this; it may draw from the players' chance."""


class Witness(Protocol):
    """Whoever looks on at a game that is played."""

    def begins(self, core: Core) -> None: ...

    def moved(self, before: Core, action: Action, after: Core) -> None: ...


REPAYS = 6.0
"""Seconds of Python's play for which the native engine is built."""
TRIED = 16
"""Games that show how long others will take; for so few no engine is looked for."""
_AT_ONCE = 0.25  # seconds that a call of the native engine should take, so that it can be interrupted


class Playouts(Struct, frozen=True):
    """What random games came to, game by game: decisions, whether they ended, and of each side its scores and whether it won."""

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
    """The same game with a machine that plays with the native engine, where there is one. Raises Refused if it is `wanted` and cannot be built."""
    engine = engine_of(game.ruleset, game.machine, wanted)
    return structs.replace(game, machine=with_native(game.machine, engine)) if engine is not None else game


def play_game(
    game: Compiled, seed: int, index: int, choose: Sequence[Choose] = (), witnesses: Sequence[Witness] = ()
) -> Tallies:
    """Game number `index` of a series, played by Python; at random if it is not said who chooses. Raises Refused."""
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
        number = _chosen(game, core, choose, chance) if count > 1 and choose else pick(count) if count > 1 else 0
        moves[core.acts[number][0]] += 1
        if witnesses:
            _play_before(witnesses, game, core, number)
        else:
            machine.play(core, core.acts[number])
    won = results.find_winners(game, core)
    wins = tuple(n in won for n in range(len(game.ruleset.sides)))
    scores = tuple(results.count_scores(game, core))
    return Tallies(decisions, choices, turns, offered, most, tuple(moves), scores, wins, tuple(early), core.over)


def _chosen(game: Compiled, core: Core, choose: Sequence[Choose], chance: Chance) -> int:
    return choose[core.actor](redact(game, core, core.actor), chance)


def _play_before(witnesses: Sequence[Witness], game: Compiled, core: Core, number: int) -> None:
    """Makes a move. What happened is told of this move alone."""
    core.log = []
    before, action = core.copy(), core.acts[number]
    game.machine.play(core, action)
    for witness in witnesses:
        witness.moved(before, action, core)


def play_random_games(game: Compiled, engine: Engine, seed: int, first: int, games: int) -> Iterator[list[Tallies]]:
    """Random games first … of a series, some at a time. Uses of rules are counted in the machine, if it counts them. Raises Refused."""
    Chance.stream(seed, first)  # raises TypeError for what is no number, whichever engine plays
    if first < 0 or games < 0:
        raise ValueError("games of a series are numbered from 0, and there are none or some")
    played, native, began = 0, _native(game, engine, games), time.perf_counter()
    while native is None and played < games:
        some = min(TRIED, games - played)
        yield [_numbered(game, seed, first + played + n) for n in range(some)]
        played += some
        left = (time.perf_counter() - began) / played * (games - played)
        if engine == "auto" and left > REPAYS:
            native, engine = engine_of(game.ruleset, game.machine, wanted=False), "python"
    if native is not None:
        yield from _by_native(game, native, seed, first + played, games - played)


def _numbered(game: Compiled, seed: int, index: int) -> Tallies:
    """A random game; a fault of the ruleset is told with the game that shows it. Raises Refused."""
    with note_game_number(seed, index):
        return play_game(game, seed, index)


@contextmanager
def note_game_number(seed: int, index: int) -> Iterator[None]:
    """What a game refuses is told with the number of the game."""
    try:
        yield
    except Refused as refused:
        note = said("game.in_game", number=index + 1, seed=seed)
        raise Refused(structs.replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None


def _native(game: Compiled, engine: Engine, games: int) -> Native | None:
    """The engine to begin with."""
    if isinstance(game.machine, NativeMachine):
        return game.machine.native
    few = engine == "auto" and games <= TRIED
    if engine == "python" or few or (engine == "auto" and not is_ready(game.ruleset, game.machine)):
        return None
    return engine_of(game.ruleset, game.machine, wanted=engine == "native")


def _by_native(game: Compiled, native: Native, seed: int, first: int, games: int) -> Iterator[list[Tallies]]:
    """What the native engine cannot play, Python plays: it tells what is wrong with the ruleset, if anything is."""
    done, some = 0, 1
    while done < games:
        began, wanted = time.perf_counter(), min(some, games - done)
        found, hits = native.series(seed, first + done, wanted)
        for index, uses in enumerate(hits):
            game.machine.hits[index] += uses
        if len(found) < wanted:
            found = [*found, _numbered(game, seed, first + done + len(found))]
        yield found
        done += len(found)
        some = 2 * some if time.perf_counter() - began < _AT_ONCE else max(1, some // 2)
