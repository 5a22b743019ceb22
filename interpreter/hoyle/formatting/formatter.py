"""`format_ruleset`: lay out the text of a ruleset with aligned columns and wrapped lines.

Entries between two empty lines are a group. Their values stand in a column if two of them do already, behind more than one blank;
the same holds for the entries of maps in braces, behind a comma. `parts` splits the text, `values` writes scalars and flow collections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from hoyle.diagnostics import Source
from hoyle.formatting.order import inside, ordered, whole
from hoyle.formatting.parts import Block, Part, leaves, split_parts
from hoyle.formatting.values import WIDTH, Cell, Unusual, cells, flow, is_many, lines_of, on_a_line, spread
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load

_STICKS_OUT = 4
"""A name that is so many characters longer than the others may stand out of their column."""


class Row(Struct):
    """An entry that fits on one line: key with colon, value, and where the value stood. `cells` are the entries of a map in braces."""

    key: str
    text: str
    start: int = -1
    lead: int = 1
    cells: list[Cell] = []
    in_columns: bool = False


def align(rows: Sequence[Row]) -> None:
    """Put the values of a group into the columns that its author has begun, those in braces and brackets apart from the others."""
    in_braces = [row for row in rows if row.text.startswith(("{", "["))]
    for some in (in_braces, [row for row in rows if row not in in_braces]):
        shared = Counter(row.start for row in some if row.start >= 0)
        if any(row.lead > 1 and shared[row.start] > 1 for row in some):
            for column, below in _columns(some, shared).items():
                _pad(_without_longest(below, [row for row in below if row.start == column]))


def _columns(rows: Sequence[Row], shared: Counter[int]) -> dict[int, list[Row]]:
    """The rows by column; a row outside any column joins those above it."""
    found: dict[int, list[Row]] = {}
    column = next(row.start for row in rows if shared[row.start] > 1)
    for row in rows:
        column = row.start if shared[row.start] > 1 else column
        found.setdefault(column, []).append(row)
    return found


def _pad(rows: Sequence[Row]) -> None:
    width = max(len(row.key) for row in rows)
    for row in rows:
        row.key = row.key.ljust(width)


def _without_longest(rows: Sequence[Row], sharing: Sequence[Row]) -> Sequence[Row]:
    """The rows without those that stick out of the column that most share."""
    if 2 * len(sharing) <= len(rows):
        return rows
    most = max(len(row.key) for row in sharing)
    for length in sorted(len(row.key) for row in rows):
        most = length if most < length <= most + _STICKS_OUT else most
    return [row for row in rows if len(row.key) <= most]


def align_cells(rows: Sequence[Row]) -> None:
    """Put the entries of maps in braces into columns."""
    for place in range(max((len(row.cells) for row in rows), default=0)):
        for name in dict.fromkeys(name for name, _ in _having(rows, place)):
            column = [row for known, row in _having(rows, place) if known == name]
            if len(column) > 1 and any(row.cells[place + 1].lead > 1 for row in column):
                _fill(column, place)
    for row in rows:
        if row.in_columns:
            row.text = "{" + " ".join([*(_with_comma(cell.text) for cell in row.cells[:-1]), row.cells[-1].text]) + "}"


def _having(rows: Sequence[Row], place: int) -> Iterator[tuple[str, Row]]:
    """Yield the rows that have an entry at a place and another behind it, with the name of the first."""
    return ((row.cells[place].name, row) for row in rows if len(row.cells) > place + 1)


def _fill(rows: Sequence[Row], place: int) -> None:
    widths = {len(row.cells[place].text) for row in rows}
    if len(widths) == 1:
        return  # there is nothing to see of a column
    for row in rows:
        row.cells[place].text = f"{row.cells[place].text},".ljust(max(widths) + 1)
        row.in_columns = True


def _with_comma(text: str) -> str:
    return text if text.rstrip(" ").endswith(",") else f"{text},"


_STEP = 2
_BEFORE_COMMENT = 2
_APART = (
    *("options", "constraints", "tables", "pieces", "piles", "state", "terms", "moves", "obligations", "flow"),
    *("whenever", "result", "display", "clauses", "glossary", "notes", "unaffected", "examples"),
)
"""Sections with an empty line above and below, unless they fit on a line."""


class Line(Struct):
    """A line, a comment behind it and the column of that; `is_kept`: copied unchanged."""

    text: str
    comment: str = ""
    column: int = 0
    is_kept: bool = False


def text_of(block: Block, root: Node) -> str:
    """The text of a block."""
    lines = [Line(line) for line in block.head]
    lines += _Layout(root).block(block, 0, has_head=bool(lines))
    return "\n".join(_written([*_sparing(lines)])).strip("\n") + "\n"


def _sparing(lines: Sequence[Line]) -> Iterator[Line]:
    """Merge consecutive empty lines, except in copied text."""
    before = Line("")
    for line in lines:
        if line.text or before.text or line.is_kept:
            yield line
        before = line


def _with_comment(line: Line, column: int) -> str:
    return f"{line.text.ljust(column)}{line.comment}" if line.comment else line.text


def _written(lines: Sequence[Line]) -> Iterator[str]:
    """Align comments of consecutive lines that stood in one column."""
    for (_, column), run in groupby(lines, lambda line: (bool(line.comment), line.column)):
        some = list(run)
        place = max(column, *(len(line.text) + _BEFORE_COMMENT for line in some)) if some[0].comment else 0
        yield from (_with_comment(line, place) for line in some)


class _Layout:
    def __init__(self, root: Node) -> None:
        self.root = root

    def block(self, block: Block, indent: int, in_item: bool = False, has_head: bool = False) -> list[Line]:
        """The lines of a block. `in_item`: it begins behind the dash of an item; `has_head`: comments stand at the head of the file."""
        lines: list[Line] = []
        parts = ordered(block.parts, lambda part: part.name, block.look)
        parts = block.parts if in_item and parts[0].above else parts
        rows, was_apart = self._rows(parts, indent), False
        for part in parts:
            part.column += indent - block.indent
            found = self._entry(part, rows.get(id(part)), indent)
            is_apart = not indent and part.name in _APART and len(found) > 1
            if (is_apart or was_apart) and (lines or has_head) and "" not in part.above:
                lines.append(Line(""))
            lines += [*_above(part.above, indent, is_first=not lines), *found]
            was_apart = is_apart
        return lines + _above(block.foot, indent, is_first=not lines)

    def _entry(self, part: Part, row: Row | None, indent: int) -> list[Line]:
        found = [Line(f"{row.key} {row.text}")] if row else self._tall(part, indent)
        return _behind([_moved(line, indent) for line in found], part)

    def _rows(self, parts: Sequence[Part], indent: int) -> dict[int, Row]:
        """The entries that fit on one line, aligned by group. Sections are not aligned."""
        rows = {id(part): row for part in parts if (row := self._row(part, indent))}
        groups = [[rows[id(part)] for part in group if id(part) in rows] for group in _groups(parts)]
        for group in groups if indent else []:
            align_cells([row for row in group if row.cells])
        fitting = [[row for row in group if _fits(row, indent)] for group in groups]
        for group in fitting if indent else []:
            align(group)
        left = {id(row) for group in fitting for row in group}
        return {at: row for at, row in rows.items() if id(row) in left}

    def _row(self, part: Part, indent: int) -> Row | None:
        """An entry on one line; None if it does not fit."""
        node, head = part.value, _head(part)
        if node is None or part.block is not None or _is_nothing(node):
            return None
        if node.kind == "scalar":
            lines = self._scalar(part, indent)
            return Row(head, lines[0], part.start, part.lead) if len(lines) == 1 else None
        found = cells(node, part.look, self.root) if node.kind == "map" else []
        return Row(head, flow(node, part.look, self.root), part.start, part.lead, found)

    def _scalar(self, part: Part, indent: int) -> list[str]:
        assert part.value is not None
        room = WIDTH - indent
        first = room * WIDTH if part.behind else room - len(_head(part)) - 1
        return lines_of(part.value, room - _STEP, first, part.look.is_formula)

    def _tall(self, part: Part, indent: int) -> list[Line]:
        """An entry on several lines."""
        head, node = _head(part), part.value
        if node is None:
            first, *others = part.raw
            return [Line(f"{head} {first}".rstrip()), *(Line(line, is_kept=True) for line in others)]
        if part.block is None and node.kind == "scalar":
            return [Line(head)] if _is_nothing(node) else self._folded(part, indent)
        if part.block is None and is_many(node, part.look, self.root):
            return self._spread(part, node, indent)
        if part.block is None:
            part.block, part.column = self._opened(part, node, indent), 0
        return self._below(part, part.block, indent)

    def _folded(self, part: Part, indent: int) -> list[Line]:
        first, *others = self._scalar(part, indent)
        return [Line(f"{_head(part)} {first}"), *(Line(" " * _STEP + line) for line in others)]

    def _spread(self, part: Part, node: Node, indent: int) -> list[Line]:
        lines = spread(node, part.look, self.root, WIDTH - indent - _STEP)
        if part.key is None:
            return [Line(f"- {lines[0]}"), *(Line(" " * _STEP + line) for line in lines[1:])]
        part.column = 0 if part.start >= 0 else part.column  # so far out it would stand alone
        return [Line(_head(part)), *(Line(" " * _STEP + line) for line in lines)]

    def _opened(self, part: Part, node: Node, indent: int) -> Block:
        """A map in braces as a block."""
        parts = [Part([], key, value, inside(part.look, self.root, key.raw)) for key, value in node.pairs.values()]
        return Block(part.look, indent + _STEP, False, parts)

    def _below(self, part: Part, block: Block, indent: int) -> list[Line]:
        lines = self.block(block, indent + _STEP, in_item=part.key is None)
        lines = [Line(line.text[indent:], line.comment, line.column, line.is_kept) for line in lines]
        if part.key is not None:
            return [Line(_head(part)), *lines]
        lines[0].text = f"- {lines[0].text.lstrip()}"
        return lines


def _fits(row: Row, indent: int) -> bool:
    """Is it short enough? Scalars are folded already if they can be."""
    is_short = indent + len(f"{row.key} {row.text}") <= WIDTH
    return is_short or row.in_columns or not row.text.startswith(("{", "["))


def _is_nothing(node: Node) -> bool:
    return node.kind == "scalar" and not node.raw and not node.style


def _head(part: Part) -> str:
    return "-" if part.key is None else f"{on_a_line(part.key, is_key=True)}:"


def _above(above: Sequence[str], indent: int, is_first: bool) -> list[Line]:
    """Comments above an entry; the first of a block follows its key without empty line."""
    begin = next((at for at, line in enumerate(above) if line), len(above)) if is_first and indent else 0
    return [_moved(Line(line), indent) for line in above[begin:]]


def _moved(line: Line, indent: int) -> Line:
    line.text = " " * indent + line.text if line.text else ""
    return line


def _behind(lines: list[Line], part: Part) -> list[Line]:
    """Attach the comment of an entry: behind a key that stands alone, else behind the value."""
    if part.behind:
        alone = part.value is not None and lines[0].text.strip() == _head(part)
        where = lines[0] if part.block is not None or alone else lines[-1]
        where.comment, where.column = part.behind, part.column
    return lines


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the entries between empty lines."""
    group: list[Part] = []
    for part in parts:
        if "" in part.above and group:
            yield group
            group = []
        group.append(part)
    yield group


_COMMENT = re.compile(r"(?:(?<=\s)|^)#.*", re.MULTILINE)


def format_ruleset(text: str, name: str = "") -> str:
    """Format a ruleset: sections and keys in order, long lines wrapped, quotes where needed, columns completed.

    Formatted and unusual text is returned unchanged. Raises Refused, with places in the file `name`, for invalid YAML.
    """
    before = load(Source(name, text))
    try:
        found = text_of(split_parts(before.span.source.text, before, whole(before)), before)
    except Unusual:
        return text
    return found if is_same(before, load(Source(name, found))) else text


def is_same(before: Node, after: Node) -> bool:
    """Do two trees have the same content, order of names and comments?"""
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
    """Count the comments of a text."""
    text, at, found = root.span.source.text, 0, Counter[str]()
    for leaf in leaves(root):
        if leaf.span.start >= at:
            found.update(comment.rstrip() for comment in _COMMENT.findall(text, at, leaf.span.start))
            at = leaf.span.end
    found.update(comment.rstrip() for comment in _COMMENT.findall(text, at))
    return found
