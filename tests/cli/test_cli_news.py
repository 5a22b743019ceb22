"""News of a game: tricks are one line each where there is little room, and `--plain` tells a screen reader what has changed."""

import re
from functools import cache
from itertools import groupby
from typing import Any

import pytest
from commands import Run, command_lines
from games import game
from rules import read_cases
from spaces import spaced
from tiers import in_tiers

from hoyle.cli.playing.news import MANY_EVENTS, News, shorten
from hoyle.game.game import State
from hoyle.presentation import catalogue
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import make_look
from hoyle.presentation.table.spoken import make_spoken_lines, speak_changes
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


run = command_lines
SPOKEN = read_cases("cli/spoken")["lines"]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["cribbage", "backgammon", "barbu"], quick=["backgammon"]))
def test_changes_add_up_to_the_whole_table(name: str) -> None:
    """Each line of a table was said when it changed, and each line that is gone was taken back."""
    opened = game(name)
    state, look = opened.start(4), make_look(opened, plain=True)
    viewer = opened.seats[0]
    known = {saying.key: saying.line for saying in make_spoken_lines(state.view(viewer), opened.seats, look)}
    before = make_spoken_lines(state.view(viewer), opened.seats, look)
    for number in range(40):
        state = state.play(state.moves()[number % len(state.moves())])
        now = make_spoken_lines(state.view(viewer), opened.seats, look)
        heard = speak_changes(before, now)
        for saying in now:
            assert saying.line in heard or known.get(saying.key) == saying.line or saying.is_head
        gone = [saying for saying in before if saying.key not in {one.key for one in now} and not saying.is_head]
        assert all(saying.gone in heard if saying.gone else saying.line.endswith("empty") for saying in gone)
        known, before = {saying.key: saying.line for saying in now}, now
        assert len({saying.key for saying in now}) == len(now)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lang", "head", "mine", "gone"),
    [
        ("en", "Six-card Cribbage", "hand: seven of hearts", "count: none"),
        ("fr", "Cribbage", "main : sept de cœur", "compte : rien"),
    ],
)
def test_whole_table_is_said_once_and_when_it_is_asked_for(
    lang: str, head: str, mine: str, gone: str, run: Run
) -> None:
    words = ("play", "cribbage", "--plain", "--seed", "3", "--lang", lang, "--seats", "human,first")
    first, second, *rest = re.split(r"(?m)^A> ", run(*words, stdin="1\n1\n1\n1\ntable\n1\nquit\n")[1])
    assert [head in said for said in (first, second, *rest)] == [True, *[False] * 4, True, False, False]
    assert mine in second
    assert [gone in said for said in rest] == [False, True, *[False] * (len(rest) - 2)]


@pytest.mark.parametrize("case", in_tiers(SPOKEN, SPOKEN[:2], SPOKEN[2:]), ids=lambda case: case["game"])
def test_line_of_the_table(case: dict[str, Any]) -> None:
    opened = game(case["game"])
    state = opened.position(case["position"])
    for lang in ("en", "fr"):
        with use_language(lang):
            table = make_spoken_lines(state.view(opened.seats[0]), opened.seats, make_look(opened, plain=True))
        lines = [spaced(saying.line) for saying in table]
        assert case[lang] in lines
        assert not any("(1)" in one for one in lines)
