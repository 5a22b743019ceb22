"""Records that somebody has opened to look at: verified once, then kept for a while as events, chance and a few snapshots."""

from __future__ import annotations

import secrets
import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Source
from hoyle.game.events import told as told_of
from hoyle.game.game import Game, State
from hoyle.game.records.records import read_header, replay
from hoyle.game.records.tape import Repeated
from hoyle.game.views.view import view_of_all
from hoyle.resources import shipped
from hoyle.running.state import Core, Event
from hoyle.web import display
from hoyle.web.display import Taste
from hoyle.web.play.tables import NotNow
from hoyle.web.protocol import news, shown
from hoyle.web.shelf import Owned

MOST, MOST_BYTES, MOST_OPTIONS = 50, 17_000_000, 200
"""Records that are kept, how long their texts may be together, and how many options one may name."""
SNAPSHOTS = 64
"""So many states of a record are kept at most; those between are played from the one before."""
NAME = "record.jsonl"
Pause = Callable[[], None]
"""Called between two steps of long work."""


def no_pause() -> None:
    return


class Shelved(Struct, frozen=True):
    """A record. `ends[n]`: how many events there are after n moves; the next is the move that is made then. `snapshots[i]`: the state without events
    after `i * spacing` moves."""

    id: str
    size: int
    game: Game
    log: Sequence[Event]
    ends: Sequence[int]
    over: bool
    spacing: int
    snapshots: Sequence[Core]

    def state(self, number: int) -> State:
        """The state after so many moves."""
        core = self.snapshots[number // self.spacing].copy()
        for n in range(number - number % self.spacing, number):
            self.game.machine.play(core, self.log[self.ends[n]][3])
        core.log = list(self.log[: self.ends[number]])
        return State(self.game, core)


class Opened:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Shelved] = {}

    def open(self, data: bytes, own: Owned | None = None, pause: Pause = no_pause) -> Shelved:
        """Verifies a record of a game that stands on the shelf. Raises Refused, NotNow."""
        try:
            source = Source(NAME, data.decode("utf-8-sig").replace("\r\n", "\n"))
        except UnicodeDecodeError:
            raise NotNow("record") from None
        header = read_header(source)
        if len(header.get("options") or ()) > MOST_OPTIONS:
            raise NotNow("record")
        named = str(header["game"])
        found = _on_shelf(named, own or {})
        if found is None:  # a record names files, too; those of this machine are nobody's business
            raise NotNow("other_game")
        return self._keep(_shelved(source, found, pause))

    def _keep(self, found: Shelved) -> Shelved:
        with self._lock:
            while len(self._kept) >= MOST or sum(one.size for one in self._kept.values()) > MOST_BYTES - found.size:
                if not self._kept:
                    break
                self._kept.pop(next(iter(self._kept)))
            self._kept[found.id] = found
        return found

    def step(self, ident: str, number: int, taste: Taste) -> dict[str, Any] | None:
        """The table after so many moves, all hands open if the game was played to its end, and what happened with the last of them."""
        found = self._kept.get(ident)
        if found is None or not 0 <= number < len(found.ends):
            return None
        state, over = found.state(number), found.over
        told = found.ends[number - 1] if number else 0
        view = view_of_all(state.game.compiled, state.core) if over else state.view(None)
        return {
            "step": number,
            **shown(state, view, taste),
            "place": display.place(state, taste.lang),
            "news": news(state, None, taste.lang, told),
            "result": display.result(state, taste.lang) if state.is_over else [],
        }

    def log(self, ident: str, lang: str, pause: Pause = no_pause) -> list[list[str]] | None:
        """What happened before the first move, and with each."""
        found = self._kept.get(ident)
        if found is None:
            return None
        core = found.snapshots[0].copy()
        core.log, happened = list(found.log), [""] * len(found.log)
        for number, event in told_of(found.game.compiled, core, 0):
            happened[number] = event.text(lang, None)
            pause()
        return [[text for text in happened[begin:end] if text] for begin, end in pairwise([0, *found.ends])]


def _on_shelf(named: str, own: Owned) -> str | Path | None:
    """The game that a record names."""
    found = next((one.path for one in own.values() if one.recorded == PurePath(named).stem), None)
    return found or shipped().get(named)


def _shelved(source: Source, named: str | Path, pause: Pause) -> Shelved:
    ends, kept = array("I"), Snapshots()

    def watch(state: State) -> None:
        kept.pass_by(len(ends), state.core)
        ends.append(len(state.core.log or ()))
        pause()

    last = replay(source, None, named, watch=watch).state
    log, ident = tuple(last.core.log or ()), secrets.token_urlsafe(16)
    return Shelved(ident, len(source.text), last.game, log, ends, last.is_over, kept.spacing, kept.found)


class Snapshots:
    """Evenly spaced states of a game: where there are too many, every second is dropped."""

    def __init__(self) -> None:
        self.spacing = 1
        self.found: list[Core] = []

    def pass_by(self, number: int, core: Core) -> None:
        """This is the state after so many moves."""
        if number % self.spacing:
            return
        if len(self.found) == SNAPSHOTS:
            self.found, self.spacing = self.found[::2], 2 * self.spacing
        log, core.log = core.log, None
        snapshot = core.copy()
        core.log = log
        snapshot.chance = Repeated(core.chance.draws, len(core.chance.draws))  # type: ignore[attr-defined, assignment]
        self.found.append(snapshot)
