"""Records that somebody has opened to look at: verified, and kept for a while."""

from __future__ import annotations

import secrets
import threading
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct

from interpreter.diagnostics import Source
from interpreter.game.game import State
from interpreter.game.records import read_header, replay
from interpreter.game.view import view_of_all
from interpreter.resources import shipped
from interpreter.web import speech
from interpreter.web.own import Owned
from interpreter.web.protocol import news, shown
from interpreter.web.tables import NotNow
from interpreter.web.taste import Taste

MOST = 50
"""Records that are kept."""
NAME = "record.jsonl"


class Shelved(Struct, frozen=True):
    """A record with the states from its start to its end."""

    id: str
    states: list[State]


class Opened:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Shelved] = {}

    def open(self, data: bytes, own: Owned | None = None) -> Shelved:
        """Verifies a record of a game that stands on the shelf. Raises Refused, NotNow."""
        try:
            source = Source(NAME, data.decode("utf-8-sig").replace("\r\n", "\n"))
        except UnicodeDecodeError:
            raise NotNow("record") from None
        named = str(read_header(source)["game"])
        found = _on_shelf(named, own or {})
        if found is None:  # a record names files, too; those of this machine are nobody's business
            raise NotNow("other_game")
        return self._keep(Shelved(secrets.token_urlsafe(16), _states(source, found)))

    def _keep(self, found: Shelved) -> Shelved:
        with self._lock:
            while len(self._kept) >= MOST:
                self._kept.pop(next(iter(self._kept)))
            self._kept[found.id] = found
        return found

    def step(self, ident: str, number: int, taste: Taste) -> dict[str, Any] | None:
        """The table after so many moves, all hands open if the game was played to its end, and what happened with the last of them."""
        found = self._kept.get(ident)
        if found is None or not 0 <= number < len(found.states):
            return None
        state, over = found.states[number], found.states[-1].is_over
        told = len(found.states[number - 1].core.log or ()) if number else 0
        view = view_of_all(state.game.compiled, state.core) if over else state.view(None)
        return {
            "step": number,
            **shown(state, view, taste),
            "place": speech.place(state, taste.lang),
            "news": news(state, None, taste.lang, told),
            "result": speech.result(state, taste.lang) if state.is_over else [],
        }

    def log(self, ident: str, lang: str) -> list[list[str]] | None:
        """What happened before the first move, and with each."""
        found = self._kept.get(ident)
        if found is None:
            return None
        happened = [item["text"] if item else "" for item in news(found.states[-1], None, lang, 0)["items"]]
        ends = [len(state.core.log or ()) for state in found.states]
        return [[text for text in happened[begin:end] if text] for begin, end in pairwise([0, *ends])]


def _on_shelf(named: str, own: Owned) -> str | Path | None:
    """The game that a record names."""
    found = next((one.path for one in own.values() if one.recorded == PurePath(named).stem), None)
    return found or shipped().get(named)


def _states(source: Source, named: str | Path) -> list[State]:
    states: list[State] = []

    def visit(before: State, after: State) -> None:
        states.append(before)

    last = replay(source, None, named, visit)
    return [*states, last.state]
