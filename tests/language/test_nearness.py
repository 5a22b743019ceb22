"""How near a side is to what wins: of what a result says."""

from __future__ import annotations

import pytest
from games import game, originals

from interpreter.game import results
from interpreter.language.nearness import nearness


@pytest.mark.parametrize("name", ["spite-and-malice", "crapette"])
def test_what_must_be_emptied_says_how_near_one_is(name: str) -> None:
    state = game(name).start()
    near = nearness(state.game.ruleset.result)
    assert near is not None
    left = [results.number(state.game.compiled, state.core, near, side) for side in range(2)]
    assert left[0] < 0 and left[1] < 0


def test_other_results_do_not() -> None:
    assert {name for name in originals() if nearness(game(name).ruleset.result) is not None} == {
        "crapette",
        "spite-and-malice",
    }
