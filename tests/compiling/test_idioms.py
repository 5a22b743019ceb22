"""Replace code by shorter idioms of Python where both mean the same, and leave all other code alone."""

from __future__ import annotations

import pytest
from games import game
from tiers import some_now

from interpreter.compiling.code import Function, Line, Writer
from interpreter.compiling.idioms import polish, sparing
from interpreter.running.chance import PLAYER, Chance

LISTED = """\
acts = []
if len(P[5]) < 1:
    f_2 = 7
    acts += [(0, f_2, card_3, 5,) for card_3 in P[f_2]]
if len(acts) > 1:
    good = [a for a in acts if (A_2[a[2]] == v_4)]
    if good and len(good) < len(acts):
        acts = good
if not acts: return 47
s.acts = acts; s.actor = me; s.pc = 48
return -1"""
KEPT = """\
acts = []
if len(P[5]) < 1:
    f_2 = 7
    acts = P[f_2]
if len(acts) > 1:
    good = [a for a in acts if (A_2[a] == v_4)]
    if good and len(good) < len(acts):
        acts = good
if not acts: return 47
s.acts = [(0, f_2, card_3, 5,) for card_3 in acts]; s.actor = me; s.pc = 48
return -1"""
SUBSETS = """\
acts = []
v_1 = w_subsets(P, P[(1 + me)], 3)
acts += [(1, gift_2,) for gift_2 in v_1]
if not acts: return 21
s.acts = acts; s.actor = me; s.pc = 18
return -1"""
UNMADE = """\
acts = []
acts = choices(1, P[(1 + me)], 3)
if not acts: return 21
s.acts = acts; s.actor = me; s.pc = 18
return -1"""
ONE_MOVE = """\
P = s.piles; C = s.cells
if a[0] == 3:
    _, to_1 = a
    return 5"""
JUDGED = SUBSETS.replace("if not acts", "good = [a for a in acts if (len(a[1]) == 2)]\nif not acts")
MADE = (
    JUDGED.replace("acts += [(1, gift_2,) for gift_2 in v_1]", "acts = v_1")
    .replace("a[1]", "a")
    .replace("s.acts = acts", "s.acts = [(1, gift_2,) for gift_2 in acts]")
)
CHANGED = {
    "actions of one move": ("b48", LISTED, KEPT),
    "subsets that are only chosen from": ("b18", SUBSETS, UNMADE),
    "subsets that an obligation reads": ("b18", JUDGED, MADE),
    "the only move": ("a7", ONE_MOVE, "P = s.piles; C = s.cells\n_, to_1 = a\nreturn 5"),
}
UNCHANGED = {
    "another part is read": LISTED.replace("a[2]", "a[1]"),
    "the action itself is read": LISTED.replace("== v_4", "== v_4 or a in held"),
    "others are added": LISTED.replace("acts = good", "acts = good + rest"),
    "a loop": LISTED.replace("if len(P[5]) < 1:", "for t_1 in P[5]:"),
    "another move": LISTED.replace("acts = []", "acts = []\nacts.append((9,))"),
    "handed on": LISTED.replace("if not acts: return 47", "acts = maximise(s, acts, me, (1, ), AIM_14)"),
    "subsets with something beside": SUBSETS.replace("gift_2,)", "gift_2, gift_2,)"),
    "several moves": f"{ONE_MOVE}\nif a[0] == 4:\n    return 6",
}


def polished(name: str, text: str) -> str:
    lines = [Line(1 + (len(line) - len(line.lstrip())) // 4, line.lstrip(), 1) for line in text.splitlines()]
    function = Function(name, "s", "f", 1, Writer(lines))
    polish(function)
    return "\n".join(f"{'    ' * (line.indent - 1)}{line.text}" for line in function.writer.lines)


def test_code_for_which_python_has_a_quicker_idiom() -> None:
    found = {case: polished(name, written) for case, (name, written, _) in CHANGED.items()}
    assert found == {case: quicker for case, (_, _, quicker) in CHANGED.items()}


def test_code_that_needs_more_stays() -> None:
    assert {
        case: polished("a7" if text.startswith("P = ") else "b48", text) for case, text in UNCHANGED.items()
    } == UNCHANGED


# ---- looking ahead ---------------------------------------------------------------------------------------------------


TRIED = """\
P = s.piles; C = s.cells
C[24] += 1
_, from_1, card_2, to_3 = a
v_4 = A_6[card_2]
P[from_1].pop()
P[to_3].append(card_2 | 1)
if (A_6[(P[to_3] or NONE)[0]] == NEXT[C[11]]):
    move_piece(s, card_2, to_3, 32, 13)
else:
    score(s, 1, C[11], 0 + C[11], -1, TALLY_5)
return 60"""


def spared(text: str) -> str | None:
    lines = [Line(1, line.lstrip(), 1) for line in text.splitlines()]
    found = sparing(Function("a7", "s, a", "f", 1, Writer(lines)))
    return "\n".join(line.text for line in found.writer.lines) if found is not None else None


def test_an_action_that_leaves_the_piles_of_another_state_alone() -> None:
    found = spared(TRIED)
    assert found is not None
    assert "P[from_1] = P[from_1][:-1]\nP[to_3] = [*P[to_3], card_2 | 1]" in found
    assert "spare_piece(s, card_2, to_3, 32, 13)" in found


CHANGING = [
    "left_5 = settle_0(s, -1)",
    "settle_0(s, -1)",
    "move_pieces(s, xs_5, (28,), 32, -1, 11)",
    "C[4] = lots(s, R_1, 0)",
    "if settle_1(s, 3):",
    "turn(s, 3, -1, 0)",
    "show_top(s, to_3)",
    "if not (P[to_3] or NONE)[-1] & 1: show_top(s, to_3)",
    "for c_5 in tuple(P[10]):",
    "keep(s)",
]


def test_lines_that_may_change_other_piles() -> None:
    assert [line for line in CHANGING if spared(TRIED.replace("v_4 = A_6[card_2]", line)) is not None] == []


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
