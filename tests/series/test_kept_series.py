"""Series in files: whatever ends a series, the same command goes on, and its results are those of one that was never stopped."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import Run, runner
from rules import gathering_at

from hoyle import load
from hoyle.cli.shell import INTERRUPTED
from hoyle.diagnostics import Refused
from hoyle.game.records.records import record_lines
from hoyle.series import analysis, match, simulate, variants
from hoyle.series.result_file import Header, ResultFile, ResultFormat

SERIES: dict[str, tuple[str, Any, str]] = {
    "simulate": ("gathering.yaml -n 70 --seed 3", simulate, "play_games"),
    "match": ("gathering.yaml greedy random -n 4 --seed 3", match, "_played"),
    "compare": ("gathering.yaml,gain=3 gathering.yaml -n 10 --seed 3", variants, "play_games"),
    "sweep": ("gathering.yaml --set gain=2,3 -n 3 --seed 3", variants, "play_games"),
    "analyse": ("r.jsonl --search 3 --deals 2", analysis, "judge"),
}
"""Commands, and the functions of which one share of their work is asked."""
KEPT = ("--keep", "kept.jsonl")
MORE = ("--engine", "python", "--json")
GOES_ON = "continuing with the results in `kept.jsonl`\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    gathering_at(tmp_path)
    return runner(capsys, monkeypatch, tmp_path)


# ---- a file of numbers -----------------------------------------------------------------------------------------------

HEAD = Header(series="numbers", hangs_on={"seed": 1})
NUMBERS = [7, 8, 9, 10, 11, 12]


def numbers(name: Path, head: Header = HEAD) -> ResultFile[int]:
    return ResultFile(str(name), head, ResultFormat(int))


def written(name: Path) -> bytes:
    with numbers(name) as kept:
        for number in NUMBERS:
            kept.add(number)
    return name.read_bytes()


CUTS: dict[str, tuple[Callable[[list[bytes]], bytes], int]] = {
    "nothing": (lambda lines: b"", 0),
    "some of the head": (lambda lines: lines[0][:20], 0),
    "the head": (lambda lines: lines[0], 0),
    "whole lines": (lambda lines: b"".join(lines[:4]), 3),
    "a line without its end": (lambda lines: b"".join(lines[:5])[:-1], 3),
    "some of a line": (lambda lines: b"".join(lines[:4]) + lines[4][:3], 3),
    "all": (b"".join, 6),
}


@pytest.mark.parametrize("cut", CUTS)
def test_file_that_was_cut_off_goes_on_to_the_same(cut: str, tmp_path: Path) -> None:
    name = tmp_path / "n.jsonl"
    whole, (made, count) = written(name), CUTS[cut]
    name.write_bytes(made(whole.splitlines(keepends=True)))
    with numbers(name) as kept:
        assert [*kept.found] == NUMBERS[:count]
        for number in NUMBERS[count:]:
            kept.add(number)
    assert name.read_bytes() == whole


CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a digit": (lambda lines: [*lines[:4], lines[4].replace(b":10}", b":16}"), *lines[5:]], 5),
    "another type": (lambda lines: [*lines[:1], b'{"share":0,"sum":1829654686,"result":"a"}\n'], 2),
    "a line is missing": (lambda lines: [*lines[:3], *lines[4:]], 4),
    "two are exchanged": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], 3),
    "one stands twice": (lambda lines: [*lines[:3], *lines[2:]], 4),
    "something else": (lambda lines: [*lines[:2], b"\xff\x00\n", *lines[3:]], 3),
    "an empty line": (lambda lines: [*lines[:5], b"\n", *lines[5:]], 6),
    "the last": (lambda lines: [*lines[:-1], b"{}\n"], 7),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_line_is_refused_with_its_number(change: str, tmp_path: Path) -> None:
    name = tmp_path / "n.jsonl"
    whole, (made, number) = written(name), CHANGES[change]
    name.write_bytes(changed := b"".join(made(whole.splitlines(keepends=True))))
    with pytest.raises(Refused, match=rf"\[R913\] line {number} of "):
        numbers(name)
    assert name.read_bytes() == changed
    name.write_bytes(b"".join(changed.splitlines(keepends=True)[: number - 1]))  # as the help says
    with numbers(name) as kept:
        assert [*kept.found] == NUMBERS[: number - 2]


@pytest.mark.parametrize(
    "text", [b"ruleset: 1\n", b"mine", b"{}\n", b'{"format":"hoyle simulate"}\n', b"\xff\n", b"\n"]
)
def test_file_without_a_series_is_left_as_it_is(text: bytes, tmp_path: Path) -> None:
    (name := tmp_path / "n.jsonl").write_bytes(text)
    with pytest.raises(Refused, match=r"\[R912\].*keeps no series"):
        numbers(name)
    assert name.read_bytes() == text


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked here")
def test_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    name = tmp_path / "n.jsonl"
    with numbers(name) as kept:
        kept.add(7)
        assert name.read_bytes().count(b"\n") == 2, "it is there, whatever ends the program"
        with pytest.raises(Refused, match=r"\[R914\] another program is at work on"):
            numbers(name)
        kept.add(8)
    with numbers(name) as again:
        assert [*again.found] == [7, 8]


@pytest.mark.parametrize("name", ["no/such/folder.jsonl", ".", os.devnull])
def test_file_that_cannot_be_written_is_refused(name: str) -> None:
    with pytest.raises(Refused, match=r"\[R914\]"):
        numbers(Path(name))


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be kept small here")
def test_full_disk_is_refused(tmp_path: Path) -> None:
    import resource

    whole, limit = len(written(name := tmp_path / "n.jsonl")), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (whole + 3, limit[1]))
    try:
        with pytest.raises(Refused, match=r"\[R914\] .* could not be written: "), numbers(name) as kept:
            kept.add(1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    with numbers(name) as again:
        assert [*again.found] == NUMBERS


# ---- what results depend on ------------------------------------------------------------------------------------------


def simulated(path: str) -> Iterator[Header]:
    order = simulate.Order(path, (), 3, ("random", "random"), "python")
    yield simulate.make_header(load(path), order, 70)
    yield simulate.make_header(load(path), order, 71)
    yield simulate.make_header(load(path, {"gain": 3}), order, 70)
    for change in ({"seed": 4}, {"kinds": ("first", "random")}):
        yield simulate.make_header(load(path), msgspec.structs.replace(order, **change), 70)
    gathering_at(Path(path).parent, {"range: 0..99": "range: 0..98"})
    yield simulate.make_header(load(path), order, 70)


def matched(path: str) -> Iterator[Header]:
    one, order = load(path), match.Match(path, (), 3, ("greedy", "random"), "python")
    yield match.make_header(one, order, 4)
    yield match.make_header(one, order, 5)
    yield match.make_header(load(path, {"gain": 3}), order, 4)
    for change in ({"seed": 4}, {"kinds": ("random", "greedy")}):
        yield match.make_header(one, msgspec.structs.replace(order, **change), 4)


def compared(path: str) -> Iterator[Header]:
    plan = variants.Plan((variants.Variant(path),), 10, 3, engine="python")
    more = (variants.Variant(path), variants.Variant(path, (("gain", 3),)))
    for change in ({}, {"editions": more}, {"games": 11}, {"seed": 4}, {"kinds": ("first",)}, {"usual": "greedy"}):
        yield variants.make_header(msgspec.structs.replace(plan, **change))


def analysed(path: str) -> Iterator[Header]:
    state = load(path).start(3)
    texts = ["\n".join(record_lines(state.play(state.moves()[n]), 1)) for n in (0, 1)]
    order = analysis.Order("r.jsonl", texts[0], path, "search:3", 1, "python")
    for change in ({}, {"text": texts[1]}, {"kind": "search:4"}, {"seed": 2}):
        other = msgspec.structs.replace(order, **change)
        yield analysis.make_header(other, other.course(), [0], 2)
    for chosen, deals in (([0, 1], 2), ([0], 3)):
        yield analysis.make_header(order, order.course(), chosen, deals)


@pytest.mark.whole
@pytest.mark.parametrize("heads", [simulated, matched, compared, analysed])
def test_head_names_all_that_results_depend_on(heads: Callable[[str], Iterator[Header]], tmp_path: Path) -> None:
    found = [msgspec.json.encode(head) for head in heads(gathering_at(tmp_path))]
    assert len({*found}) == len(found)


def test_differences_from_another_series_are_noted(tmp_path: Path) -> None:
    name = tmp_path / "n.jsonl"
    there = {"seed": 3, "seats": ["random", "random"], "options": {"gain": 2, "rounds": 5}}
    with numbers(name, Header(series="simulate", hangs_on=there)):
        pass
    here = {"seed": 4, "seats": ["first", "random"], "options": {"gain": 3, "rounds": 5}}
    with pytest.raises(Refused, match=r"\[R912\].*keeps another series") as refused:
        numbers(name, Header(series="match", hangs_on=here))
    assert [str(note) for note in refused.value.cause.notes] == [
        '`series` is "simulate" there, and "match" here',
        "`seed` is 3 there, and 4 here",
        '`seats` is ["random","random"] there, and ["first","random"] here',
        "`gain` is 2 there, and 3 here",
    ]


@pytest.mark.parametrize("more", [{}, {"results": 2}])
def test_series_of_another_build_is_named_as_such(more: dict[str, int], tmp_path: Path) -> None:
    """Its results may have another shape, and its first line other entries."""
    first, *lines = written(name := tmp_path / "n.jsonl").replace(b":7}", b":[7]}").splitlines()
    head = {**msgspec.json.decode(first), "hoyle": "0.0.9 0123abcd", **more}
    name.write_bytes(changed := b"\n".join([msgspec.json.encode(head), *lines, b""]))
    with pytest.raises(Refused, match=r"\[R912\] hoyle 0.0.9 0123abcd wrote the series") as refused:
        numbers(name)
    assert f"this is hoyle {HEAD.hoyle}" in str(refused.value) and name.read_bytes() == changed
    assert "name another file" in str(refused.value.cause.help)


# ---- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("name", SERIES)
def test_interrupted_command_goes_on_to_the_same(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "analyse":
        assert run("play", "gathering.yaml", "--seats", "random,random", "--seed", "4", "--record", "r.jsonl")[0] == 0
    given, where, what = SERIES[name]
    words, file = (name, *given.split(), *MORE), Path("kept.jsonl")
    out = run(*words)[1]
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
        "\nstopped\nfinished games are in `kept.jsonl`; run the same command to continue\n",
    )
    assert file.read_bytes().count(b"\n") == 1 + 3
    monkeypatch.setattr(where, what, work)
    assert run(*words, *KEPT) == (0, out, GOES_ON)
    assert run(*words, *KEPT) == (0, out, GOES_ON), "it is all there"


def test_drawn_seed_is_kept(run: Run) -> None:
    code, out, err = run("simulate", "gathering.yaml", "-n", "10", *KEPT)
    assert code == 0 and err.startswith("seed ")
    assert run("simulate", "gathering.yaml", "-n", "10", *KEPT) == (0, out, GOES_ON)
