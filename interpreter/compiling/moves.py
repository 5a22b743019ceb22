"""A decision: which actions are legal, and what each of them does.

An action is a tuple: the move's number, then its bindings in order (from, card, each of `with`, to).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from interpreter.compiling.blocks import Blocks
from interpreter.language.ir import Chosen, Collect, Const, Expr, Local, Quantified, Var, walk
from interpreter.language.kinds import BOOL, Piece, families_of
from interpreter.language.model import Demand, Maximise, Move, NeverTwice, Obligation, Prefer, PreferMoves, Take
from interpreter.language.simplify import simplify
from interpreter.running.lookahead import Aim
from interpreter.running.verbs import Guard


class Decision(Struct):
    """A `choose` or `play` while it is compiled: its label, moves and obligations, and registers it keeps."""

    label: int
    moves: list[Move]
    obey: list[Obligation]
    seen: int | None = None
    aims: dict[int, int] = {}
    """Of each `maximise` with `unless`, by its number: the sums that are still to be reached."""

    @property
    def looks_ahead(self) -> bool:
        return any(isinstance(o.demand, Maximise) for o in self.obey)


class MoveCompiler:
    """Writes the enumeration of the actions at a decision into the open function."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.ruleset = blocks, blocks.ruleset

    # ---- all actions -------------------------------------------------------------------------------------------------

    def enumerate(self, decision: Decision, me: str) -> None:
        """Leaves the legal actions in `acts` (and faults in `late`)."""
        blocks = self.blocks
        blocks.put("acts = []")
        blocks.emit.begin_loops(me)
        first, rest, obey = self._preferred_first(decision)
        for move in first:
            self._actions(move, me)
        if first and rest:
            with blocks.block("if not acts:"):
                for move in rest:
                    self._actions(move, me)
            if blocks.traced:
                numbers = tuple(move.number for move in first)
                use = blocks.use("obligation", decision.obey[0].name)
                blocks.put(f"if acts and acts[0][0] in {numbers}: {use}")
        else:
            for move in rest:
                self._actions(move, me)
        blocks.emit.hoist = None
        if any(self.is_callable(o) for o in obey):
            blocks.put("late = []")
        if sum(isinstance(o.demand, Maximise) for o in obey) > 1:
            blocks.put("aims = []")
        for obligation in obey:
            self._obey(obligation, decision, me)

    def _preferred_first(self, decision: Decision) -> tuple[list[Move], list[Move], list[Obligation]]:
        """When the first obligation prefers some moves whatever they are bound to, the others need not even be looked for."""
        obey = decision.obey
        if obey and self._holds(obey[0].when) is True and obey[0].over is None and not self.is_callable(obey[0]):
            demand = obey[0].demand
            if isinstance(demand, PreferMoves) and obey[0].each is None:
                first = [move for move in decision.moves if move.name in demand.moves]
                return first, [move for move in decision.moves if move not in first], obey[1:]
        return [], decision.moves, obey

    def _holds(self, condition: Expr | None) -> bool | None:
        """True or false if that is known before play, or there is no condition; else None."""
        found = self._simplified(condition) if condition is not None else None
        if found is None:
            return True
        return bool(found.value) if isinstance(found, Const) else None

    def _simplified(self, expr: Expr) -> Expr:
        return simplify(expr, self.blocks.program.attributes)

    def is_callable(self, obligation: Obligation) -> bool:
        """May its breach be a fault that others call, with these options?"""
        return obligation.callable is not None and self._holds(obligation.callable) is not False

    # ---- one move ----------------------------------------------------------------------------------------------------

    def _actions(self, move: Move, me: str) -> None:
        blocks = self.blocks
        with blocks.indented(), blocks.letting():
            blocks.emit.names[move.me] = me
            waiting = [self._simplified(c.expr) for c in move.conditions]
            if any(isinstance(c, Const) and not c.value for c in waiting):
                return  # with these options nobody may ever do this
            waiting = [c for c in waiting if not isinstance(c, Const)]
            waiting = self._test(waiting, {move.me})
            shared = self._shared(move)
            takes: list[Take | None] = [*move.takes] or [None]
            for take in takes:
                with blocks.indented(), blocks.letting():
                    self._take(move, take, list(waiting), shared)

    def _shared(self, move: Move) -> str | None:
        """Places that do not depend on the piece are listed once."""
        if move.put is None or move.put.kind.name == "pile" or _locals(move.put) - {move.me}:
            return None
        return self.blocks.emit.named(move.put, "places")

    def _test(self, waiting: list[Expr], bound: set[Var]) -> list[Expr]:
        """Every condition whose variables are bound by now is tested now; returns the others."""
        later = []
        for condition in waiting:
            if _locals(condition) <= bound:
                self.blocks.let(condition)
                self.blocks.begin(f"if {self.blocks.emit(condition)}:")
            else:
                later.append(condition)
        return later

    def _take(self, move: Move, take: Take | None, waiting: list[Expr], shared: str | None) -> None:
        """Loops over what the move binds; each condition stands as far out as it can."""
        bound = {move.me}
        if take is not None:
            assert move.origin is not None and move.card is not None
            self._bind_piece(move.origin, move.card, take)
            bound |= {move.origin, move.card}
            waiting = self._test(waiting, bound)
        for var, items in move.withs:
            self._bind_item(var, items)
            bound.add(var)
            waiting = self._test(waiting, bound)
        if move.put is not None and move.target is not None:
            self._bind_target(move, move.target, move.put, shared)
            bound.add(move.target)
            waiting = self._test(waiting, bound)
            self._room(move.target)
        names = self.blocks.emit.names
        values = [f"tuple({names[v]})" if v.kind.name == "list" else names[v] for v in move.bindings]
        self.blocks.put(f"acts.append(({', '.join([str(move.number), *values])},))")

    def _bind_piece(self, origin: Var, card: Var, take: Take) -> None:
        blocks, names = self.blocks, self.blocks.emit.names
        names[origin], names[card] = blocks.fresh("f"), blocks.fresh("card")
        if take.source.kind.name == "pile":
            blocks.put(f"{names[origin]} = {blocks.emit(take.source)}")
        else:
            blocks.begin(f"for {names[origin]} in {blocks.emit(take.source)}:")
        if take.any_piece:
            blocks.begin(f"for {names[card]} in {self._distinct(f'P[{names[origin]}]', card)}:")
        else:
            blocks.begin(f"if P[{names[origin]}]:")
            blocks.put(f"{names[card]} = P[{names[origin]}][-1]")

    def _distinct(self, items: str, var: Var) -> str:
        """Indistinguishable pieces make one action."""
        pieces = self.ruleset.pieces
        known = isinstance(var.kind, Piece) and var.kind.of in pieces
        kinds = [pieces[var.kind.of]] if isinstance(var.kind, Piece) and known else list(pieces.values())
        return items if all(k.copies == 1 for k in kinds) else f"dict.fromkeys({items})"

    def _bind_item(self, var: Var, items: Expr) -> None:
        blocks = self.blocks
        listed = blocks.emit(items)
        if var.kind.name == "list" and var.kind.of_item.name == "piece":
            listed = f"unique({listed})"
        elif var.kind.name == "piece":
            listed = self._distinct(listed, var)
        blocks.emit.names[var] = blocks.fresh(var.name)
        blocks.begin(f"for {blocks.emit.names[var]} in {listed}:")

    def _bind_target(self, move: Move, target: Var, put: Expr, shared: str | None) -> None:
        blocks, names = self.blocks, self.blocks.emit.names
        names[target] = blocks.fresh("t")
        if put.kind.name == "pile":
            blocks.put(f"{names[target]} = {blocks.emit(put)}")
            if put.kind.optional:
                blocks.begin(f"if {names[target]} >= 0:")
        else:
            blocks.begin(f"for {names[target]} in {shared or blocks.emit(put)}:")
        if move.origin is not None and _may_overlap(move.origin, target):
            blocks.begin(f"if {names[target]} != {names[move.origin]}:")

    def _room(self, target: Var) -> None:
        if any(self.ruleset.piles[family].limited for family in families_of(target.kind)):
            name = self.blocks.emit.names[target]
            self.blocks.begin(f"if len(P[{name}]) < ROOM[{name}]:")

    # ---- obligations -------------------------------------------------------------------------------------------------

    def _obey(self, obligation: Obligation, decision: Decision, me: str) -> None:
        binds = self._holds(obligation.when)
        if binds is False:
            return
        blocks, demand = self.blocks, obligation.demand
        blocks.emit.names[obligation.me] = me
        with blocks.indented():
            blocks.begin(f"if len(acts) > {int(not _may_leave_none(demand))}:")
            if obligation.when is not None and binds is None:
                blocks.begin(f"if {blocks.emit(obligation.when)}:")
            match demand:
                case Prefer() | PreferMoves():
                    self._prefer(obligation, demand, decision)
                case Maximise():
                    self._maximise(obligation, demand, decision)
                case NeverTwice():
                    self._never_twice(obligation, demand, decision)
                case _:
                    assert_never(demand)

    def _numbers(self, moves: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.ruleset.moves[name].number for name in moves)

    def _prefer(self, obligation: Obligation, demand: Prefer | PreferMoves, decision: Decision) -> None:
        """Sorts `acts` into what is preferred and the rest; with `each`, what it is of each action is kept in `apart`."""
        blocks = self.blocks
        blocks.put("good = []; rest = []" if obligation.each is None else "good = []; rest = []; apart = {}")
        with blocks.block("for a in acts:"):
            if isinstance(demand, PreferMoves) and obligation.each is None:
                blocks.put(f"(good if a[0] in {self._numbers(demand.moves)} else rest).append(a)")
            else:
                self._judge(obligation, demand, decision)
        if obligation.each is not None:
            blocks.put("held = {apart[a] for a in good}")
            blocks.put(
                "good += [a for a in rest if apart[a] not in held]; rest = [a for a in rest if apart[a] in held]"
            )
        with blocks.block("if good and rest:"):
            blocks.put_use("obligation", obligation.name)
            self._drop(obligation)

    def _judge(self, obligation: Obligation, demand: Prefer | PreferMoves, decision: Decision) -> None:
        for move in decision.moves:
            judged = self._simplified(self._preferred(obligation, demand, move))
            each = self.ruleset.apart.get((obligation.name, move.name))
            named = [e for e in (judged, each) if e is not None and not isinstance(e, Const)]
            with self.blocks.block(f"if a[0] == {move.number}:"), self.blocks.letting():
                if named:
                    self.unpack(move)
                    self.blocks.let(*named)
                if each is not None:
                    self.blocks.put(f"apart[a] = {self.blocks.emit(each)}{' >> 1' * (each.kind.name == 'piece')}")
                self.blocks.put(f"(good if {self.blocks.emit(judged)} else rest).append(a)")

    def _preferred(self, obligation: Obligation, demand: Prefer | PreferMoves, move: Move) -> Expr:
        """The condition for an action of this move to be preferred."""
        if isinstance(demand, PreferMoves):
            return Const(BOOL, move.span, move.name in demand.moves)
        found = self.ruleset.judged[obligation.name, move.name]
        assert isinstance(found, Expr)
        return found

    def unpack(self, move: Move) -> None:
        """Give the bindings of the action `a` their names."""
        if not move.bindings:
            return
        names = self.blocks.emit.names
        for var in move.bindings:
            names[var] = self.blocks.fresh(var.name)
        self.blocks.put(f"_, {', '.join(names[v] for v in move.bindings)} = a")

    def _drop(self, obligation: Obligation) -> None:
        blocks, over = self.blocks, self._numbers(obligation.over or ())
        if obligation.callable is not None and self.is_callable(obligation):
            faulty = f" if a[0] in {over}" if obligation.over is not None else ""
            fault = blocks.emit(obligation.callable)
            blocks.put(f"if {fault}: late += [(a, {obligation.number}) for a in rest{faulty}]")
        kept = f"good + [a for a in rest if a[0] not in {over}]" if obligation.over is not None else "good"
        blocks.put(f"acts = {kept}")

    def _maximise(self, obligation: Obligation, demand: Maximise, decision: Decision) -> None:
        blocks, ending = self.blocks, f"{decision.label}_{obligation.number}"
        self._weigh(f"weigh_{ending}", obligation, decision)
        if demand.unless is not None and self.may_spare(obligation):
            self._at_the_end(f"spare_{ending}", obligation, demand.unless)
        if demand.ends_if is not None and self._holds(demand.ends_if) is not True:
            self._at_the_end(f"ends_{ending}", obligation, demand.ends_if)
        most, me = "".join(f"{blocks.emit(e)}, " for e in demand.most), blocks.emit.names[obligation.me]
        aim = blocks.program.constant(
            Aim(decision.label, obligation.number, decision.aims.get(obligation.number)), "AIM"
        )
        several = sum(isinstance(o.demand, Maximise) for o in decision.obey) > 1
        self._put_before()
        blocks.put(f"acts = maximise(s, acts, {me}, ({most}), {aim}{', tuple(aims)' * several})")
        if several:
            blocks.put(f"aims.append({aim})")
        self._put_use_if_fewer(obligation)

    def _put_before(self) -> None:
        """Where uses are counted, how many actions there are before an obligation looks at them."""
        if self.blocks.traced:
            self.blocks.put("before = len(acts)")

    def _put_use_if_fewer(self, obligation: Obligation) -> None:
        """An obligation is used when it rules something out."""
        if self.blocks.traced:
            self.blocks.put(f"if len(acts) < before: {self.blocks.use('obligation', obligation.name)}")

    def may_spare(self, obligation: Obligation) -> bool:
        """Is it a `maximise` whose `unless` may be true?"""
        demand = obligation.demand
        unless = self._simplified(demand.unless) if isinstance(demand, Maximise) and demand.unless is not None else None
        never = unless is None or (isinstance(unless, Const) and not unless.value)
        return not never and self._holds(obligation.when) is not False

    def _at_the_end(self, name: str, obligation: Obligation, condition: Expr) -> None:
        """A function: is this so of the sequence that ends here?"""
        blocks = self.blocks
        with blocks.function(name, "P, C, me", obligation.span):
            blocks.emit.names[obligation.me] = "me"
            blocks.put(f"return {blocks.emit(condition)}")

    def _weigh(self, name: str, obligation: Obligation, decision: Decision) -> None:
        """A function: what one action adds to each of the sums."""
        blocks = self.blocks
        with blocks.function(name, "P, C, me, a", obligation.span):
            blocks.emit.names[obligation.me] = "me"
            for move in decision.moves:
                weights = self.ruleset.judged[obligation.name, move.name]
                assert isinstance(weights, tuple)
                blocks.emit.names[move.me] = "me"
                with blocks.block(f"if a[0] == {move.number}:"), blocks.letting():
                    self.unpack(move)
                    blocks.let(*weights)
                    blocks.put(f"return ({', '.join(blocks.emit(e) for e in weights)},)")

    def _never_twice(self, obligation: Obligation, demand: NeverTwice, decision: Decision) -> None:
        blocks = self.blocks
        self._put_before()
        guard = self._guard(obligation, demand, decision)
        blocks.put(f"acts = never_twice(s, acts, {guard}, {blocks.emit(demand.piles)})")
        self._put_use_if_fewer(obligation)

    def remember(self, decision: Decision, me: str) -> None:
        """Before an action `a`: each `never_twice` remembers the arrangement that is left, or forgets all it has seen."""
        emit = self.blocks.emit
        for obligation in decision.obey:
            demand = obligation.demand
            if isinstance(demand, NeverTwice) and self._holds(obligation.when) is not False:
                emit.names[obligation.me] = me
                guard = self._guard(obligation, demand, decision)
                self.blocks.put(f"remember(s, a, {guard}, {emit(demand.piles)})")

    def _guard(self, obligation: Obligation, demand: NeverTwice, decision: Decision) -> str:
        offered = [move.name for move in decision.moves]
        over = offered if obligation.over is None else obligation.over
        until = [name for name in offered if name not in over] if demand.until is None else demand.until
        assert decision.seen is not None
        guard = Guard(decision.label, obligation.number, decision.seen, self._numbers(over), self._numbers(until))
        return self.blocks.program.constant(guard, "GUARD")


def _may_leave_none(demand: Demand) -> bool:
    """May it forbid all that could be done, even the only thing?"""
    return isinstance(demand, NeverTwice) or (isinstance(demand, Maximise) and demand.ends_if is not None)


def _locals(expr: Expr) -> set[Var]:
    """The variables a formula needs from outside, and not from `let`."""
    found = {e.var for e in walk(expr) if isinstance(e, Local) and e.var.value is None}
    own = {e.var for e in walk(expr) if isinstance(e, Quantified | Chosen | Collect)}
    return found - own


def _may_overlap(a: Var, b: Var) -> bool:
    return not families_of(a.kind).isdisjoint(families_of(b.kind))


def unique(items: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Lists of pieces of which no two hold the same kinds of pieces."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for item in items:
        found.setdefault(tuple(sorted(item)), tuple(item))
    return list(found.values())
