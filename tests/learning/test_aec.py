"""Every game as a PettingZoo environment."""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from games import game, names
from pettingzoo.test import api_test, seed_test
from tiers import in_tiers, sized

from interpreter import learning
from interpreter.learning.aec import Environment

EVERY = [name for name, _ in names()]
GAMES = in_tiers(EVERY, quick=["cribbage"], whole=["klondike", "gin-rummy", "barbu"])


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that observations are no bare arrays, and seats are not called `player_0`
        api_test(Environment(game(name)), num_cycles=sized(40, 120))
        seed_test(lambda: Environment(game(name)), num_cycles=sized(20, 60))


def played(env: Environment, seed: int, steps: int = 10_000) -> dict[str, float]:
    """A random game; what each agent was rewarded with."""
    env.reset(seed=seed)
    pick, sums = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        observation, reward, ended, stopped, _ = env.last()
        sums[agent] += reward
        assert env.observation_space(agent).contains(observation)
        over = ended or stopped
        assert bool(observation["action_mask"].any()) is not over
        env.step(None if over else pick.choice([int(n) for n in np.flatnonzero(observation["action_mask"])]))
    return sums


@pytest.mark.parametrize("name", ["hearts", "cribbage-4p", "gin-rummy"])
@pytest.mark.parametrize("rewards", ["win", "score"])
def test_what_one_wins_the_others_lose(name: str, rewards: str) -> None:
    env = Environment(game(name), memory=False, rewards=rewards)
    sums = played(env, 1)
    best = {seat for seat, total in sums.items() if total == max(sums.values())}
    assert sum(sums.values()) == pytest.approx(0)
    assert any(sums.values())
    if rewards == "win":
        assert best == {env.game.seats[n] for side in won_by(env) for n in env.game.ruleset.sides[side]}


def won_by(env: Environment) -> list[int]:
    from interpreter.game.results import winning

    return winning(env.game.compiled, env.play.core)


def test_score_by_score_a_patience_comes_to_what_it_stands_at() -> None:
    env = Environment(game("golf"), rewards="score")
    env.reset(seed=2)
    begins = env._stood[0]
    total = sum(played(env, 2).values())
    assert total != 0
    assert begins + total == env._stood[0]


def test_a_game_that_does_not_end_is_cut_off() -> None:
    env = Environment(game("cribbage"), most=5, memory=False)
    played(env, 1)
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(env.play.offer.legal[0])
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.play.moves == 5


def test_the_same_seed_gives_the_same_game_and_none_the_next_of_its_series() -> None:
    env = Environment(game("cribbage"), memory=False)

    def begins(seed: int | None) -> bytes:
        env.reset(seed=seed)
        found: np.ndarray[Any, Any] = env.observe("A")["observation"]
        return found.tobytes()

    first, second = begins(7), begins(None)
    assert first != second
    assert [begins(7), begins(None)] == [first, second]


def test_what_is_not_legal_is_refused() -> None:
    env = Environment(game("cribbage"))
    env.reset(seed=1)
    never = next(n for n in range(env.form.numbering.size) if n not in env.play.offer.legal)
    for action in (never, None):
        with pytest.raises(ValueError, match=str(never) if action is not None else env.agent_selection):
            env.step(action)
    for wrong in ({"rewards": "money"}, {"render_mode": "smell"}):
        with pytest.raises(ValueError, match="there are"):
            Environment(game("cribbage"), **wrong)  # type: ignore[arg-type]


def test_what_is_rendered_shows_what_the_agent_sees(capsys: pytest.CaptureFixture[str]) -> None:
    env = Environment(game("cribbage"), render_mode="ansi")
    env.reset(seed=1)
    text = env.render() or ""
    agent = env.agent_selection
    hidden = [line for line in text.splitlines() if "  hand of " in line and f"hand of {agent}" not in line]
    assert hidden and all(set(line.split(": ")[1]) == {"?", " "} for line in hidden)
    env.render_mode = "human"
    assert env.render() is None
    assert capsys.readouterr().out.strip() == text.strip()
    env.render_mode = "svg"
    assert (env.render() or "").startswith("<svg")
    env.close()


def test_who_lacks_pettingzoo_is_told_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "interpreter.learning.aec")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(learning.Missing, match=r"pettingzoo.*hoyle\[rl\]"):
        learning.env("cribbage")


def test_an_environment_is_made_by_name_with_options() -> None:
    env = learning.env("klondike", draw=1, memory=False)
    assert env.game.options["draw"] == 1
    assert env.metadata["name"] == "hoyle_klondike"
    assert not [*env.form.layouts[0].about("memory")]
