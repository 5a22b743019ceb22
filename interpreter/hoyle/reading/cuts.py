"""Mends values that a comma inside `{…}` or `[…]` has cut in two, and says so.

`{if: fits(card, to)}` is, to YAML, `fits(card` and a second name `to)`. A piece that opens a parenthesis it does not
close, followed by pieces that close it, is one text that was cut: it is put together again, so that nothing else has to
be said about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.diagnostics import Fix, Problems, Span
from hoyle.language.sentences import said
from hoyle.reading.tree import Node, in_quotes

MOST_PIECES = 40
"""In how many more pieces the end of a text is looked for."""

Pair = tuple[Node, Node]


def mend_list(items: Sequence[Node], problems: Problems) -> list[Node]:
    """The items of a flow list with what was cut joined."""
    mended: list[Node] = []
    at = 0
    while at < len(items):
        last = _closing(items[at], items[at + 1 : at + 1 + MOST_PIECES])
        mended.append(_join(items[at], items[at + last], problems) if last else items[at])
        at += last + 1
    return mended


def mend_map(pairs: Sequence[Pair], problems: Problems) -> list[Pair]:
    """The pairs of a flow map with what was cut joined: a value, or the name of a term."""
    keys = [key for key, _ in pairs]
    mended: list[Pair] = []
    at = 0
    while at < len(pairs):
        key, value = pairs[at]
        cut = key if _is_missing(value) else value
        last = _closing(cut, keys[at + 1 : at + 1 + MOST_PIECES])
        if last:
            whole = _join(cut, keys[at + last], problems)
            key, value = (whole, pairs[at + last][1]) if cut is key else (key, whole)
        mended.append((key, value))
        at += last + 1
    return mended


def _closing(cut: Node, rest: Sequence[Node]) -> int:
    """How many pieces after `cut` it takes to close its parentheses; 0 if it was not cut."""
    depth = _depth(cut)
    if depth <= 0:
        return 0
    for number, piece in enumerate(rest, start=1):
        if not _is_plain(piece):
            return 0
        depth += _depth(piece)
        if depth <= 0:
            return number
    return 0


def _depth(node: Node) -> int:
    return node.raw.count("(") - node.raw.count(")") if _is_plain(node) else 0


def _is_plain(node: Node) -> bool:
    return node.kind == "scalar" and node.style == ""


def _is_missing(node: Node) -> bool:
    return _is_plain(node) and node.raw == ""


def _join(first: Node, last: Node, problems: Problems) -> Node:
    span = Span(first.span.source, first.span.start, last.span.end)
    problems.add(
        "R027",
        said("yaml.cut_in_two"),
        span,
        label=said("yaml.comma_ends"),
        help=said("yaml.own_line"),
        fixes=(Fix(span, in_quotes(span.text)),),
    )
    return Node("scalar", span, span.text, span.text, "")


def uncut(fix: Fix, root: Node) -> Fix:
    """The same change to what stands in this tree, with the whole value in quotes where a comma would cut what comes of it."""
    if "," not in fix.text or fix.text[:1] in ("[", "{", "'", '"', ","):  # these are YAML, not part of a text
        return fix
    holder = _holder(root, fix.span)
    if holder is None:
        return fix
    text, at = holder.span.text, fix.span.start - holder.span.start
    return Fix(holder.span, in_quotes(text[:at] + fix.text + text[at + len(fix.span.text) :]))


def _holder(root: Node, span: Span) -> Node | None:
    """The plain text between brackets or braces that the stretch lies in."""
    node: Node | None = root
    while node is not None and node.kind != "scalar":
        inside = [*node.items, *(part for pair in node.pairs.values() for part in pair)]
        found = next((part for part in inside if span.lies_in(part.span)), None)
        if found is not None and _is_plain(found) and node.style == "flow":
            return found
        node = found
    return None
