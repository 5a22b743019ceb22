"""The search for a way to win of who plays alone, done by the Python engine: the same as `native/ways.c`, state for state (where it is told what it is and what a
state is worth)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.sights import families
from hoyle.running.chance import Chance
from hoyle.running.state import Core
from hoyle.running.tried import LONGEST, PICKING, Sought

KEPT, FORCED, NEVER, PROBES, PROBED = -1, 64, 1 << 20, 16, 400
PLACED, BURIED, FREE, FREE_MOST = 4, 4, 1, 16


class Kept(Struct, frozen=True):
    """A state that is kept, and the choices that lead to it."""

    core: Core
    way: tuple[int, ...]


class Choice(Struct, frozen=True):
    """A state that may be kept: of two as good, the one that was found first is better."""

    worth: int
    order: int
    kept: Kept
    key: Hashable


class Quest:
    """One search from a state, and what is learnt of piles and pieces in it."""

    def __init__(self, game: Compiled, core: Core, seed: int, is_open: bool = True) -> None:
        """`is_open`: what chance has a part in is no way, since it may come otherwise."""
        self.game, self.machine, self.core, self._open = game, game.machine, core, is_open
        self._families, self._piles = families(game.machine), range(len(core.piles) - 1)
        self._grown, self._better = [0] * len(core.piles), [0] * len(core.piles)
        self._due: dict[int, int] = {}
        self._same: set[int] = set()
        for number in range(PROBES):
            self._probe(Chance.stream(seed, number, PICKING))

    # ---- what is learnt ----

    def _probe(self, pick: Chance) -> None:
        core, cells = self._copy(self.core), range(self.machine.state_size)
        try:
            for _ in range(PROBED):
                if core.over:
                    return
                before = core.cells[: len(cells)]
                self._act(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
                self._same.update(cell for cell in cells if before[cell] == core.cells[cell])
        except Refused:
            return

    @staticmethod
    def _copy(core: Core) -> Core:
        found = core.copy()
        found.log = None
        return found

    def _act(self, core: Core, number: int) -> bool:
        """Makes an action and learns from it; whether chance had no part in it."""
        sizes, stood, future = [*map(len, core.piles)], self._standing(core), core.chance.state
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))
        better = self._standing(core) > stood
        for pile in self._piles:
            if len(core.piles[pile]) > sizes[pile]:
                self._grew(pile, core.piles[pile], sizes[pile], better)
        return core.chance.state == future

    def _standing(self, core: Core) -> int:
        return int(results.leads(self.game, core)[0])

    def _grew(self, pile: int, pieces: Sequence[int], before: int, better: bool) -> None:
        self._grown[pile] += 1
        self._better[pile] += better
        if self._is_goal(pile):
            for at in range(before, len(pieces)):
                self._due[pieces[at] >> 1] = min(at, self._due.get(pieces[at] >> 1, NEVER))

    def _is_goal(self, pile: int) -> bool:
        return 0 < self._grown[pile] == self._better[pile]

    # ---- what a state is ----

    def worth(self, core: Core) -> int:
        placed = buried = 0
        for number in self._piles:
            if self._is_goal(number):
                placed += len(core.piles[number])
            else:
                buried += self._buried(core.piles[number])
        return PLACED * placed - BURIED * buried + FREE * min(len(core.acts), FREE_MOST)

    def _buried(self, pieces: Sequence[int]) -> int:
        """How many lie upon one that is due before them."""
        found, first = 0, NEVER
        for piece in pieces:
            due = self._due.get(piece >> 1, NEVER)
            found += due > first
            first = min(first, due)
        return found

    def key(self, core: Core, alike: bool) -> Hashable:
        """All that a state is, but for how often somebody decided; where columns are `alike`, whichever is which."""
        heaps = self.machine.heaps
        piles = [
            (self._families[n] if alike else n, *(sorted(core.piles[n]) if n in heaps else core.piles[n]))
            for n in self._piles
            if core.piles[n]
        ]
        return core.pc, core.over, tuple(sorted(piles)), tuple(core.cells[cell] for cell in sorted(self._same))

    # ---- a search ----

    def seek(self, width: int, most: int, alike: bool) -> Sought:
        """A search that keeps so many states at each choice and looks at no more than `most`. `alike`: it does not matter which pile of a family is which."""
        return _Search(self, width, most, alike).run()

    def made(self, core: Core, number: int) -> Core | None:
        """After one choice and what is forced after it; None if that is no way."""
        core = self._copy(core)
        try:
            for _ in range(FORCED):
                if not self._act(core, number) and self._open:
                    return None
                if core.over or len(core.acts) != 1:
                    break
                number = 0
        except Refused:
            return None
        return core

    def is_won(self, core: Core) -> bool:
        return core.over and bool(results.winning(self.game, core))


class _Search:
    """One search with so much room."""

    def __init__(self, quest: Quest, width: int, most: int, alike: bool) -> None:
        self.quest, self.width, self.most, self.alike = quest, width, most, alike
        self.looked, self.order, self.lost, self.missed = 0, 0, False, alike
        self.met: dict[Hashable, int] = {quest.key(quest.core, alike): KEPT}
        self.way: tuple[int, ...] = ()

    def run(self) -> Sought:
        kept = [Kept(self.quest.core, ())]
        for depth in range(1, LONGEST):
            found: list[Choice] = []
            if not kept or any(self._looked_on(one, depth, found) for one in kept):
                break
            kept = [*self._best(found)]
        else:
            self.missed = True  # ways may be longer
        return Sought(self.looked, self.lost, self.way, self.missed)

    def _looked_on(self, kept: Kept, depth: int, found: list[Choice]) -> bool:
        """Finds all that may come of one state that is kept; whether that is a way, or there is no room to look further."""
        for number in range(len(kept.core.acts)):
            if self.looked == self.most:
                self.lost = True
                return True
            self.looked += 1
            core = self.quest.made(kept.core, number)
            if core is None:
                self.missed = True
                continue
            if self.quest.is_won(core):
                self.way = (*kept.way, number)
                return True
            if not core.over:
                self._offer(core, depth, Kept(kept.core, (*kept.way, number)), found)
        return False

    def _offer(self, core: Core, depth: int, kept: Kept, found: list[Choice]) -> None:
        key = self.quest.key(core, self.alike)
        if self.met.get(key, 0) not in (KEPT, depth):
            self.met[key] = depth
            found.append(Choice(self.quest.worth(core), self.order, kept, key))
            self.order += 1

    def _best(self, found: list[Choice]) -> Iterator[Kept]:
        """What was best is kept, in order."""
        self.lost = self.lost or len(found) > self.width
        for one in sorted(found, key=lambda choice: (-choice.worth, choice.order))[: self.width]:
            core = self.quest.made(one.kept.core, one.kept.way[-1])
            if core is not None:
                self.met[one.key] = KEPT
                yield Kept(core, one.kept.way)
