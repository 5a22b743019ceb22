"""Choose a C compiler, and report one that fails, hangs or is absent."""

import os
import platform
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from compilers import COPY, VERSION, calls, only, script
from rules import read_cases

from hoyle.diagnostics import Refused
from hoyle.native import compiler
from hoyle.native.compiler import Compiler, NoCompiler, build, find_compiler

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for compilers")
CASES = read_cases("native/compilers")


def found() -> Compiler:
    answer = find_compiler()
    assert isinstance(answer, Compiler), answer
    return answer


def tried() -> dict[str, str]:
    answer = find_compiler()
    assert isinstance(answer, NoCompiler), answer
    return {name: why for name, _, why in answer.tried}


@pytest.mark.parametrize("case", CASES["chosen"], ids=lambda case: f"{case.get('asked', '')} of {[*case['programs']]}")
def test_the_compiler_that_is_chosen(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual names have an order. If `$CC` names an unusable program, nothing else is taken."""
    for name, does in case["programs"].items():
        script(tmp_path / name, VERSION if does == "V" else does)
    for name, mode in (("odd", 0o755), ("data", 0o644)):
        (tmp_path / name).write_bytes(b"\x00\x01 no program")
        (tmp_path / name).chmod(mode)
    only(monkeypatch, tmp_path, case.get("asked", "").replace("HERE", str(tmp_path)))
    if "tried" in case:
        assert tried() == case["tried"]
    else:
        program, *arguments = case["taken"]
        words = (str(tmp_path / program), *arguments)
        assert found() == Compiler(words, case["from"], "stand-in 1.0", compiler.FLAGS)


@pytest.mark.whole
def test_a_compiler_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "slow", "/bin/sleep 60")
    monkeypatch.setattr(compiler, "ANSWERING", 0.2)
    only(monkeypatch, tmp_path, "slow")
    assert tried() == {"slow": "silent"}


def test_its_version_is_asked_once_as_long_as_its_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", 'echo asked >>"$home/calls"', VERSION)
    for _ in range(3):
        only(monkeypatch, tmp_path)  # as another process would
        assert found().version == "stand-in 1.0"
    assert calls(tmp_path) == ["asked"]
    script(tmp_path / "cc", 'echo asked >>"$home/calls"', VERSION.replace("1.0", "1.1"))
    only(monkeypatch, tmp_path)
    assert found().version == "stand-in 1.1"
    assert len(calls(tmp_path)) == 2
    compiler._find.cache_clear()
    monkeypatch.setattr(compiler, "use_cached", Mock(side_effect=Refused([])))  # nothing can be kept
    assert found().version == "stand-in 1.1"


@pytest.mark.whole
def test_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "packages" / "a_compiler"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    main = "import sys\nassert sys.argv[1] == 'cc'\nif sys.argv[2:] == ['--version']:\n    print('packaged 1.0')\n"
    copy = "else:\n    open(sys.argv[-2], 'w').write('built: ' + open(sys.argv[-1]).read())\n"
    (package / "__main__.py").write_text(main + copy)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    only(monkeypatch, tmp_path)
    monkeypatch.setattr(compiler, "PACKAGE", "a_compiler")
    assert (found().origin, found().version) == ("package", "packaged 1.0")
    assert found().flags == compiler.FLAGS + compiler.PACKAGED
    build(found(), "text", tmp_path / "made.so")
    assert (tmp_path / "made.so").read_text() == "built: text"
    (package / "__main__.py").write_text(main.replace("1.0", "1.1.0") + copy)
    compiler._find.cache_clear()
    assert found().version == "packaged 1.1.0"


@pytest.mark.whole
def test_a_package_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_compiler").mkdir()
    (tmp_path / "a_compiler" / "__init__.py").write_text("")
    (tmp_path / "a_compiler" / "__main__.py").write_text("print('from the folder')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    only(monkeypatch, tmp_path)
    monkeypatch.setattr(compiler, "PACKAGE", "a_compiler")
    assert tried()["a_compiler"] == "fails"


def test_a_mac_without_its_tools_is_not_asked_to_install_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(compiler, "_answer", lambda words: pytest.fail(f"{words} was called"))
    monkeypatch.setattr(compiler, "_run", lambda words, seconds: compiler._Done(2, "no tools"))
    assert set(tried().values()) == {"absent"}
    compiler._find.cache_clear()
    monkeypatch.setattr(compiler, "_answer", lambda words: "stand-in")
    monkeypatch.setattr(shutil, "which", lambda name: f"/opt/{name}")
    assert found().words == ("/opt/cc",)
    compiler._find.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(compiler, "_run", lambda words, seconds: compiler._Done(0, "/Library/Developer"))
    assert found().words == ("/usr/bin/cc",)


def test_it_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, 'echo "$@" >"$home/calls"; echo "$TMPDIR $LC_ALL" >>"$home/calls"', COPY)
    only(monkeypatch, tmp_path)
    (tmp_path / "out").mkdir()
    build(found(), "text\n", tmp_path / "out" / "game.so", ("-O3",))
    assert (tmp_path / "out" / "game.so").read_text() == "text\n"
    assert calls(tmp_path) == [
        " ".join([*compiler.FLAGS, "-O3", "-o", "game.so", "game.c"]),
        f"{tmp_path / 'out'} C",  # for its temporary files, and its language
    ]


def test_a_compiler_that_does_not_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, case in enumerate(CASES["failing"]):
        folder = tmp_path / str(number)
        script(folder / "cc", VERSION, case["does"])
        only(monkeypatch, folder)
        with pytest.raises(Refused) as refused:
            build(found(), "text", folder / "game.so")
        [problem] = refused.value.diagnostics
        assert (problem.code, problem.notes) == ("R910", ("stand-in 1.0", *case["said"]))
        assert problem.message == "the C compiler refuses `game.c`"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")  # a zombie has ended
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.whole
def test_a_compiler_that_hangs_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hang = '/bin/sleep 60 & echo $! >>"$home/calls"; echo $$ >>"$home/calls"; wait'
    script(tmp_path / "cc", VERSION, "echo working", hang)
    only(monkeypatch, tmp_path)
    monkeypatch.setattr(compiler, "BUILDING", 0.3)
    with pytest.raises(Refused) as refused:
        build(found(), "text", tmp_path / "game.so")
    [problem] = refused.value.diagnostics
    assert "has not built `game.c` in 0.3 seconds" in problem.message
    assert problem.notes == ("stand-in 1.0", "working")
    processes = [int(process) for process in calls(tmp_path)]
    until = time.monotonic() + 5  # a process that is killed takes a moment to go
    while any(map(_is_running, processes)) and time.monotonic() < until:
        time.sleep(0.01)
    assert len(processes) == 2 and not any(map(_is_running, processes))


def test_ctrl_c_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "cc", VERSION, "/bin/sleep 60")
    only(monkeypatch, tmp_path)
    it, wait, programs = found(), subprocess.Popen.wait, []

    def interrupted(program: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        programs.append(program)
        if timeout is not None:
            raise KeyboardInterrupt
        return wait(program)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(it, "text", tmp_path / "game.so")
    assert programs[0].returncode == -9
