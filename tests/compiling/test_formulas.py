"""What is compiled from single formulas: type, cost, findings and Python, or the code of the error.

Each line of `formulas.out` is a formula, ` => `, and what comes of it; ` ¦ ` separates lines of Python, `>` stands for each
indentation. Add a formula as a line of its own and run with UPDATE_GOLDEN=1. `agree` compares the values of the code with those
of the evaluator; `tests/language` does so for random formulas.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from everything import world
from kinds import in_full
from oracle import agree, checked, compiled
from tiers import in_tiers

from interpreter.checking.cost import Cost
from interpreter.checking.idle import certain
from interpreter.compiling.lists import in_list
from interpreter.diagnostics import Problems, Refused
from interpreter.language.ir import walk

OUT = Path(__file__).parent / "formulas.out"
PARTS = 8


def told(text: str) -> str:
    try:
        expr, problems = checked(text)
    except Refused as refused:
        expr, problems = None, Problems()
        problems.extend(refused.diagnostics)
    found = [f"{one.code} at `{one.span.text if one.span else ''}`" for one in problems]
    if expr is not None and not problems.errors:
        agree(expr, random.Random(text), states=3)
        cost = Cost(world())
        found.append(f"{in_full(expr.kind)}, {cost.steps(expr)} steps, {cost.loops(expr)} loops")
        found += [f"{finding[0]} at `{part.span.text}`" for part in walk(expr) if (finding := certain(part))]
        code = compiled(expr, inlined=True)[1].splitlines()
        found += (line(one) for one in code if not one.startswith("def formula("))
    return " ¦ ".join(" ".join(one.split()) for one in found)


def line(code: str) -> str:
    depth = (len(code) - len(code.lstrip())) // 4
    return "> " * (depth - 1) + code.lstrip()


@pytest.mark.parametrize("part", in_tiers(range(PARTS), quick=(1, 6), whole=range(PARTS)))
def test_formulas(part: int) -> None:
    known = dict(row.partition(" => ")[::2] for row in OUT.read_text(encoding="utf-8").splitlines())
    if os.environ.get("UPDATE_GOLDEN") and part == 0:
        known = {formula: told(formula) for formula in known}
        OUT.write_text("".join(f"{formula} => {found}\n" for formula, found in known.items()), encoding="utf-8")
    for formula in [*known][part::PARTS]:
        assert told(formula) == known[formula], formula


def test_a_piece_is_among_others_whatever_its_face() -> None:
    """The first of all pieces is 0 and 1; one that is absent is nowhere."""
    assert all(in_list(piece, [4, other, 2], True) for piece in (0, 1) for other in (0, 1))
    assert not any(in_list(piece, [4, 2], True) for piece in (0, 1, -1))
    assert not in_list(-1, [-1], True)
