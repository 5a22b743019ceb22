"""When the end of a game, or of a deal, is solved and not searched: where whoever acts is certain of the whole state, and it is small enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState, list_secret_cells, sample_determinizations
from hoyle.language.kinds import Number
from hoyle.native import search_drivers
from hoyle.native.engine import NativeMachine
from hoyle.players.inference.determinization import Worlds, unseen_sorts
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search import endgame_solver
from hoyle.players.search.driver import is_open
from hoyle.players.search.information_set import better_off
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Effort, Ending, Stakes
from hoyle.running.state import Core

EACH = 32
"""Actions that may be tried for each game that the search would follow."""
MOST = 100_000
"""However far the search would go."""
GAMES = 10_000
"""Games that a search is reckoned to follow in a second; by Python `SLOWER` times less."""
SLOWER = 100
DRAWS = 20
"""How often the one state is drawn that agrees with what is known; where pieces that lie together are exchanged, it may not."""
BEYOND = 2.0
"""More than any reward."""

Place = Hashable


def ending_of(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    seconds: float | None = None,
    knowledge: Knowledge | None = None,
    every: bool = False,
) -> Ending | None:
    """The best action of whoever acts, if that can be found for certain with much less effort than this search would take; `every`: and what each comes to.
    It hangs on what the seat sees and knows, and on nothing else."""
    with game.machine.uncounted():
        state = certain(game, seen, knowledge)
        return ending_in(game, state, bounds, seconds, every) if state is not None else None


def ending_in(game: Compiled, state: Core, bounds: Bounds, seconds: float | None, every: bool = False) -> Ending | None:
    """The same of a state that is known."""
    return solved(game, state, _effort(game, bounds, seconds, every))


def solved(game: Compiled, core: Core, effort: Effort, stakes: Stakes | None = None) -> Ending | None:
    """The same of a state of which nothing is hidden; by the native engine, where there is one."""
    top = _top(game, core) if len(game.ruleset.sides) == 1 and not effort.score else BEYOND
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    if native is not None:
        return search_drivers.solved(native, core, effort, top, stakes)
    return endgame_solver.solved(game, core, effort, top, stakes)


def _top(game: Compiled, core: Core) -> float:
    """No end is worth more to who plays alone."""
    kind = game.ruleset.result.best[0].kind
    if not isinstance(kind, Number):
        return BEYOND
    most = kind.high - results.compute_leads(game, core)[0]
    return 0.9 + 0.1 * better_off(most, 1.0, score=False)


def _effort(game: Compiled, bounds: Bounds, seconds: float | None, every: bool) -> Effort:
    native = isinstance(game.machine, NativeMachine)
    games = bounds.iterations if seconds is None else int(seconds * GAMES) // (1 if native else SLOWER)
    return Effort(min(MOST, EACH * games), every, score=bounds.score)


# ---- is there anything that is not known? ----------------------------------------------------------------------------


def certain(game: Compiled, seen: RedactedState, knowledge: Knowledge | None) -> Core | None:
    """The state, if whoever acts knows all of it; what it does not see lies there as it may, where the order is of no account. None also where
    the rules remember how pieces lay before, which is no part of what lies there now."""
    remembers = "take_back" in game.ruleset.uses or any(p.seen is not None for p in game.machine.points.values())
    if remembers or game.machine.points[seen.pc].together is not None:
        return None
    if is_open(game, seen):
        return next(sample_determinizations(game, seen, Chance.stream(0, 0, PLAYER), 1), None)
    if knowledge is None or not {cell for cell, _ in list_secret_cells(game, seen.player)} <= knowledge.cells.keys():
        return None
    return _known(game, seen, knowledge)


def _known(game: Compiled, seen: RedactedState, knowledge: Knowledge) -> Core | None:
    at = {mark: place for mark, place in _places(game, knowledge) if mark not in knowledge.known}
    if _may_be_exchanged(unseen_sorts(seen, knowledge), knowledge.may, at):
        return None
    source, chance = Worlds(game, seen, knowledge), Chance.stream(0, 0, PLAYER)
    dealt = source.dealer.dealt(chance)
    if dealt is None or not _is_only_one(knowledge.may, at, dealt):
        return None
    return next((world for world in (source.draw(chance) for _ in range(DRAWS)) if world is not None), None)


def _places(game: Compiled, knowledge: Knowledge) -> Iterator[tuple[int, Place]]:
    """Where each mark lies: in a pile, and how high, if that matters."""
    heaps = frozenset(game.machine.heaps)
    for number, pile in enumerate(knowledge.piles):
        for height, mark in enumerate(pile):
            yield mark, (number if number in heaps else (number, height))


def _may_be_exchanged(unseen: Counter[int], may: Mapping[int, int], at: Mapping[int, Place]) -> bool:
    """Are there two pieces, of classes that lie unseen, in two places where both may be? Mostly there are, and no more need be asked."""
    possible = sum(1 << sort for sort in unseen)
    found = {(place, may[mark] & possible) for mark, place in at.items()}
    return any(
        here != there and (one & other).bit_count() > 1 for (here, one), (there, other) in combinations(found, 2)
    )


def _is_only_one(may: Mapping[int, int], at: Mapping[int, Place], dealt: Mapping[int, int]) -> bool:
    """Is any other deal than this one the same, but for the order of pieces that lie together? Another one gives each mark the class of the
    next, all around some circle: none may lead to another place and to another class."""
    leads_to = {mark: {other for other in dealt if may[mark] >> dealt[other] & 1} for mark in dealt}
    return all(
        len({at[mark] for mark in circle}) == 1 or len({dealt[mark] for mark in circle}) == 1
        for circle in _circles(leads_to)
    )


def _circles(leads_to: Mapping[int, set[int]]) -> Iterator[set[int]]:
    """Of each mark those that lead to it and that it leads to, itself among them."""
    reached = {mark: _reached(mark, leads_to) for mark in leads_to}
    for mark, found in reached.items():
        yield {mark} | {other for other in found if mark in reached[other]}


def _reached(mark: int, leads_to: Mapping[int, set[int]]) -> set[int]:
    found, waiting = set[int](), [mark]
    while waiting:
        following = leads_to[waiting.pop()] - found
        found |= following
        waiting += following
    return found
