"""Endings that are solved: against what is worked out by hand, by both engines alike, and never where anything is not known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from engines import engine, engine_of, with_compiler
from exchange import walked
from games import game
from known import knowledges
from msgspec import structs
from nim import nim_at
from small_endings import ALONE, HEAPS, RACE, WALK, by_hand, race, small
from test_ways import NEARLY
from tiers import in_tiers, some_now

from interpreter import Game, State
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.playing import hints
from interpreter.diagnostics import Source
from interpreter.game.records import lines
from interpreter.game.results import leads
from interpreter.game.seen import seen_by
from interpreter.native.made import with_native
from interpreter.players import endings
from interpreter.players.analysis import course
from interpreter.players.judging import judge
from interpreter.players.searcher import Searcher
from interpreter.players.solving import certain, ending_of, solved
from interpreter.running.chance import Chance
from interpreter.running.solved import Effort, Ending, Stakes
from interpreter.running.state import Core
from interpreter.running.tried import WON, Bounds

MUCH = Effort(100_000, every=True, guess=1e18)


def native(one: Game, name: str | None = None) -> Game:
    built = engine(name) if name is not None else engine_of(one)
    return Game(structs.replace(one.compiled, machine=with_native(one.machine, built)))


def both(one: Game, core: Core, effort: Effort, stakes: Stakes | None = None, name: str | None = None) -> Ending | None:
    """What both engines find, which is the same."""
    ours, theirs = (solved(each.compiled, core, effort, stakes) for each in (one, native(one, name)))
    assert ours == theirs
    return ours


def rewards(found: Ending | None) -> list[float]:
    assert found is not None
    return [one.reward if one is not None else -1.0 for one in found.worths]


def at_random(state: State, seed: int) -> Iterator[State]:
    """The states of a random game in which there is a choice."""
    chance = Chance.stream(seed)
    while not state.is_over:
        moves = state.moves()
        if len(moves) > 1:
            yield state
        state = state.play(moves[chance.below(len(moves))])


# ---- by hand ---------------------------------------------------------------------------------------------------------


@pytest.mark.whole
@with_compiler
def test_nim_is_solved(tmp_path: Path) -> None:
    """Who leaves a multiple of four wins, from the first move on."""
    nim = nim_at(tmp_path)
    for state in at_random(nim.start(), 1):
        left = state.view(None).piles[0].count
        found = both(nim, state.core, MUCH)
        assert [one >= WON for one in rewards(found)] == [
            (left - takes) % 4 == 0 for takes in range(1, min(left, 3) + 1)
        ]


@with_compiler
@pytest.mark.slow
def test_chance_is_gone_through(tmp_path: Path) -> None:
    one = small(tmp_path, "race", RACE)
    for seed in (1, 2, 3):
        state = one.start(seed)
        own, stakes = (4, 2), Stakes((0.0, 0.0), 1.5)
        by_rules = race((own, own), (own, own), stakes.scale)(own, own, state.core.cells[4])
        found = both(one, state.core, MUCH, stakes)
        assert rewards(found) == pytest.approx(by_rules, abs=1e-12)
        assert found is not None and by_rules[found.best] == max(by_rules)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("count", some_now([2, 3], 1))
def test_each_side_does_what_is_best_for_it(count: int, tmp_path: Path) -> None:
    one = small(
        tmp_path, f"heaps{count}", HEAPS.replace("COUNT", str(count)).replace(", C]", ", C]" if count > 2 else "]")
    )
    whole = 0
    for state in at_random(one.start(), 2):
        stakes = Stakes(tuple(leads(one.compiled, state.core)), 2.0)
        found, own = both(one, state.core, MUCH, stakes), state.core.actor
        wanted = [each[own] for each in by_hand(state, stakes.lead, stakes.scale)]
        assert rewards(found) == pytest.approx(wanted, abs=1e-12)
        assert found is not None and wanted[found.best] == pytest.approx(max(wanted))
        only = both(one, state.core, structs.replace(MUCH, every=False), stakes)
        assert only is not None and only.best == found.best
        assert only.worths[only.best] == pytest.approx(found.worths[found.best]) or count == 2
        whole += 1
    assert whole > 2


# ---- nothing that is not so ------------------------------------------------------------------------------------------


@pytest.mark.whole
@with_compiler
def test_what_may_go_on_for_ever_is_not_solved(tmp_path: Path) -> None:
    one = small(tmp_path, "walk", WALK)
    assert both(one, one.start().core, structs.replace(MUCH, longest=10_000)) is None


@pytest.mark.whole
@with_compiler
def test_alone_the_best_end_that_can_be_reached_is_known(tmp_path: Path) -> None:
    """Whatever way goes back: two steps to the right is the only way to win, and either move may lead to it."""
    one = small(tmp_path, "alone", ALONE)
    found = both(one, one.start().core, MUCH)
    assert found is not None and len({*rewards(found)}) == 1
    state, way = one.start(), [*found.way]
    while not state.is_over:
        moves = state.moves()
        state = state.play(moves[way.pop(0) if len(moves) > 1 else 0])
    assert state.scores["A"] == 4 and not way


@with_compiler
@pytest.mark.slow
def test_no_more_is_tried_than_may_be(tmp_path: Path) -> None:
    one = small(tmp_path, "race", RACE)
    core = one.start(1).core
    whole = both(one, core, MUCH)
    assert whole is not None
    assert both(one, core, structs.replace(MUCH, most=whole.tried - 1)) is None
    assert both(one, core, structs.replace(MUCH, most=whole.tried)) == whole
    assert both(one, core, structs.replace(MUCH, guess=10.0)) is None
    assert both(one, core, structs.replace(MUCH, longest=2)) is None


@pytest.mark.parametrize(
    "name", in_tiers(["scopa", "hearts", "cribbage", "whist", "piquet"], quick=["scopa"], whole=["whist"])
)
def test_who_is_certain_is_right(name: str) -> None:
    """What a seat takes for the state is the state, but for the order of what lies where order is of no account."""
    one, sure = game(name), 0
    for seed in (1, 2):
        history = walked(one, seed, 60)
        for seat in one.seats:
            known = knowledges(history, seat)
            for state, knowledge in zip(history.states, known, strict=True):
                if state.to_act != seat:
                    continue
                found = certain(one.compiled, seen_by(one.compiled, state.core, state.core.actor), knowledge)
                if found is not None:
                    sure += 1
                    assert one.machine.memory_key(found) == one.machine.memory_key(state.core)
                    assert found.acts == state.core.acts
        first = history.states[0].core
        assert certain(one.compiled, seen_by(one.compiled, first, first.actor), None) is None
    assert sure or name != "scopa"


def test_what_is_hidden_is_not_solved() -> None:
    for name in ("scopa", "crapette"):
        one, core = game(name).compiled, game(name).start(1).core
        assert ending_of(one, seen_by(one, core, core.actor), Bounds(10_000)) is None


# ---- shipped games ---------------------------------------------------------------------------------------------------

LATE = [
    ("scopa", 80),
    ("backgammon", 400),
    ("plakoto", 400),
    ("golf", 400),
    ("whist", 400),
    ("yams", 400),
    ("oh-hell", 60),
    ("barbu", 400),
]


def late(name: str, decisions: int) -> list[State]:
    """The last states of random games in which there is a choice, from the last on."""
    found: list[State] = []
    for seed in (1, 2):
        states = [state for state, _ in zip(at_random(game(name).start(seed), seed), range(decisions), strict=False)]
        found += states[:-9:-1]
    return found


@with_compiler
@pytest.mark.parametrize(("name", "decisions"), in_tiers(LATE, quick=[LATE[0]]))
@pytest.mark.slow
def test_both_engines_solve_the_same(name: str, decisions: int) -> None:
    """In late states of random games; and no action is better than the one that is best, by what is found after it."""
    one, some = game(name), 0
    for state in late(name, decisions):
        for every in (False, True):
            found = both(one, state.core, Effort(600, every), name=name)
            if found is not None and every:
                some += 1
                judge_by_what_follows(one, state.core, found)
    assert some or name not in ("scopa", "backgammon", "golf", "whist")


def judge_by_what_follows(one: Game, core: Core, found: Ending) -> None:
    values = rewards(found)
    assert values[found.best] == max(values) and found.best == values.index(max(values))
    solver = endings.Solver(one.compiled, core, Effort(600), 2.0, None)
    solver.guess()
    if solver.count != 2:
        return
    stakes = Stakes(tuple(solver.lead), solver.scale)
    for number, value in enumerate(values):
        after = core.copy()
        after.log, before = None, after.chance.state
        one.machine.play(after, after.acts[number])
        if after.over or after.chance.state != before:
            continue
        own = solver.sides[after.actor] == solver.own
        known = solved(one.compiled, after, Effort(5000), stakes)
        if known is not None:
            best = known.worths[known.best]
            assert best is not None and (best.reward if own else 1 - best.reward) == pytest.approx(value, abs=1e-12)


@pytest.mark.whole
@with_compiler
def test_the_last_moves_of_a_patience_are_solved() -> None:
    state = game("freecell").position(NEARLY, 1)
    found = both(state.game, state.core, Effort(2000), name="freecell")
    assert found is not None and rewards(found)[found.best] >= WON


def test_who_plays_alone_follows_the_way_that_was_solved(tmp_path: Path) -> None:
    """Though either move may lead there, it does not go to and fro for ever."""
    one = small(tmp_path, "alone", ALONE)
    chooses, chance, core = Searcher(one.compiled, Bounds(50)), Chance.stream(1), one.start().core
    decisions = 0
    while not core.over:
        number = chooses(seen_by(one.compiled, core, 0), chance) if len(core.acts) > 1 else 0
        one.machine.play(core, core.acts[number])
        decisions += 1
    assert decisions < 300 and State(one, core).scores["A"] == 4


def test_one_draw_for_a_decision(tmp_path: Path) -> None:
    """Whether it was solved or not: a game that is taken up again goes on as it would have."""
    nim = nim_at(tmp_path)
    chance, other = Chance.stream(1), Chance.stream(1)
    Searcher(nim.compiled, Bounds(50))(seen_by(nim.compiled, nim.start().core, 0), chance)
    other.below(1 << 30)
    assert chance.to_json() == other.to_json()


# ---- what is said of it ----------------------------------------------------------------------------------------------


def test_a_hint_of_what_is_certain(tmp_path: Path) -> None:
    nim = nim_at(tmp_path)
    state = nim.start().play("take-stones 1").play("take-stones 1")
    best, *others, exact, after, second = hints.hint(state, state.moves(), look_of(nim))
    assert best == "3  take stones 3: wins 100 of 100"
    assert [other.partition(": ")[2] for other in others] == ["wins 0 of 100"] * 2
    assert sorted(other.partition(":")[0] for other in others) == ["1  take stones 1", "2  take stones 2"]
    assert exact == "Everything that can still happen has been gone through: this is exact."
    assert after.startswith("After take stones 3, at best: B takes stones ")
    assert second.startswith("After take stones 1, at best: B takes stones 2")


def test_no_hint_between_moves_that_are_equally_good(tmp_path: Path) -> None:
    """Of four stones none wins."""
    nim = nim_at(tmp_path)
    state = nim.start().play("take-stones 3").play("take-stones 2")
    assert hints.hint(state, state.moves(), look_of(nim))[-1] == "The first two are equally good."


def test_what_a_move_surely_costs(tmp_path: Path) -> None:
    """Of nine stones one should be taken, and is not; of six two are."""
    nim = nim_at(tmp_path)
    state = nim.start()
    for takes in (3, 2, 1, 3):
        state = state.play(f"take-stones {takes}")
    found = course(Source("game.jsonl", "\n".join(lines(state, 1))), nim.merged.files[-1])
    one, two, three = (judge(nim.compiled, decision, 1, 200) for decision in found.decisions[:3])
    assert one is not None and two is not None and three is not None
    assert (one.is_exact, one.error, one.is_error) == (True, 0.0, True)

    assert one.loss > 0.9 and one.points == 2.0
    assert (two.loss, two.is_sure, three.loss) == (0.0, False, 0.0)
