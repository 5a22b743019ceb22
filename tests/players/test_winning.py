"""Ways to win that are certain: that they are, that hints tell them, and that what was not found is not called impossible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from games import game
from reds import reds_at
from sights import seen_in
from test_ways import NEARLY, STUCK

from interpreter import State
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.playing import hints
from interpreter.players import winning
from interpreter.players.weighing import Weighed, weigh
from interpreter.players.winning import may_be_known, proved, winning_way, winning_way_with
from interpreter.running.chance import Chance
from interpreter.running.solved import Worth
from interpreter.running.state import Core
from interpreter.running.tried import Bounds


@pytest.fixture(autouse=True)
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved without a search: that has tests of its own."""
    monkeypatch.setattr("interpreter.players.weighing.certain", lambda *_, **__: None)


def nearly() -> State:
    return game("freecell").position(NEARLY, 1)


def told(state: State, ways: dict[Any, int] | None = None) -> list[str]:
    return hints.hint(state, state.moves(), look_of(state.game), ways=ways)


def followed(state: State, moves: dict[Any, int]) -> tuple[State, int]:
    """What is to be chosen, as long as it is known; the state then, and after how many choices."""
    core, count = state.core.copy(), 0
    while not core.over and (len(core.acts) == 1 or core.key() in moves):
        count += len(core.acts) > 1
        state.game.machine.play(core, core.acts[moves[core.key()] if len(core.acts) > 1 else 0])
    return State(state.game, core), count


@pytest.mark.whole
def test_a_way_that_is_found_wins() -> None:
    state = nearly()
    found = winning_way(state.game.compiled, seen_in(state), Bounds(40), Chance.stream(1))
    assert found is not None
    end, count = followed(state, found.chosen)
    assert end.winners == ["A"] and count == len(found.chosen)
    assert found.worth == Worth(found.worth.reward, 1.0, 1.0, end.standings[0] - state.standings[0])
    assert found.worth.reward > 0.9


@pytest.mark.slow
def test_a_way_that_begins_with_a_choice() -> None:
    """Or none, if none is found: what is chosen first is never another."""
    state, found = nearly(), 0
    for made in range(4):
        way = winning_way_with(state.game.compiled, seen_in(state), made, Bounds(40), Chance.stream(1))
        found += way is not None
        assert way is None or (way.number == made and followed(state, way.chosen)[0].winners == ["A"])
    assert found


def choosing(choices: list[int]) -> Callable[[Core], int | None]:
    left = iter(choices)
    return lambda _: next(left, None)


@pytest.mark.whole
def test_what_does_not_win_is_not_proved() -> None:
    """Moves that come to no end, and a number that no move has."""
    state = nearly()
    way = winning_way(state.game.compiled, seen_in(state), Bounds(40), Chance.stream(1))
    assert way is not None
    one = state.game.compiled
    assert proved(one, state.core, lambda core: way.chosen[core.key()]) is not None
    first = [*way.chosen.values()][:-1]
    for wrong in ([], [99], [-1]):
        assert proved(one, state.core, choosing([*first, *wrong])) is None


def test_what_chance_has_a_part_in_is_not_proved(tmp_path: Any) -> None:
    """Though it wins, as it falls: the stones are mixed until the red one lies on top."""
    one = reds_at(tmp_path)
    won = 0
    for seed in range(6):
        state, made = one.start(seed), list[int]()
        while not state.is_over:
            mixed = len(state.moves()) > 1 and "blue" in str(state.view("A").piles[0].pieces[-1].sign)
            made += [int(mixed)] if len(state.moves()) > 1 else []
            state = state.play(state.moves()[int(mixed)])
        won += sum(made) > 0 and state.winners == ["A"]
        assert sum(made) == 0 or proved(one.compiled, one.start(seed).core, choosing(made)) is None
    assert won


def test_where_a_way_may_be_known(tmp_path: Any) -> None:
    assert may_be_known(game("freecell").compiled, seen_in(nearly()))
    for name in ("klondike", "scopa"):  # cards lie face down; there is somebody else
        assert not may_be_known(game(name).compiled, seen_in(game(name).start(1)))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 40)


@pytest.mark.whole
def test_a_hint_tells_a_way_that_is_known(short: None) -> None:
    state, ways = nearly(), dict[Any, int]()
    first, certain, after = told(state, ways)
    count = followed(state, ways)[1]
    number = ways[state.core.key()]
    move = state.moves()[number].text("en")
    assert first == f"{number + 1}  {move}: wins 100 of 100"
    assert certain == f"A way to win is known, {count} choices long: this is certain."
    assert after.startswith(f"After {move}: A plays ")


@pytest.mark.whole
def test_hints_that_are_followed_win(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a way is known none is looked for, and it is one choice shorter each time."""
    state, ways, left = nearly(), dict[Any, int](), list[int]()
    while not state.is_over:
        if len(state.moves()) > 1:
            first, certain, *_ = told(state, ways)
            monkeypatch.setattr(winning, "way", lambda *_: ())
            left.append(int(certain.split(" choice")[0].rpartition(" ")[2]))
        state = state.play(next(m for m in state.moves() if len(state.moves()) == 1 or f"  {m.text('en')}: " in first))
    assert state.winners == ["A"]
    assert left == [*range(len(left), 0, -1)] and len(left) > 3


@pytest.mark.whole
def test_a_way_that_was_left_is_not_told(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    state, ways = nearly(), dict[Any, int]()
    told(state, ways)
    other = next(n for n in range(len(state.moves())) if n != ways[state.core.key()])
    away = state.play(state.moves()[other])
    assert away.core.key() not in ways
    monkeypatch.setattr(winning, "way", lambda *_: ())
    assert "wins 100 of 100" not in told(away, ways)[0]


@pytest.mark.slow
def test_that_no_way_was_found_is_said_to_prove_nothing(short: None) -> None:
    said = "A way to win was looked for, too, and none was found; that does not prove that there is none."
    assert said in told(game("freecell").position(STUCK, 1))
    assert said not in told(game("klondike").start(1))


@pytest.mark.slow
def test_a_search_of_so_many_games_finds_the_same_way_again() -> None:
    def once() -> Weighed | None:
        return weigh(nearly().game.compiled, seen_in(nearly()), 0, 0.0, 40)

    one, two = once(), once()
    assert one is not None and two is not None and one.won is not None
    assert (one.moves, one.lines, one.won.chosen) == (two.moves, two.lines, two.won and two.won.chosen)
