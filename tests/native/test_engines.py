"""Both engines play the same games, letter for letter: the same actions in the same order, the same states, events and results."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from engines import Going, compared, difference, engine, engine_of, with_compiler
from games import FEW, game, names, originals
from tiers import in_tiers

from interpreter import load
from interpreter.diagnostics import Refused
from interpreter.game import playouts
from interpreter.game.playouts import counted
from interpreter.native.made import NoNativeEngine, with_native
from interpreter.running.chance import Chance
from interpreter.series.pairs import settings, values_of
from interpreter.series.simulate import Order, account, series, traced

pytestmark = with_compiler
SHIPPED = in_tiers([name for name, _ in names()], whole=["crapette", "barbu"])


@pytest.mark.parametrize("name", SHIPPED)
def test_states_and_events_are_the_same_at_every_decision(name: str) -> None:
    for seed in range(3):
        assert difference(game(name), engine(name), seed) is None


@pytest.mark.whole
def test_a_difference_is_found_by_whoever_looks_for_one() -> None:
    """With other options the engine's game is another one."""
    assert difference(load("klondike", draw=1), engine("klondike"), 1) is not None
    assert compared(load("klondike", draw=1), engine("klondike"), 1, 400)[1] is not None


@pytest.mark.whole
@pytest.mark.parametrize("where", ["cells", "piles", "acts", "faults", "chance", "actor", "log", "order"])
def test_whatever_differs_is_found_where_states_are_compared_as_rows(where: str) -> None:
    one = game("crapette")
    ours, theirs = one.machine.start(Chance.stream(3), log=True), Going(engine("crapette"))
    begin = Chance.stream(3)
    assert theirs.made("start", ctypes.c_ulonglong(begin.state), ctypes.c_ulonglong(begin.step))
    assert theirs.differs(ours, 0) is None
    changed = ours.copy()
    match where:
        case "cells":
            changed.cells[0] += 1
        case "piles":
            max(changed.piles, key=len).reverse()
        case "acts":
            changed.acts = changed.acts[1:]
        case "order":
            changed.acts = changed.acts[::-1]
        case "faults":
            changed.faults = (*changed.faults, 0)
        case "chance":
            changed.chance.below(7)
        case "actor":
            changed.actor = 1 - changed.actor
        case _:
            assert changed.log
            changed.log.pop()
    assert theirs.differs(changed, 0) is not None
    assert theirs.differs(ours, 0) is None


@pytest.mark.slow
def test_the_program_that_compares_many_games() -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "tests/native_agreement.py", "golf", "--games", "3", "--jobs", "1"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"golf +3 games +\d+ decisions +[\d.]+ s  the same\n", done.stdout)
    command[2:] = ["klondike", "--games", "4", "--jobs", "1", "--settings", "--most", "5"]
    assert subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.count(b"the same") == 1


@pytest.mark.whole
@pytest.mark.parametrize("most", [0, 7, 100_000])
def test_decisions_of_a_random_game_are_counted(most: int) -> None:
    one = game("hearts")
    natively = with_native(one.machine, engine("hearts"))
    for log in (True, False):
        (ours, count), (theirs, same) = (m.playout(3, 0, log, most) for m in (one.machine, natively))
        assert (theirs.key(), theirs.log, same) == (ours.key(), ours.log, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in names()])
def test_two_hundred_whole_games_are_the_same_at_every_decision(name: str) -> None:
    """`native_agreement.py` compares more. Every tenth game is played once more with states that are handed back and forth, as programs do."""
    for seed in range(200):
        assert compared(game(name), engine(name), seed, 10_000)[1] is None, seed
        assert seed % 10 or difference(game(name), engine(name), seed, most=10_000) is None, seed


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in names()])
def test_a_series_comes_to_the_same(name: str) -> None:
    played, _ = engine(name).series(11, 0, 20)
    assert played == [counted(game(name).compiled, 11, index) for index in range(20)]


@pytest.mark.slow
@pytest.mark.parametrize("name", originals())
def test_settings_of_options_play_the_same(name: str) -> None:
    """A quarter of those that together hold every pair of choices."""
    tried = 0
    for number, row in enumerate([*settings(values_of(game(name)))][::4]):
        try:
            one = load(name, row)
        except Refused:
            continue
        assert difference(one, engine_of(one), number, most=100) is None, row
        tried += 1
    assert tried


@pytest.mark.parametrize("name", in_tiers(FEW, whole=FEW[:1]))
@pytest.mark.slow
def test_rules_are_used_as_often(name: str) -> None:
    kinds: tuple[Literal["python"], Literal["native"]] = ("python", "native")
    orders = [Order(name, (), 5, (), kind) for kind in kinds]
    games = [traced(order) for order in orders]
    ours, theirs = (account(g, series(g, o, 12)).data() for g, o in zip(games, orders, strict=True))
    assert ours == theirs


@pytest.mark.whole
def test_threads_share_an_engine() -> None:
    shared = engine("hearts")
    alone = [shared.series(3, first, 40)[0] for first in range(0, 160, 40)]
    with ThreadPoolExecutor(4) as pool:
        together = [*pool.map(lambda first: shared.series(3, first, 40)[0], range(0, 160, 40))]
    assert together == alone


def test_who_does_not_ask_for_an_engine_plays_without_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A compiler that says its name and builds nothing costs nobody a series."""
    bad = tmp_path / "cc"
    bad.write_text('#!/bin/sh\n[ "$1" = --version ] && echo bad 1.0 && exit 0\nexit 1\n')
    bad.chmod(0o755)
    monkeypatch.setenv("CC", str(bad))
    monkeypatch.setattr(playouts, "REPAYS", -1.0)
    with pytest.warns(NoNativeEngine):
        found = load("golf").playouts(1, 20)
    assert found == load("golf", engine="python").playouts(1, 20)
    with pytest.raises(Refused, match="R910"):
        load("golf", engine="native")


def test_what_is_asked_of_a_series_is_looked_at() -> None:
    one = load("golf")
    with pytest.raises(ValueError, match="numbered"):
        one.playouts(1, -5)
    with pytest.raises(TypeError, match="seed"):
        one.playouts("x", 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no engine"):
        load("golf", engine="fast")  # type: ignore[arg-type]
