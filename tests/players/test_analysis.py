"""A record gone through: what moves cost where the right one is known, that only what a seat saw counts, and what is called luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from exchange import beginning, exchanged, walked
from games import game
from nim import nim_at
from sights import seen_in

from interpreter import Game, State, load
from interpreter.diagnostics import Source
from interpreter.game.records import lines
from interpreter.players.analysis import Course, Total, course, dearest, sights, totals, worst
from interpreter.players.judging import Decision, Judged, judge
from interpreter.players.redeals import redealt
from interpreter.players.weighing import Weight
from interpreter.running.tried import Outcome, Tried
from interpreter.series.analyse import Order, judged
from interpreter.series.workers import Workers

LOTS = """
ruleset: 1
game: lots
title: {en: Lots}
source: {text: A game of chance alone., year: 2026}
notes: {§1: "Whoever's turn it is waits in one way or the other and draws a number of points."}
players: {count: 2, seats: [A, B]}
tables: {sorts: {rows: {one: {}}}}
pieces: {chip: {of: [sorts], from: bag}}
piles: {bag: {}}
state: {drawn: {range: 0..9}, points: {each: player, range: 0..99}}
moves:
  wait: {rule: {at: §1, en: One waits.}}
  rest: {like: wait, rule: {at: §1, en: One rests.}}
flow:
  game: {all: {turns: turn, from: A, rounds: 4}}
  turn: {move: {choose: [wait, rest]}, draw: {lots: 0..9, into: drawn}, told: {score: drawn, to: me, in: points}}
result: {best: points of p}
"""


DEALT = LOTS.replace(
    "  game: {all:", "  game: {deal: {lots: 0..9, into: drawn}, given: {score: drawn, to: A, in: points}, all:"
).replace("rounds: 4", "rounds: 1")
"""Before anybody chooses, A is given what is drawn."""


@pytest.fixture(autouse=True)
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved without a search: that has tests of its own."""
    monkeypatch.setattr("interpreter.players.judging.ending_of", lambda *_, **__: None)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return nim_at(tmp_path_factory.mktemp("nim"))


def gone_through(state: State, name: str | Path) -> Course:
    return course(Source("game.jsonl", "\n".join(lines(state, 1))), name)


def played(one: Game, *taken: int) -> State:
    state = one.start()
    for count in taken:
        state = state.play(f"take-stones {count}")
    return state


def walk(state: State, moves: int) -> State:
    """So many moves further, the first and the last that may be made by turns."""
    for number in range(moves):
        state = state.play(state.moves()[-(number % 2)])
    return state


def all_judged(found: Course, iterations: int) -> list[Judged]:
    each = (judge(found.state.game.compiled, decision, 1, iterations) for decision in found.decisions)
    return [one for one in each if one is not None]


def nim_file(one: Game) -> Path:
    return one.merged.files[-1]


@pytest.mark.whole
def test_what_moves_cost(nim: Game) -> None:
    """Nine stones: one should be taken, and is not; of seven three should be, and are not; of six two are. Four cannot be won. The last move is forced."""
    found = gone_through(played(nim, 2, 1, 2, 3, 1), nim_file(nim))
    assert [d.number for d in found.decisions] == [0, 1, 2, 3]
    one, two, three, four = all_judged(found, 200)
    assert one.is_error and two.is_error
    assert one.loss > 0.6 and two.loss > 0.6
    assert one.points > 1.2
    assert three.loss == three.error == 0.0
    assert not four.is_error
    assert [found.state.game.seats[j.actor] for j in (one, two, three)] == ["A", "B", "A"]
    assert worst([one, two, three, four], 1) == [max((one, two), key=lambda j: j.loss)]


@pytest.mark.whole
def test_accounts_of_seats(nim: Game) -> None:
    found = gone_through(played(nim, 2, 1, 2, 3, 1), nim_file(nim))
    each = all_judged(found, 200)
    accounts = totals(found, each)
    assert [(a.decisions, a.errors, a.luck) for a in accounts.values()] == [(2, 1, None), (2, 1, None)]
    assert accounts["A"].loss == pytest.approx(each[0].loss + each[2].loss)
    assert accounts["A"].mean == pytest.approx(accounts["A"].loss / 2)
    assert [*totals(found, each[:1])] == ["A"]
    assert totals(found, []) == {}


def test_a_game_that_is_not_over(nim: Game) -> None:
    found = gone_through(played(nim, 2, 1), nim_file(nim))
    assert (found.state.is_over, found.has_chance, len(found.decisions)) == (False, False, 2)


@pytest.mark.slow
def test_the_best_move_and_the_one_made_are_tried_alike(nim: Game) -> None:
    found = gone_through(played(nim, 2), nim_file(nim))
    one = all_judged(found, 100)[0]
    assert one.best.tried.tried == one.own.tried.tried == 100
    assert sum(weight.tried.tried for weight in one.moves) == 100
    again = judge(nim.compiled, found.decisions[0], 1, None, 0.1)
    assert again is not None and again.own.number == one.own.number


@pytest.mark.slow
def test_how_the_best_goes_on_and_what_else_was_better(nim: Game) -> None:
    """Of nine stones two are taken, and should be one. Whatever the other does, of what is left a multiple of four is left to him again."""
    one, _, right, _ = all_judged(gone_through(played(nim, 2, 1, 2, 3, 1), nim_file(nim)), 400)
    taken = [step.event(nim.compiled).data for step in one.line]
    assert [data["by"] for data in taken] == ["A", "B", "A", "B", "A"][: len(taken)]
    assert taken[0]["move"] == "take-stones 1" and len(taken) > 1
    assert (right.line, right.others) == ((), ())


@pytest.mark.slow
def test_what_else_was_better_is_tried_again_like_the_best() -> None:
    """It is better than the move that was made when it is tried again, and comes in the order of that."""
    state = game("cribbage").start(3)
    state = state.play(state.moves()[0])
    found = gone_through(walk(state, 12), "cribbage")
    each = [one for one in all_judged(found, 120) if one.others]
    assert each
    for one in each:
        assert {weight.tried.tried for weight in (one.best, one.own, *one.others)} == {120}
        means = [weight.tried.mean for weight in one.others]
        assert means == sorted(means, reverse=True) and means[-1] > one.own.tried.mean and len(means) <= 2
        assert not {one.best.number, one.own.number} & {weight.number for weight in one.others}


def test_luck_is_what_fell_to_a_seat(tmp_path: Path) -> None:
    """Where nothing can be done, all is luck."""
    (tmp_path / "lots.yaml").write_text(LOTS, encoding="utf-8")
    state = load(tmp_path / "lots.yaml").start(3)
    while not state.is_over:
        state = state.play(state.moves()[0])
    found = gone_through(state, tmp_path / "lots.yaml")
    accounts = totals(found, all_judged(found, 100))
    ahead = state.scores["A"] - state.scores["B"]
    assert ahead == 14
    for seat, wanted in (("A", ahead), ("B", -ahead)):
        luck, error = accounts[seat].luck, accounts[seat].luck_error
        assert luck is not None and 0 < error < 4
        assert abs(luck - wanted) < 6
        assert accounts[seat].errors == 0


@pytest.mark.whole
@pytest.mark.parametrize("name", ["cribbage"])
def test_a_judgement_follows_from_what_was_seen(name: str) -> None:
    """What a seat never saw may be exchanged through the whole history, and its moves are judged the same."""
    history, compared = beginning(walked(game(name), 1, 30), 8), 0
    seat = history.states[-2].to_act or "A"
    for other, _, _ in exchanged(history, seat, 1):
        found = [gone_through(h.states[-1], name) for h in (history, other)]
        for one, two in zip(*(f.decisions for f in found), strict=True):
            if game(name).seats[one.actor] == seat:
                assert judge(game(name).compiled, one, 1, 8) == judge(game(name).compiled, two, 1, 8)
                compared += 1
        break
    assert compared


@pytest.mark.slow
def test_processes_that_share_the_work_find_the_same(nim: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # which other processes would not know of
    text = "\n".join(lines(played(nim, 2, 1, 2, 3, 1), 1))
    order = Order("game.jsonl", text, str(nim_file(nim)), "search:30", 1, "python")
    found = order.course()
    numbers = [*range(len(found.decisions))]
    alone, shared = ([*judged(order, found, numbers, Workers(jobs))] for jobs in (1, 2))
    assert alone == shared
    assert alone == [judge(nim.compiled, decision, 1, 30) for decision in found.decisions]


def there_and_back(states: Sequence[State]) -> State:
    """After some of these moves, another, and one that takes it back."""
    for state in states:
        for move in state.moves():
            after = state.play(move)
            for back in after.moves():
                if seen_in(after.play(back)).now.piles == seen_in(state).now.piles:
                    return after.play(back)
    raise AssertionError("no move can be taken back")


@pytest.mark.slow
def test_who_plays_alone_gets_nowhere_by_going_back() -> None:
    """That is so for whoever plays, and so for whoever judges."""
    found = gone_through(there_and_back(walked(game("freecell"), 1, 40).states), "freecell")
    one = found.state.game.compiled
    seen = sights(one, found.decisions)
    without = judge(one, found.decisions[-1], 1, 5)
    within = judge(one, found.decisions[-1], 1, 5, None, frozenset(seen[:-1]))
    assert without is not None and within is not None
    assert within.own.outcome.games <= 1 < without.own.outcome.games == 5  # the others lead back, and are worth nothing
    assert within.loss > without.loss


def test_where_there_are_several_nobody_minds_going_back(nim: Game) -> None:
    found = gone_through(played(nim, 2, 1), nim_file(nim))
    assert sights(nim.compiled, found.decisions) == []


def deal_of(tmp_path: Path, seed: int, deals: int) -> tuple[int, int, dict[str, Total]]:
    (tmp_path / "dealt.yaml").write_text(DEALT, encoding="utf-8")
    state = load(tmp_path / "dealt.yaml").start(seed)
    given = state.scores["A"]
    while not state.is_over:
        state = state.play(state.moves()[0])
    found = gone_through(state, tmp_path / "dealt.yaml")
    assert found.is_dealt
    others = [redealt(found.state.game.compiled, number, 1, 20) for number in range(deals)]
    return given, state.scores["A"], totals(found, all_judged(found, 60), others)


@pytest.mark.parametrize("seed", [3, 4])
def test_the_luck_of_the_deal_is_what_was_dealt_beyond_the_usual(seed: int, tmp_path: Path) -> None:
    given, had, accounts = deal_of(tmp_path, seed, 30)
    found, error = accounts["A"].deal, accounts["A"].deal_error
    assert found is not None and 0 < error < 1.2
    assert abs(found - (given - 4.5)) < 3 * error
    other = accounts["B"].deal
    assert other is not None  # B has seen what A drew, too
    assert abs(other + (had - 9)) < 3 * accounts["B"].deal_error + 1


def test_from_few_deals_nothing_is_concluded(tmp_path: Path) -> None:
    assert deal_of(tmp_path, 3, 7)[2]["A"].deal is None


def test_where_nothing_is_dealt_there_is_no_luck_of_the_deal(nim: Game) -> None:
    assert not gone_through(played(nim, 2, 1), nim_file(nim)).is_dealt


def judged_at(found: Course, points: float) -> list[Judged]:
    """The first choice gave away so many points, and no other gave anything."""

    def weight(decision: Decision, further: int, gain: float) -> Weight:
        number = (decision.made + further) % len(decision.core.acts)
        return Weight(number, Tried(9, 9, 4.5, 3.0), Outcome(9, 9, 4.5, 4.5, 9 * gain, 9 * gain**2))

    gains = [points, *[0.0] * (len(found.decisions) - 1)]
    both = [(one, weight(one, 1, gain), weight(one, 0, 0.0)) for one, gain in zip(found.decisions, gains, strict=True)]
    return [Judged(one.number, one.actor, [own], best, own) for one, best, own in both]


@pytest.mark.parametrize(("name", "deal", "luck"), [("cribbage", 0, -6), ("scopa", -6, 0)])
def test_what_is_thrown_away_unseen_counts_when_it_comes_to_light(name: str, deal: int, luck: int) -> None:
    """Cards are laid away so that the other does not see which; a card laid on the table is seen at once."""
    state = game(name).start(3)
    while state.decisions < 12:
        state = state.play(state.moves()[0])
    found = gone_through(state, name)
    other = found.state.game.seats[1 - found.decisions[0].actor]
    without, with_it = (totals(found, judged_at(found, points), [(0.0, 0.0)] * 8)[other] for points in (0.0, 6.0))
    assert without.deal is not None and with_it.deal is not None and with_it.deal - without.deal == deal
    assert without.luck is not None and with_it.luck is not None and with_it.luck - without.luck == luck


def test_no_move_costs_less_than_nothing_but_chance_is_evened_out_in_sums(nim: Game) -> None:
    """Of each choice games found so much more, or less, of the best than of what was made."""

    def one(number: int, apart: float) -> Judged:
        best, own = (
            Weight(n, Tried(9, 9, 9 * worth, 9.0), Outcome(9, 9, 0.0, 0.0, 90 * worth, 900.0))
            for n, worth in ((1, 0.5 + apart), (0, 0.5))
        )
        return Judged(number, 0, [best, own], best, own)

    found = gone_through(played(nim, 2, 1), nim_file(nim))
    less, more = one(0, -0.1), one(1, 0.3)
    assert (less.loss, less.points) == (0.0, 0.0) and math.copysign(1, less.loss) == 1
    assert [more.loss, more.points] == pytest.approx([0.3, 3.0])
    account = totals(found, [less, more])["A"]
    assert [account.loss, account.points, account.mean] == pytest.approx([0.2, 2.0, 0.1])
    account = totals(found, [less])["A"]
    assert (account.loss, account.points, account.mean) == (0.0, 0.0, 0.0)
    assert math.copysign(1, account.points) == 1


def test_what_is_told_as_better_has_the_better_figures() -> None:
    """What gains little nearly always may be worth more to a search than what gains much seldom: of such two neither is said to be better."""

    def one(gain: float) -> Judged:
        best, own = (
            Weight(n, Tried(900, 900, 900 * worth, 900 * worth), Outcome(900, 0, 0.0, 0.0, 900 * some, 9e5))
            for n, worth, some in ((0, 0.9, gain), (1, 0.5, 2.0))
        )
        return Judged(1, 0, [best, own], best, own)

    assert one(3.0).is_notable and not one(1.0).is_notable and one(1.0).is_sure


def test_what_cost_points_where_the_win_was_out_of_reach() -> None:
    def one(number: int, lost: float, error: float, made: int = 1) -> Judged:
        """Each of a hundred games; none is won, and the best gains more."""
        spread = 100 * error * error * 99
        best, own = (
            Weight(n, Tried(100, 100, 5.0, 0.25), Outcome(100, 100, 0.0, 0.0, 100 * gain, 100 * gain * gain + spread))
            for n, gain in ((0, 0.0), (made, -lost))
        )
        return Judged(number, 0, [best, own], best, own)

    found = [one(1, 2.0, 0.1), one(2, 5.0, 0.1), one(3, 5.0, 4.0), one(4, 0.2, 0.01), one(5, 9.0, 0.1, 0)]
    assert [dear.number for dear in dearest(found, 5)] == [2, 1], "surely, and worth telling; and another than the best"
    assert [dear.number for dear in dearest(found, 1)] == [2] and worst(found, 5) == []
