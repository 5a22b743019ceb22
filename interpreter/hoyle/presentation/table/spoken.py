"""A view in words for screen readers: one thing a line, nothing side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.language.model import text_in
from hoyle.language.phrases import count_noun
from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, draw_piece, draw_text
from hoyle.presentation.table.sheets import describe_state_by_name
from hoyle.printable import printable
from hoyle.view_data import is_on_sheet, is_worth_showing

if TYPE_CHECKING:
    from hoyle.view_data import PieceView, PileView, SheetCell, SheetKey, SheetView, StateView, TableView


_APART = ("hidden", "board")


class SpokenLine(Struct, frozen=True):
    """A line about an owner (None: nobody).

    `gone` is the text that announces that the line disappeared. A line with `is_head` names the owner. Lines with `stays` are repeated each time.
    """

    owner: str | None
    about: tuple[object, ...]
    line: str
    gone: str = ""
    is_head: bool = False
    stays: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return self.owner, *self.about


def speak_table(table: Sequence[SpokenLine], heading: str = "") -> list[str]:
    return [*([printable(heading)] if heading else []), *(saying.line for saying in table)]


def speak_changes(before: Sequence[SpokenLine], now: Sequence[SpokenLine]) -> list[str]:
    """Return the lines that changed since the table was last spoken, under their owners, and the listener's hand."""
    known, left = {saying.key: saying.line for saying in before}, {saying.key for saying in now}
    lines = list[str]()
    for owner in dict.fromkeys(saying.owner for saying in (*now, *before)):
        own = [saying for saying in now if saying.owner == owner]
        said = [one.line for one in own if not one.is_head and (one.stays or known.get(one.key) != one.line)]
        said += [one.gone for one in before if one.owner == owner and one.gone and one.key not in left]
        lines += [*(one.line for one in own if one.is_head), *said] if said else []
    return lines


def make_spoken_lines(view: TableView, seats: Sequence[str], look: Look) -> list[SpokenLine]:
    """Return all lines: the others, then the common piles, then the viewer."""
    own, found = view.seat if view.seat in seats else None, list[SpokenLine]()
    for owner in [*(seat for seat in seats if seat != own), None, *[own] * (own is not None)]:
        lines = [*_speak_state(owner, view, seats, look), *_speak_piles(owner, view, look)]
        lines += _speak_boards(view, look) if owner is None else []
        found += _add_head(owner, lines, view, seats, look)
    return found


def _add_head(
    owner: str | None, lines: Sequence[SpokenLine], view: TableView, seats: Sequence[str], look: Look
) -> list[SpokenLine]:
    """Add the owner's name; common piles get a head only if several players exist."""
    if owner is None and (len(seats) < 2 or not lines):
        return list(lines)
    head = _speak_seat(owner, view, look) if owner is not None else t("plain.table")
    return [SpokenLine(owner, (), head, is_head=True), *lines]


def _speak_state(owner: str | None, view: TableView, seats: Sequence[str], look: Look) -> Iterator[SpokenLine]:
    squares = {sheet.name: sheet for sheet in view.sheets if sheet.sort == "square"}
    for name, words in describe_state_by_name(view.state, owner, seats, look, squares):
        yield SpokenLine(owner, (name,), draw_text(words, look), _speak_none(look.label(name, "state")))
    if owner is None:
        yield from _speak_items([item for item in view.state if item.name not in squares], seats, look)
        yield from (
            _speak_square(sheet, look) for sheet in squares.values() if any(any(row.cells) for row in sheet.rows)
        )


def _speak_square(sheet: SheetView, look: Look) -> SpokenLine:
    """Describe a square sheet: `B doubled C, D redoubled B`."""

    def words(of: SheetView | SheetKey | SheetCell) -> str:
        return printable(text_in(of.texts, look.lang))

    found = [
        t("plain.square", row=words(row.head), done=words(cell), column=words(column))
        for row in sheet.rows
        for column, cell in zip(sheet.columns, row.cells, strict=True)
        if cell is not None
    ]
    return SpokenLine(None, (sheet.name,), ", ".join(found), _speak_none(words(sheet)))


def _speak_none(what: str) -> str:
    return t("plain.value", what=what, value=t("plain.none"))


def _speak_piles(owner: str | None, view: TableView, look: Look) -> Iterator[SpokenLine]:
    own = [p for p in view.piles if p.owner == owner and p.layout not in _APART and not p.told_by]
    hand = next((pile for pile in own if pile.layout == "row" and pile.count), None)
    for pile in own:
        yield _speak_pile(pile, look, stays=pile is hand and owner is not None and owner == view.seat)


def _speak_boards(view: TableView, look: Look) -> Iterator[SpokenLine]:
    """Describe occupied points along the board, with the viewer's numbers."""
    piles = {pile.key: pile for pile in view.piles if pile.layout == "board"}
    called = {
        key: (board, label) for board in view.boards for key, label in zip(board.points, board.labels, strict=True)
    }
    for key in (*called, *(key for key in piles if key not in called)):
        if key in piles and piles[key].count:
            board, label = called.get(key, (None, ""))
            yield _speak_pile(piles[key], look, label if board is not None and board.numbered else "")


def _speak_seat(owner: str, view: TableView, look: Look) -> str:
    acts, own = owner == view.to_act, owner == view.seat
    key = "you_play" if acts and own else "plays" if acts else "you" if own else "seat"
    return t(f"plain.{key}", seat=look.seat(owner))


def _speak_items(items: Iterable[StateView], seats: Collection[str], look: Look) -> Iterator[SpokenLine]:
    """Describe values that are otherwise drawn in sheets and tracks."""
    for item in items:
        words = ", ".join([look.label(item.name, "state"), *look.member(item.name, item.member or "")])
        value = draw_text(dict(item.texts).get(look.lang) or str(item.value), look)
        if item.track:
            line = t("plain.track", what=words, value=value, end=item.track)
        elif is_on_sheet(item, seats) and is_worth_showing(item):
            line = t("plain.value", what=words, value=t("plain.yes") if item.value is True else value)
        else:
            continue
        yield SpokenLine(None, (item.name, item.member), line, _speak_none(words))


def _speak_pile(pile: PileView, look: Look, label: str = "", stays: bool = False) -> SpokenLine:
    keys = look.member(pile.family, pile.member) if pile.member is not None else []
    which = [label] if label else [*keys, *[str(pile.number)] * (pile.number is not None)]
    name = " ".join([look.label(pile.family, "piles"), *which])
    line, gone = (t("plain.value", what=name, value=value) for value in (_speak_contents(pile, look), t("plain.empty")))
    return SpokenLine(pile.owner, (pile.key,), line, gone if pile.count else "", stays=stays)


def _speak_contents(pile: PileView, look: Look) -> str:
    """Describe pieces from bottom to top, or in hand order; equal ones are counted."""
    if not pile.count:
        return t("plain.empty")
    if not pile.pieces:
        return _speak_backs(pile, pile.count, look)
    if pile.layout == "count" and pile.count > 1 and pile.pieces[-1].sign is not None and not _has_only_men(pile, look):
        return t("plain.on_top", piece=draw_piece(pile.pieces[-1], look), count=pile.count)
    lie = [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces
    runs = groupby(lie, lambda piece: piece.sign)
    return ", ".join(_speak_run(pile, list(run), look) for _, run in runs)


def _speak_run(pile: PileView, run: Sequence[PieceView], look: Look) -> str:
    sign, count = run[0].sign, len(run)
    if sign is None:
        return _speak_backs(pile, count, look)
    if sign in look.marks:
        return t("plain.men", pieces=_count_contents(pile, count, look) or count, seat=look.seat(sign))
    words = draw_piece(run[0], look)
    return words if count == 1 else t("plain.alike", count=count, piece=words)


def _has_only_men(pile: PileView, look: Look) -> bool:
    """Return whether all pieces are visible and differ only in owner."""
    return len(pile.pieces) == pile.count and all(piece.sign in look.marks for piece in pile.pieces)


def _speak_backs(pile: PileView, count: int, look: Look) -> str:
    known = _count_contents(pile, count, look)
    return t("plain.face_down", pieces=known) if known else t("plain.hidden", count=count)


def _count_contents(pile: PileView, count: int, look: Look) -> str:
    """Return a count with the word for the contents, or an empty string."""
    return count_noun(count, look.labels.get("contents", {}).get(pile.family, ""), look.lang) or ""
