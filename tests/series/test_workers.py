"""Work that is shared through one seam: whoever does it, the results are the same, in order, each once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace

from interpreter.diagnostics import Diagnostic, Refused, verbatim
from interpreter.game.game import load
from interpreter.native.made import is_ready
from interpreter.series import simulate
from interpreter.series.keeping import Form, Head, Kept
from interpreter.series.match import Match, duplicate
from interpreter.series.portions import timed
from interpreter.series.simulate import FORM, Order, Uses, head_of, series, shares, traced
from interpreter.series.workers import ALONE, Workers, results

TWO = Workers(2)
several = pytest.param(TWO, marks=pytest.mark.whole)


def square(n: int) -> int:
    if n == 7:
        raise Refused([Diagnostic("R901", verbatim("seven"))])
    return n * n


def squares() -> Callable[[int], int]:
    return square


def dying(folder: str) -> Callable[[int], int]:
    """One process of them dies, once."""
    return partial(fragile, folder)


def fragile(folder: str, n: int) -> int:
    died = Path(folder) / "died"
    if n == 3 and not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def kept(folder: Path) -> Kept[int]:
    return Kept(str(folder / "n.jsonl"), Head(series="squares", hangs_on={}), Form(int))


@pytest.mark.parametrize(
    ("workers", "tasks"), [(ALONE, []), (TWO, []), (TWO, [5]), (ALONE, [5, 2, 6, 1]), (TWO, [5, 2, 6, 1])]
)
def test_results_are_those_of_the_tasks(workers: Workers, tasks: list[int]) -> None:
    assert [*results(square, squares, tasks, workers)] == [n * n for n in tasks]


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    with kept(tmp_path) as file:
        assert [*results(square, squares, [1, 2, 3], ALONE, file)] == [1, 4, 9]
    done: list[int] = []

    def noted(n: int) -> int:
        done.append(n)
        return n * n

    with kept(tmp_path) as file:
        assert [*results(noted, squares, [1, 2, 3, 4, 5], ALONE, file)] == [1, 4, 9, 16, 25]
    assert done == [4, 5]


@pytest.mark.parametrize("workers", [ALONE, several])
def test_what_comes_before_a_failure_is_kept(workers: Workers, tmp_path: Path) -> None:
    with kept(tmp_path) as file, pytest.raises(Refused, match="seven"):
        list(results(square, squares, [5, 6, 7, 8, 7], workers, file))
    with kept(tmp_path) as file:
        assert [*file.found] == [25, 36]


@pytest.mark.whole
def test_whoever_dies_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    with kept(tmp_path) as file:
        assert [*results(square, partial(dying, str(tmp_path)), range(7), TWO, file)] == [n * n for n in range(7)]
    with kept(tmp_path) as file:
        assert [*file.found] == [n * n for n in range(7)]


KINDS: list[tuple[str, ...]] = [
    (),
    ("random", "random"),
    ("greedy", "random"),
    ("first", "search:20"),
    ("easy", "easy"),
]


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("games", [1, 2, 31, 32, 33, 70, 1000, 100_000])
def test_each_game_is_in_one_share(kinds: tuple[str, ...], games: int) -> None:
    found = [*shares(Order("any", (), 1, kinds), games)]
    assert [*chain.from_iterable(found)] == [*range(games)] and all(found)


def test_whoever_plays_alone_takes_a_few_games_first() -> None:
    assert [*chain.from_iterable(timed(range(1000)))] == [*range(1000)]
    assert next(timed(range(1000))) == range(1)


ORDER = Order("scopa", (), 5, (), "python")


@pytest.mark.whole
@pytest.mark.parametrize("workers", [ALONE, several])
def test_a_series_is_the_same_whoever_plays_it_and_kept_or_not(workers: Workers, tmp_path: Path) -> None:
    game, heard = traced(ORDER), list[int]()
    wanted = series(game, ORDER, 36)
    assert series(game, ORDER, 36, workers, heard.append) == wanted and sum(heard) == 36
    for _ in range(2):
        with Kept(str(tmp_path / "k.jsonl"), head_of(game, ORDER, 36), FORM) as file:
            assert series(game, ORDER, 36, workers, kept=file) == wanted


@pytest.mark.whole
def test_processes_need_no_file(tmp_path: Path) -> None:
    """Whoever changes the rules while they are played, or has processes elsewhere, has games of one kind."""
    place = tmp_path / "mine.yaml"
    place.write_text("ruleset: 1\ngame: mine\nextends: scopa\n")
    order, match = Order(str(place), (), 3), Match(str(place), (), 3, ("first", "random"))
    game = traced(order)
    wanted, deals = series(game, order, 12), duplicate(load(place), match, 3)
    met = load(place)
    place.unlink()
    assert series(game, order, 12, TWO) == wanted and duplicate(met, match, 3, TWO) == deals


def test_players_who_search_try_as_many_games_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far `easy` searches depends on the engine there is here, and not on that of another machine."""
    asked: list[tuple[str, ...]] = []

    def heard(game: object, order: Order, indices: range) -> tuple[list[object], Uses]:
        asked.append(order.kinds)
        return [], Uses()

    monkeypatch.setattr(simulate, "play_some", heard)
    order = Order("scopa", (), 1, ("easy:score", "random"), "python")
    series(traced(order), order, 1)
    assert asked == [("search:5:score", "random")]
    assert head_of(traced(order), order, 1).hangs_on["seats"] == ("search:5:score", "random")


@pytest.mark.slow
def test_what_one_engine_has_kept_the_other_goes_on_with(tmp_path: Path) -> None:
    game = traced(ORDER)
    native = replace(ORDER, engine="native")
    wanted, name = series(game, ORDER, 2000), str(tmp_path / "k.jsonl")

    def until_then(more: int) -> None:
        raise KeyboardInterrupt

    with Kept(name, head_of(game, ORDER, 2000), FORM) as file, pytest.raises(KeyboardInterrupt):
        series(game, ORDER, 2000, tick=until_then, kept=file)
    with Kept(name, head_of(game, native, 2000), FORM) as file:
        assert len(file.found) == 1
        assert series(game, native, 2000, kept=file) == wanted
    assert is_ready(game.ruleset, game.machine)
