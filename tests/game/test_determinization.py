"""Determinizations: states that look the same to a seat, with random values for what it does not know."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rules import change_rules, load_rules
from sights import seen_in

from hoyle import Game, State
from hoyle.diagnostics import Refused
from hoyle.game.spelling import find_cells
from hoyle.game.views import redaction as worlds_module
from hoyle.game.views.redaction import determinize, redact, sample_determinizations
from hoyle.running.chance import Chance
from hoyle.running.state import Core


def cabinet() -> Game:
    return load_rules("game/cabinet")


def imagine(state: State, seat: str, count: int = 80) -> list[Core]:
    player, chance = cabinet().seats.index(seat), Chance.stream(1)
    return [determinize(cabinet().compiled, seen_in(state, player), chance) for _ in range(count)]


def played(*moves: str) -> State:
    state = cabinet().start(3)
    for move in moves:
        state = state.play(move)
    return state


BIDS = ("announce 2", "announce 0", "announce 3")


@pytest.mark.whole
@pytest.mark.parametrize("seat", ["B", "A", "C"])
def test_a_world_looks_the_same_to_its_seat(seat: str) -> None:
    state = played(*BIDS, "bury 2H -> store 1", "show 3H -> 2")
    view = state.view(seat)
    held = Counter(p >> 1 for pile in state.core.piles for p in pile)
    for world in imagine(state, seat, 20):
        seen = State(cabinet(), world).view(seat)
        assert (seen.piles, seen.to_act, seen.place) == (view.piles, view.to_act, view.place)
        assert [(s.name, s.member, s.value) for s in seen.state] == [(s.name, s.member, s.value) for s in view.state]
        assert Counter(p >> 1 for pile in world.piles for p in pile) == held


@pytest.mark.whole
def test_state_that_a_seat_may_not_know_has_any_value() -> None:
    state, c = played(*BIDS, "pass", "pass"), cabinet().compiled
    others: dict[str, list[object]] = {
        "bid of B": [0, 1, 2, 3, None],
        "hidden of B": [*range(10)],
        "charm of B": ["red", "black", None],
        "wish of B of hearts": [False, True],
    }
    own: dict[str, list[object]] = {
        "bid of B": [2],
        "hidden of B": [2],
        "charm of B": ["black"],
        "wish of B of hearts": [True],
    }
    public: dict[str, list[object]] = {"score of B": [3], "first": ["B"]}
    assert not any(isinstance(find_cells(c, name), str) for name in others)
    for seat, known in (("A", others), ("B", own), ("C", others)):
        worlds = [State(cabinet(), world) for world in imagine(state, seat)]
        for name, values in (known | public).items():
            assert {world.value(name, "B").plain for world in worlds} == set(values), (seat, name)


def test_hidden_pieces_lie_in_any_hidden_place() -> None:
    state = played(*BIDS, "bury 2H -> store 1", "show 3H -> 2")
    names = cabinet().compiled.namer
    number = {names.key(pile): pile for pile in range(len(cabinet().machine.pile_names))}
    found = imagine(state, "A")
    met = {key: {p >> 1 for world in found for p in world.piles[pile]} for key, pile in number.items()}
    unseen = {
        p >> 1 for key in ("pack", "hand of B", "hand of C", "store of B at 1") for p in state.core.piles[number[key]]
    }
    assert met["pack"] == met["hand of B"] == met["store of B at 1"] == unseen
    assert met["hand of A"] == {p >> 1 for p in state.core.piles[number["hand of A"]]}
    assert {names.signs[c] for c in met["tray"]} == {"low", "high"}


@pytest.mark.whole
def test_unseen_choices_are_made_again() -> None:
    """A seat that has chosen knows its own choice only; a seat that is to choose knows none."""
    state = played("announce 2", "announce 0")
    made = next(cell for cell, value in enumerate(state.core.cells) if value == ((0, 2), (0, 0)))
    for seat, own in (("A", None), ("B", (0, (0, 2))), ("C", (1, (0, 0)))):
        chosen = [world.cells[made] for world in imagine(state, seat)]
        for place in range(2):
            met = {choice[place] for choice in chosen}
            assert met == ({own[1]} if own and own[0] == place else {(0, n) for n in range(4)})


def test_only_worlds_with_the_same_moves_are_kept() -> None:
    state = played(*BIDS)
    ids = [move.id for move in state.moves()]
    found = list(sample_determinizations(cabinet().compiled, seen_in(state, 1), Chance.stream(2), 10))
    assert 0 < len(found) <= 10
    assert all([move.id for move in State(cabinet(), world).moves()] == ids for world in found)
    assert (
        list(sample_determinizations(cabinet().compiled, seen_in(state, 1), Chance.stream(2), 10, lambda: True)) == []
    )


def test_earlier_positions_have_the_same_pieces() -> None:
    ladder = load_rules("game/ladder")
    piles = {"hand of A": "3r 5l 6r", "ladder": ["4r", "~", "5r"], "hand of B": "6l 1l"}
    state = ladder.position({"at": "corrected", "to_act": "A", "piles": piles}).play("climb 5l -> 2")
    assert state.core.back is not None
    held = Counter(p >> 1 for pile in state.core.back[0] for p in pile)
    for number in range(9):
        world = determinize(ladder.compiled, seen_in(state, 1), Chance.stream(number))
        assert world.back is not None
        assert Counter(p >> 1 for pile in world.back[0] for p in pile) == held


@pytest.mark.parametrize(
    ("loop", "many"),
    [("for: c in hand of A", True), ('for: "cs in subsets(hand of A, 2)"', True), ("for: n in 2..3", False)],
)
def test_bound_names_change_with_hidden_pieces(loop: str, many: bool, tmp_path: Path) -> None:
    """A piece of a hidden hand becomes another one of it. Numbers stay."""
    game = change_rules("game/bound", tmp_path, {"LOOP": loop})
    core, names = game.start(3).core, [game.compiled.namer.key(n) for n in range(len(game.machine.pile_names))]
    hand = core.piles[names.index("hand of A")]
    met: set[tuple[object, ...]] = set()
    for number in range(20):
        world = determinize(game.compiled, redact(game.compiled, core, 1), Chance.stream(number))
        became = dict(zip(hand, world.piles[names.index("hand of A")], strict=True))
        for value_type, true, found in zip(game.machine.register_types, core.cells, world.cells, strict=True):
            expected = true
            if value_type.name == "piece":
                expected = became[true]
            elif isinstance(true, tuple):
                expected = _each(true, became)
            assert found == expected
        met.add(tuple(world.cells))
    assert (len(met) > 5) is many


def _each(true: Any, became: dict[int, int]) -> Any:
    return tuple(_each(part, became) for part in true) if isinstance(true, tuple) else became.get(true, true)


def test_other_and_impossible_states_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    state, own = played(*BIDS), cabinet().compiled
    core, elsewhere, others = state.core, cabinet().start(3).core, state.core.copy()
    others.acts = others.acts[1:]

    def found(made: list[Core | None], actor: int, *stopped: Callable[[], bool]) -> list[Core]:
        left = iter(made)

        def make(*_: object) -> Core:
            one = next(left)
            if one is None:
                raise Refused([])
            return one

        monkeypatch.setattr(worlds_module, "determinize", make)
        return [*sample_determinizations(own, redact(own, core, actor), Chance.stream(1), len(made), *stopped)]

    assert found([core, None, elsewhere, others, core], core.actor) == [core, core]
    assert found([core, others], core.actor + 1) == [core, others]
    assert found([core, others], core.actor, lambda: True) == []
