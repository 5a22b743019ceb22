"""The constants of a game that its functions name, as C."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hoyle.compiling.code import Name, Value
from hoyle.native.forms import Type, Untranslatable
from hoyle.native.inference import of_constant
from hoyle.running.lookahead import Aim
from hoyle.running.verbs import Guard, Tally


def told(namespace: Mapping[str, Any]) -> str:
    """All constants that a text may be written from, in words: with the code of its functions they say which text it is."""
    kept = (
        (name, value)
        for name, value in namespace.items()
        if isinstance(value, int | tuple | range | Aim | Guard | Tally)
    )
    return "\n".join(f"{name} = {value!r}" for name, value in kept)


class Constants:
    """The constants of a game that its functions name, as C."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self.namespace, self.used = namespace, dict[str, Any]()
        self.numbered: list[Any] = []
        self.tables = frozenset(name for name, value in namespace.items() if isinstance(value, tuple))
        """The names of lists that never change."""

    def of(self, node: Value) -> Any:
        assert isinstance(node, Name)
        return self.namespace[node.id]

    def number_of(self, node: Value) -> int:
        """Guards and aims are known by their numbers."""
        found = self.of(node)
        alike = [c for c in self.numbered if type(c) is type(found)]
        if found not in alike:
            self.numbered.append(found)
            alike.append(found)
        return alike.index(found)

    def run(self, node: Value) -> range | None:
        """The numbers of a constant list, if each is one more than that before."""
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
