"""Capabilities of the terminal, and text that fits them: ASCII, columns of at most `WIDTH`."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    pass


_PLAIN = str.maketrans(
    {"—": "-", "–": "-", "−": "-", "…": "...", "«": '"', "»": '"', "’": "'", "→": "->", "œ": "oe", "\u00a0": " "}
    | {"Œ": "Oe", "æ": "ae", "Æ": "Ae", "“": '"', "”": '"', "‘": "'", "±": "+/-", "×": "x", "·": ".", "§": "s."}
    | {"↔": "<->", "←": "<-", "≤": "<=", "≥": ">=", "✓": "x", "✗": "-", "─": "-", "━": "=", "▒": "#", "▶": ">"}
    | {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "○": ".", "●": "o"}
)


_plainly: list[bool] = []


def use_ascii() -> None:
    """Restrict all output to ASCII."""
    _plainly.append(True)


def fit_encoding(text: str, stream: TextIO) -> str:
    """Return the text in characters that the stream can encode."""
    if not _plainly and not can_encode(stream, text):
        text = text.replace("\u202f", "\u00a0")  # the narrow space is younger than most encodings
    return to_ascii(text) if _plainly or not can_encode(stream, text) else text


def can_encode(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "utf-8", "surrogateescape")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def to_ascii(text: str) -> str:
    """Drop accents and replace typographic signs."""
    bare = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c for c in bare if not unicodedata.combining(c))


def has_colours(stream: TextIO | None = None) -> bool:
    """Return whether a stream is a terminal with colours and `NO_COLOR` is not set."""
    stream = stream or sys.stdout
    return bool(
        stream and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")
    )


def has_unicode(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether suits and frames can be drawn: the encoding has them and the locale is not `C`."""
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    return locale not in ("C", "POSIX") and can_encode(sys.stdout, "♠▒─▶")


def format_columns(rows: Sequence[Sequence[str]], widths: Sequence[int], sides: str) -> list[str]:
    """Format rows as aligned lines. Columns have a minimum width and grow with their contents."""
    wide = [max(least, *(len(row[n]) for row in rows)) for n, least in enumerate(widths)]
    cells = ([f"{text:{side}{width}}" for text, side, width in zip(row, sides, wide, strict=True)] for row in rows)
    return ["  " + "  ".join(row).rstrip() for row in cells]


WIDTH = 80


def format_table(rows: Sequence[tuple[str, str]], indent: int = 2, most: int = 26) -> list[str]:
    """Format two columns and wrap the second. A first cell wider than `most` gets its own line."""
    wide = min(max(len(left) for left, _ in rows), most) + 2
    lines: list[str] = []
    for left, right in rows:
        wrapped = textwrap.wrap(right, WIDTH - indent - wide) or [""]
        if len(left) > most:
            lines.append(" " * indent + left)
            left = ""
        lines.append((" " * indent + left.ljust(wide) + wrapped[0]).rstrip())
        lines += [" " * (indent + wide) + line for line in wrapped[1:]]
    return lines
