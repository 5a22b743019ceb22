"""A board as it lies: its points in two rows, men stacked on them from the edge, those that have to enter between the halves.

The viewer's first point is at the bottom right. A stack that is too high for its row ends in a number: how many it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.presentation.look import Look, face, pad
from hoyle.presentation.table.piles import Group, Head, Way, heads_of, line_of, runs
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import BoardView, PileView, TableView


ROWS, FEWER = 5, 3
"""Men that are drawn of a stack, and where the terminal is low."""
WIDE = 3
"""Columns for a point, at least."""
SHORT = 12
"""So many places lie in one row."""


class Stands(Struct, frozen=True):
    """Where men stand: the points of a board from the first one on with what they are called, those that wait to enter and what the place for
    them is called (empty if there is none), and the seat that sits below."""

    points: Sequence[PileView]
    heads: Sequence[Head]
    waiting: Sequence[PileView]
    bar: str
    seat: str | None


class Stack(Struct, frozen=True):
    """What is written at a point, and its men from the edge on as far as they are drawn."""

    head: Head
    men: tuple[str, ...]


def draw(found: Stands, look: Look, low: bool) -> list[str]:
    """The lines of a board, from its upper to its lower edge."""
    rows = FEWER if low else ROWS
    stacks = [Stack(head, _stacked(p, rows, look)) for p, head in zip(found.points, found.heads, strict=True)]
    half = (len(stacks) + 1) // 2
    lower, upper = stacks[half - 1 :: -1], stacks[half:]
    upper += [Stack(Head(""), ())] * (half - len(upper))
    below = [_stacked(pile, rows, look) for pile in found.waiting if pile.owner == found.seat]
    above = [_stacked(pile, rows, look) for pile in found.waiting if pile.owner != found.seat]
    wide = max(WIDE, *(1 + max(map(width, [s.head.label, *s.men])) for s in stacks))
    ink = _Lines(look, wide, half // 2 if half > WIDE else half, found.bar)
    return [
        ink.edge(upper, "┌┬┐"),
        *(ink.row(upper, n, _at(above, rows - 1 - n)) for n in range(rows)),
        ink.middle(half),
        *(ink.row(lower, n, _at(below, rows - 1 - n)) for n in reversed(range(rows))),
        ink.edge(lower, "└┴┘"),
    ]


def flat(points: Sequence[PileView], heads: Sequence[Head], look: Look) -> list[str]:
    """A board of few points, or on a narrow screen, with numbers for stacks: in a row, or in two with the first point at the bottom right."""
    cells = [_counted(pile, look) for pile in points]
    wide = max(map(width, [*cells, *(head.label for head in heads)])) + 1
    if len(points) <= SHORT:
        return _flat_row(heads, cells, wide, look)
    half = (len(points) + 1) // 2
    lower = _flat_row(heads[half - 1 :: -1], cells[half - 1 :: -1], wide, look)
    return [*_flat_row(heads[half:], cells[half:], wide, look), *reversed(lower)]


def _flat_row(heads: Sequence[Head], cells: Sequence[str], wide: int, look: Look) -> list[str]:
    above = "".join(pad(look.ink(head.label + head.mark, "number"), wide) for head in heads)
    return [above.rstrip(), "".join(pad(cell, wide) for cell in cells).rstrip()]


def _counted(pile: PileView, look: Look) -> str:
    if not pile.count:
        return look.empty
    if len(pile.pieces) < pile.count:
        return f"{pile.count}{face(pile.pieces[-1], look) if pile.pieces else look.back}"
    return "".join(f"{count}{shown}" for shown, count in runs(pile, look))


def with_sides(lines: Sequence[str], above: Sequence[str], below: Sequence[str]) -> list[str]:
    """A board with what lies at the places of the players beside its halves."""
    beside = dict(enumerate(above, 1)) | dict(enumerate(below, len(lines) - 1 - len(below)))
    return [f"  {line}  {beside.get(n, '')}".rstrip() for n, line in enumerate(lines)]


def _at(stacks: Iterable[Sequence[str]], place: int) -> str:
    """What lies at this place of the stacks that wait."""
    return "".join(stack[place] for stack in stacks if place < len(stack))


def _stacked(pile: PileView, rows: int, look: Look) -> tuple[str, ...]:
    """Its men from the bottom on; of more than there is room for, how many: all, or if they are of several owners, those on top of the others."""
    men = [face(piece, look) for piece in pile.pieces] or [look.back] * pile.count
    if len(men) <= rows:
        return tuple(men)
    *under, (top, run) = [(man, len(list(same))) for man, same in groupby(men)]
    return (*men[: rows - 1], f"{run}{top}" if under else str(len(men)))


class _Lines(Struct, frozen=True):
    """How the lines of a board are made: columns for a point, points in a block, and what its bar is called."""

    look: Look
    wide: int
    block: int
    bar: str

    def edge(self, stacks: Sequence[Stack], corners: str) -> str:
        left, between, right = (self._sign(corner) for corner in corners)
        rule, gap = self._sign("─"), self._sign("─") * self._gap
        cells = [self._head(stack.head, rule) for stack in stacks]
        parts = ["".join(cells[n : n + self.block]) + rule for n in range(0, len(cells), self.block)]
        return left + (f"{between}{gap}{between}" if self.bar else between).join(parts) + right

    def _head(self, head: Head, rule: str) -> str:
        mark = self.look.ink(head.mark, "number")
        return rule * (self.wide - width(head.mark + head.label)) + mark + self.look.ink(head.label, "number")

    def row(self, stacks: Sequence[Stack], place: int, waiting: str) -> str:
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

    def _cell(self, stack: Stack, place: int) -> str:
        man = stack.men[place] if place < len(stack.men) else self.look.empty if place == 0 and stack.head.label else ""
        return " " * (self.wide - width(man)) + man

    @property
    def _gap(self) -> int:
        return max(WIDE, width(self.bar))

    def _sign(self, fancy: str) -> str:
        return fancy if self.look.unicode else {"─": "-", "│": "|"}.get(fancy, "+")


class Drawn(Struct, frozen=True):
    """A board as lines, and the families of piles that are on it."""

    families: tuple[str, ...]
    lines: tuple[str, ...]


def along(group: Group, boards: Iterable[BoardView]) -> Group:
    """The piles of a board in the order in which they lie along it."""
    board = next((board for board in boards if board.family == group.family), None)
    if board is None:
        return group
    piles = {pile.key: pile for pile in group.piles}
    labels = tuple(board.labels) if board.numbered else ()
    return Group(group.family, group.owner, tuple(piles[key] for key in board.points), labels)


def boards_of(view: TableView, groups: Sequence[Group], bottom: str | None, look: Look, way: Way) -> list[Drawn]:
    """The boards that there is room for; the others are flat."""
    piles, found = {pile.key: pile for pile in view.piles}, list[Drawn]()
    for group in groups if not way.few else ():
        waiting = [piles[key] for board in view.boards if board.family == group.family for key in board.bar]
        bar = waiting[0].family if waiting else ""
        if group.layout == "board" and len(group.piles) > SHORT:
            stands = Stands(
                group.piles, heads_of(group, look), waiting, look.label(bar, "piles") if bar else "", bottom
            )
            lines = draw(stands, look, way.strips)
            found += [Drawn((group.family, bar), tuple(lines))] if width(lines[0]) + 2 <= look.width else []
    return found


def at_sides(
    boards: Sequence[Drawn], groups: Sequence[Group], order: Sequence[str | None], look: Look
) -> dict[str | None, list[str]]:
    """What lies at the place of each player, a pile a line, if there is room for it beside the half of the only board that is nearest."""
    if len(boards) != 1 or len(order) < 3:
        return {}
    lines = boards[0].lines
    free, rows = look.width - width(lines[0]) - 4, len(lines) // 2 - 1
    found: dict[str | None, list[str]] = {}
    for owner in order:
        cells = [line_of(g, pile, look) for g in groups if g.owner == owner and not g.is_block for pile in g.piles]
        if owner is not None and len(cells) <= rows // (1 if owner == order[-1] else len(order) - 2):
            found |= {owner: cells} if all(width(cell) <= free for cell in cells) else {}
    return found


def lines_of(boards: Sequence[Drawn], beside: Mapping[str | None, list[str]], order: Sequence[str | None]) -> list[str]:
    above = [cell for owner in order[:-1] for cell in beside.get(owner, [])]
    return [line for board in boards for line in with_sides(board.lines, above, beside.get(order[-1], []))]
