"""Results of a series in a file, a line each as they come, so that what was stopped goes on where it was.

The first line says what the series is. Each other line has the number of its share, the result, and a sum of its bytes by which it is known whether it is what was
written. A line that was cut off by whatever ended the program is as if it had not been written."""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from hoyle.diagnostics import Diagnostic, Refused, Said
from hoyle.game.game import Game
from hoyle.language.sentences import said, system_said
from hoyle.private import lock_file
from hoyle.resources import VERSION

Task = TypeVar("Task")
Result = TypeVar("Result")


OFTEN = 1.0
"""Seconds of work that a power failure may cost."""
_LONGEST_HEAD = 1_000_000
"""Bytes."""
MOST_TOLD = 4
"""So many of the things in which another series differs."""


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First line of a file: the kind of series (`simulate`), and everything on which its results depend."""

    format: str = "hoyle series"
    hoyle: str = VERSION
    series: str
    hangs_on: dict[str, Any]


def describe_game(game: Game) -> dict[str, Any]:
    """Return name, digest and options of a game for the header."""
    return {"game": game.name, "digest": game.digest, "options": dict(game.options)}


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A result of a share: `sum` is the CRC-32 of its text."""

    share: int
    sum: int
    result: msgspec.Raw


class ResultFormat(msgspec.Struct, Generic[Result], frozen=True):
    """How results are written: of which kind is what is made of one, if it is not as it is, and how it is made whole again."""

    kind: Any
    plain: Callable[[Result], Any] = lambda result: result
    whole: Callable[[Any], Result] = lambda plain: plain


class ResultFile(Generic[Result]):
    """A file of results. `found`: those that are there and were not taken yet, in order."""

    def __init__(self, name: str, head: Header, form: ResultFormat[Result]) -> None:
        """Raises Refused if something else is in the file, if it was changed, if another program is at work on it, or if it cannot be written."""
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
        """The first of these tasks whose results are there, with them."""
        while self.found and (task := next(tasks, None)) is not None:
            yield task, self.found.popleft()

    def add(self, result: Result) -> None:
        """Writes the result of the next share: whatever ends the program, it is in the file. Raises Refused."""
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
        """Reads what is there. What is not a whole line goes."""
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
            "R913", said("series.changed", file=self.name, line=number), help=said("series.cut", line=number)
        )


def read_seed(name: str) -> int | None:
    """The seed of the series that a file keeps, so that it goes on without it being given again; None where there is none."""
    try:
        if not os.path.isfile(name):  # a device may have no end
            return None
        with open(name, "rb") as file:
            found = msgspec.json.decode(file.readline(_LONGEST_HEAD), type=Header).hangs_on.get("seed")
    except (OSError, ValueError):
        return None
    return found if isinstance(found, int) else None


def _opened(name: str) -> BinaryIO:
    """A regular file, to be read and written at its end; it is made if it is not there. Raises OSError, and Refused for what is no such file."""
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    file = os.fdopen(descriptor, "r+b")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise _refused("R914", said("series.no_file", file=name))
    return file


def _tupled(found: Any) -> Any:
    """With tuples for lists, as actions and events are made of them."""
    if isinstance(found, list):
        return tuple(map(_tupled, found))
    return {key: _tupled(value) for key, value in found.items()} if isinstance(found, dict) else found


# ---- what is refused -------------------------------------------------------------------------------------------------


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Turn errors of writing the file into diagnostics."""
    try:
        yield
    except BlockingIOError:
        raise _refused("R914", said("series.in_use", file=name)) from None
    except OSError as error:
        raise _refused("R914", said("series.not_kept", file=name, why=system_said(error))) from None


def _another(name: str, line: bytes, first: bytes) -> Refused:
    """Return the diagnostic for a file with another first line."""
    try:
        there, here = (msgspec.json.decode(text, type=Header) for text in (line, first))
    except msgspec.MsgspecError:
        return _refused("R912", said("series.no_series", file=name), help=said("series.another_file"))
    theirs, ours = _flat(there), _flat(here)
    differ = [key for key in theirs | ours if theirs.get(key) != ours.get(key)][:MOST_TOLD]
    notes = tuple(said("series.differs", what=key, there=_shown(theirs, key), here=_shown(ours, key)) for key in differ)
    return _refused("R912", said("series.another", file=name), notes=notes, help=said("series.another_file"))


def _flat(head: Header) -> dict[str, Any]:
    """Return the comparable entries of a header, options last."""
    return {
        "series": head.series,
        "hoyle": head.hoyle,
        **head.hangs_on,
        "options": None,
        **head.hangs_on.get("options", {}),
    }


def _shown(plan: Mapping[str, Any], key: str) -> str:
    return msgspec.json.encode(plan.get(key)).decode()[:60]


def _refused(code: str, message: Said, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, **more)])
