"""Players for seats without a person, by the names they are called by: each chooses among the moves of a decision."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hoyle.game.compiled import Compiled
from hoyle.game.game import Game
from hoyle.game.seen import Seen
from hoyle.native.engine import NativeMachine
from hoyle.players.advice import advise
from hoyle.players.memory import Memory, hides
from hoyle.players.search import MOST, searching
from hoyle.players.searcher import Searcher
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import Engine
from hoyle.running.tried import Bounds

Player = Callable[[Seen, Chance], int]
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


def at_random(seen: Seen, chance: Chance) -> int:
    """Any move, each equally likely."""
    return chance.below(len(seen.moves or ()))


def first(seen: Seen, chance: Chance) -> int:
    """The first move in the order in which the rules list them."""
    return 0


def greedy(game: Game, seen: Seen, chance: Chance) -> int:
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
