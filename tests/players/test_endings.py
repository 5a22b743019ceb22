"""Endings that are solved: against what is worked out by hand, by both engines alike, and never where anything is hidden."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from engines import with_compiler
from exchange import walked
from games import game
from msgspec import structs
from rules import change_rules
from sights import knowledges
from small_games import by_hand, natively, nim_with, race, small
from tiers import in_tiers

from hoyle import Game, State
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines
from hoyle.game.results import compute_leads
from hoyle.game.views.redaction import redact
from hoyle.players.bots import SearchPlayer
from hoyle.players.judgement import judge
from hoyle.players.record_analysis import read_record
from hoyle.players.search.endgame import find_certain_state, solve
from hoyle.presentation import hints
from hoyle.presentation.look import make_look
from hoyle.running.chance import Chance
from hoyle.running.outcomes import WON, Bounds, Effort, Ending, Stakes
from hoyle.running.state import Core

MUCH = Effort(100_000, every=True, guess=1e18)


def both(one: Game, core: Core, effort: Effort, stakes: Stakes | None = None) -> Ending | None:
    """Search with both engines, and return their common result."""
    ours, theirs = (solve(each.compiled, core, effort, stakes) for each in (one, natively(one)))
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
def test_nim_is_solved() -> None:
    for state in at_random(small("nim").start(), 1):
        left = state.view(None).piles[0].count
        found = both(state.game, state.core, MUCH)
        assert [one >= WON for one in rewards(found)] == [
            (left - takes) % 4 == 0 for takes in range(1, min(left, 3) + 1)
        ]
        assert left < 5 or both(state.game, state.core, structs.replace(MUCH, longest=2)) is None


def test_all_throws_are_gone_through() -> None:
    state = small("race").start(1)
    men, stakes = (4, 2), Stakes((0.0, 0.0), 1.5)
    by_rules = race(men, stakes.scale)(men, men, state.core.cells[4])
    found = solve(state.game.compiled, state.core, MUCH, stakes)
    assert rewards(found) == pytest.approx(by_rules, abs=1e-12)
    assert found is not None and by_rules[found.best] == max(by_rules)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["heaps", "heaps3"])
def test_each_side_does_what_is_best_for_it(name: str) -> None:
    whole = 0
    for state in at_random(small(name).start(), 2):
        stakes = Stakes(tuple(compute_leads(state.game.compiled, state.core)), 2.0)
        found, own = solve(state.game.compiled, state.core, MUCH, stakes), state.core.actor
        wanted = [each[own] for each in by_hand(state, stakes.lead, stakes.scale)]
        assert rewards(found) == pytest.approx(wanted, abs=1e-12)
        assert found is not None and wanted[found.best] == pytest.approx(max(wanted))
        only = solve(state.game.compiled, state.core, structs.replace(MUCH, every=False), stakes)
        assert only is not None and only.best == found.best
        assert only.worths[only.best] == pytest.approx(found.worths[found.best]) or name == "heaps"
        whole += 1
    assert whole > 1


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_game_that_may_go_on_for_ever_is_not_solved() -> None:
    one = small("walk")
    assert solve(one.compiled, one.start().core, structs.replace(MUCH, longest=10_000)) is None


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=[pytest.mark.slow, with_compiler])])
def test_best_end_of_a_patience_is_known_though_ways_lead_back(engine: str) -> None:
    """Two steps to the right is the only way to win, and either move may lead to it."""
    one = small("alone")
    found = solve((one if engine == "python" else natively(one)).compiled, one.start().core, MUCH)
    assert found is not None and len({*rewards(found)}) == 1
    state, way = one.start(), [*found.way]
    while not state.is_over:
        moves = state.moves()
        state = state.play(moves[way.pop(0) if len(moves) > 1 else 0])
    assert state.scores["A"] == 4 and not way


def test_nothing_is_tried_after_the_best_end(tmp_path: Path) -> None:
    one = change_rules("players/alone", tmp_path, {"[left, right]": "[right, left]"})
    assert solve(one.compiled, one.start().core, Effort(2, guess=1e18)) is not None


@pytest.mark.whole
def test_effort_limits_what_is_tried() -> None:
    one, core = small("race").compiled, small("race").start(1).core
    whole = solve(one, core, MUCH)
    assert whole is not None
    assert solve(one, core, structs.replace(MUCH, most=whole.tried - 1)) is None
    assert solve(one, core, structs.replace(MUCH, most=whole.tried)) == whole
    assert solve(one, core, structs.replace(MUCH, guess=10.0)) is None
    assert solve(one, core, structs.replace(MUCH, longest=2)) is None


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(["scopa", "hearts", "cribbage", "whist", "piquet"], quick=["scopa"]))
def test_state_that_a_seat_is_certain_of_is_the_state(name: str) -> None:
    """But for the order of what lies where order is of no account."""
    one, sure = game(name), 0
    for seed in (1, 2):
        history = walked(one, seed, 60)
        for seat in one.seats[:2]:
            known = knowledges(history, seat)
            for state, knowledge in zip(history.states, known, strict=True):
                if state.to_act != seat:
                    continue
                found = find_certain_state(one.compiled, redact(one.compiled, state.core, state.core.actor), knowledge)
                if found is not None:
                    sure += 1
                    assert one.machine.memory_key(found) == one.machine.memory_key(state.core)
                    assert found.acts == state.core.acts
        first = history.states[0].core
        assert find_certain_state(one.compiled, redact(one.compiled, first, first.actor), None) is None
    assert sure or name != "scopa"


# ---- shipped games ---------------------------------------------------------------------------------------------------


@with_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["scopa", "backgammon", "golf", "whist", "yams"])
def test_both_engines_solve_the_same(name: str) -> None:
    """Late states of random games."""
    some = 0
    for seed in (1, 2):
        for state in [*at_random(game(name).start(seed), seed)][:-9:-1]:
            for every in (False, True):
                found = both(state.game, state.core, Effort(600, every))
                some += found is not None
                assert found is None or rewards(found)[found.best] == max(rewards(found))
    assert some or name == "yams"


# ---- players, hints and judgements -----------------------------------------------------------------------------------


def test_lone_player_follows_the_solved_way() -> None:
    """Though either move may lead there, it does not go to and fro for ever."""
    one = small("alone")
    chooses, chance, core = SearchPlayer(one.compiled, Bounds(50)), Chance.stream(1), one.start().core
    decisions = 0
    while not core.over:
        number = chooses(redact(one.compiled, core, 0), chance) if len(core.acts) > 1 else 0
        one.machine.play(core, core.acts[number])
        decisions += 1
    assert decisions < 300 and State(one, core).scores["A"] == 4


def test_hint_of_a_solved_position_is_exact() -> None:
    state = nim_with(7)
    best, *others, exact, after, second = hints.give_hint(state, state.moves(), make_look(state.game))
    assert best == "3  take stones 3: wins 100 of 100"
    assert [other.partition(": ")[2] for other in others] == ["wins 0 of 100"] * 2
    assert sorted(other.partition(":")[0] for other in others) == ["1  take stones 1", "2  take stones 2"]
    assert exact == "This is exact: every continuation was searched."
    assert after.startswith("After take stones 3, at best: B takes stones ")
    assert second.startswith("After take stones 1, at best: B takes stones 2")
    state = nim_with(4)
    assert hints.give_hint(state, state.moves(), make_look(state.game))[-1] == "The first two are equally good."


def test_loss_of_a_solved_move_is_exact() -> None:
    """From nine stones one should be taken, and is not; from six two are."""
    state = small("nim").start()
    for takes in (3, 2, 1, 3):
        state = state.play(f"take-stones {takes}")
    found = read_record(Source("game.jsonl", "\n".join(record_lines(state, 1))), state.game)
    one, two, three = (judge(state.game.compiled, decision, 1, 200) for decision in found.decisions[:3])
    assert one is not None and two is not None and three is not None
    assert (one.is_exact, one.error, one.is_error) == (True, 0.0, True)
    assert one.loss > 0.9 and one.points == 2.0
    assert (two.loss, two.is_sure, three.loss) == (0.0, False, 0.0)
