"""Series from Python: the numbers of the command line, shown as tables and plots, given as frames; what is asked wrongly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter import Refused, Result, compare, events_of, load, match, moves_of, simulate, sweep
from interpreter.cli.main import main
from interpreter.series.tables import Column, Table

pytestmark = pytest.mark.whole

CALLS: dict[str, Callable[[], Result]] = {
    "simulate grabuge -n 6": lambda: simulate("grabuge", 6, seed=3, engine="python"),
    "simulate grabuge -n 4 --seats first": lambda: simulate("grabuge", 4, seed=3, seats="first", engine="python"),
    "match scopa first random -n 3": lambda: match("scopa", "first", "random", 3, seed=3, engine="python"),
    "compare grabuge grabuge,decks=4 -n 6": lambda: compare(
        "grabuge", ("grabuge", {"decks": 4}), games=6, seed=3, engine="python"
    ),
    "sweep grabuge --set decks=2,4 -n 6": lambda: sweep("grabuge", {"decks": [2, 4]}, 6, seed=3, engine="python"),
}


@pytest.mark.parametrize("words", CALLS)
def test_the_numbers_are_those_of_the_command(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = CALLS[words]()
    for form, own in (("text", f"{found}\n"), ("json", found.data)):
        assert main([*words.split(), "--seed", "3", "--engine", "python", "--format", form, "--lang", "en"]) == 0
        said = capsys.readouterr().out
        assert own == (json.loads(said) if form == "json" else said)


@pytest.mark.parametrize("words", CALLS)
def test_a_notebook_shows_tables_and_plots(words: str, tmp_path: Path) -> None:
    found = CALLS[words]()
    page = ElementTree.fromstring(found._repr_html_())
    cells = {"".join(cell.itertext()).strip() for cell in page.iter("td")}
    figures = {part for line in found.text.splitlines() for part in line.split("  ") if part.strip()}
    assert len(cells & {part.strip() for part in figures}) >= 4
    assert found.text.partition("\n")[0] in "".join(page.itertext())
    ElementTree.fromstring(found.plot()._repr_svg_())
    found.plot().save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG") and found.plot().figure.axes
    assert found.frame("pyarrow").num_rows == len(found.figures.records())
    assert found.frame("pyarrow", "games").num_rows == len(found.games.records())


def test_in_french() -> None:
    found = simulate("grabuge", 2, seed=3, engine="python", lang="fr")
    assert found.text.startswith("Le Grabuge") and "décisions par partie" in found._repr_html_()
    assert "Longueur des parties" in found.plot()._repr_svg_() and "How long" in found.plot("en")._repr_svg_()


def test_games_states_and_tables_show_themselves() -> None:
    game = load("crapette")
    state = game.start(1)
    shown = game._repr_html_()
    assert "<strong>Crapette</strong>" in shown and "<svg" in shown and "stalemate=draw" in shown
    assert [one["id"] for one in moves_of(state).records()] == [move.id for move in state.moves()]
    told = events_of(state, None, "fr").records()
    assert [one["event"] for one in told] == [text for event in state.events if (text := event.text("fr", None))]
    page = "".join(ElementTree.fromstring(moves_of(state)._repr_html_()).itertext())
    assert all(move.text("en") in page for move in state.moves())


def test_a_hidden_card_is_in_no_table_of_another_seat() -> None:
    state = load("piquet").playout(1)
    assert events_of(state, "A").records() != events_of(state, "B").records()


def test_what_a_table_says_is_escaped_and_long_ones_are_cut() -> None:
    table = simulate("grabuge", 30, seed=3, engine="python").games
    assert "20 / 30" in table._repr_html_() and table._repr_html_().count("<tr>") == 21
    assert "&lt;b&gt;" in Table((Column("<b>", str, ("x",)),))._repr_html_()


WRONG: dict[str, Callable[[], Result]] = {
    "one edition": lambda: compare("grabuge"),
    "a player": lambda: compare("grabuge", "grabuge", games=2, player="nobody"),
    "no opponent": lambda: match("klondike", "first", "random", 2),
    "no games": lambda: simulate("grabuge", 0),
    "games as words": lambda: simulate("grabuge", "10"),  # type: ignore[arg-type]
    "half a game": lambda: simulate("grabuge", 2.5),  # type: ignore[arg-type]
    "no process": lambda: simulate("grabuge", 2, jobs=0),
    "an engine": lambda: simulate("grabuge", 2, engine="gpu"),  # type: ignore[arg-type]
    "a language": lambda: simulate("grabuge", 2, lang="de"),
    "no option": lambda: sweep("grabuge", {}, 2),
    "no value": lambda: sweep("grabuge", {"decks": []}, 2),
    "a value alone": lambda: sweep("grabuge", {"decks": 4}, 2),  # type: ignore[dict-item]
    "a text": lambda: sweep("grabuge", {"draw_order": "top_first"}, 2),
    "rows": lambda: simulate("grabuge", 2).frame("pyarrow", "rows"),  # type: ignore[arg-type]
    "seats": lambda: simulate("grabuge", 2, seats=["random"]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_asked_wrongly_is_a_value_error(name: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        WRONG[name]()


def test_a_plot_is_called_by_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SVG or PNG"):
        simulate("grabuge", 2).plot().save(tmp_path / "a.jpg")


def test_what_is_wrong_with_a_ruleset_is_refused() -> None:
    with pytest.raises(Refused):
        simulate("nothing-of-the-kind")
    with pytest.raises(Refused):
        sweep("grabuge", {"cards": [1, 2]}, 2)
