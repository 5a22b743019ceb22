"""Backgammon, Jacquet and two-dice Garanguet, made of the same parts as Le Garanguet and judged by the same enumerator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from brute_tables import (
    BACKGAMMON,
    BACKGAMMON_START,
    GARANGUET,
    JACQUET,
    Rules,
    Side,
    all_throws,
    finals,
    first_steps,
    opening_counts,
    opposed,
    parallel,
    pool_of,
)
from tables_support import (
    SERIES,
    Across,
    both,
    other,
    pool,
    position,
    random_game,
    rolls,
    sides,
    steps,
    turn_ends,
    turns,
)

from interpreter import Game, State, load

# Distinct positions that each opening throw can lead to; GNU Backgammon's move generator counts the same.
OPENINGS = {
    (2, 1): 15,
    (3, 1): 16,
    (4, 1): 14,
    (5, 1): 8,
    (6, 1): 10,
    (3, 2): 17,
    (4, 2): 18,
    (5, 2): 8,
    (6, 2): 14,
    (4, 3): 17,
    (5, 3): 9,
    (6, 3): 14,
    (5, 4): 9,
    (6, 4): 14,
    (6, 5): 7,
    (1, 1): 42,
    (2, 2): 75,
    (3, 3): 73,
    (4, 4): 52,
    (5, 5): 4,
    (6, 6): 11,
}
GAMES_OF: dict[str, tuple[Rules, Across, bool]] = {
    "backgammon": (BACKGAMMON, opposed, False),
    "jacquet": (JACQUET, parallel, True),
    "garanguet-2": (GARANGUET, opposed, True),
}
"""Rules, how the tracks lie, and whether whoever begins throws again."""


@cache
def game_of(name: str, **options: Any) -> Game:
    return load(name, **options)


# ---- openings --------------------------------------------------------------------------------------------------------


def test_the_enumerator_counts_the_known_openings() -> None:
    assert opening_counts() == OPENINGS


@pytest.mark.parametrize("dice", OPENINGS, ids=lambda dice: "-".join(map(str, dice)))
def test_an_opening_throw_leads_to_the_known_positions(dice: tuple[int, int]) -> None:
    for who in ("white", "black"):
        data = position(BACKGAMMON_START, BACKGAMMON_START, pool_of(dice), opposed, who)
        found = turn_ends(game_of("backgammon").position(data), who, opposed)
        assert found == finals(BACKGAMMON_START, BACKGAMMON_START, pool_of(dice), BACKGAMMON)
        assert len(found) == OPENINGS[dice]


def test_the_first_throw_of_a_game_is_the_dice_that_decided() -> None:
    for index in range(10):
        state = game_of("backgammon").start(seed=3, index=index)
        singles = [int(event.data["roll"][0]) for event in state.events if event.kind == "roll"][-2:]
        assert pool(state) == tuple(sorted(singles, reverse=True))
        assert state.to_act == ("white" if singles[0] > singles[1] else "black")


# ---- turns -----------------------------------------------------------------------------------------------------------


def random_backgammon(seed: str) -> Iterator[tuple[Side, Side, tuple[int, ...]]]:
    """Blots, points, men on the bar, men home and off."""
    stream = Random(seed)
    while True:
        arrows = stream.sample(range(1, 25), 24)
        cut = stream.randrange(1, 12)
        home = stream.random() < 0.4
        mine = stream.sample(range(1, 7), stream.randrange(1, 6)) if home else arrows[:cut]
        theirs = [25 - a for a in arrows[cut:] if a not in mine][: stream.randrange(1, 12)]
        bars = [stream.choice((0, 0, 0, 1, 2)) for _ in range(2)]
        yield (
            _men(mine, stream, home and not bars[0], bars[0]),
            _men(theirs, stream, False, bars[1]),
            tuple(stream.randrange(1, 7) for _ in range(2)),
        )


def _men(distances: list[int], stream: Random, may_be_off: bool, bar: int) -> Side:
    counts = [0] * 26
    on_board = stream.randrange(len(distances), 16) if may_be_off else 15 - bar
    for distance in (distances + stream.choices(distances, k=15))[:on_board]:
        counts[distance] += 1
    counts[25], counts[0] = bar, 15 - bar - on_board
    return tuple(counts)


@pytest.mark.slow
def test_turns_of_backgammon_agree_with_the_enumerator() -> None:
    game, whole = game_of("backgammon"), 0
    for mine, theirs, dice in islice(random_backgammon("turns"), 250):
        numbers = pool_of(dice)
        expected = first_steps(mine, theirs, numbers, BACKGAMMON)
        white = game.position(position(mine, theirs, numbers, opposed))
        black = game.position(position(theirs, mine, numbers, opposed, "black"))
        if not expected:
            assert rolls(white) > 0 and rolls(black) > 0
            continue
        assert steps(white, opposed) == steps(black, opposed) == expected, (mine, theirs, dice)
        ends = finals(mine, theirs, numbers, BACKGAMMON)
        if len(ends) < 40 and whole < 40:
            assert turn_ends(white, "white", opposed) == ends
            whole += 1
    assert whole == 40


# ---- whole games -----------------------------------------------------------------------------------------------------


def agrees(rules: Rules, across: Across) -> Callable[[State], None]:
    """Every decision of a game offers what the enumerator finds."""

    def look(state: State) -> None:
        mine, theirs = both(state, str(state.to_act), across)
        assert steps(state, across) == first_steps(mine, theirs, pool(state), rules)

    return look


@pytest.mark.parametrize("series", SERIES, ids=str)
@pytest.mark.parametrize("name", GAMES_OF)
def test_random_games_keep_what_the_rules_promise(name: str, series: range) -> None:
    _, across, rethrown = GAMES_OF[name]
    for index in series:
        end, _ = random_game(game_of(name), index, across)
        assert turns(end, dice=2, rethrown=rethrown) > 10
        men = sides(end, across)
        (winner,) = end.winners
        assert men[winner][0] == 15 and men[other(winner)][0] < 15
        assert end.scores == {winner: worth(name, men[other(winner)]), other(winner): 0}


def worth(name: str, loser: Side) -> int:
    if loser[0]:
        return 1
    return 3 if name == "backgammon" and any(loser[19:]) else 2


@pytest.mark.parametrize("name", GAMES_OF)
def test_every_decision_of_random_games_agrees_with_the_enumerator(name: str) -> None:
    rules, across, _ = GAMES_OF[name]
    for index in range(3):
        random_game(game_of(name), 5000 + index, across, agrees(rules, across))


def test_jacquet_moves_one_man_until_it_has_arrived() -> None:
    def look(state: State) -> None:
        mine, _ = both(state, str(state.to_act), parallel)
        if not any(mine[:7]):
            assert mine[24] >= 14

    for index in range(3):
        random_game(game_of("jacquet"), index, parallel, look)


def test_the_prime_of_jacquet() -> None:
    for prime in ("unrestricted", "forbidden"):
        rules = Rules(across=parallel, prime=prime, circular=True, postillon=True)
        random_game(game_of("jacquet", prime=prime), 1, parallel, agrees(rules, parallel))


def test_the_cube_multiplies_what_a_game_is_worth() -> None:
    doubled = set()
    for index in range(12):
        end, _ = random_game(game_of("backgammon", doubling_cube=True), index, opposed)
        moves = [event.data["move"] for event in end.events if event.kind == "move"]
        cube = 2 ** moves.count("take")
        doubled.add(cube)
        (winner,) = end.winners
        if "drop" in moves:
            assert end.scores[winner] == cube
        else:
            assert end.scores[winner] == cube * worth("backgammon", sides(end, opposed)[other(winner)])
    assert len(doubled) > 1


def test_one_game_of_a_match_is_played_without_the_cube() -> None:
    """The first in which a player needs one point; in others somebody doubles sooner or later."""
    with_cube, seen = 0, 0
    for index in range(6):
        end, _ = random_game(game_of("backgammon", doubling_cube=True, match_points=3), index, opposed)
        points, doubles, crawford = {"white": 0, "black": 0}, 0, False
        for event in end.events:
            doubles += event.kind == "move" and event.data["move"] == "double"
            if event.kind == "score":
                first = max(points.values()) == 2 and not crawford
                assert not (first and doubles)
                crawford, seen, with_cube = crawford or first, seen + first, with_cube + (doubles > 0)
                points[event.data["to"]] += event.data["score"]
                doubles = 0
        assert points == end.scores
    assert with_cube and seen


def test_all_throws_of_two_dice_are_counted_alike() -> None:
    """A doublet is played four times in every one of these games."""
    for name in GAMES_OF:
        in_the_cup = 46 if name == "garanguet-2" else 34
        for dice in all_throws(2):
            piles = {
                "arrow": {"x": "15 white", "b": "15 black"},
                "thrown": "{} {}".format(*dice),
                "cup": f"?*{in_the_cup}",
            }
            assert pool(game_of(name).position({"at": "turn / count the numbers", "piles": piles})) == pool_of(dice)
