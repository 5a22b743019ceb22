"""Find the piles whose order a rule reads: shuffling the others changes no value, no legal move and no consequence."""

import random
from typing import Any

import pytest
from everything import position, world
from formulas import SORTS, Maker
from games import game
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import CARD, ME, OTHER, checked, plain, setting
from rules import read_cases
from tiers import examples, some_now

from hoyle.compiling.outline import families_read_in_order
from hoyle.language.evaluate import evaluate
from hoyle.running.machine import Machine
from hoyle.running.state import Core
from hoyle.running.verbs import Ended

CASES = read_cases("compiling/order")

ALL = frozenset(world().piles)


ORDERED = dict(CASES["ordered"])
"""Formulas, and the piles whose order each reads."""


def test_piles_whose_order_is_read() -> None:
    found = {}
    for formula in ORDERED:
        expr, problems = checked(formula)
        assert not problems.errors
        found[formula] = " ".join(sorted(families_read_in_order([expr], ALL)))
    assert found == ORDERED


@pytest.mark.whole
@settings(deadline=None, max_examples=examples(5, 300, 60))
@given(st.data(), st.integers(0, 2**32))
def test_the_order_of_other_piles_changes_no_value(data: st.DataObject, seed: int) -> None:
    maker = Maker(lambda n: int(data.draw(st.integers(0, n - 1))), [("c", "card"), ("p", "player")])
    expr, problems = checked(maker.some(data.draw(st.sampled_from(SORTS)), data.draw(st.integers(1, 4))))
    assume(not problems.errors)
    chance, ordered = random.Random(seed), families_read_in_order([expr], ALL)
    for _ in range(4):
        at, names = position(chance), {ME: chance.randrange(3), OTHER: chance.randrange(3), CARD: 4}
        before = plain(evaluate(expr, setting(at), names), expr.type)
        for family in (f for f in world().piles.values() if f.name not in ordered):
            for n in range(family.base, family.base + family.members * family.columns):
                chance.shuffle(at.piles[n])
        assert plain(evaluate(expr, setting(at), names), expr.type) == before


# ---- shipped games ---------------------------------------------------------------------------------------------------

PLAYED = ["crapette", "barbu", "backgammon", "cribbage", "freecell", "garanguet", "gin-rummy", "piquet", "president"]
PLAYED += ["scopa", "spite-and-malice", "yukon"]


def shaken(machine: Machine, core: Core, chance: random.Random) -> Core:
    """The same decision with the heaps in another order, as look-ahead sees it: nothing may be drawn by chance."""
    other = core.copy()
    for n in machine.heaps:
        chance.shuffle(other.piles[n])
    other.log, other.looking = None, True
    machine.advance(other, other.pc)
    return other


def consequences(machine: Machine, core: Core) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for action in core.acts:
        after = core.copy()
        try:
            machine.advance(after, machine.apply[core.pc](after, action))
            found[loose(action)] = (machine.memory_key(after), after.pc, after.actor, after.over)
        except Ended:
            found[loose(action)] = None
    return found


def loose(action: Any) -> Any:
    return tuple(tuple(sorted(item)) if isinstance(item, tuple) else item for item in action)


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(PLAYED, 1))
def test_states_with_one_memory_key_have_the_same_moves_and_consequences(name: str) -> None:
    one, chance = game(name), random.Random(name)
    for seed in range(3):
        state = one.start(seed)
        for _ in range(25):
            if state.is_over:
                break
            first, second = (shaken(one.machine, state.core, chance) for _ in range(2))
            assert one.machine.memory_key(first) == one.machine.memory_key(second)
            assert consequences(one.machine, first) == consequences(one.machine, second)
            state.play_here(chance.choice(state.moves()))
