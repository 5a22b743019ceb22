"""Choices that people are not asked for: they are offered beside the next question."""

import re
from pathlib import Path

import pytest
from commands import Run, command_lines
from watched import watched_at

from hoyle.diagnostics import Source
from hoyle.game.records.records import replay

run = command_lines
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
