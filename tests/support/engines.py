"""Games played by both engines, compared with each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from games import game

from interpreter.diagnostics import Refused
from interpreter.game.game import Game
from interpreter.native import made
from interpreter.native.compiler import NoCompiler, find_compiler
from interpreter.native.engine import Native
from interpreter.native.made import native
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Core

with_compiler = pytest.mark.skipif(isinstance(find_compiler(), NoCompiler), reason="there is no C compiler here")
QUICKLY = "-O0"
"""The flag with which the compiler is done in a tenth of the time."""
_TOLD = ("acts", "pc", "over", "piles", "cells", "back", "looking")
_LONG = 100
"""Events, after which a log begins anew: each play copies the one before, and that of a whole game has thousands."""
Difference = tuple[int, str, Any, Any]
"""At which decision, in what, and what each engine has there."""


@cache
def engine(name: str) -> Native:
    return engine_of(game(name))


def engine_of(one: Game) -> Native:
    found = native(one.ruleset, one.machine, () if QUICKLY in made.FLAGS else (QUICKLY,))
    assert isinstance(found, Native), found
    return found


def difference(one: Game, other: Native, seed: int, most: int = 400) -> Difference | None:
    """Plays a random game with both engines; the first difference between their states."""
    return compared(one, other, seed, most)[1]


def compared(one: Game, other: Native, seed: int, most: int) -> tuple[int, Difference | None]:
    """The same, and how many decisions were compared."""
    ours, theirs = one.machine.start(Chance.stream(seed), log=True), other.start(Chance.stream(seed), True)
    pick, begin, told = Chance.stream(seed, 0, PLAYER).below, 0, 0
    for decision in range(most):
        if theirs is None:
            return decision, (decision, "stopped", None, None)
        found, told = _differing(ours, theirs, begin, told), len(ours.log or ())
        if found is not None:
            return decision, (decision, *found)
        if ours.over:
            return decision, None
        if told - begin > _LONG:
            theirs.log, begin = [], told
        number = pick(len(ours.acts)) if len(ours.acts) > 1 else 0
        theirs = other.play(theirs, number)
        if not _played(one, ours, number):
            return decision, None if theirs is None else (decision, "went on", None, None)
    return most, None


def _played(one: Game, ours: Core, number: int) -> bool:
    """Not if the rules are at fault."""
    try:
        one.machine.play(ours, ours.acts[number])
    except Refused:
        return False
    return True


def _differing(ours: Core, theirs: Core, begin: int, told: int) -> tuple[str, Any, Any] | None:
    """`begin`: how many events were told before their log began; `told`: how many were compared before."""
    assert ours.log is not None and theirs.log is not None
    if len(ours.log) != begin + len(theirs.log) or ours.log[told:] != theirs.log[told - begin :]:
        return "log", ours.log[told:], theirs.log[told - begin :]
    for name in _TOLD if ours.over else (*_TOLD, "actor", "faults"):
        if getattr(ours, name) != getattr(theirs, name):
            return name, getattr(ours, name), getattr(theirs, name)
    if ours.key() != theirs.key() or ours.chance.to_json() != theirs.chance.to_json():
        return "key", ours.key(), theirs.key()
    return None
