"""Files that are written. A regular file is written whole or not at all, and keeps its mode; links are followed; devices and
pipes are written through."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli.output import flush, pour, say
from hoyle.presentation.catalogue import UserError, describe_error, t
from hoyle.presentation.files import close_descriptor, is_stream, replace_file, temporary_path, write_file
from hoyle.private import locked

if TYPE_CHECKING:
    from hoyle.diagnostics import Source
    from hoyle.game.game import State
    from hoyle.game.records.records import Replayed
    from hoyle.players.inference.knowledge import Moved
    from hoyle.reading.tree import Node
    from hoyle.running.chance import Chance


ENDING = ".jsonl"
WIDTH = 120
"""How long lines of comments become."""


def write(name: str, text: str | bytes) -> None:
    """Puts the text in place of what the file says; `-` is standard output. Raises UserError."""
    if name == "-":
        say(text.rstrip("\n")) if isinstance(text, str) else pour(text)
        return
    flush()
    with _telling(name):
        write_file(name, text)


def can_be_written(name: str) -> None:
    """Whoever works for long to fill a file wants to know before. Raises UserError if it cannot be written."""
    if name != "-":
        with _telling(name):
            if not is_stream(name):
                beside = temporary_path(os.path.realpath(name))
                made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                try:
                    os.close(made)
                finally:
                    os.unlink(beside)


def write_new(name: str, text: str) -> None:
    """The same for a file that does not exist yet: what exists is never overwritten. Raises UserError."""
    if name == "-":
        write(name, text)
        return
    with _telling(name):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            replace_file(os.path.realpath(name), text)
        except BaseException:
            os.unlink(name)
            raise


def write_into(folder: str, name: str, text: str) -> str:
    """Writes a file into a folder, which is made if it is not there; the path of the file. Raises UserError."""
    with _telling(folder):
        os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, name)
    write(place, text)
    return place


def make_folder(name: str) -> None:
    """Makes a folder that is not there yet. Raises UserError."""
    with _telling(name):
        os.makedirs(name)


def stem_of(name: str) -> str:
    """The beginning of a file's name for a thing that a ruleset names: its letters and digits, so that it is never a path."""
    return "-".join(re.findall(r"\w+", name))[:60] or "game"


def record_name(name: str, game: str) -> str:
    """A name for a record: as it was given, with the ending of records if it has none and is not that of something there is; else one that is free."""
    if name:
        return name if name == "-" or os.path.splitext(name)[1] or os.path.exists(name) else f"{name}{ENDING}"
    names = (f"{stem_of(game)}{n}{ENDING}" for n in ("", *(f"-{k}" for k in range(2, 10_000))))
    return next(free for free in names if not os.path.exists(free))


class Record:
    """The file in which a game is recorded while it is played: its own until the game is left, and never another game's.

    A pipe or a device cannot be changed afterwards, so it gets the record when the game is left."""

    def __init__(self, name: str, going_on: bool = False) -> None:
        """Raises UserError if something else is in the file (unless `going_on` with it) or another game is recorded there."""
        if name == "-":
            raise UserError(t("usage.no_file_name"), code=2)
        self.name = name
        self._lock: int | None = None
        with _telling(name):
            self.is_new = not os.path.exists(name)
            self.is_stream = is_stream(name)
            if not self.is_stream:
                self._lock = self._claimed(going_on)

    def _claimed(self, going_on: bool) -> int | None:
        with open(self.name, "r+b" if going_on else "a+b") as file, contextlib.ExitStack() as unlock:
            try:
                lock = locked(file.fileno())
            except BlockingIOError:
                raise UserError(t("file.in_use", name=self.name)) from None
            unlock.callback(close_descriptor, lock)
            found = os.fstat(file.fileno())
            if not os.path.samestat(found, os.stat(self.name)):  # a record has just been moved here
                raise UserError(t("file.in_use", name=self.name))
            if found.st_size and not going_on:
                raise UserError(t("file.exists", name=self.name), code=2)
            unlock.pop_all()
        return lock

    def keep(self, text: str) -> None:
        """The record so far. Raises UserError; then the file is as it was."""
        if not self.is_stream:
            with _telling(self.name):
                before, self._lock = self._lock, replace_file(os.path.realpath(self.name), text, lock=True)
                close_descriptor(before)
                self.is_new = False

    def finish(self, text: str) -> None:
        """The whole record. Raises UserError."""
        if self.is_stream:
            write(self.name, text)
        else:
            self.keep(text)

    def __enter__(self) -> Record:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """A file that was made for a game which never began goes again."""
        if self.is_new and not self.is_stream:
            with contextlib.suppress(OSError):
                os.unlink(self.name)
        close_descriptor(self._lock)


@contextlib.contextmanager
def _telling(name: str) -> Iterator[None]:
    """Whatever keeps a file from being written is told as `UserError`."""
    try:
        yield
    except FileExistsError as error:
        raise UserError(t("file.exists", name=name)) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UserError(t("file.not_written", name=name, why=describe_error(error))) from error


def comment(words: str, indent: str = "") -> list[str]:
    """A sentence as lines of comments."""
    return textwrap.wrap(
        words, WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent}", break_on_hyphens=False
    )


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
        raise UserError(t("file.not_read", name=name, why=describe_error(error))) from None


def _record(name: str, file: IO[bytes]) -> Source:
    from hoyle.game.records.records import read_header
    from hoyle.game.records.tape import LONGEST_LINE

    data = file.readline(LONGEST_LINE + 1)
    read_header(_text(name, data))
    data += file.read(LONGEST_RECORD)
    if len(data) > LONGEST_RECORD:
        raise UserError(t("file.too_large", name=name))
    return _text(name, data)


def _text(name: str, data: bytes) -> Source:
    from hoyle.diagnostics import Source

    try:
        return Source(name, data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise UserError(t("file.not_text", name=name)) from None


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
