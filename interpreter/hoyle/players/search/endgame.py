"""Decide when an ending is solved instead of searched: the actor knows the whole state, and the rest of the game is small.

The solvers are `native.ending` and `endgame_solver`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState, list_secret_cells, sample_determinizations
from hoyle.language.value_types import Number
from hoyle.native import search_drivers
from hoyle.native.engine import NativeMachine
from hoyle.players.inference.determinization import WorldSampler, count_unseen
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search import endgame_solver
from hoyle.players.search.driver import is_fully_visible
from hoyle.players.search.information_set import squash_gain
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Effort, Ending, Stakes
from hoyle.running.state import Core

EACH = 32
"""Actions that may be tried for each iteration of the search that this replaces."""
MOST = 100_000
"""Most actions that may be tried."""
GAMES = 10_000
"""Iterations per second that a native search is assumed to do; a Python search does `SLOWER` times fewer."""
SLOWER = 100
DRAWS = 20
"""Draws of the only state that agrees with what is known; a draw may fail where pieces that lie together are exchanged."""
BEYOND = 2.0
"""More than any reward."""

Place = Hashable


def solve_view(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    seconds: float | None = None,
    knowledge: Knowledge | None = None,
    every: bool = False,
) -> Ending | None:
    """Return the best action for a seat, if it is certain with far less effort than a search with these bounds.

    Args:
        every: also compute what each other action comes to.
    """
    with game.machine.uncounted():
        state = find_certain_state(game, seen, knowledge)
        return solve_state(game, state, bounds, seconds, every) if state is not None else None


def solve_state(
    game: Compiled, state: Core, bounds: Bounds, seconds: float | None, every: bool = False
) -> Ending | None:
    """Like `solve_view`, for a state that the actor knows."""
    slower = 1 if isinstance(game.machine, NativeMachine) else SLOWER
    games = bounds.iterations if seconds is None else int(seconds * GAMES) // slower
    return solve(game, state, Effort(min(MOST, EACH * games), every, score=bounds.score))


def solve(game: Compiled, core: Core, effort: Effort, stakes: Stakes | None = None) -> Ending | None:
    """Solve a fully known state, natively if possible."""
    top = _highest_reward(game, core) if len(game.ruleset.sides) == 1 and not effort.score else BEYOND
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    if native is not None:
        return search_drivers.solve_endgame(native, core, effort, top, stakes)
    return endgame_solver.solve(game, core, effort, top, stakes)


def _highest_reward(game: Compiled, core: Core) -> float:
    value_type = game.ruleset.result.best[0].type
    if not isinstance(value_type, Number):
        return BEYOND
    most = value_type.high - results.compute_leads(game, core)[0]
    return 0.9 + 0.1 * squash_gain(most, 1.0, score=False)


# ---- certain states --------------------------------------------------------------------------------------------------


def find_certain_state(game: Compiled, seen: RedactedState, knowledge: Knowledge | None) -> Core | None:
    """Return the state if the actor knows all of it, except for orders that do not matter.

    None also if the rules remember earlier positions, which a state does not tell.
    """
    remembers = "take_back" in game.ruleset.uses or any(p.seen is not None for p in game.machine.points.values())
    if remembers or game.machine.points[seen.pc].together is not None:
        return None
    chance = Chance.stream(0, 0, PLAYER)
    if is_fully_visible(game, seen):
        return next(sample_determinizations(game, seen, chance, 1), None)
    if knowledge is None or not {cell for cell, _ in list_secret_cells(game, seen.player)} <= knowledge.cells.keys():
        return None
    places = {mark: place for mark, place in _list_places(game, knowledge) if mark not in knowledge.known}
    if _can_exchange_two(count_unseen(seen, knowledge), knowledge.may, places):
        return None
    sampler = WorldSampler(game, seen, knowledge)
    dealt = sampler.dealer.deal(chance)
    if dealt is None or not _is_only_deal(knowledge.may, places, dealt):
        return None
    return next((world for world in (sampler.draw(chance) for _ in range(DRAWS)) if world is not None), None)


def _list_places(game: Compiled, knowledge: Knowledge) -> Iterator[tuple[int, Place]]:
    """Yield each mark with its pile, and its height if order matters there."""
    heaps = frozenset(game.machine.heaps)
    for number, pile in enumerate(knowledge.piles):
        for height, mark in enumerate(pile):
            yield mark, (number if number in heaps else (number, height))


def _can_exchange_two(unseen: Counter[int], may: Mapping[int, int], places: Mapping[int, Place]) -> bool:
    """Return True if two unseen classes fit two places both ways: a quick test that is mostly enough."""
    possible = sum(1 << piece_class for piece_class in unseen)
    found = {(place, may[mark] & possible) for mark, place in places.items()}
    return any(
        here != there and (one & other).bit_count() > 1 for (here, one), (there, other) in combinations(found, 2)
    )


def _is_only_deal(may: Mapping[int, int], places: Mapping[int, Place], dealt: Mapping[int, int]) -> bool:
    """Return True if every other deal differs only in the order of pieces that lie together.

    Another deal gives each mark of some cycle the class of the next mark. So the marks of each strongly connected component must
    share a place or a class.
    """
    following = {mark: {other for other in dealt if may[mark] >> dealt[other] & 1} for mark in dealt}
    reached = {mark: _reach(mark, following) for mark in following}
    components = ({mark} | {other for other in found if mark in reached[other]} for mark, found in reached.items())
    return all(
        len({places[mark] for mark in marks}) == 1 or len({dealt[mark] for mark in marks}) == 1 for marks in components
    )


def _reach(mark: int, following: Mapping[int, set[int]]) -> set[int]:
    found, waiting = set[int](), [mark]
    while waiting:
        new = following[waiting.pop()] - found
        found |= new
        waiting += new
    return found
