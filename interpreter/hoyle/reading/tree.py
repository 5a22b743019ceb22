"""The tree of a YAML document: nodes with a span for every key and value, and the texts of an entry in each language.

`yaml_tree.load` makes trees, `merge` joins them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Fix, Span
from hoyle.language.sentences import LANGUAGES, typeset

STEPS_INSIDE = ("do", "repeat", "as_one", "then", "else")
"""Keys of a step that hold steps; they are left out of paths."""
Scalar = str | int | bool | float | None


class Node(Struct):
    """A scalar, a list or a map.

    kind     "scalar", "list" or "map"
    span     its place; for a scalar exactly its text, with quotes
    value    the value of a scalar by the YAML 1.2 core schema
    raw      the text of a scalar, whatever its value (`2`, `true`, `fits(card, to)`)
    style    for scalars "" (plain), "'", '"', "|" or ">"; for lists and maps "flow" or "block"
    items    the items of a list
    pairs    name → (key, value) of a map; keys are always strings
    gone     the names that `~` removed from a merged map, and where
    written  the text of a sentence as its author wrote it, before values of options were filled in (`checking.statements`)
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
        pair = self.pairs.get(name)
        return pair[1] if pair else None

    def __getitem__(self, name: str) -> Node:
        return self.pairs[name][1]

    def raw_of(self, name: str, default: str = "") -> str:
        """The text of a key's value, or the default without the key."""
        return self.pairs[name][1].raw if name in self.pairs else default

    def items_of(self, name: str) -> list[Node]:
        """The items of a key's list; none without the key."""
        return self.pairs[name][1].items if name in self.pairs else []

    def key(self, name: str) -> Node:
        return self.pairs[name][0]

    def place_without(self, names: Iterable[str], place: Span) -> Span:
        """Return the span where `~` removed one of these missing names, else the given span."""
        return next((self.gone[name] for name in names if name in self.gone and name not in self.pairs), place)

    def span_of_slice(self, first: int, last: int) -> Span:
        """The span in the file of `raw[first:last]`."""
        return span_of_slice(self.span, written_text(self), self.style, first, last)

    def entries(self) -> Iterator[tuple[str, Node, Node]]:
        """Yield (name, key, value) of a map, in order."""
        for name, (key, value) in self.pairs.items():
            yield name, key, value

    @property
    def is_null(self) -> bool:
        return self.kind == "scalar" and self.value is None

    def plain(self) -> Any:
        """Convert the tree to plain Python data."""
        if self.kind == "scalar":
            return self.value
        if self.kind == "list":
            return [item.plain() for item in self.items]
        return {name: value.plain() for name, _, value in self.entries()}


def list_items(node: Node | None) -> list[Node]:
    """The items of a list; a lone value as one item; none for None."""
    return [] if node is None else node.items if node.kind == "list" else [node]


def written_text(node: Node) -> str:
    """The text of a scalar as its author wrote it, before values of options were filled in."""
    return node.written or node.raw


def quote(text: str) -> str:
    """Put a text into single quotes of YAML."""
    return "'{}'".format(text.replace("'", "''"))


# ---- texts by language -----------------------------------------------------------------------------------------------

_OTHER = "words: "
"""Begins the key of a text in a language that rulesets have no key for: `is` and `no` are keys of other things."""


def text_key(lang: str) -> str:
    """The key of an entry's text in a language, in a merged tree."""
    return lang if lang in LANGUAGES else f"{_OTHER}{lang}"


def is_text_key(name: str) -> bool:
    return name in LANGUAGES or name.startswith(_OTHER)


def language_of_key(key: str) -> str:
    return key.removeprefix(_OTHER)


def text_nodes(node: Node) -> dict[str, Node]:
    """The non-empty texts of an entry, by language."""
    texts = {name: text for name, (_, text) in node.pairs.items() if is_text_key(name) and not text.is_null}
    return {language_of_key(name): text for name, text in texts.items() if text.raw}


def text_keys(node: Node) -> list[tuple[Node, Node]]:
    """The texts of an entry that are not null, with their keys."""
    return [node.pairs[name] for name in node.pairs if is_text_key(name) and not node.pairs[name][1].is_null]


def texts_of(node: Node) -> dict[str, str]:
    """The texts of an entry by language, with the unbreakable spaces of each language."""
    return {lang: typeset(text.raw, lang) for lang, text in text_nodes(node).items()}


# ---- fixes -----------------------------------------------------------------------------------------------------------

_PLAIN_VALUE = re.compile(r"~|\w[^:#,\[\]{}'\"]*")


def add_key_fix(entry: Node | None, key: str, value: str) -> tuple[Fix, ...]:
    """Fix that adds `key: value` to an entry: behind the last key of a flow map, else on a line above the first.

    There is no fix if the entry has the key, or has no text in its file."""
    own = [node for pair in entry.pairs.values() for node in pair if node.span.lies_in(entry.span)] if entry else []
    if entry is None or entry.kind != "map" or any(key == name.raw and name in own for name, _ in entry.pairs.values()):
        return ()
    text = f"{key}: {value if _PLAIN_VALUE.fullmatch(value) else quote(value)}"
    source, start = entry.span.source, entry.span.start
    if entry.style == "flow":
        if any(node.span.end == node.span.start for node in own):  # behind an empty value a comma may be wanted or not
            return ()
        last = max((node.span.end for node in own), default=start + 1)
        return (Fix(Span(source, last, last), f", {text}" if own else text),)
    first = min((node.span.start for node in own), default=-1)
    indent = " " * (Span(source, first, first).column - 1)
    return (Fix(Span(source, first, first), f"{text}\n{indent}"),) if first == start else ()


def bracket_fix(node: Node, written: str = "") -> tuple[Fix, ...]:
    """Fix that writes a text, or `written` instead of it, as a list in brackets. No fix where brackets would change its meaning."""
    text, is_literal = written or node.raw, not node.style and node.span.text == node.raw
    if not (written or is_literal) or re.search(r"[\[\]{}#:\"'\n]", text):
        return ()
    return (Fix(node.span, f"[{text}]"),)


# ---- source map of scalars -------------------------------------------------------------------------------------------

_DOUBLE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|\n[ \t]*|(?P<one>.))|.", re.S
)
_SINGLE = re.compile(r"''|.", re.S)
_ANY = re.compile(r".", re.S)
_ESCAPES = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))


def span_of_slice(whole: Span, raw: str, style: str, first: int, last: int) -> Span:
    """The span of `raw[first:last]` of a scalar at `whole`; all of `whole` if the file has another text there."""
    offset = plain_offset(whole, raw, style)
    if offset is not None:
        return Span(whole.source, whole.start + offset + first, whole.start + offset + last)
    offsets = _map_characters(whole, raw, style)
    if offsets is None:
        return whole
    starts, ends = offsets
    begin = starts[first]
    return Span(whole.source, begin, ends[last - 1] if last > first else begin)


@lru_cache(maxsize=512)
def plain_offset(whole: Span, raw: str, style: str) -> int | None:
    """Characters between the start of a scalar's span and its text, if the text has no escapes or folds; else None."""
    text = whole.text
    if text == raw:
        return 0
    return 1 if style in ("'", '"') and text[1:-1] == raw else None


@lru_cache(maxsize=512)
def _map_characters(whole: Span, raw: str, style: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The offsets in the file at which each character of `raw` starts and ends; None if another text stands there.

    YAML folds white space, so a blank is only placed approximately."""
    written, at = list(_scan_characters(whole, style)), 0
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


def _scan_characters(whole: Span, style: str) -> Iterator[tuple[str, int, int]]:
    """Yield each character of a scalar with its start and end in the file, escapes decoded."""
    text, low, high = whole.source.text, whole.start, whole.end
    if style in ("'", '"') and text[low] == style:
        low, high = low + 1, high - 1
    elif style in ("|", ">"):
        low = text.find("\n", low, high) + 1 or high
    for match in {'"': _DOUBLE, "'": _SINGLE}.get(style, _ANY).finditer(text, low, high):
        letter = match[0]
        if style == '"' and letter[0] == "\\":
            number = match["x"] or match["u"] or match["U"]
            if number is None and match["one"] is None:
                continue  # an escaped line end
            letter = chr(int(number, 16)) if number else _ESCAPES.get(match["one"], match["one"])
        yield letter[0], match.start(), match.end()
