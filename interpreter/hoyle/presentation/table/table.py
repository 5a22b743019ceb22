"""A view as lines of text: piles by name and owner, backs for what is hidden. Pure, and the same for every game.

Piles of one `column` family stand side by side as fans, pieces downwards; where the terminal is too low for that they
lie as strips, one pile a line. The seat that looks sits at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, Place, cut, wrap
from hoyle.presentation.table.blocks import blocks, side_by_side
from hoyle.presentation.table.boards import along, at_sides, boards_of, lines_of
from hoyle.presentation.table.piles import BRIEF, FEWEST, WHOLE, Group, Way, in_words, inline, wrapped
from hoyle.presentation.table.sheets import in_brief, sheet_lines, told, tracks
from hoyle.presentation.table.spoken import said_table, sayings
from hoyle.printable import printable, width

if TYPE_CHECKING:
    from hoyle.view_data import PileView, StateView, TableView


SPARE = 3
"""The third part of the height must stay free for a table to take a fuller form again than it had: with fewer to spare it went to and fro within a
deal, as there was more or less to tell above it, and nothing stayed where it was."""


class Form(Struct):
    """In which of the ways the last table stood, by their numbers from the fullest on, at which size of the terminal; `drawn`: in which one
    was drawn since."""

    size: tuple[int, int | None] = (0, None)
    kept: int = 0
    drawn: int = 0

    def sized(self, size: tuple[int, int | None]) -> Form:
        """The form to keep: that of the last table, if there was one of this size."""
        return Form(size, self.drawn if size == self.size else 0)


def table(
    view: TableView,
    seats: Sequence[str],
    look: Look,
    heading: str = "",
    changed: frozenset[Place] = frozenset(),
    brief: bool = False,
    form: Form | None = None,
) -> list[str]:
    """The whole table, no wider than `look.width`, and as large as it can be with `look.height`; what does not fit then either is left out if it may
    be `brief`. The piles that have changed are marked. It keeps its `form`, unless a fuller one fits well."""
    if look.plain:
        return said_table(sayings(view, seats, look), heading)
    form = form if form is not None else Form()
    look, found = replace(look, changed=changed), list[tuple[int, list[str]]]()
    for number, way in enumerate((*WHOLE, *BRIEF * (brief or form.kept >= len(WHOLE)))):
        found.append((number, _table(view, seats, look, heading, way)))
        if look.height is None or len(found[-1][1]) <= look.height - (look.height // SPARE) * (number < form.kept):
            break
    else:
        found.append(min(found, key=lambda one: len(one[1])))
    form.drawn = found[-1][0]
    return found[-1][1]


def _table(view: TableView, seats: Sequence[str], look: Look, heading: str, way: Way) -> list[str]:
    order, sheets = _order(view.seat, seats), [] if way.no_sheets else in_brief(view.sheets, low=bool(way.few))
    on_paper = {sheet.name for sheet in sheets}
    groups = [along(group, view.boards) for group in _groups(view.piles)]
    boards = boards_of(view, groups, order[-1], look, way)
    drawn = {name for found in boards for name in found.families}
    groups = [group for group in groups if group.family not in drawn]
    beside = at_sides(boards, groups, order, look)
    lines = _heading(heading, look, way)
    for owner in order:
        own = [group for group in groups if group.owner == owner]
        state = told(view.state, owner, seats, look, on_paper)
        lying = [] if owner in beside else own
        if owner is None:
            lines += [
                *_common(state, look, way, bool(boards)),
                *sheet_lines(sheets, look, whole=False, folded=way.tight),
            ]
            lines += [*inline(lying, look, way), *lines_of(boards, beside, order)]
        elif way.tight and owner != order[-1]:
            lines += _short(owner, view, [*in_words(lying, look, way), *state], look, way)
        else:
            lines += [_header(owner, view, state, look), *inline(lying, look, way)]
        lines += blocks([group for group in own if group.is_block], look, way)
    return lines + _pegs(view.state, look, way)


def _heading(heading: str, look: Look, way: Way) -> list[str]:
    rest = f" ({t('table.rest')})" if way.few else ""
    return [look.ink(cut(printable(heading) + rest, look.width), "title")] if heading else []


def _common(state: Sequence[str], look: Look, way: Way, has_board: bool) -> list[str]:
    """What is said of nobody alone, below a rule."""
    if has_board and not state:
        return []
    if way.few == FEWEST:
        return [f" {words}"] if (words := _fitting(state, look.width - 1)) else []
    return [*([] if way.tight else _rule(look)), *wrapped(state, look)]


def _pegs(items: Sequence[StateView], look: Look, way: Way) -> list[str]:
    """The pegging tracks; two a line where the table is tight."""
    if not way.tight:
        return tracks(items, look)
    half = tracks(items, replace(look, width=(look.width - 4) // 2))
    return side_by_side([[one] for one in half], look)


def _order(seat: str | None, seats: Sequence[str]) -> list[str | None]:
    """Who lies where: the others at the top, the common table, the seat that looks at the bottom."""
    bottom = seat if seat in seats else seats[0] if seats else None
    others: list[str | None] = [s for s in seats if s != bottom]
    return [*others, None, bottom] if bottom else [None]


def _groups(piles: Iterable[PileView]) -> list[Group]:
    found: dict[tuple[str, str | None], list[PileView]] = {}
    for pile in piles:
        if pile.layout != "hidden":
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


# Headers


def _header(owner: str, view: TableView, state: Sequence[str], look: Look) -> str:
    title = f"{_title(owner, view, look)} "
    words = _fitting(state, look.width - width(title) - 4)
    return title + look.ink(look.sign("─", "-") * (look.width - width(title) - width(words)), "dim") + words


def _title(owner: str, view: TableView, look: Look) -> str:
    acts = owner == view.to_act
    name = look.seat(owner) + (f" ({look.you})" if owner == view.seat else "")
    return f"{look.sign('▶ ', '> ') if acts else '  '}{look.ink(name, 'mine' if acts else 'title')}"


def _short(owner: str, view: TableView, cells: Sequence[str], look: Look, way: Way) -> list[str]:
    """A seat with what lies there and what is said of it, on a line if that is long enough, or if no more is to be shown."""
    title, columns = _title(owner, view, look), look.width - 4
    if way.few:
        return [title + _fitting(["", *cells], look.width - width(title))]
    fitting = [part for cell in cells for part in ([cell] if width(cell) <= columns else cell.split(" "))]
    first, *others = wrap([title, *fitting], columns, "   ")
    return [first, *(f"    {line}" for line in others)]


def _fitting(state: Sequence[str], columns: int) -> str:
    words = ""
    for item in state:
        if width(words) + width(item) + 3 <= columns:
            words += f"  {item}" if words else f" {item}"
    return words


def _rule(look: Look) -> list[str]:
    return [look.ink(look.sign("─", "-") * look.width, "dim")]
