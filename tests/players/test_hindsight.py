"""Patiences gone through in which all is seen: what is certain once a way to win is known, and what is not."""

import pytest
from few_cards import WINNABLE, nearly_won, stones
from msgspec.structs import replace
from rules import load_rules
from sights import seen_in

from hoyle import State
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines
from hoyle.game.results import compute_leads
from hoyle.players.judgement import Decision, Judgement, KnownWin, judge
from hoyle.players.move_evaluation import RatedMove
from hoyle.players.record_analysis import (
    RecordedGame,
    apply_hindsight,
    find_later_win,
    read_record,
    select_worst,
    summarize_seats,
)
from hoyle.running.outcomes import Outcome, Tried

pytestmark = pytest.mark.usefixtures("searching_alone")


def decision_at(state: State, made: int, drawn: int = 0) -> Decision:
    core = state.core.copy()
    core.log = []
    return Decision(
        state.decisions, 0, core, seen_in(state), made, compute_leads(state.game.compiled, core), None, drawn
    )


@pytest.mark.whole
def test_move_after_which_a_way_is_found_lost_nothing() -> None:
    """No game is tried out, and what is gained is what is gained by the end."""
    one = judge(stones(WINNABLE).game.compiled, decision_at(stones(WINNABLE), 0), 1, 40)
    assert one is not None and one.is_kept and one.own.is_won
    assert (one.loss, one.error, one.points, one.is_exact, one.has_left) == (0.0, 0.0, 0.0, True, False)
    assert [weight.number for weight in one.moves] == [0]
    assert one.own.outcome.gain == 8


def games_say(decision: Decision) -> Judgement:
    """That a move may have cost a tenth of a win."""
    best = RatedMove(decision.made + 1, Tried(9, 9, 4.9, 3.0), Outcome(9, 9, 4.5, 4.5, 9.0, 9.0))
    own = RatedMove(decision.made, Tried(9, 9, 4.0, 3.0), Outcome(9, 9, 4.0, 4.0, 9.0, 9.0))
    return Judgement(decision.number, 0, [best, own], best, own)


def walked(drawn: list[int]) -> tuple[RecordedGame, list[Judgement]]:
    """The first moves from where a way is known, with chance between as it is told; and what games say of them."""
    state, found = nearly_won(), list[Decision]()
    for some in drawn:
        found.append(decision_at(state, 0, some))
        state = state.play(state.moves()[0])
    lead = compute_leads(state.game.compiled, state.core)
    return RecordedGame({}, state, found, lead, False, False, drawn[-1]), [games_say(decision) for decision in found]


def test_moves_before_a_known_win_had_kept_it() -> None:
    """The lead at the end is the same, whatever was gained on the way."""
    found, each = walked([0, 0, 0])
    known = replace(each[-1], way=KnownWin(found.decisions[-1].made + 1, 10.0))
    one, two, three = apply_hindsight(found, [*each[:2], known])
    for decision, earlier in zip(found.decisions, (one, two), strict=False):
        assert earlier.is_kept and earlier.loss == 0.0
        assert decision.lead[0] + earlier.own.outcome.gain == found.decisions[-1].lead[0] + 10
    assert three == known and three.has_left
    assert apply_hindsight(found, each) == each
    assert select_worst([one, two, three], 5) == select_worst([known], 5)


def test_win_by_chance_was_not_known_before() -> None:
    found, each = walked([0, 1, 1])
    known = replace(each[-1], way=KnownWin(found.decisions[-1].made, 10.0))
    one, two, three = apply_hindsight(found, [*each[:2], known])
    assert (one, three) == (each[0], known) and two.is_kept


def test_deal_is_not_measured_where_a_way_is_known_at_once() -> None:
    """Other deals are measured by games, which is less."""
    found, each = walked([0, 0])
    found, others = replace(found, is_dealt=True), [(1.0,)] * 8
    assert summarize_seats(found, each, others)["A"].deal is not None
    kept = replace(each[0], way=KnownWin(found.decisions[0].made, 10.0))
    assert summarize_seats(found, [kept, *each[1:]], others)["A"].deal is None


def is_red(state: State) -> bool:
    return "red" in str(state.view("A").piles[0].pieces[-1].sign)


@pytest.mark.whole
def test_won_record_kept_the_way_since_chance_last_had_a_part() -> None:
    """The stones are mixed until the red one lies on top twice; then all are taken."""
    state, was_red = load_rules("players/reds").start(1), list[bool]()
    while sum(was_red) < 2:
        was_red.append(is_red(state))
        state = state.play("take" if sum(was_red) == 2 else "mix")
    while not state.is_over:
        state = state.play(state.moves()[0])
    assert state.winners == ["A"] and len(was_red) > 2
    found = read_record(Source("game.jsonl", "\n".join(record_lines(state, 1))), state.game)
    won = [find_later_win(found, decision) for decision in found.decisions]
    assert won == [*[None] * (len(was_red) - 1), 2.0]
    each = [judge(state.game.compiled, d, 1, 20, won=some) for d, some in zip(found.decisions, won, strict=True)]
    judged = apply_hindsight(found, [known for known in each if known is not None])
    assert [known.has_left for known in judged] == [*was_red[:-1], False]
    assert [known.is_kept for known in judged] == [*[False] * (len(was_red) - 1), True]
    # games say 1 where blue lies on top and 2 where red does: that is luck once, and not again where a way takes the place of games
    assert summarize_seats(found, judged)["A"].luck == pytest.approx(1.0)
