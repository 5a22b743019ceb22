"""Are types true? Whatever a formula or a part of it is worth in a game must be a value of the type that the checker found for it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.language import value_types
from hoyle.language.evaluate import Names, Part, Setting, explain, is_absent
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Family, Maximise, Move, NeverTwice, Obligation, PieceKind, Whenever, count_of
from hoyle.language.steps import Choose, Step, Turns, formulas, inner_lists
from hoyle.language.value_types import ValueType
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core

BINDINGS = 3
"""So many of the values that a name may have are tried in each state."""
VERBS = ("cut", "deal", "gather", "lots", "move_pieces", "move_top", "roll", "say", "score", "shuffle", "turn")


@dataclass(frozen=True)
class Held:
    """The context of a bound: the symbols of the ruleset (a `Ruleset`, or a `World`), the state, and who acts. `moved`: pieces that were
    bound to a name may lie elsewhere by now."""

    symbols: Any
    setting: Setting
    me: int = 0
    moved: bool = False

    def misfit(self, part: Part) -> Part | None:
        """The innermost part that is worth what its type does not allow."""
        inner = next((found for p in part.parts if (found := self.misfit(p)) is not None), None)
        return inner if inner is not None or self.fits(part.value, part.expr.type) else part

    def fits(self, value: Any, value_type: ValueType) -> bool:
        """Is it there if it must be, within bounds, neither too long nor too short, and lies where it is said to?"""
        match value_type:
            case value_types.List(item=item):
                return value_type.least <= len(value) <= value_type.most and all(self.fits(x, item) for x in value)
            case value_types.Plain("bool"):
                return value in (0, 1)
        if is_absent(value, value_type):
            return value_type.optional
        match value_type:
            case value_types.Number(low, high):
                return bool(low <= value <= high)
            case value_types.Pile():
                return self._pile(value, value_type)
            case value_types.Piece():
                return self._piece(value, value_type)
            case value_types.Plain("text" | "move" | "obligation"):
                return bool(value >= 0)
        return bool(0 <= value < count_of(value_type, self.symbols))

    def _pile(self, value: int, value_type: value_types.Pile) -> bool:
        there = value in self._piles(value_type.families or self.symbols.piles, value_type.mine)
        family = next(f for f in self.symbols.piles.values() if value < f.base + f.members * f.columns)
        known = value_type.first <= self.setting.INDEX[value] <= value_type.last and value_type.of in ("", family.holds)
        return there and known and len(self.setting.piles[value]) <= value_type.room

    def _piece(self, value: int, value_type: value_types.Piece) -> bool:
        of: list[PieceKind] = [k for name, k in self.symbols.pieces.items() if value_type.of in ("", name)]
        known = any(2 * k.base <= value < 2 * (k.base + len(k.classes)) for k in of)
        piles = self._piles(value_type.families, value_type.mine)
        return known and (self.moved or not value_type.families or any(value in self.setting.piles[n] for n in piles))

    def _piles(self, families: Any, mine: bool) -> Iterator[int]:
        """The piles of some families; `mine`: of those that are one for each player, only those of who acts."""
        for family in (self.symbols.piles[name] for name in families):
            own = mine and family.each is not None and family.each.name == "player"
            first, last = (self.me, self.me + 1) if own else (0, family.members)
            yield from range(family.base + first * family.columns, family.base + last * family.columns)


# ---- every formula of a game ---------------------------------------------------------------------------------------------


@dataclass
class Witness:
    """Looks at formulas of one game in states of it: in each at some, with some values of the names they use. `seen` counts
    the values of each sort that were held against their types."""

    game: Compiled
    chance: random.Random
    seen: Counter[str] = field(default_factory=Counter)

    def everything(self, core: Core) -> None:
        for look in self._looks():
            look(core)

    def something(self, core: Core) -> None:
        self.chance.choice(self._looks())(core)

    def _looks(self) -> list[Any]:
        rules = self.game.ruleset
        found: list[Any] = [self.table, self._result]
        found += [lambda core, m=move: self._move(core, m) for move in rules.moves.values()]
        found += [lambda core, o=o: self._obligation(core, o) for o in rules.obligations.values()]
        found += [lambda core, w=w: self._whenever(core, w) for w in rules.whenever.values()]
        found += [lambda core, p=p: self._steps(core, p.steps, self._acting(p.me)) for p in rules.phases.values()]
        return found

    def table(self, core: Core) -> None:
        """Stored values are within their types, and no pile holds more pieces than it has room for, or foreign ones."""
        rules, held = self.game.ruleset, self._held(core)
        for state in rules.state.values():
            for value in core.cells[state.base : state.base + state.size]:
                assert held.fits(value, state.type), f"`{state.name}` is {value}, and not {state.type}"
                self.seen["stored"] += 1
        for family in rules.piles.values():
            self._family(core, family)

    def _family(self, core: Core, family: Family) -> None:
        kind = self.game.ruleset.pieces[family.holds]
        codes = range(2 * kind.base, 2 * (kind.base + len(kind.classes)))
        for pile in core.piles[family.base : family.base + family.members * family.columns]:
            assert len(pile) <= family.room, f"`{family.name}` holds {len(pile)} pieces, and has room for {family.room}"
            assert all(piece in codes for piece in pile), f"`{family.name}` holds what is no {family.holds}"

    def offered(self, core: Core) -> None:
        """Moves at a decision bind values of the declared types."""
        moves = {move.number: move for move in self.game.ruleset.moves.values()}
        for action in self.some(core.acts):
            held = self._held(core, core.actor)
            for var, value in zip(moves[action[0]].bindings, action[1:], strict=True):
                assert held.fits(value, var.type), f"{moves[action[0]].name}: {var.name} is {value}, and not {var.type}"
                self.seen["bound"] += 1

    # ---- one formula -------------------------------------------------------------------------------------------------

    def _held(self, core: Core, me: int = 0, moved: bool = False) -> Held:
        return Held(self.game.ruleset, self.game.setting(core), me, moved)

    def value(self, core: Core, expr: Expr, names: Names, moved: bool = False) -> Any:
        """Its value, after that and the values of all its parts are found to be of their types."""
        me = next((value for var, value in names.items() if var.name == "me"), 0)
        held = self._held(core, me, moved)
        part = explain(expr, held.setting, names)
        wrong = held.misfit(part)
        assert wrong is None, (
            f"`{wrong.expr.span.text}` is {wrong.value}, and not {wrong.expr.type}\nin `{expr.span.text}`\n"
            f"piles {core.piles}\ncells {core.cells}\nnames {names}"
        )
        self._count(part)
        return part.value

    def _count(self, part: Part) -> None:
        self.seen[part.expr.type.name] += 1
        for inner in part.parts:
            self._count(inner)

    def some(self, values: Any) -> list[Any]:
        values = list(values)
        return self.chance.sample(values, min(BINDINGS, len(values)))

    def _player(self) -> int:
        return self.chance.randrange(len(self.game.seats))

    def _acting(self, me: Var | None) -> Names:
        return {me: self._player()} if me is not None else {}

    # ---- where formulas stand ------------------------------------------------------------------------------------------

    def _result(self, core: Core) -> None:
        found = self.game.ruleset.result
        for side in range(len(self.game.ruleset.sides)):
            for expr in found.formulas:
                self.value(core, expr, {found.p: side})

    def _move(self, core: Core, move: Move) -> None:
        for names in self._bindings(core, move):
            allowed = [self.value(core, condition.expr, names) for condition in move.conditions]
            if all(allowed):
                self._steps(core, move.then, names, moved=True)

    def _bindings(self, core: Core, move: Move) -> Iterator[Names]:
        for taken in self._taken(core, move):
            for names in self._chosen(core, move, taken):
                if move.put is None or move.target is None:
                    yield self._given(core, move, names)
                    continue
                for pile in self.some(self._piles(core, move.put, names)):
                    yield self._given(core, move, {**names, move.target: pile})

    def _given(self, core: Core, move: Move, names: Names) -> Names:
        """With what `let` gives."""
        for var in move.lets:
            assert var.value is not None
            names = {**names, var: self.value(core, var.value, names)}
        return names

    def _taken(self, core: Core, move: Move) -> Iterator[Names]:
        names = {move.me: core.actor if core.actor >= 0 else self._player()}
        if move.taken is None:
            yield names
            return
        origin, card = move.taken
        found = [
            {**names, origin: pile, card: piece}
            for take in move.takes
            for pile in self._piles(core, take.source, names)
            for piece in (core.piles[pile] if take.any_piece else core.piles[pile][-1:])
        ]
        yield from self.some(found)

    def _piles(self, core: Core, expr: Expr, names: Names) -> list[int]:
        found = self.value(core, expr, names)
        return [pile for pile in ([found] if expr.type.name == "pile" else found) if pile >= 0]

    def _chosen(self, core: Core, move: Move, names: Names) -> Iterator[Names]:
        tried = [names]
        for var, items in move.withs:
            tried = [{**n, var: item} for n in tried for item in self.some(self.value(core, items, n))]
        yield from tried

    def _obligation(self, core: Core, obligation: Obligation) -> None:
        names: Names = {obligation.me: core.actor if core.actor >= 0 else self._player()}
        demand = obligation.demand
        found = [obligation.when, obligation.callable]
        found += demand.formulas if isinstance(demand, Maximise) else ()
        found += [demand.piles] if isinstance(demand, NeverTwice) else []
        for expr in found:
            if expr is not None:
                self.value(core, expr, names)
        rules = self.game.ruleset
        for (name, moved), judged in (*rules.judged.items(), *rules.apart.items()):
            if name == obligation.name:
                self._judged(core, obligation, rules.moves[moved], judged)

    def _judged(self, core: Core, obligation: Obligation, move: Move, judged: Any) -> None:
        for names in self._bindings(core, move):
            for expr in judged if isinstance(judged, tuple) else (judged,):
                self.value(core, expr, {**names, obligation.me: names[move.me]})

    def _whenever(self, core: Core, entry: Whenever) -> None:
        for names in self._looped(core, entry, {entry.me: self._player()}):
            if self.value(core, entry.condition, names):
                self._steps(core, entry.do, names)

    def _looped(self, core: Core, entry: Whenever | Step, names: Names, moved: bool = False) -> list[Names]:
        loop = entry.loop
        if loop is None:
            return [names]
        found = [{**names, loop.var: item} for item in self.some(self.value(core, loop.items, names, moved))]
        where = loop.where
        return [n for n in found if where is None or self.value(core, where, n, moved)]

    def _steps(self, core: Core, steps: tuple[Step, ...], names: Names, moved: bool = False) -> None:
        for step in steps:
            for bound in self._looped(core, step, names, moved):
                self._step(core, step, bound, moved)

    def _step(self, core: Core, step: Step, names: Names, moved: bool) -> None:
        inside = dict(names)
        for expr in (step.by, step.verb.together if isinstance(step.verb, Choose) else None):
            found = self.value(core, expr, names, moved) if expr is not None else None
            if found is not None and step.me is not None:
                inside[step.me] = found if isinstance(found, int) else self._player()
        looped = step.loop.formulas if step.loop is not None else ()
        turn = {step.verb.me: self._player()} if isinstance(step.verb, Turns) else {}
        outer = [step.by, *looped, step.verb.together if isinstance(step.verb, Choose) else None]
        done = step.when is None or self.value(core, step.when, inside, moved)
        for expr in formulas(step) if done else ():
            if expr not in outer:
                self.value(core, expr, self._turned(expr, step, inside, turn), moved)
        for inner in inner_lists(step):
            self._steps(core, inner, inside, moved)

    def _turned(self, expr: Expr, step: Step, names: Names, turn: Names) -> Names:
        """`until` and `skip` of turns see whose turn it is."""
        own = isinstance(step.verb, Turns) and expr in (step.verb.until, step.verb.skip)
        return {**{v: x for v, x in names.items() if v.name != "me"}, **turn} if own else names


# ---- whole games -----------------------------------------------------------------------------------------------------------


def watched(witness: Witness, seed: int, often: float, most: int = 3_000) -> int:
    """A random game, looked at at its decisions and at steps between them, each with this chance; of every
    eighth, everything at its end. Returns the number of decisions."""
    machine, chance = witness.game.machine, witness.chance
    plain = {name: machine.space[name] for name in VERBS}

    def seeing(name: str) -> Any:
        def verb(s: Core, *args: Any) -> Any:
            found = plain[name](s, *args)
            if not s.looking and chance.random() < often:
                witness.table(s)
                witness.something(s)
            return found

        return verb

    machine.space.update({name: seeing(name) for name in VERBS})
    try:
        return _played(witness, seed, often, most)
    finally:
        machine.space.update(plain)


def _played(witness: Witness, seed: int, often: float, most: int) -> int:
    machine, chance = witness.game.machine, witness.chance
    core, pick, count = machine.start(Chance.stream(seed)), Chance.stream(seed, 0, PLAYER), 0
    while not core.over and count < most:
        if chance.random() < often:
            witness.table(core)
            witness.offered(core)
            witness.something(core)
        machine.play(core, core.acts[pick.below(len(core.acts))])
        count += 1
    (witness.everything if seed % 8 == 0 else witness.something)(core)
    return count
