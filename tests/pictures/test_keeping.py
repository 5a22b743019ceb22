"""What is kept from one picture to the next changes no picture; sizes are kept as long as all fits."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from games import game
from tiers import some_now

from interpreter import State
from interpreter.game.pictured import names_of
from interpreter.pictures import keeping
from interpreter.pictures.fitting import Fit
from interpreter.pictures.picture import picture
from interpreter.pictures.theme import DARK, LIGHT

NAMES = ["klondike", "hearts", "crapette"]
ROOM = 620


def course(name: str, moves: int = 40) -> Iterator[State]:
    state, pick = game(name).start(3), random.Random(3)
    for _ in range(moves):
        if state.is_over:
            return
        state = state.play(pick.choice(state.moves()))
        yield state


def height(svg: str) -> float:
    found = re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', svg)
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("name", NAMES)
def test_what_was_drawn_before_is_drawn_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, kept = game(name), 0
    words = [names_of(rules.compiled, lang) for lang in ("en", "fr")]
    for number, state in enumerate(course(name, 25)):
        view = state.view(rules.seats[0])
        how = words[number % 2], (LIGHT, DARK)[number % 3 % 2], (800, 500)[number % 5 % 2]
        drawn = picture(view, *how)
        kept += len(keeping._drawn)
        with monkeypatch.context() as fresh:
            fresh.setattr(keeping, "_drawn", {})
            assert picture(view, *how) == drawn
    assert kept


@pytest.mark.parametrize("name", some_now(NAMES, 1))
def test_sizes_are_kept_as_long_as_all_fits(name: str) -> None:
    rules, fit, sizes = game(name), Fit(), list[float]()
    words = names_of(rules.compiled, "en")
    for state in course(name):
        view = state.view(rules.seats[0])
        alone, after = (height(picture(view, words, height=ROOM, before=one)) for one in (None, fit))
        sizes.append(fit.card)
        assert after <= max(ROOM, alone)
    assert len(set(sizes)) <= 3 < len(sizes), "cards keep their size"
