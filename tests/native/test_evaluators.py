"""Formulas as functions of piles have the same values one by one and many by one call, by Python and by machine code."""

from __future__ import annotations

import warnings
from array import array
from itertools import chain, islice
from random import Random
from threading import Thread
from typing import Any, Literal

import pytest
from engines import with_compiler
from games import game
from tiers import in_tiers, sized

from benchmarks.shows import FORMULA, PILES, distribution
from interpreter import Refused, load
from interpreter.game import evaluators
from interpreter.game.evaluators import Evaluator

ASKED = [
    ("cribbage", "worth(hand of A)", ("hand of A", "starter")),
    ("cribbage", "worth(crib)", ("crib", "starter")),
    ("gin-rummy", "least_deadwood(hand of A)", ("hand of A",)),
    (
        "cribbage",
        "count(s for s in subsets(hand of A, 0)) + count(s for s in subsets(hand of A, 2) where some c in s has c.rank is ace)",
        ("hand of A",),
    ),
    (
        "cribbage",
        "some s in subsets(hand of A) has (count(s) is 2 and top(starter).rank is first(s).rank)",
        ("hand of A", "starter"),
    ),
    (
        "cribbage",
        "max(count(s) for s in subsets(hand of A, count(starter)) where every c in s has c.rank.order > 2)",
        ("hand of A", "starter"),
    ),
    ("cribbage", "count(hand of A) + ((most n in 1..3 where false by n) otherwise 7)", ("hand of A",)),
    ("cribbage", "(count(hand of A) - 3) div 2 + 10 * ((count(hand of A) - 3) mod 3)", ("hand of A",)),
    ("gin-rummy", "every c in hand of A has c.rank.order > 2", ("hand of A",)),
    (
        "grabuge",
        "count(t for t in tableau where fits(top(turned of A), t))",
        ("turned of A", "tableau at 1", "tableau at 2"),
    ),
    ("grabuge", "top(turned of A).rank.order", ("turned of A",)),
    ("grabuge", "first(c for c in turned of A where c.rank.order > 6)", ("turned of A",)),
]
Kind = Literal["auto", "python", "native"]


def asked(kind: Kind, name: str, formula: str, piles: tuple[str, ...]) -> Evaluator:
    return Evaluator(game(name).compiled, kind, formula, piles)  # without an engine for the whole game


def dealt(name: str, piles: int, times: int) -> list[list[list[int]]]:
    """Up to five pieces for each pile, in each column as often."""
    stream, classes = Random(7), len(game(name).machine.homes)
    sizes = [[stream.randrange(6) for _ in range(piles)] for _ in range(times)]
    packs = (iter(stream.sample(range(classes), sum(row))) for row in sizes)
    rows = [[[2 * n | 1 for n in islice(pack, size)] for size in row] for row, pack in zip(sizes, packs, strict=True)]
    return [list(column) for column in zip(*rows, strict=True)]


@with_compiler
@pytest.mark.parametrize(("name", "formula", "piles"), in_tiers(ASKED, quick=ASKED[-1:], whole=ASKED[::5]))
def test_engines_agree(name: str, formula: str, piles: tuple[str, ...]) -> None:
    given = dealt(name, len(piles), sized(60, 300))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = asked("native", name, formula, piles).many(*given)
    one = asked("python", name, formula, piles)
    assert found == one.many(*given) == array("q", (int(one(*row)) for row in zip(*given, strict=True)))
    assert len({*found}) > 1


@pytest.mark.slow
@with_compiler
def test_one_built_for_the_sizes_of_its_piles_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [[2 * n | 1 for n in Random(seed).sample(range(52), 5)] for seed in range(sized(100, 2000))]
    given = [row[:4] for row in cards], [row[4:] for row in cards]
    found = asked("native", *ASKED[0]).many(*given)
    monkeypatch.setattr(evaluators, "_SIZED", 1)
    other = asked("native", *ASKED[0])
    assert other.many(*given) == found
    assert other.many([row[:3] for row in cards], given[1]) == asked("python", *ASKED[0]).many(
        [row[:3] for row in cards], given[1]
    )


@pytest.mark.parametrize("kind", [pytest.param("native", marks=[with_compiler, pytest.mark.whole]), "python"])
def test_contents_are_signs_numbers_or_buffers(kind: Kind) -> None:
    worth = asked(kind, "cribbage", "worth(hand of A)", ("hand of A", "starter"))
    signs = [["5H", "5S", "5D", "JC"], ["2H", "4S", "6D", "8C"]], [["5C"], ["KH"]]
    cards, starters = ([[game("cribbage").piece(sign) for sign in row] for row in pile] for pile in signs)
    rows = memoryview(array("i", chain(*cards))).cast("B").cast("i", (2, 4))
    wide = memoryview(array("q", chain(*cards))).cast("B").cast("q", (2, 4))
    single = array("i", chain(*starters))
    for given in ((*signs,), (cards, starters), (rows, single), (rows.toreadonly(), starters), (wide, single)):
        assert [*worth.many(*given)] == [29, 0]
    assert [*worth.many([], [])] == [] == [*worth.many(memoryview(b"").cast("i"), [])]


@pytest.mark.parametrize("kind", [pytest.param("native", marks=[with_compiler, pytest.mark.whole]), "python"])
def test_what_no_pile_holds_is_refused(kind: Kind) -> None:
    worth = asked(kind, "cribbage", "worth(hand of A)", ("hand of A", "starter"))
    for wrong in (["5H", "1X"], [5, 1000], [5, -2]):
        with pytest.raises(Refused, match="R705"):
            worth.many([[5], wrong], [[1], [1]])
    with pytest.raises(ValueError, match="2 piles"):
        worth.many([[5]], [[1], [1]])
    with pytest.raises(ValueError, match="2 piles"):
        worth.many([[5]])
    with pytest.raises(ValueError, match="a row for each"):
        worth.many(memoryview(bytes(8)).cast("B", (2, 2, 2)), [[1], [1]])
    with pytest.raises(Refused, match="R306"):
        asked(kind, "cribbage", "hand of A + starter", ("hand of A",)).many([[5]])


@pytest.mark.parametrize("kind", [pytest.param("native", marks=[with_compiler, pytest.mark.whole]), "python"])
@pytest.mark.parametrize("name", ["cribbage", "grabuge", "fevga"])
def test_no_piece_lies_there_more_often_than_there_are(name: str, kind: Kind) -> None:
    """In all piles together, and whichever side of it is up: of a pack, of several packs, of men that are all alike."""
    one = game(name)
    first, second, *_ = (pile for n in range(len(one.machine.face)) if (pile := one.namer.key(n)))
    many = asked(kind, name, f"count({first}) + count({second})", (first, second))
    copies = one.machine.copies[0]
    assert [*many.many([[0] * copies, [1]], [[], [0] * (copies - 1)])] == [copies, copies]
    too_many: list[tuple[list[list[int]], list[list[int]]]] = [
        ([[1, *[0] * copies]], [[]]),
        ([[1]], [[0] * copies]),
        ([[]], [[0] * (sum(one.machine.copies) + 1)]),
    ]
    for wrong in too_many:
        with pytest.raises(Refused, match=rf"R706.*there is only {copies}"):
            many.many(*wrong)
        with pytest.raises(Refused, match="R706"):
            many(*(pile[0] for pile in wrong))


@pytest.mark.whole
@with_compiler
def test_several_threads_ask_at_once() -> None:
    worth = asked("native", "cribbage", "worth(hand of A)", ("hand of A", "starter"))
    given = dealt("cribbage", 2, 2000)
    found: list[Any] = []
    threads = [Thread(target=lambda: found.append(worth.many(*given))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [worth.many(*given)] * 4


WORTH = [
    1009008,
    99792,
    2813796,
    505008,
    2855676,
    697508,
    1800268,
    751324,
    1137236,
    361224,
    388740,
    51680,
    317340,
    19656,
    90100,
]
WORTH += [9168, 58248, 11196, 2708, 0, 8068, 2496, 444, 356, 3680, 0, 0, 0, 76, 4]
"""How many of all hands of Cribbage are worth 0, 1, 2, … with their starter: known since computers count them."""


@with_compiler
@pytest.mark.slow
def test_all_hands_of_cribbage() -> None:
    found = distribution(asked("native", "cribbage", FORMULA, PILES), game("cribbage"))
    assert [found[points] for points in range(30)] == WORTH
    assert found.total() == sum(WORTH) == 12_994_800


@pytest.mark.slow
@with_compiler
def test_formulas_of_the_same_code_are_not_the_same() -> None:
    """Their tables differ: which one a formula looks up is in no line of its code."""
    one = load("hearts", engine="native")
    formulas = ("top(hand of A).rank.order", "top(hand of A).suit.order", "top(hand of A).rank", "top(hand of A).suit")
    hands = [["7H"], ["QS"], ["AC"]]
    for formula in formulas:
        ours = load("hearts", engine="python").evaluator(formula, "hand of A").many(hands)
        assert one.evaluator(formula, "hand of A").many(hands) == ours


def test_what_is_no_piece_is_refused_of_one_and_of_many() -> None:
    evaluator = load("hearts").evaluator("count(hand of A)", "hand of A")
    for piece in (-1, 999):
        with pytest.raises(Refused, match="R705"):
            evaluator([piece])
        with pytest.raises(Refused, match="R705"):
            evaluator.many([[piece]])
