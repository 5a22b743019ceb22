"""Find the loops, lists and branches of generated Python that C can be written for in a quicker way, and those it cannot."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import Any

from interpreter.language.ir import NO_NUMBER
from interpreter.language.kinds import Piece
from interpreter.native.beginnings import Beginnings, beginnings, least_size, names_of
from interpreter.native.constants import told
from interpreter.native.doubling import sums
from interpreter.native.forms import Body
from interpreter.native.guessless import counted_if, counted_in, lesser, looked_up
from interpreter.native.leaving import emptied_by
from interpreter.native.rewriting import rewritten
from interpreter.native.rooms import set_before_used
from interpreter.native.several import kept_apart, several
from interpreter.native.subsets import walks


def a_loop(text: str) -> ast.For:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.For)
    return found


def a_branch(text: str) -> ast.If:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.If)
    return found


def expected(table: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    return {name: row[-1] for name, row in table.items()}


def unparsed(nodes: Iterable[ast.AST]) -> list[str]:
    return [*map(ast.unparse, nodes)]


# ---- loops through subsets that go on from what was found of their beginnings -----------------------------------------

MOST, LEAST = "if v > m: m = v", "if l == -5 or v < l: l = v"
EACH = f"for c in s:\n    v = A[c]\n    {MOST}\n    {LEAST}"
BEGUN = f"m = -5\nl = -5\n{EACH}"
SPAN = "b = m - l == 2\nif b:\n    n += 1"


def loop(body: str, before: str = "n = 0", after: str = "") -> tuple[ast.For, list[ast.stmt]]:
    function = ast.parse(f"{before}\nfor s in all:\n{indent(body, '    ')}\n{after}").body
    return next(x for x in function if isinstance(x, ast.For)), function


def found(body: str, after: str = "") -> Beginnings | None:
    return beginnings(*loop(body, after=after))


BEGINNINGS: dict[str, tuple[str, list[str] | None]] = {
    "extremes": (f"{BEGUN}\n{SPAN}", ["m", "l"]),
    "numbers of any sort": ("m = 0\nfor c in s:\n    if c > 3:\n        m = m + c\nn += m", ["m"]),
    "nothing is begun": ("for c in s:\n    v = A[c]\nn += v", []),
    "nothing is gone through": ("m = 1\nn += m", None),
    "another list is gone through": (BEGUN.replace("in s", "in t"), None),
    "begins as no constant": (BEGUN.replace("m = -5", "m = n"), None),
    "is left early": (f"{BEGUN}\n    if v > 3: break", None),
    "asks for more": (f"{BEGUN}\n    v = f(c)", None),
    "changes what does not begin here": (f"{BEGUN}\n    k = k + 1", None),
    "goes on from the last subset": ("m = 0\nfor c in s:\n    m = m + v\n    v = A[c]", None),
    "adds to a list": (f"{BEGUN}\n    xs.append(v)", None),
    "looks into a subset": ("m = 0\nfor c in s:\n    m = s[0][c]", None),
    "puts something down": ("m = 0\nfor c in s:\n    C[c] = 1", None),
}


def test_beginnings() -> None:
    told = {name: (one := found(body)) and names_of(one.begins) for name, (body, _) in BEGINNINGS.items()}
    assert told == expected(BEGINNINGS)


def test_a_name_that_is_read_after_the_loop_prevents_beginnings() -> None:
    assert [found(f"{BEGUN}\n{SPAN}", after=f"k = {name}") for name in "mlvcs"] == [None] * 5


def test_what_the_second_item_does() -> None:
    """Then the first is there: nothing is absent any more."""
    one = found(BEGUN)
    assert one is not None
    assert unparsed(one.later) == ["v = A[c]", "if v > m:\n    m = v", "if v < l:\n    l = v"]


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


def test_differences_that_only_grow() -> None:
    spans = {name: one.spans for name, (rest, _) in SPANS.items() if (one := found(f"{BEGUN}\n{rest}")) is not None}
    assert {name: unparsed(span.limit for span in each) for name, each in spans.items()} == expected(SPANS)
    assert {(s.greatest, s.least, s.absent) for each in spans.values() for s in each} == {("m", "l", None)}


def test_a_difference_may_be_absent() -> None:
    """If items may be absent, the least is present only if it is no longer its first value."""
    one = found(f"{BEGUN.replace(LEAST, 'if v != -5 and (l == -5 or v < l): l = v')}\n{SPAN}")
    assert one is not None
    assert [span.absent and ast.unparse(span.absent) for span in one.spans] == ["-5"]
    assert "l == -5" in ast.unparse(one.later[2])


def test_a_name_that_is_set_twice_is_no_extreme() -> None:
    for twice in (f"    {MOST}", "    if v == 3: m = 0"):
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


def test_how_many_items_a_list_must_have() -> None:
    loops = {name: loop(body, before="n = 0\nk = 0", after="n += k") for name, (body, _) in SIZES.items()}
    assert {name: least_size(*one) for name, one in loops.items()} == expected(SIZES)


# ---- branches that are written as sums and choices -------------------------------------------------------------------

COUNTED = {
    "compares numbers": ("if v == A[c]: n += 1", "n"),
    "compares with a constant": ("if v > 2: n += 1", "n"),
    "calls something": ("if f(v) > 2: n += 1", None),
    "compares what is worked out": ("if v + 1 == A[c]: n += 1", None),
    "asks for two things": ("if v == 1 and w == 2: n += 1", None),
    "looks whether it is there": ("if v in xs: n += 1", None),
    "adds more": ("if v == 1: n += 2", None),
    "takes away": ("if v == 1: n -= 1", None),
    "adds elsewhere": ("if v == 1: C[3] += 1", None),
    "does more": ("if v == 1:\n    n += 1\n    m = 2", None),
    "does something otherwise": ("if v == 1: n += 1\nelse: n += 2", None),
}

LOOPS = {
    "how often a list has it": ("for x in xs:\n    if x == 15: n += 1", "n"),
    "what is not it": ("for x in xs:\n    if x != 15: n += 1", None),
    "another number": ("for x in xs:\n    if y == 15: n += 1", None),
    "what may change": ("for x in xs:\n    if x == n: n += 1", None),
    "something more": ("for x in xs:\n    if x == 15: n += 1\n    m = x", None),
    "more at once": ("for x in xs:\n    if x == 15: n += x", None),
}

LESSER = {
    "the lesser": (f"if b == {NO_NUMBER} or v < b: b = v", ("b", "v")),
    "the greater": (f"if b == {NO_NUMBER} or v > b: b = v", None),
    "another beginning": ("if b == 0 or v < b: b = v", None),
    "what is not looked up": (f"if b == {NO_NUMBER} or w < b: b = w", None),
    "compared with another": (f"if b == {NO_NUMBER} or v < d: b = v", None),
    "set to another": (f"if b == {NO_NUMBER} or v < b: b = d", None),
    "something otherwise": (f"if b == {NO_NUMBER} or v < b: b = v\nelse: d = v", None),
}


def test_branches_that_count() -> None:
    assert {name: counted_if(a_branch(text)) for name, (text, _) in COUNTED.items()} == expected(COUNTED)


def test_loops_that_count() -> None:
    counted = {name: counted_in(a_loop(text)) for name, (text, _) in LOOPS.items()}
    assert {name: one and one[0] for name, one in counted.items()} == expected(LOOPS)
    assert unparsed(one[1] for one in counted.values() if one) == ["15"]


def test_the_lesser_of_two() -> None:
    assert {name: lesser(a_branch(text), {"v", "d"}) for name, (text, _) in LESSER.items()} == expected(LESSER)


def test_values_of_tables_have_32_bits() -> None:
    text = "v = A[c]\nw = A[c]\nw = w + 1\nfor u in A: u = A[c]\nx = C[3]\ny = A[c]\ny = A[d]"
    assert looked_up(ast.parse(text).body, {"A"}) == {"v", "y"}


# ---- lists that need not be made -------------------------------------------------------------------------------------

DOUBLE = "v += [x + w for x in v]"
GROWING = {
    "begins as one 0 and doubles": (f"v = [0]\nfor w in many:\n    {DOUBLE}\nfor x in v:\n    n = x", {"v"}),
    "goes through what is worked out": (f"v = [0]\nfor w in found(many):\n    {DOUBLE}", {"v"}),
    "two of them": ("v = [0]\nu = [0]\nv += [x + w for x in v]\nu += [x + w for x in u]", {"u", "v"}),
    "only begins": ("v = [0]", {"v"}),
    "begins as something else": (f"v = [1]\n{DOUBLE}", set()),
    "begins as two": (f"v = [0, 0]\n{DOUBLE}", set()),
    "begins anew": (f"v = [0]\n{DOUBLE}\nv = [0]", {"v"}),
    "is set to another list": (f"v = [0]\n{DOUBLE}\nv = u", set()),
    "grows by another list": ("v = [0]\nu = [1]\nv += [x + w for x in u]", set()),
    "grows by some": ("v = [0]\nv += [x + w for x in v if x]", set()),
    "grows by what is no sum": ("v = [0]\nv += [x - w for x in v]", set()),
    "grows by a sum of two others": ("v = [0]\nv += [w + x for x in v]", set()),
    "is looked at": (f"v = [0]\n{DOUBLE}\nn = v[0]", set()),
    "is given to another": (f"v = [0]\n{DOUBLE}\nn = len(v)", set()),
    "is gone through in a list": (f"v = [0]\n{DOUBLE}\nu = [x for x in v]", {"v"}),
}
MADE = "v = w_subsets(P, items)"
WALKED = {
    "gone through": (f"{MADE}\nfor s in v:\n    n = len(s)", True),
    "gone through twice": (f"{MADE}\nfor s in v:\n    n = len(s)\nfor t in v:\n    n = len(t)", True),
    "not gone through": (MADE, False),
    "counted too": (f"{MADE}\nfor s in v:\n    n = 1\nn = len(v)", False),
    "a subset is kept": (f"{MADE}\nfor s in v:\n    k.append(s)", False),
    "two at a time": (f"{MADE}\nfor s, t in v:\n    n = 1", False),
    "of another word": ("v = w_pairs(P, items)\nfor s in v:\n    n = len(s)", False),
}


def test_sums_that_double() -> None:
    assert {name: sums(ast.parse(text).body) for name, (text, _) in GROWING.items()} == expected(GROWING)


def test_subsets_that_are_gone_through() -> None:
    kinds = {"v": "LL", "s": "L", "t": "L", "k": "LL", "n": "I"}
    found = {name: walks(ast.parse(text).body, kinds, {}) for name, (text, _) in WALKED.items()}
    assert {name: [*each] == ["v"] for name, each in found.items()} == expected(WALKED)
    walked = [walk for each in found.values() for walk in each.values()]
    assert {(ast.unparse(walk.of), walk.size, walk.tails) for walk in walked} == {("items", None, False)}


LISTED = "v = w_subsets(P, P[4 + me], 2)\nacts += [(7, c,) for c in v]"
ASKED = "if not acts: return 3\ns.acts = acts; s.actor = me; s.pc = 5\nreturn -1"
KEPT = {
    "some are left out": f"{LISTED}\ngood = [a for a in acts if a[1]]\nacts = good",
    "it is asked how many they are": f"{LISTED}\nif len(acts) > 2: n = 1",
    "others are added": f"{LISTED}\nacts.append((8,))",
    "others come before": f"acts.append((8,))\n{LISTED}",
    "of what is put together": LISTED.replace("P[4 + me]", "[*P[4], *P[5]]"),
    "of a size that is not known": LISTED.replace("2)", "n)"),
    "of none": LISTED.replace("2)", "0)"),
    "of any size": LISTED.replace(", 2)", ")"),
    "with something beside": LISTED.replace("(7, c,)", "(7, c, 1,)"),
    "only some of them": LISTED.replace("for c in v", "for c in v if f(c)"),
    "of others": LISTED.replace("for c in v", "for c in w"),
}


def offered(text: str) -> str:
    function = ast.parse(f"def b5(s):\n{indent(f'acts = []{chr(10)}{text}{chr(10)}{ASKED}', '    ')}").body[0]
    assert isinstance(function, ast.FunctionDef)
    return ast.unparse(rewritten(function))


def test_subsets_that_are_only_chosen_from_are_listed_later() -> None:
    assert "acts = later(7, 4 + me, 2)" in offered(LISTED)
    assert "w_subsets" not in offered(LISTED)
    assert [name for name, text in KEPT.items() if "later(" in offered(text)] == []


SET = {
    "set and then used": ("v = []\nv.append(1)", True),
    "used and then set": ("v.append(1)\nv = []", False),
    "set to what it was with more": ("v = v + [1]", False),
    "added to": ("v += [1]", False),
    "found once": ("if not done:\n    v = [1]\n    done = 1\nw = v[0]", False),
    "set on either way, each for itself": ("if done:\n    v = [1]\n    w = v\nelse:\n    v = [2]\n    w = v", True),
    "set on one way only, used on the other": ("if done:\n    v = [1]\nelse:\n    w = v", False),
    "used in the condition": ("if v:\n    v = [1]", False),
    "gone through": ("for v in many:\n    w = v", True),
    "gone through, and used after": ("for v in many:\n    w = v\nw = v", False),
    "gone through where it is": ("for w in v:\n    v = []", False),
    "set in a loop within": ("for w in many:\n    v = []\n    v.append(w)", True),
    "set in a loop within, used after": ("for w in many:\n    v = []\nw = v", False),
    "set in a loop without end": ("while True:\n    v = [1]\n    break", True),
    "set in a loop without end, used after": ("while True:\n    v = [1]\n    break\nw = v", False),
    "used in a loop without end": ("while True:\n    w = v\n    v = [1]", False),
    "not there at all": ("w = 1", True),
}


def test_lists_that_are_set_before_they_are_used() -> None:
    """Those need not be kept for the next round of a loop."""
    assert {name: set_before_used(ast.parse(text).body, "v") for name, (text, _) in SET.items()} == expected(SET)


def test_constants_have_one_order() -> None:
    """Two processes must not build one game twice. Types are no constants of C."""
    kinds = Piece("card", frozenset({"hand", "heap", "pack"}))
    assert told({"A_1": (1, 2), "K_2": kinds, "w_top": len, "HITS": [3]}) == "A_1 = (1, 2)"


# ---- functions that return several numbers ---------------------------------------------------------------------------

GIVES = "return (1, n, 3)"
ASKS = "v = f(P)\nk = v[0] + v[2]"
SEVERAL = {
    "asked for by places": (GIVES, ASKS, 3),
    "gives as many in each case": (f"if n:\n    return (4, 5, 6)\n{GIVES}", ASKS, 3),
    "asked twice": (GIVES, f"{ASKS}\n{ASKS}", 3),
    "never asked": (GIVES, "k = 1", 3),
    "gives others as well": (f"if n:\n    return (4, 5)\n{GIVES}", ASKS, None),
    "gives what is a list elsewhere": (f"if n:\n    return xs\n{GIVES}", ASKS, None),
    "gives what is put together": ("return (1, *xs, 3)", ASKS, None),
    "asked for a place that is not there": (GIVES, f"{ASKS}\nk = v[3]", None),
    "asked for the last": (GIVES, f"{ASKS}\nk = v[-1]", None),
    "asked for a place that is worked out": (GIVES, f"{ASKS}\nk = v[n]", None),
    "gone through": (GIVES, f"{ASKS}\nfor k in v: n = k", None),
    "kept": (GIVES, f"{ASKS}\nk = v", None),
    "changed": (GIVES, f"{ASKS}\nv[0] = 1", None),
    "one name for two": (GIVES, f"{ASKS}\nv = g(P)", None),
    "asked for at once": (GIVES, "k = f(P)[0]", None),
    "asked in a condition, too": (GIVES, f"{ASKS}\nif f(P): k = 1", None),
}


def body(name: str, text: str) -> Body:
    return Body(name, ["P"], ast.parse(text).body, "a.yaml", [])


def test_numbers_that_are_returned_one_by_one() -> None:
    found = {}
    for name, (gives, asks, _) in SEVERAL.items():
        bodies = {"f": body("f", gives), "g": body("g", "return (1,)"), "b1": body("b1", asks)}
        sizes = several(bodies, {"f": "L"}, ())
        found[name] = sizes.get("f")
        assert set(kept_apart(bodies["b1"], sizes)) == ({"v"} if sizes and "v" in asks else set()), name
    assert found == expected(SEVERAL)


def test_functions_of_tables_and_of_one_number_return_as_before() -> None:
    bodies = {"f": body("f", GIVES), "b1": body("b1", ASKS)}
    assert several(bodies, {"f": "L"}, ["f"]) == {}
    assert several(bodies, {"f": "I"}, ()) == {}


# ---- piles that lose all their pieces at once ------------------------------------------------------------------------

MOVES = "move_pieces(s, (c,), (10,), 11 + C[c >> 1], -1, 3)"
LOOP = f"for c in tuple(P[10]): {MOVES}"
EMPTIED = {
    "each goes where it belongs": (LOOP, ("10", "11 + C[c >> 1]")),
    "a pile that is worked out": (LOOP.replace("10", "4 + C[2]"), ("4 + C[2]", "11 + C[c >> 1]")),
    "where it goes depends on what lies there": (LOOP.replace("C[c >> 1]", "len(P[4])"), None),
    "where it goes is asked of a function": (LOOP.replace("C[c >> 1]", "t0_place(P, C, -1, c)"), None),
    "another pile": (LOOP.replace("(10,)", "(12,)"), None),
    "two piles": (LOOP.replace("(10,)", "(10, 12)"), None),
    "another piece": (LOOP.replace("(c,)", "(d,)"), None),
    "only so many": (LOOP.replace("-1", "1"), None),
    "something more": (f"for c in tuple(P[10]):\n    {MOVES}\n    n += 1", None),
    "the pile itself": (LOOP.replace("tuple(P[10])", "P[10]"), None),
    "what is listed": (LOOP.replace("P[10]", "xs"), None),
}


def test_piles_that_are_emptied() -> None:
    emptied = {name: emptied_by(a_loop(text)) for name, (text, _) in EMPTIED.items()}
    assert {name: one and tuple(unparsed(one)) for name, one in emptied.items()} == expected(EMPTIED)
