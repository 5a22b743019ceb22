"""`hoyle doctor`: what is there, what is not, and how to get it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from compilers import COPY, VERSION, only, script
from spaces import spaced

from interpreter.cli.commands import doctor
from interpreter.cli.main import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    only(monkeypatch, tmp_path)
    return tmp_path / "cache" / "native"


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["doctor", *words])
    said = capsys.readouterr()
    return code, spaced(said.out), spaced(said.err)


def data(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    _, out, err = told(capsys, "--json", *words)
    assert err == ""
    found: dict[str, Any] = json.loads(out)
    return found


def test_no_compiler_is_no_fault(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    code, out, err = told(capsys)
    assert (code, err) == (0, "")
    assert "compiler    none (cc is not there, gcc is not there, clang is not there, " in out
    assert 'pip install "hoyle[native]"' in out
    assert str(place) in out
    found = data(capsys)
    assert (found["format"], found["version"], found["compiler"]) == ("hoyle doctor", 1, None)
    assert found["tried"][0] == {"name": "cc", "why": "absent", "origin": "path"}
    assert found["trial"] == {"seconds": None, "problems": []}
    assert found["engines"] == ["python"]


def test_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "--lang", "fr")
    assert "compilateur aucun (cc n'est pas là" in out


def test_what_cc_names_is_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "nosuch")
    code, out, _ = told(capsys)
    assert code == 1  # it was asked for
    assert "none (nosuch is not there)" in out and "variable `CC` names it" in out


def test_what_cc_names_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "bad", "exit 1")
    only(monkeypatch, tmp_path, "bad")
    assert told(capsys)[0] == 1
    assert data(capsys)["tried"] == [{"name": "bad", "why": "fails", "origin": "CC"}]


def test_a_compiler_that_does_not_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "cc", VERSION, "echo no headers; exit 1")
    only(monkeypatch, tmp_path)
    code, out, err = told(capsys)
    assert code == 1
    assert "stand-in 1.0" in out and "R910" in err and "no headers" in err
    assert data(capsys)["trial"]["problems"] == ["[R910] the C compiler refuses `trial.c`"]
    script(tmp_path / "cc", VERSION, COPY)  # which builds what cannot be loaded
    only(monkeypatch, tmp_path)
    assert told(capsys)[0] == 1
    assert data(capsys)["trial"]["problems"] == ["[R911] what is built for `trial` can be kept and used nowhere"]


def test_a_compiler_that_works(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.native.toolchain.trial", lambda: 0.25)
    code, out, err = told(capsys)
    assert (code, err) == (0, "")
    assert "built, loaded and called in 0.25 s" in out
    assert "engines     python, native" in out
    found = data(capsys)
    assert found["trial"] == {"seconds": 0.25, "problems": []}
    assert found["engines"] == ["python", "native"]


def test_the_cache_is_cleared(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    from interpreter.native.cache import digest, kept

    for name in ("one", "two"):
        kept(name, digest(name), ".so", lambda made: made.write_bytes(b"x" * 50_000), str)
    assert data(capsys)["cache"] == {"folder": str(place), "trouble": None, "files": 2, "bytes": 100_000}
    assert "2 files, 0.1 MB" in told(capsys)[1]
    _, out, _ = told(capsys, "--clear-cache")
    assert "2 files removed" in out and "0 files, 0.0 MB" in out
    assert list(place.iterdir()) == []
    assert data(capsys, "--clear-cache")["cleared"] == 0


def test_where_nothing_can_be_kept(
    capsys: pytest.CaptureFixture[str], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.parent.write_bytes(b"")
    monkeypatch.setattr("tempfile.tempdir", str(place.parent))
    code, out, _ = told(capsys)
    assert code == 1
    assert "no folder can be written to; `HOYLE_CACHE` names one" in out


def test_packages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", {"pytest": "native", "no-such-package": "native"})
    found = data(capsys)["packages"]
    assert [(package["name"], package["version"]) for package in found] == [
        ("pytest", pytest.__version__),
        ("no-such-package", None),
    ]
    assert 'no-such-package not installed; `pip install "hoyle[native]"`' in told(capsys)[1]


def test_a_cache_folder_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept elsewhere is kept where nobody would look for it."""
    place.parent.write_bytes(b"")
    code, out, err = told(capsys)
    assert (code, err) == (1, "") and f"cache       {place} cannot be used: Not a directory" in out
    found = data(capsys)["cache"]
    assert found["trouble"] == {"folder": str(place), "why": "Not a directory"}
    assert Path(found["folder"]).parent == tmp_path
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.parent))
    monkeypatch.delenv("HOYLE_CACHE")
    assert told(capsys)[0] == 0  # nobody asked for that one
