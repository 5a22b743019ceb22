"""Which loops through subsets go on from what was found of their beginnings, where they leave one, and how many items a list must have."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from engines import with_compiler
from games import game
from tiers import in_tiers

from interpreter.game.evaluators import Evaluator
from interpreter.native.beginnings import Beginnings, beginnings, least_size, names_of

MOST, LEAST = "if v > m: m = v", "if l == -5 or v < l: l = v"
EACH = f"for c in s:\n    v = A[c]\n    {MOST}\n    {LEAST}"
BEGUN = f"m = -5\nl = -5\n{EACH}"
SPAN = "b = m - l == 2\nif b:\n    n += 1"


def loop(body: str, before: str = "n = 0", after: str = "") -> tuple[ast.For, list[ast.stmt]]:
    function = ast.parse(f"{before}\nfor s in all:\n{indent(dedent(body), '    ')}\n{after}").body
    found = next(x for x in function if isinstance(x, ast.For))
    return found, function


def found(body: str, before: str = "n = 0", after: str = "") -> Beginnings | None:
    return beginnings(*loop(body, before, after))


FOUND = {
    "extremes": (f"{BEGUN}\n{SPAN}", ["m", "l"]),
    "numbers of any sort": ("m = 0\nfor c in s:\n    if c > 3:\n        m = m + c\nn += m", ["m"]),
    "nothing is begun": ("for c in s:\n    v = A[c]\nn += v", []),
}
NOT_FOUND = {
    "nothing is gone through": "m = 1\nn += m",
    "another list is gone through": BEGUN.replace("in s", "in t"),
    "begins as no constant": BEGUN.replace("m = -5", "m = n"),
    "is left early": f"{BEGUN}\n    if v > 3: break",
    "asks for more": f"{BEGUN}\n    v = f(c)",
    "changes what does not begin here": f"{BEGUN}\n    k = k + 1",
    "goes on from the last subset": "m = 0\nfor c in s:\n    m = m + v\n    v = A[c]",
    "adds to a list": f"{BEGUN}\n    xs.append(v)",
    "looks into a subset": "m = 0\nfor c in s:\n    m = s[0][c]",
    "puts something down": "m = 0\nfor c in s:\n    C[c] = 1",
}


@pytest.mark.parametrize(("body", "names"), FOUND.values(), ids=FOUND)
def test_what_is_found_for_beginnings(body: str, names: list[str]) -> None:
    one = found(body)
    assert one is not None
    assert names_of(one.begins) == names


@pytest.mark.parametrize("body", NOT_FOUND.values(), ids=NOT_FOUND)
def test_what_is_found_for_each_subset(body: str) -> None:
    assert found(body) is None


@pytest.mark.parametrize("name", ["m", "l", "v", "c", "s"])
def test_what_is_asked_for_after_the_loop_is_found_for_each_subset(name: str) -> None:
    assert found(f"{BEGUN}\n{SPAN}", after=f"k = {name}") is None


def test_the_first_item_is_there_when_the_second_comes() -> None:
    one = found(BEGUN)
    assert one is not None
    assert [ast.unparse(x) for x in one.later] == ["v = A[c]", "if v > m:\n    m = v", "if v < l:\n    l = v"]


SPANS = {
    "as large as it may be": (SPAN, ["2"]),
    "no larger than it may be": ("if m - l <= 3: n += 1", ["3"]),
    "and something else": ("b = m - l == 2 and f(s)\nif b: n += 1", ["2"]),
    "handed on": ("b = m - l == 2\nd = b\nif d and f(s): n += 1", ["2"]),
    "one of two": ("b = m - l == 2 or f(s)\nif b: n += 1", []),
    "otherwise something": ("if m - l == 2: n += 1\nelse: n += 2", []),
    "something is done anyhow": (f"{SPAN}\nn += 1", []),
    "larger": ("if m - l >= 2: n += 1", []),
    "the wrong way round": ("if l - m == 2: n += 1", []),
    "not known": ("if m - l == k: n += 1", []),
    "of a sum": ("if m + l == 2: n += 1", []),
}


@pytest.mark.parametrize(("rest", "limits"), SPANS.values(), ids=SPANS)
def test_differences_that_only_grow(rest: str, limits: list[str]) -> None:
    one = found(f"{BEGUN}\n{rest}")
    assert one is not None
    assert [ast.unparse(span.limit) for span in one.spans] == limits
    assert all((span.greatest, span.least, span.absent) == ("m", "l", None) for span in one.spans)


def test_a_difference_may_not_be_there_yet() -> None:
    """Where items may be absent, the least is only known to be there if it is no longer what it began as."""
    one = found(f"{BEGUN.replace(LEAST, 'if v != -5 and (l == -5 or v < l): l = v')}\n{SPAN}")
    assert one is not None
    assert [span.absent and ast.unparse(span.absent) for span in one.spans] == ["-5"]
    assert "l == -5" in ast.unparse(one.later[2])


@pytest.mark.parametrize("twice", [f"    {MOST}", "    if v == 3: m = 0"])
def test_what_is_set_in_two_ways_is_no_extreme(twice: str) -> None:
    one = found(f"{BEGUN}\n{twice}\n{SPAN}")
    assert one is not None
    assert one.spans == []


SIZES = {
    "at least": ("b = len(s) >= 3\nif b: n += 1", 3),
    "at least, and something else": ("if len(s) >= 2 and f(s): n += 1", 2),
    "at least one": ("if len(s) >= 0: n += 1", 1),
    "more than": ("if len(s) > 2: n += 1", 1),
    "of another": ("if len(t) >= 3: n += 1", 1),
    "something is done anyhow": ("if len(s) >= 3: n += 1\nn += 1", 1),
    "set, and asked for after the loop": ("k = len(s) >= 3\nif k: n += 1", 1),
}


@pytest.mark.parametrize(("body", "size"), SIZES.values(), ids=SIZES)
def test_how_many_items_a_list_must_have(body: str, size: int) -> None:
    assert least_size(*loop(body, before="n = 0\nk = 0", after="n += k")) == size


ASKED = [
    "count(s for s in subsets(hand of A, 3) where max(c.rank.order for c in s) - min(c.rank.order for c in s) is 2)",
    "count(s for s in subsets(hand of A, 4) where max(c.rank.order for c in s) - min(c.rank.order for c in s) <= 4 "
    "and distinct(c.rank for c in s))",
    "max(max(c.rank.value for c in s) - min(c.rank.value for c in s) for s in subsets(hand of A, 2)) otherwise 0",
    "max(count(t) for t in tails(hand of A) where count(t) >= 2 and every c in t has c.rank.value > 3) otherwise 0",
    "count(c for c in hand of A where count(d for d in hand of A where d.rank is c.rank) is 2)",
]


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("formula", in_tiers(ASKED, quick=ASKED[1:2], whole=ASKED[::2]))
def test_engines_agree(formula: str) -> None:
    hands = [[2 * (n * k % 52) | 1 for k in range(1, 7)][: n % 7] for n in range(1, 53) if n % 13]
    python, native = (
        Evaluator(game("cribbage").compiled, kind, formula, ("hand of A",)) for kind in ("python", "native")
    )
    found = [*native.many(hands)]
    assert found == [*python.many(hands)]
    assert len({*found}) > 1
