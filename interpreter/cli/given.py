"""What a user gives to be looked at: positions and records, from a file or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.output import Trouble
from interpreter.cli.texts import t

if TYPE_CHECKING:
    from interpreter.diagnostics import Source
    from interpreter.game import State
    from interpreter.records import Replayed
    from interpreter.tree import Node

LONGEST_RECORD = 50_000_000


def position_tree(name: str) -> Node:
    """A position with the places of its parts; whatever is wrong with the file is a `Refused`."""
    from interpreter.yaml_tree import load, read

    return load(read(name))


def record_source(name: str) -> Source:
    """The text of a record, which may be longer than a ruleset."""
    from interpreter.diagnostics import Source

    try:
        data = sys.stdin.buffer.read(LONGEST_RECORD + 1) if name == "-" else _bytes(Path(name))
    except (OSError, ValueError) as error:
        raise Trouble(t("file.not_read", name=name, why=getattr(error, "strerror", None) or error)) from None
    if len(data) > LONGEST_RECORD:
        raise Trouble(t("file.too_large", name=name))
    try:
        return Source("<stdin>" if name == "-" else name, data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise Trouble(t("file.not_text", name=name)) from None


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LONGEST_RECORD + 1)


def resumed(name: str) -> Replayed:
    """A record of a game that is to go on: verified, and with chance as it would have been."""
    from interpreter.records import replay

    found = replay(record_source(name))
    found.state = _with_chance(found.state, found.header)
    return found


def _with_chance(state: State, header: dict[str, object]) -> State:
    """A verified state has used up the chance of its record. If a seed tells what would follow, that follows."""
    from interpreter.game import State
    from interpreter.run.chance import Chance

    seed, index = header.get("seed"), header.get("index", 0)
    whole = isinstance(seed, int) and isinstance(index, int)
    live = _played_again(state, int(str(seed)), int(str(index))) if whole else None
    core = state.core.copy()
    core.chance = live.core.chance if live is not None else Chance.stream(0, len(core.log or ()))
    return State(state.game, core)


def _played_again(state: State, seed: int, index: int) -> State | None:
    """The same moves with the chance of this seed; None if that is another game."""
    from interpreter.diagnostics import Refused

    live = state.game.start(seed, index)
    try:
        for event in state.events:
            if event.kind == "move":
                live.play_here(event.data["move"])
    except Refused:
        return None
    return live if live == state else None
