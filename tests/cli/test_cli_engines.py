"""`--engine` and `doctor`: which compilers and libraries are missing, and how to get them. This is reported once."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import Run, Said, command_lines, runner
from compilers import COPY, VERSION, only, script

from hoyle.native import cache, engine_builder
from hoyle.native.cache import digest, use_cached

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")


@pytest.fixture
def run_cold(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    for module in (cache, engine_builder):
        monkeypatch.setattr(module, "_warned", set())
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return runner(capsys, monkeypatch, tmp_path)


SIMULATE = ("simulate", "game.yaml", "-n", "3", "--seed", "1", "--engine", "native")
EACH = ("eval", "game.yaml", "count(hand of A)", "--each", "-", "--engine", "native")
DOCTOR = "the Python engine plays (see `hoyle doctor`)\n"


@pytest.mark.parametrize("words", [SIMULATE, EACH])
def test_without_a_compiler(
    run_cold: Run, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, tmp_path)
    code, out, err = run_cold(*words, stdin="hand of A\n7H\n")
    assert (code, err) == (0, f"no C compiler was found: {DOCTOR}") and out


@pytest.mark.whole
@pytest.mark.parametrize(("cc", "why"), [("nosuch", "nosuch is missing"), ("bad", "bad fails")])
def test_compiler_that_cc_names_does_not_work(
    run_cold: Run, cc: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "bad", "exit 1")
    only(monkeypatch, tmp_path, cc)
    assert run_cold(*SIMULATE)[2] == f"no C compiler works ({why}): {DOCTOR}"


@pytest.mark.whole
def test_compiler_that_fails_is_an_error_only_where_it_is_asked_for(
    run_cold: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "cc", VERSION, "echo no headers; exit 1")
    only(monkeypatch, tmp_path)
    assert run_cold(*SIMULATE)[0] == 1
    monkeypatch.setattr("hoyle.series.simulate.REPAYS", -1.0)
    code, _, err = run_cold("simulate", "game.yaml", "-n", "20", "--seed", "1")
    assert (code, err) == (
        0,
        "the C compiler refuses `game.c`: the Python engine plays game (see `hoyle doctor`)\n",
    )


@pytest.mark.slow
def test_processes_do_not_report_it_again(run_cold: Run, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "hoyle", *SIMULATE, "--jobs", "2"]
    own = {**os.environ, "CC": "nosuch", "PYTHONPATH": str(root / "interpreter")}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=True)
    assert done.stderr == f"no C compiler works (nosuch is missing): {DOCTOR}"


@pytest.mark.whole
def test_unusable_cache_is_reported_once(run_cold: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_bytes(b"")
    only(monkeypatch, tmp_path)
    script(tmp_path / "cc", "exit 1")
    err = run_cold(*SIMULATE)[2]
    assert f"`HOYLE_CACHE` names {tmp_path}/cache/native, which cannot be used (Not a directory)" in err
    assert f"{tmp_path}/hoyle-" in err
    assert "HOYLE_CACHE" not in run_cold(*SIMULATE)[2]


run = command_lines


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache. No program is found on this machine."""
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    only(monkeypatch, tmp_path)
    return tmp_path / "cache" / "native"


class Doctor:
    def __init__(self, run: Run) -> None:
        self.run = run

    def text(self, *words: str) -> Said:
        found: Said = self.run("doctor", *words)
        return found

    def data(self, *words: str) -> dict[str, Any]:
        _, out, err = self.run("doctor", "--json", *words)
        assert err == ""
        found: dict[str, Any] = json.loads(out)
        return found


@pytest.fixture(name="doctor")
def asked(run: Run, place: Path) -> Doctor:
    return Doctor(run)


@pytest.mark.whole
def test_missing_compiler_is_no_error(doctor: Doctor, place: Path) -> None:
    code, out, err = doctor.text()
    assert (code, err) == (0, "")
    assert "compiler    none (cc is missing, gcc is missing, clang is missing, " in out
    assert 'pip install "hoyle[native]"' in out and str(place) in out
    found = doctor.data()
    assert (found["format"], found["version"], found["compiler"]) == ("hoyle doctor", 1, None)
    assert found["tried"][0] == {"name": "cc", "why": "absent", "origin": "path"}
    assert (found["trial"], found["engines"]) == ({"seconds": None, "problems": []}, ["python"])
    assert "compilateur aucun (cc n'est pas là" in doctor.text("--lang", "fr")[1]


@pytest.mark.whole
def test_broken_compiler(doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, "echo no headers; exit 1")
    only(monkeypatch, tmp_path)
    code, out, err = doctor.text()
    assert code == 1
    assert "stand-in 1.0" in out and "R910" in err and "no headers" in err
    assert doctor.data()["trial"]["problems"] == ["[R910] the C compiler refuses `trial.c`"]
    script(tmp_path / "cc", VERSION, COPY)  # its output cannot be loaded
    only(monkeypatch, tmp_path)
    assert doctor.text()[0] == 1
    problem = "[R911] what is built for `trial` can be kept and used nowhere"
    assert doctor.data()["trial"]["problems"] == [problem]


def test_working_compiler(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.native.toolchain.trial", lambda: 0.25)
    code, out, err = doctor.text()
    assert (code, err) == (0, "")
    assert "built, loaded and called a small program in 0.25 s" in out and "engines     python, native" in out
    found = doctor.data()
    assert (found["trial"], found["engines"]) == ({"seconds": 0.25, "problems": []}, ["python", "native"])


@pytest.mark.whole
def test_cache_is_cleared(doctor: Doctor, place: Path) -> None:
    for name in ("one", "two"):
        use_cached(name, digest(name), ".so", lambda made: made.write_bytes(b"x" * 50_000), str)
    assert doctor.data()["cache"] == {"folder": str(place), "trouble": None, "files": 2, "bytes": 100_000}
    assert "2 files, 0.1 MB" in doctor.text()[1]
    _, out, _ = doctor.text("--clear-cache")
    assert "2 files removed" in out and "0 files, 0.0 MB" in out
    assert list(place.iterdir()) == []
    assert doctor.data("--clear-cache")["cleared"] == 0


@pytest.mark.whole
def test_unusable_cache_folder(doctor: Doctor, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder is used instead. This is an error only if `HOYLE_CACHE` names the folder, or if no folder is left."""
    place.parent.write_bytes(b"")
    code, out, err = doctor.text()
    assert (code, err) == (1, "") and f"cache       {place} cannot be used: Not a directory" in out
    found = doctor.data()["cache"]
    assert found["trouble"] == {"folder": str(place), "why": "Not a directory"}
    assert Path(found["folder"]).parent == tmp_path
    monkeypatch.setattr("tempfile.tempdir", str(place.parent))
    code, out, _ = doctor.text()
    assert code == 1 and "no folder can be written to; set `HOYLE_CACHE` to one" in out
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.parent))
    monkeypatch.delenv("HOYLE_CACHE")
    assert doctor.text()[0] == 0
