"""A table keeps the form that it had, unless a fuller one fits with lines to spare."""

from functools import cache

import pytest
from games import game
from msgspec.structs import replace

from hoyle import State
from hoyle.presentation.look import make_look
from hoyle.presentation.table.table import SPARE, LayoutMemory, draw_table

SIZE = (80, 20)


@cache
def start(name: str) -> State:
    return game(name).start(1)


@cache
def form_at(name: str, height: int, kept: int = 0) -> int:
    """Return the form in which a table is drawn in so many lines, if the form before was `kept`."""
    state = start(name)
    form, look = LayoutMemory(SIZE, kept), replace(make_look(state.game), height=height)
    draw_table(state.view(state.game.seats[0]), state.game.seats, look, "x", brief=True, form=form)
    return form.drawn


def least(name: str) -> int:
    """Return the fewest lines that the fullest form fits in."""
    return next(height for height in range(60) if form_at(name, height) == 0)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["klondike", pytest.param("backgammon", marks=pytest.mark.slow)])
def test_form_is_kept_until_a_fuller_one_fits_with_lines_to_spare(name: str) -> None:
    lines = least(name)
    fewer = form_at(name, lines - 1)
    assert fewer > 0
    heights = range(lines, 2 * lines)
    back = [form_at(name, height, fewer) == 0 for height in heights]
    assert back == [lines <= height - height // SPARE for height in heights]
    assert back.index(True) >= lines // SPARE
