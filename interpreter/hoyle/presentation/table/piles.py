"""Piles of a view: their names and contents on a line, how they are laid out, and which have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.presentation.look import Look, Place, draw_piece, draw_row, format_count, pad, wrap_cells
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import PieceView, PileView, TableView


def get_place(pile: PileView) -> Place:
    return pile.family, pile.owner, pile.member, pile.number


Looks = Mapping[Place, object]
"""The look of each pile, by place."""


def record_looks(view: TableView) -> Looks:
    return {get_place(pile): _record_look(pile) for pile in view.piles}


def find_changes(known: Looks, after: TableView) -> frozenset[Place]:
    """Return the piles that differ from what was known."""
    return frozenset(place for place, look in record_looks(after).items() if known.get(place) != look)


def update_looks(known: Looks, before: TableView, after: TableView) -> Looks:
    """Add a player's own changes to what he knows; earlier changes by others stay unknown."""
    was = record_looks(before)
    return {
        **known,
        **{place: look for place, look in record_looks(after).items() if known.get(place) == was.get(place)},
    }


def _record_look(pile: PileView) -> tuple[object, ...]:
    return pile.count, [(piece.sign, piece.up) for piece in pile.pieces]


def find_uncovered(before: TableView, after: TableView) -> dict[Place, str]:
    """Return the newly visible pieces on top of columns, by place."""
    fresh, found = _count_signs(after) - _count_signs(before), dict[Place, str]()
    for pile in after.piles:
        if pile.layout == "column" and pile.pieces and (sign := pile.pieces[-1].sign) is not None and fresh[sign]:
            fresh[sign] -= 1
            found[get_place(pile)] = sign
    return found


def record_all_but_uncovered(before: TableView, after: TableView) -> Looks:
    """Return what a player knows after a choice. Uncovered columns stay unknown, so that they are marked."""
    was = record_looks(before)
    return {**record_looks(after), **{place: was[place] for place in find_uncovered(before, after)}}


def has_new_sign(before: TableView, after: TableView) -> bool:
    """Return whether a sign is visible now that was not visible before."""
    return bool(_count_signs(after) - _count_signs(before))


def _count_signs(view: TableView) -> Counter[str]:
    return Counter(piece.sign for pile in view.piles for piece in pile.pieces if piece.sign is not None)


def list_visible(view: TableView) -> tuple[object, ...]:
    """Return what a seat sees, without its looks."""
    pieces = [[piece.sign is None for piece in pile.pieces] for pile in view.piles]
    return pieces, [(value.name, value.member) for value in view.state]


class Layout(Struct, frozen=True):
    """How much room a table takes. `strips`: columns as lines, low boards; `tight`: side by side, without empty piles; `few`: only the last pieces of a strip."""

    strips: bool = False
    tight: bool = False
    few: int = 0
    no_sheets: bool = False


FULL_LAYOUTS = (Layout(), Layout(tight=True), Layout(strips=True), Layout(strips=True, tight=True))
"""Layouts that show everything, largest first."""
FEWEST_PIECES = 1
"""With this few pieces, the common state takes one line."""
BRIEF_LAYOUTS = tuple(
    Layout(True, True, few, none) for few, none in ((6, False), (6, True), (3, True), (FEWEST_PIECES, True))
)
"""Layouts that leave something out."""


LABEL = 10
"""Minimum width of a name before a pile."""


class Group(Struct, frozen=True):
    """The piles of one family with one owner. `labels` number the points of a board from the viewer's side."""

    family: str
    owner: str | None
    piles: tuple[PileView, ...]
    labels: tuple[str, ...] = ()

    @property
    def layout(self) -> str:
        return self.piles[0].layout

    @property
    def is_block(self) -> bool:
        return self.layout in ("column", "board") or (len(self.piles) > 1 and self.layout == "count")


def draw_inline(groups: Iterable[Group], look: Look, layout: Layout) -> list[str]:
    """Draw piles beside their names, several a line if they are short."""
    lines: list[str] = []
    short: list[str] = []
    for group, piles in _select_inline(groups, layout):
        if (together := _join_family(group, piles, look)) is not None:
            short.append(together)
            continue
        said = [(name_pile(group, pile, look), draw_cells(pile, look)) for pile in piles]
        if all(_is_short(name, cells, look) for name, cells in said):
            short += [f"{name} {' '.join(cells)}" for name, cells in said]
        else:
            lead = max(LABEL, *(width(name) + 1 for name, _ in said))  # below each other, in their own order
            lines += [line for name, cells in said for line in _draw_long(name, cells, look, lead)]
    return wrap_indented(short, look) + lines


def _is_short(name: str, cells: Sequence[str], look: Look) -> bool:
    return width(name) + sum(width(cell) + 1 for cell in cells) <= look.width // 2


def _select_inline(groups: Iterable[Group], layout: Layout) -> list[tuple[Group, list[PileView]]]:
    """Select piles outside of blocks, without those that the state describes, and without empty ones if tight."""
    found = ((group, group.piles) for group in groups if not group.is_block)
    shown = ((group, [p for p in piles if (p.count or not layout.tight) and not p.told_by]) for group, piles in found)
    return [(group, piles) for group, piles in shown if piles]


def _join_family(group: Group, piles: Sequence[PileView], look: Look) -> str | None:
    """Draw several piles behind their shared name, if they fit a line."""
    if len(piles) < 2:
        return None
    each = [cell for empty, run in groupby(piles, _is_empty) for cell in _draw_cells(list(run), look, empty)]
    found = f"{look.ink(look.label(group.family, 'piles'), 'dim')} {'  '.join(each)}"
    return found if width(found) <= look.width - 2 else None


def _is_empty(pile: PileView) -> bool:
    return not pile.count


def _draw_cells(piles: Sequence[PileView], look: Look, empty: bool) -> list[str]:
    if empty:
        return [
            f"{look.ink(name, 'dim')} {look.empty}"
            for name in join_ranges([name_in_family(p, look) for p in piles], look)
        ]
    return [f"{look.ink(name_in_family(pile, look), 'dim')} {' '.join(draw_cells(pile, look))}" for pile in piles]


def join_ranges(names: Sequence[str], look: Look) -> list[str]:
    """Join three or more consecutive numbers: `4–9`. Marked names stay separate."""
    found = list[list[str]]()
    for name in names:
        if found and name.isdecimal() and found[-1][-1].isdecimal() and int(found[-1][-1]) + 1 == int(name):
            found[-1].append(name)
        else:
            found.append([name])
    return [part for run in found for part in ([f"{run[0]}{look.sign('–', '-')}{run[-1]}"] if len(run) > 2 else run)]


def list_piles(groups: Iterable[Group], look: Look, layout: Layout) -> list[str]:
    return [draw_pile(group, pile, look) for group, piles in _select_inline(groups, layout) for pile in piles]


def draw_pile(group: Group, pile: PileView, look: Look) -> str:
    return f"{name_pile(group, pile, look)} {' '.join(draw_cells(pile, look))}"


def _draw_long(name: str, cells: Sequence[str], look: Look, lead: int) -> list[str]:
    found = wrap_cells(cells, look.width - 2 - lead)
    return ["  " + (pad(name, lead) if n == 0 else " " * lead) + line for n, line in enumerate(found)]


def wrap_indented(cells: Sequence[str], look: Look) -> list[str]:
    columns = look.width - 2
    short = [cell for cell in cells if width(cell) <= columns]
    long = [line for cell in cells if width(cell) > columns for line in wrap_cells(cell.split(" "), columns)]
    return [f"  {line}" for line in [*wrap_cells(short, columns, "   "), *long]]


def name_pile(group: Group, pile: PileView, look: Look) -> str:
    name = look.label(group.family, "piles")
    several = len(group.piles) > 1
    return look.ink(f"{name} {name_in_family(pile, look)}".strip() if several else name + _get_mark(pile, look), "dim")


def name_in_family(pile: PileView, look: Look) -> str:
    """Return what tells a pile from others of its family, with its mark."""
    return _get_number(pile, look) + _get_mark(pile, look)


def _get_number(pile: PileView, look: Look) -> str:
    parts = look.member(pile.family, pile.member) if pile.member is not None else []
    return " ".join([*parts, str(pile.number)] if pile.number is not None else parts)


def make_point_labels(group: Group, look: Look) -> list[PointLabel]:
    """Label the piles of a group; those of a board by the viewer's numbers."""
    labels = group.labels or [_get_number(pile, look) for pile in group.piles]
    return [PointLabel(label, _get_mark(pile, look)) for label, pile in zip(labels, group.piles, strict=True)]


def _get_mark(pile: PileView, look: Look) -> str:
    """Return the mark of a pile that has changed since the viewer last chose."""
    return look.sign("•", "*") if get_place(pile) in look.changed else ""


def draw_cells(pile: PileView, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if not is_stack(pile) or not pile.pieces:
        return draw_row(_sort_pieces(pile), look) if pile.pieces else [format_count(look.back, pile.count, look)]
    top, alike = draw_piece(pile.pieces[-1], look), len(pile.pieces) == pile.count and len(group_runs(pile, look)) == 1
    if pile.count == 1:
        return [top]
    return [format_count(top if width(top) < 3 else f"{top} ", pile.count, look) if alike else f"{top} ({pile.count})"]


def is_stack(pile: PileView) -> bool:
    """Return whether only the top piece and the count are shown."""
    return pile.layout == "count" or pile.stacked


def _sort_pieces(pile: PileView) -> Sequence[PieceView]:
    """Sort pieces as displayed; columns keep their order."""
    return [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces


class PointLabel(Struct, frozen=True):
    """The label of a point and its mark. The mark does not change the width."""

    label: str
    mark: str = ""


def group_runs(pile: PileView, look: Look) -> list[tuple[str, int]]:
    """Group equal pieces from the top down: `3B1W` is three black men on a white one."""
    return [
        (shown, len(list(run))) for shown, run in groupby(draw_piece(piece, look) for piece in reversed(pile.pieces))
    ]
