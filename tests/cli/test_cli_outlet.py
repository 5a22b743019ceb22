"""Output of series: CSV and Parquet, figures or games, plots; interruption. `cases/sequences.yaml` has what is refused."""

import csv
import io
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Run, command_lines

from hoyle.cli import series_options
from hoyle.series import match, plots, simulate, tables, variants
from hoyle.series.plots import Plot

run = command_lines
END = ("--engine", "python", "--seed", "3")
COMMANDS = {
    "simulate": ("simulate", "game.yaml", "-n", "6"),
    "match": ("match", "game.yaml", "first", "random", "-n", "3"),
    "compare": ("compare", "game.yaml", "game.yaml,cards_each=9", "-n", "6"),
    "sweep": ("sweep", "game.yaml", "--set", "cards_each=5,9", "-n", "6"),
}
ROWS = {"simulate": 6, "match": 6, "compare": 12, "sweep": 12}
ENDLESS = (*COMMANDS["simulate"], "-n", "1000000000")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The form and the words of each plot. Tests of `series` draw plots and write Parquet; here both are replaced."""
    found: list[tuple[str, str]] = []

    def draw(plot: Plot, form: str) -> bytes:
        found.append((form, repr(plot)))
        return b"drawn"

    monkeypatch.setattr(plots, "draw_plot", draw)
    monkeypatch.setattr(tables, "write_parquet", lambda table: f"{len(table.records())} rows".encode())
    monkeypatch.setattr(series_options, "_require", lambda *_: None)
    return found


@pytest.mark.whole
@pytest.mark.parametrize("name", COMMANDS)
def test_series_in_each_form(run: Run, name: str, drawn: list[tuple[str, str]]) -> None:
    words = (*COMMANDS[name], *END)
    code, out, err = run(*words, "--format", "csv", "--plot", "plot.png")
    figures = list(csv.DictReader(io.StringIO(out)))
    assert (code, err) == (0, "") and {"game", "section", "name", "mean"} <= {*figures[0]}
    shown = run(*words, "--rows", "games", "--out", "games.csv", "--plot", "plot.svg", "--lang", "fr")
    assert shown[:2] == (0, "") and Path("games.csv").read_text(encoding="utf-8").count("\n") == 1 + ROWS[name]
    title = run(*words)[1].partition("\n")[0].partition(":")[0]
    (first, english), (second, french) = drawn
    assert (first, second) == ("png", "svg") and Path("plot.svg").read_bytes() == b"drawn"
    assert title in english and "games" in english
    assert "parties" in french and "games" not in french and "interval " not in french


@pytest.mark.slow
def test_parquet_has_the_rows_of_csv(run: Run) -> None:
    parquet, words = pytest.importorskip("pyarrow.parquet"), (*COMMANDS["compare"], *END)
    assert run(*words, "--out", "found.parquet")[:2] == (0, "")
    read, rows = parquet.read_table("found.parquet"), list(csv.reader(io.StringIO(run(*words, "--format", "csv")[1])))
    assert (read.num_rows, read.column_names) == (len(rows) - 1, rows[0])


@pytest.mark.slow
def test_plot_is_drawn(run: Run) -> None:
    assert run(*COMMANDS["compare"], *END, "--plot", "plot.svg")[0] == 0
    assert "6 games of each" in "".join(ElementTree.parse("plot.svg").getroot().itertext())


def test_terminal_is_shown_no_parquet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_options, "_require", lambda *_: None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, out, err = run(*ENDLESS, "--format", "parquet")
    assert (code, out) == (2, "") and "cannot be shown on a terminal" in err


STOPPED = {"simulate": (simulate, "play_games"), "match": (match, "_game"), "compare": (variants, "play_games")}


@pytest.mark.whole
@pytest.mark.parametrize(("name", "form"), [("simulate", "csv"), ("match", "parquet"), ("compare", "csv")])
def test_interrupted_series_leaves_no_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, form: str, drawn: list[tuple[str, str]]
) -> None:
    place, function = STOPPED[name]
    count, work = [0], getattr(place, function)

    def stopping(*given: object, **more: object) -> object:
        count[0] += 1
        if count[0] > 4:
            raise KeyboardInterrupt
        return work(*given, **more)

    monkeypatch.setattr(place, function, stopping)
    words = [word if word not in ("3", "6") else "100" for word in COMMANDS[name]]
    code, out, err = run(*words, *END, "--out", f"found.{form}", "--plot", "plot.svg")
    assert f"`found.{form}` is not written" in err and "`plot.svg` is not written" in err
    assert code == 130 and not Path(f"found.{form}").exists() and not Path("plot.svg").exists()
    assert out.startswith("edition,game," if form == "csv" else "") and out and "\x00" not in out
