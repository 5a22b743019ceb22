"""News that would not fit: each trick is one line with its winner, before anything is left out."""

from functools import cache
from itertools import groupby

import pytest
from games import game

from hoyle.cli.playing.news import MANY_EVENTS, News, shorten
from hoyle.game.game import State
from hoyle.presentation import catalogue
from hoyle.presentation.look import make_look
from hoyle.printable import width


@cache
def after(name: str, moves: int) -> State:
    state = game(name).start(3)
    for _ in range(moves):
        state = state.play(state.moves()[0])
    return state


@pytest.mark.whole
@pytest.mark.parametrize("name", ["hearts", "whist"])
def test_trick_is_one_line_with_its_winner(name: str) -> None:
    state = after(name, 40)
    look = make_look(state.game)
    heard = News().take_new(state, state.game.seats[0], look)
    tricks = [line for line in heard.dense if "wins the trick" in line]
    assert len(tricks) == sum("wins the trick" in line for line in heard.lines) > 3
    assert all(line.count(", ") == 3 and line.index(" — ") > line.rindex(", ") for line in tricks)
    assert all(width(line) <= look.width for line in tricks)
    assert len(heard.dense) <= len(heard.lines) - 4 * len(tricks)


@pytest.mark.whole
@pytest.mark.parametrize(("lang", "again"), [("en", "winning the trick"), ("fr", "qui fait la levée")])
def test_winner_of_a_trick_is_named_once(lang: str, again: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_chosen", lang)
    state = after("whist", 24)
    told = News().take_new(state, None, make_look(state.game)).lines
    assert any(again in event.text(lang) for event in state.events)
    assert not any(again in line for line in told)


@pytest.mark.whole
def test_few_events_are_shown_in_full() -> None:
    state = after("whist", 40)
    heard = News().take_new(state, None, make_look(state.game))
    assert heard.fit(len(heard.lines)) == heard.lines
    assert heard.fit(MANY_EVENTS) == heard.dense
    assert heard.append_line("") is heard
    assert heard.append_line("x").dense[-1] == heard.append_line("x").lines[-1] == "x"


@pytest.mark.whole
def test_trick_of_a_person_is_not_cut_off() -> None:
    state = after("hearts", 40)
    heard = News().take_current(state, "A", make_look(state.game))
    assert not any("events, the last" in line for line in shorten(heard.fit(MANY_EVENTS), "A"))


@pytest.mark.whole
def test_sum_of_a_hand_stands_behind_its_last_item() -> None:
    state = game("cribbage").playout(seed=3)
    lines = News().take_new(state, None, make_look(state.game)).lines
    sums = list[int]()
    for marks, run in groupby(lines, lambda line: line[:3] if line[1:3] == " +" else ""):
        points = list(run)
        if marks and len(points) > 1:
            sums.append(sum(int(line.split()[1].rstrip(",")) for line in points))
            assert points[-1].endswith(f" — {sums[-1]} in all")
    assert len(sums) == sum(line.endswith(" in all") for line in lines) > 0


@pytest.mark.whole
def test_forced_move_is_marked_and_looked_at_before_the_next() -> None:
    news, state = News(), after("whist", 0)
    seat, number = str(state.to_act), len(state.core.log or ())
    news.told[seat] = number
    news.add_forced(number, state.moves()[0])
    state = state.play(state.moves()[0])
    assert not news.has_unseen_moves(state, seat), "nobody has done anything since"
    for _ in range(3):
        state = state.play(state.moves()[0])
    assert news.has_unseen_moves(state, seat)
    heard = News(forced=news.forced).take_new(state, seat, make_look(state.game))
    own = [line for line in heard.dense if line in heard.own]
    assert len(own) == 1 and "(only move), " in own[0] and "wins the trick" in own[0]
    news.take_new(state, seat, make_look(state.game))
    assert not news.has_unseen_moves(state, seat), "it has been seen"
    news.go_back_to(number)
    news.forced_words = news.forced = {number}
    assert not news.has_unseen_moves(state, seat), "words are not looked at"
