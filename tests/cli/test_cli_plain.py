"""`play --plain`: a screen reader hears the whole table once, then what has changed."""

from __future__ import annotations

import re

import pytest
from commands import Run, command_lines
from games import game
from spaces import spaced
from tiers import in_tiers

from interpreter.cli.catalogue import speaking
from interpreter.cli.drawing.ink import suited
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.spoken import Saying, retold, sayings
from interpreter.cli.playing.understanding import meant

run = command_lines


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
def test_changed_lines_and_the_own_hand_are_said_again(now: list[Saying], lines: list[str]) -> None:
    before = [HEADS["B"], said("B", "heap", "heap: 1"), STOCK, HEADS["A"], HAND]
    found = retold(before, now)
    assert sorted(found) == sorted(lines)
    assert found.index("of A") < found.index("hand: 2")


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", in_tiers(["cribbage", "backgammon", "barbu"], quick=["backgammon"], whole=["cribbage"])
)
def test_changes_add_up_to_the_whole_table(name: str) -> None:
    """Each line of a table was said when it changed, and each line that is gone was taken back."""
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


@pytest.mark.whole
@pytest.mark.parametrize("name", ["backgammon", "klondike"])
def test_move_may_be_typed_as_it_is_said(name: str) -> None:
    """No arrow is said."""
    state = game(name).start(11)
    look = look_of(state.game, plain=True)
    for lang in ("en", "fr"):
        with speaking(lang):
            for move in state.moves():
                text = suited(move.text(lang), look)
                assert "→" not in text
                assert [one.id for one in meant(state, state.moves(), text, lang)] == [move.id]


POINTS = {"at": "turn / play the numbers", "piles": {"arrow": {"f": "4 white", "t": "1 black"}}}
STOCK_DOWN = {"at": "play", "piles": {"stock": "?*13"}}
DOUBLES = {
    "at": "play to the trick",
    "to_act": "B",
    "state": {
        "dealer": "A",
        "contract": "plis",
        "doubled of A B": 1,
        "doubler of A B": "A",
        "doubled of A C": 2,
        "doubler of A C": "C",
    },
    "piles": {f"hand of {seat}": f"{rank}H" for seat, rank in zip("ABCD", "2345", strict=True)},
}


@pytest.mark.parametrize(
    ("name", "position", "lang", "line"),
    [
        ("backgammon", POINTS, "en", "point 6: 4 checkers of White"),
        ("backgammon", POINTS, "fr", "flèche 20 : un pion à Noir"),
        ("klondike", STOCK_DOWN, "en", "stock: 13 cards face down"),
        ("klondike", STOCK_DOWN, "fr", "talon : 13 cartes, face cachée"),
        pytest.param("barbu", DOUBLES, "en", "A doubled B, C redoubled A", marks=pytest.mark.whole),
        pytest.param("barbu", DOUBLES, "fr", "A contre B, C surcontre A", marks=pytest.mark.whole),
    ],
)
def test_line_of_the_table(name: str, position: object, lang: str, line: str) -> None:
    opened = game(name)
    state = opened.position(position)
    with speaking(lang):
        table = sayings(state.view(opened.seats[0]), opened.seats, look_of(opened, plain=True))
    lines = [spaced(saying.line) for saying in table]
    assert line in lines
    assert not any("(1)" in one for one in lines)
