"""`--engine`: why the engine that was asked for is missing. This is reported once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run, runner
from compilers import VERSION, only, script

from hoyle.native import cache, engine_builder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run command lines with an empty cache."""
    for module in (cache, engine_builder):
        monkeypatch.setattr(module, "_told", set())
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return runner(capsys, monkeypatch, tmp_path)


SIMULATE = ("simulate", "game.yaml", "-n", "3", "--seed", "1", "--engine", "native")
EACH = ("eval", "game.yaml", "count(hand of A)", "--each", "-", "--engine", "native")
DOCTOR = "the Python engine plays (see `hoyle doctor`)\n"


@pytest.mark.parametrize("words", [SIMULATE, EACH])
def test_without_a_compiler(run: Run, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    code, out, err = run(*words, stdin="hand of A\n7H\n")
    assert (code, err) == (0, f"no C compiler was found: {DOCTOR}") and out


@pytest.mark.whole
@pytest.mark.parametrize(("cc", "why"), [("nosuch", "nosuch is missing"), ("bad", "bad fails")])
def test_compiler_that_cc_names_does_not_work(
    run: Run, cc: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "bad", "exit 1")
    only(monkeypatch, tmp_path, cc)
    assert run(*SIMULATE)[2] == f"no C compiler works ({why}): {DOCTOR}"


@pytest.mark.whole
def test_compiler_that_fails_is_an_error_only_where_it_is_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "cc", VERSION, "echo no headers; exit 1")
    only(monkeypatch, tmp_path)
    assert run(*SIMULATE)[0] == 1
    monkeypatch.setattr("hoyle.series.simulate.REPAYS", -1.0)
    code, _, err = run("simulate", "game.yaml", "-n", "20", "--seed", "1")
    assert (code, err) == (
        0,
        "the C compiler refuses `game.c`: the Python engine plays game (see `hoyle doctor`)\n",
    )


@pytest.mark.slow
def test_processes_do_not_report_it_again(run: Run, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "hoyle", *SIMULATE, "--jobs", "2"]
    own = {**os.environ, "CC": "nosuch", "PYTHONPATH": str(root / "interpreter")}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=True)
    assert done.stderr == f"no C compiler works (nosuch is missing): {DOCTOR}"


@pytest.mark.whole
def test_unusable_cache_is_reported_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_bytes(b"")
    only(monkeypatch, tmp_path)
    script(tmp_path / "cc", "exit 1")
    err = run(*SIMULATE)[2]
    assert f"`HOYLE_CACHE` names {tmp_path}/cache/native, which cannot be used (Not a directory)" in err
    assert f"{tmp_path}/hoyle-" in err
    assert "HOYLE_CACHE" not in run(*SIMULATE)[2]
