"""A policy that learns to play the patience Golf, with nothing but numpy: `python docs/examples/learn_golf.py`.

It is linear: of each action a weighted sum of what is observed, and the greater the sum the likelier the action. After every batch of games the weights go a step in
the direction in which games that went better than usual become likelier (REINFORCE). What is rewarded is what the game scores: each card that is left in the columns is a stroke, which costs one."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from hoyle.learning import env
from hoyle.learning.aec import Environment

BATCH, RATE = 50, 0.5
PLAIN = ("deciding", "count", "among", "top")
"""What of an observation a sum can make something of: how many there are, and which; not a piece by its number."""

Array = np.ndarray[Any, Any]


def features(golf: Environment) -> Array:
    """The places of the numbers that are looked at."""
    (layout,) = golf.form.layouts
    found = [
        group.at + member * group.stride + part.at + n
        for group in layout.about("game", "piles")
        for member in range(len(group.members))
        for part in group.parts
        if part.sort in PLAIN
        for n in range(part.size)
    ]
    return np.array(found)


def chances(weights: Array, seen: Array, mask: Array) -> Array:
    """How likely each action is to be chosen; those that are not legal never are."""
    sums = np.where(mask == 1, seen @ weights, -np.inf)
    powers = np.exp(sums - sums.max())
    return np.asarray(powers / powers.sum())


def game(
    golf: Environment, places: Array, scale: Array, weights: Array, pick: np.random.Generator
) -> tuple[float, Array]:
    """One game: what it came to, and the direction that makes it likelier."""
    golf.reset()
    total, direction = 0.0, np.zeros_like(weights)
    for _ in golf.agent_iter():
        observation, reward, ended, _, _ = golf.last()
        total += reward
        if ended:
            golf.step(None)
            continue
        seen = observation["observation"][places] / scale
        likely = chances(weights, seen, observation["action_mask"])
        action = int(pick.choice(len(likely), p=likely))
        likely[action] -= 1
        direction -= np.outer(seen, likely)
        golf.step(action)
    return total, direction


def mean(golf: Environment, places: Array, scale: Array, weights: Array, games: int) -> float:
    """What games of a series that nobody learned from come to on the average."""
    golf.reset(seed=1)
    pick = np.random.default_rng(1)
    return float(np.mean([game(golf, places, scale, weights, pick)[0] for _ in range(games)]))


def learn(batches: int, games: int) -> tuple[float, float]:
    """What a policy comes to that has learned, and one that chooses at random."""
    golf = env("golf", memory=False, rewards="score")
    places, pick = features(golf), np.random.default_rng(0)
    scale = golf.observation_space("A")["observation"].high[places]
    weights = np.zeros((len(places), golf.form.numbering.size))
    at_random = mean(golf, places, scale, weights, games)
    golf.reset(seed=0)
    for batch in range(batches):
        played = [game(golf, places, scale, weights, pick) for _ in range(BATCH)]
        totals = np.array([total for total, _ in played])
        better = (totals - totals.mean()) / (totals.std() + 1e-9)
        weights += RATE / BATCH * sum(by * direction for by, (_, direction) in zip(better, played, strict=True))
        if batch % 10 == 0:
            print(f"{batch * BATCH:6} games: {-totals.mean():.2f} strokes")
    return mean(golf, places, scale, weights, games), at_random


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--batches", type=int, default=60)
    asked.add_argument("--games", type=int, default=300)
    given, began = asked.parse_args(), time.monotonic()
    learned, at_random = learn(given.batches, given.games)
    print(f"at random {-at_random:.2f} strokes, learned {-learned:.2f}, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
