"""Boards of a view, with what lies at the places of the players beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from hoyle.cli.drawing.boards import SHORT, Stands, draw, with_sides
from hoyle.cli.drawing.ink import Look
from hoyle.cli.drawing.piles import Group, heads_of, line_of
from hoyle.cli.drawing.ways import Way
from hoyle.printable import width
from hoyle.view_data import BoardView, TableView


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
