"""What a search says of moves: what each comes to, how sure that is, and how play goes on after the best."""

from collections.abc import Sequence

import pytest
from engines import with_compiler
from games import game
from rules import read_cases
from sights import seen_in
from small_games import last_trick, natively, nim_with

from hoyle import State
from hoyle.players import move_evaluation
from hoyle.players.move_evaluation import Evaluation, RatedMove, evaluate_moves, select_shown
from hoyle.presentation import hints
from hoyle.presentation.hints import describe_outcome
from hoyle.presentation.look import make_look
from hoyle.running.outcomes import Fate, Outcome, Tried

CASES = read_cases("players/weighing")

pytestmark = pytest.mark.usefixtures("searching_alone")


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


# ---- lines -----------------------------------------------------------------------------------------------------------


def told(state: State, line: Sequence[move_evaluation.Step]) -> list[str]:
    return [step.event(state.game.compiled).text("en", state.to_act) for step in line]


@pytest.mark.whole
def test_line_goes_on_to_the_end() -> None:
    """Of six stones two are taken; whatever the other does, all of the rest are."""
    state = nim_with(6)
    first, second = (told(state, line) for line in weighed(state, 1000).lines)
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
    assert [told(state, line) for line in ours.lines] == [told(state, line) for line in theirs.lines]


@pytest.mark.whole
def test_move_that_depends_on_hidden_cards_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_evaluation, "OFTEN", 1)
    state = game("cribbage").start(3)
    for _ in range(7):
        state = state.play(state.moves()[0])
    for line in weighed(state, 200).lines:
        assert [(step.event(state.game.compiled).seat, step.doubtful) for step in line] == [("A", False), ("B", True)]


# ---- hints -----------------------------------------------------------------------------------------------------------


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
