"""Text of rulesets from files, standard input or unsaved editor buffers, and the files that `extends`, `use` and translations name."""

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
from hoyle.diagnostics import Diagnostic, LocalizedText, Refused, Source, Span, build_replacement, find_close_name
from hoyle.language.sentences import describe_os_error, make_message
from hoyle.reading.tree import Node, list_items
from hoyle.resources import find_beside, language_of, ruleset_of, words_beside

MAX_BYTES = 1_000_000
STDIN = "-"


# ---- texts -----------------------------------------------------------------------------------------------------------


def read(path: str | Path) -> Source:
    """Read a file, or standard input for `-`, with line feeds only and without byte order mark. Raises Refused."""
    if str(path) == STDIN:
        return _decode("<stdin>", _read_stream(sys.stdin.buffer))
    if (text := unsaved_text(path)) is not None:
        return normalize(Source(str(path), text))
    return _decode(str(path), _read_bytes(Path(path)))


@lru_cache(maxsize=1)
def _read_stream(stream: BinaryIO) -> bytes:
    """Cached, because a stream can be read once, and a ruleset may be read twice: with the given options, and without."""
    return stream.read(MAX_BYTES + 1)


def _read_bytes(path: Path) -> bytes:
    name = str(path)
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise refusal("R001", make_message("no_file", name=name)) from None
    except IsADirectoryError:
        raise refusal("R002", make_message("a_folder", name=name), help=make_message("name_inside")) from None
    except (OSError, ValueError) as error:
        why = describe_os_error(error) if isinstance(error, OSError) else make_message("not_a_name")
        raise refusal("R001", make_message("unreadable", name=name, why=why)) from None


def _decode(name: str, data: bytes) -> Source:
    refuse_large(name, len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal("R004", make_message("not_utf8", name=name, line=line), help=make_message("save_utf8")) from None
    return normalize(Source(name, text))


def normalize(source: Source) -> Source:
    """Remove the byte order mark and make all line ends line feeds, so that columns are those of every editor."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return source if text == source.text else Source(source.name, text)


def refuse_large(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise refusal("R003", make_message("large_file", name=name), help=make_message("rules_are_short"))


def refusal(code: str, message: LocalizedText, span: Span | None = None, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, span, **more)])


# ---- unsaved texts ---------------------------------------------------------------------------------------------------

_UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))
"""Texts by real path."""


@contextmanager
def unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """Read these texts, by real path, instead of the files on disk, which need not exist."""
    before = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(before)


def unsaved_text(path: str | Path) -> str | None:
    """The unsaved text of a file; None if it has none."""
    texts = _UNSAVED.get()
    return texts.get(os.path.realpath(path)) if texts else None


def words_of(path: Path) -> list[Path]:
    """The translation files of a ruleset, in the order of their languages; unsaved ones need not be on disk."""
    saved, texts = words_beside(path), _UNSAVED.get()
    known, own = {os.path.realpath(words) for words in saved}, os.path.realpath(path)
    others = [Path(name) for name in texts if name not in known and language_of(Path(name))]
    new = [path.with_name(other.name) for other in others if os.path.realpath(ruleset_of(other)) == own]
    return sorted([*saved, *new])


# ---- dependencies ----------------------------------------------------------------------------------------------------


def dependency_names(own: Node) -> list[Node]:
    """The names in `use` and `extends`, libraries first."""
    return [name for key in ("use", "extends") for name in list_items(own.get(key)) if not name.is_null]


def find_dependency(name: Node, path: Path) -> Path:
    """The file that a name in the file `path` means. Raises Refused (R604)."""
    file = locate(name.raw, path)
    if file is not None:
        return file
    close = find_close_name(name.raw, packs.list_known())
    help = make_message("similar", close=close) if close else make_message("files.shipped")
    message, notes = make_message("files.no_ruleset", name=name.raw), (make_message("files.a_name_is"),)
    raise refusal(
        "R604", message, name.span, notes=notes, help=help, fixes=build_replacement(name.span, name.raw, close)
    )


def locate(name: str, path: Path) -> Path | None:
    """The file that a name means: one beside or below `path`, else a pack of that name. A file that names itself means the one it hides."""
    place, unsaved_texts = path.parent, _UNSAVED.get()
    candidates = (place / name, place / f"{name}.yaml")
    near = find_beside(name, place) or next((p for p in candidates if os.path.realpath(p) in unsaved_texts), None)
    if near is None:
        return packs.find(name)
    own = path.resolve()
    if near.resolve() != own:
        return near
    several = [pack.path.resolve() for pack in packs.candidates(name)]
    hidden = several[several.index(own) + 1 :] if own in several else several
    return next(iter(hidden), near)


def shadowing_file(name: str, path: Path) -> Path | None:
    """The file that a name means in the file `path`, if it hides a shipped ruleset. Paths hide nothing."""
    if packs.is_path(name) or (shipped := packs.shipped_as(name)) is None:
        return None
    near = locate(name, path)
    return near if near is not None and near.resolve() != shipped.resolve() else None


def shadowing_warnings(own: Node, path: Path) -> list[Diagnostic]:
    """A warning (R619) for each dependency whose name means another ruleset here than elsewhere."""
    return [
        Diagnostic(
            "R619",
            make_message("files.not_the_shipped", name=name.raw, file=near.name),
            name.span,
            help=make_message("files.write_the_file", name=name.raw, file=near.name),
            fixes=build_replacement(name.span, name.raw, near.name),
        )
        for name in dependency_names(own)
        if (near := shadowing_file(name.raw, path)) is not None
    ]
