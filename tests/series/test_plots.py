"""Plots: the same SVG every time, with all words as text; nothing is told by colour alone; bars hold every value."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.series.plots import (
    FORMS,
    Form,
    Heights,
    Intervals,
    Line,
    Plot,
    Spreads,
    _counted,
    _edges,
    draw_plot,
    make_figure,
)

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
WORDS = {"Who wins & why", "1 <first>", "ends", "times", "scores", "lengths", "A", "B", "% of games", "points"}
FRENCH = Plot("", (PLOT.panels[1], PLOT.panels[3]), "fr")
SMALL = Plot("", PLOT.panels[:1])


@cache
def whole() -> bytes:
    return draw_plot(PLOT)


def texts(svg: bytes) -> set[str]:
    return {text.strip() for text in ElementTree.fromstring(svg).itertext() if text.strip()}


@pytest.mark.whole
def test_words_and_numbers_are_there_as_text() -> None:
    assert texts(whole()) >= WORDS | {"two", "three", "1,200", "35", "0.5"}


@pytest.mark.whole
def test_same_plot_is_the_same_svg_without_a_date() -> None:
    assert draw_plot(SMALL) == draw_plot(SMALL) and re.search(rb"\d\d:\d\d|Matplotlib", whole()) is None


@pytest.mark.whole
def test_french_numbers_are_written_in_french() -> None:
    said = texts(draw_plot(FRENCH))
    assert said >= {"1\u202f200", "0,5"}
    assert not [text for text in said if re.fullmatch(r"[\d ]+[.,]\d{3}|\d+\.\d+", text)]


@pytest.mark.whole
def test_every_form_is_drawn() -> None:
    beginnings: dict[Form, bytes] = {"svg": b"<?xml", "png": b"\x89PNG"}
    assert {form: draw_plot(SMALL, form)[: len(beginnings[form])] for form in FORMS} == beginnings


@pytest.mark.whole
def test_groups_differ_in_more_than_colour_and_sure_marks_are_full() -> None:
    _, times, _, lengths = make_figure(PLOT).axes
    marks = [line for line in times.lines if line.get_marker() != "None" and len(line.get_xdata())]
    assert len({line.get_marker() for line in marks}) == 2
    assert [line.get_markerfacecolor() == "white" for line in marks] == [False, True]
    assert len({str(patch.get_linestyle()) for patch in lengths.patches}) == 2


@pytest.mark.whole
def test_rows_are_named_from_the_top() -> None:
    ends, _, scores, _ = make_figure(PLOT).axes
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
