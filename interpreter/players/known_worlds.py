"""States that look the same to a seat now, and in which all was so that it has seen and been told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from interpreter.diagnostics import Refused
from interpreter.game.compiled import Compiled
from interpreter.game.view import sees
from interpreter.game.worlds import anew, stand
from interpreter.players.dealing import Dealer
from interpreter.players.knowledge import Knowledge
from interpreter.players.marks import Bag, Mix
from interpreter.players.proofs import Proof, holds
from interpreter.running.chance import Chance
from interpreter.running.places import STOP
from interpreter.running.state import Core

DRAWS = 200
"""How often a world is drawn again that contradicts something."""


class Worlds:
    """Where worlds of one state are drawn from."""

    def __init__(self, game: Compiled, core: Core, player: int, knowledge: Knowledge) -> None:
        self.game, self.core, self.player, self.knowledge = game, core, player, knowledge
        known = knowledge.known
        self.slots = [
            (number, height, knowledge.piles[number][height])
            for number, pile in enumerate(core.piles[:-1])
            for height, piece in enumerate(pile)
            if not sees(game, number, height, len(pile), piece, player)
        ]
        lying = [mark for pile in knowledge.piles for mark in pile]
        unseen = Counter(piece >> 1 for pile in core.piles for piece in pile)
        unseen.subtract(known[mark] for mark in lying if mark in known)
        self.dealer = Dealer({m: knowledge.may[m] for m in lying if m not in known}, knowledge.bags, +unseen)
        self.proofs = [past for past in knowledge.past if isinstance(past, Proof)]
        self.acts = game.namer.ids(core, core.acts, core.actor) if core.actor == player else None

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
        world = anew(self.game, self.core, self.player, chance, at)
        for cell, value in (*self.knowledge.cells.items(), *set_to.items()):
            world.cells[cell] = value
        try:
            if not self._stands(world, chance):
                return None
        except Refused:
            return None
        same = self.acts is None or self.game.namer.ids(world, world.acts, world.actor) == self.acts
        return world if same else None

    def _stands(self, world: Core, chance: Chance) -> bool:
        """Is the same player asked in it, before anything else happens?"""
        if self.game.machine.points[self.core.pc].together is None:
            asked = self.game.machine.blocks[self.core.pc](world) == STOP
        else:
            stand(self.game, self.core, world, self.player, chance)
            asked = True
        return asked and (world.pc, world.actor) == (self.core.pc, self.core.actor)


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


def sampled(
    game: Compiled, core: Core, player: int, knowledge: Knowledge, chance: Chance, draws: int = DRAWS
) -> Core | None:
    """A state that contradicts nothing that the seat knows; None if none was found in so many draws."""
    source = Worlds(game, core, player, knowledge)
    return next((world for world in (source.draw(chance) for _ in range(draws)) if world is not None), None)


def known_worlds(
    game: Compiled,
    core: Core,
    player: int,
    knowledge: Knowledge,
    chance: Chance,
    tries: int,
    over: Callable[[], bool] = lambda: False,
) -> Iterator[Core]:
    """Of so many states drawn (or until it is `over`) those that contradict nothing that the seat knows."""
    source = Worlds(game, core, player, knowledge)
    for _ in range(tries):
        if over():
            return
        world = source.draw(chance)
        if world is not None:
            yield world
