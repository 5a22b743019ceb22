"""A move for whoever acts that random games, from states that look the same to it, speak for."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from interpreter.diagnostics import Refused
from interpreter.game.game import Game, State
from interpreter.game.moves import Move
from interpreter.game.worlds import worlds
from interpreter.running.chance import PLAYER, Chance
from interpreter.running.state import Core

CANDIDATES = 24  # more moves than this are not tried
ROUNDS = 8  # how often each of them should be
PROBE = 20  # decisions that show how quickly a game is played
SHORTEST = 10  # decisions of a trial game
LONGEST = 200  # where their number does not depend on time
TRIES = 10_000  # imagined states, those in which other moves are legal among them


class Advice(Struct, frozen=True):
    """The best move, by how many points it leads on the average, by how many the worst does, and after how many games each."""

    move: Move
    ahead: float
    worst: float
    games: int


def advise(
    state: State,
    seconds: float,
    games: int | None = None,
    longest: int = LONGEST,
    chance: Chance | None = None,
) -> Advice | None:
    """The move after which whoever acts is furthest ahead; None if nothing speaks for any of them.

    `games`: so many of each move, however long it takes and none longer than `longest` decisions; then the same state gives
    the same advice everywhere, or with the same `chance`."""
    clock = _Clock(time.monotonic() + seconds if games is None else None)
    chance = chance or Chance.stream(state.decisions, 1, PLAYER)
    tried = chance.shuffle(0, [*range(len(state.moves()))])[:CANDIDATES]
    with state.game.machine.uncounted():
        most = _horizon(state, chance, seconds / (ROUNDS * len(tried)), clock) if games is None else longest
        ahead, count = _tried(state, chance, tried, most, clock, games)
    if not count or max(ahead.values()) == min(ahead.values()):
        return None
    best = max(ahead, key=lambda i: ahead[i])
    return Advice(state.moves()[best], ahead[best] / count, min(ahead.values()) / count, count)


class _Clock(Struct, frozen=True):
    """When to stop; without an end, never."""

    end: float | None

    def over(self) -> bool:
        return self.end is not None and time.monotonic() > self.end


def _tried(
    state: State, chance: Chance, tried: list[int], most: int, clock: _Clock, games: int | None
) -> tuple[dict[int, float], int]:
    """How far ahead moves were in all trial games together, by their number, and how many games that were."""
    core, player = state.core, state.core.actor
    ahead, count = dict.fromkeys(tried, 0.0), 0
    for world in worlds(state.game.compiled, core, player, chance, TRIES if games is None else 10 * games, clock.over):
        found = _leads(state.game, world, chance, tried, most, clock.over)
        if found is not None:
            ahead, count = {i: ahead[i] + found[i] for i in tried}, count + 1
        if count == games:
            break
    return ahead, count


def _leads(
    game: Game, world: Core, chance: Chance, tried: list[int], most: int, over: Callable[[], bool]
) -> dict[int, float] | None:
    """How far ahead each move is in one state; None if the rules cannot go on from there, or time is over."""
    try:
        return {i: _ahead(game, _after(game, world, i, chance, most, over), world.actor) for i in tried}
    except (Refused, TimeoutError):
        return None


def _horizon(state: State, chance: Chance, each: float, clock: _Clock) -> int:
    """How many decisions a trial game may take, if it is to be over after so many seconds."""
    begun, decisions = time.monotonic(), 0
    for world in worlds(state.game.compiled, state.core, state.core.actor, chance, 5, clock.over):
        try:
            _after(state.game, world, 0, chance, PROBE, clock.over)
        except Refused:
            continue
        decisions += PROBE
    spent = time.monotonic() - begun
    return max(SHORTEST, int(each * decisions / spent)) if decisions else SHORTEST


def _after(game: Game, core: Core, first: int, chance: Chance, most: int, over: Callable[[], bool]) -> Core:
    """A random game after a first move, to its end or for so many decisions."""
    core, machine = core.copy(), game.machine
    machine.play(core, core.acts[first])
    for count in range(most):
        if core.over:
            break
        if count % 50 == 49 and over():
            raise TimeoutError
        machine.play(core, core.acts[chance.below(len(core.acts))])
    return core


def _ahead(game: Game, core: Core, player: int) -> float:
    """By how much a player's side leads the best of the others in what wins; alone, what it has."""
    standings = State(game, core).standings
    own = standings.pop(next(n for n, side in enumerate(game.ruleset.sides) if player in side))
    return own - max(standings, default=0)
