"""What OpenSpiel is told of a seat's information: the same where the seat cannot tell two histories apart, and nowhere else."""

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from environments import SORTS
from games import game
from tiers import in_tiers, sized
from watching_seats import seen_by

from hoyle import Game, State

pytestmark = pytest.mark.whole


def dealt(name: str, seed: int, memory: bool = False) -> Any:
    """A state of a game, dealt by chance."""
    from hoyle.learning.openspiel import load

    state = load(name, memory=memory).new_initial_state()
    return chanced(state, random.Random(seed))


def chanced(state: Any, pick: random.Random) -> Any:
    while state.is_chance_node():
        state.apply_action(pick.randrange(16))
    return state


def moves_of(state: Any) -> int:
    return int(state.node.node.play.moves)


def ways(state: Any, count: int, seed: int) -> Iterator[list[Any]]:
    """Some ways to make a move: all states on each. The first takes the last number each time, behind which little is left."""
    for n in range(count):
        pick, path = random.Random(f"{seed} {n}"), [state]
        while moves_of(path[-1]) == moves_of(state) and not path[-1].is_chance_node():
            legal = path[-1].legal_actions()
            path.append(path[-1].child(pick.choice(legal) if n else legal[-1]))
        yield path[1:]


@pytest.mark.parametrize("memory", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["cribbage", pytest.param("hearts", marks=pytest.mark.slow)])
def test_hidden_choice_changes_nothing_for_the_others(name: str, memory: bool) -> None:
    """Neither the cards, nor the number of steps, nor while it is being made; nor later, before it shows."""
    state = dealt(name, 1, memory)
    actor = state.current_player()
    others = [seat for seat in range(state.num_players()) if seat != actor]
    before = {seat: state.information_state_string(seat) for seat in others}
    found, lengths, own = defaultdict[tuple[int, int], set[str]](set), set[int](), set[str]()
    for path in ways(state, sized(8, 12), 1):
        for during in path[:-1]:
            assert {seat: during.information_state_string(seat) for seat in others} == before
        lengths.add(len(path))
        own.add(path[-1].information_state_string(actor))
        for later in until_it_shows(path[-1], actor):
            for seat in others:
                found[moves_of(later), seat].add(later.information_state_string(seat))
    assert found and all(len(strings) == 1 for strings in found.values())
    assert len(lengths) > 1 and len(own) > 3


def until_it_shows(state: Any, actor: int) -> Iterator[Any]:
    """The states in which others choose unseen, too, each always the same."""
    node = state.node.node
    while node.waits is None and node.play.actor != actor and game_of(state).machine.points[node.play.core.pc].together:
        yield state
        state = next(ways(state, 1, 2))[-1]
        node = state.node.node


def game_of(state: Any) -> Game:
    found: Game = state.node.node.form.game
    return found


@pytest.mark.parametrize("name", in_tiers(SORTS, whole=["cribbage"]))
def test_states_are_equal_where_a_seat_cannot_tell_them_apart(name: str) -> None:
    """Nowhere else: histories of a deal are told once more from views, events and the seat's own choices."""
    strings: list[dict[object, str]] = [{} for _ in game(name).seats]
    keys: list[dict[str, object]] = [{} for _ in game(name).seats]
    for n in range(sized(4, 20)):
        state, chance, pick = dealt(name, n % 2), random.Random(n % 2), random.Random(n)
        known: list[tuple[object, ...]] = [looked(state, seat) for seat in range(len(strings))]
        for _ in range(0 if state.is_terminal() else sized(8, 20)):
            seat, moved = state.current_player(), moves_of(state)
            number = pick.choice(state.legal_actions()[:3])
            state = chanced(state.child(number), chance)
            for one, _ in enumerate(strings):
                known[one] += (number,) * (one == seat) + (looked(state, one) if moves_of(state) > moved else ())
                told = state.information_state_string(one)
                assert strings[one].setdefault(known[one], told) == told
                assert keys[one].setdefault(told, known[one]) == known[one]
            if state.is_terminal():
                break


def looked(state: Any, seat: int) -> tuple[object, ...]:
    """What a seat sees now, and is told of the last move."""
    now, agent = State(game_of(state), state.node.node.play.core), game_of(state).seats[seat]
    return seen_by(now, agent), tuple(event.text("en", agent) for event in now.events)
