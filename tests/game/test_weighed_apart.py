"""What an obligation with `each` weighs apart, in play and where it is explained; and to whom a side's points are said to go."""

from __future__ import annotations

import pytest

from interpreter import Game, load

GIVING = """
ruleset: 1
game: giving
title: Giving
use: [french]
players: {seats: [N, E, S, W], count: 4, sides: {north_south: [N, S], east_west: [E, W]}, words: {north_south: North and South}}
pieces: {card: {of: [ranks, suits], copies: 2, from: pack}}
piles: {pack: {face: down}, hand: {each: player, face: owner, room: 3}, upper: {face: up}, lower: {face: up}}
state: {score: {each: side, range: 0..9}}
moves:
  keep:
    rule: {at: §1, en: A number is kept.}
    with: {n: 1..4}
  give:
    rule: {at: §1, en: A number is given.}
    with: {n: 1..4}
    if: {two or four: n is 2 or n is 4}
    then:
      points: {score: n, to: me, as: {en: given}}
  raise:
    rule: {at: §2, en: A card is raised.}
    take: cards(lower)
    put: upper
  drop:
    rule: {at: §2, en: A card is dropped.}
    take: cards(hand)
    put: lower
obligations:
  give what can be given:
    rule: {at: §1, en: What can be given is not kept.}
    prefer: [give]
    each: n
  raise one like it:
    rule: {at: §2, en: Of two cards alike none is dropped.}
    prefer: [raise]
    over: [drop]
    each: card
flow:
  game:
    once: {by: N, choose: [keep, give], obey: [give what can be given]}
    then: {by: N, choose: [raise, drop], obey: [raise one like it]}
result: {best: score of p}
"""


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
