"""Piles of a view on a line: what they are called, and what lies there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from hoyle.cli.drawing.boards import Head, runs
from hoyle.cli.drawing.ink import Look, face, pad, row, times, wrap
from hoyle.cli.drawing.marks import place_of
from hoyle.cli.drawing.ways import Way
from hoyle.printable import width
from hoyle.view_data import PieceView, PileView

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
