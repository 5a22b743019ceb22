"""What an obligation with `each` weighs apart, in play and where it is explained; and to whom a side's points are said to go."""

from __future__ import annotations

import pytest

from interpreter import Game, load



@pytest.fixture(scope="module")
def giving(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("giving") / "giving.yaml"
    path.write_text(GIVING, encoding="utf-8")
    return load(path)


def test_numbers_next_to_each_other_are_apart(giving: Game) -> None:
    state = giving.position({"at": "game / once", "to_act": "N"}, 1)
    assert [move.id for move in state.moves()] == ["give 2", "give 4", "keep 1", "keep 3"]
    assert state.why("keep 3").legal
    assert state.why("keep 2").summary() == "What can be given is not kept. [§1] — instead: `give 2`"


def test_a_piece_is_the_same_whichever_way_it_lies(giving: Game) -> None:
    piles = {"hand of N": "2S 3S", "lower": "2S 4S"}
    state = giving.position({"at": "game / then", "to_act": "N", "piles": piles}, 1)
    assert sorted(move.id for move in state.moves()) == ["drop 3S", "raise 2S", "raise 4S"]
    assert state.why("drop 3S").legal and not state.why("drop 2S").legal


def test_points_of_a_side_are_said_to_go_to_it(giving: Game) -> None:
    state = giving.position({"at": "game / once", "to_act": "N"}, 1).play("give 2")
    assert state.scores == {"north_south": 2, "east_west": 0}
    assert "North and South +2 given" in [event.text() for event in state.events]
