"""Replace code by shorter idioms of Python where both mean the same, and leave all other code alone."""

import pytest
from games import game
from nodes import function, printed, statements
from rules import read_cases
from tiers import some_now

from hoyle.compiling.code_passes import copy_for_shared_piles, use_idioms
from hoyle.running.chance import PLAYER, Chance

CASES = read_cases("compiling/idioms")


def polished(name: str, text: str) -> str:
    one = function(name, text)
    use_idioms(one)
    return printed(one.body)


def alike(text: str) -> str:
    """Code as it is printed."""
    return printed(statements(text))


def test_code_for_which_python_has_a_quicker_idiom() -> None:
    found = {case: polished(name, written) for case, name, written, _ in CASES["changed"]}
    assert found == {case: alike(quicker) for case, _, _, quicker in CASES["changed"]}


def test_code_that_needs_more_stays() -> None:
    assert [case for case, name, text in CASES["unchanged"] if polished(name, text) != alike(text)] == []


# ---- looking ahead ---------------------------------------------------------------------------------------------------

TRIED: str = CASES["tried"][0]


def spared(text: str) -> str | None:
    found = copy_for_shared_piles(function("a7", text))
    return printed(found.body) if found is not None else None


def test_an_action_that_leaves_the_piles_of_another_state_alone() -> None:
    found = spared(TRIED)
    assert found is not None
    assert "P[from_1] = P[from_1][:-1]\nP[to_3] = [*P[to_3], card_2 | 1]" in found
    assert "spare_piece(s, card_2, to_3, 32, 13)" in found


def test_lines_that_may_change_other_piles() -> None:
    assert [line for line in CASES["changing"] if spared(TRIED.replace("v_4 = A_6[card_2]", line)) is not None] == []


@pytest.mark.parametrize("name", some_now(["backgammon", "jacquet"], 1))
def test_actions_are_listed_one_by_one_and_tried_on_shared_piles(name: str) -> None:
    machine = game(name).machine
    [each_name] = [found for found in machine.space if found.startswith("each_")]
    label = int(each_name.removeprefix("each_"))
    each, trying = machine.space[each_name], machine.space[f"c{label}"]
    core, pick, several = machine.start(Chance.stream(4)), Chance.stream(4, 0, PLAYER).picker(), 0
    for _ in range(60):
        if core.over:
            break
        if core.pc == label:
            looked = core.tried()
            machine.advance(looked, label)
            assert [*each(core, core.actor)] == looked.acts
            assert [*each(core, 1 - core.actor)] == []
            several += len(looked.acts) > 1
            for action in looked.acts:
                before, own, shared = core.key(), core.tried(), core.lent()
                assert machine.apply[label](own, action) == trying(shared, action)
                assert (own.piles, own.cells) == (shared.piles, shared.cells)
                assert own.key() != before == core.key()
        machine.play(core, core.acts[pick(len(core.acts))])
    assert several
