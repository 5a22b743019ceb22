"""Caches between pictures change no picture, and cards keep their size while all fits."""

import pytest
from drawn import parsed
from exchange import walked
from games import game
from tiers import in_tiers

from hoyle.game.views.labels import picture_names
from hoyle.pictures import piles
from hoyle.pictures.picture import Fit, draw_picture
from hoyle.pictures.theme import DARK, LIGHT

NAMES = in_tiers(["klondike", "hearts", "crapette"], whole=["klondike"])
ROOM = 620


@pytest.mark.parametrize("name", NAMES)
def test_cached_parts_are_drawn_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, kept = game(name), 0
    words = [picture_names(rules.compiled, lang) for lang in ("en", "fr")]
    for number, state in enumerate(walked(rules, 3, 10).states[1:]):
        view = state.view(rules.seats[0])
        how = words[number % 2], (LIGHT, DARK)[number % 3 % 2], (800, 500)[number % 5 % 2]
        drawn = draw_picture(view, *how)
        kept += len(piles._drawn)
        with monkeypatch.context() as fresh:
            fresh.setattr(piles, "_drawn", {})
            assert draw_picture(view, *how) == drawn
    assert kept


@pytest.mark.parametrize("name", NAMES)
def test_cards_keep_their_size_while_all_fits(name: str) -> None:
    rules, fit, sizes = game(name), Fit(), list[float]()
    words = picture_names(rules.compiled, "en")
    for state in walked(rules, 3, 18).states[1:]:
        view = state.view(rules.seats[0])
        alone, after = (
            float(parsed(draw_picture(view, words, height=ROOM, before=one)).get("viewBox", "").split()[3])
            for one in (None, fit)
        )
        sizes.append(fit.card)
        assert after <= max(ROOM, alone)
    assert len(set(sizes)) <= 3 < len(sizes)
