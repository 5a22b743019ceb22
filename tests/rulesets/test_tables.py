"""Games of tables made of the same parts: Backgammon, Jacquet and Le Garanguet with three and two dice, against an enumerator of turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
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
    Pool,
    Rules,
    Side,
    all_throws,
    finals,
    first_steps,
    opposed,
    parallel,
    pool_of,
    show,
    side,
)
from tables_support import Across, both, other, pool, position, random_game, rolls, sides, steps, turn_ends, turns
from tiers import in_tiers

from interpreter import Game, IllegalMove, State, load


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
OPTIONS: list[dict[str, Any]] = [
    {},
    {"obligation": "max_pips"},
    {"obligation": "strongest_first_greedy"},
    {"obligation": "nothing"},
    {"overbear": "literal"},
    {"overbear_pips": "distance"},
    {"finish_exempt": True},
    {"prime": "forbidden"},
    {"prime": "needs_23_24"},
]
"""Of Le Garanguet."""

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
"""Positions after each opening throw at Backgammon; GNU Backgammon's move generator counts the same."""

SCENARIOS: dict[str, tuple[str, str, tuple[int, ...], str | int]] = {
    "T1": ("x15", "a15", (6, 5, 4), "x14 i1 · x13 t1 m1 · x13 s1 n1 · x13 r1 o1 · x12 t1 s1 r1"),
    "T2": ("x15", "a15", (2, 2, 3), "x14 q1 · x13 v1 s1 · x13 u1 t1 · x12 v2 u1"),
    "T3": ("x15", "a15", (3, 3, 2), 12),
    "T4": ("x15", "a15", (6, 6, 6), "x13 f2 · x12 r1 l1 f1 · x11 r3 f1 · x12 l3 · x11 r2 l2 · x10 r4 l1 · x9 r6"),
    "T5": ("x15", "a15", (1, 1, 1), 11),
    "T6": ("t1 a14", "s6 o3 m3 j3", (6, 4, 1), "n1 a14"),
    "T7": ("t1 a14", "k5 l5 m5", (6, 2, 1), "q1 a14"),
    "T8": ("t1 a14", "h1 x14", (6, 4, 2), "j1 a14"),
    "T10": ("t1 a14", "h2 k2 x11", (4, 4, 1), "l1 a14"),
    "T11": ("t1 q1 a13", "n2 x13", (3, 3, 3), "q2 a13"),
    "T14": ("f1 c2 b12", "a2 x13", (5, 5, 5), "f1 c2 b12"),
    "T16": ("f1 c1 b13", "a1 x14", (5, 4, 1), "b13 off2 · b14 off1"),
    "T18": ("h1 a14", "x15", (6, 6, 2), "a11 off4"),
    "T19": ("f1 e1 d1", "x15", (4, 4, 6), "a1 off14 · b1 off14 · b1 a1 off13"),
    "T19 4-4-3": ("f1 e1 d1 c1 b1", "x15", (4, 4, 3), "b1 a1 off13 · b2 off13 · b1 a2 off12"),
    "T21": ("c1 b1 a1", "x15", (1, 1, 2), "b1 off14 · a2 off13"),
    "T22": ("f1 a2", "x15", (5, 3, 2), "a1 off14 · a2 off13"),
    "T25": ("f2 e2 d2 c1", "x15", (6, 6, 6), "c1 off14"),
    "T25 3-3-3": ("f2 e2 d2 c1", "x15", (3, 3, 3), 11),
    "S1": ("g1 e1 d1 b1 a11", "x15", (3, 2, 1), 18),
    "S2": ("g1 e1 d1 b1 a11", "x15", (6, 6, 5), "a11 off4"),
    "S3": ("g1 e1 d1 b1 a11", "x15", (5, 5, 5), "a10 off5"),
}
"""Of the analysis of Le Garanguet: White, Black, dice, and what White can come to, or how many positions these are."""


@cache
def game_of(name: str, **options: Any) -> Game:
    return load(name, **options)


def garanguet(**options: Any) -> Game:
    return game_of("garanguet", **options)


def stands(game: Game, white: Side, black: Side, numbers: Pool, to_act: str = "white") -> State:
    return game.position(position(white, black, numbers, opposed, to_act))


# ---- known positions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("high", "low"), in_tiers(OPENINGS, [(6, 5), (2, 1)], [(3, 2), (6, 6)]))
def test_an_opening_throw_leads_to_the_known_positions(high: int, low: int) -> None:
    dice = high, low
    expected = finals(BACKGAMMON_START, BACKGAMMON_START, pool_of(dice), BACKGAMMON)
    assert len(expected) == OPENINGS[dice]
    for who in ("white", "black"):
        state = stands(game_of("backgammon"), BACKGAMMON_START, BACKGAMMON_START, pool_of(dice), who)
        assert turn_ends(state, who, opposed) == expected


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(SCENARIOS, ["T8", "T16"], ["T1", "T11", "T14", "T19", "T21", "T25", "S2"]))
def test_a_turn_ends_as_in_the_analysis(name: str) -> None:
    """For the enumerator, and for the game."""
    white, black, dice, expected = SCENARIOS[name]
    mine, theirs = side(white), side(black, descends=False)
    found = finals(mine, theirs, pool_of(dice))
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert {show(own) for own, _ in found} == set(expected.split(" · "))
    assert turn_ends(stands(garanguet(), mine, theirs, pool_of(dice)), "white", opposed) == found


@pytest.mark.whole
def test_a_bouchon_stops_all_216_throws() -> None:
    mine, theirs = side("t1 a14"), side("n2 o2 p2 q3 r3 s3", descends=False)
    for dice in all_throws(3):
        assert rolls(stands(garanguet(), mine, theirs, pool_of(dice))) > 0, dice


@pytest.mark.slow
def test_a_triplet_may_be_played_nine_times() -> None:
    piles = {"arrow": {"x": "15 white", "a": "15 black"}, "thrown": "1 1 1", "cup": "?*69"}
    state = garanguet(triplet_plays=9).position({"at": "turn / count the numbers", "piles": piles})
    assert pool(state) == (1,) * 9
    assert turn_ends(state, "white", opposed) == finals(side("x15"), side("a15", descends=False), (1,) * 9)


@pytest.mark.whole
def test_a_refusal_quotes_the_obligation() -> None:
    state = stands(garanguet(), side("t1 a14"), side("h1 x14", descends=False), (6, 4, 2))
    with pytest.raises(IllegalMove, match="as many numbers as possible"):
        state.play("play t 2")
    why = state.why("play t 2")
    assert not why.legal
    assert "GA14" in " ".join([why.summary(), *why.lines()])


@pytest.mark.whole
def test_two_dice_are_counted_and_a_doublet_is_played_four_times() -> None:
    for name, in_the_cup in {"backgammon": 34, "jacquet": 34, "garanguet-2": 46}.items():
        for dice in all_throws(2):
            arrows = {"x": "15 white", "b": "15 black"}
            piles = {"arrow": arrows, "thrown": "{} {}".format(*dice), "cup": f"?*{in_the_cup}"}
            assert pool(game_of(name).position({"at": "turn / count the numbers", "piles": piles})) == pool_of(dice)


def test_the_first_throw_of_a_game_is_the_dice_that_decided() -> None:
    for index in range(6):
        state = game_of("backgammon").start(seed=3, index=index)
        singles = [int(event.data["roll"][0]) for event in state.events if event.kind == "roll"][-2:]
        assert pool(state) == tuple(sorted(singles, reverse=True))
        assert state.to_act == ("white" if singles[0] > singles[1] else "black")


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


CASES = [("backgammon", {}), *(("garanguet", options) for options in OPTIONS)]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "count", "whole"),
    [
        *((name, options, 10, 3) for name, options in CASES[:3]),
        *(pytest.param(*case, 60, 10, marks=pytest.mark.slow) for case in CASES),
    ],
    ids=str,
)
def test_turns_agree_with_the_enumerator(name: str, options: dict[str, Any], count: int, whole: int) -> None:
    """The first number of every turn, for both sides, and all ends of some turns."""
    game, table = game_of(name, **options), TABLES[name]
    rules = Rules(**options) if name == "garanguet" else table.rules
    for mine, theirs, numbers in islice(random_positions(f"{name} {options}", table), count):
        expected = first_steps(mine, theirs, numbers, rules)
        white, black = stands(game, mine, theirs, numbers), stands(game, theirs, mine, numbers, "black")
        if not expected:
            assert rolls(white) > 0 and rolls(black) > 0
            continue
        assert steps(white, opposed) == steps(black, opposed) == expected, (mine, theirs, numbers)
        ends = finals(mine, theirs, numbers, rules)
        if len(ends) <= 40 and whole:
            assert turn_ends(white, "white", opposed) == ends
            whole -= 1
    assert not whole


@pytest.mark.slow
def test_a_turn_that_takes_the_last_man_off_may_be_shorter() -> None:
    """With `finish_exempt`, in positions in which another turn plays more numbers: both are allowed, and nothing else."""
    game, spared, stream, compared = garanguet(finish_exempt=True), Rules(finish_exempt=True), Random("finish"), 0
    while compared < 4:
        arrows = stream.sample(range(1, 7), 6)
        mine, theirs = [0] * 26, [0] * 26
        for arrow in stream.choices(arrows[:2], k=stream.randrange(1, 4)):
            mine[arrow] += 1
        for arrow in arrows[2 : stream.randrange(3, 6)]:
            theirs[25 - arrow] += 1
        mine[OFF], theirs[1] = 15 - sum(mine), 15 - sum(theirs)
        numbers, white, black = pool_of(tuple(stream.choices(range(1, 7), k=3))), tuple(mine), tuple(theirs)
        expected = finals(white, black, numbers, spared)
        if expected != finals(white, black, numbers):
            assert turn_ends(stands(game, white, black, numbers), "white", opposed) == expected
            compared += 1


@pytest.mark.whole
def test_the_other_frame_swaps_the_tracks() -> None:
    """With `frame: talon` White and Black change tracks, and nothing else."""
    game, swapped = garanguet(frame="talon"), {"white": "black", "black": "white"}
    for mine, theirs, numbers in islice(random_positions("frame", TABLES["garanguet"]), 12):
        expected = first_steps(mine, theirs, numbers)
        data = position(theirs, mine, numbers, opposed)
        arrows = {a: men.split() for a, men in data["piles"]["arrow"].items()}
        data["piles"]["arrow"] = {a: f"{number} {swapped[who]}" for a, (number, who) in arrows.items()}
        data["piles"]["off"] = {w: f"{s[0]} {w}" for w, s in (("white", mine), ("black", theirs)) if s[0]}
        state = game.position(data)
        assert {(25 - d, n) for d, n in steps(state, opposed)} == expected if expected else rolls(state) > 0


# ---- random games ----------------------------------------------------------------------------------------------------


def compared(table: Table, rules: Rules | None = None) -> Callable[[State], None]:
    """Compares every decision with the enumerator, but for long turns of many men, which it counts slowly."""

    def look(state: State) -> None:
        mine, theirs = both(state, str(state.to_act), table.across)
        if len(pool(state)) <= 4 or sum(1 for n in mine if n) <= 6:
            assert steps(state, table.across) == first_steps(mine, theirs, pool(state), rules or table.rules)

    return look


def worth(name: str, loser: Side) -> int:
    if loser[OFF]:
        return 1
    return 3 if name == "backgammon" and any(loser[19:]) else 2


@pytest.mark.whole
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("series", [range(1), pytest.param(range(1, 30), marks=pytest.mark.slow)], ids=str)
def test_random_games_agree_with_the_enumerator_and_end_with_all_men_off(name: str, series: range) -> None:
    table, lengths, numbers = TABLES[name], [], []
    for index in series:
        end, played = random_game(game_of(name), index, table.across, compared(table))
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
def test_doublets_are_announced_only_when_they_are_played_four_times() -> None:
    names = {1: "Bezas", 2: "Double deux", 3: "Ternes", 4: "Carmes", 5: "Quines", 6: "Sonnés"}
    heard = 0
    for index in range(4):
        state, _ = random_game(garanguet(), index, opposed)
        events = [e for e in state.events if e.kind in ("roll", "say")]
        for event, following in zip(events, [*events[1:], None], strict=True):
            if event.kind == "roll" and event.data["to"] == "thrown":
                numbers = pool_of(tuple(int(sign) for sign in event.data["roll"]))
                said = following.text("fr") if following is not None and following.kind == "say" else ""
                announced = [names[numbers[0]]] if len(numbers) == 5 else []
                assert [name for name in names.values() if name in said] == announced
                heard += len(announced)
    assert heard


@pytest.mark.slow
@pytest.mark.parametrize("next_first", ["winner", "loser"])
def test_a_match_goes_on_until_its_points_are_won(next_first: str) -> None:
    end, _ = random_game(garanguet(match_points=3, next_first=next_first), 0, opposed)
    assert max(end.scores.values()) >= 3
    events = [event for event in end.events if event.kind in ("move", "score")]
    finished = [i for i, event in enumerate(events) if event.kind == "score"]
    assert len(finished) > 1
    for i in finished[:-1]:
        won = str(events[i].data["to"])
        assert events[i + 1].data["by"] == (won if next_first == "winner" else other(won))


@pytest.mark.slow
@pytest.mark.parametrize("prime", ["unrestricted", "forbidden"])
def test_the_prime_of_jacquet(prime: str) -> None:
    rules = Rules(across=parallel, prime=prime, circular=True, postillon=True)
    random_game(game_of("jacquet", prime=prime), 1, parallel, compared(TABLES["jacquet"], rules))


@pytest.mark.whole
def test_the_cube_multiplies_the_points_of_a_game() -> None:
    doubled = set()
    for index in range(12):
        end, _ = random_game(game_of("backgammon", doubling_cube=True), index, opposed)
        moves = [event.data["move"] for event in end.events if event.kind == "move"]
        cube = 2 ** moves.count("take")
        doubled.add(cube)
        (winner,) = end.winners
        lost = 1 if "drop" in moves else worth("backgammon", sides(end, opposed)[other(winner)])
        assert end.scores[winner] == cube * lost
    assert len(doubled) > 1


@pytest.mark.slow
def test_the_first_game_in_which_a_player_needs_one_point_has_no_cube() -> None:
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
