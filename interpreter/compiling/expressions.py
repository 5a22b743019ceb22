"""Formulas → Python expressions and, where a loop or a name is needed, statements before them: one rule a form."""

from __future__ import annotations

from typing import Any, assert_never

from interpreter.compiling import calls
from interpreter.compiling.code import Line
from interpreter.compiling.emitter import Emitter, Program
from interpreter.compiling.simplify import simplify
from interpreter.language import ir
from interpreter.language.evaluate import same
from interpreter.language.ir import NO_NUMBER, Const, Expr, absent_of
from interpreter.language.kinds import Kind


def write(m: Emitter, expr: Expr) -> str:
    """The Python expression of a formula; what must stand before it is put into the emitter's writer."""
    match expr:
        case ir.Const(value=value):
            return str(bool(value)) if expr.kind.name == "bool" else str(value)
        case ir.Local(var=var):
            return m.names[var]
        case ir.Fault():
            return "C[FAULT]"
        case ir.Rows(size=size):
            return m.program.constant(tuple(range(size)), "R")
        case ir.Cell():
            return _cell(m, expr)
        case ir.Pile():
            return _pile(m, expr)
        case ir.Piles():
            return _piles(m, expr)
        case ir.Contents(value=pile):
            return f"P[{m(pile)}]"
        case ir.Others(value=player):
            return f"OTHERS[{m(player)}]"
        case ir.Attr():
            return _attr(m, expr)
        case ir.Member(value=pair, place=place):
            return f"MEMBERS[{m(pair)}][{place}]"
        case ir.WordCall():
            return calls.word(m, expr)
        case ir.TermCall():
            return calls.term(m, expr)
        case ir.ColumnCall():
            return calls.column(m, expr)
        case ir.Quantified():
            return _quantified(m, expr)
        case ir.Chosen():
            return _chosen(m, expr)
        case ir.Collect():
            return _collect(m, expr)
        case ir.Listed(args=items):
            return f"({', '.join(m(a) for a in items)},)"
        case ir.Concat(left=left, right=right):
            return f"[*{m(left)}, *{m(right)}]"
        case ir.Range():
            return _range(m, expr)
        case ir.Item():
            return _item(m, expr)
        case _:
            return _operation(m, expr)


def _operation(m: Emitter, expr: ir.Operation) -> str:
    """Arithmetic, comparison, truth and choice."""
    match expr:
        case ir.Arith():
            return _arith(m, expr)
        case ir.Neg():
            return _neg(m, expr)
        case ir.Compare():
            return _compare(m, expr)
        case ir.Same(left=left, right=right):
            return _same(m, left, right)
        case ir.Differs(left=left, right=right):
            return f"(not {_same(m, left, right)})"
        case ir.Absent(value=value):
            return _absent(m, value)
        case ir.Empty(value=value) | ir.Not(value=value):
            return f"(not {m(value)})"
        case ir.In():
            return _in(m, expr)
        case ir.And() | ir.Or():
            return _junction(m, expr)
        case ir.If():
            return _if(m, expr)
        case ir.Otherwise(left=value, right=other):
            return _otherwise(m, value, other)
        case _:
            assert_never(expr)


# ---- cells, piles, attributes ----------------------------------------------------------------------------------------


def _cell(m: Emitter, e: ir.Cell) -> str:
    ref = e.ref
    if not e.keys:
        return f"C[{ref.base}]"
    if len(e.keys) > 1:
        return _two_keys(m, e)
    key = simplify(e.keys[0], m.program.attributes)
    if isinstance(key, Const) and 0 <= key.value - ref.low < ref.size and key.kind.name != "piece":
        return f"C[{ref.base + key.value - ref.low}]"
    index = m.named(key) if _needs_check(key, ref) else m(key)
    if key.kind.name == "piece":
        index = f"({index} >> 1)"
    offset = ref.base - ref.low
    place = f"C[{index} + {offset}]" if offset else f"C[{index}]"
    if _needs_check(key, ref):
        return f"({place} if {ref.low} <= {index} < {ref.low + ref.size} else {absent_of(e.kind)})"
    return place


def _two_keys(m: Emitter, e: ir.Cell) -> str:
    i, j = (m.named(key) for key in e.keys)
    place = f"C[{i} * {e.ref.inner} + {j} + {e.ref.base}]"
    if not any(key.kind.optional for key in e.keys):
        return place
    return f"({place} if {i} >= 0 and {j} >= 0 else {absent_of(e.kind)})"


def _needs_check(key: Expr, ref: ir.CellRef) -> bool:
    if key.kind.optional:
        return True
    return key.kind.name == "number" and not (ref.low <= key.kind.low and key.kind.high < ref.low + ref.size)


def _pile(m: Emitter, e: ir.Pile) -> str:
    ref = e.ref
    if e.member is None:
        return str(ref.base)
    index = m(e.member)
    if e.member.kind.optional or e.member.kind.name == "number":
        index = m.name(index)
        return f"({ref.base} + {index} if 0 <= {index} < {ref.members} else -1)"
    if index.isdigit():
        return str(ref.base + int(index))
    return f"({ref.base} + {index})" if ref.base else index


def _piles(m: Emitter, e: ir.Piles) -> str:
    if e.member is None:
        return m.program.constant(tuple(e.ref.all), "F")
    members = tuple(tuple(e.ref.of_member(i)) for i in range(e.ref.members))
    return f"{m.program.constant((*members, ()), 'F')}[{m(e.member)}]"


def _attr(m: Emitter, e: ir.Attr) -> str:
    table, inner = _composed(m, e)
    return f"{m.program.constant(table, 'A')}[{m(inner)}]"


def _composed(m: Emitter, e: ir.Attr) -> tuple[tuple[Any, ...], Expr]:
    """`card.rank.order` is one look-up: tables of tables are joined when the game is compiled."""
    table, inner = m.program.attributes[e.table], e.value
    while isinstance(inner, ir.Attr):
        table = tuple(table[i] for i in m.program.attributes[inner.table])
        inner = inner.value
    return table, inner


# ---- numbers and comparisons -----------------------------------------------------------------------------------------

_PYTHON: dict[ir.Arithmetic, str] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


def _arith(m: Emitter, e: ir.Arith) -> str:
    operator = _PYTHON[e.op]
    if not e.kind.optional:
        return f"({m(e.left)} {operator} {m(e.right)})"
    (left, right), tests = _sides(m, e)
    return f"({left} {operator} {right} if {' and '.join(tests)} else {NO_NUMBER})"


def _sides(m: Emitter, e: ir.Arith | ir.Compare) -> tuple[list[str], list[str]]:
    """Both sides, and the tests that those that may be absent are there."""
    sides = [m.named(a) if a.kind.optional else m(a) for a in e.args]
    return sides, [_present(s, a.kind) for s, a in zip(sides, e.args, strict=True) if a.kind.optional]


def _neg(m: Emitter, e: ir.Neg) -> str:
    if not e.kind.optional:
        return f"(-{m(e.value)})"
    value = m.named(e.value)
    return f"(-{value} if {value} != {NO_NUMBER} else {NO_NUMBER})"


def _compare(m: Emitter, e: ir.Compare) -> str:
    if "nothing" in (e.left.kind.name, e.right.kind.name):
        return "False"
    (left, right), tests = _sides(m, e)
    return f"({' and '.join([*tests, f'{left} {e.op} {right}'])})"


def _present(text: str, kind: Kind) -> str:
    return f"{text} != {NO_NUMBER}" if kind.name == "number" else f"{text} >= 0"


def _same(m: Emitter, left: Expr, right: Expr) -> str:
    if "nothing" in (left.kind.name, right.kind.name):
        return "False"
    if left.kind.name == "list":
        if _deep(left.kind, right.kind):
            kinds = (m.program.constant(side.kind, "K") for side in (left, right))
            return f"same_kinds({m(left)}, {m(right)}, {', '.join(kinds)})"
        return f"same_lists({m(left)}, {m(right)}, {left.kind.of_item.name == 'piece'})"
    if left.kind.name == "bool":
        return f"({m(left)} == {m(right)})"
    both = left.kind.optional and right.kind.optional
    first = m.named(left) if both else m(left)
    shift = " >> 1" if left.kind.name == "piece" else ""
    test = f"({first}{shift}) == ({m(right)}{shift})" if shift else f"{first} == {m(right)}"
    return f"({test} and {_present(first, left.kind)})" if both else f"({test})"


def _deep(left: Kind, right: Kind) -> bool:
    """Must two lists be compared item by item? An absent item is like no other, and lists come in several types."""
    return left.of_item.name == "list" or (left.of_item.optional and right.of_item.optional)


def _absent(m: Emitter, value: Expr) -> str:
    if value.kind.name == "nothing":
        return "True"
    if not value.kind.optional:
        return "False"
    return f"({m(value)} == {NO_NUMBER})" if value.kind.name == "number" else f"({m(value)} < 0)"


def _in(m: Emitter, e: ir.In) -> str:
    left, items = e.args
    if left.kind.name == "nothing":
        return "False"
    if left.kind.name == "list" and _deep(left.kind, items.kind.of_item):
        kinds = (m.program.constant(kind, "K") for kind in (left.kind, items.kind.of_item))
        return f"in_kinds({m(left)}, {m(items)}, {', '.join(kinds)})"
    if left.kind.name in ("piece", "list"):
        return f"in_list({m(left)}, {m(items)}, {left.kind.name == 'piece'})"
    guard = left.kind.optional and items.kind.of_item.optional
    value = m.named(left) if guard or isinstance(items, ir.Range) else m(left)
    test = f"{value} in {m(items)}"
    return f"({test} and {_present(value, left.kind)})" if guard else f"({test})"


# ---- truth and choice ------------------------------------------------------------------------------------------------


def _junction(m: Emitter, e: ir.And | ir.Or) -> str:
    conjoined = isinstance(e, ir.And)
    left = m(e.left)
    right, lines = m.aside(e.right)
    if not lines:
        return f"({left} {'and' if conjoined else 'or'} {right})"
    found = m.writer.fresh("b")
    m.writer.put(f"{found} = {left}")
    m.writer.put(f"if {found}:" if conjoined else f"if not {found}:")
    _branch(m, found, right, lines)
    return found


def _branch(m: Emitter, found: str, value: str, lines: list[Line]) -> None:
    """Under the `if` that has just been put."""
    m.writer.insert(lines, 1)
    m.writer.indent += 1
    m.writer.put(f"{found} = {value}")
    m.writer.indent -= 1


def _if(m: Emitter, e: ir.If) -> str:
    condition = m(e.condition)
    (yes, yes_lines), (no, no_lines) = m.aside(e.yes), m.aside(e.no)
    if not yes_lines and not no_lines:
        return f"({yes} if {condition} else {no})"
    found = m.writer.fresh("c")
    m.writer.put(f"if {condition}:")
    _branch(m, found, yes, yes_lines)
    m.writer.put("else:")
    _branch(m, found, no, no_lines)
    return found


def _otherwise(m: Emitter, value: Expr, other: Expr) -> str:
    if value.kind.name == "nothing":
        return m(other)
    if not value.kind.optional:
        return m(value)
    default = simplify(other, m.program.attributes)
    if isinstance(value, ir.Attr) and isinstance(default, Const):
        table, inner = _composed(m, value)
        if absent_of(value.kind) not in table[:-1]:
            return f"{m.program.constant((*table[:-1], default.value), 'A')}[{m(inner)}]"
    found = m.named(value)
    fallback, lines = m.aside(other)
    m.writer.insert(lines)
    return f"({found} if {_present(found, value.kind)} else {fallback})"


# ---- lists -----------------------------------------------------------------------------------------------------------


def _quantified(m: Emitter, e: ir.Quantified) -> str:
    found = m.writer.fresh("b")
    m.writer.put(f"{found} = {e.word != 'some'}")
    with m.writer.block(m.loop(e.items, e.var)):
        condition = m(e.condition)
        with m.writer.block(f"if not {condition}:" if e.word == "every" else f"if {condition}:"):
            m.writer.put(f"{found} = {e.word == 'some'}")
            m.writer.put("break")
    return found


def _chosen(m: Emitter, e: ir.Chosen) -> str:
    found, best = m.writer.fresh("found"), m.writer.fresh("best")
    m.writer.put(f"{found} = {absent_of(e.kind)}; {best} = None")
    with m.writer.block(m.loop(e.items, e.var)):
        with m.writer.block(f"if {m(e.where)}:"):
            value = m.named(e.by)
            better = f"{best} is None or {value} {'>' if e.word == 'most' else '<'} {best}"
            there = f"{_present(value, e.by.kind)} and ({better})" if e.by.kind.optional else better
            m.writer.put(f"if {there}: {best} = {value}; {found} = {m.names[e.var]}")
    return found


def _collect(m: Emitter, e: ir.Collect) -> str:
    found = m.writer.fresh("xs")
    m.writer.put(f"{found} = []")
    with m.writer.block(m.loop(e.items, e.var)):
        with m.writer.block(f"if {m(e.where)}:"):
            m.writer.put(f"{found}.append({m(e.item)})")
    return found


def _range(m: Emitter, e: ir.Range) -> str:
    low, high = m(e.left), m(e.right)
    if low.isdigit() and high.isdigit() and int(high) - int(low) < 200:
        return m.program.constant(tuple(range(int(low), int(high) + 1)), "R")
    return f"range({low}, {high} + 1)"


def _item(m: Emitter, e: ir.Item) -> str:
    if isinstance(e.items, ir.Piles) and e.items.member is None and not e.kind.optional:
        return f"({e.items.ref.base - 1} + {m(e.index)})"
    xs, i = m.named(e.items), m.named(e.index)
    if not e.kind.optional:
        return f"{xs}[{i} - 1]"
    return f"({xs}[{i} - 1] if 1 <= {i} <= len({xs}) else {absent_of(e.kind)})"


# ---- what generated code calls ---------------------------------------------------------------------------------------


def same_lists(a: Any, b: Any, piece: bool) -> bool:
    """Are two lists equal item by item (pieces whatever their faces)?"""
    return [x >> 1 for x in a] == [x >> 1 for x in b] if piece else list(a) == list(b)


def in_kinds(a: Any, items: Any, left: Kind, right: Kind) -> bool:
    """Is a list among these, compared item by item?"""
    return any(same(a, b, left, right) for b in items)


def in_list(a: Any, items: Any, piece: bool) -> bool:
    """Is a piece or a list among these?"""
    if piece:
        return a >= 0 and any(a >> 1 == b >> 1 for b in items)
    return any(list(a) == list(b) for b in items)


def program(attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any]) -> Program:
    """A new program: no functions yet, with what its formulas look things up in."""
    helpers = {"same_kinds": same, "in_kinds": in_kinds, "same_lists": same_lists, "in_list": in_list}
    return Program(attributes, {**constants, **helpers}, write)
