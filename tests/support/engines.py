"""Play games with both engines and compare them."""

import ctypes
from functools import cache
from typing import Any

import pytest
from games import game

from hoyle.diagnostics import Refused
from hoyle.game.game import Game
from hoyle.native import engine_builder
from hoyle.native.compiler import NoCompiler, find_compiler
from hoyle.native.engine import Native
from hoyle.native.engine_builder import native
from hoyle.native.rows import actions_in, core_of, events_of, row_of
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core

with_compiler = pytest.mark.skipif(isinstance(find_compiler(), NoCompiler), reason="there is no C compiler here")
QUICKLY = "-O0"
"""The flag that takes the compiler a tenth of the time."""
SMALL = ("garanguet", "backgammon")
"""Games whose libraries are built in half a second, for all tests that need one in a plain run."""
GAMES: tuple[str, ...] = (*SMALL, "barbu-3p", "coinchee", "crapette", "cribbage-6p", "gin-rummy", "hearts")
GAMES += ("klondike", "plakoto", "scopa", "spite-and-malice", "yams")
"""Games of every form, for the slow tier."""
_TOLD = ("acts", "pc", "over", "piles", "cells", "back", "looking")
_LOG = 1 << 16
"""The most numbers that the events of one decision take."""
Difference = tuple[int, str, Any, Any]
"""The decision, the attribute, and its value in each engine."""


@cache
def engine(name: str) -> Native:
    return engine_of(game(name))


def engine_of(one: Game) -> Native:
    found = native(one.ruleset, one.machine, () if QUICKLY in engine_builder.FLAGS else (QUICKLY,))
    assert isinstance(found, Native), found
    return found


def difference(one: Game, other: Native, seed: int, most: int = 400) -> Difference | None:
    """Play a random game with both engines, and hand the native one each state; return the first difference between their states."""
    ours, theirs = one.machine.start(Chance.stream(seed), log=True), other.start(Chance.stream(seed), True)
    pick, told = Chance.stream(seed, 0, PLAYER).below, 0
    for decision in range(most):
        if theirs is None:
            return decision, "stopped", None, None
        found, told = _differing(ours, theirs, told), len(ours.log or ())
        if found is not None:
            return decision, *found
        if ours.over:
            return None
        number = pick(len(ours.acts)) if len(ours.acts) > 1 else 0
        theirs = other.play(theirs, number)
        if not _played(one, ours, number):
            return None if theirs is None else (decision, "went on", None, None)
    return None


def compared(one: Game, other: Native, seed: int, most: int) -> tuple[int, Difference | None]:
    """Play a random game with both engines; return how many decisions were compared, and the first difference.

    The native engine goes on in its own memory. At each decision its row of numbers is compared with that of the other state."""
    ours, theirs = one.machine.start(Chance.stream(seed), log=True), Going(other)
    begin = Chance.stream(seed)
    goes = theirs.made("start", ctypes.c_ulonglong(begin.state), ctypes.c_ulonglong(begin.step))
    pick, told = Chance.stream(seed, 0, PLAYER).below, 0
    for decision in range(most):
        if not goes:
            return decision, (decision, "stopped", None, None)
        found, told = theirs.differs(ours, told), len(ours.log or ())
        if found is not None:
            return decision, (decision, *found)
        if ours.over:
            return decision, None
        number = pick(len(ours.acts)) if len(ours.acts) > 1 else 0
        goes = theirs.made("play", ctypes.c_longlong(number))
        if not _played(one, ours, number):
            return decision, None if not goes else (decision, "went on", None, None)
    return most, None


class Going:
    """A game that the native engine plays in its own memory, one decision after the other."""

    def __init__(self, engine: Native) -> None:
        self.engine = engine
        self.library, *self.memory = engine.search_context()
        self.row, self.log = (ctypes.c_longlong * engine.longest)(), (ctypes.c_longlong * _LOG)()

    def made(self, what: str, *numbers: Any) -> bool:
        """False if the engine stops."""
        function = getattr(self.library, f"hoyle_{what}")
        return not function(*self.memory, *numbers, self.log, ctypes.c_longlong(_LOG))

    def differs(self, ours: Core, told: int) -> tuple[str, Any, Any] | None:
        """`told`: how many events there were before this decision."""
        assert ours.log is not None
        context, state = self.memory
        machine, places = self.engine.machine, self.engine.places
        events = events_of(self.log[: self.library.hoyle_logged(context)], places)
        new = ours.log[told:]
        if _short(new) != _short(events):
            return "log", new, events
        row, same = self.row[: self.library.hoyle_out(state, self.row)], row_of(ours, places, machine, ())
        at = len(same) - 1 - len(ours.faults)
        if row[:at] == same[:at]:
            acts, end = actions_in(row, at, places)
            if acts == ours.acts and row[end:] == same[at:]:
                return None
        theirs = core_of(row, places, machine)  # arrangements may come in another order
        return _of_states(ours, theirs)


def _short(events: list[Any]) -> list[Any]:
    """Without the values for the words of a move, which C does not note."""
    return [events[0][:4], *events[1:]] if events and events[0][0] == "move" else events


def _played(one: Game, ours: Core, number: int) -> bool:
    """False if the rules are at fault."""
    try:
        one.machine.play(ours, ours.acts[number])
    except Refused:
        return False
    return True


def _differing(ours: Core, theirs: Core, told: int) -> tuple[str, Any, Any] | None:
    """`told`: how many events were compared before."""
    assert ours.log is not None and theirs.log is not None
    if len(ours.log) != len(theirs.log) or ours.log[told:] != theirs.log[told:]:
        return "log", ours.log[told:], theirs.log[told:]
    return _of_states(ours, theirs)


def _of_states(ours: Core, theirs: Core) -> tuple[str, Any, Any] | None:
    for name in _TOLD if ours.over else (*_TOLD, "actor", "faults"):
        if getattr(ours, name) != getattr(theirs, name):
            return name, getattr(ours, name), getattr(theirs, name)
    if ours.key() != theirs.key() or ours.chance.to_json() != theirs.chance.to_json():
        return "key", ours.key(), theirs.key()
    return None
