"""What is said when a deal is reckoned, as it is counted at a table: what each side took, and why it scores what it does."""

from __future__ import annotations

from typing import Any

import pytest
from games import game
from spaces import spaced

WON = {
    "won of A": "JH 9H AH TH",
    "won of C": "AS TS",
    "won of B": "KH QH KS QS JS AC TC KC QC",
    "won of D": "JC AD TD KD QD JD",
}
TRICKS = {"tricks of A": 5, "tricks of B": 3, "taker at 8": "C"}
BID = {"bidder": "A", "strain": "hearts", "trump": "hearts"}
TAKEN = "levées : A et C 86, B et D 76, dix de der pour A et C"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "state", "piles", "said"),
    [
        ("coinchee", {**BID, **TRICKS, "level": "eighty"}, WON, [TAKEN]),
        ("coinchee", {**BID, **TRICKS, "level": "ninety"}, WON, [TAKEN, "A et C : chute"]),
        (
            "coinchee",
            {**BID, **TRICKS, "level": "ninety", "factor": 4, "belotes of C": 2},
            WON,
            [TAKEN, "A et C : belote", "coinché : 4 fois l'enjeu"],
        ),
        (
            "coinchee",
            {**BID, "level": "capot", "tricks of A": 5, "tricks of C": 3, "taker at 8": "C"},
            {},
            ["A et C : capot"],
        ),
        (
            "belote",
            {"bidder": "B", "trump": "hearts", **TRICKS},
            WON,
            ["levées : B et D 76, A et C 86, dix de der pour A et C", "B et D : dedans"],
        ),
        ("belote", {"bidder": "A", "trump": "hearts", **TRICKS}, WON, [TAKEN]),
    ],
)
def test_what_is_said_of_the_count(name: str, state: dict[str, Any], piles: dict[str, str], said: list[str]) -> None:
    after = game(name).position({"at": "reckoning", "state": state, "piles": piles})
    assert [spaced(event.text("fr")) for event in after.events if event.kind == "say"] == said


@pytest.mark.parametrize("belotes", [0, 1, 2])
def test_who_has_said_belote_is_shown_so_and_others_not_at_all(belotes: int) -> None:
    state = game("belote").position(
        {
            "at": "play to the trick",
            "to_act": "A",
            "state": {"leader": "A", "bidder": "A", "trump": "hearts", "belotes of B": belotes},
            "piles": {"hand of A": "7C"},
        }
    )
    shown = {value.name: value.member for value in state.view("A").state if value.value is True}
    assert {name for name in shown if "said" in name} == {0: set(), 1: {"belote_said"}, 2: {"both_said"}}[belotes]
    assert "belotes" not in {value.name for value in state.view("A").state}
