"""Matches of two kinds of players: the same deals from every side, what they come to, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from interpreter import load
from interpreter.game import playouts
from interpreter.running.tallies import Tallies
from interpreter.series import match
from interpreter.series.match import Deal, Match, Outcome, duplicate, outcome
from interpreter.series.measures import mean_share, measure
from interpreter.series.simulate import Order, series, traced
from interpreter.series.workers import Workers

GATHERING = """\
ruleset: 1
game: gathering
players: {count: 2..4, seats: [A, B, C, D], default: 2}
tables: {ranks: {columns: {worth: 0..3}, rows: {bad: {worth: 0}, poor: {worth: 1}, fair: {worth: 2}, good: {worth: 3}}}}
pieces: {card: {of: [ranks], from: pack}}
piles: {pack: {face: down}, luck: {each: player, face: up}}
state: {score: {each: player, range: 0..99}}
moves:
  take two: {rule: {at: §1, en: Take two.}, then: {more: {score: 2, to: me}}}
  take one: {rule: {at: §1, en: Or one.}, then: {more: {score: 1, to: me}}}
flow:
  game:
    shuffle: {shuffle: pack}
    lucky: {deal: pack, count: 1, to: luck, from: A}
    gather: {turns: turn, from: A, rounds: 8}
    count: {for: p in players, score: sum(c.rank.worth for c in luck of p), to: p}
  turn: {ask: {choose: [take two, take one]}}
result: {best: score of p}
"""
"""Luck is for all; whoever always takes two does best."""
FEWEST = GATHERING.replace("{best: score of p}", "{best: -score of p, score: score of p}")
SIDES = GATHERING.replace("2..4,", "4, sides: {AC: [A, C], BD: [B, D]},").replace(", default: 2", "")
SIDES = SIDES.replace("best: score of p", "best: sum(score of q for q in members(p))")
FIRST = ("first", "random")


def played(
    folder: Path, text: str, kinds: tuple[str, str], deals: int = 20, jobs: int = 1, **options: int
) -> list[Deal]:
    file = folder / "gathering.yaml"
    file.write_text(text)
    order = Match(str(file), tuple(options.items()), 3, kinds)
    return duplicate(load(file, options), order, deals, Workers(jobs))


def came_to(folder: Path, text: str, kinds: tuple[str, str], **options: int) -> Outcome:
    return outcome(played(folder, text, kinds, **options))


@pytest.mark.parametrize(
    ("text", "options", "sides"),
    [(GATHERING, {}, 2), (GATHERING, {"players": 3}, 3), (GATHERING, {"players": 4}, 4), (SIDES, {}, 2)],
)
def test_a_kind_against_itself_is_even_and_a_stronger_one_wins(
    tmp_path: Path, text: str, options: dict[str, int], sides: int
) -> None:
    same = came_to(tmp_path, text, ("first", "first"), **options)
    assert (same.deals, same.games, same.even) == (20, 20 * sides, 1 / sides)
    assert (same.wins.mean, same.lead.mean) == pytest.approx((1 / sides, 0)) and same.stronger is None
    better, worse = (came_to(tmp_path, text, kinds, **options) for kinds in (FIRST, FIRST[::-1]))
    assert (better.stronger, worse.stronger, better.better) == ("A", "B", "more")
    assert better.lead.low > 0 > worse.lead.high


def test_where_fewer_points_are_better(tmp_path: Path) -> None:
    found = came_to(tmp_path, FEWEST, FIRST)
    assert (found.stronger, found.better) == ("B", "fewer") and found.lead.mean > 0


def test_each_game_is_one_of_a_series_with_these_seats(tmp_path: Path) -> None:
    """So the game's own chance is the same in all games of a deal."""
    deals = played(tmp_path, SIDES, FIRST[::-1], deals=5)
    for side, kinds in enumerate([("random", "first", "random", "first"), ("first", "random", "first", "random")]):
        order = Order(str(tmp_path / "gathering.yaml"), (), 3, kinds)
        games, _ = series(traced(order), order, 5)
        assert [deal[side].scores for deal in deals] == [game.scores for game in games]


@pytest.mark.slow
def test_the_figures_do_not_depend_on_the_processes(tmp_path: Path) -> None:
    one, two = (played(tmp_path, GATHERING, ("greedy", "random"), deals=5, jobs=jobs, players=3) for jobs in (1, 2))
    assert one == two


def test_games_that_do_not_end_are_even_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "MOST_DECISIONS", 4)
    found = came_to(tmp_path, GATHERING, FIRST)
    assert (found.unfinished, found.lost, found.stronger, found.better) == (40, 0, None, None)
    assert found.wins.mean == 0.5


def test_whoever_plays_alone_has_no_match(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody to play"):
        played(tmp_path, GATHERING.replace("2..4,", "1..4,"), FIRST, players=1)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.whole)])
def test_what_was_played_until_somebody_stops_it(tmp_path: Path, jobs: int) -> None:
    found = played(tmp_path, GATHERING, FIRST, deals=6)
    done: list[Deal] = []

    def until_then(more: int) -> None:
        if len(done) >= 3:
            raise KeyboardInterrupt

    order = Match(str(tmp_path / "gathering.yaml"), (), 3, FIRST)
    with pytest.raises(KeyboardInterrupt):
        duplicate(load(order.game), order, 6, Workers(jobs), until_then, done)
    assert done == found[: len(done)] and len(done) >= 3


GAME = Tallies(9, 9, 9, 9, 9, (9,), (10, 4, 1), (True, False, False), (), True)


def deal(*games: tuple[tuple[int, ...], tuple[bool, ...]], over: bool = True) -> Deal:
    return tuple(replace(GAME, scores=scores, wins=wins, over=over) for scores, wins in games)


def test_what_is_counted() -> None:
    nobody, first, two = (False,) * 3, (True, False, False), (True, True, False)
    found = outcome(
        [
            deal(((10, 4, 1), first), ((10, 4, 1), first), ((10, 4, 1), first)),
            deal(((6, 6, 0), two), ((6, 6, 0), two), ((0, 0, 0), nobody)),
        ]
    )
    assert (found.games, found.lost, found.unfinished, found.better) == (6, 1, 0, "more")
    assert found.wins == mean_share([1 / 3, (1 / 2 + 1 / 2 + 1 / 3) / 3])
    assert found.lead == measure([(7.5 - 1.5 - 6) / 3, 2.0])


def test_scores_that_do_not_say_who_is_better() -> None:
    assert outcome([deal(((1, 0), (True, False)), ((1, 0), (False, True)))]).better is None
    assert outcome([deal(((1, 0), (True, True)), ((1, 0), (True, True)))]).better is None


def test_a_few_deals_alike_are_not_certain() -> None:
    """Six coins that all fall on one side are beyond chance (1 in 32), five are not (1 in 16)."""
    assert mean_share([1.0] * 6).low > 0.5 > mean_share([1.0] * 5).low
    assert mean_share([0.0] * 6).high < 0.5 < mean_share([0.0] * 5).high
    assert (mean_share([1.0]).high, mean_share([0.0]).low) == (1.0, 0.0)


def test_the_interval_of_a_share_is_that_of_agresti_and_coull() -> None:
    """But for the divisor n - 1 of a sample's variance: 10 wins in 20 are 0.299 to 0.701 at 95 %."""
    found = mean_share([1.0, 0.0] * 10)
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.296, 0.704), abs=1e-3)


def test_what_players_need_is_built_before_there_are_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    before: list[str] = []
    monkeypatch.setattr(match, "seated", lambda kinds, game, engine: asked.extend(kinds))

    def results(*what: object) -> Iterator[Deal]:
        before.extend(asked)
        yield from ()

    monkeypatch.setattr(match, "results", results)
    file = tmp_path / "gathering.yaml"
    file.write_text(GATHERING)
    duplicate(load(file), Match(str(file), (), 3, FIRST), 4, Workers(2))
    assert before == ["first", "random"]
