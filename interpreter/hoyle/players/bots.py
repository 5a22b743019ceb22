"""Players for seats without a person, by the names they are called by: each chooses among the moves of a decision."""

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
from hoyle.players.inference.knowledge import Knowledge, Memory, hides
from hoyle.players.search.driver import MOST, best, hunted, is_alone, is_open, searching
from hoyle.players.search.endgame import certain, ending_in
from hoyle.players.search.win_search import Key, winning_way
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Engine
from hoyle.running.outcomes import WON, Bounds, Ending
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


def advise(game: Game, seen: RedactedState, games: int, chance: Chance, longest: int = LONGEST) -> Advice | None:
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
    game: Game, seen: RedactedState, chance: Chance, tried: list[int], longest: int, games: int
) -> tuple[dict[int, float], int]:
    """How far ahead moves were in all trial games together, by their number, and how many games that were."""
    ahead, count = dict.fromkeys(tried, 0.0), 0
    for world in sample_determinizations(game.compiled, seen, chance, TRIES * games):
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


LEAST = 0.1
"""Of the time that there is for a move, what is left for a search whatever was looked for before."""


class Searcher:
    """It remembers what it saw when it was asked, so that it does not go round in circles alone, and, where nothing is hidden from who plays
    alone, the way to win that it has found."""

    def __init__(
        self, game: Compiled, bounds: Bounds, seconds: float | None = None, memory: Memory | None = None
    ) -> None:
        """`seconds`: it searches so long, if it does not reach so many iterations."""
        self._game, self._seconds, self._memory = game, seconds, memory
        self._bounds = bounds
        self._before: set[Hashable] = set()
        self._way: dict[Key, int] = {}

    def __call__(self, seen: RedactedState, chance: Chance) -> int:
        """The number of the action that it makes; any, if nothing speaks for one of them. It draws from `chance` once, however far it searches, so that
        a game can be taken up again."""
        own, begun = Chance.stream(chance.below(1 << 30), 1, PLAYER), time.monotonic()
        if self._way and is_open(self._game, seen) and seen.key in self._way:
            return self._way[seen.key]
        if self._solved(seen, own):
            return self._way[seen.key]
        knowledge = self._memory.now if self._memory is not None else None
        ending = self._ending(seen, knowledge, self._left(begun))
        if ending is not None:
            return ending.best
        left = self._left(begun)
        hunt = hunted(self._game, seen, own, self._bounds, left, frozenset(self._before), knowledge)
        if hunt is None:
            return own.below(len(seen.moves or ()))
        if is_alone(self._game):
            self._before.add(hunt.here)
        if hunt.line().promised >= WON and not self._bounds.score:
            self._follow_if_won(hunt.worlds[0], hunt.line().choices)
            return self._way.get(seen.key, best(hunt.found()))
        return best(hunt.found())

    def _left(self, begun: float) -> float | None:
        """Of the time there is for a move that was begun then; some is always left, so that the move is not any."""
        if self._seconds is None:
            return None
        return max(LEAST * self._seconds, self._seconds - (time.monotonic() - begun))

    def _solved(self, seen: RedactedState, chance: Chance) -> bool:
        """Where who plays alone sees everything: is a way to win found?"""
        if self._bounds.score:
            return False
        won = winning_way(self._game, seen, self._bounds, chance, self._seconds)
        self._way |= won.chosen if won is not None else {}
        return won is not None

    def _ending(self, seen: RedactedState, knowledge: Knowledge | None, seconds: float | None) -> Ending | None:
        """What is certain need not be searched. Who plays alone follows the way to the end that was found, since it may pass where it was before."""
        game, alone = self._game, is_alone(self._game)
        with game.machine.uncounted():
            state = certain(game, seen, knowledge) if not alone or is_open(game, seen) else None
            ending = ending_in(game, state, self._bounds, seconds) if state is not None else None
            if alone and state is not None and ending is not None:
                self._follow(state, ending.way)
        return ending

    def _follow(self, core: Core, choices: tuple[int, ...]) -> None:
        """What is to be chosen in each state on the way."""
        self._way |= self._made(core.copy(), choices)

    def _follow_if_won(self, core: Core, choices: tuple[int, ...]) -> None:
        """The same, if that comes to a win: a game that was left as it stood may promise as much."""
        core = core.copy()
        way = self._made(core, choices)
        while not core.over and len(core.acts) == 1:
            self._game.machine.play(core, core.acts[0])
        if results.find_winners(self._game, core):
            self._way |= way

    def _made(self, core: Core, choices: tuple[int, ...]) -> dict[Key, int]:
        """Makes these choices, and tells in which state each was made."""
        left, made = [*reversed(choices)], dict[Key, int]()
        while left:
            number = left.pop() if len(core.acts) > 1 else 0
            if len(core.acts) > 1:
                made[core.key()] = number
            self._game.machine.play(core, core.acts[number])
        return made


Player = Callable[[RedactedState, Chance], int]
"""Which of its legal moves, by its number, a seat makes that sees this. It may draw from the players' chance."""
TRIALS = 4
"""Random games that the greedy player tries after each move."""
AHEAD = 60
"""Decisions after which it leaves a trial game as it stands."""
LEVELS: Mapping[str, int] = {"easy": 50, "normal": 500, "strong": 5000}
"""Iterations of a search, by what people call that."""
SLOWER = 10
"""The Python engine does so much less for a level."""
MOST_GAMES, LEAST_SECONDS, MOST_SECONDS = 999_999, 0.001, 999.999
"""How far a search may be told to go."""
_GAMES, _SOME_SECONDS = r"[1-9][0-9]{0,5}", r"(?![0.]+s)[0-9]{1,3}(?:\.[0-9]{1,3})?"
_SEARCH = re.compile(
    rf"(?:search|easy|normal|strong|search:(?:(?P<iterations>{_GAMES})|(?P<seconds>{_SOME_SECONDS})s))(?P<score>:score)?"
)


def at_random(seen: RedactedState, chance: Chance) -> int:
    """Any move, each equally likely."""
    return chance.below(len(seen.moves or ()))


def first(seen: RedactedState, chance: Chance) -> int:
    """The first move in the order in which the rules list them."""
    return 0


def greedy(game: Game, seen: RedactedState, chance: Chance) -> int:
    """The move after which random games, from states that look the same to it, leave it furthest ahead; any, if they are all alike."""
    found = advise(game, seen, TRIALS, Chance.stream(chance.below(1 << 30), 1, PLAYER), AHEAD)
    return found.number if found is not None else at_random(seen, chance)


KINDS = ("easy", "first", "greedy", "normal", "random", "search", "strong")
"""Who may play; `search` is `normal`, and `search:2000` and `search:0.5s` say how far to look. What is behind says what for:
`search:2000:score`, `normal:score`."""
FURTHER = ("search:2000", "search:0.5s", "search:2000:score", "normal:score")
"""Examples of what else may be said."""


def is_kind(kind: str) -> bool:
    return kind in KINDS or _SEARCH.fullmatch(kind) is not None


def is_searching(kind: str) -> bool:
    """Does such a player search, so that it is better off with the native engine?"""
    return _SEARCH.fullmatch(kind) is not None


def is_timed(kind: str) -> bool:
    """Does it search for so long, so that its moves hang on how quick the machine is?"""
    said = _SEARCH.fullmatch(kind)
    return said is not None and said["seconds"] is not None


def player(kind: str, game: Game, engine: Engine | None = None, memory: Memory | None = None) -> Player:
    """The player of this name for one game; `engine`: what it searches with, if not what the game is played with; `memory`: of its seat, if it remembers more
    than it sees. Raises ValueError if there is none."""
    if not is_kind(kind):
        raise ValueError(f"`{kind}` is no kind of player; there are {', '.join([*KINDS, *FURTHER])}")
    if is_searching(kind):
        return _searcher(kind, searching(game, engine), memory)
    others: dict[str, Player] = {"first": first, "random": at_random, "greedy": partial(greedy, game)}
    return others[kind]


def reach(kind: str, game: Compiled) -> tuple[int | None, float | None]:
    """How far a player of this kind searches in this game: iterations, or seconds."""
    said = _SEARCH.fullmatch(kind)
    if said is None or not (said["iterations"] or said["seconds"]):
        level = LEVELS.get(kind.partition(":")[0], LEVELS["normal"])
        return (level if isinstance(game.machine, NativeMachine) else level // SLOWER), None
    return (int(said["iterations"]), None) if said["iterations"] else (None, float(said["seconds"]))


def settled(kind: str, game: Game, engine: Engine | None = None) -> str:
    """The same kind with the games said that it tries in this game, so that it plays alike wherever it is sent, whatever engine is there."""
    if not is_searching(kind) or is_timed(kind):
        return kind
    games, _ = reach(kind, searching(game, engine))
    return f"search:{games}" + ":score" * kind.endswith(":score")


def _searcher(kind: str, game: Compiled, memory: Memory | None) -> Player:
    iterations, seconds = reach(kind, game)
    bounds = Bounds(iterations or MOST, score=kind.endswith(":score"))
    return Searcher(game, bounds, seconds, memory)


def seated(kinds: Sequence[str], game: Game, engine: Engine | None = None) -> tuple[list[Player], list[Memory]]:
    """Who plays one game, seat by seat, and what those who search remember of it: whoever plays the game tells them (`game.playouts.Witness`)."""
    memories = {n: memory_of(n, game, engine) for n, kind in enumerate(kinds) if is_searching(kind)}
    players = [player(kind, game, engine, memories.get(n)) for n, kind in enumerate(kinds)]
    return players, [memory for memory in memories.values() if memory is not None]


def memory_of(seat: int, game: Game, engine: Engine | None = None) -> Memory | None:
    """Of a seat, by its number; None in a game in which nothing is hidden."""
    return Memory(searching(game, engine), seat) if hides(game.compiled) else None
