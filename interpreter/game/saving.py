"""A state as plain data and back. The data is for programs; positions are for people."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.diagnostics import Diagnostic, Refused
from interpreter.game.compiled import Compiled
from interpreter.running.chance import Chance
from interpreter.running.state import Core

FORMAT = 1


def to_json(game: Compiled, core: Core) -> dict[str, Any]:
    """A state as plain data."""
    return {
        "state": FORMAT,
        "game": game.name,
        "digest": game.digest,
        "options": game.options,
        "piles": [list(p) for p in core.piles[:-1]],
        "cells": _listed(core.cells),
        "pc": core.pc,
        "actor": core.actor,
        "over": core.over,
        "chance": core.chance.to_json(),
        "log": _listed(core.log or ()),
        "back": _listed(core.back) if core.back is not None else None,
    }


def _listed(found: Any) -> Any:
    if isinstance(found, frozenset):
        return sorted(_listed(f) for f in found)
    return [_listed(f) for f in found] if isinstance(found, (list, tuple)) else found


def _tupled(found: Any) -> Any:
    return tuple(_tupled(f) for f in found) if isinstance(found, list) else found


def resume(game: Compiled, data: Any) -> Core:
    """The state that `to_json` wrote. Raises Refused if the data is not a state of this game with these options."""
    try:
        return _core(game, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Refused([Diagnostic("R721", f"this is not a saved state: {type(error).__name__} {error}")]) from None


def _core(game: Compiled, data: Any) -> Core:
    if data["state"] != FORMAT or data["digest"] != game.digest:
        raise Refused(
            [
                Diagnostic(
                    "R722",
                    f"this state was saved by another version or variant of `{data['game']}`",
                    notes=(f"its digest is {data['digest']}, the game's {game.digest}",),
                )
            ]
        )
    core = game.machine.fresh(Chance.from_json(data["chance"]))
    whole = Counter(p >> 1 for pile in core.piles for p in pile)
    core.piles = [[int(p) for p in pile] for pile in data["piles"]] + [[]]
    core.cells = [_tupled(c) for c in data["cells"]]
    for point in game.machine.points.values():
        if point.seen >= 0:
            core.cells[point.seen] = frozenset(core.cells[point.seen])
    core.pc, core.actor, core.over = int(data["pc"]), int(data["actor"]), bool(data["over"])
    core.log = [_tupled(e) for e in data["log"]]
    if data["back"] is not None:
        core.back = ([list(p) for p in data["back"][0]], list(data["back"][1]))
    _sound(game, core, whole)
    if not core.over and core.pc >= 0:
        game.machine.advance(core, core.pc)
    return core


def _sound(game: Compiled, core: Core, whole: Counter[int]) -> None:
    """The numbers are those of a state of this game: nothing else may reach the machine."""
    held = Counter(p >> 1 for pile in core.piles for p in pile)
    fresh = game.machine.fresh(Chance.stream(0))
    right = len(core.piles) == len(fresh.piles) and len(core.cells) == len(fresh.cells) and not held - whole
    if not right or not -1 <= core.pc < len(game.machine.blocks):
        raise Refused([Diagnostic("R721", "this is not a saved state: its piles or cells are not this game's")])
