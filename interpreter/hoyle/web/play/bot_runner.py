"""The seats without a person: which move each makes, and what seats remember, for them and for hints. Slow; never run where others wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from hoyle.game.game import Game, State
from hoyle.game.views.redaction import seen_by
from hoyle.players.bots import Player, is_searching, player
from hoyle.players.inference.knowledge import Knowledge, Memory, hides
from hoyle.players.search.driver import searching
from hoyle.players.search.win_search import Key
from hoyle.running.chance import PLAYER, Chance
from hoyle.web.play.fair_pool import Lane
from hoyle.web.play.tables import HUMAN, played

QUICK = ("first", "random")
"""Kinds of players that need no time to think."""


class Minds:
    """Of one table. What it is asked comes with the moves made so far, which it follows in a state of its own."""

    def __init__(self, begun: State, kinds: Mapping[str, str], seed: int) -> None:
        self._begun, self._kinds, self._seed = begun, kinds, seed
        self._game: Game = begun.game
        self._lock = threading.Lock()
        self._players: dict[str, Player] = {}
        self._memories: dict[str, Memory] = {}
        self._moves: list[str] = []
        self._state: State | None = None
        self.ways: dict[Key, int] = {}
        """What is to be chosen on ways to win that hints have found."""

    def choice(self, moves: Sequence[str]) -> str:
        """The move that the seat makes which is to act after these moves, by its id. It draws from a stream of its own at each decision, so that a game
        goes on alike when it is opened again."""
        with self._lock:
            return self.choice_of(self._after(moves), len(moves))

    def choice_of(self, state: State, made: int) -> str:
        """The same in a state after so many moves, for players that remember nothing."""
        seat, core = state.to_act, state.core
        assert seat is not None
        legal, chance = state.moves(), Chance.stream(self._seed, made, PLAYER)
        number = self._player(seat)(seen_by(self._game.compiled, core, core.actor), chance) if legal[1:] else 0
        return legal[number].id

    def known_to(self, seat: str, moves: Sequence[str]) -> tuple[State, Knowledge | None]:
        """The state after these moves, and what a seat remembers there."""
        with self._lock:
            state = self._after(moves)
            memory = self._memories.get(seat)
            return State(self._game, state.core.copy()), memory.now if memory is not None else None

    def _player(self, seat: str) -> Player:
        if seat not in self._players:
            self._players[seat] = player(self._kinds[seat], self._game, memory=self._memories.get(seat))
        return self._players[seat]

    def _after(self, moves: Sequence[str]) -> State:
        if self._state is None or self._moves != list(moves[: len(self._moves)]):
            self._begins(moves)
        assert self._state is not None
        for move in moves[len(self._moves) :]:
            self._moved(move)
        return self._state

    def _begins(self, moves: Sequence[str]) -> None:
        """From the start, or back to where the moves that it knows were others."""
        same = _alike(self._moves, moves)
        if self._state is None:
            self._memories = self._remembering()
        for memory in self._memories.values():
            memory.back(len(self._moves) - same)
        self._moves = list(moves[:same])
        self._state = played(self._begun, self._moves)

    def _remembering(self) -> dict[str, Memory]:
        game = self._game
        able = [s for s, kind in self._kinds.items() if kind == HUMAN or is_searching(kind)]
        found = {s: Memory(game.compiled, game.seats.index(s)) for s in able if hides(game.compiled)}
        for memory in found.values():
            memory.begins(self._begun.core)
        return found

    def _moved(self, move: str) -> None:
        assert self._state is not None
        before = self._state
        found = before.find(move)
        self._state = before.play(found)
        for memory in self._memories.values():
            memory.moved(before.core, found.action, self._state.core)
        self._moves.append(move)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many moves two lines begin with together."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


MOST = 4
"""So many games wait at most to be made ready only because somebody looked at them."""


class Preparing:
    def __init__(self) -> None:
        self._lane = Lane()
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[object]] = WeakKeyDictionary()

    def close(self) -> None:
        self._lane.close()

    def begin(self, game: Game, client: str) -> None:
        """Somebody may play this."""
        if sum(not task.done() for task in self._tasks.values()) < MOST:
            self._task(game, client)

    def is_done(self, game: Game) -> bool:
        return game in self._tasks and self._tasks[game].done()

    async def done(self, game: Game, client: str) -> None:
        """Somebody waits for it."""
        await asyncio.shield(self._task(game, client))

    def _task(self, game: Game, client: str) -> asyncio.Task[object]:
        if game not in self._tasks:
            self._tasks[game] = asyncio.create_task(self._lane.do(client, searching, game))
        return self._tasks[game]
