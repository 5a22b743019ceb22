"""Files that are written. A regular file is written whole or not at all, and keeps its mode; links are followed; devices and
pipes are written through."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import textwrap
from collections.abc import Iterator
from types import TracebackType

from hoyle.cli.catalogue import system_words, t
from hoyle.cli.output import Trouble, flush, pour, say
from hoyle.private import locked

ENDING = ".jsonl"
WIDTH = 120
"""How long lines of comments become."""


def write(name: str, text: str | bytes) -> None:
    """Puts the text in place of what the file says; `-` is standard output. Raises Trouble."""
    if name == "-":
        say(text.rstrip("\n")) if isinstance(text, str) else pour(text)
        return
    with _telling(name):
        put(name, text)


def put(name: str, text: str | bytes) -> None:
    """The same for a name that is a file's in any case. Raises OSError, ValueError; then the file is as it was."""
    if _is_stream(name):
        _append(name, text)
    else:
        _replace(os.path.realpath(name), text)


def can_be_written(name: str) -> None:
    """Whoever works for long to fill a file wants to know before. Raises Trouble if it cannot be written."""
    if name != "-":
        with _telling(name):
            if not _is_stream(name):
                beside = _beside(os.path.realpath(name))
                made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                try:
                    os.close(made)
                finally:
                    os.unlink(beside)


def write_new(name: str, text: str) -> None:
    """The same for a file that does not exist yet: what exists is never overwritten. Raises Trouble."""
    if name == "-":
        write(name, text)
        return
    with _telling(name):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            _replace(os.path.realpath(name), text)
        except BaseException:
            os.unlink(name)
            raise


def write_into(folder: str, name: str, text: str) -> str:
    """Writes a file into a folder, which is made if it is not there; the path of the file. Raises Trouble."""
    with _telling(folder):
        os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, name)
    write(place, text)
    return place


def make_folder(name: str) -> None:
    """Makes a folder that is not there yet. Raises Trouble."""
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
        """Raises Trouble if something else is in the file (unless `going_on` with it) or another game is recorded there."""
        if name == "-":
            raise Trouble(t("usage.no_file_name"), code=2)
        self.name = name
        self._lock: int | None = None
        with _telling(name):
            self.is_new = not os.path.exists(name)
            self.is_stream = _is_stream(name)
            if not self.is_stream:
                self._lock = self._claimed(going_on)

    def _claimed(self, going_on: bool) -> int | None:
        with open(self.name, "r+b" if going_on else "a+b") as file, contextlib.ExitStack() as unlock:
            try:
                lock = locked(file.fileno())
            except BlockingIOError:
                raise Trouble(t("file.in_use", name=self.name)) from None
            unlock.callback(_close, lock)
            found = os.fstat(file.fileno())
            if not os.path.samestat(found, os.stat(self.name)):  # a record has just been moved here
                raise Trouble(t("file.in_use", name=self.name))
            if found.st_size and not going_on:
                raise Trouble(t("file.exists", name=self.name), code=2)
            unlock.pop_all()
        return lock

    def keep(self, text: str) -> None:
        """The record so far. Raises Trouble; then the file is as it was."""
        if not self.is_stream:
            with _telling(self.name):
                before, self._lock = self._lock, _replace(os.path.realpath(self.name), text, lock=True)
                _close(before)
                self.is_new = False

    def finish(self, text: str) -> None:
        """The whole record. Raises Trouble."""
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
        _close(self._lock)


@contextlib.contextmanager
def _telling(name: str) -> Iterator[None]:
    """Whatever keeps a file from being written is told as `Trouble`."""
    try:
        yield
    except FileExistsError as error:
        raise Trouble(t("file.exists", name=name)) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise Trouble(t("file.not_written", name=name, why=system_words(error))) from error


def _is_stream(name: str) -> bool:
    """Whether to write through: a device, a pipe, or what is open as standard output already. Raises OSError for a folder."""
    try:
        found = os.stat(name)
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return not stat.S_ISREG(found.st_mode) or any(_is_open(found, descriptor) for descriptor in (1, 2))


def _is_open(found: os.stat_result, descriptor: int) -> bool:
    try:
        return os.path.samestat(found, os.fstat(descriptor))
    except OSError:
        return False


def _append(name: str, text: str | bytes) -> None:
    flush()
    with open(name, "ab") as file:
        file.write(_encoded(text))


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text


def _replace(place: str, text: str | bytes, lock: bool = False) -> int | None:
    """The file is written beside its place and moved there. If asked, it is locked: what holds the lock."""
    beside, held = _beside(place), None
    try:
        with open(beside, "xb") as file:
            _make_like(place, beside)
            file.write(_encoded(text))
            file.flush()
            os.fsync(file.fileno())
            held = locked(file.fileno()) if lock else None
        os.replace(beside, place)
    except BaseException:
        _close(held)
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    return held


def _beside(place: str) -> str:
    """A new name in the same folder."""
    return os.path.join(os.path.dirname(place), f".hoyle-{os.urandom(6).hex()}.tmp")


def _make_like(old: str, new: str) -> None:
    """The new file may be read and written by whom the old one may."""
    with contextlib.suppress(FileNotFoundError):
        found = os.stat(old)
        os.chmod(new, stat.S_IMODE(found.st_mode))
        with contextlib.suppress(PermissionError, AttributeError):
            os.chown(new, found.st_uid, found.st_gid)


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def comment(words: str, indent: str = "") -> list[str]:
    """A sentence as lines of comments."""
    return textwrap.wrap(
        words, WIDTH, initial_indent=f"# {indent}", subsequent_indent=f"# {indent}", break_on_hyphens=False
    )
