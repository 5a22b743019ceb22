"""Turn C text into functions: build it once for each text, compiler and machine, verify and load it."""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import COPY, VERSION, calls, needs_compiler, only, own_cache, script
from tiers import some_now

from hoyle.diagnostics import Refused
from hoyle.native import cache, compiler, toolchain
from hoyle.native.cache import clear, digest, entries
from hoyle.native.compiler import NoCompiler
from hoyle.native.toolchain import Unwritten, is_built, library, loaded, trial

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")
EXPORT = "__declspec(dllexport) " if os.name == "nt" else ""
DOUBLE = f"{EXPORT}int twice(int n) {{ return n + n; }}\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    compiler._find.cache_clear()
    return own_cache(tmp_path, monkeypatch)


@pytest.fixture
def cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a compiler that copies texts, the only one there is."""
    script(tmp_path / "cc", VERSION, 'echo built >>"$home/calls"', COPY)
    only(monkeypatch, tmp_path)
    return tmp_path


def built(text: str = "text\n", name: str = "game", flags: tuple[str, ...] = ()) -> Path:
    found = library(text, name, flags)
    assert isinstance(found, Path)
    return found


def functions(text: str, name: str = "game", flags: tuple[str, ...] = ()) -> ctypes.CDLL:
    found = loaded(text, name, flags)
    assert isinstance(found, ctypes.CDLL)
    return found


@posix
def test_it_is_built_once(cc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_built("text\n", "game")
    paths = [built() for _ in range(3)]
    assert len(set(paths)) == 1 and paths[0].read_text() == "text\n"
    assert paths[0].name.startswith("game-") and paths[0].suffix == toolchain.ENDING
    assert calls(cc) == ["built"]
    assert is_built("text\n", "game") and not is_built("text\n", "game", ("-O1",))
    paths[0].write_text("changed")
    assert not is_built("text\n", "game")
    built()
    only(monkeypatch, cc / "nowhere")
    assert not is_built("text\n", "game")


@posix
def test_it_is_built_for_each_text_compiler_machine_and_flags(cc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(cc / "gcc", VERSION, COPY)
    paths = [built(), built("other text\n"), *(built(flags=flags) for flags in (("-O1",), ("-O1", "-g"), ("-O1 -g",)))]
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
    only(monkeypatch, cc, "cc -m32")
    paths.append(built())
    only(monkeypatch, cc, "gcc")
    paths.append(built())
    script(cc / "gcc", VERSION.replace("1.0", "1.1"), COPY)
    only(monkeypatch, cc, "gcc")
    paths.append(built())
    assert len(set(paths)) == len(paths)


@posix
def test_a_text_that_takes_long_is_written_once(cc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_change_of_this_program_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of its C files."""
    folder = tmp_path / "interpreter" / "hoyle" / "native"
    monkeypatch.setattr(toolchain, "__file__", str(folder / "toolchain.py"))
    before = toolchain._program.__wrapped__()
    for name in ("lists.c", "toolchain.py", "deeper/down.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for text in ("one", "other"):
            (folder / name).write_text(text)
            after = toolchain._program.__wrapped__()
            assert after != before and after == toolchain._program.__wrapped__()
            before = after


@posix
def test_a_library_for_one_processor_is_not_taken_on_another(cc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(cc / "zig", VERSION, COPY)
    usual = [("", ""), ("", "-march=native"), ("cc -mcpu=native", ""), ("zig cc", ""), ("zig cc", "-mcpu=baseline")]

    def each() -> list[Path]:
        paths = []
        for asked, flag in usual:
            only(monkeypatch, cc, asked)
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
def test_a_compiler_whose_libraries_cannot_be_loaded(cc: Path) -> None:
    for call in (lambda: loaded("text", "game"), trial):
        with pytest.raises(Refused) as refused:
            call()
        assert [d.code for d in refused.value.diagnostics] == ["R911"]


@pytest.mark.whole
def test_functions_are_built_and_called() -> None:
    """They can be called after the file is removed. Whole numbers wrap around, which C leaves undefined."""
    needs_compiler()
    text = f"{DOUBLE}{EXPORT}int grows(int n) {{ return n + 1 > n; }}\n"
    double = functions(text)
    clear()
    for one in (double, functions(text)):
        assert (one.twice(21), one.grows(2**31 - 1)) == (42, 0)
    assert functions(DOUBLE, flags=("-Dtwice=double_of",)).double_of(4) == 8


@pytest.mark.whole
def test_a_text_that_is_not_c() -> None:
    needs_compiler()
    with pytest.raises(Refused) as refused:
        library("int twice(int n) { return n + ; }\n", "a game")
    [problem] = refused.value.diagnostics
    assert (problem.code, problem.message) == ("R910", "the C compiler refuses `a-game.c`")
    assert any("a-game.c:1:" in note and "error" in note for note in problem.notes)
    assert [entry.path.suffix for entry in entries()] == [".txt"]  # the version of the compiler


DAMAGES = ["replaced", "truncated", "tampered"]


@pytest.mark.whole
@pytest.mark.parametrize("damage", some_now(DAMAGES, 2))
def test_a_damaged_library_is_built_again_and_never_loaded(damage: str) -> None:
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


@pytest.mark.whole
def test_a_trial_leaves_nothing() -> None:
    needs_compiler()
    seconds = trial()
    assert isinstance(seconds, float) and 0 < seconds < 60
    assert [entry.path.suffix for entry in entries()] == [".txt"]


@pytest.mark.slow
def test_several_processes_build_the_same_at_once(place: Path) -> None:
    needs_compiler()
    body = (
        "from hoyle.native.toolchain import loaded\n"
        f"for n in range(3):\n    assert loaded({DOUBLE!r} + f'int last_{{n}};', 'game').twice(n) == 2 * n\n"
    )
    programs = [subprocess.Popen([sys.executable, "-c", body]) for _ in range(4)]
    assert [program.wait(60) for program in programs] == [0] * 4
    assert len([entry for entry in entries() if entry.path.suffix == toolchain.ENDING]) == 3
    assert not list(place.glob(f"{cache._MAKING}*"))
