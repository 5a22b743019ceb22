"""Letters as lines, so that no font is needed: 100 high, from the upper left corner, drawn with a round pen.

The baseline is at 92. An accented letter is its letter with a stroke."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from hoyle.pictures.svg import format_number

PEN = 16.0
"""Width of the pen of indices, in hundredths of their height."""
SPACE = 6.0
"""Width between two letters."""


class Letter(Struct, frozen=True):
    width: float
    lines: str


_CAPITALS = {
    "A": (62, "M7 92L31 8L55 92M15 64H47"),
    "B": (60, "M11 8V92H32C45 92 52 82 52 69S44 47 32 47H11M32 47C42 47 48 39 48 28S42 8 32 8H11"),
    "C": (60, "M53 27C49 14 41 8 32 8C17 8 9 26 9 50S17 92 32 92C42 92 50 85 53 72"),
    "D": (62, "M11 8V92H27C44 92 53 76 53 50S44 8 27 8Z"),
    "E": (56, "M49 8H11V92H50M11 48H43"),
    "F": (54, "M49 8H11V92M11 50H43"),
    "G": (63, "M53 25C49 14 42 8 33 8C17 8 9 26 9 50S17 92 33 92C43 92 54 84 54 70V54H36"),
    "H": (63, "M11 8V92M52 8V92M11 48H52"),
    "I": (22, "M11 8V92"),
    "J": (52, "M42 8V66C42 83 37 92 26 92C15 92 10 85 8 73"),
    "K": (60, "M11 8V92M51 8L11 60M26 42L53 92"),
    "L": (54, "M11 8V92H49"),
    "M": (72, "M11 92V8L36 62L61 8V92"),
    "N": (62, "M11 92V8L51 92V8"),
    "O": (66, "M33 8C17 8 9 26 9 50S17 92 33 92S57 74 57 50S49 8 33 8Z"),
    "P": (58, "M11 92V8H31C43 8 51 18 51 31S43 54 31 54H11"),
    "Q": (66, "M33 8C17 8 9 26 9 50S17 92 33 92S57 74 57 50S49 8 33 8ZM38 66L58 95"),
    "R": (60, "M11 92V8H31C43 8 51 18 51 30S43 52 31 52H11M31 52L53 92"),
    "S": (
        59,
        "M50 25C47 14 40 8 30 8C18 8 11 16 11 27C11 39 20 44 31 48C43 52 51 57 51 70C51 84 43 92 31 92C19 92 11 86 8 74",
    ),
    "T": (60, "M7 8H53M30 8V92"),
    "U": (62, "M11 8V64C11 82 19 92 31 92S51 82 51 64V8"),
    "V": (62, "M7 8L31 92L55 8"),
    "W": (82, "M7 8L24 92L41 26L58 92L75 8"),
    "X": (60, "M9 8L51 92M51 8L9 92"),
    "Y": (60, "M7 8L30 50L53 8M30 50V92"),
    "Z": (60, "M10 8H51L9 92H52"),
}
_FIGURES = {
    "0": (60, "M30 8C15 8 9 26 9 50S15 92 30 92S51 74 51 50S45 8 30 8Z"),
    "1": (60, "M15 25L34 8V92"),
    "2": (60, "M10 30C11 16 19 8 30 8S50 16 50 30C50 41 44 50 35 60L9 92H52"),
    "3": (
        60,
        "M10 24C12 14 20 8 30 8C41 8 49 16 49 28C49 40 41 47 30 47H24H30C43 47 51 56 51 69C51 83 42 92 29 92C19 92 11 86 8 75",
    ),
    "4": (60, "M41 92V8L8 67H54"),
    "5": (60, "M48 8H15L11 47C16 41 23 38 30 38C43 38 51 49 51 64C51 81 42 92 29 92C19 92 11 86 8 76"),
    "6": (
        60,
        "M46 20C43 12 38 8 31 8C16 8 9 26 9 55C9 78 16 92 30 92C43 92 51 81 51 66C51 52 43 42 31 42C20 42 11 50 9 60",
    ),
    "7": (60, "M9 8H51L24 92"),
    "8": (
        60,
        "M30 47C19 47 11 39 11 28S19 8 30 8S49 17 49 28S41 47 30 47C17 47 8 57 8 69S17 92 30 92S52 82 52 69S43 47 30 47Z",
    ),
    "9": (
        60,
        "M14 80C17 88 22 92 29 92C44 92 51 74 51 45C51 22 44 8 30 8C17 8 9 19 9 34C9 48 17 58 29 58C40 58 49 50 51 40",
    ),
}
_SMALL = {
    "a": (54, "M44 36V92M44 60C44 45 37 36 26 36C15 36 9 47 9 64S15 92 26 92C37 92 44 83 44 68"),
    "b": (54, "M10 6V92M10 60C10 45 17 36 28 36C39 36 45 47 45 64S39 92 28 92C17 92 10 83 10 68"),
    "c": (50, "M43 48C40 40 35 36 28 36C16 36 9 47 9 64S16 92 28 92C35 92 40 88 43 80"),
    "d": (54, "M44 6V92M44 60C44 45 37 36 26 36C15 36 9 47 9 64S15 92 26 92C37 92 44 83 44 68"),
    "e": (52, "M9 63H43C43 46 37 36 27 36C16 36 9 47 9 64S16 92 28 92C35 92 40 88 43 81"),
    "f": (36, "M34 8C24 5 17 10 17 22V92M5 38H32"),
    "g": (
        54,
        "M44 36V100C44 112 37 118 26 118C19 118 14 116 11 111M44 60C44 45 37 36 26 36C15 36 9 47 9 63S15 90 26 90C37 90 44 82 44 68",
    ),
    "h": (54, "M10 6V92M10 58C12 44 19 36 28 36C38 36 44 43 44 56V92"),
    "i": (20, "M10 36V92M10 13V14"),
    "j": (22, "M12 36V102C12 112 8 117 1 117M12 13V14"),
    "k": (50, "M10 6V92M43 36L10 68M22 57L45 92"),
    "l": (20, "M10 6V92"),
    "m": (82, "M10 36V92M10 56C12 43 18 36 26 36C35 36 41 43 41 56V92M41 56C43 43 49 36 57 36C66 36 72 43 72 56V92"),
    "n": (54, "M10 36V92M10 57C12 44 19 36 28 36C38 36 44 43 44 56V92"),
    "o": (56, "M28 36C16 36 9 47 9 64S16 92 28 92S47 81 47 64S40 36 28 36Z"),
    "p": (54, "M10 36V118M10 60C10 45 17 36 28 36C39 36 45 47 45 64S39 92 28 92C17 92 10 83 10 68"),
    "q": (54, "M44 36V118M44 60C44 45 37 36 26 36C15 36 9 47 9 64S15 92 26 92C37 92 44 83 44 68"),
    "r": (38, "M10 36V92M10 58C12 44 20 36 34 37"),
    "s": (
        48,
        "M39 46C37 39 32 36 25 36C17 36 11 41 11 49C11 57 17 60 25 63C34 66 40 69 40 78C40 87 34 92 25 92C16 92 11 88 9 81",
    ),
    "t": (38, "M18 16V76C18 88 24 93 34 90M5 38H33"),
    "u": (54, "M10 36V72C10 85 16 92 26 92C35 92 42 84 44 70M44 36V92"),
    "v": (50, "M7 36L25 92L43 36"),
    "w": (74, "M7 36L22 92L37 46L52 92L67 36"),
    "x": (50, "M8 36L42 92M42 36L8 92"),
    "y": (50, "M7 36L26 90M43 36L22 106C19 114 14 118 7 117"),
    "z": (48, "M9 38H39L9 90H40"),
}
_SIGNS = {
    " ": (30, ""),
    ".": (22, "M11 91V92"),
    ",": (22, "M12 90L8 104"),
    ":": (22, "M11 46V47M11 90V91"),
    ";": (22, "M11 46V47M12 90L8 104"),
    "·": (26, "M13 55V56"),
    "…": (70, "M11 91V92M35 91V92M59 91V92"),
    "!": (22, "M11 8V66M11 91V92"),
    "?": (52, "M9 28C11 15 17 8 26 8S44 15 44 27C44 42 26 43 26 66M26 91V92"),
    "'": (20, "M10 8V28"),
    "’": (20, "M11 8L8 28"),
    "‘": (20, "M12 8L9 28"),
    "“": (34, "M12 8L9 28M25 8L22 28"),
    "”": (34, "M11 8L8 28M25 8L22 28"),
    "♠": (
        80,
        "M40 8C46 24 66 36 66 56C66 72 48 74 42 62C43 76 46 84 52 92H28C34 84 37 76 38 62C32 74 14 72 14 56C14 36 34 24 40 8Z",
    ),
    "♥": (80, "M40 92C34 74 10 60 10 34C10 10 36 8 40 30C44 8 70 10 70 34C70 60 46 74 40 92Z"),
    "♦": (72, "M36 8L64 50L36 92L8 50Z"),
    "♣": (
        80,
        "M40 8C56 8 60 28 48 38C64 34 72 50 66 60C58 72 44 66 42 58C43 74 46 84 52 92H28C34 84 37 74 38 58C36 66 22 72 14 60C8 50 16 34 32 38C20 28 24 8 40 8Z",
    ),
    "-": (40, "M8 58H32"),
    "–": (56, "M6 58H50"),
    "—": (76, "M6 58H70"),
    "−": (60, "M10 54H50"),
    "+": (60, "M10 54H50M30 34V74"),
    "=": (60, "M10 44H50M10 66H50"),
    "/": (44, "M6 100L38 2"),
    "(": (32, "M26 2C12 22 12 82 26 102"),
    ")": (32, "M6 2C20 22 20 82 6 102"),
    "%": (
        76,
        "M60 8L16 92M18 10C11 10 8 16 8 26S11 42 18 42S28 36 28 26S25 10 18 10ZM58 58C51 58 48 64 48 74S51 90 58 90S68 84 68 74S65 58 58 58Z",
    ),
    "×": (56, "M12 38L44 76M44 38L12 76"),
    "→": (80, "M8 56H72M52 36L72 56L52 76"),
    "✓": (70, "M8 54L28 88L62 14"),
    "*": (46, "M23 8V48M6 18L40 38M40 18L6 38"),
    "«": (60, "M28 40L10 62L28 84M50 40L32 62L50 84"),
    "»": (60, "M10 40L28 62L10 84M32 40L50 62L32 84"),
    "½": (90, "M10 20L20 10V48M70 8L20 92M52 62C54 54 60 52 66 52C82 54 80 66 70 74L52 92H84"),
    "œ": (
        86,
        "M28 36C16 36 9 47 9 64S16 92 28 92S44 81 44 64S40 36 28 36ZM44 63H78C78 46 72 36 62 36C51 36 44 47 44 64S51 92 63 92C70 92 75 88 78 81",
    ),
    "Œ": (94, "M33 8C17 8 9 26 9 50S17 92 33 92H86M33 8H86M50 8V92M50 48H80"),
}
_CEDILLA = "\u0327"
_ACCENTS = {
    "\u0301": "M-6-8L8-24",
    "\u0300": "M6-8L-8-24",
    "\u0302": "M-14-8L0-24L14-8",
    "\u0308": "M-11-16V-15M11-16V-15",
    _CEDILLA: "M2 92L-3 112",
}
"""Strokes by combining character, relative to the middle of a letter and its top; the cedilla below it."""
_KNOWN = {sign: Letter(*drawn) for table in (_CAPITALS, _FIGURES, _SMALL, _SIGNS) for sign, drawn in table.items()}
_LOW = 30.0
"""Offset of accents on small letters."""
_STEP = re.compile(r"([MLCSHVZ])|(-?[\d.]+)")


@lru_cache(maxsize=1024)
def outline_text(text: str) -> Letter | None:
    """Return a text as lines; None if it has a character that is not drawn here."""
    x, lines = 0.0, list[str]()
    for sign in unicodedata.normalize("NFC", text):
        found = _find_letter(sign)
        if found is None:
            return None
        lines.append(shift_lines(found.lines, x, 0))
        x += found.width + SPACE
    return Letter(max(0.0, x - SPACE), "".join(lines))


def _find_letter(sign: str) -> Letter | None:
    """Return a letter, composed of its base and accents if needed."""
    if sign in _KNOWN:
        return _KNOWN[sign]
    if sign.isspace():
        return _KNOWN[" "]
    base, *accents = list(unicodedata.normalize("NFD", sign))
    if base not in _KNOWN or not all(accent in _ACCENTS for accent in accents):
        return None
    letter = _KNOWN[base]
    body = "M10 36V92" if base == "i" and accents else letter.lines  # instead of its dot
    down = _LOW if base.islower() else 0.0
    over = (shift_lines(_ACCENTS[one], letter.width / 2, 0 if one == _CEDILLA else down) for one in accents)
    return Letter(letter.width, body + "".join(over))


def shift_lines(lines: str, x: float, y: float) -> str:
    """Move path data to the right and down."""
    found, command, place = list[str](), "", 0
    for said, figure in _STEP.findall(lines):
        if said:
            command, place = said, 0
            found.append(said)
            continue
        down = command == "V" or (command != "H" and place % 2)
        separator = " " if place else ""
        found.append(separator + format_number(float(figure) + (y if down else x)))
        place += 1
    return "".join(found)
