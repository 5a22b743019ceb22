"""Pickled and copied environments go on as those they were made of."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from engines import with_compiler
from environments import begun
from games import game, loaded
from small_games import natively

from hoyle import State

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment

pytestmark = pytest.mark.whole


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def told(env: Environment) -> tuple[object, ...]:
    observed, reward, ended, cut, info = env.last()
    seen = observed["observation"].tobytes(), observed["action_mask"].tobytes()
    return env.agent_selection, seen, reward, ended, cut, info, dict(env.rewards), list(env.agents)


def steps(env: Environment, count: int, pick: random.Random) -> None:
    for _ in range(count):
        if env.agents:
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if over else pick.choice(env.play.offer.legal))


@pytest.mark.parametrize(
    ("name", "again", "rewards"),
    [
        ("golf", pickled, "score"),
        ("cribbage", copy.deepcopy, "win"),
        *(
            pytest.param(name, again, "score", marks=pytest.mark.slow)
            for name in ("hearts", "klondike", "gin-rummy", "backgammon", "crapette")
            for again in (pickled, copy.deepcopy)
        ),
    ],
)
def test_copy_goes_on_like_the_original(name: str, again: Callable[[Any], Environment], rewards: str) -> None:
    """At any moment, also within a composed action, and into the next game of the series."""
    one, pick = begun(name, 5, most=40, rewards=rewards), random.Random(5)
    for _ in range(2):
        steps(one, pick.randrange(12), pick)
        two, picks = again(one), [random.Random(6) for _ in range(2)]
        for _ in range(8):
            if not one.agents:
                one.reset()
                two.reset()
            assert told(one) == told(two)
            for env, own in zip((one, two), picks, strict=True):
                steps(env, 1, own)
    assert one.play is not two.play and one.play.core is not two.play.core


def test_part_of_an_action_is_copied() -> None:
    env = begun("hearts")
    env.step(env.play.offer.legal[0])
    for other in (pickled(env), copy.deepcopy(env)):
        before = told(env)
        assert other.play.offer.chosen == env.play.offer.chosen != ()
        steps(other, 5, random.Random(1))
        assert told(env) == before != told(other)


def test_game_is_pickled_as_its_rules_and_copied_as_it_is() -> None:
    given = loaded("klondike", draw=1)
    found = pickled(given)
    assert (found.digest, found.options, found.engine) == (given.digest, given.options, given.engine)
    assert copy.deepcopy(given) is given
    state = given.start(3).play(given.start(3).moves()[0])
    other: State = pickled(state)
    assert other == state and other.game.options["draw"] == 1
    assert [event.text() for event in other.events] == [event.text() for event in state.events]
    assert [move.id for move in other.moves()] == [move.id for move in state.moves()]


@with_compiler
def test_many_games_at_once_cannot_be_copied() -> None:
    from hoyle.learning.vectors import Vector

    many = Vector(natively(game("golf")), 2)
    for again in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"many games at once .* `learning.vector`"):
            again(many)
