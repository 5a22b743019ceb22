"""Passes over formulas: folding, rebuilding and comparing. Tests of `language` check that folding keeps the value."""

import os
from functools import cache
from pathlib import Path

from everything import world
from nodes import text
from oracle import checked

from hoyle.language.ir import Expr, Var
from hoyle.passes.fold import Fold
from hoyle.passes.subformulas import Analysis, rebuild, substitute

OUT = Path(__file__).parent / "formulas.out"

parts = Analysis()


@cache
def fold() -> Fold:
    return Fold(world().attributes.by_name, parts)


@cache
def forms() -> dict[str, Expr]:
    """The formulas as they are checked."""
    formulas = [line.partition(" => ")[0] for line in OUT.read_text(encoding="utf-8").splitlines()]
    return {formula: checked(formula)[0] for formula in formulas}


def called(var: Var) -> str:
    return var.name


def test_a_formula_is_folded() -> None:
    """`formulas.out` has one formula a line and its folded form. UPDATE_GOLDEN=1 renews the forms."""
    found = "".join(f"{formula} => {text(fold()(form))}\n" for formula, form in forms().items())
    if os.environ.get("UPDATE_GOLDEN"):
        OUT.write_text(found, encoding="utf-8")
    assert found == OUT.read_text(encoding="utf-8")


def test_a_folded_formula_cannot_be_folded_further() -> None:
    for formula, form in forms().items():
        assert text(fold()(fold()(form))) == text(fold()(form)), formula


def test_a_formula_with_nothing_to_fold_stays_the_same_object() -> None:
    form, _ = checked("debt > 2 and flag of me")
    assert fold()(form) is form
    assert rebuild(form, lambda part: part) is form
    assert substitute(form, {}) is form


def test_the_name_of_a_loop_variable_makes_no_difference() -> None:
    one, other, another = (
        checked(f"count({x} for {x} in hand where {x}.rank is {rank})")[0]
        for x, rank in (("x", "king"), ("y", "king"), ("y", "ace"))
    )
    assert parts.key(one, called) == parts.key(other, called)
    assert parts.key(one, called) != parts.key(another, called)


def test_other_free_variables_make_a_difference() -> None:
    mine, his = (checked(f"score of {who}")[0] for who in ("me", "p"))
    assert parts.key(mine, called) != parts.key(his, called)
    assert [var.name for var in parts.shape(mine)[1]] == ["me"]
