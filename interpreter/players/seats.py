"""Players for seats without a person, by the names they are called by: each chooses among the moves of a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.game.game import Game, State
from interpreter.players.advice import advise
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Core

Player = Callable[[Game, Core, Chance], int]
"""Which of a state's moves, by its number, whoever acts makes. It may draw from the players' chance."""
TRIALS = 4
"""Random games that the greedy player tries after each move."""
AHEAD = 60
"""Decisions after which it leaves a trial game as it stands."""


def at_random(game: Game, core: Core, chance: Chance) -> int:
    """Any move, each equally likely."""
    return chance.below(len(core.acts))


def first(game: Game, core: Core, chance: Chance) -> int:
    """The first move in the order in which the rules list them."""
    return 0


def greedy(game: Game, core: Core, chance: Chance) -> int:
    """The move after which random games, from states that look the same to it, leave it furthest ahead; any, if they are all alike."""
    state, own = State(game, core), Chance.stream(chance.below(1 << 30), 1, PLAYER)
    found = advise(state, 0.0, games=TRIALS, longest=AHEAD, chance=own)
    return state.moves().index(found.move) if found is not None else at_random(game, core, chance)


PLAYERS: Mapping[str, Player] = {"first": first, "greedy": greedy, "random": at_random}


def players(kinds: Sequence[str]) -> list[Player]:
    """Who plays, seat by seat, by the names of `PLAYERS`."""
    return [PLAYERS[kind] for kind in kinds]
