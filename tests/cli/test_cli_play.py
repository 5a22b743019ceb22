"""`play` from a script: prompts, undo, hints, saving, several people at one keyboard. `cases/sequences.yaml` has more."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run, Said, command_lines
from rules import read_cases
from tiers import some_now

from hoyle import load
from hoyle.presentation import hints
from hoyle.printable import width

run = command_lines

Play = Callable[..., Said]
PROMPT = re.compile(r"^[AB]> ", re.MULTILINE)
THREE, DRAW = "0", "1"
"""Seeds of the starter game: A can play one of three cards, or can only draw."""


@pytest.fixture
def play(run: Run) -> Play:
    """Play the starter game from typed lines, against a bot that makes the first legal move."""

    def call(typed: str, *words: str, seats: str = "human,first", seed: str = THREE) -> Said:
        begun = () if "--resume" in words else ("--seats", seats, "--seed", seed)
        return run("play", "game.yaml", *begun, *words, stdin=typed)

    return call


def answers(out: str) -> list[str]:
    """Return the answer to each typed line, on one line."""
    return [" ".join(part.split()) for part in PROMPT.split(out)[1:]]


def events_of(out: str) -> list[str]:
    """The moves that were made, without those that were offered."""
    return re.findall(r"(?m)^(?:.*A> )?(A (?:plays|draws|passes|joue|pioche|passe)\b.*|A — .*)$", out)


TYPED = read_cases("cli/answers")


@pytest.mark.whole
@pytest.mark.parametrize("lang", TYPED)
def test_typed_lines_are_answered(lang: str, play: Play) -> None:
    out = play("".join(f"{line}\n" for line, _ in TYPED[lang]), "--lang", lang)[1]
    for (line, said), answer in zip(TYPED[lang], answers(out), strict=False):
        assert answer.startswith(line) and said in answer
        assert lang == "en" or "draw-a-card" not in answer.removeprefix(line).lower()


@pytest.mark.whole
@pytest.mark.parametrize("lang", some_now(["en", "fr"], 1))
def test_a_single_letter_never_makes_a_move(lang: str, play: Play) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    typed = [f"{letter} 0" if letter in "hc" else letter for letter in letters]
    out = play("".join(f"{line}\n" for line in typed if line != "q"), "--lang", lang)[1]
    assert events_of(out) == []
    assert out.count("\nA> ") == len(letters)


def test_the_seed_is_told_when_it_is_not_given(run: Run) -> None:
    words = ("play", "game.yaml", "--seats", "human,first")
    _, out, err = run(*words, stdin="quit\n")
    seed = re.search(r"seed (\d+)", err)
    assert seed is not None
    assert run(*words, "--seed", seed[1], stdin="quit\n")[1] == out


@pytest.mark.whole
def test_undo_restores_the_table_and_the_chance_of_bots(play: Play) -> None:
    straight = play("1\n1\nquit\n", seats="human,random")[1].split("Game\n")
    around = play("2\nundo\n1\n1\nquit\n", seats="human,random")[1].split("Game\n")
    first, *_ = (part.partition("\n\n")[0] for part in around[1:])
    assert first in [part.partition("\n\n")[0] for part in around[2:]]
    assert straight[-1] == around[-1]


@pytest.mark.whole
@pytest.mark.parametrize("asked", ["hint", "hint 0.05 s", "conseil 0,05"])
def test_hint_names_moves_as_listed(asked: str, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most three moves, each with its estimate; rarely tried ones are left out."""
    monkeypatch.setattr(hints, "SECONDS", 0.05)
    _, out, err = play(f"{asked}\n", "--lang", "en" if "hint" in asked else "fr")
    listed, _, hinted = out.partition(f"A> {asked}\n")
    numbered = re.findall(r"^(\d+)  (.*?) ?: ", hinted, re.MULTILINE)
    assert 1 <= len(numbered) == hinted.count("(±") <= 3
    for number, move in numbered:
        assert re.search(rf"^ *{number}  {re.escape(move)}( |$)", listed, re.MULTILINE)
    assert re.search(r"[0-9]+ (games|parties)", " ".join(hinted.split())) and err
    assert "conseil" in asked or "from what you can see" in answers(out)[0]


def test_a_saved_game_goes_on_as_if_it_had_not_stopped(play: Play) -> None:
    straight = play("1\n1\n1\nquit\n", seats="human,random")[1]
    assert "saved to game.jsonl" in play("1\nsave\nsave\nsave game.jsonl\nquit\n", seats="human,random")[1]
    assert sorted(path.name for path in Path().glob("*.jsonl")) == ["game-2.jsonl", "game.jsonl"]
    code, out, err = play("1\n1\nquit\n", "--resume", "game.jsonl")
    assert code == 0 and "continuing after 2 moves" in err
    assert out.lstrip("\n").startswith("Game\n"), "earlier events are not told again"
    assert events_of(out)
    assert out.split("Game\n")[-1] == straight.split("Game\n")[-1]


@pytest.mark.whole
def test_a_whole_game_is_recorded_and_replayed(play: Play, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = play("1\n" * 600, "--record", "r.jsonl", "--engine", "python", seats="human,search:5", seed="1")
    assert (code, err) == (0, "")
    assert "The game is over." in out and "(only move)" in out
    assert max(map(width, out.splitlines())) <= 80
    head = json.loads(Path("r.jsonl").read_text().splitlines()[0])
    assert (head["seats"], head["seed"]) == ({"A": "human", "B": "search:5"}, 1)
    for locale, ascii_only in (("C.UTF-8", False), ("C", True)):
        monkeypatch.setenv("LC_ALL", locale)
        code, out, _ = run("replay", "r.jsonl", "--lang", "fr")
        assert code == 0 and out.isascii() is ascii_only
    assert "all as recorded" in run("replay", "r.jsonl", "--lang", "en")[1]


@pytest.mark.slow
def test_replay_shows_all_hands_once_the_game_is_over(play: Play, run: Run) -> None:
    """An unfinished or damaged record hides from an onlooker what a finished one shows at the same move."""
    play("1\n" * 600, "--record", "r.jsonl", seed="1")
    whole = Path("r.jsonl").read_text()
    game = load("game.yaml")
    hands = [pile for seat in "AB" for pile in game.start(1).view(seat).piles if pile.owner == seat]
    faces = {face.sign: face.text for face in game.pieces("en")}
    held = {faces[piece.sign] for pile in hands for piece in pile.pieces if piece.sign}

    def table(text: str) -> str:
        Path("r.jsonl").write_text(text)
        code, out, _ = run("replay", "r.jsonl", "--to", "0")
        assert code == 0
        return out.partition("Game\n")[2]

    assert all(face in table(whole) for face in held)
    part, damaged = whole.rstrip().rpartition("\n")[0] + "\n", whole.rstrip()[:-1]
    for text in (part, damaged, whole + "[" * 100_000):
        assert not any(face in table(text).partition("pack")[0] for face in held)


@pytest.mark.whole
def test_bots_alone_play_the_game_of_a_series(play: Play) -> None:
    """With --watch the table is drawn once after each move."""
    (plain_code, plain, _), (code, out, _) = (play("", *more, seats="random,random") for more in ((), ("--watch",)))
    assert plain_code == code == 0
    end = load("game.yaml").playout(seed=0)
    tables = [part.partition("\n\n")[0] for part in out.split("\nGame\n")[1:]]
    assert len(tables) == sum(event.kind == "move" for event in end.events) > plain.count("\nGame\n")
    assert tables[-1] not in tables[-2]
    assert plain.splitlines()[-2:] == out.splitlines()[-2:]
    assert "   ".join(f"{seat}: {score}" for seat, score in end.scores.items()) in plain


@pytest.mark.whole
def test_two_people_at_one_keyboard_do_not_see_each_other(play: Play) -> None:
    """Each is asked behind a curtain, even for the only move, because another must not know that it is the only one."""
    _, out, _ = play("1\n" * 600, seats="human,human", seed="1")
    assert out.startswith("A is next. Press Enter when nobody else is looking.")
    assert "Press Enter" not in play("quit\n")[1], "a person alone has nothing to hide"
    for part in out.split("Press Enter")[1:]:
        table = part.partition("> ")[0]
        if re.search(r"▶ [AB] \(you\)", table):  # but at the end of the game, which an onlooker sees
            other = table.split("▶")[0].split("──\n")[1]
            assert not re.search(r"[A2-9TJQK][♠♥♦♣]", other.partition("────")[0])
    assert "(only move)" not in out
    begun, _, rest = out.partition("Your only move: Enter makes it.")
    assert rest
    typed = "1\n" * len(PROMPT.findall(begun)) + "\n" + "1\n" * 600
    entered = play(typed, seats="human,human", seed="1")[1]
    assert entered.split("Press Enter")[-1] == out.split("Press Enter")[-1]


def test_full_width_digits_are_digits(run: Run) -> None:
    wide, plain = (run("play", "klondike", "--seed", "1", "--plain", stdin=f"{one}\nquit\n") for one in "１1")
    assert wide[1].replace("１", "1") == plain[1]
