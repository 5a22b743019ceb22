"""What seats remember of a game reaches the search, and nothing else does."""

from __future__ import annotations

import pytest
from exchange import beginning, exchanged, walked
from games import game, originals
from tiers import in_tiers

from interpreter.game.playouts import counted
from interpreter.game.seen import seen_by
from interpreter.players.knowledge import Knowledge, knowledge_of
from interpreter.players.memory import Memory, hides
from interpreter.players.search import hunted, imagined
from interpreter.players.seats import seated
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Action, Core
from interpreter.running.tried import Bounds
from interpreter.series.simulate import Order, series, traced
from interpreter.series.workers import Workers


class Onlooker:
    """Keeps the states that it is told of."""

    def __init__(self) -> None:
        self.states: list[tuple[Core, Action, Core]] = []
        self.began: list[Core] = []

    def begins(self, core: Core) -> None:
        self.began.append(core.copy())

    def moved(self, before: Core, action: Action, after: Core) -> None:
        self.states.append((before, action, after.copy()))


def test_whoever_looks_on_is_told_of_every_move_and_changes_nothing() -> None:
    one, onlooker = game("grabuge").compiled, Onlooker()
    assert counted(one, 1, 0, (), [onlooker]) == counted(one, 1, 0)
    assert len(onlooker.began) == 1
    for before, action, after in onlooker.states:
        assert action in before.acts
        assert [e[0] for e in after.log or ()].count("move") == 1


def some_moves(name: str, count: int) -> tuple[list[Core], list[Memory], list[list[Knowledge | None]]]:
    """States of a random game, the memories of all seats at its end, and what each knew before every move."""
    one = game(name).compiled
    core, pick = one.machine.start(Chance.stream(2), log=True), Chance.stream(2, 0, PLAYER)
    memories = [Memory(one, seat) for seat in range(len(one.seats))]
    for memory in memories:
        memory.begins(core)
    states, known = [core.copy()], [[m.now for m in memories]]
    for _ in range(count):
        if core.over:
            break
        core.log = []
        before, action = core.copy(), core.acts[pick.below(len(core.acts))]
        one.machine.play(core, action)
        for memory in memories:
            memory.moved(before, action, core)
        states.append(core.copy())
        known.append([m.now for m in memories])
    return states, memories, known


def test_what_was_known_before_moves_that_are_taken_back() -> None:
    _, memories, known = some_moves("hearts", 9)
    for memory, before in zip(memories, known[4], strict=True):
        memory.back(5)
        assert memory.now is before


def test_who_has_not_sat_down_knows_nothing() -> None:
    memory = Memory(game("hearts").compiled, 0)
    memory.moved(*[None] * 3)  # type: ignore[arg-type]
    assert memory.now is None


@pytest.mark.parametrize("name", in_tiers(originals(), quick=["hearts"], whole=["cribbage", "gin-rummy", "klondike"]))
def test_worlds_that_are_searched_agree_with_what_is_remembered(name: str) -> None:
    """A card whose place the seat knows lies there in all of them."""
    if not hides(game(name).compiled):
        return
    states, memories, _ = some_moves(name, 30)
    core = states[-1]
    if core.over:
        return
    knowledge = memories[core.actor].now
    assert knowledge is not None
    worlds = imagined(
        game(name).compiled,
        seen_by(game(name).compiled, core, core.actor),
        Bounds(12),
        Chance.stream(1),
        knowledge=knowledge,
    )
    assert worlds
    for world in worlds:
        for marks, pile in zip(knowledge.piles, world.piles, strict=True):
            assert all(knowledge.known.get(m, p >> 1) == p >> 1 for m, p in zip(marks, pile, strict=True))


def test_who_sees_everything_has_nothing_to_remember() -> None:
    assert (hides(game("backgammon").compiled), hides(game("hearts").compiled)) == (False, True)
    assert seated(["search:5", "search:5"], game("backgammon"), "python")[1] == []
    assert len(seated(["search:5", "random", "easy", "first"], game("hearts"), "python")[1]) == 2


@pytest.mark.slow
def test_a_series_of_players_that_remember_is_the_same_for_any_number_of_processes() -> None:
    order = Order("cribbage", (), 1, ("search:4", "random"), "python")
    one, two = (series(traced(order), order, 3, Workers(jobs)) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize("name", in_tiers(originals(), quick=["cribbage"], whole=["hearts", "gin-rummy", "spades"]))
def test_a_search_follows_from_what_is_seen_and_remembered(name: str) -> None:
    """What a seat never saw may be exchanged through the whole history, and it finds the same."""
    one, history = game(name).compiled, beginning(walked(game(name), 2, 30), 14)
    state = history.states[-1]
    for other, _, _ in exchanged(history, state.to_act or "A", 2):
        found = []
        for states in (history.states, other.states):
            knowledge = knowledge_of(one, [s.core for s in states], state.core.actor)
            bounds, core = Bounds(10, most=60, probes=2), states[-1].core
            hunt = hunted(one, seen_by(one, core, core.actor), Chance.stream(1), bounds, knowledge=knowledge)
            assert hunt is not None
            found.append(hunt.found())
        assert found[0] == found[1]
        return
