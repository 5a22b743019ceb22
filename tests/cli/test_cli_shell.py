"""The command line itself: help, languages, wrong usage, exit codes, files and pipes."""

from __future__ import annotations

import ast
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from spaces import spaced
from tiers import some_now, spread

from interpreter import load
from interpreter.cli import catalogue as texts
from interpreter.cli import main as cli
from interpreter.cli import shell
from interpreter.language import sentences

pytestmark = pytest.mark.whole

CLI = Path(cli.__file__).parent
COMMANDS = list(cli.COMMANDS)


def run(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "NO_COLOR": "", "LC_ALL": "en_GB.UTF-8", "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run([sys.executable, "-m", "interpreter", *words], input=stdin, capture_output=True, env=env)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(words)
    told = capsys.readouterr()
    return code, spaced(told.out), spaced(told.err)


def catalogue(language: str) -> dict[str, str]:
    return sentences.catalogue(CLI, language)


def test_every_sentence_asked_for_is_there_and_every_one_there_is_asked_for() -> None:
    rooms = (CLI, CLI.parent / "web", CLI.parent / "editor")
    source = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    asked = {
        node.value
        for node in ast.walk(ast.parse(source.replace("from __future__ import annotations", "")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    stems = set(re.findall(r"""f["']([a-z_.]+\.)\{""", source))
    unknown = [key for key in catalogue("en") if key not in asked and not any(key.startswith(stem) for stem in stems)]
    assert unknown == []
    for key in re.findall(r'\bt\("([a-z_.]+)"', source):
        assert key in catalogue("en")


@pytest.mark.parametrize("name", [*COMMANDS, ""])
@pytest.mark.parametrize("language", sentences.LANGUAGES)
def test_help_is_whole_and_fits(capsys: pytest.CaptureFixture[str], name: str, language: str) -> None:
    code, out, err = said(capsys, *([name] if name else []), "--help", "--lang", language)
    assert (code, err) == (0, "")
    assert {"en": "Examples:", "fr": "Exemples :"}[language] in out
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("  hoyle") and "|" not in line)


@pytest.mark.parametrize("name", spread([*COMMANDS, ""], 6))
def test_help_is_instant_because_nothing_but_click_is_imported(name: str) -> None:
    words = [name, "--help"] if name else ["--help"]
    script = f"import sys\nfrom interpreter.cli.main import main\ncode = main({words})\nprint(code, *sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0"
    assert "click" in modules
    assert not {"yaml", "lark", "jsonschema", "asyncio", "multiprocessing", "numpy"} & set(modules)


def test_help_takes_little_time() -> None:
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run("play", "--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(once() for _ in range(5)) < 0.15  # the processor's time: the wall clock also counts what else runs


def test_no_words_show_help_as_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys)
    assert (code, out) == (2, "")
    assert "Usage: hoyle" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["exlpain"], "there is no command `exlpain` (did you mean `explain`?)"),
        (["moves"], "GAME is missing"),
        (["moves", "x", "y"], "too many words: y"),
        (["moves", "x", "--seed", "many"], "--seed: `many` is not a whole number"),
        (["moves", "x", "--seed", "9" * 5000], "is not a whole number"),
        (["moves", "x", "--seed", "-1"], "--seed: -1 is less than 0"),
        (["moves", "x", "--seed"], "--seed needs a value\n`hoyle moves --help` shows"),
        (["moves", "x", "--sed", "1"], "there is no option `--sed` (did you mean `--seed`"),
        (["moves", "x", "--set", "decks"], "--set: `decks` is not of the form option=value"),
        (["moves", "x", "--set", "=4"], "is not of the form"),
        (["moves", ""], "GAME: this is not a file name"),
        (["validate"], "FILE… is missing"),
        (["validate", "x", "--format", "xml"], "--format: `xml` is not one of text, json, sarif, github"),
        (["validate", "-", "-"], "only one thing can be read from standard input"),
        (["simulate", "x", "-n", "0"], "error: -n: 0 is less than 1"),
        (["simulate", "x", "-n0"], "error: -n: 0 is less than 1"),
        (["simulate", "x", "--games", "0"], "error: --games: 0 is less than 1"),
        (["simulate", "x", "--games=0"], "error: --games: 0 is less than 1"),
        (["match", "x", "first", "first", "--deals", "3", "-n", "-1"], "error: -n: -1 is less than 1"),
        (["match", "x", "first", "first", "-n", "3", "--deals", "0"], "error: --deals: 0 is less than 1"),
        (["analyse", "x", "--deals", "-1"], "error: --deals: -1 is less than 0"),
        (["analyse", "x", "-j", "0"], "error: -j: 0 is less than 1"),
        (["play", "x", "--pause", "nan"], "`nan` is not a number of seconds"),
        (["new", "../x"], "`../x` is not a name for a game"),
        (["list", "--lang", "de"], "--lang: `de` is not one of en, fr"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_wrong_usage_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "exlpain", "--lang", "fr")
    assert code == 2
    assert "il n'y a pas de commande `exlpain` (vouliez-vous dire `explain` ?)" in err


@pytest.mark.parametrize(
    ("words", "environment", "language"),
    [
        ([], {"LANG": "fr_FR.UTF-8"}, "fr"),
        ([], {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ([], {"LC_MESSAGES": "fr", "LANG": "en"}, "fr"),
        ([], {"LANG": "de_DE"}, "en"),
        (["--lang=fr"], {}, "fr"),
        (["list", "--lang", "en"], {"LANG": "fr"}, "en"),
        (["--", "--lang", "fr"], {}, "en"),
        ([], {}, "en"),
    ],
)
def test_language(words: list[str], environment: dict[str, str], language: str) -> None:
    assert texts.choose(words, environment) == language


def test_a_fault_of_the_program_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> int:
        raise RuntimeError("odd")

    monkeypatch.setattr(cli.hoyle, "main", broken)
    code, out, err = said(capsys, "list")
    assert (code, out) == (3, "")
    assert "RuntimeError: odd" in err
    assert "Traceback" not in err


def test_ctrl_c_is_no_fault(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.hoyle, "main", stopped)
    assert said(capsys, "list") == (130, "", "stopped\n")


@pytest.mark.parametrize("module", ["interpreter.cli.main", "click", "interpreter.cli.commands.games"])
def test_ctrl_c_before_the_program_is_there(module: str) -> None:
    """It ends as quietly as later, whatever is being imported."""
    program = f"""
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from interpreter.__main__ import main
sys.argv = ["hoyle", "list"]
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (130, "") and done.stderr.strip() in ("", "stopped")


def test_little_is_imported_before_ctrl_c_is_heard() -> None:
    program = "import sys\nbefore = {*sys.modules}\nimport interpreter.__main__\nprint(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {*done.stdout.split()} <= {"__future__", "interpreter", "interpreter.__main__"}


def test_a_reader_who_goes_away_is_no_problem() -> None:
    command = f"{sys.executable} -m interpreter explain | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    done = subprocess.run(["bash", "-c", f"{sys.executable} -m interpreter explain > /dev/full"], capture_output=True)
    assert done.returncode == 1
    assert b"could not be written" in done.stderr


def test_closed_streams() -> None:
    done = subprocess.run(["bash", "-c", f"{sys.executable} -m interpreter list >&- 2>&-"], capture_output=True)
    assert done.returncode == 0


def test_ascii_output() -> None:
    done = run("--lang", "fr", "--help", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"Jeux de cartes et de table, selon leurs regles ecrites" in done.stdout


def test_no_colours_outside_a_terminal() -> None:
    assert b"\x1b" not in run("explain").stdout + run("exlpain").stderr


def test_examples_name_games_that_are_shipped() -> None:
    listed = run("list").stdout.decode().split()
    assert {shell.example_game(head) for head in shell.EXAMPLES.values()} <= {*listed}
    assert len(load(shell.example_game(shell.EXAMPLES["several"])).sides) > 1


def test_version() -> None:
    assert run("--version").stdout.startswith(b"hoyle ")


@pytest.mark.parametrize("encoding", some_now(["cp437", "utf-16"], 1))
def test_any_encoding_of_the_terminal(encoding: str) -> None:
    line = "1\nwhy é\nquit\n"
    for stdin in (line.encode(encoding, "replace"), b"\xff\xfe\x00\xd8\n\n\x00"):
        done = run("play", "klondike", "--seed", "1", "--lang", "fr", stdin=stdin, PYTHONIOENCODING=encoding)
        assert done.returncode == 0
        assert done.stdout.decode(encoding)
    assert run("validate", "nosuch.yaml", PYTHONIOENCODING=encoding).returncode == 1


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("moves", "hearts", "--position", "-"), b"piles: {hand of A: " + b"?*1000 " * 100_000 + b"}"),
        (("replay", "-"), b'{"record": 1, "game": "hearts"}\n' + b"{}\n" * 1_500_000),
        (("replay", "-"), b"junk\n" * 1_500_000),
        (("replay", "-"), b"[" * 40_000_000),
    ],
)
def test_memory_has_an_end(words: tuple[str, ...], stdin: bytes) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))"
    program = f"{limit}; from interpreter.cli.main import main; raise SystemExit(main({list(words)!r}))"
    done = subprocess.run([sys.executable, "-c", program], input=stdin, capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"error[R" in done.stderr
