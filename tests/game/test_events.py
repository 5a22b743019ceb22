"""Events: pieces that a step turns up, hands over or tells with points and words, and the ends of tricks and deals.

Each seat reads only pieces that it may see. None of this stands in a record, and both engines tell the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler
from games import game as shipped_game
from games import originals
from rules import change_rules, load_rules, read_cases, write_rules
from tiers import some_now

from interpreter import State, validate
from interpreter.diagnostics import Source
from interpreter.game.events import told
from interpreter.game.records import lines, replay
from interpreter.language.steps import Ends, every_step
from interpreter.running.along import ENDED


def check_record(state: State, folder: Path, *absent: str) -> None:
    written = list(lines(state.play("go-on"), 1, folder=folder))
    assert not any(word in line for line in written for word in absent)
    assert replay(Source(str(folder / "record"), "\n".join(written))).complete


def texts(state: State, known: int = 0) -> list[str]:
    return [event.text() for _, event in told(state.game.compiled, state.core, known)]


# ---- what a step turns up and hands over: nothing is shuffled, dill lies on top of the stock, then cakes -------------


@pytest.mark.whole
@pytest.mark.parametrize("part", range(4))
def test_everybody_is_told_what_is_turned_up(part: int, tmp_path: Path) -> None:
    for case in read_cases("game/events")["turned up"][part::4]:
        piles = {"STEP": case["step"], "market: {}": "market: {}\n  seen: {face: top seen}\n  heap: {face: top up}"}
        state = change_rules("game/gifts", tmp_path, piles).start(1)
        opened, *turned = [event for event in state.events if event.kind == "turned"]
        assert opened.text("en") == "market, turned up: b"
        for seat in ("A", "B", None):
            assert [event.text("en", seat) for event in turned] == case["found"], case
        check_record(state, tmp_path, "turned")


@pytest.mark.whole
@pytest.mark.parametrize("part", range(3))
def test_a_seat_reads_what_it_receives_and_others_how_much(part: int, tmp_path: Path) -> None:
    for case in read_cases("game/events")["received"][part::3]:
        state = change_rules("game/gifts", tmp_path, {"STEP": case["step"]}).start(1)
        received = [event for event in state.events if event.kind == "received"]
        assert [event.text("en", "A") for event in received] == case["own"], case
        assert [event.text("en", "B") for event in received] == case["others"], case
        assert all("?" in event.text("en", None) for event in received)
        check_record(state, tmp_path, "received")


def test_cards_laid_out_before_the_first_move_are_not_told(tmp_path: Path) -> None:
    """The view shows them. A single pile is told, and so is what comes later."""
    step = "do: {one: {move: stock, count: 1, to: stall at 1}, two: {move: stock, count: 2, to: stall at 2}}"
    changes = {"STEP": step, "market: {}": "market: {}\n  stall: {columns: 2, face: up}"}
    changes["[go on]}"] = "[go on]}\n    later: {move: stock, count: 1, to: stall at 1}"
    state = change_rules("game/gifts", tmp_path, changes).start(1)
    assert texts(state) == ["market, turned up: b"]
    later, known = state.play("go-on"), len(state.core.log or ())
    found = [(n, e.text()) for n, e in told(later.game.compiled, later.core, known)]
    assert found[-1] == (known + 1, "stall 1, turned up: a")


def test_a_piece_just_turned_up_is_not_named_again(tmp_path: Path) -> None:
    for case in read_cases("game/events")["named"]:
        state = change_rules("game/gifts", tmp_path, {"STEP": case["step"]}).start(1)
        assert texts(state) == ["market, turned up: b", *case["found"]], case


def test_cards_that_a_move_uncovers_are_told_after_it() -> None:
    """A whole row at once; nothing of what lay there before the first move."""
    assert texts(load_rules("game/row").start(1).play("clear 2").play("row")) == [
        "A clears column 2",
        "column 2, turned up: d",
        "A — row",
        "column 1 … column 4, turned up: b b b b",
    ]


# ---- pieces told with points and words: two of each lie on the market, cakes on top ---------------------------------

COUNTS = {"FACE": "up"}


@pytest.mark.whole
@pytest.mark.parametrize("part", range(4))
def test_pieces_are_told_with_points_and_words(part: int, tmp_path: Path) -> None:
    for case in read_cases("game/events")["told with points and words"][part::4]:
        state = change_rules("game/counts", tmp_path, COUNTS | {"STEP": case["step"]}).start(1)
        (found,) = [event for event in state.events if event.text() == case["text"]]
        assert {found.text("en", seat) for seat in ("A", "B", None)} == {case["text"]}
        assert found.data.get("of") == case["of"], case
        check_record(state, tmp_path, '"of"', '"ends"')


@pytest.mark.slow
@with_compiler
def test_both_engines_tell_the_same(tmp_path: Path) -> None:
    steps = [
        "pairs: {score: 4, to: me, as: {en: pairs}, of: 'subsets(shelf, 2)'}",
        "goods: {for: g in goods, score: g.worth, to: me, as: g, of: (w for w in shelf where w.good is g)}",
        "hidden: {score: 2, to: me, of: hand of B}",
        "shown: {say: {en: shows}, of: '(cards(shelf), last(shelf, 1))'}",
        "trick: {by: B, ends: trick}",
        "deal: {ends: deal}",
    ]
    game = change_rules("game/counts", tmp_path, COUNTS | {"STEP": f"do: {{{', '.join(steps)}}}"})
    assert difference(game, engine_of(game), 1) is None


def test_covered_pieces_cannot_be_told(tmp_path: Path) -> None:
    path = write_rules("game/counts", tmp_path, {"STEP": "score: 2, to: me, of: shelf", "FACE": "top seen"})
    assert [(d.code, "covered in `shelf`" in d.message) for d in validate([path])] == [("R401", True)]


def test_rules_that_only_tell_do_not_change_the_digest(tmp_path: Path) -> None:
    """Records and saves from before they were told stay valid. A term that is also played by is a rule."""
    plain = change_rules("game/counts", tmp_path, COUNTS | {"STEP": "score: 2, to: me"}).digest
    telling = COUNTS | {"STEP": "score: 2, to: me, of: 'finest(2)'"}
    telling["terms: {"] = "terms: {finest(n): 'last(shelf, some_of(n))', some_of(n): n, "
    telling["    asked:"] = "    over:   {ends: deal}\n    asked:"
    assert change_rules("game/counts", tmp_path, telling).digest == plain
    played = COUNTS | {"STEP": "score: count(pairs_of(2)), to: me, of: pairs_of(2)"}
    other = played | {"subsets(shelf, n)": "subsets(market, n)"}
    digests = {change_rules("game/counts", tmp_path, changes).digest for changes in (played, other)}
    assert len(digests) == 2


@pytest.mark.slow
def test_every_game_of_tricks_tells_their_winners_and_the_ends_of_deals() -> None:
    for name in originals():
        game = shipped_game(name)
        phases = game.ruleset.phases
        steps = every_step(step for phase in phases.values() for step in phase.steps)
        ends = {step.verb.what for step in steps if isinstance(step.verb, Ends)}
        if ("play the tricks", False) in phases or ("play the tricks", True) in phases:
            assert ends == {"trick", "deal"}, name
        if ("deal", False) in phases or ("deal", True) in phases:
            assert "deal" in ends or len(game.seats) == 1, name


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["cribbage", "scopa", "barbu", "gin-rummy", "piquet-au-cent", "hearts"], 1))
def test_the_last_deal_ends_with_the_game(name: str) -> None:
    log = shipped_game(name).playout(1).core.log or ()
    last = max(n for n, raw in enumerate(log) if raw[0] == "move")
    assert ("ends", ENDED.index("deal")) in [raw[:2] for raw in log[last:]]
