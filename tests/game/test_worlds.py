"""States that look the same to a seat: what it sees is as it was, and everything else can be whatever it may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sights import seen_in

from interpreter import State, load
from interpreter.diagnostics import Refused
from interpreter.game import worlds as worlds_module
from interpreter.game.seen import seen_by
from interpreter.game.spelling import cells_of
from interpreter.game.worlds import imagined, worlds
from interpreter.running.chance import Chance
from interpreter.running.state import Core

CABINET = load(Path(__file__).parent / "scenes" / "cabinet.yaml")
COUNT = 80


def some(state: State, seat: str) -> list[Core]:
    player, chance = CABINET.seats.index(seat), Chance.stream(1)
    return [imagined(CABINET.compiled, seen_in(state, player), chance) for _ in range(COUNT)]


def played(*moves: str) -> State:
    state = CABINET.start(3)
    for move in moves:
        state = state.play(move)
    return state


BIDS = ("announce 2", "announce 0", "announce 3")


@pytest.mark.parametrize("seat", CABINET.seats)
def test_what_a_seat_sees_is_as_it_was(seat: str) -> None:
    state = played(*BIDS, "bury 2H -> store 1", "show 3H -> 2")
    view = state.view(seat)
    held = Counter(p >> 1 for pile in state.core.piles for p in pile)
    for world in some(state, seat):
        seen = State(CABINET, world).view(seat)
        assert (seen.piles, seen.to_act, seen.place) == (view.piles, view.to_act, view.place)
        assert [(s.name, s.member, s.value) for s in seen.state] == [(s.name, s.member, s.value) for s in view.state]
        assert Counter(p >> 1 for pile in world.piles for p in pile) == held


@pytest.mark.parametrize(
    ("name", "own", "others"),
    [
        ("bid of B", [2], [0, 1, 2, 3, None]),
        ("hidden of B", [2], [*range(10)]),
        ("charm of B", ["black"], ["red", "black", None]),
        ("wish of B of hearts", [True], [False, True]),
        ("score of B", [3], [3]),
        ("first", ["B"], ["B"]),
    ],
)
def test_what_a_seat_may_not_know_is_anything(name: str, own: Sequence[object], others: Sequence[object]) -> None:
    state = played(*BIDS, "pass", "pass")
    found = cells_of(CABINET.compiled, name)
    assert not isinstance(found, str)
    for seat, values in (("A", others), ("B", own), ("C", others)):
        met = {State(CABINET, world).value(name, "B").plain for world in some(state, seat)}
        assert met == set(values)


def test_hidden_pieces_lie_anywhere_among_their_kind() -> None:
    state = played(*BIDS, "bury 2H -> store 1", "show 3H -> 2")
    names = CABINET.compiled.namer
    number = {names.key(pile): pile for pile in range(len(CABINET.machine.pile_names))}
    found = some(state, "A")
    met = {key: {p >> 1 for world in found for p in world.piles[pile]} for key, pile in number.items()}
    unseen = {
        p >> 1 for key in ("pack", "hand of B", "hand of C", "store of B at 1") for p in state.core.piles[number[key]]
    }
    assert met["pack"] == met["hand of B"] == met["store of B at 1"] == unseen
    assert met["hand of A"] == {p >> 1 for p in state.core.piles[number["hand of A"]]}
    assert {names.signs[c] for c in met["tray"]} == {"low", "high"}


def test_choices_unseen_are_made_again() -> None:
    """Whoever has chosen knows its own choice alone; who is to choose knows none."""
    state = played("announce 2", "announce 0")
    made = next(cell for cell, value in enumerate(state.core.cells) if value == ((0, 2), (0, 0)))
    for seat, own in (("A", None), ("B", (0, (0, 2))), ("C", (1, (0, 0)))):
        chosen = [world.cells[made] for world in some(state, seat)]
        for place in range(2):
            met = {choice[place] for choice in chosen}
            assert met == ({own[1]} if own and own[0] == place else {(0, n) for n in range(4)})


def test_of_so_many_tries_those_with_the_same_moves() -> None:
    state = played(*BIDS)
    ids = [move.id for move in state.moves()]
    found = list(worlds(CABINET.compiled, seen_in(state, 1), Chance.stream(2), 10))
    assert 0 < len(found) <= 10
    assert all([move.id for move in State(CABINET, world).moves()] == ids for world in found)
    assert list(worlds(CABINET.compiled, seen_in(state, 1), Chance.stream(2), 10, lambda: True)) == []


def test_what_may_be_taken_back_are_the_same_pieces() -> None:
    ladder = load(Path(__file__).parent / "scenes" / "ladder.yaml")
    piles = {"hand of A": "3r 5l 6r", "ladder": ["4r", "~", "5r"], "hand of B": "6l 1l"}
    state = ladder.position({"at": "corrected", "to_act": "A", "piles": piles}).play("climb 5l -> 2")
    assert state.core.back is not None
    held = Counter(p >> 1 for pile in state.core.back[0] for p in pile)
    for number in range(20):
        world = imagined(ladder.compiled, seen_in(state, 1), Chance.stream(number))
        assert world.back is not None
        assert Counter(p >> 1 for pile in world.back[0] for p in pile) == held




@pytest.mark.parametrize(
    ("loop", "many"),
    [("for: c in hand of A", True), ('for: "cs in subsets(hand of A, 2)"', True), ("for: n in 2..3", False)],
)
def test_what_names_are_bound_to(loop: str, many: bool, tmp_path: Path) -> None:
    """A hidden piece that a name stands for is another in each world, out of the hand it lay in; what is no piece stays."""
    path = tmp_path / "bound.yaml"
    path.write_text(BOUND.replace("LOOP", loop), encoding="utf-8")
    game = load(path)
    core, names = game.start(3).core, [game.compiled.namer.key(n) for n in range(len(game.machine.pile_names))]
    hand = core.piles[names.index("hand of A")]
    met: set[tuple[object, ...]] = set()
    for number in range(20):
        world = imagined(game.compiled, seen_by(game.compiled, core, 1), Chance.stream(number))
        became = dict(zip(hand, world.piles[names.index("hand of A")], strict=True))
        for kind, true, found in zip(game.machine.register_kinds, core.cells, world.cells, strict=True):
            expected = true
            if kind.name == "piece":
                expected = became[true]
            elif isinstance(true, tuple):
                expected = _each(true, became)
            assert found == expected
        met.add(tuple(world.cells))
    assert (len(met) > 5) is many


def _each(true: Any, became: dict[int, int]) -> Any:
    """The same with every piece of the hand as what it became."""
    return tuple(_each(part, became) for part in true) if isinstance(true, tuple) else became.get(true, true)


def test_states_that_cannot_be_or_stand_elsewhere_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    state = played(*BIDS)
    core, elsewhere, others = state.core, CABINET.start(3).core, state.core.copy()
    others.acts = others.acts[1:]
    made = iter([core, None, elsewhere, others, core])

    def some_imagined(*_: object) -> Core:
        found = next(made)
        if found is None:
            raise Refused([])
        return found

    monkeypatch.setattr(worlds_module, "imagined", some_imagined)
    assert [*worlds(CABINET.compiled, seen_by(CABINET.compiled, core, core.actor), Chance.stream(1), 5)] == [core, core]
    made = iter([core, others])
    assert [*worlds(CABINET.compiled, seen_by(CABINET.compiled, core, core.actor + 1), Chance.stream(1), 2)] == [
        core,
        others,
    ]
    assert [
        *worlds(CABINET.compiled, seen_by(CABINET.compiled, core, core.actor), Chance.stream(1), 2, lambda: True)
    ] == []
