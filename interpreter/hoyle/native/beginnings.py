"""What is found by going through each subset is found once for all subsets that begin alike; and beginnings that no subset can mend are left at once."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy

from msgspec import Struct

_OF_NUMBERS = (
    *(ast.Assign, ast.If, ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Subscript),
    *(ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context),
)
"""All that may be done with each item."""


class Span(Struct, frozen=True):
    """The greatest and the least of what is asked of items; whether the least may be absent still (by its first value), and what no difference may be more than."""

    greatest: str
    least: str
    absent: ast.expr | None
    limit: ast.expr


class Beginnings(Struct, frozen=True):
    """
    begins    what is set before the items of a subset are gone through, to constants
    each      the loop through its items, which changes these names only
    later     the same, from the second item on
    rest      what is done with the subset then
    spans     differences that only grow with more items; a subset comes to nothing where one is too large
    """

    begins: list[ast.Assign]
    each: ast.For
    later: list[ast.stmt]
    rest: list[ast.stmt]
    spans: list[Span]


def beginnings(loop: ast.For, function: Sequence[ast.stmt]) -> Beginnings | None:
    """How a loop through subsets begins; none if it has no such beginning, or the function asks for its names elsewhere."""
    at = next((n for n, statement in enumerate(loop.body) if not _sets_constant(statement)), len(loop.body))
    match loop.target, loop.body[at:]:
        case ast.Name(id=subset), [ast.For(target=ast.Name() as item, iter=ast.Name(id=one)) as each, *rest]:
            begins = [x for x in loop.body[:at] if isinstance(x, ast.Assign)]
            if subset == one and _only_finds(each, item.id, begins) and not _asked_elsewhere(loop, function):
                extremes = _Extremes(each.body, begins)
                return Beginnings(begins, each, extremes.later(), rest, [*extremes.spans(rest)])
    return None


def least_size(loop: ast.For, function: Sequence[ast.stmt]) -> int:
    """How many items a list must have for a loop through lists to do anything with it; 1 if nothing is known of that."""
    if isinstance(loop.target, ast.Name) and not _asked_elsewhere(loop, function):
        for test in _needed(loop.body):
            match test:
                case ast.Compare(
                    left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=one)]),
                    ops=[ast.GtE()],
                    comparators=[ast.Constant(value=int(size))],
                ) if one == loop.target.id:
                    return max(size, 1)
    return 1


def names_of(begins: Sequence[ast.Assign]) -> list[str]:
    return [t.id for one in begins for t in one.targets if isinstance(t, ast.Name)]


def _sets_constant(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name()], value=value):
            return _is_number(value)
    return False


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _only_finds(each: ast.For, item: str, begins: Sequence[ast.Assign]) -> bool:
    """Does a loop do nothing but change numbers that begin as constants, by what is asked of each item?"""
    nodes = [x for statement in each.body for x in ast.walk(statement)]
    own = [x.targets[0].id for x in each.body if isinstance(x, ast.Assign) and isinstance(x.targets[0], ast.Name)]
    stored = {x.id for x in nodes if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return (
        all(isinstance(x, _OF_NUMBERS) for x in nodes)
        and all(isinstance(x.value, ast.Name) for x in nodes if isinstance(x, ast.Subscript))
        and all(isinstance(x.targets[0], ast.Name) for x in nodes if isinstance(x, ast.Assign))
        and len({*own}) == len(own)
        and stored <= {*own, *names_of(begins)} - {item}
        and not {*own} & {*names_of(begins)}
        and all(_first_set(name, each.body) for name in own)
    )


def _first_set(name: str, body: Sequence[ast.stmt]) -> bool:
    """Is a name set before it is asked for?"""
    first = next(x for x in body if name in _named(x))
    return isinstance(first, ast.Assign) and name not in _named(first.value)


def _named(node: ast.AST) -> Counter[str]:
    return Counter(x.id for x in ast.walk(node) if isinstance(x, ast.Name))


def _asked_elsewhere(loop: ast.For, function: Sequence[ast.stmt]) -> bool:
    """Does anything outside a loop name what is set in it each time?"""
    always = [loop.target, *(t for x in loop.body if isinstance(x, ast.Assign) for t in x.targets)]
    always += [x for each in loop.body if isinstance(each, ast.For) for x in ast.walk(each) if isinstance(x, ast.Name)]
    stored = {x.id for x in always if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    everywhere = sum((_named(x) for x in function), Counter[str]())
    inside = _named(loop)
    return any(everywhere[name] != inside[name] for name in stored)


class _Extremes:
    """The greatest and the least of what is asked of items, among what their loop finds."""

    def __init__(self, body: Sequence[ast.stmt], begins: Sequence[ast.Assign]) -> None:
        self.body = body
        firsts = {name: ast.unparse(one.value) for name, one in zip(names_of(begins), begins, strict=True)}
        self.greatest, self.least = set[str](), dict[str, ast.expr | None]()
        for node in body:
            match node:
                case ast.If(
                    test=test, body=[ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=item))], orelse=[]
                ) if name in firsts and self._set_once(name):
                    self._learn(name, ast.unparse(test), item, firsts[name], begins)

    def _set_once(self, name: str) -> bool:
        nodes = [x for statement in self.body for x in ast.walk(statement)]
        return sum(isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Store) for x in nodes) == 1

    def _learn(self, name: str, test: str, item: str, first: str, begins: Sequence[ast.Assign]) -> None:
        before = next(one.value for one in begins if name in names_of([one]))
        if test == f"{item} > {name}":
            self.greatest.add(name)
        elif test == f"{name} == {first} or {item} < {name}":
            self.least[name] = None
        elif test == f"{item} != {first} and ({name} == {first} or {item} < {name})":
            self.least[name] = before

    def later(self) -> list[ast.stmt]:
        """What is done with each item but the first: what is always there is there by then."""
        there = {name for name, absent in self.least.items() if absent is None}
        return [_There(there).visit(deepcopy(x)) for x in self.body]

    def spans(self, rest: Sequence[ast.stmt]) -> Iterator[Span]:
        """Those that a subset may not be without."""
        for test in _needed(rest):
            match test:
                case ast.Compare(
                    left=ast.BinOp(left=ast.Name(id=greatest), op=ast.Sub(), right=ast.Name(id=least)),
                    ops=[ast.Eq() | ast.LtE()],
                    comparators=[limit],
                ) if greatest in self.greatest and least in self.least and _is_number(limit):
                    yield Span(greatest, least, self.least[least], limit)


class _There(ast.NodeTransformer):
    """`least == NO_NUMBER or value < least`, where the least is there."""

    def __init__(self, there: set[str]) -> None:
        self.there = there

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        match node:
            case ast.BoolOp(op=ast.Or(), values=[ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()]), other]):
                return other if name in self.there else node
        return node


def _needed(rest: Sequence[ast.stmt]) -> list[ast.expr]:
    """Conditions without each of which nothing comes of these statements."""
    match rest:
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Compare() | ast.BoolOp() as test), *others]:
            return _conjoined(test) if _idle(others, {name}) else []
        case [ast.If(test=test, orelse=[])]:
            return _conjoined(test)
    return []


def _conjoined(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _idle(statements: Sequence[ast.stmt], false: set[str]) -> bool:
    """Do statements nothing but set names, where these are false?"""
    for node in statements:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if other in false:
                false = false | {name}
            case ast.If(test=test, orelse=[]) if any(
                isinstance(x, ast.Name) and x.id in false for x in _conjoined(test)
            ):
                continue
            case _:
                return False
    return True
