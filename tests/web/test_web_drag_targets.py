"""Drag targets: pieces, piles and words distinguish the moves."""

import random

import pytest
from games import game, originals
from tiers import in_tiers, sized

from hoyle.game.views.view import can_see
from hoyle.web.play.drag_targets import find_drag_targets, has_aimed_moves, resolve_drop


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(originals(), whole=["klondike", "cribbage", "backgammon"]))
def test_drag_targets_are_visible_and_distinct(name: str) -> None:
    rules, pick = game(name), random.Random(name)
    state, namer = rules.start(2), rules.compiled.namer
    for _ in range(sized(20, 40)):
        if state.is_over:
            break
        keys = {namer.key(n): n for n in range(len(state.core.piles) - 1)}
        moves = state.moves()
        found = find_drag_targets(rules.compiled, state.core, moves)
        for target in found:
            assert target.to is None or target.to in keys
            for spot in target.pick:
                pile = state.core.piles[keys[spot.pile]]
                if spot.sign is not None:
                    assert any(
                        namer.signs[p >> 1] == spot.sign
                        and can_see(rules.compiled, keys[spot.pile], at, len(pile), p, state.core.actor)
                        for at, p in enumerate(pile)
                    )
                elif spot.at is not None:
                    assert 0 <= spot.at < len(pile)
        told = {(target, move.text()) for target, move in zip(found, moves, strict=True)}
        assert len(told) == len({move.text() for move in moves})
        state = state.play(pick.choice(moves))


def test_drag_targets_of_a_packet_and_a_stock() -> None:
    state = game("klondike").start(1)
    targets = find_drag_targets(state.game.compiled, state.core, state.moves())
    found = {move.id: target for move, target in zip(state.moves(), targets, strict=True)}
    packet = found["column-to-column 1 2H -> 6"]
    assert (packet.pick[0].pile, packet.pick[0].at, packet.to, packet.aimed) == ("column at 1", 0, "column at 6", True)
    assert found["turn-cards"].near == "stock"


@pytest.mark.whole
def test_drops_are_resolved_to_moves() -> None:
    klondike, spider = game("klondike").start(1), game("spider").start(1)
    asked = resolve_drop(klondike, {"from": "column at 1", "at": 0, "sign": "2H", "to": "column at 3"})
    assert asked == ["column-to-column 1 2H -> 3"] and not klondike.why(asked[0], "A").legal
    assert resolve_drop(klondike, {"from": "nowhere", "at": 0, "to": "column at 3"}) == []
    assert resolve_drop(klondike, {"from": 7}) == [] == resolve_drop(klondike, {"from": "foundation of clubs"})
    assert resolve_drop(klondike, {"from": "stock"}) == ["turn-cards"]
    found = find_drag_targets(spider.game.compiled, spider.core, spider.moves())
    assert [target.near for target in found if not target.pick] == ["stock"]  # a card to each column, from one pile


@pytest.mark.parametrize(
    ("name", "has_target"), [("klondike", True), ("golf", False), ("freecell", True), ("spider", True)]
)
def test_decisions_with_target_piles(name: str, has_target: bool) -> None:
    state = game(name).start(1)
    assert has_aimed_moves(state.game.compiled, state.core) is has_target
