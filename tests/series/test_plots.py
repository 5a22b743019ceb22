"""Plots: the same SVG every time, with all words as text; nothing is told by colour alone; bars hold every value."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.series.plots import (
    FORMS,
    Heights,
    Intervals,
    Line,
    Plot,
    Spreads,
    _counted,
    _edges,
    drawn,
    figure,
)

pytestmark = pytest.mark.whole
PLOT = Plot(
    "Who wins & why\n1 <first>",
    (
        Intervals("ends", (Line("A", 40, 30.5, 52.25), Line("B", 60, 50, 70, False)), "% of games", 50),
        Intervals(
            "times", (Line("A", 2, 0.25, 4, True, 0), Line("A", 3, 2, 5, False, 1)), "", 1, True, ("two", "three")
        ),
        Spreads("scores", (("A", (1, 2, 3, 4.5)), ("B", (2, 2, 2))), "points"),
        Heights("lengths", (("1", (1200, 1300, 1300)), ("2", (1250, 1400))), "% of games", "decisions"),
    ),
)


def texts(svg: bytes) -> list[str]:
    return [text.strip() for text in ElementTree.fromstring(svg).itertext() if text.strip()]


def test_the_same_plot_is_the_same_svg_and_says_no_date() -> None:
    first = drawn(PLOT)
    assert first == drawn(PLOT) and re.search(rb"\d\d:\d\d|Matplotlib", first) is None


def test_all_words_are_there_as_text() -> None:
    said = texts(drawn(PLOT))
    words = {
        "Who wins & why",
        "1 <first>",
        "ends",
        "times",
        "scores",
        "lengths",
        "A",
        "B",
        "% of games",
        "points",
        "two",
        "three",
    }
    assert words <= set(said)
    assert {"1,200", "35", "0.5"} <= set(said)


@pytest.mark.parametrize(("lang", "some"), [("en", {"1,200", "0.5"}), ("fr", {"1\u202f200", "0,5"})])
def test_numbers_are_written_as_in_the_language(lang: str, some: set[str]) -> None:
    said = set(texts(drawn(Plot(PLOT.title, PLOT.panels, lang))))
    assert some <= said
    assert not [text for text in said if lang == "fr" and re.fullmatch(r"[\d ]+[.,]\d{3}|\d+\.\d+", text)]


def test_every_form_that_is_promised_is_drawn() -> None:
    beginnings = {"svg": b"<?xml", "png": b"\x89PNG"}
    assert {form: drawn(PLOT, form)[: len(beginnings[form])] for form in FORMS} == beginnings


def test_groups_differ_in_more_than_colour_and_what_is_sure_is_full() -> None:
    _, times, _, lengths = figure(PLOT).axes
    marks = [line for line in times.lines if line.get_marker() != "None" and len(line.get_xdata())]
    assert len({line.get_marker() for line in marks}) == 2
    assert [line.get_markerfacecolor() == "white" for line in marks] == [False, True]
    assert len({str(patch.get_linestyle()) for patch in lengths.patches}) == 2


def test_rows_are_named_from_the_top() -> None:
    ends, _, scores, _ = figure(PLOT).axes
    for axes in (ends, scores):
        assert [label.get_text() for label in axes.get_yticklabels()] == ["A", "B"] and axes.yaxis_inverted()


@given(st.lists(st.integers(-3000, 3000) | st.floats(-50, 50), min_size=1, max_size=60))
def test_bars_hold_every_value_once(values: list[float]) -> None:
    edges = _edges(values)
    assert edges[0] <= min(values) and max(values) <= edges[-1] + 1e-9
    assert sum(_counted(values, edges)) == pytest.approx(100)
    assert len(edges) <= 43


@given(st.integers(-100, 100), st.integers(0, 9))
def test_whole_numbers_stand_in_the_middle_of_their_bars(least: int, further: int) -> None:
    edges = _edges([least, least + further])
    assert edges == [least - 0.5 + n for n in range(further + 2)]
