"""What stops the native engine is played again by Python, which tells it as it would have told it alone, or goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from engines import with_compiler
from faults import FAULTS, quiet, ruleset
from tiers import in_tiers, some_now

from interpreter import Game, load
from interpreter.diagnostics import Diagnostic, Refused
from interpreter.native import unit
from interpreter.native.engine import Native, NativeMachine
from interpreter.running import machine
from interpreter.series.simulate import Order, series, traced

pytestmark = with_compiler


def stepped(path: Path, game: Game) -> object:
    state = game.start()
    while not state.is_over:
        state = state.play(state.moves()[0])
    return state.to_json()


def played_out(path: Path, game: Game) -> object:
    return game.playout().to_json()


def in_series(path: Path, game: Game) -> object:
    return game.playouts(0, 2)


def simulated(path: Path, game: Game) -> object:
    order = Order(str(path), (), 0, (), game.engine)
    return series(traced(order), order, 2)


WAYS = (stepped, played_out, in_series, simulated)


def outcome(play: Callable[[], object]) -> object:
    """What a game comes to, or what is told of it."""
    try:
        return play()
    except Refused as refused:
        return refused.diagnostics


def codes(found: object) -> list[str]:
    return [one.code for one in found if isinstance(one, Diagnostic)] if isinstance(found, list | tuple) else []


def both(path: Path) -> tuple[Game, Game, Native]:
    """The game as Python plays it and as the native engine does, and that engine."""
    python, native = load(path, engine="python"), load(path, engine="native")
    assert isinstance(native.machine, NativeMachine) and native.machine.native is not None
    return python, native, native.machine.native


STEPS = [(step, code) for step, code, *_ in FAULTS]


@pytest.mark.parametrize(("step", "code"), in_tiers(STEPS, whole=[*{c: (s, c) for s, c in STEPS}.values()][::3]))
def test_a_fault_is_told_the_same(step: str, code: str, tmp_path: Path) -> None:
    path = ruleset(step, code, tmp_path)
    python, native, engine = both(path)
    assert engine.playout(0, 0, 9, False) is None
    for way in WAYS:
        told, same = (outcome(partial(way, path, game)) for game in (native, python))
        assert told == same and codes(told) == [code], way


@pytest.mark.whole
@pytest.mark.parametrize(("most", "code"), some_now([(182, ["R906"]), (183, []), (50, ["R906"]), (4000, [])], 1))
def test_steps_without_a_decision(most: int, code: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some steps that Python does at once the native engine counts one by one, so that it stops no later."""
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))
    for module in (machine, unit):
        monkeypatch.setattr(module, "MOST_BLOCKS", most)
    python, native, engine = both(quiet(tmp_path))
    assert (engine.playout(0, 0, 9, False) is None) == (most < 4000)
    for way in WAYS:
        told, same = (outcome(partial(way, quiet(tmp_path), game)) for game in (native, python))
        assert told == same and codes(told) == code, way


MUCH = """
ruleset: 1
game: much
players: {count: 2, seats: [A, B]}
tables: {ranks: {rows: {low: {}, high: {}}}}
pieces: {card: {of: [ranks], copies: 9, from: box}}
piles: {box: {room: 18}}
state: {total: {range: 0..1000000}}
moves:
  go: {rule: {at: §1, en: Go.}, with: {n: WITH}}
flow:
  game:
    first:  {by: A, choose: [go]}
    middle: {set: {total: "SET"}}
    second: {by: B, choose: [go]}
result: {best: total}
"""
BILLIONS = "(n * 1000000000 for n in 1..9)"
DOES = {
    "more subsets than there is memory for": ("1..3", "count(subsets(box + box, 4))"),
    "more actions than there is memory for": ("1..3000", "1"),
    "numbers too large to be ordered by": ("1..3", f"last(sorted{BILLIONS}) div 1000000000"),
    "numbers too large for an action": (BILLIONS, "1"),
}


@pytest.mark.whole
@pytest.mark.parametrize("does", some_now(DOES, 1))
def test_what_is_too_much_goes_on_in_python(does: str, tmp_path: Path) -> None:
    (bound, set), path = DOES[does], tmp_path / "much.yaml"
    path.write_text(MUCH.replace("WITH", bound).replace("SET", set), encoding="utf-8")
    python, native, engine = both(path)
    assert engine.playout(0, 0, 9, False) is None
    for way in WAYS:
        assert way(path, native) == way(path, python), way
