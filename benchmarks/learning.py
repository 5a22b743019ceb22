"""How fast programs that learn can play: `python -m benchmarks.learning`, with `pip install "hoyle[rl,openspiel]" rlcard shimmy pygame-ce` for what stands beside.

Random play, as a program that learns does it: at each decision the legal actions, what the player who decides observes, one action, and so on, game after game. Counted are
decisions; what chance does lies between them. All of one line take turns.

- PettingZoo itself has none of these games any more: `shimmy` gives its interface to those of OpenSpiel, which are written in C++, and RLCard has the Gin Rummy that was its own.
- OpenSpiel's Backgammon chooses both numbers of a throw at once, where here each is a decision; its Hearts is one deal; its Cribbage has no tensor, so nothing is observed there.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measuring import Work, head, in_turns, row
from hoyle import learning

GAMES = {"backgammon": "backgammon", "hearts": "hearts", "cribbage": "cribbage", "gin-rummy": "gin_rummy"}
AT_ONCE = 10
"""Decisions between two looks at the clock."""
COLUMNS = ["theirs", "ours", "with memory"]


def aec(make: Callable[[], Any]) -> Work:
    env, pick = make(), np.random.default_rng(0)
    env.reset(seed=0)

    def decide() -> int:
        while True:
            observation, _, ended, stopped, info = env.last()
            if not (ended or stopped):
                break
            env.reset()
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        env.step(int(pick.choice(np.flatnonzero(mask))))
        return 1

    return lambda: sum(decide() for _ in range(AT_ONCE))


def spiel(game: Any) -> Work:
    pick, state, kind = random.Random(0), game.new_initial_state(), game.get_type()

    def decide() -> int:
        nonlocal state
        while state.is_terminal() or state.is_chance_node():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(pick.choices(actions, chances)[0])
        if kind.provides_observation_tensor:
            state.observation_tensor(state.current_player())
        elif kind.provides_information_state_tensor:
            state.information_state_tensor(state.current_player())
        state.apply_action(pick.choice(state.legal_actions()))
        return 1

    return lambda: sum(decide() for _ in range(AT_ONCE))


def rlcard_gin() -> Work:
    import rlcard

    env, pick = rlcard.make("gin-rummy", {"seed": 0}), random.Random(0)
    state, _ = env.reset()

    def decide() -> int:
        nonlocal state
        if env.is_over():
            state, _ = env.reset()
        state, _ = env.step(pick.choice([*state["legal_actions"]]))
        return 1

    return lambda: sum(decide() for _ in range(AT_ONCE))


MEMORY = {"ours": False, "with memory": True}


def ours_as_aec(name: str) -> dict[str, Work]:
    return {title: aec(partial(learning.env, name, memory=memory)) for title, memory in MEMORY.items()}


def ours_as_spiel(name: str) -> dict[str, Work]:
    from hoyle.learning.openspiel import load

    return {title: spiel(load(name, memory=memory)) for title, memory in MEMORY.items()}


def shimmied(name: str) -> Any:
    from shimmy import OpenSpielCompatibilityV0

    return OpenSpielCompatibilityV0(game_name=name)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=2.0, help="time for each measurement (default: 2)")
    seconds = asked.parse_args().seconds
    import pyspiel

    print(head("PettingZoo: decisions a second", COLUMNS))
    for name, theirs in GAMES.items():
        kind = pyspiel.load_game(theirs).get_type()
        observed = kind.provides_observation_tensor or kind.provides_information_state_tensor
        other = {"theirs": aec(partial(shimmied, theirs))} if observed else {}
        print(row(f"{name} (shimmy)", COLUMNS, in_turns({**other, **ours_as_aec(name)}, seconds)), flush=True)
    print(row("gin-rummy (RLCard)", COLUMNS, in_turns({"theirs": rlcard_gin(), **ours_as_aec("gin-rummy")}, seconds)))
    print(head("\nOpenSpiel: decisions a second", COLUMNS))
    for name, theirs in GAMES.items():
        works = {"theirs": spiel(pyspiel.load_game(theirs)), **ours_as_spiel(name)}
        print(row(name, COLUMNS, in_turns(works, seconds)), flush=True)


if __name__ == "__main__":
    main()
