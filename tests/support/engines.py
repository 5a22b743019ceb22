"""Games played by both engines, compared with each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from games import game

from interpreter.game.game import Game
from interpreter.native.compiler import NoCompiler, find_compiler
from interpreter.native.engine import Native
from interpreter.native.made import native
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Core

with_compiler = pytest.mark.skipif(isinstance(find_compiler(), NoCompiler), reason="there is no C compiler here")
_TOLD = ("acts", "pc", "over", "piles", "cells", "log", "back", "looking")
Difference = tuple[int, str, Any, Any]
"""At which decision, in what, and what each engine has there."""


@cache
def engine(name: str) -> Native:
    return engine_of(game(name))


def engine_of(one: Game) -> Native:
    found = native(one.ruleset, one.machine, ("-O0",))  # built ten times as quickly
    assert isinstance(found, Native), found
    return found


def difference(one: Game, other: Native, seed: int, most: int = 400) -> Difference | None:
    """Plays a random game with both engines; the first difference between their states."""
    ours, theirs = one.machine.start(Chance.stream(seed), log=True), other.start(Chance.stream(seed), log=True)
    pick = Chance.stream(seed, 0, PLAYER).below
    for decision in range(most):
        if theirs is None:
            return decision, "stopped", None, None
        found = _differing(ours, theirs)
        if found is not None:
            return decision, *found
        if ours.over:
            return None
        number = pick(len(ours.acts)) if len(ours.acts) > 1 else 0
        one.machine.play(ours, ours.acts[number])
        theirs = other.play(theirs, number)
    return None


def _differing(ours: Core, theirs: Core) -> tuple[str, Any, Any] | None:
    for name in _TOLD if ours.over else (*_TOLD, "actor", "faults"):
        if getattr(ours, name) != getattr(theirs, name):
            return name, getattr(ours, name), getattr(theirs, name)
    if ours.key() != theirs.key() or ours.chance.to_json() != theirs.chance.to_json():
        return "key", ours.key(), theirs.key()
    return None
