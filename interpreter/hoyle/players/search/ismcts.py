"""Information set Monte Carlo tree search in Python: equals `native/ismcts.c` and `tree.c`, draw for draw.

`driver` chooses between this search and the native one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import sides
from hoyle.players.search.information_set import Edge, SeatView, Trial, choose_parts, compute_rewards, split_actions
from hoyle.running.chance import Chance
from hoyle.running.outcomes import ANY, FUTURE, LONGEST, PATH, PICKING, About, Bounds, Line, Outcome, Tried, roots
from hoyle.running.state import MIXED, Core


class Iteration(Struct):
    """One game: the tree edges it took with the sides that chose them, its decisions, its first choice and all choices."""

    core: Core
    pick: Chance
    path: list[tuple[Edge, int]] = []
    decisions: int = 0
    first: int = 0
    choices: list[int] = []


class Search:
    """A search from worlds that look alike to the seat that is to choose."""

    def __init__(self, game: Compiled, worlds: Sequence[Core], about: About, bounds: Bounds) -> None:
        machine = game.machine
        self.game, self.machine, self.worlds, self.about, self.bounds = game, machine, worlds, about, bounds
        self.is_solo = len(machine.ruleset.sides) == 1
        self.edges: dict[Hashable, Edge] = {}
        self.view = SeatView(machine, about.me)
        self._line = Line(-1.0, ())
        self._only = ANY
        self._outcomes = [Outcome() for _ in worlds[0].acts]
        self._begun = [0 for _ in worlds[0].acts]
        self._sides = sides(machine)
        self._log_roots, self._inverse_roots = roots(bounds.iterations)
        self.lead = results.compute_leads(game, worlds[0])
        self.scale = self._estimate_scale()

    def go(self, first: int, count: int, only: int = ANY) -> int:
        """Run iterations from number `first`; `only` fixes the first action. Returns how many could not be played to the end."""
        self._only = only
        return sum(not self._iterate(number) for number in range(first, first + count))

    def found(self, core: Core | None = None) -> list[Tried]:
        """Return the statistics of each action of a state (default: the first world)."""
        edges = (self.edges.get(key, Edge()) for key in self._keys(core or self.worlds[0]))
        return [Tried(e.tried, e.there, e.total, e.squares) for e in edges]

    def outcomes(self) -> list[Outcome]:
        """Return the outcomes after each action of the first world, summed over actions that look alike to the actor."""
        keys = [*self._keys(self.worlds[0])]
        return [_sum_outcomes(o for o, other in zip(self._outcomes, keys, strict=True) if other == key) for key in keys]

    @property
    def here(self) -> Hashable:
        """The information set at the root."""
        return self.view(self.worlds[0])

    def line(self) -> Line:
        """The choices of the best game, if a single side plays with nothing hidden."""
        return self._line

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def _iterate(self, number: int) -> bool:
        game = Iteration(self._start_world(number), self._pick(number))
        future = game.core.chance.state
        try:
            is_repetition = self._descend(game)
            if not is_repetition:
                self._play_randomly(game)
        except Refused:
            return False
        rewards = [0.0] if is_repetition else self._reward(game)  # going back is worth nothing to a single side
        is_certain = self.is_solo and not is_repetition and self.about.open and game.core.chance.state == future
        if is_certain and rewards[0] > self._line.promised:
            self._line = Line(rewards[0], tuple(game.choices))
        for edge, side in game.path:
            edge.tried += 1
            edge.total += rewards[side]
            edge.squares += rewards[side] * rewards[side]
        return True

    def _reward(self, game: Iteration) -> list[float]:
        rewards, shares, gains = compute_rewards(self.game, game.core, self.lead, self.scale, self.bounds.score)
        own, outcome = self._sides[self.about.me], self._outcomes[game.first]
        won, gained = shares[own], gains[own]
        outcome.games += 1
        outcome.over += game.core.over
        outcome.won += won
        outcome.wons += won * won
        outcome.gained += gained
        outcome.gains += gained * gained
        return rewards

    def _descend(self, game: Iteration) -> bool:
        """Follow the tree to a new edge. Returns True if a single side came back to a node seen before."""
        nodes = set[Hashable]()
        is_inside = True
        while is_inside and self._has_room(nodes, game) and self._goes_on(game):
            chosen, core = 0, game.core
            if len(core.acts) > 1:
                node = self.view(core)
                if node in nodes or (self.is_solo and nodes and node in self.about.before):
                    return self.is_solo
                nodes.add(node)
                trial = self._choose(core, node, game.pick, ANY if game.decisions else self._only)
                chosen, is_inside = trial.number, trial.edge.tried > 0
                game.path += ((edge, self._sides[core.actor]) for edge in (trial.edge, *trial.parts))
                if not game.decisions:
                    self._begin_with(game, trial)
            self._play(game, chosen)
        return False

    def _has_room(self, nodes: set[Hashable], game: Iteration) -> bool:
        return len(nodes) < min(self.bounds.deep, PATH) and len(game.path) < 4 * PATH

    def _begin_with(self, game: Iteration, trial: Trial) -> None:
        """Note the first choice. The nth game after it gets world and chance n, as after every other first choice."""
        game.first = trial.number
        if self._only == ANY and not self.is_solo:
            number = self._begun[trial.began]
            self._begun[trial.began] += 1
            game.core, game.pick = self._start_world(number), self._pick(number)

    def _choose(self, core: Core, node: Hashable, pick: Chance, only: int) -> Trial:
        """Choose the action to try: `only` if given, else by parts if actions have any, else by `_pick_edge`."""
        if only != ANY:
            edge = self._action_edge(core, node, only)
            edge.there += 1
            return Trial(only, only, edge)
        actions, pick_edge = split_actions(self.view, core), partial(self._pick_edge, pick)
        trial = None
        if actions:
            trial = choose_parts(actions, node, self._edge, partial(self._action_edge, core, node), pick_edge)
        if trial is None:
            edges = [self._action_edge(core, node, number) for number in range(len(core.acts))]
            number = pick_edge(edges)
            trial = Trial(number, number, edges[number])
        return trial

    def _keys(self, core: Core) -> Iterator[Hashable]:
        node = self.view(core)
        return ((node, self.view.action_key(core, action)) for action in core.acts)

    def _edge(self, key: Hashable) -> Edge:
        return self.edges.setdefault(key, Edge())

    def _action_edge(self, core: Core, node: Hashable, number: int) -> Edge:
        return self._edge((node, self.view.action_key(core, core.acts[number])))

    def _pick_edge(self, pick: Chance, edges: Sequence[Edge]) -> int:
        """Pick a random untried edge, or the one with the highest upper confidence bound."""
        for edge in edges:
            edge.there += 1
        fresh = [number for number, edge in enumerate(edges) if not edge.tried]
        return fresh[pick.below(len(fresh))] if fresh else max(range(len(edges)), key=lambda n: self._bound(edges[n]))

    def _bound(self, edge: Edge) -> float:
        most = self.bounds.iterations
        explore = self.bounds.keen * self._log_roots[min(edge.there, most)] * self._inverse_roots[min(edge.tried, most)]
        return edge.total / edge.tried + explore

    # ---- games -------------------------------------------------------------------------------------------------------

    def _start_world(self, number: int) -> Core:
        core = self.worlds[number % len(self.worlds)].copy()
        core.chance, core.log = Chance.stream(self.about.seed, number, FUTURE), []
        return core

    def _pick(self, number: int) -> Chance:
        return Chance.stream(self.about.seed, number, PICKING)

    def _play(self, game: Iteration, number: int) -> None:
        core = game.core
        if len(core.acts) > 1:
            game.choices.append(number)
        game.decisions += 1
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))

    def _play_randomly(self, game: Iteration) -> None:
        core = game.core
        while self._goes_on(game):
            self._play(game, game.pick.below(len(core.acts)) if len(core.acts) > 1 else 0)

    def _goes_on(self, game: Iteration) -> bool:
        """Return False at the end of the game or of a deal, or after too many decisions.

        A deal ends if pieces were shuffled or cut and the standings changed.
        """
        core = game.core
        if core.over or game.decisions >= min(self.bounds.most, LONGEST):
            return False
        return not any(e[0] in MIXED for e in core.log or ()) or results.compute_leads(self.game, core) == self.lead

    def _estimate_scale(self) -> float:
        """Return the mean change of a lead in random games; 1 if there is none."""
        changes: list[float] = []
        for number in range(self.bounds.probes):
            game = Iteration(self._start_world(number), self._pick(number))
            try:
                self._play_randomly(game)
            except Refused:
                continue
            leads = results.compute_leads(self.game, game.core)
            changes += (abs(now - before) for now, before in zip(leads, self.lead, strict=True))
        return sum(changes) / len(changes) if any(changes) else 1.0


def _sum_outcomes(outcomes: Iterator[Outcome]) -> Outcome:
    total = Outcome()
    for outcome in outcomes:
        for name in Outcome.__struct_fields__:
            setattr(total, name, getattr(total, name) + getattr(outcome, name))
    return total
