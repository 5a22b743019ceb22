"""The grammar of formulas: what they are, how they are read, and that they do not reach Python."""

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from everything import world
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree, UnexpectedInput
from tiers import examples

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope
from hoyle.diagnostics import Diagnostic, Problems, Refused, Source, Span
from hoyle.language.ir import Var
from hoyle.language.value_types import PLAYER
from hoyle.reading import lalr, parse
from hoyle.reading.lalr import MAX_DEPTH, Tables, Unexpected, compute_tables, load_tables, parse_by
from hoyle.reading.tree import Node
from hoyle.resources import folder


def scalar(text: str) -> Node:
    return Node("scalar", Span(Source("formula", text), 0, len(text)), text, text)


@pytest.mark.whole
def test_the_grammar_is_unambiguous() -> None:
    text = (folder("grammar") / "formula.lark").read_text(encoding="utf-8")
    Lark(text, parser="lalr", start=["formula", "generator", "signature"], strict=True, maybe_placeholders=True)


FORMULAS = yaml.safe_load((Path(__file__).parent / "formulas.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", FORMULAS["refused"])
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse.formula(scalar(text))
    assert [d.code[:2] for d in refused.value.diagnostics] == ["R2"]


@pytest.mark.parametrize(("text", "operator"), FORMULAS["loosest"].items())
def test_what_binds_least(text: str, operator: str) -> None:
    assert parse.formula(scalar(text)).op == operator


# ---- another reader of the grammar -----------------------------------------------------------------------------------


@cache
def lark() -> Lark:
    text = (folder("grammar") / "formula.lark").read_text(encoding="utf-8")
    starts = ["formula", "generator", "signature"]
    return Lark(text, parser="lalr", start=starts, maybe_placeholders=True, propagate_positions=True)


def as_lark_reads_it(text: str) -> Any:
    """Nested (form, begin, end, parts), or the place of what cannot stand there."""
    try:
        return as_parts(lark().parse(text, start="formula"))
    except UnexpectedInput as error:
        at = error.pos_in_stream
        at_end = getattr(error, "token", Token("", "")).type == "$END"
        return len(text) if at_end else at


def as_parts(tree: Any) -> Any:
    if not isinstance(tree, Tree):
        return tree if tree is None else str(tree)
    return (str(tree.data), tree.meta.start_pos, tree.meta.end_pos, [as_parts(c) for c in tree.children])


def as_we_read_it(text: str, tables: Tables | None = None) -> Any:
    def build(form: str, parts: list[Any], at: int, end: int) -> Any:
        return form, at, end, parts

    try:
        return parse_by(tables or load_tables(), text, 0, len(text), "formula", build)
    except Unexpected as error:
        return error.at


TABLES = folder("grammar") / "formula.tables.json"


@pytest.mark.whole
def test_the_shipped_tables_are_those_of_the_grammar() -> None:
    """Lark numbers states in another order each time, so the tables are compared by digest and size."""
    computed = compute_tables()
    if os.environ.get("UPDATE_GOLDEN"):
        TABLES.write_text(json.dumps(computed) + "\n", encoding="utf-8")
    shipped = json.loads(TABLES.read_text(encoding="utf-8"))
    assert shipped["grammar"] == computed["grammar"] and len(shipped["states"]) == len(computed["states"])


@pytest.mark.whole
def test_tables_are_computed_while_the_grammar_is_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder("grammar"), tmp_path, dirs_exist_ok=True)
    grammar = tmp_path / "formula.lark"
    grammar.write_text(grammar.read_text(encoding="utf-8").replace("some|every", "some|all"), encoding="utf-8")
    monkeypatch.setattr(lalr, "folder", lambda name: tmp_path)
    changed = load_tables.__wrapped__()
    assert "quantifier" in repr(as_we_read_it("all x in y has x", changed))


@settings(deadline=None, max_examples=examples(10, 300, 12))
@given(
    st.lists(
        st.sampled_from(
            re.findall(
                r"\S+",
                "a b1 . , ( ) + - * < <= .. 7 in is not empty none some every has if then else "
                "and or of at otherwise most by where for x div mod true ( ) $",
            )
        ),
        max_size=14,
    ).map(" ".join)
)
@pytest.mark.whole
def test_another_reader_reads_the_same(text: str) -> None:
    assert as_we_read_it(text) == as_lark_reads_it(text)


def test_a_formula_may_be_long_or_deep_but_not_without_end() -> None:
    assert parse.formula(scalar("+".join("1" * (MAX_DEPTH - 1)))).op == "add"
    assert parse.formula(scalar("(" * 1000 + "a" + ")" * 1000)).op == "name"
    for text in ("+".join("1" * 400), "(" * 5000 + "a" + ")" * 5000, "not " * 9000 + "a", " or ".join("a" * 5000)):
        with pytest.raises(Refused) as refused:
            parse.formula(scalar(text))
        assert [d.code for d in refused.value.diagnostics] == ["R205"]


# ---- no way to Python ------------------------------------------------------------------------------------------------

NAMES = (
    "__class__ __import__ eval exec open print globals P s INDEX same_lists w_first len None os self __builtins__ t0_total range "
    "lambda_ ABSENT import_"
)


@pytest.mark.parametrize(
    "shape",
    ["{0}", "{0}(1)", "me.{0}", "hand.{0}", "ranks.{0}", "{0} of me", "top(pack).{0}", "ace.{0}(me)", "{0} at 1"],
)
def test_a_formula_cannot_reach_python(shape: str) -> None:
    for name in NAMES.split():
        here = world()
        here.problems = Problems()
        form = parse.formula(scalar(shape.format(name)))
        FormulaChecker(here).check(form, Scope(me=Var("me", PLAYER)))
        assert [d.code[:2] for d in here.problems.errors] in (["R3"], ["R4"]), name


@pytest.mark.whole
@settings(deadline=None)
@given(st.text(st.sampled_from("abc_.,()+-*<>= \n\t'\"[]{}:;!0123é\u202e") | st.characters(), max_size=40))
def test_any_text_is_a_formula_or_refused_with_its_place(text: str) -> None:
    found: tuple[Diagnostic, ...] = ()
    try:
        parse.formula(scalar(text))
    except Refused as refused:
        found = refused.diagnostics
    assert all(d.span is not None and 0 <= d.span.start <= len(text) for d in found)
