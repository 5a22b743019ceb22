"""The evaluator that explains: walks one checked formula and reports the value of each part.

Slow and plain on purpose. `why` and `eval` show what it finds, constants of a ruleset are computed by it, and tests hold it against
the compiled code, so it is the reference of what a formula means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.language.ir import ABSENT, NO_NUMBER, Expr, Var, absent_of
from interpreter.language.kinds import Kind
from interpreter.language.vocabulary import WORDS


@dataclass(slots=True)
class Part:
    """One part of a formula and its value."""

    expr: Expr
    value: Any
    parts: list[Part]


@dataclass(slots=True)
class Setting:
    """What a formula is evaluated in: piles (with one always empty pile at the end), cells and the game's constants."""

    attributes: dict[str, tuple[Any, ...]]
    piles: Sequence[Sequence[int]] = ((),)
    cells: Sequence[int] = ()
    fault: int = ABSENT
    INDEX: Sequence[int] = ()
    NEXT: Sequence[int] = ()
    ROUND: Sequence[Sequence[int]] = ()
    PAIR: Sequence[Sequence[int]] = ()
    MEMBERS: Sequence[Sequence[int]] = ()
    SEATS: int = 0
    trace: list[Part] | None = field(default=None)


Names = dict[Var, Any]


def evaluate(expr: Expr, setting: Setting, names: Names) -> Any:
    """The value of a formula."""
    if setting.trace is None:
        return _RULES[expr.op](expr, setting, names)
    outer = setting.trace
    inner: list[Part] = []
    setting.trace = inner
    value = _RULES[expr.op](expr, setting, names)
    setting.trace = outer
    outer.append(Part(expr, value, inner))
    return value


def explain(expr: Expr, setting: Setting, names: Names) -> Part:
    """The value of a formula and of every part that was looked at."""
    setting.trace = []
    evaluate(expr, setting, names)
    part, setting.trace = setting.trace[0], None
    return part


def is_absent(value: Any, kind: Kind) -> bool:
    return (
        bool(value == NO_NUMBER)
        if kind.name == "number"
        else value is not True and value is not False and value == ABSENT
    )


def static(expr: Expr) -> bool:
    """Does it depend on nothing but options and tables?"""
    return not any(e.op in ("cell", "pile", "piles", "contents", "fault") for e in everything(expr))


def everything(expr: Expr) -> Iterable[Expr]:
    """Every part of a formula, also of the terms and cells it uses."""
    seen: set[int] = set()
    waiting = [expr]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(found.args)
        instances = [found.value] if found.op == "term" else found.value if found.op == "column" else ()
        for instance in instances:
            if id(instance) not in seen:
                seen.add(id(instance))
                waiting.append(instance.body)


# ---- leaves ----------------------------------------------------------------------------------------------------------


def _const(e: Expr, s: Setting, n: Names) -> Any:
    return e.value


def _local(e: Expr, s: Setting, n: Names) -> Any:
    return n[e.value]


def _fault(e: Expr, s: Setting, n: Names) -> Any:
    return s.fault


def _cell(e: Expr, s: Setting, n: Names) -> Any:
    ref = e.value
    if not e.args:
        return s.cells[ref.base]
    index = evaluate(e.args[0], s, n)
    index = index >> 1 if e.args[0].kind.name == "piece" and index >= 0 else index - ref.low
    if len(e.args) > 1:
        second = evaluate(e.args[1], s, n)
        index = index * ref.inner + second if min(index, second) >= 0 else ABSENT
    return s.cells[ref.base + index] if 0 <= index < ref.size else absent_of(e.kind)


def _pile(e: Expr, s: Setting, n: Names) -> Any:
    ref = e.value
    if not e.args:
        return ref.base
    index = evaluate(e.args[0], s, n)
    return ref.base + index if 0 <= index < ref.members else ABSENT


def _piles(e: Expr, s: Setting, n: Names) -> Any:
    ref = e.value
    if not e.args:
        return range(ref.base, ref.base + ref.members * ref.columns)
    index = evaluate(e.args[0], s, n)
    if not 0 <= index < ref.members:
        return range(0)
    return range(ref.base + index * ref.columns, ref.base + (index + 1) * ref.columns)


def _contents(e: Expr, s: Setting, n: Names) -> Any:
    return s.piles[evaluate(e.args[0], s, n)]


def _rows(e: Expr, s: Setting, n: Names) -> Any:
    return range(e.value)


def _others(e: Expr, s: Setting, n: Names) -> Any:
    return s.ROUND[evaluate(e.args[0], s, n)][1:]


def _attr(e: Expr, s: Setting, n: Names) -> Any:
    return s.attributes[e.value][evaluate(e.args[0], s, n)]


def _member(e: Expr, s: Setting, n: Names) -> Any:
    pair = evaluate(e.args[0], s, n)
    return s.MEMBERS[pair][e.value] if pair >= 0 else ABSENT


# ---- calls -----------------------------------------------------------------------------------------------------------


def _word(e: Expr, s: Setting, n: Names) -> Any:
    args = [evaluate(a, s, n) for a in e.args]
    if e.value == "next" and args[0] < 0:
        return ABSENT
    word = WORDS[e.value]
    if word.name in ("first", "last") and len(args) == 1:
        return args[0][0 if word.name == "first" else -1] if args[0] else absent_of(e.kind)
    return word.apply(s if word.world else s.piles, *args)


def _apply(instance: Any, args: Sequence[Any], s: Setting) -> Any:
    inner: Names = dict(zip(instance.parameters, args, strict=False))
    if instance.uses_me:
        inner[instance.me] = args[-1]
    return evaluate(instance.body, s, inner)


def _term(e: Expr, s: Setting, n: Names) -> Any:
    return _apply(e.value, [evaluate(a, s, n) for a in e.args], s)


def _column(e: Expr, s: Setting, n: Names) -> Any:
    args = [evaluate(a, s, n) for a in e.args]
    return _apply(e.value[args[0]], args, s) if args[0] >= 0 else absent_of(e.kind)


# ---- numbers and comparisons -----------------------------------------------------------------------------------------


def _arith(e: Expr, s: Setting, n: Names) -> Any:
    a, b = evaluate(e.args[0], s, n), evaluate(e.args[1], s, n)
    if NO_NUMBER in (a, b):
        return NO_NUMBER
    return {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "div": int.__floordiv__, "mod": int.__mod__}[e.value](
        a, b
    )


def _neg(e: Expr, s: Setting, n: Names) -> Any:
    a = evaluate(e.args[0], s, n)
    return a if a == NO_NUMBER else -a


def _compare(e: Expr, s: Setting, n: Names) -> Any:
    a, b = evaluate(e.args[0], s, n), evaluate(e.args[1], s, n)
    if is_absent(a, e.args[0].kind) or is_absent(b, e.args[1].kind):
        return False
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[e.value]


def _same(e: Expr, s: Setting, n: Names) -> Any:
    return same(evaluate(e.args[0], s, n), evaluate(e.args[1], s, n), e.args[0].kind, e.args[1].kind)


def same(a: Any, b: Any, left: Kind, right: Kind) -> bool:
    """Equal and there; pieces are equal whatever their faces, lists item by item."""
    if "nothing" in (left.name, right.name) or is_absent(a, left) or is_absent(b, right):
        return False
    if left.name == "piece":
        return bool(a >> 1 == b >> 1)
    if left.name == "list":
        return len(a) == len(b) and all(same(x, y, left.of_item, right.of_item) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def _differs(e: Expr, s: Setting, n: Names) -> Any:
    return not _same(e, s, n)


def _absent(e: Expr, s: Setting, n: Names) -> Any:
    value = evaluate(e.args[0], s, n)
    return e.args[0].kind.name == "nothing" or is_absent(value, e.args[0].kind)


def _empty(e: Expr, s: Setting, n: Names) -> Any:
    return len(evaluate(e.args[0], s, n)) == 0


def _in(e: Expr, s: Setting, n: Names) -> Any:
    a, items = evaluate(e.args[0], s, n), evaluate(e.args[1], s, n)
    return any(same(a, b, e.args[0].kind, e.args[1].kind.of_item) for b in items)


def _and(e: Expr, s: Setting, n: Names) -> Any:
    return bool(evaluate(e.args[0], s, n)) and bool(evaluate(e.args[1], s, n))


def _or(e: Expr, s: Setting, n: Names) -> Any:
    return bool(evaluate(e.args[0], s, n)) or bool(evaluate(e.args[1], s, n))


def _not(e: Expr, s: Setting, n: Names) -> Any:
    return not evaluate(e.args[0], s, n)


def _if(e: Expr, s: Setting, n: Names) -> Any:
    return evaluate(e.args[1 if evaluate(e.args[0], s, n) else 2], s, n)


def _otherwise(e: Expr, s: Setting, n: Names) -> Any:
    value = evaluate(e.args[0], s, n)
    return evaluate(e.args[1], s, n) if is_absent(value, e.args[0].kind) or e.args[0].kind.name == "nothing" else value


# ---- lists -----------------------------------------------------------------------------------------------------------


def _some(e: Expr, s: Setting, n: Names) -> Any:
    return any(evaluate(e.args[1], s, {**n, e.value: x}) for x in evaluate(e.args[0], s, n))


def _every(e: Expr, s: Setting, n: Names) -> Any:
    return all(evaluate(e.args[1], s, {**n, e.value: x}) for x in evaluate(e.args[0], s, n))


def _no(e: Expr, s: Setting, n: Names) -> Any:
    return not _some(e, s, n)


def _chosen(e: Expr, s: Setting, n: Names) -> Any:
    """`most` and `least`: the first item with the best value; an item whose value is absent is passed over."""
    best, found = None, absent_of(e.kind)
    for x in evaluate(e.args[0], s, n):
        inner = {**n, e.value: x}
        if not evaluate(e.args[1], s, inner):
            continue
        value = evaluate(e.args[2], s, inner)
        better = best is None or (value > best if e.op == "most" else value < best)
        if better and not is_absent(value, e.args[2].kind):
            best, found = value, x
    return found


def _collect(e: Expr, s: Setting, n: Names) -> Any:
    items = [{**n, e.value: x} for x in evaluate(e.args[0], s, n)]
    return [evaluate(e.args[2], s, inner) for inner in items if evaluate(e.args[1], s, inner)]


def _list(e: Expr, s: Setting, n: Names) -> Any:
    return [evaluate(a, s, n) for a in e.args]


def _concat(e: Expr, s: Setting, n: Names) -> Any:
    return [*evaluate(e.args[0], s, n), *evaluate(e.args[1], s, n)]


def _range(e: Expr, s: Setting, n: Names) -> Any:
    return range(evaluate(e.args[0], s, n), evaluate(e.args[1], s, n) + 1)


def _item(e: Expr, s: Setting, n: Names) -> Any:
    items, index = evaluate(e.args[0], s, n), evaluate(e.args[1], s, n)
    return items[index - 1] if 1 <= index <= len(items) else absent_of(e.kind)


_RULES: dict[str, Callable[[Expr, Setting, Names], Any]] = {
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
    "word": _word,
    "term": _term,
    "column": _column,
    "arith": _arith,
    "neg": _neg,
    "compare": _compare,
    "same": _same,
    "differs": _differs,
    "absent": _absent,
    "empty": _empty,
    "in": _in,
    "and": _and,
    "or": _or,
    "not": _not,
    "if": _if,
    "otherwise": _otherwise,
    "some": _some,
    "every": _every,
    "no": _no,
    "most": _chosen,
    "least": _chosen,
    "collect": _collect,
    "list": _list,
    "concat": _concat,
    "range": _range,
    "item": _item,
}
