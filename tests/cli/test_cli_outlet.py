"""Where the outcome of a series goes: text, JSON, CSV and Parquet, figures or games, plots; what is refused before anything is played."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starter import in_french

from interpreter.cli.main import main
from interpreter.series import editions, match, simulate

pytestmark = pytest.mark.whole

Run = Callable[..., tuple[int, str, str]]
END = ("--engine", "python", "--seed", "3")
COMMANDS = {
    "simulate": ("simulate", "game.yaml", "-n", "6"),
    "match": ("match", "game.yaml", "first", "random", "-n", "3"),
    "compare": ("compare", "game.yaml", "game.yaml,cards_each=9", "-n", "6"),
    "sweep": ("sweep", "game.yaml", "--set", "cards_each=5,9", "-n", "6"),
}
ROWS = {"simulate": 6, "match": 6, "compare": 12, "sweep": 12}
"""Games that each plays."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    assert call("new", "game")[0] == 0
    in_french(tmp_path)
    return call


@pytest.mark.parametrize("name", COMMANDS)
def test_every_series_comes_in_every_form(run: Run, name: str) -> None:
    import pyarrow.parquet

    words = (*COMMANDS[name], *END)
    code, out, err = run(*words, "--format", "csv")
    figures = list(csv.DictReader(io.StringIO(out)))
    assert (code, err) == (0, "") and {"game", "section", "name", "mean"} <= {*figures[0]}
    assert run(*words, "--format", "csv", "--rows", "games", "--out", "games.csv")[:2] == (0, "")
    assert Path("games.csv").read_text().count("\n") == 1 + ROWS[name]
    assert run(*words, "--out", "found.parquet", "--plot", "plot.svg")[:2] == (0, "")
    read = pyarrow.parquet.read_table("found.parquet")
    assert read.num_rows == len(figures) and read.column_names == [*figures[0]]
    title = run(*words)[1].partition("\n")[0].partition(":")[0]
    assert title in "".join(ElementTree.parse("plot.svg").getroot().itertext())


def test_what_a_file_is_called_says_its_form(run: Run) -> None:
    words = (*COMMANDS["simulate"], *END)
    for name, beginning in {"a.json": "{", "a.csv": "edition,game", "a.txt": "6 games of", "a": "6 games of"}.items():
        assert run(*words, "--out", name)[0] == 0
        assert Path(name).read_text().startswith(beginning), name
    assert run(*words, "--out", "a.csv", "--format", "json")[0] == 0 and Path("a.csv").read_text().startswith("{")


@pytest.mark.parametrize("name", COMMANDS)
def test_plots_are_told_in_french(run: Run, name: str) -> None:
    assert run(*COMMANDS[name], *END, "--plot", "trace.svg", "--lang", "fr")[0] == 0
    said = " ".join(ElementTree.parse("trace.svg").getroot().itertext())
    assert "parties" in said and "games" not in said and "interval " not in said


REFUSED = {
    "rows": (("--rows", "games"), "a row for each game needs a table"),
    "plot": (("--plot", "plot.pdf"), "plots are SVG or PNG"),
    "form": (("--format", "xls"), "text, json, csv, parquet"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_played(run: Run, name: str) -> None:
    words, said = REFUSED[name]
    code, out, err = run(*COMMANDS["simulate"], "-n", "1000000000", *words)
    assert (code, out) == (2, "") and said in err


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("pyarrow", ("--out", "a.parquet"), "hoyle[parquet]"),
        ("matplotlib", ("--plot", "a.svg"), "hoyle[plot]"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_package_that_is_missing_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, module: str, words: tuple[str, ...], extra: str, lang: str
) -> None:
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    code, out, err = run(*COMMANDS["simulate"], "-n", "1000000000", *words, "--lang", lang)
    assert (code, out) == (2, "") and f'pip install "{extra}"' in err
    assert {"en": f"{module} is not installed", "fr": f"{module} n'est pas installé"}[lang] in err


@pytest.mark.parametrize("option", ["--out", "--plot"])
@pytest.mark.parametrize("name", ["nowhere/a.svg", "."])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_played(run: Run, option: str, name: str) -> None:
    name = name if name != "." else "folder.svg"
    if "/" not in name:
        Path(name).mkdir()
    code, out, err = run(*COMMANDS["simulate"], "-n", "1000000000", option, name)
    assert (code, out) == (1, "") and f"`{name}`" in err
    assert not [one for one in Path().iterdir() if one.name.startswith(".hoyle")]


def test_a_terminal_is_shown_no_parquet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, out, err = run(*COMMANDS["simulate"], "-n", "1000000000", "--format", "parquet")
    assert (code, out) == (2, "") and "no text for a terminal" in err


STOPPED = {"simulate": (simulate, "play_some"), "match": (match, "_game"), "compare": (editions, "play_some")}


@pytest.mark.parametrize("name", STOPPED)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_series_that_was_stopped_leaves_no_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, form: str
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
