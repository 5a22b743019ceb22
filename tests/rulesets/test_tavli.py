"""Plakoto and Fevga: random games agree with an independent enumeration of all turns, and end as the rules say."""

from __future__ import annotations

from typing import Any

import pytest
from brute_tables import opposed, parallel
from brute_tavli import Board, Rules, enemy, is_over, mother_is_pinned, off, winner
from brute_turns import LETTERS
from games import loaded
from settings import settings_of
from tables_support import ends_of_turn, lying, pool, random_game, rolls, turns

from interpreter import State

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
    ("name", "options", "rules", "games"),
    [
        *((*CASES[n], range(7000, 7001)) for n in (0, 4)),
        *(pytest.param(*case, range(7001, 7011), marks=pytest.mark.slow) for case in CASES),
    ],
    ids=lambda value: "" if isinstance(value, Rules) else str(value),
)
def test_random_games_agree_with_the_enumerator(name: str, options: dict[str, Any], rules: Rules, games: range) -> None:
    def look(state: State) -> None:
        who, numbers = str(state.to_act)[0], pool(state)
        steps = {(move.id.split()[-2], int(move.id.split()[-1])) for move in state.moves()}
        assert steps == rules.first_steps((board_of(state), who), numbers)
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
