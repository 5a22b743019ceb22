"""A view in words for whoever listens to the screen: one thing a line, no lines drawn, nothing side by side."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from interpreter.cli.catalogue import t
from interpreter.cli.drawing.counters import Item, in_grid, tells, told
from interpreter.cli.drawing.ink import Look, Piece, face, suited
from interpreter.printable import printable

if TYPE_CHECKING:
    from interpreter.game.game import Game

_APART = ("hidden", "board")
ENDLESS = 10_000  # columns: whatever reads the lines out breaks them as it likes


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
    @property
    def told_by(self) -> str: ...


class Board(Protocol):
    """A board as a view gives it."""

    @property
    def points(self) -> Sequence[str]: ...
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def numbered(self) -> bool: ...


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


def words_of_pieces(game: Game, lang: str) -> dict[str, str]:
    """Of each sign that is written with symbols what it is called: the words of its rows, `seven of hearts`."""
    tables, known = (
        game.labels(lang),
        {face.sign for face in game.pieces(lang) if face.text != face.sign or face.colour},
    )
    found, namer = dict[str, str](), game.compiled.namer
    for sign, kind, number in zip(namer.signs, namer.piece_kinds, range(len(namer.signs)), strict=True):
        rows = kind.classes[number - kind.base]
        names = [(of, rows[name]) for name, of in kind.attributes.items() if of.name == "row"]
        parts = [tables[f"tables/{of.table}"][game.ruleset.tables[of.table].rows[row]] for of, row in names]
        if parts and sign in known:
            found[sign] = _joined(parts)
    return found


def _joined(parts: Sequence[str]) -> str:
    first, *others = parts
    for other in others:
        first = t(
            "plain.piece" if not re.match("[aeiouhâéèêœ]", other) else "plain.piece_vowel", first=first, second=other
        )
    return first


def said_table(view: View, seats: Sequence[str], look: Look, heading: str = "") -> list[str]:
    """The whole table: the others first, then what belongs to nobody, last the seat that looks."""
    lines = [printable(heading)] if heading else []
    own = view.seat if view.seat in seats else None
    for owner in [*(seat for seat in seats if seat != own), None, *[own] * (own is not None)]:
        lines += [_seat(owner, view, look)] if owner is not None else []
        lines += [suited(said, look) for said in told(view.state, owner, seats, look)]
        lines += _items(view.state, seats, look) if owner is None else []
        own_piles = (p for p in view.piles if p.owner == owner and p.layout not in _APART and not p.told_by)
        lines += [_pile(pile, look) for pile in own_piles]
        lines += _boards(view, look) if owner is None else []
    return lines


def _boards(view: View, look: Look) -> Iterator[str]:
    """The points that men stand on, along the board from the first of who looks, as he calls them."""
    piles = {pile.key: pile for pile in view.piles if pile.layout == "board"}
    called = {
        key: (board, label) for board in view.boards for key, label in zip(board.points, board.labels, strict=True)
    }
    for key in (*called, *(key for key in piles if key not in called)):
        if key in piles and piles[key].count:
            board, label = called.get(key, (None, ""))
            yield _pile(piles[key], look, label if board is not None and board.numbered else "")


def _seat(owner: str, view: View, look: Look) -> str:
    acts, own = owner == view.to_act, owner == view.seat
    key = "you_play" if acts and own else "plays" if acts else "you" if own else "seat"
    return t(f"plain.{key}", seat=look.seat(owner))


def _items(items: Iterable[Item], seats: Collection[str], look: Look) -> list[str]:
    """What is drawn as sheets and tracks, value by value."""
    found = []
    for item in items:
        words = ", ".join([look.label(item.name, "state"), *look.member(item.name, item.member or "")])
        value = suited(dict(item.texts).get(look.lang) or str(item.value), look)
        if item.track:
            found.append(t("plain.track", what=words, value=value, end=item.track))
        elif in_grid(item, seats) and tells(item.value):
            found.append(t("plain.value", what=words, value=t("plain.yes") if item.value is True else value))
    return found


def _pile(pile: Pile, look: Look, label: str = "") -> str:
    keys = look.member(pile.family, pile.member) if pile.member is not None else []
    which = [label] if label else [*keys, *[str(pile.number)] * (pile.number is not None)]
    name = " ".join([look.label(pile.family, "piles"), *which])
    return t("plain.value", what=name, value=_lies(pile, look))


def _lies(pile: Pile, look: Look) -> str:
    """From the bottom to the top, or as a hand is held; what is alike is counted."""
    if not pile.count:
        return t("plain.empty")
    if not pile.pieces:
        return t("plain.hidden", count=pile.count)
    if pile.layout == "count" and pile.count > 1 and pile.pieces[-1].sign is not None:
        return t("plain.on_top", piece=face(pile.pieces[-1], look), count=pile.count)
    lie = [pile.pieces[place] for place in pile.order] if pile.layout == "row" else pile.pieces
    runs = groupby(lie, lambda piece: None if piece.sign is None else face(piece, look))
    return ", ".join(_run(words, len(list(run))) for words, run in runs)


def _run(words: str | None, count: int) -> str:
    if words is None:
        return t("plain.hidden", count=count)
    return words if count == 1 else t("plain.alike", count=count, piece=words)
