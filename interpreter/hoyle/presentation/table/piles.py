"""Piles of a view on a line: what they are called, and what lies there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.presentation.look import Look, Place, face, pad, row, times, wrap
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import PieceView, PileView, TableView


def place_of(pile: PileView) -> Place:
    return pile.family, pile.owner, pile.member, pile.number


Looks = Mapping[Place, object]
"""What piles look like, by where they lie."""


def looks(view: TableView) -> Looks:
    return {place_of(pile): _looks(pile) for pile in view.piles}


def changed(known: Looks, after: TableView) -> frozenset[Place]:
    """The piles that look otherwise than was known."""
    return frozenset(place for place, look in looks(after).items() if known.get(place) != look)


def caught_up(known: Looks, before: TableView, after: TableView) -> Looks:
    """What is known once somebody has changed piles himself; those that others had changed before that have changed all the same."""
    was = looks(before)
    return {**known, **{place: look for place, look in looks(after).items() if known.get(place) == was.get(place)}}


def _looks(pile: PileView) -> tuple[object, ...]:
    return pile.count, [(piece.sign, piece.up) for piece in pile.pieces]


def risen(before: TableView, after: TableView) -> dict[Place, str]:
    """The pieces on top of columns that were not seen anywhere before, by where they lie."""
    fresh, found = _signs(after) - _signs(before), dict[Place, str]()
    for pile in after.piles:
        if pile.layout == "column" and pile.pieces and (sign := pile.pieces[-1].sign) is not None and fresh[sign]:
            fresh[sign] -= 1
            found[place_of(pile)] = sign
    return found


def known_but_risen(before: TableView, after: TableView) -> Looks:
    """What whoever has made a choice knows of the table, but for what the choice has uncovered on columns: so that is marked."""
    was = looks(before)
    return {**looks(after), **{place: was[place] for place in risen(before, after)}}


def uncovers(before: TableView, after: TableView) -> bool:
    """Is a piece seen now that was not seen then?"""
    return bool(_signs(after) - _signs(before))


def _signs(view: TableView) -> Counter[str]:
    return Counter(piece.sign for pile in view.piles for piece in pile.pieces if piece.sign is not None)


def known_by(view: TableView) -> tuple[object, ...]:
    """What a seat sees, but not how it looks: the answer must not depend on that."""
    pieces = [[piece.sign is None for piece in pile.pieces] for pile in view.piles]
    return pieces, [(value.name, value.member) for value in view.state]


class Way(Struct, frozen=True):
    """With `strips` columns lie as lines and boards are low. What is `tight` lies beside each other, and what is empty is left out. If only so `few`
    pieces are shown, then of the end of each strip, and no sheet that the end of a deal shows; perhaps `no_sheets` at all."""

    strips: bool = False
    tight: bool = False
    few: int = 0
    no_sheets: bool = False


WHOLE = (Way(), Way(tight=True), Way(strips=True), Way(strips=True, tight=True))
"""Ways that show everything, from the largest on."""
FEWEST = 1
"""With so few no more is said of nobody alone than fits a line."""
BRIEF = tuple(Way(True, True, few, none) for few, none in ((6, False), (6, True), (3, True), (FEWEST, True)))
"""Ways that do not."""


LABEL = 10  # columns for the name before a pile's pieces


class Group(Struct, frozen=True):
    """The piles of one family that belong to one seat, or to nobody; `labels` are what the viewer calls those of a board by his numbers."""

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


def inline(groups: Iterable[Group], look: Look, way: Way) -> list[str]:
    """Piles that fit beside their name, several a line; one that does not fit has lines of its own."""
    lines: list[str] = []
    short: list[str] = []
    for group, piles in _on_lines(groups, way):
        if (together := _together(group, piles, look)) is not None:
            short.append(together)
            continue
        said = [(name_of(group, pile, look), cells_of(pile, look)) for pile in piles]
        if all(_is_short(name, cells, look) for name, cells in said):
            short += [f"{name} {' '.join(cells)}" for name, cells in said]
        else:
            lead = max(LABEL, *(width(name) + 1 for name, _ in said))  # below each other, in their own order
            lines += [line for name, cells in said for line in _long(name, cells, look, lead)]
    return wrapped(short, look) + lines


def _is_short(name: str, cells: Sequence[str], look: Look) -> bool:
    return width(name) + sum(width(cell) + 1 for cell in cells) <= look.width // 2


def _on_lines(groups: Iterable[Group], way: Way) -> list[tuple[Group, list[PileView]]]:
    """The piles that are in no block, without what the state tells; if it is tight, without what is empty."""
    found = ((group, group.piles) for group in groups if not group.is_block)
    shown = ((group, [p for p in piles if (p.count or not way.tight) and not p.told_by]) for group, piles in found)
    return [(group, piles) for group, piles in shown if piles]


def _together(group: Group, piles: Sequence[PileView], look: Look) -> str | None:
    """Several piles behind the name that they share, if they fit a line."""
    if len(piles) < 2:
        return None
    each = [cell for empty, run in groupby(piles, _is_empty) for cell in _cells(list(run), look, empty)]
    found = f"{look.ink(look.label(group.family, 'piles'), 'dim')} {'  '.join(each)}"
    return found if width(found) <= look.width - 2 else None


def _is_empty(pile: PileView) -> bool:
    return not pile.count


def _cells(piles: Sequence[PileView], look: Look, empty: bool) -> list[str]:
    """What each is called and what lies there; what is empty as a range."""
    if empty:
        return [f"{look.ink(name, 'dim')} {look.empty}" for name in ranges([which_of(p, look) for p in piles], look)]
    return [f"{look.ink(which_of(pile, look), 'dim')} {' '.join(cells_of(pile, look))}" for pile in piles]


def ranges(names: Sequence[str], look: Look) -> list[str]:
    """`4–9` for six numbers; a name that is marked stays by itself."""
    found = list[list[str]]()
    for name in names:
        if found and name.isdecimal() and found[-1][-1].isdecimal() and int(found[-1][-1]) + 1 == int(name):
            found[-1].append(name)
        else:
            found.append([name])
    return [part for run in found for part in ([f"{run[0]}{look.sign('–', '-')}{run[-1]}"] if len(run) > 2 else run)]


def in_words(groups: Iterable[Group], look: Look, way: Way) -> list[str]:
    """Each pile with its name, to stand beside others."""
    return [line_of(group, pile, look) for group, piles in _on_lines(groups, way) for pile in piles]


def line_of(group: Group, pile: PileView, look: Look) -> str:
    return f"{name_of(group, pile, look)} {' '.join(cells_of(pile, look))}"


def _long(name: str, cells: Sequence[str], look: Look, lead: int) -> list[str]:
    found = wrap(cells, look.width - 2 - lead)
    return ["  " + (pad(name, lead) if n == 0 else " " * lead) + line for n, line in enumerate(found)]


def wrapped(cells: Sequence[str], look: Look) -> list[str]:
    columns = look.width - 2
    short = [cell for cell in cells if width(cell) <= columns]
    long = [line for cell in cells if width(cell) > columns for line in wrap(cell.split(" "), columns)]
    return [f"  {line}" for line in [*wrap(short, columns, "   "), *long]]


def name_of(group: Group, pile: PileView, look: Look) -> str:
    name = look.label(group.family, "piles")
    several = len(group.piles) > 1
    return look.ink(f"{name} {which_of(pile, look)}".strip() if several else name + _mark(pile, look), "dim")


def which_of(pile: PileView, look: Look) -> str:
    """What tells a pile from the others of its family: its number, its row, or both."""
    return _which(pile, look) + _mark(pile, look)


def _which(pile: PileView, look: Look) -> str:
    parts = look.member(pile.family, pile.member) if pile.member is not None else []
    return " ".join([*parts, str(pile.number)] if pile.number is not None else parts)


def heads_of(group: Group, look: Look) -> list[Head]:
    """What tells each pile of a group from the others; of a board, the viewer's numbers."""
    labels = group.labels or [_which(pile, look) for pile in group.piles]
    return [Head(label, _mark(pile, look)) for label, pile in zip(labels, group.piles, strict=True)]


def _mark(pile: PileView, look: Look) -> str:
    """Stands behind the name of a pile that looks otherwise than when its viewer last chose."""
    return look.sign("•", "*") if place_of(pile) in look.changed else ""


def cells_of(pile: PileView, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if not is_stack(pile) or not pile.pieces:
        return row(_in_order(pile), look) if pile.pieces else [times(look.back, pile.count, look)]
    top, alike = face(pile.pieces[-1], look), len(pile.pieces) == pile.count and len(runs(pile, look)) == 1
    if pile.count == 1:
        return [top]
    return [times(top if width(top) < 3 else f"{top} ", pile.count, look) if alike else f"{top} ({pile.count})"]


def is_stack(pile: PileView) -> bool:
    """Is its top piece all that is shown, and how many there are?"""
    return pile.layout == "count" or pile.stacked


def _in_order(pile: PileView) -> Sequence[PieceView]:
    """Its pieces as they are shown; what lies in columns keeps its order."""
    return [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces


class Head(Struct, frozen=True):
    """What a point is called, and a mark beside it, which takes no room of its own: so no point is wider because something happened there."""

    label: str
    mark: str = ""


def runs(pile: PileView, look: Look) -> list[tuple[str, int]]:
    """What lies on a pile from its top down, alike ones together: `3B1W` are three black men upon a white one."""
    return [(shown, len(list(run))) for shown, run in groupby(face(piece, look) for piece in reversed(pile.pieces))]
