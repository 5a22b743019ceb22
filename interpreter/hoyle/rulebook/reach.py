"""Find the table rows and subformulas that can still occur under the options in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from hoyle.checking.analysis import Reachable
from hoyle.language import ir
from hoyle.language.evaluate import instances
from hoyle.language.ir import Const, Expr, Instance, Var
from hoyle.language.model import Ruleset
from hoyle.language.steps import Loop, Step, every_step
from hoyle.language.value_types import List, Row, ValueType
from hoyle.passes.subformulas import substitute
from hoyle.prose.simplification import expand_term

Known = Callable[[Expr], bool | None]
Gone = dict[str, frozenset[int]]
"""By table, the rows that cannot occur under the options in force."""


class Reach(Struct, frozen=True):
    """Result of the analysis: `gone` are rows that cannot occur, `parts` all subformulas that may be evaluated."""

    gone: Gone
    parts: tuple[Expr, ...]


def analyze_reach(rules: Ruleset, force: Reachable, known: Known) -> Reach:
    """Compute what can occur under the options; `known` decides conditions that they settle."""
    gone = _find_gone_rows(rules, force, known)
    return Reach(gone, tuple(_iter_evaluated(force.formulas, gone, lambda condition: _decide(condition, gone, known))))


def _find_gone_rows(rules: Ruleset, force: Reachable, known: Known) -> Gone:
    """Return the rows that cannot occur, for tables whose rows are chosen, drawn or searched.

    Tables that are only read as a whole keep all their rows.
    """
    finder = _Finder(rules, known)
    for formula in force.formulas:
        finder.top(formula)
    for family in rules.state.values():
        if isinstance(family.type, Row) and not family.type.optional:
            finder.found.setdefault(family.type.table, set()).add(family.starts)
    made_of = {k.table for piece in rules.pieces.values() for k in piece.attributes.values() if isinstance(k, Row)}
    return {
        table: frozenset(range(len(rules.tables[table].rows))) - rows
        for table, rows in finder.found.items()
        if table in rules.tables and table not in made_of and (table in finder.narrowed or table not in finder.read)
    }


class _Finder:
    """Collects the rows that formulas can give.

    `narrowed`: tables of which some rows are selected; `read`: tables that are only read as a whole.
    """

    def __init__(self, rules: Ruleset, known: Known) -> None:
        self.rules, self.known = rules, known
        self.found: dict[str, set[int]] = {}
        self.narrowed: set[str] = set()
        self.read: set[str] = set()
        self.seen: set[int] = set()
        self.bound = dict(_iter_bound_lists(rules))

    def top(self, formula: Expr) -> None:
        """Visit a whole formula; it may be the source of a variable of a move or step."""
        if id(formula) in self.bound and isinstance(formula, ir.Rows):
            self._narrow(formula, *self.bound[id(formula)])
        else:
            self.of(formula)

    def of(self, expr: Expr) -> None:
        match expr:
            case Const(type=Row(table=table), value=row) if row >= 0:
                self.found.setdefault(table, set()).add(row)
            case ir.Rows():
                self._add_all(_find_table(expr.type))
            case ir.Same() | ir.Differs() | ir.In():
                self._visit_each(_drop_constants(expr.args))
            case ir.Quantified(items=items, condition=condition):
                self._visit_each((condition, *self._drop_rows(items)))
            case ir.Collect(var=var, items=ir.Rows() as items, where=where, item=item, by=by):
                self._narrow(items, var, (where,)) if _find_table(item.type) is not None else self._look(items)
                self._visit_each((where, item, *by))
            case ir.Chosen(var=var, items=ir.Rows() as items, where=where, by=by):
                self._narrow(items, var, (where,))
                self._visit_each((where, *by))
            case ir.WordCall(operands=operands) if _find_table(expr.type) is None:
                self._visit_each(arg for one in operands for arg in self._drop_rows(one))
            case _:
                self._visit_source(expr)

    def _visit_source(self, expr: Expr) -> None:
        """Visit a formula that may give rows which its operands lack, such as `next` or a column."""
        gives = _find_table(expr.type)
        if gives is not None and isinstance(expr, ir.Attr | ir.WordCall) and not _selects(expr):
            self._add_all(gives)
        if isinstance(expr, ir.If) and (decided := self.known(expr.condition)) is not None:
            self.of(expr.yes if decided else expr.no)
            return
        self._visit_each(expr.args)
        for instance in instances(expr):
            if id(instance) not in self.seen:
                self.seen.add(id(instance))
                self.of(instance.body)

    def _visit_each(self, formulas: Iterable[Expr]) -> None:
        for formula in formulas:
            self.of(formula)

    def _add_all(self, table: str | None) -> None:
        if table in self.rules.tables:
            self.found.setdefault(table, set()).update(range(len(self.rules.tables[table].rows)))

    def _narrow(self, items: ir.Rows, var: Var, conditions: Iterable[Expr]) -> None:
        """Add the rows for which every condition may hold."""
        table = _find_table(items.type)
        if table in self.rules.tables and isinstance(var.type, Row):
            self.narrowed.add(table)
            kept = {
                n for n in range(items.size) if not self._is_never_true(Const(var.type, items.span, n), var, conditions)
            }
            self.found.setdefault(table, set()).update(kept)

    def _look(self, items: ir.Rows) -> None:
        self.read.add(_find_table(items.type) or "")

    def _drop_rows(self, items: Expr) -> Iterable[Expr]:
        if not isinstance(items, ir.Rows):
            return (items,)
        self._look(items)
        return ()

    def _is_never_true(self, row: Const, var: Var, conditions: Iterable[Expr]) -> bool:
        return any(self.known(substitute(condition, {var: row})) is False for condition in conditions)


def _iter_bound_lists(rules: Ruleset) -> Iterator[tuple[int, tuple[Var, tuple[Expr, ...]]]]:
    """Yield the id of each list that moves and steps loop over, with its variable and conditions."""
    for move in rules.moves.values():
        conditions = tuple(condition.expr for condition in move.conditions)
        yield from ((id(source), (var, conditions)) for var, source in move.withs)
    for loop in _iter_loops(rules):
        yield id(loop.items), (loop.var, () if loop.where is None else (loop.where,))


def _iter_loops(rules: Ruleset) -> Iterator[Loop]:
    for steps in _iter_steps(rules):
        yield from (step.loop for step in every_step(steps) if step.loop is not None)
    yield from (entry.loop for entry in rules.whenever.values() if entry.loop is not None)


def _iter_steps(rules: Ruleset) -> Iterator[tuple[Step, ...]]:
    yield from (phase.steps for phase in rules.phases.values())
    yield from (entry.do for entry in rules.whenever.values())
    yield from (move.then for move in rules.moves.values())


def _find_table(value_type: ValueType) -> str | None:
    """Return the table of a row or of a list of rows; None for other types."""
    while isinstance(value_type, List):
        value_type = value_type.item
    return value_type.table if isinstance(value_type, Row) else None


def _selects(expr: Expr) -> bool:
    """Return whether a call gives only items of its operands."""
    return isinstance(expr, ir.WordCall) and not any(isinstance(arg.type, Row) for arg in expr.operands)


def _drop_constants(args: Iterable[Expr]) -> Iterator[Expr]:
    """Yield the operands of a comparison without constants."""
    for arg in args:
        if isinstance(arg, ir.Listed):
            yield from _drop_constants(arg.operands)
        elif not isinstance(arg, Const | ir.Rows):
            yield arg


# ---- what is still computed ------------------------------------------------------------------------------------------


def _decide(condition: Expr, gone: Gone, known: Known) -> bool | None:
    """Return whether a condition always or never holds, by the options or because a row cannot occur."""
    match condition:
        case ir.Same(left=left, right=Const(type=Row(table=table), value=row)) if row in gone.get(table, ()):
            return None if isinstance(left, Const) else False
        case ir.Differs(left=left, right=Const(type=Row(table=table), value=row)) if row in gone.get(table, ()):
            return None if isinstance(left, Const) else True
        case ir.Not(value=value):
            found = _decide(value, gone, known)
            return None if found is None else not found
        case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
            deciding = isinstance(condition, ir.Or)
            both = (_decide(left, gone, known), _decide(right, gone, known))
            return deciding if deciding in both else None if None in both else not deciding
        case ir.TermCall():
            return _decide(expand_term(condition), gone, known)
    return known(condition)


def _iter_evaluated(formulas: Iterable[Expr], gone: Gone, decided: Known) -> Iterator[Expr]:
    """Yield every subformula and called formula, without branches that are never taken."""
    seen: set[int] = set()
    waiting = [*formulas]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(_list_taken_branches(found, decided))
        for instance in _list_callees(found, gone):
            if id(instance) not in seen:
                seen.add(id(instance))
                waiting.append(instance.body)


def _list_callees(expr: Expr, gone: Gone) -> Iterable[Instance]:
    """Return the bodies that a call may evaluate."""
    if not isinstance(expr, ir.ColumnCall):
        return instances(expr)
    row = expr.operands[0]
    if isinstance(row, Const) and row.value >= 0:
        return (expr.instances[row.value],)
    never = gone.get(_find_table(row.type) or "", frozenset())
    return [instance for n, instance in enumerate(expr.instances) if n not in never]


def _list_taken_branches(expr: Expr, decided: Known) -> tuple[Expr, ...]:
    match expr:
        case ir.If(condition=condition, yes=yes, no=no):
            holds = decided(condition)
            return expr.args if holds is None else (yes if holds else no,)
        case ir.And(left=left, right=right):
            return (left,) if decided(left) is False else (right, left)
        case ir.Or(left=left, right=right):
            return (left,) if decided(left) is True else (right, left)
    return expr.args
