"""What is said in Python's own way says the same, and what is written otherwise is left alone."""

from __future__ import annotations

import pytest

from interpreter import load
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
SEVERAL = f"""\
{ONE_MOVE}
if a[0] == 4:
    return 6"""


def polished(name: str, text: str) -> str:
    lines = [Line(1 + (len(line) - len(line.lstrip())) // 4, line.lstrip(), 1) for line in text.splitlines()]
    function = Function(name, "s", "f", 1, Writer(lines))
    polish(function)
    return "\n".join(f"{'    ' * (line.indent - 1)}{line.text}" for line in function.writer.lines)


@pytest.mark.parametrize(
    ("name", "written", "found"),
    [
        ("b48", LISTED, KEPT),
        ("b18", SUBSETS, UNMADE),
        ("a7", ONE_MOVE, "P = s.piles; C = s.cells\n_, to_1 = a\nreturn 5"),
    ],
)
def test_what_python_has_a_quicker_way_of_saying(name: str, written: str, found: str) -> None:
    assert polished(name, written) == found


@pytest.mark.parametrize(
    "text",
    [
        LISTED.replace("a[2]", "a[1]"),
        LISTED.replace("== v_4", "== v_4 or a in held"),
        LISTED.replace("acts = good", "acts = good + rest"),
        LISTED.replace("if len(P[5]) < 1:", "for t_1 in P[5]:"),
        LISTED.replace("acts = []", "acts = []\nacts.append((9,))"),
        LISTED.replace("if not acts: return 47", "acts = maximise(s, acts, me, (1, ), AIM_14)"),
        SUBSETS.replace("gift_2,)", "gift_2, gift_2,)"),
    ],
)
def test_what_asks_for_more_is_left_alone(text: str) -> None:
    assert polished("b48", text) == text


def test_of_several_moves_it_is_asked_which() -> None:
    assert polished("a7", SEVERAL) == SEVERAL


def test_subsets_that_an_obligation_looks_at_are_made() -> None:
    judged = SUBSETS.replace("if not acts", "good = [a for a in acts if (len(a[1]) == 2)]\nif not acts")
    assert polished("b18", judged) == judged.replace("acts += [(1, gift_2,) for gift_2 in v_1]", "acts = v_1").replace(
        "a[1]", "a"
    ).replace("s.acts = acts", "s.acts = [(1, gift_2,) for gift_2 in acts]")


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


def test_what_an_action_does_to_piles_of_another_state() -> None:
    found = spared(TRIED)
    assert found is not None
    assert "P[from_1] = P[from_1][:-1]\nP[to_3] = [*P[to_3], card_2 | 1]" in found
    assert "spare_piece(s, card_2, to_3, 32, 13)" in found


@pytest.mark.parametrize(
    "line",
    [
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
    ],
)
def test_what_may_change_other_piles_is_not_done_to_those_of_another_state(line: str) -> None:
    assert spared(TRIED.replace("v_4 = A_6[card_2]", line)) is None


@pytest.mark.parametrize("game", ["backgammon", "jacquet"])
def test_actions_come_one_by_one_and_are_tried_on_piles_that_stay(game: str) -> None:
    machine = load(game, engine="python").machine
    [name] = [name for name in machine.space if name.startswith("each_")]
    label = int(name.removeprefix("each_"))
    each, trying = machine.space[name], machine.space[f"c{label}"]
    core, pick, several = machine.start(Chance.stream(4)), Chance.stream(4, 0, PLAYER).picker(), 0
    for _ in range(120):
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
