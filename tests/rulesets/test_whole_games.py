"""Random games of many rulesets end with all their pieces; worked examples hold; the texts of rulesets have the clauses of their sources."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from games import loaded, names
from tiers import in_tiers

from interpreter import State
from interpreter.game.examples import run
from interpreter.resources import shipped

CASES: list[tuple[str, dict[str, Any]]] = [
    ("crapette", {"load_sources": "any"}),
    ("crapette", {"faults": "callable"}),
    ("crapette", {"faults": "callable", "fault_effect": "undo"}),
    ("crapette", {"faults": "callable", "fault_effect": "undo_and_force", "wrong_call": "lose_next_turn"}),
    ("crapette", {"stalemate": "fewest_cards"}),
    ("crapette", {"stalemate": "pagat_difference", "no_progress": 10}),
    ("crapette", {"first": "low", "first_tie": "lots"}),
    ("crapette", {"first": "cut", "crapette_size": 20, "side_each": 6}),
    ("crapette-13", {}),
    ("crapette-short", {}),
    ("russian-bank", {}),
    ("russian-bank", {"faults": "enforced"}),
    ("russian-bank", {"target": 120}),
    ("klondike", {}),
    ("klondike", {"draw": 1, "unlimited_redeals": False, "redeals": 0}),
    ("klondike", {"draw": 1, "take_back": True, "scoring": "standard"}),
    ("klondike", {"scoring": "vegas", "unlimited_redeals": False}),
    ("freecell", {}),
    ("freecell", {"deal": 617, "cells": 2, "builds": "in_suit", "spaces": "kings", "packets": "single"}),
    ("freecell", {"take_back": True, "cells": 8}),
    ("yukon", {}),
    ("yukon", {"builds": "up_or_down_in_suit", "spaces": "any_card", "take_back": True}),
    ("spider", {}),
    ("spider", {"suits_in_play": 1, "removal": "when_wished", "scoring": "points"}),
    ("spider", {"suits_in_play": 2, "deal_on_gaps": True}),
    ("golf", {}),
    ("golf", {"holes": 9, "wrap_around": True, "king_stops": False}),
    ("spite-and-malice", {}),
    ("spite-and-malice", {"players": 4, "goal_size": 8, "wild_ace": False}),
    ("spite-and-malice", {"players": 4, "packs": 3, "wild": "both", "partners": True, "must_play": "aces"}),
    ("gin-rummy", {"deals": 4}),
    *((name, {}) for name in ("barbu", "barbu-contre", "barbu-ammoun", "barbu-plain", "barbu-declarer-doubles")),
    *((name, {}) for name in ("hearts", "whist", "spades", "oh-hell")),
]
PLAIN = [CASES[3], CASES[27]]


def pieces(state: State) -> Counter[int]:
    return Counter(piece >> 1 for pile in state.core.piles for piece in pile)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "options"), in_tiers(CASES, whole=PLAIN), ids=str)
def test_random_games_end_with_all_their_pieces(name: str, options: dict[str, Any]) -> None:
    game = loaded(name, options)
    begun = pieces(game.start(seed=3))
    for index in range(1 if "target" in options else 3):
        state = game.playout(seed=3, index=index)
        assert state.is_over and not state.unfinished
        assert len(game.seats) < 3 or state.winners
        assert pieces(state) == begun
        if "target" in options:
            assert max(state.scores.values()) >= options["target"]
        if options == {"load_sources": "any"}:
            assert len(state.winners) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in names()])
def test_worked_examples_hold(name: str) -> None:
    """Those of Barbu reach every rule of it."""
    report = run(name, coverage=name == "barbu")
    assert {o.name: [d.message for d in o.problems] for o in report.outcomes if not o.passed} == {}
    if name == "barbu":
        assert report.outcomes and report.unreached == []


CLAUSES = [
    (("grabuge",), {"G": 37}),
    (("cribbage",), {"CR": 32, "A": 28}),
    (("crapette",), {"C": 28}),
    (("barbu", "barbu-contre", "barbu-ammoun"), {"B": 33, "A": 25}),
]
"""Rulesets, and how many clauses their analyses have by the letters these begin with."""


@pytest.mark.parametrize(("rulesets", "clauses"), CLAUSES)
def test_every_clause_of_an_analysis_is_in_the_ruleset(rulesets: tuple[str, ...], clauses: dict[str, int]) -> None:
    cited = set(re.findall(r"\b[A-Z]+\d+\b", "".join(shipped()[name].read_text("utf-8") for name in rulesets)))
    assert {f"{letters}{n}" for letters, most in clauses.items() for n in range(1, most + 1)} <= cited


@pytest.mark.parametrize(
    ("name", "most"),
    [("klondike", 200), ("spite-and-malice", 200), *((n, 180) for n in ("hearts", "whist", "spades", "oh-hell"))],
)
def test_a_game_of_a_library_is_short(name: str, most: int) -> None:
    rules, _, _ = shipped()[name].read_text("utf-8").partition("\nclauses:")
    assert len(rules.splitlines()) < most


def test_the_library_of_tricks_names_no_game() -> None:
    text = shipped()["tricks"].read_text("utf-8").casefold()
    assert not re.search(r"barbu|contrat|contract|declarer|déclarant|réussite|whist|\bB\d+\b", text)
