"""Choices that people are not asked for: they are offered beside the next question, and are moves like any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run, runner
from watched import watched_at

from interpreter import Game, load
from interpreter.diagnostics import Source
from interpreter.game.records import replay

PEOPLE = ("--seats", "human,human")
WORDS = {
    "en": ("“Stop!”", "a fault it was", "no such fault", "let it pass", "two first", "the last move is taken back"),
    "fr": (
        "« Halte ! »",
        "c'était une faute",
        "pas de faute",
        "laisser passer",
        "deux d'abord",
        "le dernier coup est annulé",
    ),
}
LANGUAGES = pytest.mark.parametrize("lang", WORDS)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    watched_at(tmp_path)
    call = runner(capsys, monkeypatch, tmp_path)

    def play(*words: str, lines: str) -> tuple[int, str, str]:
        code, out, err = call("play", "watched.yaml", "--seed", "1", "--record", "r.jsonl", *words, stdin=lines)
        return code, re.sub("[\u00a0\u202f]", " ", out), err

    return play


def moves_made() -> list[str]:
    state = replay(Source("r.jsonl", Path("r.jsonl").read_text(encoding="utf-8"))).state
    return [f"{event.data['by']} {event.data['move']}" for event in state.events if event.kind == "move"]


@LANGUAGES
def test_nobody_is_asked_who_does_not_ask(lang: str, run: Run) -> None:
    """Nor told that nothing was said; what might be said stands below the moves from the first time on, with whose it is."""
    stop, *_, silence, _, _ = WORDS[lang]
    _, out, _ = run(*PEOPLE, "--lang", lang, lines="1\n1\n1\nquit\n")
    assert re.findall(r"^([AB])> ", out, re.MULTILINE) == ["A", "A", "B", "B"]
    assert silence not in out
    assert out.count(f"  !  {stop} (B)\n") == 2 and out.count(f"  !  {stop} (A)\n") == 1
    silent = [move for move in moves_made() if move.endswith("let-it-pass")]
    assert silent == ["B let-it-pass", "B let-it-pass", "A let-it-pass"]


@LANGUAGES
@pytest.mark.parametrize("words", [False, True])
def test_who_asks_goes_back_and_is_told_whether_he_was_right(lang: str, words: bool, run: Run) -> None:
    stop, right, wrong, *_, back = WORDS[lang]
    called = stop.strip("“”«» ").lower() if words else "!"
    _, out, _ = run(*PEOPLE, "--lang", lang, lines=f"2\n{called}\n2\n2\n{called}\n3\nquit\n")
    first, _, second = out.partition("B> 2\n")[2].partition("B> 3\n")
    assert wrong in first and right not in first and back not in first
    assert second.index(right) < second.index(back) and wrong not in second
    assert moves_made() == ["A take-one", "B call greed", "A take-one", "B call thrift"]


@LANGUAGES
def test_ones_own_fault_is_told_only_to_who_asks(lang: str, run: Run) -> None:
    *_, rule, _ = WORDS[lang]
    _, out, _ = run(*PEOPLE, "--lang", lang, lines="why 1\nquit\n")
    assert rule in out.partition("A> ")[2] and "✗" not in out
    _, out, _ = run(*PEOPLE, "--lang", lang, "--record", "s.jsonl", lines="why 2\nquit\n")
    listed, _, asked = out.partition("A> ")
    assert rule not in listed and re.search(rf"✗ {rule}", asked)


def test_one_says_after_which_of_several_moves(run: Run) -> None:
    """Of a player that moved twice: the last one if nothing is said, and nothing if there is no such move."""
    around = "2\n2\n"
    _, out, _ = run("--seats", "human,first", lines=f"{around}!\n1\n2\nquit\n")
    asked = out.partition("A> !\n")[2]
    assert re.findall(r"^ *(\d)  (B takes .*)$", asked.partition("After which move?")[0], re.MULTILINE) == [
        ("1", "B takes two"),
        ("2", "B takes two"),
    ]
    for answer, count in (("2", 2), ("", 2), ("1", 1)):
        run("--seats", "human,first", "--record", f"{count}{answer}.jsonl", lines=f"{around}!\n{answer}\n2\nquit\n")
        text = Path(f"{count}{answer}.jsonl").read_text(encoding="utf-8")
        before, _, _ = text.partition('{"move": "call greed", "by": "A"}')
        assert before.count('"take-two", "by": "B"') == count
    _, out, _ = run("--seats", "human,first", "--record", "n.jsonl", lines=f"{around}! 7\nquit\n")
    assert "no move of that number" in out and "call" not in Path("n.jsonl").read_text(encoding="utf-8")


def test_there_is_nothing_to_ask_for_before_anything_was_done(run: Run) -> None:
    _, out, _ = run(*PEOPLE, lines="!\nquit\n")
    assert "nothing is called" in out and "  !  " not in out


def test_who_could_not_ask_any_more_is_asked(run: Run) -> None:
    """Nothing comes after the last move."""
    _, out, _ = run(*PEOPLE, lines="1\n" * 6 + "1\nquit\n")
    assert re.findall(r"^([AB])> ", out, re.MULTILINE) == [*"AABBAA", "B"]
    assert "The game is over." in out


def test_undo_goes_back_over_what_nobody_was_asked(run: Run) -> None:
    _, out, _ = run(*PEOPLE, lines="2\nundo\n1\n!\n2\nquit\n")
    assert moves_made() == ["A take-two", "B call greed"]
    assert "taken back" in out


def test_what_somebody_left_out_is_asked_for_by_who_saw_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody is asked after each count whether something is missing from it."""
    play, words = runner(capsys, monkeypatch, tmp_path), ("--set", "counting=muggins", "--seats", "human,first")
    out = play("play", "cribbage", "--seed", "3", *words, stdin="1\n1\n1\n1\n!\nmuggins\nquit\n")[1]
    assert out.count("  !  “Muggins!”") == 1
    assert re.search(r"A> !\n(.*\n)*A> muggins\nA — “Muggins!”\nA \+4 muggins\n", out)


@pytest.mark.parametrize(
    ("name", "options"), [("cribbage", {"counting": "muggins"}), ("crapette", {}), ("russian-bank", {})]
)
def test_what_is_made_for_who_was_not_asked_announces_nothing(name: str, options: dict[str, str]) -> None:
    """The move itself is not told; nor is anything said in the name of somebody who said nothing."""
    game = load(name, options)
    points = [point for point in game.compiled.machine.points.values() if point.unasked is not None]
    assert points
    assert [move.name for point in points for move in point.moves if move.number == point.unasked and move.then] == []


def test_what_is_not_asked_is_told_to_programs(tmp_path: Path) -> None:
    """The move that people make without a question; where they are asked there is none."""
    game: Game = load(watched_at(tmp_path))
    start = game.start(1)
    assert start.unasked is None
    watch = start.play("take-one")
    assert watch.unasked is not None and watch.unasked.id == "let-it-pass"
    assert {move.id for move in watch.moves()} == {"let-it-pass", "call greed", "call thrift"}
    over = start
    while not over.is_over:
        over = over.play(over.moves()[0])
    assert over.unasked is None
