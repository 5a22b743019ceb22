"""Bots: players for seats without a person, created by name (`random`, `greedy`, `search:2000`, …).

A player maps what its seat sees to the number of a legal move.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.game import Game, State
from hoyle.game.views.redaction import RedactedState, sample_determinizations
from hoyle.native.engine import NativeMachine
from hoyle.players.inference.knowledge import Memory, has_hidden_information
from hoyle.players.search.driver import MOST, best_action, is_fully_visible, is_solo, prepare_search, run_search
from hoyle.players.search.endgame import find_certain_state, solve_state
from hoyle.players.search.win_search import StateKey, find_winning_line
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Engine
from hoyle.running.outcomes import WON, Bounds, Ending
from hoyle.running.state import Core

Player = Callable[[RedactedState, Chance], int]
"""Chooses one of the legal moves of a view, by number. It may draw from the chance of players."""

GREEDY_GAMES = 4
"""Random games that the greedy player tries after each move."""
GREEDY_DECISIONS = 60
"""Decisions after which it leaves such a game."""
LEVELS: Mapping[str, int] = {"easy": 50, "normal": 500, "strong": 5000}
"""Iterations of a search, by name."""
SLOWER = 10
"""The Python engine does this many times fewer iterations for a level."""
MOST_GAMES, LEAST_SECONDS, MOST_SECONDS = 999_999, 0.001, 999.999
"""Limits of `search:N` and `search:Ns`."""
LEAST_SHARE = 0.1
"""Part of the time for a move that is left for the tree search, whatever else was tried before."""

KINDS = ("easy", "first", "greedy", "normal", "random", "search", "strong")
"""Names of players; `search` is `normal`. `:score` behind a search plays for points, not for the win."""
MORE_KINDS = ("search:2000", "search:0.5s", "search:2000:score", "normal:score")
"""Examples of other names."""
_GAMES, _SECONDS = r"[1-9][0-9]{0,5}", r"(?![0.]+s)[0-9]{1,3}(?:\.[0-9]{1,3})?"
_SEARCH = re.compile(
    rf"(?:search|easy|normal|strong|search:(?:(?P<iterations>{_GAMES})|(?P<seconds>{_SECONDS})s))(?P<score>:score)?"
)


# ---- names -----------------------------------------------------------------------------------------------------------


def is_kind(kind: str) -> bool:
    return kind in KINDS or _SEARCH.fullmatch(kind) is not None


def is_searching(kind: str) -> bool:
    """Return True if this player searches, so that a native engine pays."""
    return _SEARCH.fullmatch(kind) is not None


def is_timed(kind: str) -> bool:
    """Return True if this player searches for some seconds, so that its moves depend on the machine."""
    found = _SEARCH.fullmatch(kind)
    return found is not None and found["seconds"] is not None


def find_limits(kind: str, game: Compiled) -> tuple[int | None, float | None]:
    """Return how far this player searches: (iterations, None) or (None, seconds)."""
    found = _SEARCH.fullmatch(kind)
    if found is None or not (found["iterations"] or found["seconds"]):
        level = LEVELS.get(kind.partition(":")[0], LEVELS["normal"])
        return (level if isinstance(game.machine, NativeMachine) else level // SLOWER), None
    return (int(found["iterations"]), None) if found["iterations"] else (None, float(found["seconds"]))


def resolve_kind(kind: str, game: Game, engine: Engine | None = None) -> str:
    """Replace a level by its number of iterations, so that the player plays alike in other processes."""
    if not is_searching(kind) or is_timed(kind):
        return kind
    games, _ = find_limits(kind, prepare_search(game, engine))
    return f"search:{games}" + ":score" * kind.endswith(":score")


# ---- players ---------------------------------------------------------------------------------------------------------


def create_player(kind: str, game: Game, engine: Engine | None = None, memory: Memory | None = None) -> Player:
    """Create a player for one game.

    Args:
        engine: what it searches with, if not the engine of the game.
        memory: of its seat, if it remembers more than it sees.

    Raises:
        ValueError: there is no such kind of player.
    """
    if not is_kind(kind):
        raise ValueError(f"`{kind}` is no kind of player; there are {', '.join([*KINDS, *MORE_KINDS])}")
    if is_searching(kind):
        prepared = prepare_search(game, engine)
        iterations, seconds = find_limits(kind, prepared)
        return SearchPlayer(prepared, Bounds(iterations or MOST, score=kind.endswith(":score")), seconds, memory)
    others: dict[str, Player] = {"first": choose_first, "random": choose_random, "greedy": partial(choose_greedy, game)}
    return others[kind]


def create_players(kinds: Sequence[str], game: Game, engine: Engine | None = None) -> tuple[list[Player], list[Memory]]:
    """Create the players of one game, by seat, and the memories of those who search.

    The caller tells memories what happens (`game.playouts.Witness`).
    """
    memories = {n: create_memory(n, game, engine) for n, kind in enumerate(kinds) if is_searching(kind)}
    players = [create_player(kind, game, engine, memories.get(n)) for n, kind in enumerate(kinds)]
    return players, [memory for memory in memories.values() if memory is not None]


def create_memory(seat: int, game: Game, engine: Engine | None = None) -> Memory | None:
    """Create the memory of a seat. None if nothing is hidden in the game."""
    return Memory(prepare_search(game, engine), seat) if has_hidden_information(game.compiled) else None


def choose_random(seen: RedactedState, chance: Chance) -> int:
    return chance.below(len(seen.moves or ()))


def choose_first(seen: RedactedState, chance: Chance) -> int:
    """Choose the first move in the order of the rules."""
    return 0


def choose_greedy(game: Game, seen: RedactedState, chance: Chance) -> int:
    """Choose as `advise` does; randomly, if all moves lead to the same."""
    own = Chance.stream(chance.below(1 << 30), 1, PLAYER)
    found = advise(game, seen, GREEDY_GAMES, own, GREEDY_DECISIONS)
    return found.number if found is not None else choose_random(seen, chance)


class SearchPlayer:
    """Solves, looks for a certain win, or searches a tree.

    It remembers the views it had, so as not to repeat positions alone, and the way to a certain win.
    """

    def __init__(
        self, game: Compiled, bounds: Bounds, seconds: float | None = None, memory: Memory | None = None
    ) -> None:
        """`seconds` ends a search before its iterations do."""
        self._game, self._bounds, self._seconds, self._memory = game, bounds, seconds, memory
        self._before: set[Hashable] = set()
        self._plan: dict[StateKey, int] = {}

    def __call__(self, seen: RedactedState, chance: Chance) -> int:
        """Return the number of the chosen action.

        It draws from `chance` exactly once, so that games can be resumed.
        """
        own, begun = Chance.stream(chance.below(1 << 30), 1, PLAYER), time.monotonic()
        is_open = is_fully_visible(self._game, seen)
        if self._plan and is_open and seen.key in self._plan:
            return self._plan[seen.key]
        if not self._bounds.score:
            won = find_winning_line(self._game, seen, self._bounds, own, self._seconds)
            if won is not None:
                self._plan |= won.chosen
                return self._plan[seen.key]
        ending = self._solve(seen, is_open, self._time_left(begun))
        if ending is not None:
            return ending.best
        return self._search(seen, own, self._time_left(begun))

    def _time_left(self, begun: float) -> float | None:
        if self._seconds is None:
            return None
        return max(LEAST_SHARE * self._seconds, self._seconds - (time.monotonic() - begun))

    def _solve(self, seen: RedactedState, is_open: bool, seconds: float | None) -> Ending | None:
        """Solve the ending if the state is certain. A single side then follows the solution."""
        game, solo = self._game, is_solo(self._game)
        knowledge = self._memory.now if self._memory is not None else None
        with game.machine.uncounted():
            state = find_certain_state(game, seen, knowledge) if not solo or is_open else None
            ending = solve_state(game, state, self._bounds, seconds) if state is not None else None
            if solo and state is not None and ending is not None:
                self._plan |= self._play_choices(state.copy(), ending.way)
        return ending

    def _search(self, seen: RedactedState, own: Chance, seconds: float | None) -> int:
        knowledge = self._memory.now if self._memory is not None else None
        search = run_search(self._game, seen, own, self._bounds, seconds, frozenset(self._before), knowledge)
        if search is None:
            return own.below(len(seen.moves or ()))
        if is_solo(self._game):
            self._before.add(search.here)
        if search.line().promised >= WON and not self._bounds.score:
            self._follow_if_won(search.worlds[0], search.line().choices)
            return self._plan.get(seen.key, best_action(search.found()))
        return best_action(search.found())

    def _follow_if_won(self, core: Core, choices: tuple[int, ...]) -> None:
        """Plan these choices if they win: a game that was left unfinished may promise as much as a win."""
        core = core.copy()
        plan = self._play_choices(core, choices)
        while not core.over and len(core.acts) == 1:
            self._game.machine.play(core, core.acts[0])
        if results.find_winners(self._game, core):
            self._plan |= plan

    def _play_choices(self, core: Core, choices: tuple[int, ...]) -> dict[StateKey, int]:
        """Make these choices, and return the state of each."""
        left, made = [*reversed(choices)], dict[StateKey, int]()
        while left:
            number = left.pop() if len(core.acts) > 1 else 0
            if len(core.acts) > 1:
                made[core.key()] = number
            self._game.machine.play(core, core.acts[number])
        return made


# ---- advice by random games ------------------------------------------------------------------------------------------

CANDIDATES = 24  # most moves that are tried
LONGEST = 200  # decisions of a trial game
TRIES = 10  # sampled states for each game, with those in which other moves are legal


class Advice(Struct, frozen=True):
    """The best move by number; mean lead in points after it and after the worst move; games tried for each."""

    number: int
    ahead: float
    worst: float
    games: int


def advise(game: Game, seen: RedactedState, games: int, chance: Chance, longest: int = LONGEST) -> Advice | None:
    """Return the move with the best mean lead in random games of at most `longest` decisions.

    None if no game could be tried or all moves are equal. The same view and chance give the same advice on every machine.
    """
    moves = chance.shuffle(0, [*range(len(seen.moves or ()))])[:CANDIDATES]
    with game.machine.uncounted():
        totals, count = _sum_leads(game, seen, chance, moves, longest, games)
    if not count or max(totals.values()) == min(totals.values()):
        return None
    best = max(totals, key=lambda move: totals[move])
    return Advice(best, totals[best] / count, min(totals.values()) / count, count)


def _sum_leads(
    game: Game, seen: RedactedState, chance: Chance, moves: list[int], longest: int, games: int
) -> tuple[dict[int, float], int]:
    """Return the sum of leads after each move, and the number of games."""
    totals, count = dict.fromkeys(moves, 0.0), 0
    for world in sample_determinizations(game.compiled, seen, chance, TRIES * games):
        try:
            leads = {move: _lead(game, _play_out(game, world, move, chance, longest), world.actor) for move in moves}
        except Refused:  # the rules cannot go on from this state
            continue
        totals, count = {move: totals[move] + leads[move] for move in moves}, count + 1
        if count == games:
            break
    return totals, count


def _play_out(game: Game, world: Core, move: int, chance: Chance, longest: int) -> Core:
    """Play a random game after a move, to its end or for `longest` decisions."""
    core, machine = world.copy(), game.machine
    machine.play(core, core.acts[move])
    for _ in range(longest):
        if core.over:
            break
        machine.play(core, core.acts[chance.below(len(core.acts))])
    return core


def _lead(game: Game, core: Core, player: int) -> float:
    """Return the lead of a player's side over the best other; alone, its standing."""
    standings = State(game, core).standings
    own = standings.pop(next(n for n, side in enumerate(game.ruleset.sides) if player in side))
    return own - max(standings, default=0)
