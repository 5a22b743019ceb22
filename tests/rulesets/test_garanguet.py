"""Le Garanguet: every turn agrees with a brute-force count of all turns, and whole games keep what the rules promise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any

import pytest
from brute_tables import GARANGUET, Pool, Rules, Side, all_throws, finals, first_steps, opposed, pool_of, show, side
from tables_support import SERIES, both, other, pool, position, random_game, rolls, sides, steps, turn_ends, turns
from tiers import spread

from interpreter import Game, IllegalMove, State, load

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

# The scenarios of the analysis: White, Black, dice, what White can come to. T5b and T8 have Black to play.
SCENARIOS: dict[str, tuple[str, str, tuple[int, ...], str]] = {
    "T1": ("x15", "a15", (6, 5, 4), "x14 i1 · x13 t1 m1 · x13 s1 n1 · x13 r1 o1 · x12 t1 s1 r1"),
    "T2": ("x15", "a15", (2, 2, 3), "x14 q1 · x13 v1 s1 · x13 u1 t1 · x12 v2 u1"),
    "T4": ("x15", "a15", (6, 6, 6), "x13 f2 · x12 r1 l1 f1 · x11 r3 f1 · x12 l3 · x11 r2 l2 · x10 r4 l1 · x9 r6"),
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
    "S2": ("g1 e1 d1 b1 a11", "x15", (6, 6, 5), "a11 off4"),
    "S3": ("g1 e1 d1 b1 a11", "x15", (5, 5, 5), "a10 off5"),
}
COUNTS = {
    "T3": ("x15", "a15", (3, 3, 2), 12),
    "T5": ("x15", "a15", (1, 1, 1), 11),
    "T25 3-3-3": ("f2 e2 d2 c1", "x15", (3, 3, 3), 11),
    "S1": ("g1 e1 d1 b1 a11", "x15", (3, 2, 1), 18),
}


@cache
def garanguet(**options: Any) -> Game:
    return load("garanguet", **options)


def stands(game: Game, white: Side, black: Side, numbers: Pool, to_act: str = "white") -> State:
    return game.position(position(white, black, numbers, opposed, to_act))


# ---- the enumerator itself -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_enumerator_finds_the_final_positions_of_the_analysis(name: str) -> None:
    white, black, dice, expected = SCENARIOS[name]
    found = finals(side(white), side(black, descends=False), pool_of(dice))
    assert {show(mine) for mine, _ in found} == set(expected.split(" · "))


@pytest.mark.parametrize("name", COUNTS)
def test_the_enumerator_finds_as_many_as_the_analysis(name: str) -> None:
    white, black, dice, expected = COUNTS[name]
    assert len(finals(side(white), side(black, descends=False), pool_of(dice))) == expected


# ---- turns -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SCENARIOS, *COUNTS])
def test_a_turn_can_end_as_the_enumerator_says(name: str) -> None:
    white, black, dice = (SCENARIOS.get(name) or COUNTS[name])[:3]
    mine, theirs = side(white), side(black, descends=False)
    state = stands(garanguet(), mine, theirs, pool_of(dice))
    assert turn_ends(state, "white", opposed) == finals(mine, theirs, pool_of(dice))


def test_a_bouchon_stops_all_216_throws() -> None:
    mine, theirs = side("t1 a14"), side("n2 o2 p2 q3 r3 s3", descends=False)
    for dice in all_throws(3):
        assert rolls(stands(garanguet(), mine, theirs, pool_of(dice))) > 0, dice


def random_positions(seed: str) -> Iterator[tuple[Side, Side, tuple[int, ...]]]:
    """Men anywhere, never both colours on one arrow; men are off only when all others are home."""
    stream = Random(seed)
    while True:
        arrows = stream.sample(range(1, 25), 24)
        mine, theirs = arrows[: stream.randrange(1, 11)], arrows[-stream.randrange(1, 11) :]
        if stream.random() < 0.4:  # all home, and the opponent among them
            mine = stream.sample(range(1, 7), stream.randrange(1, 6))
            theirs = [a for a in theirs if a not in mine] or [24]
        yield (
            _men(mine, stream),
            _men([25 - a for a in theirs], stream),
            tuple(stream.randrange(1, 7) for _ in range(3)),
        )


def _men(distances: list[int], stream: Random) -> Side:
    on_board = stream.randrange(len(distances), 16) if max(distances) <= 6 else 15
    counts = [0] * 26
    for distance in distances + stream.choices(distances, k=on_board - len(distances)):
        counts[distance] += 1
    counts[0] = 15 - on_board
    return tuple(counts)


@pytest.mark.parametrize("options", spread(OPTIONS, 4), ids=lambda o: next(iter(o.values()), "defaults"))
def test_first_numbers_agree_with_the_enumerator(options: dict[str, Any]) -> None:
    game, rules = garanguet(**options), Rules(**options)
    for mine, theirs, dice in islice(random_positions(f"first {options}"), 40):
        numbers = pool_of(dice)
        expected = first_steps(mine, theirs, numbers, rules)
        white = stands(game, mine, theirs, numbers)
        black = stands(game, theirs, mine, numbers, "black")
        if expected:
            assert steps(white, opposed) == expected, (show(mine), show(theirs, descends=False), dice)
            assert steps(black, opposed) == expected, (show(theirs), show(mine, descends=False), dice)
        else:
            assert rolls(white) > 0 and rolls(black) > 0


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: next(iter(o.values()), "defaults"))
def test_whole_turns_agree_with_the_enumerator(options: dict[str, Any]) -> None:
    game, rules, compared = garanguet(**options), Rules(**options), 0
    for mine, theirs, dice in random_positions(f"whole {options}"):
        expected = finals(mine, theirs, pool_of(dice), rules)
        if len(expected) > 40:
            continue
        assert turn_ends(stands(game, mine, theirs, pool_of(dice)), "white", opposed) == expected
        compared += 1
        if compared == 6:
            return


@pytest.mark.slow
def test_who_may_finish_may_and_need_not() -> None:
    """Positions in which another turn plays more numbers than the one that takes the last man off: both are allowed, and nothing else."""
    game, spared, stream, compared = garanguet(finish_exempt=True), Rules(finish_exempt=True), Random("finish"), 0
    while compared < 4:
        arrows = stream.sample(range(1, 7), 6)
        mine, theirs = [0] * 26, [0] * 26
        for arrow in stream.choices(arrows[:2], k=stream.randrange(1, 4)):
            mine[arrow] += 1
        for arrow in arrows[2 : stream.randrange(3, 6)]:
            theirs[25 - arrow] += 1
        mine[0], theirs[1] = 15 - sum(mine), 15 - sum(theirs)
        numbers, white, black = pool_of(tuple(stream.choices(range(1, 7), k=3))), tuple(mine), tuple(theirs)
        expected = finals(white, black, numbers, spared)
        if expected != finals(white, black, numbers):
            assert turn_ends(stands(game, white, black, numbers), "white", opposed) == expected
            compared += 1


def test_the_frame_is_a_mirror() -> None:
    """With `frame: talon` White and Black change tracks, and nothing else."""
    game = garanguet(frame="talon")
    for mine, theirs, dice in islice(random_positions("frame"), 60):
        expected = first_steps(mine, theirs, pool_of(dice))
        data = position(theirs, mine, pool_of(dice), opposed)
        data["piles"]["arrow"] = {a: _swapped(men) for a, men in data["piles"]["arrow"].items()}
        data["piles"]["off"] = {w: f"{s[0]} {w}" for w, s in (("white", mine), ("black", theirs)) if s[0]}
        state = game.position(data)
        if expected:
            found = {(25 - d, n) for d, n in steps(state, opposed)}
            assert found == expected
        else:
            assert rolls(state) > 0


def _swapped(men: str) -> str:
    number, who = men.split()
    return f"{number} {'black' if who == 'white' else 'white'}"


def test_a_triplet_may_be_played_nine_times() -> None:
    state = garanguet(triplet_plays=9).position(
        {
            "at": "turn / count the numbers",
            "piles": {"arrow": {"x": "15 white", "a": "15 black"}, "thrown": "1 1 1", "cup": "?*69"},
        }
    )
    assert pool(state) == (1,) * 9
    assert turn_ends(state, "white", opposed) == finals(side("x15"), side("a15", descends=False), (1,) * 9)


# ---- why -------------------------------------------------------------------------------------------------------------


def test_a_refusal_quotes_the_obligation() -> None:
    state = stands(garanguet(), side("t1 a14"), side("h1 x14", descends=False), (6, 4, 2))
    with pytest.raises(IllegalMove) as refused:
        state.play("play t 2")
    assert "as many numbers as possible" in str(refused.value)
    why = state.why("play t 2")
    assert not why.legal
    assert "GA14" in " ".join([why.summary(), *why.lines()])


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("series", SERIES, ids=str)
def test_random_games_keep_what_the_rules_promise(series: range) -> None:
    lengths, numbers = [], []
    for index in series:
        end, played = random_game(garanguet(), index, opposed)
        lengths.append(turns(end, dice=3, rethrown=True))
        numbers.append(played)
        men = sides(end, opposed)
        winner, loser = sorted(end.scores, key=lambda who: -end.scores[who])
        assert end.winners == [winner] and men[winner][0] == 15 and men[loser][0] < 15
        assert end.scores == {winner: 1 if men[loser][0] else 2, loser: 0}
        assert played <= 719
    assert abs(fmean(lengths) - 58) < 3
    assert abs(fmean(numbers) - 202) < 6


def test_every_decision_of_random_games_agrees_with_the_enumerator() -> None:
    def look(state: State) -> None:
        who = str(state.to_act)
        mine, theirs = both(state, who, opposed)
        if sum(1 for n in mine if n) <= 6 or len(pool(state)) <= 3:  # the others are counted elsewhere, and slowly
            assert steps(state, opposed) == first_steps(mine, theirs, pool(state), GARANGUET)

    for index in range(2):
        random_game(garanguet(), index, opposed, look)


def test_doublets_are_announced_only_when_they_are_played_four_times() -> None:
    names = {1: "Bezas", 2: "Double deux", 3: "Ternes", 4: "Carmes", 5: "Quines", 6: "Sonnés"}
    heard = 0
    for index in range(4):
        state, _ = random_game(garanguet(), index, opposed)
        events = [e for e in state.events if e.kind in ("roll", "say")]
        for event, following in zip(events, [*events[1:], None], strict=True):
            if event.kind == "roll" and event.data["to"] == "thrown":
                numbers = pool_of(tuple(int(sign) for sign in event.data["roll"]))
                exploited = len(numbers) == 5
                said = following.text("fr") if following is not None and following.kind == "say" else ""
                assert (names[numbers[0]] in said) if exploited else not any(name in said for name in names.values())
                heard += exploited
    assert heard


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


def test_the_worst_throws_stay_quick() -> None:
    """Fifteen men on fifteen arrows and nobody in the way: the widest turns there are."""
    theirs = side("a15", descends=False)
    for mine in (
        side("x2 w1 v1 u1 t1 s1 r1 q1 p1 o1 n1 m1 l1 k1"),
        side("x1 v1 t1 r1 p1 n1 l1 j1 h1 x1 w1 u1 s1 q1 o1"),
    ):
        for dice in ((1, 1, 1), (3, 3, 3), (6, 6, 6), (6, 6, 5), (3, 3, 2), (6, 4, 1)):
            begun = perf_counter()
            state = stands(garanguet(), mine, theirs, pool_of(dice))
            assert state.moves()
            assert perf_counter() - begun < 2
