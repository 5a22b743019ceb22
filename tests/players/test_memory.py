"""What seats remember of a game reaches the search, and nothing else does."""

import pytest
from games import game
from remembering import remembered
from tiers import in_tiers

from hoyle.game.views.redaction import redact
from hoyle.players.bots import create_players
from hoyle.players.inference.knowledge import Memory, has_hidden_information
from hoyle.players.search.driver import sample_worlds
from hoyle.running.chance import Chance
from hoyle.running.outcomes import Bounds

HIDING = ["hearts", "cribbage", "gin-rummy", "klondike", "spades", "piquet", "crapette", "grabuge", "scopa"]


def test_moves_that_are_taken_back_are_forgotten() -> None:
    known, memories = [], list[Memory]()
    for _, memories in remembered(game("hearts").compiled, 2, 9):
        known.append([memory.now for memory in memories])
    for memory, before in zip(memories, known[4], strict=True):
        memory.back(5)
        assert memory.now is before


@pytest.mark.whole
def test_only_searching_players_of_games_with_secrets_remember() -> None:
    assert (has_hidden_information(game("backgammon").compiled), has_hidden_information(game("hearts").compiled)) == (
        False,
        True,
    )
    assert create_players(["search:5", "search:5"], game("backgammon"), "python")[1] == []
    assert len(create_players(["search:5", "random", "easy", "first"], game("hearts"), "python")[1]) == 2


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(HIDING, quick=["hearts"], whole=["gin-rummy"]))
def test_searched_worlds_agree_with_what_is_remembered(name: str) -> None:
    """A card whose place the seat knows lies there in all of them."""
    one = game(name).compiled
    *_, (core, memories) = remembered(one, 2, 30)
    knowledge = memories[core.actor].now
    assert knowledge is not None
    worlds = sample_worlds(one, redact(one, core, core.actor), Bounds(12), Chance.stream(1), knowledge=knowledge)
    assert worlds
    for world in worlds:
        for marks, pile in zip(knowledge.piles, world.piles, strict=True):
            assert all(knowledge.known.get(m, p >> 1) == p >> 1 for m, p in zip(marks, pile, strict=True))
