"""What a step brings to somebody who holds pieces: he is told which if he has not seen them, the others how many, and no record says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Source
from interpreter.game.events import told
from interpreter.game.records import lines, replay

"""Nothing is shuffled: dill, then cake … lie on top of the stock."""


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (
            "do: {up: {turn: stock, count: 2, face: up}, taken: {move: stock, count: 2, to: hand}}",
            ["stock, turned up: b b"],
        ),
        ("turn: hand of B, face: up", ["hand of B, turned up: c d"]),
        ("turn: stock, count: 1, face: down", []),
        ("turn: market, face: up", []),
        (
            "do: {two: {move: stock, count: 2, to: seen}, down: {turn: seen, face: down}, up: {turn: seen, face: up}}",
            ["seen, turned up: b", "seen, turned up: b"],
        ),
        ("move: stock, count: 2, to: market", ["market, turned up: b b"]),
        ("move: '(top(hand of A), top(stock))', from: '(hand of A, stock)', to: market", []),
        ("do: {known: {move: market, to: stock}, back: {move: stock, count: 1, to: market}}", ["market, turned up: b"]),
        ("do: {up: {move: stock, count: 1, to: market}, on: {move: market, to: seen}}", ["market, turned up: b"]),
        (
            "do: {laid: {move: stock, count: 2, to: heap}, off: {move: top(heap), to: market}}",
            ["heap, turned up: b"] * 2,
        ),
        ("do: {laid: {move: market, to: heap}, off: {move: heap, to: seen}}", []),
    ],
)
def test_everybody_is_told_what_is_turned_up(step: str, told: list[str], tmp_path: Path) -> None:
    """Though somebody takes it before anybody has decided anything."""
    path = tmp_path / "gifts.yaml"
    path.write_text(
        GAME.replace("STEP", step).replace(
            "market: {}", "market: {}\n  seen: {face: top seen}\n  heap: {face: top up}"
        ),
        encoding="utf-8",
    )
    state = load(path).start(1)
    opened, *turned = [event for event in state.events if event.kind == "turned"]
    assert opened.text("en") == "market, turned up: b"
    for seat in ("A", "B", None):
        assert [event.text("en", seat) for event in turned] == told
    written = list(lines(state.play("go-on"), 1, folder=tmp_path))
    assert not any("turned" in line for line in written)
    assert replay(Source(str(tmp_path / "record"), "\n".join(written))).complete


@pytest.mark.parametrize(
    ("step", "told", "others"),
    [
        (
            "deal: stock, count: 1, to: hand, from: B",
            ["B receives ?", "A receives b"],
            ["B receives b", "A receives ?"],
        ),
        ("move: stock, count: 3, to: hand", ["A receives a b b"], ["A receives 3 × ?"]),
        ("move: top(hand of B), to: hand", ["A receives c"], ["A receives c"]),
        (
            "move: '(bottom(hand of B), top(purse of A))', from: '(hand of B, purse of A)', to: hand",
            ["A receives c d"],
            ["A receives 2 × ?"],
        ),
        ("move: purse of A, to: hand", [], []),
        ("move: market, to: hand", [], []),
        ("move: hand of A, to: stock", [], []),
        ("do: {all: {move: hand, to: stock}, new: {move: stock, count: 2, to: hand}}", [], []),
    ],
)
def test_each_is_told_what_he_may_see(step: str, told: list[str], others: list[str], tmp_path: Path) -> None:
    path = tmp_path / "gifts.yaml"
    path.write_text(GAME.replace("STEP", step), encoding="utf-8")
    state = load(path).start(1)
    received = [event for event in state.events if event.kind == "received"]
    assert [event.text("en", "A") for event in received] == told
    assert [event.text("en", "B") for event in received] == others
    assert all("?" in event.text("en", None) for event in received)
    written = list(lines(state.play("go-on"), 1, folder=tmp_path))
    assert not any("received" in line for line in written)
    assert replay(Source(str(tmp_path / "record"), "\n".join(written))).complete


def test_what_is_laid_out_before_the_first_move_is_not_told(tmp_path: Path) -> None:
    """Whoever looks sees it lie side by side; what came to a single pile is named, and later all is."""
    path = tmp_path / "gifts.yaml"
    step = "do: {one: {move: stock, count: 1, to: stall at 1}, two: {move: stock, count: 2, to: stall at 2}}"
    text = GAME.replace("STEP", step).replace("market: {}", "market: {}\n  stall: {columns: 2, face: up}")
    path.write_text(
        text.replace("[go on]}", "[go on]}\n    later: {move: stock, count: 1, to: stall at 1}"), encoding="utf-8"
    )
    state = load(path).start(1)
    assert [e.text() for _, e in told(state.game.compiled, state.core)] == ["market, turned up: b"]
    later = state.play("go-on")
    known = len(state.core.log or ())
    assert [(n, e.text()) for n, e in told(later.game.compiled, later.core, known)][-1] == (
        known + 1,
        "stall 1, turned up: a",
    )


@pytest.mark.parametrize(
    ("step", "texts"),
    [
        ("do: {up: {move: stock, count: 1, to: market}, name: {say: top(market)}}", ["market, turned up: b"]),
        (
            "do: {up: {move: stock, count: 1, to: market}, first: {say: bottom(market)}, name: {say: top(market)}}",
            ["market, turned up: b"],
        ),
        ("do: {over: {ends: deal}, name: {say: top(market)}}", ["end of the deal", "A — b"]),
        (
            "do: {up: {turn: stock, count: 1, face: up}, words: {say: {en: look}, of: top(stock)}}",
            ["stock, turned up: b", "A — look (b)"],
        ),
    ],
)
def test_a_piece_that_was_just_turned_up_is_not_named_once_more(step: str, texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "gifts.yaml"
    text = GAME.replace("STEP", step)
    path.write_text(text, encoding="utf-8")
    state = load(path).start(1)
    found = [event.text() for _, event in told(state.game.compiled, state.core)]
    assert found == ["market, turned up: b", *texts]




def test_what_a_move_uncovers_is_told_after_it(tmp_path: Path) -> None:
    """A whole row at once, and not what lay there before anybody moved."""
    path = tmp_path / "row.yaml"
    path.write_text(ROW, encoding="utf-8")
    state = load(path).start(1)
    for move in ("clear 2", "row"):
        state = state.play(move)
    assert [event.text() for _, event in told(state.game.compiled, state.core)] == [
        "A clears column 2",
        "column 2, turned up: d",
        "A — row",
        "column 1 … column 4, turned up: b b b b",
    ]
