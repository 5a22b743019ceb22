"""Which type each name of each generated function has: found by going through all of them until nothing new is learnt."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

from hoyle.language.vocabulary import WORDS, Word
from hoyle.native.actions import binding_of, called, listed_moves, move_of
from hoyle.native.forms import IN_ORDER, ITEMS, KEYED, LISTS, Body, Type, Untranslatable, either
from hoyle.native.layout import Layout
from hoyle.native.several import several

CALLS: dict[str, Type] = {
    **dict.fromkeys(("len", "sum", "max", "min", "within", "inside", "arrive", "fault_of", "lots"), "I"),
    **dict.fromkeys(("in_list", "in_kinds", "same_lists", "same_kinds"), "I"),
    **dict.fromkeys(("never_twice", "maximise", "later"), "LA"),
    "range": "L",
    "less": "L",
}
"""What calls give, whatever they are given."""
SAME = {"tuple", "left_over", "without", "unique", "dict.fromkeys", "list"}
"""Calls that give a list like the first list that they are given."""


class Inference:
    """The types of all functions of a game: their names, parameters and values."""

    def __init__(
        self,
        bodies: Mapping[str, Body],
        constants: Mapping[str, Any],
        columns: Mapping[str, tuple[str, ...]],
        places: Layout,
    ) -> None:
        self.bodies, self.constants, self.columns, self.places = bodies, constants, columns, places
        self.names: dict[str, dict[str, Type]] = {name: _parameters(name, body) for name, body in bodies.items()}
        self.values: dict[str, Type | None] = {}
        self.several: dict[str, int] = {}
        self._changed, self.settled = True, False
        """`settled`: a list of which nothing is known is one of nothing."""

    def run(self) -> None:
        """Raises Untranslatable."""
        self._learn_all()
        self._changed = self.settled = True
        self._learn_all()
        for name, body in self.bodies.items():
            # items of lists that are always empty, functions never called
            self.names[name].update(dict.fromkeys(_stored(body) - self.names[name].keys(), "I"))
        self.several = several(self.bodies, self.values, chain.from_iterable(self.columns.values()))

    def _learn_all(self) -> None:
        while self._changed:
            self._changed = False
            for name, body in self.bodies.items():
                try:
                    _Reader(self, name).statements(body.statements)
                except Untranslatable as refused:
                    raise Untranslatable(f"{refused} in {name}") from None

    def learn(self, function: str, name: str, found: Type | None) -> None:
        known = self.names[function]
        try:
            kind = either(known.get(name), found)
        except Untranslatable as refused:
            raise Untranslatable(f"{refused}: {name}") from None
        if kind is not None and known.get(name) != kind:
            known[name] = kind
            self._changed = True

    def returns(self, function: str, found: Type | None) -> None:
        kind = either(self.values.get(function), found)
        if kind is not None and self.values.get(function) != kind:
            self.values[function] = kind
            self._changed = True


def _parameters(name: str, body: Body) -> dict[str, Type]:
    kinds: dict[str, Type] = {"me": "I", "a": "P", "piles": "L"}
    return {p: kinds[p] for p in body.parameters if p in kinds}


def _stored(body: Body) -> set[str]:
    """Parameters and names that are set."""
    nodes = (x for statement in body.statements for x in ast.walk(statement))
    own = {x.id for x in nodes if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return (own | {*body.parameters}) - {"P", "C", "s", "_"}


class _Reader:
    """Goes through one function."""

    def __init__(self, found: Inference, function: str) -> None:
        self.found, self.function = found, function
        self.keyed = {
            call.args[0].id
            for statement in found.bodies[function].statements
            for call in ast.walk(statement)
            if isinstance(call, ast.Call) and called(call) == "in_order" and isinstance(call.args[0], ast.Name)
        }
        self.move, self.moves = -1, listed_moves(found.bodies[function])

    def learn(self, target: ast.expr, kind: Type | None) -> None:
        match target:
            case ast.Name(id=name):
                self.found.learn(self.function, name, kind)
            case ast.Tuple(elts=targets):
                for n, one in enumerate(targets):
                    self.learn(one, ("A", "I")[n] if kind == "Duo" else None)

    # ---- statements --------------------------------------------------------------------------------------------------

    def statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Name(id="a")):
                for name, binding in zip(names[1:], self.found.places.moves[self.move], strict=True):
                    self.learn(name, "I" if binding.most is None else "L")
            case ast.Assign(targets=[ast.Name(id="P" | "C")]):
                return
            case ast.Assign(targets=[ast.Attribute()], value=value):
                self.expression(value)
            case ast.Assign(targets=[target], value=value):
                self.learn(target, self.expression(value))
                if isinstance(target, ast.Subscript):
                    self._stored(target, value)
            case ast.AugAssign(target=target, value=value):
                self.learn(target, self.expression(value))
            case ast.For(target=target, iter=items, body=body):
                kind = self.expression(items)
                self.learn(
                    target,
                    ITEMS.get(kind or "")
                    or ("A" if isinstance(items, ast.Name) and items.id in ("acts", "rest", "good") else None),
                )
                self.statements(body)
            case ast.While(body=body):
                self.statements(body)
            case ast.If(test=test, body=body, orelse=other):
                self.expression(test)
                before, number = self.move, move_of(test)
                self.move = number if number is not None else before
                self.statements(body)
                self.move = before
                self.statements(other)
            case ast.Return(value=value) if value is not None:
                self.found.returns(self.function, self.expression(value))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[item])):
                self._appended(owner, item)
            case ast.Expr(value=value):
                self.expression(value)
            case ast.Break() | ast.Pass() | ast.Continue():
                return
            case _:
                raise Untranslatable(ast.unparse(node))

    def _stored(self, target: ast.Subscript, value: ast.expr) -> None:
        if isinstance(target.value, ast.Name) and target.value.id == "apart":
            self.learn(target.value, "Map")

    def _appended(self, owner: ast.expr, item: ast.expr) -> None:
        owners = [owner.body, owner.orelse] if isinstance(owner, ast.IfExp) else [owner]
        if isinstance(owner, ast.IfExp):
            self.expression(owner.test)
        for one in owners:
            if isinstance(one, ast.Name):
                if one.id == "acts":
                    self.learn(one, "LA")
                elif one.id == "aims":
                    self.learn(one, "L")
                elif one.id in self.keyed and isinstance(item, ast.Tuple):
                    self.learn(one, self._keyed(item.elts[1]))
                else:
                    self.learn(one, self._list_of(self.expression(item)))
        for part in item.elts if isinstance(item, ast.Tuple) else [item]:
            self.expression(part)

    def _list_of(self, kind: Type | None) -> Type | None:
        return LISTS.get("L" if self.found.settled and kind == "L?" else kind or "")

    def _keyed(self, item: ast.expr) -> Type | None:
        kind = self.expression(item)
        if self.found.settled:
            kind = "L" if kind == "L?" else kind or "I"
        return KEYED.get(kind or "")

    # ---- expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Type | None:
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Constant() | ast.UnaryOp() | ast.Compare():
                self._within(node)
                return "I"
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute():
                return "I"
            case ast.IfExp(test=test, body=yes, orelse=no):
                self.expression(test)
                return either(self.expression(yes), self.expression(no))
            case ast.BoolOp(values=values):
                kinds = []
                before = self.move
                for v in values:
                    kinds.append(self.expression(v))
                    number = move_of(v) if isinstance(node.op, ast.And) else None
                    self.move = number if number is not None else self.move
                self.move = before
                return kinds[0] if isinstance(values[-1], ast.Name) and values[-1].id == "NONE" else "I"
            case ast.BinOp():
                return self._operation(node)
            case ast.Subscript():
                return self._item(node)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return self._listed(items)
            case ast.ListComp() | ast.SetComp():
                return self._comprehension(node)
            case ast.Dict():
                return "Map"
            case ast.Call():
                return self._call(node)
        raise Untranslatable(ast.unparse(node))

    def _within(self, node: ast.expr) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child)

    def _name(self, name: str) -> Type | None:
        if name in self.found.names[self.function]:
            return self.found.names[self.function][name]
        return of_constant(self.found.constants[name]) if name in self.found.constants else None

    def _operation(self, node: ast.BinOp) -> Type | None:
        left, right = self.expression(node.left), self.expression(node.right)
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Tuple | ast.List):
            return left
        return either(left, right)

    def _item(self, node: ast.Subscript) -> Type | None:
        place = self.expression(node.slice) if not isinstance(node.slice, ast.Slice) else None
        match node.value:
            case ast.Name(id="P") | ast.Attribute(attr="piles"):
                return "L"
            case ast.Name(id="C") | ast.Attribute(attr="cells"):
                at = node.slice.value if isinstance(node.slice, ast.Constant) else None
                return "L" if at in (*self.found.places.lists, *self.found.places.aims) else "I"
            case ast.Name(id="a") if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
                return self._bound(node.slice.value)
        kind = self.expression(node.value)
        if kind == "Map" or place == "A":
            return "I"
        return ITEMS.get(kind or "")

    def _bound(self, place: int) -> Type:
        moves = {self.move} if self.move >= 0 else self.moves
        return "I" if place == 0 or binding_of(self.found.places, moves, place).most is None else "L"

    def _listed(self, items: list[ast.expr]) -> Type | None:
        if not items:
            return "L?"
        kinds = [
            self.expression(i.value) if isinstance(i, ast.Starred) else self._list_of(self.expression(i)) for i in items
        ]
        found: Type | None = None
        for kind in kinds:
            found = either(found, kind)
        return found

    def _comprehension(self, node: ast.ListComp | ast.SetComp) -> Type | None:
        generator = node.generators[0]
        kind = self.expression(generator.iter)
        if isinstance(generator.target, ast.Tuple):
            one = node.elt.id if isinstance(node.elt, ast.Name) else ""
            self.learn(generator.iter, "Duos")
            names = [t.id for t in generator.target.elts if isinstance(t, ast.Name)]
            return ("LA", "L")[names.index(one)]
        self.learn(generator.target, ITEMS.get(kind or ""))
        if isinstance(node.elt, ast.Tuple):
            for part in node.elt.elts:
                self.expression(part)
            return "Duos"
        return LISTS.get(self.expression(node.elt) or "")

    def _of_word(self, word: Word, first: Type | None) -> Type | None:
        """The type of a built-in word's value, by that of its first argument where the vocabulary has C for several."""
        gives = {c.takes[0]: c.gives for c in word.c}
        if len({*gives.values()}) == 1:
            return next(iter(gives.values()))
        if first == "L?":
            return first if gives["L"] == "L" else gives["L"] if self.found.settled else None
        return gives.get(first or "")

    def _call(self, node: ast.Call) -> Type | None:
        name = called(node)
        args = [self.expression(a) for a in node.args if not isinstance(a, ast.Starred)]
        if name in CALLS:
            return CALLS[name]
        if name in SAME or name.startswith("w_"):
            given = [
                k for a, k in zip(node.args, args, strict=True) if not (isinstance(a, ast.Name) and a.id in ("P", "s"))
            ]
            if name.startswith("w_"):
                return self._of_word(WORDS[name[2:]], given[0])
            return "LL" if name == "unique" else given[0]
        if name == "in_order":
            return IN_ORDER.get(args[0] or "")
        found = None
        for function in self.found.columns.get(name, (name,)):
            if function in self.found.bodies:
                for parameter, kind in zip(self.found.bodies[function].parameters, args, strict=True):
                    if re.fullmatch(r"p\d+", parameter):
                        self.found.learn(function, parameter, kind)
                found = either(found, self.found.values.get(function))
        return found


def of_constant(value: Any) -> Type | None:
    """The type of a constant of the namespace."""
    match value:
        case bool() | int() | None:
            return "I"
        case tuple() | range() if not value:
            return "L?"
        case tuple() | range():
            found: Type | None = None
            for item in value:
                found = either(
                    found, LISTS.get(of_constant(item) or "", "L?" if item == () else None) if item != () else "LL"
                )
            return found
    return "I"
