"""`play --plain`: for whoever listens to the screen the table is said once, then what has become of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run, runner
from games import game
from tiers import in_tiers

from interpreter.cli.catalogue import choose
from interpreter.cli.drawing.ink import suited
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.spoken import Saying, retold, sayings
from interpreter.cli.playing.understanding import meant


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


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["backgammon", "klondike"])
def test_a_move_that_is_heard_may_be_typed_so(name: str, lang: str, run: Run) -> None:
    """No arrow is said, and what is said for it is read."""
    choose(["--lang", lang], {})
    try:
        state = game(name).start(11)
        look = look_of(state.game, plain=True)
        for move in state.moves():
            text = suited(move.text(lang), look)
            assert "→" not in text
            assert [one.id for one in meant(state, state.moves(), text, lang)] == [move.id]
    finally:
        choose([], {})


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "at", "lines"),
    [
        ("backgammon", {"arrow": {"f": "4 white", "t": "1 black"}}, ["point 6: 4 checkers of White"]),
        ("backgammon", {"arrow": {"f": "4 white", "t": "1 black"}}, ["flèche 20 : un pion à Noir"]),
        ("klondike", {"stock": "?*13"}, ["stock: 13 cards face down"]),
        ("klondike", {"stock": "?*13"}, ["talon : 13 cartes, face cachée"]),
    ],
)
def test_men_and_cards_are_counted_by_what_they_are_called(name: str, at: object, lines: list[str]) -> None:
    lang = "fr" if " : " in lines[0] else "en"
    choose(["--lang", lang], {})
    try:
        opened = game(name)
        places = {"backgammon": "turn / play the numbers", "klondike": "play"}
        state = opened.position({"at": places[name], "piles": at})
        table = sayings(state.view(opened.seats[0]), opened.seats, look_of(opened, plain=True))
        found = [saying.line.replace("\u00a0", " ") for saying in table]
        assert set(lines) <= set(found), found
    finally:
        choose([], {})


@pytest.mark.whole
@pytest.mark.parametrize(("lang", "line"), [("en", "A doubled B, C redoubled A"), ("fr", "A contre B, C surcontre A")])
def test_doubles_are_told_by_who_doubled_whom(lang: str, line: str) -> None:
    choose(["--lang", lang], {})
    try:
        opened = game("barbu")
        made = {"doubled of A B": 1, "doubler of A B": "A", "doubled of A C": 2, "doubler of A C": "C"}
        hands = {f"hand of {seat}": f"{rank}H" for seat, rank in zip("ABCD", "2345", strict=True)}
        at = {"at": "play to the trick", "to_act": "B"}
        state = opened.position({**at, "state": {"dealer": "A", "contract": "plis", **made}, "piles": hands})
        found = [saying.line for saying in sayings(state.view("A"), opened.seats, look_of(opened, plain=True))]
        assert line in found
        assert not any("(1)" in one for one in found)
    finally:
        choose([], {})
