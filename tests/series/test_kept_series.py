"""What a series has done stays in a file: whatever ends it, the same command goes on, and what comes out is what comes out of one that was never stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spaces import spaced

from interpreter.cli.main import main
from interpreter.cli.shell import INTERRUPTED
from interpreter.diagnostics import Refused
from interpreter.language.sentences import LANGUAGES
from interpreter.players.judging import Judged
from interpreter.players.weighing import Weight
from interpreter.running.solved import Fate, Known
from interpreter.running.tried import Outcome, Tried
from interpreter.series import analyse, editions, match, simulate
from interpreter.series.keeping import Form, Head, Kept

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str, str]]
SERIES: dict[str, tuple[str, ...]] = {
    "simulate": ("simulate", "game.yaml", "-n", "70", "--seed", "3", "--json"),
    "match": ("match", "game.yaml", "greedy", "random", "-n", "4", "--seed", "3", "--json"),
    "compare": ("compare", "game.yaml,cards_each=3", "game.yaml", "-n", "10", "--seed", "3", "--json"),
    "sweep": ("sweep", "game.yaml", "--set", "cards_each=3,4", "-n", "3", "--seed", "3", "--json"),
    "analyse": ("analyse", "r.jsonl", "--search", "3", "--deals", "2", "--engine", "python", "--json"),
}
KEPT = ("--keep", "kept.jsonl")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    assert call("new", "game")[0] == 0
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text.replace("at_most: 500", "at_most: 20"), encoding="utf-8")
    assert call("play", "game.yaml", "--seats", "random,random", "--seed", "4", "--record", "r.jsonl")[0] == 0
    return call


def cut(whole: bytes) -> dict[str, int]:
    """Where a file may end that was being written."""
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    middle = len(ends) // 2
    return {
        "nothing": 0,
        "some of the head": 20,
        "the head": ends[0],
        "whole lines": ends[middle],
        "a line without its end": ends[middle + 1] - 1,
        "some of a line": ends[middle] + 3,
        "all": len(whole),
    }


@pytest.mark.parametrize("name", SERIES)
def test_wherever_it_was_cut_off_it_goes_on_to_the_same(name: str, run: Run) -> None:
    words, file = SERIES[name], Path("kept.jsonl")
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert run(*words, *KEPT) == (0, out, "")
    whole = file.read_bytes()
    assert whole.count(b"\n") > 4
    for what, end in cut(whole).items():
        file.write_bytes(whole[:end])
        code, again, said = run(*words, *KEPT)
        assert (code, again, file.read_bytes()) == (0, out, whole), what
        goes_on = end > whole.index(b"\n") + 1
        assert said == ("going on with what `kept.jsonl` keeps\n" if goes_on else ""), what


@pytest.mark.slow
@pytest.mark.parametrize("name", SERIES)
def test_others_may_go_on_with_it(name: str, run: Run) -> None:
    words, file = SERIES[name], Path("kept.jsonl")
    out = run(*words, *KEPT)[1]
    whole = file.read_bytes()
    for jobs in ("2", "3"):
        file.write_bytes(whole[: cut(whole)["some of a line"]])
        assert run(*words, *KEPT, "--jobs", jobs)[:2] == (0, out)
        assert file.read_bytes() == whole


WORK = {
    "simulate": (simulate, "play_some"),
    "compare": (editions, "play_some"),
    "match": (match, "_played"),
    "analyse": (analyse, "judge"),
}


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_keeps_what_is_done(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words, file = SERIES[name], Path("kept.jsonl")
    out = run(*words)[1]
    where, what = WORK[name]
    work, done = getattr(where, what), list[Any]()

    def until_then(*given: Any) -> Any:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(given)
        return work(*given)

    monkeypatch.setattr(where, what, until_then)
    code, _, err = run(*words, *KEPT)
    assert (code, err) == (
        INTERRUPTED,
        "\nstopped\nwhat was done is in `kept.jsonl`: the same command goes on from there\n",
    )
    assert file.read_bytes().count(b"\n") == 1 + 3
    monkeypatch.setattr(where, what, work)
    assert run(*words, *KEPT)[:2] == (0, out)


def test_a_seed_that_was_drawn_is_that_of_what_goes_on(run: Run) -> None:
    code, out, err = run("simulate", "game.yaml", "-n", "40", *KEPT)
    assert code == 0 and err.startswith("seed ")
    assert run("simulate", "game.yaml", "-n", "40", *KEPT) == (0, out, "going on with what `kept.jsonl` keeps\n")


OTHERS = [
    (("-n", "71"), "`games` is 70 there, and 71 here"),
    (("--seed", "4"), "`seed` is 3 there, and 4 here"),
    (("--seats", "first,random"), '`seats` is ["random","random"] there, and ["first","random"] here'),
    (("--set", "cards_each=3"), "`cards_each` is 5 there, and 3 here"),
]


@pytest.mark.parametrize(("words", "said"), OTHERS)
def test_a_file_of_another_series_is_left_as_it_is(words: tuple[str, ...], said: str, run: Run) -> None:
    assert run(*SERIES["simulate"], *KEPT)[0] == 0
    before = Path("kept.jsonl").read_bytes()
    code, out, err = run(*SERIES["simulate"], *KEPT, *words)
    assert (code, out) == (1, "") and err.startswith("error[R912]: `kept.jsonl` keeps another series\n")
    assert said in err and "name another file; this one is left as it is" in err
    assert Path("kept.jsonl").read_bytes() == before


def test_of_one_whose_rules_have_changed_it_is_said(run: Run) -> None:
    assert run(*SERIES["match"], *KEPT)[0] == 0
    text = Path("game.yaml").read_text(encoding="utf-8")
    Path("game.yaml").write_text(text.replace("at_most: 20", "at_most: 30"), encoding="utf-8")
    code, _, err = run(*SERIES["match"], *KEPT)
    assert code == 1 and "= note: `digest` is" in err
    assert '`series` is "match" there, and "simulate" here' in run(*SERIES["simulate"], *KEPT)[2]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "text", [b"ruleset: 1\n", b"mine", b"{}\n", b'{"format":"hoyle simulate"}\n', b"\xff\n", b"\n"]
)
def test_what_keeps_no_series_is_left_as_it_is(text: bytes, lang: str, run: Run) -> None:
    Path("kept.jsonl").write_bytes(text)
    code, out, err = run(*SERIES["simulate"], *KEPT, "--lang", lang)
    assert (code, out) == (1, "") and "[R912]" in err
    assert ("keeps no series" in err) == (lang == "en")
    assert Path("kept.jsonl").read_bytes() == text


CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a digit": (lambda lines: [*lines[:4], lines[4].replace(b"[[[", b"[[[1", 1), *lines[5:]], 5),
    "a line is missing": (lambda lines: [*lines[:3], *lines[4:]], 4),
    "two are exchanged": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], 3),
    "one stands twice": (lambda lines: [*lines[:3], *lines[2:]], 4),
    "something else": (lambda lines: [*lines[:2], b"\xff\x00\n", *lines[3:]], 3),
    "an empty line": (lambda lines: [*lines[:5], b"\n", *lines[5:]], 6),
    "the last": (lambda lines: [*lines[:-1], b"{}\n"], -1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_was_changed_is_told_with_its_line(change: str, run: Run) -> None:
    words, file = SERIES["simulate"], Path("kept.jsonl")
    out = run(*words, *KEPT)[1]
    lines = file.read_bytes().splitlines(keepends=True)
    made, number = CHANGES[change]
    file.write_bytes(b"".join(made(lines)))
    changed, number = file.read_bytes(), number % (len(lines) + 1)
    code, _, err = run(*words, *KEPT)
    assert code == 1 and err.startswith(f"error[R913]: line {number} of `kept.jsonl` is not what was written there\n")
    assert file.read_bytes() == changed
    file.write_bytes(b"".join(changed.splitlines(keepends=True)[: number - 1]))  # as the help says
    assert run(*words, *KEPT)[:2] == (0, out) and file.read_bytes() == b"".join(lines)


def numbers(name: str) -> Kept[int]:
    return Kept(name, Head(series="numbers", hangs_on={"seed": 1}), Form(int))


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked here")
def test_two_programs_do_not_write_one_file(tmp_path: Path) -> None:
    name = str(tmp_path / "n.jsonl")
    with numbers(name) as kept:
        kept.add(7)
        with pytest.raises(Refused, match=r"\[R914\] another program is at work on"):
            numbers(name)
        kept.add(8)
    with numbers(name) as again:
        assert [*again.found] == [7, 8]


@pytest.mark.parametrize("name", ["no/such/folder.jsonl", ".", os.devnull])
def test_what_cannot_be_written_is_said(name: str, run: Run) -> None:
    code, out, err = run(*SERIES["simulate"], "--keep", name)
    assert (code, out) == (1, "") and err.startswith("error[R914]: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with numbers(str(tmp_path / "n.jsonl")) as kept:
        with open("/dev/full", "r+b", buffering=0) as full:
            monkeypatch.setattr(kept, "_file", full)
            with pytest.raises(Refused, match=r"\[R914\] .* could not be written: "):
                kept.add(1)
            monkeypatch.undo()


def test_what_is_known_for_certain_is_so_when_it_is_read_again(tmp_path: Path) -> None:
    sure = Weight(1, Known(1, 1, 0.5, 0.25), Fate(1, 0.5, 0.5, 0.5, 2.0, 4.0))
    tried = Weight(0, Tried(3, 4, 1.5, 0.75), Outcome(3, 2, 1.0, 1.0, 4.0, 8.0))
    found = [Judged(4, 0, [sure, tried], sure, tried), None, (0.5, None)]
    head = Head(series="analyse", hangs_on={})
    with Kept(str(tmp_path / "k.jsonl"), head, analyse.FORM) as kept:
        for one in found:
            kept.add(one)
    with Kept(str(tmp_path / "k.jsonl"), head, analyse.FORM) as again:
        assert repr([*again.found]) == repr(found)  # of which kind a number is, too


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_series_that_is_killed_goes_on(run: Run, jobs: str) -> None:
    words, file = ("simulate", "game.yaml", "-n", "6000", "--seed", "3", "--engine", "python"), Path("kept.jsonl")
    child = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words, *KEPT, "--jobs", jobs], stderr=subprocess.PIPE
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and (not file.exists() or file.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)
    there = file.read_bytes()
    assert child.returncode == -signal.SIGKILL and 4 <= there.count(b"\n") < 6000 // simulate.SHARE
    out = run(*words, *KEPT)[1]
    whole = file.read_bytes()
    assert whole.startswith(there[: there.rindex(b"\n") + 1])
    file.unlink()
    assert run(*words)[1] == out == run(*words, *KEPT)[1] and file.read_bytes() == whole
