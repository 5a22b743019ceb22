"""Ways to win for who plays alone: that they win, and that both engines find the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from engines import engine, engine_of, with_compiler
from games import game
from reds import reds_at
from stones import can_be_won, stones_at
from tiers import sized, some_now

from interpreter import Game, State
from interpreter.game.seen import seen_by
from interpreter.native import questing
from interpreter.players import quest, searcher, tree, winning
from interpreter.players.searcher import Searcher
from interpreter.players.ways import searches, way, winnable
from interpreter.running.chance import Chance
from interpreter.running.tried import Bounds, Line, Sought

SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
NEARLY = {
    "at": "game / play",
    "to_act": "A",
    "piles": {
        "column": ["KS QS", "KH QH", "KD QD", "KC QC", "JC JD", "JH JS"],
        **{f"foundation of {suit}": f"A{s} 2{s} 3{s} 4{s} 5{s} 6{s} 7{s} 8{s} 9{s} T{s}" for suit, s in SUITS.items()},
    },
}
"""Kings lie below their queens."""
STUCK = {
    "at": "game / play",
    "to_act": "A",
    "piles": {
        "cell": ["KS", "KC", "KH", "KD"],
        "column": ["AS 4S", "AC 4D", "AH TS", "AD TC", "2S 7H", "8S", "8C", "JC"],
    },
}
"""Aces lie under what goes nowhere; a seven may go from one eight to the other."""


def played(one: Game, state: State, choices: tuple[int, ...]) -> State:
    core, left = state.core.copy(), [*reversed(choices)]
    while left:
        one.machine.play(core, core.acts[left.pop() if len(core.acts) > 1 else 0])
    while not core.over and len(core.acts) == 1:
        one.machine.play(core, core.acts[0])
    return State(one, core)


def walked(name: str, seed: int, decisions: int) -> State:
    """So many random decisions into a game, or fewer if nothing is left to choose soon."""
    core, choose = game(name).machine.start(Chance.stream(seed)), random.Random(seed).choice
    for _ in range(decisions):
        after = core.copy()
        game(name).machine.play(after, choose(after.acts))
        if after.over or len(after.acts) < 2:
            break
        core = after
    return State(game(name), core)


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", some_now(["klondike", "freecell", "spider"], 1))
def test_both_engines_look_at_the_same_states(name: str) -> None:
    """In Klondike and Spider, where something is hidden, of one world of many."""
    for seed, (width, alike) in enumerate([(4, True), (9, False)], 1):
        core = walked(name, seed, 12 * seed).core
        ours = quest.Quest(game(name).compiled, core, seed, is_open=name == "freecell")
        theirs = questing.quest(engine(name), core, seed, 2000, is_open=name == "freecell")
        assert theirs is not None
        for most in (150, 250):
            assert ours.seek(width, most, alike) == theirs.seek(width, most, alike)


@pytest.mark.whole
def test_a_way_wins() -> None:
    state = game("freecell").position(NEARLY, 1)
    found = way(state.game.compiled, state.core, 1, 4000)
    assert played(state.game, state, found).winners == ["A"]
    assert found == way(state.game.compiled, state.core, 1, 4000, seconds=60)


@pytest.mark.whole
@with_compiler
def test_both_engines_find_the_same_way() -> None:
    core = game("freecell").position(NEARLY, 1).core
    ours, theirs = quest.Quest(game("freecell").compiled, core, 1), questing.quest(engine("freecell"), core, 1, 4000)
    assert theirs is not None
    found = ours.seek(8, 4000, True)
    assert found.way
    assert found == theirs.seek(8, 4000, True)


@pytest.mark.slow
def test_where_there_is_no_way_the_search_ends() -> None:
    """And knows that nothing was left out."""
    state = game("freecell").position(STUCK, 1)
    found = quest.Quest(state.game.compiled, state.core, 1).seek(500, 100_000, False)
    assert found.is_none and 4 <= found.looked < 100_000
    assert way(state.game.compiled, state.core, 1, 100_000) == ()
    assert winnable(state.game.compiled, state.core, 1, 100_000) is False


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("kind", ["python", "native"])
def test_what_can_be_won_is_what_can_be_won_by_going_through_all(kind: str, tmp_path: Any) -> None:
    """Deals of a small patience, of which a third or so cannot be won."""
    one, found = stones_at(tmp_path, engine=kind), set[bool]()
    for index in range(sized(4, 36)):
        state = one.start(1, index)
        assert winnable(one.compiled, state.core, 1, 100_000) is can_be_won(state), index
        found.add(can_be_won(state))
    assert found == {True, False}


@pytest.mark.whole
def test_what_was_held_to_be_alike_proves_nothing() -> None:
    state = game("freecell").position(STUCK, 1)
    found = quest.Quest(state.game.compiled, state.core, 1).seek(500, 100_000, True)
    assert not found.lost and not found.is_none


@pytest.mark.slow
def test_too_few_states_are_no_proof() -> None:
    state = game("freecell").position(NEARLY, 1)
    assert quest.Quest(state.game.compiled, state.core, 1).seek(1, 3, False) == Sought(3, True, (), False)
    assert way(state.game.compiled, state.core, 1, 3) == ()
    assert winnable(state.game.compiled, state.core, 1, 3) is None
    assert winnable(state.game.compiled, state.core, 1, 100_000) is True


@with_compiler
@pytest.mark.slow
def test_what_chance_has_a_part_in_is_no_way(tmp_path: Any) -> None:
    one = reds_at(tmp_path)
    native, found = engine_of(one), {True: 0, False: 0}
    for seed in range(6):
        for is_open in found:
            core = one.start(seed).core
            ours, theirs = quest.Quest(one.compiled, core, 1, is_open), questing.quest(native, core, 1, 500, is_open)
            assert theirs is not None
            sought = ours.seek(8, 500, True)
            assert sought == theirs.seek(8, 500, True)
            found[is_open] += bool(sought.way)
    assert found[True] == 0 < found[False]


@pytest.mark.whole
def test_who_plays_alone_and_sees_everything_follows_the_way_it_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without another search, and without asking which move is best."""
    state = game("freecell").position(NEARLY, 1)
    chooses, chance, core = Searcher(state.game.compiled, Bounds(60)), Chance.stream(1), state.core
    asked: list[tuple[Any, ...]] = []

    def counting(*given: Any) -> tuple[int, ...]:
        asked.append(given)
        return way(*given)

    monkeypatch.setattr(winning, "way", counting)
    monkeypatch.setattr(searcher, "hunted", None)
    while not core.over:
        number = chooses(seen_by(state.game.compiled, core, core.actor), chance) if len(core.acts) > 1 else 0
        state.game.machine.play(core, core.acts[number])
    assert State(state.game, core).winners == ["A"]
    assert len(asked) == 1


def test_what_comes_to_no_win_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a game that was left after many decisions, with much gained: the next time a way is looked for again."""
    state, asked = game("freecell").start(1), list[int]()
    chooses = Searcher(state.game.compiled, Bounds(2, most=20, probes=1))

    def none(*given: Any) -> tuple[int, ...]:
        asked.append(0)
        return ()

    monkeypatch.setattr(winning, "way", none)
    monkeypatch.setattr(tree.Hunt, "line", lambda hunt: Line(0.95, (0, 0)))
    for _ in range(2):
        number = chooses(seen_by(state.game.compiled, state.core, state.core.actor), Chance.stream(1))
        assert 0 <= number < len(state.core.acts)
    assert len(asked) == 2


class Endless:
    """A search that never sees all there is; it remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, bool]] = []

    def seek(self, width: int, most: int, alike: bool) -> Sought:
        self.asked.append((width, alike))
        return Sought(10, True, (), False)


def test_no_search_is_made_twice() -> None:
    one = Endless()
    assert not any(found.way for found in searches(one, 1_000_000, None))  # type: ignore[arg-type]
    assert len(one.asked) == len({*one.asked})
    assert [width for width, alike in one.asked if alike] == [width for width, alike in one.asked if not alike]
    assert one.asked[-1] == (questing.WIDEST, False)


def test_the_time_that_a_way_took_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    state, clock, given = game("freecell").start(1), [0.0], list[float | None]()

    def long_look(*_: Any) -> tuple[int, ...]:
        clock[0] += 1.5
        return ()

    def noted(*args: Any) -> None:
        given.append(args[4])

    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr(winning, "way", long_look)
    monkeypatch.setattr(searcher, "hunted", noted)
    Searcher(state.game.compiled, Bounds(100), 2.0)(seen_by(state.game.compiled, state.core, 0), Chance.stream(1))
    Searcher(state.game.compiled, Bounds(100), 1.0)(seen_by(state.game.compiled, state.core, 0), Chance.stream(1))
    assert given == [0.5, 0.1], "and some is always left"
