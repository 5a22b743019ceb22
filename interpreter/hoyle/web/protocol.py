"""What a seat is sent: what it sees, what it may do, what it was told. Everything that leaves for a seat is made here, from its `View` and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import to_builtins

from hoyle.cli.drawing.lines import in_order
from hoyle.game.events import Event
from hoyle.game.events import told as told_of
from hoyle.game.game import Game, State
from hoyle.game.moves.legal import Move
from hoyle.game.views.view import View, view_of_all
from hoyle.pictures.names import Face
from hoyle.running.naming import Namer
from hoyle.view_data import PieceView
from hoyle.web import display
from hoyle.web.display import Taste, drawn, names
from hoyle.web.play.drag_targets import aims, handles
from hoyle.web.play.tables import HUMAN, Stop, Table

MANY = 300
"""Of more moves than these only the name is told; which pieces they are for is seen."""
MOST_CALLS = 40
"""So many of the last places are told where somebody was not asked."""
Message = dict[str, Any]


def table_message(
    table: Table, seat: str | None, taste: Taste, told: int, preparing: bool = False, again: bool = False
) -> Message:
    """The table as a seat sees it now, and the events after the first `told`. Is what searches being prepared, or has somebody begun the same `again`?"""
    state, lang = table.state, taste.lang
    view = state.view(seat) if not state.is_over else replaced_by_all(state, seat)
    return {
        "t": "table",
        "n": table.number,
        "title": table.game.title(lang),
        "seat": seat,
        "over": table.over,
        "place": display.place(state, lang),
        "preparing": preparing,
        "again": again,
        "moved": len(table.made),
        "began": seat is not None and seat == table.people[0],
        "undo": seat is not None and table.may_undo(seat),
        "call": calls(table, seat, lang),
        "called": called(table, lang),
        "seeded": describe_seed(table, lang),
        "seats": seats(table, lang),
        **shown(state, view, taste),
        "moves": choices(state, view.moves, lang),
        "aims": aims(state.game.compiled, state.core),
        "news": news(state, seat, lang, told, silent(table)),
        "result": display.result(state, lang) if table.over else [],
    }


def stop_message(table: Table, stop: Stop, seat: str | None, taste: Taste, told: int) -> Message:
    """The table as a seat saw it when a trick or a deal was over, before it went on."""
    state, lang = stop.state, taste.lang
    return {
        "t": "table",
        "n": stop.number + 1,
        "stop": stop.what,
        "title": table.game.title(lang),
        "seat": seat,
        "over": False,
        "place": "",
        "undo": False,
        "seats": [{**one, "acts": False} for one in seats(table, lang)],
        **shown(state, state.view(seat), taste),
        "moves": [],
        "news": news(state, seat, lang, told, silent(table)),
        "result": [],
    }


def replaced_by_all(state: State, seat: str | None) -> View:
    """A game that is over has no secrets."""
    return view_of_all(state.game.compiled, state.core, seat)


def seats(table: Table, lang: str) -> list[Message]:
    """Who sits where, and whose turn it is."""
    namer, to_act = table.game.compiled.namer, table.state.to_act
    return [
        {"seat": seat, "name": namer.seat(n, lang), "human": kind == HUMAN, "kind": kind, "acts": seat == to_act}
        for n, (seat, kind) in enumerate(table.kinds.items())
    ]


def shown(state: State, view: View, taste: Taste) -> Message:
    """A view as a picture, and its piles in words for those who do not see it."""
    return {"svg": drawn(state.game, view, taste), "piles": piles(state.game, view, taste.lang)}


def piles(game: Game, view: View, lang: str) -> list[Message]:
    """Each pile by its key, with what it is called, and its pieces from bottom to top: backs are null.
    `own`: not before somebody else; `whole`: any place of it stands for its piece that may be taken; `middle`: with the others of its family it is one place in the middle of the table."""
    namer, known = game.compiled.namer, names(game, lang)
    labels = {
        key: label
        for board in view.boards
        if board.numbered
        for key, label in zip(board.points, board.labels, strict=True)
    }
    return [
        {
            "key": p.key,
            "words": _called(namer, n, lang, labels.get(p.key)),
            "count": p.count,
            "whole": p.layout == "board",
            "own": p.owner is None or p.owner == view.seat,
            "middle": p.family if p.family in known.middle else None,
            "pieces": [_piece(known.faces, one) for one in p.pieces],
        }
        for n, p in enumerate(view.piles)
    ]


def _called(namer: Namer, number: int, lang: str, label: str | None) -> str:
    """A pile in words; the place of a board as the board calls it."""
    return namer.pile(number, lang) if label is None else namer.place(number, label, lang)


def _piece(faces: Mapping[str, Face], piece: PieceView) -> list[str] | None:
    """Its sign, and what people read and call it."""
    return None if piece.sign is None else [piece.sign, faces[piece.sign].text, faces[piece.sign].name]


def choices(state: State, legal: Sequence[Move], lang: str) -> list[Message]:
    """What the seat may do, as the terminal lists it: each move's id, its words, and what it is taken hold of by."""
    look, short = display.look(state.game, lang), len(legal) > MANY
    ordered = in_order(legal, look)
    held = handles(state.game.compiled, state.core, ordered)
    found = []
    for move, handle in zip(ordered, held, strict=True):
        text = look.label(move.name, "moves") if short and handle.several else move.text(lang)
        fault = look.label(move.fault, "obligations") if move.fault else ""
        group = look.label(move.name, "moves")
        found.append({"id": move.id, "text": text, "group": group, "fault": fault, **to_builtins(handle)})
    return found


def calls(table: Table, seat: str | None, lang: str) -> Message | None:
    """What a seat may still say where it was not asked, and where that was, as after so many moves."""
    places = table.calls(seat)[-MOST_CALLS:]
    if not places:
        return None
    text, before = display.calls([place.state for place in places], lang)
    return {"text": text, "places": [[place.made, words] for place, words in zip(places, before, strict=True)]}


def called(table: Table, lang: str) -> str:
    """That somebody has gone back to where it was not asked."""
    return display.word(lang, "said.called", seat=to_act(table, lang)) if table.is_called else ""


def describe_seed(table: Table, lang: str) -> str:
    """That one of several people chose the seed; else nothing."""
    people = table.people
    if not table.seeded or len(people) < 2:
        return ""
    name = table.game.compiled.namer.seat(table.game.seats.index(people[0]), lang)
    return display.word(lang, "said.seeded", seat=name)


def to_act(table: Table, lang: str) -> str:
    """What whoever is to move is called."""
    seat = table.state.to_act
    return table.game.compiled.namer.seat(table.game.seats.index(seat), lang) if seat is not None else ""


def silent(table: Table) -> frozenset[int]:
    """Which entries of the log say that somebody was not asked: nobody is told that."""
    return frozenset(len(place.state.core.log or ()) for place in table.passed)


def news(state: State, seat: str | None, lang: str, told: int, silent: frozenset[int] = frozenset()) -> Message:
    """What happened after the first `told` entries of the log, as the seat may know it."""
    log = state.core.log or []
    begin = min(told, len(log))
    happened = {n: event for n, event in told_of(state.game.compiled, state.core, begin) if n not in silent}
    texts = [_told(happened.get(number), lang, seat) for number in range(begin, len(log))]
    return {"from": begin, "to": len(log), "items": texts}


def _told(found: Event | None, lang: str, seat: str | None) -> Message | None:
    text = found.text(lang, seat) if found is not None else ""
    return {"kind": found.kind, "text": text} if found is not None and text else None


MOST = 4000
"""After so many parts all are forgotten at both ends."""
_PARTS = re.compile(r'(<g class="piece"[^>]*>|\n)')
Packed = list[Any]


class Sent:
    """The parts that one browser knows."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}

    def picture(self, svg: str) -> Packed:
        """A picture, taken apart at its lines and its pieces."""
        return self._packed((part, part) for part in _PARTS.split(svg) if part)

    def piles(self, piles: Iterable[Any]) -> Packed:
        return self._packed((msgspec.json.encode(pile), pile) for pile in piles)

    def _packed(self, parts: Iterable[tuple[str | bytes, Any]]) -> Packed:
        """Numbers of parts that are known; what is new, itself: it has the next number. None: all before is forgotten."""
        found: Packed = []
        if len(self._numbers) > MOST:
            self._numbers.clear()
            found.append(None)
        for key, part in parts:
            number = self._numbers.get(key)
            if number is None:
                self._numbers[key] = len(self._numbers)
                found.append(part)
            else:
                found.append(number)
        return found
