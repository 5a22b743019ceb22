"""What a user gives to be looked at: positions and records, from a file or standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli.catalogue import system_words, t
from hoyle.cli.output import Trouble

if TYPE_CHECKING:
    from hoyle.diagnostics import Source
    from hoyle.game.game import State
    from hoyle.game.records.records import Replayed
    from hoyle.players.inference.knowledge import Moved
    from hoyle.reading.tree import Node
    from hoyle.running.chance import Chance

LONGEST_RECORD = 50_000_000
STDIN = "<stdin>"
"""What standard input is called where a file would be named."""


def position_tree(name: str) -> Node:
    """A position with the places of its parts; whatever is wrong with the file is a `Refused`."""
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(name))


def is_record(name: str) -> bool:
    """Is this a file that is called like a record, or begins like one?"""
    from hoyle.game.records.tape import LONGEST_LINE

    if name.endswith(".jsonl"):
        return True
    try:
        with open(name, "rb") as file:
            found = json.loads(file.readline(LONGEST_LINE))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "record" in found


def record_source(name: str) -> Source:
    """The text of a record, which may be longer than a ruleset; its rest is only read if it begins like one. Raises Refused."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            return _record(STDIN if name == "-" else name, file)
    except (OSError, ValueError) as error:
        raise Trouble(t("file.not_read", name=name, why=system_words(error))) from None


def _record(name: str, file: IO[bytes]) -> Source:
    from hoyle.game.records.records import read_header
    from hoyle.game.records.tape import LONGEST_LINE

    data = file.readline(LONGEST_LINE + 1)
    read_header(_text(name, data))
    data += file.read(LONGEST_RECORD)
    if len(data) > LONGEST_RECORD:
        raise Trouble(t("file.too_large", name=name))
    return _text(name, data)


def _text(name: str, data: bytes) -> Source:
    from hoyle.diagnostics import Source

    try:
        return Source(name, data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise Trouble(t("file.not_text", name=name)) from None


class Resumed(Struct, frozen=True):
    """A game that goes on: where it stands, who played, the chance of its bots, and its moves with the states before and after each."""

    header: dict[str, Any]
    state: State
    bots: Chance
    past: Sequence[Moved]

    @property
    def seed(self) -> int | None:
        found: int | None = self.header.get("seed")
        return found

    @property
    def seats(self) -> str | None:
        """Who played, as `--seats` has it."""
        found = self.header.get("seats")
        return ",".join(found.get(seat, "") for seat in self.state.game.seats) if found else None


def resumed(name: str, game: str) -> Resumed:
    """A record of this game, which is to go on: verified, and with chance as it would have been.

    A verified state has used up the chance of its record. If the seed gives the same game, it says what follows.
    """
    from hoyle.game.game import State
    from hoyle.game.records.records import replay
    from hoyle.running.chance import PLAYER, Chance

    past: list[Moved] = []

    def visit(before: State, after: State) -> None:
        past.append((before.core, (after.core.log or ())[len(before.core.log or ())][3], after.core))

    found = replay(record_source(name), game=game, visit=visit)
    seed, index = found.header.get("seed"), found.header.get("index") or 0
    events = len(found.state.core.log or ())
    bots = Chance.stream(seed or 0, 0, PLAYER)
    live = _played_again(found, seed, index, bots) if seed is not None else None
    if live is not None:
        return Resumed(found.header, live, bots, past)
    core = found.state.core.copy()
    core.chance = Chance.stream(0, events)
    return Resumed(found.header, State(found.state.game, core), Chance.stream(0, events, PLAYER), past)


def _played_again(found: Replayed, seed: int, index: int, bots: Chance) -> State | None:
    """The same moves with the chance of this seed; None if that is another game. `bots` draw as they drew then."""
    from hoyle.diagnostics import Refused

    live, kinds = found.state.game.start(seed, index), found.header.get("seats") or {}
    try:
        for event in found.state.events:
            if event.kind == "move":
                if kinds.get(event.seat) != "human" and len(live.core.acts) > 1:
                    bots.below(len(live.core.acts))
                live.play_here(event.data["move"])
    except Refused:
        return None
    return live if live == found.state else None
