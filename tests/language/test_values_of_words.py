"""The values of built-in words: of nothing, of one item and of many. Interpreted and compiled formulas agree."""

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from everything import Position, position
from oracle import CARD, ME, OTHER, checked, compiled, plain, setting

from hoyle.language.evaluate import evaluate
from hoyle.language.value_types import ValueType
from hoyle.language.vocabulary import WORDS

TRUE: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "values_of_words.yaml").read_text(encoding="utf-8")
)


def test_every_word_has_a_row() -> None:
    assert {word: len(rows) for word, rows in TRUE.items() if len(rows) < 2} == {}
    assert set(TRUE) == set(WORDS)


@pytest.mark.parametrize(("word", "formula"), [(word, formula) for word, rows in TRUE.items() for formula in rows])
def test_the_value_of_a_word(word: str, formula: str) -> None:
    assert f"{word}(" in formula
    expr, problems = checked(formula)
    assert not problems.errors, list(problems)
    function, _ = compiled(expr, inlined=False)
    for seed in range(4):
        at = position(random.Random(seed))
        assert evaluate(expr, setting(at), {ME: 0, CARD: 1, OTHER: 1}) is True
        assert bool(function(at.piles, at.cells, 0, 1, 1)) is True


# Order

ARGUMENTS = ("pack", "hand of p", "cards(tableau)", "tableau", "(x.rank.worth for x in pack)", "(x.rank for x in pack)")


def bag(value: Any, value_type: ValueType) -> Any:
    """The value, where lists of the same items in another order are one."""
    return sorted(bag(item, value_type.item_type) for item in value) if value_type.name == "list" else value


@pytest.mark.parametrize("word", sorted(WORDS))
def test_the_order_of_pieces_matters_to_ordered_words(word: str) -> None:
    """A word that is not `ordered` may give the same items in another order."""
    tried = [f"{word}({one}{more})" for one in ARGUMENTS for more in ("", ", 2")]
    exprs = [expr for expr, problems in map(checked, tried) if not problems.errors]
    found = [_changed(expr, seed) for expr in exprs for seed in range(8)]
    if WORDS[word].ordered:
        assert any(exactly for exactly, _ in found)
    else:
        assert not any(items for _, items in found)


def _changed(expr: Any, seed: int) -> tuple[bool, bool]:
    """Is the value another one when each pile is shuffled; has it other items?"""
    chance = random.Random(seed)
    at = position(chance)
    turned = Position([chance.sample(pile, len(pile)) for pile in at.piles], at.cells)
    before, after = (plain(evaluate(expr, setting(p), {ME: 0, CARD: 1, OTHER: 1}), expr.type) for p in (at, turned))
    return before != after, bag(before, expr.type) != bag(after, expr.type)
