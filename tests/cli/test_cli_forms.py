"""A table does not change its form to and fro: it keeps the one that it had, unless a fuller one fits with lines to spare."""

from __future__ import annotations

from functools import cache

import pytest
from games import game
from msgspec.structs import replace

from interpreter import State
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.table import SPARE, Form, table

pytestmark = pytest.mark.whole
SIZE = (80, 20)


@cache
def _begun(name: str) -> State:
    return game(name).start(1)


@cache
def drawn(name: str, height: int, kept: int = 0) -> Form:
    """The form in which its table stands in so many lines, after it stood so."""
    state = _begun(name)
    form = Form(SIZE, kept)
    table(
        state.view(state.game.seats[0]),
        state.game.seats,
        replace(look_of(state.game), height=height),
        "x",
        brief=True,
        form=form,
    )
    return form


def least(name: str, form: int) -> int:
    """The fewest lines that it stands in so, without any form before."""
    return next(height for height in range(60) if drawn(name, height).drawn == form)


@pytest.mark.parametrize("name", ["klondike", "backgammon", "hearts"])
def test_a_form_is_kept_until_a_fuller_one_fits_with_lines_to_spare(name: str) -> None:
    forms = sorted({drawn(name, height).drawn for height in range(8, 32)})
    assert forms[0] == 0 and len(forms) > 1
    lines = least(name, 0)
    fewer = drawn(name, lines - 1).drawn
    assert fewer > 0
    heights = range(lines, 2 * lines)
    back = [drawn(name, height, fewer).drawn == 0 for height in heights]
    assert back == [lines <= height - height // SPARE for height in heights]
    assert back.index(True) >= lines // SPARE
    assert all(drawn(name, height, 0).drawn == drawn(name, height).drawn for height in range(8, 32))


@pytest.mark.parametrize("name", ["klondike", "backgammon"])
def test_what_does_not_fit_any_more_gives_way_at_once(name: str) -> None:
    lines = least(name, 0)
    assert drawn(name, lines, 0).drawn == 0
    assert drawn(name, lines - 1, 0).drawn > 0


def test_at_another_size_no_form_is_kept() -> None:
    form = Form(SIZE, 1, 3)
    assert form.sized(SIZE).kept == 3
    assert form.sized((80, 21)).kept == 0


@pytest.mark.parametrize("name", ["hearts", "crapette"])
def test_a_table_keeps_its_form_while_news_come_and_go(name: str) -> None:
    """Drawn in the room that one, five or nine lines of news leave, it is drawn in one way once it has given way to most of them."""
    lines = least(name, 0)
    form, seen = drawn(name, lines - 2), list[int]()
    for more in (0, 4, 1, 5, 0, 4):
        form = drawn(name, lines - 2 + more, form.drawn)
        seen.append(form.drawn)
    assert set(seen) == {seen[0]} != {0}
