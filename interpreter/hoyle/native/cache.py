"""Caches built files in a folder of the user; each file name contains a digest of its key and of its content.

There are no locks. A file is written in its own folder and then renamed, so any number of processes may read, write
and delete at once. Damaged files, and files that others may have written, are rebuilt. Files are checked and used
through one descriptor of their folder, which only the user can write (`private`). So nobody can swap a file between
the check and its use.

Here and in `compiler`, modules that only a build needs are imported when something is built. Importing them always
would double the time of a cache hit.
"""

from __future__ import annotations

import errno
import os
import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, LocalizedText, Refused
from hoyle.language.sentences import describe_os_error, make_message, make_sentence
from hoyle.private import NotPrivate, hold_folder, is_private, prepare, temporary_folder
from hoyle.resources import cache_folder

Used = TypeVar("Used")

MOST = 200_000_000
"""Greatest total size of the files in a folder, in bytes. Beyond it, the least recently used files are deleted."""
_MAKING = ".making-"
_ATTEMPTS = 20  # to build a file that other processes delete at once, on a busy machine possibly many times
_LOOKS = 3  # at an unusable file: another process may have just rebuilt it
_FORGOTTEN = 3600.0  # seconds after which a build folder is certainly a leftover
_ENTRY = re.compile(r"(?P<stem>[\w-]+-[0-9a-f]{32})-(?P<digest>[0-9a-f]{32})\.\w+", re.ASCII)


class Entry(Struct, frozen=True):
    """A cached file: its size in bytes, and when it was last used."""

    path: Path
    size: int
    used: float


def digest(*parts: str | bytes) -> str:
    """Return a digest of 32 hex digits that identifies the parts."""
    found = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()[:32]


def use_cached(name: str, key: str, suffix: str, make: Callable[[Path], object], use: Callable[[Path], Used]) -> Used:
    """Return the result of `use` for the cached file of this name and key (32 hex digits).

    If there is no intact file, `make` writes it first. `use` gets a path that stays valid while it runs. It raises
    OSError if the file cannot be used; the file is then rebuilt. Raises the errors of `make`, and Refused (R911) if no
    folder works.
    """
    _warn_of_trouble()
    stem = f"{_stem(name)}-{key}"
    for path in _found(stem, suffix):
        try:
            used = _use(path, use)
        except OSError:  # built for another machine, or removed just now
            _remove(path)
        else:
            with suppress(OSError):
                os.utime(path)
            return used
    return _first_use(stem, suffix, make, use)


class CacheTrouble(UserWarning):
    """Warns that the folder in `HOYLE_CACHE` cannot be used: files are cached elsewhere, or not at all."""

    def __init__(self, folder: str, why: str, instead: str | None) -> None:
        self.folder, self.why, self.instead = folder, why, instead
        kept = f"what is built is kept in {instead}" if instead else "nothing that is built can be kept"
        super().__init__(f"`HOYLE_CACHE` names {folder}, which cannot be used ({why}): {kept}")


def trouble() -> tuple[Path, str] | None:
    """Return the user's cache folder and why it cannot be used. None if it can, or if no folder is known."""
    wanted = _cache()
    if wanted is None:
        return None
    try:
        prepare(wanted)
    except OSError as error:
        return wanted, _why(error)
    return None


def _warn_of_trouble() -> None:
    """Warn once if the folder in `HOYLE_CACHE` is not the one that is used."""
    asked = os.environ.get("HOYLE_CACHE")
    if asked and asked not in _warned:
        _warned.add(asked)
        found, instead = trouble(), place()
        if found is not None:
            folder, why = found
            warnings.warn(CacheTrouble(str(folder), why, str(instead) if instead else None), stacklevel=2)


_warned: set[str] = set()
"""Values of `HOYLE_CACHE` that were checked."""


def is_cached(name: str, key: str, suffix: str) -> bool:
    """Return whether there is an intact cached file of this name and key."""
    return next(_found(f"{_stem(name)}-{key}", suffix), None) is not None


def place() -> Path | None:
    """Return the first cache folder that can be created and that only the user can enter, or None."""
    return next(filter(_is_ready, _folders()), None)


def entries() -> list[Entry]:
    """Return all cached files."""
    return [entry for place in _known() for entry in _entries(place)]


def clear() -> list[Entry]:
    """Delete all cached files. Returns those that were deleted."""
    return [entry for entry in entries() if _remove(entry.path)]


def _folders() -> Iterator[Path]:
    """Yield the folders that may hold cached files, the user's cache first."""
    for find in (_cache, temporary_folder):
        folder = find()
        if folder is not None:
            yield folder


def _known() -> Iterator[Path]:
    """Yield the cache folders that exist."""
    return filter(_is_ready, filter(os.path.isdir, _folders()))


def _cache() -> Path | None:
    found = cache_folder()
    return found / "native" if found is not None else None


def _is_ready(place: Path) -> bool:
    try:
        prepare(place)
    except OSError:
        return False
    return True


def _why(error: OSError) -> str:
    """Return the reason of an error, translated if there is a translation."""
    if isinstance(error, NotPrivate):
        return make_sentence("kept.others_write" if error.owned else "kept.not_yours", folder=error.folder)
    return error.strerror if isinstance(error.strerror, LocalizedText) else describe_os_error(error)


def _found(stem: str, suffix: str) -> Iterator[Path]:
    """Yield the intact files of that name in all folders. Deletes damaged ones."""
    for place in _known():
        for path in sorted(entry.path for entry in _entries(place, f"{stem}-")):
            if path.suffix == suffix and _is_whole(path):
                yield path
            else:
                _remove(path)


def _first_use(stem: str, suffix: str, make: Callable[[Path], object], use: Callable[[Path], Used]) -> Used:
    """Build the file in the first folder where building and using it works. Raises Refused (R911) if there is none."""
    troubles: list[LocalizedText] = []
    for place in _folders():
        try:
            prepare(place)
            return _made_and_used(place, stem, suffix, make, use)
        except OSError as error:
            troubles.append(make_sentence("kept.trouble", place=place, why=_why(error)))
    message = make_message("native.nowhere_kept", name=_name_in(stem))
    help = make_message("native.own_folder")
    raise Refused([Diagnostic("R911", message, notes=tuple(troubles), help=help)])


def _made_and_used(
    place: Path, stem: str, suffix: str, make: Callable[[Path], object], use: Callable[[Path], Used]
) -> Used:
    """Raises OSError if the file cannot be made or used here."""
    for _ in range(_ATTEMPTS):
        path = _made(place, stem, suffix, make)
        try:
            used = _used(path, use)
        except FileNotFoundError:
            continue
        except OSError:
            if not path.exists():
                continue
            _remove(path)
            raise
        _prune(place, path)
        return used
    raise FileNotFoundError(errno.ENOENT, make_sentence("kept.removed"))


def _used(path: Path, use: Callable[[Path], Used]) -> Used:
    """Raises FileNotFoundError if the file was removed meanwhile, and another OSError if it is unusable."""
    for _ in range(_LOOKS - 1):
        with suppress(OSError):
            return _use(path, use)
        if not path.exists():
            raise FileNotFoundError(errno.ENOENT, make_sentence("kept.removed"))
    return _use(path, use)


def _use(path: Path, use: Callable[[Path], Used]) -> Used:
    """Check and use a file in one open folder, so that its path cannot be redirected in between.

    Raises OSError, also if the file is damaged.
    """
    with hold_folder(path.parent) as folder:
        if not _has_its_bytes(folder / path.name):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return use(folder / path.name)


def _is_whole(path: Path) -> bool:
    try:
        return _use(path, lambda _: True)
    except OSError:
        return False


def _has_its_bytes(path: Path) -> bool:
    """Return whether only the user can have written a file, and its content matches the digest in its name.

    Raises OSError.
    """
    named = _ENTRY.fullmatch(path.name)
    return bool(named and is_private(path) and digest(named["stem"], path.read_bytes()) == named["digest"])


def _made(place: Path, stem: str, suffix: str, make: Callable[[Path], object]) -> Path:
    import tempfile

    with tempfile.TemporaryDirectory(prefix=_MAKING, dir=place, ignore_cleanup_errors=True) as folder:
        made = Path(folder, f"{_name_in(stem)}{suffix}")
        make(made)
        made.chmod(0o600)
        path = place / f"{stem}-{digest(stem, made.read_bytes())}{suffix}"
        try:
            os.replace(made, path)
        except PermissionError:  # Windows cannot replace a loaded file, but it has the same bytes
            if not _is_whole(path):
                raise
    return path


def _entries(place: Path, beginning: str = "") -> Iterator[Entry]:
    """Yield the cached files in a folder whose names have this prefix."""
    with suppress(OSError), os.scandir(place) as listed:  # the folder or its files may be deleted meanwhile
        for item in listed:
            if item.name.startswith(beginning) and _ENTRY.fullmatch(item.name):
                with suppress(OSError):
                    found = item.stat(follow_symlinks=False)
                    yield Entry(Path(item.path), found.st_size, found.st_mtime)


def _prune(place: Path, newest: Path) -> None:
    """Delete the least recently used files beyond the size limit, and leftovers of killed processes."""
    import shutil

    room = MOST
    for entry in sorted(_entries(place), key=lambda entry: (entry.path == newest, entry.used), reverse=True):
        room -= entry.size
        if room < 0 and entry.path != newest:
            _remove(entry.path)
    for folder in place.glob(f"{_MAKING}*"):
        with suppress(OSError):
            if time.time() - folder.lstat().st_mtime > _FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:  # already deleted, or in use on Windows
        return False
    return True


def _stem(name: str) -> str:
    """Return the beginning of a file name for a user's text. It is never a path or a command-line option."""
    return "-".join(re.findall(r"\w+", name, re.ASCII))[:40] or "game"


def _name_in(stem: str) -> str:
    return stem.rpartition("-")[0]
