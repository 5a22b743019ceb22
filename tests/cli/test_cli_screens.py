"""Table, moves and prompt on one screen, at any time of a game: however low and narrow it is, nothing is higher or wider."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games import game, names
from msgspec.structs import replace
from tiers import in_tiers

from interpreter.cli.catalogue import choose
from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import BELOW, fitting, holding, in_order, look_of
from interpreter.cli.drawing.offers import choices, fewest
from interpreter.cli.drawing.table import Form, table
from interpreter.cli.playing.dense import Heard
from interpreter.cli.playing.screen import Below, below, filling, page, taken
from interpreter.game.game import State
from interpreter.printable import width
from interpreter.running.chance import Chance

pytestmark = pytest.mark.whole
SIZES = [(80, 24), (60, 24), (60, 20)]
WORDS = " and what came of it"
"""Of some events there is so much to tell that it takes two lines."""
LOOKED_AT = 30
"""So many moments of a game are looked at, from its first to its last."""


def moments(name: str, seed: int) -> list[State]:
    """Where somebody is asked, in a game that is played at random."""
    found, state, chance = list[State](), game(name).start(seed), Chance.stream(seed)
    while not state.is_over and len(found) < 1_000:
        found.append(state)
        moves = state.moves()
        state = state.play(moves[chance.below(len(moves))])
    return found[:: -(-len(found) // LOOKED_AT)]


def screen(state: State, look: Look, form: Form, news: Heard) -> Iterator[str]:
    """What is written until somebody is asked, as in a session."""
    seat, moves, height = state.to_act, state.moves(), look.height
    assert seat is not None and height is not None
    view = state.view(seat)

    def draw(lines: int, brief: bool) -> list[str]:
        return table(view, state.game.seats, replace(look, height=lines), "Game", brief=brief, form=form)

    only = len(moves) == 1
    listed = below(state, in_order(moves, holding(look, view)), holding(look, view), int(only))
    made = page(news, seat, look, listed, draw)
    yield from fitting([*made.news, *[""] * bool(made.news), *made.drawn, ""], look)
    yield from choices(state, in_order(moves, holding(look, view)), holding(look, view), made.room - only)
    yield from ["Your only move", "A> "][not only :]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], whole=["crapette"]))
def test_no_moment_of_a_game_is_too_large_for_its_screen(name: str, lang: str) -> None:
    choose(["--lang", lang], {})
    try:
        seen = moments(name, 1)
        for columns, rows in SIZES:
            look = replace(look_of(seen[0].game, ascii_only=rows < 24), width=columns, height=rows - BELOW)
            forms = dict[str | None, Form]()
            for number, state in enumerate(seen):
                news = [f"event {n}{WORDS * (number % 3 * n % 4)}" for n in range(number % 2 * 12)]
                forms[state.to_act] = form = forms.get(state.to_act, Form()).sized((columns, rows))
                lines = [*screen(state, look, form, Heard(news, news))]
                assert taken(lines, look) <= rows, "\n".join(lines)
                assert max(map(width, lines)) <= columns, "\n".join(lines)
    finally:
        choose([], {})


@pytest.mark.quick
@pytest.mark.parametrize("tall", range(8, 20))
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_news_are_counted_as_they_are_broken(lang: str, tall: int) -> None:
    """A table that needs so many lines leaves less room for news whose heading takes two of them."""
    choose(["--lang", lang], {})
    try:
        look = Look(width=40, height=24 - BELOW)
        told = [f"event {n} {'and what came of it ' * (n % 3)}" for n in range(13)]
        made = page(Heard(told, told), "A", look, Below(2, lambda room: 2), lambda lines, brief: ["table"] * tall)
        assert taken([*made.news, *[""] * bool(made.news), *made.drawn, "", "1", "2", "A> "], look) <= 24
        assert tall == 19 or made.news[-1] == told[-1]
    finally:
        choose([], {})


@pytest.mark.quick
@pytest.mark.parametrize("rows", [16, 20, 24, 40])
@pytest.mark.parametrize("events", [6, 9, 25])
def test_no_line_stays_free_while_an_event_is_left_out(rows: int, events: int) -> None:
    look, told = Look(width=80, height=rows - BELOW), [f"event {n}" for n in range(events)]
    made = page(Heard(told, told), "A", look, Below(3, lambda room: 3), lambda lines, brief: ["table"] * 8)
    used = len([*made.news, *[""] * bool(made.news), *made.drawn, "", "1", "2", "3", "A> "])
    assert used == rows if len(told) > len(made.news) else used <= rows


def test_moves_come_before_news() -> None:
    """What is listed in eight lines is listed whole, however much there is to tell, as long as the table leaves room."""
    look, told = Look(width=80, height=24 - BELOW), [f"event {n}" for n in range(25)]
    made = page(Heard(told, told), "A", look, Below(8, lambda room: min(room, 8)), lambda lines, brief: ["t"] * 13)
    assert made.room == 9 and not made.news
    made = page(Heard(told, told), "A", look, Below(8, lambda room: min(room, 8)), lambda lines, brief: ["t"] * 9)
    assert made.room == 8 and made.news[0].startswith("25 events; here the last")


@pytest.mark.quick
def test_ones_own_forced_cards_are_told_whatever_is_left_out() -> None:
    told = [f"event {n}" for n in range(12)]
    news = filling(Heard(told, told, frozenset(told[3:4])), "A", Look(width=80, height=20), 5)
    assert news == ["event 3", "12 events; here the last 3 (`last` tells all):", *told[-3:]]


@pytest.mark.parametrize("room", range(1, 9))
def test_that_there_are_more_moves_never_takes_the_line_of_one(room: int) -> None:
    for name in ("crapette", "klondike", "belote"):
        for state in moments(name, 2):
            look = replace(look_of(state.game), height=20)
            lines = choices(state, state.moves(), look, room)
            assert "`list`" not in lines[-1] or fewest(state, state.moves(), look) > len(lines)
