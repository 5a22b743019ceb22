"""Where a ruleset has words: the places of a tree that take a text in each language, as the grammar of rulesets says, and what they are
called in files of words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from msgspec import Struct

from hoyle.diagnostics import Said
from hoyle.language.sentences import FALLBACK, LANGUAGES, either_of, in_each, typeset
from hoyle.reading.tree import Node, is_text_key
from hoyle.resources import folder

Schema = dict[str, Any]


T = TypeVar("T")


@cache
def schema_text() -> str:
    """The JSON Schema of rulesets, for editors."""
    return (folder("grammar") / "ruleset.schema.json").read_text(encoding="utf-8")


@cache
def grammar() -> Schema:
    return dict(json.loads(schema_text()))


def once_a_part(ask: Callable[[Schema], T]) -> Callable[[Schema], T]:
    """What is asked of parts of the grammar, each time anew, though these never change: worked out once for each."""
    known: dict[int, tuple[Schema, T]] = {}  # with the part itself, which must outlive its number

    def answer(schema: Schema) -> T:
        found = known.get(id(schema))
        if found is None:
            found = known[id(schema)] = schema, ask(schema)
        return found[1]

    return answer


class Way(Struct, frozen=True):
    """From an entry to one inside it: the keys that lead there, and what the grammar says of it."""

    keys: tuple[str, ...]
    schema: Schema

    @property
    def name(self) -> str:
        return self.keys[-1]


def takes_words(schema: Schema) -> bool:
    """Has what is described so a text in each language?"""
    return FALLBACK in schema.get("properties", {})


def says_words(section: str) -> bool:
    """May a section of a ruleset hold something that people read?"""
    part = _resolved(grammar()["properties"][section])
    return takes_words(part) or _entry(part) is not None or _names_others(part)


def ways(schema: Schema, node: Node) -> Iterator[Way]:
    """To everything inside that has words or holds what has; entries that stand under a key of their own, such as conditions under `if`
    and steps under `do`, are found under their names too."""
    for name in _keys(schema, node):
        part = _part(schema, node, name)
        entry = _entry(part) if part is not None else None
        if part is None or not (takes_words(part) or entry is not None or _names_others(part)):
            continue
        yield Way((name,), part)
        if entry is not None and not takes_words(part) and schema is not grammar():
            yield from (Way((name, below), entry) for below in _names(part, node, name))


def _keys(schema: Schema, node: Node) -> list[str]:
    """What is there, and what need not be: what says how choices and seats are called, and the symbol of a row."""
    found = [name for name, (_, value) in node.pairs.items() if value.kind != "list" and not is_text_key(name)]
    naming, anew = _given(schema)
    given = [key for key, others in naming.items() if any(node.get(other) is not None for other in others)]
    return [*found, *(key for key in (*given, *anew) if key not in node.pairs)]


@once_a_part
def _given(schema: Schema) -> tuple[dict[str, list[str]], list[str]]:
    """The keys for words of what other keys name, with these; and those for words of what is nowhere else."""
    parts = schema.get("properties", {})
    naming = {key: part["x-names"] for key, part in parts.items() if "x-names" in part}
    return naming, [key for key, part in parts.items() if part.get("x-anew")]


def _names_others(schema: Schema) -> bool:
    """Has it a key for the words of what its other keys name? So `players` has no words of its own, and the seats have."""
    return bool(_given(schema)[0])


def _names(part: Schema, node: Node, key: str) -> list[str]:
    """The entries under a key, and those that other keys of the node name."""
    there = node.get(key)
    found = [*there.pairs] if there is not None else []
    for other in part.get("x-names", ()):
        value = node.get(other)
        found += [*value.pairs, *(item.raw for item in value.items)] if value is not None else []
    return [name for name in dict.fromkeys(found) if not is_text_key(name)]


def _part(schema: Schema, node: Node, name: str) -> Schema | None:
    """What the grammar says of a key of this node, as its verb has it, or of an entry of this name."""
    for part in schema.get("allOf", ()):
        if name in part.get("then", {}).get("properties", {}) and all(k in node.pairs for k in part["if"]["required"]):
            return _resolved(part["then"]["properties"][name])
    found = schema.get("properties", {}).get(name)
    return _resolved(found) if found is not None else _entry(schema)


@once_a_part
def _entry(schema: Schema) -> Schema | None:
    """What the grammar says of the entries of a map, where they have words."""
    found = schema.get("additionalProperties")
    entry = _resolved(found) if isinstance(found, dict) else None
    return entry if entry is not None and takes_words(entry) else None


@once_a_part
def _resolved(schema: Schema) -> Schema:
    """The definition that a part refers to, or the part itself."""
    refers = [schema, *schema.get("allOf", ())]
    found = next((part["$ref"] for part in refers if "$ref" in part), None)
    return _resolved(grammar()["definitions"][found.rpartition("/")[2]]) if found is not None else schema


def verbs() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["x-verbs"])


def all_keys() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["properties"])


@cache
def keys_with() -> dict[str, tuple[str, ...]]:
    """By verb: its own key, those beside it, and those that go with every verb."""
    parts = [part["then"].get("propertyNames") for part in grammar()["definitions"]["step"]["allOf"]]
    return {names["x-verb"]: tuple(names["enum"]) for names in parts if names is not None}


@cache
def keys_beside() -> tuple[str, ...]:
    """The keys that go with every verb."""
    shared = set.intersection(*(set(names) for names in keys_with().values()))
    return tuple(key for key in all_keys() if key in shared)


@cache
def needs() -> dict[str, tuple[str, ...]]:
    """By verb: what must stand beside it, in whichever file."""
    parts: list[dict[str, Any]] = grammar()["definitions"]["strict_step"]["allOf"]
    return {part["then"]["x-verb"]: tuple(part["then"]["required"]) for part in parts}


_SAID = re.compile(r'("(?:title|description)": )("(?:[^"\\]|\\.)*")')


def schema_in(lang: str) -> str:
    """The schema as a text, with titles and descriptions in a language."""

    def said(found: re.Match[str]) -> str:
        return found[1] + json.dumps(said_in(json.loads(found[2]), lang), ensure_ascii=False)

    return _SAID.sub(said, schema_text())


def said_in(text: str, lang: str) -> str:
    """A title or a description of the schema in a language; as it is where that has no words for it."""
    known = words_in(lang)
    return typeset(known[text], lang) if text in known else text


@cache
def words_in(lang: str) -> Mapping[str, str]:
    """All that a language has words for: what the schema says → the same in the language."""
    if lang == FALLBACK or lang not in LANGUAGES:
        return {}
    return dict(json.loads((folder("grammar") / f"ruleset.schema.{lang}.json").read_text(encoding="utf-8")))


_NOT_PLAIN = r"^[\[\]{}&*!|>'\"%@`#,]|: | #|:$"
"""What a text of YAML cannot have without quotes."""


_CUT = rf"{_NOT_PLAIN}|[,\[\]{{}}]"


def flow(value: Any, inside: bool = False) -> str:
    """Plain data as YAML on one line; `inside` brackets or braces a comma ends a text that has no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {flow(item, True)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, True) for item in value) + "]"
    if isinstance(value, str) and re.search(_CUT if inside else _NOT_PLAIN, value):
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "~"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def either(names: Iterable[str]) -> Said:
    """One of these names."""
    return either_of(f"`{name}`" for name in names)


def of_grammar(text: str) -> Said:
    """What the schema says, in each language."""
    return in_each(partial(said_in, text))
