"""Ways to win that are certain: for who plays alone, where nothing is hidden and chance has no part. Each is played to its end before it is called one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.seen import Seen
from hoyle.players.rewards import better_off
from hoyle.players.search import imagined, is_alone, is_open
from hoyle.players.ways import EACH, MOST, way
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.solved import Worth
from hoyle.running.state import Core
from hoyle.running.tried import WON, Bounds

Key = tuple[Any, ...]
SHARE = 0.8
"""Of the time that there is for a move, how long who plays alone looks for a way to win before it is asked which move is best."""

QUICKEST = 1_000_000
"""States a second: no machine looks at more, so that no room need be made for them."""


class Won(Struct, frozen=True):
    """A way to win: the state that it begins at, what is chosen in each state on it in which there is a choice, and what it comes to."""

    core: Core
    chosen: dict[Key, int]
    worth: Worth

    @property
    def number(self) -> int:
        """What is chosen first."""
        return next(iter(self.chosen.values()))


def may_be_known(game: Compiled, seen: Seen) -> bool:
    """May whoever is to choose know a way to win? Who plays alone and sees everything, where the rules say what it is to win."""
    return is_alone(game) and game.ruleset.result.won is not None and is_open(game, seen)


def effort(bounds: Bounds, seconds: float | None) -> tuple[int, float | None]:
    """How many states are looked at for a way beside such a search, and for how long."""
    if seconds is None:
        return EACH * bounds.iterations, None
    return min(MOST, 1 + int(QUICKEST * SHARE * seconds)), SHARE * seconds


def winning_way(
    game: Compiled,
    seen: Seen,
    bounds: Bounds,
    chance: Chance,
    seconds: float | None = None,
    known: Mapping[Key, int] | None = None,
) -> Won | None:
    """A way to win for whoever is to choose; None if none was found, which does not prove that there is none. `known`: what is to be chosen on ways that
    were found before."""
    for core in _states(game, seen, bounds, chance):
        with game.machine.uncounted():
            again = proved(game, core, lambda now: (known or {}).get(now.key()))
            return again or _found(game, core, (), way(game, core, chance.next32(), *effort(bounds, seconds)))
    return None


def winning_way_with(
    game: Compiled, seen: Seen, made: int, bounds: Bounds, chance: Chance, seconds: float | None = None
) -> Won | None:
    """The same, of the ways that begin with this choice."""
    for core in _states(game, seen, bounds, chance):
        with game.machine.uncounted():
            after = _made(game, core, made)
            if after is not None and not after.over:
                return _found(game, core, (made,), way(game, after, chance.next32(), *effort(bounds, seconds)))
            return _found(game, core, (made,), ())
    return None


def _states(game: Compiled, seen: Seen, bounds: Bounds, chance: Chance) -> Iterator[Core]:
    """The only one there may be, if it is of any use."""
    yield from imagined(game, seen, bounds, chance) if may_be_known(game, seen) else ()


def _made(game: Compiled, core: Core, number: int) -> Core | None:
    """After a choice, and all moves that follow without one; None if the rules cannot go on."""
    core = core.copy()
    try:
        for _ in range(MOST_DECISIONS):
            game.machine.play(core, core.acts[number])
            if core.over or len(core.acts) > 1:
                break
            number = 0
    except Refused:
        return None
    return core


def _found(game: Compiled, core: Core, first: tuple[int, ...], then: tuple[int, ...]) -> Won | None:
    left = iter((*first, *then))
    return proved(game, core, lambda _: next(left, None))


def proved(game: Compiled, core: Core, choice: Callable[[Core], int | None]) -> Won | None:
    """What comes of choosing so, by number: a way, if it wins and nothing was drawn on it."""
    now, chosen = core.copy(), dict[Key, int]()
    for _ in range(MOST_DECISIONS):
        if now.over:
            break
        number = choice(now) if len(now.acts) > 1 else 0
        if number is None or not 0 <= number < len(now.acts):
            return None
        if len(now.acts) > 1:
            chosen[now.key()] = number
        try:
            game.machine.play(now, now.acts[number])
        except Refused:
            return None
    wins = chosen and results.winning(game, now) and now.chance.state == core.chance.state
    return Won(core, chosen, worth_of_win(results.leads(game, now)[0] - results.leads(game, core)[0])) if wins else None


def worth_of_win(gained: float) -> Worth:
    """What it comes to, alone, to win for certain and to gain so much."""
    return Worth(WON + (1.0 - WON) * better_off(gained, 1.0, score=False), 1.0, 1.0, gained)
