"""Every built-in word and form with arguments of every type: refused with a diagnostic, or interpreted and compiled alike."""

import random
from itertools import product
from pathlib import Path

import pytest
import yaml
from formulas import LISTS as LISTS_OF
from oracle import agree, checked
from rules import read_cases
from tiers import in_tiers, spread

from hoyle.language.vocabulary import WORDS

CASES = read_cases("language/words")

OPERANDS: dict[str, list[str]] = yaml.safe_load((Path(__file__).parent / "operands.yaml").read_text(encoding="utf-8"))
VALUES, LISTS, FEW, FORMS = (OPERANDS[name] for name in ("values", "lists", "few", "forms"))
EMPTY = [f"(x for x in {lists[0]} where false)" for lists in LISTS_OF.values()]
EMPTY += ["(s for s in tails(hand) where false)"]
"""Lists of every type without an item."""


def judged(text: str) -> bool:
    """Is the formula accepted? Then its interpreted and compiled values agree; if not, there is a diagnostic."""
    expr, problems = checked(text)
    if problems.errors:
        return False
    assert expr.type.name != "unknown", f"{text}: refused without a word"
    agree(expr, random.Random(text), states=2)
    return True


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_word_with_one_argument_of_every_kind(word: str) -> None:
    found = [judged(f"{word}({one})") for one in VALUES + LISTS + EMPTY]
    assert not all(found)
    assert any(found) == (len(WORDS[word].takes) - WORDS[word].optional == 1)


@pytest.mark.whole
@pytest.mark.parametrize("word", spread(sorted(WORDS), 4))
def test_a_word_with_two_arguments_of_every_kind(word: str) -> None:
    takes_two = len(WORDS[word].takes) == 2 or WORDS[word].many
    pairs = product(VALUES + LISTS + EMPTY, FEW) if takes_two else zip(VALUES + LISTS, LISTS + VALUES, strict=True)
    found = [judged(f"{word}({one}, {two})") for one, two in pairs]
    assert any(found) == takes_two


@pytest.mark.parametrize("word", sorted(WORDS))
@pytest.mark.parametrize("arguments", ["", "3, debt, none", "hand, pack, tableau", "me, A, 3", "pair(A, B), 1, 1"])
def test_a_word_with_too_few_or_many(word: str, arguments: str) -> None:
    assert not judged(f"{word}({arguments})") or WORDS[word].many


NOW = CASES["now"]
"""The forms of a plain run."""


@pytest.mark.whole
@pytest.mark.parametrize("form", in_tiers(FORMS, whole=NOW))
def test_a_form_with_operands_of_every_kind(form: str) -> None:
    found = [judged(form.format(one, two)) for one, two in product(VALUES + LISTS, FEW if "{1}" in form else [""])]
    assert any(found)
