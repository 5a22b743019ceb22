"""The values that a reason hangs on, said to people who read no formulas: only of what has a name in their language."""

from __future__ import annotations

from pathlib import Path

import pytest
from spaces import spaced

from interpreter import load

POSITION = {
    "at": "all / turn / one",
    "to_act": "A",
    "piles": {"hand of A": "7H", "heap at 2": "KS 9D", "unnamed": "3C"},
    "state": {"trump": "clubs", "said": 4, "taken of B": 3},
}


@pytest.mark.parametrize(
    ("formula", "french"),
    [
        ("card.suit is trump", ["atout : trèfle"]),
        ("to is empty", ["tas 2 : pas vide"]),
        ("heap of 1 is not empty", ["tas 1 : vide"]),
        ("top(to).suit is trump", ["tas 2, sur le dessus : 9♦", "atout : trèfle"]),
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
        ("if to is empty then card.rank is king else card.rank is top(to).rank", ["tas 2, sur le dessus : 9♦"]),
        ("no p in players has taken of p > 2", ["plis (B) : 3"]),
    ],
)
def test_values_are_told_by_the_names_of_things(formula: str, french: list[str], tmp_path: Path) -> None:
    (tmp_path / "reasons.yaml").write_text(GAME.replace("FORMULA", formula), encoding="utf-8")
    (tmp_path / "reasons.fr.yaml").write_text(FRENCH, encoding="utf-8")
    state = load(tmp_path / "reasons.yaml").position(POSITION)
    for found in (state.why("lay 7H -> 2"), state.why("lay 7H -> 2", "A")):
        assert found.failing is not None
        assert [spaced(text) for one in found.failing.grounds if (text := dict(one)["fr"])] == french
