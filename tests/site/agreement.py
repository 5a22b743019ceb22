"""Random games and moves of bots as JSON, to be compared between engines: `report(names, engine, games)`."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from hoyle import load
from hoyle.native.engine import NativeMachine
from hoyle.web.play.bot_runner import BotRunner

DECISIONS = 8
"""Decisions of bots in one game."""


def report(names: list[str], engine: Any, games: int) -> str:
    return json.dumps({name: [*_play_at_random(name, engine, games), _play_bots(name, engine)] for name in names})


def _play_at_random(name: str, engine: Any, games: int) -> list[str]:
    """Return a digest of the final state of each game."""
    game = load(name, engine=engine)
    assert (engine == "native") == isinstance(game.machine, NativeMachine), name
    finals = (game.playout(7, index) for index in range(games))
    return [sha256(json.dumps(state.to_json(), sort_keys=True).encode()).hexdigest()[:12] for state in finals]


def _play_bots(name: str, engine: Any) -> list[str]:
    """Return the first moves of a game between searching bots."""
    game = load(name, engine=engine)
    state, bots, moves = game.start(3), BotRunner(game.start(3), dict.fromkeys(game.seats, "search:12"), 3), list[str]()
    while not state.is_over and len(moves) < DECISIONS:
        moves.append(bots.choose(moves))
        state = state.play(moves[-1])
    return moves
