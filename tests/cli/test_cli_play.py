"""`play` from a script: prompts, undo, hints, saving, records, several people; news of tricks, and `--plain`."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from commands import Run, Said, command_lines
from english import spaced
from games import game
from rules import read_cases
from tiers import in_tiers, some_now

from hoyle import load
from hoyle.cli.playing.news import MANY_EVENTS, News, shorten
from hoyle.game.game import State
from hoyle.presentation import catalogue, hints
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import make_look
from hoyle.presentation.table.spoken import make_spoken_lines, speak_changes
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
    return [" ".join(part.split()) for part in PROMPT.split(out)[1:]]


def events_of(out: str) -> list[str]:
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


@cache
def after(name: str, moves: int) -> State:
    state = game(name).start(3)
    for _ in range(moves):
        state = state.play(state.moves()[0])
    return state


@pytest.mark.whole
@pytest.mark.parametrize("name", ["hearts", "whist"])
def test_trick_is_one_line_with_its_winner(name: str) -> None:
    state = after(name, 40)
    look = make_look(state.game)
    heard = News().take_new(state, state.game.seats[0], look)
    tricks = [line for line in heard.dense if "wins the trick" in line]
    assert len(tricks) == sum("wins the trick" in line for line in heard.lines) > 3
    assert all(line.count(", ") == 3 and line.index(" — ") > line.rindex(", ") for line in tricks)
    assert all(width(line) <= look.width for line in tricks)
    assert len(heard.dense) <= len(heard.lines) - 4 * len(tricks)


@pytest.mark.whole
@pytest.mark.parametrize(("lang", "again"), [("en", "winning the trick"), ("fr", "qui fait la levée")])
def test_winner_of_a_trick_is_named_once(lang: str, again: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_chosen", lang)
    state = after("whist", 24)
    told = News().take_new(state, None, make_look(state.game)).lines
    assert any(again in event.text(lang) for event in state.events)
    assert not any(again in line for line in told)


@pytest.mark.whole
def test_few_events_are_shown_in_full() -> None:
    state = after("whist", 40)
    heard = News().take_new(state, None, make_look(state.game))
    assert heard.fit(len(heard.lines)) == heard.lines
    assert heard.fit(MANY_EVENTS) == heard.dense
    assert heard.append_line("") is heard
    assert heard.append_line("x").dense[-1] == heard.append_line("x").lines[-1] == "x"


@pytest.mark.whole
def test_trick_of_a_person_is_not_cut_off() -> None:
    state = after("hearts", 40)
    heard = News().take_current(state, "A", make_look(state.game))
    assert not any("events, the last" in line for line in shorten(heard.fit(MANY_EVENTS), "A"))


@pytest.mark.whole
def test_sum_of_a_hand_stands_behind_its_last_item() -> None:
    state = game("cribbage").playout(seed=3)
    lines = News().take_new(state, None, make_look(state.game)).lines
    sums = list[int]()
    for marks, run in groupby(lines, lambda line: line[:3] if line[1:3] == " +" else ""):
        points = list(run)
        if marks and len(points) > 1:
            sums.append(sum(int(line.split()[1].rstrip(",")) for line in points))
            assert points[-1].endswith(f" — {sums[-1]} in all")
    assert len(sums) == sum(line.endswith(" in all") for line in lines) > 0


@pytest.mark.whole
def test_forced_move_is_marked_and_looked_at_before_the_next() -> None:
    news, state = News(), after("whist", 0)
    seat, number = str(state.to_act), len(state.core.log or ())
    news.told[seat] = number
    news.add_forced(number, state.moves()[0])
    state = state.play(state.moves()[0])
    assert not news.has_unseen_moves(state, seat), "nobody has done anything since"
    for _ in range(3):
        state = state.play(state.moves()[0])
    assert news.has_unseen_moves(state, seat)
    heard = News(forced=news.forced).take_new(state, seat, make_look(state.game))
    own = [line for line in heard.dense if line in heard.own]
    assert len(own) == 1 and "(only move), " in own[0] and "wins the trick" in own[0]
    news.take_new(state, seat, make_look(state.game))
    assert not news.has_unseen_moves(state, seat), "it has been seen"
    news.go_back_to(number)
    news.forced_words = news.forced = {number}
    assert not news.has_unseen_moves(state, seat), "words are not looked at"


SPOKEN = read_cases("cli/spoken")["lines"]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["cribbage", "backgammon", "barbu"], quick=["backgammon"]))
def test_changes_add_up_to_the_whole_table(name: str) -> None:
    """Each line of a table was said when it changed, and each line that is gone was taken back."""
    opened = game(name)
    state, look = opened.start(4), make_look(opened, plain=True)
    viewer = opened.seats[0]
    known = {saying.key: saying.line for saying in make_spoken_lines(state.view(viewer), opened.seats, look)}
    before = make_spoken_lines(state.view(viewer), opened.seats, look)
    for number in range(40):
        state = state.play(state.moves()[number % len(state.moves())])
        now = make_spoken_lines(state.view(viewer), opened.seats, look)
        heard = speak_changes(before, now)
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
def test_whole_table_is_said_once_and_on_demand(lang: str, head: str, mine: str, gone: str, run: Run) -> None:
    words = ("play", "cribbage", "--plain", "--seed", "3", "--lang", lang, "--seats", "human,first")
    first, second, *rest = re.split(r"(?m)^A> ", run(*words, stdin="1\n1\n1\n1\ntable\n1\nquit\n")[1])
    assert [head in said for said in (first, second, *rest)] == [True, *[False] * 4, True, False, False]
    assert mine in second
    assert [gone in said for said in rest] == [False, True, *[False] * (len(rest) - 2)]


@pytest.mark.parametrize("case", in_tiers(SPOKEN, SPOKEN[:2], SPOKEN[2:]), ids=lambda case: case["game"])
def test_line_of_the_table(case: dict[str, Any]) -> None:
    opened = game(case["game"])
    state = opened.position(case["position"])
    for lang in ("en", "fr"):
        with use_language(lang):
            table = make_spoken_lines(state.view(opened.seats[0]), opened.seats, make_look(opened, plain=True))
        lines = [spaced(saying.line) for saying in table]
        assert case[lang] in lines
        assert not any("(1)" in one for one in lines)
