"""Games of who plays alone and sees everything, gone through: what is certain once a way to win is known, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import game
from msgspec.structs import replace
from reds import reds_at
from sights import seen_in
from test_ways import NEARLY, STUCK
from test_winning import choosing

from interpreter import Game, State
from interpreter.diagnostics import Source
from interpreter.game.records import lines
from interpreter.game.results import leads
from interpreter.players.analysis import Course, course, totals, worst
from interpreter.players.hindsight import with_hindsight, won_later
from interpreter.players.judging import Decision, Judged, Way, judge
from interpreter.players.weighing import Weight
from interpreter.players.winning import proved
from interpreter.running.tried import Outcome, Tried


@pytest.fixture(autouse=True)
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved without a search: that has tests of its own."""
    monkeypatch.setattr("interpreter.players.judging.ending_of", lambda *_, **__: None)


def decision_at(state: State, made: int, drawn: int = 0) -> Decision:
    core = state.core.copy()
    core.log = []
    return Decision(state.decisions, 0, core, seen_in(state), made, leads(state.game.compiled, core), None, drawn)


@pytest.mark.slow
def test_a_move_after_which_a_way_is_found_lost_nothing() -> None:
    """For certain; and no game is tried out. What is gained is what is gained by the end."""
    state = game("freecell").position(NEARLY, 1)
    kept = [judge(state.game.compiled, decision_at(state, made), 1, 40) for made in range(4)]
    assert sum(one is not None and one.is_kept for one in kept) > 1
    for made, one in enumerate(kept):
        assert one is not None
        if one.is_kept:
            assert (one.loss, one.error, one.points, one.is_exact, one.has_left) == (0.0, 0.0, 0.0, True, False)
            assert [weight.number for weight in one.moves] == [made] and one.own.is_won
            assert one.own.outcome.gain == 12


@pytest.mark.slow
def test_a_move_after_which_none_is_found_is_judged_by_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the way that was known is told, with how it goes on: it is one."""
    state = game("freecell").position(NEARLY, 1)
    one, made = state.game.compiled, len(state.moves()) - 1
    without = judge(one, decision_at(game("freecell").position(STUCK, 1), 0), 1, 20)
    assert without is not None and without.way is None and not without.is_kept and not without.has_left
    monkeypatch.setattr("interpreter.players.judging.winning_way_with", lambda *_: None)
    found = judge(one, decision_at(state, made), 1, 40)
    assert found is not None and found.way is not None and found.has_left and not found.is_kept
    assert found.way.number != made and not found.is_exact
    assert found.own.outcome.games <= 40 and not found.own.outcome.is_exact
    assert [step.raw[0] for step in found.way.line].count("move") >= 2
    choices = choosing([found.way.number])
    assert proved(one, state.core, choices) is None  # the first move alone is none


def games_say(decision: Decision) -> Judged:
    """That a move may have cost a tenth of a win."""
    best = Weight(decision.made + 1, Tried(9, 9, 4.9, 3.0), Outcome(9, 9, 4.5, 4.5, 9.0, 9.0))
    own = Weight(decision.made, Tried(9, 9, 4.0, 3.0), Outcome(9, 9, 4.0, 4.0, 9.0, 9.0))
    return Judged(decision.number, 0, [best, own], best, own)


def walked(drawn: list[int]) -> Course:
    """The first moves from where a way is known, with chance between as it is told."""
    state, found = game("freecell").position(NEARLY, 1), list[Decision]()
    for some in drawn:
        found.append(decision_at(state, 0, some))
        state = state.play(state.moves()[0])
    return Course({}, state, found, leads(state.game.compiled, state.core), False, False, drawn[-1])


def test_from_where_a_win_is_known_every_move_before_had_kept_it() -> None:
    """The lead at the end is the same, whatever was gained on the way."""
    found = walked([0, 0, 0])
    each = [games_say(decision) for decision in found.decisions]
    last = found.decisions[-1]
    known = Judged(last.number, 0, each[-1].moves, each[-1].best, each[-1].own, way=Way(last.made + 1, 10.0))
    one, two, three = with_hindsight(found, [*each[:2], known])
    assert one.is_kept and two.is_kept and one.loss == two.loss == 0.0
    for earlier in (one, two):
        decision = next(d for d in found.decisions if d.number == earlier.number)
        assert decision.lead[0] + earlier.own.outcome.gain == last.lead[0] + 10
    assert three == known and three.has_left
    assert with_hindsight(found, each) == each
    assert worst([one, two, three], 5) == worst([known], 5)


def test_what_came_by_chance_was_not_known_before() -> None:
    found = walked([0, 1, 1])
    each = [games_say(decision) for decision in found.decisions]
    last = found.decisions[-1]
    known = Judged(last.number, 0, each[-1].moves, each[-1].best, each[-1].own, way=Way(last.made, 10.0))
    one, two, three = with_hindsight(found, [*each[:2], known])
    assert (one, three) == (each[0], known) and two.is_kept


def mixed(one: Game, seed: int = 1) -> tuple[State, list[bool]]:
    """The stones were mixed until the red one lay on top; it was not taken, but they were mixed again until it lay there again, and all were taken. And
    whether it lay there, choice by choice."""
    state, was_red = one.start(seed), list[bool]()
    while sum(was_red) < 2:
        was_red.append(is_red(state))
        state = state.play("take" if sum(was_red) == 2 else "mix")
    while not state.is_over:
        state = state.play(state.moves()[0])
    return state, was_red


def is_red(state: State) -> bool:
    return "red" in str(state.view("A").piles[0].pieces[-1].sign)


def test_a_record_that_was_won_kept_the_way_since_chance_last_had_a_part(tmp_path: Path) -> None:
    one = reds_at(tmp_path)
    state, was_red = mixed(one)
    assert state.winners == ["A"] and len(was_red) > 2
    found = course(Source("game.jsonl", "\n".join(lines(state, 1))), tmp_path / "reds.yaml")
    won = [won_later(found, decision) for decision in found.decisions]
    assert won == [*[None] * (len(was_red) - 1), 2.0]
    each = [judge(one.compiled, d, 1, 20, won=some) for d, some in zip(found.decisions, won, strict=True)]
    judged = with_hindsight(found, [known for known in each if known is not None])
    assert [known.has_left for known in judged] == [*was_red[:-1], False]
    assert [known.is_kept for known in judged] == [*[False] * (len(was_red) - 1), True]
    # games say 1 where blue lies on top and 2 where red does: that is luck once, and not again where a way takes the place of games
    assert totals(found, judged)["A"].luck == pytest.approx(1.0)


def test_the_deal_is_not_measured_where_a_way_is_known_at_once() -> None:
    """Other deals are measured by games, which is less."""
    found = replace(walked([0, 0]), is_dealt=True)
    each = [games_say(decision) for decision in found.decisions]
    others = [(1.0,)] * 8
    assert totals(found, each, others)["A"].deal is not None
    kept = replace(each[0], way=Way(found.decisions[0].made, 10.0))
    assert totals(found, [kept, *each[1:]], others)["A"].deal is None
