"""Ways to win that are certain: hints tell them, and what was not found is not called impossible."""

from collections.abc import Callable
from typing import Any

import pytest
from few_cards import LOST, WINNABLE, nearly_won, stones
from games import game
from sights import seen_in

from hoyle import State
from hoyle.players.search import win_search
from hoyle.players.search.win_search import can_know_win, find_winning_line, find_winning_line_after, verify_win
from hoyle.presentation import hints
from hoyle.presentation.look import make_look
from hoyle.running.chance import Chance
from hoyle.running.outcomes import Bounds, Worth
from hoyle.running.state import Core

pytestmark = pytest.mark.usefixtures("searching_alone")


def told(state: State, ways: dict[Any, int] | None = None) -> list[str]:
    return hints.give_hint(state, state.moves(), make_look(state.game), ways=ways)


def followed(state: State, moves: dict[Any, int]) -> tuple[State, int]:
    """Choose what is known as long as it is; the state then, and after how many choices."""
    core, count = state.core.copy(), 0
    while not core.over and (len(core.acts) == 1 or core.key() in moves):
        count += len(core.acts) > 1
        state.game.machine.play(core, core.acts[moves[core.key()] if len(core.acts) > 1 else 0])
    return State(state.game, core), count


def choosing(choices: list[int]) -> Callable[[Core], int | None]:
    left = iter(choices)
    return lambda _: next(left, None)


def test_way_that_is_found_wins_and_others_are_not_proved() -> None:
    """Neither moves that come to no end, nor a number that no move has."""
    state = stones(WINNABLE)
    one = state.game.compiled
    found = find_winning_line(one, seen_in(state), Bounds(40), Chance.stream(1))
    assert found is not None
    end, count = followed(state, found.chosen)
    assert end.winners == ["A"] and count == len(found.chosen)
    assert found.worth == Worth(found.worth.reward, 1.0, 1.0, end.standings[0] - state.standings[0])
    assert found.worth.reward > 0.9
    assert verify_win(one, state.core, lambda core: found.chosen[core.key()]) is not None
    first = [*found.chosen.values()][:-1]
    for wrong in ([], [99], [-1]):
        assert verify_win(one, state.core, choosing([*first, *wrong])) is None


@pytest.mark.whole
def test_way_begins_with_the_given_choice_or_there_is_none() -> None:
    state = stones(WINNABLE)
    for made in (0, 1):
        way = find_winning_line_after(state.game.compiled, seen_in(state), made, Bounds(40), Chance.stream(1))
        assert way is not None and way.number == made and followed(state, way.chosen)[0].winners == ["A"]
    state = stones(LOST)
    assert find_winning_line_after(state.game.compiled, seen_in(state), 0, Bounds(10), Chance.stream(1)) is None


@pytest.mark.whole
def test_ways_are_known_only_where_nothing_is_hidden_and_nobody_else_plays() -> None:
    assert can_know_win(game("freecell").compiled, seen_in(nearly_won()))
    for name in ("klondike", "scopa"):
        assert not can_know_win(game(name).compiled, seen_in(game(name).start(1)))


# ---- hints -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 40)


@pytest.mark.whole
def test_hints_tell_a_way_until_it_is_left(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a way is known none is looked for, and it is one choice shorter each time."""
    state, ways, left = stones(WINNABLE), dict[Any, int](), list[int]()
    first, certain, after = told(state, ways)
    number, count = ways[state.core.key()], followed(state, ways)[1]
    move = state.moves()[number].text("en")
    assert first == f"{number + 1}  {move}: wins 100 of 100"
    assert certain == f"A certain win is known, in {count} choices."
    assert after.startswith(f"After {move}: A lays upon ")
    monkeypatch.setattr(win_search, "find_win", lambda *_: ())
    away = state.play(state.moves()[next(n for n in range(len(state.moves())) if n != number)])
    assert away.core.key() not in ways
    assert "wins 100 of 100" not in told(away, ways)[0]
    while not state.is_over:
        if len(state.moves()) > 1:
            first, certain, *_ = told(state, ways)
            left.append(int(certain.split(" choice")[0].rpartition(" ")[2]))
        state = state.play(next(m for m in state.moves() if len(state.moves()) == 1 or f"  {m.text('en')}: " in first))
    assert state.winners == ["A"]
    assert left == [*range(count, 0, -1)] and count > 3


@pytest.mark.slow
def test_hint_says_that_no_way_was_found(short: None) -> None:
    said = "A search for a certain win found none; that does not prove that there is none."
    assert said in told(stones(LOST))
    assert said not in told(game("klondike").start(1))
