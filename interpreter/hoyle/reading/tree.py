"""The tree of a YAML document with a place for every key and value. Made by `load`, joined by `merge`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.sentences import LANGUAGES, typeset
from hoyle.reading.source_map import stretch_of

STEPS_INSIDE = ("do", "repeat", "as_one", "then", "else")
"""Keys of a step that hold steps: in a place they have no name."""
Scalar = str | int | bool | float | None


class Node(Struct):
    """A scalar, a list or a map.

    kind   "scalar", "list" or "map"
    span   where it stands; for a scalar exactly its text, quotes included
    value  the scalar's value by the YAML 1.2 core schema (str, int, bool, float, None)
    raw    the scalar's text as a string, whatever its value (`2`, `true`, `fits(card, to)`)
    style  the scalar's style: "" plain, "'", '"', "|", ">"; for lists and maps "flow" or "block"
    items  of a list
    pairs  of a map: name → (key, value); keys are always strings
    gone   of a map that is joined of several files: the names that `~` has removed, and where
    written  of a sentence into which something was put for the options in force (`checking.statements`): its text as it was written
    """

    kind: str
    span: Span
    value: Scalar = None
    raw: str = ""
    style: str = ""
    items: list[Node] = []
    pairs: dict[str, tuple[Node, Node]] = {}
    gone: dict[str, Span] = {}
    written: str = ""

    def get(self, name: str) -> Node | None:
        found = self.pairs.get(name)
        return found[1] if found else None

    def __getitem__(self, name: str) -> Node:
        """The value of a key that is there."""
        return self.pairs[name][1]

    def raw_of(self, name: str, default: str = "") -> str:
        """The text of a key's value, or the default where the key is left out."""
        return self.pairs[name][1].raw if name in self.pairs else default

    def items_of(self, name: str) -> list[Node]:
        """The items of a key's list; none where the key is left out."""
        return self.pairs[name][1].items if name in self.pairs else []

    def key(self, name: str) -> Node:
        return self.pairs[name][0]

    def place_without(self, names: Iterable[str], place: Span) -> Span:
        """Where one of these names was removed, if that is why it is not there; else the place given."""
        return next((self.gone[name] for name in names if name in self.gone and name not in self.pairs), place)

    def stretch(self, first: int, last: int) -> Span:
        """Return the span of `raw[first:last]` in the file."""
        return stretch_of(self.span, as_written(self), self.style, first, last)

    def entries(self) -> Iterator[tuple[str, Node, Node]]:
        """(name, key, value) of a map, in order."""
        for name, (key, value) in self.pairs.items():
            yield name, key, value

    @property
    def is_null(self) -> bool:
        return self.kind == "scalar" and self.value is None

    def plain(self) -> Any:
        """The value as plain Python data."""
        if self.kind == "scalar":
            return self.value
        if self.kind == "list":
            return [item.plain() for item in self.items]
        return {name: value.plain() for name, _, value in self.entries()}


def listed(node: Node | None) -> list[Node]:
    """What may be one or a list of several: its items; none of what is left out."""
    return [] if node is None else node.items if node.kind == "list" else [node]


_OTHER = "words: "


def as_written(text: Node) -> str:
    """A text as its author wrote it, whatever the options in force put into it."""
    return text.written or text.raw


def text_key(lang: str) -> str:
    """The key under which an entry of a merged tree has its text in a language. Those that stand in rulesets have keys of their own; of
    others, of which some are called like keys or steps (`is`, `no`), only files of words can tell."""
    return lang if lang in LANGUAGES else f"{_OTHER}{lang}"


def is_text_key(name: str) -> bool:
    return name in LANGUAGES or name.startswith(_OTHER)


def language_of(key: str) -> str:
    """The language of the text under such a key."""
    return key.removeprefix(_OTHER)


def text_nodes(node: Node) -> dict[str, Node]:
    """The texts of an entry by language, those that say something."""
    found = {name: text for name, (_, text) in node.pairs.items() if is_text_key(name) and not text.is_null}
    return {language_of(name): text for name, text in found.items() if text.raw}


def text_keys(node: Node) -> list[tuple[Node, Node]]:
    """The texts of an entry with their keys."""
    return [node.pairs[name] for name in node.pairs if is_text_key(name) and not node.pairs[name][1].is_null]


def texts_of(node: Node) -> dict[str, str]:
    """What they say."""
    return {lang: typeset(text.raw, lang) for lang, text in text_nodes(node).items()}


def in_quotes(text: str) -> str:
    """A plain text as YAML has it in quotes."""
    return "'{}'".format(text.replace("'", "''"))
