"""`play --plain`: for whoever listens to the screen the table is said once, then what has become of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run, runner
from games import game
from tiers import in_tiers

from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.spoken import Saying, retold, sayings


def said(owner: str | None, about: str, line: str, stays: bool = False) -> Saying:
    return Saying(owner, (about,), line, f"{about}: empty", stays=stays)


HEADS = {owner: Saying(owner, (), f"of {owner}", is_head=True) for owner in "AB"}
HAND, STOCK = said("A", "hand", "hand: 2", stays=True), said(None, "stock", "stock: 9")


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        ([HEADS["B"], said("B", "heap", "heap: 1"), STOCK, HEADS["A"], HAND], ["of A", "hand: 2"]),
        ([HEADS["B"], said("B", "heap", "heap: 3"), STOCK, HEADS["A"], HAND], ["of B", "heap: 3", "of A", "hand: 2"]),
        ([HEADS["B"], STOCK, HEADS["A"], HAND], ["of B", "heap: empty", "of A", "hand: 2"]),
        ([HEADS["B"], said("B", "heap", "heap: 1"), HEADS["A"], HAND], ["stock: empty", "of A", "hand: 2"]),
    ],
)
def test_only_what_is_otherwise_is_said_again_and_what_is_held(now: list[Saying], lines: list[str]) -> None:
    before = [HEADS["B"], said("B", "heap", "heap: 1"), STOCK, HEADS["A"], HAND]
    found = retold(before, now)
    assert sorted(found) == sorted(lines)
    assert found.index("of A") < found.index("hand: 2")


@pytest.mark.parametrize(
    "name", in_tiers(["cribbage", "backgammon", "barbu"], quick=["cribbage"], whole=["backgammon", "barbu"])
)
def test_who_hears_all_that_changes_knows_the_whole_table(name: str) -> None:
    """Every line of a table was said when it was first so, and what is there no more was taken back."""
    opened = game(name)
    state, look = opened.start(4), look_of(opened, plain=True)
    viewer = opened.seats[0]
    known = {saying.key: saying.line for saying in sayings(state.view(viewer), opened.seats, look)}
    before = sayings(state.view(viewer), opened.seats, look)
    for number in range(40):
        state = state.play(state.moves()[number % len(state.moves())])
        now = sayings(state.view(viewer), opened.seats, look)
        heard = retold(before, now)
        for saying in now:
            assert saying.line in heard or known.get(saying.key) == saying.line or saying.is_head
        gone = [saying for saying in before if saying.key not in {one.key for one in now} and not saying.is_head]
        assert all(saying.gone in heard if saying.gone else saying.line.endswith("empty") for saying in gone)
        known, before = {saying.key: saying.line for saying in now}, now
        assert len({saying.key for saying in now}) == len(now)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lang", "head", "mine", "gone"),
    [
        ("en", "Six-card Cribbage", "hand: seven of hearts", "count: none"),
        ("fr", "Cribbage", "main : sept de cœur", "compte : rien"),
    ],
)
def test_the_whole_table_is_said_once_and_when_it_is_asked_for(
    lang: str, head: str, mine: str, gone: str, run: Run
) -> None:
    words = ("play", "cribbage", "--plain", "--seed", "3", "--lang", lang, "--seats", "human,first")
    first, second, *rest = re.split(r"(?m)^A> ", run(*words, stdin="1\n1\n1\n1\ntable\n1\nquit\n")[1])
    assert [head in said for said in (first, second, *rest)] == [True, *[False] * 4, True, False, False]
    assert mine in second
    assert [gone in said for said in rest] == [False, True, *[False] * (len(rest) - 2)]
