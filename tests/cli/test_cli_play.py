"""`play`: prompts, undo, hints, saving, several people, secrets, terminals."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sights import seen_in
from spaces import spaced
from starter import in_french
from tiers import some_now

from interpreter.cli.main import main
from interpreter.cli.shell import EXAMPLES, example_game
from interpreter.game.game import load
from interpreter.printable import width

pytestmark = pytest.mark.whole

Run = Callable[..., tuple[int, str, str]]
PROMPT = re.compile(r"^([AB])> ", re.MULTILINE)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Plays the starter game from a script."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert main(["new", "game"]) == 0
    in_french(tmp_path)
    capsys.readouterr()

    def call(*words: str, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        code = main(["play", "game.yaml", *words])
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    return call


@cache
def first_moves(seed: int) -> list[str]:
    return [move.id for move in load("game.yaml").start(seed).moves()]


def told(out: str) -> list[str]:
    """The moves that are told, not those that are offered."""
    return re.findall(r"(?m)^(?:.*A> )?(A (?:plays|draws|passes|joue|pioche|passe)\b.*|A — .*)$", out)


@cache
def seed_with_a_choice() -> int:
    return next(seed for seed in range(100) if len(first_moves(seed)) > 2)


def test_a_whole_game_by_number(run: Run) -> None:
    code, out, err = run("--seed", "1", lines="1\n" * 600)
    assert (code, err) == (0, "")
    assert "The game is over." in out
    assert "(only move)" in out
    assert max(width(line) for line in out.splitlines()) <= 80


def test_the_seed_is_told_when_it_is_not_given(run: Run) -> None:
    _, out, err = run(lines="quit\n")
    seed = re.search(r"seed (\d+)", err)
    assert seed is not None
    assert run("--seed", seed[1], lines="quit\n")[1] == out


def test_whose_moves_are_not_the_same_again_is_said(run: Run) -> None:
    said = "do not make the same moves again"
    assert said in run("--seats", "human,search:0.001s", "--engine", "python", lines="quit\n")[2]
    assert said not in run("--seats", "human,search:1", "--engine", "python", lines="quit\n")[2]


def test_moves_by_id_and_by_beginning(run: Run) -> None:
    seed = seed_with_a_choice()
    move = first_moves(seed)[1]
    _, out, _ = run("--seed", str(seed), lines=f"play-a\n{move.lower()}\n")
    assert "`play-a` fits several moves" in out
    assert f"A plays a card {move.split()[1][0]}" in out


def test_what_is_no_move(run: Run) -> None:
    seed = str(seed_with_a_choice())
    _, out, _ = run("--seed", seed, lines="fly\n99\n0\nwhy\nwhy 99\n\ndraw-a-card\nlits\n")
    assert "`fly` is neither a move nor a command" in out
    assert "there is no move 99" in out
    assert "there is no move 0" in out
    assert "give a move too" in out
    assert "draw-a-card: not legal. Nobody draws who can play. [§2]" in out
    assert "did you mean `list`?" in " ".join(out.split())


def test_a_move_is_told_in_the_words_of_the_language(run: Run) -> None:
    """Ids are English; whoever plays in another language is never answered with one."""
    seed = str(seed_with_a_choice())
    _, out, _ = run("--seed", seed, "--lang", "fr", lines="Draw-a-card\npiocher une crate\nj\nquit\n")
    said = " ".join(line for line in out.splitlines() if "  play-a-card" not in line).replace("A> Draw-a-card", "")
    assert "piocher" in said
    assert "draw-a-card" not in said
    assert "play-a-card" not in said


def test_help_table_and_list_in_either_language(run: Run) -> None:
    seed = str(seed_with_a_choice())
    _, out, _ = run("--seed", seed, "--lang", "fr", lines="?\naide\nlist\ntable\npourquoi 1\n")
    assert out.count("quitte la partie") == 2
    assert out.count("▶ A (vous)") == 2
    assert "permis. Une carte doit avoir" in out
    assert "jouer une carte" in out


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_mistyped_letter_plays_nothing(lang: str, run: Run) -> None:
    """Whatever words moves begin with: a letter is a command that does no harm, or nothing."""
    seed, letters = str(seed_with_a_choice()), "abcdefghijklmnopqrstuvwxyz"
    typed = [f"{letter} 0" if letter in "hc" else letter for letter in letters]
    _, out, _ = run("--seed", seed, "--lang", lang, lines="".join(f"{one}\n" for one in typed if one != "q"))
    assert told(out) == []
    assert out.count("\nA> ") == len(letters)


@pytest.mark.parametrize(
    ("lang", "letter", "begun", "said"),
    [("en", "d", "dr", "`d` alone plays nothing: write"), ("fr", "D", "pi", "`D` seul ne joue rien : écrivez")],
)
def test_the_move_that_a_letter_begins_is_told(lang: str, letter: str, begun: str, said: str, run: Run) -> None:
    """Of two people who keep secrets each is asked, also with one move only; two letters play it."""
    seed = next(seed for seed in range(100) if first_moves(seed) == ["draw-a-card"])
    words = ("--seats", "human,human", "--seed", str(seed), "--lang", lang)
    _, out, _ = run(*words, lines=f"{letter}\n{begun}\n")
    assert said in re.split("A (?:draws|pioche) ", out)[0]
    assert told(out)


def test_letters_are_commands_that_do_no_harm(run: Run) -> None:
    seed = str(seed_with_a_choice())
    _, out, _ = run("--seed", seed, lines="w 1\n1\nu\nh 0\nq\nquit\n1\n")
    assert ": legal." in out
    assert "taken back; `" in out and "` makes it again" in out
    assert "is no time" in out, "h is the letter of hearts too, but no move begins with `h 0`"
    assert out.endswith("A> quit\nThe game was left unfinished.\n")


def test_undo_goes_back_to_the_last_choice(run: Run) -> None:
    seed = str(seed_with_a_choice())
    _, out, _ = run("--seed", seed, lines="undo\n1\nundo\n")
    assert "there is nothing of yours to take back" in out
    tables = out.split("Game\n")
    assert tables[1].partition("\n\n")[0] == tables[-1].partition("\n\n")[0]


def test_after_undo_bots_play_as_they_would_have(run: Run) -> None:
    seed = str(seed_with_a_choice())
    straight = run("--seed", seed, lines="1\n1\nquit\n")[1]
    around = run("--seed", seed, lines="2\nundo\n1\n1\nquit\n")[1]
    assert straight.split("Game\n")[-1] == around.split("Game\n")[-1]


@pytest.mark.parametrize(("asked", "said"), some_now([("conseil", " fois sur 100 ("), ("hint", "wins about")], 1))
def test_hint(asked: str, said: str, run: Run) -> None:
    """The best moves, what each comes to, and after how many games."""
    lang = "en" if asked == "hint" else "fr"
    _, out, err = run("--seed", str(seed_with_a_choice()), "--lang", lang, lines=f"{asked}\n")
    assert 1 <= out.count(said) <= 3  # what was hardly tried in the time there was is not named
    listed, _, hinted = out.partition(f"A> {asked}\n")
    for number, move in re.findall(r"^(\d+)  (.*?) ?: ", hinted, re.MULTILINE):
        assert re.search(rf"^ *{number}  {re.escape(move)}( |$)", listed, re.MULTILINE)
    assert len(re.findall(r"^\d+  ", hinted, re.MULTILINE)) == out.count(said)
    assert re.search(r"[0-9]+ (games|parties)", out)
    assert err


def test_saving_and_going_on(run: Run) -> None:
    seed = str(seed_with_a_choice())
    straight = run("--seed", seed, lines="1\n1\n1\nquit\n")[1]
    assert "saved to game.jsonl" in run("--seed", seed, lines="1\nsave\nsave\nsave game.jsonl\nquit\n")[1]
    assert sorted(path.name for path in Path().glob("*.jsonl")) == ["game-2.jsonl", "game.jsonl"]
    code, out, err = run("--resume", "game.jsonl", lines="1\n1\nquit\n")
    assert code == 0
    assert "going on after 2 moves" in err
    assert out.split("Game\n")[-1] == straight.split("Game\n")[-1]


def test_going_on_begins_with_the_table_and_not_with_what_happened(run: Run) -> None:
    run("--seed", str(seed_with_a_choice()), lines="1\nsave\nquit\n")
    out = run("--resume", "game.jsonl", lines="1\nquit\n")[1]
    assert out.lstrip("\n").startswith("Game\n")
    assert told(out), "what happens from then on is told"


def test_going_on_is_in_the_language_of_before_unless_asked_otherwise(run: Run) -> None:
    run("--seed", str(seed_with_a_choice()), "--lang", "fr", lines="1\nsauver\nquitter\n")
    assert json.loads(Path("game.jsonl").read_text().splitlines()[0])["lang"] == "fr"
    _, out, err = run("--resume", "game.jsonl", lines="quitter\n")
    assert ("la partie reprend après 2 coups" in err, "La partie reste inachevée." in out) == (True, True)
    _, out, err = run("--resume", "game.jsonl", "--lang", "en", lines="quit\n")
    assert ("going on after 2 moves" in err, "The game was left unfinished." in out) == (True, True)


@pytest.mark.parametrize("known", [None, "xx", "", "../en"])
def test_a_record_without_a_language_is_shown_in_that_of_the_terminal(known: str | None, run: Run) -> None:
    run("--seed", str(seed_with_a_choice()), lines="1\nsave\nquit\n")
    head, rest = Path("game.jsonl").read_text().split("\n", 1)
    Path("game.jsonl").write_text(json.dumps({**json.loads(head), "lang": known}) + "\n" + rest)
    assert "going on after 2 moves" in run("--resume", "game.jsonl", lines="quit\n")[2]


def test_a_record_is_verified_by_replay(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--seed", "1", "--record", "r.jsonl", lines="1\n" * 600)[0] == 0
    assert main(["replay", "r.jsonl"]) == 0
    assert "all as recorded" in capsys.readouterr().out
    head = json.loads(Path("r.jsonl").read_text().splitlines()[0])
    assert head["seats"] == {"A": "human", "B": "search"}
    assert head["seed"] == 1


@pytest.mark.slow
def test_replay_shows_all_hands_once_the_game_is_over(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """What an unfinished record hides from an onlooker, a finished one shows at the same move."""
    run("--seed", "1", "--record", "r.jsonl", lines="1\n" * 600)
    whole = Path("r.jsonl").read_text()
    hands = [pile for seat in "AB" for pile in load("game.yaml").start(1).view(seat).piles if pile.owner == seat]
    signs = {piece.sign for pile in hands for piece in pile.pieces}

    def table(text: str) -> str:
        Path("r.jsonl").write_text(text)
        assert main(["replay", "r.jsonl", "--to", "0"]) == 0
        return capsys.readouterr().out.partition("Game\n")[2]

    capsys.readouterr()
    faces = {face.sign: face.text for face in load("game.yaml").pieces("en")}
    assert all(faces[sign] in table(whole) for sign in signs if sign)
    part, damaged = whole.rstrip().rpartition("\n")[0] + "\n", whole.rstrip()[:-1]
    for text in (part, damaged, whole + "[" * 100_000):
        assert not any(faces[sign] in table(text).partition("pack")[0] for sign in signs if sign)


@pytest.mark.slow
def test_replay_shows_the_points_of_sides(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Sides score, and hold no hand that could be shown."""
    sided = example_game(EXAMPLES["several"])
    seats = ",".join("random" for _ in load(sided).seats)
    assert main(["play", sided, "--seats", seats, "--seed", "1", "--record", "r.jsonl"]) == 0
    capsys.readouterr()
    assert main(["replay", "r.jsonl"]) == 0
    assert "all as recorded" in capsys.readouterr().out


def test_a_record_is_there_after_every_move_and_never_overwritten(run: Run) -> None:
    seed = str(seed_with_a_choice())
    run("--seed", seed, "--record", "r.jsonl", lines="1\n")
    before = Path("r.jsonl").read_text()
    assert '"move"' in before
    code, out, err = run("--seed", "2", "--record", "r.jsonl", lines="1\n")
    assert (code, out) == (2, "")
    assert "`r.jsonl` exists already" in err
    assert Path("r.jsonl").read_text() == before
    assert run("--resume", "r.jsonl", "--record", "r.jsonl", lines="1\nquit\n")[0] == 0
    assert len(Path("r.jsonl").read_text()) >= len(before)


def test_a_record_that_cannot_be_written_is_told_at_once(run: Run) -> None:
    code, out, err = run("--record", "no/such/folder.jsonl", lines="1\n")
    assert (code, out) == (1, "")
    assert "could not be written" in err


def test_resuming_another_game(run: Run) -> None:
    run("--seed", "1", lines="save\nquit\n")
    Path("game.yaml").write_text(
        Path("game.yaml").read_text().replace("card.rank is top(heap).rank", "card.suit is spades")
    )
    code, _, err = run("--resume", "game.jsonl", lines="1\n")
    assert code == 1
    assert "other rules" in err
    assert "d'autres règles" in run("--resume", "game.jsonl", "--lang", "fr", lines="1\n")[2]


def test_bots_alone(run: Run) -> None:
    plain = run("--seats", "random,random", "--seed", "5")
    watched = run("--seats", "random,random", "--seed", "5", "--watch")
    assert plain[0] == watched[0] == 0
    assert plain[1].count("───\n") < watched[1].count("───\n")
    assert plain[1].splitlines()[-2:] == watched[1].splitlines()[-2:]


def test_watched_bots_leave_one_table_for_each_move_and_none_twice(run: Run) -> None:
    _, out, _ = run("--seats", "random,random", "--seed", "5", "--watch")
    moves = sum(event.kind == "move" for event in load("game.yaml").playout(seed=5).events)
    tables = out.split("\nGame\n")[1:]
    assert len(tables) == moves
    ended = tables[-1].partition("\n\n")[0]
    assert ended not in tables[-2]


def test_watched_bots_play_the_game_that_a_series_counts(run: Run) -> None:
    _, out, _ = run("--seats", "random,random", "--seed", "5")
    scores = load("game.yaml").playout(seed=5).scores
    assert "   ".join(f"{seat}: {score}" for seat, score in scores.items()) in out


def test_wrong_seats(run: Run) -> None:
    for seats, message in (("robot", "`robot` is not a kind of player"), ("human,human,human", "3 seats are named")):
        code, _, err = run("--seats", seats)
        assert code == 2
        assert message in err


def test_no_hidden_card_is_ever_shown(run: Run) -> None:
    """Every card shown to A lies open, was played, or is in A's hand."""
    game = load("game.yaml")
    seed = seed_with_a_choice()
    theirs = {piece.sign for pile in game.start(seed).view("B").piles if pile.owner == "B" for piece in pile.pieces}
    _, out, _ = run("--seed", str(seed), "--ascii", lines="table\nlist\nwhy 1\nwhy play-a-card 2S\nquit\n")
    shown = set(re.findall(r"\b[A2-9TJQK][SHDC]\b", out))
    mine = {piece.sign for pile in game.start(seed).view("A").piles for piece in pile.pieces}
    assert shown & {sign for sign in theirs if sign} <= {sign for sign in mine if sign} | {"2S"}


def test_two_people_at_one_keyboard_do_not_see_each_other(run: Run) -> None:
    _, out, _ = run("--seats", "human,human", "--seed", "1", lines="1\n" * 600)
    assert "Press Enter when nobody else is looking" in out
    for part in out.split("Press Enter")[1:]:
        table = part.partition("> ")[0]
        owner = re.search(r"▶ ([AB]) \(you\)", table)
        if owner is None:
            continue  # the end of the game, seen by an onlooker
        other = table.split("▶")[0].split("──\n")[1]
        assert not re.search(r"[A2-9TJQK][♠♥♦♣]", other.partition("────")[0])


def test_the_first_hand_is_behind_a_curtain_too(run: Run) -> None:
    """Where nobody has anything to hide there is none."""
    _, out, _ = run("--seats", "human,human", "--seed", "1", lines="quit\n")
    assert out.startswith("A is next. Press Enter when nobody else is looking.")
    assert "Press Enter" not in run("--seed", "1", lines="quit\n")[1]


@pytest.mark.parametrize(
    ("lang", "word", "said", "undone"),
    [
        ("en", "undo", "nothing is taken back: A chose last", "taken back\n"),
        ("fr", "reprendre", "rien n'est annulé : A a choisi en dernier", "retour à votre dernier choix\n"),
    ],
)
def test_nobody_takes_back_what_another_chose(lang: str, word: str, said: str, undone: str, run: Run) -> None:
    seats = ("--seats", "human,human", "--seed", str(seed_with_a_choice()), "--lang", lang)
    _, out, _ = run(*seats, lines=f"1\n{word}\n1\nquit\n")
    assert [*re.findall(r"^[AB]> ", out, re.MULTILINE)] == ["A> ", "B> ", "B> ", "A> "]
    assert said in " ".join(out.split())
    assert f"> {word}\n{undone}" not in out


def test_who_has_only_one_move_is_asked_where_others_must_not_know(run: Run) -> None:
    _, out, _ = run("--seats", "human,human", "--seed", "1", lines="1\n" * 600)
    assert "(only move)" not in out
    begun, _, rest = out.partition("Your only move: Enter makes it.")
    assert rest
    typed = ["1"] * len(PROMPT.findall(begun))
    _, entered, _ = run("--seats", "human,human", "--seed", "1", lines="\n".join([*typed, "", *["1"] * 600]) + "\n")
    assert entered.split("Press Enter")[-1] == out.split("Press Enter")[-1]


def test_why_tells_only_values_that_are_the_same_whatever_is_hidden(run: Run) -> None:
    piles = {"heap": "7H", "hand of A": "8C", "hand of B": "?*5", "pack": "?*30"}
    state = load("game.yaml").position({"at": "turn", "to_act": "A", "piles": piles}, seed=2)
    why = state.why("play-a-card 8C", "A")
    assert not why.legal
    known = {part[1:] for reason in why.reasons for part in reason.parts}
    assert ("card.suit", "clubs") in known
    theirs = {piece.sign for pile in state.view("B").piles if pile.owner == "B" for piece in pile.pieces}
    assert not theirs & {value for _, value in known}


def test_states_that_look_the_same_do(run: Run) -> None:
    from interpreter import State
    from interpreter.game.worlds import worlds
    from interpreter.running.chance import Chance

    state = load("game.yaml").start(seed_with_a_choice())
    seen = state.view("A")
    tries = worlds(state.game.compiled, seen_in(state, 0), Chance.stream(1), 20)
    found = [State(state.game, world) for world in tries]
    assert len(found) == 20
    assert all(world.view("A").piles == seen.piles for world in found)
    assert len({tuple(map(tuple, world.core.piles)) for world in found}) > 10


# A real terminal

pexpect = pytest.importorskip("pexpect")


def terminal(*words: str, rows: int = 40, **environment: str) -> Any:
    root = str(Path(__file__).resolve().parents[2])
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": root, **environment}
    env = {name: value for name, value in env.items() if value or name != "NO_COLOR"}
    command = ["-m", "interpreter", "play", "game.yaml", *words]
    return pexpect.spawn(sys.executable, command, env=env, dimensions=(rows, 80), encoding="utf-8", timeout=60)


def test_colours_on_a_terminal_and_not_with_no_color(run: Run) -> None:
    seed = str(seed_with_a_choice())
    for no_color, coloured in (("", True), ("1", False)):
        child = terminal("--seed", seed, NO_COLOR=no_color)
        child.expect("A> ")
        assert ("\x1b[31m" in child.before) is coloured
        child.sendeof()
        child.expect(pexpect.EOF)


def test_ascii_where_the_terminal_has_nothing_else(run: Run) -> None:
    child = terminal(
        "--seed", str(seed_with_a_choice()), "--lang", "fr", LC_ALL="C", PYTHONIOENCODING="ascii", NO_COLOR="1"
    )
    child.expect("A> ")
    assert re.sub(r"\x1b\[\?\d+[hl]", "", child.before).isascii()
    child.sendline("q")
    child.close(force=True)


@pytest.mark.parametrize(("words", "locale"), [(("--ascii",), "C.UTF-8"), ((), "C"), ((), "POSIX")])
def test_nothing_outside_ascii_where_that_is_asked_for(
    words: tuple[str, ...], locale: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the stream could take it: sentences, moves, help, reasons, and notes."""
    seed, asked = str(seed_with_a_choice()), "?\nlist\npourquoi 1\nconseil 0,1\nenregistrer\nxyz\nquitter\n"
    assert not run("--seed", seed, "--lang", "fr", lines=asked)[1].isascii()
    monkeypatch.setenv("LC_ALL", locale)
    _, out, err = run("--seed", seed, "--lang", "fr", *words, "--seats", "human,human", lines="\n" + asked)
    assert "Entree" in out
    assert (out + err).isascii()


def test_a_record_is_replayed_in_ascii_where_the_locale_is_bare(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--seed", "1", "--record", "r.jsonl", lines="1\n" * 600)
    for locale, bare in (("C.UTF-8", False), ("C", True)):
        monkeypatch.setenv("LC_ALL", locale)
        assert main(["replay", "r.jsonl", "--lang", "fr"]) == 0
        assert capsys.readouterr().out.isascii() is bare


def test_ctrl_c_offers_to_save(run: Run) -> None:
    child = terminal("--seed", str(seed_with_a_choice()))
    child.expect("A> ")
    child.sendintr()
    child.expect("Save the game")
    child.sendline("c")
    child.expect("A> ")
    child.sendintr()
    child.expect("Save the game")
    child.sendline("y")
    child.expect("saved to game.jsonl")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert main(["replay", "game.jsonl"]) == 0


@pytest.mark.parametrize("leaving", ["quit", "exit", "\x04"])
def test_who_leaves_is_asked_what_would_be_lost(leaving: str, run: Run) -> None:
    """As at Ctrl-C; not before anything was chosen, nor once it is saved."""
    child = terminal("--seed", str(seed_with_a_choice()))
    leave = child.sendeof if leaving == "\x04" else lambda: child.sendline(leaving)
    child.expect("A> ")
    child.sendline("1")
    child.expect("A> ")
    leave()
    child.expect("Save the game")
    child.sendline("c")
    child.expect("A> ")
    child.sendline("save")
    child.expect("saved to game.jsonl")
    child.expect("A> ")
    leave()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert "Save the game" not in child.before
    assert '"move"' in Path("game.jsonl").read_text()


@pytest.mark.parametrize("words", [(), ("--record", "r.jsonl")])
def test_who_leaves_is_not_asked_where_nothing_would_be_lost(words: tuple[str, ...], run: Run) -> None:
    child = terminal("--seed", str(seed_with_a_choice()), *words)
    child.expect("A> ")
    if words:
        child.sendline("1")
        child.expect("A> ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    assert "Save the game" not in child.before


def test_the_end_of_a_pipe_is_the_end(run: Run) -> None:
    seed = str(seed_with_a_choice())
    for last in ("", "quit\n1\n"):
        out = run("--seed", seed, lines=f"1\n{last}")[1]
        assert "Save the game" not in out
        assert out.endswith("The game was left unfinished.\n")


@pytest.mark.parametrize(("asked", "said"), some_now([("hint 60", "No hint."), ("conseil 60", "Pas de conseil.")], 1))
def test_ctrl_c_ends_a_hint_and_nothing_else(asked: str, said: str, run: Run) -> None:
    """It is searched for a minute, or until then."""
    child = terminal("--seed", str(seed_with_a_choice()), "--lang", "en" if asked == "hint 60" else "fr")
    child.expect("A> ")
    child.sendline(asked)
    child.expect("…")
    child.sendintr()
    child.expect(re.escape(said))
    child.expect("A> ")
    assert "[Y/n/c]" not in child.before and "[O/n/c]" not in child.before
    child.sendline("1")
    child.expect("A (plays|draws|joue|pioche) ")
    child.close(force=True)


def test_tab_completes_a_move(run: Run) -> None:
    child = terminal("--seed", str(seed_with_a_choice()))
    child.expect("A> ")
    child.send("play-a\t")
    child.expect("play-a\x07?-card ")
    child.close(force=True)


def test_the_screen_is_cleared_between_two_people(run: Run) -> None:
    child = terminal("--seats", "human,human", "--seed", str(seed_with_a_choice()))
    child.expect("A is next. Press Enter when nobody else is looking")
    assert "\x1b[2J" not in child.before, "what stood there before the game is nobody's secret"
    child.sendline("")
    child.expect("A> ")
    child.sendline("1")
    child.expect("nobody else is looking")
    assert "\x1b[2J\x1b[3J" in child.before
    child.close(force=True)


def test_ctrl_c_while_bots_play_leaves_no_half_file(run: Run) -> None:
    command = [sys.executable, "-m", "interpreter", "play", "game.yaml", "--seats", "random,random", "--watch"]
    root = str(Path(__file__).resolve().parents[2])
    child = subprocess.Popen(
        [*command, "--pause", "0.2", "--record", "r.jsonl"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 0
    assert not list(Path().glob("*.tmp")) + list(Path().glob(".*.tmp"))
    text = Path("r.jsonl").read_text()
    assert '"move"' in text
    assert all(json.loads(line) for line in text.splitlines())


@pytest.mark.parametrize("number", some_now([signal.SIGTERM, signal.SIGHUP], 1))
def test_a_game_that_is_asked_to_end_is_recorded_first(run: Run, number: int) -> None:
    child = terminal("--seed", str(seed_with_a_choice()), "--record", "r.jsonl")
    child.expect("A> ")
    child.sendline("1")
    child.expect("A> ")
    child.kill(number)
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 128 + number
    assert '"move"' in Path("r.jsonl").read_text()
    assert main(["replay", "r.jsonl"]) == 0
    assert not list(Path().glob(".*.tmp"))


@pytest.mark.parametrize("time", ["0.2s", "0,2", "0.1 s"])
def test_a_hint_after_some_time(time: str, run: Run) -> None:
    """However few games there is time for, and so in which terms."""
    out = run("--seed", str(seed_with_a_choice()), lines=f"hint {time}\n")[1]
    assert "(±" in out and "tried out from what you can see" in " ".join(out.split())


@pytest.mark.parametrize("time", ["0", "61", "soon", "1e3", "-1"])
def test_a_hint_after_no_time(time: str, run: Run) -> None:
    told = run("--seed", str(seed_with_a_choice()), lines=f"hint {time}\n")[1]
    assert f"`{time}` is no time" in told.replace("\n  ", " ")
