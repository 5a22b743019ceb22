"""Games made ready for players that search, one after another, while people still choose who plays: to build what searches quickly takes seconds."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from hoyle.game.game import Game
from hoyle.players.search import searching
from hoyle.web.lanes import Lane

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
