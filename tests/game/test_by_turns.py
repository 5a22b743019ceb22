"""What the native engine leaves to Python while it plays games or works out values: nothing is left out, and nothing done twice."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.diagnostics import Diagnostic, Refused, verbatim
from interpreter.game import evaluators, playouts
from interpreter.game.evaluators import Evaluator
from interpreter.running.tallies import Tallies

SCENES = Path(__file__).parent / "scenes"
LADDER, CABINET = (load(SCENES / f"{name}.yaml", engine="python") for name in ("ladder", "cabinet"))


class Fitful:
    """Plays games until one that it cannot play."""

    def __init__(self, game: Game, cannot: Collection[int]) -> None:
        self.game, self.cannot, self.calls = game, cannot, 0

    def series(self, seed: int, first: int, wanted: int) -> tuple[list[Tallies], Sequence[int]]:
        self.calls += 1
        able = next((n for n in range(wanted) if first + n in self.cannot), wanted)
        return [playouts.counted(self.game.compiled, seed, first + n) for n in range(able)], [1000] * len(
            self.game.machine.hits
        )


@pytest.mark.parametrize("cannot", [(), (3,), (5, 6), (11,), range(3, 12)])
@pytest.mark.parametrize(("engine", "ready"), [("native", False), ("auto", True), ("auto", False)])
def test_each_game_is_played_once(
    engine: Any, ready: bool, cannot: Collection[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where machine code is not ready, Python plays the first games, until it repays to build it."""
    native = Fitful(LADDER, cannot)
    monkeypatch.setattr(playouts, "engine_of", lambda *_, **__: native)
    monkeypatch.setattr(playouts, "is_ready", lambda *_: ready)
    monkeypatch.setattr(playouts, "TRIED", 2)
    monkeypatch.setattr(playouts, "REPAYS", -1.0)
    monkeypatch.setattr(LADDER.machine, "hits", [0])
    monkeypatch.setattr(LADDER.machine, "counters", {})
    found = list(chain.from_iterable(playouts.random_games(LADDER.compiled, engine, 7, 3, 9)))
    assert found == [playouts.counted(LADDER.compiled, 7, n) for n in range(3, 12)]
    assert LADDER.machine.hits == [1000 * native.calls]


@pytest.mark.parametrize(("games", "calls"), [(8, False), (9, True)])
def test_for_few_games_no_engine_is_looked_for(games: int, calls: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    native = Fitful(LADDER, ())
    monkeypatch.setattr(playouts, "engine_of", lambda *_, **__: native)
    monkeypatch.setattr(playouts, "is_ready", lambda *_: True)
    monkeypatch.setattr(playouts, "TRIED", 8)
    assert len(list(chain.from_iterable(playouts.random_games(LADDER.compiled, "auto", 7, 0, games)))) == games
    assert (native.calls > 0) == calls


def test_what_a_game_is_refused_for_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    text = "ruleset: 1\ngame: broken\nextends: ladder.yaml\nflow: {game: {first: {before: mixed, check: count(heap) is 3}}}\n"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "ladder.yaml").write_text((SCENES / "ladder.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    broken = load(path, engine="python").compiled
    for by_native in (False, True):
        games = playouts._by_native(broken, Fitful(LADDER, (4,)), 9, 4, 1) if by_native else None  # type: ignore[arg-type]
        with pytest.raises(Refused) as refused:
            list(games or playouts.random_games(broken, "python", 9, 4, 1))
        (told,) = refused.value.diagnostics
        assert (told.code, told.notes[-1]) == ("R901", "in game 5 of the series with seed 9")


# ---- values of a formula ---------------------------------------------------------------------------------------------


class Halting:
    """Works out so many values by each call, each of which is 77 to it."""

    def __init__(self, able: int) -> None:
        self.able = able

    def context(self) -> None:
        return None

    def values(self, _: None, given: object, wanted: int, address: int) -> int:
        came = min(self.able, wanted)
        for n in range(came):
            ctypes.c_int64.from_address(address + 8 * n).value = 77
        return came


def asked(engine: Any) -> Evaluator:
    return Evaluator(CABINET.compiled, engine, "count(pack) * 10 + count(pot)", ("pack", "pot"))


GIVEN = ([["AH"] * (n % 3) for n in range(7)], array("i", [0, 2, 4, 6, 8, 10, 0]))
VALUES = [1, 11, 21, 1, 11, 21, 1]


@pytest.mark.parametrize("able", [0, 1, 2, 7])
def test_each_value_is_worked_out_once(able: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluators, "NativeFormula", Halting)
    monkeypatch.setattr(evaluators, "native_formula", lambda *_: Halting(able))
    found = [*asked("native").many(*GIVEN)]
    assert found == [VALUES[n] if n % (able + 1) == able else 77 for n in range(7)]


@pytest.mark.parametrize(("count", "ready", "sized"), [(6, False, False), (7, False, True), (6, True, True)])
def test_for_many_values_a_formula_is_built_for_the_sizes_of_its_piles(
    count: int, ready: bool, sized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[object] = []

    def built(_: object, sizes: object) -> Halting:
        wanted.append(sizes)
        return Halting(7)

    monkeypatch.setattr(evaluators, "_SIZED", 7)
    monkeypatch.setattr(evaluators, "NativeFormula", Halting)
    monkeypatch.setattr(evaluators, "is_formula_ready", lambda _, sizes: ready)
    monkeypatch.setattr(evaluators, "native_formula", built)
    assert [*asked("native").many(*(given[:count] for given in GIVEN))] == [77] * count
    assert wanted == [((CABINET.ruleset.piles["pot"].base, 1),) if sized else ()]


@pytest.mark.parametrize("missing", [True, False])
def test_without_machine_code_python_works_values_out_and_says_so(
    missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = Diagnostic("R908", verbatim("a formula of a new sort"))

    def built(*_: object) -> Diagnostic:
        if missing:
            return why
        raise Refused([why])

    monkeypatch.setattr(evaluators, "native_formula", built)
    monkeypatch.setattr(evaluators, "is_formula_ready", lambda *_: True)
    told: list[object] = []
    monkeypatch.setattr(evaluators, "warn", lambda _, what: told.append(what))
    assert [*asked("auto").many(*GIVEN)] == VALUES
    assert told == [why]
    if not missing:
        with pytest.raises(Refused):
            asked("native").many(*GIVEN)


@pytest.mark.parametrize("shape", [(), (2, 2, 2)])
def test_contents_have_rows(shape: tuple[int, ...]) -> None:
    given = memoryview(ctypes.c_int(0)) if not shape else memoryview(bytes(8)).cast("B", shape)
    with pytest.raises(ValueError, match="a row for each value"):
        asked("python").many(given, GIVEN[1])
