"""Maps and lists in braces and brackets: on one line, or filled into several."""

from __future__ import annotations

from msgspec import Struct

from hoyle.formatting.order import Look, inside, is_entry, items, ordered
from hoyle.formatting.scalars import filled, on_a_line
from hoyle.reading.tree import Node

_SHORT = 40
"""Names with no more than so much to them stand side by side, where their map does not fit on a line."""


class Cell(Struct):
    """An entry of a map in braces: `text` is all of it; `lead` blanks stood before it."""

    name: str
    text: str
    lead: int


def flow(node: Node, look: Look, root: Node) -> str:
    """A value inside braces or brackets, or one of these, on one line. Raises Unusual if something in it cannot stand there."""
    if node.kind == "scalar":
        return on_a_line(node, in_flow=True)
    opened, closed = "{}" if node.kind == "map" else "[]"
    return opened + ", ".join(pieces(node, look, root)) + closed


def pieces(node: Node, look: Look, root: Node) -> list[str]:
    """What stands between the commas."""
    if node.kind == "list":
        return [_item(item, items(look), root) for item in node.items]
    return [cell.text for cell in cells(node, look, root)]


def _item(node: Node, look: Look, root: Node) -> str:
    """An item between brackets, where a map of one entry needs no braces."""
    written = flow(node, look, root)
    return written[1:-1] if node.kind == "map" and not node.span.text.startswith("{") else written


def cells(node: Node, look: Look, root: Node) -> list[Cell]:
    """The entries of a map in braces, in their order."""
    found = []
    for key, value in node.pairs.values():
        text = f"{on_a_line(key, in_flow=True, is_key=True)}: {flow(value, inside(look, root, key.raw), root)}"
        found.append(Cell(key.raw, text, _lead(key)))
    return ordered(found, lambda cell: cell.name, look, on_one_line=True)


def _lead(key: Node) -> int:
    before = key.span.source.text[max(0, key.span.start - 200) : key.span.start]
    return len(before) - len(before.rstrip(" "))


def is_many(node: Node, look: Look, root: Node) -> bool:
    """Is it best filled into several lines where it does not fit on one: a list, or short things by their names?"""
    if node.kind == "list":
        return True
    small = all(value.kind != "list" and len(value.pairs) < 2 for _, value in node.pairs.values())
    return small and not is_entry(look) and all(len(cell.text) <= _SHORT for cell in cells(node, look, root))


def spread(node: Node, look: Look, root: Node, room: int) -> list[str]:
    """The lines of a long list, or of short things by their names, each as wide as there is room."""
    opened, closed = "{}" if node.kind == "map" else "[]"
    parts = pieces(node, look, root)
    first, *others = filled([*(f"{part}," for part in parts[:-1]), parts[-1] + closed], room - 1, whole=True)
    return [opened + first, *(f" {line}" for line in others)]
