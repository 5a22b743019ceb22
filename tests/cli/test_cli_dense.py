"""News that would not fit: a trick on a line, with who wins it, before anything is left out."""

from __future__ import annotations

import pytest

from interpreter.cli.drawing.lines import look_of
from interpreter.cli.playing.news import MANY, News, shortened
from interpreter.game.game import State, load
from interpreter.printable import width

pytestmark = pytest.mark.whole


def after(name: str, moves: int) -> State:
    state = load(name).start(3)
    for _ in range(moves):
        state = state.play(state.moves()[0])
    return state


@pytest.mark.parametrize("name", ["hearts", "whist", "spades"])
def test_a_trick_is_a_line_with_its_winner(name: str) -> None:
    state = after(name, 40)
    look = look_of(state.game)
    heard = News().fresh(state, state.game.seats[0], look)
    tricks = [line for line in heard.dense if "wins the trick" in line]
    assert len(tricks) == sum("wins the trick" in line for line in heard.lines) > 3
    assert all(line.count(", ") == 3 and line.index(" — ") > line.rindex(", ") for line in tricks)
    assert all(width(line) <= look.width for line in tricks)
    assert len(heard.dense) <= len(heard.lines) - 4 * len(tricks)


def test_pieces_seats_and_who_wins_are_those_of_the_full_news() -> None:
    state = after("whist", 4)
    heard = News().fresh(state, None, look_of(state.game))
    full = [line for line in heard.lines if " plays " in line or "wins" in line]
    assert len(full) == 5
    dense = next(line for line in heard.dense if "wins" in line)
    played = ", ".join(line.replace(" plays ", " ") for line in full[:4])
    assert dense.startswith(f"{played} — {full[4].split(' ─')[0].split(' --')[0]}")


@pytest.mark.parametrize("name", ["klondike", "backgammon", "cribbage"])
def test_what_is_no_trick_stays_line_by_line(name: str) -> None:
    state = after(name, 6)
    heard = News().fresh(state, state.game.seats[0], look_of(state.game))
    assert heard.dense == heard.lines


def test_few_events_are_told_in_full() -> None:
    state = after("whist", 40)
    heard = News().fresh(state, None, look_of(state.game))
    assert heard.within(len(heard.lines)) == heard.lines
    assert heard.within(MANY) == heard.dense
    assert heard.and_then("") is heard
    assert heard.and_then("x").dense[-1] == heard.and_then("x").lines[-1] == "x"


def test_the_trick_of_a_person_is_not_cut_off() -> None:
    state = after("hearts", 40)
    heard = News().current(state, "A", look_of(state.game))
    assert not any("events; here" in line for line in shortened(heard.within(MANY), "A"))
