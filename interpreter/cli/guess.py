"""What a seat can work out from what it sees: states that look the same to it, hints from them, reasons that betray nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.cli.texts import t
from interpreter.diagnostics import Refused
from interpreter.game import State
from interpreter.run.chance import PLAYER, Chance
from interpreter.run.machine import MOST_DECISIONS
from interpreter.view import sees

if TYPE_CHECKING:
    from interpreter.game import Game, Move
    from interpreter.run.state import Core
    from interpreter.why import Why

Slot = tuple[int, int]
WORLDS = 6  # so many states that look alike are compared before a reason is told
SECONDS = 1.5  # for a hint


def imagine(state: State, seat: str, chance: Chance) -> State:
    """A state that looks the same to this seat: what it cannot see is dealt again, and the future is another."""
    core = state.core.copy()
    core.log, core.chance = [], Chance.seeded(chance.next32(), chance.next32())
    for slots in _unseen(state, seat).values():
        classes = chance.shuffle(0, [core.piles[pile][height] >> 1 for pile, height in slots])
        for (pile, height), found in zip(slots, classes, strict=True):
            core.piles[pile][height] = 2 * found | (core.piles[pile][height] & 1)
    core.acts, core.faults = [], ()
    core.machine.advance(core, core.pc)
    return State(state.game, core)


def _unseen(state: State, seat: str) -> dict[str, list[Slot]]:
    """Where pieces lie that the seat cannot see, by their kind."""
    game, player = state.game, state.game.seats.index(seat)
    found: dict[str, list[Slot]] = {}
    for number, pile in enumerate(state.core.piles[:-1]):
        for height, piece in enumerate(pile):
            if not sees(game, number, height, len(pile), piece, player):
                found.setdefault(game.namer.piece_kinds[piece >> 1].name, []).append((number, height))
    return found


def worlds(state: State, seat: str, chance: Chance, most: int) -> Iterator[State]:
    """States that look the same and in which the same moves are legal."""
    wanted = [move.id for move in state.moves()]
    for _ in range(most):
        found = imagine(state, seat, chance)
        if [move.id for move in found.moves()] == wanted:
            yield found


def why_for(state: State, seat: str, move: str) -> tuple[Why, set[tuple[str, str]]]:
    """Why a move is legal or not, and which values may be told: those that are the same whatever the backs hide."""
    found = state.why(move)
    known = _told(found)
    for world in worlds(state, seat, Chance.stream(len(state.core.log or ())), WORLDS):
        known &= _told(world.why(move))
    return found, known


def _told(found: Why) -> set[tuple[str, str]]:
    return {(formula, value) for reason in found.reasons for _, formula, value in reason.parts}


def hint(state: State, seat: str, moves: Sequence[Move]) -> str:
    """A move that did well in random games from states that look like this one."""
    if len(moves) == 1:
        return t("play.hint", move=moves[0].id, why=t("play.hint_only"))
    won, games = _tried(state, seat, len(moves))
    if not games:
        return t("play.hint", move=moves[0].id, why=t("play.hint_first"))
    best = max(range(len(moves)), key=lambda i: won[i])
    return t("play.hint", move=moves[best].id, why=t("play.hint_tried", won=f"{won[best]:.0f}", games=games))


def _tried(state: State, seat: str, moves: int) -> tuple[list[float], int]:
    """How many trial games each move won, of how many."""
    won, games, end = [0.0] * moves, 0, time.monotonic() + SECONDS
    chance, player = Chance.stream(len(state.core.log or ()), 1, PLAYER), state.game.seats.index(seat)
    for world in worlds(state, seat, chance, 10_000):
        try:
            results = [_outcome(state.game, world.core, i, player, chance, end) for i in range(moves)]
        except (Refused, TimeoutError):
            break
        won, games = [w + r for w, r in zip(won, results, strict=True)], games + 1
        if time.monotonic() > end:
            break
    return won, games


def _outcome(game: Game, core: Core, first: int, player: int, chance: Chance, end: float) -> float:
    """One random game after a first move: 1 for a win, a share of it for a shared one."""
    core, machine = core.copy(), game.machine
    machine.play(core, core.acts[first])
    for count in range(MOST_DECISIONS):
        if core.over:
            winners = State(game, core).winners
            return (game.seats[player] in winners) / len(winners)
        if count % 100 == 99 and time.monotonic() > end:
            raise TimeoutError
        machine.play(core, core.acts[chance.below(len(core.acts))])
    raise TimeoutError
