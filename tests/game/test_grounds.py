"""The values that a reason depends on, in words that players read: only those that have a name in their language."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules import change_rules
from spaces import spaced

POSITION = {
    "at": "all / turn / one",
    "to_act": "A",
    "piles": {"hand of A": "7H", "heap at 2": "KS 9D", "unnamed": "3C"},
    "state": {"trump": "clubs", "said": 4, "taken of B": 3},
}


@pytest.mark.parametrize(
    ("formula", "french"),
    [
        ("top(to).suit is trump", ["tas 2, sur le dessus : 9♦", "atout : trèfle"]),
        ("if to is empty then card.rank is king else card.rank is top(to).rank", ["tas 2, sur le dessus : 9♦"]),
        ("card.suit is trump", ["atout : trèfle"]),
        ("to is empty", ["tas 2 : pas vide"]),
        ("heap of 1 is not empty", ["tas 1 : vide"]),
        ("top(to) is top(heap of 1)", ["tas 2, sur le dessus : 9♦", "tas 1 : vide"]),
        ("count(to) > said", ["tas 2, en tout : 2", "annonce : 4"]),
        ("card.suit.colour is top(to).suit.colour and card is bottom(to)", ["tas 2, tout en bas : R♠"]),
        (
            "card.suit.colour is not top(to).suit.colour",
            ["7♥ : rouge", "tas 2, sur le dessus : rouge", "tas 2, sur le dessus : 9♦"],
        ),
        ("height is high", ["hauteur du jeu : basse"]),
        ("taken of A > taken of B", ["plis (A) : 0", "plis (B) : 3"]),
        ("worth(bare) > 10", ["annonce : 4"]),
        ("bare > 3 or top(unnamed) is card", []),
        ("no p in players has taken of p > 2", ["plis (B) : 3"]),
    ],
)
def test_grounds_are_named_as_players_know_them(formula: str, french: list[str], tmp_path: Path) -> None:
    state = change_rules("game/reasons", tmp_path, {"FORMULA": formula}).position(POSITION)
    for found in (state.why("lay 7H -> 2"), state.why("lay 7H -> 2", "A")):
        assert found.failing is not None
        assert [spaced(text) for one in found.failing.grounds if (text := dict(one)["fr"])] == french
