"""Every game as a PettingZoo environment."""

from __future__ import annotations

import importlib
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import yaml
from games import game, names
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test
from tiers import in_tiers, sized
from watching_seats import seen_by

from interpreter import State, learning
from interpreter.diagnostics import Refused
from interpreter.game.positions import to_position
from interpreter.learning.aec import UNBEGUN, Environment
from interpreter.learning.rendered import scalar

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
    assert not env.agents
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
    piles = yaml.safe_load(text)["piles"]
    hidden = [what for pile, what in piles.items() if pile.startswith("hand of ") and pile != f"hand of {agent}"]
    assert hidden and all({*what} == {"?", " "} for what in hidden)
    env.render_mode = "human"
    assert env.render() is None
    assert capsys.readouterr().out.strip() == text.strip()
    env.render_mode = "svg"
    assert (env.render() or "").startswith("<svg")
    env.close()


@pytest.mark.parametrize("name", GAMES)
def test_what_is_rendered_is_a_position_that_a_game_begins_with(name: str) -> None:
    """At any moment, in the middle of a composed action, too: all that the agent saw lies there."""
    env, again = (Environment(game(name), memory=False, render_mode="ansi") for _ in range(2))
    env.reset(seed=3)
    pick = random.Random(3)
    for _ in range(sized(15, 60)):
        if env.play.over:
            break
        agent, written = env.agent_selection, env.render() or ""
        assert ("# begun: " in written) == bool(env.play.offer.chosen)
        again.reset(seed=3, options={"position": yaml.safe_load(written)})
        before, after = (seen_by(State(one.game, one.play.core), agent)[1:3] for one in (env, again))
        assert before == after  # where it stands, and what lies where
        env.step(pick.choice(env.play.offer.legal))


def test_text_that_yaml_would_not_read_as_text_stands_in_quotes() -> None:
    texts = [
        "? ?",
        "| AS",
        "AS 10H",
        "10",
        "1e5",
        "no",
        "A: b",
        "a #b",
        "",
        "~",
        "2026-01-02",
        "1:30",
        'a "b" \\',
        "é",
        "deal / play",
        "-",
        "1_0",
        "0x1",
    ]
    for value in (*texts, 3, -1, True, False):
        assert yaml.safe_load(f"{scalar(value)}: {scalar(value)}") == {value: value}
    assert [scalar(text) for text in ("AS 10H", "deal / play")] == ["AS 10H", "deal / play"]


@pytest.mark.parametrize(
    ("module", "lacks", "extra"),
    [
        ("aec", "pettingzoo", "rl"),
        ("aec", "gymnasium", "rl"),
        ("aec", "numpy", "rl"),
        ("vectors", "numpy", "rl"),
        ("openspiel", "numpy", "openspiel"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_who_lacks_a_library_is_told_what_brings_it(
    module: str, lacks: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"interpreter.learning.{module}", raising=False)
    monkeypatch.setitem(sys.modules, lacks, None)
    with pytest.raises(learning.Missing, match=rf"{lacks}.*hoyle\[{extra}\]"):
        importlib.import_module(f"interpreter.learning.{module}")


@pytest.fixture(scope="module")
def shared() -> Environment:
    """An environment whose game nothing here changes."""
    env = Environment(game("cribbage"), memory=False)
    env.reset(seed=1)
    return env


REFUSED: dict[str, tuple[Callable[[Environment], Any], str]] = {
    "a fraction as action": (lambda env: env.step(34.7), "an action is a whole number, not 34.7"),  # type: ignore[arg-type]
    "a word as action": (lambda env: env.step("x"), "an action is a whole number, not 'x'"),  # type: ignore[arg-type]
    "a truth as action": (lambda env: env.step(True), "an action is a whole number, not True"),
    "an action too great": (lambda env: env.step(9999), "no action 9999: they are numbered from 0 to"),
    "an action below 0": (lambda env: env.step(-1), "no action -1: .* legal now: "),
    "an agent unknown": (lambda env: env.observe("Z"), "nobody here is called 'Z'; there are A, B"),
    "the space of one": (lambda env: env.action_space("Z"), "nobody here is called 'Z'"),
    "a word as seed": (lambda env: env.reset(seed="x"), "a seed is a whole number, or `None`, not 'x'"),  # type: ignore[arg-type]
    "a fraction as seed": (lambda env: env.reset(seed=1.5), "not 1.5"),  # type: ignore[arg-type]
    "a position of other options": (
        lambda env: env.reset(options={"position": {"game": "cribbage", "options": {"lay_away": 1}}}),
        "other options",
    ),
    "a class": (lambda env: learning.env(int), "by its name or path, not as <class 'int'>"),  # type: ignore[arg-type]
    "options for a loaded game": (lambda env: learning.env(env.game, lay_away=1), "`cribbage` is loaded already"),
    "a word for memory": (lambda env: learning.env("golf", memory="no"), "`memory` is True or False, not 'no'"),  # type: ignore[arg-type]
    "a number for memory": (lambda env: learning.vector("golf", 2, memory=1), "`memory` is True or False, not 1"),  # type: ignore[arg-type]
    "no moves": (lambda env: learning.env("golf", most=0), "`most` is 0, and must be at least 1"),
    "a word as options": (lambda env: env.reset(options="abc"), "options of `reset` are a map, .*, not 'abc'"),  # type: ignore[arg-type]
    "memory of many games": (lambda env: learning.vector("cribbage", 2, memory=True), "tell no memory"),
    "a fraction of games": (lambda env: learning.vector("cribbage", 2.5), "a whole number is needed, not 2.5"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_sense_is_refused_in_words_and_changes_nothing(what: str, shared: Environment) -> None:
    asked, words = REFUSED[what]
    before = shared.observe("A")["observation"].tobytes()
    with pytest.raises(ValueError, match=words):
        asked(shared)
    assert shared.observe("A")["observation"].tobytes() == before


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("asked", ["step", "last", "observe", "render", "agent_iter"])
def test_what_needs_a_game_says_that_none_is_played(asked: str, begun: bool) -> None:
    """Neither before the first one begins, nor when all agents have been told of the end."""
    env = Environment(game("cribbage"), most=2, memory=False)
    if begun:
        played(env, 1)
    given: dict[str, list[Any]] = {"step": [0], "observe": ["A"]}
    if begun and asked in ("observe", "render"):
        assert getattr(env, asked)(*given.get(asked, [])) is not None or asked == "render"
        return
    with pytest.raises(ResetNeeded, match=r"`reset\(\)` begins one"):
        getattr(env, asked)(*given.get(asked, []))


@pytest.mark.parametrize("name", UNBEGUN)
def test_what_there_is_once_a_game_has_begun_says_so_before(name: str) -> None:
    env = Environment(game("golf"), memory=False)
    with pytest.raises(ResetNeeded, match=r"`reset\(\)` begins one"):
        getattr(env, name)
    assert not hasattr(env, name)
    env.reset(seed=1)
    assert hasattr(env, name)
    with pytest.raises(AttributeError, match="smell"):
        _ = env.smell


def test_an_environment_is_made_with_moves_after_which_a_game_is_cut_off() -> None:
    env = learning.env("golf", most=3, memory=False)
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(env.play.offer.legal[0])
    assert env.play.moves == 3


def test_who_names_no_game_is_told_what_shows_them() -> None:
    with pytest.raises(Refused) as refused:
        learning.env("qqqzzz")
    assert any("`hoyle list` shows the games" in note for note in refused.value.__notes__)


def test_an_option_of_reset_that_means_nothing_is_told_of() -> None:
    env = Environment(game("cribbage"), memory=False)
    with pytest.warns(UserWarning, match="no option `place`, only `position`"):
        env.reset(options={"place": 1})


def test_numbers_of_numpy_are_numbers() -> None:
    env = learning.env(game("cribbage"), memory=False)
    env.reset(seed=np.int64(3))  # type: ignore[arg-type]
    env.step(np.int32(env.play.offer.legal[0]))  # type: ignore[arg-type]
    assert env.play.offer.chosen


def test_a_game_begins_with_a_position() -> None:
    """What it names lies as it says in every game; what it leaves open is dealt anew, and the same by the same seed."""
    env = Environment(game("golf"))
    start = game("golf").start(5)
    for _ in range(3):
        start = start.play(start.moves()[0])
    position = to_position(start.game.compiled, start.core, everything=True)
    for _ in range(2):
        env.reset(seed=1, options={"position": position})
        assert env.play.core.piles == start.core.piles
        env.step(env.play.offer.legal[0])
        env.last()
    start = game("klondike").start(5)
    open_ = to_position(start.game.compiled, start.core, start.game.seats[0])
    env, dealt = Environment(game("klondike")), list[Any]()
    for seed in (1, None, 1, None):
        env.reset(seed=seed, options={"position": open_})
        dealt.append([[*pile] for pile in env.play.core.piles])
        env.step(env.play.offer.legal[0])
        env.last()
    assert dealt[:2] == dealt[2:] and dealt[0] != dealt[1]
    for wrong in ({"piles": {"nowhere": ""}}, {"piles": {"waste": "AS"}}):  # the other says not where it stands
        with pytest.raises(Refused):
            env.reset(options={"position": wrong})


def test_an_environment_is_made_by_name_with_options() -> None:
    env = learning.env("klondike", draw=1, memory=False)
    assert env.game.options["draw"] == 1
    assert env.metadata["name"] == "hoyle_klondike"
    assert not [*env.form.layouts[0].about("memory")]
