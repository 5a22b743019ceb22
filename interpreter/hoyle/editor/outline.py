"""What a file consists of: its sections, their entries and what is in these, as a tree; and what can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.reading.tree import Node, is_text_key

_STEPS = ("flow", "whenever")
_DEPTH = {"tables": 3, "flow": 6, "options": 2, "examples": 2}
"""How many levels of names are shown; elsewhere 2: the section and its entries."""
_WITHOUT_NAMES = ("source", "set", "needs", "result", "players")
_QUIET = ("rule", "at", "before", "after", "words")


class Item(Struct, frozen=True):
    """A name with what it is in (the section), where it stands and how far it goes."""

    name: str
    section: str
    level: int
    name_span: Span
    whole: Span
    inside: tuple[Item, ...] = ()


def outline(root: Node) -> list[Item]:
    """The tree of names of one file."""
    if root.kind != "map":
        return []
    return [_item(name, name, key, value, 1) for name, key, value in root.entries()]


def _item(section: str, name: str, key: Node, value: Node, level: int) -> Item:
    whole = Span(key.span.source, key.span.start, max(key.span.end, value.span.end))
    inside = tuple(_inside(section, value, level + 1)) if section not in _WITHOUT_NAMES else ()
    return Item(name, section, level, key.span, whole, inside)


def _inside(section: str, node: Node, level: int) -> Iterator[Item]:
    if node.kind != "map" or level > _DEPTH.get(section, 2):
        return
    for name, key, value in node.entries():
        if (
            not is_text_key(name)
            and name not in _QUIET
            and not (section in _STEPS and value.kind != "map" and level > 2)
        ):
            yield _item(section, name, key, value, level)


def folds(root: Node) -> list[Span]:
    """What goes over several lines, each from its key on."""
    return [Span(key.span.source, key.span.start, value.span.end) for key, value in _blocks(root)]


def _blocks(node: Node) -> Iterator[tuple[Node, Node]]:
    for _, key, value in node.entries() if node.kind == "map" else ():
        if "\n" in value.span.source.text[key.span.start : value.span.end]:
            yield key, value
        yield from _blocks(value)
    for item in node.items:
        yield from _blocks(item)
