"""Secrets: a seat is sent the same bytes when pieces that it never saw change places."""

import json
from collections.abc import Iterator

import pytest
from exchange import History, beginning, exchanged, walked
from games import game
from tiers import in_tiers, sized

from hoyle.web.display import DisplaySettings
from hoyle.web.play.drag_targets import resolve_drop
from hoyle.web.play.stored_tables import Operation
from hoyle.web.play.tables import HUMAN, Table
from hoyle.web.protocol import build_table_message

pytestmark = pytest.mark.whole
HANDS = ["cribbage", "hearts", "spades", "gin-rummy", "scopa", "piquet", "barbu-3p", "klondike"]


def sent(history: History, seat: str) -> Iterator[bytes]:
    """Everything that a seat was sent from the first move on."""
    rules, told = history.states[0].game, 0
    at = Table("t", history.states[0], dict.fromkeys(rules.seats, HUMAN), 0)
    for number, state in enumerate(history.states):
        at.state = state
        at.operations = at.moves = [Operation("move", by, ident) for by, ident in history.moves[:number]]
        for lang in ("en", "fr"):
            message = build_table_message(at, seat, DisplaySettings(lang), told)
            yield json.dumps(message, ensure_ascii=False).encode()
        told = message["news"]["to"]


@pytest.mark.parametrize("name", in_tiers(HANDS, whole=["cribbage"]))
def test_a_seat_is_sent_only_what_it_may_know(name: str) -> None:
    rules, compared = game(name), 0
    history = beginning(walked(rules, 0, 40), sized(6, 10))
    for seat in rules.seats:
        own = list(sent(history, seat))
        for other, _, _ in exchanged(history, seat, 0, tries=3):
            compared += 1
            assert list(sent(other, seat)) == own
    assert compared


@pytest.mark.parametrize("name", in_tiers([*HANDS, "backgammon", "crapette"], whole=["cribbage", "klondike"]))
def test_face_down_pieces_have_no_signs_and_waiting_seats_no_moves(name: str) -> None:
    rules = game(name)
    history = walked(rules, 1, 12)
    at = Table("t", history.states[-1], dict.fromkeys(rules.seats, HUMAN), 0)
    for seat in (*rules.seats, None):
        message = build_table_message(at, seat, DisplaySettings(), 0)
        view = at.state.view(seat)
        seen = [[None if p.sign is None else p.sign for p in pile.pieces] for pile in view.piles]
        sent = [[None if p is None else p[0] for p in pile["pieces"]] for pile in message["piles"]]
        assert sent == seen or at.is_over
        assert bool(message["moves"]) == (seat is not None and seat == at.state.to_act)


@pytest.mark.parametrize("name", in_tiers(HANDS, whole=["klondike"]))
def test_moves_meant_by_a_drop_name_no_unseen_piece(name: str) -> None:
    """A hidden piece that is dropped tells nothing by the reason."""
    history = walked(game(name), 3, sized(3, 9))
    state = history.states[-1]
    seat = state.to_act
    assert seat is not None, "the game is over: take another seed"
    view = state.view(seat)
    own = [resolve_drop(state, {"from": p.key, "at": at}) for p in view.piles for at in range(p.count)]
    for other, _, _ in exchanged(history, seat, 1, tries=sized(2, 4)):
        then = other.states[-1]
        assert [resolve_drop(then, {"from": p.key, "at": at}) for p in view.piles for at in range(p.count)] == own
