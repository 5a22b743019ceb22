"""Games made ready for players that search, one after another, while people still choose who plays: to build what searches quickly takes seconds."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

from interpreter.game.game import Game
from interpreter.players.search import searching

MOST = 4
"""So many games wait at most to be made ready only because somebody looked at them."""


class Preparing:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "hoyle-build")
        self._tasks: WeakKeyDictionary[Game, asyncio.Future[object]] = WeakKeyDictionary()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def begin(self, game: Game) -> None:
        """Somebody may play this."""
        if sum(not task.done() for task in self._tasks.values()) < MOST:
            self._task(game)

    def is_done(self, game: Game) -> bool:
        return game in self._tasks and self._tasks[game].done()

    async def done(self, game: Game) -> None:
        """Somebody waits for it."""
        await asyncio.shield(self._task(game))

    def _task(self, game: Game) -> asyncio.Future[object]:
        if game not in self._tasks:
            self._tasks[game] = asyncio.get_running_loop().run_in_executor(self._pool, searching, game)
        return self._tasks[game]
