"""Actions of several parts, chosen in the tree of a search part by part: the same as the second half of `native/tree.c`.

Where many actions differ by what is chosen together (three cards of thirteen), what is found of one is known of all that have a part in common with it. The
parts of a list have no order: at each step all that were still to be chosen are tried as well as the one that was."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from msgspec import Struct

from hoyle.native.sights import LISTED
from hoyle.players.sight import Sight
from hoyle.running.state import Core

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
