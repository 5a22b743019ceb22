"""`formatted`: a text as it is best written."""

from __future__ import annotations

import re
from collections import Counter

from hoyle.diagnostics import Source
from hoyle.formatting.layout import text_of
from hoyle.formatting.order import whole
from hoyle.formatting.parts import leaves, parted
from hoyle.formatting.scalars import Unusual
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load

_COMMENT = re.compile(r"(?:(?<=\s)|^)#.*", re.MULTILINE)


def formatted(text: str, name: str = "") -> str:
    """The same rules with the same comments: sections and keys in order, long lines wrapped, quotes where they are needed, columns
    completed. What is formatted already comes out as it is, and so does what is written in a way that is not known here.

    Raises Refused, with places in the file `name`, if the text cannot be read as YAML."""
    before = load(Source(name, text))
    try:
        found = text_of(parted(before.span.source.text, before, whole(before)), before)
    except Unusual:
        return text
    return found if is_same(before, load(Source(name, found))) else text


def is_same(before: Node, after: Node) -> bool:
    """Do two texts, by their trees, say the same in the same order of names, with the same comments?"""
    return _same(before, after) and comments(before) == comments(after)


def _same(one: Node, other: Node) -> bool:
    if (one.kind, one.raw, type(one.value), len(one.items)) != (
        other.kind,
        other.raw,
        type(other.value),
        len(other.items),
    ):
        return False
    if one.pairs.keys() != other.pairs.keys():
        return False
    inside = [*zip(one.items, other.items, strict=True), *((one[name], other[name]) for name in one.pairs)]
    return all(_same(*pair) for pair in inside)


def comments(root: Node) -> Counter[str]:
    """The comments of a text by its tree: what they say, and how often."""
    text, at, found = root.span.source.text, 0, Counter[str]()
    for leaf in leaves(root):
        if leaf.span.start >= at:
            found.update(comment.rstrip() for comment in _COMMENT.findall(text, at, leaf.span.start))
            at = leaf.span.end
    found.update(comment.rstrip() for comment in _COMMENT.findall(text, at))
    return found
