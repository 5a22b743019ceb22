"""Lowers formulas to values, with one function for each form. A loop or a name puts statements before the value."""

from __future__ import annotations

from typing import Any, assert_never

from hoyle.compiling import calls, code
from hoyle.compiling.code import (
    EMPTY,
    FALSE,
    NO_LIST,
    NONE,
    TRUE,
    And,
    Binary,
    Break,
    C,
    Choice,
    Compare,
    If,
    Item,
    List,
    Literal,
    Minus,
    Name,
    Not,
    Or,
    Star,
    Statement,
    Tuple,
    Value,
    all_of,
    call,
    cell,
    compare,
    is_between,
    known_number,
    number,
    pile,
    plus,
)
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.python import in_kinds, in_list, in_order, left_over, same_kinds, same_lists, without
from hoyle.language import ir
from hoyle.language.ir import NO_NUMBER, Const, Expr, Key, absent_of
from hoyle.language.value_types import ValueType


def write(emit: Emitter, expr: Expr) -> Value:
    """Return the value of a formula. Statements it needs are put into the emitter's writer."""
    match expr:
        case ir.Const(value=value):
            return (TRUE if value else FALSE) if expr.type.name == "bool" else number(value)
        case ir.Local(var=var):
            return emit(var.value) if var.value is not None and var not in emit.names else emit.names[var]
        case ir.Fault():
            return Item(C, Name("FAULT"))
        case ir.Rows(size=size):
            return emit.program.constant(tuple(range(size)), "R")
        case ir.Cell():
            return _cell(emit, expr)
        case ir.Pile():
            return _pile(emit, expr)
        case ir.Piles():
            return _piles(emit, expr)
        case ir.Contents(value=inner):
            return pile(emit(inner))
        case ir.Others(value=player):
            return Item(Name("OTHERS"), emit(player))
        case ir.Attr():
            return _attr(emit, expr)
        case ir.Member(value=pair, place=place):
            return Item(Item(Name("MEMBERS"), emit(pair)), number(place))
        case ir.WordCall():
            return calls.word(emit, expr)
        case ir.TermCall():
            return calls.term(emit, expr)
        case ir.ColumnCall():
            return calls.column(emit, expr)
        case ir.Quantified():
            return _quantified(emit, expr)
        case ir.Chosen():
            return _chosen(emit, expr)
        case ir.Collect():
            return _collect(emit, expr)
        case ir.Listed(args=items):
            return Tuple(tuple([emit(item) for item in items])) if items else EMPTY
        case ir.Concat(left=left, right=right):
            return List((Star(emit(left)), Star(emit(right))))
        case ir.Without():
            return _without(emit, expr)
        case ir.Range():
            return _range(emit, expr)
        case ir.Item():
            return _item(emit, expr)
        case _:
            return _operation(emit, expr)


def _operation(emit: Emitter, expr: ir.Operation) -> Value:
    """Lower arithmetic, comparison, truth and choice."""
    match expr:
        case ir.Arith():
            return _arith(emit, expr)
        case ir.Neg():
            return _neg(emit, expr)
        case ir.Compare():
            return _compare(emit, expr)
        case ir.Same(left=left, right=right):
            return _same(emit, left, right)
        case ir.Differs(left=left, right=right):
            return Not(_same(emit, left, right))
        case ir.Absent(value=value):
            return _absent(emit, value)
        case ir.Empty(value=value) | ir.Not(value=value):
            return Not(emit(value))
        case ir.In():
            return _in(emit, expr)
        case ir.And() | ir.Or():
            return _junction(emit, expr)
        case ir.If():
            return _if(emit, expr)
        case ir.Otherwise(left=value, right=other):
            return _otherwise(emit, value, other)
        case _:
            assert_never(expr)


# ---- cells, piles, attributes ----------------------------------------------------------------------------------------


def _cell(emit: Emitter, e: ir.Cell) -> Value:
    offset, terms, tests = e.ref.base, list[Value](), list[Value]()
    for expr, key, width in zip(e.keys, e.ref.keys, e.ref.widths, strict=False):
        known = _known(emit, expr, key)
        if known is not None:
            offset += known * width
            continue
        index, test = member(emit, expr, key)
        tests += [test] if test is not None else []
        terms.append(times(index, width))
        offset -= key.low * width
    place = cell(total(terms, offset))
    return Choice(all_of(tests), place, number(absent_of(e.type))) if tests else place


def times(index: Value, width: int) -> Value:
    return Binary(index, "*", number(width)) if width > 1 else index


def total(terms: list[Value], offset: int) -> Value:
    """Return the sum of values and a number."""
    sum_ = terms[0] if terms else number(offset)
    for term in terms[1:]:
        sum_ = Binary(sum_, "+", term)
    return plus(sum_, offset) if terms else sum_


def _known(emit: Emitter, expr: Expr, key: Key) -> int | None:
    """Return the index of the member that a key names; None unless it is known at compile time."""
    folded = emit.program.fold(expr)
    if not isinstance(folded, Const) or folded.type.name == "piece" or not 0 <= folded.value - key.low < key.size:
        return None
    return folded.value - key.low


def member(emit: Emitter, expr: Expr, key: Key) -> tuple[Value, Value | None]:
    """Return the value of a key, and a test that the member exists (None if that is certain).

    A piece has its class number as value.
    """
    certain = key.holds(expr.type)
    index = emit(expr) if certain else emit.write_named(expr)
    index = Binary(index, ">>", number(1)) if expr.type.name == "piece" else index
    return index, None if certain else is_between(key.low, index, key.low + key.size)


def _pile(emit: Emitter, e: ir.Pile) -> Value:
    ref = e.ref
    known = _known(emit, e.member, ref.key) if e.member is not None else 0
    if e.member is None or known is not None:
        return number(ref.base + (known or 0))
    index, test = member(emit, e.member, ref.key)
    offset = ref.base - ref.key.low
    if test is not None:
        return Choice(test, Binary(number(offset), "+", index), number(-1))
    literal = known_number(index)
    if literal is not None and literal >= 0:
        return number(offset + literal)
    return Binary(number(offset), "+", index) if offset else index


def _piles(emit: Emitter, e: ir.Piles) -> Value:
    if e.member is None:
        return emit.program.constant(tuple(e.ref.all), "F")
    members = emit.program.constant((*(tuple(e.ref.of_member(i)) for i in range(e.ref.key.size)), ()), "F")
    index, test = member(emit, e.member, e.ref.key)
    piles = Item(members, Binary(index, "-", number(e.ref.key.low)) if e.ref.key.low else index)
    return Choice(test, piles, EMPTY) if test is not None and e.member.type.name == "number" else piles


def _attr(emit: Emitter, e: ir.Attr) -> Value:
    table, inner = _composed(emit, e)
    return Item(emit.program.constant(table, "A"), emit(inner))


def _composed(emit: Emitter, e: ir.Attr) -> tuple[tuple[Any, ...], Expr]:
    """Join nested tables, so that `card.rank.order` is one look-up."""
    table, inner = emit.program.attributes[e.table], e.value
    while isinstance(inner, ir.Attr):
        table = tuple(table[i] for i in emit.program.attributes[inner.table])
        inner = inner.value
    return table, inner


# ---- numbers and comparisons -----------------------------------------------------------------------------------------

_OPERATORS: dict[ir.Arithmetic, str] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


def _arith(emit: Emitter, e: ir.Arith) -> Value:
    operator = _OPERATORS[e.op]
    calls.compute_extremes_together(emit, e.left, e.right)
    if not e.type.optional:
        return Binary(emit(e.left), operator, emit(e.right))
    (left, right), tests = _sides(emit, e)
    worth = Binary(left, operator, right)
    return Choice(all_of(tests), worth, number(NO_NUMBER)) if tests else worth  # folding may have removed the tests


def _sides(emit: Emitter, e: ir.Arith | ir.Compare) -> tuple[list[Value], list[Value]]:
    """Return both operands, and the tests that neither is absent."""
    sides = [emit.write_named(a) if a.type.optional else emit(a) for a in e.args]
    return sides, [present(s, a.type) for s, a in zip(sides, e.args, strict=True) if a.type.optional]


def _neg(emit: Emitter, e: ir.Neg) -> Value:
    if not e.type.optional:
        return Minus(emit(e.value))
    value = emit.write_named(e.value)
    return Choice(compare(value, "!=", NO_NUMBER), Minus(value), number(NO_NUMBER))


def _compare(emit: Emitter, e: ir.Compare) -> Value:
    if "nothing" in (e.left.type.name, e.right.type.name):
        return FALSE
    (left, right), tests = _sides(emit, e)
    return all_of([*tests, Compare(left, e.op, right)])


def present(value: Value, value_type: ValueType) -> Value:
    """Return the test that a value of this type is not absent."""
    return compare(value, "!=", NO_NUMBER) if value_type.name == "number" else compare(value, ">=", 0)


def _same(emit: Emitter, left: Expr, right: Expr) -> Value:
    if "nothing" in (left.type.name, right.type.name):
        return FALSE
    if left.type.name == "list":
        if _deep(left.type, right.type):
            return call("same_kinds", emit(left), emit(right), *_distinction(left.type, right.type))
        return call("same_lists", emit(left), emit(right), _truth(left.type.item_type.name == "piece"))
    if left.type.name == "bool":
        return Compare(emit(left), "==", emit(right))
    both = left.type.optional and right.type.optional
    first = emit.write_named(left) if both else emit(left)
    other = emit(right)
    if left.type.name == "piece":
        test = Compare(Binary(first, ">>", number(1)), "==", Binary(other, ">>", number(1)))
    else:
        test = Compare(first, "==", other)
    return And((test, present(first, left.type))) if both else test


def _truth(value: bool) -> Literal:
    return TRUE if value else FALSE


def _deep(left: ValueType, right: ValueType) -> bool:
    """Return whether lists are compared item by item: for lists of lists, and if both may have absent items.

    An absent item equals no other item.
    """
    return left.item_type.name == "list" or (left.item_type.optional and right.item_type.optional)


def _distinction(left: ValueType, right: ValueType) -> tuple[int, int, int]:
    """Return how to compare items of two lists: bits to ignore, and the absent value on the left and on the right."""
    while left.name == "list":
        left = left.item_type
    while right.name == "list":
        right = right.item_type
    one, other = (NO_NUMBER if value_type.name == "bool" else absent_of(value_type) for value_type in (left, right))
    return int(left.name == "piece"), one, other


def _absent(emit: Emitter, value: Expr) -> Value:
    if value.type.name == "nothing":
        return TRUE
    if not value.type.optional:
        return FALSE
    if value.type.name == "number":
        return compare(emit(value), "==", NO_NUMBER)
    return compare(emit(value), "<", 0)


def _in(emit: Emitter, e: ir.In) -> Value:
    left, items = e.args
    if left.type.name == "nothing":
        return FALSE
    if left.type.name == "list" and _deep(left.type, items.type.item_type):
        return call("in_kinds", emit(left), emit(items), *_distinction(left.type, items.type.item_type))
    if left.type.name in ("piece", "list"):
        return call("in_list", emit(left), emit(items), _truth(left.type.name == "piece"))
    guard = left.type.optional and items.type.item_type.optional
    value = emit.write_named(left) if guard or isinstance(items, ir.Range) else emit(left)
    test = Compare(value, "in", emit(items))
    return And((test, present(value, left.type))) if guard else test


# ---- truth and choice ------------------------------------------------------------------------------------------------


def _junction(emit: Emitter, e: ir.And | ir.Or) -> Value:
    is_and = isinstance(e, ir.And)
    left = emit(e.left)
    right, statements = emit.aside(e.right)
    if not statements:
        return And((left, right)) if is_and else Or((left, right))
    found = emit.writer.fresh("b")
    emit.writer.assign(found, left)
    with emit.writer.block(If(found if is_and else Not(found), [])):
        _set(emit, found, right, statements)
    return found


def _set(emit: Emitter, found: Name, value: Value, statements: list[Statement]) -> None:
    emit.writer.insert(statements)
    emit.writer.assign(found, value)


def _if(emit: Emitter, e: ir.If) -> Value:
    condition = emit(e.condition)
    (yes, yes_statements), (no, no_statements) = emit.aside(e.yes), emit.aside(e.no)
    if not yes_statements and not no_statements:
        return Choice(condition, yes, no)
    found = emit.writer.fresh("c")
    with emit.writer.block(If(condition, [])):
        _set(emit, found, yes, yes_statements)
    with emit.writer.otherwise():
        _set(emit, found, no, no_statements)
    return found


def _otherwise(emit: Emitter, value: Expr, other: Expr) -> Value:
    if value.type.name == "nothing":
        return emit(other)
    if not value.type.optional:
        return emit(value)
    default = emit.program.fold(other)
    if isinstance(value, ir.Attr) and isinstance(default, Const):
        table, inner = _composed(emit, value)
        if absent_of(value.type) not in table[:-1]:
            return Item(emit.program.constant((*table[:-1], default.value), "A"), emit(inner))
    found = emit.write_named(value)
    return Choice(present(found, value.type), found, emit(other))


# ---- lists -----------------------------------------------------------------------------------------------------------


def _quantified(emit: Emitter, e: ir.Quantified) -> Value:
    found = emit.writer.fresh("b")
    emit.writer.assign(found, _truth(e.word != "some"))
    with emit.loop_in_any_order(e.items, e.var, e.condition):
        condition = emit(e.condition)
        with emit.test(Not(condition) if e.word == "every" else condition):
            emit.writer.assign(found, _truth(e.word == "some"))
            emit.writer.put(Break())
    return found


def _chosen(emit: Emitter, e: ir.Chosen) -> Value:
    found, best = emit.writer.fresh("found"), emit.writer.fresh("best")
    emit.writer.assign(found, calls.absence(e.type))
    emit.writer.assign(best, NONE)
    with emit.loop(e.items, e.var), emit.test(emit(e.where)):
        values = [emit.write_named(by) for by in e.by]
        value = values[0] if len(values) == 1 else emit.name(Tuple(tuple(values)), "v")
        better = Or((Compare(best, "is", NONE), Compare(value, ">" if e.word == "most" else "<", best)))
        tests = [present(v, by.type) for v, by in zip(values, e.by, strict=True) if by.type.optional]
        with emit.writer.block(If(all_of([*tests, better]), [])):
            emit.writer.assign(best, value)
            emit.writer.assign(found, emit.names[e.var])
    return found


def _collect(emit: Emitter, e: ir.Collect) -> Value:
    found = emit.writer.fresh("xs")
    emit.writer.assign(found, NO_LIST)
    with emit.loop(e.items, e.var), emit.test(emit(e.where)):
        keys = tuple([emit(by) for by in e.by])
        item = emit(e.item)
        emit.writer.put(code.append(found, Tuple((Tuple(keys), item)) if keys else item))
    return call("in_order", found) if e.by else found


def _without(emit: Emitter, e: ir.Without) -> Value:
    value_type = e.left.type.item_type
    if value_type.name != "list" and not value_type.optional:
        return call("left_over", emit(e.left), emit(e.right), int(value_type.name == "piece"))
    return call("without", emit(e.left), emit(e.right), *_distinction(e.left.type, e.right.type))


def _range(emit: Emitter, e: ir.Range) -> Value:
    low, high = emit(e.left), emit(e.right)
    first, last = known_number(low), known_number(high)
    if first is not None and last is not None and first >= 0 and last >= 0 and last - first < 200:
        return emit.program.constant(tuple(range(first, last + 1)), "R")
    return call("range", low, Binary(high, "+", number(1)))


def _item(emit: Emitter, e: ir.Item) -> Value:
    if isinstance(e.items, ir.Piles) and e.items.member is None and e.inside:
        return Binary(number(e.items.ref.base - 1), "+", emit(e.index))
    if isinstance(e.items, ir.Piles) and e.items.member is None:
        i = emit.write_named(e.index)
        place = Binary(number(e.items.ref.base - 1), "+", i)
        return Choice(_is_place(i, number(len(e.items.ref.all))), place, calls.absence(e.type))
    xs, i = emit.write_named(e.items), emit.write_named(e.index)
    item = Item(xs, Binary(i, "-", number(1)))
    return item if e.inside else Choice(_is_place(i, call("len", xs)), item, calls.absence(e.type))


def _is_place(index: Value, size: Value) -> Value:
    """Return the test that a list of this size has an item at this index, counted from 1."""
    return And((Compare(number(1), "<=", index), Compare(index, "<=", size)))


def program(attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any]) -> Program:
    """Create a program without functions. It has the helpers that formulas call."""
    helpers = {"same_kinds": same_kinds, "in_kinds": in_kinds, "same_lists": same_lists, "in_list": in_list}
    helpers |= {"without": without, "left_over": left_over, "in_order": in_order}
    return Program(attributes, {**constants, **helpers}, write, calls.compute_summands)
