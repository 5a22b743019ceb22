"""Ways to win that are certain, and what a search says of each move."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from engines import with_compiler
from games import game
from msgspec.structs import replace
from rules import load_rules, read_cases
from sights import seen_in
from small_games import LOST, WINNABLE, last_trick, natively, nearly_won, nim_with, stones

from hoyle import State
from hoyle.diagnostics import Source
from hoyle.game.records.records import record_lines
from hoyle.game.results import compute_leads
from hoyle.players import move_evaluation
from hoyle.players.judgement import Decision, Judgement, KnownWin, judge
from hoyle.players.move_evaluation import Evaluation, RatedMove, evaluate_moves, select_shown
from hoyle.players.record_analysis import (
    RecordedGame,
    apply_hindsight,
    find_later_win,
    read_record,
    select_worst,
    summarize_seats,
)
from hoyle.players.search import win_search
from hoyle.players.search.win_search import can_know_win, find_winning_line, find_winning_line_after, verify_win
from hoyle.presentation import hints
from hoyle.presentation.hints import describe_outcome
from hoyle.presentation.look import make_look
from hoyle.running.chance import Chance
from hoyle.running.outcomes import Bounds, Fate, Outcome, Tried, Worth
from hoyle.running.state import Core

pytestmark = pytest.mark.usefixtures("searching_alone")


def told(state: State, ways: dict[Any, int] | None = None) -> list[str]:
    return hints.give_hint(state, state.moves(), make_look(state.game), ways=ways)


def followed(state: State, moves: dict[Any, int]) -> tuple[State, int]:
    """Choose what is known as long as it is; the state then, and after how many choices."""
    core, count = state.core.copy(), 0
    while not core.over and (len(core.acts) == 1 or core.key() in moves):
        count += len(core.acts) > 1
        state.game.machine.play(core, core.acts[moves[core.key()] if len(core.acts) > 1 else 0])
    return State(state.game, core), count


def choosing(choices: list[int]) -> Callable[[Core], int | None]:
    left = iter(choices)
    return lambda _: next(left, None)


def test_way_that_is_found_wins_and_others_are_not_proved() -> None:
    """Neither moves that come to no end, nor a number that no move has."""
    state = stones(WINNABLE)
    one = state.game.compiled
    found = find_winning_line(one, seen_in(state), Bounds(40), Chance.stream(1))
    assert found is not None
    end, count = followed(state, found.chosen)
    assert end.winners == ["A"] and count == len(found.chosen)
    assert found.worth == Worth(found.worth.reward, 1.0, 1.0, end.standings[0] - state.standings[0])
    assert found.worth.reward > 0.9
    assert verify_win(one, state.core, lambda core: found.chosen[core.key()]) is not None
    first = [*found.chosen.values()][:-1]
    for wrong in ([], [99], [-1]):
        assert verify_win(one, state.core, choosing([*first, *wrong])) is None


@pytest.mark.whole
def test_way_begins_with_the_given_choice_or_there_is_none() -> None:
    state = stones(WINNABLE)
    for made in (0, 1):
        way = find_winning_line_after(state.game.compiled, seen_in(state), made, Bounds(40), Chance.stream(1))
        assert way is not None and way.number == made and followed(state, way.chosen)[0].winners == ["A"]
    state = stones(LOST)
    assert find_winning_line_after(state.game.compiled, seen_in(state), 0, Bounds(10), Chance.stream(1)) is None


@pytest.mark.whole
def test_ways_are_known_only_where_nothing_is_hidden_and_nobody_else_plays() -> None:
    assert can_know_win(game("freecell").compiled, seen_in(nearly_won()))
    for name in ("klondike", "scopa"):
        assert not can_know_win(game(name).compiled, seen_in(game(name).start(1)))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 40)


@pytest.mark.whole
def test_hints_tell_a_way_until_it_is_left(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a way is known none is looked for, and it is one choice shorter each time."""
    state, ways, left = stones(WINNABLE), dict[Any, int](), list[int]()
    first, certain, after = told(state, ways)
    number, count = ways[state.core.key()], followed(state, ways)[1]
    move = state.moves()[number].text("en")
    assert first == f"{number + 1}  {move}: wins 100 of 100"
    assert certain == f"A certain win is known, in {count} choices."
    assert after.startswith(f"After {move}: A lays upon ")
    monkeypatch.setattr(win_search, "find_win", lambda *_: ())
    away = state.play(state.moves()[next(n for n in range(len(state.moves())) if n != number)])
    assert away.core.key() not in ways
    assert "wins 100 of 100" not in told(away, ways)[0]
    while not state.is_over:
        if len(state.moves()) > 1:
            first, certain, *_ = told(state, ways)
            left.append(int(certain.split(" choice")[0].rpartition(" ")[2]))
        state = state.play(next(m for m in state.moves() if len(state.moves()) == 1 or f"  {m.text('en')}: " in first))
    assert state.winners == ["A"]
    assert left == [*range(count, 0, -1)] and count > 3


@pytest.mark.slow
def test_hint_says_that_no_way_was_found(short: None) -> None:
    said = "A search for a certain win found none; that does not prove that there is none."
    assert said in told(stones(LOST))
    assert said not in told(game("klondike").start(1))


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
    """Reports that a move may have cost a tenth of a win."""
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


CASES = read_cases("players/weighing")


def weighed(state: State, iterations: int) -> Evaluation:
    found = evaluate_moves(state.game.compiled, seen_in(state), state.decisions, 0.0, iterations)
    assert found is not None
    return found


def two(*gained: float, second: int = 100) -> Evaluation:
    """Two moves of a hundred games each, or the second of fewer. The search takes the second for better."""
    games = (100, second)
    tried = [Tried(n, n, n * worth, n * worth * worth) for n, worth in zip(games, (0.5, 0.6), strict=True)]
    came = [Outcome(n, 0, 0.0, 0.0, n * gain, n * (gain * gain + 9)) for n, gain in zip(games, gained, strict=True)]
    return Evaluation([RatedMove(n, *one) for n, one in enumerate(zip(tried, came, strict=True))], 100 + second)


def test_moves_are_close_if_their_figures_overlap() -> None:
    assert two(5.0, 4.7).is_close and two(4.7, 5.0).is_close
    assert two(5.0, 4.4).is_close, "±0.3 and ±0.3 touch"
    assert not two(5.0, 4.3).is_close and not two(4.3, 5.0).is_close
    assert not two(5.0, 5.0, second=1).is_close, "one game tells nothing"
    assert not weighed(nim_with(2), 100).is_close


def came_to(number: int, games: int, share: float, mean: float) -> RatedMove:
    """A move after which so many games were all played to their end."""
    won = share * games
    return RatedMove(number, Tried(games, games, games * mean, games * mean * mean), Outcome(games, games, won, won))


def test_moves_are_ordered_by_the_figures_that_are_told() -> None:
    ahead, wins, close = came_to(0, 100, 0.0, 0.09), came_to(1, 100, 0.05, 0.08), came_to(2, 100, 0.051, 0.085)
    assert [one.number for one in select_shown([ahead, wins, close])] == [2, 1, 0]
    lucky = came_to(3, 5, 0.4, 0.4)
    assert [one.number for one in select_shown([lucky, wins, ahead])] == [1, 0], "five games may have been lucky"


def told_of_moves(state: State, line: Sequence[move_evaluation.Step]) -> list[str]:
    return [step.event(state.game.compiled).text("en", state.to_act) for step in line]


@pytest.mark.whole
def test_line_goes_on_to_the_end() -> None:
    """Two of six stones are taken, and all of the rest after any answer."""
    state = nim_with(6)
    first, second = (told_of_moves(state, line) for line in weighed(state, 1000).lines)
    me, other = ("A", "B") if state.to_act == "A" else ("B", "A")
    assert first[0] == f"{me} takes stones 2"
    assert [text[0] for text in first] == [me, other, me]
    assert second == [f"{me} takes stones 3", f"{other} takes stones 3"]
    assert sum(int(text.split()[-1]) for text in first) == 6


def test_line_has_no_move_that_was_seldom_tried() -> None:
    assert [len(line) for line in weighed(nim_with(9), 30).lines] == [1, 1]


@pytest.mark.whole
@with_compiler
def test_both_engines_tell_the_same_lines() -> None:
    state = natively(game("hearts")).start(3)
    for _ in range(9):
        state = state.play(state.moves()[0])
    ours, theirs = (evaluate_moves(one.compiled, seen_in(state), 9, 0.0, 60) for one in (game("hearts"), state.game))
    assert ours is not None and theirs is not None
    assert ours.moves == theirs.moves and len(ours.moves) > 2
    assert [told_of_moves(state, line) for line in ours.lines] == [told_of_moves(state, line) for line in theirs.lines]


@pytest.mark.whole
def test_move_that_depends_on_hidden_cards_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_evaluation, "OFTEN", 1)
    state = game("cribbage").start(3)
    for _ in range(7):
        state = state.play(state.moves()[0])
    for line in weighed(state, 200).lines:
        assert [(step.event(state.game.compiled).seat, step.doubtful) for step in line] == [("A", False), ("B", True)]


def test_hint_tells_close_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    state, close = nim_with(7), "The first two are too close to tell which is better."
    for second, is_close in ((4.7, True), (4.3, False)):
        found = two(5.0, second)
        monkeypatch.setattr(hints, "evaluate_moves", lambda *_, found=found: found)
        assert (close in hints.give_hint(state, state.moves(), make_look(state.game))) is is_close


def test_hint_leaves_out_a_move_that_was_lucky(monkeypatch: pytest.MonkeyPatch) -> None:
    best, lucky, worse = came_to(0, 100, 0.5, 0.5), came_to(1, 5, 0.8, 0.8), came_to(2, 5, 0.0, 0.01)
    monkeypatch.setattr(hints, "evaluate_moves", lambda *_: Evaluation([best, worse, lucky], 110, ((), ())))
    state = nim_with(7)
    move, told = hints.advise(state, (), make_look(state.game))
    assert move == state.moves()[0]
    assert [line.partition(": wins about ")[0] for line in told[:2]] == ["take stones 1", "take stones 3"]
    assert [line for line in told if "take stones 2" in line] == []


@pytest.mark.whole
def test_hint_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 400)
    state = nim_with(7)
    found = hints.give_hint(state, state.moves(), make_look(state.game))
    assert found[0].startswith("3  take stones 3: wins about 9")
    assert "take stones 3" not in "".join(found[1:3])
    assert found[3] == "Based on 400 games played out from what you can see."
    assert found[4].startswith("After take stones 3, mostly: ")
    assert len(found) == 6


@pytest.mark.whole
def test_taking_points_where_the_fewest_win_falls_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 40)
    state = last_trick()
    first, second, *_ = hints.give_hint(state, state.moves(), make_look(state.game))
    assert "2♣" in first and "further ahead of the others by about 4." in first
    assert "K♣" in second and "further behind the others by about 13." in second
    monkeypatch.setattr("hoyle.presentation.catalogue._chosen", "fr")
    first, second, *_ = hints.give_hint(state, state.moves(), make_look(state.game))
    assert "gagne environ 4,3 points" in first and "perd environ 13,0 points" in second


@pytest.mark.parametrize(
    ("gained", "sides", "said"),
    CASES["gains in words"],
)
def test_gains_in_words(gained: float, sides: int, said: str) -> None:
    games = describe_outcome(Outcome(10, 0, 0.0, 0.0, 10 * gained, 10 * gained**2 + 9), False, False, sides)
    sure = describe_outcome(Fate(1, 0.0, 0.0, 0.0, gained, gained**2), False, False, sides)
    assert games.endswith(f"{said.format('about ')} (±0.3)")
    assert sure.endswith(said.format(""))
