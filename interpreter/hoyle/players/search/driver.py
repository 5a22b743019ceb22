"""A player that searches: from worlds that look the same to it to what speaks for each of its moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from hoyle.game.compiled import Compiled, compile_ruleset
from hoyle.game.game import Game
from hoyle.game.playouts import with_native_engine
from hoyle.game.views.redaction import RedactedState, fill_hidden, redact, sample_determinizations
from hoyle.native import search_drivers
from hoyle.native.engine import NativeMachine
from hoyle.native.engine_builder import is_ready
from hoyle.native.visibility_tables import EVERYBODY, FIRST_SEAT, secrets
from hoyle.players.inference.determinization import known_worlds
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search import ismcts
from hoyle.players.search.information_set import Sight
from hoyle.running.chance import Chance
from hoyle.running.machine import Engine
from hoyle.running.outcomes import ANY, About, Bounds, Tried
from hoyle.running.state import Core

WORLDS = 1000
"""So many worlds are imagined at most; iterations go through them by turns."""
TRIES = 4
"""For each of them so many may be thrown away, because other moves are legal there."""
SHARE = 0.25
"""Of the time there is, what may go into imagining them."""
MOST = 300_000
"""Iterations, however much time there is."""
_AT_ONCE = 0.05  # seconds between two looks at the clock

Hunt = search_drivers.Hunt | ismcts.Hunt


_searched: WeakKeyDictionary[Game, Compiled] = WeakKeyDictionary()


def searching(game: Game, engine: Engine | None = None) -> Compiled:
    """The game as a player searches in it: with the native engine, unless Python is asked for or there is none; uses of rules are not
    counted. Raises Refused if the native engine is asked for and cannot be built."""
    if game not in _searched:
        plain = _plain(game)
        engine = engine or game.engine
        ready = engine == "python" or isinstance(plain.machine, NativeMachine)
        _searched[game] = plain if ready else with_native_engine(plain, engine == "native")
    return _searched[game]


def at_hand(game: Game) -> Compiled:
    """The same, but with the native engine only if it need not be built first."""
    plain = _plain(game) if game not in _searched else _searched[game]
    ready = game.engine != "python" and is_ready(game.ruleset, plain.machine)
    return searching(game) if ready else plain


def _plain(game: Game) -> Compiled:
    return compile_ruleset(game.ruleset, game.merged) if game.machine.counters else game.compiled


def search(game: Compiled, core: Core, bounds: Bounds, chance: Chance) -> list[Tried]:
    """What speaks for each legal action of whoever acts: nothing, if no world could be imagined. The same chance finds the same, as long
    as the same engine searches."""
    hunt = hunted(game, redact(game, core, core.actor), chance, bounds)
    return hunt.found() if hunt is not None else []


def search_for(game: Compiled, core: Core, seconds: float, chance: Chance) -> list[Tried]:
    """The same for so long. What is found hangs on how quick the machine is."""
    hunt = hunted(game, redact(game, core, core.actor), chance, Bounds(MOST), seconds)
    return hunt.found() if hunt is not None else []


def hunted(
    game: Compiled,
    seen: RedactedState,
    chance: Chance,
    bounds: Bounds,
    seconds: float | None = None,
    before: frozenset[Any] = frozenset(),
    knowledge: Knowledge | None = None,
) -> Hunt | None:
    """A search that has been done, from what the seat that is to choose sees: all its iterations, or those that there is time for; None if no
    world could be imagined. `before`: what the seat saw (`Hunt.here`) at earlier decisions; `knowledge`: what it knows besides what it sees now."""
    with game.machine.uncounted():
        begun = time.monotonic()
        about = About(seen.actor, chance.next32() << 32 | chance.next32(), before, is_open(game, seen))
        end = None if seconds is None else begun + SHARE * seconds
        hunt = _begun(game, seen, about, bounds, chance, end, knowledge, seconds)
        if hunt is not None:
            left = None if seconds is None else begun + seconds - time.monotonic()
            go_on(hunt, 0, bounds.iterations, left)
            if isinstance(hunt, search_drivers.Hunt) and not any(one.tried for one in hunt.found()):
                # What the native engine has no room for Python plays.
                hunt = ismcts.Hunt(game, hunt.worlds, about, bounds)
                go_on(hunt, 0, bounds.iterations, left)
        return hunt


def go_on(hunt: Hunt, first: int, most: int, seconds: float | None, only: int = ANY) -> None:
    """At most so many more iterations, from number `first` on; or those that there is time for."""
    if seconds is None:
        hunt.go(first, most, only)
        return
    begun, took, done, some = time.monotonic(), 0.0, 0, 8
    while done < most and (not done or took < seconds):
        hunt.go(first + done, min(some, most - done), only)
        done += min(some, most - done)
        took = time.monotonic() - begun
        some = max(1, min(2 * some, int(done * min(_AT_ONCE, seconds - took) / max(took, 1e-6))))


def _begun(
    game: Compiled,
    seen: RedactedState,
    about: About,
    bounds: Bounds,
    chance: Chance,
    end: float | None = None,
    knowledge: Knowledge | None = None,
    seconds: float | None = None,
) -> Hunt | None:
    found = imagined(game, seen, bounds, chance, lambda: end is not None and time.monotonic() > end, knowledge)
    return hunt_of(game, found, about, bounds, seconds) if found else None


def is_open(game: Compiled, seen: RedactedState) -> bool:
    """Is nothing at all hidden from whoever acts?"""
    known = (EVERYBODY, FIRST_SEAT + seen.actor)
    return not seen.hidden and all(who in known for who in secrets(game.machine))


def is_alone(game: Compiled) -> bool:
    """Does somebody play alone? Only there it matters what was seen before."""
    return len(game.ruleset.sides) == 1


def here(game: Compiled, seen: RedactedState) -> Hashable:
    """What a search begins from that a seat makes that sees this (`Hunt.here`)."""
    world = fill_hidden(game, seen, Chance(0, 1))
    hunt = _natively(game, [world], About(seen.player, 0), Bounds(1, probes=0))
    return hunt.here if hunt is not None else Sight(game.machine, seen.player)(world)


def imagined(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    chance: Chance,
    over: Callable[[], bool] = lambda: False,
    knowledge: Knowledge | None = None,
) -> list[Core]:
    """Worlds that look the same to whoever acts and contradict nothing that it knows, as many as a search goes through, if they can be had; those
    until it is `over`. Where none can be had that agrees with all that is known, it goes by what it sees."""
    count = 1 if is_open(game, seen) else min(WORLDS, bounds.iterations)
    found: list[Core] = []
    if knowledge is not None and count > 1:
        found = [*islice(known_worlds(game, seen, knowledge, chance, TRIES * count, over), count)]
    return found or [*islice(sample_determinizations(game, seen, chance, TRIES * count, over), count)]


def hunt_of(game: Compiled, found: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None) -> Hunt:
    """A search by the native engine, where there is one; else by Python. `seconds`: for how long, if that is known."""
    return _natively(game, found, about, bounds, seconds) or ismcts.Hunt(game, found, about, bounds)


def _natively(
    game: Compiled, found: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None
) -> search_drivers.Hunt | None:
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    return search_drivers.hunt(native, found, about, bounds, seconds) if native is not None else None


def best(found: Sequence[Tried]) -> int:
    """The number of the action that was tried most, and of those the one that did best."""
    return max(range(len(found)), key=lambda n: (found[n].tried, found[n].mean))
