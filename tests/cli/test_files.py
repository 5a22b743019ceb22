"""Files that commands write: whole or not at all, with the mode they had, through links, devices and pipes, each for one game."""

import errno
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.cli import files
from hoyle.cli.main import main
from hoyle.presentation.catalogue import UserError, choose_language

HOYLE = [sys.executable, "-m", "hoyle"]
SERIES = ["simulate", "game.yaml", "-n", "1", "--seed", "1", "--engine", "python", "--out"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    choose_language(["--lang", "en"])  # whatever another test has chosen
    yield
    assert not list(tmp_path.glob(".hoyle-*"))  # nothing is left behind


def no_room(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_what_was_there(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    files.write("a.json", "one")
    monkeypatch.setattr(os, step, no_room)
    with pytest.raises(UserError, match="No space left"):
        files.write("a.json", "two")
    with pytest.raises(UserError, match="No space left"):
        files.write_new("b.json", "two")
    assert {path.name: path.read_text() for path in Path().iterdir()} == {"a.json": "one"}


@pytest.mark.whole
def test_files_are_written_in_few_places() -> None:
    """Each of which leaves what was there if there is no room."""
    opened = re.compile(
        r'\.write_(text|bytes)\(|(?<!blocks\.)open\([^()\n]*"[rb]*[wax+][b+]*"|\bos\.open\([^\n]*O_(WRONLY|RDWR)'
    )
    package = Path(hoyle.__file__).parent
    found = {path for path in package.rglob("*.py") if opened.search(path.read_text(encoding="utf-8"))}
    ours = "cli/files.py cli/output.py native/cache.py native/compiler.py series/result_file.py"
    assert {path.relative_to(package).as_posix() for path in found} <= {
        *ours.split(),
        "cli/commands/servers.py",
        "presentation/files.py",
        "site/builder.py",  # into a folder for Node.js, which is removed
        "site/engines.py",  # into a folder for the compiler
        "web/play/store.py",
    }


@pytest.mark.parametrize("name", [".", "..", "/", "folder", "no/such/folder", "x" * 300, "a\0b", "a.json/b"])
def test_where_nothing_can_be_written(name: str) -> None:
    Path("folder").mkdir()
    Path("a.json").write_text("one")
    with pytest.raises(UserError):
        files.write(name, "x")
    with pytest.raises(UserError):
        files.write_new(name, "x")
    with pytest.raises(UserError):
        files.RecordFile(name)
    assert Path("a.json").read_text() == "one"
    assert not list(Path("folder").iterdir())


def test_modes_stay_and_links_are_followed() -> None:
    Path("kept.json").write_text("one")
    Path("kept.json").chmod(0o600)
    Path("link.json").symlink_to("kept.json")
    Path("new-link.json").symlink_to("made.json")
    files.write("link.json", "two")
    files.write("new-link.json", "three")
    assert Path("link.json").is_symlink() and Path("new-link.json").is_symlink()
    assert (Path("kept.json").read_text(), Path("made.json").read_text()) == ("two", "three")
    assert stat.S_IMODE(Path("kept.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("name", "stem"), [("grabuge-8", "grabuge-8"), ("../../etc/x", "etc-x"), ("/", "game"), ("a" * 99, "a" * 60)]
)
def test_no_name_of_a_ruleset_is_a_path(name: str, stem: str) -> None:
    assert files.make_stem(name) == stem
    assert files.write_into("made/folder", f"{stem}.json", "x") == f"made/folder/{stem}.json"


def piped(write: Callable[[], object]) -> str:
    os.mkfifo("pipe")
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(Path("pipe").read_text()))
    reader.start()
    write()
    reader.join(5)
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    return heard[0]


def test_a_pipe_stays_a_pipe() -> None:
    assert piped(lambda: files.write("pipe", "said")) == "said"


@pytest.mark.whole
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("device", "code"), [("/dev/null", 0), ("/dev/full", 1)])
def test_devices_stay_devices(device: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    Path("device").symlink_to(device)
    assert main(["new", "game"]) == 0
    assert main([*SERIES, "device"]) == code
    assert ("No space left" in capsys.readouterr().err) == bool(code)
    assert stat.S_ISCHR(os.stat(device).st_mode) and Path("device").is_symlink()


@pytest.mark.whole
def test_standard_output_by_its_name() -> None:
    assert main(["new", "game"]) == 0
    command = " ".join([*HOYLE, *SERIES, "/dev/stdout", "--json"])
    piped = subprocess.run(["bash", "-c", f"{command} | cat"], capture_output=True, check=True).stdout
    subprocess.run(["bash", "-c", f"{command} > file"], check=True)
    assert piped == Path("file").read_bytes() != b""


def test_a_record_belongs_to_one_game() -> None:
    with files.RecordFile("r.jsonl") as first:
        for text in ("", "begun\n", "going on\n"):
            if text:
                first.keep(text)
            for going_on in (False, True):
                with pytest.raises(UserError, match="another game"):
                    files.RecordFile("r.jsonl", going_on)
    with pytest.raises(UserError, match="exists already"):
        files.RecordFile("r.jsonl")
    with files.RecordFile("r.jsonl", going_on=True) as again:
        again.finish("over\n")
    assert Path("r.jsonl").read_text() == "over\n"


def test_a_record_of_a_game_that_never_began_goes_again() -> None:
    Path("empty").touch()
    for name in ("made", "empty"):
        with pytest.raises(ValueError, match="no such game"), files.RecordFile(name):
            raise ValueError("no such game")
    assert [path.name for path in Path().iterdir()] == ["empty"]


@pytest.mark.slow
def test_games_recorded_into_one_file_at_once_lose_none() -> None:
    words = ["play", "grabuge", "--seats", "random,random", "--seed"]
    commands = [[*HOYLE, *words, str(seed), "--record", "r.jsonl"] for seed in (1, 2, 3)]
    games = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for command in commands
    ]
    told = [game.communicate()[1] for game in games]
    assert sorted(game.returncode > 0 for game in games) == [False, True, True]
    assert sum("another game" in words or "exists already" in words for words in told) == 2
    assert main(["replay", "r.jsonl"]) == 0


@pytest.mark.whole
def test_a_record_into_a_pipe_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game"]) == 0
    words = ["play", "game.yaml", "--seats", "random,random", "--seed", "1", "--record", "pipe"]
    Path("r.jsonl").write_text(piped(lambda: main(words)))
    assert main(["replay", "r.jsonl"]) == 0
    assert "as recorded" in capsys.readouterr().out
