"""Write scalars and flow collections: quotes only where needed, long ones on several lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from msgspec import Struct

from hoyle.formatting.order import Look, inside, is_entry, items, ordered
from hoyle.printable import UNPRINTABLE
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import value_of

WIDTH = 140
"""The length of lines, if possible."""

_OTHERS = ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none")
"""Texts that other YAML readers take for something else, in any case."""
_BEGINS = re.compile(r"[^\W\d]|[«§“(]")
_SIGNS = re.compile(r": | #|:$|[\t\n]")
"""Signs of YAML anywhere in a text."""
_FLOW_SIGN = re.compile(r"[,?\[\]{}]")
"""Signs in braces and brackets, for some readers."""
_FOLDED = re.compile(r">-[ \t]*\n")
_JOINTS = re.compile(r" (?=(?:else|and|or|then|where|for|otherwise|has|by)\b)")
"""Best places to wrap a formula."""


class Unusual(Exception):
    """Raised for text that is not understood; it is left unchanged."""


def on_a_line(node: Node, in_flow: bool = False, is_key: bool = False) -> str:
    """Write a scalar on one line. Raises Unusual if it cannot."""
    written = node.span.text
    if "\n" in node.raw:
        raise Unusual
    if node.style == "":
        return node.raw if "\n" in written else written
    if _needs_no_quotes(node.raw, in_flow, is_key):
        return node.raw
    if node.style in ("'", '"') and "\n" not in written:
        return written
    return quoted(node.raw)


def quoted(text: str) -> str:
    """Put a text into double quotes. Raises Unusual if that needs escapes that are hard to read."""
    if "\t" in text or UNPRINTABLE.search(text):
        raise Unusual
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _needs_no_quotes(text: str, in_flow: bool, is_key: bool) -> bool:
    """Does it mean the same without quotes, here and for other readers?"""
    if text != text.strip() or not _BEGINS.match(text) or _SIGNS.search(text) or UNPRINTABLE.search(text):
        return False
    if text.casefold() in _OTHERS or not isinstance(value_of(text), str):
        return False
    if (in_flow or is_key) and (_FLOW_SIGN.search(text) or text.count("(") != text.count(")")):
        return False
    return not is_key or "#" not in text


def lines_of(node: Node, room: int, first_room: int, is_formula: bool) -> list[str]:
    """The lines of a scalar behind its key: `room` is the width of the lines below, `first_room` that of the first.

    Raises Unusual for texts of several lines.
    """
    if node.style in ("|", ">") and not _FOLDED.match(node.span.text):
        raise Unusual
    if node.style == ">" and not _needs_no_quotes(node.raw, False, False):
        return [">-", *_folded(node, room, is_formula)]
    line = on_a_line(node)
    if len(line) <= first_room or not _may_be_folded(node.raw):
        return [line]
    lines = _folded(node, room, is_formula)
    return [">-", *lines] if len(lines) > 1 else [line]


def _may_be_folded(text: str) -> bool:
    whole = isinstance(value_of(text), str) and text == text.strip() and not re.search(r"\s\s|[^\S ]", text)
    return whole and " " in text and not UNPRINTABLE.search(text)


def _folded(node: Node, room: int, is_formula: bool) -> list[str]:
    """The lines of a folded scalar, unchanged if they fit. Raises Unusual for a text of several lines."""
    if node.style == ">":
        lines = [line.strip() for line in node.span.text.split("\n")[1:]]
        if " ".join(lines) != node.raw:
            raise Unusual
        if all(len(line) <= room for line in lines) or not _may_be_folded(node.raw):
            return lines
    pieces = _JOINTS.split(node.raw) if is_formula else node.raw.split(" ")
    lines = fill_lines(pieces, room)
    narrower = room
    while len(lines) > 1 and len(lines[-1]) < room // 4 and narrower > room // 2:  # a word alone on a line reads badly
        narrower -= 1
        other = fill_lines(pieces, narrower)
        lines = other if len(other) == len(lines) else lines
    return lines


def fill_lines(pieces: Sequence[str], room: int, whole: bool = False) -> list[str]:
    """Fill lines with pieces separated by blanks. Longer pieces are broken at their blanks, unless all stay `whole`."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= room:
            lines[-1] += f" {piece}"
        elif len(piece) > room and not whole:
            lines += textwrap.wrap(piece, room, break_long_words=False, break_on_hyphens=False)
        else:
            lines.append(piece)
    return lines


_SHORT = 40
"""Entries up to this length are put side by side if their map does not fit on a line."""


class Cell(Struct):
    """An entry of a map in braces, and the blanks before it."""

    name: str
    text: str
    lead: int


def flow(node: Node, look: Look, root: Node) -> str:
    """Write a value inside braces or brackets on one line. Raises Unusual if it cannot."""
    if node.kind == "scalar":
        return on_a_line(node, in_flow=True)
    opened, closed = "{}" if node.kind == "map" else "[]"
    return opened + ", ".join(pieces(node, look, root)) + closed


def pieces(node: Node, look: Look, root: Node) -> list[str]:
    """The texts between the commas."""
    if node.kind == "list":
        return [_item(item, items(look), root) for item in node.items]
    return [cell.text for cell in cells(node, look, root)]


def _item(node: Node, look: Look, root: Node) -> str:
    """An item of a list; a map of one entry needs no braces."""
    written = flow(node, look, root)
    return written[1:-1] if node.kind == "map" and not node.span.text.startswith("{") else written


def cells(node: Node, look: Look, root: Node) -> list[Cell]:
    """The entries of a map in braces, sorted."""
    found = []
    for key, value in node.pairs.values():
        text = f"{on_a_line(key, in_flow=True, is_key=True)}: {flow(value, inside(look, root, key.raw), root)}"
        found.append(Cell(key.raw, text, _lead(key)))
    return ordered(found, lambda cell: cell.name, look, on_one_line=True)


def _lead(key: Node) -> int:
    before = key.span.source.text[max(0, key.span.start - 200) : key.span.start]
    return len(before) - len(before.rstrip(" "))


def is_many(node: Node, look: Look, root: Node) -> bool:
    """Is it better filled into several lines than opened as a block: a list, or short values by name?"""
    if node.kind == "list":
        return True
    small = all(value.kind != "list" and len(value.pairs) < 2 for _, value in node.pairs.values())
    return small and not is_entry(look) and all(len(cell.text) <= _SHORT for cell in cells(node, look, root))


def spread(node: Node, look: Look, root: Node, room: int) -> list[str]:
    """The lines of a long list or map, filled to the width `room`."""
    opened, closed = "{}" if node.kind == "map" else "[]"
    parts = pieces(node, look, root)
    first, *others = fill_lines([*(f"{part}," for part in parts[:-1]), parts[-1] + closed], room - 1, whole=True)
    return [opened + first, *(f" {line}" for line in others)]
