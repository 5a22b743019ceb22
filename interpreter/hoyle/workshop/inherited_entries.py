"""Copies of inherited entries: an author changes a rule of a game by writing its entry into the variant."""

from __future__ import annotations

import textwrap
from typing import Any

from hoyle.diagnostics import Span
from hoyle.reading.tree import Node
from hoyle.workshop.drafts import Draft
from hoyle.workshop.entry_placement import indent, place_entry
from hoyle.workshop.offsets import Offsets

Json = dict[str, Any]


def copy_entry(draft: Draft, section: str, name: str) -> Json:
    """Return the edit that copies an entry into the draft, and where it begins. Empty if it has none to copy."""
    merged, tree = draft.checked.merged, draft.tree
    entry = _find_entry(merged.root, section, name) if merged is not None else None
    if entry is None or tree is None or _find_entry(tree, section, name) is not None:
        return {}
    lines, own = _copy_lines(entry[0].span, entry[1].span), tree.get(section)
    if own is not None and own.style == "flow" and len(lines) > 1:
        return {}
    at, text = place_entry(draft, section, lines, lines[0])
    begin = Offsets(draft.text).to_units(at)
    return {"edits": [{"from": begin, "to": begin, "text": text}], "at": begin + text.index(lines[0])}


def _copy_lines(key: Span, value: Span) -> list[str]:
    """Return an entry as lines. If several files wrote it, the outermost one's part: the rest is inherited again."""
    if key.source == value.source:
        return _dedent(Span(key.source, key.start, max(key.end, value.end)))
    lines = _dedent(value)
    if _read_margin(value):  # a block below its key
        return [f"{key.text}:", *indent(lines)]
    return [f"{key.text}: {lines[0]}", *lines[1:]]


def _dedent(span: Span) -> list[str]:
    return textwrap.dedent(" " * (span.column - 1) + span.text.rstrip()).splitlines()


def _read_margin(span: Span) -> str:
    """Return the spaces at the start of the line."""
    line = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 : span.start]
    return line if line.isspace() else ""


def _find_entry(root: Node, section: str, name: str) -> tuple[Node, Node] | None:
    node = root.get(section) if root.kind == "map" else None
    return node.pairs.get(name) if node is not None and node.kind == "map" else None
