"""OpenSpiel's own players of `benchmarks.spiel_match`: IS-MCTS and MCTS, with random playouts by its C++.

What they cannot do as they are (open_spiel 2.0.2):

- IS-MCTS asks the game for states that look the same to a player. Cribbage has none ("ResampleFromInfostate() not implemented"). Those of Hearts
  are wrong while cards are being passed on: the others pass on what they really did, and not what they hold in that state, and the search
  ends with a segmentation fault. There `benchmarks.spiel_worlds` makes them; its C++ takes none from Python, so the tree is that of its Python bot.
- IS-MCTS takes no game of perfect information, such as Backgammon.
- MCTS takes no game that pays on the way, such as Cribbage ("Game must have terminal rewards"). It reads nothing but `returns` at the end, so its Python
  bot is told that this one does not.

MCTS sees everything: where cards are hidden it cheats.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from msgspec import Struct

from benchmarks.spiel_worlds import CribbageWorlds, Sampler, hearts_passed

Bot = Callable[[Any], int]
"""Which action whoever acts in a state of OpenSpiel takes."""

KEEN = {"cribbage": 1400.0, "hearts": 18.0, "backgammon": 1.4}
"""The constant of UCB1: 0.7 times the range of what a game pays."""
MEMORY = 1000  # megabytes that its tree may have
UNLIMITED = 1 << 30
DEALT = 52  # chance nodes before cards are passed on, besides the one that says to whom; and 12 actions until all are


class Reach(Struct, frozen=True):
    """How far it searches: iterations, or seconds; its seed, and the constant of UCB1."""

    iterations: int
    seconds: float | None
    seed: int
    keen: float

    @property
    def limit(self) -> dict[str, float]:
        return {} if self.seconds is None else {"max_wall_clock_time": self.seconds}


def bot(kind: str, name: str, game: Any, reach: Reach) -> Bot:
    """A player of a game of OpenSpiel, for one game. Raises ValueError where there is none."""
    if kind == "random":
        return at_random(reach)
    if kind == "mcts":
        return python_mcts(game, reach) if name == "cribbage" else cpp_mcts(game, reach)
    if name == "backgammon":
        raise ValueError("OpenSpiel's IS-MCTS takes no game of perfect information")
    stream = random.Random(reach.seed)
    return (
        python_ismcts(game, reach, CribbageWorlds(stream)) if name == "cribbage" else hearts_ismcts(game, reach, stream)
    )


def at_random(reach: Reach) -> Bot:
    stream = random.Random(reach.seed)
    return lambda state: int(stream.choice(state.legal_actions()))


def cpp_mcts(game: Any, reach: Reach) -> Bot:
    import pyspiel

    playouts = pyspiel.RandomRolloutEvaluator(1, reach.seed)
    found = pyspiel.MCTSBot(
        game, playouts, reach.keen, reach.iterations, MEMORY, True, reach.seed, False, **reach.limit
    )
    return lambda state: int(found.step(state))


def cpp_ismcts(reach: Reach) -> Bot:
    import pyspiel

    playouts, most = pyspiel.RandomRolloutEvaluator(1, reach.seed), pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    found = pyspiel.ISMCTSBot(reach.seed, playouts, reach.keen, reach.iterations, final_policy_type=most, **reach.limit)
    return lambda state: int(found.step(state))


def hearts_ismcts(game: Any, reach: Reach, stream: random.Random) -> Bot:
    passing, play = python_ismcts(game, reach, partial(hearts_passed, stream=stream)), cpp_ismcts(reach)

    def step(state: Any) -> int:
        history = state.history()
        return passing(state) if history[0] and len(history) < 1 + DEALT + 12 else play(state)

    return step


class Playouts:
    """Random playouts by OpenSpiel's C++, for its bots in Python: their own ones are in Python, and many times slower."""

    def __init__(self, players: int, seed: int) -> None:
        import pyspiel

        self._evaluate, self._stream = pyspiel.evaluate_bots, random.Random(seed)
        self._bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(players)]

    def evaluate(self, state: Any) -> Any:
        return self._evaluate(state.clone(), self._bots, self._stream.randrange(UNLIMITED))

    def prior(self, state: Any) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return [*state.chance_outcomes()]
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class TimeIsUp(Exception):
    pass


def python_ismcts(game: Any, reach: Reach, sampler: Sampler) -> Bot:
    from numpy.random import RandomState
    from open_spiel.python.algorithms import ismcts

    playouts, most = Playouts(game.num_players(), reach.seed), ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    iterations, stream = reach.iterations if reach.seconds is None else UNLIMITED, RandomState(reach.seed)
    found = ismcts.ISMCTSBot(game, playouts, reach.keen, iterations, random_state=stream, final_policy_type=most)

    def step(state: Any) -> int:
        found.set_resampler(in_time(sampler, reach.seconds))
        try:
            return int(found.step(state))
        except TimeIsUp:
            return int(max(found.get_final_policy(state, found._root_node), key=lambda one: one[1])[0])

    return step


def in_time(sampler: Sampler, seconds: float | None) -> Sampler:
    """The same until time is up."""
    end = time.monotonic() + seconds if seconds is not None else None

    def sample(state: Any, player: int) -> Any:
        if end is not None and time.monotonic() > end:
            raise TimeIsUp
        return sampler(state, player)

    return sample


def python_mcts(game: Any, reach: Reach) -> Bot:
    from numpy.random import RandomState
    from open_spiel.python.algorithms import mcts
    from pyspiel import GameType

    if reach.seconds is not None:
        raise ValueError("OpenSpiel's MCTS in Python, which plays Cribbage, takes no time limit")
    told = SimpleNamespace(reward_model=GameType.RewardModel.TERMINAL, dynamics=GameType.Dynamics.SEQUENTIAL)
    pays_at_the_end = SimpleNamespace(get_type=lambda: told, max_utility=game.max_utility)
    playouts, stream = Playouts(game.num_players(), reach.seed), RandomState(reach.seed)
    found = mcts.MCTSBot(pays_at_the_end, reach.keen, reach.iterations, playouts, random_state=stream)
    return lambda state: int(found.step(state))
