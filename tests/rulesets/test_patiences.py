"""Patiences and the relatives of Crapette: they end, keep their cards, and their worked examples hold; Russian Bank and its calls of “Stop!”."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from games import loaded
from tiers import some_now, spread

from interpreter import State
from interpreter.game.examples import run
from interpreter.resources import shipped


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        *("crapette", "crapette-13", "crapette-short", "russian-bank", "klondike", "spite-and-malice"),
        *("freecell", "yukon", "spider", "golf"),
    ],
)
def test_worked_examples(game: str) -> None:
    report = run(game)
    assert report.outcomes
    assert [o.name for o in report.outcomes if not o.passed] == []


@pytest.mark.parametrize(
    ("game", "cards", "options"),
    spread(
        [
            ("crapette-13", 104, {}),
            ("crapette-short", 52, {}),
            ("russian-bank", 104, {}),
            ("russian-bank", 104, {"faults": "enforced"}),
            ("russian-bank", 104, {"target": 120}),
            ("klondike", 52, {}),
            ("klondike", 52, {"draw": 1, "unlimited_redeals": False, "redeals": 0}),
            ("klondike", 52, {"draw": 1, "take_back": True, "scoring": "standard"}),
            ("klondike", 52, {"scoring": "vegas", "unlimited_redeals": False}),
            ("freecell", 52, {}),
            ("freecell", 52, {"deal": 617, "cells": 2, "builds": "in_suit", "spaces": "kings", "packets": "single"}),
            ("freecell", 52, {"take_back": True, "cells": 8}),
            ("yukon", 52, {}),
            ("yukon", 52, {"builds": "up_or_down_in_suit", "spaces": "any_card", "take_back": True}),
            ("spider", 104, {}),
            ("spider", 104, {"suits_in_play": 1, "removal": "when_wished", "scoring": "points"}),
            ("spider", 104, {"suits_in_play": 2, "deal_on_gaps": True}),
            ("golf", 52, {}),
            ("golf", 52, {"holes": 9, "wrap_around": True, "king_stops": False}),
            ("spite-and-malice", 104, {}),
            ("spite-and-malice", 104, {"players": 4, "goal_size": 8, "wild_ace": False}),
            (
                "spite-and-malice",
                162,
                {"players": 4, "packs": 3, "wild": "both", "partners": True, "must_play": "aces"},
            ),
        ],
        8,
    ),
    ids=str,
)
def test_relatives_end_and_keep_all_cards(game: str, cards: int, options: dict[str, Any]) -> None:
    found = loaded(game, options)
    for index in range(1 if "target" in options else 3):
        state = found.playout(seed=3, index=index)
        assert state.is_over
        assert sum(len(pile) for pile in state.core.piles) == cards
        if "target" in options:
            assert max(state.scores.values()) >= options["target"]


def house(state: State) -> list[list[str | None]]:
    """The cards of the house as an onlooker sees them."""
    return [[piece.sign for piece in pile.pieces] for pile in state.view(None).piles if pile.family == "house"]


@pytest.mark.parametrize("effect", some_now(["undo_and_force", "keep", "undo"], 1))
def test_every_true_stop_is_accepted_and_every_false_one_is_not(effect: str) -> None:
    """Russian Bank: whatever compulsory move was omitted, “Stop!” ends the turn; otherwise play goes on."""
    state, pick = loaded("russian-bank", fault_effect=effect).start(seed=5), Random(5)
    true, false = 0, 0
    while not state.is_over and true < 60:
        move = pick.choice(state.moves())
        offender = state.to_act
        before, state = house(state), state.play(move)
        if state.is_over or not state.place.endswith("watch"):
            continue
        stopped = state.play("call-stop")
        state = stopped if move.fault else state.play("say-nothing")
        true, false = true + bool(move.fault), false + (not move.fault)
        if not move.fault:
            ends = move.name in ("to the waste pile", "pass")
            assert stopped.is_over or (stopped.to_act == offender) is not ends
            continue
        assert state.to_act != offender
        if effect == "undo_and_force":  # the caller points out what was omitted, with the cards as they lay
            assert house(state) == before
            assert state.moves()
            assert all("instead" in m.id for m in state.moves())
            state = state.play(pick.choice(state.moves()))
            assert state.is_over or state.to_act != offender
    assert true > 40
    assert false > 40


def test_the_patiences_are_short() -> None:
    for name in ("klondike", "spite-and-malice"):
        rules = shipped()[name].read_text(encoding="utf-8").split("\nclauses:")[0]
        assert len(rules.splitlines()) < 200
