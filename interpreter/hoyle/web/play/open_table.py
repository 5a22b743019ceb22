"""A table in memory, with its bots and its visitors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

from msgspec import Struct

from hoyle.web.play.bot_runner import BotRunner
from hoyle.web.play.tables import Table


class Visitor(Protocol):
    """A browser window that shows a table."""

    def show_change(self) -> None:
        """Show the table as it is now."""

    def refuse(self, key: str) -> None:
        """Tell that something failed. `key` is that of a TableError."""


class NewTable(Struct, frozen=True):
    """A table that was just created, with the token of each person's seat."""

    id: str
    tokens: Mapping[str, str]


class OpenTable(Struct, eq=False):
    """A table in memory. `client`: the last visitor, for whose account the bots think. `used`: time of the last visit."""

    table: Table
    bots: BotRunner
    client: str = ""
    visitors: dict[int, Visitor] = {}
    is_thinking: bool = False
    is_preparing: bool = False
    used: float = 0.0
    next_table: asyncio.Task[NewTable] | None = None
    """The creation of the table where the same people play again."""
    create_next: Callable[[], Coroutine[Any, Any, NewTable]] | None = None
    """Creates that table for a temporary one; None: the store knows how."""

    @property
    def is_temporary(self) -> bool:
        """Return whether the table is in no store."""
        return self.create_next is not None

    @property
    def has_next(self) -> bool:
        return self.next_table is not None and self.next_table.done() and self.next_table.exception() is None
