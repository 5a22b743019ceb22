"""Both engines play the same games: the same actions in the same order, the same states, events and results."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from engines import GAMES, SMALL, compared, difference, engine, engine_of, with_compiler
from games import game
from tiers import sized

from hoyle import Game, load
from hoyle.diagnostics import Refused
from hoyle.game import playouts
from hoyle.game.playouts import play_game
from hoyle.native import engine_builder
from hoyle.native.engine_builder import NoNativeEngine, with_native
from hoyle.series.option_pairs import list_settings, list_values
from hoyle.series.simulate import Order, load_traced, play_series, summarize

pytestmark = with_compiler


@pytest.mark.whole
@pytest.mark.parametrize("name", SMALL)
def test_states_and_events_are_the_same_at_every_decision(name: str) -> None:
    assert difference(game(name), engine(name), 1) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_two_hundred_whole_games_are_the_same_at_every_decision(name: str) -> None:
    """Every tenth game is played once more with states that are handed to the engine and back, as programs do."""
    for seed in range(200):
        assert compared(game(name), engine(name), seed, 10_000)[1] is None, seed
        assert seed % 10 or difference(game(name), engine(name), seed, most=10_000) is None, seed


@pytest.mark.whole
def test_comparisons_find_differences() -> None:
    other = load("backgammon", doubling_cube=True)
    assert difference(other, engine("backgammon"), 1) is not None
    assert compared(other, engine("backgammon"), 1, 400)[1] is not None


@pytest.mark.slow
def test_the_program_that_compares_many_games() -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "tests/native_agreement.py", "golf", "--games", "4", "--jobs", "1", "--settings"]
    done = subprocess.run([*command, "--most", "50"], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"golf +4 games +\d+ decisions +[\d.]+ s  the same\n", done.stdout)


@pytest.mark.whole
@pytest.mark.parametrize("most", [0, 7, 100_000])
def test_decisions_of_a_random_game_are_counted(most: int) -> None:
    """With events, pieces of a pile leave one by one, without them at once."""
    one = game("garanguet")
    natively = with_native(one.machine, engine("garanguet"))
    for log in (True, False):
        (ours, count), (theirs, same) = (m.playout(3, 0, log, most) for m in (one.machine, natively))
        assert (theirs.key(), theirs.log, same, theirs.acts) == (ours.key(), ours.log, count, ours.acts)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_series_comes_to_the_same(name: str) -> None:
    played, _ = engine(name).series(11, 0, 20)
    assert played == [play_game(game(name).compiled, 11, index) for index in range(20)]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_settings_of_options_play_the_same(name: str) -> None:
    """A quarter of those that together hold every pair of choices."""
    tried = 0
    for number, row in enumerate([*list_settings(list_values(game(name)))][::4]):
        try:
            one = load(name, row)
        except Refused:
            continue
        assert difference(one, engine_of(one), number, most=100) is None, row
        tried += 1
    assert tried


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES[::4])
def test_rules_are_used_as_often(name: str) -> None:
    kinds: tuple[Literal["python"], Literal["native"]] = ("python", "native")
    orders = [Order(name, (), 5, (), kind) for kind in kinds]
    games = [load_traced(order) for order in orders]
    ours, theirs = (summarize(g, play_series(g, o, 12)).data() for g, o in zip(games, orders, strict=True))
    assert ours == theirs


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cribbage", "hearts"])
def test_the_subset_that_is_taken_is_the_one_of_its_number(name: str) -> None:
    """Only subsets that are taken or shown are listed: after some decisions all that may be taken are shown."""
    python, native, taken = game(name).machine, engine(name), set()
    for seed in range(sized(20, 60)):
        for most in range(6):
            ours, _ = python.playout(seed, most=most)
            theirs = native.playout(seed, 0, most, log=False)
            assert theirs is not None
            assert (theirs[0].key(), theirs[0].acts) == (ours.key(), ours.acts)
            taken.add(str(ours.acts[0]))
    assert len(taken) > 20


@pytest.mark.whole
def test_threads_share_an_engine() -> None:
    shared = engine("garanguet")
    alone = [shared.series(3, first, 5)[0] for first in range(0, 20, 5)]
    with ThreadPoolExecutor(4) as pool:
        together = [*pool.map(lambda first: shared.series(3, first, 5)[0], range(0, 20, 5))]
    assert together == alone


@pytest.mark.whole
def test_a_broken_compiler_is_a_warning_unless_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = tmp_path / "cc"
    bad.write_text('#!/bin/sh\n[ "$1" = --version ] && echo bad 1.0 && exit 0\nexit 1\n')
    bad.chmod(0o755)
    monkeypatch.setenv("CC", str(bad))
    monkeypatch.setattr(playouts, "REPAYS", -1.0)
    monkeypatch.setattr(engine_builder, "_warned", set())
    with pytest.warns(NoNativeEngine):
        found = load("golf").playouts(1, 20)
    assert found == load("golf", engine="python").playouts(1, 20)
    with pytest.raises(Refused, match="R910"):
        load("golf", engine="native")


@pytest.mark.parametrize(("first", "games", "error"), [(1, -5, "numbered"), ("x", 2, "seed")], ids=["count", "seed"])
def test_a_wrong_series_is_refused(first: object, games: int, error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error):
        game("golf").playouts(first, games)  # type: ignore[arg-type]


def test_an_engine_has_a_known_name() -> None:
    with pytest.raises(ValueError, match="no engine"):
        load("golf", engine="fast")  # type: ignore[arg-type]


TESTS = Path(__file__).parents[1]
FLOW = TESTS / "compiling" / "flow"


def agree(one: Game, seeds: int) -> None:
    other = engine_of(one)
    assert [difference(one, other, seed) for seed in range(seeds)] == [None] * seeds


@pytest.mark.slow
@pytest.mark.parametrize("weighed", ["many", "even", "spare", "both", "all", "evenly", "anyhow"])
def test_whole_turns_are_weighed_alike(weighed: str) -> None:
    one = load(FLOW / "_weighed.yaml", {"weighed": weighed})
    agree(one, 12)
    assert one.playout(0).decisions > 8


@pytest.mark.whole
def test_an_action_that_takes_the_last_one_back_is_tried() -> None:
    """It is refused if it changes nothing, which depends on the last action."""
    one = load(FLOW / "_back.yaml")
    laid, passed = (one.start().play(move) for move in (one.start().moves()[0], "pass"))
    assert {move.name for move in laid.moves()} >= {"undo"} and "undo" not in {move.name for move in passed.moves()}
    agree(one, 12)


@pytest.mark.slow
def test_more_piles_and_cards_than_a_word_has_bits() -> None:
    """Piles that a try changes are marked by bits, several to one; dice are drawn from a set of kinds."""
    one = load(TESTS / "native" / "wide.yaml")
    agree(one, 6)
    assert one.playout(0).decisions == 6
