"""Lowers obligations, which filter the possible actions of a decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.blocks import Blocks
from hoyle.compiling.code import (
    ACTS,
    FALSE,
    TRUE,
    A,
    Add,
    And,
    Assign,
    Binary,
    Choice,
    Compare,
    Comprehension,
    For,
    If,
    Item,
    Name,
    Not,
    Or,
    Return,
    S,
    Statement,
    Tuple,
    Unpack,
    Value,
    append,
    call,
    compare,
    is_move,
    number,
)
from hoyle.language import ir
from hoyle.language.ir import Const, Expr
from hoyle.language.model import Demand, Maximise, Move, NeverTwice, Obligation, Prefer, PreferMoves
from hoyle.language.value_types import BOOL, get_bounds
from hoyle.running.lookahead import Aim
from hoyle.running.verbs import Guard

GOOD, REST, LATE, AIMS, APART, HELD, BEFORE = map(Name, ("good", "rest", "late", "aims", "apart", "held", "before"))
_MOVE = Item(A, number(0))
"""Number of the move of the action `a`."""


class Decision(Struct):
    """A `choose` or `play` while it is compiled: its label, moves, obligations and registers."""

    label: int
    moves: list[Move]
    obey: list[Obligation]
    seen: int | None = None
    aims: dict[int, int] = {}
    """Registers of the sums still to be reached, by number of the `maximise` with `unless`."""

    @property
    def looks_ahead(self) -> bool:
        return any(isinstance(o.demand, Maximise) for o in self.obey)


class Obligations:
    """Writes the filters of `acts` into the open function."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.ruleset = blocks, blocks.ruleset

    # ---- conditions known before play --------------------------------------------------------------------------------

    def known_truth(self, condition: Expr | None) -> bool | None:
        """Return the value of a condition if it is known before play (True if there is none), else None."""
        found = self.fold(condition) if condition is not None else None
        if condition is None or found is None:
            return True
        if not isinstance(found, Const):
            return None
        if self.blocks.program.watch is not None:
            self.blocks.program.watch.settle(condition.span, bool(found.value))
        return bool(found.value)

    def fold(self, expr: Expr) -> Expr:
        return self.blocks.program.fold(expr)

    def is_callable(self, obligation: Obligation) -> bool:
        """Return whether other players can call a breach as a fault, with these options."""
        return obligation.callable is not None and self.known_truth(obligation.callable) is not False

    # ---- each demand -------------------------------------------------------------------------------------------------

    def obey(self, obligation: Obligation, decision: Decision, me: Value) -> None:
        binds = self.known_truth(obligation.when)
        if binds is False:
            return
        blocks, demand = self.blocks, obligation.demand
        blocks.emit.names[obligation.me] = me
        with blocks.nested():
            blocks.begin(If(compare(call("len", ACTS), ">", int(not _may_leave_none(demand))), []))
            if obligation.when is not None and binds is None:
                blocks.begin(If(blocks.emit.write_watched(obligation.when), []))
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

    def _is_over(self, obligation: Obligation, is_over: bool = True) -> Value | None:
        """Return the test that an obligation applies to the action `a` (or does not). None if it applies to all."""
        if obligation.over is None:
            return None
        return Compare(_MOVE, "in" if is_over else "not in", _make_tuple(self._numbers(obligation.over)))

    def _prefer(self, obligation: Obligation, demand: Prefer | PreferMoves, decision: Decision) -> None:
        """Split `acts` into preferred actions and the rest. With `each`, actions only compete within their group."""
        blocks = self.blocks
        if obligation.each is not None:
            self._sort_apart(obligation, demand, decision)
            with blocks.block(If(And((GOOD, REST)), [])):
                self._drop(obligation, REST)
            return
        judged = {move.number: self.fold(self._preferred(obligation, demand, move)) for move in decision.moves}
        known = {bool(e.value) if isinstance(e, Const) else None for e in judged.values()}
        if len(known) == 1 and None not in known:
            return  # all actions are equally good
        if len(decision.moves) == 1:
            [only] = decision.moves
            judged[only.number], open_questions = _split_moot(judged[only.number], only)
            for question in open_questions:
                blocks.begin(If(blocks.emit(question), []))
        test = self._good(decision, [self._judged(move, judged[move.number]) for move in decision.moves])
        fewer = Compare(call("len", GOOD), "<", call("len", ACTS))
        with blocks.block(If(And((GOOD, fewer)), [])):
            self._drop(obligation, _each(ACTS, Not(test) if test is not None else Compare(A, "not in", GOOD)))

    def _good(self, decision: Decision, tests: list[tuple[Value, list[Statement]]]) -> Value | None:
        """List the `good` actions. Returns the test for a good action if it is one value."""
        if not any(statements for _, statements in tests):
            test = self._one_test(decision.moves, [condition for condition, _ in tests])
            self.blocks.assign(GOOD, _each(ACTS, test))
            return test
        self.blocks.assign(GOOD, code.NO_LIST)
        with self.blocks.block(For(A, ACTS, []), A):
            for move, (condition, statements) in zip(decision.moves, tests, strict=True):
                if condition is not FALSE:
                    with self.blocks.block(If(is_move(move.number), [])):
                        self.blocks.emit.writer.insert(statements)
                        self.blocks.exit_if(condition, append(GOOD, A))
        return None

    def _judged(self, move: Move, condition: Expr) -> tuple[Value, list[Statement]]:
        """Return the condition for an action `a` of this move, and the statements it needs."""
        blocks, names = self.blocks, [Item(A, number(place)) for place in range(1, len(move.bindings) + 1)]

        def write() -> Value:
            blocks.emit.names.update(zip(move.bindings, names, strict=True))
            with blocks.scoped_lets():
                blocks.compute_lets(condition)
                return blocks.emit(condition)

        return blocks.emit.write_per_item(write, A, *names)

    def _one_test(self, moves: list[Move], tests: list[Value]) -> Value:
        """Return one test for an action of any of the moves."""
        always = tuple(move.number for move, test in zip(moves, tests, strict=True) if test is TRUE)
        found: list[Value] = []
        if always:
            found.append(is_move(always[0]) if len(always) == 1 else Compare(_MOVE, "in", _make_tuple(always)))
        for move, test in zip(moves, tests, strict=True):
            if test is not TRUE and test is not FALSE:
                found.append(test if len(moves) == 1 else And((is_move(move.number), test)))
        return found[0] if len(found) == 1 else Or(tuple(found))

    def _sort_apart(self, obligation: Obligation, demand: Prefer | PreferMoves, decision: Decision) -> None:
        blocks = self.blocks
        own = Item(APART, A)
        blocks.put(Assign(GOOD, code.NO_LIST), Assign(REST, code.NO_LIST), Assign(APART, code.EmptyMap()))
        with blocks.block(For(A, ACTS, []), A):
            self._judge(obligation, demand, decision)
        blocks.assign(HELD, Comprehension(own, A, GOOD, is_set=True))
        blocks.put(Add(GOOD, _each(REST, Compare(own, "not in", HELD))))
        blocks.assign(REST, _each(REST, Compare(own, "in", HELD)))

    def _judge(self, obligation: Obligation, demand: Prefer | PreferMoves, decision: Decision) -> None:
        for move in decision.moves:
            judged = self.fold(self._preferred(obligation, demand, move))
            each = self.ruleset.apart[obligation.name, move.name]
            with self.blocks.block(If(is_move(move.number), [])), self.blocks.scoped_lets():
                self.unpack(move)
                self.blocks.compute_lets(judged, each)
                own = self.blocks.emit(each)
                self.blocks.assign(Item(APART, A), Binary(own, ">>", number(1)) if each.type.name == "piece" else own)
                self.blocks.put(append(Choice(self.blocks.emit(judged), GOOD, REST), A))

    def _preferred(self, obligation: Obligation, demand: Prefer | PreferMoves, move: Move) -> Expr:
        """Return the condition for an action of this move to be preferred."""
        if isinstance(demand, PreferMoves):
            return Const(BOOL, move.span, move.name in demand.moves)
        found = self.ruleset.judged[obligation.name, move.name]
        assert isinstance(found, Expr)
        return found

    def unpack(self, move: Move) -> None:
        """Assign the bindings of the action `a` to names."""
        if not move.bindings:
            return
        names = tuple([self.blocks.emit.note_level(self.blocks.fresh(var.name)) for var in move.bindings])
        self.blocks.emit.names.update(zip(move.bindings, names, strict=True))
        self.blocks.put(Unpack(names))

    def _drop(self, obligation: Obligation, rest: Value) -> None:
        """Drop the `rest`, or record them as faults."""
        blocks = self.blocks
        blocks.put_use("obligation", obligation.name)
        whole = obligation.over is None and not self.is_callable(obligation)
        if whole:
            blocks.assign(ACTS, GOOD)
            return
        blocks.assign(REST, rest)
        if obligation.callable is not None and self.is_callable(obligation):
            faulty = Comprehension(Tuple((A, number(obligation.number))), A, REST, self._is_over(obligation))
            blocks.exit_if(blocks.emit(obligation.callable), Add(LATE, faulty))
        others = self._is_over(obligation, is_over=False)
        blocks.assign(ACTS, Binary(GOOD, "+", _each(REST, others)) if others is not None else GOOD)

    def _maximise(self, obligation: Obligation, demand: Maximise, decision: Decision) -> None:
        blocks, ending = self.blocks, f"{decision.label}_{obligation.number}"
        self._weigh(f"weigh_{ending}", obligation, decision)
        if demand.unless is not None and self.may_spare(obligation):
            self._at_the_end(f"spare_{ending}", obligation, demand.unless)
        if demand.ends_if is not None and self.known_truth(demand.ends_if) is not True:
            self._at_the_end(f"ends_{ending}", obligation, demand.ends_if)
        most, me = Tuple(tuple([blocks.emit(e) for e in demand.most])), blocks.emit.names[obligation.me]
        aim = blocks.program.constant(self._aim(obligation, demand, decision), "AIM")
        several = sum(isinstance(o.demand, Maximise) for o in decision.obey) > 1
        self._put_before()
        earlier = [call("tuple", AIMS)] if several else []
        blocks.assign(ACTS, call("maximise", S, ACTS, me, most, aim, *earlier))
        if several:
            blocks.put(append(AIMS, aim))
        self._put_use_if_fewer(obligation)

    def _aim(self, obligation: Obligation, demand: Maximise, decision: Decision) -> Aim:
        weights = [self.ruleset.judged[obligation.name, move.name] for move in decision.moves]
        grows = all(get_bounds(e.type)[0] >= 0 for each in weights if isinstance(each, tuple) for e in each)
        free = demand.ends_if is None or self.known_truth(demand.ends_if) is True
        return Aim(decision.label, obligation.number, decision.aims.get(obligation.number), grows and free)

    def only_maximises(self, decision: Decision) -> bool:
        """Return whether the only obligation is a `maximise` with a known bound, whose sums no action decreases."""
        if len(decision.obey) != 1:
            return False
        [only] = decision.obey
        demand = only.demand
        if not isinstance(demand, Maximise) or not demand.most or self.known_truth(only.when) is False:
            return False
        return self._aim(only, demand, decision).grows

    def _put_before(self) -> None:
        """Store the number of actions before an obligation, if uses are counted."""
        if self.blocks.traced:
            self.blocks.assign(BEFORE, call("len", ACTS))

    def _put_use_if_fewer(self, obligation: Obligation) -> None:
        """Count an obligation as used if it ruled something out."""
        if self.blocks.traced:
            self.blocks.put_if(compare(call("len", ACTS), "<", BEFORE), *self.blocks.use("obligation", obligation.name))

    def may_spare(self, obligation: Obligation) -> bool:
        """Return whether it is a `maximise` whose `unless` may hold."""
        demand = obligation.demand
        unless = self.fold(demand.unless) if isinstance(demand, Maximise) and demand.unless is not None else None
        never = unless is None or (isinstance(unless, Const) and not unless.value)
        return not never and self.known_truth(obligation.when) is not False

    def _at_the_end(self, name: str, obligation: Obligation, condition: Expr) -> None:
        """Write a function that tests a condition at the end of a sequence of actions."""
        blocks = self.blocks
        with blocks.function(name, ("P", "C", "me"), obligation.span):
            blocks.emit.names[obligation.me] = code.ME
            blocks.put(Return(blocks.emit(condition)))

    def _weigh(self, name: str, obligation: Obligation, decision: Decision) -> None:
        """Write a function that returns the amount that an action adds to each sum."""
        blocks = self.blocks
        with blocks.function(name, ("P", "C", "me", "a"), obligation.span, "weight"):
            blocks.emit.names[obligation.me] = code.ME
            for move in decision.moves:
                weights = self.ruleset.judged[obligation.name, move.name]
                assert isinstance(weights, tuple)
                blocks.emit.names[move.me] = code.ME
                with blocks.block(If(is_move(move.number), [])), blocks.scoped_lets():
                    self.unpack(move)
                    blocks.compute_lets(*weights)
                    blocks.put(Return(Tuple(tuple([blocks.emit(e) for e in weights]))))

    def _never_twice(self, obligation: Obligation, demand: NeverTwice, decision: Decision) -> None:
        blocks = self.blocks
        self._put_before()
        guard = self._guard(obligation, demand, decision)
        blocks.assign(ACTS, call("never_twice", S, ACTS, guard, blocks.emit(demand.piles)))
        self._put_use_if_fewer(obligation)

    def remember(self, decision: Decision, me: Value) -> None:
        """Before the action `a`, store the remaining arrangement for each `never_twice`, or clear the stored ones."""
        emit = self.blocks.emit
        for obligation in decision.obey:
            demand = obligation.demand
            if isinstance(demand, NeverTwice) and self.known_truth(obligation.when) is not False:
                emit.names[obligation.me] = me
                guard = self._guard(obligation, demand, decision)
                self.blocks.call("remember", A, guard, emit(demand.piles))

    def _guard(self, obligation: Obligation, demand: NeverTwice, decision: Decision) -> Name:
        offered = [move.name for move in decision.moves]
        over = offered if obligation.over is None else obligation.over
        until = [name for name in offered if name not in over] if demand.until is None else demand.until
        assert decision.seen is not None
        guard = Guard(decision.label, obligation.number, decision.seen, self._numbers(over), self._numbers(until))
        return self.blocks.program.constant(guard, "GUARD")


def _each(actions: Name, test: Value) -> Comprehension:
    """Return the actions that pass a test of `a`."""
    return Comprehension(A, A, actions, test)


def _make_tuple(numbers: tuple[int, ...]) -> Tuple:
    return Tuple(tuple(map(number, numbers)))


def _may_leave_none(demand: Demand) -> bool:
    """Return whether the demand may forbid even the only action."""
    return isinstance(demand, NeverTwice) or (isinstance(demand, Maximise) and demand.ends_if is not None)


def _split_moot(judged: Expr, move: Move) -> tuple[Expr, list[Expr]]:
    """Split the condition for a preferred action.

    Returns the part that depends on the action, and conditions without which all or none of the actions are preferred.
    """
    match judged:
        case ir.Not(value=ir.And() | ir.Or() as inner):
            left, tests = _split_moot(inner, move)
            return ir.Not(BOOL, judged.span, left), tests
        case ir.And(left=one, right=other) | ir.Or(left=one, right=other):
            for side, asked in ((one, other), (other, one)):
                if not _reads_bindings(side, move) and _reads_bindings(asked, move):
                    left, tests = _split_moot(asked, move)
                    return left, [side if isinstance(judged, ir.And) else ir.Not(BOOL, side.span, side), *tests]
        case ir.Same(left=one, right=other):
            told = [side for side in (one, other) if side.type.optional and not _reads_bindings(side, move)]
            return judged, [ir.Not(BOOL, side.span, ir.Absent(BOOL, side.span, side)) for side in told]
    return judged, []


def _reads_bindings(expr: Expr, move: Move) -> bool:
    """Return whether the formula depends on the bindings of the move."""
    return any(isinstance(e, ir.Local) and (e.var in move.bindings or e.var.value is not None) for e in ir.walk(expr))
