"""Formulas → Python expressions and, where a loop or a name is needed, statements before them: one rule a form."""

from __future__ import annotations

from typing import Any, assert_never

from hoyle.compiling import calls
from hoyle.compiling.code import Line
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.lists import in_kinds, in_list, in_order, left_over, same_kinds, same_lists, without
from hoyle.language import ir
from hoyle.language.ir import NO_NUMBER, Const, Expr, Key, absent_of, missing
from hoyle.language.kinds import Kind


def write(emit: Emitter, expr: Expr) -> str:
    """The Python expression of a formula; what must stand before it is put into the emitter's writer."""
    match expr:
        case ir.Const(value=value):
            return str(bool(value)) if expr.kind.name == "bool" else str(value)
        case ir.Local(var=var):
            return emit(var.value) if var.value is not None and var not in emit.names else emit.names[var]
        case ir.Fault():
            return "C[FAULT]"
        case ir.Rows(size=size):
            return emit.program.constant(tuple(range(size)), "R")
        case ir.Cell():
            return _cell(emit, expr)
        case ir.Pile():
            return _pile(emit, expr)
        case ir.Piles():
            return _piles(emit, expr)
        case ir.Contents(value=pile):
            return f"P[{emit(pile)}]"
        case ir.Others(value=player):
            return f"OTHERS[{emit(player)}]"
        case ir.Attr():
            return _attr(emit, expr)
        case ir.Member(value=pair, place=place):
            return f"MEMBERS[{emit(pair)}][{place}]"
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
            return f"({', '.join(emit(a) for a in items)},)" if items else "()"
        case ir.Concat(left=left, right=right):
            return f"[*{emit(left)}, *{emit(right)}]"
        case ir.Without():
            return _without(emit, expr)
        case ir.Range():
            return _range(emit, expr)
        case ir.Item():
            return _item(emit, expr)
        case _:
            return _operation(emit, expr)


def _operation(emit: Emitter, expr: ir.Operation) -> str:
    """Arithmetic, comparison, truth and choice."""
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
            return f"(not {_same(emit, left, right)})"
        case ir.Absent(value=value):
            return _absent(emit, value)
        case ir.Empty(value=value) | ir.Not(value=value):
            return f"(not {emit(value)})"
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


def _cell(emit: Emitter, e: ir.Cell) -> str:
    offset, found, tests = e.ref.base, [], []
    for expr, key, width in zip(e.keys, e.ref.keys, e.ref.widths, strict=False):
        known = _known(emit, expr, key)
        if known is not None:
            offset += known * width
            continue
        index, test = member(emit, expr, key)
        tests += [test] if test else []
        found.append(f"{index} * {width}" if width > 1 else index)
        offset -= key.low * width
    place = f"C[{' + '.join([*found, *([str(offset)] if offset or not found else [])])}]"
    return f"({place} if {' and '.join(tests)} else {absent_of(e.kind)})" if tests else place


def _known(emit: Emitter, expr: Expr, key: Key) -> int | None:
    """Which member a key says, if that is known before play."""
    found = emit.program.fold(expr)
    if not isinstance(found, Const) or found.kind.name == "piece" or not 0 <= found.value - key.low < key.size:
        return None
    return found.value - key.low


def member(emit: Emitter, expr: Expr, key: Key) -> tuple[str, str]:
    """A key's value (of a piece: the number of its class), and the test that there is such a member if that is not certain."""
    certain = key.holds(expr.kind)
    index = emit(expr) if certain else emit.named(expr)
    index = f"({index} >> 1)" if expr.kind.name == "piece" else index
    return index, "" if certain else f"{key.low} <= {index} < {key.low + key.size}"


def _pile(emit: Emitter, e: ir.Pile) -> str:
    ref = e.ref
    known = _known(emit, e.member, ref.key) if e.member is not None else 0
    if e.member is None or known is not None:
        return str(ref.base + (known or 0))
    index, test = member(emit, e.member, ref.key)
    offset = ref.base - ref.key.low
    if test:
        return f"({offset} + {index} if {test} else -1)"
    if index.isdigit():
        return str(offset + int(index))
    return f"({offset} + {index})" if offset else index


def _piles(emit: Emitter, e: ir.Piles) -> str:
    if e.member is None:
        return emit.program.constant(tuple(e.ref.all), "F")
    members = emit.program.constant((*(tuple(e.ref.of_member(i)) for i in range(e.ref.key.size)), ()), "F")
    index, test = member(emit, e.member, e.ref.key)
    place = f"{index} - {e.ref.key.low}" if e.ref.key.low else index
    return (
        f"({members}[{place}] if {test} else ())" if test and e.member.kind.name == "number" else f"{members}[{place}]"
    )


def _attr(emit: Emitter, e: ir.Attr) -> str:
    table, inner = _composed(emit, e)
    return f"{emit.program.constant(table, 'A')}[{emit(inner)}]"


def _composed(emit: Emitter, e: ir.Attr) -> tuple[tuple[Any, ...], Expr]:
    """`card.rank.order` is one look-up: tables of tables are joined when the game is compiled."""
    table, inner = emit.program.attributes[e.table], e.value
    while isinstance(inner, ir.Attr):
        table = tuple(table[i] for i in emit.program.attributes[inner.table])
        inner = inner.value
    return table, inner


# ---- numbers and comparisons -----------------------------------------------------------------------------------------

_PYTHON: dict[ir.Arithmetic, str] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


def _arith(emit: Emitter, e: ir.Arith) -> str:
    operator = _PYTHON[e.op]
    calls.extremes_together(emit, e.left, e.right)
    if not e.kind.optional:
        return f"({emit(e.left)} {operator} {emit(e.right)})"
    (left, right), tests = _sides(emit, e)
    absent = f" if {' and '.join(tests)} else {NO_NUMBER}" if tests else ""  # what is folded may be certain
    return f"({left} {operator} {right}{absent})"


def _sides(emit: Emitter, e: ir.Arith | ir.Compare) -> tuple[list[str], list[str]]:
    """Both sides, and the tests that those that may be absent are there."""
    sides = [emit.named(a) if a.kind.optional else emit(a) for a in e.args]
    return sides, [_present(s, a.kind) for s, a in zip(sides, e.args, strict=True) if a.kind.optional]


def _neg(emit: Emitter, e: ir.Neg) -> str:
    if not e.kind.optional:
        return f"(-{emit(e.value)})"
    value = emit.named(e.value)
    return f"(-{value} if {value} != {NO_NUMBER} else {NO_NUMBER})"


def _compare(emit: Emitter, e: ir.Compare) -> str:
    if "nothing" in (e.left.kind.name, e.right.kind.name):
        return "False"
    (left, right), tests = _sides(emit, e)
    return f"({' and '.join([*tests, f'{left} {e.op} {right}'])})"


def _present(text: str, kind: Kind) -> str:
    return f"{text} != {NO_NUMBER}" if kind.name == "number" else f"{text} >= 0"


def _same(emit: Emitter, left: Expr, right: Expr) -> str:
    if "nothing" in (left.kind.name, right.kind.name):
        return "False"
    if left.kind.name == "list":
        if _deep(left.kind, right.kind):
            return f"same_kinds({emit(left)}, {emit(right)}, {_told_apart(left.kind, right.kind)})"
        return f"same_lists({emit(left)}, {emit(right)}, {left.kind.of_item.name == 'piece'})"
    if left.kind.name == "bool":
        return f"({emit(left)} == {emit(right)})"
    both = left.kind.optional and right.kind.optional
    first = emit.named(left) if both else emit(left)
    shift = " >> 1" if left.kind.name == "piece" else ""
    test = f"({first}{shift}) == ({emit(right)}{shift})" if shift else f"{first} == {emit(right)}"
    return f"({test} and {_present(first, left.kind)})" if both else f"({test})"


def _deep(left: Kind, right: Kind) -> bool:
    """Must two lists be compared item by item? An absent item is like no other, and lists come in several types."""
    return left.of_item.name == "list" or (left.of_item.optional and right.of_item.optional)


def _told_apart(left: Kind, right: Kind) -> str:
    """What tells the things in two lists apart: how many bits of each do not, and what stands on either side for one that is not there."""
    while left.name == "list":
        left = left.of_item
    while right.name == "list":
        right = right.of_item
    absent = (NO_NUMBER if kind.name == "bool" else absent_of(kind) for kind in (left, right))
    return f"{int(left.name == 'piece')}, {', '.join(str(value) for value in absent)}"


def _absent(emit: Emitter, value: Expr) -> str:
    if value.kind.name == "nothing":
        return "True"
    if not value.kind.optional:
        return "False"
    return f"({emit(value)} == {NO_NUMBER})" if value.kind.name == "number" else f"({emit(value)} < 0)"


def _in(emit: Emitter, e: ir.In) -> str:
    left, items = e.args
    if left.kind.name == "nothing":
        return "False"
    if left.kind.name == "list" and _deep(left.kind, items.kind.of_item):
        return f"in_kinds({emit(left)}, {emit(items)}, {_told_apart(left.kind, items.kind.of_item)})"
    if left.kind.name in ("piece", "list"):
        return f"in_list({emit(left)}, {emit(items)}, {left.kind.name == 'piece'})"
    guard = left.kind.optional and items.kind.of_item.optional
    value = emit.named(left) if guard or isinstance(items, ir.Range) else emit(left)
    test = f"{value} in {emit(items)}"
    return f"({test} and {_present(value, left.kind)})" if guard else f"({test})"


# ---- truth and choice ------------------------------------------------------------------------------------------------


def _junction(emit: Emitter, e: ir.And | ir.Or) -> str:
    conjoined = isinstance(e, ir.And)
    left = emit(e.left)
    right, lines = emit.aside(e.right)
    if not lines:
        return f"({left} {'and' if conjoined else 'or'} {right})"
    found = emit.writer.fresh("b")
    emit.writer.put(f"{found} = {left}")
    emit.writer.put(f"if {found}:" if conjoined else f"if not {found}:")
    _branch(emit, found, right, lines)
    return found


def _branch(emit: Emitter, found: str, value: str, lines: list[Line]) -> None:
    """Under the `if` that has just been put."""
    emit.writer.insert(lines, 1)
    emit.writer.indent += 1
    emit.writer.put(f"{found} = {value}")
    emit.writer.indent -= 1


def _if(emit: Emitter, e: ir.If) -> str:
    condition = emit(e.condition)
    (yes, yes_lines), (no, no_lines) = emit.aside(e.yes), emit.aside(e.no)
    if not yes_lines and not no_lines:
        return f"({yes} if {condition} else {no})"
    found = emit.writer.fresh("c")
    emit.writer.put(f"if {condition}:")
    _branch(emit, found, yes, yes_lines)
    emit.writer.put("else:")
    _branch(emit, found, no, no_lines)
    return found


def _otherwise(emit: Emitter, value: Expr, other: Expr) -> str:
    if value.kind.name == "nothing":
        return emit(other)
    if not value.kind.optional:
        return emit(value)
    default = emit.program.fold(other)
    if isinstance(value, ir.Attr) and isinstance(default, Const):
        table, inner = _composed(emit, value)
        if absent_of(value.kind) not in table[:-1]:
            return f"{emit.program.constant((*table[:-1], default.value), 'A')}[{emit(inner)}]"
    found = emit.named(value)
    return f"({found} if {_present(found, value.kind)} else {emit(other)})"


# ---- lists -----------------------------------------------------------------------------------------------------------


def _quantified(emit: Emitter, e: ir.Quantified) -> str:
    found = emit.writer.fresh("b")
    emit.writer.put(f"{found} = {e.word != 'some'}")
    with emit.loop_in_any_order(e.items, e.var, e.condition):
        condition = emit(e.condition)
        with emit.test(f"not {condition}" if e.word == "every" else condition):
            emit.writer.put(f"{found} = {e.word == 'some'}")
            emit.writer.put("break")
    return found


def _chosen(emit: Emitter, e: ir.Chosen) -> str:
    found, best = emit.writer.fresh("found"), emit.writer.fresh("best")
    emit.writer.put(f"{found} = {missing(e.kind)}; {best} = None")
    with emit.loop(e.items, e.var), emit.test(emit(e.where)):
        values = [emit.named(by) for by in e.by]
        value = values[0] if len(values) == 1 else emit.name(_joined(values), "v")
        better = f"{best} is None or {value} {'>' if e.word == 'most' else '<'} {best}"
        tests = [_present(v, by.kind) for v, by in zip(values, e.by, strict=True) if by.kind.optional]
        there = " and ".join([*tests, f"({better})"]) if tests else better
        emit.writer.put(f"if {there}: {best} = {value}; {found} = {emit.names[e.var]}")
    return found


def _collect(emit: Emitter, e: ir.Collect) -> str:
    found = emit.writer.fresh("xs")
    emit.writer.put(f"{found} = []")
    with emit.loop(e.items, e.var), emit.test(emit(e.where)):
        keys = [emit(by) for by in e.by]
        item = emit(e.item)
        emit.writer.put(f"{found}.append({f'({_joined(keys)}, {item})' if keys else item})")
    return f"in_order({found})" if e.by else found


def _joined(values: list[str]) -> str:
    return f"({', '.join(values)},)"


def _without(emit: Emitter, e: ir.Without) -> str:
    kind = e.left.kind.of_item
    if kind.name != "list" and not kind.optional:
        return f"left_over({emit(e.left)}, {emit(e.right)}, {int(kind.name == 'piece')})"
    return f"without({emit(e.left)}, {emit(e.right)}, {_told_apart(e.left.kind, e.right.kind)})"


def _range(emit: Emitter, e: ir.Range) -> str:
    low, high = emit(e.left), emit(e.right)
    if low.isdigit() and high.isdigit() and int(high) - int(low) < 200:
        return emit.program.constant(tuple(range(int(low), int(high) + 1)), "R")
    return f"range({low}, {high} + 1)"


def _item(emit: Emitter, e: ir.Item) -> str:
    if isinstance(e.items, ir.Piles) and e.items.member is None and e.inside:
        return f"({e.items.ref.base - 1} + {emit(e.index)})"
    if isinstance(e.items, ir.Piles) and e.items.member is None:
        i = emit.named(e.index)
        return f"({e.items.ref.base - 1} + {i} if 1 <= {i} <= {len(e.items.ref.all)} else {missing(e.kind)})"
    xs, i = emit.named(e.items), emit.named(e.index)
    if e.inside:
        return f"{xs}[{i} - 1]"
    return f"({xs}[{i} - 1] if 1 <= {i} <= len({xs}) else {missing(e.kind)})"


def program(attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any]) -> Program:
    """A new program: no functions yet, with what its formulas look things up in."""
    helpers = {"same_kinds": same_kinds, "in_kinds": in_kinds, "same_lists": same_lists, "in_list": in_list}
    helpers |= {"without": without, "left_over": left_over, "in_order": in_order}
    return Program(attributes, {**constants, **helpers}, write, calls.work_out_summands)
