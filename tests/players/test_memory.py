"""What seats remember of a game reaches the search, and nothing else does."""

from __future__ import annotations

import pytest
from exchange import beginning, exchanged, walked
from games import game
from remembering import remembered
from tiers import in_tiers

from interpreter.game.playouts import counted
from interpreter.game.seen import seen_by
from interpreter.players.knowledge import knowledge_of
from interpreter.players.memory import Memory, hides
from interpreter.players.search import hunted, imagined
from interpreter.players.seats import seated
from interpreter.running.chance import Chance
from interpreter.running.state import Action, Core
from interpreter.running.tried import Bounds

HIDING = ["hearts", "cribbage", "gin-rummy", "klondike", "spades", "piquet", "crapette", "grabuge", "scopa"]


class Onlooker:
    """Keeps the states that it is told of."""

    def __init__(self) -> None:
        self.states: list[tuple[Core, Action, Core]] = []
        self.began: list[Core] = []

    def begins(self, core: Core) -> None:
        self.began.append(core.copy())

    def moved(self, before: Core, action: Action, after: Core) -> None:
        self.states.append((before, action, after.copy()))


def test_onlooker_is_told_of_every_move_and_changes_nothing() -> None:
    one, onlooker = game("cribbage").compiled, Onlooker()
    assert counted(one, 1, 0, (), [onlooker]) == counted(one, 1, 0)
    assert len(onlooker.began) == 1
    for before, action, after in onlooker.states:
        assert action in before.acts
        assert [e[0] for e in after.log or ()].count("move") == 1


def test_moves_that_are_taken_back_are_forgotten() -> None:
    known, memories = [], list[Memory]()
    for _, memories in remembered(game("hearts").compiled, 2, 9):
        known.append([memory.now for memory in memories])
    for memory, before in zip(memories, known[4], strict=True):
        memory.back(5)
        assert memory.now is before


def test_memory_that_never_began_knows_nothing() -> None:
    memory = Memory(game("hearts").compiled, 0)
    memory.moved(*[None] * 3)  # type: ignore[arg-type]
    assert memory.now is None


@pytest.mark.whole
def test_only_searching_players_of_games_with_secrets_remember() -> None:
    assert (hides(game("backgammon").compiled), hides(game("hearts").compiled)) == (False, True)
    assert seated(["search:5", "search:5"], game("backgammon"), "python")[1] == []
    assert len(seated(["search:5", "random", "easy", "first"], game("hearts"), "python")[1]) == 2


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(HIDING, quick=["hearts"], whole=["gin-rummy"]))
def test_searched_worlds_agree_with_what_is_remembered(name: str) -> None:
    """A card whose place the seat knows lies there in all of them."""
    one = game(name).compiled
    *_, (core, memories) = remembered(one, 2, 30)
    knowledge = memories[core.actor].now
    assert knowledge is not None
    worlds = imagined(one, seen_by(one, core, core.actor), Bounds(12), Chance.stream(1), knowledge=knowledge)
    assert worlds
    for world in worlds:
        for marks, pile in zip(knowledge.piles, world.piles, strict=True):
            assert all(knowledge.known.get(m, p >> 1) == p >> 1 for m, p in zip(marks, pile, strict=True))


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(HIDING, whole=["cribbage", "hearts"]))
def test_search_follows_from_what_is_seen_and_remembered(name: str) -> None:
    """Hidden pieces are exchanged through the whole history, and it finds the same; also if it remembers nothing."""
    one, history = game(name).compiled, beginning(walked(game(name), 2, 14), 10)
    state = history.states[-1]
    for other, _, _ in exchanged(history, state.to_act or "A", 2):
        for remembers in (False, True):
            found = []
            for states in (history.states, other.states):
                knowledge = knowledge_of(one, [s.core for s in states], state.core.actor) if remembers else None
                bounds, core = Bounds(10, most=60, probes=2), states[-1].core
                hunt = hunted(one, seen_by(one, core, core.actor), Chance.stream(1), bounds, knowledge=knowledge)
                assert hunt is not None
                found.append(hunt.found())
            assert found[0] == found[1]
        return
