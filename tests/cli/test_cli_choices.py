"""Choices at the prompt: several moves on one line, choices offered beside the next question, undo, and the end of a patience."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, command_lines
from games import game
from rules import read_cases, write_rules
from terminals import Sitting
from watched import watched_at

from hoyle.cli.playing.offers import list_choices
from hoyle.diagnostics import Source
from hoyle.game.moves.notation import split_moves
from hoyle.game.records.records import replay
from hoyle.presentation.look import make_look

run = command_lines
CASES = read_cases("cli/ahead")


def played(run: Run, name: str, seed: int, *lines: str, lang: str = "en", seats: str = "human,random") -> str:
    seats = seats if game(name).seats[1:] else "human"
    words = ("play", name, "--seed", str(seed), "--lang", lang, "--seats", seats)
    code, out, _ = run(*words, stdin="\n".join([*lines, ""]))
    assert code == 0
    return str(out)


@pytest.mark.parametrize(("name", "line", "moves"), CASES["split"])
def test_line_is_split_into_moves(name: str, line: str, moves: list[str]) -> None:
    assert split_moves(game(name).compiled, line) == moves


def rest_after(out: str, *parts: str) -> str:
    for part in parts:
        assert part in out
        out = out.partition(part)[2]
    return out


@pytest.mark.parametrize(("lines", "parts", "absent"), CASES["played"])
def test_moves_on_one_line_are_played_up_to_the_first_illegal_one(
    lines: list[str], parts: list[str], absent: str, run: Run
) -> None:
    first = "first" if "last" in lines else "random"
    assert absent not in rest_after(played(run, "backgammon", 3, *lines, seats=f"human,{first}"), *parts)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "words", "shown"), CASES["meant"])
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
    lines = list_choices(state, state.moves(), make_look(state.game), 3)
    text = "\n".join(lines)
    assert len(lines) <= 3 < len(state.moves())
    assert all(move.short() in text for move in state.moves())
    assert "more" not in text


PEOPLE = ("--seats", "human,human")


@pytest.fixture
def play(run: Run, tmp_path: Path) -> Run:
    watched_at(tmp_path)
    words = ("play", "watched.yaml", "--seed", "1", "--record", "r.jsonl")
    return lambda *more, lines: run(*words, *more, stdin=lines)


def moves_made() -> list[str]:
    state = replay(Source("r.jsonl", Path("r.jsonl").read_text(encoding="utf-8"))).state
    return [f"{event.data['by']} {event.data['move']}" for event in state.events if event.kind == "move"]


@pytest.mark.whole
def test_silent_choice_is_offered_below_the_moves(play: Run) -> None:
    _, out, _ = play(*PEOPLE, lines="1\n1\n1\nquit\n")
    assert re.findall(r"^([AB])> ", out, re.MULTILINE) == ["A", "A", "B", "B"]
    assert "let it pass" not in out
    assert out.count("  !  “Stop!” (B)\n") == 2 and out.count("  !  “Stop!” (A)\n") == 1
    silent = [move for move in moves_made() if move.endswith("let-it-pass")]
    assert silent == ["B let-it-pass", "B let-it-pass", "A let-it-pass"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lang", "called", "right", "wrong", "back"),
    [
        ("en", "!", "a fault it was", "no such fault", "the last move is taken back"),
        ("en", "stop!", "a fault it was", "no such fault", "the last move is taken back"),
        ("fr", "halte !", "c'était une faute", "pas de faute", "le dernier coup est annulé"),
    ],
)
def test_call_goes_back_and_tells_if_it_was_right(
    lang: str, called: str, right: str, wrong: str, back: str, play: Run
) -> None:
    _, out, _ = play(*PEOPLE, "--lang", lang, lines=f"2\n{called}\n2\n2\n{called}\n3\nquit\n")
    first, _, second = out.partition("B> 2\n")[2].partition("B> 3\n")
    assert wrong in first and right not in first and back not in first
    assert second.index(right) < second.index(back) and wrong not in second
    assert moves_made() == ["A take-one", "B call greed", "A take-one", "B call thrift"]


def test_own_fault_is_shown_by_why_alone(play: Run) -> None:
    out = play(*PEOPLE, lines="why 1\nquit\n")[1]
    assert "two first" in out.partition("A> ")[2] and "✗" not in out
    out = play(*PEOPLE, "--record", "s.jsonl", lines="why 2\nquit\n")[1]
    listed, _, asked = out.partition("A> ")
    assert "two first" not in listed and "✗ two first" in asked


@pytest.mark.whole
def test_call_after_one_of_several_moves(play: Run) -> None:
    """Without an answer the last move is meant. Without such a move there is no such choice to make."""
    around = "2\n2\n"
    _, out, _ = play("--seats", "human,first", lines=f"{around}!\n1\n2\nquit\n")
    asked = out.partition("A> !\n")[2]
    assert re.findall(r"^ *(\d)  (B takes .*)$", asked.partition("After which move?")[0], re.MULTILINE) == [
        ("1", "B takes two"),
        ("2", "B takes two"),
    ]
    for answer, count in (("2", 2), ("", 2), ("1", 1)):
        play("--seats", "human,first", "--record", f"{count}{answer}.jsonl", lines=f"{around}!\n{answer}\n2\nquit\n")
        text = Path(f"{count}{answer}.jsonl").read_text(encoding="utf-8")
        before, _, _ = text.partition('{"move": "call greed", "by": "A"}')
        assert before.count('"take-two", "by": "B"') == count
    _, out, _ = play("--seats", "human,first", "--record", "n.jsonl", lines=f"{around}! 7\nquit\n")
    assert "there is no such choice to make" in out and "call" not in Path("n.jsonl").read_text(encoding="utf-8")


def test_nothing_can_be_called_before_the_first_move(play: Run) -> None:
    _, out, _ = play(*PEOPLE, lines="!\nquit\n")
    assert "there is no such choice to make" in out and "  !  " not in out


def test_undo_goes_back_over_a_silent_choice(play: Run) -> None:
    _, out, _ = play(*PEOPLE, lines="2\nundo\n1\n!\n2\nquit\n")
    assert moves_made() == ["A take-two", "B call greed"]
    assert "taken back" in out


@pytest.mark.whole
def test_muggins_is_called_by_the_seat_that_saw_it(run: Run) -> None:
    """Nobody is asked after each count whether something is missing from it."""
    words = ("--seed", "3", "--set", "counting=muggins", "--seats", "human,first")
    out = run("play", "cribbage", *words, stdin="1\n1\n1\n1\n!\nmuggins\nquit\n")[1]
    assert out.count("  !  “Muggins!”") == 1
    assert re.search(r"A> !\n(.*\n)*A> muggins\nA — “Muggins!”\nA \+4 muggins\n", out)


Play = Callable[..., str]


@pytest.fixture
def play_coins(run: Run) -> Play:
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
def test_lost_game_shows_the_count_that_the_rules_ask_for(won: str, end: str, play_coins: Play) -> None:
    assert f"The game is over. {end}\n" in play_coins("put\nend\n", won)


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
    lang: str, given_up: str, stuck: str, short: str, play_coins: Play
) -> None:
    assert f". {given_up}\n" in play_coins("put\nend\n", SHOWN, lang)
    no_way_out = {"given up.}": "given up.}\n    if: {early: box is empty}"}
    assert f". {stuck}\n" in play_coins("put\n" * 3, SHOWN, lang, **no_way_out)
    assert f"{short}\n" in play_coins("put\nend\n", lang=lang)


@pytest.mark.whole
def test_undo_after_the_end(play_coins: Play) -> None:
    """A script ends with its last line. A game that is won is not taken back."""
    out = play_coins("put\nend\nundo\nend\nu\nput\nput\n")
    assert out.count("It is lost, at 1 of 3.") == 2
    assert out.count("`undo` goes back, Enter leaves: ") == 2
    assert "The game is over. It is won.\n" in out
    assert play_coins("put\nend\n").endswith("It is lost, at 1 of 3.\nA: 1\n")
    assert play_coins("put\nend\nput\nundo\n").endswith("A: 1\n`undo` goes back, Enter leaves: put\n")
    assert play_coins("put\nput\nput\nundo\n").endswith("It is won.\nA: 3\n")
    assert "`undo` goes back" in play_coins("put\nend\nundo\n", won="")


@pytest.mark.whole
def test_terminal_asks_until_the_answer_is_clear(run: Run) -> None:
    write("kept is 3")
    with Sitting("coins.yaml", "--lang", "en") as sitting:
        for typed in ("end", "udno", "undo", "end", ""):
            sitting.until("A> |leaves: ")
            sitting.child.sendline(typed)
        sitting.end()
        assert "unfinished" not in sitting.written
