"""What every word is worth: of nothing, of one and of many."""

from __future__ import annotations

import random
from typing import Any

import pytest
from everything import Position, position
from oracle import CARD, ME, OTHER, checked, compiled, plain, setting

from interpreter.language.evaluate import evaluate
from interpreter.language.kinds import Kind
from interpreter.language.vocabulary import WORDS

NOTHING = "(n for n in 1..3 where false)"
TRUE = {
    "top": [
        "if hand is empty then top(hand) is none else top(hand) is (hand at count(hand))",
        "top(vacant(tableau)) is none",
    ],
    "bottom": [
        "if hand is empty then bottom(hand) is none else bottom(hand) is (hand at 1)",
        "bottom(vacant(tableau)) is none",
    ],
    "first": [
        f"first({NOTHING}) is none",
        "first(4..4) is 4",
        "first((7, 8, 9)) is 7",
        "first(pair(A, B)) is A",
        "first((7, 8, 9), 2) is (7, 8)",
        "first((7, 8), 5) is (7, 8)",
        "first((7, 8), 0) is empty",
        "first((7, 8), -1) is empty",
    ],
    "last": [
        f"last({NOTHING}) is none",
        "last(4..4) is 4",
        "last((7, 8, 9)) is 9",
        "last(pair(A, B)) is B",
        "last((7, 8, 9), 2) is (8, 9)",
        "last((7, 8), 5) is (7, 8)",
        "last((7, 8), 0) is empty",
        "last((7, 8), -1) is empty",
    ],
    "tails": [
        f"tails({NOTHING}) is empty",
        "count(tails(4..4)) is 1",
        "count(tails((7, 8, 9))) is 3",
        "first(tails((7, 8, 9))) is (7, 8, 9)",
        "last(tails((7, 8, 9))) is (9..9)",
    ],
    "count": [f"count({NOTHING}) is 0", "count(4..4) is 1", "count((5, 5, 5)) is 3"],
    "sum": [f"sum({NOTHING}) is 0", "sum(4..4) is 4", "sum((5, -2, 5)) is 8"],
    "max": [
        f"max({NOTHING}) is none",
        "max(4..4) is 4",
        "max((3, 9, -2)) is 9",
        "max((2, none, 8)) is 8",
        "max(3, 5, 4) is 5",
        "max(ranks) is last(ranks)",
    ],
    "min": [
        f"min({NOTHING}) is none",
        "min(4..4) is 4",
        "min((3, 9, -2)) is -2",
        "min((2, none, 8)) is 2",
        "min(3, 5, 4) is 3",
        "min(ranks) is first(ranks)",
    ],
    "abs": [
        "abs(0) is 0",
        "abs(3) is 3",
        "abs(-3) is 3",
        "if bid of hearts is none then abs(bid of hearts) is none else true",
    ],
    "cards": [
        "cards(t for t in tableau where false) is empty",
        "cards(pack) is (x for x in pack)",
        "count(cards(tableau)) is sum(count(t) for t in tableau)",
        "cards(piles(pack, hand)) is (pack + hand)",
    ],
    "piles": [
        "piles(t for t in tableau where false) is empty",
        "count(piles(pack)) is 1",
        "last(piles(pack, hand, tableau at 2)) is (tableau at 2)",
        "count(piles(tableau, reserve)) is count(tableau) + count(reserve)",
    ],
    "started": [
        "started(t for t in tableau where false) is empty",
        "started(tableau) is (t for t in tableau where t is not empty)",
    ],
    "vacant": [
        "vacant(t for t in tableau where false) is none",
        "vacant(tableau) is none or vacant(tableau) is first(t for t in tableau where t is empty)",
        "vacant(tableau) is not none or every t in tableau has t is not empty",
    ],
    "index": ["index(pack) is 1", "index(tableau at 3) is 3", "index(spot at 2) is 2", "index(tableau at 9) is none"],
    "subsets": [
        f"count(subsets({NOTHING})) is 1",
        "count(subsets(4..4)) is 2",
        "count(subsets((7, 8, 9))) is 8",
        "count(subsets((7, 8, 9), 2)) is 3",
        "count(subsets((7, 8, 9), 4)) is 0",
        "first(subsets((7, 8, 9), 2)) is (7, 8)",
    ],
    "distinct": [f"distinct({NOTHING})", "distinct(4..4)", "distinct((7, 8, 9))", "not distinct((7, 8, 7))"],
    "kinds": [f"kinds({NOTHING}) is empty", "kinds(4..4) is (4..4)", "kinds((7, 8, 7)) is (7, 8)"],
    "reversed": [f"reversed({NOTHING}) is empty", "reversed(4..4) is (4..4)", "reversed((7, 9, 8)) is (8, 9, 7)"],
    "sorted": [f"sorted({NOTHING}) is empty", "sorted(4..4) is (4..4)", "sorted((7, 9, -8, 7)) is (-8, 7, 7, 9)"],
    "up": ["up(c)", "not up(top(vacant(tableau)))"],
    "next": ["next(A) is B", "next(C) is A"],
    "seat": ["seat(A, 0) is A", "seat(A, 2) is C", "seat(A, 3) is A", "seat(A, -1) is C"],
    "round": ["round(A) is (A, B, C)", "round(C) is (C, A, B)"],
    "side": ["side(A) is side(C)", "side(B) is lone", "side(side(B)) is lone"],
    "members": ["members(both) is (A, C)", "members(B) is (p for p in players where p is B)"],
    "pair": ["pair(A, A) is none", "pair(A, B) is pair(B, A)", "pair(B, C) is last(pairs)"],
}
"""For each word formulas that are true in every position; `c` is a card that lies face up."""


def test_every_word_has_a_row() -> None:
    assert {word: len(rows) for word, rows in TRUE.items() if len(rows) < 2} == {}
    assert set(TRUE) == set(WORDS)


@pytest.mark.parametrize(("word", "formula"), [(word, formula) for word, rows in TRUE.items() for formula in rows])
def test_the_value_of_a_word(word: str, formula: str) -> None:
    assert f"{word}(" in formula
    expr, problems = checked(formula)
    assert not problems.errors, list(problems)
    function, _ = compiled(expr, inlined=False)
    for seed in range(8):
        at = position(random.Random(seed))
        assert evaluate(expr, setting(at), {ME: 0, CARD: 1, OTHER: 1}) is True
        assert bool(function(at.piles, at.cells, 0, 1, 1)) is True


# Order

ARGUMENTS = ("pack", "hand of p", "cards(tableau)", "tableau", "(x.rank.worth for x in pack)", "(x.rank for x in pack)")


def bag(value: Any, kind: Kind) -> Any:
    """The value, where lists of the same items in another order are one."""
    return sorted(bag(item, kind.of_item) for item in value) if kind.name == "list" else value


@pytest.mark.parametrize("word", sorted(WORDS))
def test_the_order_of_pieces_bears_on_a_word_that_says_so(word: str) -> None:
    """`ordered` in its row. Of a list it is its items that count; a word that only gives them in another order may say it too."""
    tried = [f"{word}({one}{more})" for one in ARGUMENTS for more in ("", ", 2")]
    exprs = [expr for expr, problems in map(checked, tried) if not problems.errors]
    found = [_changed(expr, seed) for expr in exprs for seed in range(12)]
    if WORDS[word].ordered:
        assert any(exactly for exactly, _ in found)
    else:
        assert not any(items for _, items in found)


def _changed(expr: Any, seed: int) -> tuple[bool, bool]:
    """Is the value another one when each pile is shuffled; has it other items?"""
    chance = random.Random(seed)
    at = position(chance)
    turned = Position([chance.sample(pile, len(pile)) for pile in at.piles], at.cells)
    before, after = (plain(evaluate(expr, setting(p), {ME: 0, CARD: 1, OTHER: 1}), expr.kind) for p in (at, turned))
    return before != after, bag(before, expr.kind) != bag(after, expr.kind)
