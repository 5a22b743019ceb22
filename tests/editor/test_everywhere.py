"""Wherever the pointer stands in a long ruleset, what is asked there is answered: each name has a kind and a meaning, and something can be typed."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tiers import in_tiers

from benchmarks.editing import long_rulesets
from interpreter.editor.completing import completions
from interpreter.editor.desk import Analysis, analysed, real
from interpreter.editor.hovering import hover
from interpreter.editor.looking import stands_in
from interpreter.editor.mentions import Mention, mentions
from interpreter.editor.referring import definitions
from interpreter.resources import shipped

NAMES = long_rulesets()
SOME = 25
"""Places in a plain run; in a slow one all names, and as many offsets as there are lines."""


@cache
def known(name: str) -> Analysis:
    return analysed(shipped()[name], {})


def all_names(name: str) -> list[Mention]:
    """Every name in the formulas of a file, each place once."""
    found = {m.span.start: m for m in mentions(known(name).hearing) if stands_in(m.span, real(shipped()[name]))}
    return [found[start] for start in sorted(found)]


def judge_name(name: str, mention: Mention, lang: str) -> None:
    """A name with what it is, then its kind or its meaning; and where it is given, unless the language itself gives it."""
    place = real(shipped()[name])
    for at in {mention.span.start, mention.span.end - 1}:
        found = hover(known(name), place, at, lang)
        assert found is not None, mention.symbol
        head, *lines = found.text.split("\n\n")
        assert head and any(line.strip() for line in lines), (mention.symbol, found.text)
    if mention.symbol.sort not in ("words", "locals"):
        assert definitions(known(name), place, mention.span.start), mention.symbol


def judge_place(name: str, at: int) -> None:
    place, text = real(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    hover(known(name), place, at, "en")
    for offer in completions(known(name), place, text, at, "fr"):
        assert offer.name and offer.sort


@pytest.mark.parametrize("name", in_tiers(NAMES, whole=NAMES[::3]))
def test_every_name_in_a_formula_is_explained(name: str) -> None:
    for mention in random.Random(name).sample(all_names(name), SOME):
        judge_name(name, mention, "fr")


@pytest.mark.parametrize("name", in_tiers(NAMES, whole=NAMES[1::3]))
def test_something_is_answered_at_every_place(name: str) -> None:
    text = shipped()[name].read_text(encoding="utf-8")
    for at in random.Random(name).sample(range(len(text)), SOME):
        judge_place(name, at)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_name_and_line_of_a_long_ruleset(name: str) -> None:
    for mention in all_names(name):
        judge_name(name, mention, "en")
    text = shipped()[name].read_text(encoding="utf-8")
    for at in random.Random(name).sample(range(len(text)), text.count("\n") // 4):
        judge_place(name, at)


@pytest.mark.parametrize("name", in_tiers(NAMES, whole=NAMES[::3]))
def test_inside_every_formula_names_are_offered(name: str) -> None:
    place, text = real(shipped()[name]), shipped()[name].read_text(encoding="utf-8")
    for mention in random.Random(name).sample(all_names(name), SOME):
        offered = {offer.name for offer in completions(known(name), place, text, mention.span.start, "en")}
        assert mention.symbol.name in offered or mention.span.text in offered, mention
