"""Infers the C types of names in generated functions, and of the constants they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from hoyle.compiling import code
from hoyle.compiling.code import Function, Name, Statement, Value
from hoyle.language.vocabulary import WORDS, Word
from hoyle.native.layout import (
    IN_ORDER,
    ITEMS,
    KEYED,
    LISTS,
    Layout,
    Type,
    Untranslatable,
    arguments_of,
    binding_of,
    either,
    listed_moves,
    move_of,
    untranslatable,
)
from hoyle.native.stack_lists import find_multi_returns
from hoyle.running.lookahead import Aim
from hoyle.running.verbs import Guard, Tally

CALLS: dict[str, Type] = {
    **dict.fromkeys(("len", "sum", "max", "min", "within", "inside", "arrive", "fault_of", "lots"), "I"),
    **dict.fromkeys(("in_list", "in_kinds", "same_lists", "same_kinds"), "I"),
    **dict.fromkeys(("never_twice", "maximise", "later"), "LA"),
    "range": "L",
    "less": "L",
}
"""Result types of calls that do not depend on the arguments."""
SAME = {"tuple", "left_over", "without", "unique", "dict.fromkeys", "list"}
"""Calls whose result has the type of their first list argument."""


class Inference:
    """Infers the types of the names, parameters and results of all functions of a game."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        constants: Mapping[str, Any],
        columns: Mapping[str, tuple[str, ...]],
        places: Layout,
    ) -> None:
        self.functions, self.constants, self.columns, self.places = functions, constants, columns, places
        self.names: dict[str, dict[str, Type]] = {name: _parameters(function) for name, function in functions.items()}
        self.values: dict[str, Type | None] = {}
        self.several: dict[str, int] = {}
        self.acting = frozenset(name for name, one in functions.items() if one.role in ("settler", "effect"))
        """Names of functions that change the state."""
        self._changed, self.settled = True, False
        """`settled`: lists of unknown type are now treated as always empty."""

    def result_of(self, function: str) -> Type:
        return "I" if self.functions[function].gives_label else self.values.get(function) or "I"

    def run(self) -> None:
        """Raises Untranslatable."""
        self._learn_all()
        self._changed = self.settled = True
        self._learn_all()
        for name, function in self.functions.items():
            # any type will do: these are items of empty lists, or names of functions that are never called
            self.names[name].update(dict.fromkeys(_stored(function) - self.names[name].keys(), "I"))
        self.several = find_multi_returns(self.functions, self.values, chain.from_iterable(self.columns.values()))

    def _learn_all(self) -> None:
        while self._changed:
            self._changed = False
            for name, function in self.functions.items():
                try:
                    _Reader(self, name).statements(function.body)
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


_PARAMETERS: dict[str, Type] = {"me": "I", "a": "P", "piles": "L"}
"""Types of parameters that have the same meaning in all functions."""


def _parameters(function: Function) -> dict[str, Type]:
    return {p: _PARAMETERS[p] for p in function.parameters if p in _PARAMETERS}


def _stored(function: Function) -> set[str]:
    """Return the parameters and the assigned names."""
    return {*code.assigned_names(*function.body), *function.parameters} - {"P", "C", "s", "_"}


class _Reader:
    """Reads one function to infer the types of its names."""

    def __init__(self, found: Inference, function: str) -> None:
        self.found, self.function = found, function
        self.keyed = {
            call.args[0].id
            for call in code.calls_in(*found.functions[function].body)
            if call.function == "in_order" and isinstance(call.args[0], Name)
        }
        self.move, self.moves = -1, listed_moves(found.functions[function])

    def learn(self, target: Value, kind: Type | None) -> None:
        match target:
            case Name(name):
                self.found.learn(self.function, name, kind)
            case code.Tuple(targets):
                for n, one in enumerate(targets):
                    self.learn(one, ("A", "I")[n] if kind == "Duo" else None)

    # ---- statements --------------------------------------------------------------------------------------------------

    def statements(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: Statement) -> None:
        match node:
            case code.Unpack(names=names):
                for name, binding in zip(names, self.found.places.moves[self.move], strict=True):
                    self.learn(name, "I" if binding.most is None else "L")
            case code.Assign(target=code.Field(), value=value):
                self.expression(value)
            case code.Assign(target=target, value=value):
                self.learn(target, self.expression(value))
                if isinstance(target, code.Item) and target.items == Name("apart"):
                    self.learn(target.items, "Map")
            case code.Add(target=target, value=value):
                self.learn(target, self.expression(value))
            case code.For(target=target, items=items, body=body):
                kind = self.expression(items)
                listed = isinstance(items, Name) and items.id in ("acts", "rest", "good")
                self.learn(target, ITEMS.get(kind or "") or ("A" if listed else None))
                self.statements(body)
            case code.Forever(body=body):
                self.statements(body)
            case code.If(test=test, body=body, otherwise=other):
                self.expression(test)
                before, number = self.move, move_of(test)
                self.move = number if number is not None else before
                self.statements(body)
                self.move = before
                self.statements(other)
            case code.Return(value=Value() as value):
                self.found.returns(self.function, self.expression(value))
            case code.Do(call=code.Method(owner, "append", (item,))):
                self._appended(owner, item)
            case code.Do(call=value):
                self.expression(value)
            case code.Ask(actions=actions, actor=actor):
                self.expression(actions)
                self.expression(actor)
            case code.ForChosen(player=player, players=players):
                self.expression(player)
                self.expression(players)
            case code.Fill(value=value) | code.LogRule(player=value):
                self.expression(value)
            case code.Break() | code.Open() | code.Use():
                return
            case _:
                raise untranslatable(node)

    def _appended(self, owner: Value, item: Value) -> None:
        owners: list[Value] = [owner.yes, owner.no] if isinstance(owner, code.Choice) else [owner]
        if isinstance(owner, code.Choice):
            self.expression(owner.test)
        for one in owners:
            if isinstance(one, Name):
                if one.id == "acts":
                    self.learn(one, "LA")
                elif one.id == "aims":
                    self.learn(one, "L")
                elif one.id in self.keyed and isinstance(item, code.Tuple):
                    self.learn(one, self._keyed(item.items[1]))
                else:
                    self.learn(one, self._list_of(self.expression(item)))
        for part in item.items if isinstance(item, code.Tuple) else [item]:
            self.expression(part)

    def _list_of(self, kind: Type | None) -> Type | None:
        return LISTS.get("L" if self.found.settled and kind == "L?" else kind or "")

    def _keyed(self, item: Value) -> Type | None:
        kind = self.expression(item)
        if self.found.settled:
            kind = "L" if kind == "L?" else kind or "I"
        return KEYED.get(kind or "")

    # ---- expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: Value) -> Type | None:
        match node:
            case code.Literal(value=None):
                return None
            case code.Literal() | code.Label() | code.Field():
                return "I"
            case code.Not() | code.Minus() | code.Compare():
                for child in code.children(node):
                    assert isinstance(child, Value)
                    self.expression(child)
                return "I"
            case Name(name):
                return self._name(name)
            case code.Choice(test=test, yes=yes, no=no):
                self.expression(test)
                return either(self.expression(yes), self.expression(no))
            case code.And(values=values) | code.Or(values=values):
                return self._junction(node, values)
            case code.Binary():
                return self._operation(node)
            case code.Item():
                return self._item(node)
            case code.Tuple(items=items) | code.List(items=items):
                return self._list_type(items)
            case code.Comprehension():
                return self._comprehension(node)
            case code.EmptyMap():
                return "Map"
            case code.RowCall(column=column, args=args):
                self.expression(node.row)
                return self._of_game(self.found.columns[column], [self.expression(a) for a in args])
            case code.Call():
                return self._call(node)
            case code.Method(args=args):
                for arg in args:
                    self.expression(arg)
                return None
        raise untranslatable(node)

    def _junction(self, node: code.And | code.Or, values: Sequence[Value]) -> Type | None:
        kinds, before = [], self.move
        for value in values:
            kinds.append(self.expression(value))
            number = move_of(value) if isinstance(node, code.And) else None
            self.move = number if number is not None else self.move
        self.move = before
        return kinds[0] if values[-1] == code.NO_ITEMS else "I"

    def _name(self, name: str) -> Type | None:
        if name in self.found.names[self.function]:
            return self.found.names[self.function][name]
        return of_constant(self.found.constants[name]) if name in self.found.constants else None

    def _operation(self, node: code.Binary) -> Type | None:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.operator == "*" and isinstance(node.left, code.Tuple | code.List):
            return left
        return either(left, right)

    def _item(self, node: code.Item) -> Type | None:
        place = self.expression(node.place)
        match node:
            case code.Item(Name("P")):
                return "L"
            case code.Item(Name("C"), at):
                number = at.value if isinstance(at, code.Literal) else None
                return "L" if number in (*self.found.places.lists, *self.found.places.aims) else "I"
            case code.Item(Name("a"), code.Literal(int(bound))):
                return self._bound(bound)
        kind = self.expression(node.items)
        if kind == "Map" or place == "A":
            return "I"
        return ITEMS.get(kind or "")

    def _bound(self, place: int) -> Type:
        moves = {self.move} if self.move >= 0 else self.moves
        return "I" if place == 0 or binding_of(self.found.places, moves, place).most is None else "L"

    def _list_type(self, items: Sequence[Value]) -> Type | None:
        if not items:
            return "L?"
        found: Type | None = None
        for item in items:
            spliced = isinstance(item, code.Star)
            kind = self.expression(item.value) if isinstance(item, code.Star) else self.expression(item)
            found = either(found, kind if spliced else self._list_of(kind))
        return found

    def _comprehension(self, node: code.Comprehension) -> Type | None:
        kind = self.expression(node.source)
        if isinstance(node.target, code.Tuple):
            self.learn(node.source, "Duos")
            return ("LA", "L")[node.target.items.index(node.item)]
        self.learn(node.target, ITEMS.get(kind or ""))
        if isinstance(node.item, code.Tuple):
            for part in node.item.items:
                self.expression(part)
            return "Duos"
        return LISTS.get(self.expression(node.item) or "")

    def _of_word(self, word: Word, first: Type | None) -> Type | None:
        """Return the result type of a built-in word.

        If the vocabulary has C for several types, the first argument decides.
        """
        gives = {c.takes[0]: c.gives for c in word.c}
        if len({*gives.values()}) == 1:
            return next(iter(gives.values()))
        if first == "L?":
            return first if gives["L"] == "L" else gives["L"] if self.found.settled else None
        return gives.get(first or "")

    def _call(self, node: code.Call) -> Type | None:
        name = node.function
        args = [self.expression(a) for a in node.args]
        if name in CALLS:
            return CALLS[name]
        if name in SAME or name.startswith("w_"):
            first = args[len(node.args) - len(arguments_of(node))]
            if name.startswith("w_"):
                return self._of_word(WORDS[name[2:]], first)
            return "LL" if name == "unique" else first
        if name == "in_order":
            return IN_ORDER.get(args[0] or "")
        return self._of_game([name], args)

    def _of_game(self, functions: Iterable[str], args: Sequence[Type | None]) -> Type | None:
        found = None
        for function in functions:
            if function in self.found.functions:
                for parameter, kind in zip(self.found.functions[function].parameters, args, strict=True):
                    if parameter not in _PARAMETERS and parameter not in ("P", "C", "s"):
                        self.found.learn(function, parameter, kind)
                found = either(found, self.found.values.get(function))
        return found


def of_constant(value: Any) -> Type | None:
    """Return the type of a constant of the namespace."""
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


def describe_constants(namespace: Mapping[str, Any]) -> str:
    """Return all constants as text. With the code of the functions, they identify a C text."""
    kept = (
        (name, value)
        for name, value in namespace.items()
        if isinstance(value, int | tuple | range | Aim | Guard | Tally)
    )
    return "\n".join(f"{name} = {value!r}" for name, value in kept)


class Constants:
    """Writes the constants that functions name as C."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self.namespace, self.used = namespace, dict[str, Any]()
        self.numbered: list[Any] = []
        self.tables = frozenset(name for name, value in namespace.items() if isinstance(value, tuple))
        """Names of lists that never change."""

    def of(self, node: Value) -> Any:
        assert isinstance(node, Name)
        return self.namespace[node.id]

    def number_of(self, node: Value) -> int:
        """Return the index of a guard or an aim in C."""
        found = self.of(node)
        alike = [c for c in self.numbered if type(c) is type(found)]
        if found not in alike:
            self.numbered.append(found)
            alike.append(found)
        return alike.index(found)

    def run(self, node: Value) -> range | None:
        """Return the numbers of a constant list as a range if they are consecutive, else None."""
        value = self.namespace.get(node.id) if isinstance(node, Name) else None
        match value:
            case tuple() | range() if value and all(type(item) is int for item in value):
                numbers = range(value[0], value[0] + len(value))
                return numbers if tuple(numbers) == tuple(value) else None
        return None

    def is_table(self, node: Value) -> bool:
        return isinstance(node, Name) and node.id in self.used

    def name(self, name: str) -> tuple[str, Type]:
        value = self.namespace.get(name, self)
        if isinstance(value, int):
            return in_digits(int(value)), "I"
        kind = of_constant(value) if isinstance(value, tuple | range) else None
        if kind is None:
            raise Untranslatable(f"the constant {name}")
        self.used[name] = value
        return f"{name}_", kind


def in_digits(value: int) -> str:
    return f"{value}ll" if abs(value) > 2**31 - 1 else str(value)
