"""Several moves typed at once, other words for a move, what a refusal calls it, and the way back over moves that were no choice."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest
from spaces import spaced

from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.offers import choices
from interpreter.cli.main import main
from interpreter.game.game import load
from interpreter.game.sequences import in_turn

pytestmark = pytest.mark.whole
Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(game: str, seed: int, *lines: str, lang: str = "en", seats: str | None = None) -> str:
        typed = io.TextIOWrapper(io.BytesIO("\n".join([*lines, ""]).encode()))
        monkeypatch.setattr(sys, "stdin", typed)
        people = ["--seats", seats] if seats else []
        assert main(["play", game, "--seed", str(seed), "--lang", lang, *people]) == 0
        return spaced(capsys.readouterr().out)

    return call


@pytest.mark.parametrize(
    ("game", "line", "moves"),
    [
        ("backgammon", "24/23 13/9", ["24/23", "13/9"]),
        ("backgammon", "24/23,13/9", ["24/23", "13/9"]),
        ("backgammon", "21/18*/14", ["21/18*", "18/14"]),
        ("backgammon", "8/4(2) 6/4*(2)", ["8/4", "8/4", "6/4*", "6/4*"]),
        ("backgammon", "bar/21/17", ["bar/21", "21/17"]),
        ("backgammon", "barre/21*/17 6/sortis(2)", ["barre/21*", "21/17", "6/sortis", "6/sortis"]),
        ("backgammon", "throw the dice, 8/4", ["throw the dice", "8/4"]),
        ("klondike", "turn-cards, turn cards", ["turn-cards", "turn cards"]),
        ("backgammon", "8/4", []),
        ("backgammon", "8/4 oops", []),
        ("backgammon", "", []),
        ("klondike", "8/4 6/4", []),
        ("klondike", "2h, 3d", []),
    ],
)
def test_what_is_a_list_of_moves(game: str, line: str, moves: list[str]) -> None:
    assert in_turn(load(game).compiled, line) == moves


def test_a_throw_is_played_at_once(run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11", seats="human,random")
    assert "24/23 13/11\nWhite plays 1 (point 24 → point 23)\nWhite plays 2 (point 13 → point 11)\n" in out


def test_what_was_typed_at_once_is_recalled_from_the_first(run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11", "last", seats="human,first")
    recalled = out.split("White> last\n")[1]
    assert recalled.startswith("White plays 1 (point 24 → point 23)\nWhite plays 2 (point 13 → point 11)\n")


@pytest.mark.parametrize(
    ("lang", "told", "rule"),
    [
        ("en", "A passes (only move)", "Nobody has to answer, but whoever leads may not pass."),
        ("fr", "A passe (seul coup)", "Nul n'est tenu de répondre, mais qui entame ne peut passer."),
    ],
)
def test_who_can_only_pass_is_told_once_why(lang: str, told: str, rule: str, run: Run) -> None:
    out = run("president", 3, *["1"] * 60, lang=lang, seats="human,first,first,first")
    assert out.count(told) > 1
    assert out.count(f"{told}\n  {rule}\n") == out.count(rule) == 1


def test_the_first_that_is_not_legal_stops_with_its_reason_and_the_others_stay(run: Run) -> None:
    out = run("backgammon", 3, "24/23 12/10 8/6", seats="human,random")
    made, told = out.index("plays 1 (point 24 → point 23)\n\n"), out.index("12/10: not legal. You have no checker")
    assert made < told
    assert "White plays 2" not in out[told:]


def test_nothing_is_made_where_the_first_is_not_legal(run: Run) -> None:
    out = run("backgammon", 3, "12/10 24/23", seats="human,random")
    assert "12/10: not legal" in out
    assert "White plays" not in out


@pytest.mark.parametrize(("lang", "said"), [("en", "no longer your turn: 8/7"), ("fr", "n'est plus à vous : 8/7")])
def test_what_is_typed_beyond_the_turn_is_told_and_not_made_later(lang: str, said: str, run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11 8/7", lang=lang, seats="human,random")
    assert said in out
    assert out.count("8/7") == 3  # offered, typed, and not made


def test_one_move_of_several_is_taken_back_at_a_time(run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11", "undo", seats="human,random")
    assert "numbers to play 2\n" in out[out.index("taken back") :]


@pytest.mark.parametrize(
    ("game", "seed", "words", "told"),
    [
        ("klondike", 1, ["draw", "stock", "deal", "talon"], "A turns cards"),
        ("spider", 1, ["stock", "draw", "deal"], "A deals a row"),
    ],
)
def test_a_pile_and_another_verb_mean_the_move(game: str, seed: int, words: list[str], told: str, run: Run) -> None:
    for word in words:
        out = run(game, seed, word)
        assert f"A> {word}\n{told}\n" in out


@pytest.mark.parametrize("word", ["waste", "foundation", "throw", "roll"])
def test_a_word_for_nothing_that_can_be_done_plays_nothing(word: str, run: Run) -> None:
    assert "A deals" not in run("spider", 1, word)


def test_a_number_that_was_not_thrown_is_the_reason(run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11", "bar/21", seats="human,random")
    assert "bar/21: not legal. Nothing leads there: from there only `bar/20`, `bar/23*`." in out


def test_a_refusal_names_a_move_as_lists_do(run: Run) -> None:
    out = run("backgammon", 3, "24/23 13/11", "6/4", seats="human,random")
    assert "play 2 (point 6 → point 4): not legal. Checkers on the bar must enter" in out


@pytest.mark.parametrize("asked", ["why 24/23", "why 6"])
def test_a_reason_names_a_point_as_the_board_does(asked: str, run: Run) -> None:
    """However it was asked for: the id of the move has the letter of its row."""
    assert "play 1 (point 24 → point 23): legal." in run("backgammon", 3, asked, seats="human,random")


@pytest.mark.parametrize("word", ["undo", "u"])
def test_the_way_back_leads_to_a_choice_over_moves_that_were_none(word: str, run: Run) -> None:
    out = run("klondike", 1, "2h to 6", "Ad", "turn", word, word)
    after = out.split("taken back")
    assert len(after) == 3
    assert all("  2  " in part for part in after[1:])
    assert all("(only move)" not in part for part in after[1:])


def test_a_long_list_is_told_in_notation_before_any_move_is_left_out() -> None:
    state = load("backgammon").start(3)
    lines = choices(state, state.moves(), look_of(state.game), 3)
    text = "\n".join(lines)
    assert len(lines) <= 3 < len(state.moves())
    assert all(move.short() in text for move in state.moves())
    assert "more" not in text
