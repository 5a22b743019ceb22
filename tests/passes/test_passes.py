"""What the passes make of formulas, as text. That it is worth the same is tried with random formulas in `tests/language`.

`formulas.txt` has one formula a line, `formulas.out` the form that was checked and the one that is written. After a wanted change, run with
UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

from everything import world
from forms import text
from oracle import checked

from interpreter.language.ir import Var
from interpreter.passes.fold import Fold
from interpreter.passes.parts import Parts
from interpreter.passes.rebuild import rebuilt, substituted

FOLDER = Path(__file__).parent
FORMULAS = (FOLDER / "formulas.txt").read_text(encoding="utf-8").splitlines()

parts = Parts()
fold = Fold(world().attributes.by_name, parts)
FORMS = [(formula, checked(formula)[0]) for formula in FORMULAS]


def called(var: Var) -> str:
    return var.name


def test_what_the_passes_make_of_a_formula() -> None:
    found = "".join(f"{formula}\n    {text(form)}\n    {text(fold(form))}\n" for formula, form in FORMS)
    if os.environ.get("UPDATE_GOLDEN"):
        (FOLDER / "formulas.out").write_text(found, encoding="utf-8")
    assert found == (FOLDER / "formulas.out").read_text(encoding="utf-8")


def test_what_is_folded_cannot_be_folded_further() -> None:
    for formula, form in FORMS:
        assert text(fold(fold(form))) == text(fold(form)), formula


def test_what_has_nothing_to_fold_is_left_as_it_is() -> None:
    """So that nothing is made anew that need not be."""
    form, _ = checked("debt > 2 and flag of me")
    assert fold(form) is form
    assert rebuilt(form, lambda part: part) is form
    assert substituted(form, {}) is form


def test_formulas_are_alike_whatever_their_loops_call_an_item() -> None:
    one, other, another = (
        checked(f"count({x} for {x} in hand where {x}.rank is {rank})")[0]
        for x, rank in (("x", "king"), ("y", "king"), ("y", "ace"))
    )
    assert parts.key(one, called) == parts.key(other, called)
    assert parts.key(one, called) != parts.key(another, called)


def test_formulas_of_other_variables_are_not_alike() -> None:
    mine, his = (checked(f"score of {who}")[0] for who in ("me", "p"))
    assert parts.key(mine, called) != parts.key(his, called)
    assert [var.name for var in parts.shape(mine)[1]] == ["me"]
