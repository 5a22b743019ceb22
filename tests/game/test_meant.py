"""What somebody writes for a move: what the screen shows, in either language, and the pieces of a list in any order."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from interpreter import State, load
from interpreter.cli.drawing.ink import Look, suited
from interpreter.cli.output import plain
from interpreter.game.spelling import plain_words
from interpreter.language.sentences import LANGUAGES

SHOWN = ["cribbage", "backgammon", "klondike", "crapette", "barbu"]


@cache
def start(name: str) -> State:
    return load(name).start(5)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", SHOWN)
def test_what_the_screen_shows_means_the_move(name: str, lang: str) -> None:
    state = start(name)
    shown = {move: suited(move.text(lang), Look()) for move in state.moves()}
    assert shown
    for move, text in shown.items():
        if Counter(shown.values())[text] == 1:
            for written in (text, plain(text), text.upper(), move.text(lang).replace("(", "").replace(")", "")):
                assert [m.id for m in state.meant(written)] == [move.id]
            assert state.why(text).legal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lay away KS 8S", ["8S KS"]),
        ("lay-away K♠ 8♠", ["8S KS"]),
        ("ecarter 8s ks", ["8S KS"]),
        ("lay-away 8S", ["7H 8S", "QC 8S", "KD 8S", "8S KH", "8S KS"]),
        ("lay-away 8S 8S", []),
        ("lay-away KS 8S QC", []),
        ("lay 8S", []),
    ],
)
def test_a_list_may_stand_in_any_order_and_be_incomplete(text: str, found: list[str]) -> None:
    assert [move.id for move in start("cribbage").meant(text)] == [f"lay-away {cards}" for cards in found]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("play-a-card 10♥ -> 3", "play a card th → 3"),
        ("Réserve (point f)→2", "reserve point f → 2"),
        ("bid -3", "bid -3"),
        ("cœur", "coeur"),
        ("♥\ufe0f 100", "h 100"),
    ],
)
def test_plain_words(text: str, words: str) -> None:
    assert plain_words(text) == words
