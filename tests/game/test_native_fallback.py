"""Games and values that the native engine leaves to Python: none is skipped, none is computed twice."""

import ctypes
from array import array
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from rules import change_rules, load_rules, write_rules

from hoyle import Game
from hoyle.diagnostics import Diagnostic, Refused, verbatim
from hoyle.game import evaluators, playouts
from hoyle.game.evaluators import Evaluator
from hoyle.running.outcomes import Tallies


@pytest.fixture
def ladder() -> Game:
    return load_rules("game/ladder")


@pytest.fixture
def cabinet() -> Game:
    return load_rules("game/cabinet")


class Fitful:
    """Plays games until one that it cannot play."""

    def __init__(self, game: Game, cannot: Collection[int]) -> None:
        self.game, self.cannot, self.calls = game, cannot, 0

    def series(self, seed: int, first: int, wanted: int) -> tuple[list[Tallies], Sequence[int]]:
        self.calls += 1
        able = next((n for n in range(wanted) if first + n in self.cannot), wanted)
        played = [playouts.play_game(self.game.compiled, seed, first + n) for n in range(able)]
        return played, [1000] * len(self.game.machine.hits)


@pytest.mark.whole
@pytest.mark.parametrize("cannot", [(5, 6), (), (11,)])
@pytest.mark.parametrize(("engine", "ready"), [("auto", False), ("native", False), ("auto", True)])
def test_each_game_is_played_once(
    engine: Any, ready: bool, cannot: Collection[int], ladder: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While machine code is not ready, Python plays the first games, until building repays."""
    native = Fitful(ladder, cannot)
    monkeypatch.setattr(playouts, "engine_of", lambda *_, **__: native)
    monkeypatch.setattr(playouts, "is_ready", lambda *_: ready)
    monkeypatch.setattr(playouts, "TRIED", 2)
    monkeypatch.setattr(playouts, "REPAYS", -1.0)
    monkeypatch.setattr(ladder.machine, "hits", [0])
    monkeypatch.setattr(ladder.machine, "counters", {})
    found = list(chain.from_iterable(playouts.play_random_games(ladder.compiled, engine, 7, 3, 9)))
    assert found == [playouts.play_game(ladder.compiled, 7, n) for n in range(3, 12)]
    assert native.calls and ladder.machine.hits == [1000 * native.calls]


@pytest.mark.parametrize(("games", "calls"), [(8, False), (9, True)])
def test_few_games_need_no_engine(games: int, calls: bool, ladder: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    native = Fitful(ladder, ())
    monkeypatch.setattr(playouts, "engine_of", lambda *_, **__: native)
    monkeypatch.setattr(playouts, "is_ready", lambda *_: True)
    monkeypatch.setattr(playouts, "TRIED", 8)
    assert len(list(chain.from_iterable(playouts.play_random_games(ladder.compiled, "auto", 7, 0, games)))) == games
    assert (native.calls > 0) == calls


@pytest.mark.whole
def test_a_refusal_names_the_game_of_the_series(ladder: Game, tmp_path: Path) -> None:
    write_rules("game/ladder", tmp_path, {})
    broken = change_rules("game/broken", tmp_path, {}).compiled
    for by_native in (False, True):
        games = playouts._play_natively(broken, Fitful(ladder, (4,)), 9, 4, 1) if by_native else None  # type: ignore[arg-type]
        with pytest.raises(Refused) as refused:
            list(games or playouts.play_random_games(broken, "python", 9, 4, 1))
        (told,) = refused.value.diagnostics
        assert (told.code, told.notes[-1]) == ("R901", "in game 5 of the series with seed 9")


# ---- values of a formula ---------------------------------------------------------------------------------------------


class Halting:
    """Evaluates this many values in each call; each is 77."""

    def __init__(self, able: int) -> None:
        self.able = able

    def context(self) -> None:
        return None

    def values(self, _: None, given: object, wanted: int, address: int) -> int:
        came = min(self.able, wanted)
        for n in range(came):
            ctypes.c_int64.from_address(address + 8 * n).value = 77
        return came


def make_evaluator(game: Game, engine: Any) -> Evaluator:
    return Evaluator(game.compiled, engine, "count(pack) * 10 + count(pot)", ("pack", "pot"))


GIVEN = ([["AH"] * (n % 3) for n in range(7)], array("i", [0, 2, 4, 6, 8, 10, 0]))
VALUES = [1, 11, 21, 1, 11, 21, 1]


@pytest.mark.parametrize("able", [0, 1, 2, 7])
def test_each_value_is_computed_once(able: int, cabinet: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluators, "NativeFormula", Halting)
    monkeypatch.setattr(evaluators, "native_formula", lambda *_: Halting(able))
    found = [*make_evaluator(cabinet, "native").many(*GIVEN)]
    assert found == [VALUES[n] if n % (able + 1) == able else 77 for n in range(7)]


@pytest.mark.parametrize(("count", "ready", "is_sized"), [(6, False, False), (7, False, True), (6, True, True)])
def test_many_values_build_the_formula_for_its_pile_sizes(
    count: int, ready: bool, is_sized: bool, cabinet: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[object] = []

    def build(_: object, sizes: object) -> Halting:
        wanted.append(sizes)
        return Halting(7)

    monkeypatch.setattr(evaluators, "_REPAYS_SIZES", 7)
    monkeypatch.setattr(evaluators, "NativeFormula", Halting)
    monkeypatch.setattr(evaluators, "is_formula_ready", lambda _, sizes: ready)
    monkeypatch.setattr(evaluators, "native_formula", build)
    assert [*make_evaluator(cabinet, "native").many(*(given[:count] for given in GIVEN))] == [77] * count
    assert wanted == [((cabinet.ruleset.piles["pot"].base, 1),) if is_sized else ()]


@pytest.mark.parametrize("missing", [True, False])
def test_without_machine_code_python_evaluates(missing: bool, cabinet: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    why = Diagnostic("R908", verbatim("a formula of a new sort"))

    def build(*_: object) -> Diagnostic:
        if missing:
            return why
        raise Refused([why])

    monkeypatch.setattr(evaluators, "native_formula", build)
    monkeypatch.setattr(evaluators, "is_formula_ready", lambda *_: True)
    warned: list[object] = []
    monkeypatch.setattr(evaluators, "warn", lambda _, what: warned.append(what))
    assert [*make_evaluator(cabinet, "auto").many(*GIVEN)] == VALUES
    assert warned == [why]
    if not missing:
        with pytest.raises(Refused):
            make_evaluator(cabinet, "native").many(*GIVEN)


@pytest.mark.parametrize("shape", [(), (2, 2, 2)])
def test_contents_have_rows(shape: tuple[int, ...], cabinet: Game) -> None:
    given = memoryview(ctypes.c_int(0)) if not shape else memoryview(bytes(8)).cast("B", shape)
    with pytest.raises(ValueError, match="a row for each value"):
        make_evaluator(cabinet, "python").many(given, GIVEN[1])
