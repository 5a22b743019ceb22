"""A text that was read before and has changed in a few entries: what stands in the others is taken over, moved to where it stands now.

A text of rules is a block of sections, and most sections are blocks of entries. Where each of them begins on a line of its own, with a
name at the depth of its kin, what one says is read in the same way whatever the others say: nothing runs over the beginning of the next
(behind a quote or bracket that is open no name begins), and no anchor ties one to another. So an entry of the same words makes the same
tree, and only the others are read. A text that is not so, or in which anything is wrong, is read as a whole.
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
"""The names that lead to an entry: that of its section, and its own if it is not a section itself."""
Pair = tuple[Node, Node]
MOST_NEW = 12
"""Pieces that are read one by one; to read the whole text is quicker than more of them."""
_EMPTY = r"(?:[ ]*(?:#.*)?\n)*"
_HEAD = re.compile(_EMPTY)
_SECTION = re.compile(rf"(?P<name>[^\W\d]\w*):[ ]*(?:[ ]#.*)?\n{_EMPTY}(?=(?P<indent>[ ]+)[^ \n#])")
_NAME = re.compile(r"""(?:\w[^:#\n]{0,500}|"[^"\\\n]{0,500}"|'[^'\n]{0,500}'):(?=[ \n]|\Z)""")
_TOP = re.compile(r"^(?=[^ \n#])", re.MULTILINE)
_TIED = re.compile("&\\S|[\x85\u2028\u2029]")
"""What may be an anchor (where there is none, there is no alias either), and what YAML takes for the end of a line, too."""


class Piece(Struct, frozen=True):
    """A stretch of a text that is read by itself: a section, or an entry of one. `above`: where its section begins; `start`: where it begins
    itself, its blanks included; `indent`: how many these are."""

    above: int
    start: int
    indent: int
    text: str


class Reading(Struct, frozen=True):
    """The tree of a text. `same`: the entries that say what they said in `since`, the text of that name that was read before."""

    source: Source
    tree: Node
    since: Source | None = None
    same: frozenset[Place] = frozenset()


def read_again(source: Source, before: Reading | None) -> Reading:
    """The tree of a text, with what is the same as before taken over. Raises Refused."""
    found = _joined(source, before) if before is not None and before.source.name == source.name else None
    return found or Reading(source, load(source))


# ---- pieces ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """A text as pieces, each of which is read alone; none where it is not made of such."""
    head = _HEAD.match(text)
    begin = head.end() if head is not None else 0
    starts = [found.start() for found in _TOP.finditer(text, begin)]
    if starts[:1] != [begin] or _TIED.search(text) or UNWANTED.search(text, 0, begin):
        return ()
    found: list[Piece] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if not _NAME.match(text, start):
            return ()
        found += _entries(text, start, end) or [Piece(start, start, 0, text[start:end])]
    return tuple(found)


def _entries(text: str, above: int, below: int) -> list[Piece]:
    """The entries of a section, each with the lines below it; none where it is not made of such."""
    head = _SECTION.match(text, above, below)
    if head is None or UNWANTED.search(text, above, head.end()):
        return []
    indent = len(head["indent"])
    lines = list(_lines(indent).finditer(text, head.end(), below))
    if any(len(line[0]) < indent or not _NAME.match(text, line.end()) for line in lines):
        return []
    starts = [line.start() for line in lines]
    return [Piece(above, a, indent, text[a:b]) for a, b in zip(starts, [*starts[1:], below], strict=True)]


@lru_cache(maxsize=8)
def _lines(indent: int) -> re.Pattern[str]:
    """The beginnings of lines that are not deeper than this and say something."""
    return re.compile(rf"^[ ]{{0,{indent}}}(?=[^ \n#])", re.MULTILINE)


# ---- trees -----------------------------------------------------------------------------------------------------------


def _joined(source: Source, before: Reading) -> Reading | None:
    """None where all of the text must be read."""
    pieces, known = pieces_of(source.text), _known(before)
    if not pieces or sum(_key(source.text, piece) not in known for piece in pieces) > MOST_NEW:
        return None
    try:
        return _Joining(source, before, known).join(pieces)
    except (Refused, _Whole):
        return None  # what is wrong is told by what reads all of it


class _Whole(Exception):
    """Something is not as in a text whose pieces are read alone."""


Key = tuple[str, str]
"""The line of a section, and the text of a piece of it."""


def _key(text: str, piece: Piece) -> Key:
    return (text[piece.above : text.find("\n", piece.above)] if piece.indent else "", piece.text)


def _known(before: Reading) -> dict[Key, tuple[Pair, int]]:
    """What each piece said, and where it stood. Where one is not in the tree, one before it ran over its beginning: then all of it is read."""
    text, found = before.source.text, dict[Key, tuple[Pair, int]]()
    top = {key.span.start: (key, value) for _, key, value in before.tree.entries()}
    inner = {key.span.start: (key, value) for _, node in top.values() for _, key, value in node.entries()}
    for piece in pieces_of(text):
        pair = (inner if piece.indent else top).get(piece.start + piece.indent)
        if pair is None:
            return {}
        found[_key(text, piece)] = pair, piece.start
    return found


class _Joining:
    """The tree of a text, made of pieces that are known and others."""

    def __init__(self, source: Source, before: Reading, known: dict[Key, tuple[Pair, int]]) -> None:
        self.source, self.before, self.known = source, before, known
        self.same: set[Place] = set()
        self.count = 0

    def join(self, pieces: Iterable[Piece]) -> Reading:
        pairs: list[Pair] = []
        for above, several in groupby(pieces, lambda piece: piece.above):
            inside = list(several)
            pairs.append(self._section(above, inside) if inside[0].indent else self._pair(inside[0], ()))
        if self.count > MAX_NODES:
            raise _Whole
        return Reading(self.source, self._block(pairs), self.before.source, frozenset(self.same))

    def _section(self, above: int, pieces: list[Piece]) -> Pair:
        name = self.source.text[above : self.source.text.index(":", above)]
        key = Node("scalar", Span(self.source, above, above + len(name)), value_of(name), name)
        self.count += 1
        return key, self._block([self._pair(piece, (name,)) for piece in pieces])

    def _block(self, several: list[Pair]) -> Node:
        pairs = {key.raw: (key, value) for key, value in several}
        if len(pairs) < len(several):
            raise _Whole  # one name stands twice
        end = max(node.span.end for node in several[-1])
        return Node("map", Span(self.source, several[0][0].span.start, end), style="block", pairs=pairs)

    def _pair(self, piece: Piece, above: Place) -> Pair:
        known = self.known.get(_key(self.source.text, piece))
        (key, value), start = known if known is not None else (_alone(self.source.name, piece), 0)
        if known is not None:
            self.same.add((*above, key.raw))
        by = piece.start - start
        return self._moved(key, by, 0), self._moved(value, by, 1)

    def _moved(self, node: Node, by: int, counted: int) -> Node:
        """The same in this text. `counted`: 1 but for names, which are not counted."""
        self.count += counted
        span = Span(self.source, node.span.start + by, node.span.end + by)
        if node.kind == "scalar":
            return Node("scalar", span, node.value, node.raw, node.style)
        if node.kind == "list":
            return Node("list", span, style=node.style, items=[self._moved(item, by, 1) for item in node.items])
        pairs = {
            name: (self._moved(key, by, 0), self._moved(value, by, 1)) for name, (key, value) in node.pairs.items()
        }
        return Node("map", span, style=node.style, pairs=pairs)


def _alone(name: str, piece: Piece) -> Pair:
    """What a piece says. Raises Refused, _Whole."""
    tree = load(Source(name, piece.text))
    pairs = list(tree.pairs.values())
    if tree.style != "block" or len(pairs) != 1 or pairs[0][0].span.start != piece.indent or _levels(tree) > _DEEP:
        raise _Whole
    return pairs[0]


_DEEP = MAX_DEPTH - 3
"""A piece that is nested less may stand in a section without being too deep there."""


def _levels(node: Node) -> int:
    inside = [*node.items, *(value for _, value in node.pairs.values())]
    return 1 + max(map(_levels, inside), default=0)
