"""All tables: begun, opened again from the file when somebody comes to them, and let go when nobody has been there for long."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.game import Game, load
from hoyle.players.bots import is_searching
from hoyle.web.play.bot_runner import QUICK, Minds, Preparing
from hoyle.web.play.fair_pool import Lane
from hoyle.web.play.store import Deed, Kept, NotWritten, Store, new_token
from hoyle.web.play.tables import HUMAN, NotNow, Table, Write
from hoyle.web.shelf import Owned, files_of

MOST_GAMES, MOST_OPEN, MOST_LINKS = 64, 2000, 200
"""Games that are kept ready, tables that are kept in memory, and links that are given of one table besides its first."""
THINKING = 3
"""Threads that think for seats without a person."""
PAUSE, LONGEST_PAUSE = 0.002, 0.05
"""Seconds in which long work looks again for shorter work, and after which it goes on all the same."""
GLANCE, SLOW = 0.1, 0.03
"""Seconds between looks at how late the loop is, and from which delay on it has too much to do."""
SETTLED = 1.0
"""Seconds after which what was written is brought to the disk."""


_log = logging.getLogger(__name__)


class NoGame(Exception):
    """There is no game of that name."""


class Guest(Protocol):
    """Somebody who looks on a table from a seat."""

    def changed(self) -> None:
        """Something was done there."""

    def refuse(self, key: str) -> None:
        """Something could not be done: `key` says why, as that of NotNow."""


class Open(Struct, eq=False):
    """A table with those who look on it, and who thinks for the seats without a person. `client`: who sat down there last; thinking is counted as his."""

    table: Table
    minds: Minds
    client: str = ""
    guests: dict[int, Guest] = {}
    thinking: bool = False
    preparing: bool = False
    used: float = 0.0
    again: asyncio.Task[Begun] | None = None

    @property
    def is_again(self) -> bool:
        """Has the same been begun once more?"""
        return self.again is not None and self.again.done() and self.again.exception() is None


class Begun(Struct, frozen=True):
    """A table that has just been begun: the tokens of its people's seats."""

    id: str
    tokens: Mapping[str, str]


class House:
    """Everything that happens at tables happens in one thread, that of the loop; only what takes long does not. There is a lane for each sort of that:
    rules, tables and pages that are read; hints; records that are opened; games that are judged; seats that think."""

    def __init__(self, store: Store, own: Owned | None = None) -> None:
        self.store, self.own = store, own or {}
        self.reading, self.hints, self.opening, self.judging = Lane(), Lane(), Lane(), Lane()
        self._thinking = Lane(THINKING, THINKING - 1)
        self._games: dict[tuple[str, str], Game] = {}
        self._open: dict[str, Open] = {}
        self._opening: dict[str, asyncio.Task[Open]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.preparing = Preparing()
        self._late = 0.0
        self._watching = self._settling = False

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for lane in (self.reading, self.hints, self.opening, self.judging, self._thinking):
            lane.close()
        self.preparing.close()
        self.store.close()

    def make_way(self) -> None:
        """Pause long work while short work is done. Its thread calls this between two steps."""
        until = time.monotonic() + LONGEST_PAUSE
        time.sleep(0)  # lets the loop have the interpreter
        while (self.reading.is_busy or self.hints.is_busy) and time.monotonic() < until:
            time.sleep(PAUSE)

    # ---- games -------------------------------------------------------------------------------------------------------

    async def game(self, name: str, options: Mapping[str, Any], client: str) -> Game:
        """A shipped game, or one of one's own, with these options. Raises Refused, NoGame."""
        if name not in files_of(self.own):
            raise NoGame(name)
        key = name, repr(sorted(options.items()))
        if key not in self._games:
            found = await self.reading.do(client, self._read, key, options)
            while len(self._games) >= MOST_GAMES:
                self._games.pop(next(iter(self._games)))
            self._games.setdefault(key, found)
        return self._games[key]

    def _read(self, key: tuple[str, str], options: Mapping[str, Any]) -> Game:
        """A game that another client may have asked for meanwhile."""
        return self._games.get(key) or load(files_of(self.own)[key[0]], dict(options))

    def is_read(self, name: str, options: Mapping[str, Any]) -> bool:
        """Is this game ready?"""
        return (name, repr(sorted(options.items()))) in self._games

    # ---- tables ------------------------------------------------------------------------------------------------------

    async def begin(
        self, name: str, options: Mapping[str, Any], kinds: Mapping[str, str], seed: int | None, client: str
    ) -> Begun:
        """Raises Refused, NoGame, NotNow."""
        game = await self.game(name, options, client)
        drawn = seed if seed is not None else secrets.randbelow(1 << 53)
        kept = Kept(secrets.token_hex(12), name, game.options, game.digest, drawn, kinds, seed is not None)
        tokens = {seat: new_token() for seat, kind in kinds.items() if kind == HUMAN}
        self._write(self.store.begin, kept, tokens)
        return Begun(kept.id, tokens)

    async def again(self, at: Open) -> Begun:
        """Another game of the same, begun once, for all who ask. Raises Refused, NoGame, NotNow."""
        if at.again is None or (at.again.done() and at.again.exception() is not None):
            kept = self.store.game(at.table.id)
            at.again = asyncio.create_task(self.begin(kept.game, kept.options, kept.kinds, None, at.client))
        return await asyncio.shield(at.again)

    def link(self, ident: str, seat: str | None) -> str:
        """A further link of a seat, or one for somebody who looks on. Raises NotNow."""
        if self.store.links(ident) >= MOST_LINKS:
            raise NotNow("links")
        token: str = self._write(self.store.link, ident, seat)
        return token

    async def sit(self, token: str, client: str) -> tuple[Open, str | None]:
        """The table and the seat of a token; no seat: who has it looks on. Raises NotNow."""
        found = self.store.seat_of(token)
        if found is None:
            raise NotNow("link")
        return await self.at(found[0], client), found[1]

    async def at(self, ident: str, client: str) -> Open:
        """A table, opened once however many come at the same time. Raises NotNow."""
        if ident not in self._open:
            if ident not in self._opening:
                self._opening[ident] = asyncio.create_task(self._opened(ident, client))
            try:
                found = await asyncio.shield(self._opening[ident])
            finally:
                self._opening.pop(ident, None)
            self._open.setdefault(ident, found)
            self._make_room()
        found = self._open[ident]
        found.used, found.client = time.monotonic(), client
        return found

    async def _opened(self, ident: str, client: str) -> Open:
        kept, deeds = self.store.game(ident), self.store.deeds(ident)
        try:
            game = await self.game(kept.game, kept.options, client)
            if game.digest != kept.digest:
                raise NotNow("rules")
            table = await self.reading.do(client, _table, game, kept, deeds)
        except NoGame:
            raise NotNow("away") from None
        except Refused:
            raise NotNow("rules") from None
        return Open(table, Minds(table.begun, table.kinds, table.seed))

    def _make_room(self) -> None:
        """Those where nobody is may go: the file has them."""
        empty = [(one.used, ident) for ident, one in self._open.items() if not one.guests and not one.thinking]
        for _, ident in sorted(empty)[: max(0, len(self._open) - MOST_OPEN)]:
            del self._open[ident]

    # ---- what is done ------------------------------------------------------------------------------------------------

    def move(self, at: Open, seat: str, number: int, ident: str) -> bool:
        """Raises NotNow."""
        return self._done(at, at.table.move, seat, number, ident)

    def undo(self, at: Open, seat: str, number: int) -> bool:
        """Raises NotNow."""
        return self._done(at, at.table.undo, seat, number)

    def call(self, at: Open, seat: str, number: int, made: int) -> bool:
        """Raises NotNow."""
        return self._done(at, at.table.call, seat, number, made)

    def _done(self, at: Open, do: Callable[..., bool], *given: Any) -> bool:
        is_new = do(*given, self._adding(at))
        if is_new:
            try:
                at.table.pass_over(self._adding(at))
            finally:
                self.tell(at)
            self.wake(at)
        return is_new

    def _adding(self, at: Open) -> Write:
        return partial(self._write, self.store.add, at.table.id)

    def _write(self, write: Callable[..., Any], *given: Any) -> Any:
        """Raises NotNow if the file cannot be written."""
        try:
            found = write(*given)
        except NotWritten as error:
            _log.error("the file of games cannot be written: %s", error)
            raise NotNow("disk") from None
        self._settles()
        return found

    def _settles(self) -> None:
        """What was written is soon on the disk."""
        if not self._settling:
            self._settling = True
            self._begin(self._settle())

    async def _settle(self) -> None:
        await asyncio.sleep(SETTLED)
        self._settling = False
        try:
            await asyncio.to_thread(self.store.settle)
        except OSError as error:
            _log.error("the file of games could not be brought to the disk: %s", error)

    def tell(self, at: Open) -> None:
        """What cannot be told to one is told to the others all the same."""
        for guest in list(at.guests.values()):
            try:
                guest.changed()
            except Exception:
                _log.exception("the table could not be shown")
                guest.refuse("error")

    # ---- seats without a person --------------------------------------------------------------------------------------

    def wake(self, at: Open) -> None:
        """Lets the seats move that nobody sits at, and those that are not asked: it may have ended before that. Raises NotNow."""
        if at.table.pass_over(self._adding(at)):
            self.tell(at)
        if at.thinking or at.table.waits_for is None:
            return
        at.thinking = True
        if not self._watching:
            self._watching = True
            self._begin(self._watch())
        self._begin(self._think(at))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that goes on by itself."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, at: Open) -> None:
        try:
            await self._thought(at)
        except Exception as error:
            if not isinstance(error, NotNow):
                _log.exception("a player could not move")
            for guest in at.guests.values():
                guest.refuse(error.key if isinstance(error, NotNow) else "error")
        finally:
            at.thinking = False

    async def _thought(self, at: Open) -> None:
        while (seat := at.table.waits_for) is not None:
            number, moves = at.table.number, [deed.move for deed in at.table.made]
            chosen = await self._chosen(at, seat, moves)
            if number == at.table.number:  # nothing was taken back meanwhile
                at.table.move(seat, number, chosen, self._adding(at))
                at.table.pass_over(self._adding(at))
                self._tell_of(at)
            await asyncio.sleep(0)

    def _tell_of(self, at: Open) -> None:
        """Of a move that no person made: with too much to do only of the last of several, after which somebody is asked."""
        if self._late < SLOW or at.table.waits_for is None:
            self.tell(at)

    async def _watch(self) -> None:
        """How late the loop does what was due."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + GLANCE
            await asyncio.sleep(GLANCE)
            self._late = loop.time() - due

    async def _chosen(self, at: Open, seat: str, moves: list[str]) -> str:
        legal = at.table.state.moves()
        if len(legal) == 1:
            return legal[0].id
        if at.table.kinds[seat] in QUICK:
            return at.minds.choice_of(at.table.state, len(moves))
        if is_searching(at.table.kinds[seat]) and not self.preparing.is_done(at.table.game):
            await self._prepared(at)
        return await self._thinking.do(at.client, at.minds.choice, moves)

    async def _prepared(self, at: Open) -> None:
        """What searches is ready; those who wait for it are told so."""
        at.preparing = True
        self.tell(at)
        try:
            await self.preparing.done(at.table.game, at.client)
        finally:
            at.preparing = False


def _table(game: Game, kept: Kept, deeds: list[Deed]) -> Table:
    return Table(kept.id, game.start(kept.seed), kept.kinds, kept.seed, deeds, kept.seeded)
