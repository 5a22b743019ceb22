"""Saved states: what was saved comes back equal, and nothing else reaches the machine."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games import FEW, game, originals
from tiers import in_tiers, sized, some_now

from interpreter import load
from interpreter.diagnostics import Refused
from interpreter.game import game as game_module
from interpreter.game.game import Game, State
from interpreter.game.saving import fits
from interpreter.game.spelling import cells_of
from interpreter.language.ir import NO_NUMBER, absent_of
from interpreter.language.kinds import BOOL, Choice, Kind, List, Piece, Pile, Row, number
from interpreter.language.kinds import PLAYER as PLAYER_KIND
from interpreter.running.chance import PLAYER, Chance

SMALL = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"
ODD: list[Any] = [
    None,
    True,
    -1,
    -2,
    10**9,
    -(2**31),
    2**70,
    0.5,
    float("inf"),
    float("nan"),
    "x",
    [],
    {},
    [[]],
    [0] * 99,
]


def played(game: Game, moves: int, seed: int = 1) -> State:
    state, pick = game.start(seed), Chance.stream(seed, 0, PLAYER)
    while not state.is_over and moves > 0:
        legal = state.moves()
        state.play_here(legal[pick.below(len(legal))])
        moves -= 1
    return state


@pytest.mark.parametrize("name", in_tiers(originals(), quick=FEW[::2], whole=FEW))
def test_what_was_saved_comes_back(name: str) -> None:
    for moves in (0, 9, 1, 30)[: sized(2, 4)]:
        state = played(game(name), moves)
        found = game(name).resume(json.loads(json.dumps(state.to_json())))
        assert found == state
        assert [move.id for move in found.moves()] == [move.id for move in state.moves()]
        assert [event.text() for event in found.events] == [event.text() for event in state.events]


@pytest.mark.parametrize("position", [{"piles": {"hand of A": "2H 3S"}, "at": "play", "to_act": "A"}, {"piles": {}}])
def test_a_position_comes_back_with_the_pieces_it_has(position: dict[str, Any]) -> None:
    hearts = game("hearts")
    state = hearts.position(position)
    assert hearts.resume(json.loads(json.dumps(state.to_json()))) == state


def test_the_end_comes_back() -> None:
    game = load(SMALL)
    state = played(game, 1000)
    assert state.is_over
    assert game.resume(json.loads(json.dumps(state.to_json()))).winners == state.winners


CHANGES: list[dict[str, Any]] = [
    {"state": 2},
    {"game": "other"},
    {"options": {}},
    {"options": {"size": 5, "way": "up"}},
    {"digest": "0" * 16},
    {"pc": -1},
    {"pc": 10**6},
    {"pc": 0},
    {"pc": True},
    {"actor": 1},
    {"actor": -1},
    {"actor": 2},
    {"over": True},
    {"over": 1},
    {"chance": ["0", "1"]},
    {"chance": ["-000000000000001", "0" * 16]},
    {"piles": []},
    {"piles": [[], [], [], []]},
    {"piles": [[float("inf")], [], [], []]},
    {"piles": [[0] * 8, [], [], []]},
    {"cells": []},
    {"cells": [10**9] * 20},
    {"log": 5},
    {"log": [["move"]]},
    {"log": [["score", "many", 0, 0, 0, 0]]},
    {"log": [["sing", 1]]},
    {"back": [[], []]},
]


@pytest.mark.parametrize("changed", CHANGES)
def test_what_was_changed_is_refused(changed: dict[str, Any]) -> None:
    game = load(SMALL)
    saved = next(state for seed in range(20) if not (state := played(game, 2, seed)).is_over).to_json()
    assert all(saved[key] != value for key, value in changed.items())
    with pytest.raises(Refused) as refused:
        game.resume({**saved, **changed})
    assert [d.code for d in refused.value.diagnostics] in (["R721"], ["R722"])


CABINET = load(Path(__file__).parent / "scenes" / "cabinet.yaml")
"""A pile and a state of every sort."""
SORTS: list[tuple[str, Any, Any]] = [
    ("score of A", [0, 20], [-1, 21, 0.5, "3", None]),
    ("total", [-5, 50], [-6, 51]),
    ("bid of A", [0, 3, NO_NUMBER], [-1, 4]),
    ("wish of A of spades", [0, 1, False, True], [-1, 2, "true"]),
    ("debt of A B", [0, 1, -1], [-2, 2]),
    ("kept", [-1, 0, 11], [-2, 12]),
    ("first", [0, 2], [-1, 3]),
    ("couple", [0, 2], [-1, 3]),
    ("rate", [0, 1], [-1, 2]),
    ("charm of A", [-1, 18, 29], [17, 30, -2]),
]


@pytest.mark.parametrize(("name", "right", "wrong"), SORTS)
def test_a_cell_holds_what_its_kind_can_be(name: str, right: list[Any], wrong: list[Any]) -> None:
    found = cells_of(CABINET.compiled, name)
    assert not isinstance(found, str)
    (cell,) = found[1]
    saved = CABINET.start(3).to_json()

    def resumed(value: Any) -> State:
        return CABINET.resume(changed(saved, ("cells", cell), value))

    assert [resumed(value).core.cells[cell] for value in right] == right
    for value in wrong:
        with pytest.raises(Refused) as refused:
            resumed(value)
        assert [d.code for d in refused.value.diagnostics] == ["R721"]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        (Pile(), len(CABINET.machine.face)),
        (Piece(), 2 * len(CABINET.machine.copies)),
        (Piece("man"), 2 * 3),
        (PLAYER_KIND, 3),
        (Choice("pace"), 2),
        (Row("ranks"), 3),
        (number(0, 7), 8),
        (BOOL, 2),
    ],
)
def test_a_register_holds_what_its_kind_can_be(kind: Kind, count: int) -> None:
    """As many numbers one after another, and what stands for nothing."""
    game = CABINET.compiled
    held = [value for value in range(-5, 100) if fits(game, value, kind, absent=False)]
    assert held == [*range(held[0], held[0] + count)]
    assert fits(game, absent_of(kind), kind) or kind == BOOL
    assert not any(fits(game, value, kind) for value in (absent_of(kind) - 1, held[-1] + 1, "0", 0.0, None))
    assert fits(game, (held[0], held[-1]), List(kind, 9)) and not fits(game, [held[0]], List(kind, 9))
    assert not fits(game, (held[0], held[-1] + 1), List(kind, 9))


def test_moves_that_were_chosen_unseen_come_back() -> None:
    """Numbers of moves with what they are bound to; none that the game does not have."""
    state = CABINET.start(3).play("announce 2")
    saved = json.loads(json.dumps(state.to_json()))
    cell = saved["cells"].index([[0, 2]])
    assert CABINET.resume(saved) == state
    for wrong in ([0, 4], [99, 2], [0], [0, 2, 2], ["0", 2], 7):
        with pytest.raises(Refused) as refused:
            CABINET.resume(changed(saved, ("cells", cell, 0), wrong))
        assert [d.code for d in refused.value.diagnostics] == ["R721"]


def test_states_are_equal_where_all_that_matters_is() -> None:
    state = CABINET.start(3)
    assert state == CABINET.start(3) and hash(state) == hash(CABINET.start(3))
    assert CABINET.start() == CABINET.start(0, 0) != CABINET.start(0, 1) and CABINET.playout() == CABINET.playout(0, 0)
    assert state != CABINET.start(4) and state != state.play("announce 1") and state != state.core
    assert state != load(Path(__file__).parent / "scenes" / "ladder.yaml").start(3)
    moves, same = state.moves(), CABINET.start(3).moves()
    assert moves == same and [*map(hash, moves)] == [*map(hash, same)] and len({*moves}) == len(moves) > 1
    assert moves[0] != moves[0].id


def test_a_game_that_would_not_end_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    state = CABINET.start(3)
    found = []
    for most in (1, 2, 3):
        monkeypatch.setattr(game_module, "MOST_DECISIONS", most)
        found.append(state.play("announce 1").play("announce 2").unfinished)
    assert found == [True, True, False]
    monkeypatch.setattr(game_module, "MOST_DECISIONS", 1)
    assert not CABINET.playout(3).unfinished




def test_a_game_without_decisions_comes_back(tmp_path: Path) -> None:
    (tmp_path / "over.yaml").write_text(OVER, encoding="utf-8")
    state = load(tmp_path / "over.yaml").start()
    found = state.game.resume(json.loads(json.dumps(state.to_json())))
    assert found.is_over and [event.text() for event in found.events] == ["over"]


def test_an_end_is_one_by_truth_and_not_by_number() -> None:
    game = load(SMALL)
    saved = game.playout(1).to_json()
    assert game.resume(saved).is_over
    for over in (1, "true", None):
        with pytest.raises(Refused):
            game.resume({**saved, "over": over})


@pytest.mark.parametrize(
    ("formula", "piles", "contents", "value"),
    [
        ("count(pack) + count(pot)", ("pack", "pot"), (["AH", "2S"], ["3H"]), 3),
        ("some c in cards(store of A) has c.rank is ace", ("store of A at 2",), (["2H", "AS"],), True),
        ("top(row at 2) is none", ("row at 1", "row at 2"), (["2H"], []), True),
        ("sum(c.rank.order for c in suited of hearts)", ("suited of hearts",), (["2H", "3S"],), 5),
    ],
)
def test_a_formula_as_a_function_of_piles(
    formula: str, piles: tuple[str, ...], contents: tuple[list[str], ...], value: object
) -> None:
    call = CABINET.evaluator(formula, *piles)
    assert call(*contents) == value
    assert call(*([CABINET.piece(sign) for sign in signs] for signs in contents)) == value


@pytest.mark.parametrize(
    ("formula", "piles", "told"),
    [
        ("count(hand)", (), "R306: "),
        ("count(hand of me)", (), "R306: "),
        ("count(pack)", ("store of A",), "R703: `store of A` is several piles: say which"),
        ("count(pack)", ("pak",), "R703: there is no pile `pak`: did you mean `pack`?"),
        ("count(pack)", ("store of D",), "R703: `store` has no member `D`"),
    ],
)
def test_a_formula_of_nobody_and_piles_that_are_one(formula: str, piles: tuple[str, ...], told: str) -> None:
    with pytest.raises(Refused) as refused:
        CABINET.evaluator(formula, *piles)
    (found,) = refused.value.diagnostics
    assert f"{found.code}: {found.message}".startswith(told)


def test_a_pile_holds_pieces_that_there_are() -> None:
    saved = CABINET.start(3).to_json()
    last = 2 * len(CABINET.machine.copies) - 1
    assert saved["piles"][0] == [0, 8, 2]
    wrong = [(0, 0, -2), (0, 0, last + 1), (0, 0, "0"), (0, 0, True), (0, 0, 2), (0, 0, 0.5)]
    found = [changed(saved, ("piles", pile, height), value) for pile, height, value in wrong]
    found += [{**saved, "pieces": saved["pieces"] + more} for more in (-1, 1)]
    found += [{**saved, "piles": [*saved["piles"], []]}, {**saved, "piles": saved["piles"][:-1]}]
    for data in found:
        with pytest.raises(Refused):
            CABINET.resume(data)
    assert CABINET.resume(changed(saved, ("piles", 0, 0), 1)).core.piles[0] == [1, 8, 2], "a piece may be turned"


@pytest.mark.parametrize("data", [None, [], "", 0, {}, {"state": 1}, [["state", 1]]])
def test_what_is_no_state_at_all(data: Any) -> None:
    with pytest.raises(Refused) as refused:
        load(SMALL).resume(data)
    assert isinstance(data, dict) or "what is no object" in refused.value.diagnostics[0].message


@pytest.mark.parametrize("count", some_now([sized(8, 30), 120], 1))
@pytest.mark.parametrize("name", ["crapette", "backgammon", "barbu"])
def test_whatever_is_changed_is_refused_or_can_be_played(name: str, count: int) -> None:
    rng = random.Random(7)
    saved = json.loads(json.dumps(played(game(name), 40).to_json()))
    places = list(leaves(saved, ()))
    accepted = 0
    for path in rng.sample(places, min(len(places), count)):
        try:
            state = game(name).resume(changed(saved, path, rng.choice(ODD)))
        except Refused:
            continue
        accepted += 1
        going_on(state)
    assert accepted < count // 2


def leaves(data: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from leaves(value, (*path, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    found = copy.deepcopy(data)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return found


def going_on(state: State) -> None:
    """Nothing but a fault of the rules may stop a game of random moves."""
    pick = Chance.stream(3).below
    try:
        for _ in range(60):
            if state.is_over:
                break
            legal = state.moves()
            state = state.play(legal[pick(len(legal))])
            state.view(state.to_act)
    except Refused as refused:
        assert {d.code for d in refused.diagnostics} <= {"R712", "R901", "R902", "R903", "R904", "R905", "R906"}
