"""The lines of a text of which the parts are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from hoyle.formatting.columns import Row, align, align_cells
from hoyle.formatting.flow import cells, flow, is_many, spread
from hoyle.formatting.order import inside, ordered
from hoyle.formatting.parts import Block, Part
from hoyle.formatting.scalars import WIDTH, lines_of, on_a_line
from hoyle.reading.tree import Node

_STEP = 2
_BEFORE_COMMENT = 2
_APART = (
    *("options", "constraints", "tables", "pieces", "piles", "state", "terms", "moves", "obligations", "flow"),
    *("whenever", "result", "display", "clauses", "glossary", "notes", "unaffected", "examples"),
)
"""Sections that stand apart from what is above and below them, unless they take no more than a line."""


class Line(Struct):
    """A line of the text; a comment behind it, and in which column that stood; whether it is kept as it is."""

    text: str
    comment: str = ""
    column: int = 0
    is_kept: bool = False


def text_of(block: Block, root: Node) -> str:
    """The whole text."""
    lines = [Line(line) for line in block.head]
    lines += _Layout(root).block(block, 0, has_head=bool(lines))
    return "\n".join(_written([*_sparing(lines)])).strip("\n") + "\n"


def _sparing(lines: Sequence[Line]) -> Iterator[Line]:
    """Never two empty lines one after the other, but in texts that are kept as they are."""
    before = Line("")
    for line in lines:
        if line.text or before.text or line.is_kept:
            yield line
        before = line


def _with_comment(line: Line, column: int) -> str:
    return f"{line.text.ljust(column)}{line.comment}" if line.comment else line.text


def _written(lines: Sequence[Line]) -> Iterator[str]:
    """Comments below each other that stood in one column do so again."""
    for (_, column), run in groupby(lines, lambda line: (bool(line.comment), line.column)):
        some = list(run)
        place = max(column, *(len(line.text) + _BEFORE_COMMENT for line in some)) if some[0].comment else 0
        yield from (_with_comment(line, place) for line in some)


class _Layout:
    def __init__(self, root: Node) -> None:
        self.root = root

    def block(self, block: Block, indent: int, in_item: bool = False, has_head: bool = False) -> list[Line]:
        """`in_item`: it begins on the line of the item's sign, where no comment can stand above it. `has_head`: comments stand at the head of the file."""
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
        """The entries that stand on one line, in the columns of their groups; sections stand in none."""
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
        """An entry as it would stand on one line; None where it cannot."""
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
        """An entry that stands on several lines."""
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
        """A map that stood in braces as a block."""
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
    """Does it stay on its line? What is not in braces or brackets has been folded if that was possible."""
    is_short = indent + len(f"{row.key} {row.text}") <= WIDTH
    return is_short or row.in_columns or not row.text.startswith(("{", "["))


def _is_nothing(node: Node) -> bool:
    return node.kind == "scalar" and not node.raw and not node.style


def _head(part: Part) -> str:
    return "-" if part.key is None else f"{on_a_line(part.key, is_key=True)}:"


def _above(above: Sequence[str], indent: int, is_first: bool) -> list[Line]:
    """Comments above an entry; the first of a block stands at once below its key."""
    begin = next((at for at, line in enumerate(above) if line), len(above)) if is_first and indent else 0
    return [_moved(Line(line), indent) for line in above[begin:]]


def _moved(line: Line, indent: int) -> Line:
    line.text = " " * indent + line.text if line.text else ""
    return line


def _behind(lines: list[Line], part: Part) -> list[Line]:
    """The lines of an entry with its comment: behind the key, where that stands alone, else behind the value."""
    if part.behind:
        alone = part.value is not None and lines[0].text.strip() == _head(part)
        where = lines[0] if part.block is not None or alone else lines[-1]
        where.comment, where.column = part.behind, part.column
    return lines


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Entries that no empty line parts."""
    group: list[Part] = []
    for part in parts:
        if "" in part.above and group:
            yield group
            group = []
        group.append(part)
    yield group
