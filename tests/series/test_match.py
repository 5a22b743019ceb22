"""Matches of two kinds of players: the same deals from every side, what they come to, and how sure that is."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace
from rules import gathering_at
from tiers import some_now

from hoyle import load
from hoyle.game import playouts
from hoyle.running.outcomes import Tallies
from hoyle.series.match import Deal, Match, Outcome, play_match, summarize_match
from hoyle.series.measures import measure_mean, measure_mean_share
from hoyle.series.simulate import Order, load_traced, play_series
from hoyle.series.workers import Workers

FIRST = ("first", "random")
SIDES = {
    "2..4,": "4, sides: {AC: [A, C], BD: [B, D]},",
    ", default: 2}\noptions": "}\noptions",
    "best: score of p": "best: sum(score of q for q in members(p))",
}
"""Two sides of two."""


def played(
    folder: Path, kinds: tuple[str, str], changes: Mapping[str, str] | None = None, deals: int = 20, **options: int
) -> list[Deal]:
    file = gathering_at(folder, changes)
    order = Match(file, tuple(options.items()), 3, kinds, "python")
    return play_match(load(file, options), order, deals)


def came_to(folder: Path, kinds: tuple[str, str], changes: Mapping[str, str] | None = None, **options: int) -> Outcome:
    return summarize_match(played(folder, kinds, changes, rounds=5, **options))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("changes", "options", "sides"), some_now([({}, {"players": 3}, 3), (SIDES, {}, 2), ({}, {}, 2)], 2)
)
def test_a_kind_is_even_with_itself_and_a_stronger_one_wins(
    tmp_path: Path, changes: Mapping[str, str], options: dict[str, int], sides: int
) -> None:
    same = came_to(tmp_path, ("first", "first"), changes, **options)
    assert (same.deals, same.games, same.even) == (20, 20 * sides, 1 / sides)
    assert (same.wins.mean, same.lead.mean) == pytest.approx((1 / sides, 0)) and same.stronger is None
    better, worse = (came_to(tmp_path, kinds, changes, **options) for kinds in (FIRST, FIRST[::-1]))
    assert (better.stronger, worse.stronger, better.better) == ("A", "B", "more")
    assert better.lead.low > 0 > worse.lead.high


@pytest.mark.whole
def test_fewer_points_may_be_better(tmp_path: Path) -> None:
    found = came_to(tmp_path, FIRST, {"best: score of p": "best: -score of p, score: score of p"})
    assert (found.stronger, found.better) == ("B", "fewer") and found.lead.mean > 0


def test_each_game_is_one_of_a_series_with_these_seats(tmp_path: Path) -> None:
    """So the game's own chance is the same in all games of a deal."""
    deals = played(tmp_path, FIRST[::-1], SIDES, deals=5)
    for side, kinds in enumerate([("random", "first", "random", "first"), ("first", "random", "first", "random")]):
        order = Order(str(tmp_path / "gathering.yaml"), (), 3, kinds)
        games, _ = play_series(load_traced(order), order, 5)
        assert [deal[side].scores for deal in deals] == [game.scores for game in games]


def test_unfinished_games_are_even_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "MOST_DECISIONS", 4)
    found = came_to(tmp_path, FIRST)
    assert (found.unfinished, found.lost, found.stronger, found.better) == (40, 0, None, None)
    assert found.wins.mean == 0.5


def test_patience_has_no_match(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody to play"):
        played(tmp_path, FIRST, {"2..4,": "1..4,"}, players=1)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_stopped_match_has_what_was_played(tmp_path: Path, jobs: int) -> None:
    found = played(tmp_path, FIRST, deals=6)
    done: list[Deal] = []

    def until_then(more: int) -> None:
        if len(done) >= 3:
            raise KeyboardInterrupt

    order = Match(str(tmp_path / "gathering.yaml"), (), 3, FIRST, "python")
    with pytest.raises(KeyboardInterrupt):
        play_match(load(order.game), order, 6, Workers(jobs), until_then, done)
    assert done == found[: len(done)] and len(done) >= 3


GAME = Tallies(9, 9, 9, 9, 9, (9,), (10, 4, 1), (True, False, False), (), True)


def deal(*games: tuple[tuple[int, ...], tuple[bool, ...]], over: bool = True) -> Deal:
    return tuple(replace(GAME, scores=scores, wins=wins, over=over) for scores, wins in games)


def test_outcome_counts_wins_and_leads_by_deal() -> None:
    nobody, first, two = (False,) * 3, (True, False, False), (True, True, False)
    found = summarize_match(
        [
            deal(((10, 4, 1), first), ((10, 4, 1), first), ((10, 4, 1), first)),
            deal(((6, 6, 0), two), ((6, 6, 0), two), ((0, 0, 0), nobody)),
        ]
    )
    assert (found.games, found.lost, found.unfinished, found.better) == (6, 1, 0, "more")
    assert found.wins == measure_mean_share([1 / 3, (1 / 2 + 1 / 2 + 1 / 3) / 3])
    assert found.lead == measure_mean([(7.5 - 1.5 - 6) / 3, 2.0])


def test_scores_may_not_say_who_is_better() -> None:
    for wins in ((True, False), (False, True)), ((True, True), (True, True)):
        assert summarize_match([deal(*(((1, 0), each) for each in wins))]).better is None
