"""What a search says of moves: what each comes to, how sure that is, and how play goes on after the best."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import pytest
from engines import engine, with_compiler
from games import game
from msgspec import structs
from nim import nim_at
from sights import seen_in

from interpreter import Game, State
from interpreter.cli.drawing.lines import look_of
from interpreter.cli.drawing.outcomes import outcome_words
from interpreter.cli.playing import hints
from interpreter.native.made import with_native
from interpreter.players import lines
from interpreter.players.search import at_hand, searching
from interpreter.players.weighing import Weighed, Weight, foremost, weigh
from interpreter.running.solved import Fate
from interpreter.running.tried import Outcome, Tried


def after(nim: Game, left: int) -> State:
    """With so many stones left."""
    state = nim.start()
    while state.view(None).piles[0].count > left:
        state = state.play("take-stones 1")
    return state


def weighed(state: State, iterations: int) -> Weighed:
    found = weigh(state.game.compiled, seen_in(state), state.decisions, 0.0, iterations)
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved without a search: that has tests of its own."""
    monkeypatch.setattr("interpreter.players.weighing.certain", lambda *_, **__: None)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return nim_at(tmp_path_factory.mktemp("nim"))


def test_what_moves_come_to(nim: Game) -> None:
    """Of two stones who takes both has won; who takes one has lost."""
    state = after(nim, 2)
    best, other = weighed(state, 100).moves
    assert state.moves()[best.number].id == "take-stones 2"
    assert (best.ended, best.outcome.share, best.outcome.gain) == (True, 1.0, 2.0)
    assert (other.ended, other.outcome.share, other.outcome.gain) == (True, 0.0, 0.0)
    assert 0 < best.outcome.share_error < 0.02
    assert best.outcome.games == best.tried.tried


def test_how_sure_it_is() -> None:
    split = Outcome(100, 100, 50.0, 50.0, 300.0, 1300.0)
    assert (split.share, split.gain) == (0.5, 3.0)
    assert split.share_error == pytest.approx(0.5 / math.sqrt(99))
    assert split.gain_error == pytest.approx(2 / math.sqrt(99))
    assert (Outcome().share_error, Outcome().gain_error) == (1.0, math.inf)
    assert not Weight(0, Tried(), Outcome(100, 89)).ended


def two(*gained: float, second: int = 100) -> Weighed:
    """Two moves of a hundred games each, which gain now more, now less; or the second of fewer. The search holds the second for better."""
    games = (100, second)
    tried = [Tried(n, n, n * worth, n * worth * worth) for n, worth in zip(games, (0.5, 0.6), strict=True)]
    came = [Outcome(n, 0, 0.0, 0.0, n * gain, n * (gain * gain + 9)) for n, gain in zip(games, gained, strict=True)]
    return Weighed([Weight(n, *one) for n, one in enumerate(zip(tried, came, strict=True))], 100 + second)


def test_too_close_to_tell(nim: Game) -> None:
    assert two(5.0, 4.7).is_close and two(4.7, 5.0).is_close
    assert two(5.0, 4.4).is_close, "±0.3 and ±0.3 touch"
    assert not two(5.0, 4.3).is_close and not two(4.3, 5.0).is_close
    assert not two(5.0, 5.0, second=1).is_close, "of one game nothing is told"
    assert not weighed(after(nim, 2), 100).is_close


def told(state: State, line: Sequence[lines.Step]) -> list[str]:
    return [step.event(state.game.compiled).text("en", state.to_act) for step in line]


def test_how_play_goes_on(nim: Game) -> None:
    """Of six stones two are taken; whatever the other does, all of the rest are."""
    state = after(nim, 6)
    first, second = (told(state, line) for line in weighed(state, 1000).lines)
    me, other = ("A", "B") if state.to_act == "A" else ("B", "A")
    assert first[0] == f"{me} takes stones 2"
    assert [text[0] for text in first] == [me, other, me]
    assert second == [f"{me} takes stones 3", f"{other} takes stones 3"]
    assert sum(int(text.split()[-1]) for text in first) == 6


def test_no_move_that_was_seldom_tried_is_part_of_a_line(nim: Game) -> None:
    state = after(nim, 9)
    assert [len(line) for line in weighed(state, 30).lines] == [1, 1]


@pytest.mark.whole
@with_compiler
def test_both_engines_tell_the_same_lines() -> None:
    one = game("cribbage").compiled
    native = Game(structs.replace(one, machine=with_native(one.machine, engine("cribbage"))))
    state = native.start(3)
    for _ in range(3):
        state = state.play(state.moves()[0])
    ours = weigh(one, seen_in(state), 3, 0.0, 150)
    theirs = weigh(native.compiled, seen_in(state), 3, 0.0, 150)
    assert ours is not None and theirs is not None
    assert ours.moves == theirs.moves
    assert [told(state, line) for line in ours.lines] == [told(state, line) for line in theirs.lines]


def test_a_line_ends_where_what_is_hidden_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card laid away by somebody else is told as such, and the card turned after it ends the line."""
    monkeypatch.setattr(lines, "OFTEN", 1)
    state = game("cribbage").start(3)
    for line in weighed(state, 60).lines:
        assert told(state, line)[1:] in ([], ["B has chosen"])


def test_a_move_that_few_hold_is_told_with_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which card the other lays hangs on what he holds; that of one's own does not."""
    monkeypatch.setattr(lines, "OFTEN", 1)
    state = game("cribbage").start(3)
    for _ in range(7):
        state = state.play(state.moves()[0])
    for line in weighed(state, 200).lines:
        assert [(step.event(state.game.compiled).seat, step.doubtful) for step in line] == [("A", False), ("B", True)]


FIGURE = re.compile(r"(ahead|behind|wins|no better)\D*([0-9.]*)[^(]*\(±([0-9.]+)\)")


def figures(told: Sequence[str]) -> list[list[tuple[float, float]]]:
    """What lines of a hint tell of each move: figures that are better where they are greater, and how far they may be off."""
    return [
        [((-1 if how == "behind" else 1) * float(n or 0), float(off)) for how, n, off in FIGURE.findall(line)]
        for line in told
        if "±" in line
    ]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "seed", "moves"),
    [("belote", 4, 0), ("belote", 4, 3), ("cribbage", 3, 0), ("hearts", 2, 5), ("whist", 1, 30)],
)
@pytest.mark.parametrize("iterations", [60, 240])
def test_moves_stand_in_the_order_of_the_figures_of_a_hint_and_are_close_if_these_overlap(
    name: str, seed: int, moves: int, iterations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", iterations)
    state = game(name).start(seed)
    for _ in range(moves):
        state = state.play(state.moves()[0])
    while len(state.moves()) < 2:
        state = state.play(state.moves()[0])
    told = hints.hint(state, state.moves(), look_of(state.game))
    shown = figures(told)
    assert shown and [[value for value, _ in one] for one in shown] == sorted(
        ([value for value, _ in one] for one in shown), reverse=True
    )
    if len(shown) > 1:
        both = next((pair for pair in zip(*shown[:2], strict=True) if pair[0][0] != pair[1][0]), None)
        overlap = both is None or both[0][0] - both[1][0] <= both[0][1] + both[1][1] + 1e-9
        assert overlap == ("The first two are too close to tell which is better." in told)


def came_to(number: int, games: int, share: float, mean: float) -> Weight:
    """A move after which so many games were all played to their end."""
    won = share * games
    return Weight(number, Tried(games, games, games * mean, games * mean * mean), Outcome(games, games, won, won))


def test_moves_stand_in_the_order_of_the_figures_that_are_told() -> None:
    ahead, wins, close = came_to(0, 100, 0.0, 0.09), came_to(1, 100, 0.05, 0.08), came_to(2, 100, 0.051, 0.085)
    assert [one.number for one in foremost([ahead, wins, close])] == [2, 1, 0]
    lucky = came_to(3, 5, 0.4, 0.4)
    assert [one.number for one in foremost([lucky, wins, ahead])] == [1, 0], "what was tried seldom may have been lucky"


def test_a_hint_does_not_tell_of_a_move_that_was_lucky(nim: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    best, lucky, worse = came_to(0, 100, 0.5, 0.5), came_to(1, 5, 0.8, 0.8), came_to(2, 5, 0.0, 0.01)
    monkeypatch.setattr(hints, "weigh", lambda *_: Weighed([best, worse, lucky], 110, ((), ())))
    state = after(nim, 7)
    move, told = hints.advised(state, (), look_of(nim))
    assert move == state.moves()[0]
    assert [line.partition(": wins about ")[0] for line in told[:2]] == ["take stones 1", "take stones 3"]
    assert [line for line in told if "take stones 2" in line] == []


def test_a_hint_is_searched_for_without_building_anything(nim: Game) -> None:
    one = Game(nim.compiled)
    assert at_hand(one) is one.compiled
    built = searching(one, "python")
    assert at_hand(one) is built


def test_a_hint_in_words(nim: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 400)
    state = after(nim, 7)
    found = hints.hint(state, state.moves(), look_of(nim))
    assert found[0].startswith("3  take stones 3: wins about 9")
    assert "take stones 3" not in "".join(found[1:3])
    assert found[3] == "In 400 games tried out from what you can see."
    assert found[4].startswith("After take stones 3, mostly: ")
    assert len(found) == 6


LAST = {
    "at": "play to the trick",
    "to_act": "D",
    "state": {"leader": "A"},
    "piles": {"hand of D": "2C KC", "hand of A": "3D", "hand of B": "4D", "hand of C": "5D"}
    | {"trick of A": "3C", "trick of B": "QS", "trick of C": "4C"},
}
"""The king takes the queen of spades, and the fewest points win."""


@pytest.mark.parametrize(
    ("lang", "good", "bad"),
    [
        ("en", "further ahead of the others by about 4.", "further behind the others by about 13."),
        ("fr", "gagne environ 4,3 points", "perd environ 13,0 points"),
    ],
)
def test_who_takes_points_where_the_fewest_win_falls_behind(
    lang: str, good: str, bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "ITERATIONS", 40)
    monkeypatch.setattr("interpreter.cli.catalogue._chosen", lang)
    state = game("hearts").position(LAST, 1)
    first, second, *_ = hints.hint(state, state.moves(), look_of(state.game))
    assert "2♣" in first and good in first
    assert ("K♣" in second or "R♣" in second) and bad in second
    assert "+" not in first + second


@pytest.mark.parametrize(
    ("gained", "sides", "said"),
    [
        (7.2, 2, "ahead of the other by {}7.2 points"),
        (-7.2, 3, "behind the others by {}7.2 points"),
        (3.0, 1, "better than now by {}3.0 points"),
        (-3.0, 1, "worse than now by {}3.0 points"),
        (-0.01, 2, "no better or worse off by it"),
        (1.0, 2, "ahead of the other by {}1.0 points"),
    ],
)
def test_better_and_worse_are_told_as_such(gained: float, sides: int, said: str) -> None:
    games = outcome_words(Outcome(10, 0, 0.0, 0.0, 10 * gained, 10 * gained**2 + 9), False, False, sides)
    sure = outcome_words(Fate(1, 0.0, 0.0, 0.0, gained, gained**2), False, False, sides)
    assert games.endswith(f"{said.format('about ')} (±0.3)")
    assert sure.endswith(said.format(""))
