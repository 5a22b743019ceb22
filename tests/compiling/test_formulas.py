"""What is made of formulas: of what kind they are, what they cost at worst, what of them is certain, and their Python; or what is wrong with them.

`formulas.txt` has one formula a line, `formulas.out` what is made of each. After a wanted change, run with UPDATE_GOLDEN=1 and
read the difference. That this Python means what the formula does is tried in a few states; `tests/language` tries more formulas in more.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from everything import world
from kinds import in_full
from oracle import agree, checked, compiled
from tiers import in_tiers

from interpreter.checking.cost import Cost
from interpreter.checking.idle import Finding, certain
from interpreter.compiling.lists import in_list
from interpreter.diagnostics import Problems, Refused
from interpreter.language.ir import Expr, walk

FOLDER = Path(__file__).parent
OUT = FOLDER / "formulas.out"
FORMULAS = (FOLDER / "formulas.txt").read_text(encoding="utf-8").splitlines()
PARTS = 8


def shown(part: Expr) -> str:
    return f"`{' '.join(part.span.text.split())}`"


def made(text: str) -> Iterator[str]:
    yield text
    try:
        expr, problems = checked(text)
    except Refused as refused:
        expr, problems = None, Problems()
        problems.extend(refused.diagnostics)
    for told in problems:
        yield f"    {told.code} at `{told.span.text if told.span else ''}`: {told.message}{told.help and ' — '}{told.help}"
    if expr is not None and not problems.errors:
        agree(expr, random.Random(text), states=3)
        cost = Cost(world())
        yield f"    {in_full(expr.kind)}, {cost.steps(expr)} steps, {cost.loops(expr)} loops"
        yield from (f"    {shown(part)}: {in_words(found)}" for part in walk(expr) if (found := certain(part)))
        yield from (f"    | {line}" for line in compiled(expr, inlined=True)[1].splitlines())


def in_words(found: Finding) -> str:
    code, message, note = found
    return f"{code} {message()} {note()}"


def known() -> dict[str, str]:
    """What stands in `formulas.out`, by formula."""
    found: dict[str, str] = {}
    for line in OUT.read_text(encoding="utf-8").splitlines(keepends=True):
        name = line.strip() if not line.startswith("    ") else next(reversed(found))
        found[name] = found.get(name, "") + line
    return found


@pytest.mark.parametrize("part", in_tiers(range(PARTS), quick=range(0, PARTS, 2), whole=range(PARTS)))
def test_what_is_made_of_a_formula(part: int) -> None:
    if os.environ.get("UPDATE_GOLDEN") and part == 0:
        OUT.write_text("".join(f"{line}\n" for formula in FORMULAS for line in made(formula)), encoding="utf-8")
    expected = known()
    assert list(expected) == FORMULAS
    for formula in FORMULAS[part::PARTS]:
        assert "".join(f"{line}\n" for line in made(formula)) == expected[formula]


def test_a_piece_is_among_others_whatever_its_face() -> None:
    """The first of all pieces is 0 and 1; one that is absent is nowhere."""
    assert all(in_list(piece, [4, other, 2], True) for piece in (0, 1) for other in (0, 1))
    assert not any(in_list(piece, [4, 2], True) for piece in (0, 1, -1))
    assert not in_list(-1, [-1], True)
