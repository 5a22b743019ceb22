"""`play --plain`: a screen reader hears the whole table once, then what has changed."""

import re
from typing import Any

import pytest
from commands import Run, command_lines
from games import game
from rules import read_cases
from spaces import spaced
from tiers import in_tiers

from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import make_look
from hoyle.presentation.table.spoken import make_spoken_lines, speak_changes

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
