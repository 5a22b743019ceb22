"""A view in words for whoever listens to the screen: one thing a line, no lines drawn, nothing side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.language.model import text_in
from hoyle.language.phrases import counted
from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, face, suited
from hoyle.presentation.table.sheets import in_grid, tells, told_by_name
from hoyle.printable import printable

if TYPE_CHECKING:
    from hoyle.view_data import PieceView, PileView, SheetCell, SheetKey, SheetView, StateView, TableView


_APART = ("hidden", "board")


class Saying(Struct, frozen=True):
    """A line of a table that is said: whose it is (None: nobody's), what it is `about`, and what is said once there is no such line any more.
    `is_head`: it names whose the lines behind it are; `stays`: it is said each time."""

    owner: str | None
    about: tuple[object, ...]
    line: str
    gone: str = ""
    is_head: bool = False
    stays: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return self.owner, *self.about


def said_table(table: Sequence[Saying], heading: str = "") -> list[str]:
    """The whole table."""
    return [*([printable(heading)] if heading else []), *(saying.line for saying in table)]


def retold(before: Sequence[Saying], now: Sequence[Saying]) -> list[str]:
    """What of a table is otherwise than when it was said, each part below the name of who has it; and what he holds who listens."""
    known, left = {saying.key: saying.line for saying in before}, {saying.key for saying in now}
    lines = list[str]()
    for owner in dict.fromkeys(saying.owner for saying in (*now, *before)):
        own = [saying for saying in now if saying.owner == owner]
        said = [one.line for one in own if not one.is_head and (one.stays or known.get(one.key) != one.line)]
        said += [one.gone for one in before if one.owner == owner and one.gone and one.key not in left]
        lines += [*(one.line for one in own if one.is_head), *said] if said else []
    return lines


def sayings(view: TableView, seats: Sequence[str], look: Look) -> list[Saying]:
    """The whole table line by line: the others first, then what belongs to nobody, last the seat that looks, whose hand is said each time."""
    own, found = view.seat if view.seat in seats else None, list[Saying]()
    for owner in [*(seat for seat in seats if seat != own), None, *[own] * (own is not None)]:
        lines = [*_state(owner, view, seats, look), *_piles(owner, view, look)]
        lines += _boards(view, look) if owner is None else []
        found += _below_its_head(owner, lines, view, seats, look)
    return found


def _below_its_head(
    owner: str | None, lines: Sequence[Saying], view: TableView, seats: Sequence[str], look: Look
) -> list[Saying]:
    """What nobody has needs a name of its own where there are several to have something."""
    if owner is None and (len(seats) < 2 or not lines):
        return list(lines)
    head = _seat(owner, view, look) if owner is not None else t("plain.table")
    return [Saying(owner, (), head, is_head=True), *lines]


def _state(owner: str | None, view: TableView, seats: Sequence[str], look: Look) -> Iterator[Saying]:
    squares = {sheet.name: sheet for sheet in view.sheets if sheet.sort == "square"}
    for name, words in told_by_name(view.state, owner, seats, look, squares):
        yield Saying(owner, (name,), suited(words, look), _none(look.label(name, "state")))
    if owner is None:
        yield from _items([item for item in view.state if item.name not in squares], seats, look)
        yield from (_square(sheet, look) for sheet in squares.values() if any(any(row.cells) for row in sheet.rows))


def _square(sheet: SheetView, look: Look) -> Saying:
    """Who has done what to whom: `B doubled C, D redoubled B`."""

    def words(of: SheetView | SheetKey | SheetCell) -> str:
        return printable(text_in(of.texts, look.lang))

    found = [
        t("plain.square", row=words(row.head), done=words(cell), column=words(column))
        for row in sheet.rows
        for column, cell in zip(sheet.columns, row.cells, strict=True)
        if cell is not None
    ]
    return Saying(None, (sheet.name,), ", ".join(found), _none(words(sheet)))


def _none(what: str) -> str:
    return t("plain.value", what=what, value=t("plain.none"))


def _piles(owner: str | None, view: TableView, look: Look) -> Iterator[Saying]:
    own = [p for p in view.piles if p.owner == owner and p.layout not in _APART and not p.told_by]
    hand = next((pile for pile in own if pile.layout == "row" and pile.count), None)
    for pile in own:
        yield _pile(pile, look, stays=pile is hand and owner is not None and owner == view.seat)


def _boards(view: TableView, look: Look) -> Iterator[Saying]:
    """The points that men stand on, along the board from the first of who looks, as he calls them."""
    piles = {pile.key: pile for pile in view.piles if pile.layout == "board"}
    called = {
        key: (board, label) for board in view.boards for key, label in zip(board.points, board.labels, strict=True)
    }
    for key in (*called, *(key for key in piles if key not in called)):
        if key in piles and piles[key].count:
            board, label = called.get(key, (None, ""))
            yield _pile(piles[key], look, label if board is not None and board.numbered else "")


def _seat(owner: str, view: TableView, look: Look) -> str:
    acts, own = owner == view.to_act, owner == view.seat
    key = "you_play" if acts and own else "plays" if acts else "you" if own else "seat"
    return t(f"plain.{key}", seat=look.seat(owner))


def _items(items: Iterable[StateView], seats: Collection[str], look: Look) -> Iterator[Saying]:
    """What is drawn as sheets and tracks, value by value."""
    for item in items:
        words = ", ".join([look.label(item.name, "state"), *look.member(item.name, item.member or "")])
        value = suited(dict(item.texts).get(look.lang) or str(item.value), look)
        if item.track:
            line = t("plain.track", what=words, value=value, end=item.track)
        elif in_grid(item, seats) and tells(item.value):
            line = t("plain.value", what=words, value=t("plain.yes") if item.value is True else value)
        else:
            continue
        yield Saying(None, (item.name, item.member), line, _none(words))


def _pile(pile: PileView, look: Look, label: str = "", stays: bool = False) -> Saying:
    keys = look.member(pile.family, pile.member) if pile.member is not None else []
    which = [label] if label else [*keys, *[str(pile.number)] * (pile.number is not None)]
    name = " ".join([look.label(pile.family, "piles"), *which])
    line, gone = (t("plain.value", what=name, value=value) for value in (_lies(pile, look), t("plain.empty")))
    return Saying(pile.owner, (pile.key,), line, gone if pile.count else "", stays=stays)


def _lies(pile: PileView, look: Look) -> str:
    """From the bottom to the top, or as a hand is held; what is alike is counted."""
    if not pile.count:
        return t("plain.empty")
    if not pile.pieces:
        return _backs(pile, pile.count, look)
    if pile.layout == "count" and pile.count > 1 and pile.pieces[-1].sign is not None and not _are_men(pile, look):
        return t("plain.on_top", piece=face(pile.pieces[-1], look), count=pile.count)
    lie = [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces
    runs = groupby(lie, lambda piece: piece.sign)
    return ", ".join(_run(pile, list(run), look) for _, run in runs)


def _run(pile: PileView, run: Sequence[PieceView], look: Look) -> str:
    """Pieces that look alike."""
    sign, count = run[0].sign, len(run)
    if sign is None:
        return _backs(pile, count, look)
    if sign in look.marks:
        return t("plain.men", pieces=_counted(pile, count, look) or count, seat=look.seat(sign))
    words = face(run[0], look)
    return words if count == 1 else t("plain.alike", count=count, piece=words)


def _are_men(pile: PileView, look: Look) -> bool:
    """Is all that is told apart on it whose they are, and are they all seen?"""
    return len(pile.pieces) == pile.count and all(piece.sign in look.marks for piece in pile.pieces)


def _backs(pile: PileView, count: int, look: Look) -> str:
    known = _counted(pile, count, look)
    return t("plain.face_down", pieces=known) if known else t("plain.hidden", count=count)


def _counted(pile: PileView, count: int, look: Look) -> str:
    """So many of what lies there, if the language knows what that is called."""
    return counted(count, look.labels.get("contents", {}).get(pile.family, ""), look.lang) or ""
