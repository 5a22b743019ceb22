"""Where a ruleset has words: the places of a tree that take a text in each language, as the grammar of rulesets says, and what they are
called in files of words."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.language.sentences import FALLBACK
from hoyle.reading.shape import Schema, grammar, once_a_part
from hoyle.reading.tree import Node, is_text_key


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
