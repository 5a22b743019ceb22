"""Results of searches from some decisions of a game, by the engine that its machine plays with.

As a program it is told a game and a library that the game was built into, where sanitizers watch: it searches with that, and then once more in little
memory and through long games, where Python would find something else."""

import ctypes
import math
import sys
from collections.abc import Iterator

from msgspec import structs

from hoyle import load
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import redact
from hoyle.native import search_drivers
from hoyle.native.engine import Native, NativeMachine
from hoyle.native.engine_builder import with_native
from hoyle.players.search import win_search
from hoyle.players.search.driver import create_search, is_fully_visible, is_solo, sample_worlds
from hoyle.players.search.endgame import solve
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import LONGEST, About, Bounds, Effort
from hoyle.running.state import Core

SEED, DECISIONS, WORLDS = 3, 1500, 20
FEW, MORE = Bounds(30, most=40, probes=2), 35
LEAST, DEEP = 100, 1200
"""Iterations, and how many lead to more choices one after another than there is room for, with one to choose from."""


def main(name: str, library: str) -> None:
    for told in found_in(_natively(name, library)):
        print(told)
    assert all(found_in_many(_natively(name, library)))
    straiten()
    one = _natively(name, library)
    once, again = ([*found_in_many(one)] for _ in range(2))
    assert once == again, "what lay in memory before has a part in what is found"


def _natively(name: str, library: str) -> Compiled:
    plain = load(name, engine="python").compiled
    native = Native(ctypes.CDLL(library), plain.machine)
    return structs.replace(plain, machine=with_native(plain.machine, native))


def decisions(one: Compiled) -> list[Core]:
    """Those with a choice near the beginning, in the middle and at the end of a random game."""
    core, pick, found = one.machine.start(Chance.stream(SEED)), Chance.stream(SEED, 0, PLAYER).below, list[Core]()
    for _ in range(DECISIONS):
        if core.over:
            break
        if len(core.acts) > 1:
            found.append(core.copy())
        one.machine.play(core, core.acts[pick(len(core.acts)) if len(core.acts) > 1 else 0])
    return [found[min(2, len(found) // 2)], found[len(found) // 2], found[-1]]


def hunted(one: Compiled, core: Core, bounds: Bounds) -> list[object]:
    seen = redact(one, core, core.actor)
    worlds = sample_worlds(one, seen, Bounds(WORLDS), Chance.stream(SEED))
    hunt = create_search(one, worlds, About(core.actor, SEED, open=is_fully_visible(one, seen)), bounds)
    last, count = len(worlds[0].acts) - 1, bounds.iterations
    failed = hunt.go(0, count), hunt.go(count, MORE, last), hunt.go(count + MORE, 10)
    return [failed, hunt.found(), hunt.outcomes(), hunt.line()]


def found_in(one: Compiled) -> Iterator[str]:
    """Return the common results of both engines, a line for each search."""
    for core in decisions(one):
        yield repr(hunted(one, core, FEW))
        yield repr([solve(one, core, Effort(200, every, 2, LONGEST, math.inf)) for every in (True, False)])
        if is_solo(one):
            sought = _quest(one, core, 500)
            yield repr([sought.seek(8, 150, alike) for alike in (True, False)])


def found_in_many(one: Compiled) -> Iterator[str]:
    """Return results of the native engine alone, for more and longer games."""
    for core in decisions(one)[::2]:
        _scribble(one)
        iterations = max(LEAST, DEEP // len(core.acts))
        yield repr(hunted(one, core, Bounds(iterations, deep=LONGEST, most=2 * LONGEST, probes=4, keen=0.0)))
        yield repr(solve(one, core, Effort(10_000, False, 2, LONGEST, math.inf)))
        if is_solo(one):
            yield repr([_quest(one, core, 6000).seek(width, 6000, True) for width in (2, 500)])


def _quest(one: Compiled, core: Core, most: int) -> search_drivers.NativeBeamSearch | win_search.BeamSearch:
    """Search with hidden pieces, in one world of many."""
    native = one.machine.native if isinstance(one.machine, NativeMachine) else None
    found = search_drivers.begin_beam_search(native, core, SEED, most, False) if native is not None else None
    return found or win_search.BeamSearch(one, core, SEED, False)


def _scribble(one: Compiled) -> None:
    """Search in memory that held other states before."""
    assert isinstance(one.machine, NativeMachine) and one.machine.native is not None
    _, _, state = one.machine.native.search_context()
    ctypes.memset(state, 0x5A, ctypes.sizeof(state))


def straiten() -> None:
    """Tables that are soon full."""
    search_drivers._LEAST = search_drivers._MOST = 64
    search_drivers._ROWS = 2000
    search_drivers._LEAST_POOL = search_drivers._MOST_POOL = 0
    search_drivers._LEAST_MET = search_drivers._MOST_MET = 2048
    search_drivers.WIDEST = 64


if __name__ == "__main__":
    main(*sys.argv[1:])
