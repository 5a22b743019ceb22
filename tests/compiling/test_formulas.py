"""The compiled form of single formulas: type, cost, findings and Python, or the code of the error.

Each line of `formulas.out` is a formula, ` => `, and what comes of it; ` ¦ ` separates lines of Python, `>` stands for each
indentation. Add a formula as a line of its own and run with UPDATE_GOLDEN=1. `agree` compares the values of the code with those
of the evaluator; `tests/language` does so for random formulas.
"""

import os
import random
from pathlib import Path

import pytest
from everything import world
from kinds import in_full
from oracle import agree, checked, compiled

from hoyle.checking.cost import Cost
from hoyle.checking.lints.constant_conditions import find_certainty
from hoyle.compiling.python import in_list
from hoyle.diagnostics import Problems, Refused
from hoyle.language.ir import walk

OUT = Path(__file__).parent / "formulas.out"


def told(text: str) -> str:
    try:
        expr, problems = checked(text)
    except Refused as refused:
        expr, problems = None, Problems()
        problems.extend(refused.diagnostics)
    found = [f"{one.code} at `{one.span.text if one.span else ''}`" for one in problems]
    if expr is not None and not problems.errors:
        cost = Cost(world())
        found.append(f"{in_full(expr.type)}, {cost.steps(expr)} steps, {cost.loops(expr)} loops")
        found += [f"{finding[0]} at `{part.span.text}`" for part in walk(expr) if (finding := find_certainty(part))]
        code = compiled(expr, inlined=True)[1].splitlines()
        found += (line(one) for one in code if not one.startswith("def formula("))
    return " ¦ ".join(" ".join(one.split()) for one in found)


def line(code: str) -> str:
    depth = (len(code) - len(code.lstrip())) // 4
    return "> " * (depth - 1) + code.lstrip()


def known() -> dict[str, str]:
    return dict(row.partition(" => ")[::2] for row in OUT.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.whole)])
def test_formulas(half: int) -> None:
    expected = known()
    if os.environ.get("UPDATE_GOLDEN") and half == 0:
        expected = {formula: told(formula) for formula in expected}
        OUT.write_text("".join(f"{formula} => {found}\n" for formula, found in expected.items()), encoding="utf-8")
    for formula in [*expected][half::2]:
        assert told(formula) == expected[formula], formula


@pytest.mark.slow
def test_formulas_have_the_values_of_the_evaluator() -> None:
    for formula, found in known().items():
        if " steps, " in found:
            agree(checked(formula)[0], random.Random(formula), states=3)


def test_a_piece_is_among_others_whatever_its_face() -> None:
    """The first of all pieces is 0 and 1; one that is absent is nowhere."""
    assert all(in_list(piece, [4, other, 2], True) for piece in (0, 1) for other in (0, 1))
    assert not any(in_list(piece, [4, 2], True) for piece in (0, 1, -1))
    assert not in_list(-1, [-1], True)
