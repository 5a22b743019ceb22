"""All tables of a server: created, loaded when somebody comes, and unloaded when nobody has been there for long.

The thread of the event loop does everything that is quick. Slow work runs in pools of worker threads.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeVar

from hoyle.diagnostics import Refused
from hoyle.game.game import Game, load
from hoyle.players.bots import is_searching
from hoyle.web.play.bot_runner import QUICK, BotPreparation, BotRunner
from hoyle.web.play.fair_pool import FairPool, Pacer
from hoyle.web.play.open_table import NewTable, OpenTable
from hoyle.web.play.stored_tables import StoredGame, TableStore, WriteFailed, new_token
from hoyle.web.play.tables import HUMAN, Table, TableError, Write
from hoyle.web.play.temporary_tables import TemporaryTables, write_nothing
from hoyle.web.shelf import OwnRulesets, list_files

MOST_GAMES, MOST_OPEN, MOST_LINKS = 64, 2000, 200
"""Limits: games and tables kept in memory, and further links of one table."""
BOT_THREADS = 3
LONGEST_WORK, LONGEST_THOUGHT = 15.0, 60.0
"""Seconds, at a temporary table: for an operation or a request, and for the choice of a bot or an analysis."""
PAUSE, LONGEST_PAUSE = 0.002, 0.05
"""Seconds: how often paused work looks for shorter work, and how long it waits at most."""
WATCH_SECONDS, SLOW = 0.1, 0.03
"""Seconds: between measurements of the loop's delay, and the delay from which the loop counts as overloaded."""
SYNC_SECONDS = 1.0
"""Seconds after which writes are flushed to the disk."""
Result = TypeVar("Result")
_log = logging.getLogger(__name__)


class UnknownGame(Exception):
    """No game has this name."""


class TableManager:
    """The tables, with a pool of threads for each kind of slow work. Its methods belong to the thread of the loop."""

    def __init__(self, store: TableStore, own: OwnRulesets | None = None) -> None:
        self.store, self.own = store, own or {}
        self.reading = FairPool(pacer=Pacer())
        self.hints, self.records, self.analyses = FairPool(), FairPool(), FairPool()
        self._thinking = FairPool(BOT_THREADS, BOT_THREADS - 1)
        self._operations = FairPool()
        self._games: dict[tuple[str, str], Game] = {}
        self._open: dict[str, OpenTable] = {}
        self._loading: dict[str, asyncio.Task[OpenTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.preparation = BotPreparation()
        self.temporary = TemporaryTables()
        self._delay = 0.0
        self._is_watching = self._is_sync_due = False

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for pool in (self.reading, self.hints, self.records, self.analyses, self._thinking, self._operations):
            pool.close()
        self.preparation.close()
        self.store.close()

    def pause_for_short_work(self) -> None:
        """Wait while short work is done. Worker threads call this between two steps of long work."""
        until = time.monotonic() + LONGEST_PAUSE
        time.sleep(0)  # lets the loop's thread take the interpreter lock
        while (self.reading.is_busy or self.hints.is_busy) and time.monotonic() < until:
            time.sleep(PAUSE)

    # ---- games -------------------------------------------------------------------------------------------------------

    async def load_game(self, name: str, options: Mapping[str, Any], client: str) -> Game:
        """Return a game of the shelf with options. Raises Refused, UnknownGame."""
        files = list_files(self.own)
        if name not in files:
            raise UnknownGame(name)
        key = name, repr(sorted(options.items()))
        if key not in self._games:
            game = await self.reading.run(client, lambda: self._games.get(key) or load(files[name], dict(options)))
            while len(self._games) >= MOST_GAMES:
                self._games.pop(next(iter(self._games)))
            self._games.setdefault(key, game)
        return self._games[key]

    def is_loaded(self, name: str, options: Mapping[str, Any]) -> bool:
        return (name, repr(sorted(options.items()))) in self._games

    # ---- tables ------------------------------------------------------------------------------------------------------

    async def create_table(
        self, name: str, options: Mapping[str, Any], kinds: Mapping[str, str], seed: int | None, client: str
    ) -> NewTable:
        """`seed` None: choose one. Raises Refused, UnknownGame, TableError."""
        game = await self.load_game(name, options, client)
        number = seed if seed is not None else secrets.randbelow(1 << 53)
        stored = StoredGame(secrets.token_hex(12), name, game.options, game.digest, number, kinds, seed is not None)
        tokens = {seat: new_token() for seat, kind in kinds.items() if kind == HUMAN}
        self._write(self.store.add_game, stored, tokens)
        return NewTable(stored.id, tokens)

    def add_temporary_table(
        self, table: Table, client: str, create_next: Callable[[], Coroutine[Any, Any, NewTable]]
    ) -> NewTable:
        """Add a table that is never stored. `create_next` creates the one where the same people play again."""
        bots = BotRunner(table.start, table.kinds, table.seed)
        tokens = {seat: new_token() for seat in table.people}
        at = OpenTable(table, bots, client, used=time.monotonic(), create_next=create_next)
        self.temporary.add(at, tokens, client)
        return NewTable(table.id, tokens)

    async def play_again(self, at: OpenTable) -> NewTable:
        """Return the table where the same people play again, created at the first call. Raises as create_table."""
        if at.next_table is None or (at.next_table.done() and at.next_table.exception() is not None):
            at.next_table = asyncio.create_task(at.create_next() if at.create_next else self._copy_table(at))
        return await asyncio.shield(at.next_table)

    def _copy_table(self, at: OpenTable) -> Coroutine[Any, Any, NewTable]:
        stored = self.store.load_game(at.table.id)
        return self.create_table(stored.game, stored.options, stored.kinds, None, at.client)

    def add_link(self, ident: str, seat: str | None) -> str:
        """Return a further token of a seat, or of a spectator if None. Raises TableError."""
        if ident in self.temporary:
            return self.temporary.add_link(ident, seat)
        if self.store.count_links(ident) >= MOST_LINKS:
            raise TableError("links")
        token: str = self._write(self.store.add_link, ident, seat)
        return token

    async def find_seat(self, token: str, client: str) -> tuple[OpenTable, str | None]:
        """Return the table and the seat of a token; None for a spectator. Raises TableError."""
        temporary = self.temporary.find_seat(token)
        if temporary is not None:
            temporary[0].client = client
            return temporary
        found = self.store.find_seat(token)
        if found is None:
            raise TableError("link")
        return await self._open_table(found[0], client), found[1]

    async def _open_table(self, ident: str, client: str) -> OpenTable:
        """Return a table, loaded once however many ask at the same time. Raises TableError."""
        if ident not in self._open:
            if ident not in self._loading:
                self._loading[ident] = asyncio.create_task(self._load_table(ident, client))
            try:
                loaded = await asyncio.shield(self._loading[ident])
            finally:
                self._loading.pop(ident, None)
            self._open.setdefault(ident, loaded)
            self._unload_tables()
        table = self._open[ident]
        table.used, table.client = time.monotonic(), client
        return table

    async def _load_table(self, ident: str, client: str) -> OpenTable:
        stored, operations = self.store.load_game(ident), self.store.load_operations(ident)
        try:
            game = await self.load_game(stored.game, stored.options, client)
            if game.digest != stored.digest:
                raise TableError("rules")
            table = await self.reading.run(
                client,
                lambda: Table(stored.id, game.start(stored.seed), stored.kinds, stored.seed, operations, stored.seeded),
            )
        except UnknownGame:
            raise TableError("away") from None
        except Refused:
            raise TableError("rules") from None
        return OpenTable(table, BotRunner(table.start, table.kinds, table.seed))

    def _unload_tables(self) -> None:
        """Unload the tables that were visited least recently if there are too many. The store has them."""
        empty = [(at.used, ident) for ident, at in self._open.items() if not at.visitors and not at.is_thinking]
        for _, ident in sorted(empty)[: max(0, len(self._open) - MOST_OPEN)]:
            del self._open[ident]

    # ---- operations: each returns whether it is new, and raises TableError ---------------------------------------------

    async def move(self, at: OpenTable, seat: str, number: int, ident: str) -> bool:
        return await self._carry_out(at, at.table.move, seat, number, ident)

    async def undo(self, at: OpenTable, seat: str, number: int) -> bool:
        return await self._carry_out(at, at.table.undo, seat, number)

    async def call(self, at: OpenTable, seat: str, number: int, move_count: int) -> bool:
        return await self._carry_out(at, at.table.call, seat, number, move_count)

    async def _carry_out(self, at: OpenTable, operation: Callable[..., bool], *args: Any) -> bool:
        is_new = await self.run_at(at, partial(self._change, at, operation, *args))
        if is_new:
            await self.wake_bots(at)
        return is_new

    def _change(self, at: OpenTable, operation: Callable[..., bool], *args: Any) -> bool:
        is_new = operation(*args, self._make_writer(at))
        if is_new:
            try:
                at.table.pass_unasked(self._make_writer(at))
            finally:
                self.notify(at)
        return is_new

    async def run_at(self, at: OpenTable, work: Callable[[], Result]) -> Result:
        """Do quick work at a table: at once, without a switch to another task.

        The rules of a temporary table may ask for any amount of work, so there it is done in a thread, and not for long.
        """
        return await self.run_in(self._operations, at, at.table.id, work) if at.is_temporary else work()

    async def run_in(
        self, pool: FairPool, at: OpenTable, client: str, work: Callable[[], Result], seconds: float = 0.0
    ) -> Result:
        """Run work in a pool, for a temporary table at most some seconds (0: LONGEST_WORK). Raises TableError if it takes longer."""
        if not at.is_temporary:
            return await pool.run(client, work)
        try:
            return await pool.run_within(seconds or LONGEST_WORK, client, work)
        except TimeoutError:
            raise TableError("heavy") from None

    def _make_writer(self, at: OpenTable) -> Write:
        if at.is_temporary:
            return write_nothing
        return partial(self._write, self.store.add_operation, at.table.id)

    def _write(self, write: Callable[..., Any], *args: Any) -> Any:
        """Write to the store, and flush soon. Raises TableError."""
        try:
            result = write(*args)
        except WriteFailed as error:
            _log.error("the file of games cannot be written: %s", error)
            raise TableError("disk") from None
        if not self._is_sync_due:
            self._is_sync_due = True
            self._run_in_background(self._sync())
        return result

    async def _sync(self) -> None:
        await asyncio.sleep(SYNC_SECONDS)
        self._is_sync_due = False
        try:
            await asyncio.to_thread(self.store.sync)
        except OSError as error:
            _log.error("the file of games could not be brought to the disk: %s", error)

    def notify(self, at: OpenTable) -> None:
        """Show a change to all visitors. An error for one of them does not affect the others."""
        for visitor in list(at.visitors.values()):
            try:
                visitor.show_change()
            except Exception:
                _log.exception("the table could not be shown")
                visitor.refuse("error")

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- bots --------------------------------------------------------------------------------------------------------

    async def wake_bots(self, at: OpenTable) -> None:
        """Pass decisions that nobody is asked for, and start the bot that is to move. Raises TableError."""
        await self.run_at(at, partial(self._pass_unasked, at))
        if at.is_thinking or at.table.bot_to_move is None:
            return
        at.is_thinking = True
        if not self._is_watching:
            self._is_watching = True
            self._run_in_background(self._watch_delay())
        self._run_in_background(self._run_bots(at))

    def _pass_unasked(self, at: OpenTable) -> None:
        if at.table.pass_unasked(self._make_writer(at)):
            self.notify(at)

    async def _run_bots(self, at: OpenTable) -> None:
        """Make the moves of bots until a person is to move. Errors are logged and told to the visitors."""
        try:
            while (seat := at.table.bot_to_move) is not None:
                number, moves = at.table.number, [operation.move for operation in at.table.moves]
                chosen = await self._choose(at, seat, moves)
                await self.run_at(at, partial(self._make_bot_move, at, seat, number, chosen))
                await asyncio.sleep(0)
        except Exception as error:
            if not isinstance(error, TableError):
                _log.exception("a player could not move")
            for visitor in at.visitors.values():
                visitor.refuse(error.key if isinstance(error, TableError) else "error")
        finally:
            at.is_thinking = False

    def _make_bot_move(self, at: OpenTable, seat: str, number: int, chosen: str) -> None:
        if number != at.table.number:  # something was taken back meanwhile
            return
        at.table.move(seat, number, chosen, self._make_writer(at))
        at.table.pass_unasked(self._make_writer(at))
        if self._delay < SLOW or at.table.bot_to_move is None:  # overloaded: show the last of several moves
            self.notify(at)

    async def _watch_delay(self) -> None:
        """Measure how late the loop runs what is due."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + WATCH_SECONDS
            await asyncio.sleep(WATCH_SECONDS)
            self._delay = loop.time() - due

    async def _choose(self, at: OpenTable, seat: str, moves: list[str]) -> str:
        legal, kind = await self.run_at(at, at.table.state.moves), at.table.kinds[seat]
        if len(legal) == 1:
            return legal[0].id
        if kind in QUICK:
            return await self.run_at(at, partial(at.bots.choose_in, at.table.state, len(moves)))
        if is_searching(kind) and not self.preparation.is_ready(at.table.game):
            at.is_preparing = True
            await self.run_at(at, partial(self.notify, at))
            try:
                await self.preparation.wait(at.table.game, at.client)
            finally:
                at.is_preparing = False
        return await self.run_in(self._thinking, at, at.client, partial(at.bots.choose, moves), LONGEST_THOUGHT)
