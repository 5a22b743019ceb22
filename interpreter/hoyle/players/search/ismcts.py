"""A player's search, done by the Python engine: the same as `native/ismcts.c` and `tree.c`, draw for draw (where it is told what it is and who found it)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import sides
from hoyle.players.search.information_set import Edge, Sight, Trial, choose_parts, rewards, ways
from hoyle.running.chance import Chance
from hoyle.running.outcomes import (
    ANY,
    FUTURE,
    LONGEST,
    PATH,
    PICKING,
    About,
    Bounds,
    Line,
    Outcome,
    Tried,
    roots,
)
from hoyle.running.state import MIXED, Core


class Followed(Struct):
    """One game that is followed: the edges of the tree it took and whose they were, its decisions, the first choice, and all by number."""

    core: Core
    pick: Chance
    path: list[tuple[Edge, int]] = []
    done: int = 0
    first: int = 0
    choices: list[int] = []


class Hunt:
    """One search, by iterations whose number only matters for their order."""

    def __init__(self, game: Compiled, worlds: Sequence[Core], about: About, bounds: Bounds) -> None:
        machine, me = game.machine, about.me
        self.game, self.machine, self.worlds, self.about, self.bounds = game, machine, worlds, about, bounds
        self.me, self.seed, self.alone = me, about.seed, len(machine.ruleset.sides) == 1
        self._line = Line(-1.0, ())
        self.edges: dict[Hashable, Edge] = {}
        self.sight = Sight(machine, me)
        self._only = ANY
        self._outcomes = [Outcome() for _ in worlds[0].acts]
        self._begun = [0 for _ in worlds[0].acts]
        self._sides = sides(machine)
        self._worth, self._rare = roots(bounds.iterations)
        self._most = bounds.iterations
        self.lead = results.compute_leads(self.game, worlds[0])
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

    @property
    def here(self) -> Hashable:
        """What the seat sees at the beginning."""
        return self.sight(self.worlds[0])

    def line(self) -> Line:
        """The choices of the game that came to most, if nothing was hidden from who plays alone."""
        return self._line

    # ---- the tree ----

    def _iterate(self, number: int) -> bool:
        followed = Followed(self._set_out(number), self._pick(number))
        future = followed.core.chance.state
        try:
            back = self._descend(followed)
            if not back:
                self._at_random(followed)
        except Refused:
            return False
        found = [0.0] if back else self._reckoned(followed)  # who plays alone gets nowhere by going back
        if self.alone and not back and self.about.open and followed.core.chance.state == future:
            self._keep_line(followed, found[0])
        for edge, side in followed.path:
            edge.tried += 1
            edge.total += found[side]
            edge.squares += found[side] * found[side]
        return True

    def _reckoned(self, followed: Followed) -> list[float]:
        found, won, gained = rewards(self.game, followed.core, self.lead, self.scale, self.bounds.score)
        own = self._sides[self.me]
        _note(self._outcomes[followed.first], followed.core.over, won[own], gained[own])
        return found

    def _descend(self, followed: Followed) -> bool:
        """Down the tree; whether who plays alone came back to what it saw before."""
        nodes = set[Hashable]()
        further = True
        while further and self._has_room(nodes, followed) and self._goes_on(followed):
            chosen, core = 0, followed.core
            if len(core.acts) > 1:
                node = self.sight(core)
                if node in nodes or (self.alone and nodes and node in self.about.before):
                    return self.alone
                nodes.add(node)
                choice = self._choose(core, node, followed.pick, ANY if followed.done else self._only)
                chosen, further = choice.number, choice.edge.tried > 0
                followed.path += ((edge, self._sides[core.actor]) for edge in (choice.edge, *choice.parts))
                if not followed.done:
                    self._begin_with(followed, choice)
            self._make(followed, chosen)
        return False

    def _has_room(self, nodes: set[Hashable], followed: Followed) -> bool:
        """May the tree go deeper there?"""
        return len(nodes) < min(self.bounds.deep, PATH) and len(followed.path) < 4 * PATH

    def _begin_with(self, followed: Followed, choice: Trial) -> None:
        """What is begun with for the nth time meets what every other beginning meets then."""
        followed.first = choice.number
        if self._only == ANY and not self.alone:
            number = self._begun[choice.began]
            self._begun[choice.began] += 1
            followed.core, followed.pick = self._set_out(number), self._pick(number)

    def _keep_line(self, followed: Followed, reward: float) -> None:
        if reward > self._line.promised:
            self._line = Line(reward, tuple(followed.choices))

    def _choose(self, core: Core, node: Hashable, pick: Chance, only: int) -> Trial:
        """The only action that may be; or one that never was tried, or the one that promises most, part by part where many have several."""
        if only != ANY:
            edge = self._edge_of(core, node, only)
            edge.there += 1
            return Trial(only, only, edge)
        some, best = ways(self.sight, core), partial(self._picked, pick)
        found = choose_parts(some, node, self._edge, partial(self._edge_of, core, node), best) if some else None
        if found is None:
            edges = [self._edge_of(core, node, number) for number in range(len(core.acts))]
            number = best(edges)
            found = Trial(number, number, edges[number])
        return found

    def _edge(self, key: Hashable) -> Edge:
        return self.edges.setdefault(key, Edge())

    def _edge_of(self, core: Core, node: Hashable, number: int) -> Edge:
        return self._edge((node, self.sight.told_apart(core, core.acts[number])))

    def _picked(self, pick: Chance, edges: Sequence[Edge]) -> int:
        """Of those that could be tried, any that never was, or the one that promises most."""
        for edge in edges:
            edge.there += 1
        fresh = [number for number, edge in enumerate(edges) if not edge.tried]
        return fresh[pick.below(len(fresh))] if fresh else max(range(len(edges)), key=lambda n: self._promise(edges[n]))

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

    def _make(self, followed: Followed, number: int) -> None:
        core = followed.core
        if len(core.acts) > 1:
            followed.choices.append(number)
        followed.done += 1
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))

    def _at_random(self, followed: Followed) -> None:
        core = followed.core
        while self._goes_on(followed):
            self._make(followed, followed.pick.below(len(core.acts)) if len(core.acts) > 1 else 0)

    def _goes_on(self, followed: Followed) -> bool:
        return followed.done < min(self.bounds.most, LONGEST) and not self._ends(followed.core)

    def _ends(self, core: Core) -> bool:
        """Is it over, or a deal of it: were pieces shuffled or cut, and does somebody stand otherwise than at the beginning?"""
        return core.over or (
            any(e[0] in MIXED for e in core.log or ()) and results.compute_leads(self.game, core) != self.lead
        )

    def _scale(self) -> float:
        """By how much that usually changes in a random game; 1 if it does not."""
        changes: list[float] = []
        for number in range(self.bounds.probes):
            followed = Followed(self._set_out(number), self._pick(number))
            try:
                self._at_random(followed)
            except Refused:
                continue
            changes += (
                abs(now - before)
                for now, before in zip(results.compute_leads(self.game, followed.core), self.lead, strict=True)
            )
        return sum(changes) / len(changes) if any(changes) else 1.0


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
