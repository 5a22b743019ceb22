"""Store the results of a series in a file, one line each, so that a stopped series can continue.

The first line describes the series. Each other line has the number of a task, its result and a checksum.
An incomplete last line is ignored and removed.
"""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Literal, TypeVar

import msgspec

from hoyle.diagnostics import Diagnostic, LocalizedText, Refused
from hoyle.game.game import Game
from hoyle.language.sentences import describe_os_error, make_message
from hoyle.private import lock_file
from hoyle.resources import VERSION

Task = TypeVar("Task")
Result = TypeVar("Result")


OFTEN = 1.0
"""Seconds between two calls of fsync: a power failure loses at most so much work."""
_LONGEST_HEAD = 1_000_000
"""Maximum length of the first line in bytes."""
MOST_TOLD = 4
"""Maximum number of differences from another series that a diagnostic lists."""


@cache
def describe_version() -> str:
    """Return the version and a digest of the program's files, because results may differ between builds of one version."""
    here = Path(__file__).parents[1]
    found = sha256()
    for file in sorted(place for place in here.rglob("*") if place.suffix in (".py", ".json", ".c")):
        found.update(f"{file.relative_to(here)} {file.stat().st_size} ".encode() + file.read_bytes())
    return f"{VERSION} {found.hexdigest()[:8]}"


class _Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a first line that all builds write."""

    format: Literal["hoyle series"] = "hoyle series"
    hoyle: str = msgspec.field(default_factory=describe_version)


class Header(_Origin, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First line of a file: the build, the type of series (`simulate`), and everything on which its results depend."""

    series: str
    hangs_on: dict[str, Any]


def describe_game(game: Game) -> dict[str, Any]:
    """Return name, digest and options of a game for the header."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options)}


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """The result of task number `share`; `sum` is the CRC-32 of the result's text."""

    share: int
    sum: int
    result: msgspec.Raw


class ResultFormat(msgspec.Struct, Generic[Result], frozen=True):
    """Conversion of results to and from JSON.

    `plain` converts a result to a value of the type `kind`; `whole` converts it back.
    """

    kind: Any
    plain: Callable[[Result], Any] = lambda result: result
    whole: Callable[[Any], Result] = lambda plain: plain


class ResultFile(Generic[Result]):
    """A file of results. `found` has the results that were read and not yet taken, in order."""

    def __init__(self, name: str, head: Header, form: ResultFormat[Result]) -> None:
        """Open or create the file, lock it and read its results.

        Raises Refused if the file has another series, is damaged, is in use by another program, or cannot be written.
        """
        self.name, self._form, self.found = name, form, deque[Result]()
        self._shares, self._safe = 0, 0.0
        with _telling(name), ExitStack() as opened:
            self._file = opened.enter_context(_opened(name))
            lock = lock_file(self._file.fileno())
            if lock is not None:
                opened.callback(os.close, lock)
            self._begin(msgspec.json.encode(head) + b"\n")
            self._open = opened.pop_all()

    def __enter__(self) -> ResultFile[Result]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with _telling(self.name) if error is None else suppress(OSError), self._open:
            os.fsync(self._file.fileno())

    def take(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Result]]:
        """Yield the first tasks with their results, as long as the file has results."""
        while self.found and (task := next(tasks, None)) is not None:
            yield task, self.found.popleft()

    def add(self, result: Result) -> None:
        """Append the result of the next task and flush it, so that a crash does not lose it. Raises Refused."""
        text = msgspec.json.encode(self._form.plain(result))
        self._write(msgspec.json.encode(_Line(self._shares, zlib.crc32(text), msgspec.Raw(text))) + b"\n")
        self._shares += 1

    def _write(self, line: bytes) -> None:
        with _telling(self.name):
            self._file.write(line)
            self._file.flush()
            if (now := time.monotonic()) - self._safe > OFTEN:
                os.fsync(self._file.fileno())
                self._safe = now

    def _begin(self, first: bytes) -> None:
        """Read the results, remove an incomplete last line, and write the first line if the file is empty."""
        whole = 0
        for number, line in enumerate(self._file, 1):
            if number == 1 and not first.startswith(line):
                raise _another(self.name, line, first)
            if not line.endswith(b"\n"):
                break
            if number > 1:
                self.found.append(self._read(number, line))
            whole += len(line)
        self._file.truncate(whole)
        if not whole:
            self._write(first)

    def _read(self, number: int, line: bytes) -> Result:
        try:
            found = msgspec.json.decode(line, type=_Line)
            if found.share == self._shares and found.sum == zlib.crc32(found.result):
                self._shares += 1
                return self._form.whole(msgspec.convert(_tupled(msgspec.json.decode(found.result)), self._form.kind))
        except msgspec.MsgspecError:
            pass
        raise _refused(
            "R913",
            make_message("series.changed", file=self.name, line=number),
            help=make_message("series.cut", line=number),
        )


def read_seed(name: str) -> int | None:
    """Return the seed of the series in a file, or None if there is no such series.

    A continued series needs no seed on the command line.
    """
    try:
        if not os.path.isfile(name):  # a device may be endless
            return None
        with open(name, "rb") as file:
            found = msgspec.json.decode(file.readline(_LONGEST_HEAD), type=Header).hangs_on.get("seed")
    except (OSError, ValueError):
        return None
    return found if isinstance(found, int) else None


def _opened(name: str) -> BinaryIO:
    """Open a regular file for reading and appending, or create it. Raises OSError; Refused if it is not a regular file."""
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    file = os.fdopen(descriptor, "r+b")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise _refused("R914", make_message("series.no_file", file=name))
    return file


def _tupled(found: Any) -> Any:
    """Convert lists to tuples at all depths, because actions and events have tuples."""
    if isinstance(found, list):
        return tuple(map(_tupled, found))
    return {key: _tupled(value) for key, value in found.items()} if isinstance(found, dict) else found


# ---- diagnostics -----------------------------------------------------------------------------------------------------


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Turn errors of writing the file into diagnostics."""
    try:
        yield
    except BlockingIOError:
        raise _refused("R914", make_message("series.in_use", file=name)) from None
    except OSError as error:
        raise _refused("R914", make_message("series.not_kept", file=name, why=describe_os_error(error))) from None


def _another(name: str, line: bytes, first: bytes) -> Refused:
    """Return the diagnostic for a file with another first line."""
    try:
        old, new = (msgspec.json.decode(text, type=_Origin).hoyle for text in (line, first))
        if old != new:
            help = make_message("series.continue_with", there=old, here=new)
            return _refused("R912", make_message("series.other_build", file=name, there=old, here=new), help=help)
        there, here = (msgspec.json.decode(text, type=Header) for text in (line, first))
    except msgspec.MsgspecError:
        return _refused("R912", make_message("series.no_series", file=name), help=make_message("series.another_file"))
    theirs, ours = _flat(there), _flat(here)
    differ = [key for key in theirs | ours if theirs.get(key) != ours.get(key)][:MOST_TOLD]
    notes = tuple(
        make_message("series.differs", what=key, there=_shown(theirs, key), here=_shown(ours, key)) for key in differ
    )
    return _refused(
        "R912", make_message("series.another", file=name), notes=notes, help=make_message("series.another_file")
    )


def _flat(head: Header) -> dict[str, Any]:
    """Return the comparable entries of a header, options last."""
    return {
        "series": head.series,
        **head.hangs_on,
        "options": None,
        **head.hangs_on.get("options", {}),
    }


def _shown(plan: Mapping[str, Any], key: str) -> str:
    return msgspec.json.encode(plan.get(key)).decode()[:60]


def _refused(code: str, message: LocalizedText, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, **more)])
