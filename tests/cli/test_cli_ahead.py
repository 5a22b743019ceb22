"""Several moves on one line, other words for a move, the reason of a refusal, and undo over forced moves."""

from __future__ import annotations

import pytest
from commands import Run, command_lines
from games import game

from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.offers import choices
from interpreter.game.sequences import in_turn

run = command_lines
FIRST, SECOND = "White plays 1 (point 24 → point 23)\n", "White plays 2 (point 13 → point 11)\n"


def played(run: Run, name: str, seed: int, *lines: str, lang: str = "en", seats: str = "human,random") -> str:
    seats = seats if game(name).seats[1:] else "human"
    words = ("play", name, "--seed", str(seed), "--lang", lang, "--seats", seats)
    code, out, _ = run(*words, stdin="\n".join([*lines, ""]))
    assert code == 0
    return str(out)


@pytest.mark.parametrize(
    ("name", "line", "moves"),
    [
        ("backgammon", "24/23 13/9", ["24/23", "13/9"]),
        ("backgammon", "24/23,13/9", ["24/23", "13/9"]),
        ("backgammon", "21/18*/14", ["21/18*", "18/14"]),
        ("backgammon", "8/4(2) 6/4*(2)", ["8/4", "8/4", "6/4*", "6/4*"]),
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
def test_line_is_split_into_moves(name: str, line: str, moves: list[str]) -> None:
    assert in_turn(game(name).compiled, line) == moves


def rest_after(out: str, *parts: str) -> str:
    """Return what follows these parts, which stand there in this order."""
    for part in parts:
        assert part in out
        out = out.partition(part)[2]
    return out


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lines", "parts", "absent"),
    [
        (["24/23 13/11"], [f"24/23 13/11\n{FIRST}{SECOND}"], "not legal"),
        (["24/23 13/11", "last"], [f"White> last\n{FIRST}{SECOND}"], "not legal"),
        (["24/23 12/10 8/6"], [f"{FIRST}\n", "12/10: not legal. You have no checker"], "White plays 2"),
        (["12/10 24/23"], ["12/10: not legal"], "White plays"),
        (["24/23 13/11 8/7"], ["24/23 13/11 8/7", "no longer your turn: 8/7"], "8/7\nWhite plays"),
        (["24/23 13/11", "undo"], ["taken back", "numbers to play 2\n"], "taken back"),
        (
            ["24/23 13/11", "bar/21"],
            ["bar/21: not legal. Nothing leads there: from there only `bar/20`, `bar/23*`."],
            "→ point 21",
        ),
        (["24/23 13/11", "6/4"], ["play 2 (point 6 → point 4): not legal. Checkers on the bar must enter"], SECOND),
        (["why 24/23"], ["play 1 (point 24 → point 23): legal."], FIRST),
        (["why xyz"], ["why xyz\n`xyz`"], FIRST),
        (["why 6"], ["play 1 (point 24 → point 23): legal."], FIRST),
    ],
)
def test_moves_on_one_line_are_played_up_to_the_first_illegal_one(
    lines: list[str], parts: list[str], absent: str, run: Run
) -> None:
    first = "first" if "last" in lines else "random"
    assert absent not in rest_after(played(run, "backgammon", 3, *lines, seats=f"human,{first}"), *parts)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "words", "shown"),
    [
        ("klondike", ["draw", "stock", "deal", "talon"], "A turns cards"),
        ("spider", ["stock", "draw", "deal"], "A deals a row"),
        ("spider", ["waste", "foundation", "throw", "roll"], None),
    ],
)
def test_pile_or_another_verb_means_the_move(name: str, words: list[str], shown: str | None, run: Run) -> None:
    for word in words:
        out = played(run, name, 1, word)
        assert f"A> {word}\n{shown}\n" in out if shown else "A deals" not in out


@pytest.mark.whole
def test_undo_goes_back_over_forced_moves(run: Run) -> None:
    for word in ("undo", "u"):
        _, *parts = played(run, "klondike", 1, "2h to 6", "Ad", "turn", word, word).split("taken back")
        assert len(parts) == 2
        assert all("  2  " in part and "(only move)" not in part for part in parts)


@pytest.mark.whole
def test_rule_of_a_forced_pass_is_shown_once(run: Run) -> None:
    shown, rule = "A passes (only move)", "Nobody has to answer, but whoever leads may not pass."
    out = played(run, "president", 3, *["1"] * 20, seats="human,first,first,first")
    assert out.count(shown) > 1
    assert out.count(f"{shown}\n  {rule}\n") == out.count(rule) == 1


def test_long_list_is_shown_in_notation_before_moves_are_left_out() -> None:
    state = game("backgammon").start(3)
    lines = choices(state, state.moves(), look_of(state.game), 3)
    text = "\n".join(lines)
    assert len(lines) <= 3 < len(state.moves())
    assert all(move.short() in text for move in state.moves())
    assert "more" not in text
