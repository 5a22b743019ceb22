"""`doctor`: what is installed, what is not, and how to get it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from commands import Run, Said, command_lines
from compilers import COPY, VERSION, only, script

from hoyle.native.cache import digest, kept

run = command_lines
pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")


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
        kept(name, digest(name), ".so", lambda made: made.write_bytes(b"x" * 50_000), str)
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
