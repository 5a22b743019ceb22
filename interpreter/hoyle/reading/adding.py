"""A key more in an entry, as what mends a problem: where it is to be written, and how that is indented."""

from __future__ import annotations

import re

from hoyle.diagnostics import Fix, Span
from hoyle.reading.tree import Node, in_quotes

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
