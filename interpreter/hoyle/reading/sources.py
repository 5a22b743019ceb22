"""What a ruleset is built on: the file that a name in `extends` or `use` means."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused, Said, Source, Span, replacing, similar
from hoyle.language.sentences import said, system_said
from hoyle.reading.tree import Node, listed
from hoyle.resources import beside, language_of, ruleset_of, words_beside

_UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


@contextmanager
def unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """In here these files, by their real paths, say what is open in an editor, whatever lies on the disk."""
    before = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(before)


def unsaved_text(path: str | Path) -> str | None:
    """What a file says that is open; None of others."""
    texts = _UNSAVED.get()
    return texts.get(os.path.realpath(path)) if texts else None


def unsaved_beside(name: str, place: Path) -> Path | None:
    """The file that is open, and may not be on the disk yet, that a text in this folder names."""
    candidates = [place / name, place / f"{name}.yaml"]
    return next((path for path in candidates if os.path.realpath(path) in _UNSAVED.get()), None)


def words_of(path: Path) -> list[Path]:
    """The files that say a ruleset's words in other languages, in the order of the languages, with those that are open and not on the disk yet."""
    there, texts = words_beside(path), _UNSAVED.get()
    known, own = {os.path.realpath(words) for words in there}, os.path.realpath(path)
    others = [Path(name) for name in texts if name not in known and language_of(Path(name))]
    new = [path.with_name(other.name) for other in others if os.path.realpath(ruleset_of(other)) == own]
    return sorted([*there, *new])


def grounds(own: Node) -> list[Node]:
    """The names of what a file is built on, libraries first."""
    return [name for key in ("use", "extends") for name in listed(own.get(key)) if not name.is_null]


def found(name: Node, path: Path) -> Path:
    """The file that a name in a file means. Raises Refused."""
    file = meant(name.raw, path)
    if file is not None:
        return file
    close = similar(name.raw, packs.known())
    raise Refused(
        [
            Diagnostic(
                "R604",
                said("files.no_ruleset", name=name.raw),
                name.span,
                notes=(said("files.a_name_is"),),
                help=said("similar", close=close) if close else said("files.shipped"),
                fixes=replacing(name.span, name.raw, close),
            )
        ]
    )


def meant(name: str, path: Path) -> Path | None:
    """A file beside or below the one that names it, or one that is found by name. A file that names itself means the one whose name it has taken."""
    near = beside(name, path.parent) or unsaved_beside(name, path.parent)
    if near is None:
        return packs.named(name)
    if near.resolve() != path.resolve():
        return near
    several = [one.path.resolve() for one in packs.candidates(name)]
    hidden = several[several.index(path.resolve()) + 1 :] if path.resolve() in several else several
    return next(iter(hidden), near)


def instead_of_shipped(name: str, path: Path) -> Path | None:
    """The file that a name means in a file, where it is that of another ruleset, which is shipped. A path means what it says."""
    if packs.is_path(name) or (shipped := packs.shipped_as(name)) is None:
        return None
    near = meant(name, path)
    return near if near is not None and near.resolve() != shipped.resolve() else None


def taken_names(own: Node, path: Path) -> list[Diagnostic]:
    """A warning of each name that means another ruleset here than elsewhere."""
    return [
        Diagnostic(
            "R619",
            said("files.not_the_shipped", name=name.raw, file=near.name),
            name.span,
            help=said("files.write_the_file", name=name.raw, file=near.name),
            fixes=replacing(name.span, name.raw, near.name),
        )
        for name in grounds(own)
        if (near := instead_of_shipped(name.raw, path)) is not None
    ]


MAX_BYTES = 1_000_000


STDIN = "-"


def read(path: str | Path) -> Source:
    """The text of a file, or of standard input for `-`. Line ends become line feeds and a byte order mark goes."""
    if str(path) == STDIN:
        return _decode("<stdin>", _standard_input())
    if (text := unsaved_text(path)) is not None:
        return normalized(Source(str(path), text))
    return _decode(str(path), _bytes_of(Path(path)))


def _standard_input() -> bytes:
    return _all_of(sys.stdin.buffer)


@lru_cache(maxsize=1)
def _all_of(stream: BinaryIO) -> bytes:
    """Kept, because a stream can be read only once, and a ruleset may be opened twice: with the options that were given, and without."""
    return stream.read(MAX_BYTES + 1)


def _bytes_of(path: Path) -> bytes:
    name = str(path)
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise refusal("R001", said("no_file", name=name)) from None
    except IsADirectoryError:
        raise refusal("R002", said("a_folder", name=name), help=said("name_inside")) from None
    except (OSError, ValueError) as error:
        why = system_said(error) if isinstance(error, OSError) else said("not_a_name")
        raise refusal("R001", said("unreadable", name=name, why=why)) from None


def _decode(name: str, data: bytes) -> Source:
    refuse_large(name, len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        lines = data.count(b"\n", 0, error.start) + 1
        raise refusal("R004", said("not_utf8", name=name, line=lines), help=said("save_utf8")) from None
    return normalized(Source(name, text))


def refuse_large(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise refusal("R003", said("large_file", name=name), help=said("rules_are_short"))


def refusal(code: str, message: Said, span: Span | None = None, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, span, **more)])


def normalized(source: Source) -> Source:
    """The source without byte order mark and with line feeds only; columns are then those of every editor."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return source if text == source.text else Source(source.name, text)
