"""A file that one program alone writes."""

from __future__ import annotations

import os

try:
    import fcntl
except ImportError:  # where files cannot be locked
    fcntl = None  # type: ignore[assignment]


def locked(descriptor: int) -> int | None:
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
