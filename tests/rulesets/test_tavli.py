"""Plakoto and Fevga: positions and random games agree with an independent enumeration of all turns, and games end as the rules say."""

from collections.abc import Iterator
from typing import Any

import pytest
from brute_tables import opposed, parallel
from brute_tavli import Board, Rules, enemy, is_over, mother_is_pinned, off, winner
from brute_turns import LETTERS
from games import loaded, settings_of
from rules import read_cases
from tables_support import ends_of_turn, lying, pool, random_game, rolls, turns

from hoyle import State

NAMES = {"w": "white", "b": "black"}
ACROSS = {"plakoto": opposed, "fevga": parallel}

CASES: list[tuple[str, dict[str, Any], Rules]] = [
    *(("plakoto", options, Rules(pins=True, **options)) for options in settings_of("plakoto")),
    *(("fevga", options, Rules(pins=False, **{**options, **own})) for options, own in settings_of("fevga")),
]


def board_of(state: State) -> Board:
    """The stacks of the board, from bottom to top."""
    piles = lying(state)
    return tuple("".join(man[0] for man in piles["arrow", letter]) for letter in LETTERS)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "rules", "most"),
    [*((*CASES[n], 8) for n in (0, 4)), *(pytest.param(*case, 99, marks=pytest.mark.slow) for case in CASES)],
    ids=lambda value: "" if isinstance(value, Rules) else str(value),
)
def test_turns_agree_with_the_enumerator(name: str, options: dict[str, Any], rules: Rules, most: int) -> None:
    game, key = loaded(name, options), " ".join([name, *(f"{option}={value}" for option, value in options.items())])
    for who, piles in read_cases("rulesets/tavli")[key][:most]:
        state = game.position({"at": "turn / play the numbers", "to_act": who, "piles": piles})
        arrows = tuple("".join(_men(piles["arrow"].get(letter, ""))) for letter in LETTERS)
        before, numbers = (arrows, who[0]), tuple(map(int, piles["pool"].split()))
        steps = rules.first_steps(before, numbers)
        assert (rolls(state) == 0 and first_steps(state) == steps) if steps else rolls(state) > 0
        ends = rules.finals(before, numbers) if steps else ()
        if 0 < len(ends) < 30:
            assert ends_of_turn(state, board_of) == {board for board, _ in ends}


def _men(words: str) -> Iterator[str]:
    """`1 black 2 white` → `bww`"""
    counts = words.split()
    yield from (side[0] * int(count) for count, side in zip(counts[::2], counts[1::2], strict=True))


def first_steps(state: State) -> set[tuple[str, int]]:
    """The legal moves as (point, number)."""
    return {(move.id.split()[-2], int(move.id.split()[-1])) for move in state.moves()}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "options", "rules", "games"),
    [
        (*CASES[0], range(7000, 7001)),
        *(pytest.param(*case, range(7001, 7011), marks=pytest.mark.slow) for case in CASES),
    ],
    ids=lambda value: "" if isinstance(value, Rules) else str(value),
)
def test_random_games_agree_with_the_enumerator(name: str, options: dict[str, Any], rules: Rules, games: range) -> None:
    def look(state: State) -> None:
        who, numbers = str(state.to_act)[0], pool(state)
        assert first_steps(state) == rules.first_steps((board_of(state), who), numbers)
        ends = rules.finals((board_of(state), who), numbers) if state.decisions % 9 == 0 else ()
        if 0 < len(ends) < 30:
            assert ends_of_turn(state, board_of, rolls(state)) == {board for board, _ in ends}

    for index in games:
        end, _ = random_game(loaded(name, options), index, ACROSS[name], look)
        assert turns(end, dice=2, rethrown=True) > 2
        board = board_of(end)
        who = winner(board, rules)
        assert is_over(board, rules)
        assert end.scores == {NAMES[side]: worth(board, side, rules) if side == who else 0 for side in "wb"}
        assert sorted(end.winners) == sorted([NAMES[who]] if who else ["white", "black"])


def worth(board: Board, who: str, rules: Rules) -> int:
    mother = mother_is_pinned(board, enemy(who), rules)
    return 2 if mother or not off(board, enemy(who)) else 1
