"""`hoyle bench`: what it reports of each engine. The speeds themselves are not tested."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner, told
from compilers import needs_compiler, only

from hoyle.cli.commands import machine
from hoyle.native import engine_builder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setattr(engine_builder, "_warned", set())
    monkeypatch.setattr(engine_builder, "FLAGS", (*engine_builder.FLAGS, "-O0"))
    monkeypatch.setattr("hoyle.series.bench.TURN", 0.02)
    monkeypatch.setattr("hoyle.series.bench._BATCH", 0.01)
    return runner(capsys, monkeypatch, tmp_path)


BENCH = ("bench", "game.yaml", "--seconds", "0.02", "--seed", "4")


def figures(one: Any) -> None:
    assert one["games"] > 0 and one["decisions"] > one["games"] and one["seconds"] > 0
    assert one["games_per_second"] == pytest.approx(one["games"] / one["seconds"], rel=0.1)
    assert one["decisions_per_second"] == pytest.approx(one["decisions"] / one["seconds"], rel=0.1)
    assert one["left"] == 0


@pytest.mark.slow
def test_both_engines(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_compiler()
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    found = told(run, *BENCH, "--engine", "both", "--set", "cards_each=3")
    assert (found["format"], found["seed"], found["seconds"], found["interrupted"]) == ("hoyle bench", 4, 0.02, False)
    (one,) = found["games"]
    assert one["options"]["cards_each"] == 3 and one["loading"] > 0 and one["ratio"] > 0
    for engine in one["engines"]:
        figures(engine)
    assert [(e["engine"], e["built"], e["ready"] > 0) for e in one["engines"]] == [
        ("python", False, False),
        ("native", True, True),
    ]
    again = told(run, *BENCH, "--set", "cards_each=3")["games"][0]["engines"]
    assert [(e["engine"], e["built"]) for e in again] == [("python", False), ("native", False)]


@pytest.mark.whole
def test_one_engine(run: Run) -> None:
    code, out, err = run(*BENCH, "--engine", "python")
    head, row = out.splitlines()
    assert (code, err) == (0, "")
    assert head.split() == ["game", "engine", "games/s", "decisions/s", "ratio", "loading", "building"]
    assert row.split()[:2] == ["game", "python"] and row.endswith(" s")
    (one,) = told(run, *BENCH, "--engine", "python")["games"]
    assert (one["ratio"], [e["engine"] for e in one["engines"]]) == (None, ["python"])
    figures(one["engines"][0])


@pytest.mark.whole
def test_missing_engine_is_an_error_if_asked_for(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    for engine, wanted, played in (("auto", 0, 2), ("both", 1, 2), ("native", 1, 0)):
        monkeypatch.setattr(engine_builder, "_warned", set())
        code, out, err = run(*BENCH, "--engine", engine)
        assert (code, len(out.splitlines())) == (wanted, played)
        assert err.startswith("no C compiler was found")


@pytest.mark.whole
def test_interruption_keeps_what_was_measured(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = machine._measure

    def until_the_second(name: str, *more: Any) -> Any:
        if name == "other":
            raise KeyboardInterrupt
        return measured(name, *more)

    monkeypatch.setattr(machine, "_measure", until_the_second)
    words = ("bench", "game.yaml", "other", *BENCH[2:], "--engine", "python")
    code, out, _ = run(*words)
    assert code == 130 and len(out.splitlines()) == 2
    code, out, _ = run(*words, "--json")
    found = json.loads(out)
    assert (code, found["interrupted"], [one["game"] for one in found["games"]]) == (130, True, ["game"])


def test_all_shipped_games_are_measured(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(machine, "_measure", lambda name, *_: asked.append(name))
    monkeypatch.setattr("hoyle.cli.commands.games.list_names", lambda: ["grabuge", "grabuge-8"])
    assert run("bench", *BENCH[2:])[0] == 1
    assert asked == ["grabuge", "grabuge-8"]
