"""The tree of a YAML document with a place for every key and value. Made by `load`, joined by `merge`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Fix, Span
from hoyle.language.sentences import LANGUAGES, typeset

_DOUBLE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|\n[ \t]*|(?P<one>.))|.", re.S
)
_SINGLE = re.compile(r"''|.", re.S)
_ANY = re.compile(r".", re.S)
_ESCAPES = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))

_Map = tuple[tuple[int, ...], tuple[int, ...]]
"""Offset in the file of each character of the text, and of its end."""


def stretch_of(whole: Span, raw: str, style: str, first: int, last: int) -> Span:
    """The span of `raw[first:last]`, which stands at `whole`; the whole where the text is not the one that is written there."""
    shift = plain_shift(whole, raw, style)
    if shift is not None:
        return Span(whole.source, whole.start + shift + first, whole.start + shift + last)
    found = _map_of(whole, raw, style)
    if found is None:
        return whole
    starts, ends = found
    begin = starts[first]
    return Span(whole.source, begin, ends[last - 1] if last > first else begin)


@lru_cache(maxsize=512)
def plain_shift(whole: Span, raw: str, style: str) -> int | None:
    """How far behind the start of its span a text stands that is written as it reads; None for any other."""
    text = whole.text
    if text == raw:
        return 0
    return 1 if style in ("'", '"') and text[1:-1] == raw else None


@lru_cache(maxsize=512)
def _map_of(whole: Span, raw: str, style: str) -> _Map | None:
    """None where something else stands there. White space is only where it is about: YAML folds it."""
    written, at = list(_written(whole, style)), 0
    starts, ends = list[int](), list[int]()
    for letter in raw:
        while not letter.isspace() and at < len(written) and written[at][0].isspace():
            at += 1
        there, start, end = written[at] if at < len(written) else (" ", whole.end, whole.end)
        if letter.isspace() != there.isspace():
            if not letter.isspace():
                return None
            end = start
        elif letter != there and not letter.isspace():
            return None
        else:
            at += 1
        starts.append(start)
        ends.append(end)
    return (*starts, ends[-1] if ends else whole.start), tuple(ends)


def _written(whole: Span, style: str) -> Iterator[tuple[str, int, int]]:
    """Each character that is written, without what only YAML reads, with where it begins and ends."""
    text, low, high = whole.source.text, whole.start, whole.end
    if style in ("'", '"') and text[low] == style:
        low, high = low + 1, high - 1
    elif style in ("|", ">"):
        low = text.find("\n", low, high) + 1 or high
    for found in {'"': _DOUBLE, "'": _SINGLE}.get(style, _ANY).finditer(text, low, high):
        letter = found[0]
        if style == '"' and letter[0] == "\\":
            number = found["x"] or found["u"] or found["U"]
            if number is None and found["one"] is None:
                continue  # a line that goes on
            letter = chr(int(number, 16)) if number else _ESCAPES.get(found["one"], found["one"])
        yield letter[0], found.start(), found.end()


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


_PLAIN = re.compile(r"~|\w[^:#,\[\]{}'\"]*")


def adding(entry: Node | None, key: str, value: str) -> tuple[Fix, ...]:
    """`key: value` written in an entry: in brackets behind what is there, else on a line of its own, above that. No fix where the entry
    has the key already, or says nothing in the file where it stands."""
    own = [node for pair in entry.pairs.values() for node in pair if node.span.lies_in(entry.span)] if entry else []
    if entry is None or entry.kind != "map" or any(key == name.raw and name in own for name, _ in entry.pairs.values()):
        return ()
    said = f"{key}: {value if _PLAIN.fullmatch(value) else in_quotes(value)}"
    source, start = entry.span.source, entry.span.start
    if entry.style == "flow":
        last = max((node.span.end for node in own), default=start + 1)
        return (Fix(Span(source, last, last), f", {said}" if own else said),) if _is_said(own) else ()
    first = min((node.span.start for node in own), default=-1)
    indent = " " * (Span(source, first, first).column - 1)
    return (Fix(Span(source, first, first), f"{said}\n{indent}"),) if first == start else ()


def _is_said(own: list[Node]) -> bool:
    """Does each of them say something? Behind a key that says nothing a comma may be wanted or not."""
    return all(node.span.end > node.span.start for node in own)


def in_brackets(node: Node, written: str = "") -> tuple[Fix, ...]:
    """A text as a list of one, or of several where it has commas: itself, or `written`. No fix where brackets would change what it says."""
    text, is_as_read = written or node.raw, not node.style and node.span.text == node.raw
    if not (written or is_as_read) or re.search(r"[\[\]{}#:\"'\n]", text):
        return ()
    return (Fix(node.span, f"[{text}]"),)
