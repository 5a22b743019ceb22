"""Judged records: what moves cost where the right one is known, that only what a seat saw counts, and what is called luck."""

import math

import pytest
from exchange import beginning, exchanged, walked
from games import game
from rules import load_rules
from small_games import small

from hoyle import State
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines
from hoyle.players.judgement import Decision, Judgement, judge
from hoyle.players.move_evaluation import RatedMove
from hoyle.players.record_analysis import (
    RecordedGame,
    SeatSummary,
    list_views,
    play_other_deal,
    read_record,
    select_dearest,
    select_worst,
    summarize_seats,
)
from hoyle.running.outcomes import Outcome, Tried

pytestmark = pytest.mark.usefixtures("searching_alone")


def gone_through(state: State) -> RecordedGame:
    return read_record(Source("game.jsonl", "\n".join(record_lines(state, 1))), state.game)


def taken(*counts: int) -> State:
    state = small("nim").start()
    for count in counts:
        state = state.play(f"take-stones {count}")
    return state


def first_moves(state: State, decisions: int = 1000) -> State:
    while not state.is_over and state.decisions < decisions:
        state = state.play(state.moves()[0])
    return state


def all_judged(found: RecordedGame, iterations: int) -> list[Judgement]:
    each = (judge(found.state.game.compiled, decision, 1, iterations) for decision in found.decisions)
    return [one for one in each if one is not None]


@pytest.mark.whole
def test_losses_of_moves() -> None:
    """One of nine stones should be taken, three of seven, two of six. Four cannot be won. The last move is forced."""
    found = gone_through(taken(2, 1, 2, 3, 1))
    each = one, two, three, four = all_judged(found, 200)
    assert [d.number for d in found.decisions] == [0, 1, 2, 3]
    assert one.is_error and two.is_error
    assert one.loss > 0.6 and two.loss > 0.6
    assert one.points > 1.2
    assert three.loss == three.error == 0.0
    assert not four.is_error
    assert [found.state.game.seats[j.actor] for j in (one, two, three)] == ["A", "B", "A"]
    assert select_worst(each, 1) == [max((one, two), key=lambda j: j.loss)]
    accounts = summarize_seats(found, each)
    assert [(a.decisions, a.errors, a.luck) for a in accounts.values()] == [(2, 1, None), (2, 1, None)]
    assert accounts["A"].loss == pytest.approx(each[0].loss + each[2].loss)
    assert accounts["A"].mean == pytest.approx(accounts["A"].loss / 2)
    assert [*summarize_seats(found, each[:1])] == ["A"]
    assert summarize_seats(found, []) == {}
    line = [step.event(found.state.game.compiled).data for step in one.line]
    assert [data["by"] for data in line] == ["A", "B", "A", "B", "A"][: len(line)]
    assert line[0]["move"] == "take-stones 1" and len(line) > 1
    assert (three.line, three.others) == ((), ()), "the best was made"
    assert one.best.tried.tried == one.own.tried.tried == 200
    assert sum(weight.tried.tried for weight in one.moves) == 200
    again = judge(found.state.game.compiled, found.decisions[0], 1, None, 0.05)
    assert again is not None and again.own.number == one.own.number


@pytest.mark.whole
def test_hidden_cards_change_no_judgement() -> None:
    one = game("cribbage")
    history, compared = beginning(walked(one, 1, 30), 5), 0
    seat = history.states[-2].to_act or "A"
    other, _, _ = next(exchanged(history, seat, 1))
    found = [gone_through(h.states[-1]) for h in (history, other)]
    for mine, theirs in zip(*(f.decisions for f in found), strict=True):
        if one.seats[mine.actor] == seat:
            assert judge(one.compiled, mine, 1, 5) == judge(one.compiled, theirs, 1, 5)
            compared += 1
    assert compared


def test_going_back_gains_nothing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("find_winning_line", "find_winning_line_after"):
        monkeypatch.setattr(f"hoyle.players.judgement.{name}", lambda *_: None)
    found = gone_through(small("alone").start().play("right").play("left"))
    one, last = found.state.game.compiled, found.decisions[-1]
    seen = list_views(one, found.decisions)
    without, within = judge(one, last, 1, 20), judge(one, last, 1, 20, None, frozenset(seen[:-1]))
    assert without is not None and within is not None
    assert within.own.outcome.games <= 1 and without.own.outcome.games > 10
    assert within.loss > without.loss


# ---- luck ------------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_all_is_luck_where_nothing_can_be_done() -> None:
    state = first_moves(load_rules("players/lots").start(3))
    found = gone_through(state)
    accounts = summarize_seats(found, all_judged(found, 60))
    ahead = state.scores["A"] - state.scores["B"]
    assert ahead == 14
    for seat, wanted in (("A", ahead), ("B", -ahead)):
        luck, error = accounts[seat].luck, accounts[seat].luck_error
        assert luck is not None and 0 < error < 4
        assert abs(luck - wanted) < 6
        assert accounts[seat].errors == 0


def deal_of(seed: int, deals: int) -> tuple[int, int, dict[str, SeatSummary]]:
    """Before anybody chooses, A is given what is drawn."""
    state = load_rules("players/dealt").start(seed)
    given, state = state.scores["A"], first_moves(state)
    found = gone_through(state)
    assert found.is_dealt
    others = [play_other_deal(found.state.game.compiled, number, 1, 20) for number in range(deals)]
    return given, state.scores["A"], summarize_seats(found, all_judged(found, 60), others)


@pytest.mark.whole
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_luck_of_the_deal_is_what_was_dealt_beyond_the_usual(seed: int) -> None:
    given, had, accounts = deal_of(seed, 30)
    found, error = accounts["A"].deal, accounts["A"].deal_error
    assert found is not None and 0 < error < 1.2
    assert abs(found - (given - 4.5)) < 3 * error
    other = accounts["B"].deal
    assert other is not None  # B has seen what A drew, too
    assert abs(other + (had - 9)) < 3 * accounts["B"].deal_error + 1


def judged_at(found: RecordedGame, points: float) -> list[Judgement]:
    """The first choice gave away so many points, and no other gave anything."""

    def weight(decision: Decision, further: int, gain: float) -> RatedMove:
        number = (decision.made + further) % len(decision.core.acts)
        return RatedMove(number, Tried(9, 9, 4.5, 3.0), Outcome(9, 9, 4.5, 4.5, 9 * gain, 9 * gain**2))

    gains = [points, *[0.0] * (len(found.decisions) - 1)]
    both = [(one, weight(one, 1, gain), weight(one, 0, 0.0)) for one, gain in zip(found.decisions, gains, strict=True)]
    return [Judgement(one.number, one.actor, [own], best, own) for one, best, own in both]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "deal", "luck"), [("cribbage", 0, -6), ("scopa", -6, 0)])
def test_card_thrown_away_unseen_counts_when_it_comes_to_light(name: str, deal: int, luck: int) -> None:
    """A card laid on the table is seen at once."""
    found = gone_through(first_moves(game(name).start(3), 12))
    other = found.state.game.seats[1 - found.decisions[0].actor]
    without, with_it = (
        summarize_seats(found, judged_at(found, points), [(0.0, 0.0)] * 8)[other] for points in (0.0, 6.0)
    )
    assert without.deal is not None and with_it.deal is not None and with_it.deal - without.deal == deal
    assert without.luck is not None and with_it.luck is not None and with_it.luck - without.luck == luck


# ---- figures ---------------------------------------------------------------------------------------------------------


def compared(
    number: int, best: tuple[float, float], own: tuple[float, float], games: int = 9, spread: float = 900.0
) -> Judgement:
    """A judgement from the mean worth and gain of the best move and of the own one."""
    one, two = (
        RatedMove(n, Tried(games, games, games * worth, 9.0), Outcome(games, games, 0.0, 0.0, games * gain, spread))
        for n, (worth, gain) in ((1, best), (0, own))
    )
    return Judgement(number, 0, [one, two], one, two)


def test_no_move_gains_but_chance_is_evened_out_in_sums() -> None:
    found = gone_through(taken(2, 1))
    less, more = compared(0, (0.4, 4.0), (0.5, 5.0)), compared(1, (0.8, 8.0), (0.5, 5.0))
    assert (less.loss, less.points) == (0.0, 0.0) and math.copysign(1, less.loss) == 1
    assert [more.loss, more.points] == pytest.approx([0.3, 3.0])
    account = summarize_seats(found, [less, more])["A"]
    assert [account.loss, account.points, account.mean] == pytest.approx([0.2, 2.0, 0.1])
    account = summarize_seats(found, [less])["A"]
    assert (account.loss, account.points, account.mean) == (0.0, 0.0, 0.0)
    assert math.copysign(1, account.points) == 1


def test_better_move_is_told_if_its_points_are_better_too() -> None:
    """A small frequent gain may be worth more to a search than a large rare one: neither is called better."""

    def one(gain: float) -> Judgement:
        return compared(1, (0.9, gain), (0.5, 2.0), 900)

    assert one(3.0).is_notable and not one(1.0).is_notable and one(1.0).is_sure


def test_moves_that_cost_points_where_the_win_was_out_of_reach() -> None:
    def one(number: int, lost: float, error: float, made: int = 1) -> Judgement:
        """Each of a hundred games; none is won, and the best gains more."""
        spread = 100 * error * error * 99
        best, own = (
            RatedMove(
                n, Tried(100, 100, 5.0, 0.25), Outcome(100, 100, 0.0, 0.0, 100 * gain, 100 * gain * gain + spread)
            )
            for n, gain in ((0, 0.0), (made, -lost))
        )
        return Judgement(number, 0, [best, own], best, own)

    found = [
        one(1, 2.0, 0.1),
        one(2, 5.0, 0.1),
        one(3, 5.0, 4.0),
        one(4, 0.2, 0.01),
        one(5, 9.0, 0.1, 0),
        one(6, 0.5, 0.01),
    ]
    assert [dear.number for dear in select_dearest(found, 5)] == [2, 1, 6], (
        "surely, and worth telling; and another than the best"
    )
    assert [dear.number for dear in select_dearest(found, 1)] == [2] and select_worst(found, 5) == []
