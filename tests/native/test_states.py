"""A state is a state, whichever engine has played it: what is saved, seen, explained, advised and recorded of it is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engines import engine, engine_of, with_compiler
from games import FEW, game
from msgspec import structs
from sights import advised
from tiers import in_tiers

from interpreter import Game, State, load
from interpreter.diagnostics import Source
from interpreter.game.records import lines, replay
from interpreter.native.engine import Native, NativeMachine
from interpreter.native.made import with_native
from interpreter.native.unit import ACTS
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.machine import Engine
from interpreter.running.state import Core

pytestmark = with_compiler
SHIPPED = in_tiers(FEW, whole=FEW[1::2])


def natively(name: str) -> Game:
    """The game as the native engine plays it."""
    found = game(name).compiled
    return Game(structs.replace(found, machine=with_native(found.machine, engine(name))), "python")


def together(name: str, seed: int, most: int) -> list[tuple[State, State]]:
    """The states of a random game: played by Python, and by the native engine."""
    ours, theirs = game(name).start(seed), natively(name).start(seed)
    pick, found = Chance.stream(seed, 0, PLAYER).below, [(ours, theirs)]
    while not ours.is_over and len(found) < most:
        move = ours.moves()[pick(len(ours.moves()))]
        ours, theirs = ours.play(move), theirs.play(move)
        found.append((ours, theirs))
    return found


def told(state: State) -> object:
    """All that the API tells of a state."""
    moves = state.moves() if not state.is_over else []
    return (
        json.dumps(state.to_json()),
        [(move.id, move.text("en"), move.text("fr")) for move in moves],
        [event.text() for event in state.events],
        [state.view(seat) for seat in (None, *state.game.seats)],
        [[*state.why(move.id).lines()] for move in moves[:2]],
        (state.to_act, state.place, state.decisions, state.scores, state.standings, state.winners),
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_told_of_states(name: str) -> None:
    played = together(name, 3, 60)
    for ours, theirs in played[::7]:
        assert told(ours) == told(theirs)
        assert ours == theirs and hash(ours) == hash(theirs)


@pytest.mark.parametrize("name", SHIPPED)
def test_saved_states_are_those_of_either(name: str) -> None:
    *_, (ours, theirs) = together(name, 4, 15)
    for one, other in ((ours, theirs), (theirs, ours)):
        found = other.game.resume(json.loads(json.dumps(one.to_json())))
        assert told(found) == told(one)
        if not found.is_over:
            move = found.moves()[-1]
            assert told(found.play(move)) == told(one.play(move))


@pytest.mark.slow
def test_a_position_with_other_options_keeps_the_engine() -> None:
    other = {"options": {"draw": 1}}
    wanted: list[Engine] = ["auto", "python", "native"]
    found = [load("klondike", engine=engine).position(other, seed=2) for engine in wanted]
    assert [state.game.engine for state in found] == wanted
    assert [isinstance(state.game.machine, NativeMachine) for state in found] == [False, False, True]
    assert [state.game.options["draw"] for state in found] == [1, 1, 1]
    first, *others = [told(state.play(state.moves()[0])) for state in found]
    assert others == [first, first]


@pytest.mark.parametrize("name", SHIPPED)
def test_records_are_those_of_either(name: str) -> None:
    ours, theirs = (one.playout(5) for one in (game(name), natively(name)))
    record = [*lines(ours, 5, seats={})]
    assert [*lines(theirs, 5, seats={})] == record
    assert replay(Source("r.jsonl", "\n".join(record))).state == theirs


@pytest.mark.parametrize("name", SHIPPED)
def test_advice_is_the_same(name: str) -> None:
    *_, (ours, theirs) = together(name, 6, 8)
    found = [advised(state, 1, longest=6) for state in (ours, theirs)]
    assert found[0] == found[1]


class Counting(Chance):
    """A chance that knows how often something was drawn, which only Python can ask."""

    drawn = 0

    def below(self, bound: int) -> int:
        type(self).drawn += 1
        return super().below(bound)

    def copy(self) -> Counting:
        return Counting(self.state, self.step)


class Unasked(Native):
    """An engine that nobody may ask for anything."""

    def __init__(self) -> None:
        pass

    def start(self, chance: Chance, log: bool) -> Core | None:
        raise AssertionError("asked")


def test_a_chance_of_another_sort_is_not_the_engines() -> None:
    plain, machine = Chance.stream(7), with_native(game(FEW[0]).machine, Unasked())
    assert machine.start(Counting(plain.state, plain.step)).key() == game(FEW[0]).machine.start(plain.copy()).key()
    with pytest.raises(AssertionError, match="asked"):
        machine.start(plain)


@pytest.mark.slow
def test_another_chance_is_asked() -> None:
    plain = Chance.stream(7)
    state = natively(FEW[0]).start(chance=Counting(plain.state, plain.step))
    for _ in range(9):
        state = state.play(state.moves()[0])
    assert Counting.drawn > 9 and type(state.core.chance) is Counting


@pytest.mark.slow
def test_a_long_game_needs_no_more_room_than_a_short_one() -> None:
    """What single decisions make in memory would not fit there all at once."""
    long = load(Path(__file__).parent / "long.yaml", engine="python")
    found = engine_of(long).playout(1, 0, 2000, False)
    assert found is not None and found[0].over
    assert found[0].key() == long.machine.playout(1)[0].key()


@pytest.mark.whole
@pytest.mark.parametrize("surplus", [0, 1])
def test_a_state_that_offers_more_than_there_is_room_for_is_left_to_python(surplus: int) -> None:
    core = game(FEW[0]).start(1).core
    core.acts = [core.acts[0]] * (ACTS + surplus)
    assert (engine(FEW[0]).rows([game(FEW[0]).start(1).core, core]) is None) == bool(surplus)
