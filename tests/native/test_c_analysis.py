"""Find the loops, lists and branches of generated code that C can be written for in a quicker way, and those it cannot.

`cases/c_analysis.yaml` lists, by subject, what each case is, its code, and what is found.
"""

from collections.abc import Callable, Iterable
from textwrap import indent
from typing import Any

import pytest
from nodes import function, printed, statements
from rules import read_cases

from hoyle.compiling import code
from hoyle.compiling.code import Statement, Value
from hoyle.compiling.python import text_of
from hoyle.language.value_types import Piece
from hoyle.native.inference import describe_constants
from hoyle.native.loop_idioms import (
    find_count_loop,
    find_counter,
    find_emptied_pile,
    find_lesser,
    find_sums,
    find_table_values,
    find_walks,
)
from hoyle.native.prefix_sharing import SharedPrefix, find_least_size, find_shared_prefix, names_of
from hoyle.native.rewriting import rewrite
from hoyle.native.stack_lists import find_multi_returns, find_unpacked_names, is_set_before_used

CASES = read_cases("native/c_analysis")
BEGUN = "m = -5\nl = -5\nfor c in s:\n    v = A[c]\n    if v > m: m = v\n    if l == -5 or v < l: l = v"
SPAN = "b = m - l == 2\nif b:\n    n += 1"
MADE = "v = w_subsets(P, P[4 + me], 2)\nacts += [(7, c,) for c in v]"
KINDS = {"v": "LL", "s": "L", "t": "L", "k": "LL", "n": "I"}


def told_in_code(values: Iterable[Value]) -> list[str]:
    return [*map(text_of, values)]


def loop(body: str, before: str = "n = 0", after: str = "") -> tuple[code.For, list[Statement]]:
    around = statements(f"{before}\nfor s in all:\n{indent(body, '    ')}\n{after}")
    return next(x for x in around if isinstance(x, code.For)), around


def found(body: str, after: str = "") -> SharedPrefix | None:
    """Loops through subsets may go on from what was found of their beginnings."""
    return find_shared_prefix(*loop(body, after=after))


def begins(text: str) -> list[str] | None:
    one = found(text)
    return names_of(one.begins) if one is not None else None


def spans(text: str) -> list[str]:
    """Differences that only grow."""
    one = found(text)
    assert one is not None and {(s.greatest, s.least, s.absent) for s in one.spans} <= {("m", "l", None)}
    return told_in_code(span.limit for span in one.spans)


def in_loop(text: str) -> object:
    one: Any = find_count_loop(statements(text)[0])  # type: ignore[arg-type]
    assert one is None or text_of(one[1]) == "15"
    return one and one[0]


def walked(text: str) -> bool:
    each = find_walks(statements(text), KINDS, {})
    assert {(text_of(walk.of), walk.size, walk.tails) for walk in each.values()} <= {("items", None, False)}
    return [*each] == ["v"]


def offered(text: str) -> str:
    asked = "if not acts: return 3\ns.acts = acts; s.actor = me; s.pc = 5\nreturn -1"
    return printed(rewrite(function("b5", f"acts = []\n{text}\n{asked}")).body)


def numbers(gives: str, asks: str) -> int | None:
    """How many numbers a function returns one by one."""
    functions = {"f": function("f", gives), "g": function("g", "return (1,)"), "b1": function("b1", asks)}
    sizes = find_multi_returns(functions, {"f": "L"}, ())
    assert set(find_unpacked_names(functions["b1"], sizes)) == ({"v"} if sizes and "v" in asks else set())
    return sizes.get("f")


FINDERS: dict[str, Callable[..., object]] = {
    "beginnings": begins,
    "spans": spans,
    "sizes": lambda text: find_least_size(*loop(text, before="n = 0\nk = 0", after="n += k")),
    "counted": lambda text: find_counter(statements(text)[0]),  # type: ignore[arg-type]
    "loops": in_loop,
    "lesser": lambda text: (one := find_lesser(statements(text)[0], {"v", "d"})) and [*one],  # type: ignore[arg-type]
    "doubled": lambda text: sorted(find_sums(statements(text))),
    "walked": walked,
    "set before it is used": lambda text: is_set_before_used(statements(text), "v"),
    "several": numbers,
    "emptied": lambda text: (one := find_emptied_pile(statements(text)[0])) and told_in_code(one),  # type: ignore[arg-type]
    "listed at once": lambda text: "later(" in offered(text),
}


@pytest.mark.parametrize("subject", FINDERS)
def test_what_is_found(subject: str) -> None:
    find = FINDERS[subject]
    assert {name: find(*texts) for name, *texts, _ in CASES[subject]} == {case[0]: case[-1] for case in CASES[subject]}


def test_a_name_that_is_read_after_the_loop_prevents_beginnings() -> None:
    assert [found(f"{BEGUN}\n{SPAN}", after=f"k = {name}") for name in "mlvcs"] == [None] * 5


def test_what_the_second_item_does() -> None:
    """Then the first is there: nothing is absent any more. If items may be absent, the least may still have its first value."""
    one = found(BEGUN)
    assert one is not None
    assert printed(one.later).splitlines() == ["v = A[c]", "if v > m: m = v", "if v < l: l = v"]
    one = found(f"{BEGUN.replace('if l == -5 or v < l:', 'if v != -5 and (l == -5 or v < l):')}\n{SPAN}")
    assert one is not None
    assert [span.absent and text_of(span.absent) for span in one.spans] == ["-5"]
    assert "l == -5" in printed(one.later[2:])


def test_values_of_tables_have_32_bits() -> None:
    text = "v = A[c]\nw = A[c]\nw = w + 1\nfor u in A: u = A[c]\nx = C[3]\ny = A[c]\ny = A[d]"
    assert find_table_values(statements(text), {"A"}) == {"v", "y"}


def test_subsets_that_are_only_chosen_from_are_listed_later() -> None:
    assert "acts = later(7, 4 + me, 2)" in offered(MADE)
    assert "w_subsets" not in offered(MADE)


def test_constants_have_one_order() -> None:
    """Two processes must not build one game twice. Types are no constants of C."""
    kinds = Piece("card", frozenset({"hand", "heap", "pack"}))
    assert describe_constants({"A_1": (1, 2), "K_2": kinds, "w_top": len, "HITS": [3]}) == "A_1 = (1, 2)"


def test_functions_of_tables_and_of_one_number_return_as_before() -> None:
    functions = {"f": function("f", "return (1, n, 3)"), "b1": function("b1", "v = f(P)\nk = v[0] + v[2]")}
    assert find_multi_returns(functions, {"f": "L"}, ["f"]) == {}
    assert find_multi_returns(functions, {"f": "I"}, ()) == {}
