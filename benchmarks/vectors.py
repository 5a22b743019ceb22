"""How many steps a second programs that learn are given: `python -m benchmarks.vectors`. A step is a choice of one number by one seat, at random among those that may
be chosen, with what that seat observes before it.

- `OpenSpiel`: its own game in the loop that users write: chance, `legal_actions`, `observation_tensor` (or `information_state_tensor`, or none where the game has neither), `apply_action`.
- `PettingZoo`: its own game, where the installed version has it (Gin in 1.25): `last`, `step`.
- `env`: the ruleset as an environment of PettingZoo, without what a seat remembers; `env, memory`: with it.
- `1`, `100`, `4,000`: so many games at once, `sample` and `step` of `hoyle.learning.vector`, by one thread; `moves`: so many at random by one call, with nothing observed.

What takes turns is measured in the same minute, by time of the processor. The games are not quite the same: see `benchmarks.openspiel`. Its Backgammon chooses both
numbers of a throw at once, its Cribbage both cards that are laid away; here each is a step."""

from __future__ import annotations

import argparse
import random
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measuring import Work, head, in_turns, row
from hoyle import learning

GAMES = {"backgammon": "backgammon", "hearts": "hearts", "cribbage": "cribbage", "gin-rummy": "gin_rummy"}
"""And what OpenSpiel calls them."""
ZOO = {"gin-rummy": "gin_rummy_v4"}
AT_ONCE = (1, 100, 4000)
STEPS = 60
"""Of each game, in one part of the work: about a deal, for what is chosen at its beginning may take longer."""


def taking(steps: Iterator[None]) -> Work:
    """So many of what goes on for ever."""

    def work() -> int:
        for _ in range(STEPS):
            next(steps)
        return STEPS

    return work


# ---- others ----------------------------------------------------------------------------------------------------------


def in_openspiel(spiel: Any, name: str) -> Iterator[None]:
    game, stream = spiel.load_game(name), random.Random(0)
    kind = game.get_type()
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(stream.choices(actions, chances)[0])
                continue
            if kind.provides_observation_tensor:
                state.observation_tensor(state.current_player())
            elif kind.provides_information_state_tensor:
                state.information_state_tensor(state.current_player())
            state.apply_action(stream.choice(state.legal_actions()))
            yield


def in_environment(env: Any) -> Iterator[None]:
    """Of PettingZoo: its own, or ours."""
    stream, seed = random.Random(0), 0
    while True:
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observed, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            env.step(stream.choice([*map(int, np.flatnonzero(observed["action_mask"]))]))
            yield
        seed += 1


def openspiel() -> Any:
    """None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


def of_zoo(name: str) -> Any:
    """Its own game; None where there is none."""
    from importlib import import_module

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(f"pettingzoo.classic.{ZOO[name]}").env()
    except (ImportError, KeyError):
        return None


# ---- ours ------------------------------------------------------------------------------------------------------------


def at_once(name: str, count: int) -> Work:
    many, stream = learning.vector(name, count), np.random.default_rng(0)
    many.play(200)  # so that not all stand at the beginning

    def work() -> int:
        for _ in range(STEPS):
            many.step(many.sample(stream))
        return STEPS * count

    return work


def moves(name: str, count: int) -> Work:
    many = learning.vector(name, count)

    def work() -> int:
        return int(many.play(STEPS).decisions.sum())

    return work


def works(name: str, spiel: Any) -> dict[str, Work]:
    found: dict[str, Work] = {}
    if spiel is not None and name in GAMES:
        found["OpenSpiel"] = taking(in_openspiel(spiel, GAMES[name]))
    zoo = of_zoo(name)
    if zoo is not None:
        found["PettingZoo"] = taking(in_environment(zoo))
    found["env"] = taking(in_environment(learning.env(name, memory=False)))
    found["env, memory"] = taking(in_environment(learning.env(name)))
    found |= {f"{count:,}": at_once(name, count) for count in AT_ONCE}
    return {**found, "moves": moves(name, AT_ONCE[-1])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=list(GAMES), help=f"rulesets (default: {', '.join(GAMES)})")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement (default: 1)")
    given, spiel = parser.parse_args(), openspiel()
    for name in given.game:
        todo = works(name, spiel)
        print(head("steps a second", [*todo]))
        print(row(name, [*todo], in_turns(todo, given.seconds, time.process_time)), flush=True)


if __name__ == "__main__":
    main()
