"""Split a text into entries with their comments, for formatting.

A comment above an entry belongs to that entry, and a comment behind a value to that value. A comment below the
entries of a block belongs to the block if it is indented as deep. Unusual text (anchors, keys with `?`) is kept unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle.formatting.order import Look, inside, items
from hoyle.formatting.values import Unusual, flow, lines_of
from hoyle.reading.tree import Node

_COLON = re.compile(r"[ \t]*:")
_BLANKS = re.compile(r"[ \t]*")
_ALIAS = re.compile(r"\*[^\s,\[\]{}]+")
_FLOW_SIGNS = re.compile(r"[\s,:\[\]{}]*")


class Part(Struct):
    """An entry of a block, or an item of a list.

    above   the lines of comments above it; "" for empty ones
    behind  the comment behind its value, or behind the key of a block; `column` is its column
    key     None for an item
    value   None if it is copied unchanged: `raw` has its lines, indented relative to the key
    look    the schema of the value
    start   the column of the value if it begins on the line of its key; else -1
    lead    the number of blanks before the value
    """

    above: list[str]
    key: Node | None = None
    value: Node | None = None
    look: Look = Look()
    block: Block | None = None
    raw: list[str] = []
    behind: str = ""
    column: int = 0
    start: int = -1
    lead: int = 1

    @property
    def name(self) -> str:
        return self.key.raw if self.key is not None else ""


class Block(Struct):
    """Entries or items below each other.

    look    its schema
    indent  its indentation in the text
    head    comments at the start of a file
    foot    comments below the last entry
    """

    look: Look
    indent: int
    is_list: bool
    parts: list[Part] = []
    head: list[str] = []
    foot: list[str] = []


def split_parts(text: str, root: Node, look: Look) -> Block:
    """Split a text into parts, given its tree. Raises Unusual."""
    if root.kind != "map" or root.style != "block":
        raise Unusual
    return _Reader(text, root).whole(look)


class _Reader:
    def __init__(self, text: str, root: Node) -> None:
        self.text = text
        self.root = root
        self.last: Part | None = None  # whose value or key stands before what is read next

    def whole(self, look: Look) -> Block:
        block = self._block(self.root, 0, look)
        first, *others = self.text[self._end(self.root, 0) :].split("\n")
        self._behind(first, len(self.text) - len("\n".join([first, *others])))
        foot = _comments(others)
        _settle(block, foot, -1)
        block.foot = [line.strip() for line in foot]
        above = block.parts[0].above
        size = max((at for at, line in enumerate(above) if not line), default=len(above) - 1) + 1
        block.head, block.parts[0].above = above[:size], above[size:]
        return block

    def _block(self, node: Node, start: int, look: Look) -> Block:
        """Split a block; `start` is the end of the text before it."""
        block = Block(look, -1, node.kind == "list")
        pairs: Sequence[tuple[Node | None, Node]] = [*node.pairs.values()] or [(None, item) for item in node.items]
        for key, value in pairs:
            above = self._above(start, (key or value).span.start, "" if key else "-")
            if block.indent < 0:
                block.indent = self._column_of(key, value)
            _settle(block, above, block.indent)
            part = Part([line.strip() for line in above], key, value)
            part.look = items(look) if key is None else inside(look, self.root, key.raw)
            block.parts.append(part)
            start = self._part(part, key.span.end if key else value.span.start)
        return block

    def _above(self, start: int, end: int, sign: str) -> list[str]:
        """Return the comment lines between two parts. A comment on the first line belongs to the previous part."""
        if start == end and not sign:
            return []  # the first key of a file, or behind the sign of an item
        between = self.text[start:end] if self.last else f"\n{self.text[start:end]}"
        first, *others = between.split("\n")
        if end < start or not others or others.pop().strip() != sign:
            raise Unusual
        self._behind(first, start)
        return _comments(others)

    def _behind(self, words: str, start: int) -> None:
        comment = words.strip()
        if not comment:
            return
        if not comment.startswith("#") or self.last is None or self.last.behind:
            raise Unusual
        self.last.behind = comment
        self.last.column = start + words.index("#") - self.text.rfind("\n", 0, start) - 1

    def _column_of(self, key: Node | None, value: Node) -> int:
        start = (key or value).span.start
        line = self.text.rfind("\n", 0, start) + 1
        return start - line if key else self.text.index("-", line) - line

    def _part(self, part: Part, at: int) -> int:
        """Split the value of a part; return where it ends. `at` is the end of the key, or the start of an item."""
        assert part.value is not None
        self.last = part
        if part.key is None:
            return self._value(part, at)
        colon = _COLON.match(self.text, at)
        if colon is None:
            raise Unusual
        end = max(colon.end(), len(self.text[: self._end(part.value, colon.end())].rstrip()))
        try:
            return self._value(part, colon.end())
        except Unusual:
            self._keep(part, colon.end(), end)
            return end

    def _keep(self, part: Part, start: int, end: int) -> None:
        """Copy the value unchanged."""
        assert part.key is not None
        column = part.key.span.start - self.text.rfind("\n", 0, part.key.span.start) - 1
        first, *others = self.text[start:end].split("\n")
        part.raw = [first.strip(), *(line[min(column, _indent_of(line)) :].rstrip() for line in others)]
        part.block, part.value, part.behind, part.start = None, None, "", -1
        self.last = part

    def _value(self, part: Part, start: int) -> int:
        node = part.value
        assert node is not None
        if node.kind != "scalar" and node.style == "block":
            part.block = self._block(node, start, part.look)
            return self._end(node, start)
        begin = node.span.start
        if begin < start or begin == node.span.end:
            return self._nothing(start)
        self._before(part, start, begin)
        if node.kind == "scalar":
            lines_of(node, 1, 1, part.look.is_formula)
        else:
            _check_flow(self.text, node)
            flow(node, part.look, self.root)
        return node.span.end

    def _before(self, part: Part, start: int, begin: int) -> None:
        """Check the text between a colon and a value: blanks, or a comment and the end of the line."""
        first, *others = self.text[start:begin].split("\n")
        if any(line.strip() for line in others) or (first.strip() and not others):
            raise Unusual
        self._behind(first, start)
        if not others:
            part.start, part.lead = begin - self.text.rfind("\n", 0, begin) - 1, begin - start

    def _nothing(self, start: int) -> int:
        blanks = _BLANKS.match(self.text, start)
        if blanks is None or self.text[blanks.end() : blanks.end() + 1] not in ("", "\n", "#"):
            raise Unusual  # an alias or an anchor
        return start

    def _end(self, node: Node, after: int) -> int:
        """Return the end of a value that begins after an offset. An alias ends at its own name."""
        if node.span.start < after:
            found = _ALIAS.search(self.text, after)
            if found is None:
                raise Unusual
            return found.end()
        if node.style != "block":
            is_nothing = node.span.start == node.span.end and not self.text[after : node.span.end].strip()
            return after if is_nothing else node.span.end  # YAML has what is not there begin where the next thing does
        for key, value in node.pairs.values():
            after = self._end(value, key.span.end)
        for item in node.items:
            after = self._end(item, after)
        return after


def _comments(lines: list[str]) -> list[str]:
    """Strip comment lines on the right. Raises Unusual for other text."""
    found = [line.rstrip() for line in lines]
    if any(line and not line.lstrip().startswith("#") for line in found):
        raise Unusual
    return found


def _settle(block: Block, lines: list[str], indent: int) -> None:
    """Move comments that are indented as deep as the last block to the foot of that block."""
    if not block.parts or block.parts[-1].block is None or not lines:
        return
    inner, least = block.parts[-1].block, max(indent, block.indent)
    _settle(inner, lines, least)
    deep = 0
    for at, line in enumerate(lines):
        if line and _indent_of(line) <= least:
            break
        deep = at + 1 if line else deep
    inner.foot = [line.strip() for line in lines[:deep]]
    del lines[:deep]


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _check_flow(text: str, node: Node) -> None:
    """Raise Unusual if a flow collection has anchors, comments or tags."""
    at = node.span.start
    for leaf in leaves(node):
        if (
            leaf.span.start < at
            or leaf.span.end == leaf.span.start
            or not _FLOW_SIGNS.fullmatch(text, at, leaf.span.start)
        ):
            raise Unusual
        at = leaf.span.end
    if not _FLOW_SIGNS.fullmatch(text, at, node.span.end):
        raise Unusual


def leaves(node: Node) -> Iterator[Node]:
    """Yield the scalars of a value in order."""
    if node.kind == "scalar":
        yield node
    for key, value in node.pairs.values():
        yield key
        yield from leaves(value)
    for item in node.items:
        yield from leaves(item)
