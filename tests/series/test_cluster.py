"""Series played by the workers of a Dask cluster: the figures of one process, whatever dies; and errors where there is no cluster."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner
from rules import gathering_at
from tasks import dying, fatal, sleeping, square, squares

from hoyle.diagnostics import Refused
from hoyle.presentation import players
from hoyle.series import cluster
from hoyle.series.result_file import Header, ResultFile, ResultFormat
from hoyle.series.workers import ALONE, Workers, run_tasks

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
SIMULATE = ("simulate", "gathering.yaml", "-n", "40", "--seed", "3", "--engine", "python", "--json")
LONG = ("simulate", "gathering.yaml", "-n", "6000", "--seed", "3", "--engine", "python", "--json")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    gathering_at(tmp_path)
    return runner(capsys, monkeypatch, tmp_path)


@contextmanager
def local(workers: int, **more: Any) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=workers, dashboard_address=":0", **more) as found:
        yield found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local(1, threads_per_worker=2, processes=False, protocol="tcp://") as found:
        yield found.scheduler_address


@pytest.fixture
def programs() -> Iterator[Any]:
    with local(2, threads_per_worker=1) as found:
        yield found


def why_refused(address: str) -> Refused:
    with pytest.raises(Refused) as refused:
        list(run_tasks(square, squares, [1, 2], Workers(cluster=address)))
    return refused.value


# ---- the same figures ------------------------------------------------------------------------------------------------


def test_command_needs_no_file_at_the_cluster(run: Run, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = run(*SIMULATE)[1]
    dispatched = cluster.run_on_cluster

    def gone(*given: Any) -> Iterator[object]:
        Path("gathering.yaml").unlink()
        return dispatched(*given)

    monkeypatch.setattr(cluster, "run_on_cluster", gone)
    assert run(*SIMULATE, "--cluster", address) == (0, out, "")


def test_results_come_in_order_and_are_kept(address: str, tmp_path: Path) -> None:
    head, name = Header(series="squares", hangs_on={}), str(tmp_path / "n.jsonl")
    with ResultFile(name, head, ResultFormat[int](int)) as file, pytest.raises(Refused, match="seven"):
        list(run_tasks(square, squares, [3, 1, 2, 7, 4], Workers(cluster=address), file))
    with ResultFile(name, head, ResultFormat[int](int)) as file:
        assert [*file.found] == [9, 1, 4]
        assert list(run_tasks(square, squares, [3, 1, 2, 6], Workers(cluster=address), file)) == [9, 1, 4, 36]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("match", "gathering.yaml", "greedy", "random", "-n", "4", "--seed", "3", "--json"),
        ("compare", "gathering.yaml,gain=3", "gathering.yaml", "-n", "10", "--seed", "3", "--json"),
        ("analyse", "r.jsonl", "--search", "3", "--deals", "2", "--engine", "python", "--json"),
    ],
    ids=["match", "compare", "analyse"],
)
def test_other_commands_find_the_same(words: tuple[str, ...], run: Run, address: str) -> None:
    assert run("play", "gathering.yaml", "--seats", "random,random", "--seed", "4", "--record", "r.jsonl")[0] == 0
    assert run(*words, "--cluster", address) == (0, run(*words)[1], "")


# ---- where there is none ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "nonsense://x:1", ":"])
def test_missing_scheduler_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "ANSWERS", 0.2)
    refused = why_refused(address)
    assert str(refused).startswith(f"[R915] no scheduler answers at `{address}`: ")
    assert "`dask scheduler` starts one" in str(refused.cause.help)


def test_cluster_without_workers_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client

    def none(client: Client, count: int, timeout: float) -> None:
        raise TimeoutError

    monkeypatch.setattr(Client, "wait_for_workers", none)
    assert str(why_refused(address)).startswith(f"[R915] the cluster at `{address}` has no workers")


def test_workers_of_another_version_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "describe_build", lambda: ("3.11", threading.current_thread().name))
    assert str(why_refused(address)).startswith("[R916] the worker `tcp://")
    with pytest.raises(Refused, match=r"\[R916\]"):
        cluster.work(1, "key", b"", ("2.7", "0.0.1"))


def test_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "find_spec", lambda name: None)
    code, out, err = run(*SIMULATE, "--cluster", "tcp://127.0.0.1:9")
    assert (code, out) == (1, "") and 'pip install "hoyle[cluster]"' in err


# ---- what dies -------------------------------------------------------------------------------------------------------


def until(condition: Callable[[], object]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
def test_killed_worker_loses_and_doubles_nothing(programs: Any, tmp_path: Path) -> None:
    with ResultFile(str(tmp_path / "n.jsonl"), Header(series="squares", hangs_on={}), ResultFormat[int](int)) as file:
        workers = Workers(cluster=programs.scheduler_address)
        assert [*run_tasks(square, partial(dying, str(tmp_path), False), range(7), workers, file)] == [
            n * n for n in range(7)
        ]


@pytest.mark.slow
def test_ctrl_c_cancels_what_waits_and_others_go_on(run: Run, address: str) -> None:
    from distributed import Client

    def kept() -> int:
        return Path("kept.jsonl").read_bytes().count(b"\n") if Path("kept.jsonl").exists() else 0

    out = run(*LONG)[1]
    command = [sys.executable, "-m", "hoyle", *LONG, "--cluster", address, "--keep", "kept.jsonl"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    series = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert until(lambda: kept() > 3)
    series.send_signal(signal.SIGINT)
    found, err = series.communicate(timeout=120)
    assert (series.returncode, json.loads(found)["interrupted"]) == (130, True)
    assert err == "\nstopped\nfinished games are in `kept.jsonl`; run the same command to continue\n"
    with Client(address, set_as_default=False) as client:
        assert until(lambda: not any(client.processing().values()))
    assert 3 < kept() < 20
    assert run(*LONG, "--keep", "kept.jsonl", "--jobs", "2")[:2] == (0, out)


@pytest.mark.slow
@pytest.mark.parametrize(("who", "said"), [("workers", "has no workers"), ("scheduler", "is lost")])
def test_dead_cluster_is_told(who: str, said: str, programs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "GONE", 1.0)
    monkeypatch.setattr(cluster, "_LOOKS", 0.2)
    coming = run_tasks(square, sleeping, range(200), Workers(cluster=programs.scheduler_address))
    assert next(coming) == 0
    if who == "workers":
        programs.scale(0)
    else:
        programs.close()
    with pytest.raises(Refused, match=rf"\[R915\] .*{said}"):
        list(coming)


@pytest.mark.slow
def test_task_that_kills_every_worker_is_given_up(programs: Any) -> None:
    with pytest.raises(Refused, match=r"\[R907\] the workers of the cluster die again and again"):
        list(run_tasks(square, fatal, [1], Workers(cluster=programs.scheduler_address)))
    assert list(run_tasks(square, squares, [1], ALONE)) == [1]
