"""Reference evaluator of formulas: walks a checked formula and can report the value of each part. Also folds constants.

Slow and plain on purpose. `why` and `eval` show its results, constants of rulesets are computed by it, and tests compare compiled code with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, assert_never

from msgspec import Struct, field

from hoyle.language import ir
from hoyle.language.ir import ABSENT, NO_NUMBER, Const, Expr, Instance, Key, Var, absent_of, missing, walk
from hoyle.language.value_types import ValueType
from hoyle.language.vocabulary import WORDS


class Part(Struct):
    """A part of a formula, its value and its own parts."""

    expr: Expr
    value: Any
    parts: list[Part]


class Setting(Struct):
    """The values that formulas read: piles (with an always empty one at the end), cells, and constants of the game."""

    attributes: dict[str, tuple[Any, ...]]
    piles: Sequence[Sequence[int]] = ((),)
    cells: Sequence[int] = ()
    fault: int = ABSENT
    INDEX: Sequence[int] = ()
    NEXT: Sequence[int] = ()
    ROUND: Sequence[Sequence[int]] = ()
    PAIR: Sequence[Sequence[int]] = ()
    MEMBERS: Sequence[Sequence[int]] = ()
    SIDES: Sequence[Sequence[int]] = ()
    SEATS: int = 0
    trace: list[Part] | None = field(default=None)


Names = dict[Var, Any]


def evaluate(expr: Expr, setting: Setting, names: Names) -> Any:
    """Compute the value of a formula."""
    if setting.trace is None:
        return _value(expr, setting, names)
    outer = setting.trace
    inner: list[Part] = []
    setting.trace = inner
    value = _value(expr, setting, names)
    setting.trace = outer
    outer.append(Part(expr, value, inner))
    return value


def explain(expr: Expr, setting: Setting, names: Names) -> Part:
    """Compute the value of a formula and of every part that was evaluated."""
    setting.trace = []
    evaluate(expr, setting, names)
    part, setting.trace = setting.trace[0], None
    return part


def is_absent(value: Any, value_type: ValueType) -> bool:
    """Is a value absent? Truth and lists never are."""
    if value_type.name in ("bool", "list"):
        return False
    return value_type.name == "nothing" or bool(value == (NO_NUMBER if value_type.name == "number" else ABSENT))


def is_static(expr: Expr) -> bool:
    """Does a formula depend on nothing but options and tables?"""
    return not any(isinstance(e, ir.Cell | ir.Pile | ir.Piles | ir.Contents | ir.Fault) for e in walk_all(expr))


def instances(expr: Expr) -> tuple[Instance, ...]:
    """The terms and columns that an expression itself calls."""
    if isinstance(expr, ir.TermCall):
        return (expr.instance,)
    return expr.instances if isinstance(expr, ir.ColumnCall) else ()


def walk_all(expr: Expr) -> Iterable[Expr]:
    """Yield every part of a formula, with the bodies of its terms and columns."""
    seen: set[int] = set()
    waiting = [expr]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(found.args)
        for instance in instances(found):
            if id(instance) not in seen:
                seen.add(id(instance))
                waiting.append(instance.body)


# ---- one form at a time ----------------------------------------------------------------------------------------------


def _value(expr: Expr, s: Setting, n: Names) -> Any:
    """The value of each form."""
    match expr:
        case ir.Const(value=value):
            return value
        case ir.Local(var=var):
            return evaluate(var.value, s, n) if var.value is not None and var not in n else n[var]
        case ir.Fault():
            return s.fault
        case ir.Rows(size=size):
            return range(size)
        case ir.Cell():
            return _cell(expr, s, n)
        case ir.Pile():
            return _pile(expr, s, n)
        case ir.Piles():
            return _piles(expr, s, n)
        case ir.Contents(value=pile):
            return s.piles[evaluate(pile, s, n)]
        case ir.Others(value=player):
            return s.ROUND[evaluate(player, s, n)][1:]
        case ir.Attr(table=table, value=value):
            return s.attributes[table][evaluate(value, s, n)]
        case ir.Member(place=place, value=pair):
            return s.MEMBERS[evaluate(pair, s, n)][place]
        case ir.WordCall():
            return _word(expr, s, n)
        case ir.TermCall(instance=instance, args=args):
            return _apply(instance, [evaluate(a, s, n) for a in args], s)
        case ir.ColumnCall():
            return _column(expr, s, n)
        case ir.Quantified() | ir.Chosen() | ir.Collect():
            return _loop(expr, s, n)
        case ir.Listed() | ir.Concat() | ir.Without() | ir.Range() | ir.Item():
            return _list(expr, s, n)
        case _:
            return _operation(expr, s, n)


def _operation(expr: ir.Operation, s: Setting, n: Names) -> Any:
    """The value of arithmetic, comparison, truth and choice."""
    match expr:
        case ir.Arith():
            return _arith(expr, s, n)
        case ir.Neg(value=value):
            found = evaluate(value, s, n)
            return NO_NUMBER if is_absent(found, value.type) else -found
        case ir.Compare():
            return _compare(expr, s, n)
        case ir.Same(left=left, right=right):
            return same(evaluate(left, s, n), evaluate(right, s, n), left.type, right.type)
        case ir.Differs(left=left, right=right):
            return not same(evaluate(left, s, n), evaluate(right, s, n), left.type, right.type)
        case ir.Absent(value=value):
            return is_absent(evaluate(value, s, n), value.type)
        case ir.Empty(value=items):
            return len(evaluate(items, s, n)) == 0
        case ir.In(left=left, right=items):
            found = evaluate(left, s, n)
            return any(same(found, x, left.type, items.type.item_type) for x in evaluate(items, s, n))
        case ir.And(left=left, right=right):
            return bool(evaluate(left, s, n)) and bool(evaluate(right, s, n))
        case ir.Or(left=left, right=right):
            return bool(evaluate(left, s, n)) or bool(evaluate(right, s, n))
        case ir.Not(value=value):
            return not evaluate(value, s, n)
        case ir.If(condition=condition, yes=yes, no=no):
            return evaluate(yes if evaluate(condition, s, n) else no, s, n)
        case ir.Otherwise(left=value, right=other):
            found = evaluate(value, s, n)
            return evaluate(other, s, n) if is_absent(found, value.type) else found
        case _:
            assert_never(expr)


# ---- cells, piles, calls ---------------------------------------------------------------------------------------------


def _cell(e: ir.Cell, s: Setting, n: Names) -> Any:
    found = e.ref.base
    for expr, key, width in zip(e.keys, e.ref.keys, e.ref.widths, strict=False):
        member = _member(expr, key, s, n)
        if member is None:
            return absent_of(e.type)
        found += member * width
    return s.cells[found]


def _member(expr: Expr, key: Key, s: Setting, n: Names) -> int | None:
    """The index of a key's member in its family; None if there is none."""
    value = evaluate(expr, s, n)
    index = (value >> 1 if expr.type.name == "piece" else value) - key.low
    return index if 0 <= index < key.size else None


def _pile(e: ir.Pile, s: Setting, n: Names) -> Any:
    member = _member(e.member, e.ref.key, s, n) if e.member is not None else 0
    return e.ref.base + member if member is not None else ABSENT


def _piles(e: ir.Piles, s: Setting, n: Names) -> Any:
    if e.member is None:
        return e.ref.all
    member = _member(e.member, e.ref.key, s, n)
    return e.ref.of_member(member) if member is not None else range(0)


def _word(e: ir.WordCall, s: Setting, n: Names) -> Any:
    args, word = [evaluate(a, s, n) for a in e.args], WORDS[e.word]
    return word.apply(s if word.world else s.piles, *args, **({"absent": missing(e.type)} if word.absent else {}))


def _apply(instance: Instance, args: Sequence[Any], s: Setting) -> Any:
    inner: Names = dict(zip(instance.parameters, args, strict=False))
    if instance.uses_me:
        inner[instance.me] = args[-1]
    return evaluate(instance.body, s, inner)


def _column(e: ir.ColumnCall, s: Setting, n: Names) -> Any:
    args = [evaluate(a, s, n) for a in e.args]
    return _apply(e.instances[args[0]], args, s) if args[0] >= 0 else missing(e.type)


# ---- numbers and comparisons -----------------------------------------------------------------------------------------

_ARITHMETIC: dict[ir.Arithmetic, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
_COMPARISON: dict[ir.Comparison, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _arith(e: ir.Arith, s: Setting, n: Names) -> int:
    a, b = evaluate(e.left, s, n), evaluate(e.right, s, n)
    return NO_NUMBER if is_absent(a, e.left.type) or is_absent(b, e.right.type) else _ARITHMETIC[e.op](a, b)


def _compare(e: ir.Compare, s: Setting, n: Names) -> bool:
    a, b = evaluate(e.left, s, n), evaluate(e.right, s, n)
    return not is_absent(a, e.left.type) and not is_absent(b, e.right.type) and _COMPARISON[e.op](a, b)


def same(a: Any, b: Any, left: ValueType, right: ValueType) -> bool:
    """Are two values present and equal? Pieces are equal whatever their faces; lists are compared item by item."""
    if is_absent(a, left) or is_absent(b, right):
        return False
    if left.name == "piece":
        return bool(a >> 1 == b >> 1)
    if left.name == "list":
        return len(a) == len(b) and all(same(x, y, left.item_type, right.item_type) for x, y in zip(a, b, strict=True))
    return bool(a == b)


# ---- lists -----------------------------------------------------------------------------------------------------------


def _loop(e: ir.Loop, s: Setting, n: Names) -> Any:
    inside: list[Names] = [{**n, e.var: x} for x in evaluate(e.items, s, n)]
    match e:
        case ir.Quantified(word=word, condition=condition):
            every = all if word == "every" else any
            found = every(evaluate(condition, s, names) for names in inside)
            return not found if word == "no" else found
        case ir.Chosen():
            return _chosen(e, s, inside)
        case ir.Collect(where=where, item=item, by=by):
            there = [names for names in inside if evaluate(where, s, names)]
            ordered = sorted(there, key=lambda names: [evaluate(e, s, names) for e in by]) if by else there
            return [evaluate(item, s, names) for names in ordered]
        case _:
            assert_never(e)


def _chosen(e: ir.Chosen, s: Setting, inside: list[Names]) -> Any:
    """The first item with the best value. Items with an absent value are skipped."""
    found, best = missing(e.type), None
    for names in inside:
        if not evaluate(e.where, s, names):
            continue
        values = [evaluate(by, s, names) for by in e.by]
        better = best is None or (values > best if e.word == "most" else values < best)
        if better and not any(is_absent(value, by.type) for value, by in zip(values, e.by, strict=True)):
            best, found = values, names[e.var]
    return found


def without(items: Sequence[Any], taken: Iterable[Any], value_type: ValueType, other: ValueType) -> list[Any]:
    """A list without one item, the last that is the same, for each item of `taken`. The types are those of the items."""
    left = list(items)
    for item in taken:
        at = next((i for i in reversed(range(len(left))) if same(left[i], item, value_type, other)), None)
        if at is not None:
            del left[at]
    return left


def _list(e: ir.Listed | ir.Concat | ir.Without | ir.Range | ir.Item, s: Setting, n: Names) -> Any:
    found = [evaluate(a, s, n) for a in e.args]
    match e:
        case ir.Listed():
            return found
        case ir.Concat():
            return [*found[0], *found[1]]
        case ir.Without(left=left, right=right):
            return without(found[0], found[1], left.type.item_type, right.type.item_type)
        case ir.Range():
            return range(found[0], found[1] + 1)
        case ir.Item():
            items, index = found
            return items[index - 1] if 1 <= index <= len(items) else missing(e.type)
        case _:
            assert_never(e)


Attributes = dict[str, tuple[Any, ...]]


def simplify(expr: Expr, attributes: Attributes) -> Expr:
    """Compute what depends only on options and tables, and drop branches that are never taken."""
    if isinstance(expr, Const) or expr.type.name == "list":
        return expr
    match expr:
        case ir.And(left=left, right=right):
            return _junction(expr, left, right, False, attributes)
        case ir.Or(left=left, right=right):
            return _junction(expr, left, right, True, attributes)
        case ir.If(condition=condition, yes=yes, no=no):
            known = simplify(condition, attributes)
            return simplify(yes if known.value else no, attributes) if isinstance(known, Const) else expr
        case ir.Not(value=value):
            known = simplify(value, attributes)
            return Const(expr.type, expr.span, not known.value) if isinstance(known, Const) else expr
        case ir.Same() | ir.Attr() if _is_ruled_out(expr, attributes):
            return Const(expr.type, expr.span, False)
    return Const(expr.type, expr.span, evaluate(expr, Setting(attributes), {})) if _foldable(expr) else expr


def fixed_truth(condition: Expr, attributes: Attributes) -> bool | None:
    """The value of a condition if options decide it; else None."""
    known = simplify(condition, attributes)
    return bool(known.value) if isinstance(known, Const) else None


def _is_ruled_out(condition: ir.Same | ir.Attr, attributes: Attributes) -> bool:
    """Return whether no row or piece has the required value."""
    match condition:
        case ir.Same(left=ir.Attr(table=table), right=Const(value=value)):
            return value not in attributes.get(table, (value,))
        case ir.Attr(table=table):
            return condition.type.name == "bool" and not any(attributes.get(table, (True,)))
    return False


def _junction(expr: Expr, left: Expr, right: Expr, decides: bool, attributes: Attributes) -> Expr:
    left, right = simplify(left, attributes), simplify(right, attributes)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const):
            return one if bool(one.value) == decides else other
    return expr


def _foldable(expr: Expr) -> bool:
    """Can it be computed from tables of attributes alone? Loops are only folded inside terms, which have names of their own."""
    if any(isinstance(part, ir.Local | ir.Quantified | ir.Chosen | ir.Collect) for part in walk(expr)):
        return False
    return is_static(expr) and not any(_needs_game(part) for part in walk_all(expr))


def _needs_game(part: Expr) -> bool:
    """Does it depend on the seats?"""
    return isinstance(part, ir.Others | ir.Member) or (isinstance(part, ir.WordCall) and WORDS[part.word].world)
