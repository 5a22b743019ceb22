"""Hover, completion and definitions answer at random places of shipped rulesets."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tiers import in_tiers, sized

from interpreter.editor.completing import completions
from interpreter.editor.desk import Analysis, analysed, real
from interpreter.editor.hovering import hover
from interpreter.editor.looking import stands_in
from interpreter.editor.mentions import Mention, mentions
from interpreter.editor.referring import definitions
from interpreter.resources import shipped

pytestmark = pytest.mark.whole
NAMES = in_tiers(["klondike", "barbu", "belote", "crapette", "coinchee", "backgammon", "tavli"], whole=["klondike"])


@cache
def known(name: str) -> Analysis:
    return analysed(shipped()[name], {})


def some_mentions(name: str) -> list[Mention]:
    """Names in the formulas of a file."""
    found = {m.span.start: m for m in mentions(known(name).hearing) if stands_in(m.span, real(shipped()[name]))}
    return random.Random(name).sample([found[start] for start in sorted(found)], sized(10, 90))


@pytest.mark.parametrize("name", NAMES)
def test_names_in_formulas_are_explained_defined_and_offered(name: str) -> None:
    place, text = real(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    for number, mention in enumerate(some_mentions(name)):
        for at in {mention.span.start, mention.span.end - 1}:
            found = hover(known(name), place, at, ("en", "fr")[number % 2])
            assert found is not None, mention.symbol
            head, *lines = found.text.split("\n\n")
            assert head and any(line.strip() for line in lines), (mention.symbol, found.text)
        if mention.symbol.sort not in ("words", "locals"):
            assert definitions(known(name), place, mention.span.start), mention.symbol
        offered = {offer.name for offer in completions(known(name), place, text, mention.span.start, "en")}
        assert mention.symbol.name in offered or mention.span.text in offered, mention


@pytest.mark.parametrize("name", NAMES)
def test_every_place_is_answered(name: str) -> None:
    place, text = real(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    for at in random.Random(name).sample(range(len(text)), sized(10, 90)):
        hover(known(name), place, at, "en")
        for offer in completions(known(name), place, text, at, "fr"):
            assert offer.name and offer.sort
