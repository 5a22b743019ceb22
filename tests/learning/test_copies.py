"""Environments that are pickled and copied go on as those they were made of."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from engines import with_compiler
from games import game, loaded, names
from tiers import in_tiers, sized

from interpreter import Game, State, learning
from interpreter.learning.aec import Environment
from interpreter.learning.plays import Form
from interpreter.learning.vectors import Vector

EVERY = [name for name, _ in names()]
GAMES = in_tiers(EVERY, quick=["cribbage"], whole=["hearts", "klondike", "gin-rummy", "barbu"])


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def told(env: Environment) -> tuple[object, ...]:
    """All that is told of an environment where it stands."""
    observed, reward, ended, cut, info = env.last()
    seen = observed["observation"].tobytes(), observed["action_mask"].tobytes()
    return env.agent_selection, seen, reward, ended, cut, info, dict(env.rewards), list(env.agents)


def steps(env: Environment, count: int, pick: random.Random) -> None:
    for _ in range(count):
        if env.agents:
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if over else pick.choice(env.play.offer.legal))


@pytest.mark.parametrize("rewards", ["win", "score"])
@pytest.mark.parametrize("again", [pickled, copy.deepcopy])
@pytest.mark.parametrize("name", GAMES)
def test_play_goes_on_as_if_nothing_had_happened(
    name: str, again: Callable[[Environment], Environment], rewards: str
) -> None:
    """At any moment, in the middle of a composed action, too: what is observed, legal and rewarded is the same afterwards, and the next game of the series."""
    one, pick = Environment(game(name), most=40, rewards=rewards), random.Random(5)
    one.reset(seed=5)
    for _ in range(sized(1, 3)):
        steps(one, pick.randrange(12), pick)
        two, picks = again(one), [random.Random(6) for _ in range(2)]
        for _ in range(sized(6, 15)):
            if not one.agents:
                one.reset()
                two.reset()
            assert told(one) == told(two)
            for env, own in zip((one, two), picks, strict=True):
                steps(env, 1, own)
    assert one.play is not two.play and one.play.core is not two.play.core


def test_what_was_chosen_of_an_action_is_kept_and_copies_go_their_own_ways() -> None:
    env = Environment(game("cribbage"))
    env.reset(seed=1)
    env.step(env.play.offer.legal[0])
    for other in (pickled(env), copy.deepcopy(env)):
        before = told(env)
        assert other.play.offer.chosen == env.play.offer.chosen != ()
        steps(other, 5, random.Random(1))
        assert told(env) == before != told(other)


def test_an_environment_is_pickled_before_its_first_game_and_when_its_game_is_over() -> None:
    env = pickled(Environment(game("golf"), most=3, memory=False))
    env.reset(seed=2)
    steps(env, 100, random.Random(1))
    assert not env.agents
    other = pickled(env)
    assert not other.agents and other.play.moves == 3
    for one in (env, other):
        one.reset()
    assert told(env) == told(other)


def test_a_game_is_made_again_from_its_rules_and_copied_as_it_is() -> None:
    given = loaded("klondike", draw=1)
    found = pickled(given)
    assert (found.digest, found.options, found.engine) == (given.digest, given.options, given.engine)
    assert copy.deepcopy(given) is given
    state = given.start(3).play(given.start(3).moves()[0])
    other: State = pickled(state)
    assert other == state and other.game.options["draw"] == 1
    assert [event.text() for event in other.events] == [event.text() for event in state.events]
    assert [move.id for move in other.moves()] == [move.id for move in state.moves()]


def test_what_an_environment_is_made_of_is_there_once_when_it_is_made_again() -> None:
    env = Environment(game("cribbage"))
    env.reset(seed=1)
    env.step(env.play.offer.legal[0])
    found = pickled(env)
    assert found.form.game is found.game and found.play.form is found.form
    knowledge = found.play.knowledge(0)
    assert knowledge is not None and knowledge.game is found.game.compiled
    form: Form = pickled(env.form)
    assert form.layouts == env.form.layouts and form.numbering.size == env.form.numbering.size


@with_compiler
@pytest.mark.parametrize("again", [pickle.dumps, copy.copy, copy.deepcopy])
def test_many_games_at_once_say_that_they_cannot_be_copied(again: Callable[[Vector], Any]) -> None:
    with pytest.raises(TypeError, match=r"many games at once .* `learning.vector`"):
        again(learning.vector(Game(game("golf").compiled, "python"), 2))
