"""Bots at a table: which move each makes, and what each seat remembers. Slow: runs in worker threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from hoyle.game.game import Game, State
from hoyle.game.views.redaction import redact
from hoyle.players.bots import Player, create_player, is_searching
from hoyle.players.inference.knowledge import Knowledge, Memory, has_hidden_information
from hoyle.players.search.driver import prepare_search
from hoyle.players.search.win_search import StateKey
from hoyle.running.chance import PLAYER, Chance
from hoyle.web.play.fair_pool import FairPool
from hoyle.web.play.tables import HUMAN, replay_moves

QUICK = ("first", "random")
"""Kinds of bots that need no worker thread."""
MOST_PREPARING = 4
"""How many games may wait for preparation before anybody needs them."""


class BotRunner:
    """The bots and memories of one table. It follows the moves in a state of its own. Thread-safe."""

    def __init__(self, start: State, kinds: Mapping[str, str], seed: int) -> None:
        self._start, self._kinds, self._seed = start, kinds, seed
        self._game: Game = start.game
        self._lock = threading.Lock()
        self._bots: dict[str, Player] = {}
        self._memories: dict[str, Memory] = {}
        self._moves: list[str] = []
        self._state: State | None = None
        self.wins: dict[StateKey, int] = {}
        """Winning choices by state, found by earlier hints."""

    def choose(self, moves: Sequence[str]) -> str:
        """Return the id of the move that the seat to act makes after `moves`.

        Each decision has a random stream of its own, so a reopened game goes on alike.
        """
        with self._lock:
            return self.choose_in(self._follow(moves), len(moves))

    def choose_in(self, state: State, move_count: int) -> str:
        """Return the choice in a given state. Only for bots without memory, unless called by `choose`."""
        seat, core = state.to_act, state.core
        assert seat is not None
        legal, chance = state.moves(), Chance.stream(self._seed, move_count, PLAYER)
        if len(legal) == 1:
            return legal[0].id
        if seat not in self._bots:
            self._bots[seat] = create_player(self._kinds[seat], self._game, memory=self._memories.get(seat))
        return legal[self._bots[seat](redact(self._game.compiled, core, core.actor), chance)].id

    def recall(self, seat: str, moves: Sequence[str]) -> tuple[State, Knowledge | None]:
        """Return the state after `moves`, and what a seat remembers there."""
        with self._lock:
            state = self._follow(moves)
            memory = self._memories.get(seat)
            return State(self._game, state.core.copy()), memory.now if memory is not None else None

    def _follow(self, moves: Sequence[str]) -> State:
        """Bring the state and the memories to where they are after `moves`."""
        if self._state is None or self._moves != list(moves[: len(self._moves)]):
            self._state = self._go_back(moves)
        for ident in moves[len(self._moves) :]:
            before, move = self._state, self._state.find(ident)
            self._state = before.play(move)
            for memory in self._memories.values():
                memory.moved(before.core, move.action, self._state.core)
            self._moves.append(ident)
        return self._state

    def _go_back(self, moves: Sequence[str]) -> State:
        """Forget the moves that are not in `moves` and return the state before them; create the memories at first."""
        pairs = enumerate(zip(self._moves, moves, strict=False))
        common = next((n for n, (old, new) in pairs if old != new), min(len(self._moves), len(moves)))
        if self._state is None:
            game = self._game
            seats = [s for s, kind in self._kinds.items() if kind == HUMAN or is_searching(kind)]
            self._memories = {
                s: Memory(game.compiled, game.seats.index(s)) for s in seats if has_hidden_information(game.compiled)
            }
            for memory in self._memories.values():
                memory.begins(self._start.core)
        for memory in self._memories.values():
            memory.back(len(self._moves) - common)
        self._moves = list(moves[:common])
        return replay_moves(self._start, self._moves)


class BotPreparation:
    """Builds the search engine of games ahead of play, one game after another: each takes seconds."""

    def __init__(self) -> None:
        self._pool = FairPool()
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[object]] = WeakKeyDictionary()

    def close(self) -> None:
        self._pool.close()

    def start(self, game: Game, client: str) -> None:
        """Start to prepare a game that somebody may play, unless too many wait already."""
        if sum(not task.done() for task in self._tasks.values()) < MOST_PREPARING:
            self._start(game, client)

    def is_ready(self, game: Game) -> bool:
        return game in self._tasks and self._tasks[game].done()

    async def wait(self, game: Game, client: str) -> None:
        """Return when the game is prepared."""
        await asyncio.shield(self._start(game, client))

    def _start(self, game: Game, client: str) -> asyncio.Task[object]:
        if game not in self._tasks:
            self._tasks[game] = asyncio.create_task(self._prepare(game, client))
        return self._tasks[game]

    async def _prepare(self, game: Game, client: str) -> object:
        return await self._pool.run(client, prepare_search, game)
