"""A player that searches, through one game."""

from __future__ import annotations

import time
from collections.abc import Hashable

from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.seen import Seen
from hoyle.players.knowledge import Knowledge
from hoyle.players.memory import Memory
from hoyle.players.search import best, hunted, is_alone, is_open
from hoyle.players.solving import certain, ending_in
from hoyle.players.winning import Key, winning_way
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.solved import Ending
from hoyle.running.state import Core
from hoyle.running.tried import WON, Bounds

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

    def __call__(self, seen: Seen, chance: Chance) -> int:
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

    def _solved(self, seen: Seen, chance: Chance) -> bool:
        """Where who plays alone sees everything: is a way to win found?"""
        if self._bounds.score:
            return False
        won = winning_way(self._game, seen, self._bounds, chance, self._seconds)
        self._way |= won.chosen if won is not None else {}
        return won is not None

    def _ending(self, seen: Seen, knowledge: Knowledge | None, seconds: float | None) -> Ending | None:
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
        if results.winning(self._game, core):
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
