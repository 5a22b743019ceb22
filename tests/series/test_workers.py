"""Shared work: whoever does it, the results are the same, in order, each once; and no process outlives its work."""

import multiprocessing
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from rules import gathering_at
from tasks import dying, square, squares

from hoyle.diagnostics import Refused
from hoyle.game.game import load
from hoyle.game.records.records import record_lines
from hoyle.series import analysis, workers
from hoyle.series.match import Match, play_match
from hoyle.series.result_file import Header, ResultFile, ResultFormat
from hoyle.series.simulate import Order, load_traced, play_series, split_games
from hoyle.series.variants import Plan, Variant, play_plan
from hoyle.series.workers import ALONE, MOST_DEATHS, Workers, run_in_processes, run_tasks, serve_tasks, split_by_time

TWO = Workers(2)
WORDS = ["simulate", "grabuge", "--seed", "3", "--json", "-n", "1000000", "-j2", "--out", "r.json"]


def kept(folder: Path) -> ResultFile[int]:
    return ResultFile(str(folder / "n.jsonl"), Header(series="squares", hangs_on={}), ResultFormat(int))


@pytest.mark.parametrize(("workers", "tasks"), [(ALONE, []), (TWO, []), (TWO, [5]), (ALONE, [5, 2, 6, 1])])
def test_results_are_those_of_the_tasks(workers: Workers, tasks: list[int]) -> None:
    assert [*run_tasks(square, squares, tasks, workers)] == [n * n for n in tasks]


def test_kept_results_are_not_computed_again(tmp_path: Path) -> None:
    with kept(tmp_path) as file:
        assert [*run_tasks(square, squares, [1, 2, 3], ALONE, file)] == [1, 4, 9]
    done: list[int] = []

    def noted(n: int) -> int:
        done.append(n)
        return n * n

    with kept(tmp_path) as file:
        assert [*run_tasks(noted, squares, [1, 2, 3, 4, 5], ALONE, file)] == [1, 4, 9, 16, 25]
    assert done == [4, 5]


# ---- processes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [ALONE, pytest.param(TWO, marks=pytest.mark.whole)])
def test_failure_arrives_whole_and_earlier_results_are_kept(workers: Workers, tmp_path: Path) -> None:
    with kept(tmp_path) as file, pytest.raises(Refused, match="seven") as refused:
        list(run_tasks(square, squares, [5, 6, 7, 8, 7], workers, file))
    span = refused.value.diagnostics[0].span
    assert span is not None and (span.source.name, span.text) == ("a.yaml", "text")
    assert multiprocessing.active_children() == []
    with kept(tmp_path) as file:
        assert [*file.found] == [25, 36]


@pytest.mark.whole
def test_killed_process_loses_and_doubles_nothing(tmp_path: Path) -> None:
    with kept(tmp_path) as file:
        found = [*run_tasks(square, partial(dying, str(tmp_path), False), range(7), TWO, file)]
    assert found == [n * n for n in range(7)]
    with kept(tmp_path) as file:
        assert [*file.found] == found


@pytest.mark.parametrize(("before", "done"), [(True, []), (False, [3])], ids=["before a task", "before its result"])
def test_process_whose_parent_is_gone_ends_silently(before: bool, done: list[int]) -> None:
    ours, theirs = multiprocessing.Pipe()
    found: list[int] = []

    def work(n: int) -> int:
        found.append(n)
        ours.close()
        return n

    if before:
        ours.close()
    else:
        ours.send(3)
    serve_tasks(theirs, lambda: work)
    assert found == done


@pytest.mark.slow
def test_processes_that_die_again_and_again_are_given_up(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        list(run_in_processes(partial(dying, str(tmp_path), True), [3] * (MOST_DEATHS + 2), 1))
    assert [d.code for d in refused.value.diagnostics] == ["R907"]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_signal_to_a_series_ends_all_its_processes(tmp_path: Path, number: int, code: int) -> None:
    psutil, end = pytest.importorskip("psutil"), time.monotonic() + 60
    command = [sys.executable, "-m", "hoyle", *WORDS]
    series = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children: list[Any] = []
    while time.monotonic() < end and len(children) < 2:
        time.sleep(0.05)
        children = []
        for one in psutil.Process(series.pid).children():
            with suppress(psutil.NoSuchProcess):  # a compiler may end while it is looked at
                children += [one] if "spawn_main" in str(one.cmdline()) else []
    time.sleep(0.5)
    series.send_signal(number)
    out, err = series.communicate(timeout=60)
    assert (series.returncode, out, err) == (code, "", "")
    assert len(children) >= 2 and psutil.wait_procs(children, timeout=60)[1] == []
    assert list(tmp_path.iterdir()) == []


# ---- series ----------------------------------------------------------------------------------------------------------


def series_tasks(path: str) -> Callable[[Workers], object]:
    order = Order(path, (), 3, (), "python")
    game = load_traced(order)
    return lambda workers: play_series(game, order, 12, workers)


def match_tasks(path: str) -> Callable[[Workers], object]:
    game, match = load(path), Match(path, (), 3, ("greedy", "random"), "python")
    return lambda workers: play_match(game, match, 3, workers)


def variant_tasks(path: str) -> Callable[[Workers], object]:
    plan = Plan((Variant(path), Variant(path, (("gain", 3),))), 6, 3, engine="python")
    return lambda workers: play_plan(plan, workers)


def record_tasks(path: str) -> Callable[[Workers], object]:
    state = load(path).start(3)
    while not state.is_over:
        state = state.play(state.moves()[-1])
    order = analysis.Order("r.jsonl", "\n".join(record_lines(state, 1)), path, "search:3", 1, "python")
    found = order.course()
    return lambda workers: (
        [*analysis.judge_choices(order, found, range(4), workers)],
        [*analysis.play_other_deals(order, found, 2, workers)],
    )


KINDS = [series_tasks, match_tasks, variant_tasks, record_tasks]


@pytest.mark.whole
@pytest.mark.parametrize("are_real", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("begin", KINDS)
def test_other_processes_find_the_same(
    begin: Callable[[str], Callable[[Workers], object]],
    are_real: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are given a pickled game, and need no file."""
    asked: list[int] = []

    def share(prepare: Any, tasks: Iterator[Any], jobs: int) -> Iterator[Any]:
        asked.append(jobs)
        gathering_at(tmp_path, {"flow:": "flaw:"})
        yield from (
            run_in_processes(prepare, tasks, jobs) if are_real else map(pickle.loads(pickle.dumps(prepare))(), tasks)
        )

    monkeypatch.setattr(workers, "run_in_processes", share)
    work = begin(gathering_at(tmp_path))
    assert work(ALONE) == work(TWO) and {*asked} == {2}


@pytest.mark.parametrize(
    "kinds", [(), ("random", "random"), ("greedy", "random"), ("first", "search:20"), ("easy", "easy")]
)
def test_each_game_is_in_one_share(kinds: tuple[str, ...]) -> None:
    for games in (1, 2, 31, 32, 33, 70, 5000):
        found = [*split_games(Order("any", (), 1, kinds), games)]
        assert [*chain.from_iterable(found)] == [*range(games)] and all(found)


def test_portions_for_one_process_begin_small() -> None:
    assert [*chain.from_iterable(split_by_time(range(1000)))] == [*range(1000)]
    assert next(split_by_time(range(1000))) == range(1)
