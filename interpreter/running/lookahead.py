"""The whole-turn obligation: which actions begin a sequence with the greatest sums. Memoised, and it stops early when everything
that is there to play can be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.running.machine import Machine
from interpreter.running.state import Action, Core
from interpreter.running.verbs import Ended

Weigh = Callable[[Any, Any, int, Any], tuple[int, ...]]
Sums = tuple[int, ...]


def maximise(
    machine: Machine, s: Core, acts: list[Action], label: int, weigh: Weigh, most: Sums, me: int
) -> list[Action]:
    """The actions of `acts` that begin a sequence, at decision `label` and by `me`, with the greatest sums.

    `most` is a bound on the sums from here; an action that reaches it needs no further search.
    """
    if s.looking:
        return acts
    memory: dict[Any, Sums] = {}
    best: Sums | None = None
    kept: list[Action] = []
    for action in acts:
        found = _after(machine, s, action, label, weigh, me, memory, most)
        if best is None or found > best:
            best, kept = found, [action]
        elif found == best:
            kept.append(action)
    return kept


def sums(machine: Machine, s: Core, action: Action, label: int, weigh: Weigh, me: int) -> Sums:
    """The greatest sums of sequences that begin with this action, without an early end."""
    width = len(weigh(s.piles, s.cells, me, action))
    return _after(machine, s, action, label, weigh, me, {}, (10**9,) * width)


def _after(
    machine: Machine, s: Core, action: Action, label: int, weigh: Weigh, me: int, memory: dict[Any, Sums], most: Sums
) -> Sums:
    """The greatest sums of sequences that begin with this action."""
    own = weigh(s.piles, s.cells, me, action)
    tried = s.copy()
    tried.log, tried.looking = None, True
    try:
        machine.advance(tried, machine.apply[label](tried, action))
    except Ended:
        return own
    if tried.over or tried.pc != label or tried.actor != me:
        return own
    left = tuple(m - o for m, o in zip(most, own, strict=True))
    rest = _best(machine, tried, label, weigh, me, memory, left)
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
