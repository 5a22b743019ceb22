"""Records that visitors opened: verified once, then cached as events, random draws and a few snapshots of the state."""

from __future__ import annotations

import secrets
import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Source
from hoyle.game.events import list_told_events as told_of
from hoyle.game.game import Game, State
from hoyle.game.records.records import read_header, replay
from hoyle.game.records.tape import RepeatedChance
from hoyle.game.views.view import make_open_view
from hoyle.resources import shipped
from hoyle.running.state import Core, Event
from hoyle.web import display
from hoyle.web.display import DisplaySettings
from hoyle.web.play.tables import TableError
from hoyle.web.protocol import describe_events, describe_view
from hoyle.web.shelf import OwnRulesets

MOST_RECORDS, MOST_BYTES, MOST_OPTIONS = 50, 17_000_000, 200
"""Limits: cached records, the total size of their texts, and options in one record."""
MOST_SNAPSHOTS = 64
"""Snapshots of one record. States between them are replayed."""
Pause = Callable[[], None]
"""Called between two steps of long work."""


def do_nothing() -> None:
    return


class CachedRecord(Struct, frozen=True):
    """A verified record.

    ends       how many events there are after each number of moves; the next event is the next move
    snapshots  the states, without events, after every `spacing` moves
    """

    id: str
    size: int
    game: Game
    log: Sequence[Event]
    ends: Sequence[int]
    is_over: bool
    spacing: int
    snapshots: Sequence[Core]

    def restore_state(self, move_count: int) -> State:
        """Return the state after so many moves."""
        core = self.snapshots[move_count // self.spacing].copy()
        for n in range(move_count - move_count % self.spacing, move_count):
            self.game.machine.play(core, self.log[self.ends[n]][3])
        core.log = list(self.log[: self.ends[move_count]])
        return State(self.game, core)


class RecordCache:
    """The oldest records are dropped if there are too many. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, CachedRecord] = {}

    def open(self, data: bytes, own: OwnRulesets | None = None, pause: Pause = do_nothing) -> CachedRecord:
        """Verify a record of a game on the shelf, and cache it. Raises Refused, TableError."""
        try:
            source = Source("record.jsonl", data.decode("utf-8-sig").replace("\r\n", "\n"))
        except UnicodeDecodeError:
            raise TableError("record") from None
        header = read_header(source)
        if len(header.get("options") or ()) > MOST_OPTIONS:
            raise TableError("record")
        name = str(header["game"])
        ruleset = next((r.path for r in (own or {}).values() if r.recorded == PurePath(name).stem), shipped().get(name))
        if ruleset is None:  # a record may name any file of this machine: it must not be opened
            raise TableError("other_game")
        spacing = 1 + source.text.count("\n") // MOST_SNAPSHOTS
        ends, snapshots = array("I"), list[Core]()

        def watch(state: State) -> None:
            if len(ends) % spacing == 0:
                snapshots.append(_copy_without_events(state.core))
            ends.append(len(state.core.log or ()))
            pause()

        last = replay(source, None, ruleset, watch=watch).state
        log, ident = tuple(last.core.log or ()), secrets.token_urlsafe(16)
        record = CachedRecord(ident, len(source.text), last.game, log, ends, last.is_over, spacing, snapshots)
        with self._lock:
            cached = self._records
            while cached and (
                len(cached) >= MOST_RECORDS or sum(r.size for r in cached.values()) > MOST_BYTES - record.size
            ):
                cached.pop(next(iter(cached)))
            cached[ident] = record
        return record

    def describe_step(self, ident: str, move_count: int, settings: DisplaySettings) -> dict[str, Any] | None:
        """Describe the table after so many moves and the last move's events. All hands are open if the game is over.

        Return None if there is no such record or step.
        """
        record = self._records.get(ident)
        if record is None or not 0 <= move_count < len(record.ends):
            return None
        state = record.restore_state(move_count)
        told = record.ends[move_count - 1] if move_count else 0
        view = make_open_view(state.game.compiled, state.core) if record.is_over else state.view(None)
        return {
            "step": move_count,
            **describe_view(state, view, settings),
            "place": display.describe_decision(state, settings.lang),
            "news": describe_events(state, None, settings.lang, told),
            "result": display.describe_result(state, settings.lang) if state.is_over else [],
        }

    def describe_log(self, ident: str, lang: str, pause: Pause = do_nothing) -> list[list[str]] | None:
        """Return the events before the first move and those of each move, in words; None if there is no such record."""
        record = self._records.get(ident)
        if record is None:
            return None
        core = record.snapshots[0].copy()
        core.log, texts = list(record.log), [""] * len(record.log)
        for number, event in told_of(record.game.compiled, core, 0):
            texts[number] = event.text(lang, None)
            pause()
        return [[text for text in texts[begin:end] if text] for begin, end in pairwise([0, *record.ends])]


def _copy_without_events(core: Core) -> Core:
    log, core.log = core.log, None
    copy = core.copy()
    core.log = log
    copy.chance = RepeatedChance(core.chance.draws, len(core.chance.draws))  # type: ignore[attr-defined, assignment]
    return copy
