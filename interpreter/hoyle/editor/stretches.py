"""Stretches of texts that may be a name: scalars, keys, parts of them, words of formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.editor.symbols import Symbol, name_span
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node

WORD = r"[^\W\d]\w*"
STEP = r"[^/\s](?:[^/]*[^/\s])?"
"""A name on a way, without the blanks around it."""
IN_FORMULAS = (
    "options",
    "tables",
    "piles",
    "state",
    "terms",
    "rows",
    "columns",
    "choices",
    "attributes",
    "seats",
)


class Use(Struct, frozen=True):
    """Where something is named; `in_move`: as the ids of moves write it; `one`: by what one row of it is called."""

    span: Span
    in_move: bool = False
    one: bool = False


def walk(node: Node, path: Path) -> Iterator[tuple[Path, Node | None, Node]]:
    """Every value with its path, and its key if it has one."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        yield (*path, name), key, value
        yield from walk(value, (*path, name))
    for number, item in enumerate(node.items):
        yield (*path, number), None, item
        yield from walk(item, (*path, number))


def named(node: Node | None, name: str) -> Iterator[Span]:
    """The stretch of a scalar or a key, if it is this name."""
    if node is not None and node.kind == "scalar" and node.raw == name:
        yield name_span(node) if node.style else node.span


def parts(node: Node, wanted: Callable[[str], bool], pattern: str) -> Iterator[Span]:
    """The stretches of a scalar that a pattern finds, those that are wanted."""
    if node.kind != "scalar":
        return
    for found in re.finditer(pattern, node.raw):
        if wanted(found[0]):
            yield node.stretch(*found.span())


def tokens(node: Node | None, symbol: Symbol) -> Iterator[Span]:
    """The words of a formula that may be this name: what hangs on something stands behind a point, what is an entry does not."""
    names = (symbol.name, symbol.name.replace(" ", "_"))
    for span in parts(node, lambda text: text in names, WORD) if node is not None else ():
        dotted = span.source.text[: span.start].rstrip().endswith(".")
        called = span.source.text[span.end : span.end + 1] == "("
        if called and symbol.sort in ("rows", "choices"):
            continue
        if dotted == (symbol.sort in ("columns", "attributes")) or (dotted and symbol.sort in ("rows", "choices")):
            yield span
