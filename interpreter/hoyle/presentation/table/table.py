"""A view as lines of text: piles by name and owner, backs for hidden pieces. The viewer sits at the bottom.

Columns are drawn as fans, or as strips if the terminal is low.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, Place, cut_text, wrap_cells
from hoyle.presentation.table.blocks import draw_blocks, join_blocks
from hoyle.presentation.table.boards import arrange_sides, draw_boards, join_boards, order_along_board
from hoyle.presentation.table.piles import (
    BRIEF_LAYOUTS,
    FEWEST_PIECES,
    FULL_LAYOUTS,
    Group,
    Layout,
    draw_inline,
    list_piles,
    wrap_indented,
)
from hoyle.presentation.table.sheets import describe_state, draw_sheets, draw_tracks, select_sheets
from hoyle.presentation.table.spoken import make_spoken_lines, speak_table
from hoyle.printable import printable, width

if TYPE_CHECKING:
    from hoyle.view_data import PileView, StateView, TableView


SPARE = 3
"""A fuller layout needs a third of the height free, or else the layout would alternate within a deal."""


class LayoutMemory(Struct):
    """The layout of the last table, by its number, and the size of the terminal then."""

    size: tuple[int, int | None] = (0, None)
    kept: int = 0
    drawn: int = 0

    def resize(self, size: tuple[int, int | None]) -> LayoutMemory:
        """Return the layout to keep, or the fullest if the size has changed."""
        return LayoutMemory(size, self.drawn if size == self.size else 0)


def draw_table(
    view: TableView,
    seats: Sequence[str],
    look: Look,
    heading: str = "",
    changed: frozenset[Place] = frozenset(),
    brief: bool = False,
    form: LayoutMemory | None = None,
) -> list[str]:
    """Draw the table as large as `look.height` allows.

    Args:
        changed: piles to mark.
        brief: whether parts may be left out.
        form: the layout of the last table; updated. It is kept unless a fuller one fits well.

    """
    if look.plain:
        return speak_table(make_spoken_lines(view, seats, look), heading)
    form = form if form is not None else LayoutMemory()
    look, found = replace(look, changed=changed), list[tuple[int, list[str]]]()
    for number, layout in enumerate((*FULL_LAYOUTS, *BRIEF_LAYOUTS * (brief or form.kept >= len(FULL_LAYOUTS)))):
        found.append((number, _draw_layout(view, seats, look, heading, layout)))
        if look.height is None or len(found[-1][1]) <= look.height - (look.height // SPARE) * (number < form.kept):
            break
    else:
        found.append(min(found, key=lambda one: len(one[1])))
    form.drawn = found[-1][0]
    return found[-1][1]


def _draw_layout(view: TableView, seats: Sequence[str], look: Look, heading: str, layout: Layout) -> list[str]:
    order, sheets = (
        _order_seats(view.seat, seats),
        [] if layout.no_sheets else select_sheets(view.sheets, low=bool(layout.few)),
    )
    on_paper = {sheet.name for sheet in sheets}
    groups = [order_along_board(group, view.boards) for group in _group_piles(view.piles)]
    boards = draw_boards(view, groups, order[-1], look, layout)
    drawn = {name for found in boards for name in found.families}
    groups = [group for group in groups if group.family not in drawn]
    beside = arrange_sides(boards, groups, order, look)
    lines = _draw_heading(heading, look, layout)
    for owner in order:
        own = [group for group in groups if group.owner == owner]
        state = describe_state(view.state, owner, seats, look, on_paper)
        lying = [] if owner in beside else own
        if owner is None:
            lines += [
                *_draw_common(state, look, layout, bool(boards)),
                *draw_sheets(sheets, look, whole=False, folded=layout.tight),
            ]
            lines += [*draw_inline(lying, look, layout), *join_boards(boards, beside, order)]
        elif layout.tight and owner != order[-1]:
            lines += _draw_brief_seat(owner, view, [*list_piles(lying, look, layout), *state], look, layout)
        else:
            lines += [_draw_header(owner, view, state, look), *draw_inline(lying, look, layout)]
        lines += draw_blocks([group for group in own if group.is_block], look, layout)
    return lines + _draw_tracks(view.state, look, layout)


def _draw_heading(heading: str, look: Look, layout: Layout) -> list[str]:
    rest = f" ({t('table.rest')})" if layout.few else ""
    return [look.ink(cut_text(printable(heading) + rest, look.width), "title")] if heading else []


def _draw_common(state: Sequence[str], look: Look, layout: Layout, has_board: bool) -> list[str]:
    """Draw what belongs to nobody, below a rule."""
    if has_board and not state:
        return []
    if layout.few == FEWEST_PIECES:
        return [f" {words}"] if (words := _join_fitting(state, look.width - 1)) else []
    return [*([] if layout.tight else _draw_rule(look)), *wrap_indented(state, look)]


def _draw_tracks(items: Sequence[StateView], look: Look, layout: Layout) -> list[str]:
    """Draw the pegging tracks, two a line in a tight layout."""
    if not layout.tight:
        return draw_tracks(items, look)
    half = draw_tracks(items, replace(look, width=(look.width - 4) // 2))
    return join_blocks([[one] for one in half], look)


def _order_seats(seat: str | None, seats: Sequence[str]) -> list[str | None]:
    """Return the owners from top to bottom: others, the common table, the viewer."""
    bottom = seat if seat in seats else seats[0] if seats else None
    others: list[str | None] = [s for s in seats if s != bottom]
    return [*others, None, bottom] if bottom else [None]


def _group_piles(piles: Iterable[PileView]) -> list[Group]:
    found: dict[tuple[str, str | None], list[PileView]] = {}
    for pile in piles:
        if pile.layout != "hidden":
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


# Headers


def _draw_header(owner: str, view: TableView, state: Sequence[str], look: Look) -> str:
    title = f"{_draw_title(owner, view, look)} "
    words = _join_fitting(state, look.width - width(title) - 4)
    return title + look.ink(look.sign("─", "-") * (look.width - width(title) - width(words)), "dim") + words


def _draw_title(owner: str, view: TableView, look: Look) -> str:
    acts = owner == view.to_act
    name = look.seat(owner) + (f" ({look.you})" if owner == view.seat else "")
    return f"{look.sign('▶ ', '> ') if acts else '  '}{look.ink(name, 'mine' if acts else 'title')}"


def _draw_brief_seat(owner: str, view: TableView, cells: Sequence[str], look: Look, layout: Layout) -> list[str]:
    """Draw a seat and its piles on one line if possible."""
    title, columns = _draw_title(owner, view, look), look.width - 4
    if layout.few:
        return [title + _join_fitting(["", *cells], look.width - width(title))]
    fitting = [part for cell in cells for part in ([cell] if width(cell) <= columns else cell.split(" "))]
    first, *others = wrap_cells([title, *fitting], columns, "   ")
    return [first, *(f"    {line}" for line in others)]


def _join_fitting(state: Sequence[str], columns: int) -> str:
    words = ""
    for item in state:
        if width(words) + width(item) + 3 <= columns:
            words += f"  {item}" if words else f" {item}"
    return words


def _draw_rule(look: Look) -> list[str]:
    return [look.ink(look.sign("─", "-") * look.width, "dim")]
