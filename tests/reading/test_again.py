"""A text that has changed in places is read as from nothing, however much of it is taken over."""

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rules import read_cases
from tiers import spread

from hoyle.checking import build
from hoyle.diagnostics import Diagnostic, Problems, Refused, Source
from hoyle.reading import parse
from hoyle.reading.incremental import Parsed, parse_again, pieces_of
from hoyle.reading.shape import formulas
from hoyle.reading.shape_errors import check_shape
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped

CASES = read_cases("reading/again")

NAMES = sorted(shipped())
LONG = [name for name in NAMES if read(shipped()[name]).text.count("\n") > 300]
LINES = CASES["lines"]
"""Incremental reading of texts that consist of names at one depth, and of values that span several of them."""


def outcome(source: Source, before: Parsed | None) -> Node | tuple[Diagnostic, ...]:
    try:
        return parse_again(source, before).tree
    except Refused as refused:
        return refused.diagnostics


def judge(before: str, after: str) -> Parsed | None:
    """Is the second read as from nothing, when the first was read before? How that was read."""
    try:
        known = Parsed(Source("a", before), load(Source("a", before)))
    except Refused:
        return None
    source = Source("a", after)
    assert outcome(source, known) == outcome(source, None)
    try:
        return parse_again(source, known)
    except Refused:
        return None


ENTRIES = CASES["entries"]
entries = st.lists(st.sampled_from(ENTRIES), unique=True, max_size=5).map(
    lambda several: [f"  {entry}" for entry in several]
)
sections = st.lists(st.tuples(st.sampled_from("abcfg"), entries), unique_by=lambda s: s[0], min_size=1, max_size=4)
texts = sections.map(
    lambda several: [f"{name}:\n" + "\n".join(inside) if inside else f"{name}: 1" for name, inside in several]
).map(lambda several: "\n".join(several).split("\n"))
new_lines = st.lists(st.sampled_from(LINES), max_size=3)


@pytest.mark.whole
@given(texts, new_lines, st.integers(0, 20), st.integers(0, 4))
@example(["a:", "  x: y", "  y: 1"], ["  u: |"], 2, 0)
@example(["a:", '  t: "open', '  and: closed"', "  y: 1"], ["  y: 2"], 3, 1)
@example(["a:", "  x: y", '  t: "open', '  and: closed"'], ["  x: z"], 1, 1)
@example(["a:", "  x: y", "  v: [1,", "    2]"], ["  v: [1,"], 3, 1)
@example(["a:", "  l: &n 1", "  y: 1", "  m: *n"], ["  y: 22"], 2, 1)
@example(["c: 1", "b: [1,", "x: 2]"], ["c: 2"], 0, 1)
def test_a_changed_text_is_read_as_from_nothing(lines: list[str], new: list[str], at: int, gone: int) -> None:
    judge("\n".join(lines), "\n".join([*lines[:at], *new, *lines[at + gone :]]))


WORD = re.compile(r"[A-Za-z_]{3,}|[<>+*()\"'\[{:]|\d+|\n")


def edits(text: str, count: int, chance: random.Random) -> Iterator[str]:
    for _ in range(count):
        one, other = (chance.choice([*WORD.finditer(text)]) for _ in range(2))
        new = chance.choice(["", one[0][:-1], one[0] + "x", other[0], f"{one[0]} {other[0]}", one[0] + "\n", "\n  x: "])
        yield text[: one.start()] + new + text[one.end() :]


@pytest.mark.whole
@pytest.mark.parametrize("name", spread(NAMES, 2))
def test_a_ruleset_with_an_edit_is_read_as_from_nothing(name: str) -> None:
    text = read(shipped()[name]).text
    for after in edits(text, 12, random.Random(name)):
        judge(text, after)


@pytest.mark.whole
@pytest.mark.parametrize("name", spread(LONG, 3))
def test_an_edit_in_one_formula_leaves_the_rest_of_a_ruleset_as_it_was(name: str) -> None:
    source = read(shipped()[name])
    tree, pieces = load(source), pieces_of(source.text)
    place = random.Random(name).choice([f for f in formulas(tree) if not f.is_key and f.node.style == ""])
    at = place.node.span.start
    found = parse_again(Source(source.name, f"{source.text[:at]} {source.text[at:]}"), Parsed(source, tree))
    assert found.since is source and len(found.same) == len(pieces) - 1 > 0


@pytest.mark.parametrize("name", spread(NAMES, 2))
def test_what_has_its_shape_has_it_still(name: str) -> None:
    """The reported shape of a text does not depend on texts read before it."""
    text = read(shipped()[name]).text
    for after in edits(text, 6, random.Random(name)):
        build._read_shaped(Source(name, text))
        try:
            found = build._read_shaped(Source(name, after))
        except Refused:
            continue
        problems = Problems()
        check_shape(load(Source(name, after)), problems)
        assert found.problems == tuple(problems)


@pytest.mark.parametrize("style", ["{}", "'{}'", '"{}"', "|\n  {}", '"\\u0061{}"'])
def test_a_formula_that_stands_elsewhere_is_the_same(style: str) -> None:
    formula = "b where (most c in cards by c.rank) is none and f(1..2, c.at(3)) has 4"
    for head in ("a: ", "\n\na: ", "a: 1\nbb: "):
        *_, (_, node) = load(Source("a", head + style.format(formula))).pairs.values()
        parse._parse_once.cache_clear()
        found = _read(node)
        parse._parse_once.cache_clear()
        parse._first_result.cache_clear()
        assert found == _read(node)


def _read(node: Node) -> object:
    try:
        return parse.formula(node)
    except Refused as refused:
        return refused.diagnostics
