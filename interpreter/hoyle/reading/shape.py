"""Validation of trees by the JSON Schema of rulesets, in one pass: every violation, and every formula with its kind.

Implements the keywords of JSON Schema (draft 7) that the grammar uses, on nodes, so that each violation has its place in the file. A
test compares its answers with `jsonschema`, which takes five times as long and knows no places.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import LocalizedText, Problems, Span, verbatim
from hoyle.language.sentences import make_message
from hoyle.reading.grammar import Schema, cache_by_schema, grammar
from hoyle.reading.tree import Node

Path = tuple[str | int, ...]
DEEPEST_KNOWN = 2
"""The depth to which valid parts are remembered: sections and their entries."""


class Place(Struct, frozen=True):
    """A value with its key, or with the key of the list that it is an item of."""

    path: Path
    key: Node | None
    value: Node

    @property
    def name(self) -> LocalizedText:
        return verbatim(f"`{self.key.raw}`") if self.key else make_message("shape.this_file")

    @property
    def is_in_list(self) -> bool:
        return bool(self.path) and isinstance(self.path[-1], int)

    @property
    def subject(self) -> LocalizedText:
        """The subject of a message about the value."""
        return make_message("shape.what_stands", name=self.name) if self.is_in_list else self.name

    @property
    def head(self) -> Span:
        """The place of a missing key: the key of the map, or the first key of the file."""
        if self.key is not None and not self.is_in_list:
            return self.key.span
        return next(iter(self.value.pairs.values()))[0].span if self.value.pairs else self.shown

    @property
    def shown(self) -> Span:
        """The value; of a block, which may be long, or an empty value the key."""
        is_visible = self.value.style != "block" and self.value.span.end > self.value.span.start
        return self.value.span if is_visible or self.key is None else self.key.span


class Violation(Struct, frozen=True):
    """A keyword of the schema that does not hold.

    word    the keyword (`key pattern` and `key enum` for those of `propertyNames`)
    wanted  its value
    schema  the part of the schema that contains it
    name    the key of the map that it is about, if it is about one
    """

    word: str
    wanted: Any
    schema: Schema
    place: Place
    name: str = ""


Rule = Callable[[Violation, list[str], Problems], None]
"""Reports a violation. The names are the unknown keys of the same map, which may be misspelt."""


class FormulaPlace(Struct, frozen=True):
    """A scalar that is a formula, and the type of value it must have. `is_key`: the formula is the key of a pair."""

    path: Path
    node: Node
    kind: str
    is_key: bool = False


ValidParts = frozenset[tuple[int, Path]]
"""Valid sections and entries, each with the identity of the part of the schema."""


class ShapeReport(Struct):
    """The result of a validation. Parts in `known` were valid before; they are skipped, and their formulas are left out."""

    violations: list[Violation] = []
    formulas: list[FormulaPlace] = []
    known: ValidParts = frozenset()
    valid: set[tuple[int, Path]] = set()


def validate_shape(node: Node, what: str = "ruleset", known: ValidParts = frozenset()) -> ShapeReport:
    """Validate a tree by the schema of a ruleset or by one of its definitions. `known`: valid parts of this tree."""
    report = ShapeReport(known=known)
    _validate(grammar() if what == "ruleset" else grammar()["definitions"][what], Place((), None, node), report)
    return report


def formulas(node: Node) -> list[FormulaPlace]:
    """Every formula of a ruleset, in the order of the schema."""
    return validate_shape(node).formulas


Keyword = Callable[[Any, Schema, Place, ShapeReport], None]


def _validate(schema: Schema | bool, place: Place, report: ShapeReport) -> None:
    if isinstance(schema, bool):
        return
    if not 0 < len(place.path) <= DEEPEST_KNOWN:
        for check, wanted in _checks(schema):
            check(wanted, schema, place, report)
        return
    part, before = (id(schema), place.path), len(report.violations)
    for check, wanted in () if part in report.known else _checks(schema):
        check(wanted, schema, place, report)
    if len(report.violations) == before:
        report.valid.add(part)


@cache_by_schema
def _checks(schema: Schema) -> list[tuple[Keyword, Any]]:
    return [(_KEYWORDS[word], wanted) for word, wanted in schema.items() if word in _KEYWORDS]


def _is_valid(schema: Schema, place: Place) -> bool:
    if _lacks_key(place.value, schema.get("required", ())):  # a short cut: most verbs of a step are not there
        return False
    report = ShapeReport()
    _validate(schema, place, report)
    return not report.violations


# ---- keys and items --------------------------------------------------------------------------------------------------


def _ref(wanted: str, schema: Schema, place: Place, report: ShapeReport) -> None:
    _validate(grammar()["definitions"][wanted.rpartition("/")[2]], place, report)


def _properties(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    pairs, path = place.value.pairs, place.path
    for name, part in wanted.items() if len(wanted) < len(pairs) else ((n, wanted[n]) for n in pairs if n in wanted):
        if name in pairs:
            key, value = pairs[name]
            _validate(part, Place((*path, name), key, value), report)


def _additional_properties(wanted: Schema | bool, schema: Schema, place: Place, report: ShapeReport) -> None:
    known = schema.get("properties", {})
    others = [pair for pair in place.value.pairs.items() if pair[0] not in known]
    if wanted is False and others:
        report.violations.append(Violation("additionalProperties", wanted, schema, place))
    for name, (key, value) in others if isinstance(wanted, dict) else ():
        _validate(wanted, Place((*place.path, name), key, value), report)


def _items(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    for number, item in enumerate(place.value.items):
        _validate(wanted, Place((*place.path, number), place.key, item), report)


def _property_names(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    pattern, choices = wanted.get("pattern"), wanted.get("enum")
    for name in place.value.pairs:
        if pattern is not None and not re.search(pattern, name):
            report.violations.append(Violation("key pattern", pattern, wanted, place, name))
        if choices is not None and name not in choices:
            report.violations.append(Violation("key enum", choices, wanted, place, name))


def _formula(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    if place.value.kind == "scalar" and isinstance(place.value.value, str | int):
        report.formulas.append(FormulaPlace(place.path, place.value, wanted["kind"]))


def _formula_keys(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    for name, (key, _) in place.value.pairs.items():
        report.formulas.append(FormulaPlace((*place.path, name), key, wanted["kind"], is_key=True))


# ---- combinations of schemas -----------------------------------------------------------------------------------------


def _all_of(wanted: list[Schema], schema: Schema, place: Place, report: ShapeReport) -> None:
    for part in wanted:
        _validate(part, place, report)


def _if(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    _validate(schema.get("then" if _is_valid(wanted, place) else "else", True), place, report)


def _dependencies(wanted: Schema, schema: Schema, place: Place, report: ShapeReport) -> None:
    for name, needed in wanted.items():
        if name not in place.value.pairs:
            continue
        if isinstance(needed, dict):
            _validate(needed, place, report)
        elif not all(other in place.value.pairs for other in needed):
            report.violations.append(Violation("dependencies", wanted, schema, place))


# ---- tests of a value ------------------------------------------------------------------------------------------------


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


def _test(word: str, fails: Callable[[Place, Any], bool]) -> Keyword:
    """A keyword that is a test of the value alone."""

    def check(wanted: Any, schema: Schema, place: Place, report: ShapeReport) -> None:
        if fails(place, wanted):
            report.violations.append(Violation(word, wanted, schema, place))

    return check


def _has_other_type(place: Place, wanted: str | list[str]) -> bool:
    return not any(_is_type(place.value, name) for name in ([wanted] if isinstance(wanted, str) else wanted))


def _lacks_key(node: Node, wanted: Sequence[str]) -> bool:
    return node.kind == "map" and any(name not in node.pairs for name in wanted)


def _is_value(node: Node, wanted: Any) -> bool:
    return node.kind == "scalar" and node.value == wanted and type(node.value) is type(wanted)


def _has_duplicates(place: Place, wanted: bool) -> bool:
    items = place.value.items
    return len({json.dumps(item.plain(), sort_keys=True) for item in items}) < len(items)


def _is_too_small(place: Place, wanted: int) -> bool:
    node = place.value
    return _is_type(node, "number") and isinstance(node.value, int | float) and node.value < wanted


_TESTS: dict[str, Callable[[Place, Any], bool]] = {
    "type": _has_other_type,
    "enum": lambda place, wanted: not any(_is_value(place.value, choice) for choice in wanted),
    "const": lambda place, wanted: not _is_value(place.value, wanted),
    "pattern": lambda place, wanted: isinstance(place.value.value, str) and not re.search(wanted, place.value.value),
    "required": lambda place, wanted: _lacks_key(place.value, wanted),
    "minimum": _is_too_small,
    "minItems": lambda place, wanted: place.value.kind == "list" and len(place.value.items) < wanted,
    "maxItems": lambda place, wanted: place.value.kind == "list" and len(place.value.items) > wanted,
    "minProperties": lambda place, wanted: place.value.kind == "map" and len(place.value.pairs) < wanted,
    "maxProperties": lambda place, wanted: place.value.kind == "map" and len(place.value.pairs) > wanted,
    "uniqueItems": _has_duplicates,
    "anyOf": lambda place, wanted: not any(_is_valid(part, place) for part in wanted),
    "oneOf": lambda place, wanted: sum(_is_valid(part, place) for part in wanted) != 1,
    "not": lambda place, wanted: _is_valid(wanted, place),
}
_KEYWORDS: dict[str, Keyword] = {
    "$ref": _ref,
    "properties": _properties,
    "additionalProperties": _additional_properties,
    "items": _items,
    "propertyNames": _property_names,
    "x-formula": _formula,
    "x-formula-keys": _formula_keys,
    "allOf": _all_of,
    "if": _if,
    "dependencies": _dependencies,
    **{word: _test(word, fails) for word, fails in _TESTS.items()},
}
