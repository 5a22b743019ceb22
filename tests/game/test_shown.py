"""What an interactive Python shows of games, states and evaluators."""

from __future__ import annotations

from games import game

from interpreter import load


def test_a_game_is_shown_with_the_options_that_were_set() -> None:
    assert repr(game("klondike")) == "<Game klondike engine=auto>"
    assert repr(load("klondike", draw=1)) == "<Game klondike draw=1 engine=auto>"
    assert repr(load("klondike", draw=3, engine="python")) == "<Game klondike engine=python>"
    assert repr(game("hearts")) == "<Game hearts players=4 engine=auto>"  # which number is usual nobody says
    assert repr(game("grabuge-8")) == "<Game grabuge-8 engine=auto>"


def test_a_state_is_shown_by_where_it_stands() -> None:
    state = game("klondike").start(1)
    assert repr(state) == "<State klondike: A to act (game / play) after 0 decisions>"
    assert repr(state.play(state.moves()[0])) == "<State klondike: A to act (game / play) after 1 decisions>"
    ended = game("klondike").playout(2)
    assert repr(ended) == f"<State klondike: over after {ended.decisions} decisions>"
    nowhere = game("klondike").position({"piles": {"waste": "7H"}})
    assert repr(nowhere) == "<State klondike: A to act after 0 decisions>"


def test_nothing_hidden_is_shown() -> None:
    """Whatever was dealt."""
    assert len({repr(game("hearts").start(seed)) for seed in range(5)}) == 1


def test_an_evaluator_is_shown_by_what_it_was_made_of() -> None:
    found = game("cribbage").evaluator("worth(hand of A) + 1", "hand of A", "starter")
    assert repr(found) == "<Evaluator cribbage: 'worth(hand of A) + 1' of hand of A, starter engine=auto>"
