"""Lowers words, terms and columns of formulas: in place, as a loop, or as a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from string import Formatter
from typing import Any

from hoyle.compiling import code
from hoyle.compiling.code import If, Name, Value, all_of, call, compare, number, pile
from hoyle.compiling.emitter import Emitter
from hoyle.language.ir import (
    NO_NUMBER,
    Arith,
    Chosen,
    Collect,
    ColumnCall,
    Const,
    Expr,
    Instance,
    Listed,
    Local,
    Neg,
    Pile,
    Piles,
    Quantified,
    TermCall,
    WordCall,
    absent_of,
    walk,
)
from hoyle.language.value_types import ValueType, get_lengths
from hoyle.language.vocabulary import WORDS, Way
from hoyle.passes.loops import subset_sums
from hoyle.passes.subformulas import COSTLY, HEAVY, Analysis, substitute


def fill_template(template: str, args: Sequence[Value]) -> Value:
    """Return the value of a template for these arguments."""
    return _fill_template(_parse_template(template), args)


@lru_cache(maxsize=256)
def _parse_template(template: str) -> Value:
    """Return the template as a value, in which the name `_0` stands for the first argument."""
    parts = Formatter().parse(template)
    text = "".join(f"{fixed}_{hole}" if hole is not None else fixed for fixed, hole, *_ in parts)
    return parse_value(ast.parse(text, mode="eval").body)


def _fill_template(node: Value, args: Sequence[Value]) -> Value:
    if isinstance(node, code.Name):
        return args[int(node.id[1:])] if node.id[0] == "_" else node
    held = (getattr(node, field) for field in node.__struct_fields__)
    return type(node)(*(_filled_in(each, args) for each in held))


def _filled_in(held: object, args: Sequence[Value]) -> object:
    if isinstance(held, tuple):
        return tuple([_filled_in(each, args) for each in held])
    return _fill_template(held, args) if isinstance(held, Value) else held


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def parse_value(node: ast.expr) -> Value:
    """Return a Python expression as a value. Raises AssertionError for forms that no template has."""
    match node:
        case ast.Constant(value=int(value)):
            return code.Literal(value)
        case ast.Name(id=name):
            return code.Name(name)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return code.Literal(-value)
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return code.Not(parse_value(value))
        case ast.Subscript(value=items, slice=place):
            return code.Item(parse_value(items), parse_value(place))
        case ast.BinOp(left=left, op=operator, right=right):
            return code.Binary(parse_value(left), _OPERATORS[type(operator)], parse_value(right))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return code.Compare(parse_value(left), _OPERATORS[type(operator)], parse_value(right))
        case ast.BoolOp(op=ast.And(), values=values):
            return code.And(_all(values))
        case ast.BoolOp(values=values):
            return code.Or(_all(values))
        case ast.Call(func=function, args=args, keywords=[]):
            return code.Call(ast.unparse(function), _all(args))
        case ast.ListComp(elt=item, generators=[ast.comprehension(target=target, iter=source, ifs=tests)]):
            test = parse_value(tests[0]) if tests else None
            return code.Comprehension(parse_value(item), parse_value(target), parse_value(source), test)
    raise AssertionError(ast.dump(node))


def _all(nodes: Sequence[ast.expr]) -> tuple[Value, ...]:
    return tuple([parse_value(node) for node in nodes])


_INLINE, _INLINE_IN_LOOPS = 80, 240
"""Greatest size of a term that is inlined, outside and inside loops. In a loop, large parts are often invariant."""


def word(emit: Emitter, e: WordCall) -> Value:
    word = WORDS[e.word]
    found = _WAYS[word.way](emit, e) if word.way is not None else None
    if found is not None:
        return found
    args = [emit(a) for a in e.args]
    if word.emit:
        args = [emit.name(a) if word.emit.count(f"{{{i}}}") > 1 else a for i, a in enumerate(args)]
        return fill_template(word.emit, args)
    absent = absence(e.type) if word.absent and e.type.optional else None
    return code.Call(f"w_{word.name}", (code.P, *args), absent)


def absence(value_type: ValueType) -> Value:
    """Return the value for an absent one of this type. An absent list has no items."""
    return code.EMPTY if value_type.name == "list" else number(absent_of(value_type))


def _way(e: Expr) -> Way | None:
    return WORDS[e.word].way if isinstance(e, WordCall) else None


def _first(emit: Emitter, e: WordCall) -> Value | None:
    items = e.args[0]
    if len(e.args) > 1:
        return None
    return _first_found(emit, e, items) if isinstance(items, Collect) and not items.by else _end(emit, e, 0)


def _last(emit: Emitter, e: WordCall) -> Value | None:
    return _end(emit, e, -1) if len(e.args) == 1 else None


def _end(emit: Emitter, e: WordCall, place: int) -> Value:
    items = emit.write_named(e.args[0])
    item = code.Item(items, number(place))
    return code.Choice(items, item, absence(e.type)) if get_lengths(e.args[0].type)[0] == 0 else item


def _first_found(emit: Emitter, e: WordCall, items: Collect) -> Value:
    """Lower `first(x for x in xs where c)`, which stops at the first."""
    found = emit.writer.fresh("found")
    emit.writer.assign(found, absence(e.type))
    with emit.loop(items.items, items.var), emit.test(emit(items.where)):
        emit.writer.assign(found, emit(items.item))
        emit.writer.put(code.Break())
    return found


def _count(emit: Emitter, e: WordCall) -> Value | None:
    items = e.args[0]
    return _accumulate(emit, items, None) if isinstance(items, Collect) else None


def _sum(emit: Emitter, e: WordCall) -> Value | None:
    items = e.args[0]
    return _accumulate(emit, items, items.item) if isinstance(items, Collect) else None


def _accumulate(emit: Emitter, items: Collect, each: Expr | None) -> Value:
    """Lower the sum of `each` over the items, or their count."""
    total = emit.writer.fresh("n")
    emit.writer.assign(total, number(0))
    inside = (items.where,) if each is None else (items.where, each)
    with emit.loop_in_any_order(items.items, items.var, *inside), emit.test(emit(items.where)):
        emit.writer.put(code.Add(total, emit(each) if each is not None else number(1)))
    return total


def compute_together(emit: Emitter, exprs: Iterable[Expr]) -> None:
    """Compute sums and counts in one loop if they iterate the same list and share a costly part of each item."""
    parts, groups = emit.program.parts, dict[Any, dict[Any, WordCall]]()
    for expr in exprs:
        for total, items in _totals(emit.program.fold(expr)):
            if subset_sums(items.items, items.var, (items.where, items.item), parts) is None:
                group = groups.setdefault(parts.key(items.items, emit.names.get), {})
                group.setdefault(parts.key(total, emit.names.get), total)
    for group in groups.values():
        alike = _sharing_costly_part(list(group.values()), parts)
        if len(alike) > 1:
            _accumulate_all(emit, alike)


def compute_summands(emit: Emitter, expr: Expr) -> None:
    """Compute the summands of one formula together. All of them are needed."""
    compute_together(emit, [e for e in _summands(emit.program.fold(expr)) if isinstance(e, WordCall)])


def _summands(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Arith | Neg):
        for arg in expr.args:
            yield from _summands(arg)
    else:
        yield expr


def _totals(expr: Expr) -> Iterator[tuple[WordCall, Collect]]:
    """Yield the sums and counts of collected items that stand in no loop."""
    if isinstance(expr, WordCall) and WORDS[expr.word].way in ("sum", "count") and isinstance(expr.args[0], Collect):
        yield expr, expr.args[0]
    elif not isinstance(expr, Quantified | Chosen | Collect | Local):
        for arg in expr.args:
            yield from _totals(arg)


def _sharing_costly_part(totals: list[WordCall], parts: Analysis) -> list[WordCall]:
    """Return the totals that need a costly part of each item that the first total needs too."""
    asked = [
        {parts.shape(e)[0] for e in walk(total.args[0]) if isinstance(e, COSTLY) and parts.weight(e) >= HEAVY}
        - {parts.shape(e)[0] for e in (total.args[0], total.args[0].args[0])}
        for total in totals
    ]
    return [total for total, own in zip(totals, asked, strict=True) if own & asked[0]]


def _accumulate_all(emit: Emitter, totals: list[WordCall]) -> None:
    names = [emit.give(number(0), "n") for _ in totals]
    collected = [total.args[0] for total in totals]
    first = collected[0]
    assert isinstance(first, Collect)
    with emit.loop(first.items, first.var):
        for name, total, items in zip(names, totals, collected, strict=True):
            assert isinstance(items, Collect)
            emit.names[items.var] = emit.names[first.var]
            with emit.test(emit(items.where)):
                emit.writer.put(code.Add(name, emit(items.item) if WORDS[total.word].way == "sum" else number(1)))
    for name, total in zip(names, totals, strict=True):
        emit.note_value(total, name)


def _greatest(emit: Emitter, e: WordCall) -> Value | None:
    if len(e.args) == 2 and not e.type.optional:
        return call("max", emit(e.args[0]), emit(e.args[1]))
    return _best(emit, e)


def _smallest(emit: Emitter, e: WordCall) -> Value | None:
    if len(e.args) == 2 and not e.type.optional:
        return call("min", emit(e.args[0]), emit(e.args[1]))
    return _best(emit, e)


def _best(emit: Emitter, e: WordCall) -> Value | None:
    """Find the greatest or least value of a collected list without building the list."""
    if not _is_extreme(e):
        return None
    return _extremes(emit, [e])[0]


def _is_extreme(e: Expr) -> bool:
    collected = isinstance(e, WordCall) and len(e.args) == 1 and isinstance(e.args[0], Collect)
    return collected and _way(e) in ("greatest", "smallest") and e.type.name == "number"


def _extremes(emit: Emitter, found: list[WordCall]) -> list[Name]:
    """Find several extremes of one collected list in one loop."""
    items = found[0].args[0]
    assert isinstance(items, Collect)
    names = [emit.give(number(NO_NUMBER), "best") for _ in found]
    with emit.loop_in_any_order(items.items, items.var, items.where, items.item), emit.test(emit(items.where)):
        value = emit.write_named(items.item)
        for best, e in zip(names, found, strict=True):
            with emit.writer.block(If(_better(e, items, value, best), [])):
                emit.writer.assign(best, value)
    return names


def _better(e: WordCall, items: Collect, value: Value, best: Value) -> Value:
    """Return the test that a value is a new extreme. Absent numbers are less than any."""
    if _way(e) == "greatest":
        return code.Compare(value, ">", best)
    less = code.Or((compare(best, "==", NO_NUMBER), code.Compare(value, "<", best)))
    return all_of([compare(value, "!=", NO_NUMBER), less]) if items.item.type.optional else less


def compute_extremes_together(emit: Emitter, left: Expr, right: Expr) -> None:
    """Find the greatest and the least value of one list in one loop."""
    if not _is_extreme(left) or not _is_extreme(right) or left.args[0].type != right.args[0].type:
        return
    assert isinstance(left, WordCall)
    assert isinstance(right, WordCall)
    parts = emit.program.parts
    keys = [parts.key(e.args[0], emit.names.get) for e in (left, right)]
    if keys[0] == keys[1] and left.word != right.word:
        for e, name in zip((left, right), _extremes(emit, [left, right]), strict=True):
            emit.note_value(e, name)


def _join(emit: Emitter, e: WordCall) -> Value:
    return _join_piles(emit, e.args)


def _join_piles(emit: Emitter, args: tuple[Expr, ...]) -> Value:
    known = _known_for_each(emit, args)
    if known is not None:
        return known
    found = emit.writer.fresh("piles")
    rest = _started_and_vacant(emit, args, found)
    if rest is None:
        emit.writer.assign(found, code.NO_LIST)
    for arg in args if rest is None else rest:
        _append(emit, found, arg)
    return found


def _known_for_each(emit: Emitter, args: tuple[Expr, ...]) -> Value | None:
    """Return joined piles that are constant for each member of a family, as a row of a table."""
    members = {part.var: part for arg in args for part in walk(arg) if isinstance(part, Local)}
    refs = [ref for arg in args for ref in _piles_of(arg)]
    if len(members) != 1 or None in refs or not refs:
        return None
    [member] = members.values()
    keys = {pile.ref.key for pile in refs if pile is not None and pile.member is not None}
    if len(keys) != 1 or member.type.optional or not all(key.holds(member.type) and key.low == 0 for key in keys):
        return None
    [key] = keys
    rows = [tuple(n for pile in refs if pile is not None for n in _numbers(pile, i)) for i in range(key.size)]
    return code.Item(emit.program.constant((*rows, ()), "F"), emit(member))


def _piles_of(expr: Expr) -> Iterator[Pile | Piles | None]:
    """Yield the piles that an operand joins, with None for piles that are only known during play."""
    if isinstance(expr, Listed):
        for item in expr.args:
            yield from _piles_of(item)
    else:
        known = isinstance(expr, Pile | Piles) and (expr.member is None or isinstance(expr.member, Local))
        yield expr if known and isinstance(expr, Pile | Piles) else None


def _numbers(pile: Pile | Piles, member: int) -> tuple[int, ...]:
    """Return the pile numbers of this member, or of all members."""
    if isinstance(pile, Pile):
        return (pile.ref.base + (member if pile.member is not None else 0),)
    return tuple(pile.ref.of_member(member) if pile.member is not None else pile.ref.all)


_N = Name("n")


def _append(emit: Emitter, found: Name, arg: Expr) -> None:
    put = emit.writer.put
    if isinstance(arg, WordCall) and _way(arg) == "started":
        with emit.writer.block(code.For(_N, emit(arg.args[0]), [])):
            _append_if(emit, pile(_N), found, _N)
    elif isinstance(arg, Listed):
        for item in arg.args:
            one = emit.write_named(item)
            _append_if(emit, compare(one, ">=", 0) if item.type.optional else code.TRUE, found, one)
    elif arg.type.item_type.optional:
        put(code.Add(found, code.Comprehension(_N, _N, emit(arg), compare(_N, ">=", 0))))
    else:
        put(code.Add(found, emit(arg)))


def _append_if(emit: Emitter, test: Value, found: Name, item: Value) -> None:
    statement = code.append(found, item)
    emit.writer.put(statement if test is code.TRUE else If(test, [statement]))
    statement.origin = emit.writer.origin


def _started_and_vacant(emit: Emitter, args: tuple[Expr, ...], found: Name) -> tuple[Expr, ...] | None:
    """Lower `piles(started(F), vacant(F), …)` in one pass over F. Returns the operands that are left to join."""
    if len(args) < 2 or not isinstance(args[1], Listed) or len(args[1].args) != 1:
        return None
    first, second = args[0], args[1].args[0]
    if _way(first) != "started" or _way(second) != "vacant":
        return None
    one, other = first.args[0], second.args[0]
    if not isinstance(one, Piles) or not isinstance(other, Piles) or one.ref != other.ref:
        return None
    if one.member is not None or other.member is not None:  # not the whole family
        return None
    empty = emit.writer.fresh("vacant")
    emit.writer.assign(found, code.NO_LIST)
    emit.writer.assign(empty, number(-1))
    with emit.writer.block(code.For(_N, emit(one), [])):
        _append_if(emit, pile(_N), found, _N)
        with emit.writer.otherwise(), emit.writer.block(If(compare(empty, "<", 0), [])):
            emit.writer.assign(empty, _N)
    _append_if(emit, compare(empty, ">=", 0), found, empty)
    return args[2:]


def _started(emit: Emitter, e: WordCall) -> Value:
    return _join_piles(emit, (e,))


def _vacant(emit: Emitter, e: WordCall) -> Value:
    found, empty = emit.writer.fresh("vacant"), code.Not(pile(_N))
    emit.writer.assign(found, number(-1))
    tests: list[Value] = [compare(_N, ">=", 0)] if e.args[0].type.item_type.optional else []
    with emit.writer.block(code.For(_N, emit(e.args[0]), [])), emit.writer.block(If(all_of([*tests, empty]), [])):
        emit.writer.assign(found, _N)
        emit.writer.put(code.Break())
    return found


def _gather(emit: Emitter, e: WordCall) -> Value:
    piles = e.args[0]
    if isinstance(piles, Listed) and len(piles.args) == 1:
        return pile(emit(piles.args[0]))
    found = emit.writer.fresh("cards")
    emit.writer.assign(found, code.NO_LIST)
    with emit.writer.block(code.For(_N, emit(piles), [])):
        emit.writer.put(code.Add(found, pile(_N)))
    return found


_WAYS: dict[Way, Callable[[Emitter, WordCall], Value | None]] = {
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


def term(emit: Emitter, e: TermCall) -> Value:
    instance, count = e.instance, len(e.instance.parameters)
    if emit.program.size(emit.program.fold(instance.body)) <= (_INLINE_IN_LOOPS if emit.in_loop else _INLINE):
        return _inlined(emit, e, instance)
    acting = emit(e.args[count]) if instance.uses_me else number(-1)
    args = [emit(a) for a in e.args[:count]]
    return call(emit.program.instance(instance), code.P, code.C, acting, *args)


def _inlined(emit: Emitter, e: TermCall, instance: Instance) -> Value:
    outer, given = dict(emit.names), [emit.program.fold(arg) for arg in e.args]
    piles = {var: arg for var, arg in zip(instance.parameters, given, strict=False) if _is_plain_pile(arg)}
    inner = {
        var: emit.write_operand(arg) for var, arg in zip(instance.parameters, e.args, strict=False) if var not in piles
    }
    if instance.uses_me:
        inner[instance.me] = emit.write_operand(e.args[-1])
    emit.names.update(inner)
    found = emit(substitute(instance.body, piles) if piles else instance.body)
    for var in inner:
        if var in outer:
            emit.names[var] = outer[var]
    return found


def _is_plain_pile(expr: Expr) -> bool:
    """Return whether a pile is as cheap to write as a name.

    It is then written in place, so that all terms recognise it as the same pile.
    """
    return isinstance(expr, Pile) and all(isinstance(arg, Const | Local) for arg in expr.args)


def column(emit: Emitter, e: ColumnCall) -> Value:
    count = len(e.instances[0].parameters)
    functions = emit.program.column(e.instances)
    acting = emit(e.args[count]) if len(e.args) > count else number(-1)
    args = [emit(a) for a in e.args[:count]]
    row = emit.name(args[0])
    value = code.RowCall(functions, row, (code.P, code.C, acting, row, *args[1:]))
    return code.Choice(compare(row, ">=", 0), value, absence(e.type)) if e.args[0].type.optional else value
