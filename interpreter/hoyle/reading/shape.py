"""A tree against a JSON Schema, in one pass: each place where the tree is not as it must be, and where its formulas stand.

Knows the words of JSON Schema (draft 7) that the grammar uses, and looks at the tree itself, so that what it finds has its place in the
file. A test holds its answers against another validator's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Problems, Said, Span, verbatim
from hoyle.language.sentences import said
from hoyle.reading.grammar import Schema, grammar, once_a_part
from hoyle.reading.tree import Node

Path = tuple[str | int, ...]
DEEPEST_KNOWN = 2
"""How deep what is known to have its shape may stand: sections and their entries."""


class Place(Struct, frozen=True):
    """A value with its key, or with the key of the list it is an item of."""

    path: Path
    key: Node | None
    value: Node

    @property
    def name(self) -> Said:
        return verbatim(f"`{self.key.raw}`") if self.key else said("shape.this_file")

    @property
    def in_list(self) -> bool:
        return bool(self.path) and isinstance(self.path[-1], int)

    @property
    def subject(self) -> Said:
        """What a message calls it."""
        return said("shape.what_stands", name=self.name) if self.in_list else self.name

    @property
    def head(self) -> Span:
        """The name that something is missing from: its key, or the first key of the file."""
        if self.key is not None and not self.in_list:
            return self.key.span
        return next(iter(self.value.pairs.values()))[0].span if self.value.pairs else self.shown

    @property
    def shown(self) -> Span:
        """The value if it can be pointed at, else its key: a block may be long, and nothing cannot be seen."""
        is_visible = self.value.style != "block" and self.value.span.end > self.value.span.start
        return self.value.span if is_visible or self.key is None else self.key.span


class Finding(Struct, frozen=True):
    """A word of the schema that does not hold. `schema` is the part it stands in; `name`: it is about this key of the map."""

    word: str
    wanted: Any
    schema: Schema
    place: Place
    name: str = ""


class FormulaPlace(Struct, frozen=True):
    """A place where a formula stands, and the kind it must have. `is_key` if the formula is the key of the pair."""

    path: Path
    node: Node
    kind: str
    is_key: bool = False


Shaped = frozenset[tuple[int, Path]]
"""Sections and entries in which nothing is amiss, each with the part of the grammar that it was held against (by its identity: the grammar is read once)."""


class Shape(Struct):
    """What one pass over a tree has found; `known` is not looked at again, and its formulas are left out."""

    findings: list[Finding] = []
    formulas: list[FormulaPlace] = []
    known: Shaped = frozenset()
    shaped: set[tuple[int, Path]] = set()


def shape_of(node: Node, what: str = "ruleset", known: Shaped = frozenset()) -> Shape:
    """What `node` has of the shape of a ruleset, or of one of the schema's definitions. `known`: what of this tree has the shape that it must."""
    found = Shape(known=known)
    _look(grammar() if what == "ruleset" else grammar()["definitions"][what], Place((), None, node), found)
    return found


def formulas(node: Node) -> list[FormulaPlace]:
    """Every formula of a ruleset with the kind the schema asks of it, in the order of the schema."""
    return shape_of(node).formulas


Word = Callable[[Any, Schema, Place, Shape], None]


def _look(schema: Schema | bool, place: Place, found: Shape) -> None:
    if isinstance(schema, bool):
        return
    if 0 < len(place.path) <= DEEPEST_KNOWN:
        _look_once(schema, place, found)
        return
    for rule, wanted in _rules(schema):
        rule(wanted, schema, place, found)


def _look_once(schema: Schema, place: Place, found: Shape) -> None:
    one = id(schema), place.path
    before = len(found.findings)
    for rule, wanted in () if one in found.known else _rules(schema):
        rule(wanted, schema, place, found)
    if len(found.findings) == before:
        found.shaped.add(one)


@once_a_part
def _rules(schema: Schema) -> list[tuple[Word, Any]]:
    """What the words of a part of the schema ask for; those that only describe ask for nothing."""
    return [(_WORDS[word], wanted) for word, wanted in schema.items() if word in _WORDS]


def _holds(schema: Schema, place: Place) -> bool:
    if _lacks(place.value, schema.get("required", ())):  # most verbs of a step are not there
        return False
    found = Shape()
    _look(schema, place, found)
    return not found.findings


# ---- what stands inside ----------------------------------------------------------------------------------------------


def _ref(wanted: str, schema: Schema, place: Place, found: Shape) -> None:
    _look(grammar()["definitions"][wanted.rpartition("/")[2]], place, found)


def _properties(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    pairs, path = place.value.pairs, place.path
    for name, part in wanted.items() if len(wanted) < len(pairs) else ((n, wanted[n]) for n in pairs if n in wanted):
        if name in pairs:
            key, value = pairs[name]
            _look(part, Place((*path, name), key, value), found)


def _additional(wanted: Schema | bool, schema: Schema, place: Place, found: Shape) -> None:
    """Keys that `properties` does not name."""
    known = schema.get("properties", {})
    others = [pair for pair in place.value.pairs.items() if pair[0] not in known]
    if wanted is False and others:
        found.findings.append(Finding("additionalProperties", wanted, schema, place))
    for name, (key, value) in others if isinstance(wanted, dict) else ():
        _look(wanted, Place((*place.path, name), key, value), found)


def _items(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    for number, item in enumerate(place.value.items):
        _look(wanted, Place((*place.path, number), place.key, item), found)


def _names(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    """`propertyNames`: keys are texts, so they are judged by `pattern` and `enum` alone."""
    pattern, choices = wanted.get("pattern"), wanted.get("enum")
    for name in place.value.pairs:
        if pattern is not None and not re.search(pattern, name):
            found.findings.append(Finding("key pattern", pattern, wanted, place, name))
        if choices is not None and name not in choices:
            found.findings.append(Finding("key enum", choices, wanted, place, name))


def _formula(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    if place.value.kind == "scalar" and isinstance(place.value.value, str | int):
        found.formulas.append(FormulaPlace(place.path, place.value, wanted["kind"]))


def _formula_keys(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    for name, (key, _) in place.value.pairs.items():
        found.formulas.append(FormulaPlace((*place.path, name), key, wanted["kind"], is_key=True))


# ---- one, some or all of several schemas -----------------------------------------------------------------------------


def _all_of(wanted: list[Schema], schema: Schema, place: Place, found: Shape) -> None:
    for part in wanted:
        _look(part, place, found)


def _any_of(wanted: list[Schema], schema: Schema, place: Place, found: Shape) -> None:
    if not any(_holds(part, place) for part in wanted):
        found.findings.append(Finding("anyOf", wanted, schema, place))


def _one_of(wanted: list[Schema], schema: Schema, place: Place, found: Shape) -> None:
    if sum(_holds(part, place) for part in wanted) != 1:
        found.findings.append(Finding("oneOf", wanted, schema, place))


def _not(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    if _holds(wanted, place):
        found.findings.append(Finding("not", wanted, schema, place))


def _if(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    _look(schema.get("then" if _holds(wanted, place) else "else", True), place, found)


def _dependencies(wanted: Schema, schema: Schema, place: Place, found: Shape) -> None:
    for name, needed in wanted.items():
        if name not in place.value.pairs:
            continue
        if isinstance(needed, dict):
            _look(needed, place, found)
        elif not all(other in place.value.pairs for other in needed):
            found.findings.append(Finding("dependencies", wanted, schema, place))


# ---- one value -------------------------------------------------------------------------------------------------------


def _is_type(node: Node, wanted: str) -> bool:
    if node.kind != "scalar":
        return wanted == ("object" if node.kind == "map" else "array")
    return isinstance(node.value, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(node.value, bool))


_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": (),
    "array": (),
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
Test = Callable[[Node, Any], bool]


def _test(word: str, fails: Test) -> Word:
    """A word that is a test of the value alone."""

    def rule(wanted: Any, schema: Schema, place: Place, found: Shape) -> None:
        if fails(place.value, wanted):
            found.findings.append(Finding(word, wanted, schema, place))

    return rule


def _not_a_type(node: Node, wanted: str | list[str]) -> bool:
    if isinstance(wanted, str):
        return not _is_type(node, wanted)
    return not any(_is_type(node, name) for name in wanted)


def _lacks(node: Node, wanted: Sequence[str]) -> bool:
    return node.kind == "map" and any(name not in node.pairs for name in wanted)


def _is_value(node: Node, wanted: Any) -> bool:
    return node.kind == "scalar" and node.value == wanted and type(node.value) is type(wanted)


def _repeats(node: Node, wanted: bool) -> bool:
    return len({json.dumps(item.plain(), sort_keys=True) for item in node.items}) < len(node.items)


def _too_small(node: Node, wanted: int) -> bool:
    return _is_type(node, "number") and isinstance(node.value, int | float) and node.value < wanted


_TESTS: dict[str, Test] = {
    "type": _not_a_type,
    "enum": lambda node, wanted: not any(_is_value(node, choice) for choice in wanted),
    "const": lambda node, wanted: not _is_value(node, wanted),
    "pattern": lambda node, wanted: isinstance(node.value, str) and not re.search(wanted, node.value),
    "required": _lacks,
    "minimum": _too_small,
    "minItems": lambda node, wanted: node.kind == "list" and len(node.items) < wanted,
    "maxItems": lambda node, wanted: node.kind == "list" and len(node.items) > wanted,
    "minProperties": lambda node, wanted: node.kind == "map" and len(node.pairs) < wanted,
    "maxProperties": lambda node, wanted: node.kind == "map" and len(node.pairs) > wanted,
    "uniqueItems": _repeats,
}
_WORDS: dict[str, Word] = {
    "$ref": _ref,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "propertyNames": _names,
    "x-formula": _formula,
    "x-formula-keys": _formula_keys,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "dependencies": _dependencies,
    **{word: _test(word, fails) for word, fails in _TESTS.items()},
}


Rule = Callable[[Finding, list[str], Problems], None]
"""Reports a finding; the names are the unknown keys of the same map, which may be slips of the pen."""
