"""SQLite storage of tables: their settings, seats, links and operations. Each operation is written before it is answered.

Tokens are stored as hashes only, so that nobody can make a link from the file.
"""

from __future__ import annotations

import hmac
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hoyle.web.play.stored_tables import Operation, StoredGame, WriteFailed, hash_token, new_token

FORMAT = 1
LOCK_SECONDS = 2.0
"""How long opening waits for another server to release the file."""
_SCHEMA = f"""
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
_GAME = "SELECT game, options, digest, seed, id IN (SELECT game FROM chosen_seeds) FROM games WHERE id = ?"


class StoreInUse(Exception):
    """Another server has the file open."""


class UnknownFormat(Exception):
    """The file is no store, or one of another version."""


class Store:
    """An open file of tables. One process holds it exclusively. The write-ahead log keeps it consistent after a crash.

    All methods are thread-safe.
    """

    def __init__(self, path: Path | str) -> None:
        """Raises StoreInUse, UnknownFormat, sqlite3.Error, OSError."""
        self._lock, self._log = threading.Lock(), Path(f"{path}-wal")
        self._db = sqlite3.connect(path, LOCK_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._set_up()
        except sqlite3.OperationalError as error:
            self._db.close()
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StoreInUse from None
            raise
        except BaseException:
            self._db.close()
            raise

    def _set_up(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version not in (0, FORMAT) or (tables and not version):
            raise UnknownFormat
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # held until the connection ends, even by a crash
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.executescript(_SCHEMA)
        self._db.executescript("BEGIN EXCLUSIVE; COMMIT")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def sync(self) -> None:
        """Flush the log to the disk, so that writes outlive a loss of power. Takes milliseconds. Raises OSError."""
        if not self._log.exists():
            return
        log = os.open(self._log, os.O_RDWR)
        try:
            os.fsync(log)
        finally:
            os.close(log)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run a transaction. Raises WriteFailed."""
        try:
            with self._lock, self._db:
                yield
        except sqlite3.OperationalError as error:
            raise WriteFailed(str(error)) from None

    def add_game(self, game: StoredGame, tokens: Mapping[str, str]) -> None:
        """Write a new table with the token of each person's seat. Raises WriteFailed."""
        row = (game.id, game.game, json.dumps(dict(game.options)), game.digest, game.seed, time.time())
        seats = [
            (game.id, seat, kind, hash_token(tokens[seat]) if seat in tokens else None, place)
            for place, (seat, kind) in enumerate(game.kinds.items())
        ]
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
            self._db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", seats)
            if game.seeded:
                self._db.execute("INSERT INTO chosen_seeds VALUES (?)", (game.id,))

    def find_seat(self, token: str) -> tuple[str, str | None] | None:
        """Return the table and the seat of a token; seat None is a spectator's. Return None for an unknown token."""
        digest = hash_token(token)
        with self._lock:
            row = self._db.execute(_SEAT, (digest, digest)).fetchone()
        if row is None or not hmac.compare_digest(row[2], digest):
            return None
        return row[0], row[1] or None

    def count_links(self, ident: str) -> int:
        """Return how many tokens were added to a table after its creation."""
        with self._lock:
            count: int = self._db.execute("SELECT count(*) FROM links WHERE game = ?", (ident,)).fetchone()[0]
        return count

    def add_link(self, ident: str, seat: str | None) -> str:
        """Add a token of a seat, or of a spectator if None. Earlier tokens stay valid. Raises WriteFailed."""
        token = new_token()
        with self._writing():
            self._db.execute("INSERT INTO links VALUES (?, ?, ?)", (hash_token(token), ident, seat or ""))
        return token

    def load_game(self, ident: str) -> StoredGame:
        """Raises KeyError."""
        with self._lock:
            row = self._db.execute(_GAME, (ident,)).fetchone()
            seats = self._db.execute("SELECT seat, kind FROM seats WHERE game = ? ORDER BY place", (ident,)).fetchall()
        if row is None:
            raise KeyError(ident)
        return StoredGame(ident, row[0], json.loads(row[1]), row[2], row[3], dict(seats), bool(row[4]))

    def load_operations(self, ident: str) -> Sequence[Operation]:
        """Return all operations of a table in order."""
        with self._lock:
            rows = self._db.execute("SELECT deed, seat, move FROM deeds WHERE game = ? ORDER BY number", (ident,))
            return [Operation(*row) for row in rows]

    def add_operation(self, ident: str, number: int, operation: Operation) -> None:
        """Write an operation under its number. It is in the file when this returns. Raises WriteFailed."""
        row = (ident, number, operation.kind, operation.seat, operation.move)
        with self._writing():
            self._db.execute("INSERT INTO deeds VALUES (?, ?, ?, ?, ?)", row)
