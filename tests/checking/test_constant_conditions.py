"""Conditions reported as constant are constant for random formulas in random states."""

import random
from collections.abc import Iterator

import pytest
from everything import position
from formulas import SORTS, Maker
from oracle import CARD, ME, OTHER, checked, setting
from tiers import sized

from hoyle.checking.lints.constant_conditions import ALWAYS, NEVER, LazySentence, find_certainty
from hoyle.language.evaluate import Part, explain, is_absent


def made(chance: random.Random) -> str:
    maker = Maker(chance.randrange, [("c", "card"), ("p", "player")])
    return maker.some(chance.choice(SORTS), chance.randint(1, 4))


def parts(part: Part) -> Iterator[Part]:
    yield part
    for inner in part.parts:
        yield from parts(inner)


def holds(part: Part, message: LazySentence) -> bool:
    """Return whether a finding about a part holds for the values that it had."""
    if message in (ALWAYS, NEVER):
        return bool(part.value) == (message == ALWAYS)
    if "`otherwise`" in message():
        return not is_absent(part.parts[0].value, part.expr.args[0].type)
    return not part.value  # never absent, never empty; an empty range


@pytest.mark.whole
def test_findings_hold_in_random_states() -> None:
    chance, told = random.Random(5), set[LazySentence]()
    for _ in range(sized(400, 1200)):
        expr, problems = checked(made(chance))
        at, names = (
            position(chance),
            {ME: chance.randrange(3), CARD: 2 * chance.randrange(12), OTHER: chance.randrange(3)},
        )
        for part in parts(explain(expr, setting(at), names)) if not problems.errors else ():
            verdict = find_certainty(part.expr)
            if verdict is not None:
                told.add(verdict[1])
                assert holds(part, verdict[1]), f"{part.expr.span.text} is {part.value}: {verdict}"
    assert {ALWAYS, NEVER, LazySentence("idle.never_absent"), LazySentence("idle.never_empty")} < told
