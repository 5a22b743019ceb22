"""Work shared by processes: the same results in order whatever happens to one of them, and none of them outlives its work."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from interpreter.diagnostics import Diagnostic, Refused, Source, Span, verbatim
from interpreter.series.crew import MOST_DEATHS, serve, shared

pytestmark = pytest.mark.whole

WORDS = ["simulate", "grabuge", "--seed", "3", "--json"]
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes in /proc")


def square(n: int) -> int:
    return n * n


def squares() -> Callable[[int], int]:
    return square


def fragile(folder: str, every_time: bool, n: int) -> int:
    """Dies at every third number: the first time, or always."""
    died = Path(folder) / str(n)
    if n % 3 == 0 and (every_time or not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(n)


def dying(folder: str, every_time: bool) -> Callable[[int], int]:
    return partial(fragile, folder, every_time)


def refusing() -> Callable[[int], int]:
    raise Refused([Diagnostic("R901", verbatim("broken"), Span(Source("a.yaml", "text"), 0, 4))])


def late(n: int) -> int:
    """Fails at two numbers: at the lower one only after a while."""
    time.sleep(0.3 if n == 2 else 0)
    if n >= 2:
        raise Refused([Diagnostic("R901", verbatim(f"number {n}"), Span(Source("a.yaml", "text"), 0, 4))])
    return square(n)


def lates() -> Callable[[int], int]:
    return late


@pytest.mark.slow
def test_of_several_failures_the_first_is_told() -> None:
    with pytest.raises(Refused, match="number 2"):
        list(shared(lates, range(9), 2))


def test_results_are_in_order() -> None:
    assert list(shared(squares, range(40), 2)) == [n * n for n in range(40)]


def test_a_process_that_is_killed_costs_no_result_and_doubles_none(tmp_path: Path) -> None:
    found = list(shared(partial(dying, str(tmp_path), False), range(7), 2))
    assert found == [n * n for n in range(7)]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_processes_that_die_again_and_again_are_told(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        list(shared(partial(dying, str(tmp_path), True), [0] * (MOST_DEATHS + 2), 1))
    assert [d.code for d in refused.value.diagnostics] == ["R907"]


def test_what_a_task_raises_arrives_whole() -> None:
    with pytest.raises(Refused) as refused:
        list(shared(refusing, range(3), 2))
    span = refused.value.diagnostics[0].span
    assert span is not None and (span.source.name, span.text) == ("a.yaml", "text")


@pytest.mark.parametrize("moment", ["before a task", "before its result"])
def test_a_process_whose_parent_is_gone_says_nothing(moment: str) -> None:
    ours, theirs = multiprocessing.Pipe()
    done = []

    def last(n: int) -> int:
        done.append(n)
        ours.close()
        return n

    ours.send(3)
    if moment == "before a task":
        last(0)
    serve(theirs, lambda: last)
    assert done == ([0] if moment == "before a task" else [3]) or done == [0, 3]


@pytest.mark.slow
def test_whoever_stops_listening_ends_the_processes() -> None:
    results = shared(squares, iter(range(10_000_000)), 2)
    assert next(results) == 0
    workers = children(os.getpid())
    results.close()
    assert workers == [] or not any(alive(worker) for worker in workers)


def children(parent: int) -> list[int]:
    try:
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(n) for n in found if b"spawn_main" in Path(f"/proc/{n}/cmdline").read_bytes()]
    except OSError:
        return []


def alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def until(condition: Callable[[], object]) -> bool:
    """Waits for something that needs a while on a busy machine."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[[int], subprocess.Popen[str]]]:
    """Begins a series by two processes, in a folder of its own."""
    running: list[subprocess.Popen[str]] = []

    def begin(games: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "interpreter", *WORDS, "-n", str(games), "-j2", "--out", "r.json"]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True))
        assert until(lambda: len(children(running[-1].pid)) == 2)
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()


@needs_proc
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, -9, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_a_signal_to_a_series_ends_all_its_processes(
    begun: Callable[[int], subprocess.Popen[str]], tmp_path: Path, number: int, code: int
) -> None:
    series = begun(1_000_000)
    workers = children(series.pid)
    time.sleep(0.5)
    series.send_signal(number)
    out, err = series.communicate(timeout=60)
    assert (series.returncode, out, err) == (code, "", "")
    assert until(lambda: not any(alive(worker) for worker in workers))
    assert list(tmp_path.iterdir()) == []


@needs_proc
def test_a_series_whose_worker_is_killed_has_the_same_numbers(
    begun: Callable[[int], subprocess.Popen[str]], tmp_path: Path
) -> None:
    series = begun(60)
    os.kill(children(series.pid)[0], signal.SIGKILL)
    series.communicate(timeout=120)
    assert series.returncode == 0
    alone = subprocess.run([sys.executable, "-m", "interpreter", *WORDS, "-n", "60"], capture_output=True, check=True)
    assert json.loads((tmp_path / "r.json").read_text()) == json.loads(alone.stdout)
