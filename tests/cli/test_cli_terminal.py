"""`play` at a real terminal, read as a screen: pages, forced moves, what the others did, sizes, several people, and `--plain`."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from games import FEW, names
from msgspec import structs
from tiers import in_tiers, some_now
from views import FakePile, FakeView, columns, pile

from interpreter import load
from interpreter.cli.catalogue import choose
from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.marks import caught_up, changed, looks, risen, uncovers
from interpreter.cli.drawing.table import table
from interpreter.cli.main import main
from interpreter.cli.playing.dense import Heard
from interpreter.cli.playing.news import MANY, shortened
from interpreter.cli.playing.screen import Below, page
from interpreter.printable import width

pexpect, pyte = pytest.importorskip("pexpect"), pytest.importorskip("pyte")
pytestmark = pytest.mark.whole
Run = Callable[..., tuple[int, str, str]]

TURNING = """
ruleset: 1
game: turning
players: {count: 1, seats: [A]}
tables: {goods: {columns: {sign: text}, rows: {apple: {sign: a}, bread: {sign: b}, cake: {sign: c}}}}
pieces: {ware: {of: [goods], copies: 2, from: stock}}
piles: {stock: {face: down}, heap: {}, side: {columns: 2}}
moves:
  turn:
    rule: {at: T1, en: A ware is turned up.}
    if: {some are left: stock is not empty}
    then: {up: {move: stock, count: 1, to: heap}}
  keep:
    rule: {at: T2, en: A cake is kept.}
    if: {it is cake: top(heap).good is cake}
    then: {kept: {move: heap, to: side at 1}}
flow:
  game: {all: {by: A, play: [turn, keep]}}
result: {best: count(side at 1), won: count(side at 1) > 5}
"""
"""Nothing is shuffled: two cakes lie on top."""
TALKING = """
ruleset: 1
game: talking
players: {count: 2, seats: [A, B]}
tables: {goods: {columns: {sign: text}, rows: {apple: {sign: a}, bread: {sign: b}, cake: {sign: c}}}}
pieces: {ware: {of: [goods], copies: 4, from: stock}}
piles: {stock: {face: down, layout: count}, hand: {each: player, face: owner}, heap: {}}
moves:
  nod: {rule: {at: N1, en: Who is asked nods or waits.}}
  wait: {rule: {at: N1, en: Who is asked nods or waits.}}
  lay: {rule: {at: N2, en: A ware is laid down.}, take: cards(hand), put: heap}
flow:
  game:
    hands: {deal: stock, count: 2, to: hand, from: A}
    all:
      repeat:
        asked: {by: A, choose: [nod, wait]}
        said:  {for: n in 1..8, by: B, say: {en: and on}}
        other: {by: B, choose: [lay]}
      until: hand of B is empty
      at_most: 9
    last:  {by: B, choose: [nod, wait]}
result: {best: count(hand of p)}
"""
"""The other says a word eight times, then lays something down."""


class Sitting:
    """A game at a pseudo-terminal, and what a terminal of this size shows of it."""

    def __init__(self, *words: str, rows: int = 24, columns: int = 80, **environment: str) -> None:
        root = str(Path(__file__).resolve().parents[2])
        own = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
        env = {**own, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": root, **environment}
        command = ["-m", "interpreter", "play", *words]
        self.child: Any = pexpect.spawn(
            sys.executable, command, env=env, dimensions=(rows, columns), encoding="utf-8", timeout=60
        )
        self.screen: Any = pyte.HistoryScreen(columns, rows, history=5000)
        self.stream = pyte.Stream(self.screen)
        self.written = ""

    def until(self, pattern: str = r"[AB]> ") -> list[str]:
        """What the screen shows when it says this, without the empty lines at its end."""
        self.child.expect(pattern)
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.written = self.child.before + after
        self.stream.feed(self.written)
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().split("\n")

    def answer(self, line: str, pattern: str = r"[AB]> ") -> list[str]:
        self.child.sendline(line)
        return self.until(pattern)

    def resize(self, rows: int, columns: int) -> None:
        self.child.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def kept(self) -> str:
        """What the terminal has kept of what is no longer on its screen."""
        columns = range(self.screen.columns)
        return "\n".join("".join(line[x].data for x in columns).rstrip() for line in self.screen.history.top)

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("turning", TURNING), ("talking", TALKING)):
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    assert main(["new", "game"]) == 0


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Plays from a pipe."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*words: str, lines: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert main(["play", *words]) == 0
        return capsys.readouterr().out

    return call


# Pages


@pytest.mark.parametrize(("rows", "columns"), some_now([(20, 60), (24, 80), (50, 120)], 1))
def test_every_table_begins_a_screen_and_nothing_is_lost(rows: int, columns: int) -> None:
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1", rows=rows, columns=columns) as sitting:
        first = sitting.until()
        assert first[0] == "talking"
        assert first[-1] == "A>"
        second = sitting.answer("wait")
        assert second[second.index("") + 1] == "talking"
        assert second[-1] == "A>"
        assert len(second) <= rows and max(map(width, second)) <= columns
        assert "talking" not in second[second.index("") + 2 :], "one table, not two"
        assert "A> wait" in sitting.kept()


@pytest.mark.parametrize("term", some_now(["dumb", ""], 1))
def test_a_terminal_that_can_do_nothing_is_sent_nothing(term: str) -> None:
    with Sitting("talking.yaml", "--seed", "1", TERM=term) as sitting:
        sitting.until()
        sitting.answer("1")
        assert "\x1b[H" not in sitting.written


def test_a_pipe_is_sent_lines_alone(run: Callable[..., str]) -> None:
    """Nothing is shortened, marked, asked or drawn anew."""
    out = run("talking.yaml", "--seats", "human,first", "--seed", "1", lines="1\n1\n1\n")
    assert "\x1b" not in out
    assert out.count("B — and on") == 16
    assert not {"•", "*"} & set(out)
    turned = run("turning.yaml", "--seed", "1", lines="1\n" * 9)
    assert turned.startswith("A turns (only move)\n  A ware is turned up.\nheap, turned up: c\n")


@pytest.mark.parametrize("columns", some_now([50, 60, 120], 1))
def test_a_terminal_may_be_resized_in_mid_game(columns: int) -> None:
    page = r"talking[^>]*▶[^>]*A> "
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1") as sitting:
        assert max(map(width, sitting.until())) == 80
        sitting.resize(24, columns)
        assert max(map(width, sitting.until(page))) == columns
        sitting.resize(18, 80)
        assert max(map(width, sitting.until(page))) == 80
        shown = sitting.answer("1", page)
        assert max(map(width, shown)) == 80
        assert "talking" in shown and len(shown) <= 18


def test_a_table_is_drawn_anew_at_once_and_what_was_typed_is_kept() -> None:
    """While somebody is asked: nothing need be sent for it."""
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1") as sitting:
        sitting.until()
        sitting.child.send("no")
        sitting.child.expect("no")
        for columns in (60, 100):
            sitting.resize(20, columns)
            shown = sitting.until(r"talking[^>]*▶[^>]*A> no")
            assert (shown[0].split()[0], shown[-1]) == ("talking", "A> no")
            assert "\n".join(shown).count("talking") == 1 and len(shown) <= 20
            assert max(map(width, shown)) == columns
        assert "B lays c" in sitting.answer("d")
        assert "A> nod" in sitting.kept()


def test_who_comes_back_to_a_suspended_game_sees_the_question_and_what_was_typed() -> None:
    root = str(Path(__file__).resolve().parents[2])
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": root, "PS1": "shell: "}
    child = pexpect.spawn("bash", ["--norc", "-i"], env=env, encoding="utf-8", timeout=60, dimensions=(24, 80))
    child.expect("shell: ")
    child.sendline(f"{sys.executable} -m interpreter play klondike --seed 1")
    child.expect("A> ")
    child.send("2h ")
    child.expect("2h ")
    child.sendcontrol("z")
    child.expect("Stopped.*shell: ")
    child.sendline("fg")
    child.expect("A> 2h ")
    child.sendline("6")
    child.expect("A moves 2♥ from column 1 to column 6")
    child.close(force=True)


def test_what_was_taken_back_is_said_above_the_table() -> None:
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1") as sitting:
        sitting.until()
        sitting.answer("1")
        assert sitting.answer("undo")[:3] == ["taken back; `nod` makes it again", "", "talking"]


# Forced moves


def test_what_was_turned_up_is_seen_before_a_forced_move_and_the_last_move_is_not_made() -> None:
    """A pipe plays on; on a terminal Enter does."""
    with Sitting("turning.yaml", "--seed", "1") as sitting:
        assert "Your only move: Enter makes it." in sitting.until(), "nobody has seen the table"
        assert "heap, turned up: c" in sitting.answer("")
        assert sitting.answer("turn")[:2] == ["A turns", "heap, turned up: c"]
        for word, good in (("turn", "b"), ("", "b"), ("", "a")):
            shown = sitting.answer(word)
            assert f"heap, turned up: {good}" in shown
            assert "Your only move: Enter makes it." in shown
        assert "heap, turned up: a" in sitting.answer("", "Enter leaves: ")


def test_only_what_is_new_makes_a_forced_move_wait() -> None:
    """The other lays down what he has, which the table shows anyway; nobody is asked."""
    text = TALKING.replace("    last:", "    mine:  {by: A, choose: [nod]}\n    last:")
    Path("talking.yaml").write_text(text, encoding="utf-8")
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1") as sitting:
        sitting.until()
        sitting.answer("1")
        sitting.child.sendline("1")
        sitting.child.expect(pexpect.EOF)
        assert "A — nod (only move)" in sitting.child.before


# What the others did


def test_a_long_turn_is_counted_and_its_end_told_and_marked() -> None:
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1", rows=18) as sitting:
        assert "•" not in "".join(sitting.until())
        shown = sitting.answer("nod")
        assert shown[0] == "10 events; here the last 5 (`last` tells all):"
        assert shown[1:6] == [*["B — and on"] * 4, "B lays c"]
        assert "  hand• ▒▒" in shown and any("heap• c" in line for line in shown)
        assert not any("stock•" in line for line in shown)
        assert sitting.answer("last")[-12:] == ["A> last", "A — nod", *["B — and on"] * 8, "B lays c", "A>"]


def test_marks_are_ascii_where_all_is() -> None:
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1", "--ascii", NO_COLOR="1") as sitting:
        sitting.until()
        shown = sitting.answer("nod")
        assert "  hand* ##" in shown
        assert "\n".join(shown).isascii()


@pytest.mark.parametrize(("lang", "word", "none"), [("en", "last", "A — nod"), ("fr", "dernier", "A — nod")])
def test_last_recalls_what_happened_since_ones_last_choice(
    lang: str, word: str, none: str, run: Callable[..., str]
) -> None:
    lines = f"{word}\nnod\n{word}\nquit\n"
    out = run("talking.yaml", "--seats", "human,first", "--seed", "1", "--lang", lang, lines=lines)
    before, after = re.split(rf"A> {word}\n", out)[1:]
    assert before.startswith(("nothing has happened yet", "rien ne s'est encore passé"))
    assert after.split("\nA> ")[0].split("\n") == [none, *["B — and on"] * 8, "B lays c"]


def test_few_events_are_told_and_many_are_counted() -> None:
    few, many = [str(n) for n in range(MANY)], [str(n) for n in range(MANY + 1)]
    assert shortened(few, "A") == few
    assert shortened(many, "A") == ["9 events; here the last 7 (`last` tells all):", *many[-MANY + 1 :]]
    assert shortened(many, None) == many[-MANY:]


def test_a_watched_game_keeps_what_happened_with_the_table() -> None:
    words = ("talking.yaml", "--seats", "first,first", "--seed", "1", "--watch", "--pause", "0.1")
    with Sitting(*words) as sitting:
        sitting.until("The game is over")
        pages = sitting.written.split("\x1b[H\x1b[J")[1:]
        assert len(pages) == 5
        assert all(re.search(r"[AB] (?:— |nods|lays)[^\n]*\r\n\r\n\S*talking", page) for page in pages)


def test_what_a_choice_uncovers_on_columns_is_told_and_marked() -> None:
    """Each column has one more card; what was moved along itself is not new, nor is it after the next choice."""
    before = FakeView("A", "A", [pile("stock", "?*3"), *columns("side", ["? 2S", "3S", "? 4S"])])
    after = FakeView("A", "A", [pile("stock", ""), *columns("side", ["5S", "3S 2S", "? 4S 6S"])])
    assert risen(before, after) == {("side", None, None, 1): "5S", ("side", None, None, 3): "6S"}
    with Sitting("spider", "--lang", "en", "--seed", "1") as sitting:
        sitting.until()
        told = sitting.answer("deal a row")
        tops = next(line for line in told if ", turned up: " in line).split(": ")[1].split()
        assert len(tops) == 10
        heads = next(line for line in told if line.split()[:1] == ["1•"])
        assert heads.split() == [f"{n}•" for n in range(1, 11)]
        after_it = "\n".join(sitting.answer("1"))
        assert "turned up: " not in after_it and "•" not in after_it


def test_the_piles_that_changed_are_those_that_look_otherwise() -> None:
    before = FakeView("A", "A", [pile("heap", "AS"), pile("stock", "?*3"), *columns("side", ["2S", "3S"])])
    after = FakeView("A", "A", [pile("heap", "AS"), pile("stock", "?*2"), *columns("side", ["2S", "3S 4S"])])
    assert changed(looks(before), after) == {("stock", None, None, None), ("side", None, None, 2)}
    assert changed(looks(before), before) == frozenset()
    assert uncovers(before, after) and not uncovers(after, before)
    own = FakeView("A", "A", [pile("heap", "AS 5S"), pile("stock", "?*1"), *columns("side", ["2S", "3S 4S"])])
    known = caught_up(looks(before), after, own)  # of what A did himself, the stock had been changed by others
    assert changed(known, own) == {("stock", None, None, None), ("side", None, None, 2)}
    drawn = table(after, ["A"], Look(unicode=False), changed=changed(looks(before), after))
    assert "stock* ##  ##" in "\n".join(drawn).replace("## ##", "##  ##")
    assert "  1  2*" in drawn
    assert "*" not in "".join(table(after, ["A"], Look(unicode=False)))


def told(lines: list[str]) -> Heard:
    return Heard(lines, lines)


def test_lines_of_a_screen_are_shared() -> None:
    """The table leaves room for the news, four moves, and the prompt; what it does not need is for more moves; what it cannot do without
    is taken from the news, then from the moves."""
    look = Look(width=80, height=20)
    asked = list[int]()

    def draw(lines: int) -> Callable[[int, bool], list[str]]:
        def drawn(height: int, brief: bool) -> list[str]:
            asked.append(height)
            return ["z"] * (lines or height)

        return drawn

    four, two = Below(4, lambda room: min(room, 9)), Below(2, lambda room: 2)
    made = page(told(["x" * 100, "y"]), "A", look, four, draw(0))
    assert (asked.pop(), made.room) == (24 - (3 + 1) - 4 - 2, 4)
    assert page(told(["x" * 100, "y"]), "A", look, four, draw(11)).room == 7
    assert page(told([]), "A", look, two, draw(0)).room == 2 and asked.pop() == 24 - 2 - 2
    long = page(told(["y"] * 30), "A", look, four, draw(15))
    assert len(long.news) == 2 and long.news[0].startswith("30 events")
    assert page(told([]), "A", look, four, draw(30)).room == 2


# Several people


def test_last_tells_what_others_received_as_its_reader_may_know_it() -> None:
    text = TALKING.replace("other: {by: B, choose: [lay]}", "drawn: {deal: stock, count: 1, to: hand, from: A}")
    Path("talking.yaml").write_text(text.replace("hand of B is empty", "stock is empty"), encoding="utf-8")
    with Sitting("talking.yaml", "--seats", "human,first", "--seed", "1") as sitting:
        sitting.until()
        told = sitting.answer("nod")
        assert told[told.index("A receives b") + 1] == "B receives ?"
        recalled = sitting.answer("last")
        assert "A receives b" in recalled and "B receives ?" in recalled
        assert not any(line.startswith("B receives b") for line in recalled)


def test_nobody_finds_anothers_hand_on_his_screen_nor_in_what_it_recalls() -> None:
    """From the curtain on, nothing that only the other sees is sent."""
    state = load("game.yaml").start(1)
    hands = {seat: {p.sign for q in state.view(seat).piles if q.owner == seat for p in q.pieces} for seat in "AB"}
    with Sitting("game.yaml", "--seats", "human,human", "--seed", "1", "--ascii", NO_COLOR="1") as sitting:
        sitting.until("nobody else is looking. ")
        sitting.answer("")
        move = next(line for line in sitting.screen.display if re.match(" +1  ", line))
        sitting.answer("1", "nobody else is looking. ")
        assert sitting.screen.display[0].startswith("B is next")
        assert not sitting.kept().strip(), "the terminal has forgotten what A saw"
        sitting.answer("")
        told = sitting.written
        sitting.answer("last")
        shown = set(re.findall(r"\b(?:[2-9AJQK]|10)[SHDC]\b", told + sitting.written))
        assert hands["B"] & {sign.replace("10", "T") for sign in shown}
        secret = {sign for sign in hands["A"] - hands["B"] if sign and sign not in move}
        assert not secret & {sign.replace("10", "T") for sign in shown}


# In words


PLAIN = re.compile(r"[─━│▶▒×·•♠♥♦♣✓✗]|\x1b|  ")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], whole=FEW))
def test_plain_tables_and_moves_are_words(name: str, lang: str) -> None:
    choose(["--lang", lang], {})
    try:
        state = load(name).start(1)
        look = look_of(state.game, plain=True)
        for seat in state.game.seats:
            for line in table(state.view(seat), state.game.seats, look, state.game.title(lang)):
                assert not PLAIN.search(line), line
    finally:
        choose([], {})


def test_plain_says_one_thing_a_line() -> None:
    piles = [
        pile("stock", "?*3 7D"),
        pile("hand", "KH 2C", owner="A"),
        pile("hand", "? ?", owner="B"),
        FakePile("heap", None, 1, "count"),
        *columns("side", ["", "2S 2S AS"]),
    ]
    spoken = {"KH": "king of hearts", "2C": "two of clubs", "7D": "seven of diamonds"}
    pieces = look_of(load("klondike"), plain=True).pieces
    look = structs.replace(Look(pieces=pieces), plain=True, spoken=spoken)
    assert table(FakeView("A", "A", piles), ["A", "B"], look, "Game") == [
        "Game",
        "B",
        "hand: 2 face down",
        "on the table",
        "stock: 3 face down, seven of diamonds",
        "heap 1: empty",
        "side 1: empty",
        "side 2: 2 times 2♠, A♠",
        "A, you, to play",
        "hand: king of hearts, two of clubs",
    ]


@pytest.mark.parametrize(("lang", "said"), [("en", "of hearts"), ("fr", "de cœur")])
def test_plain_at_a_terminal_draws_nothing_anew(lang: str, said: str) -> None:
    Path("game.fr.yaml").write_text("words: fr\ngame: game\n", encoding="utf-8")
    with Sitting("game.yaml", "--plain", "--seats", "human,search:200", "--lang", lang, "--seed", "1") as sitting:
        sitting.until()
        first = sitting.written
        sitting.answer("1")
        both = re.sub(r"\x1b\[\?2004[hl]", "", first + sitting.written)
        assert "\x1b" not in both
        assert said in both
        assert not re.search("[♠♥♦♣▒─]", both)
        assert re.search(r"^1\s?: \w", both, re.MULTILINE)
