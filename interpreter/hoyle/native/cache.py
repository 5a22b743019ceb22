"""What was built before: files in the user's cache folder, each with a digest of its key and its bytes in its name.

Nothing is locked. A file is made in a folder of its own and then moved to its name, so that any number of processes may look,
make and remove at once; what is broken, or not the user's own, is made anew. Files are checked and used through one descriptor of their
folder, which only the user may write (`private`), so nobody can swap a file between the check and its use.

Here and in `compiler` modules that only making needs are imported when something is made: they would double the time that it takes to find
what is there."""

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

from hoyle.diagnostics import Diagnostic, Refused, Said
from hoyle.language.sentences import in_all, said, system_said
from hoyle.private import NotPrivate, hold_folder, is_private, prepare, temporary_folder
from hoyle.resources import cache_folder

Used = TypeVar("Used")

MOST = 200_000_000
"""Bytes that are kept in a folder; beyond that, what was not used for longest goes."""
_MAKING = ".making-"
_ATTEMPTS = 20  # at making what others remove at once: a busy machine may let them go on for long
_LOOKS = 3  # at what is there and will not do: another may have made it anew just after it was removed
_FORGOTTEN = 3600.0  # seconds after which whoever was making something there is certainly gone
_ENTRY = re.compile(r"(?P<stem>[\w-]+-[0-9a-f]{32})-(?P<digest>[0-9a-f]{32})\.\w+", re.ASCII)


class Entry(Struct, frozen=True):
    """A cached file: its size in bytes, and when it was last used."""

    path: Path
    size: int
    used: float


def digest(*parts: str | bytes) -> str:
    """A digest of 32 hex digits that identifies the parts."""
    found = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()[:32]


def kept(name: str, key: str, suffix: str, make: Callable[[Path], object], use: Callable[[Path], Used]) -> Used:
    """Returns what `use` gives for the cached file of this name and key (32 hex digits).

    If there is no intact file, `make` writes it first. `use` gets a path that stays valid while it runs; it raises
    OSError for an unusable file, which is then made again. Raises what `make` raises, and Refused (R911) if the file
    can be cached or used nowhere."""
    _tell_of_trouble()
    stem = f"{_stem(name)}-{key}"
    for path in _found(stem, suffix):
        try:
            used = _used_in(path, use)
        except OSError:  # built for another machine, or removed just now
            _removed(path)
        else:
            with suppress(OSError):
                os.utime(path)
            return used
    return _first_use(stem, suffix, make, use)


class CacheTrouble(UserWarning):
    """The folder that `HOYLE_CACHE` names cannot be used: files are cached elsewhere, or not at all."""

    def __init__(self, folder: str, why: str, instead: str | None) -> None:
        self.folder, self.why, self.instead = folder, why, instead
        kept = f"what is built is kept in {instead}" if instead else "nothing that is built can be kept"
        super().__init__(f"`HOYLE_CACHE` names {folder}, which cannot be used ({why}): {kept}")


def trouble() -> tuple[Path, str] | None:
    """The folder of the user's cache, and why it cannot be used; None if it can, or if no folder is known."""
    wanted = _cache()
    if wanted is None:
        return None
    try:
        prepare(wanted)
    except OSError as error:
        return wanted, _why(error)
    return None


def _tell_of_trouble() -> None:
    """Warns once if another folder than the requested one is used."""
    asked = os.environ.get("HOYLE_CACHE")
    if asked and asked not in _told:
        _told.add(asked)
        found, instead = trouble(), place()
        if found is not None:
            folder, why = found
            warnings.warn(CacheTrouble(str(folder), why, str(instead) if instead else None), stacklevel=2)


_told: set[str] = set()
"""What `HOYLE_CACHE` said, each looked at once."""


def is_kept(name: str, key: str, suffix: str) -> bool:
    """Is there an intact cached file of this name and key?"""
    return next(_found(f"{_stem(name)}-{key}", suffix), None) is not None


def place() -> Path | None:
    """The first folder of the cache that can be made and that only the user may enter; None if there is none."""
    return next(filter(_is_ready, _folders()), None)


def entries() -> list[Entry]:
    """All cached files."""
    return [entry for place in _known() for entry in _entries(place)]


def clear() -> list[Entry]:
    """Removes all cached files. Returns those that were removed."""
    return [entry for entry in entries() if _removed(entry.path)]


def _folders() -> Iterator[Path]:
    """Folders that may hold cached files, that of the user's cache first."""
    for find in (_cache, temporary_folder):
        folder = find()
        if folder is not None:
            yield folder


def _known() -> Iterator[Path]:
    """Those of the folders that exist."""
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
    """The reason in all languages, if it is known in them."""
    if isinstance(error, NotPrivate):
        return in_all("kept.others_write" if error.owned else "kept.not_yours", folder=error.folder)
    return error.strerror if isinstance(error.strerror, Said) else system_said(error)


def _found(stem: str, suffix: str) -> Iterator[Path]:
    """The intact files of that name in all folders. Damaged ones are removed."""
    for place in _known():
        for path in sorted(entry.path for entry in _entries(place, f"{stem}-")):
            if path.suffix == suffix and _is_whole(path):
                yield path
            else:
                _removed(path)


def _first_use(stem: str, suffix: str, make: Callable[[Path], object], use: Callable[[Path], Used]) -> Used:
    """Makes the file in the first folder where that works and the file can be used. Raises Refused (R911) if there is
    none."""
    troubles: list[Said] = []
    for place in _folders():
        try:
            prepare(place)
            return _made_and_used(place, stem, suffix, make, use)
        except OSError as error:
            troubles.append(in_all("kept.trouble", place=place, why=_why(error)))
    message = said("native.nowhere_kept", name=_name_in(stem))
    help = said("native.own_folder")
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
            _removed(path)
            raise
        _prune(place, path)
        return used
    raise FileNotFoundError(errno.ENOENT, in_all("kept.removed"))


def _used(path: Path, use: Callable[[Path], Used]) -> Used:
    """Raises FileNotFoundError if the file was removed meanwhile, and another OSError if it is unusable."""
    for _ in range(_LOOKS - 1):
        with suppress(OSError):
            return _used_in(path, use)
        if not path.exists():
            raise FileNotFoundError(errno.ENOENT, in_all("kept.removed"))
    return _used_in(path, use)


def _used_in(path: Path, use: Callable[[Path], Used]) -> Used:
    """Checks and uses a file in the same open folder, so that no path can be redirected between. Raises OSError, also
    if the file is damaged."""
    with hold_folder(path.parent) as folder:
        if not _has_its_bytes(folder / path.name):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return use(folder / path.name)


def _is_whole(path: Path) -> bool:
    try:
        return _used_in(path, lambda _: True)
    except OSError:
        return False


def _has_its_bytes(path: Path) -> bool:
    """Return whether only the user can have written a file, and its bytes have the digest in its name. Raises OSError."""
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
        except PermissionError:  # Windows does not replace what another process has loaded: the same bytes
            if not _is_whole(path):
                raise
    return path


def _entries(place: Path, beginning: str = "") -> Iterator[Entry]:
    """The cached files in a folder whose names begin so."""
    with suppress(OSError), os.scandir(place) as listed:  # the folder, or what is in it, may be removed meanwhile
        for item in listed:
            if item.name.startswith(beginning) and _ENTRY.fullmatch(item.name):
                with suppress(OSError):
                    found = item.stat(follow_symlinks=False)
                    yield Entry(Path(item.path), found.st_size, found.st_mtime)


def _prune(place: Path, newest: Path) -> None:
    """Removes the least recently used files until the rest is within bounds, and what killed processes left."""
    import shutil

    room = MOST
    for entry in sorted(_entries(place), key=lambda entry: (entry.path == newest, entry.used), reverse=True):
        room -= entry.size
        if room < 0 and entry.path != newest:
            _removed(entry.path)
    for folder in place.glob(f"{_MAKING}*"):
        with suppress(OSError):
            if time.time() - folder.lstat().st_mtime > _FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)


def _removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:  # gone already, or in use where files in use stay
        return False
    return True


def _stem(name: str) -> str:
    """The beginning of a file's name, made from a user's text: never a path, nor an option of a program."""
    return "-".join(re.findall(r"\w+", name, re.ASCII))[:40] or "game"


def _name_in(stem: str) -> str:
    return stem.rpartition("-")[0]
