"""A player's search, done by the Python engine: the same as `native/ismcts.c`, draw for draw (where it is told what it is and who found it)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct

from interpreter.diagnostics import Refused
from interpreter.game import results
from interpreter.game.compiled import Compiled
from interpreter.native.sights import EVERYBODY, FIRST_SEAT, PIECE, nature, secrets, sides
from interpreter.running.chance import Chance
from interpreter.running.state import Action, Core
from interpreter.running.tried import FUTURE, PICKING, Bounds, Tried, roots

HIDDEN = -2
"""What stands for a piece that somebody cannot make out."""


class Edge(Struct):
    tried: int = 0
    there: int = 0
    total: float = 0.0
    squares: float = 0.0


class Hunt:
    """One search, by iterations whose number only matters for their order."""

    def __init__(self, game: Compiled, worlds: Sequence[Core], me: int, seed: int, bounds: Bounds) -> None:
        machine = game.machine
        self.game, self.machine, self.worlds, self.me, self.seed, self.bounds = game, machine, worlds, me, seed, bounds
        self.edges: dict[Hashable, Edge] = {}
        self._tops = [
            (f.face == "top seen") for f in machine.ruleset.piles.values() for _ in range(f.members * f.columns)
        ]
        allowed = (EVERYBODY, FIRST_SEAT + me)
        self._known = [cell for cell, who in enumerate(secrets(machine)) if who in allowed]
        self._sides, self._numbers = sides(machine), range(len(machine.ruleset.sides))
        self._worth, self._rare = roots(bounds.iterations)
        self._most = bounds.iterations
        self._natures = {m.number: [nature(v.kind) for v in m.bindings] for m in machine.ruleset.moves.values()}
        self.lead = self._leads(worlds[0])
        self.scale = self._scale()

    def go(self, first: int, count: int) -> int:
        """Iterations first … Returns how many could not be played to their end."""
        return sum(not self._iterate(number) for number in range(first, first + count))

    def found(self) -> list[Tried]:
        """What is known of each action of the first world."""
        core = self.worlds[0]
        node = self.sight(core)
        edges = (self.edges.get((node, self.told_apart(core, a)), Edge()) for a in core.acts)
        return [Tried(e.tried, e.there, e.total, e.squares) for e in edges]

    # ---- what is seen ----

    def sight(self, core: Core) -> Hashable:
        """All that the seat sees."""
        piles = tuple(self._pile(core, number) for number in range(len(core.piles) - 1))
        return core.pc, -1 if core.over else core.actor, piles, tuple(core.cells[cell] for cell in self._known)

    def _pile(self, core: Core, number: int) -> tuple[int, ...]:
        pile, machine = core.piles[number], self.machine
        own, top = machine.hands[number] == self.me, len(pile) - 1
        seen = [
            piece if own or (piece & 1 and (at == top or not self._tops[number])) else HIDDEN
            for at, piece in enumerate(pile)
        ]
        return tuple(sorted(seen) if number in machine.heaps else seen)

    def told_apart(self, core: Core, action: Action) -> Hashable:
        """An action as whoever makes it can tell it from others."""
        return (action[0], *(self._told(core, v, n) for v, n in zip(action[1:], self._natures[action[0]], strict=True)))

    def _told(self, core: Core, value: int | Sequence[int], kind: int) -> int | tuple[int, ...]:
        if not kind & PIECE:
            return tuple(value) if not isinstance(value, int) else value
        return self._made_out(core, value) if isinstance(value, int) else tuple(self._made_out(core, v) for v in value)

    def _made_out(self, core: Core, piece: int) -> int:
        held = (pile for pile, hand in zip(core.piles, self.machine.hands, strict=False) if hand == core.actor)
        return piece if piece & 1 or piece < 0 or any(piece in pile for pile in held) else HIDDEN

    # ---- the tree ----

    def _iterate(self, number: int) -> bool:
        core, pick = self._set_out(number), self._pick(number)
        try:
            path = self._descend(core, pick)
        except Refused:
            return False
        rewards = self._rewards(core)
        for edge, side in path:
            edge.tried += 1
            edge.total += rewards[side]
            edge.squares += rewards[side] * rewards[side]
        return True

    def _descend(self, core: Core, pick: Chance) -> list[tuple[Edge, int]]:
        """Down the tree and to an end; the choices in the tree, and whose they were."""
        path: list[tuple[Edge, int]] = []
        nodes: set[Hashable] = set()
        made, further = 0, True
        while further and len(path) < self.bounds.deep and made < self.bounds.most and not self._ends(core):
            chosen = 0
            if len(core.acts) > 1:
                node = self.sight(core)
                if node in nodes:
                    break
                nodes.add(node)
                chosen, edge = self._choose(core, node, pick)
                further = edge.tried > 0
                path.append((edge, self._sides[core.actor]))
            self._act(core, chosen)
            made += 1
        self._at_random(core, pick, made)
        return path

    def _choose(self, core: Core, node: Hashable, pick: Chance) -> tuple[int, Edge]:
        """An action that never was tried, or the one that promises most."""
        found = [self.edges.setdefault((node, self.told_apart(core, action)), Edge()) for action in core.acts]
        for edge in found:
            edge.there += 1
        fresh = [number for number, edge in enumerate(found) if not edge.tried]
        best = fresh[pick.below(len(fresh))] if fresh else max(range(len(found)), key=lambda n: self._promise(found[n]))
        return best, found[best]

    def _promise(self, edge: Edge) -> float:
        worth, rare = self._worth[min(edge.there, self._most)], self._rare[min(edge.tried, self._most)]
        return edge.total / edge.tried + self.bounds.keen * worth * rare

    # ---- games ----

    def _set_out(self, number: int) -> Core:
        core = self.worlds[number % len(self.worlds)].copy()
        core.chance, core.log = Chance.stream(self.seed, number, FUTURE), []
        return core

    def _pick(self, number: int) -> Chance:
        return Chance.stream(self.seed, number, PICKING)

    def _act(self, core: Core, number: int) -> None:
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))

    def _at_random(self, core: Core, pick: Chance, made: int) -> None:
        while made < self.bounds.most and not self._ends(core):
            self._act(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
            made += 1

    def _ends(self, core: Core) -> bool:
        """Is it over, or a deal of it: were pieces shuffled, and does somebody stand otherwise than at the beginning?"""
        return core.over or (any(e[0] == "shuffle" for e in core.log or ()) and self._leads(core) != self.lead)

    def _leads(self, core: Core) -> list[float]:
        """By how much each side is ahead of the others' mean; one alone, where it stands."""
        best = self.game.ruleset.result.best[0]
        stand = [float(results.number(self.game, core, best, side)) for side in self._numbers]
        total, others = sum(stand), len(stand) - 1
        return [own - (total - own) / others for own in stand] if others else stand

    def _scale(self) -> float:
        """By how much that usually changes in a random game; 1 if it does not."""
        changes: list[float] = []
        for number in range(self.bounds.probes):
            core = self._set_out(number)
            try:
                self._at_random(core, self._pick(number), 0)
            except Refused:
                continue
            changes += (abs(now - before) for now, before in zip(self._leads(core), self.lead, strict=True))
        return sum(changes) / len(changes) if any(changes) else 1.0

    def _rewards(self, core: Core) -> list[float]:
        """Between 0 and 1 for each side: its share of the win, and by how much it is better off than before; only that if nobody has won
        yet."""
        changes = [now - before for now, before in zip(self._leads(core), self.lead, strict=True)]
        found = [0.5 + 0.5 * change / (abs(change) + self.scale) for change in changes]
        if not core.over:
            return found
        won = self._won(core)
        return [0.9 * share + 0.1 * reward for share, reward in zip(won, found, strict=True)]

    def _won(self, core: Core) -> list[float]:
        winners = results.winning(self.game, core)
        if not winners:
            return [1.0 / len(self._numbers) if len(self._numbers) > 1 else 0.0 for _ in self._numbers]
        return [float(n in winners) / len(winners) for n in self._numbers]
