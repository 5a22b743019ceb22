"""Make text safe to show: remove characters that terminals obey or that reorder others, and measure its width."""

from __future__ import annotations

import re
import unicodedata

# Controls, marks and overrides of direction, what takes no space and is not seen, and halves of characters
UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_LONGEST_IN_CODE = 60
_COLOUR = r"\x1b\[[0-9;]*m"
_BLANK = re.compile(r"[\t-\r\x85\u2028\u2029]")


def in_code(text: str, also: str = "") -> str:
    """Make a name from outside safe for generated C and Python: only ASCII letters, digits, `_` and `also` are kept.

    Every other character becomes `_`; of a long text the last 60 characters are used. Names of games, phases, terms and variables
    reach generated code through this function only, those of files through `file_in_code`.
    """
    return re.sub(rf"[^0-9A-Za-z_{re.escape(also)}]", "_", text[-_LONGEST_IN_CODE:])


def file_in_code(file: str) -> str:
    """The name of a file, without its folder, for generated code."""
    return in_code(re.split(r"[/\\]", file)[-1], ".-")


def printable(text: str) -> str:
    """Put a text on one line and escape what a terminal would obey."""
    return UNPRINTABLE.sub(_shown, text)


def printable_lines(text: str, colours: bool = False) -> str:
    """Escape what a terminal would obey, except line feeds and, if asked, colours."""
    kept = f"\n|{_COLOUR}" if colours else "\n"
    return re.sub(f"({kept})|{UNPRINTABLE.pattern}", lambda found: found[1] or _shown(found), text)


def _shown(found: re.Match[str]) -> str:
    return " " if _BLANK.match(found[0]) else ascii(found[0])[1:-1]


def width(text: str) -> int:
    """The columns that a text takes, without colour codes."""
    bare = re.sub(_COLOUR, "", text)
    if bare.isascii():
        return len(bare)
    return sum(map(_columns, bare))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
