"""Obligations that try an action before it is legal: both engines leave the same actions at every decision of random games."""

from pathlib import Path

import pytest
from engines import difference, engine_of, with_compiler

from hoyle import Game, load

pytestmark = with_compiler
TESTS = Path(__file__).parents[1]
FLOW = TESTS / "compiling" / "flow"


def agree(one: Game, seeds: int) -> None:
    other = engine_of(one)
    assert [difference(one, other, seed) for seed in range(seeds)] == [None] * seeds


@pytest.mark.slow
@pytest.mark.parametrize("weighed", ["many", "even", "spare", "both", "all", "evenly", "anyhow"])
def test_whole_turns_are_weighed_alike(weighed: str) -> None:
    one = load(FLOW / "_weighed.yaml", {"weighed": weighed})
    agree(one, 12)
    assert one.playout(0).decisions > 8


@pytest.mark.whole
def test_an_action_that_takes_the_last_one_back_is_tried() -> None:
    """It is refused if it changes nothing, which depends on the last action."""
    one = load(FLOW / "_back.yaml")
    laid, passed = (one.start().play(move) for move in (one.start().moves()[0], "pass"))
    assert {move.name for move in laid.moves()} >= {"undo"} and "undo" not in {move.name for move in passed.moves()}
    agree(one, 12)


@pytest.mark.slow
def test_more_piles_and_cards_than_a_word_has_bits() -> None:
    """Piles that a try changes are marked by bits, several to one; dice are drawn from a set of kinds."""
    one = load(TESTS / "native" / "wide.yaml")
    agree(one, 6)
    assert one.playout(0).decisions == 6
