"""TITLE"""

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


def plainly() -> None:
    """From now on nothing outside ASCII, also where the stream could take it."""
    _plainly.append(True)


def fitted(text: str, stream: TextIO) -> str:
    """The text as this stream may have it."""
    if not _plainly and not encodes(stream, text):
        text = text.replace("\u202f", "\u00a0")  # the narrow space is younger than most encodings
    return plain(text) if _plainly or not encodes(stream, text) else text


def encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "utf-8", "surrogateescape")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plain(text: str) -> str:
    """The text in ASCII as far as that is possible: accents dropped, typographic signs replaced."""
    bare = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c for c in bare if not unicodedata.combining(c))


def colours(stream: TextIO | None = None) -> bool:
    """Colours only on a terminal that has them, and not where `NO_COLOR` is set."""
    stream = stream or sys.stdout
    return bool(
        stream and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")
    )


def unicode_terminal(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether suits and frames can be drawn: the encoding has them and the locale is not the bare `C`."""
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    return locale not in ("C", "POSIX") and encodes(sys.stdout, "♠▒─▶")


def columns(rows: Sequence[Sequence[str]], widths: Sequence[int], sides: str) -> list[str]:
    """Rows as lines: each column at least as wide as it is wont to be, and wider if something in it is, so that nothing touches."""
    wide = [max(least, *(len(row[n]) for row in rows)) for n, least in enumerate(widths)]
    cells = ([f"{text:{side}{width}}" for text, side, width in zip(row, sides, wide, strict=True)] for row in rows)
    return ["  " + "  ".join(row).rstrip() for row in cells]


WIDTH = 80


def table(rows: Sequence[tuple[str, str]], indent: int = 2, most: int = 26) -> list[str]:
    """Two columns, the second wrapped; a first cell that is too wide stands on its own line."""
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
