"""A player's search, done by the Python engine: the same as `native/ismcts.c`, draw for draw (where it is told what it is and who found it)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from msgspec import Struct

from interpreter.diagnostics import Refused
from interpreter.game import results
from interpreter.game.compiled import Compiled
from interpreter.native.sights import sides
from interpreter.players.sight import Sight
from interpreter.running.chance import Chance
from interpreter.running.state import Core
from interpreter.running.tried import ANY, FUTURE, PICKING, Bounds, Outcome, Tried, roots


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
        self.sight = Sight(machine, me)
        self._only = ANY
        self._outcomes = [Outcome() for _ in worlds[0].acts]
        self._sides, self._numbers = sides(machine), range(len(machine.ruleset.sides))
        self._worth, self._rare = roots(bounds.iterations)
        self._most = bounds.iterations
        self.lead = self._leads(worlds[0])
        self.scale = self._scale()

    def go(self, first: int, count: int, only: int = ANY) -> int:
        """Iterations first …, with only this action at the beginning, if it is not `ANY`. Returns how many could not be played to their end."""
        self._only = only
        return sum(not self._iterate(number) for number in range(first, first + count))

    def found(self, core: Core | None = None) -> list[Tried]:
        """What is known of each action of a state, usually the first world."""
        edges = (self.edges.get(key, Edge()) for key in self._keys(core or self.worlds[0]))
        return [Tried(e.tried, e.there, e.total, e.squares) for e in edges]

    def outcomes(self) -> list[Outcome]:
        """What games after each action of the first world came to; of those that whoever makes them cannot tell apart, after any of them."""
        keys = [*self._keys(self.worlds[0])]
        return [_together(o for o, other in zip(self._outcomes, keys, strict=True) if other == key) for key in keys]

    def _keys(self, core: Core) -> Iterator[Hashable]:
        """Of the edges from a node."""
        node = self.sight(core)
        return ((node, self.sight.told_apart(core, action)) for action in core.acts)

    # ---- the tree ----

    def _iterate(self, number: int) -> bool:
        core, pick = self._set_out(number), self._pick(number)
        try:
            path, first = self._descend(core, pick)
        except Refused:
            return False
        rewards, won, gained = self._rewards(core)
        own = self._sides[self.me]
        _note(self._outcomes[first], core.over, won[own], gained[own])
        for edge, side in path:
            edge.tried += 1
            edge.total += rewards[side]
            edge.squares += rewards[side] * rewards[side]
        return True

    def _descend(self, core: Core, pick: Chance) -> tuple[list[tuple[Edge, int]], int]:
        """Down the tree and to an end; the choices in the tree, and whose they were, and the number of the first action."""
        path: list[tuple[Edge, int]] = []
        nodes: set[Hashable] = set()
        made, first, further = 0, 0, True
        while further and len(path) < self.bounds.deep and made < self.bounds.most and not self._ends(core):
            chosen = 0
            if len(core.acts) > 1:
                node = self.sight(core)
                if node in nodes:
                    break
                nodes.add(node)
                chosen, edge = self._choose(core, node, pick, ANY if made else self._only)
                first = first if made else chosen
                further = edge.tried > 0
                path.append((edge, self._sides[core.actor]))
            self._act(core, chosen)
            made += 1
        self._at_random(core, pick, made)
        return path, first

    def _choose(self, core: Core, node: Hashable, pick: Chance, only: int) -> tuple[int, Edge]:
        """The only action that may be, one that never was tried, or the one that promises most."""
        told_apart = self.sight.told_apart
        found = [self.edges.setdefault((node, told_apart(core, action)), Edge()) for action in core.acts]
        for edge in found:
            edge.there += 1
        if only != ANY:
            return only, found[only]
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

    def _rewards(self, core: Core) -> tuple[list[float], list[float], list[float]]:
        """Between 0 and 1 for each side: its share of the win, and by how much it is better off than before; only that if nobody has won
        yet. And both as they are."""
        gained = [now - before for now, before in zip(self._leads(core), self.lead, strict=True)]
        found = [0.5 + 0.5 * change / (abs(change) + self.scale) for change in gained]
        if not core.over:
            return found, [0.0 for _ in found], gained
        won = self._won(core)
        return [0.9 * share + 0.1 * reward for share, reward in zip(won, found, strict=True)], won, gained

    def _won(self, core: Core) -> list[float]:
        winners = results.winning(self.game, core)
        if not winners:
            return [1.0 / len(self._numbers) if len(self._numbers) > 1 else 0.0 for _ in self._numbers]
        return [float(n in winners) / len(winners) for n in self._numbers]


def _note(outcome: Outcome, over: bool, won: float, gained: float) -> None:
    outcome.games += 1
    outcome.over += over
    outcome.won += won
    outcome.wons += won * won
    outcome.gained += gained
    outcome.gains += gained * gained


def _together(outcomes: Iterator[Outcome]) -> Outcome:
    found = Outcome()
    for outcome in outcomes:
        for name in Outcome.__struct_fields__:
            setattr(found, name, getattr(found, name) + getattr(outcome, name))
    return found
