"""The compiled form of formulas: type, cost, findings and Python, or the code of the error; values that `let` gives to moves."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from everything import world
from games import loaded
from nodes import in_full
from oracle import agree, checked, compiled
from tiers import in_tiers

from hoyle import Game, State
from hoyle.checking.cost import Cost
from hoyle.checking.lints.constant_conditions import find_certainty
from hoyle.compiling.python import in_list
from hoyle.diagnostics import Problems, Refused
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import walk
from hoyle.language.model import Move
from hoyle.running.machine import lets_in_texts
from hoyle.running.state import Action

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


WITH_LETS = ("backgammon", "barbu", "belote", "ecarte", "piquet", "plakoto", "scopa", "spades")


def explained(state: State, move: Move, action: Action) -> tuple[Any, ...]:
    names = {move.me: state.core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    setting = state.game.compiled.setting(state.core)
    return tuple(whole(evaluate(var.value, setting, names)) for var in lets_in_texts(move) if var.value is not None)


def whole(value: Any) -> Any:
    return int(value) if isinstance(value, bool | int) else tuple(map(whole, value))


def decisions(game: Game, most: int) -> Iterator[tuple[State, Move, Action]]:
    state, chance = game.start(7), random.Random(7)
    moves = {move.number: move for move in game.ruleset.moves.values()}
    for _ in range(most):
        if state.is_over:
            return
        yield from ((state, moves[action[0]], action) for action in state.core.acts)
        state = state.play(chance.choice(state.moves()))


@pytest.mark.parametrize("name", in_tiers(WITH_LETS, quick=["backgammon"], whole=["barbu"]))
def test_words_are_given_the_values_of_their_formulas(name: str) -> None:
    game, tried = loaded(name), 0
    for state, move, action in decisions(game, 60):
        given = game.machine.needs(move.number).given(state.core, action)
        assert given == explained(state, move, action), (move.name, action)
        tried += len(given)
    assert tried
