"""The command line itself: help, languages, wrong usage, exit codes, streams, signals and memory."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from english import spaced
from rules import read_cases
from tiers import some_now

from hoyle.cli import main as cli
from hoyle.language import sentences
from hoyle.presentation import catalogue as texts

CASES = read_cases("cli/shell")

CLI = Path(cli.__file__).parent
PRESENTATION = CLI.parent / "presentation"
COMMANDS = list(cli.COMMANDS)


def run(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    env = {**os.environ, "NO_COLOR": "", "LC_ALL": "en_GB.UTF-8", "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run([sys.executable, "-m", "hoyle", *words], input=stdin, capture_output=True, env=env)


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def bash(line: str) -> subprocess.CompletedProcess[bytes]:
    line = line.replace("hoyle", f"{sys.executable} -m hoyle")
    return subprocess.run(["bash", "-c", line], capture_output=True)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(words)
    told = capsys.readouterr()
    return code, spaced(told.out), spaced(told.err)


@pytest.mark.whole
def test_the_catalogue_has_exactly_the_sentences_that_are_used() -> None:
    rooms = (CLI, CLI.parent / "web", PRESENTATION)
    source = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    known = sentences.load_catalogue(PRESENTATION, "en")
    used = set(re.findall(r"""["']([a-zA-Z_.-]+)["']""", source))
    stems = tuple(re.findall(r"""f["']([a-z_.]+\.)\{""", source))
    assert [key for key in known if key not in used and not key.startswith(stems)] == []
    assert set(re.findall(r'\bt\("([a-z_.]+)"', source)) <= known.keys()


# ---- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(("language", "examples"), [("en", "Examples:"), ("fr", "Exemples :")])
def test_help_has_examples_in_80_columns(capsys: pytest.CaptureFixture[str], language: str, examples: str) -> None:
    for name in [*COMMANDS, ""]:
        code, out, err = said(capsys, *([name] if name else []), "--help", "--lang", language)
        assert (code, err) == (0, "") and examples in out
        lines = [line for line in out.splitlines() if not line.startswith("  hoyle") and "|" not in line]
        assert max(map(len, lines)) <= 80


@pytest.mark.whole
def test_help_imports_nothing_but_click() -> None:
    done = python(f"""
import sys
from hoyle.cli.main import main
codes = {{main([*words, "--help"]) for words in ([], *([name] for name in {COMMANDS}))}}
print(*codes, *sys.modules)""")
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0" and "click" in modules
    assert not {"yaml", "lark", "jsonschema", "asyncio", "multiprocessing", "numpy"} & set(modules)


@pytest.mark.slow
def test_help_takes_little_time() -> None:
    """Limit processor time, because wall time includes other programs."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run("play", "--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(once() for _ in range(5)) < 0.15


# ---- wrong usage, languages, faults ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "environment", "language"),
    CASES["language"],
)
def test_language(words: list[str], environment: dict[str, str], language: str) -> None:
    assert texts.choose_language(words, environment) == language


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [(RuntimeError("odd"), 3, "RuntimeError: odd"), (KeyboardInterrupt(), 130, "stopped\n")],
)
def test_errors_of_the_program_and_ctrl_c_are_told_in_a_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    code: int,
    message: str,
) -> None:
    def broken(*_: object, **__: object) -> int:
        raise raised

    monkeypatch.setattr(cli.hoyle, "main", broken)
    found, out, err = said(capsys, "list")
    assert (found, out) == (code, "")
    assert (err == message if code == 130 else message in err) and "Traceback" not in err


# ---- streams ---------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_a_reader_that_goes_away_is_no_problem() -> None:
    done = bash("hoyle explain | head -1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


@pytest.mark.whole
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    done = bash("hoyle explain > /dev/full")
    assert done.returncode == 1
    assert b"could not be written" in done.stderr


@pytest.mark.whole
def test_closed_streams_are_no_problem() -> None:
    assert bash("hoyle explain >&- 2>&-").returncode == 0


@pytest.mark.whole
def test_a_terminal_of_ascii_gets_ascii() -> None:
    done = run("--lang", "fr", "--help", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"Jeux de cartes et de table, selon leurs regles ecrites" in done.stdout


@pytest.mark.whole
@pytest.mark.parametrize("encoding", some_now(["cp437", "utf-16"], 1))
def test_any_encoding_of_the_terminal(encoding: str) -> None:
    """Though some lines are not in it."""
    stdin = "1\nwhy é\n".encode(encoding, "replace") + b"\xff\xfe\x00\xd8\n\n\x00"
    done = run("play", "klondike", "--seed", "1", "--lang", "fr", stdin=stdin, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stdout.decode(encoding)


@pytest.mark.whole
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    ("words", "stdin"),
    some_now(
        [
            (("moves", "hearts", "--position", "-"), (b"piles: {hand of A: ", b"?*1000 ", 100_000, b"}")),
            (("replay", "-"), (b'{"record": 1, "game": "hearts"}\n', b"{}\n", 1_500_000, b"")),
            (("replay", "-"), (b"", b"junk\n", 1_500_000, b"")),
            (("replay", "-"), (b"", b"[", 40_000_000, b"")),
        ],
        1,
    ),
)
def test_memory_has_an_end(words: tuple[str, ...], stdin: tuple[bytes, bytes, int, bytes]) -> None:
    first, again, times, last = stdin
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))"
    program = f"{limit}; from hoyle.cli.main import main; raise SystemExit(main({list(words)!r}))"
    text = first + again * times + last
    done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"error[R" in done.stderr


# ---- Ctrl-C while the program starts ---------------------------------------------------------------------------------


@pytest.mark.whole
def test_little_is_imported_before_ctrl_c_is_heard() -> None:
    done = python("import sys\nbefore = {*sys.modules}\nimport hoyle.__main__\nprint(*{*sys.modules} - before)")
    assert {*done.stdout.split()} <= {"__future__", "hoyle", "hoyle.__main__"}


@pytest.mark.whole
@pytest.mark.parametrize("module", some_now(["hoyle.cli.main", "click", "hoyle.cli.commands.games"], 1))
def test_ctrl_c_during_an_import_ends_quietly(module: str) -> None:
    done = python(f"""
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from hoyle.__main__ import main
sys.argv = ["hoyle", "list"]
sys.exit(main())""")
    assert (done.returncode, done.stdout) == (130, "") and done.stderr.strip() in ("", "stopped")
