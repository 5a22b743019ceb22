"""States that look the same to a seat now, and in which all was so that it has seen and been told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.seen import Back, Seen
from hoyle.game.worlds import anew, is_offered, stand
from hoyle.native.sights import LISTED, PIECE, natures
from hoyle.players.dealing import Dealer
from hoyle.players.knowledge import Knowledge
from hoyle.players.marks import Bag, Mix
from hoyle.players.proofs import Proof, holds
from hoyle.running.chance import Chance
from hoyle.running.places import STOP
from hoyle.running.state import Action, Core

DRAWS = 200
"""How often a world is drawn again that contradicts something."""


class Worlds:
    """Where worlds of one state are drawn from."""

    def __init__(self, game: Compiled, seen: Seen, knowledge: Knowledge) -> None:
        self.game, self.seen, self.player, self.knowledge = game, seen, seen.player, knowledge
        known = knowledge.known
        backs = [piece.slot for pile in seen.now.piles for piece in pile if isinstance(piece, Back)]
        self.slots = [(number, height, knowledge.piles[number][height]) for number, height in backs]
        lying = [mark for pile in knowledge.piles for mark in pile]
        unseen = unseen_sorts(seen, knowledge)
        self.dealer = Dealer({m: knowledge.may[m] for m in lying if m not in known}, knowledge.bags, unseen)
        self.proofs = [past for past in knowledge.past if isinstance(past, Proof)]
        self.open = {piece for pile in seen.now.piles for piece in pile if isinstance(piece, int)}
        self.offered: list[Action] | None = None
        self.natures = natures(game.machine)

    def draw(self, chance: Chance) -> Core | None:
        """A world, each equally likely as far as that can be had; None if this one came to a contradiction."""
        sorts = self.sorts(chance)
        if sorts is None:
            return None
        set_to: dict[int, Any] = {}
        for proof in self.proofs:
            if not holds(self.game, self.player, proof, sorts, chance, set_to):
                self._ask_first(proof)
                return None
        return self.world(sorts, set_to, chance)

    def _ask_first(self, proof: Proof) -> None:
        """What forbids one world may forbid the next; unless what was set then must be known before."""
        if not any(proof.cells or proof.secrets for proof in self.proofs):
            self.proofs.remove(proof)
            self.proofs.insert(0, proof)

    def sorts(self, chance: Chance) -> dict[int, int] | None:
        """The classes of all marks, also of those that others have taken the place of."""
        dealt = self.dealer.dealt(chance)
        if dealt is None:
            return None
        sorts = {**self.knowledge.known, **dealt}
        for past in reversed(self.knowledge.past):
            if isinstance(past, Mix) and not unmixed(past, sorts, chance):
                return None
        return sorts

    def world(self, sorts: Mapping[int, int], set_to: Mapping[int, Any], chance: Chance) -> Core | None:
        """The state now, with pieces of these classes. None if other moves are legal in it."""
        at = {(pile, height): sorts[mark] for pile, height, mark in self.slots}
        world = anew(self.game, self.seen, chance, at)
        for cell, value in (*self.knowledge.cells.items(), *set_to.items()):
            world.cells[cell] = value
        try:
            if not self._stands(world, chance):
                return None
        except Refused:
            return None
        return world if self._is_offered(world) else None

    def _is_offered(self, world: Core) -> bool:
        """Are the same moves legal? Those of pieces that the seat sees are called alike in all worlds."""
        if world.acts == self.offered:
            return True
        found = is_offered(self.game, self.seen, world)
        if found and self.seen.moves is not None and all(map(self._is_seen, world.acts)):
            self.offered = [*world.acts]
        return found

    def _is_seen(self, action: Action) -> bool:
        parts = zip(action[1:], self.natures[action[0]], strict=True)
        pieces = (value if nature & LISTED else (value,) for value, nature in parts if nature & PIECE)
        return all(piece < 0 or piece in self.open for some in pieces for piece in some)

    def _stands(self, world: Core, chance: Chance) -> bool:
        """Is the same player asked in it, before anything else happens?"""
        if self.game.machine.points[self.seen.pc].together is None:
            asked = self.game.machine.blocks[self.seen.pc](world) == STOP
        else:
            stand(self.game, self.seen, world, chance)
            asked = True
        return asked and (world.pc, world.actor) == (self.seen.pc, self.seen.actor)


def unseen_sorts(seen: Seen, knowledge: Knowledge) -> Counter[int]:
    """The classes of the pieces that the seat does not know by their marks."""
    found = Counter(piece >> 1 for pile in seen.now.piles for piece in pile if isinstance(piece, int))
    for sorts in seen.unseen.values():
        found.update(sorts)
    known = knowledge.known
    found.subtract(known[mark] for pile in knowledge.piles for mark in pile if mark in known)
    return +found


def unmixed(mix: Mix, sorts: dict[int, int], chance: Chance) -> bool:
    """Say for pieces that were mixed which was which before. False if that cannot be."""
    left = Counter(sorts[mark] for mark in mix.after)
    left.subtract(mix.known.values())
    if min(left.values()) < 0:
        return False
    pieces = chance.shuffle(0, sorted(left.elements()))
    marks = [mark for mark in mix.before if mark not in mix.known]
    if not all(mix.may[mark] >> piece & 1 for mark, piece in zip(marks, pieces, strict=True)):
        fitting = Dealer({mark: mix.may[mark] for mark in marks}, (), Counter(pieces)).dealt(chance)
        if fitting is None:
            return False
        pieces = [fitting[mark] for mark in marks]
    sorts.update(mix.known)
    sorts.update(zip(marks, pieces, strict=True))
    return all(_holds(bag, sorts) for bag in mix.bags)


def _holds(bag: Bag, sorts: Mapping[int, int]) -> bool:
    """Are the pieces of a bag in it? Where a mark of it is no longer known of, it may be."""
    found = Counter(sorts[mark] for mark in bag.marks if mark in sorts)
    return (Counter(bag.sorts) - found).total() <= sum(mark not in sorts for mark in bag.marks)


def sampled(game: Compiled, seen: Seen, knowledge: Knowledge, chance: Chance, draws: int = DRAWS) -> Core | None:
    """A state that contradicts nothing that the seat knows; None if none was found in so many draws."""
    source = Worlds(game, seen, knowledge)
    return next((world for world in (source.draw(chance) for _ in range(draws)) if world is not None), None)


def known_worlds(
    game: Compiled,
    seen: Seen,
    knowledge: Knowledge,
    chance: Chance,
    tries: int,
    over: Callable[[], bool] = lambda: False,
) -> Iterator[Core]:
    """Of so many states drawn (or until it is `over`) those that contradict nothing that the seat knows."""
    source = Worlds(game, seen, knowledge)
    for _ in range(tries):
        if over():
            return
        world = source.draw(chance)
        if world is not None:
            yield world
