"""Actions of several parts, chosen in the tree of a search part by part: the same as the second half of `native/tree.c`.

Where many actions differ by what is chosen together (three cards of thirteen), what is found of one is known of all that have a part in common with it. The
parts of a list have no order: at each step all that were still to be chosen are tried as well as the one that was."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import EVERYBODY, FIRST_SEAT, LISTED, PIECE, natures, secrets
from hoyle.running.machine import Machine
from hoyle.running.outcomes import GREATEST
from hoyle.running.state import Action, Core

Seen = tuple[int, int, tuple[tuple[int, ...], ...], tuple[Any, ...]]
HIDDEN = -2
"""What stands for a piece that somebody cannot make out."""


class Sight:
    """What one seat sees: of a state, when it is called with it."""

    def __init__(self, machine: Machine, me: int) -> None:
        self.machine, self.me = machine, me
        self._tops = [
            (f.face == "top seen") for f in machine.ruleset.piles.values() for _ in range(f.members * f.columns)
        ]
        allowed = (EVERYBODY, FIRST_SEAT + me)
        self.known = [cell for cell, who in enumerate(secrets(machine)) if who in allowed]
        self.natures = natures(machine)

    def __call__(self, core: Core) -> Seen:
        """All that the seat sees: where the game stands, who decides (nobody: -1), the pieces of each pile, and the values of the cells that it may know, `known`."""
        piles = tuple(self._pile(core, number) for number in range(len(core.piles) - 1))
        return core.pc, -1 if core.over else core.actor, piles, tuple(core.cells[cell] for cell in self.known)

    def _pile(self, core: Core, number: int) -> tuple[int, ...]:
        pile, machine = core.piles[number], self.machine
        own, top = machine.hands[number] == self.me, len(pile) - 1
        seen = [
            piece if own or (piece & 1 and (at == top or not self._tops[number])) else HIDDEN
            for at, piece in enumerate(pile)
        ]
        return tuple(sorted(seen) if number in machine.heaps else seen)

    def told_apart(self, core: Core, action: Action) -> tuple[Any, ...]:
        """An action as whoever makes it can tell it from others."""
        return (action[0], *(self._told(core, v, n) for v, n in zip(action[1:], self.natures[action[0]], strict=True)))

    def _told(self, core: Core, value: int | Sequence[int], kind: int) -> int | tuple[int, ...]:
        if not kind & PIECE:
            return tuple(value) if not isinstance(value, int) else value
        return self._made_out(core, value) if isinstance(value, int) else tuple(self._made_out(core, v) for v in value)

    def _made_out(self, core: Core, piece: int) -> int:
        held = (pile for pile, hand in zip(core.piles, self.machine.hands, strict=False) if hand == core.actor)
        return piece if piece & 1 or piece < 0 or any(piece in pile for pile in held) else HIDDEN


FEW = 16
"""Where there are no more actions, each is tried by itself."""
ARMS, STEPS, ITEMS, CREDITS = 96, 64, 8192, 128
"""Parts to choose from at a step; of one action; of all; and what is known better by one choice: where there are more, the same holds."""
DONE = "done"
"""What is chosen if nothing more is."""


class Edge(Struct):
    """What a search knows of an action at a node, or of a part of one (see `running.tried.Tried`)."""

    tried: int = 0
    there: int = 0
    total: float = 0.0
    squares: float = 0.0


Pick = Callable[[Sequence[Edge]], int]
Find = Callable[[Hashable], Edge]


class Trial(Struct):
    """What was chosen: an action, where it parts from others (the first action with the part that was chosen first), its edge, and those of its parts."""

    number: int
    began: int
    edge: Edge
    parts: list[Edge] = []


class Way(Struct):
    """An action that is left: its number, what of it is no part of its list, the parts, and those that were not chosen."""

    number: int
    rest: Hashable
    items: tuple[Hashable, ...]
    left: list[Hashable]

    def arms(self, step: int) -> Sequence[Hashable]:
        return [self.rest] if not step else self.left or [DONE]

    def goes_on(self, part: Hashable, step: int) -> bool:
        """Does it go on so? Then that part of it is taken."""
        fits = part in self.arms(step)
        if fits and step and self.left:
            self.left.remove(part)
        return fits


class Step(Struct, frozen=True):
    """What was chosen where, and whether there was a choice."""

    key: Hashable
    part: Hashable
    open: bool


def ways(sight: Sight, core: Core) -> list[Way] | None:
    """All actions as ways; None if they are few, or none is of several parts, or these are too many."""
    if len(core.acts) <= FEW:
        return None
    found = [_way(sight, core, number) for number in range(len(core.acts))]
    sizes = [len(way.items) for way in found]
    return found if 1 < max(sizes) < STEPS and sum(sizes) <= ITEMS else None


def _way(sight: Sight, core: Core, number: int) -> Way:
    action = core.acts[number]
    told, natures = sight.told_apart(core, action), sight.natures[action[0]]
    listed = next((at for at, nature in enumerate(natures, 1) if nature & LISTED), None)
    if listed is None:
        return Way(number, told, (), [])
    return Way(number, (*told[:listed], *told[listed + 1 :]), told[listed], [*told[listed]])


def choose_parts(
    some: list[Way], node: Hashable, find: Find, edge_of: Callable[[int], Edge], pick: Pick
) -> Trial | None:
    """The action to be tried, part by part; None if there are too many parts to choose from. `find`: the edge of a key; `edge_of`: of an action."""
    steps, began, chosen = list[Step](), -1, tuple[Hashable, ...]()
    while len(some) > 1:
        key = node, _unordered(chosen)
        arms = _arms(some, len(steps))
        if len(arms) > ARMS:
            return None
        parts = [*arms]
        best = pick([find((key, part)) for part in parts]) if len(arms) > 1 else 0
        if len(arms) == 1 and steps and parts[0] == DONE:
            break
        began = arms[parts[best]] if began < 0 < len(arms) - 1 else began
        some = [way for way in some if way.goes_on(parts[best], len(steps))]
        steps.append(Step(key, parts[best], len(arms) > 1))
        chosen = *chosen, parts[best]
    found = some[0]
    return Trial(
        found.number, began if began >= 0 else found.number, edge_of(found.number), _credits(found, steps, find)
    )


def _unordered(chosen: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    return tuple(sorted(chosen, key=repr))


def _arms(some: Sequence[Way], step: int) -> dict[Hashable, int]:
    """The parts that the ways left have, and the first action that has each."""
    found: dict[Hashable, int] = {}
    for way in some:
        for part in way.arms(step):
            found.setdefault(part, way.number)
    return found


def _credits(way: Way, steps: Sequence[Step], find: Find) -> list[Edge]:
    """The edges of what was chosen at each step, and of what might as well have been."""
    way.left = [*way.items]
    keys: dict[tuple[Hashable, Hashable], None] = {}
    for number, step in enumerate(steps):
        if step.open:
            keys |= dict.fromkeys((step.key, part) for part in (step.part, *(way.left if number else ())))
        way.goes_on(step.part, number)
    return [find(key) for key in keys][:CREDITS]


def rewards(
    game: Compiled, core: Core, lead: Sequence[float], scale: float, score: bool = False
) -> tuple[list[float], list[float], list[float]]:
    """Between 0 and 1 for each side: its share of the win, and by how much it is better off than with `lead`, where `scale` is usual; only that if
    nobody has won yet or only standings count (`score`). And both as they are."""
    gained = [now - before for now, before in zip(results.compute_leads(game, core), lead, strict=True)]
    found = [better_off(change, scale, score) for change in gained]
    if not core.over:
        return found, [0.0 for _ in found], gained
    won = _won(game, core)
    if score:
        return found, won, gained
    return [0.9 * share + 0.1 * reward for share, reward in zip(won, found, strict=True)], won, gained


def better_off(change: float, scale: float, score: bool) -> float:
    """Between 0 and 1, for standing so much better than before."""
    part = min(1.0, max(-1.0, change / (GREATEST * scale))) if score else change / (abs(change) + scale)
    return 0.5 + 0.5 * part


def _won(game: Compiled, core: Core) -> list[float]:
    winners, sides = results.find_winners(game, core), range(len(game.ruleset.sides))
    if not winners:
        return [1.0 / len(sides) if len(sides) > 1 else 0.0 for _ in sides]
    return [float(n in winners) / len(winners) for n in sides]
