"""`play` at a terminal: pages, colours, forced moves, what others did, sizes, signals, leaving, several people, and `--plain`."""

import re
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import Run, runner
from games import game
from rules import write_rules
from terminals import Sitting
from tiers import in_tiers, some_now
from views import columns, make_pile, make_view, pieces

from hoyle.cli.playing.news import MANY_EVENTS, shorten
from hoyle.language.sentences import LANGUAGES
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import Look, make_look
from hoyle.presentation.table.piles import find_changes, has_new_sign, record_looks, update_looks
from hoyle.presentation.table.table import draw_table
from hoyle.printable import width

ROOT = str(Path(__file__).resolve().parents[2])
STARTER = ("game.yaml", "--seats", "human,first", "--seed", "0")
TALK = ("talking.yaml", "--seats", "human,first", "--seed", "1")


@pytest.fixture(autouse=True)
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    call = runner(capsys, monkeypatch, tmp_path)
    for name in ("turning", "talking"):
        write_rules(f"cli/{name}", tmp_path, {})
    return call


# The line that is typed


@pytest.mark.whole
def test_ctrl_c_and_quit_ask_what_would_be_lost(run: Run) -> None:
    """Tab completes a move; Ctrl-C ends a hint and nothing else. Nothing is asked once the game is saved."""
    with Sitting(*STARTER) as sitting:
        sitting.until()
        assert "\x1b[31m" in sitting.written, "hearts are red"
        sitting.child.send("play-a\t")
        sitting.until("play-a\x07?-card ")
        sitting.child.send("\x15")
        sitting.answer("hint 60", "…")
        sitting.interrupt("No hint.")
        assert "[Y/n/c]" not in "\n".join(sitting.until())
        for leave in (sitting.child.sendintr, lambda: sitting.child.sendline("quit"), sitting.child.sendeof):
            sitting.answer("1")
            leave()
            sitting.until("Save the game")
            sitting.answer("c")
        sitting.answer("save", "saved to game.jsonl")
        sitting.until()
        sitting.child.sendline("exit")
        assert sitting.end() == 0
        assert "Save the game" not in sitting.written
    assert '"move"' in Path("game.jsonl").read_text()


@pytest.mark.whole
def test_a_curtain_clears_the_screen_and_its_history(run: Run) -> None:
    curtain = "nobody else is looking"
    with Sitting("game.yaml", "--seats", "human,human", "--seed", "0") as sitting:
        sitting.until(f"A is next. Press Enter when {curtain}")
        assert "\x1b[2J" not in sitting.written, "what stood there before the game is no secret"
        sitting.answer("")
        sitting.answer("1", curtain)
        assert "\x1b[2J\x1b[3J" in sitting.written
        assert not sitting.history().strip()
        sitting.answer("")
        sitting.interrupt("Save the game")
        sitting.answer("y", "saved to game.jsonl")
        assert sitting.end() == 0
    assert run("replay", "game.jsonl")[0] == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "typed"), [((), ["quit"]), (("--record", "r.jsonl"), ["1", "quit"])], ids=["nothing done", "recorded"]
)
def test_leaving_asks_nothing_where_nothing_would_be_lost(words: Sequence[str], typed: list[str]) -> None:
    """On a terminal with neither colours nor Unicode."""
    bare = Sitting(*STARTER, *words, "--lang", "fr", LC_ALL="C", PYTHONIOENCODING="ascii", NO_COLOR="1")
    with bare as sitting:
        sitting.until()
        assert re.sub(r"\x1b\[(\?\d+[hl]|H|J)", "", sitting.written).isascii() and "\x1b[3" not in sitting.written
        for line in typed[:-1]:
            sitting.answer(line)
        sitting.child.sendline(typed[-1])
        assert sitting.end() == 0
        assert "[O/n/c]" not in sitting.written


# Signals, in processes of their own


@pytest.mark.whole
@pytest.mark.parametrize("number", some_now([signal.SIGTERM, signal.SIGHUP], 1))
def test_a_signal_ends_the_game_after_its_record_is_written(run: Run, number: int) -> None:
    with Sitting(*STARTER, "--record", "r.jsonl") as sitting:
        sitting.until()
        sitting.answer("1")
        sitting.child.kill(number)
        assert sitting.end() == 128 + number
    assert '"move"' in Path("r.jsonl").read_text()
    assert run("replay", "r.jsonl")[0] == 0
    assert not list(Path().glob(".*.tmp"))


@pytest.mark.whole
def test_ctrl_c_while_bots_play_leaves_a_whole_record(run: Run) -> None:
    words = ("game.yaml", "--seats", "random,random", "--watch", "--pause", "0.1", "--record", "r.jsonl")
    with Sitting(*words) as sitting:
        sitting.until(r"B \w+")
        sitting.interrupt("left unfinished")
        assert sitting.end() == 0 and "Save the game" not in sitting.written
    assert '"move"' in Path("r.jsonl").read_text() and not list(Path().glob(".*.tmp"))
    assert run("replay", "r.jsonl")[0] == 0


@pytest.mark.whole
def test_a_resumed_game_shows_what_was_typed_again() -> None:
    """A shell sends this signal after Ctrl-Z and `fg`."""
    with Sitting(*STARTER) as sitting:
        sitting.until()
        sitting.child.send("pl")
        sitting.until("pl")
        sitting.child.kill(signal.SIGCONT)
        sitting.until("A> pl")


# Pages


@pytest.mark.whole
@pytest.mark.parametrize(("rows", "columns"), some_now([(24, 80), (20, 60), (50, 120)], 1))
def test_every_table_begins_a_page_of_the_size_of_the_screen(rows: int, columns: int) -> None:
    """Nothing is lost: earlier pages can be scrolled back to. A resized screen is drawn again with what was typed."""
    with Sitting(*TALK, rows=rows, columns=columns, forked=False) as sitting:
        first = sitting.until()
        assert (first[0], first[-1]) == ("talking", "A>")
        second = sitting.answer("wait")
        assert second.count("talking") == 1 and second[second.index("") + 1] == "talking" and second[-1] == "A>"
        assert len(second) <= rows and max(map(width, second)) == columns
        assert "A> wait" in sitting.history()
        assert sitting.answer("undo")[:3] == ["taken back; `wait` plays it again", "", "talking"]
        sitting.child.send("no")
        sitting.until("no")
        for other in (70, 100):
            sitting.resize(20, other)
            shown = sitting.until(r"talking[^>]*▶[^>]*A> no")
            assert "\n".join(shown).count("talking") == 1 and len(shown) <= 20 and shown[-1] == "A> no"
            assert max(map(width, shown)) == other
        assert "B lays c" in sitting.answer("d")
        assert "A> nod" in sitting.history()


@pytest.mark.whole
@pytest.mark.parametrize("term", some_now(["dumb", ""], 1))
def test_a_terminal_without_abilities_is_sent_no_pages(term: str) -> None:
    with Sitting(*TALK, TERM=term) as sitting:
        sitting.until()
        sitting.answer("1")
        assert "\x1b[H" not in sitting.written


@pytest.mark.whole
def test_a_pipe_is_sent_plain_lines(run: Run) -> None:
    """Nothing is shortened, marked, asked for or drawn again."""
    _, out, _ = run("play", *TALK, stdin="1\n1\n1\n")
    assert "\x1b" not in out and not {"•", "*"} & set(out)
    assert out.count("B — and on") == 16
    _, turned, _ = run("play", "turning.yaml", "--seed", "1", stdin="1\n" * 9)
    assert turned.startswith("A turns (only move)\n  A ware is turned up.\nheap, turned up: c\n")


# Forced moves


@pytest.mark.whole
def test_a_forced_move_waits_for_enter_where_something_was_turned_up() -> None:
    only = "Your only move: Enter makes it."
    with Sitting("turning.yaml", "--seed", "1") as sitting:
        assert only in sitting.until(), "nobody has seen the table"
        assert "heap, turned up: c" in sitting.answer("")
        assert sitting.answer("turn")[:2] == ["A turns", "heap, turned up: c"]
        for word, good in (("turn", "b"), ("", "b"), ("", "a")):
            shown = sitting.answer(word)
            assert f"heap, turned up: {good}" in shown and only in shown
        assert "heap, turned up: a" in sitting.answer("", "Enter leaves: ")


@pytest.mark.whole
def test_a_forced_move_is_made_at_once_where_the_table_shows_everything() -> None:
    write_rules("cli/talking", Path(), {"    last:": "    mine:  {by: A, choose: [nod]}\n    last:"})
    with Sitting(*TALK) as sitting:
        sitting.until()
        sitting.answer("1")
        sitting.child.sendline("1")
        sitting.end()
        assert "A — nod (only move)" in sitting.written


# What others did


@pytest.mark.whole
def test_a_long_turn_is_shortened_and_what_it_changed_is_marked() -> None:
    with Sitting(*TALK, rows=18) as sitting:
        assert "•" not in "".join(sitting.until())
        shown = sitting.answer("nod")
        assert shown[0] == "10 events, the last 5 here (`last` shows all):"
        assert shown[1:6] == [*["B — and on"] * 4, "B lays c"]
        assert "  hand• ▒▒" in shown and any("heap• c" in line for line in shown)
        assert not any("stock•" in line for line in shown)
        assert sitting.answer("last")[-12:] == ["A> last", "A — nod", *["B — and on"] * 8, "B lays c", "A>"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("lang", "word", "none"),
    [("en", "last", "nothing has happened yet"), ("fr", "dernier", "rien ne s'est encore passé")],
)
def test_last_recalls_events_since_the_own_last_choice(lang: str, word: str, none: str, run: Run) -> None:
    _, out, _ = run("play", *TALK, "--lang", lang, stdin=f"{word}\nnod\n{word}\nquit\n")
    before, after = out.split(f"A> {word}\n")[1:]
    assert before.startswith(none)
    assert after.split("\nA> ")[0].split("\n") == ["A — nod", *["B — and on"] * 8, "B lays c"]


def test_last_hides_what_others_received(run: Run) -> None:
    drawn = "drawn: {deal: stock, count: 1, to: hand, from: A}"
    changes = {"other: {by: B, choose: [lay]}": drawn, "hand of B is empty": "stock is empty"}
    write_rules("cli/talking", Path(), changes)
    out = run("play", *TALK, stdin="nod\nlast\nquit\n")[1].partition("A> nod\n")[2]
    for part in out.split("A> ")[:2]:
        told = part.split("\n")
        assert told[told.index("A receives b") + 1] == "B receives ?"
        assert not any(line.startswith("B receives b") for line in told)


def test_few_events_are_told_and_many_are_counted() -> None:
    few, many = [str(n) for n in range(MANY_EVENTS)], [str(n) for n in range(MANY_EVENTS + 1)]
    assert shorten(few, "A") == few
    assert shorten(many, "A") == ["9 events, the last 7 here (`last` shows all):", *many[-MANY_EVENTS + 1 :]]
    assert shorten(many, None) == many[-MANY_EVENTS:]


@pytest.mark.whole
def test_every_page_of_a_watched_game_has_what_happened_before_it() -> None:
    words = ("talking.yaml", "--seats", "first,first", "--seed", "1", "--watch", "--pause", "0.01")
    with Sitting(*words) as sitting:
        sitting.until("The game is over")
        pages = sitting.written.split("\x1b[H\x1b[J")[1:]
        assert len(pages) == 5
        assert all(re.search(r"[AB] (?:— |nods|lays)[^\n]*\r\n\r\n\S*talking", page) for page in pages)


@pytest.mark.whole
def test_cards_uncovered_by_a_choice_are_told_and_marked_until_the_next() -> None:
    with Sitting("spider", "--lang", "en", "--seed", "1") as sitting:
        sitting.until()
        told = sitting.answer("deal a row")
        tops = next(line for line in told if ", turned up: " in line).split(": ")[1].split()
        assert len(tops) == 10
        heads = next(line for line in told if line.split()[:1] == ["1•"])
        assert heads.split() == [f"{n}•" for n in range(1, 11)]
        after_it = "\n".join(sitting.answer("1"))
        assert "turned up: " not in after_it and "•" not in after_it


def test_piles_that_look_different_have_changed() -> None:
    before = make_view(
        [make_pile("heap", pieces("AS")), make_pile("stock", pieces("?*3")), *columns("side", ["2S", "3S"])]
    )
    after = make_view(
        [make_pile("heap", pieces("AS")), make_pile("stock", pieces("?*2")), *columns("side", ["2S", "3S 4S"])]
    )
    assert find_changes(record_looks(before), after) == {("stock", None, None, None), ("side", None, None, 2)}
    assert find_changes(record_looks(before), before) == frozenset()
    assert has_new_sign(before, after) and not has_new_sign(after, before)
    own = make_view(
        [make_pile("heap", pieces("AS 5S")), make_pile("stock", pieces("?*1")), *columns("side", ["2S", "3S 4S"])]
    )
    known = update_looks(
        record_looks(before), after, own
    )  # of what A did himself, the stock had been changed by others
    assert find_changes(known, own) == {("stock", None, None, None), ("side", None, None, 2)}
    drawn = draw_table(after, ["A"], Look(unicode=False), changed=find_changes(record_looks(before), after))
    assert "stock* ##  ##" in "\n".join(drawn).replace("## ##", "##  ##")
    assert "  1  2*" in drawn
    assert "*" not in "".join(draw_table(after, ["A"], Look(unicode=False)))


# In words


PLAIN = re.compile(r"[─━│▶▒×·•♠♥♦♣✓✗]|\x1b|  ")
SPOKEN = ["crapette", "barbu-3p", "backgammon", "cribbage-6p", "coinchee", "yams", "plakoto", "spite-and-malice"]


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", in_tiers(SPOKEN, SPOKEN[:1]))
def test_plain_tables_are_words(name: str, lang: str) -> None:
    with use_language(lang):
        state = game(name).start(1)
        look = make_look(state.game, plain=True)
        for seat in state.game.seats:
            for line in draw_table(state.view(seat), state.game.seats, look, state.game.title(lang)):
                assert not PLAIN.search(line), line


@pytest.mark.whole
@pytest.mark.parametrize(("lang", "said"), some_now([("fr", "de cœur"), ("en", "of hearts")], 1))
def test_plain_at_a_terminal_draws_nothing_again(lang: str, said: str) -> None:
    with Sitting(*STARTER, "--plain", "--lang", lang) as sitting:
        sitting.until()
        first = sitting.written
        sitting.answer("1")
        both = re.sub(r"\x1b\[\?2004[hl]", "", first + sitting.written)
        assert said in both and not re.search("[♠♥♦♣▒─\x1b]", both)
        assert re.search(r"^1\s?: \w", both, re.MULTILINE)
