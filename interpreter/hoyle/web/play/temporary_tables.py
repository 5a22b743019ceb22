"""Tables that are in memory only: never stored, a few for each client, dropped when nobody visits them."""

from __future__ import annotations

import time
from collections.abc import Mapping

from msgspec import Struct

from hoyle.web.play.open_table import OpenTable
from hoyle.web.play.stored_tables import Operation, new_token
from hoyle.web.play.tables import TableError

MOST_EACH, MOST, MOST_LINKS = 4, 400, 50
"""Limits: tables of one client, all tables, and further links of one table."""
IDLE_SECONDS = 1800.0


class _Entry(Struct):
    """A table and its access tokens.

    creator  the client that created the table
    links    the seat of each token that was issued later; None for spectators
    """

    at: OpenTable
    creator: str
    tokens: Mapping[str, str]
    """The seat of each token that the creator was given."""
    links: dict[str, str | None] = {}


class TemporaryTables:
    """Belongs to the thread of the event loop."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def __contains__(self, ident: object) -> bool:
        return ident in self._entries

    def add(self, at: OpenTable, tokens: Mapping[str, str], creator: str) -> None:
        """Add a table with the token of each person's seat. Beyond the limits the oldest are dropped, unvisited ones first."""
        self._drop_idle()
        self._entries[at.table.id] = _Entry(at, creator, {token: seat for seat, token in tokens.items()})
        for some, most in (
            ([i for i, e in self._entries.items() if e.creator == creator], MOST_EACH),
            (self._entries, MOST),
        ):
            earlier = [ident for ident in some if ident != at.table.id]
            earlier.sort(key=lambda ident: bool(self._entries[ident].at.visitors))
            for ident in earlier[: max(0, len(earlier) + 1 - most)]:
                del self._entries[ident]

    def find_seat(self, token: str) -> tuple[OpenTable, str | None] | None:
        """Return the table and the seat of a token; seat None is a spectator's. Return None for an unknown token."""
        self._drop_idle()
        for entry in self._entries.values():
            seats: dict[str, str | None] = {**entry.tokens, **entry.links}
            if token in seats:
                entry.at.used = time.monotonic()
                return entry.at, seats[token]
        return None

    def find_created(self, token: str) -> OpenTable | None:
        """Return the table whose creator was given this token."""
        found = self.find_seat(token)
        return found[0] if found is not None and token in self._entries[found[0].table.id].tokens else None

    def add_link(self, ident: str, seat: str | None) -> str:
        """Return a further token of a seat, or of a spectator if None. Raises TableError."""
        links = self._entries[ident].links
        if len(links) >= MOST_LINKS:
            raise TableError("links")
        token = new_token()
        links[token] = seat
        return token

    def _drop_idle(self) -> None:
        before = time.monotonic() - IDLE_SECONDS
        idle = [ident for ident, entry in self._entries.items() if not entry.at.visitors and entry.at.used < before]
        for ident in idle:
            del self._entries[ident]


def write_nothing(number: int, operation: Operation) -> None:
    """Store nothing: a temporary table is in memory only."""
