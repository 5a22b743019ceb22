"""Save, show, explain, advise and record a state alike, whichever engine has played it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from engines import GAMES, engine, engine_of, with_compiler
from games import game
from msgspec import structs
from sights import advised
from tiers import some_now

from hoyle import Game, State, load
from hoyle.compiling.game import lower_ruleset
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines, replay
from hoyle.native.engine import NativeMachine, places_of
from hoyle.native.engine_builder import with_native
from hoyle.native.unit import ACTS
from hoyle.native.visibility_tables import sights, unseen
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Engine, Machine

PLAYED = some_now(["garanguet", "hearts", "barbu", "klondike", "backgammon"], 1)


@cache
def natively(name: str) -> Game:
    """The game as the native engine plays it."""
    found = game(name).compiled
    return Game(structs.replace(found, machine=with_native(found.machine, engine(name))), "python")


def together(name: str, seed: int, most: int) -> list[tuple[State, State]]:
    """The states of a random game, played by Python and by the native engine."""
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


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", PLAYED)
def test_states_tell_the_same(name: str) -> None:
    for ours, theirs in together(name, 3, 60)[::10]:
        assert told(ours) == told(theirs)
        assert ours == theirs and hash(ours) == hash(theirs)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", PLAYED)
def test_saved_states_are_resumed_and_advised_by_either(name: str) -> None:
    *_, (ours, theirs) = together(name, 4, 15)
    assert advised(ours, 1, longest=6) == advised(theirs, 1, longest=6)
    for one, other in ((ours, theirs), (theirs, ours)):
        found = other.game.resume(json.loads(json.dumps(one.to_json())))
        assert told(found) == told(one)
        if not found.is_over:
            move = found.moves()[-1]
            assert told(found.play(move)) == told(one.play(move))


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", PLAYED)
def test_records_are_replayed_by_either(name: str) -> None:
    ours, theirs = (one.playout(5) for one in (game(name), natively(name)))
    record = [*record_lines(ours, 5, seats={})]
    assert [*record_lines(theirs, 5, seats={})] == record
    assert replay(Source("r.jsonl", "\n".join(record))).state == theirs


@pytest.mark.slow
@with_compiler
def test_a_position_with_other_options_keeps_the_engine() -> None:
    other = {"options": {"draw": 1}}
    wanted: list[Engine] = ["auto", "python", "native"]
    found = [load("klondike", engine=engine).position(other, seed=2) for engine in wanted]
    assert [state.game.engine for state in found] == wanted
    assert [isinstance(state.game.machine, NativeMachine) for state in found] == [False, False, True]
    assert [state.game.options["draw"] for state in found] == [1, 1, 1]
    first, *others = [told(state.play(state.moves()[0])) for state in found]
    assert others == [first, first]


class Counting(Chance):
    """A chance that only Python can ask; it counts how often."""

    drawn = 0

    def below(self, bound: int) -> int:
        type(self).drawn += 1
        return super().below(bound)

    def copy(self) -> Counting:
        return Counting(self.state, self.step)


@pytest.mark.whole
@with_compiler
def test_a_state_with_a_chance_of_another_class_is_left_to_python() -> None:
    plain = Chance.stream(7)
    state = natively("backgammon").start(chance=Counting(plain.state, plain.step))
    for _ in range(9):
        state = state.play(state.moves()[0])
    assert Counting.drawn > 9 and type(state.core.chance) is Counting


@pytest.mark.slow
@with_compiler
def test_a_long_game_needs_no_more_memory_than_a_short_one() -> None:
    """The lists of all its decisions would not fit there at once."""
    long = load(Path(__file__).parent / "long.yaml", engine="python")
    found = engine_of(long).playout(1, 0, 2000, False)
    assert found is not None and found[0].over
    assert found[0].key() == long.machine.playout(1)[0].key()


@pytest.mark.whole
@with_compiler
def test_a_state_with_more_actions_than_there_is_memory_for_is_left_to_python() -> None:
    core, other = (game("garanguet").start(seed).core for seed in (1, 2))
    for surplus in (0, 1):
        core.acts = [core.acts[0]] * (ACTS + surplus)
        assert (engine("garanguet").rows([other, core]) is None) == bool(surplus)


PLAYED_WITH = {"blocks", "apply", "facts", "space", "source", "sought", "hits", "told"}
"""Functions, their names, and caches, which only a machine that plays has."""


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["scopa", *GAMES[:8]], 1))
def test_a_machine_from_which_c_is_written_knows_what_one_that_plays_knows(name: str) -> None:
    plays, written = game(name).machine, lower_ruleset(game(name).ruleset).machine
    known = [field for field in Machine.__struct_fields__ if field not in PLAYED_WITH]
    assert [field for field in known if getattr(plays, field) != getattr(written, field)] == []
    assert sights(written, places_of(plays)) == sights(plays, places_of(plays))
    found = unseen(written)
    points = plays.points.items()
    assert {pc: found[pc] for pc, _ in points} == {pc: int(point.together is not None) for pc, point in points}
