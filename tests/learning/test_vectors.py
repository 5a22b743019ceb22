"""Many games at once are those of the environment of one: the same observations, numbers that may be chosen, and rewards."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engines import engine, with_compiler
from games import game, names
from msgspec import structs
from tiers import in_tiers, sized

from interpreter import Game, learning
from interpreter.game.playouts import counted
from interpreter.learning.aec import Environment
from interpreter.learning.numbering import Offer
from interpreter.learning.plays import Form, Play, won
from interpreter.learning.vectors import NoEngine, Told, Vector
from interpreter.native import made
from interpreter.native.compiler import NoCompiler
from interpreter.native.forms import Untranslatable
from interpreter.native.made import with_native

pytestmark = with_compiler
SEED = 7
EVERY = [name for name, _ in names()]
GAMES = in_tiers(EVERY, quick=["cribbage"], whole=["hearts", "klondike", "gin-rummy", "scopa"])


def natively(name: str) -> Game:
    found = game(name).compiled
    return Game(structs.replace(found, machine=with_native(found.machine, engine(name))), "python")


def vector(name: str, count: int = 1, **more: Any) -> Vector:
    return Vector(natively(name), count, SEED, **more)


def any_legal(pick: random.Random, mask: Any) -> int:
    return pick.choice([int(n) for n in np.flatnonzero(mask)])


@pytest.mark.parametrize("name", GAMES)
def test_they_are_told_what_the_environment_tells(name: str) -> None:
    many, env = vector(name, rewards="score"), Environment(game(name), memory=False, rewards="score")
    told, pick = many.reset(), random.Random(SEED)
    env.reset(seed=SEED)
    for _ in range(sized(30, 50)):
        assert game(name).seats[told.seats[0]] == env.agent_selection
        assert_observed(many, told, env)
        number = any_legal(pick, told.masks[0])
        told = many.step([number])
        env.step(number)
        assert [*told.rewards[0]] == pytest.approx([env.rewards[agent] for agent in env.possible_agents])
        assert told.over[0] == any(env.terminations.values())
        if told.over[0]:
            env.reset()


def assert_observed(many: Vector, told: Told, env: Environment) -> None:
    for seat, agent in enumerate(env.possible_agents):
        theirs, ours = env.observe(agent), many.observe(seat)[0]
        size = len(theirs["observation"])
        assert np.array_equal(ours[:size], theirs["observation"]) and not ours[size:].any()
        if agent == env.agent_selection:
            assert np.array_equal(told.observations[0], ours)
            assert np.array_equal(told.masks[0], theirs["action_mask"])


@pytest.mark.whole
@pytest.mark.parametrize("name", ["hearts", "cribbage-4p"])
def test_at_the_end_of_a_game_it_is_rewarded_who_has_won(name: str) -> None:
    many, play, pick = vector(name), Play(Form(game(name), memory=False), SEED), random.Random(SEED)
    told = many.reset()
    while not play.over:
        assert not told.rewards.any() and not told.over[0]
        number = any_legal(pick, told.masks[0])
        play.choose(number)
        told = many.step([number])
    assert [*told.rewards[0]] == pytest.approx(won(play))
    assert told.over[0] and told.rewards.any() and sum(told.rewards[0]) == pytest.approx(0)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_goes_on_with_its_own_next_game(threads: int) -> None:
    """Games come one after another in each of several places; what is done in one is nothing to the others."""
    count, form = 5, Form(game("golf"), memory=False)
    many, plays = vector("golf", count, threads=threads), [Play(form, SEED, n) for n in range(count)]
    told, pick, games = many.reset(), random.Random(SEED), [*range(count)]
    while max(games) < 3 * count:
        chosen = [any_legal(pick, mask) for mask in told.masks]
        told = many.step(np.array(chosen))
        for n, number in enumerate(chosen):
            plays[n].choose(number)
            assert told.over[n] == plays[n].over
            assert [*told.rewards[n]] == won(plays[n])
            if plays[n].over:
                games[n] += count
                plays[n] = Play(form, SEED, games[n])
            assert [*told.observations[n]] == [*plays[n].observed(0)]
            assert [*np.flatnonzero(told.masks[n])] == Offer(form.numbering, plays[n].core).legal
    assert [*many.games] == games
    assert [many.state(n).core.key() for n in range(count)] == [play.core.key() for play in plays]


def test_a_seed_begins_them_anew() -> None:
    many = vector("cribbage", 3)
    first = many.reset().observations.copy()
    many.step(many.sample(np.random.default_rng(1)))  # a part of an action, which is forgotten
    assert np.array_equal(many.reset().observations, first)
    other = many.reset(SEED + 1).observations.copy()
    assert not np.array_equal(other, first)
    assert np.array_equal(many.reset().observations, other)
    assert np.array_equal(many.reset(SEED).observations, first)


@pytest.mark.parametrize("steps", [0, 700])
def test_many_moves_at_random_are_the_games_of_a_series(steps: int) -> None:
    many = vector("cribbage", 2)
    many.step(many.sample(np.random.default_rng(1)))
    many.reset()
    found, one = many.play(steps), game("cribbage").compiled
    for n in range(2):
        played = [counted(one, SEED, n + 2 * k) for k in range(found.ended[n])]
        assert found.left[n] == 0 and found.decisions[n] == steps
        assert [*found.scores[n]] == [sum(p.scores[side] for p in played) for side in range(2)]
        assert [*found.wins[n]] == [sum(p.wins[side] for p in played) for side in range(2)]
        rest = steps - sum(p.decisions for p in played)
        assert 0 <= rest < counted(one, SEED, n + 2 * int(found.ended[n])).decisions
    assert found.ended.any() == bool(steps)


def test_what_is_sampled_is_any_that_may_be_chosen() -> None:
    many, stream = vector("cribbage", 50), np.random.default_rng(1)
    masks, found = many.reset().masks, set[int]()
    for _ in range(40):
        sampled = many.sample(stream)
        assert masks[np.arange(50), sampled].all()
        found.add(int(sampled[0]))
    assert found == {*map(int, np.flatnonzero(masks[0]))}


def test_a_game_that_goes_on_for_too_long_is_left() -> None:
    many = vector("hearts", 2, most=6)
    told = many.reset()
    left = 0
    while not left:
        told = many.step(many.sample(np.random.default_rng(1)))
        left += int(told.cut.sum())
    assert not told.over.any() and not told.rewards.any()
    assert {*map(int, many.games)} <= {0, 1, 2, 3} and max(many.games) >= 2


@pytest.mark.parametrize("most", [7, 10_000])
@pytest.mark.parametrize("name", in_tiers(EVERY, quick=["cribbage"], whole=["hearts", "golf"]))
def test_what_was_observed_at_the_end_of_a_game_is_told_when_the_next_has_begun(name: str, most: int) -> None:
    """Of one that was left by who would have been to choose, of one that is over by who chose last, as the environment tells it."""
    many, env = vector(name, most=most), Environment(game(name), memory=False, most=most)
    told, pick, ends = many.reset(), random.Random(SEED), 0
    env.reset(seed=SEED)
    assert [*told.last_seats] == [-1]
    for _ in range(sized(150, 400)):
        if not told.masks.any():
            break  # this one is over when it begins
        actor, number = env.play.actor, any_legal(pick, told.masks[0])
        told = many.step([number])
        env.step(number)
        if not (told.over[0] or told.cut[0]):
            assert [*told.last_seats] == [-1]
            continue
        seat = actor if told.over[0] else env.play.actor
        theirs = env.observe(env.possible_agents[seat])["observation"]
        assert [*told.last_seats] == [seat] and np.array_equal(told.last[0, : len(theirs)], theirs)
        ends += 1
        env.reset()
        assert np.array_equal(told.observations[0], many.observe(told.seats[0])[0])
    assert ends or most > 7


@pytest.mark.parametrize("name", GAMES)
def test_what_is_observed_is_within_bounds(name: str) -> None:
    many, stream = vector(name, 4, most=9), np.random.default_rng(1)
    told = many.reset()
    assert many.low.shape == many.high.shape == (many.width,) and many.low.dtype == np.float32
    assert (many.high > many.low).any()
    for _ in range(30):
        for found in (told.observations, told.last):
            assert (found >= many.low).all() and (found <= many.high).all()
        told = many.step(many.sample(stream))


def test_what_may_not_be_chosen_is_refused_before_anything_is_done() -> None:
    many = vector("cribbage", 2)
    told = many.reset()
    before, legal = told.observations.copy(), any_legal(random.Random(1), told.masks[0])
    never = int(np.flatnonzero(told.masks[1] == 0)[0])
    for number in (never, -1, many.size):
        with pytest.raises(ValueError, match=rf"game 1: .*{number}[ :].*legal"):
            many.step([legal, number])
    wrong: list[Any] = [[legal], [[legal, legal]], [float(legal)] * 2, [True, True]]
    for given in wrong:
        with pytest.raises(ValueError, match="each of 2 games"):
            many.step(given)
    assert np.array_equal(told.observations, before)
    for array in (told.observations, told.masks, told.seats):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for seat in (-1, 2, "Z", 0.5):
        with pytest.raises(ValueError, match=r"there are A, B|whole number"):
            many.observe(seat)  # type: ignore[arg-type]
    assert np.array_equal(many.observe("B"), many.observe(1))
    with pytest.raises(IndexError, match="no game 2: they are numbered from 0 to 1"):
        many.state(2)
    assert many.state(-1) == many.state(1)


def test_what_cannot_be_made_is_told() -> None:
    wrong: dict[str, list[Any]] = {"count": [0, -3], "most": [0, -1], "threads": [0, -1, 10**9]}
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=rf"`{name}` is {value}, and must be (at least 1|from 1 to \d+)"):
                vector("cribbage", **{"count": 1, name: value})
    with pytest.raises(ValueError, match="a seed is a whole number, not None"):
        learning.vector("cribbage", 3, seed=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are win"):
        vector("cribbage", rewards="money")


def test_what_is_asked_of_many_games_is_refused_in_words() -> None:
    many = vector("golf", 2)
    for source in (3, None, random.Random(1)):
        with pytest.raises(ValueError, match=r"`numpy.random.default_rng\(seed\)`"):
            many.sample(source)  # type: ignore[arg-type]
    for steps in (-1, 1.5):
        with pytest.raises(ValueError, match=r"`steps` is -1, and must be at least 0|whole number"):
            many.play(steps)  # type: ignore[arg-type]


@pytest.mark.parametrize("lack", [NoCompiler(()), Untranslatable("a list of lists")])
def test_without_the_native_engine_there_are_none(lack: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.learning.vectors.native", lambda *_: lack)
    with pytest.raises(NoEngine, match=rf"native engine .*golf.*{lack}"):
        Vector(game("golf"), 2)


def test_they_are_made_by_name_with_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "FLAGS", (*made.FLAGS, "-O0"))
    many = learning.vector("klondike", 2, 3, draw=1)
    assert (many.game.options["draw"], many.count, many.seed) == (1, 2, 3)
    monkeypatch.delitem(sys.modules, "interpreter.learning.vectors")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(learning.Missing, match=r"numpy.*hoyle\[rl\]"):
        learning.vector("klondike", 2)


@pytest.mark.slow
def test_the_benchmark_measures_any_game() -> None:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.vectors", "golf", "--seconds", "0.1"]
    told = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True).stdout
    head, line = told.splitlines()
    assert " ".join(head.split()[3:]) == "env env, memory ratio 1 ratio 100 ratio 4,000 ratio moves ratio"
    assert line.split()[0] == "golf" and len(line.split()) == 12
