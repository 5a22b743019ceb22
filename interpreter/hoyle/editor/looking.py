"""What stands at a place of a file: a name in a formula, the name of an entry, a key of the language, or a formula as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterable

from msgspec import Struct

from hoyle.checking.world import Heard
from hoyle.diagnostics import Span
from hoyle.editor.desk import Analysis, own_tree
from hoyle.editor.mentions import Mention, mentions
from hoyle.editor.symbols import Declared, Symbol, declared
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node


class Spot(Struct, frozen=True):
    """A place: the name or entry there, if one is, and the innermost formula's parts around it.

    path    the keys that lead to the value or the key that the place is in
    heard   the smallest form around it, once for each sort of arguments that it was checked with
    """

    symbol: Symbol | None
    span: Span | None
    path: Path
    node: Node | None
    on_key: bool
    heard: tuple[Heard, ...] = ()


def spot(analysis: Analysis, file: str, offset: int) -> Spot:
    """What stands there, in a file that the analysis is made of."""
    tree = own_tree(file, analysis.texts)
    path, node, on_key = _at(tree, offset) if tree is not None else ((), None, False)
    mention = _smallest(_over(mentions(analysis.hearing), file, offset))
    entry = _declared(tree, offset) if tree is not None else None
    if mention is not None:
        return Spot(mention.symbol, mention.span, path, node, on_key, _same(analysis, mention.heard))
    heard = _around(analysis, file, offset)
    if entry is not None:
        return Spot(entry.symbol, entry.name, path, node, on_key, heard)
    return Spot(None, None, path, node, on_key, heard)


def stands_in(span: Span, file: str) -> bool:
    """Is the stretch in this file, however it is named?"""
    return os.path.realpath(span.source.name) == file


def _over(found: Iterable[Mention], file: str, offset: int) -> list[Mention]:
    return [m for m in found if m.span.start <= offset <= m.span.end and stands_in(m.span, file)]


def _smallest(found: list[Mention]) -> Mention | None:
    return min(found, key=lambda m: (m.span.end - m.span.start, -m.span.start), default=None)


def _declared(tree: Node, offset: int) -> Declared | None:
    return next((d for d in declared(tree) if d.name.start <= offset <= d.name.end), None)


def _around(analysis: Analysis, file: str, offset: int) -> tuple[Heard, ...]:
    """The smallest form that the place is in."""
    forms = [h for h in analysis.hearing.forms if h.form.span.start <= offset < h.form.span.end]
    inside = [h for h in forms if stands_in(h.form.span, file)]
    first = min(inside, key=lambda h: h.form.span.end - h.form.span.start, default=None)
    return _same(analysis, first) if first is not None else ()


def _same(analysis: Analysis, heard: Heard) -> tuple[Heard, ...]:
    """The same form, each time that it was checked."""
    span, op = heard.form.span, heard.form.op
    return tuple(h for h in analysis.hearing.forms if h.form.span == span and h.form.op == op)


def _at(node: Node, offset: int) -> tuple[Path, Node | None, bool]:
    """The path of the innermost key or value around a place, its node, and whether it is the key."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        if key.span.start <= offset <= key.span.end:
            return (name,), key, True
        if value.span.start <= offset <= value.span.end:
            path, inner, on_key = _at(value, offset)
            return (name, *path), inner if inner is not None else value, on_key
    for number, item in enumerate(node.items):
        if item.span.start <= offset <= item.span.end:
            path, inner, on_key = _at(item, offset)
            return (number, *path), inner if inner is not None else item, on_key
    return (), None, False
