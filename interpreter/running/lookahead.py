"""The whole-turn obligation: which actions begin a sequence with the greatest sums. Memoised, and it stops early when everything
that is there to play can be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.running.machine import Machine
from interpreter.running.state import Action, Core
from interpreter.running.verbs import Ended

Weigh = Callable[[Any, Any, int, Any], tuple[int, ...]]
Spare = Callable[[Any, Any, int], bool]
Sums = tuple[int, ...]


def maximise(
    machine: Machine, s: Core, acts: list[Action], label: int, weigh: Weigh, most: Sums, me: int
) -> list[Action]:
    """The actions of `acts` that begin a sequence, at decision `label` and by `me`, with the greatest sums.

    `most` is a bound on the sums from here; an action that reaches it needs no further search.
    """
    return acts if s.looking else _greatest(machine, s, acts, label, weigh, most, me)[1]


def maximise_unless(
    machine: Machine,
    s: Core,
    acts: list[Action],
    label: int,
    weigh: Weigh,
    most: Sums,
    me: int,
    spare: Spare,
    aim: int,
) -> list[Action]:
    """As `maximise`, and also the actions that begin a sequence at whose end `spare` is true.

    The register `aim` holds the sums still to be reached, `()` at the first action: who has left the greatest sums for a spared
    sequence must go on with one.
    """
    if s.looking:
        return acts
    best, kept = _greatest(machine, s, acts, label, weigh, most, me)
    s.cells[aim] = s.cells[aim] or best
    if s.cells[aim] != best:
        kept = []
    memory: dict[Any, bool] = {}
    return [a for a in acts if a in kept or _spared(machine, s, a, label, spare, me, memory)]


def less(sums: Sums, own: Sums) -> Sums:
    """What is still to be reached after an action that adds `own`."""
    return tuple(a - b for a, b in zip(sums, own, strict=True))


def is_spared(machine: Machine, s: Core, action: Action, label: int, spare: Spare, me: int) -> bool:
    """Does the action begin a sequence at whose end `spare` is true?"""
    return _spared(machine, s, action, label, spare, me, {})


def _spared(
    machine: Machine, s: Core, action: Action, label: int, spare: Spare, me: int, memory: dict[Any, bool]
) -> bool:
    tried, goes_on = _try(machine, s, action, label, me)
    if not goes_on:
        return bool(spare(tried.piles, tried.cells, me))
    key = machine.memory_key(tried)
    if key not in memory:
        memory[key] = any(_spared(machine, tried, a, label, spare, me, memory) for a in tried.acts)
    return memory[key]


def _try(machine: Machine, s: Core, action: Action, label: int, me: int) -> tuple[Core, bool]:
    """The state after an action, and whether the same player decides there again at `label`."""
    tried = s.copy()
    tried.log, tried.looking = None, True
    try:
        machine.advance(tried, machine.apply[label](tried, action))
    except Ended:
        return tried, False
    return tried, not tried.over and tried.pc == label and tried.actor == me


def _greatest(
    machine: Machine, s: Core, acts: list[Action], label: int, weigh: Weigh, most: Sums, me: int
) -> tuple[Sums, list[Action]]:
    """The greatest sums, and the actions that begin a sequence with them."""
    memory: dict[Any, Sums] = {}
    best: Sums | None = None
    kept: list[Action] = []
    for action in acts:
        found = _after(machine, s, action, label, weigh, me, memory, most)
        if best is None or found > best:
            best, kept = found, [action]
        elif found == best:
            kept.append(action)
    return best or (), kept


def sums(machine: Machine, s: Core, action: Action, label: int, weigh: Weigh, me: int) -> Sums:
    """The greatest sums of sequences that begin with this action, without an early end."""
    width = len(weigh(s.piles, s.cells, me, action))
    return _after(machine, s, action, label, weigh, me, {}, (10**9,) * width)


def _after(
    machine: Machine, s: Core, action: Action, label: int, weigh: Weigh, me: int, memory: dict[Any, Sums], most: Sums
) -> Sums:
    """The greatest sums of sequences that begin with this action."""
    own = weigh(s.piles, s.cells, me, action)
    tried, goes_on = _try(machine, s, action, label, me)
    if not goes_on:
        return own
    rest = _best(machine, tried, label, weigh, me, memory, less(most, own))
    return tuple(a + b for a, b in zip(own, rest, strict=True))


def _best(machine: Machine, s: Core, label: int, weigh: Weigh, me: int, memory: dict[Any, Sums], most: Sums) -> Sums:
    key = machine.memory_key(s)
    if key in memory:
        return memory[key]
    best: Sums = ()
    for action in s.acts:
        found = _after(machine, s, action, label, weigh, me, memory, most)
        if found > best:
            best = found
        if best >= most:
            break
    memory[key] = best
    return best
