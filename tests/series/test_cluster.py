"""A series played by the workers of a Dask cluster: the figures of one process, whatever dies; and what is told where there is no cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from spaces import spaced
from tiers import sized

from interpreter import compare, simulate
from interpreter.cli import series as common
from interpreter.cli.main import main
from interpreter.diagnostics import Diagnostic, Refused, verbatim
from interpreter.series import cluster
from interpreter.series.keeping import Form, Head, Kept
from interpreter.series.workers import ALONE, Workers, results

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.whole

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
SERIES = {
    "simulate": ("simulate", "game.yaml", "-n", "70", "--seed", "3", "--json"),
    "match": ("match", "game.yaml", "greedy", "random", "-n", "4", "--seed", "3", "--json"),
    "compare": ("compare", "game.yaml,cards_each=3", "game.yaml", "-n", "10", "--seed", "3", "--json"),
    "analyse": ("analyse", "r.jsonl", "--search", "3", "--deals", "2", "--engine", "python", "--json"),
}


def square(n: int) -> int:
    if n == 7:
        raise Refused([Diagnostic("R901", verbatim("seven"))])
    return n * n


def squares() -> Callable[[int], int]:
    return square


def slow(n: int) -> int:
    time.sleep(0.2)
    return n


def slowly() -> Callable[[int], int]:
    return slow


def fatal(n: int) -> int:
    os._exit(1)


def fatally() -> Callable[[int], int]:
    return fatal


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    assert call("new", "game")[0] == 0
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text.replace("at_most: 500", "at_most: 20"), encoding="utf-8")
    assert call("play", "game.yaml", "--seats", "random,random", "--seed", "4", "--record", "r.jsonl")[0] == 0
    return call


def local(workers: int) -> Iterator[str]:
    """A cluster in this process, whose workers have several threads."""
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=2, processes=False, protocol="tcp://", dashboard_address=":0"
    ) as found:
        yield found.scheduler_address


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    yield from local(1)


@pytest.fixture
def deserted() -> Iterator[str]:
    yield from local(0)


def told(address: str) -> str:
    """What is refused there, and why."""
    with pytest.raises(Refused) as refused:
        list(results(square, squares, [1, 2], Workers(cluster=address)))
    return str(refused.value)


# ---- the same figures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SERIES)
def test_a_cluster_finds_what_one_process_finds(name: str, run: Run, address: str) -> None:
    assert run(*SERIES[name], "--cluster", address) == (0, run(*SERIES[name])[1], "")


def test_so_it_does_for_whoever_calls_it_from_python(address: str) -> None:
    simulated = [simulate("grabuge", 4, seed=3, engine="python", cluster=who).data for who in ("", address)]
    pair = ("grabuge", "grabuge-short")
    compared = [compare(*pair, games=4, seed=3, engine="python", cluster=who).data for who in ("", address)]
    assert simulated[0] == simulated[1] and compared[0] == compared[1]


def test_results_come_in_order_and_are_kept(address: str, tmp_path: Path) -> None:
    head, name = Head(series="squares", hangs_on={}), str(tmp_path / "n.jsonl")
    with Kept(name, head, Form[int](int)) as file, pytest.raises(Refused, match="seven"):
        list(results(square, squares, [3, 1, 2, 7, 4], Workers(cluster=address), file))
    with Kept(name, head, Form[int](int)) as file:
        assert [*file.found] == [9, 1, 4]
        assert list(results(square, squares, [3, 1, 2, 6], Workers(cluster=address), file)) == [9, 1, 4, 36]


def test_what_is_played_need_not_be_there(run: Run, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", "game.yaml", "-n", "40", "--seed", "3", "--json")
    out = run(*words)[1]
    dispatched = cluster.dispatched

    def gone(*given: object) -> Iterator[object]:
        Path("game.yaml").unlink()
        return dispatched(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(cluster, "dispatched", gone)
    assert run(*words, "--cluster", address) == (0, out, "")


# ---- where there is none ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "nonsense://x:1", ":"])
def test_that_nobody_is_there_is_said(address: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERS", 0.2)
    code, out, err = run(*SERIES["simulate"], "--cluster", address)
    assert (code, out) == (1, "")
    assert (
        err.startswith(f"error[R915]: no scheduler answers at `{address}`: ") and "`dask scheduler` starts one" in err
    )


def test_that_there_are_no_workers_is_said(deserted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERS", 2.0)
    assert told(deserted).startswith(f"[R915] the cluster at `{deserted}` has no workers")


def test_workers_that_are_not_made_alike_are_not_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "made_of", lambda: ("3.11", threading.current_thread().name))
    assert told(address).startswith("[R916] the worker `tcp://")
    with pytest.raises(Refused, match=r"\[R916\]"):
        cluster.work(1, "key", b"", ("2.7", "0.0.1"))


@pytest.mark.parametrize(("lang", "said"), [("en", "needs a package"), ("fr", "demande un paquet")])
def test_an_extra_that_is_missing_is_named(lang: str, said: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "find_spec", lambda name: None)
    code, out, err = run(*SERIES["analyse"], "--cluster", "tcp://127.0.0.1:9", "--lang", lang)
    assert (code, out) == (1, "") and said in err and 'pip install "hoyle[cluster]"' in err


# ---- real programs, which die ----------------------------------------------------------------------------------------


class Programs:
    """A scheduler and workers as programs, in a folder where there is none of the games that they play."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.running = folder, list[subprocess.Popen[bytes]]()
        known = os.pathsep.join(map(str, (ROOT, Path(__file__).parent, ROOT / "tests" / "support")))
        self.env = {**os.environ, "HOYLE_PATH": str(folder), "PYTHONPATH": known}
        file = folder / "scheduler.json"
        self.begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file), "--no-dashboard")
        assert until(lambda: file.exists() and file.read_text().strip().endswith("}"))
        self.address = str(json.loads(file.read_text())["address"])

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        self.running.append(subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=quiet, stderr=quiet))
        return self.running[-1]

    def worker(self) -> subprocess.Popen[bytes]:
        return self.begin(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"
        )

    def end(self) -> None:
        for one in self.running:
            one.kill()
            one.wait()


@contextmanager
def programs_of(factory: pytest.TempPathFactory) -> Iterator[Programs]:
    found = Programs(factory.mktemp("programs"))
    try:
        yield found
    finally:
        found.end()


@pytest.fixture
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Programs]:
    with programs_of(tmp_path_factory) as found:
        yield found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Programs]:
    with programs_of(tmp_path_factory) as found:
        found.worker()
        yield found


def until(condition: Callable[[], object]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def lines(name: str) -> int:
    return Path(name).read_bytes().count(b"\n") if Path(name).exists() else 0


def begun(words: tuple[str, ...], address: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "interpreter", *words, "--cluster", address, "--keep", "kept.jsonl"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


LONG = ("simulate", "game.yaml", "-n", "6000", "--seed", "3", "--engine", "python", "--json")


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(run: Run, programs: Programs) -> None:
    out = run(*LONG, "--keep", "alone.jsonl")[1]
    one, _ = programs.worker(), programs.worker()
    series = begun(LONG, programs.address)
    assert until(lambda: lines("kept.jsonl") > 3)
    Path("game.yaml").unlink()
    one.send_signal(signal.SIGKILL)
    found, err = series.communicate(timeout=120)
    assert (series.returncode, spaced(found), err) == (0, out, "")
    assert Path("kept.jsonl").read_bytes() == Path("alone.jsonl").read_bytes()


@pytest.mark.slow
def test_ctrl_c_cancels_what_waits_and_others_go_on(run: Run, programs: Programs) -> None:
    out = run(*LONG)[1]
    programs.worker()
    series = begun(LONG, programs.address)
    assert until(lambda: lines("kept.jsonl") > 3)
    series.send_signal(signal.SIGINT)
    found, err = series.communicate(timeout=120)
    assert (series.returncode, json.loads(found)["interrupted"]) == (130, True)
    assert err == "\nstopped\nwhat was done is in `kept.jsonl`: the same command goes on from there\n"
    with distributed.Client(programs.address, set_as_default=False) as client:
        assert until(lambda: not any(client.processing().values()))
    assert 3 < lines("kept.jsonl") < 20
    assert run(*LONG, "--keep", "kept.jsonl", "--jobs", "2")[:2] == (0, out)


@pytest.mark.slow
@pytest.mark.parametrize(("who", "said"), [("workers", "has no workers"), ("scheduler", "is lost")])
def test_a_cluster_that_dies_is_told(who: str, said: str, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "GONE", 1.0)
    monkeypatch.setattr(cluster, "_LOOKS", 0.2)
    programs.worker()
    coming = results(slow, slowly, range(200), Workers(cluster=programs.address))
    assert next(coming) == 0
    programs.running[0 if who == "scheduler" else 1].kill()
    with pytest.raises(Refused, match=rf"\[R915\] .*{said}"):
        list(coming)


@pytest.mark.slow
def test_a_task_that_kills_every_worker_is_given_up() -> None:
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as found:
        with pytest.raises(Refused, match=r"\[R907\] the workers of the cluster die again and again"):
            list(results(fatal, fatally, [1], Workers(cluster=found.scheduler_address)))
    assert list(results(square, squares, [1], ALONE)) == [1]


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm here")
@pytest.mark.parametrize("seed", range(sized(1, 6)))
def test_ctrl_c_at_any_time_ends_it_and_nothing_else_is_said(seed: int, elsewhere: Programs) -> None:
    program = f"import interrupted; interrupted.main({elsewhere.address!r}, {seed})"
    found = subprocess.run([sys.executable, "-c", program], env=elsewhere.env, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "") and int(found.stdout) > 1
