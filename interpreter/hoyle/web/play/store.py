"""Games in a file: what they are, who sits where, and everything that was done, each deed written before it is answered.

A seat's link is written nowhere: the file has only what its token comes to, by which it is found again and from which nobody can make it."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

FORMAT = 1
_SHAPE = f"""
CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, digest TEXT NOT NULL, seed INTEGER NOT NULL, begun REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
  game TEXT NOT NULL REFERENCES games, seat TEXT NOT NULL, kind TEXT NOT NULL, token TEXT UNIQUE, place INTEGER NOT NULL,
  PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deeds (
  game TEXT NOT NULL REFERENCES games, number INTEGER NOT NULL, deed TEXT NOT NULL, seat TEXT NOT NULL, move TEXT NOT NULL,
  PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS links (
  token TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES games, seat TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chosen_seeds (
  game TEXT PRIMARY KEY REFERENCES games
) WITHOUT ROWID;
PRAGMA user_version = {FORMAT};
"""
_SEAT = (
    "SELECT game, seat, token FROM seats WHERE token = ? UNION ALL SELECT game, seat, token FROM links WHERE token = ?"
)
WAITING = 2.0
"""Seconds in which another server may still let go of the file."""
_GAME = "SELECT game, options, digest, seed, id IN (SELECT game FROM chosen_seeds) FROM games WHERE id = ?"
Doing = Literal["move", "pass", "undo", "call"]


class InUse(Exception):
    """Another server has the file open."""


class NotWritten(Exception):
    """The file could not be written, as when the disk is full. Nothing was."""


class OtherFormat(Exception):
    """The file is none of these, or of another version."""


class Deed(Struct, frozen=True):
    """What a seat did: a move by its id, or one that was made for it where people are not asked (`pass`); or that it went back to where `move` many
    had been made, to take its own back (`undo`) or to be asked (`call`)."""

    deed: Doing
    seat: str
    move: str


class Kept(Struct, frozen=True):
    """A game as it was begun: the ruleset's name, its options, its digest, the seed, and who plays by seat. `seeded`: was the seed chosen by whoever
    began it?"""

    id: str
    game: str
    options: Mapping[str, Any]
    digest: str
    seed: int
    kinds: Mapping[str, str]
    seeded: bool = False


def new_token() -> str:
    """What nobody guesses: 256 bits."""
    return secrets.token_urlsafe(32)


def mark_of(token: str) -> str:
    """What is written of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    """The file. One process has it open, alone; the write-ahead log leaves it whole whenever that ends. May be used by several threads."""

    def __init__(self, path: Path | str) -> None:
        """Raises InUse, OtherFormat, sqlite3.Error, OSError."""
        self._lock, self._log = threading.Lock(), Path(f"{path}-wal")
        self._db = sqlite3.connect(path, WAITING, isolation_level=None, check_same_thread=False)
        try:
            self._begin()
        except sqlite3.OperationalError as error:
            self._db.close()
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise InUse from None
            raise
        except BaseException:
            self._db.close()
            raise

    def _begin(self) -> None:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if found not in (0, FORMAT) or (tables and not found):
            raise OtherFormat
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # held until the connection ends, however it ends
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.executescript(_SHAPE)
        self._db.executescript("BEGIN EXCLUSIVE; COMMIT")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def settle(self) -> None:
        """What was written is on the disk when this returns: it outlives a loss of power, too. (To wait for that at every write takes some milliseconds,
        in which nobody is answered.) Raises OSError."""
        if not self._log.exists():
            return
        log = os.open(self._log, os.O_RDWR)
        try:
            os.fsync(log)
        finally:
            os.close(log)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raises NotWritten."""
        try:
            with self._lock, self._db:
                yield
        except sqlite3.OperationalError as error:
            raise NotWritten(str(error)) from None

    def begin(self, kept: Kept, tokens: Mapping[str, str]) -> None:
        """A new game; `tokens`: of the seats that people sit at. Raises NotWritten."""
        row = (kept.id, kept.game, json.dumps(dict(kept.options)), kept.digest, kept.seed, time.time())
        seats = [
            (kept.id, seat, kind, mark_of(tokens[seat]) if seat in tokens else None, place)
            for place, (seat, kind) in enumerate(kept.kinds.items())
        ]
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
            self._db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", seats)
            self._db.executemany("INSERT INTO chosen_seeds VALUES (?)", [(kept.id,)] * kept.seeded)

    def seat_of(self, token: str) -> tuple[str, str | None] | None:
        """The game and the seat of a token; no seat: who has it looks on."""
        mark = mark_of(token)
        with self._lock:
            found = self._db.execute(_SEAT, (mark, mark)).fetchone()
        if found is None or not hmac.compare_digest(found[2], mark):
            return None
        return found[0], found[1] or None

    def links(self, ident: str) -> int:
        """How many further tokens there are."""
        with self._lock:
            found: int = self._db.execute("SELECT count(*) FROM links WHERE game = ?", (ident,)).fetchone()[0]
        return found

    def link(self, ident: str, seat: str | None) -> str:
        """A further token of a seat, or of whoever looks on; those that there are stay. Raises NotWritten."""
        token = new_token()
        with self._writing():
            self._db.execute("INSERT INTO links VALUES (?, ?, ?)", (mark_of(token), ident, seat or ""))
        return token

    def game(self, ident: str) -> Kept:
        """Raises KeyError."""
        with self._lock:
            row = self._db.execute(_GAME, (ident,)).fetchone()
            seats = self._db.execute("SELECT seat, kind FROM seats WHERE game = ? ORDER BY place", (ident,)).fetchall()
        if row is None:
            raise KeyError(ident)
        return Kept(ident, row[0], json.loads(row[1]), row[2], row[3], dict(seats), bool(row[4]))

    def deeds(self, ident: str) -> Sequence[Deed]:
        """All that was done in a game, in order."""
        with self._lock:
            rows = self._db.execute("SELECT deed, seat, move FROM deeds WHERE game = ? ORDER BY number", (ident,))
            return [Deed(*row) for row in rows]

    def add(self, ident: str, number: int, deed: Deed) -> None:
        """Writes what is done next; it is in the file when this returns. Raises NotWritten."""
        row = (ident, number, deed.deed, deed.seat, deed.move)
        with self._writing():
            self._db.execute("INSERT INTO deeds VALUES (?, ?, ?, ?, ?)", row)
