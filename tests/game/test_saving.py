"""Saved states: what was saved comes back equal, and nothing else is accepted."""

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from games import game
from rules import load_rules, read_cases
from tiers import sized, some_now

from hoyle import load
from hoyle.diagnostics import Refused
from hoyle.game import game as game_module
from hoyle.game.game import Game, State
from hoyle.game.saving import fits_type
from hoyle.game.spelling import find_cells
from hoyle.language.ir import NO_NUMBER, absent_of
from hoyle.language.value_types import BOOL, Choice, List, Piece, Pile, Row, ValueType, make_number_type
from hoyle.language.value_types import PLAYER as PLAYER_TYPE
from hoyle.running.chance import PLAYER, Chance

CASES = read_cases("game/saving")

ODD: list[Any] = [None, True, -1, -2, 10**9, -(2**31), 2**70, 0.5, float("inf"), float("nan")]
ODD += ["x", [], {}, [[]], [0] * 99]


@cache
def small() -> Game:
    return load(Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml")


@pytest.fixture
def cabinet() -> Game:
    """Has a pile and a state of every kind."""
    return load_rules("game/cabinet")


def play(game: Game, moves: int, seed: int = 1) -> State:
    state, pick = game.start(seed), Chance.stream(seed, 0, PLAYER)
    while not state.is_over and moves > 0:
        legal = state.moves()
        state.play_here(legal[pick.below(len(legal))])
        moves -= 1
    return state


def saved(state: State) -> dict[str, Any]:
    return dict(json.loads(json.dumps(state.to_json())))


def check_refused(game: Game, data: Any, *codes: str) -> None:
    with pytest.raises(Refused) as refused:
        game.resume(data)
    assert [d.code for d in refused.value.diagnostics] in [[code] for code in codes or ("R721",)]


def change(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    found = copy.deepcopy(data)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return found


@pytest.mark.whole
def test_positions_and_ends_come_back(cabinet: Game) -> None:
    hearts, over = game("hearts"), load_rules("game/over").start()
    positions: list[dict[str, Any]] = [{"piles": {"hand of A": "2H 3S"}, "at": "play", "to_act": "A"}, {"piles": {}}]
    for position in positions:
        state = hearts.position(position)
        assert hearts.resume(saved(state)) == state
    found = over.game.resume(saved(over))
    assert found.is_over and [event.text() for event in found.events] == ["over"]
    ended = small().playout(1)
    assert ended.is_over and small().resume(saved(ended)).winners == ended.winners
    for wrong in (1, "true", None):
        check_refused(small(), {**ended.to_json(), "over": wrong}, "R721", "R722")


CHANGES: list[dict[str, Any]] = [
    *({"cells": [10**9] * 20}, {"log": [["sing", 1]]}, {"state": 2}, {"game": "other"}, {"options": {}}),
    *({"options": {"size": 5, "way": "up"}}, {"digest": "0" * 16}, {"pc": -1}, {"pc": 10**6}, {"pc": 0}),
    *({"pc": True}, {"actor": 1}, {"actor": -1}, {"actor": 2}, {"over": True}, {"over": 1}, {"chance": ["0", "1"]}),
    *({"chance": ["-000000000000001", "0" * 16]}, {"piles": []}, {"piles": [[], [], [], []]}, {"cells": []}),
    *({"piles": [[float("inf")], [], [], []]}, {"piles": [[0] * 8, [], [], []]}, {"log": 5}, {"log": [["move"]]}),
    *({"log": [["score", "many", 0, 0, 0, 0]]}, {"back": [[], []]}),
]


@pytest.mark.parametrize("changed", CHANGES)
def test_a_changed_state_is_refused(changed: dict[str, Any]) -> None:
    data = next(state for seed in range(20) if not (state := play(small(), 2, seed)).is_over).to_json()
    assert all(data[key] != value for key, value in changed.items())
    check_refused(small(), {**data, **changed}, "R721", "R722")


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("charm of A", [-1, 18, 29], [17, 30, -2]),
        ("score of A", [0, 20], [-1, 21, 0.5, "3", None]),
        ("total", [-5, 50], [-6, 51]),
        ("bid of A", [0, 3, NO_NUMBER], [-1, 4]),
        ("wish of A of spades", [0, 1, False, True], [-1, 2, "true"]),
        ("debt of A B", [0, 1, -1], [-2, 2]),
        ("kept", [-1, 0, 11], [-2, 12]),
        ("first", [0, 2], [-1, 3]),
        ("couple", [0, 2], [-1, 3]),
        ("rate", [0, 1], [-1, 2]),
    ],
)
def test_a_cell_holds_values_of_its_kind(cabinet: Game, name: str, right: list[Any], wrong: list[Any]) -> None:
    found = find_cells(cabinet.compiled, name)
    assert not isinstance(found, str)
    (cell,) = found[1]
    data = cabinet.start(3).to_json()
    resumed = [cabinet.resume(change(data, ("cells", cell), value)) for value in right]
    assert [state.core.cells[cell] for state in resumed] == right
    for value in wrong:
        check_refused(cabinet, change(data, ("cells", cell), value))


KINDS: list[tuple[ValueType, int]] = [(Piece("man"), 6), (PLAYER_TYPE, 3), (Choice("pace"), 2), (Row("ranks"), 3)]
KINDS += [(make_number_type(0, 7), 8), (BOOL, 2), (Pile(), 0), (Piece(), 0)]


@pytest.mark.parametrize(("value_type", "count"), KINDS)
def test_a_register_holds_values_of_its_kind(cabinet: Game, value_type: ValueType, count: int) -> None:
    """As many consecutive numbers, and the absent value."""
    own, machine = cabinet.compiled, cabinet.machine
    count = count or (len(machine.face) if value_type == Pile() else 2 * len(machine.copies))
    held = [value for value in range(-5, 100) if fits_type(own, value, value_type, absent=False)]
    assert held == [*range(held[0], held[0] + count)]
    assert fits_type(own, absent_of(value_type), value_type) or value_type == BOOL
    assert not any(
        fits_type(own, value, value_type) for value in (absent_of(value_type) - 1, held[-1] + 1, "0", 0.0, None)
    )
    assert fits_type(own, (held[0], held[-1]), List(value_type, 9)) and not fits_type(
        own, [held[0]], List(value_type, 9)
    )
    assert not fits_type(own, (held[0], held[-1] + 1), List(value_type, 9))


def test_moves_chosen_unseen_come_back(cabinet: Game) -> None:
    """A choice is the number of a move of the game with its bindings."""
    state = cabinet.start(3).play("announce 2")
    data = saved(state)
    cell = data["cells"].index([[0, 2]])
    assert cabinet.resume(data) == state
    for wrong in ([0, 4], [99, 2], [0], [0, 2, 2], ["0", 2], 7):
        check_refused(cabinet, change(data, ("cells", cell, 0), wrong))


def test_states_and_moves_are_compared_by_value(cabinet: Game) -> None:
    state = cabinet.start(3)
    assert state == cabinet.start(3) and hash(state) == hash(cabinet.start(3))
    assert cabinet.start() == cabinet.start(0, 0) != cabinet.start(0, 1) and cabinet.playout() == cabinet.playout(0, 0)
    assert state != cabinet.start(4) and state != state.play("announce 1") and state != state.core
    assert state != load_rules("game/ladder").start(3)
    moves, same = state.moves(), cabinet.start(3).moves()
    assert moves == same and [*map(hash, moves)] == [*map(hash, same)] and len({*moves}) == len(moves) > 1
    assert moves[0] != moves[0].id


def test_a_game_with_too_many_decisions_is_unfinished(cabinet: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    state = cabinet.start(3)
    found = []
    for most in (1, 2, 3):
        monkeypatch.setattr(game_module, "MOST_DECISIONS", most)
        found.append(state.play("announce 1").play("announce 2").unfinished)
    assert found == [True, True, False]
    monkeypatch.setattr(game_module, "MOST_DECISIONS", 1)
    assert not cabinet.playout(3).unfinished


@pytest.mark.parametrize(
    ("formula", "piles", "contents", "value"),
    CASES["a formula is a function of piles"],
)
def test_a_formula_is_a_function_of_piles(
    cabinet: Game, formula: str, piles: tuple[str, ...], contents: tuple[list[str], ...], value: object
) -> None:
    call = cabinet.evaluator(formula, *piles)
    assert call(*contents) == value
    assert call(*([cabinet.piece(sign) for sign in signs] for signs in contents)) == value


@pytest.mark.parametrize(
    ("formula", "piles", "told"),
    CASES["an evaluator needs no player and single piles"],
)
def test_an_evaluator_needs_single_piles(cabinet: Game, formula: str, piles: tuple[str, ...], told: str) -> None:
    with pytest.raises(Refused) as refused:
        cabinet.evaluator(formula, *piles)
    (found,) = refused.value.diagnostics
    assert f"{found.code}: {found.message}".startswith(told)


def test_a_pile_holds_pieces_of_the_game(cabinet: Game) -> None:
    data = cabinet.start(3).to_json()
    last = 2 * len(cabinet.machine.copies) - 1
    assert data["piles"][0] == [0, 8, 2]
    wrong = [change(data, ("piles", 0, 0), value) for value in (-2, last + 1, "0", True, 2, 0.5)]
    wrong += [{**data, "pieces": data["pieces"] + more} for more in (-1, 1)]
    wrong += [{**data, "piles": [*data["piles"], []]}, {**data, "piles": data["piles"][:-1]}]
    for one in wrong:
        check_refused(cabinet, one, "R721", "R722")
    assert cabinet.resume(change(data, ("piles", 0, 0), 1)).core.piles[0] == [1, 8, 2], "a piece may be turned"


@pytest.mark.parametrize("data", [{"state": 1}, [["state", 1]], None, [], "", 0, {}])
def test_anything_else_is_no_state(data: Any) -> None:
    with pytest.raises(Refused) as refused:
        small().resume(data)
    assert isinstance(data, dict) or "what is no object" in refused.value.diagnostics[0].message


@pytest.mark.whole
@pytest.mark.parametrize(("name", "count"), some_now([("crapette", 24), ("barbu", 120), ("backgammon", 120)], 1))
def test_any_changed_value_is_refused_or_can_be_played(name: str, count: int) -> None:
    rng, own = random.Random(7), game(name)
    data = saved(play(own, 40))
    accepted = 0
    for path in rng.sample(list(leaves(data, ())), count):
        try:
            state = own.resume(change(data, path, rng.choice(ODD)))
        except Refused:
            continue
        accepted += 1
        play_on(state)
    assert accepted < count // 2


def leaves(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from leaves(value, (*path, key))


def play_on(state: State) -> None:
    """Only an error of the rules may stop a game of random moves."""
    pick = Chance.stream(3).below
    try:
        for _ in range(sized(10, 60)):
            if state.is_over:
                break
            legal = state.moves()
            state = state.play(legal[pick(len(legal))])
            state.view(state.to_act)
    except Refused as refused:
        assert {d.code for d in refused.diagnostics} <= {"R712", "R901", "R902", "R903", "R904", "R905", "R906"}
