"""What the grammar says of a place in a ruleset: the parts of the schema that may describe it."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.reading.grammar import Schema, grammar
from hoyle.reading.shape import Path


def schemas(path: Path) -> list[Schema]:
    """Every part of the grammar that may describe the value there, whichever way its conditions fall."""
    found = list(_whole(grammar()))
    for key in path:
        found = [whole for part in found for inner in _inside(part, key) for whole in _whole(inner)]
    return found


def _whole(schema: Schema | bool, depth: int = 0) -> Iterator[Schema]:
    """A part with all that it refers to, chooses from or adds."""
    if isinstance(schema, bool) or depth > 8:
        return
    yield schema
    if "$ref" in schema:
        yield from _whole(grammar()["definitions"][schema["$ref"].rpartition("/")[2]], depth + 1)
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, ()):
            yield from _whole(part, depth + 1)
    for word in ("then", "else"):
        yield from _whole(schema.get(word, True), depth + 1)


def _inside(schema: Schema, key: str | int) -> Iterator[Schema | bool]:
    if isinstance(key, int):
        yield schema.get("items", True)
    elif key in schema.get("properties", {}):
        yield schema["properties"][key]
    else:
        yield schema.get("additionalProperties", True)


def keys(path: Path) -> dict[str, Schema]:
    """The keys that the map there may have, by the grammar, each with what describes it best."""
    found: dict[str, Schema] = {}
    for schema in schemas(path):
        for name, part in schema.get("properties", {}).items():
            if isinstance(part, dict) and ("description" not in found.get(name, {})):
                found[name] = part if "description" in part or name not in found else found[name]
    return found


def described(path: Path) -> Schema | None:
    """What the grammar says of the key that a path ends with, if it is one of the language's own."""
    if not path or isinstance(path[-1], int):
        return None
    part = keys(path[:-1]).get(path[-1])
    return part if part is not None and "description" in part else None


def choices(path: Path) -> list[str]:
    """The words that the value there is one of."""
    found = [c for s in schemas(path) for c in [*s.get("enum", ()), *([s["const"]] if "const" in s else ())]]
    if any(s.get("type") == "boolean" for s in schemas(path)):
        found += [True, False]
    return list(dict.fromkeys(str(c).lower() if isinstance(c, bool) else str(c) for c in found if c is not None))


def formula_kind(path: Path) -> str:
    """The kind of formula that stands there (`x-formula`), if one does."""
    return next((str(s["x-formula"]["kind"]) for s in schemas(path) if "x-formula" in s), "")


def keys_are_formulas(path: Path) -> bool:
    """Are the keys of the map there formulas, too?"""
    return any("x-formula-keys" in s for s in schemas(path))
