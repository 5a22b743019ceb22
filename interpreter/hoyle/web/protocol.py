"""Messages to a seat: what it sees, may do and was told. Everything sent to a seat is made here, from its view alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import to_builtins

from hoyle.game.events import list_told_events as told_of
from hoyle.game.game import Game, State
from hoyle.game.moves.legal import Move
from hoyle.game.views.view import View, make_open_view
from hoyle.pictures.names import PieceLook
from hoyle.presentation.play_text import sort_moves
from hoyle.view_data import PieceView
from hoyle.web import display
from hoyle.web.display import DisplaySettings, draw_table, get_piece_names
from hoyle.web.play.drag_targets import find_drag_targets, has_aimed_moves
from hoyle.web.play.tables import HUMAN, PausePoint, Table

MOST_DESCRIBED = 300
"""With more legal moves than this, moves that pick sets of pieces are listed by their name alone."""
MOST_CALLS = 40
MOST_PARTS = 4000
"""After this many parts both ends of a connection forget all of them."""
_PARTS = re.compile(r'(<g class="piece"[^>]*>|\n)')
Message = dict[str, Any]


def build_table_message(
    table: Table, seat: str | None, settings: DisplaySettings, told: int, preparing: bool = False, again: bool = False
) -> Message:
    """Describe the table as a seat (None: a spectator) sees it now, with the events after the first `told`.

    `preparing`: a bot's search engine is being built. `again`: somebody has begun to play again.
    """
    state, lang = table.state, settings.lang
    view = make_open_view(state.game.compiled, state.core, seat) if state.is_over else state.view(seat)
    return {
        "t": "table",
        "n": table.number,
        "title": table.game.title(lang),
        "seat": seat,
        "over": table.is_over,
        "place": display.describe_decision(state, lang),
        "preparing": preparing,
        "again": again,
        "moved": len(table.moves),
        "began": seat is not None and seat == table.people[0],
        "undo": seat is not None and table.can_undo(seat),
        "call": _describe_calls(table, seat, lang),
        "called": display.translate(lang, "said.called", seat=name_actor(table, lang)) if table.is_called else "",
        "seeded": _describe_seed(table, lang),
        "seats": _describe_seats(table, lang),
        **describe_view(state, view, settings),
        "moves": describe_moves(state, view.moves, lang),
        "aims": has_aimed_moves(state.game.compiled, state.core),
        "news": describe_events(state, seat, lang, told, _find_pass_events(table)),
        "result": display.describe_result(state, lang) if table.is_over else [],
    }


def build_pause_message(
    table: Table, pause: PausePoint, seat: str | None, settings: DisplaySettings, told: int
) -> Message:
    """Describe the table as a seat saw it at the end of a trick or deal, before play went on."""
    state, lang = pause.state, settings.lang
    return {
        "t": "table",
        "n": pause.number + 1,
        "stop": pause.what,
        "title": table.game.title(lang),
        "seat": seat,
        "over": False,
        "place": "",
        "undo": False,
        "seats": [{**entry, "acts": False} for entry in _describe_seats(table, lang)],
        **describe_view(state, state.view(seat), settings),
        "moves": [],
        "news": describe_events(state, seat, lang, told, _find_pass_events(table)),
        "result": [],
    }


def _describe_seats(table: Table, lang: str) -> list[Message]:
    namer, to_act = table.game.compiled.namer, table.state.to_act
    return [
        {"seat": seat, "name": namer.seat(n, lang), "human": kind == HUMAN, "kind": kind, "acts": seat == to_act}
        for n, (seat, kind) in enumerate(table.kinds.items())
    ]


def describe_view(state: State, view: View, settings: DisplaySettings) -> Message:
    """Return a view as a picture, and its piles in words for screen readers."""
    return {
        "svg": draw_table(state.game, view, settings),
        "piles": _describe_piles(state.game, view, settings.lang),
    }


def _describe_piles(game: Game, view: View, lang: str) -> list[Message]:
    """Describe each pile, its pieces from bottom to top (None: face down).

    own     it does not belong to another seat
    whole   any place of it stands for the piece that may be taken
    middle  the family with which it shares one place in the middle of the table
    """
    namer, names = game.compiled.namer, get_piece_names(game, lang)
    labels = {
        key: label
        for board in view.boards
        if board.numbered
        for key, label in zip(board.points, board.labels, strict=True)
    }
    return [
        {
            "key": pile.key,
            "words": namer.place(n, labels[pile.key], lang) if pile.key in labels else namer.pile(n, lang),
            "count": pile.count,
            "whole": pile.layout == "board",
            "own": pile.owner is None or pile.owner == view.seat,
            "middle": pile.family if pile.family in names.middle else None,
            "pieces": [_describe_piece(names.faces, piece) for piece in pile.pieces],
        }
        for n, pile in enumerate(view.piles)
    ]


def _describe_piece(faces: Mapping[str, PieceLook], piece: PieceView) -> list[str] | None:
    """Return its sign, short text and name."""
    return None if piece.sign is None else [piece.sign, faces[piece.sign].text, faces[piece.sign].name]


def describe_moves(state: State, legal: Sequence[Move], lang: str) -> list[Message]:
    """List legal moves in the order of the terminal, each with its id, text and drag target."""
    look, is_short = display.get_look(state.game, lang), len(legal) > MOST_DESCRIBED
    ordered = sort_moves(legal, look)
    described = []
    for move, target in zip(ordered, find_drag_targets(state.game.compiled, state.core, ordered), strict=True):
        group = look.label(move.name, "moves")
        text = group if is_short and target.several else move.text(lang)
        fault = look.label(move.fault, "obligations") if move.fault else ""
        described.append({"id": move.id, "text": text, "group": group, "fault": fault, **to_builtins(target)})
    return described


def _describe_calls(table: Table, seat: str | None, lang: str) -> Message | None:
    """Describe what a seat may call, and after which moves."""
    passes = table.list_calls(seat)[-MOST_CALLS:]
    if not passes:
        return None
    text, before = display.describe_calls([place.state for place in passes], lang)
    return {"text": text, "places": [[place.move_count, words] for place, words in zip(passes, before, strict=True)]}


def _describe_seed(table: Table, lang: str) -> str:
    """Warn the other people if one of them chose the seed."""
    people = table.people
    if not table.seeded or len(people) < 2:
        return ""
    name = table.game.compiled.namer.seat(table.game.seats.index(people[0]), lang)
    return display.translate(lang, "said.seeded", seat=name)


def name_actor(table: Table, lang: str) -> str:
    """Return the name of the seat that is to move."""
    seat = table.state.to_act
    return table.game.compiled.namer.seat(table.game.seats.index(seat), lang) if seat is not None else ""


def _find_pass_events(table: Table) -> frozenset[int]:
    """Return the indices of the events that record passes. Nobody is told about them."""
    return frozenset(len(place.state.core.log or ()) for place in table.passes)


def describe_events(
    state: State, seat: str | None, lang: str, told: int, secret: frozenset[int] = frozenset()
) -> Message:
    """Describe the events after the first `told`, as far as the seat may know them."""
    log = state.core.log or []
    begin = min(told, len(log))
    events = {n: event for n, event in told_of(state.game.compiled, state.core, begin) if n not in secret}
    items: list[Message | None] = []
    for number in range(begin, len(log)):
        event = events.get(number)
        text = event.text(lang, seat) if event is not None else ""
        items.append({"kind": event.kind, "text": text} if event is not None and text else None)
    return {"from": begin, "to": len(log), "items": items}


# ---- delta encoding --------------------------------------------------------------------------------------------------


class DeltaEncoder:
    """Replaces what a browser has received before by numbers. Both ends number new parts alike."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}

    def encode_picture(self, svg: str) -> list[Any]:
        """Encode a picture, split at lines and pieces."""
        return self._encode((part, part) for part in _PARTS.split(svg) if part)

    def encode_piles(self, piles: Iterable[Any]) -> list[Any]:
        return self._encode((msgspec.json.encode(pile), pile) for pile in piles)

    def _encode(self, parts: Iterable[tuple[str | bytes, Any]]) -> list[Any]:
        """Return the number of each known part, and each new part itself. None first: the other end forgets all parts."""
        encoded: list[Any] = []
        if len(self._numbers) > MOST_PARTS:
            self._numbers.clear()
            encoded.append(None)
        for key, part in parts:
            number = self._numbers.get(key)
            if number is None:
                self._numbers[key] = len(self._numbers)
            encoded.append(part if number is None else number)
        return encoded
