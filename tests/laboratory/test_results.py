"""Series from Python: the numbers of the command line, shown as tables and plots, given as frames; arguments that are refused."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from games import game
from rules import read_cases
from tiers import in_tiers

import hoyle
from hoyle import Refused, Result, compare, events_of, match, moves_of, simulate, sweep
from hoyle.cli.main import main
from hoyle.series import plots
from hoyle.series.tables import Column, Table

CALLS: dict[str, Callable[[], Result]] = {
    "simulate golf -n 3": lambda: simulate("golf", 3, seed=3, engine="python"),
    "simulate golf -n 2 --seats first": lambda: simulate("golf", 2, seed=3, seats="first", engine="python"),
    "match scopa first random -n 1": lambda: match("scopa", "first", "random", 1, seed=3, engine="python"),
    "compare golf golf,holes=2 -n 3": lambda: compare("golf", ("golf", {"holes": 2}), games=3, seed=3, engine="python"),
    "sweep golf --set holes=1,2 -n 3": lambda: sweep("golf", {"holes": [1, 2]}, 3, seed=3, engine="python"),
}
WRONG = read_cases("laboratory/wrong")
PLAIN = next(iter(CALLS))


@cache
def played(words: str) -> Result:
    return CALLS[words]()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces drawing by matplotlib, which takes half a second, by the format and the title."""
    monkeypatch.setattr(plots, "draw_plot", lambda plot, form="svg": f"{form}: {plot.title}".encode())


@pytest.mark.whole
@pytest.mark.parametrize("words", CALLS)
def test_series_are_those_of_the_command(words: str, undrawn: None, capsys: pytest.CaptureFixture[str]) -> None:
    found = played(words)
    for form, own in (("text", f"{found}\n"), ("json", found.data)):
        assert main([*words.split(), "--seed", "3", "--engine", "python", "--format", form, "--lang", "en"]) == 0
        said = capsys.readouterr().out
        assert own == (json.loads(said) if form == "json" else said)
    page = ElementTree.fromstring(found._repr_html_())
    cells = {"".join(cell.itertext()).strip() for cell in page.iter("td")}
    figures = {part.strip() for line in found.text.splitlines() for part in line.split("  ") if part.strip()}
    assert len(cells & figures) >= 4
    head = found.text.partition("\n")[0]
    assert head in "".join(page.itertext()) and head in found.plot()._repr_svg_() and head in repr(found)


@pytest.mark.slow
def test_plots_and_frames_of_real_libraries(tmp_path: Path) -> None:
    found = played(PLAIN)
    ElementTree.fromstring(found.plot()._repr_svg_())
    found.plot().save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG") and found.plot().figure.axes
    assert found.frame("pyarrow").num_rows == len(found.figures.records())
    assert found.frame("pyarrow", "games").num_rows == len(found.games.records())


def test_french_series_are_told_in_french(undrawn: None) -> None:
    found = simulate("golf", 2, seed=3, engine="python", lang="fr")
    assert found.text.startswith("Le Golf") and "décisions par partie" in found._repr_html_()
    assert "2 parties" in found.plot()._repr_svg_() and "2 games" in found.plot("en")._repr_svg_()


def test_plots_are_saved_in_the_format_of_their_name(undrawn: None, tmp_path: Path) -> None:
    drawing = played(PLAIN).plot()
    for name in ("a.svg", "b.PNG"):
        drawing.save(tmp_path / name)
    assert (tmp_path / "a.svg").read_text() == drawing._repr_svg_()
    assert (tmp_path / "b.PNG").read_text() == drawing._repr_svg_().replace("svg:", "png:")
    assert repr(drawing).startswith("<Drawing ")
    with pytest.raises(ValueError, match="SVG or PNG"):
        drawing.save(tmp_path / "a.jpg")


def test_frames_are_of_figures_or_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def framed(table: Table, library: str) -> Any:
        return table, library

    monkeypatch.setattr(Table, "frame", framed)
    found = played(PLAIN)
    assert found.frame() == (found.figures, "pandas")
    assert found.frame("polars", "games") == (found.games, "polars")
    with pytest.raises(ValueError, match="'rows'"):
        found.frame("polars", "rows")  # type: ignore[arg-type]


def test_games_states_and_tables_show_themselves() -> None:
    state = game("klondike").start(1)
    shown = game("klondike")._repr_html_()
    assert "<strong>Klondike</strong>" in shown and "<svg" in shown and "redeals=" in shown
    assert [one["id"] for one in moves_of(state).records()] == [move.id for move in state.moves()]
    told = events_of(state, None, "fr").records()
    assert [one["event"] for one in told] == [text for event in state.events if (text := event.text("fr", None))]
    page = "".join(ElementTree.fromstring(moves_of(state)._repr_html_()).itertext())
    assert all(move.text("en") in page for move in state.moves())


def test_events_are_those_that_a_seat_may_know() -> None:
    own = SimpleNamespace(kind="deal", seat="A", text=lambda lang, seat: f"{lang} {seat}" if seat == "A" else "")
    state: Any = SimpleNamespace(events=[own])
    assert events_of(state, "A", "fr").records() == [{"kind": "deal", "seat": "A", "event": "fr A"}]
    assert events_of(state, "B").records() == []


def test_tables_are_escaped_and_cut() -> None:
    page = Table((Column("<b>", int, tuple(range(30))),))._repr_html_()
    assert "20 / 30" in page and page.count("<tr>") == 21 and "&lt;b&gt;" in page


def call(function: str, arguments: list[Any], named: dict[str, Any]) -> Result:
    found: Result = getattr(hoyle, function)(*arguments, **named)
    return found


@pytest.mark.parametrize("case", in_tiers(WRONG["values"], quick=WRONG["values"][::8], whole=WRONG["values"]))
def test_wrong_arguments_raise_value_errors(case: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call(*case)


@pytest.mark.parametrize("case", WRONG["rulesets"])
def test_wrong_rulesets_and_options_are_refused(case: list[Any]) -> None:
    with pytest.raises(Refused):
        call(*case)
