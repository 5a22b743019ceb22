"""Access to the JSON Schema of rulesets: its texts in each language, the keys of steps, and where entries have text.

`shape` validates trees by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from msgspec import Struct

from hoyle.diagnostics import LocalizedText
from hoyle.language.sentences import FALLBACK, LANGUAGES, join_alternatives, make_localized, typeset
from hoyle.reading.tree import Node, is_text_key
from hoyle.resources import folder

Schema = dict[str, Any]
T = TypeVar("T")


@cache
def schema_text() -> str:
    """Return the text of the schema."""
    return (folder("grammar") / "ruleset.schema.json").read_text(encoding="utf-8")


@cache
def grammar() -> Schema:
    """Return the schema of a whole ruleset. Its `definitions` are the schemas of parts."""
    return dict(json.loads(schema_text()))


def cache_by_schema(function: Callable[[Schema], T]) -> Callable[[Schema], T]:
    """Cache the results of a function by the identity of its argument. Parts of the schema never change."""
    known: dict[int, tuple[Schema, T]] = {}  # with the part itself, which must outlive its identity

    def cached(schema: Schema) -> T:
        result = known.get(id(schema))
        if result is None:
            result = known[id(schema)] = schema, function(schema)
        return result[1]

    return cached


# ---- texts of the schema ---------------------------------------------------------------------------------------------

_TEXT = re.compile(r'("(?:title|description)": )("(?:[^"\\]|\\.)*")')


def schema_in(lang: str) -> str:
    """Return the text of the schema with titles and descriptions in a language."""

    def translate(match: re.Match[str]) -> str:
        return match[1] + json.dumps(translate_schema_text(json.loads(match[2]), lang), ensure_ascii=False)

    return _TEXT.sub(translate, schema_text())


def translate_schema_text(text: str, lang: str) -> str:
    """Translate a title, description or `x-` text of the schema. Without a translation it is unchanged."""
    known = schema_translations(lang)
    return typeset(known[text], lang) if text in known else text


@cache
def schema_translations(lang: str) -> Mapping[str, str]:
    """Return the translations of the schema's English texts."""
    if lang == FALLBACK or lang not in LANGUAGES:
        return {}
    return dict(json.loads((folder("grammar") / f"ruleset.schema.{lang}.json").read_text(encoding="utf-8")))


def schema_message(text: str) -> LocalizedText:
    """Return a text of the schema in every language."""
    return make_localized(partial(translate_schema_text, text))


_NOT_PLAIN = r"^[\[\]{}&*!|>'\"%@`#,]|: | #|:$"
"""Matches texts that need quotes in YAML."""
_NOT_PLAIN_IN_FLOW = rf"{_NOT_PLAIN}|[,\[\]{{}}]"


def to_flow_yaml(value: Any, inside: bool = False) -> str:
    """Write plain data as YAML on one line. With `inside` (in brackets or braces), texts with commas are quoted."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {to_flow_yaml(item, True)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(to_flow_yaml(item, True) for item in value) + "]"
    if isinstance(value, str) and re.search(_NOT_PLAIN_IN_FLOW if inside else _NOT_PLAIN, value):
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "~"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def quote_names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def one_of_names(names: Iterable[str]) -> LocalizedText:
    """Join names as "`a`, `b` or `c`", in every language."""
    return join_alternatives(f"`{name}`" for name in names)


# ---- keys of steps ---------------------------------------------------------------------------------------------------


def step_verbs() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["x-verbs"])


def step_keys() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["properties"])


@cache
def keys_by_verb() -> dict[str, tuple[str, ...]]:
    """Return the keys allowed in a step with each verb, including the verb itself."""
    parts = [part["then"].get("propertyNames") for part in grammar()["definitions"]["step"]["allOf"]]
    return {names["x-verb"]: tuple(names["enum"]) for names in parts if names is not None}


@cache
def shared_step_keys() -> tuple[str, ...]:
    """Return the keys allowed in a step with any verb."""
    shared = set.intersection(*(set(names) for names in keys_by_verb().values()))
    return tuple(key for key in step_keys() if key in shared)


@cache
def required_by_verb() -> dict[str, tuple[str, ...]]:
    """Return the keys that each verb requires. Any of the merged files may have them."""
    parts: list[dict[str, Any]] = grammar()["definitions"]["strict_step"]["allOf"]
    return {part["then"]["x-verb"]: tuple(part["then"]["required"]) for part in parts}


# ---- entries with text -----------------------------------------------------------------------------------------------


class Branch(Struct, frozen=True):
    """The path from an entry to an inner entry with text: the keys in between, and the schema of the inner entry."""

    keys: tuple[str, ...]
    schema: Schema

    @property
    def name(self) -> str:
        return self.keys[-1]


def has_text(schema: Schema) -> bool:
    """Return whether entries of this schema have a text in each language."""
    return FALLBACK in schema.get("properties", {})


def may_hold_text(section: str) -> bool:
    """Return whether a section of a ruleset may have text for people."""
    part = _resolve(grammar()["properties"][section])
    return has_text(part) or _entry_schema(part) is not None or _names_others(part)


def branches(schema: Schema, node: Node) -> Iterator[Branch]:
    """Yield the entries inside an entry that have text, or that contain entries with text.

    Entries below a key of their own, such as conditions under `if` and steps under `do`, also count as inside.
    """
    for name in _candidate_keys(schema, node):
        part = _key_schema(schema, node, name)
        entry = _entry_schema(part) if part is not None else None
        if part is None or not (has_text(part) or entry is not None or _names_others(part)):
            continue
        yield Branch((name,), part)
        if entry is not None and not has_text(part) and schema is not grammar():
            yield from (Branch((name, below), entry) for below in _entry_names(part, node, name))


def _candidate_keys(schema: Schema, node: Node) -> list[str]:
    """Return the keys of a node and those that only translations use: for names of choices and seats, symbols of rows."""
    present = [name for name, (_, value) in node.pairs.items() if value.kind != "list" and not is_text_key(name)]
    naming, new = _translation_keys(schema)
    given = [key for key, others in naming.items() if any(node.get(other) is not None for other in others)]
    return [*present, *(key for key in (*given, *new) if key not in node.pairs)]


@cache_by_schema
def _translation_keys(schema: Schema) -> tuple[dict[str, list[str]], list[str]]:
    """Return the keys that translate names under other keys (`x-names`), and keys only translations have (`x-anew`)."""
    parts = schema.get("properties", {})
    naming = {key: part["x-names"] for key, part in parts.items() if "x-names" in part}
    return naming, [key for key, part in parts.items() if part.get("x-anew")]


def _names_others(schema: Schema) -> bool:
    """Return whether a key translates names under other keys: `players` has no text itself, but its seats do."""
    return bool(_translation_keys(schema)[0])


def _entry_names(part: Schema, node: Node, key: str) -> list[str]:
    """Return the names of entries under a key, and the names that the key translates (`x-names`)."""
    present = node.get(key)
    names = [*present.pairs] if present is not None else []
    for other in part.get("x-names", ()):
        value = node.get(other)
        names += [*value.pairs, *(item.raw for item in value.items)] if value is not None else []
    return [name for name in dict.fromkeys(names) if not is_text_key(name)]


def _key_schema(schema: Schema, node: Node, name: str) -> Schema | None:
    """Return the schema of a node's key, or of an entry with this name. In a step, the verb decides the schema."""
    for part in schema.get("allOf", ()):
        if name in part.get("then", {}).get("properties", {}) and all(k in node.pairs for k in part["if"]["required"]):
            return _resolve(part["then"]["properties"][name])
    own = schema.get("properties", {}).get(name)
    return _resolve(own) if own is not None else _entry_schema(schema)


@cache_by_schema
def _entry_schema(schema: Schema) -> Schema | None:
    """Return the schema of the entries of a map, if they have text."""
    additional = schema.get("additionalProperties")
    entry = _resolve(additional) if isinstance(additional, dict) else None
    return entry if entry is not None and has_text(entry) else None


@cache_by_schema
def _resolve(schema: Schema) -> Schema:
    """Follow the `$ref` of a part, if it has one."""
    reference = next((part["$ref"] for part in [schema, *schema.get("allOf", ())] if "$ref" in part), None)
    return _resolve(grammar()["definitions"][reference.rpartition("/")[2]]) if reference is not None else schema
