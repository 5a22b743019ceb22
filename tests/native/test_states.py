"""States and faults of both engines are alike: what is saved, shown, advised and recorded, and where a game stops."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import pytest
from engines import GAMES, engine, engine_of, with_compiler
from faults import FAULTS, quiet, ruleset
from games import game
from msgspec import structs
from rules import write_rules
from sights import advised
from tiers import in_tiers, some_now

from hoyle import Game, State, load
from hoyle.compiling.game import lower_ruleset
from hoyle.diagnostics import Diagnostic, Refused, Source
from hoyle.game.records.records import record_lines, replay
from hoyle.native import unit
from hoyle.native.batch import Lanes
from hoyle.native.engine import Native, NativeMachine, places_of
from hoyle.native.engine_builder import with_native
from hoyle.native.unit import ACTS
from hoyle.native.visibility_tables import sights, unseen
from hoyle.running import machine
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Engine, Machine
from hoyle.series.simulate import Order, load_traced, play_series

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


def stepped(path: Path, game: Game) -> object:
    state = game.start()
    while not state.is_over:
        state = state.play(state.moves()[0])
    return state.to_json()


def played_out(path: Path, game: Game) -> object:
    return game.playout().to_json()


def in_series(path: Path, game: Game) -> object:
    return game.playouts(0, 2)


def simulated(path: Path, game: Game) -> object:
    order = Order(str(path), (), 0, (), game.engine)
    return play_series(load_traced(order), order, 2)


Way = Callable[[Path, Game], object]
WAYS: tuple[Way, ...] = (stepped, played_out, in_series, simulated)


def outcome(play: Callable[[], object]) -> object:
    """The result of a game, or the errors."""
    try:
        return play()
    except Refused as refused:
        return refused.diagnostics


def codes(found: object) -> list[str]:
    return [one.code for one in found if isinstance(one, Diagnostic)] if isinstance(found, list | tuple) else []


def agree(path: Path, stops: bool, code: list[str], ways: Sequence[Way] = WAYS[:3]) -> None:
    """A game stops the native engine or not, and ends alike in these ways to play it: with this error, or without one."""
    python, native = load(path, engine="python"), load(path, engine="native")
    assert isinstance(native.machine, NativeMachine)
    engine = native.machine.native
    assert isinstance(engine, Native) and (engine.playout(0, 0, 9, False) is None) == stops
    for way in ways:
        told, same = (outcome(partial(way, path, game)) for game in (native, python))
        assert told == same and codes(told) == code, way


STEPS = [(step, code) for step, code, *_ in FAULTS]
NOW = STEPS[-1:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset in another folder would be built anew."""
    return tmp_path_factory.mktemp("faults")


@with_compiler
@pytest.mark.whole
@pytest.mark.parametrize(("step", "code"), in_tiers(STEPS, whole=NOW))
def test_a_fault_of_the_rules(step: str, code: str, folder: Path) -> None:
    agree(ruleset(step, code, folder), True, [code])


@with_compiler
@pytest.mark.whole
def test_a_fault_of_the_rules_in_a_series_that_counts_uses(folder: Path) -> None:
    agree(ruleset(*NOW[0], folder), True, [NOW[0][1]], [simulated])


@with_compiler
@pytest.mark.whole
def test_a_fault_of_the_rules_ends_the_game_of_a_lane(folder: Path) -> None:
    lanes = Lanes(engine_of(load(ruleset(*NOW[0], folder), engine="python")), 2, 7)
    totals = lanes.play(6)
    assert totals[1] == 0 and totals[2] > 0
    assert not any(totals[3:7])


@with_compiler
@pytest.mark.whole
@pytest.mark.parametrize(("most", "code"), some_now([(183, []), (182, ["R906"]), (50, ["R906"]), (4000, [])], 1))
def test_steps_without_a_decision(most: int, code: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The native engine counts some steps one by one that Python does at once, so that it stops no later."""
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))  # the limit is not part of the key
    for module in (machine, unit):
        monkeypatch.setattr(module, "MOST_BLOCKS", most)
    agree(quiet(tmp_path), most < 4000, code)


BILLIONS = "(n * 1000000000 for n in 1..9)"
DOES = {
    "numbers too large for an action": (BILLIONS, "1"),
    "more subsets than there is memory for": ("1..3", "count(subsets(box + box, 4))"),
    "more actions than there is memory for": ("1..3000", "1"),
    "numbers too large to sort by": ("1..3", f"last(sorted{BILLIONS}) div 1000000000"),
}


@with_compiler
@pytest.mark.slow
@pytest.mark.parametrize(("bound", "total"), DOES.values(), ids=DOES)
def test_a_state_that_is_too_large(bound: str, total: str, tmp_path: Path) -> None:
    agree(write_rules("native/much", tmp_path, {"n: 1..3": f"n: {bound}", 'total: "1"': f'total: "{total}"'}), True, [])
