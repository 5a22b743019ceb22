"""Formulas → Python expressions and, where a loop or a name is needed, statements before them.

Formulas are pure and total, so a part may be computed earlier than it stands; only what would be wasted is put under an `if`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.compile.code import Function, Line, Lines, Writer
from interpreter.evaluate import Setting, evaluate, same, static
from interpreter.ir import NO_NUMBER, Expr, Instance, Var, absent_of
from interpreter.kinds import Kind
from interpreter.vocabulary import WORDS

_SIMPLE = re.compile(r"-?\w+\Z")
_INLINE = 80


class Program:
    """The functions and constants of one game while it is compiled."""

    def __init__(self, attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any]) -> None:
        self.attributes = attributes
        self.namespace: dict[str, Any] = {**constants, "same_kinds": same, "in_kinds": in_kinds}
        self.functions: list[Function] = []
        self.line_of = Lines()
        self._names: dict[Any, str] = {}
        self._instances: dict[int, str] = {}
        self._sizes: dict[int, int] = {}
        for name, word in WORDS.items():
            if not word.emit:
                self.namespace[f"w_{name}"] = word.apply

    def constant(self, value: Any, hint: str = "K") -> str:
        """The global name of a constant."""
        key = (hint, value)
        if key not in self._names:
            self._names[key] = f"{hint}_{len(self._names)}"
            self.namespace[self._names[key]] = value
        return self._names[key]

    def function(self, name: str, parameters: str, span: Any, writer: Writer) -> None:
        self.functions.append(Function(name, parameters, span.source.name, self.line_of(span), writer))

    def instance(self, instance: Instance) -> str:
        """The function of a term or cell."""
        name = self._instances.get(id(instance))
        if name is None:
            name = self._instances[id(instance)] = f"t{len(self._instances)}_{re.sub(r'[^0-9A-Za-z_]', '_', instance.name)}"
            self._define(name, instance)
        return name

    def _define(self, name: str, instance: Instance) -> None:
        writer = Writer()
        names = {var: f"p{i}" for i, var in enumerate(instance.parameters)}
        names[instance.me] = "me"
        emitter = Emitter(self, writer, names, instance.body.span.source.name)
        writer.put(f"return {emitter(instance.body)}")
        parameters = ", ".join(["P", "C", "me", *(f"p{i}" for i in range(len(instance.parameters)))])
        self.function(name, parameters, instance.body.span, writer)

    def size(self, expr: Expr) -> int:
        """How many parts a formula has with its terms unfolded."""
        key = id(expr)
        if key not in self._sizes:
            own = 1 + sum(self.size(a) for a in expr.args)
            self._sizes[key] = own + (self.size(expr.value.body) if expr.op == "term" else 0)
        return self._sizes[key]


@dataclass(slots=True)
class Hoist:
    """Where what does not change inside loops is computed before them: a place in some lines, and what is known there."""

    lines: list[Line]
    place: int
    indent: int
    fixed: frozenset[str]
    known: dict[tuple[object, ...], str] = field(default_factory=dict)


class Emitter:
    """Writes formulas into one function. `names` says what each variable is called there."""

    def __init__(self, program: Program, writer: Writer, names: dict[Var, str], file: str) -> None:
        self.program, self.writer, self.names, self.file = program, writer, names, file
        self.hoist: Hoist | None = None

    def begin_loops(self, *fixed: str) -> None:
        """From here on terms of nothing but these names are computed once, here, however deep in loops they stand."""
        self.hoist = Hoist(self.writer.lines, len(self.writer.lines), self.writer.indent, frozenset(fixed))

    def __call__(self, expr: Expr) -> str:
        self.writer.origin = self._line(expr)
        plain = simplify(expr, self.program.attributes)
        return _RULES[plain.op](self, plain)

    def _line(self, expr: Expr) -> int:
        return self.program.line_of(expr.span) if expr.span.source.name == self.file else self.writer.origin

    def named(self, expr: Expr, hint: str = "v") -> str:
        """The value under a name, so that it may be used twice."""
        return self.name(self(expr), hint)

    def name(self, text: str, hint: str = "v") -> str:
        if _SIMPLE.match(text):
            return text
        found = self.writer.fresh(hint)
        self.writer.put(f"{found} = {text}")
        return found

    def aside(self, expr: Expr) -> tuple[str, list[Line]]:
        """The value, and the statements it needs, kept aside."""
        with self.writer.aside() as lines:
            found = self(expr)
        return found, lines

    def loop(self, expr: Expr, var: Var) -> str:
        """The head of a loop over a list; the variable gets a name of its own."""
        items = self(expr)
        self.names[var] = self.writer.fresh(re.sub(r"\W", "_", var.name))
        return f"for {self.names[var]} in {items}:"


def simplify(expr: Expr, attributes: dict[str, tuple[Any, ...]]) -> Expr:
    """Options are constants: what depends on nothing else is computed now, and dead branches go."""
    if expr.op == "const" or expr.kind.name == "list":
        return expr
    if expr.op in ("and", "or"):
        return _junction_folded(expr, attributes)
    if expr.op == "if":
        condition = simplify(expr.args[0], attributes)
        return simplify(expr.args[1 if condition.value else 2], attributes) if condition.op == "const" else expr
    if expr.op == "not":
        inner = simplify(expr.args[0], attributes)
        return Expr("const", expr.kind, expr.span, value=not inner.value) if inner.op == "const" else expr
    if _foldable(expr):
        return Expr("const", expr.kind, expr.span, value=evaluate(expr, Setting(attributes), {}))
    return expr


def _junction_folded(expr: Expr, attributes: dict[str, tuple[Any, ...]]) -> Expr:
    decides = expr.op == "or"
    left, right = (simplify(a, attributes) for a in expr.args)
    for one, other in ((left, right), (right, left)):
        if one.op == "const":
            return one if bool(one.value) == decides else other
    return expr


def _foldable(expr: Expr) -> bool:
    if expr.op in ("some", "every", "no", "most", "least", "word", "member"):
        return expr.op == "word" and expr.value in ("count", "first", "last", "min", "max", "abs") and _foldable_args(expr)
    return expr.op in ("same", "differs", "compare", "arith", "neg", "attr", "absent", "in", "otherwise", "empty", "term") and _foldable_args(expr)


def _foldable_args(expr: Expr) -> bool:
    inside = [e for a in expr.args for e in a.walk()]
    if any(e.op in ("local", "some", "every", "no", "most", "least", "collect", "others", "column") for e in inside):
        return False
    if any(e.op == "word" and WORDS[e.value].world for e in inside):
        return False
    if expr.op == "term" and (expr.value.parameters or not _closed(expr.value.body)):
        return False
    return static(expr)


def _closed(expr: Expr) -> bool:
    return all(e.op not in ("local", "others", "column") and not (e.op == "term" and not _closed(e.value.body)) for e in expr.walk())


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
    return f"({place} if {i} >= 0 and {j} >= 0 else {absent_of(e.kind)})" if any(a.kind.optional for a in e.args) else place


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
    members = tuple(tuple(range(ref.base + i * ref.columns, ref.base + (i + 1) * ref.columns)) for i in range(ref.members))
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


# ---- calls -----------------------------------------------------------------------------------------------------------


def _word(m: Emitter, e: Expr) -> str:
    special = _SPECIAL.get(e.value)
    if special is not None:
        found = special(m, e)
        if found is not None:
            return found
    word = WORDS[e.value]
    args = [m(a) for a in e.args]
    if word.emit:
        args = [m.name(a) if word.emit.count(f"{{{i}}}") > 1 else a for i, a in enumerate(args)]
        return word.emit.format(*args)
    return f"w_{word.name}(P, {', '.join(args)})"


def _end(m: Emitter, e: Expr) -> str | None:
    """`first(xs)` and `last(xs)`."""
    if len(e.args) > 1:
        return None
    if e.value == "first" and e.args[0].op == "collect":
        return _first_found(m, e)
    items = m.named(e.args[0])
    place = 0 if e.value == "first" else -1
    return f"({items}[{place}] if {items} else {absent_of(e.kind)})" if e.args[0].kind.least == 0 else f"{items}[{place}]"


def _first_found(m: Emitter, e: Expr) -> str:
    """`first(x for x in xs where c)` stops at the first."""
    found, items = m.writer.fresh("found"), e.args[0]
    m.writer.put(f"{found} = {absent_of(e.kind)}")
    with m.writer.block(m.loop(items.args[0], items.value)):
        with m.writer.block(f"if {m(items.args[1])}:"):
            m.writer.put(f"{found} = {m(items.args[2])}")
            m.writer.put("break")
    return found


def _count(m: Emitter, e: Expr) -> str | None:
    return _accumulate(m, e.args[0], "1") if e.args[0].op == "collect" else None


def _sum(m: Emitter, e: Expr) -> str | None:
    return _accumulate(m, e.args[0], "") if e.args[0].op == "collect" else None


def _accumulate(m: Emitter, e: Expr, each: str) -> str:
    total = m.writer.fresh("n")
    m.writer.put(f"{total} = 0")
    with m.writer.block(m.loop(e.args[0], e.value)):
        with m.writer.block(f"if {m(e.args[1])}:"):
            m.writer.put(f"{total} += {each or m(e.args[2])}")
    return total


def _greatest(m: Emitter, e: Expr) -> str | None:
    """`max` and `min` of a collected list, without the list; of two numbers, without a call."""
    if len(e.args) == 2 and not e.kind.optional:
        return f"{e.value}({m(e.args[0])}, {m(e.args[1])})"
    if len(e.args) != 1 or e.args[0].op != "collect" or e.kind.name != "number":
        return None
    best, items = m.writer.fresh("best"), e.args[0]
    m.writer.put(f"{best} = {NO_NUMBER}")
    with m.writer.block(m.loop(items.args[0], items.value)):
        with m.writer.block(f"if {m(items.args[1])}:"):
            value = m.named(items.args[2])
            if e.value == "max":
                m.writer.put(f"if {value} > {best}: {best} = {value}")
            else:
                there = f"{value} != {NO_NUMBER} and " if items.kind.of_item.optional else ""
                m.writer.put(f"if {there}({best} == {NO_NUMBER} or {value} < {best}): {best} = {value}")
    return best


def _joined(m: Emitter, e: Expr) -> str:
    found = m.writer.fresh("piles")
    args = _started_and_vacant(m, e, found) or e.args
    if args is e.args:
        m.writer.put(f"{found} = []")
    for arg in args:
        if arg.op == "word" and arg.value == "started":
            with m.writer.block(f"for n in {m(arg.args[0])}:"):
                m.writer.put(f"if P[n]: {found}.append(n)")
        elif arg.op == "list":
            for item in arg.args:
                one = m.named(item)
                m.writer.put(f"if {one} >= 0: {found}.append({one})" if item.kind.optional else f"{found}.append({one})")
        else:
            m.writer.put(f"{found} += [n for n in {m(arg)} if n >= 0]" if arg.kind.of_item.optional else f"{found} += {m(arg)}")
    return found


def _started_and_vacant(m: Emitter, e: Expr, found: str) -> tuple[Expr, ...] | None:
    """`piles(started(F), vacant(F), …)` goes through F once; returns what is left to join."""
    if len(e.args) < 2 or e.args[1].op != "list" or len(e.args[1].args) != 1:
        return None
    first, second = e.args[0], e.args[1].args[0]
    both = first.op == second.op == "word" and (first.value, second.value) == ("started", "vacant")
    if not both or first.args[0].op != "piles" or first.args[0].args or first.args[0].value != second.args[0].value:
        return None
    empty = m.writer.fresh("vacant")
    m.writer.put(f"{found} = []; {empty} = -1")
    with m.writer.block(f"for n in {m(first.args[0])}:"):
        m.writer.put(f"if P[n]: {found}.append(n)")
        m.writer.put(f"elif {empty} < 0: {empty} = n")
    m.writer.put(f"if {empty} >= 0: {found}.append({empty})")
    return e.args[2:] or (Expr("list", e.kind, e.span),)


def _started(m: Emitter, e: Expr) -> str:
    return _joined(m, Expr("word", e.kind, e.span, (e,), "piles"))


def _vacant(m: Emitter, e: Expr) -> str:
    found = m.writer.fresh("vacant")
    m.writer.put(f"{found} = -1")
    with m.writer.block(f"for n in {m(e.args[0])}:"):
        with m.writer.block("if n >= 0 and not P[n]:" if e.args[0].kind.of_item.optional else "if not P[n]:"):
            m.writer.put(f"{found} = n")
            m.writer.put("break")
    return found


def _cards(m: Emitter, e: Expr) -> str:
    arg = e.args[0]
    if arg.op == "list" and len(arg.args) == 1:
        return f"P[{m(arg.args[0])}]"
    found = m.writer.fresh("cards")
    m.writer.put(f"{found} = []")
    with m.writer.block(f"for n in {m(arg)}:"):
        m.writer.put(f"{found} += P[n]")
    return found


_SPECIAL: dict[str, Callable[[Emitter, Expr], str | None]] = {
    "first": _end, "last": _end, "count": _count, "sum": _sum, "max": _greatest, "min": _greatest, "piles": _joined, "vacant": _vacant, "started": _started, "cards": _cards,
}  # fmt: skip


def _term(m: Emitter, e: Expr) -> str:
    return _hoisted(m, e) or _called(m, e)


def _hoisted(m: Emitter, e: Expr) -> str | None:
    hoist = m.hoist
    if hoist is None or m.program.size(e) < 8 or any(a.op not in ("local", "const") for a in e.args):
        return None
    args = tuple(m(a) for a in e.args)
    if not all(a in hoist.fixed or a.lstrip("-").isdigit() for a in args):
        return None
    key = (id(e.value), args)
    if key not in hoist.known and m.writer.indent > hoist.indent:
        hoist.known[key] = _before_loops(m, e, hoist)
    return hoist.known.get(key)


def _before_loops(m: Emitter, e: Expr, hoist: Hoist) -> str:
    indent, m.writer.indent = m.writer.indent, hoist.indent
    with m.writer.aside() as lines:
        found = m.name(_called(m, e))
    m.writer.indent = indent
    hoist.lines[hoist.place:hoist.place] = lines
    hoist.place += len(lines)
    return found


def _called(m: Emitter, e: Expr) -> str:
    instance: Instance = e.value
    count = len(instance.parameters)
    if m.program.size(instance.body) <= _INLINE and instance.body.span.source.name == m.file:
        outer = dict(m.names)
        inner = {var: m.named(arg) for var, arg in zip(instance.parameters, e.args, strict=False)}
        if instance.uses_me:
            inner[instance.me] = m.named(e.args[count])
        m.names.update(inner)
        found = m(instance.body)
        for var in inner:
            if var in outer:
                m.names[var] = outer[var]
        return found
    acting = m(e.args[count]) if instance.uses_me else "-1"
    args = [m(a) for a in e.args[:count]]
    return f"{m.program.instance(instance)}({', '.join(['P', 'C', acting, *args])})"


def _column(m: Emitter, e: Expr) -> str:
    instances: tuple[Instance, ...] = e.value
    count = len(instances[0].parameters)
    functions = m.writer.fresh("G").upper() + f"_{id(e)}"
    m.program.namespace[functions] = [m.program.instance(i) for i in instances]
    m.program.namespace.setdefault("__columns__", []).append(functions)
    acting = m(e.args[count]) if len(e.args) > count else "-1"
    args = [m(a) for a in e.args[:count]]
    row = m.name(args[0])
    call = f"{functions}[{row}](P, C, {acting}, {', '.join([row, *args[1:]])})"
    return f"({call} if {row} >= 0 else {absent_of(e.kind)})" if e.args[0].kind.optional else call


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


_RULES: dict[str, Callable[[Emitter, Expr], str]] = {
    "const": _const, "local": _local, "fault": _fault, "cell": _cell, "pile": _pile, "piles": _piles, "contents": _contents,
    "rows": _rows, "others": _others, "attr": _attr, "member": _member, "word": _word, "term": _term, "column": _column,
    "arith": _arith, "neg": _neg, "compare": _compare, "same": _same, "differs": _differs, "absent": _absent, "empty": _empty,
    "in": _in, "and": _junction, "or": _junction, "not": _not, "if": _if, "otherwise": _otherwise, "some": _quantifier,
    "every": _quantifier, "no": _quantifier, "most": _extreme, "least": _extreme, "collect": _collect, "list": _list,
    "concat": _concat, "range": _range, "item": _item,
}  # fmt: skip


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

