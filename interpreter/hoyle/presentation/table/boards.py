"""Boards: points in two rows, men stacked from the edge, the bar in the middle.

The viewer's first point is at the bottom right. A stack that is too high ends in a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.presentation.look import Look, draw_piece, pad
from hoyle.presentation.table.piles import Group, Layout, PointLabel, draw_pile, group_runs, make_point_labels
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import BoardView, PileView, TableView


ROWS, FEWER = 5, 3
"""Men drawn of a stack, and on a low terminal."""
WIDE = 3
"""Minimum width of a point."""
SHORT = 12
"""A board with at most this many points is drawn in one row."""


class BoardPosition(Struct, frozen=True):
    """The points from the first on, the piles of men that wait to enter (`bar` is their name, or empty), and the seat at the bottom."""

    points: Sequence[PileView]
    heads: Sequence[PointLabel]
    waiting: Sequence[PileView]
    bar: str
    seat: str | None


class PointStack(Struct, frozen=True):
    """The label of a point, and the men drawn on it from the edge on."""

    head: PointLabel
    men: tuple[str, ...]


def draw_board(position: BoardPosition, look: Look, low: bool) -> list[str]:
    rows = FEWER if low else ROWS
    stacks = [
        PointStack(head, _stack_men(p, rows, look)) for p, head in zip(position.points, position.heads, strict=True)
    ]
    half = (len(stacks) + 1) // 2
    lower, upper = stacks[half - 1 :: -1], stacks[half:]
    upper += [PointStack(PointLabel(""), ())] * (half - len(upper))
    below = [_stack_men(pile, rows, look) for pile in position.waiting if pile.owner == position.seat]
    above = [_stack_men(pile, rows, look) for pile in position.waiting if pile.owner != position.seat]
    wide = max(WIDE, *(1 + max(map(width, [s.head.label, *s.men])) for s in stacks))
    ink = _BoardLines(look, wide, half // 2 if half > WIDE else half, position.bar)
    return [
        ink.edge(upper, "┌┬┐"),
        *(ink.row(upper, n, _get_waiting(above, rows - 1 - n)) for n in range(rows)),
        ink.middle(half),
        *(ink.row(lower, n, _get_waiting(below, rows - 1 - n)) for n in reversed(range(rows))),
        ink.edge(lower, "└┴┘"),
    ]


def draw_flat(points: Sequence[PileView], heads: Sequence[PointLabel], look: Look) -> list[str]:
    """Draw a small board, or one on a narrow screen, with numbers for stacks."""
    cells = [_count_men(pile, look) for pile in points]
    wide = max(map(width, [*cells, *(head.label for head in heads)])) + 1
    if len(points) <= SHORT:
        return _draw_flat_row(heads, cells, wide, look)
    half = (len(points) + 1) // 2
    lower = _draw_flat_row(heads[half - 1 :: -1], cells[half - 1 :: -1], wide, look)
    return [*_draw_flat_row(heads[half:], cells[half:], wide, look), *reversed(lower)]


def _draw_flat_row(heads: Sequence[PointLabel], cells: Sequence[str], wide: int, look: Look) -> list[str]:
    above = "".join(pad(look.ink(head.label + head.mark, "number"), wide) for head in heads)
    return [above.rstrip(), "".join(pad(cell, wide) for cell in cells).rstrip()]


def _count_men(pile: PileView, look: Look) -> str:
    if not pile.count:
        return look.empty
    if len(pile.pieces) < pile.count:
        return f"{pile.count}{draw_piece(pile.pieces[-1], look) if pile.pieces else look.back}"
    return "".join(f"{count}{shown}" for shown, count in group_runs(pile, look))


def add_side_piles(lines: Sequence[str], above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Add the players' piles beside the halves of a board."""
    beside = dict(enumerate(above, 1)) | dict(enumerate(below, len(lines) - 1 - len(below)))
    return [f"  {line}  {beside.get(n, '')}".rstrip() for n, line in enumerate(lines)]


def _get_waiting(stacks: Iterable[Sequence[str]], place: int) -> str:
    return "".join(stack[place] for stack in stacks if place < len(stack))


def _stack_men(pile: PileView, rows: int, look: Look) -> tuple[str, ...]:
    """Return the men from the bottom on. If there are too many, the last is a count, of all or of the run on top."""
    men = [draw_piece(piece, look) for piece in pile.pieces] or [look.back] * pile.count
    if len(men) <= rows:
        return tuple(men)
    *under, (top, run) = [(man, len(list(same))) for man, same in groupby(men)]
    return (*men[: rows - 1], f"{run}{top}" if under else str(len(men)))


class _BoardLines(Struct, frozen=True):
    """Draws the lines of a board: `wide` columns a point, `block` points a block."""

    look: Look
    wide: int
    block: int
    bar: str

    def edge(self, stacks: Sequence[PointStack], corners: str) -> str:
        left, between, right = (self._sign(corner) for corner in corners)
        rule, gap = self._sign("─"), self._sign("─") * self._gap
        cells = [self._head(stack.head, rule) for stack in stacks]
        parts = ["".join(cells[n : n + self.block]) + rule for n in range(0, len(cells), self.block)]
        return left + (f"{between}{gap}{between}" if self.bar else between).join(parts) + right

    def _head(self, head: PointLabel, rule: str) -> str:
        mark = self.look.ink(head.mark, "number")
        return rule * (self.wide - width(head.mark + head.label)) + mark + self.look.ink(head.label, "number")

    def row(self, stacks: Sequence[PointStack], place: int, waiting: str) -> str:
        cells = [self._cell(stack, place) for stack in stacks]
        parts = ["".join(cells[n : n + self.block]) + " " for n in range(0, len(cells), self.block)]
        return self._joined(parts, waiting)

    def middle(self, half: int) -> str:
        sizes = [min(self.block, half - n) for n in range(0, half, self.block)]
        return self._joined([" " * (self.wide * size + 1) for size in sizes], self.look.ink(self.bar, "dim"))

    def _joined(self, parts: Sequence[str], waiting: str) -> str:
        side = self._sign("│")
        left = (self._gap - width(waiting)) // 2
        inside = pad(" " * left + waiting, self._gap)
        return side + (f"{side}{inside}{side}" if self.bar else side).join(parts) + side

    def _cell(self, stack: PointStack, place: int) -> str:
        man = stack.men[place] if place < len(stack.men) else self.look.empty if place == 0 and stack.head.label else ""
        return " " * (self.wide - width(man)) + man

    @property
    def _gap(self) -> int:
        return max(WIDE, width(self.bar))

    def _sign(self, fancy: str) -> str:
        return fancy if self.look.unicode else {"─": "-", "│": "|"}.get(fancy, "+")


class DrawnBoard(Struct, frozen=True):
    """A board as lines, and the families of piles on it."""

    families: tuple[str, ...]
    lines: tuple[str, ...]


def order_along_board(group: Group, boards: Iterable[BoardView]) -> Group:
    """Order the piles of a board along it."""
    board = next((board for board in boards if board.family == group.family), None)
    if board is None:
        return group
    piles = {pile.key: pile for pile in group.piles}
    labels = tuple(board.labels) if board.numbered else ()
    return Group(group.family, group.owner, tuple(piles[key] for key in board.points), labels)


def draw_boards(
    view: TableView, groups: Sequence[Group], bottom: str | None, look: Look, layout: Layout
) -> list[DrawnBoard]:
    """Draw the boards that fit; others are drawn flat later."""
    piles, found = {pile.key: pile for pile in view.piles}, list[DrawnBoard]()
    for group in groups if not layout.few else ():
        waiting = [piles[key] for board in view.boards if board.family == group.family for key in board.bar]
        bar = waiting[0].family if waiting else ""
        if group.layout == "board" and len(group.piles) > SHORT:
            stands = BoardPosition(
                group.piles, make_point_labels(group, look), waiting, look.label(bar, "piles") if bar else "", bottom
            )
            lines = draw_board(stands, look, layout.strips)
            found += [DrawnBoard((group.family, bar), tuple(lines))] if width(lines[0]) + 2 <= look.width else []
    return found


def arrange_sides(
    boards: Sequence[DrawnBoard], groups: Sequence[Group], order: Sequence[str | None], look: Look
) -> dict[str | None, list[str]]:
    """Return the players' piles that fit beside the nearest half of the only board."""
    if len(boards) != 1 or len(order) < 3:
        return {}
    lines = boards[0].lines
    free, rows = look.width - width(lines[0]) - 4, len(lines) // 2 - 1
    found: dict[str | None, list[str]] = {}
    for owner in order:
        cells = [draw_pile(g, pile, look) for g in groups if g.owner == owner and not g.is_block for pile in g.piles]
        if owner is not None and len(cells) <= rows // (1 if owner == order[-1] else len(order) - 2):
            found |= {owner: cells} if all(width(cell) <= free for cell in cells) else {}
    return found


def join_boards(
    boards: Sequence[DrawnBoard], beside: Mapping[str | None, list[str]], order: Sequence[str | None]
) -> list[str]:
    above = [cell for owner in order[:-1] for cell in beside.get(owner, [])]
    return [line for board in boards for line in add_side_piles(board.lines, above, beside.get(order[-1], []))]
