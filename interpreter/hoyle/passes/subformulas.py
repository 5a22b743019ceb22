"""Analysis of subformulas for code generation: cost, equality, safety; and substitution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import Expr, Var
from hoyle.language.vocabulary import WORDS

_LOOP, _CALL = 6, 2
HEAVY = 8
"""From this weight on, a subformula is worth a name and lazy computation."""
COSTLY = (ir.Quantified, ir.Chosen, ir.Collect, ir.WordCall, ir.TermCall, ir.ColumnCall, ir.Concat, ir.Without)
"""Forms that are expensive apart from their operands."""


Shape = tuple[int, tuple[Var, ...]]
"""A number shared by formulas of equal form, and the variables that each needs from outside, in order."""


class Analysis:
    """Analysis of subformulas, memoised. Formulas are stored with the results, so that identities stay unique."""

    def __init__(self) -> None:
        self._weights: dict[int, tuple[Expr, int]] = {}
        self._certain: dict[int, tuple[Expr, bool]] = {}
        self._loops: dict[int, tuple[Expr, bool]] = {}
        self._shapes: dict[int, tuple[Expr, Shape]] = {}
        self._numbers: dict[Any, int] = {}

    def weight(self, expr: Expr) -> int:
        """The approximate number of operations; a loop counts as a few rounds."""
        known = self._weights.get(id(expr))
        if known is None:
            known = self._weights[id(expr)] = (expr, self._weigh(expr))
        return known[1]

    def _weigh(self, expr: Expr) -> int:
        inner = sum(self.weight(a) for a in expr.args)
        match expr:
            case ir.Const() | ir.Local() | ir.Rows() | ir.Fault():
                return inner
            case ir.Pile() | ir.Piles():
                return inner + (expr.member is not None)
            case ir.Quantified() | ir.Chosen() | ir.Collect():
                return _LOOP + 3 * inner
            case ir.TermCall(instance=instance):
                return _CALL + inner + self.weight(instance.body)
            case ir.ColumnCall(instances=instances):
                return _CALL + inner + max(self.weight(i.body) for i in instances)
            case ir.Concat() | ir.Without():
                return inner + _LOOP
            case ir.WordCall(word=word):
                return inner + (1 if WORDS[word].emit else HEAVY)
        return inner + 1

    def certain(self, expr: Expr) -> bool:
        """Can it be computed anywhere? Not if it must stand behind a test that something is present or not 0."""
        known = self._certain.get(id(expr))
        if known is None:
            known = self._certain[id(expr)] = (expr, self._is_certain(expr))
        return known[1]

    def _is_certain(self, expr: Expr) -> bool:
        match expr:
            case ir.Arith(op="div" | "mod") | ir.Item(inside=True) | ir.ColumnCall():
                return False
            case ir.Cell() | ir.Pile() | ir.Piles():
                return all(map(_surely_there, expr.args))
            case ir.TermCall(instance=instance):
                return all(map(self.certain, (*expr.args, instance.body)))
        return all(map(self.certain, expr.args))

    def loops(self, expr: Expr) -> bool:
        """Does it contain a loop?"""
        known = self._loops.get(id(expr))
        if known is None:
            known = self._loops[id(expr)] = (expr, self._has_loop(expr))
        return known[1]

    def _has_loop(self, expr: Expr) -> bool:
        match expr:
            case ir.TermCall(instance=instance):
                return any(map(self.loops, (*expr.args, instance.body)))
            case ir.WordCall(word=word) if WORDS[word].emit:
                return any(map(self.loops, expr.args))
        return isinstance(expr, COSTLY) or any(map(self.loops, expr.args))

    def shape(self, expr: Expr) -> Shape:
        """Equal for formulas that have equal values up to the names of variables."""
        known = self._shapes.get(id(expr))
        if known is None:
            known = self._shapes[id(expr)] = (expr, self._shape(expr))
        return known[1]

    def _shape(self, expr: Expr) -> Shape:
        if isinstance(expr, ir.Local):
            return self._number(("Local", expr.type.optional)), (expr.var,)
        own = expr.var if isinstance(expr, ir.Quantified | ir.Chosen | ir.Collect) else None
        places: dict[Var, int] = {}
        inner = []
        for n, arg in enumerate(expr.args):
            number, needed = self.shape(arg)
            bound = own if n else None
            inner.append((number, tuple([-1 if v is bound else places.setdefault(v, len(places)) for v in needed])))
        form = (type(expr).__name__, expr.type.optional, _get_attributes(expr), tuple(inner))
        return self._number(form), tuple(places)

    def _number(self, form: Any) -> int:
        return self._numbers.setdefault(form, len(self._numbers))

    def key(self, expr: Expr, named: Callable[[Var], Any]) -> Any:
        """Equal for formulas with equal values; `named` gives the name of a variable. A `let` variable without a name counts as its formula."""
        number, needed = self.shape(expr)
        if not needed:
            return number
        return (number, *[self._key_of_variable(var, named) for var in needed])

    def _key_of_variable(self, var: Var, named: Callable[[Var], Any]) -> Any:
        name = named(var)
        return self.key(var.value, named) if name is None and var.value is not None else name


def _get_attributes(expr: Expr) -> Any:
    """The attributes of a form besides its operands."""
    match expr:
        case ir.Const(value=value):
            return (expr.type.name, value)
        case ir.Rows(size=size):
            return size
        case ir.Cell(ref=ref) | ir.Pile(ref=ref) | ir.Piles(ref=ref):
            return (ref.base, ref.family)
        case ir.Attr(table=table):
            return table
        case ir.Member(place=place):
            return place
        case ir.WordCall(word=word):
            return word
        case ir.TermCall(instance=instance):
            return id(instance)
        case ir.ColumnCall(instances=instances):
            return tuple(map(id, instances))
        case ir.Arith(op=op) | ir.Compare(op=op):
            return op
        case ir.Quantified(word=word) | ir.Chosen(word=word):
            return word
        case ir.Collect(by=by):
            return len(by)
        case ir.Item(inside=inside):
            return inside
    return None


def _surely_there(key: Expr) -> bool:
    return isinstance(key, ir.Const) or (isinstance(key, ir.Local) and not key.var.type.optional)


def rebuild(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The form with each operand changed; the same object if none changes. Formulas of `let` are left alone."""
    old = expr.args
    if not old or isinstance(expr, ir.Local):
        return expr
    new = tuple([change(a) for a in old])
    for a, b in zip(old, new, strict=True):
        if a is not b:
            return with_args(expr, new)
    return expr


def with_args(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """The form with other operands, in the order of `args`."""
    match expr:
        case ir.Cell():
            return replace(expr, keys=args)
        case ir.Pile() | ir.Piles():
            return replace(expr, member=args[0])
        case ir.WordCall() | ir.TermCall() | ir.ColumnCall() | ir.Listed():
            return replace(expr, operands=args)
        case ir.If():
            return replace(expr, condition=args[0], yes=args[1], no=args[2])
        case ir.Quantified():
            return replace(expr, items=args[0], condition=args[1])
        case ir.Chosen():
            return replace(expr, items=args[0], where=args[1], by=args[2:])
        case ir.Collect():
            return replace(expr, items=args[0], where=args[1], item=args[2], by=args[3:])
        case ir.Item():
            return replace(expr, items=args[0], index=args[1])
    names = ("value",) if len(args) == 1 else ("left", "right")
    return replace(expr, **dict(zip(names, args, strict=True)))


def substitute(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """The formula with variables replaced."""
    if isinstance(expr, ir.Local):
        found = values.get(expr.var)
        if found is None and expr.var.value is not None:
            value = substitute(expr.var.value, values)
            return expr if value is expr.var.value else value
        return found if found is not None else expr
    return rebuild(expr, lambda arg: substitute(arg, values))
