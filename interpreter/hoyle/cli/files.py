"""Files of the command line: write whole files and records of games, read positions and records."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli.output import flush, say, write_bytes
from hoyle.presentation.catalogue import UserError, describe_error, t
from hoyle.presentation.files import close_descriptor, is_stream, replace_file, temporary_path, write_file
from hoyle.private import lock_file

if TYPE_CHECKING:
    from hoyle.diagnostics import Source
    from hoyle.game.game import State
    from hoyle.game.records.records import Replayed
    from hoyle.players.inference.knowledge import Moved
    from hoyle.reading.tree import Node
    from hoyle.running.chance import Chance


ENDING = ".jsonl"


def write(name: str, text: str | bytes) -> None:
    """Write text or bytes to a file, or to standard output for `-`. Raises UserError."""
    if name == "-":
        say(text.rstrip("\n")) if isinstance(text, str) else write_bytes(text)
        return
    flush()
    with _translate_errors(name):
        write_file(name, text)


def check_writable(name: str) -> None:
    """Raise UserError if the file cannot be written; call it before long work."""
    if name != "-":
        with _translate_errors(name):
            if not is_stream(name):
                beside = temporary_path(os.path.realpath(name))
                made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                try:
                    os.close(made)
                finally:
                    os.unlink(beside)


def write_new(name: str, text: str) -> None:
    """Write a file that does not exist yet. Raises UserError."""
    if name == "-":
        write(name, text)
        return
    with _translate_errors(name):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            replace_file(os.path.realpath(name), text)
        except BaseException:
            os.unlink(name)
            raise


def write_into(folder: str, name: str, text: str) -> str:
    """Write a file into a folder and return its path; the folder is created. Raises UserError."""
    with _translate_errors(folder):
        os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, name)
    write(place, text)
    return place


def make_folder(name: str) -> None:
    """Raises UserError if it exists or cannot be made."""
    with _translate_errors(name):
        os.makedirs(name)


def make_stem(name: str) -> str:
    """Return letters and digits of a name, so that it is never a path."""
    return "-".join(re.findall(r"\w+", name))[:60] or "game"


def choose_record_name(name: str, game: str) -> str:
    """Return the name with the ending of records unless it has one, or else the first free name."""
    if name:
        return name if name == "-" or os.path.splitext(name)[1] or os.path.exists(name) else f"{name}{ENDING}"
    names = (f"{make_stem(game)}{n}{ENDING}" for n in ("", *(f"-{k}" for k in range(2, 10_000))))
    return next(free for free in names if not os.path.exists(free))


class RecordFile:
    """The file of a game that is being recorded; locked until the game is left.

    Pipes and devices are written once, at the end.

    """

    def __init__(self, name: str, going_on: bool = False) -> None:
        """Raises UserError if the file has other contents (unless `going_on`) or records another game."""
        if name == "-":
            raise UserError(t("usage.no_file_name"), code=2)
        self.name = name
        self._lock: int | None = None
        with _translate_errors(name):
            self.is_new = not os.path.exists(name)
            self.is_stream = is_stream(name)
            if not self.is_stream:
                self._lock = self._claimed(going_on)

    def _claimed(self, going_on: bool) -> int | None:
        with open(self.name, "r+b" if going_on else "a+b") as file, contextlib.ExitStack() as unlock:
            try:
                lock = lock_file(file.fileno())
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
        """Write the record so far. Raises UserError; the old contents then remain."""
        if not self.is_stream:
            with _translate_errors(self.name):
                before, self._lock = self._lock, replace_file(os.path.realpath(self.name), text, lock=True)
                close_descriptor(before)
                self.is_new = False

    def finish(self, text: str) -> None:
        """Write the whole record. Raises UserError."""
        if self.is_stream:
            write(self.name, text)
        else:
            self.keep(text)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Remove a file that was created for a game which never began."""
        if self.is_new and not self.is_stream:
            with contextlib.suppress(OSError):
                os.unlink(self.name)
        close_descriptor(self._lock)


@contextlib.contextmanager
def _translate_errors(name: str) -> Iterator[None]:
    """Raise UserError for errors of writing."""
    try:
        yield
    except FileExistsError as error:
        raise UserError(t("file.exists", name=name)) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UserError(t("file.not_written", name=name, why=describe_error(error))) from error


LONGEST_RECORD = 50_000_000
STDIN = "<stdin>"
"""Name of standard input in messages."""


def load_position(name: str) -> Node:
    """Load a position with source spans. Raises Refused."""
    from hoyle.reading.sources import read
    from hoyle.reading.yaml_tree import load

    return load(read(name))


def is_record(name: str) -> bool:
    """Return whether a file is named like a record or begins like one."""
    from hoyle.game.records.tape import LONGEST_LINE

    if name.endswith(".jsonl"):
        return True
    try:
        with open(name, "rb") as file:
            found = json.loads(file.readline(LONGEST_LINE))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "record" in found


def load_record(name: str) -> Source:
    """Load a record; the rest is read only if the header is valid. Raises Refused, UserError."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
            return _read_record(STDIN if name == "-" else name, file)
    except (OSError, ValueError) as error:
        raise UserError(t("file.not_read", name=name, why=describe_error(error))) from None


def _read_record(name: str, file: IO[bytes]) -> Source:
    from hoyle.game.records.records import read_header
    from hoyle.game.records.tape import LONGEST_LINE

    data = file.readline(LONGEST_LINE + 1)
    read_header(_decode(name, data))
    data += file.read(LONGEST_RECORD)
    if len(data) > LONGEST_RECORD:
        raise UserError(t("file.too_large", name=name))
    return _decode(name, data)


def _decode(name: str, data: bytes) -> Source:
    from hoyle.diagnostics import Source

    try:
        return Source(name, data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise UserError(t("file.not_text", name=name)) from None


class ResumedGame(Struct, frozen=True):
    """A game to be continued: its state, players, chance of bots, and moves with the states around each."""

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
        """Return the players as in `--seats`."""
        found = self.header.get("seats")
        return ",".join(found.get(seat, "") for seat in self.state.game.seats) if found else None


def resume_game(name: str, game: str) -> ResumedGame:
    """Verify a record and continue its chance.

    Verification uses up the chance of the record. If replaying with the recorded seed gives the same state, its chance is
    used instead.

    """
    from hoyle.game.game import State
    from hoyle.game.records.records import replay
    from hoyle.running.chance import PLAYER, Chance

    past: list[Moved] = []

    def visit(before: State, after: State) -> None:
        past.append((before.core, (after.core.log or ())[len(before.core.log or ())][3], after.core))

    found = replay(load_record(name), game=game, visit=visit)
    seed, index = found.header.get("seed"), found.header.get("index") or 0
    events = len(found.state.core.log or ())
    bots = Chance.stream(seed or 0, 0, PLAYER)
    live = _replay_with_seed(found, seed, index, bots) if seed is not None else None
    if live is not None:
        return ResumedGame(found.header, live, bots, past)
    core = found.state.core.copy()
    core.chance = Chance.stream(0, events)
    return ResumedGame(found.header, State(found.state.game, core), Chance.stream(0, events, PLAYER), past)


def _replay_with_seed(replayed: Replayed, seed: int, index: int, bots: Chance) -> State | None:
    """Replay with the chance of the seed; None if the result differs. `bots` draws as it did then."""
    from hoyle.diagnostics import Refused

    live, kinds = replayed.state.game.start(seed, index), replayed.header.get("seats") or {}
    try:
        for event in replayed.state.events:
            if event.kind == "move":
                if kinds.get(event.seat) != "human" and len(live.core.acts) > 1:
                    bots.below(len(live.core.acts))
                live.play_here(event.data["move"])
    except Refused:
        return None
    return live if live == replayed.state else None
