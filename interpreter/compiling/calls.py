"""Words, terms and columns of formulas as Python: in place, as a loop, or as a call."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiling.emitter import Emitter, Hoist
from interpreter.language.ir import (
    NO_NUMBER,
    Collect,
    ColumnCall,
    Const,
    Expr,
    Instance,
    Listed,
    Local,
    Piles,
    TermCall,
    WordCall,
    absent_of,
)
from interpreter.language.vocabulary import WORDS, Way

_INLINE = 80


def word(m: Emitter, e: WordCall) -> str:
    word = WORDS[e.word]
    found = _WAYS[word.way](m, e) if word.way is not None else None
    if found is not None:
        return found
    args = [m(a) for a in e.args]
    if word.emit:
        args = [m.name(a) if word.emit.count(f"{{{i}}}") > 1 else a for i, a in enumerate(args)]
        return word.emit.format(*args)
    absent = [f"absent={absent_of(e.kind)}"] if word.absent and e.kind.optional else []
    return f"w_{word.name}(P, {', '.join([*args, *absent])})"


def _way(e: Expr) -> Way | None:
    return WORDS[e.word].way if isinstance(e, WordCall) else None


def _first(m: Emitter, e: WordCall) -> str:
    items = e.args[0]
    return _first_found(m, e, items) if isinstance(items, Collect) else _end(m, e, 0)


def _last(m: Emitter, e: WordCall) -> str | None:
    return _end(m, e, -1) if len(e.args) == 1 else None


def _end(m: Emitter, e: WordCall, place: int) -> str:
    items = m.named(e.args[0])
    found = f"{items}[{place}]"
    return f"({found} if {items} else {absent_of(e.kind)})" if e.args[0].kind.least == 0 else found


def _first_found(m: Emitter, e: WordCall, items: Collect) -> str:
    """`first(x for x in xs where c)` stops at the first."""
    found = m.writer.fresh("found")
    m.writer.put(f"{found} = {absent_of(e.kind)}")
    with m.writer.block(m.loop(items.items, items.var)):
        with m.writer.block(f"if {m(items.where)}:"):
            m.writer.put(f"{found} = {m(items.item)}")
            m.writer.put("break")
    return found


def _count(m: Emitter, e: WordCall) -> str | None:
    items = e.args[0]
    return _accumulate(m, items, None) if isinstance(items, Collect) else None


def _sum(m: Emitter, e: WordCall) -> str | None:
    items = e.args[0]
    return _accumulate(m, items, items.item) if isinstance(items, Collect) else None


def _accumulate(m: Emitter, items: Collect, each: Expr | None) -> str:
    """The sum of these; or their number."""
    total = m.writer.fresh("n")
    m.writer.put(f"{total} = 0")
    with m.writer.block(m.loop(items.items, items.var)):
        with m.writer.block(f"if {m(items.where)}:"):
            m.writer.put(f"{total} += {m(each) if each is not None else '1'}")
    return total


def _greatest(m: Emitter, e: WordCall) -> str | None:
    if len(e.args) == 2 and not e.kind.optional:
        return f"max({m(e.args[0])}, {m(e.args[1])})"
    items = e.args[0]
    if len(e.args) != 1 or not isinstance(items, Collect) or e.kind.name != "number":
        return None
    best = m.writer.fresh("best")  # no number is less than any
    return _best(m, items, best, lambda value: f"{value} > {best}")


def _smallest(m: Emitter, e: WordCall) -> str | None:
    if len(e.args) == 2 and not e.kind.optional:
        return f"min({m(e.args[0])}, {m(e.args[1])})"
    items = e.args[0]
    if len(e.args) != 1 or not isinstance(items, Collect) or e.kind.name != "number":
        return None
    best = m.writer.fresh("best")
    there = "{0} != " + f"{NO_NUMBER} and " if items.item.kind.optional else ""
    return _best(m, items, best, lambda value: f"{there.format(value)}({best} == {NO_NUMBER} or {value} < {best})")


def _best(m: Emitter, items: Collect, best: str, better: Callable[[str], str]) -> str:
    """The greatest or smallest of a collected list, without the list."""
    m.writer.put(f"{best} = {NO_NUMBER}")
    with m.writer.block(m.loop(items.items, items.var)):
        with m.writer.block(f"if {m(items.where)}:"):
            value = m.named(items.item)
            m.writer.put(f"if {better(value)}: {best} = {value}")
    return best


def _join(m: Emitter, e: WordCall) -> str:
    return _joined(m, e.args)


def _joined(m: Emitter, args: tuple[Expr, ...]) -> str:
    found = m.writer.fresh("piles")
    rest = _started_and_vacant(m, args, found)
    if rest is None:
        m.writer.put(f"{found} = []")
    for arg in args if rest is None else rest:
        _append(m, found, arg)
    return found


def _append(m: Emitter, found: str, arg: Expr) -> None:
    if isinstance(arg, WordCall) and _way(arg) == "started":
        with m.writer.block(f"for n in {m(arg.args[0])}:"):
            m.writer.put(f"if P[n]: {found}.append(n)")
    elif isinstance(arg, Listed):
        for item in arg.args:
            one = m.named(item)
            there = f"if {one} >= 0: " if item.kind.optional else ""
            m.writer.put(f"{there}{found}.append({one})")
    elif arg.kind.of_item.optional:
        m.writer.put(f"{found} += [n for n in {m(arg)} if n >= 0]")
    else:
        m.writer.put(f"{found} += {m(arg)}")


def _started_and_vacant(m: Emitter, args: tuple[Expr, ...], found: str) -> tuple[Expr, ...] | None:
    """`piles(started(F), vacant(F), …)` goes through F once; returns what is left to join."""
    if len(args) < 2 or not isinstance(args[1], Listed) or len(args[1].args) != 1:
        return None
    first, second = args[0], args[1].args[0]
    if _way(first) != "started" or _way(second) != "vacant":
        return None
    one, other = first.args[0], second.args[0]
    if not isinstance(one, Piles) or not isinstance(other, Piles) or one.member is not None or one.ref != other.ref:
        return None
    empty = m.writer.fresh("vacant")
    m.writer.put(f"{found} = []; {empty} = -1")
    with m.writer.block(f"for n in {m(one)}:"):
        m.writer.put(f"if P[n]: {found}.append(n)")
        m.writer.put(f"elif {empty} < 0: {empty} = n")
    m.writer.put(f"if {empty} >= 0: {found}.append({empty})")
    return args[2:]


def _started(m: Emitter, e: WordCall) -> str:
    return _joined(m, (e,))


def _vacant(m: Emitter, e: WordCall) -> str:
    found = m.writer.fresh("vacant")
    m.writer.put(f"{found} = -1")
    with m.writer.block(f"for n in {m(e.args[0])}:"):
        with m.writer.block("if n >= 0 and not P[n]:" if e.args[0].kind.of_item.optional else "if not P[n]:"):
            m.writer.put(f"{found} = n")
            m.writer.put("break")
    return found


def _gather(m: Emitter, e: WordCall) -> str:
    piles = e.args[0]
    if isinstance(piles, Listed) and len(piles.args) == 1:
        return f"P[{m(piles.args[0])}]"
    found = m.writer.fresh("cards")
    m.writer.put(f"{found} = []")
    with m.writer.block(f"for n in {m(piles)}:"):
        m.writer.put(f"{found} += P[n]")
    return found


_WAYS: dict[Way, Callable[[Emitter, WordCall], str | None]] = {
    "first": _first,
    "last": _last,
    "count": _count,
    "sum": _sum,
    "greatest": _greatest,
    "smallest": _smallest,
    "join": _join,
    "started": _started,
    "vacant": _vacant,
    "gather": _gather,
}


# ---- terms and columns -----------------------------------------------------------------------------------------------


def term(m: Emitter, e: TermCall) -> str:
    return _hoisted(m, e) or _called(m, e)


def _hoisted(m: Emitter, e: TermCall) -> str | None:
    hoist = m.hoist
    if hoist is None or m.program.size(e) < 8 or any(not isinstance(a, Local | Const) for a in e.args):
        return None
    args = tuple(m(a) for a in e.args)
    if not all(a in hoist.fixed or a.lstrip("-").isdigit() for a in args):
        return None
    key = (id(e.instance), args)
    if key not in hoist.known and m.writer.indent > hoist.indent:
        hoist.known[key] = _before_loops(m, e, hoist)
    return hoist.known.get(key)


def _before_loops(m: Emitter, e: TermCall, hoist: Hoist) -> str:
    indent, m.writer.indent = m.writer.indent, hoist.indent
    with m.writer.aside() as lines:
        found = m.name(_called(m, e))
    m.writer.indent = indent
    hoist.lines[hoist.place : hoist.place] = lines
    hoist.place += len(lines)
    return found


def _called(m: Emitter, e: TermCall) -> str:
    instance, count = e.instance, len(e.instance.parameters)
    if m.program.size(instance.body) <= _INLINE and instance.body.span.source.name == m.file:
        return _inlined(m, e, instance)
    acting = m(e.args[count]) if instance.uses_me else "-1"
    args = [m(a) for a in e.args[:count]]
    return f"{m.program.instance(instance)}({', '.join(['P', 'C', acting, *args])})"


def _inlined(m: Emitter, e: TermCall, instance: Instance) -> str:
    outer = dict(m.names)
    inner = {var: m.named(arg) for var, arg in zip(instance.parameters, e.args, strict=False)}
    if instance.uses_me:
        inner[instance.me] = m.named(e.args[-1])
    m.names.update(inner)
    found = m(instance.body)
    for var in inner:
        if var in outer:
            m.names[var] = outer[var]
    return found


def column(m: Emitter, e: ColumnCall) -> str:
    count = len(e.instances[0].parameters)
    functions = m.program.column(e.instances)
    acting = m(e.args[count]) if len(e.args) > count else "-1"
    args = [m(a) for a in e.args[:count]]
    row = m.name(args[0])
    call = f"{functions}[{row}](P, C, {acting}, {', '.join([row, *args[1:]])})"
    return f"({call} if {row} >= 0 else {absent_of(e.kind)})" if e.args[0].kind.optional else call
