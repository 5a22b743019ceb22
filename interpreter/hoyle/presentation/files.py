"""Write files: regular files are replaced as a whole, devices and pipes are appended to."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hoyle.printable import UNPRINTABLE
from hoyle.private import lock_file

if TYPE_CHECKING:
    pass


def write_file(name: str, text: str | bytes) -> None:
    """Write a file. Raises OSError or ValueError; the old contents then remain."""
    if is_stream(name):
        _append(name, text)
    else:
        replace_file(os.path.realpath(name), text)


def is_stream(name: str) -> bool:
    """Return whether to append: a device, a pipe, or the file of standard output or error. Raises OSError for a folder."""
    try:
        found = os.stat(name)
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return not stat.S_ISREG(found.st_mode) or any(_is_open(found, descriptor) for descriptor in (1, 2))


def _is_open(status: os.stat_result, descriptor: int) -> bool:
    try:
        return os.path.samestat(status, os.fstat(descriptor))
    except OSError:
        return False


def _append(name: str, text: str | bytes) -> None:
    with open(name, "ab") as file:
        file.write(_encode(text))


def _encode(text: str | bytes) -> bytes:
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text


def replace_file(place: str, text: str | bytes, lock: bool = False) -> int | None:
    """Write a temporary file and move it into place. With `lock`, return a descriptor that holds the lock."""
    beside, held = temporary_path(place), None
    try:
        with open(beside, "xb") as file:
            _copy_permissions(place, beside)
            file.write(_encode(text))
            file.flush()
            os.fsync(file.fileno())
            held = lock_file(file.fileno()) if lock else None
        os.replace(beside, place)
    except BaseException:
        close_descriptor(held)
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    return held


def temporary_path(place: str) -> str:
    """Return an unused name in the same folder."""
    return os.path.join(os.path.dirname(place), f".hoyle-{os.urandom(6).hex()}.tmp")


def _copy_permissions(old: str, new: str) -> None:
    """Copy mode and owner of the old file, if it exists."""
    with contextlib.suppress(FileNotFoundError):
        found = os.stat(old)
        os.chmod(new, stat.S_IMODE(found.st_mode))
        with contextlib.suppress(PermissionError, AttributeError):
            os.chown(new, found.st_uid, found.st_gid)


def close_descriptor(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def as_json(kind: str, data: Mapping[str, Any]) -> str:
    """Return a JSON document that starts with its kind and version."""
    import json

    text = json.dumps({"format": f"hoyle {kind}", "version": 1, **data}, ensure_ascii=False, indent=2)
    return "\n".join(UNPRINTABLE.sub(lambda c: json.dumps(c[0])[1:-1], line) for line in text.split("\n"))
