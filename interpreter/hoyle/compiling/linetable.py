"""Code objects whose instructions stand at other lines than their text: at those of the ruleset they come from.

The format is CPython's since 3.11 (`Objects/locations.md` in its sources): for each stretch of at most eight code units a byte with
the form of the entry and the length of the stretch, then the change of the line. Parsing to a tree, moving its nodes and
compiling that would take twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import CodeType

_UNIT = 2
"""Bytes of an instruction's code unit."""
_MOST_UNITS = 8
_NO_LINE, _NO_COLUMNS = 0x80 | 15 << 3, 0x80 | 13 << 3


def placed(code: CodeType, origins: Sequence[int]) -> CodeType:
    """The same code, and all code within it, with `origins[n - 1]` for line n. Columns are forgotten."""
    first = origins[code.co_firstlineno - 1]
    within = tuple(placed(c, origins) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=within, co_firstlineno=first, co_linetable=b"".join(_entries(code, origins, first)))


def _entries(code: CodeType, origins: Sequence[int], here: int) -> Iterator[bytes]:
    for start, end, line in code.co_lines():
        units = (end - start) // _UNIT
        if line:
            there = origins[line - 1]
            yield _entry(units, there - here)
            here = there
        else:
            yield _entry(units, None)


@lru_cache(maxsize=4096)
def _entry(units: int, change: int | None) -> bytes:
    """A stretch of so many code units, and the change of the line before it."""
    found = bytearray()
    for left in range(units, 0, -_MOST_UNITS):
        length = min(_MOST_UNITS, left) - 1
        if change is None:
            found.append(_NO_LINE | length)
        else:
            found += bytes([_NO_COLUMNS | length, *_signed(change)])
            change = 0
    return bytes(found)


def _signed(value: int) -> Iterator[int]:
    """Six bits a byte, the lowest first; the seventh says that more follow. The lowest bit of all is the sign."""
    left = -value << 1 | 1 if value < 0 else value << 1
    while left >= 64:
        yield 0x40 | left & 63
        left >>= 6
    yield left
