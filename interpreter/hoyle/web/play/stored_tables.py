"""Tables as they are stored, and a store in memory. `store` has the one in a file."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct, to_builtins

OperationKind = Literal["move", "pass", "undo", "call"]


class WriteFailed(Exception):
    """The file could not be written, for example because the disk is full. Nothing was written."""


class Operation(Struct, frozen=True):
    """One change of a table.

    kind    `move`: the seat moved; `pass`: the table moved for a person whom the rules do not ask;
            `undo`: the seat took its last move back; `call`: the seat went back to where it was passed over
    move    the id of the move; for `undo` and `call`: how many moves remain, as text
    """

    kind: OperationKind
    seat: str
    move: str


class StoredGame(Struct, frozen=True):
    """A table as it was created. `kinds`: the kind of player by seat; `seeded`: whether a person chose the seed."""

    id: str
    game: str
    options: Mapping[str, Any]
    digest: str
    seed: int
    kinds: Mapping[str, str]
    seeded: bool = False


class TableStore(Protocol):
    """Storage of tables: their settings, seats, links and operations. Each operation is written before it is answered."""

    def close(self) -> None: ...

    def sync(self) -> None:
        """Flush writes to the disk. Raises OSError."""

    def add_game(self, game: StoredGame, tokens: Mapping[str, str]) -> None:
        """Write a new table with the token of each person's seat. Raises WriteFailed."""

    def find_seat(self, token: str) -> tuple[str, str | None] | None:
        """Return the table and the seat of a token; seat None is a spectator's. Return None for an unknown token."""

    def count_links(self, ident: str) -> int:
        """Return how many tokens were added to a table after its creation."""

    def add_link(self, ident: str, seat: str | None) -> str:
        """Add a token of a seat, or of a spectator if None. Earlier tokens stay valid. Raises WriteFailed."""

    def load_game(self, ident: str) -> StoredGame:
        """Raises KeyError."""

    def load_operations(self, ident: str) -> Sequence[Operation]:
        """Return all operations of a table in order."""

    def add_operation(self, ident: str, number: int, operation: Operation) -> None:
        """Write an operation under its number. Raises WriteFailed."""


def new_token() -> str:
    """Return 256 random bits as text."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class _StoredTable(Struct):
    """A table in memory. `seats` and `links`: the seat of each token, None for a spectator."""

    game: StoredGame
    seats: dict[str, str | None]
    links: dict[str, str | None]
    operations: list[Operation]


class MemoryStore:
    """Tables in memory. `save` is called with the id and the contents of each table that changes.

    Tokens are not hashed: the contents stay with the person who may sit everywhere.
    """

    def __init__(self, save: Callable[[str, dict[str, Any]], None] | None = None) -> None:
        self._tables: dict[str, _StoredTable] = {}
        self._save = save

    def restore(self, contents: Mapping[str, Any]) -> None:
        """Add a table from what `save` was given."""
        game = StoredGame(**contents["game"])
        operations = [Operation(**operation) for operation in contents["operations"]]
        self._tables[game.id] = _StoredTable(game, dict(contents["seats"]), dict(contents["links"]), operations)

    def forget(self, ident: str) -> None:
        self._tables.pop(ident, None)

    def close(self) -> None:
        self._tables.clear()

    def sync(self) -> None:
        return

    def add_game(self, game: StoredGame, tokens: Mapping[str, str]) -> None:
        self._tables[game.id] = _StoredTable(game, {token: seat for seat, token in tokens.items()}, {}, [])
        self._changed(game.id)

    def find_seat(self, token: str) -> tuple[str, str | None] | None:
        for ident, table in self._tables.items():
            for tokens in (table.seats, table.links):
                if token in tokens:
                    return ident, tokens[token]
        return None

    def count_links(self, ident: str) -> int:
        return len(self._tables[ident].links)

    def add_link(self, ident: str, seat: str | None) -> str:
        token = new_token()
        self._tables[ident].links[token] = seat
        self._changed(ident)
        return token

    def load_game(self, ident: str) -> StoredGame:
        return self._tables[ident].game

    def load_operations(self, ident: str) -> Sequence[Operation]:
        return list(self._tables[ident].operations)

    def add_operation(self, ident: str, number: int, operation: Operation) -> None:
        operations = self._tables[ident].operations
        if number != len(operations):
            raise WriteFailed(f"operation {number} follows {len(operations)}")
        operations.append(operation)
        self._changed(ident)

    def _changed(self, ident: str) -> None:
        if self._save is not None:
            self._save(ident, to_builtins(self._tables[ident]))
