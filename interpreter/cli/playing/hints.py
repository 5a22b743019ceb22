"""What a seat can work out from what it sees: states that look the same to it, hints from them, reasons that betray nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.cli.catalogue import t
from interpreter.diagnostics import Refused
from interpreter.game.game import State
from interpreter.game.view import sees
from interpreter.running.chance import PLAYER, Chance

if TYPE_CHECKING:
    from interpreter.game.game import Game, Move
    from interpreter.game.why import Why
    from interpreter.running.state import Core

Slot = tuple[int, int]
WORLDS = 6  # so many states that look alike are compared before a reason is told
SECONDS = 2.0  # for a hint
CANDIDATES = 24  # more moves than this are not tried
ROUNDS = 8  # how often each of them should be
PROBE = 20  # decisions that show how quickly a game is played
SHORTEST = 10  # decisions of a trial game


def imagine(state: State, seat: str, chance: Chance) -> State:
    """A state that looks the same to this seat: what it cannot see is dealt again, and the future is another."""
    core = state.core.copy()
    core.log, core.chance = [], Chance.seeded(chance.next32(), chance.next32())
    for slots in _unseen(state, seat).values():
        classes = chance.shuffle(0, [core.piles[pile][height] >> 1 for pile, height in slots])
        for (pile, height), found in zip(slots, classes, strict=True):
            core.piles[pile][height] = 2 * found | (core.piles[pile][height] & 1)
    core.acts, core.faults = [], ()
    state.game.machine.advance(core, core.pc)
    return State(state.game, core)


def _unseen(state: State, seat: str) -> dict[str, list[Slot]]:
    """Where pieces lie that the seat cannot see, by their kind."""
    game, player = state.game, state.game.seats.index(seat)
    found: dict[str, list[Slot]] = {}
    for number, pile in enumerate(state.core.piles[:-1]):
        for height, piece in enumerate(pile):
            if not sees(game.compiled, number, height, len(pile), piece, player):
                found.setdefault(game.namer.piece_kinds[piece >> 1].name, []).append((number, height))
    return found


def worlds(state: State, seat: str, chance: Chance, most: int, seconds: float = SECONDS) -> Iterator[State]:
    """States that look the same and in which the same moves are legal; so many tries, or as many as there is time for."""
    wanted, end = [move.id for move in state.moves()], time.monotonic() + seconds
    for _ in range(most):
        if time.monotonic() > end:
            return
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
    """The move after which this seat is furthest ahead, in random games from states that look like this one."""
    if len(moves) == 1:
        return t("play.hint", move=moves[0].id, why=t("play.hint_only"))
    ahead, games = _tried(state, seat)
    legal = state.moves()
    if not games or max(ahead.values()) == min(ahead.values()):
        return t("play.hint", move=legal[0].id, why=t("play.hint_first"))
    best = max(ahead, key=lambda i: ahead[i])
    worst = min(ahead.values()) / games
    why = t("play.hint_tried", ahead=f"{ahead[best] / games:+.1f}", worst=f"{worst:+.1f}", games=games)
    return t("play.hint", move=legal[best].id, why=why)


def _tried(state: State, seat: str) -> tuple[dict[int, float], int]:
    """How far ahead moves were in all trial games together, by their number, and how many games that were."""
    chance, player = Chance.stream(len(state.core.log or ()), 1, PLAYER), state.game.seats.index(seat)
    tried = chance.shuffle(0, [*range(len(state.moves()))])[:CANDIDATES]
    ahead, games, end = dict.fromkeys(tried, 0.0), 0, time.monotonic() + SECONDS
    most = _horizon(state, seat, chance, len(tried))
    for world in worlds(state, seat, chance, 10_000):
        try:
            found = {i: _ahead(state.game, _after(world, i, chance, most, end), player) for i in tried}
        except (Refused, TimeoutError):
            break
        ahead, games = {i: ahead[i] + found[i] for i in tried}, games + 1
    return ahead, games


def _horizon(state: State, seat: str, chance: Chance, moves: int) -> int:
    """How many decisions trial games may take, so that every move is tried a few times."""
    begun = time.monotonic()
    try:
        for world in worlds(state, seat, chance, 5):
            _after(world, 0, chance, PROBE, begun + SECONDS)
    except (Refused, TimeoutError):
        return SHORTEST
    each = (time.monotonic() - begun) / (5 * PROBE)
    return max(SHORTEST, int(SECONDS / (ROUNDS * moves * each)))


def _after(state: State, first: int, chance: Chance, most: int, end: float) -> Core:
    """A random game after a first move, to its end or for so many decisions."""
    core, machine = state.core.copy(), state.game.machine
    machine.play(core, core.acts[first])
    for count in range(most):
        if core.over:
            break
        if count % 50 == 49 and time.monotonic() > end:
            raise TimeoutError
        machine.play(core, core.acts[chance.below(len(core.acts))])
    return core


def _ahead(game: Game, core: Core, player: int) -> float:
    """By how much a seat leads the best of the others; alone, what it has."""
    scores = list(State(game, core).scores.values())
    own = scores.pop(player)
    return own - max(scores, default=0)
