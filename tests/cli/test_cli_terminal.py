"""`play` at a terminal: `cases/terminal.yaml`, pages of any size, what others did, and tables in words."""

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from command_cases import case_list, check_files, listed, prepare
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

TALK = ("talking.yaml", "--seats", "human,first", "--seed", "1")


@pytest.fixture(autouse=True)
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    call = runner(capsys, monkeypatch, tmp_path)
    for name in ("turning", "talking"):
        write_rules(f"cli/{name}", tmp_path, {})
    return call


def sit_through(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    prepare({"with": case.get("with", {})}, monkeypatch)
    size = {name: case[name] for name in ("rows", "columns") if name in case}
    with Sitting(*case["play"].split(), **size, **case.get("env", {})) as sitting:
        for step in case["steps"]:
            take(sitting, step)
    check_files(case, "")
    if "record" in case:
        assert '"move"' in Path(case["record"]).read_text()
        assert run("replay", case["record"])[0] == 0
    assert not list(Path().glob(".*.tmp"))


def take(sitting: Sitting, step: dict[str, Any]) -> None:
    if "keys" in step:
        sitting.child.send(step["keys"])
    if "type" in step:
        sitting.child.sendline(step["type"])
    if "press" in step:
        getattr(sitting.child, step["press"])()
    if "signal" in step:
        sitting.child.kill(getattr(signal, step["signal"]))
    if "end" in step:
        assert sitting.end() == step["end"]
    lines = sitting.until(step.get("until", "[AB]> ")) if "end" not in step else []
    shown = "\n".join(lines)
    assert all(part in shown for part in listed(step.get("shows", []))), shown
    assert not any(part in shown for part in listed(step.get("lacks", []))), shown
    assert {*step.get("lines", ())} <= {*lines}, shown
    assert shown.startswith(step.get("begins", "")) and shown.endswith(step.get("ends", "")), shown
    for name, text in (("sent", sitting.written), ("match", shown), ("unsent", sitting.written), ("unlike", shown)):
        for pattern in listed(step.get(name, [])):
            assert bool(re.search(pattern, text, re.MULTILINE)) is (name in ("sent", "match")), (pattern, text)
    assert sitting.history().strip() == step.get("history", sitting.history().strip())


@pytest.mark.whole
@pytest.mark.parametrize("case", case_list("cli/terminal", "whole"))
def test_sitting(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    sit_through(run, case, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("case", case_list("cli/terminal", "slow"))
def test_slow_sitting(run: Run, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    sit_through(run, case, monkeypatch)


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
