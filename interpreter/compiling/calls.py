"""Words, terms and columns of formulas as Python: in place, as a loop, or as a call."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiling.emitter import Emitter, Hoist
from interpreter.language.ir import NO_NUMBER, Expr, Instance, absent_of
from interpreter.language.vocabulary import WORDS

_INLINE = 80


def word(m: Emitter, e: Expr) -> str:
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
    return (
        f"({items}[{place}] if {items} else {absent_of(e.kind)})" if e.args[0].kind.least == 0 else f"{items}[{place}]"
    )


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
                m.writer.put(
                    f"if {one} >= 0: {found}.append({one})" if item.kind.optional else f"{found}.append({one})"
                )
        else:
            m.writer.put(
                f"{found} += [n for n in {m(arg)} if n >= 0]" if arg.kind.of_item.optional else f"{found} += {m(arg)}"
            )
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
    "first": _end,
    "last": _end,
    "count": _count,
    "sum": _sum,
    "max": _greatest,
    "min": _greatest,
    "piles": _joined,
    "vacant": _vacant,
    "started": _started,
    "cards": _cards,
}


def term(m: Emitter, e: Expr) -> str:
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
    hoist.lines[hoist.place : hoist.place] = lines
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


def column(m: Emitter, e: Expr) -> str:
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
