"""Folders and files that only the user can have written, for caches that are loaded as code or trusted.

With `/proc/self/fd`, files are opened through a descriptor of their folder, so renaming folders after the check changes nothing.
Elsewhere the check of the parent folders must do: nobody else may rename anything in them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

_OTHERS = 0o022
_DESCRIPTORS = "/proc/self/fd"


class NotPrivate(PermissionError):
    """Raised if other users may change the content of `folder`. `owned`: it is the user's own folder."""

    def __init__(self, folder: Path, owned: bool) -> None:
        super().__init__(errno.EPERM, "other users may write here", str(folder))
        self.folder, self.owned = folder, owned


def temporary_folder() -> Path | None:
    """The user's folder for temporary caches, the same for all processes; None if the system has none."""
    import tempfile

    try:
        return Path(tempfile.gettempdir(), f"hoyle-{user()}").absolute()
    except OSError:  # no folder for temporary files at all
        return None


def user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def prepare(folder: Path) -> None:
    """Create a folder if needed and close it to others. Raises OSError, or NotPrivate if others may change or replace it."""
    for above in (*reversed(folder.parents), folder):
        with suppress(FileExistsError):
            if not above.is_dir():
                above.mkdir(mode=0o700)
    _check(folder, os.lstat(folder))
    if os.name == "posix":
        for above in (found := Path(os.path.realpath(folder.parent)), *found.parents):
            _check_above(above, os.stat(above))
        if stat.S_IMODE(os.lstat(folder).st_mode) & 0o077:
            folder.chmod(0o700)


@contextmanager
def hold_folder(folder: Path) -> Iterator[Path]:
    """Yield a path to this very folder, even if it is renamed meanwhile. Raises OSError, or NotPrivate if it is not private."""
    if not os.path.isdir(_DESCRIPTORS):
        _check(folder, os.lstat(folder))
        yield folder
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(descriptor)
        _check(folder, found)
        if found.st_mode & _OTHERS:
            raise NotPrivate(folder, owned=True)
        yield Path(_DESCRIPTORS, str(descriptor))
    finally:
        os.close(descriptor)


def is_private(path: Path) -> bool:
    """Is a file regular, owned by the user and not writable by others? Raises OSError."""
    found = os.lstat(path)
    is_shut = os.name != "posix" or not found.st_mode & _OTHERS
    return stat.S_ISREG(found.st_mode) and is_own(found) and is_shut


def is_own(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == user()


def _check(folder: Path, found: os.stat_result) -> None:
    if not (stat.S_ISDIR(found.st_mode) and is_own(found)):
        raise NotPrivate(folder, owned=False)


def _check_above(folder: Path, found: os.stat_result) -> None:
    """In a folder with the sticky bit, only owners may rename their files."""
    trusted = found.st_uid in (
        user(),
        0,
        os.stat("/").st_uid,
    )  # who owns the root owns all: in containers it may not be 0
    by_others = found.st_mode & 0o002 or (found.st_mode & 0o020 and not _is_own_group(found.st_gid))
    if not trusted or (by_others and not found.st_mode & stat.S_ISVTX):
        raise NotPrivate(folder, owned=trusted)


@cache
def _is_own_group(group: int) -> bool:
    """Is it root's group or the private group of the user?"""
    import grp
    import pwd

    try:
        name, found = pwd.getpwuid(user()).pw_name, grp.getgrgid(group)
    except KeyError:
        return group == 0
    return group == 0 or (found.gr_name == name and not set(found.gr_mem) - {name})


try:
    import fcntl
except ImportError:  # where files cannot be locked
    fcntl = None  # type: ignore[assignment]


def lock_file(descriptor: int) -> int | None:
    """A second descriptor of a file, which holds its lock until it is closed; None where files cannot be locked. Raises BlockingIOError if another program
    has it."""
    if fcntl is None:
        return None
    held = os.dup(descriptor)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise
    except OSError:  # a file system without locks
        os.close(held)
        return None
    return held
