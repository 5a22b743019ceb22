"""Look up what the schema of rulesets says about a path: its keys, choices, descriptions and formulas."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.reading.grammar import Schema, grammar
from hoyle.reading.shape import Path


def _find_schemas(path: Path) -> list[Schema]:
    """Return all parts of the schema that may describe the value at a path. Both branches of a condition are included."""
    schemas = list(_expand(grammar()))
    for key in path:
        inner = [_get_member(schema, key) for schema in schemas]
        schemas = [expanded for schema in inner for expanded in _expand(schema)]
    return schemas


def _expand(schema: Schema | bool, depth: int = 0) -> Iterator[Schema]:
    """Yield a schema with all schemas that it refers to, combines or has conditions for."""
    if isinstance(schema, bool) or depth > 8:
        return
    yield schema
    if "$ref" in schema:
        yield from _expand(grammar()["definitions"][schema["$ref"].rpartition("/")[2]], depth + 1)
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, ()):
            yield from _expand(part, depth + 1)
    for word in ("then", "else"):
        yield from _expand(schema.get(word, True), depth + 1)


def _get_member(schema: Schema, key: str | int) -> Schema | bool:
    """Return the schema of an item (int) or a property (str)."""
    if isinstance(key, int):
        member: Schema | bool = schema.get("items", True)
    elif key in schema.get("properties", {}):
        member = schema["properties"][key]
    else:
        member = schema.get("additionalProperties", True)
    return member


def list_keys(path: Path) -> dict[str, Schema]:
    """Return the keys allowed in the map at a path, with their schemas. A schema with a description is preferred."""
    keys: dict[str, Schema] = {}
    for schema in _find_schemas(path):
        for name, part in schema.get("properties", {}).items():
            if isinstance(part, dict) and (
                name not in keys or ("description" in part and "description" not in keys[name])
            ):
                keys[name] = part
    return keys


def find_description(path: Path) -> Schema | None:
    """Return the described schema of the last key of a path; None for names that authors choose."""
    if not path or isinstance(path[-1], int):
        return None
    schema = list_keys(path[:-1]).get(path[-1])
    return schema if schema is not None and "description" in schema else None


def list_choices(path: Path) -> list[str]:
    """Return the literal values that are allowed at a path."""
    schemas = _find_schemas(path)
    values = [value for s in schemas for value in [*s.get("enum", ()), *([s["const"]] if "const" in s else ())]]
    if any(schema.get("type") == "boolean" for schema in schemas):
        values += [True, False]
    texts = (str(value).lower() if isinstance(value, bool) else str(value) for value in values if value is not None)
    return list(dict.fromkeys(texts))


def find_formula_kind(path: Path) -> str:
    """Return the kind of formula at a path (`x-formula`); empty if there is no formula."""
    return next((str(s["x-formula"]["kind"]) for s in _find_schemas(path) if "x-formula" in s), "")


def has_formula_keys(path: Path) -> bool:
    """Return whether the keys of the map at a path are formulas."""
    return any("x-formula-keys" in schema for schema in _find_schemas(path))
