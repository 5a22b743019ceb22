"""A view as lines of text: piles by name and owner, backs for what is hidden. Pure, and the same for every game.

Piles of one `column` family stand side by side as fans, pieces downwards; where the terminal is too low for that they
lie as strips, one pile a line. The seat that looks sits at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from interpreter.cli.drawing.boards import SHORT, Stands, draw, flat, runs, with_sides
from interpreter.cli.drawing.counters import Item, told, tracks
from interpreter.cli.drawing.ink import Look, Piece, Place, cut, face, pad, row, times, wrap
from interpreter.cli.drawing.marks import place_of
from interpreter.cli.drawing.sheets import in_brief, sheet_lines
from interpreter.cli.drawing.spoken import said_table
from interpreter.printable import printable, width

if TYPE_CHECKING:
    from interpreter.game.paper import SheetView

LABEL = 10  # columns for the name before a pile's pieces


class Pile(Protocol):
    """A pile as a view gives it."""

    @property
    def key(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def owner(self) -> str | None: ...
    @property
    def number(self) -> int | None: ...
    @property
    def member(self) -> str | None: ...
    @property
    def layout(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def pieces(self) -> Sequence[Piece]: ...
    @property
    def order(self) -> Sequence[int]: ...


class Board(Protocol):
    """A board as a view gives it."""

    @property
    def family(self) -> str: ...
    @property
    def points(self) -> Sequence[str]: ...
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def numbered(self) -> bool: ...
    @property
    def bar(self) -> Sequence[str]: ...


class View(Protocol):
    """What one seat, or an onlooker, sees."""

    @property
    def boards(self) -> Sequence[Board]: ...

    @property
    def seat(self) -> str | None: ...
    @property
    def to_act(self) -> str | None: ...
    @property
    def piles(self) -> Sequence[Pile]: ...
    @property
    def state(self) -> Sequence[Item]: ...
    @property
    def sheets(self) -> Sequence[SheetView]: ...


class Group(Struct, frozen=True):
    """The piles of one family that belong to one seat, or to nobody; `labels` are what the viewer calls those of a board by his numbers."""

    family: str
    owner: str | None
    piles: tuple[Pile, ...]
    labels: tuple[str, ...] = ()

    @property
    def layout(self) -> str:
        return self.piles[0].layout

    @property
    def is_block(self) -> bool:
        return self.layout in ("column", "board") or (len(self.piles) > 1 and self.layout == "count")


def table(
    view: View, seats: Sequence[str], look: Look, heading: str = "", changed: frozenset[Place] = frozenset()
) -> list[str]:
    """The whole table, no wider than `look.width`; as fans if they fit `look.height`, else as strips. The piles that have changed are marked."""
    if look.plain:
        return said_table(view, seats, look, heading)
    look = replace(look, changed=changed)
    fans = _table(view, seats, look, heading, strips=False)
    if look.height is None or len(fans) <= look.height:
        return fans
    return _table(view, seats, look, heading, strips=True)


def _table(view: View, seats: Sequence[str], look: Look, heading: str, strips: bool) -> list[str]:
    groups, sheets = _groups(view.piles), in_brief(view.sheets, low=strips)
    on_paper = {sheet.name for sheet in sheets}
    order = _order(view.seat, seats)
    groups = [_along(group, view.boards) for group in groups]
    boards = _boards(view, groups, order[-1], look, strips)
    drawn = {name for found in boards for name in found.families}
    groups = [group for group in groups if group.family not in drawn]
    beside = _beside_boards(boards, groups, order, look)
    lines = [look.ink(cut(printable(heading), look.width), "title")] if heading else []
    for owner in order:
        own = [group for group in groups if group.owner == owner]
        state = told(view.state, owner, seats, look, on_paper)
        common = [*_rule(look), *_wrapped(state, look)] if owner is None and (state or not boards) else []
        lines += [_header(owner, view, state, look)] if owner is not None else common
        lines += sheet_lines(sheets, look, whole=False) if owner is None else []
        lines += [] if owner in beside else _inline(own, look)
        lines += _drawn(boards, beside, order) if owner is None else []
        lines += _blocks([g for g in own if g.is_block], look, strips)
    return lines + tracks(view.state, look)


# Boards


class Drawn(Struct, frozen=True):
    """A board as lines, and the families of piles that are on it."""

    families: tuple[str, ...]
    lines: tuple[str, ...]


def _along(group: Group, boards: Iterable[Board]) -> Group:
    """The piles of a board in the order in which they lie along it."""
    board = next((board for board in boards if board.family == group.family), None)
    if board is None:
        return group
    piles = {pile.key: pile for pile in group.piles}
    labels = tuple(board.labels) if board.numbered else ()
    return Group(group.family, group.owner, tuple(piles[key] for key in board.points), labels)


def _labels(group: Group, look: Look) -> Sequence[str]:
    return group.labels or [_which(pile, look) for pile in group.piles]


def _boards(view: View, groups: Sequence[Group], bottom: str | None, look: Look, low: bool) -> list[Drawn]:
    """The boards that there is room for."""
    piles, found = {pile.key: pile for pile in view.piles}, []
    for group in groups:
        waiting = [piles[key] for board in view.boards if board.family == group.family for key in board.bar]
        bar = waiting[0].family if waiting else ""
        if group.layout == "board" and len(group.piles) > SHORT:
            stands = Stands(group.piles, _labels(group, look), waiting, look.label(bar, "piles") if bar else "", bottom)
            lines = draw(stands, look, low)
            found += [Drawn((group.family, bar), tuple(lines))] if width(lines[0]) + 2 <= look.width else []
    return found


def _beside_boards(
    boards: Sequence[Drawn], groups: Sequence[Group], order: Sequence[str | None], look: Look
) -> dict[str | None, list[str]]:
    """What lies at the place of each player, a pile a line, if there is room for it beside the half of the only board that is nearest."""
    if len(boards) != 1 or len(order) < 3:
        return {}
    lines = boards[0].lines
    free, rows = look.width - width(lines[0]) - 4, len(lines) // 2 - 1
    found: dict[str | None, list[str]] = {}
    for owner in order:
        cells = [_line(g, pile, look) for g in groups if g.owner == owner and not g.is_block for pile in g.piles]
        if owner is not None and len(cells) <= rows // (1 if owner == order[-1] else len(order) - 2):
            found |= {owner: cells} if all(width(cell) <= free for cell in cells) else {}
    return found


def _drawn(boards: Sequence[Drawn], beside: Mapping[str | None, list[str]], order: Sequence[str | None]) -> list[str]:
    above = [cell for owner in order[:-1] for cell in beside.get(owner, [])]
    return [line for board in boards for line in with_sides(board.lines, above, beside.get(order[-1], []))]


def _line(group: Group, pile: Pile, look: Look) -> str:
    return f"{_name(group, pile, look)} {' '.join(_cells(pile, look))}"


def _order(seat: str | None, seats: Sequence[str]) -> list[str | None]:
    """Who lies where: the others at the top, the common table, the seat that looks at the bottom."""
    bottom = seat if seat in seats else seats[0] if seats else None
    others: list[str | None] = [s for s in seats if s != bottom]
    return [*others, None, bottom] if bottom else [None]


def _groups(piles: Iterable[Pile]) -> list[Group]:
    found: dict[tuple[str, str | None], list[Pile]] = {}
    for pile in piles:
        if pile.layout != "hidden":
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


# Headers


def _header(owner: str, view: View, state: Sequence[str], look: Look) -> str:
    acts = owner == view.to_act
    name = look.seat(owner) + (f" ({look.you})" if owner == view.seat else "")
    title = f"{look.sign('▶ ', '> ') if acts else '  '}{look.ink(name, 'mine' if acts else 'title')} "
    words = _fitting(state, look.width - width(title) - 4)
    return title + look.ink(look.sign("─", "-") * (look.width - width(title) - width(words)), "dim") + words


def _fitting(state: Sequence[str], columns: int) -> str:
    words = ""
    for item in state:
        if width(words) + width(item) + 3 <= columns:
            words += f"  {item}" if words else f" {item}"
    return words


def _rule(look: Look) -> list[str]:
    return [look.ink(look.sign("─", "-") * look.width, "dim")]


def _wrapped(cells: Sequence[str], look: Look) -> list[str]:
    columns = look.width - 2
    short = [cell for cell in cells if width(cell) <= columns]
    long = [line for cell in cells if width(cell) > columns for line in wrap(cell.split(" "), columns)]
    return [f"  {line}" for line in [*wrap(short, columns, "   "), *long]]


# Piles on a line


def _inline(groups: Iterable[Group], look: Look) -> list[str]:
    """Piles that fit beside their name, several a line; one that does not fit has lines of its own."""
    lines: list[str] = []
    short: list[str] = []
    for group in groups:
        for pile in () if group.is_block else group.piles:
            name, cells = _name(group, pile, look), _cells(pile, look)
            if width(name) + sum(width(cell) + 1 for cell in cells) <= look.width // 2:
                short.append(f"{name} {' '.join(cells)}")
            else:
                lines += _long(name, cells, look)
    return _wrapped(short, look) + lines


def _long(name: str, cells: Sequence[str], look: Look) -> list[str]:
    lead = max(LABEL, width(name) + 1)
    wrapped = wrap(cells, look.width - 2 - lead)
    return ["  " + (pad(name, lead) if n == 0 else " " * lead) + line for n, line in enumerate(wrapped)]


def _name(group: Group, pile: Pile, look: Look) -> str:
    name = look.label(group.family, "piles")
    which = _which(pile, look) if len(group.piles) > 1 else _mark(pile, look)
    return look.ink(f"{name}{' ' * (len(group.piles) > 1)}{which}".strip(), "dim")


def _which(pile: Pile, look: Look) -> str:
    """What tells a pile from the others of its family: its number, its row, or both."""
    parts = look.member(pile.family, pile.member) if pile.member is not None else []
    name = " ".join([*parts, str(pile.number)] if pile.number is not None else parts)
    return name + _mark(pile, look)


def _mark(pile: Pile, look: Look) -> str:
    """Stands behind the name of a pile that looks otherwise than when its viewer last chose."""
    return look.sign("•", "*") if place_of(pile) in look.changed else ""


def _cells(pile: Pile, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if pile.layout != "count" or not pile.pieces:
        return row(_in_order(pile), look) if pile.pieces else [times(look.back, pile.count, look)]
    top, alike = face(pile.pieces[-1], look), len(pile.pieces) == pile.count and len(runs(pile, look)) == 1
    if pile.count == 1:
        return [top]
    return [times(top if width(top) < 3 else f"{top} ", pile.count, look) if alike else f"{top} ({pile.count})"]


def _in_order(pile: Pile) -> Sequence[Piece]:
    """Its pieces as they are shown; what lies in columns keeps its order."""
    return [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces


# Piles in blocks


def _blocks(groups: Sequence[Group], look: Look, strips: bool) -> list[str]:
    """Blocks beside each other as far as they fit, each under the name of its family."""
    lines: list[str] = []
    waiting: list[list[str]] = []
    for group in groups:
        block = _block(group, look, strips)
        if waiting and sum(_wide(b) + 4 for b in waiting) + _wide(block) + 2 > look.width:
            lines += _beside(waiting)
            waiting = []
        waiting.append(block)
    return lines + _beside(waiting)


def _wide(block: Sequence[str]) -> int:
    return max(map(width, block), default=0)


def _beside(blocks: Sequence[Sequence[str]]) -> list[str]:
    padded = [[pad(line, _wide(block)) for line in block] for block in blocks]
    blank = [" " * _wide(block) for block in blocks]
    rows = zip_longest(*padded)
    return ["  " + "    ".join(cell or empty for cell, empty in zip(r, blank, strict=True)).rstrip() for r in rows]


def _block(group: Group, look: Look, strips: bool) -> list[str]:
    title = look.ink(look.label(group.family, "piles"), "dim")
    if group.layout == "board":
        return [title, *flat(group.piles, _labels(group, look), look)]
    if strips and group.layout == "column":
        return [title, *_strips(group.piles, look)]
    return [title, *_fans(group.piles, look)]


def _fans(piles: Sequence[Pile], look: Look) -> list[str]:
    """Columns side by side, each under its number, in as many bands as the width asks for, all about as wide."""
    columns = [[_which(pile, look), *_fan(pile, look)] for pile in piles]
    wide = max(2, *(max(map(width, column)) for column in columns)) + 1
    bands = -(-len(columns) // max(1, (look.width - 2) // wide))
    band = -(-len(columns) // bands)
    lines: list[str] = []
    for start in range(0, len(columns), band):
        lines += _band(columns[start : start + band], wide, look)
    return lines


def _band(columns: Sequence[Sequence[str]], wide: int, look: Look) -> list[str]:
    heads = "".join(pad(look.ink(column[0], "number"), wide) for column in columns)
    rows = zip_longest(*(column[1:] for column in columns), fillvalue="")
    return [heads.rstrip(), *("".join(pad(cell, wide) for cell in cells).rstrip() for cells in rows)]


def _fan(pile: Pile, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if pile.layout == "count":
        top = face(pile.pieces[-1], look) if pile.pieces else look.back
        return [top, look.ink(f"{look.sign('×', 'x')}{pile.count}", "dim")]
    return [face(piece, look) for piece in pile.pieces] or [times(look.back, pile.count, look)]


def _strips(piles: Sequence[Pile], look: Look) -> list[str]:
    """One pile a line; empty ones share the last."""
    heads = [_which(pile, look) for pile in piles]
    wide = max(map(width, heads)) + 1
    lines: list[str] = []
    for head, pile in zip(heads, piles, strict=True):
        if pile.count:
            wrapped = wrap(_cells(pile, look), look.width - 2 - wide)
            lines += [pad(look.ink(head if n == 0 else "", "number"), wide) + line for n, line in enumerate(wrapped)]
    vacant = [head for head, pile in zip(heads, piles, strict=True) if not pile.count]
    return lines + ([f"{look.ink(' '.join(vacant), 'number')} {look.empty}"] if vacant else [])
