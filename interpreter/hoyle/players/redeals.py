"""The luck of the deal: what a seat could expect of the deal that it had, against what it can expect before anything is dealt."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from hoyle.game.compiled import Compiled
from hoyle.game.results import leads
from hoyle.game.seen import seen_by
from hoyle.native.sights import sides
from hoyle.players.memory import Memory, hides
from hoyle.players.search import MOST, hunted
from hoyle.players.weighing import Weight, weights
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import MIXED, Core
from hoyle.running.tried import Bounds

DEAL = 6
"""Use of chance, by the number of the deal."""
LONGEST = 40
"""Choices of a deal after which a seat that had none is left out."""
FEWEST = 8
"""From fewer deals nothing is concluded."""

Prospects = tuple[float | None, ...]
"""By how much each seat, by its number, can expect to be ahead when it first has to choose; None if it had not to."""


def redealt(game: Compiled, number: int, seed: int, iterations: int | None, seconds: float | None = None) -> Prospects:
    """Another deal, by its number, played by searches until everybody has had to choose. The same number and seed find the same."""
    found: list[float | None] = [None] * len(game.seats)
    core, side = game.machine.start(Chance.stream(seed, number, DEAL), log=True), sides(game.machine)
    memories = [Memory(game, seat) for seat in range(len(game.seats))] if hides(game) else []
    for memory in memories:
        memory.begins(core)
    chosen = 0
    while None in found and chosen < LONGEST and not core.over:
        made = 0
        if len(core.acts) > 1:
            chance = Chance.stream(seed, number * LONGEST + chosen, PLAYER)
            best = _best(game, core, memories, chance, iterations, seconds)
            if best is None:
                break
            if found[core.actor] is None:
                found[core.actor] = leads(game, core)[side[core.actor]] + best.outcome.gain
            made, chosen = best.number, chosen + 1
        if _is_dealt_anew(game, core, made, memories):
            break
    return tuple(found)


def _best(
    game: Compiled,
    core: Core,
    memories: Sequence[Memory],
    chance: Chance,
    iterations: int | None,
    seconds: float | None,
) -> Weight | None:
    """The move that whoever acts would make who searches, and what it comes to; None if no state could be imagined."""
    known = memories[core.actor].now if memories else None
    hunt = hunted(game, seen_by(game, core, core.actor), chance, Bounds(iterations or MOST), seconds, knowledge=known)
    return weights(hunt)[0] if hunt is not None else None


def _is_dealt_anew(game: Compiled, core: Core, made: int, memories: Sequence[Memory]) -> bool:
    """Makes a move, which everybody remembers; whether the deal ends with it."""
    core.log = []
    before, action = core.copy(), core.acts[made]
    game.machine.play(core, action)
    if any(event[0] in MIXED for event in core.log or ()):
        return True
    for memory in memories:
        memory.moved(before, action, core)
    return False


def mean_prospect(deals: Sequence[Prospects], seat: int) -> tuple[float, float] | None:
    """What a seat can expect before anything is dealt, and the standard error of that; None if too few deals tell."""
    known = [one for deal in deals if (one := deal[seat]) is not None]
    if len(known) < FEWEST:
        return None
    return statistics.fmean(known), statistics.stdev(known) / len(known) ** 0.5
