"""Parse a changed text anew only where it changed: equal entries of the text before are moved to their new place.

A ruleset is a block of sections, and most sections are blocks of entries. Where each begins on a line of its own at the depth of its
siblings, no entry reaches over the beginning of the next (inside an open quote or bracket no name begins), and no anchor ties entries
together, so an entry of the same text makes the same tree. Any other text, or one with an error, is parsed as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

from hoyle.diagnostics import Refused, Source, Span
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import MAX_DEPTH, MAX_NODES, UNWANTED, load, value_of

Place = tuple[str, ...]
"""The names of a section and an entry of it, or of a section alone."""
Pair = tuple[Node, Node]
MOST_NEW = 12
"""Pieces that are parsed one by one; with more of them it is faster to parse the whole text."""
_DEEP = MAX_DEPTH - 3
"""A piece nested less deep cannot be too deep inside a section."""
_EMPTY = r"(?:[ ]*(?:#.*)?\n)*"
_HEAD = re.compile(_EMPTY)
_SECTION = re.compile(rf"(?P<name>[^\W\d]\w*):[ ]*(?:[ ]#.*)?\n{_EMPTY}(?=(?P<indent>[ ]+)[^ \n#])")
_NAME = re.compile(r"""(?:\w[^:#\n]{0,500}|"[^"\\\n]{0,500}"|'[^'\n]{0,500}'):(?=[ \n]|\Z)""")
_TOP = re.compile(r"^(?=[^ \n#])", re.MULTILINE)
_TIED = re.compile("&\\S|[\x85\u2028\u2029]")
"""Possible anchors (without them there are no aliases), and line ends that only YAML knows."""


class Piece(Struct, frozen=True):
    """A part of a text that is parsed by itself: a section, or an entry of one.

    above   the offset where its section begins
    start   the offset where it begins, with its indentation
    indent  the number of blanks of its indentation
    """

    above: int
    start: int
    indent: int
    text: str


class Parsed(Struct, frozen=True):
    """The tree of a text, and the places of the entries that are equal in `since`, the text of that name that was parsed before."""

    source: Source
    tree: Node
    since: Source | None = None
    same: frozenset[Place] = frozenset()


def parse_again(source: Source, before: Parsed | None) -> Parsed:
    """Parse a text, reusing the entries of the text before. Raises Refused."""
    joined = _join(source, before) if before is not None and before.source.name == source.name else None
    return joined or Parsed(source, load(source))


# ---- pieces ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """Cut a text into pieces; empty if it cannot be cut safely."""
    head = _HEAD.match(text)
    begin = head.end() if head is not None else 0
    starts = [match.start() for match in _TOP.finditer(text, begin)]
    if starts[:1] != [begin] or _TIED.search(text) or UNWANTED.search(text, 0, begin):
        return ()
    pieces: list[Piece] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if not _NAME.match(text, start):
            return ()
        pieces += _entries(text, start, end) or [Piece(start, start, 0, text[start:end])]
    return tuple(pieces)


def _entries(text: str, above: int, below: int) -> list[Piece]:
    """The entries of a section, each with the lines below it; empty if it cannot be cut."""
    head = _SECTION.match(text, above, below)
    if head is None or UNWANTED.search(text, above, head.end()):
        return []
    indent = len(head["indent"])
    lines = list(_shallow_lines(indent).finditer(text, head.end(), below))
    if any(len(line[0]) < indent or not _NAME.match(text, line.end()) for line in lines):
        return []
    starts = [line.start() for line in lines]
    return [Piece(above, a, indent, text[a:b]) for a, b in zip(starts, [*starts[1:], below], strict=True)]


@lru_cache(maxsize=8)
def _shallow_lines(indent: int) -> re.Pattern[str]:
    """Matches the indentation of lines that are not empty and not indented deeper."""
    return re.compile(rf"^[ ]{{0,{indent}}}(?=[^ \n#])", re.MULTILINE)


# ---- trees -----------------------------------------------------------------------------------------------------------

Key = tuple[str, str]
"""The line of a section, and the text of a piece of it."""


class _NotJoinable(Exception):
    """The pieces of a text cannot be parsed alone."""


def _join(source: Source, before: Parsed) -> Parsed | None:
    """The tree made of known and new pieces; None if the whole text must be parsed."""
    pieces, known = pieces_of(source.text), _known_pieces(before)
    if not pieces or sum(_key(source.text, piece) not in known for piece in pieces) > MOST_NEW:
        return None
    try:
        return _Joiner(source, before, known).join(pieces)
    except (Refused, _NotJoinable):
        return None  # parsing the whole text reports the error


def _key(text: str, piece: Piece) -> Key:
    return (text[piece.above : text.find("\n", piece.above)] if piece.indent else "", piece.text)


def _known_pieces(before: Parsed) -> dict[Key, tuple[Pair, int]]:
    """The pair of each piece and its start; empty if a piece is not in the tree, because another reaches over its beginning."""
    text, known = before.source.text, dict[Key, tuple[Pair, int]]()
    top = {key.span.start: (key, value) for _, key, value in before.tree.entries()}
    inner = {key.span.start: (key, value) for _, node in top.values() for _, key, value in node.entries()}
    for piece in pieces_of(text):
        pair = (inner if piece.indent else top).get(piece.start + piece.indent)
        if pair is None:
            return {}
        known[_key(text, piece)] = pair, piece.start
    return known


class _Joiner:
    """Joins known and new pieces into the tree of a text."""

    def __init__(self, source: Source, before: Parsed, known: dict[Key, tuple[Pair, int]]) -> None:
        self.source, self.before, self.known = source, before, known
        self.same: set[Place] = set()
        self.count = 0

    def join(self, pieces: Iterable[Piece]) -> Parsed:
        pairs: list[Pair] = []
        for above, several in groupby(pieces, lambda piece: piece.above):
            inside = list(several)
            pairs.append(self._section(above, inside) if inside[0].indent else self._pair(inside[0], ()))
        if self.count > MAX_NODES:
            raise _NotJoinable
        return Parsed(self.source, self._block(pairs), self.before.source, frozenset(self.same))

    def _section(self, above: int, pieces: list[Piece]) -> Pair:
        name = self.source.text[above : self.source.text.index(":", above)]
        key = Node("scalar", Span(self.source, above, above + len(name)), value_of(name), name)
        self.count += 1
        return key, self._block([self._pair(piece, (name,)) for piece in pieces])

    def _block(self, several: list[Pair]) -> Node:
        pairs = {key.raw: (key, value) for key, value in several}
        if len(pairs) < len(several):
            raise _NotJoinable  # a name stands twice
        end = max(node.span.end for node in several[-1])
        return Node("map", Span(self.source, several[0][0].span.start, end), style="block", pairs=pairs)

    def _pair(self, piece: Piece, above: Place) -> Pair:
        known = self.known.get(_key(self.source.text, piece))
        (key, value), start = known if known is not None else (_parse_piece(self.source.name, piece), 0)
        if known is not None:
            self.same.add((*above, key.raw))
        offset = piece.start - start
        return self._move(key, offset, 0), self._move(value, offset, 1)

    def _move(self, node: Node, offset: int, counted: int) -> Node:
        """The node in this text. `counted` is 0 for keys, which do not count for `MAX_NODES`."""
        self.count += counted
        span = Span(self.source, node.span.start + offset, node.span.end + offset)
        if node.kind == "scalar":
            return Node("scalar", span, node.value, node.raw, node.style)
        if node.kind == "list":
            return Node("list", span, style=node.style, items=[self._move(item, offset, 1) for item in node.items])
        pairs = {
            n: (self._move(key, offset, 0), self._move(value, offset, 1)) for n, (key, value) in node.pairs.items()
        }
        return Node("map", span, style=node.style, pairs=pairs)


def _parse_piece(name: str, piece: Piece) -> Pair:
    """Parse a piece alone. Raises Refused, _NotJoinable."""
    tree = load(Source(name, piece.text))
    pairs = list(tree.pairs.values())
    if tree.style != "block" or len(pairs) != 1 or pairs[0][0].span.start != piece.indent or _levels(tree) > _DEEP:
        raise _NotJoinable
    return pairs[0]


def _levels(node: Node) -> int:
    inside = [*node.items, *(value for _, value in node.pairs.values())]
    return 1 + max(map(_levels, inside), default=0)
