"""Every game as a PettingZoo environment."""

from __future__ import annotations

import importlib
import random
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from environments import SORTS, begun, environment, pick_legal, seen_by
from games import game
from rules import read_cases
from tiers import in_tiers

from hoyle import State, learning
from hoyle.diagnostics import Refused
from hoyle.game.positions import to_position
from hoyle.game.results import find_winners
from hoyle.learning.plays import format_scalar

CASES = read_cases("learning/aec")

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("name", in_tiers(SORTS, whole=["cribbage"]))
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that observations are no bare arrays, and seats are not called `player_0`
        api_test(environment(name), num_cycles=20)
        seed_test(lambda: environment(name), num_cycles=10)


def played(env: Environment, seed: int) -> dict[str, float]:
    env.reset(seed=seed)
    pick, sums = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(10_000):
        observation, reward, ended, stopped, _ = env.last()
        sums[agent] += reward
        assert env.observation_space(agent).contains(observation)
        over = ended or stopped
        assert bool(observation["action_mask"].any()) is not over
        env.step(None if over else pick_legal(pick, observation["action_mask"]))
    return sums


@pytest.mark.parametrize(
    "name", ["spades", *(pytest.param(n, marks=pytest.mark.slow) for n in ("hearts", "gin-rummy"))]
)
@pytest.mark.parametrize("rewards", ["win", "score"])
def test_one_wins_what_the_others_lose(name: str, rewards: str) -> None:
    env = environment(name, memory=False, rewards=rewards)
    sums = played(env, 1)
    best = {seat for seat, total in sums.items() if total == max(sums.values())}
    assert sum(sums.values()) == pytest.approx(0)
    assert any(sums.values())
    if rewards == "win":
        sides = find_winners(env.game.compiled, env.play.core)
        assert best == {env.game.seats[n] for side in sides for n in env.game.ruleset.sides[side]}


def test_scores_of_a_patience_sum_up_to_its_standing() -> None:
    env = begun("golf", 2, rewards="score")
    begins = env._stood[0]
    total = sum(played(env, 2).values())
    assert total != 0
    assert begins + total == env._stood[0]


def test_long_game_is_cut_off() -> None:
    for env in (environment("cribbage", most=5, memory=False), learning.env("golf", most=5, memory=False)):
        played(env, 1)
        assert not env.agents
        env.reset(seed=1)
        while not any(env.truncations.values()):
            env.step(env.play.offer.legal[0])
        assert all(env.truncations.values()) and not any(env.terminations.values())
        assert env.play.moves == 5


def test_seed_begins_a_series_of_games() -> None:
    env = environment("golf", memory=False)

    def begins(seed: int | None) -> bytes:
        env.reset(seed=seed)
        return bytes(env.observe("A")["observation"].tobytes())

    first, second = begins(7), begins(None)
    assert first != second
    assert [begins(7), begins(None)] == [first, second]


def test_environment_is_made_by_name_with_options() -> None:
    env = learning.env("klondike", draw=1, memory=False)
    assert env.game.options["draw"] == 1 and learning.env(env.game, memory=False).game is env.game
    assert env.metadata["name"] == "hoyle_klondike"
    assert not [*env.form.layouts[0].about("memory")]


# ---- rendering -------------------------------------------------------------------------------------------------------


def test_rendering_shows_what_the_agent_sees(capsys: pytest.CaptureFixture[str]) -> None:
    import yaml

    env = begun("cribbage", memory=False, render_mode="ansi")
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


@pytest.mark.parametrize("name", in_tiers(SORTS, whole=["cribbage", "klondike"]))
def test_rendering_is_a_position_that_a_game_begins_with(name: str) -> None:
    """At any moment, also within a composed action: all that the agent saw lies there."""
    import yaml

    env, again = (begun(name, 3, memory=False, render_mode="ansi") for _ in range(2))
    pick = random.Random(3)
    for _ in range(15):
        if env.play.over:
            break
        agent, written = env.agent_selection, env.render() or ""
        assert ("# begun: " in written) == bool(env.play.offer.chosen)
        again.reset(seed=3, options={"position": yaml.safe_load(written)})
        before, after = (seen_by(State(one.game, one.play.core), agent)[1:3] for one in (env, again))
        assert before == after  # where it stands, and what lies where
        env.step(pick.choice(env.play.offer.legal))


def test_text_that_yaml_reads_otherwise_stands_in_quotes() -> None:
    import yaml

    texts = ["? ?", "| AS", "AS 10H", "10", "1e5", "no", "A: b", "a #b", "", "~", "2026-01-02", "1:30", 'a "b" \\']
    for value in (*texts, "é", "deal / play", "-", "1_0", "0x1", 3, -1, True, False):
        assert yaml.safe_load(f"{format_scalar(value)}: {format_scalar(value)}") == {value: value}
    assert [format_scalar(text) for text in ("AS 10H", "deal / play")] == ["AS 10H", "deal / play"]


def test_game_begins_with_a_position() -> None:
    """What it names lies as it says in every game; the rest is dealt again, and the same by the same seed."""
    start = game("klondike").start(5)
    open_ = to_position(start.game.compiled, start.core, start.game.seats[0])
    env, dealt = environment("klondike"), list[Any]()
    for seed in (1, None, 1, None):
        env.reset(seed=seed, options={"position": open_})
        dealt.append([[*pile] for pile in env.play.core.piles])
        env.step(env.play.offer.legal[0])
        env.last()
    assert dealt[:2] == dealt[2:] and dealt[0] != dealt[1]
    for wrong in ({"piles": {"nowhere": ""}}, {"piles": {"waste": "AS"}}):  # the other says not where it stands
        with pytest.raises(Refused):
            env.reset(options={"position": wrong})


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "lacks", "extra"),
    CASES["missing library is told with its extra"],
)
def test_missing_library_names_its_extra(module: str, lacks: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"hoyle.learning.{module}", raising=False)
    monkeypatch.setitem(sys.modules, lacks, None)
    with pytest.raises(learning.Missing, match=rf"{lacks}.*hoyle\[{extra}\]"):
        importlib.import_module(f"hoyle.learning.{module}")


@pytest.fixture(scope="module")
def shared() -> Environment:
    return begun("cribbage", memory=False)


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a fraction as action": (lambda env: env.step(34.7), "an action is a whole number, not 34.7"),
    "a word as action": (lambda env: env.step("x"), "an action is a whole number, not 'x'"),
    "a truth as action": (lambda env: env.step(True), "an action is a whole number, not True"),
    "an action too great": (lambda env: env.step(9999), "no action 9999: they are numbered from 0 to"),
    "an action below 0": (lambda env: env.step(-1), "no action -1: .* legal now: "),
    "no action": (lambda env: env.step(None), "A"),
    "another rendering": (lambda env: environment("golf", render_mode="smell"), "there are"),
    "other rewards": (lambda env: environment("golf", rewards="money"), "there are"),
    "an agent unknown": (lambda env: env.observe("Z"), "nobody here is called 'Z'; there are A, B"),
    "the space of one": (lambda env: env.action_space("Z"), "nobody here is called 'Z'"),
    "a word as seed": (lambda env: env.reset(seed="x"), "a seed is a whole number, or `None`, not 'x'"),
    "a fraction as seed": (lambda env: env.reset(seed=1.5), "not 1.5"),
    "a position of other options": (
        lambda env: env.reset(options={"position": {"game": "cribbage", "options": {"lay_away": 1}}}),
        "other options",
    ),
    "a class": (lambda env: learning.env(int), "by its name or path, not as <class 'int'>"),  # type: ignore[arg-type]
    "options for a loaded game": (lambda env: learning.env(env.game, lay_away=1), "`cribbage` is loaded already"),
    "a word for memory": (lambda env: environment("golf", memory="no"), "`memory` is True or False, not 'no'"),
    "no moves": (lambda env: environment("golf", most=0), "`most` is 0, and must be at least 1"),
    "a word as options": (lambda env: env.reset(options="abc"), "options of `reset` are a map, .*, not 'abc'"),
    "memory of many games": (lambda env: learning.vector("cribbage", 2, memory=True), "tell no memory"),
    "a number for memory": (lambda env: learning.vector("golf", 2, memory=1), "`memory` is True or False, not 1"),  # type: ignore[arg-type]
    "a fraction of games": (lambda env: learning.vector("cribbage", 2.5), "a whole number is needed, not 2.5"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_request_changes_nothing(what: str, shared: Environment) -> None:
    asked, words = REFUSED[what]
    before = shared.observe("A")["observation"].tobytes()
    with pytest.raises(ValueError, match=words):
        asked(shared)
    assert shared.observe("A")["observation"].tobytes() == before


@pytest.mark.parametrize("is_over", [False, True])
def test_request_without_a_game_is_refused(is_over: bool) -> None:
    """Before the first one begins, and when all agents have been told of the end."""
    from gymnasium.error import ResetNeeded

    env = environment("golf", most=2, memory=False)
    if is_over:
        played(env, 1)
        env.render()
        assert env.observe("A") is not None
    asked: dict[str, list[Any]] = {"step": [0], "last": [], "agent_iter": []}
    for name, given in (asked if is_over else {**asked, "observe": ["A"], "render": []}).items():
        with pytest.raises(ResetNeeded, match=r"`reset\(\)` begins one"):
            getattr(env, name)(*given)


def test_attributes_of_a_game_need_one() -> None:
    from gymnasium.error import ResetNeeded

    from hoyle.learning.aec import UNBEGUN

    env = environment("golf", memory=False)
    for name in UNBEGUN:
        with pytest.raises(ResetNeeded, match=r"`reset\(\)` begins one"):
            getattr(env, name)
        assert not hasattr(env, name)
    env.reset(seed=1)
    assert all(hasattr(env, name) for name in UNBEGUN)
    with pytest.raises(AttributeError, match="smell"):
        _ = env.smell


def test_unknown_option_of_reset_warns() -> None:
    with pytest.warns(UserWarning, match="no option `place`, only `position`"):
        environment("golf", memory=False).reset(options={"place": 1})
