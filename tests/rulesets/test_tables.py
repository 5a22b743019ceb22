"""Backgammon, Jacquet and Le Garanguet with three and two dice, against an enumerator of turns."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import pytest
from brute_tables import (
    BACKGAMMON,
    BACKGAMMON_START,
    BAR,
    GARANGUET,
    JACQUET,
    OFF,
    Rules,
    Side,
    opposed,
    parallel,
    pool_of,
    show,
    side,
)
from brute_turns import Pool
from games import loaded, settings_of
from rules import read_cases
from tables_support import Across, both, other, pool, position, random_game, rolls, sides, steps, turn_ends, turns
from tiers import in_tiers, some_now

from hoyle import Game, State


class Table(NamedTuple):
    """`across`: how the tracks lie; `rethrown`: the player who begins throws again."""

    rules: Rules
    across: Across
    dice: int
    rethrown: bool


TABLES = {
    "garanguet": Table(GARANGUET, opposed, 3, True),
    "backgammon": Table(BACKGAMMON, opposed, 2, False),
    "jacquet": Table(JACQUET, parallel, 2, True),
    "garanguet-2": Table(GARANGUET, opposed, 2, True),
}


def stands(game: Game, white: Side, black: Side, numbers: Pool, to_act: str = "white") -> State:
    return game.position(position(white, black, numbers, opposed, to_act))


OPENINGS, TURNS = ([tuple(case) for case in read_cases("rulesets/known")[subject]] for subject in ("openings", "turns"))

# ---- known positions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("high", "low", "count"), in_tiers(OPENINGS, OPENINGS[:2], [(3, 2, 17), (6, 6, 11)]))
def test_an_opening_throw_leads_to_the_known_positions(high: int, low: int, count: int) -> None:
    numbers, start = pool_of((high, low)), BACKGAMMON_START
    expected = BACKGAMMON.finals((start, start), numbers)
    assert len(expected) == count
    for who in ("white", "black"):
        assert turn_ends(stands(loaded("backgammon"), start, start, numbers, who), who, opposed) == expected


@pytest.mark.whole
@pytest.mark.parametrize(("name", "white", "black", "dice", "expected"), some_now(TURNS, 9))
def test_a_turn_ends_as_in_the_analysis(name: str, white: str, black: str, dice: list[int], expected: Any) -> None:
    """For the enumerator, and for the game."""
    mine, theirs, numbers = side(white), side(black, descends=False), pool_of(tuple(dice))
    found = GARANGUET.finals((mine, theirs), numbers)
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert {show(own) for own, _ in found} == set(expected.split(" · "))
    assert turn_ends(stands(loaded("garanguet"), mine, theirs, numbers), "white", opposed) == found


# ---- random positions ------------------------------------------------------------------------------------------------


def random_positions(seed: str, table: Table) -> Iterator[tuple[Side, Side, Pool]]:
    """Men anywhere, never both colours on one arrow, on the bar where there is one, and off only if all others are home."""
    stream = Random(seed)
    while True:
        arrows = stream.sample(range(1, 25), 24)
        mine, theirs = arrows[: stream.randrange(1, 11)], arrows[-stream.randrange(1, 11) :]
        if stream.random() < 0.4:  # all home, and the opponent among them
            mine = stream.sample(range(1, 7), stream.randrange(1, 6))
            theirs = [a for a in theirs if a not in mine] or [24]
        bars = [stream.choice((0, 0, 0, 1, 2)) if table.rules.hits else 0 for _ in range(2)]
        dice = tuple(stream.randrange(1, 7) for _ in range(table.dice))
        yield _men(mine, stream, bars[0]), _men([25 - a for a in theirs], stream, bars[1]), pool_of(dice)


def _men(distances: list[int], stream: Random, bar: int) -> Side:
    on_board = stream.randrange(len(distances), 16) if max(distances) <= 6 and not bar else 15 - bar
    counts = [0] * 26
    for distance in distances + stream.choices(distances, k=on_board - len(distances)):
        counts[distance] += 1
    counts[BAR], counts[OFF] = bar, 15 - bar - on_board
    return tuple(counts)


CASES = [("backgammon", {}), *(("garanguet", options) for options in settings_of("garanguet"))]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "count", "whole"),
    [
        *((name, options, 10, 3) for name, options in CASES[:2]),
        *(pytest.param(*case, 60, 10, marks=pytest.mark.slow) for case in CASES),
    ],
    ids=str,
)
def test_turns_agree_with_the_enumerator(name: str, options: dict[str, Any], count: int, whole: int) -> None:
    """The first number of every turn, for both sides, and all ends of some turns."""
    game, table = loaded(name, options), TABLES[name]
    rules = Rules(**options) if name == "garanguet" else table.rules
    for mine, theirs, numbers in islice(random_positions(f"{name} {options}", table), count):
        expected = rules.first_steps((mine, theirs), numbers)
        white, black = stands(game, mine, theirs, numbers), stands(game, theirs, mine, numbers, "black")
        if not expected:
            assert rolls(white) > 0 and rolls(black) > 0
            continue
        assert steps(white, opposed) == steps(black, opposed) == expected, (mine, theirs, numbers)
        ends = rules.finals((mine, theirs), numbers)
        if len(ends) <= 40 and whole:
            assert turn_ends(white, "white", opposed) == ends
            whole -= 1
    assert not whole


# ---- random games ----------------------------------------------------------------------------------------------------


def compared(table: Table, rules: Rules | None = None) -> Callable[[State], None]:
    """Compares every decision with the enumerator, but for long turns of many men, which it counts slowly."""

    def look(state: State) -> None:
        mine, theirs = both(state, str(state.to_act), table.across)
        if len(pool(state)) <= 4 or sum(1 for n in mine if n) <= 6:
            assert steps(state, table.across) == (rules or table.rules).first_steps((mine, theirs), pool(state))

    return look


def worth(name: str, loser: Side) -> int:
    if loser[OFF]:
        return 1
    return 3 if name == "backgammon" and any(loser[19:]) else 2


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(TABLES, 1))
@pytest.mark.parametrize("series", [range(1), pytest.param(range(1, 30), marks=pytest.mark.slow)], ids=str)
def test_random_games_agree_with_the_enumerator_and_end_with_all_men_off(name: str, series: range) -> None:
    table, lengths, numbers = TABLES[name], [], []
    for index in series:
        end, played = random_game(loaded(name), index, table.across, compared(table))
        lengths.append(turns(end, table.dice, table.rethrown))
        numbers.append(played)
        men = sides(end, table.across)
        (winner,) = end.winners
        assert men[winner][OFF] == 15 and men[other(winner)][OFF] < 15
        assert end.scores == {winner: worth(name, men[other(winner)]), other(winner): 0}
    assert min(lengths) > 10
    if name == "garanguet" and len(series) > 20:
        assert max(numbers) <= 719
        assert abs(fmean(lengths) - 58) < 5
        assert abs(fmean(numbers) - 202) < 9


@pytest.mark.slow
@pytest.mark.parametrize("prime", ["unrestricted", "forbidden"])
def test_the_prime_of_jacquet(prime: str) -> None:
    rules = Rules(across=parallel, prime=prime, circular=True, postillon=True)
    random_game(loaded("jacquet", prime=prime), 1, parallel, compared(TABLES["jacquet"], rules))
