"""How fast OpenSpiel plays the same games at random: `python -m benchmarks.openspiel`, where the package `open_spiel` is installed.

Two loops, each from the first shuffle or throw to the end of a game, and the hand-written Python games of this folder beside them,
which take turns with them as in `benchmarks.run`. Nothing of the interpreter is needed.

- `C++`: `pyspiel.evaluate_bots` with a `make_uniform_random_bot` for each player. Chance, legal actions, choices and moves are
  all in C++; Python is called once a game.
- `from Python`: the loop that users write. At each node `chance_outcomes` or `legal_actions`, a choice by `random`, and `apply_action`.

The games are not quite those of the rulesets. Its Cribbage goes to 121 as here. Its Hearts is one deal, so deals are counted on both sides.
Its Backgammon is one game, where one action is both numbers of a throw; here each number is a decision of its own.
"""

from __future__ import annotations

import argparse
import random
from itertools import count
from typing import Any

from benchmarks import backgammon_baseline, cribbage_baseline, hearts_baseline
from benchmarks.measuring import Work, by_hand, head, in_turns, row

COLUMNS = ["by hand", "C++", "from Python"]


def hearts_deals() -> Work:
    stream = random.Random(0)
    return lambda: hearts_baseline.playout(stream).deals


BY_HAND: dict[str, Work] = {
    "cribbage": by_hand(cribbage_baseline.playout),
    "backgammon": by_hand(backgammon_baseline.playout),
    "hearts": hearts_deals(),
}


def in_cpp(spiel: Any, name: str) -> Work:
    game, seeds = spiel.load_game(name), count()
    bots = [spiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

    def work() -> int:
        spiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 1

    return work


def from_python(spiel: Any, name: str) -> Work:
    game, stream = spiel.load_game(name), random.Random(0)

    def work() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(stream.choices(actions, chances)[0])
            else:
                state.apply_action(stream.choice(state.legal_actions()))
        return 1

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=list(BY_HAND), help=f"which (default: {', '.join(BY_HAND)})")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement (default: 1)")
    arguments = parser.parse_args()
    try:
        import pyspiel as spiel
    except ImportError:
        parser.error("OpenSpiel is not installed here: pip install open_spiel")
    print(head("games (deals) a second", COLUMNS))
    for name in arguments.game:
        works = {"by hand": BY_HAND[name], "C++": in_cpp(spiel, name), "from Python": from_python(spiel, name)}
        print(row(name, COLUMNS, in_turns(works, arguments.seconds)), flush=True)


if __name__ == "__main__":
    main()
