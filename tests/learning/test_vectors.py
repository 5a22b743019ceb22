"""Many games at once are those of the environment of one: the same observations, numbers that may be chosen, and rewards."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

import pytest
from engines import with_compiler
from environments import SORTS, begun, pick_legal
from games import game
from small_games import natively
from tiers import in_tiers, sized

from hoyle import learning, load
from hoyle.diagnostics import Refused
from hoyle.game.playouts import play_game
from hoyle.learning.numbering import Numbering, Offer
from hoyle.learning.plays import Form, Play, list_win_rewards
from hoyle.native import engine_builder
from hoyle.native.compiler import NoCompiler
from hoyle.native.layout import Untranslatable

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment
    from hoyle.learning.vectors import StepResult, Vector

pytestmark = [with_compiler, pytest.mark.whole]
SEED = 7


def vector(name: str, count: int = 1, **more: Any) -> Vector:
    from hoyle.learning.vectors import Vector

    return Vector(natively(game(name)), count, SEED, **more)


def stream(seed: int = 1) -> Any:
    import numpy as np

    return np.random.default_rng(seed)


# ---- the same as one -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", in_tiers([*SORTS, "ecarte"], whole=["ecarte"]))
def test_vector_tells_what_the_environment_tells(name: str) -> None:
    many, env, pick = (
        vector(name, rewards="score"),
        begun(name, SEED, memory=False, rewards="score"),
        random.Random(SEED),
    )
    told = many.reset()
    for _ in range(40):
        assert game(name).seats[told.seats[0]] == env.agent_selection
        assert_observed(many, told, env)
        number = pick_legal(pick, told.masks[0])
        told = many.step([number])
        env.step(number)
        assert [*told.rewards[0]] == pytest.approx([env.rewards[agent] for agent in env.possible_agents])
        assert told.over[0] == any(env.terminations.values())
        if told.over[0]:
            env.reset()


def assert_observed(many: Vector, told: StepResult, env: Environment) -> None:
    for seat, agent in enumerate(env.possible_agents):
        theirs, ours = env.observe(agent), many.observe(seat)[0]
        size = len(theirs["observation"])
        assert [*ours[:size]] == [*theirs["observation"]] and not ours[size:].any()
        if agent == env.agent_selection:
            assert [*told.observations[0]] == [*ours]
            assert [*told.masks[0]] == [*theirs["action_mask"]]


def test_winners_are_rewarded_at_the_end() -> None:
    many, play, pick = vector("ecarte"), Play(Form(game("ecarte"), memory=False), SEED), random.Random(SEED)
    told = many.reset()
    while not play.over:
        assert not told.rewards.any() and not told.over[0]
        number = pick_legal(pick, told.masks[0])
        play.choose(number)
        told = many.step([number])
    assert [*told.rewards[0]] == pytest.approx(list_win_rewards(play))
    assert told.over[0] and told.rewards.any() and sum(told.rewards[0]) == pytest.approx(0)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_place_goes_on_with_its_own_next_game(threads: int) -> None:
    count, form = 3, Form(game("golf"), memory=False)
    many, plays = vector("golf", count, threads=threads), [Play(form, SEED, n) for n in range(count)]
    told, pick, games = many.reset(), random.Random(SEED), [*range(count)]
    while max(games) < 2 * count:
        chosen = [pick_legal(pick, mask) for mask in told.masks]
        told = many.step(chosen)
        for n, number in enumerate(chosen):
            plays[n].choose(number)
            assert told.over[n] == plays[n].over
            assert [*told.rewards[n]] == list_win_rewards(plays[n])
            if plays[n].over:
                games[n] += count
                plays[n] = Play(form, SEED, games[n])
            assert [*told.observations[n]] == [*plays[n].observed(0)]
            legal = [number for number, bit in enumerate(told.masks[n]) if bit]
            assert legal == Offer(form.numbering, plays[n].core).legal
    assert [*many.games] == games
    assert [many.state(n).core.key() for n in range(count)] == [play.core.key() for play in plays]


@pytest.mark.parametrize(
    ("name", "most"), in_tiers([(n, m) for n in SORTS[:4] for m in (7, 10_000)], whole=[("golf", 7)])
)
def test_last_observation_of_a_game_is_told_with_the_next_game(name: str, most: int) -> None:
    """Of a cut game to the seat that would act, of one that is over to the seat that acted last."""
    many, env, pick = vector(name, most=most), begun(name, SEED, memory=False, most=most), random.Random(SEED)
    told, ends = many.reset(), 0
    assert [*told.last_seats] == [-1]
    for _ in range(sized(30, 200)):
        if not told.masks.any():
            break  # this one is over when it begins
        actor, number = env.play.actor, pick_legal(pick, told.masks[0])
        told = many.step([number])
        env.step(number)
        if not (told.over[0] or told.cut[0]):
            assert [*told.last_seats] == [-1]
            continue
        seat = actor if told.over[0] else env.play.actor
        theirs = env.observe(env.possible_agents[seat])["observation"]
        assert [*told.last_seats] == [seat] and [*told.last[0, : len(theirs)]] == [*theirs]
        ends += 1
        env.reset()
        assert [*told.observations[0]] == [*many.observe(told.seats[0])[0]]
    assert ends or most > 7


@pytest.mark.parametrize("steps", [0, 150])
def test_random_moves_are_those_of_a_series(steps: int) -> None:
    many = vector("ecarte", 2)
    many.step(many.sample(stream()))
    many.reset()
    found, one = many.play(steps), game("ecarte").compiled
    for n in range(2):
        played = [play_game(one, SEED, n + 2 * k) for k in range(found.ended[n])]
        assert found.left[n] == 0 and found.decisions[n] == steps
        assert [*found.scores[n]] == [sum(p.scores[side] for p in played) for side in range(2)]
        assert [*found.wins[n]] == [sum(p.wins[side] for p in played) for side in range(2)]
        rest = steps - sum(p.decisions for p in played)
        assert 0 <= rest < play_game(one, SEED, n + 2 * int(found.ended[n])).decisions
    assert found.ended.any() == bool(steps)


def test_seed_begins_all_games() -> None:
    many, random_stream = vector("ecarte", 3), stream()
    told, items = many.reset(), Numbering(game("ecarte").compiled).first_item
    first = told.observations.copy()
    while not told.masks[:, items:].any():  # a part of an action is chosen, which is forgotten
        told = many.step(many.sample(random_stream))
    assert (many.reset().observations == first).all()
    other = many.reset(SEED + 1).observations.copy()
    assert not (other == first).all()
    assert (many.reset().observations == other).all()
    assert (many.reset(SEED).observations == first).all()


# ---- what is refused -------------------------------------------------------------------------------------------------


def test_illegal_step_changes_nothing() -> None:
    many = vector("ecarte", 2)
    told = many.reset()
    before, legal = told.observations.copy(), pick_legal(random.Random(1), told.masks[0])
    never = [*told.masks[1]].index(0)
    for number in (never, -1, many.size):
        with pytest.raises(ValueError, match=rf"game 1: .*{number}[ :].*legal"):
            many.step([legal, number])
    wrong: list[Any] = [[legal], [[legal, legal]], [float(legal)] * 2, [True, True]]
    for given in wrong:
        with pytest.raises(ValueError, match="each of 2 games"):
            many.step(given)
    assert (told.observations == before).all()
    for array in (told.observations, told.masks, told.seats):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for seat in (-1, 2, "Z", 0.5):
        with pytest.raises(ValueError, match=r"there are A, B|whole number"):
            many.observe(seat)  # type: ignore[arg-type]
    assert (many.observe("B") == many.observe(1)).all()
    with pytest.raises(IndexError, match="no game 2: they are numbered from 0 to 1"):
        many.state(2)
    assert many.state(-1) == many.state(1)
    for source in (3, None, random.Random(1)):
        with pytest.raises(ValueError, match=r"`numpy.random.default_rng\(seed\)`"):
            many.sample(source)  # type: ignore[arg-type]
    for steps in (-1, 1.5):
        with pytest.raises(ValueError, match=r"`steps` is -1, and must be at least 0|whole number"):
            many.play(steps)  # type: ignore[arg-type]


def test_impossible_vector_is_refused() -> None:
    wrong: dict[str, list[Any]] = {"count": [0, -3], "most": [0, -1], "threads": [0, -1, 10**9]}
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=rf"`{name}` is {value}, and must be (at least 1|from 1 to \d+)"):
                vector("golf", **{"count": 1, name: value})
    with pytest.raises(ValueError, match="a seed is a whole number, not None"):
        learning.vector("golf", 3, seed=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are win"):
        vector("golf", rewards="money")


@pytest.mark.parametrize("lack", [NoCompiler(()), Untranslatable("a list of lists")])
def test_vector_needs_the_native_engine(lack: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from hoyle.learning import vectors

    monkeypatch.setattr(vectors, "native", lambda *_: lack)
    with pytest.raises(vectors.NoEngine, match=rf"native engine .*golf.*{lack}"):
        vectors.Vector(game("golf"), 2)


@pytest.mark.parametrize(
    ("given", "meant"),
    [(True, True), ("yes", True), ("true", True), ("oui", True), (False, False), ("no", False), ("false", False)]
    + [(odd, None) for odd in (0, 1, None, "", "off", "maybe")],
)
def test_an_option_that_is_true_or_false_means_the_same_everywhere(given: Any, meant: bool | None) -> None:
    """Texts are those of files and the command line; no other text or number counts as true."""
    for loader in (load, lambda name, **options: learning.open_game(name, options)):
        if meant is None:
            with pytest.raises(Refused, match="R611"):
                loader("golf", wrap_around=given)
        else:
            assert loader("golf", wrap_around=given).options["wrap_around"] is meant


def test_vector_is_made_by_name_with_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_builder, "FLAGS", (*engine_builder.FLAGS, "-O0"))
    many = learning.vector("golf", 2, 3, wrap_around=False)
    assert (many.game.name, many.count, many.seed) == ("golf", 2, 3)
    with pytest.raises(Refused, match="R61"):
        learning.vector("golf", 2, holes=99)
    monkeypatch.delitem(sys.modules, "hoyle.learning.vectors")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(learning.Missing, match=r"numpy.*hoyle\[rl\]"):
        learning.vector("golf", 2)
