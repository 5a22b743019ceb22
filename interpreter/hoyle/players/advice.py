"""A move for a seat that random games, from states that look the same to it, speak for."""

from __future__ import annotations

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.game import Game, State
from hoyle.game.seen import Seen
from hoyle.game.worlds import worlds
from hoyle.running.chance import Chance
from hoyle.running.state import Core

CANDIDATES = 24  # more moves than this are not tried
LONGEST = 200  # decisions of a trial game
TRIES = 10  # imagined states for each game, those in which other moves are legal among them


class Advice(Struct, frozen=True):
    """The best move, by its number, by how many points it leads on the average, by how many the worst does, and after how many games each."""

    number: int
    ahead: float
    worst: float
    games: int


def advise(game: Game, seen: Seen, games: int, chance: Chance, longest: int = LONGEST) -> Advice | None:
    """The move after which whoever is to choose is furthest ahead after so many games of each move, none longer than `longest` decisions; None if
    nothing speaks for any of them. The same sight and chance give the same advice everywhere."""
    tried = chance.shuffle(0, [*range(len(seen.moves or ()))])[:CANDIDATES]
    with game.machine.uncounted():
        ahead, count = _tried(game, seen, chance, tried, longest, games)
    if not count or max(ahead.values()) == min(ahead.values()):
        return None
    best = max(ahead, key=lambda i: ahead[i])
    return Advice(best, ahead[best] / count, min(ahead.values()) / count, count)


def _tried(
    game: Game, seen: Seen, chance: Chance, tried: list[int], longest: int, games: int
) -> tuple[dict[int, float], int]:
    """How far ahead moves were in all trial games together, by their number, and how many games that were."""
    ahead, count = dict.fromkeys(tried, 0.0), 0
    for world in worlds(game.compiled, seen, chance, TRIES * games):
        found = _leads(game, world, chance, tried, longest)
        if found is not None:
            ahead, count = {i: ahead[i] + found[i] for i in tried}, count + 1
        if count == games:
            break
    return ahead, count


def _leads(game: Game, world: Core, chance: Chance, tried: list[int], longest: int) -> dict[int, float] | None:
    """How far ahead each move is in one state; None if the rules cannot go on from there."""
    try:
        return {i: _ahead(game, _after(game, world, i, chance, longest), world.actor) for i in tried}
    except Refused:
        return None


def _after(game: Game, core: Core, first: int, chance: Chance, longest: int) -> Core:
    """A random game after a first move, to its end or for so many decisions."""
    core, machine = core.copy(), game.machine
    machine.play(core, core.acts[first])
    for _ in range(longest):
        if core.over:
            break
        machine.play(core, core.acts[chance.below(len(core.acts))])
    return core


def _ahead(game: Game, core: Core, player: int) -> float:
    """By how much a player's side leads the best of the others in what wins; alone, what it has."""
    standings = State(game, core).standings
    own = standings.pop(next(n for n, side in enumerate(game.ruleset.sides) if player in side))
    return own - max(standings, default=0)
