"""Formulas → Python expressions and, where a loop or a name is needed, statements before them: one rule an op."""

from __future__ import annotations

from typing import Any

from interpreter.compiling import calls
from interpreter.compiling.emitter import Emitter, Program, Rules
from interpreter.compiling.simplify import simplify
from interpreter.language.evaluate import same
from interpreter.language.ir import NO_NUMBER, Expr, absent_of
from interpreter.language.kinds import Kind

# ---- leaves ----------------------------------------------------------------------------------------------------------


def _const(m: Emitter, e: Expr) -> str:
    return str(e.value) if e.kind.name != "bool" else str(bool(e.value))


def _local(m: Emitter, e: Expr) -> str:
    return m.names[e.value]


def _fault(m: Emitter, e: Expr) -> str:
    return "C[FAULT]"


def _cell(m: Emitter, e: Expr) -> str:
    ref = e.value
    if not e.args:
        return f"C[{ref.base}]"
    if len(e.args) > 1:
        return _two_keys(m, e)
    arg = simplify(e.args[0], m.program.attributes)
    if arg.op == "const" and 0 <= arg.value - ref.low < ref.size and arg.kind.name != "piece":
        return f"C[{ref.base + arg.value - ref.low}]"
    index = m.named(arg) if _needs_check(arg, ref) else m(arg)
    if arg.kind.name == "piece":
        index = f"({index} >> 1)"
    offset = ref.base - ref.low
    place = f"C[{index} + {offset}]" if offset else f"C[{index}]"
    if _needs_check(arg, ref):
        return f"({place} if {ref.low} <= {index} < {ref.low + ref.size} else {absent_of(e.kind)})"
    return place


def _two_keys(m: Emitter, e: Expr) -> str:
    ref = e.value
    i, j = (m.named(a) for a in e.args)
    place = f"C[{i} * {ref.inner} + {j} + {ref.base}]"
    return (
        f"({place} if {i} >= 0 and {j} >= 0 else {absent_of(e.kind)})"
        if any(a.kind.optional for a in e.args)
        else place
    )


def _needs_check(arg: Expr, ref: Any) -> bool:
    if arg.kind.optional:
        return True
    return arg.kind.name == "number" and not (ref.low <= arg.kind.low and arg.kind.high < ref.low + ref.size)


def _pile(m: Emitter, e: Expr) -> str:
    ref = e.value
    if not e.args:
        return str(ref.base)
    index = m(e.args[0])
    if e.args[0].kind.optional or e.args[0].kind.name == "number":
        index = m.name(index)
        return f"({ref.base} + {index} if 0 <= {index} < {ref.members} else -1)"
    if index.isdigit():
        return str(ref.base + int(index))
    return f"({ref.base} + {index})" if ref.base else index


def _piles(m: Emitter, e: Expr) -> str:
    ref = e.value
    if not e.args:
        return m.program.constant(tuple(range(ref.base, ref.base + ref.members * ref.columns)), "F")
    members = tuple(
        tuple(range(ref.base + i * ref.columns, ref.base + (i + 1) * ref.columns)) for i in range(ref.members)
    )
    return f"{m.program.constant((*members, ()), 'F')}[{m(e.args[0])}]"


def _contents(m: Emitter, e: Expr) -> str:
    return f"P[{m(e.args[0])}]"


def _rows(m: Emitter, e: Expr) -> str:
    return m.program.constant(tuple(range(e.value)), "R")


def _others(m: Emitter, e: Expr) -> str:
    return f"OTHERS[{m(e.args[0])}]"


def _member(m: Emitter, e: Expr) -> str:
    return f"MEMBERS[{m(e.args[0])}][{e.value}]"


def _attr(m: Emitter, e: Expr) -> str:
    table, inner = _composed(m, e)
    return f"{m.program.constant(table, 'A')}[{m(inner)}]"


def _composed(m: Emitter, e: Expr) -> tuple[tuple[Any, ...], Expr]:
    """`card.rank.order` is one look-up: tables of tables are joined when the game is compiled."""
    table, inner = m.program.attributes[e.value], e.args[0]
    while inner.op == "attr":
        table = tuple(table[i] for i in m.program.attributes[inner.value])
        inner = inner.args[0]
    return table, inner


# ---- numbers and comparisons -----------------------------------------------------------------------------------------

_PYTHON = {"div": "//", "mod": "%"}


def _arith(m: Emitter, e: Expr) -> str:
    operator = _PYTHON.get(e.value, e.value)
    if not e.kind.optional:
        return f"({m(e.args[0])} {operator} {m(e.args[1])})"
    sides = [m.named(a) if a.kind.optional else m(a) for a in e.args]
    tests = [f"{s} != {NO_NUMBER}" for s, a in zip(sides, e.args, strict=True) if a.kind.optional]
    return f"({sides[0]} {operator} {sides[1]} if {' and '.join(tests)} else {NO_NUMBER})"


def _neg(m: Emitter, e: Expr) -> str:
    if not e.kind.optional:
        return f"(-{m(e.args[0])})"
    value = m.named(e.args[0])
    return f"(-{value} if {value} != {NO_NUMBER} else {NO_NUMBER})"


def _compare(m: Emitter, e: Expr) -> str:
    left, right = e.args
    if "nothing" in (left.kind.name, right.kind.name):
        return "False"
    sides = [m.named(a) if a.kind.optional else m(a) for a in e.args]
    tests = [_present(s, a.kind) for s, a in zip(sides, e.args, strict=True) if a.kind.optional]
    return f"({' and '.join([*tests, f'{sides[0]} {e.value} {sides[1]}'])})"


def _present(text: str, kind: Kind) -> str:
    return f"{text} != {NO_NUMBER}" if kind.name == "number" else f"{text} >= 0"


def _same(m: Emitter, e: Expr) -> str:
    left, right = e.args
    if "nothing" in (left.kind.name, right.kind.name):
        return "False"
    if left.kind.name == "list":
        if _deep(left.kind, right.kind):
            return f"same_kinds({m(left)}, {m(right)}, {m.program.constant(left.kind, 'K')}, {m.program.constant(right.kind, 'K')})"
        piece = left.kind.of_item.name == "piece"
        return f"same_lists({m(left)}, {m(right)}, {piece})"
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


def _differs(m: Emitter, e: Expr) -> str:
    found = _same(m, e)
    return f"(not {found})"


def _absent(m: Emitter, e: Expr) -> str:
    kind = e.args[0].kind
    if kind.name == "nothing":
        return "True"
    if not kind.optional:
        return "False"
    return f"({m(e.args[0])} == {NO_NUMBER})" if kind.name == "number" else f"({m(e.args[0])} < 0)"


def _empty(m: Emitter, e: Expr) -> str:
    return f"(not {m(e.args[0])})"


def _in(m: Emitter, e: Expr) -> str:
    left, items = e.args
    if left.kind.name == "nothing":
        return "False"
    if left.kind.name == "list" and _deep(left.kind, items.kind.of_item):
        return f"in_kinds({m(left)}, {m(items)}, {m.program.constant(left.kind, 'K')}, {m.program.constant(items.kind.of_item, 'K')})"
    if left.kind.name in ("piece", "list"):
        return f"in_list({m(left)}, {m(items)}, {left.kind.name == 'piece'})"
    guard = left.kind.optional and items.kind.of_item.optional
    value = m.named(left) if guard or items.op == "range" else m(left)
    test = f"{value} in {m(items)}" if items.op != "list" else f"{value} in ({', '.join(m(a) for a in items.args)},)"
    return f"({test} and {_present(value, left.kind)})" if guard else f"({test})"


# ---- truth and choice ------------------------------------------------------------------------------------------------


def _junction(m: Emitter, e: Expr) -> str:
    left = m(e.args[0])
    right, lines = m.aside(e.args[1])
    if not lines:
        return f"({left} {e.op} {right})"
    found = m.writer.fresh("b")
    m.writer.put(f"{found} = {left}")
    m.writer.put(f"if {found}:" if e.op == "and" else f"if not {found}:")
    m.writer.insert(lines, 1)
    m.writer.indent += 1
    m.writer.put(f"{found} = {right}")
    m.writer.indent -= 1
    return found


def _not(m: Emitter, e: Expr) -> str:
    return f"(not {m(e.args[0])})"


def _if(m: Emitter, e: Expr) -> str:
    condition = m(e.args[0])
    (yes, yes_lines), (no, no_lines) = m.aside(e.args[1]), m.aside(e.args[2])
    if not yes_lines and not no_lines:
        return f"({yes} if {condition} else {no})"
    found = m.writer.fresh("c")
    for head, value, lines in ((f"if {condition}:", yes, yes_lines), ("else:", no, no_lines)):
        m.writer.put(head)
        m.writer.insert(lines, 1)
        m.writer.indent += 1
        m.writer.put(f"{found} = {value}")
        m.writer.indent -= 1
    return found


def _otherwise(m: Emitter, e: Expr) -> str:
    value, other = e.args
    if value.kind.name == "nothing":
        return m(other)
    if not value.kind.optional:
        return m(value)
    default = simplify(other, m.program.attributes)
    if value.op == "attr" and default.op == "const":
        table, inner = _composed(m, value)
        if absent_of(value.kind) not in table[:-1]:
            return f"{m.program.constant((*table[:-1], default.value), 'A')}[{m(inner)}]"
    found = m.named(value)
    fallback, lines = m.aside(other)
    m.writer.insert(lines)
    return f"({found} if {_present(found, value.kind)} else {fallback})"


# ---- lists -----------------------------------------------------------------------------------------------------------


def _quantifier(m: Emitter, e: Expr) -> str:
    found = m.writer.fresh("b")
    m.writer.put(f"{found} = {e.op != 'some'}")
    with m.writer.block(m.loop(e.args[0], e.value)):
        condition = m(e.args[1])
        with m.writer.block(f"if not {condition}:" if e.op == "every" else f"if {condition}:"):
            m.writer.put(f"{found} = {e.op == 'some'}")
            m.writer.put("break")
    return found


def _extreme(m: Emitter, e: Expr) -> str:
    found, best = m.writer.fresh("found"), m.writer.fresh("best")
    m.writer.put(f"{found} = {absent_of(e.kind)}; {best} = None")
    with m.writer.block(m.loop(e.args[0], e.value)):
        with m.writer.block(f"if {m(e.args[1])}:"):
            value = m.named(e.args[2])
            better = f"{best} is None or {value} {'>' if e.op == 'most' else '<'} {best}"
            there = f"{_present(value, e.args[2].kind)} and ({better})" if e.args[2].kind.optional else better
            m.writer.put(f"if {there}: {best} = {value}; {found} = {m.names[e.value]}")
    return found


def _collect(m: Emitter, e: Expr) -> str:
    found = m.writer.fresh("xs")
    m.writer.put(f"{found} = []")
    with m.writer.block(m.loop(e.args[0], e.value)):
        with m.writer.block(f"if {m(e.args[1])}:"):
            m.writer.put(f"{found}.append({m(e.args[2])})")
    return found


def _list(m: Emitter, e: Expr) -> str:
    return f"({', '.join(m(a) for a in e.args)},)"


def _concat(m: Emitter, e: Expr) -> str:
    return f"[*{m(e.args[0])}, *{m(e.args[1])}]"


def _range(m: Emitter, e: Expr) -> str:
    low, high = m(e.args[0]), m(e.args[1])
    if low.isdigit() and high.isdigit() and int(high) - int(low) < 200:
        return m.program.constant(tuple(range(int(low), int(high) + 1)), "R")
    return f"range({low}, {high} + 1)"


def _item(m: Emitter, e: Expr) -> str:
    items, index = e.args
    ref = items.value
    if items.op == "piles" and not items.args and not e.kind.optional:
        return f"({ref.base - 1} + {m(index)})"
    xs, i = m.named(items), m.named(index)
    if not e.kind.optional:
        return f"{xs}[{i} - 1]"
    return f"({xs}[{i} - 1] if 1 <= {i} <= len({xs}) else {absent_of(e.kind)})"


RULES: Rules = {
    "const": _const,
    "local": _local,
    "fault": _fault,
    "cell": _cell,
    "pile": _pile,
    "piles": _piles,
    "contents": _contents,
    "rows": _rows,
    "others": _others,
    "attr": _attr,
    "member": _member,
    "word": calls.word,
    "term": calls.term,
    "column": calls.column,
    "arith": _arith,
    "neg": _neg,
    "compare": _compare,
    "same": _same,
    "differs": _differs,
    "absent": _absent,
    "empty": _empty,
    "in": _in,
    "and": _junction,
    "or": _junction,
    "not": _not,
    "if": _if,
    "otherwise": _otherwise,
    "some": _quantifier,
    "every": _quantifier,
    "no": _quantifier,
    "most": _extreme,
    "least": _extreme,
    "collect": _collect,
    "list": _list,
    "concat": _concat,
    "range": _range,
    "item": _item,
}


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
    return Program(attributes, {**constants, **helpers}, RULES)
