"""Python replays a game that stops the native engine: it reports the same fault as alone, or goes on."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from engines import engine_of, with_compiler
from faults import FAULTS, quiet, ruleset
from rules import write_rules
from tiers import in_tiers, some_now

from hoyle import Game, load
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.native import unit
from hoyle.native.batch import Lanes
from hoyle.native.engine import Native, NativeMachine
from hoyle.running import machine
from hoyle.series.simulate import Order, load_traced, play_series

pytestmark = [with_compiler, pytest.mark.whole]


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
    return play_series(load_traced(order), order, 2)


Way = Callable[[Path, Game], object]
WAYS: tuple[Way, ...] = (stepped, played_out, in_series, simulated)


def outcome(play: Callable[[], object]) -> object:
    """The result of a game, or the errors."""
    try:
        return play()
    except Refused as refused:
        return refused.diagnostics


def codes(found: object) -> list[str]:
    return [one.code for one in found if isinstance(one, Diagnostic)] if isinstance(found, list | tuple) else []


def agree(path: Path, stops: bool, code: list[str], ways: Sequence[Way] = WAYS[:3]) -> None:
    """A game stops the native engine or not, and ends alike in these ways to play it: with this error, or without one."""
    python, native = load(path, engine="python"), load(path, engine="native")
    assert isinstance(native.machine, NativeMachine)
    engine = native.machine.native
    assert isinstance(engine, Native) and (engine.playout(0, 0, 9, False) is None) == stops
    for way in ways:
        told, same = (outcome(partial(way, path, game)) for game in (native, python))
        assert told == same and codes(told) == code, way


STEPS = [(step, code) for step, code, *_ in FAULTS]
NOW = STEPS[-1:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset in another folder would be built anew."""
    return tmp_path_factory.mktemp("faults")


@pytest.mark.parametrize(("step", "code"), in_tiers(STEPS, whole=NOW))
def test_a_fault_of_the_rules(step: str, code: str, folder: Path) -> None:
    agree(ruleset(step, code, folder), True, [code])


def test_a_fault_of_the_rules_in_a_series_that_counts_uses(folder: Path) -> None:
    agree(ruleset(*NOW[0], folder), True, [NOW[0][1]], [simulated])


def test_a_fault_of_the_rules_ends_the_game_of_a_lane(folder: Path) -> None:
    lanes = Lanes(engine_of(load(ruleset(*NOW[0], folder), engine="python")), 2, 7)
    totals = lanes.play(6)
    assert totals[1] == 0 and totals[2] > 0
    assert not any(totals[3:7])


@pytest.mark.parametrize(("most", "code"), some_now([(183, []), (182, ["R906"]), (50, ["R906"]), (4000, [])], 1))
def test_steps_without_a_decision(most: int, code: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The native engine counts some steps one by one that Python does at once, so that it stops no later."""
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))  # the limit is not part of the key
    for module in (machine, unit):
        monkeypatch.setattr(module, "MOST_BLOCKS", most)
    agree(quiet(tmp_path), most < 4000, code)


BILLIONS = "(n * 1000000000 for n in 1..9)"
DOES = {
    "numbers too large for an action": (BILLIONS, "1"),
    "more subsets than there is memory for": ("1..3", "count(subsets(box + box, 4))"),
    "more actions than there is memory for": ("1..3000", "1"),
    "numbers too large to sort by": ("1..3", f"last(sorted{BILLIONS}) div 1000000000"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("bound", "total"), DOES.values(), ids=DOES)
def test_a_state_that_is_too_large(bound: str, total: str, tmp_path: Path) -> None:
    agree(write_rules("native/much", tmp_path, {"n: 1..3": f"n: {bound}", 'total: "1"': f'total: "{total}"'}), True, [])
