"""Plakoto and Fevga: every turn agrees with an independent enumeration of all turns, and whole games keep what the rules promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from brute_tables import opposed, parallel, pool_of
from brute_tavli import (
    FEVGA,
    LETTERS,
    PLAKOTO,
    Board,
    Pool,
    Rules,
    enemy,
    finals,
    first_steps,
    is_over,
    is_tie,
    mother_is_pinned,
    off,
    shuts_in,
    steps_of,
    track,
    winner,
)
from tables_support import ends_of_turn, lying, pool, random_game, rolls, turns

from interpreter import Game, State, load

NAMES = {"w": "white", "b": "black"}
ACROSS = {"plakoto": opposed, "fevga": parallel}

CASES: list[tuple[str, dict[str, Any], Rules]] = [
    ("plakoto", {}, PLAKOTO),
    ("plakoto", {"mother": "at_once"}, Rules(pins=True, mother="at_once")),
    ("plakoto", {"mother": "plain"}, Rules(pins=True, mother="plain")),
    ("plakoto", {"pinned_at_home": "holds_itself"}, Rules(pins=True, pinned_at_home="holds_itself")),
    ("fevga", {}, FEVGA),
    ("fevga", {"first_checker": "their_quarter"}, Rules(pins=False, first_checker=12)),
    ("fevga", {"first_checker": "last_quadrant"}, Rules(pins=False, first_checker=18)),
    ("fevga", {"quarter_open": False}, Rules(pins=False, quarter_open=False)),
    ("fevga", {"way_out": False}, Rules(pins=False, way_out=False)),
]


@cache
def game_of(name: str, **options: Any) -> Game:
    return load(name, **options)


# ---- positions -------------------------------------------------------------------------------------------------------


def written(board: Board, who: str, numbers: Pool) -> dict[str, Any]:
    """The position in which `who` is to play these numbers."""
    arrows = {letter: _men(stack) for letter, stack in zip(LETTERS, board, strict=True) if stack}
    gone = {NAMES[side]: f"{off(board, side)} {NAMES[side]}" for side in "wb" if off(board, side)}
    piles: dict[str, Any] = {"arrow": arrows, "pool": " ".join(map(str, numbers))}
    piles |= {"off": gone} if gone else {}
    return {"at": "turn / play the numbers", "to_act": NAMES[who], "piles": piles}


def _men(stack: str) -> str:
    """`bww` → `1 black 2 white`"""
    sides = sorted(set(stack), key=stack.index)
    return " ".join(f"{stack.count(side)} {NAMES[side]}" for side in sides)


def board_of(state: State) -> Board:
    """The stacks of the board, from bottom to top."""
    piles = lying(state)
    return tuple("".join(man[0] for man in piles["arrow", letter]) for letter in LETTERS)


def steps(state: State) -> set[tuple[str, int]]:
    """The legal moves as (point, number)."""
    return {(move.id.split()[-2], int(move.id.split()[-1])) for move in state.moves()}


def random_positions(rules: Rules, seed: str) -> Iterator[tuple[Board, Pool]]:
    """Positions for White to play: some pinned, some at the start with the mother alone, some at home, some behind a prime."""
    stream = Random(seed)
    while True:
        stacks = [""] * 24
        kind = stream.choice(("open", "open", "home", "start", "prime"))
        points = stream.sample(range(24), 24)
        mine, theirs = points[: stream.randrange(1, 9)], points[12 : stream.randrange(13, 21)]
        if kind == "home":
            mine = stream.sample(track("w", rules)[18:], stream.randrange(1, 5))
        if kind == "start":
            mine, theirs = _starting(stream, rules)
        if kind == "prime" and not rules.pins:
            path, behind = track(who := stream.choice("wbb"), rules), stream.randrange(0, 17)
            theirs = [path[behind]]
            mine = [path[behind + k] for k in range(1, 7)] + points[: stream.randrange(3)]
            mine = stream.sample(mine, len(mine) - stream.randrange(2))
            mine, theirs = (theirs, mine) if who == "w" else (mine, theirs)
        _stand(stacks, "w", [p for p in mine if p not in theirs] or [points[11]], stream, rules)
        _stand(stacks, "b", [p for p in theirs if not stacks[p]] or [points[10]], stream, rules)
        for _ in range(stream.randrange(6) if rules.pins else 0):
            _pin(stacks, stream, rules)
        board = tuple(stacks)
        if "w" in "".join(stacks) and is_likely(board, rules):
            yield board, pool_of((stream.randrange(1, 7), stream.randrange(1, 7)))


def _starting(stream: Random, rules: Rules) -> tuple[list[int], list[int]]:
    """Both have checkers on their starts, and some near the other's."""
    mine, theirs = track("w", rules), track("b", rules)
    if rules.pins:
        return mine[:1] + stream.sample(mine[16:23], 2), theirs[:1] + stream.sample(theirs[1:8], stream.randrange(3))
    return mine[:1] + stream.sample(mine[1:20], 1), theirs[:1] + stream.sample(theirs[1:20], 1)


def _stand(stacks: list[str], who: str, points: list[int], stream: Random, rules: Rules) -> None:
    """Fifteen checkers of one side on some points, fewer if all are at home; of a few points most stand on the first."""
    path = track(who, rules)
    home = all(path.index(point) >= 18 for point in points)
    number = stream.randrange(len(points), 16) if home else 15
    first = stream.random() < 0.5 or (not rules.pins and path[0] in points and len(points) == 2)
    for point in points + stream.choices(points[:1] if first else points, k=number - len(points)):
        stacks[point] += who


def _pin(stacks: list[str], stream: Random, rules: Rules) -> None:
    """A checker goes from where it is onto a single one of the other side."""
    single = [point for point in range(24) if len(stacks[point]) == 1]
    if not single:
        return
    point = stream.choice(single)
    who = enemy(stacks[point])
    from_points = [
        p for p in range(24) if stacks[p][-1:] == who and len(stacks[p]) > 1 and point != track(who, rules)[0]
    ]
    if from_points:
        left = stream.choice(from_points)
        stacks[left], stacks[point] = stacks[left][:-1], stacks[point] + who


def is_likely(board: Board, rules: Rules) -> bool:
    """Could a game come to it? Not one that is over, nor one in which a second checker left the start too early."""
    if is_over(board, rules):
        return False
    for who in "wb":
        standing = steps_of(board, who, rules)
        away = sum(stack.count(who) for stack in board) - board[track(who, rules)[0]].count(who)
        if off(board, who) and min(standing) < 18 and not rules.pins:
            return False
        if not rules.pins and max(standing) < rules.first_checker and away > 1:
            return False
    return True


# ---- turns -----------------------------------------------------------------------------------------------------------


def mirrored(board: Board, rules: Rules) -> Board:
    """The same for the other side: every stack on the point where that side has as far to go."""
    stacks = [""] * 24
    for mine, theirs in zip(track("w", rules), track("b", rules), strict=True):
        stacks[theirs] = board[mine].translate(str.maketrans("wb", "bw"))
    return tuple(stacks)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "rules", "number"),
    [
        *((*CASES[n], 12) for n in (0, 4)),
        *(pytest.param(*case, 200, marks=pytest.mark.slow) for case in CASES),
    ],
    ids=lambda value: "" if isinstance(value, Rules) else str(value),
)
def test_turns_agree_with_the_enumerator(name: str, options: dict[str, Any], rules: Rules, number: int) -> None:
    game, seen = game_of(name, **options), Counter[str]()
    for board, numbers in islice(random_positions(rules, f"{name} {options}"), number):
        for who, stands in (("w", board), ("b", mirrored(board, rules))):
            seen.update(agrees(game, stands, who, numbers, rules))
    assert seen["turn"] > number / 2
    assert not rules.pins or seen["pinned"]
    if number > 100:
        assert seen["passed"]
        assert rules != FEVGA or seen["let out"]
        assert rules != PLAKOTO or (seen["over"] and seen["tie"])


def agrees(game: Game, board: Board, who: str, numbers: Pool, rules: Rules) -> Iterator[str]:
    """The interpreter offers what the enumerator finds, and the turn can end as it says; yields what was met."""
    state, expected = game.position(written(board, who, numbers)), first_steps(board, who, numbers, rules)
    if not expected:
        assert rolls(state) > 0, (board, who, numbers)
        yield "passed"
        return
    assert steps(state) == expected, (board, who, numbers)
    ends = finals(board, who, numbers, rules)
    if len(ends) < 30:
        assert ends_of_turn(state, board_of) == ends, (board, who, numbers)
        yield "turn"
    yield from ("pinned" for stack in board if len(set(stack)) == 2)
    yield from ("let out" for end in ends if shuts_in(board, who, rules) and not shuts_in(end, who, rules))
    yield from ("over" for end in ends if is_over(end, rules))
    yield from ("tie" for end in ends if is_tie(end, rules))


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "rules", "games"),
    [
        *((*CASES[n], range(7000, 7001)) for n in (0, 4)),
        *(pytest.param(*case, range(7001, 7011), marks=pytest.mark.slow) for case in CASES),
    ],
    ids=lambda value: "" if isinstance(value, Rules) else str(value),
)
def test_random_games_agree_with_the_enumerator(name: str, options: dict[str, Any], rules: Rules, games: range) -> None:
    def look(state: State) -> None:
        assert steps(state) == first_steps(board_of(state), str(state.to_act)[0], pool(state), rules)

    for index in games:
        end, _ = random_game(game_of(name, **options), index, ACROSS[name], look)
        assert turns(end, dice=2, rethrown=True) > 2
        board = board_of(end)
        who = winner(board, rules)
        assert is_over(board, rules)
        assert end.scores == {NAMES[side]: worth(board, side, rules) if side == who else 0 for side in "wb"}
        assert sorted(end.winners) == sorted([NAMES[who]] if who else ["white", "black"])


def worth(board: Board, who: str, rules: Rules) -> int:
    mother = mother_is_pinned(board, enemy(who), rules)
    return 2 if mother or not off(board, enemy(who)) else 1
