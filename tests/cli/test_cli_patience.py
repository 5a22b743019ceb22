"""The end of a patience: how far it came, and undo."""

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, command_lines
from rules import write_rules
from terminals import Sitting

run = command_lines
Play = Callable[..., str]


@pytest.fixture
def play(run: Run) -> Play:
    def call(lines: str, won: str = "kept is 3", lang: str = "en", **changes: str) -> str:
        write(won, **changes)
        code, out, _ = run("play", "coins.yaml", "--seed", "1", "--lang", lang, stdin=lines)
        assert code == 0
        return str(out)

    return call


def write(won: str, **changes: str) -> None:
    write_rules("cli/coins", Path(), {", won: kept is 3": f", won: {won}" if won else "", **changes})


@pytest.mark.parametrize(
    ("won", "end"),
    [
        ("kept is 3", "It is lost, at 1 of 3."),
        ("kept >= 2 + 1", "It is lost, at 1 of 3."),
        ("kept > 2", "It is lost."),
        ("count(purse) is 0", "It is lost."),
        ("kept is 3 and purse is empty", "It is lost."),
        ("first(ways) is last(ways)", "It is lost."),
        ("kept is 1", "It is won."),
    ],
)
def test_lost_game_shows_the_count_that_the_rules_ask_for(won: str, end: str, play: Play) -> None:
    assert f"The game is over. {end}\n" in play("put\nend\n", won)


SHOWN = "kept is 4}\ndisplay: {home: {is: kept, en: coins at home, fr: pièces rangées}}\n#"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lang", "given_up", "stuck", "short"),
    [
        (
            "en",
            "It is lost: 1 of 4 coins at home.",
            "No move is left. It is lost: 3 of 4 coins at home.",
            "The game is over. It is lost, at 1 of 3.",
        ),
        (
            "fr",
            "C'est perdu, pièces rangées : 1 sur 4.",
            "Plus aucun coup n'est possible. C'est perdu, pièces rangées : 3 sur 4.",
            "La partie est finie. C'est perdu, à 1 sur 3.",
        ),
    ],
)
def test_lost_game_shows_why_and_the_count_of_the_display(
    lang: str, given_up: str, stuck: str, short: str, play: Play
) -> None:
    assert f". {given_up}\n" in play("put\nend\n", SHOWN, lang)
    no_way_out = {"given up.}": "given up.}\n    if: {early: box is empty}"}
    assert f". {stuck}\n" in play("put\n" * 3, SHOWN, lang, **no_way_out)
    assert f"{short}\n" in play("put\nend\n", lang=lang)


@pytest.mark.whole
def test_undo_after_the_end(play: Play) -> None:
    """A script ends with its last line. A game that is won is not taken back."""
    out = play("put\nend\nundo\nend\nu\nput\nput\n")
    assert out.count("It is lost, at 1 of 3.") == 2
    assert out.count("`undo` goes back, Enter leaves: ") == 2
    assert "The game is over. It is won.\n" in out
    assert play("put\nend\n").endswith("It is lost, at 1 of 3.\nA: 1\n")
    assert play("put\nend\nput\nundo\n").endswith("A: 1\n`undo` goes back, Enter leaves: put\n")
    assert play("put\nput\nput\nundo\n").endswith("It is won.\nA: 3\n")
    assert "`undo` goes back" in play("put\nend\nundo\n", won="")


@pytest.mark.whole
def test_terminal_asks_until_the_answer_is_clear(run: Run) -> None:
    write("kept is 3")
    with Sitting("coins.yaml", "--lang", "en") as sitting:
        for typed in ("end", "udno", "undo", "end", ""):
            sitting.until("A> |leaves: ")
            sitting.child.sendline(typed)
        sitting.end()
        assert "unfinished" not in sitting.written
