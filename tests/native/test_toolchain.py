"""From C text to functions: built once for each text, compiler and machine, verified, loaded."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import COPY, VERSION, calls, needs_compiler, only, script
from tiers import in_tiers

from interpreter.diagnostics import Refused
from interpreter.native import cache, compiler, toolchain
from interpreter.native.cache import clear, digest, entries
from interpreter.native.compiler import NoCompiler
from interpreter.native.toolchain import Unwritten, is_built, library, loaded, trial

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")
EXPORT = "__declspec(dllexport) " if os.name == "nt" else ""
DOUBLE = f"{EXPORT}int twice(int n) {{ return n + n; }}\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    compiler._find.cache_clear()
    return tmp_path / "cache" / "native"


def built(text: str = "text\n", name: str = "game", flags: tuple[str, ...] = ()) -> Path:
    found = library(text, name, flags)
    assert isinstance(found, Path)
    return found


def functions(text: str, name: str = "game", flags: tuple[str, ...] = ()) -> ctypes.CDLL:
    found = loaded(text, name, flags)
    assert isinstance(found, ctypes.CDLL)
    return found


@posix
def test_it_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, 'echo built >>"$home/calls"', COPY)
    only(monkeypatch, tmp_path)
    paths = [built() for _ in range(3)]
    assert len(set(paths)) == 1 and paths[0].read_text() == "text\n"
    assert paths[0].name.startswith("game-") and paths[0].suffix == toolchain.ENDING
    assert calls(tmp_path) == ["built"]


@posix
def test_it_is_built_anew_for_all_that_it_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, COPY)
    script(tmp_path / "gcc", VERSION, COPY)
    only(monkeypatch, tmp_path)
    paths = [
        built(),
        built("other text\n"),
        built(flags=("-O1",)),
        built(flags=("-O1", "-g")),
        built(flags=("-O1 -g",)),
    ]
    for target, name, value in (
        (toolchain, "VERSION", "9.9"),
        (platform, "machine", lambda: "another"),
        (sys, "platform", "another"),
        (compiler, "FLAGS", ("-shared",)),
    ):
        with monkeypatch.context() as other:
            other.setattr(target, name, value)
            compiler._find.cache_clear()
            paths.append(built())
    only(monkeypatch, tmp_path, "cc -m32")
    paths.append(built())
    only(monkeypatch, tmp_path, "gcc")
    paths.append(built())
    script(tmp_path / "gcc", VERSION.replace("1.0", "1.1"), COPY)
    only(monkeypatch, tmp_path, "gcc")
    paths.append(built())
    assert len(set(paths)) == len(paths)


@posix
def test_a_text_that_takes_long_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, COPY)
    only(monkeypatch, tmp_path)
    written: list[str] = []

    def path(of: str) -> Path:
        def write() -> str:
            written.append(of)
            return f"{of}\n"

        found = library(Unwritten(of, write), "game")
        assert isinstance(found, Path)
        return found

    assert [path(of).read_text() for of in ("one", "one", "two", "one")] == ["one\n", "one\n", "two\n", "one\n"]
    assert written == ["one", "two"]
    monkeypatch.setattr(toolchain, "_program", lambda: "changed")
    path("one")
    assert written == ["one", "two", "one"]
    assert path("one") != built("one\n")


@pytest.mark.parametrize("name", ["lists.c", "toolchain.py", "deeper/down.py"])
def test_a_change_of_this_program_is_seen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the texts that are written by themselves into what is built, too."""
    changed = tmp_path / "interpreter" / "native" / name
    changed.parent.mkdir(parents=True)
    changed.write_text("one")
    monkeypatch.setattr(toolchain, "__file__", str(tmp_path / "interpreter" / "native" / "toolchain.py"))
    before = toolchain._program.__wrapped__()
    assert toolchain._program.__wrapped__() == before
    changed.write_text("other")
    assert toolchain._program.__wrapped__() != before


@posix
def test_it_is_known_whether_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, COPY)
    only(monkeypatch, tmp_path)
    assert not is_built("text\n", "game")
    path = built()
    assert is_built("text\n", "game") and not is_built("text\n", "game", ("-O1",))
    path.write_text("changed")
    assert not is_built("text\n", "game")
    built()
    only(monkeypatch, tmp_path / "nowhere")
    assert not is_built("text\n", "game")


@posix
def test_what_is_built_for_one_processor_is_not_taken_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "cc", VERSION, COPY)
    only(monkeypatch, tmp_path)
    script(tmp_path / "zig", VERSION, COPY)
    usual = [("", ""), ("", "-march=native"), ("cc -mcpu=native", ""), ("zig cc", ""), ("zig cc", "-mcpu=baseline")]

    def each() -> list[Path]:
        paths = []
        for cc, flag in usual:
            only(monkeypatch, tmp_path, cc)
            paths.append(built(flags=(flag,)))
        return paths

    before = each()
    monkeypatch.setattr(toolchain, "_processor", lambda: "another")
    assert [one == other for one, other in zip(before, each(), strict=True)] == [True, False, False, False, True]


def test_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    for answer in (library("", "game"), loaded("", "game"), trial()):
        assert isinstance(answer, NoCompiler)
        assert [name for name, _, _ in answer.tried] == [*compiler.NAMES, compiler.PACKAGE]
    assert entries() == []


@posix
def test_a_compiler_whose_libraries_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of one that builds for another machine."""
    script(tmp_path / "cc", VERSION, COPY)
    only(monkeypatch, tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for call in (lambda: loaded("text", "game"), trial):
        with pytest.raises(Refused) as refused:
            call()
        assert [d.code for d in refused.value.diagnostics] == ["R911"]


def test_functions_are_built_and_called() -> None:
    needs_compiler()
    for _ in range(2):
        assert functions(DOUBLE).twice(21) == 42
    assert functions(DOUBLE, flags=("-Dtwice=double_of",)).double_of(4) == 8


def test_whole_numbers_wrap_around() -> None:
    """What C leaves undefined is defined, so that no compiler may draw conclusions from it."""
    needs_compiler()
    assert functions(f"{EXPORT}int grows(int n) {{ return n + 1 > n; }}\n").grows(2**31 - 1) == 0


def test_a_text_that_is_not_c() -> None:
    needs_compiler()
    with pytest.raises(Refused) as refused:
        library("int twice(int n) { return n + ; }\n", "a game")
    [problem] = refused.value.diagnostics
    assert (problem.code, problem.message) == ("R910", "the C compiler refuses `a-game.c`")
    assert any("a-game.c:1:" in note and "error" in note for note in problem.notes)
    assert [entry.path.suffix for entry in entries()] == [".txt"]  # the version of the compiler


DAMAGES = ["truncated", "tampered", "replaced"]


@pytest.mark.parametrize("damage", in_tiers(DAMAGES, quick=DAMAGES[1:2], whole=DAMAGES))
def test_what_is_damaged_is_built_anew_and_never_loaded(damage: str, place: Path) -> None:
    needs_compiler()
    path = built(DOUBLE)
    whole = path.read_bytes()
    if damage == "truncated":
        os.truncate(path, len(whole) // 2)
    elif damage == "tampered":
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    else:  # bytes and digest fit, but it is no library
        path.unlink()
        stem = path.stem.rpartition("-")[0]
        path = path.with_name(f"{stem}-{digest(stem, b'nothing')}{path.suffix}")
        path.write_bytes(b"nothing")
        path.chmod(0o600)
    assert functions(DOUBLE).twice(2) == 4
    assert [entry.path.read_bytes() == whole for entry in entries() if entry.path.suffix == toolchain.ENDING] == [True]


def test_what_is_loaded_stays_though_it_is_removed() -> None:
    needs_compiler()
    twice = functions(DOUBLE)
    clear()
    assert twice.twice(5) == 10 and functions(DOUBLE).twice(6) == 12


def test_a_trial_leaves_nothing() -> None:
    needs_compiler()
    seconds = trial()
    assert isinstance(seconds, float) and 0 < seconds < 60
    assert [entry.path.suffix for entry in entries()] == [".txt"]


@pytest.mark.slow
def test_several_processes_build_the_same_at_once(place: Path) -> None:
    needs_compiler()
    body = (
        "from interpreter.native.toolchain import loaded\n"
        f"for n in range(3):\n    assert loaded({DOUBLE!r} + f'int last_{{n}};', 'game').twice(n) == 2 * n\n"
    )
    programs = [subprocess.Popen([sys.executable, "-c", body]) for _ in range(4)]
    assert [program.wait(60) for program in programs] == [0] * 4
    assert len([entry for entry in entries() if entry.path.suffix == toolchain.ENDING]) == 3
    assert not list(place.glob(f"{cache._MAKING}*"))
