"""Run a tree search for a seat: sample worlds, choose the native or the Python engine, keep to a number or a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from hoyle.game.compiled import Compiled, compile_ruleset
from hoyle.game.game import Game
from hoyle.game.playouts import with_native_engine
from hoyle.game.views.redaction import RedactedState, fill_hidden, sample_determinizations
from hoyle.native import search_drivers
from hoyle.native.engine import NativeMachine
from hoyle.native.engine_builder import is_ready
from hoyle.native.visibility_tables import EVERYBODY, FIRST_SEAT, secrets
from hoyle.players.inference.determinization import iterate_worlds
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search import ismcts
from hoyle.players.search.information_set import SeatView
from hoyle.running.chance import Chance
from hoyle.running.machine import Engine
from hoyle.running.outcomes import ANY, About, Bounds, Tried
from hoyle.running.state import Core

WORLDS = 1000
"""Most worlds that are sampled; iterations take them in turn."""
TRIES = 4
"""Draws allowed for each world; draws with other legal moves are discarded."""
SAMPLING_SHARE = 0.25
"""Part of the available time that sampling may take."""
MOST = 300_000
"""Most iterations, however much time there is."""
_AT_ONCE = 0.05  # seconds between two looks at the clock

Search = search_drivers.NativeIsmcts | ismcts.Search


_prepared: WeakKeyDictionary[Game, Compiled] = WeakKeyDictionary()


def prepare_search(game: Game, engine: Engine | None = None) -> Compiled:
    """Return the game as searches play it: natively if possible, and without counting uses of rules.

    Raises:
        Refused: the native engine is asked for and cannot be built.
    """
    if game not in _prepared:
        plain = _without_counters(game)
        engine = engine or game.engine
        is_prepared = engine == "python" or isinstance(plain.machine, NativeMachine)
        _prepared[game] = plain if is_prepared else with_native_engine(plain, engine == "native")
    return _prepared[game]


def prepare_if_built(game: Game) -> Compiled:
    """Like `prepare_search`, but use the native engine only if it is built already."""
    plain = _prepared[game] if game in _prepared else _without_counters(game)
    is_built = game.engine != "python" and is_ready(game.ruleset, plain.machine)
    return prepare_search(game) if is_built else plain


def _without_counters(game: Game) -> Compiled:
    return compile_ruleset(game.ruleset, game.merged) if game.machine.counters else game.compiled


def run_search(
    game: Compiled,
    seen: RedactedState,
    chance: Chance,
    bounds: Bounds,
    seconds: float | None = None,
    before: frozenset[Any] = frozenset(),
    knowledge: Knowledge | None = None,
) -> Search | None:
    """Search from what the seat that is to choose sees. None if no world could be sampled.

    Args:
        seconds: stop after this time, even before `bounds.iterations`.
        before: information sets (`Search.here`) of earlier decisions.
        knowledge: what the seat knows beyond what it sees now.
    """
    with game.machine.uncounted():
        begun = time.monotonic()
        about = About(seen.actor, chance.next32() << 32 | chance.next32(), before, is_fully_visible(game, seen))
        deadline = None if seconds is None else begun + SAMPLING_SHARE * seconds
        found = sample_worlds(
            game, seen, bounds, chance, lambda: deadline is not None and time.monotonic() > deadline, knowledge
        )
        if not found:
            return None
        search = create_search(game, found, about, bounds, seconds)
        left = None if seconds is None else begun + seconds - time.monotonic()
        run_iterations(search, 0, bounds.iterations, left)
        if isinstance(search, search_drivers.NativeIsmcts) and not any(one.tried for one in search.found()):
            # The native engine had no room for any game: Python plays them.
            search = ismcts.Search(game, search.worlds, about, bounds)
            run_iterations(search, 0, bounds.iterations, left)
        return search


def run_iterations(search: Search, first: int, most: int, seconds: float | None, only: int = ANY) -> None:
    """Run at most `most` iterations from number `first`, within `seconds`; at least one."""
    if seconds is None:
        search.go(first, most, only)
        return
    begun, took, done, batch = time.monotonic(), 0.0, 0, 8
    while done < most and (not done or took < seconds):
        search.go(first + done, min(batch, most - done), only)
        done += min(batch, most - done)
        took = time.monotonic() - begun
        batch = max(1, min(2 * batch, int(done * min(_AT_ONCE, seconds - took) / max(took, 1e-6))))


def is_fully_visible(game: Compiled, seen: RedactedState) -> bool:
    """Return True if nothing is hidden from the seat that is to choose."""
    known = (EVERYBODY, FIRST_SEAT + seen.actor)
    return not seen.hidden and all(who in known for who in secrets(game.machine))


def is_solo(game: Compiled) -> bool:
    """Return True if there is a single side. Only then do positions seen before matter."""
    return len(game.ruleset.sides) == 1


def root_node(game: Compiled, seen: RedactedState) -> Hashable:
    """Return the root of a search from this view (`Search.here`)."""
    world = fill_hidden(game, seen, Chance(0, 1))
    search = _create_native(game, [world], About(seen.player, 0), Bounds(1, probes=0))
    return search.here if search is not None else SeatView(game.machine, seen.player)(world)


def sample_worlds(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    chance: Chance,
    is_late: Callable[[], bool] = lambda: False,
    knowledge: Knowledge | None = None,
) -> list[Core]:
    """Sample as many worlds as a search uses, or those found until `is_late`.

    Worlds agree with all that the seat sees and knows; if none can be found, with what it sees.
    """
    count = 1 if is_fully_visible(game, seen) else min(WORLDS, bounds.iterations)
    found: list[Core] = []
    if knowledge is not None and count > 1:
        found = [*islice(iterate_worlds(game, seen, knowledge, chance, TRIES * count, is_late), count)]
    return found or [*islice(sample_determinizations(game, seen, chance, TRIES * count, is_late), count)]


def create_search(
    game: Compiled, found: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None
) -> Search:
    """Create a native search if the game has a native engine, else one in Python."""
    return _create_native(game, found, about, bounds, seconds) or ismcts.Search(game, found, about, bounds)


def _create_native(
    game: Compiled, found: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None
) -> search_drivers.NativeIsmcts | None:
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    return search_drivers.begin_ismcts(native, found, about, bounds, seconds) if native is not None else None


def best_action(found: Sequence[Tried]) -> int:
    """Return the number of the action tried most often; among equals, of the one with the best mean."""
    return max(range(len(found)), key=lambda n: (found[n].tried, found[n].mean))
