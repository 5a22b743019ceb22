"""Table, moves and prompt fit on one screen, however low and narrow it is; lists are paged, and a table keeps its form."""

from collections.abc import Iterator
from functools import cache

import pytest
from games import FEW, game
from msgspec.structs import replace
from tiers import in_tiers, sized

from hoyle.cli.playing.news import NewsLines
from hoyle.cli.playing.offers import count_fewest_lines, list_choices
from hoyle.cli.playing.screen import Below, choose_news, count_screen_lines, make_page, measure_below
from hoyle.game.game import State
from hoyle.language.sentences import LANGUAGES
from hoyle.presentation.catalogue import use_language
from hoyle.presentation.look import BELOW, Look, make_look
from hoyle.presentation.play_text import sort_moves, use_hand_order, wrap_lines
from hoyle.presentation.table.table import SPARE, LayoutMemory, draw_table
from hoyle.printable import width
from hoyle.running.chance import Chance

SIZES = [(80, 24), (60, 24), (60, 20)]
WORDS = " and what came of it"
"""Some events take two lines."""


@cache
def moments(name: str, seed: int) -> list[State]:
    found, state, chance = list[State](), game(name).start(seed), Chance.stream(seed)
    while not state.is_over and len(found) < 1_000:
        found.append(state)
        moves = state.moves()
        state = state.play(moves[chance.below(len(moves))])
    return found[:: -(-len(found) // sized(10, 30))]


def screen(state: State, look: Look, form: LayoutMemory, news: NewsLines) -> Iterator[str]:
    seat, moves, height = state.to_act, state.moves(), look.height
    assert seat is not None and height is not None
    view = state.view(seat)

    def draw(lines: int, brief: bool) -> list[str]:
        return draw_table(view, state.game.seats, replace(look, height=lines), "Game", brief=brief, form=form)

    only = len(moves) == 1
    listed = measure_below(state, sort_moves(moves, use_hand_order(look, view)), use_hand_order(look, view), int(only))
    made = make_page(news, seat, look, listed, draw)
    yield from wrap_lines([*made.news, *[""] * bool(made.news), *made.drawn, ""], look)
    yield from list_choices(
        state, sort_moves(moves, use_hand_order(look, view)), use_hand_order(look, view), made.room - only
    )
    yield from ["Your only move", "A> "][not only :]


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(FEW, whole=["crapette"]))
def test_no_moment_of_a_game_is_too_large_for_its_screen(name: str) -> None:
    for lang in LANGUAGES:
        with use_language(lang):
            seen = moments(name, 1)
            for columns, rows in SIZES:
                look = replace(make_look(seen[0].game, ascii_only=rows < 24), width=columns, height=rows - BELOW)
                forms = dict[str | None, LayoutMemory]()
                for number, state in enumerate(seen):
                    news = [f"event {n}{WORDS * (number % 3 * n % 4)}" for n in range(number % 2 * 12)]
                    forms[state.to_act] = form = forms.get(state.to_act, LayoutMemory()).resize((columns, rows))
                    lines = [*screen(state, look, form, NewsLines(news, news))]
                    assert count_screen_lines(lines, look) <= rows, "\n".join(lines)
                    assert max(map(width, lines)) <= columns, "\n".join(lines)


def numbered(count: int) -> list[str]:
    return [f"event {n}" for n in range(count)]


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
def test_news_are_counted_as_they_are_broken(lang: str) -> None:
    """A table that needs so many lines leaves less room for news whose heading takes two of them."""
    with use_language(lang):
        look = Look(width=40, height=24 - BELOW)
        told = [f"event {n} {'and what came of it ' * (n % 3)}" for n in range(13)]
        for tall in range(8, 20):
            made = make_page(
                NewsLines(told, told), "A", look, Below(2, lambda room: 2), lambda *_, lines=tall: ["table"] * lines
            )
            assert (
                count_screen_lines([*made.news, *[""] * bool(made.news), *made.drawn, "", "1", "2", "A> "], look) <= 24
            )
            assert tall == 19 or made.news[-1] == told[-1]


@pytest.mark.parametrize("rows", [16, 20, 24, 40])
def test_no_line_stays_free_while_an_event_is_left_out(rows: int) -> None:
    look = Look(width=80, height=rows - BELOW)
    for told in map(numbered, (6, 9, 25)):
        made = make_page(NewsLines(told, told), "A", look, Below(3, lambda room: 3), lambda lines, brief: ["table"] * 8)
        used = len([*made.news, *[""] * bool(made.news), *made.drawn, "", "1", "2", "3", "A> "])
        assert used == rows if len(told) > len(made.news) else used <= rows


def test_own_forced_cards_are_told_whatever_is_left_out() -> None:
    told = numbered(12)
    news = choose_news(NewsLines(told, told, frozenset(told[3:4])), "A", Look(width=80, height=20), 5)
    assert news == ["event 3", "12 events, the last 3 here (`last` shows all):", *told[-3:]]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["crapette", "klondike", "belote"])
def test_a_note_of_more_moves_never_takes_the_line_of_one(name: str) -> None:
    for state in moments(name, 2):
        look = replace(make_look(state.game), height=20)
        for room in range(1, 9):
            lines = list_choices(state, state.moves(), look, room)
            assert "`list`" not in lines[-1] or count_fewest_lines(state, state.moves(), look) > len(lines)


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
