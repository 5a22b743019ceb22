"""Source map of scalars: offsets in the file for each character, in every YAML style."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hoyle.diagnostics import Span

_DOUBLE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|\n[ \t]*|(?P<one>.))|.", re.S
)
_SINGLE = re.compile(r"''|.", re.S)
_ANY = re.compile(r".", re.S)
_ESCAPES = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))

_Map = tuple[tuple[int, ...], tuple[int, ...]]
"""Offset in the file of each character of the text, and of its end."""


def stretch_of(whole: Span, raw: str, style: str, first: int, last: int) -> Span:
    """The span of `raw[first:last]`, which stands at `whole`; the whole where the text is not the one that is written there."""
    shift = plain_shift(whole, raw, style)
    if shift is not None:
        return Span(whole.source, whole.start + shift + first, whole.start + shift + last)
    found = _map_of(whole, raw, style)
    if found is None:
        return whole
    starts, ends = found
    begin = starts[first]
    return Span(whole.source, begin, ends[last - 1] if last > first else begin)


@lru_cache(maxsize=512)
def plain_shift(whole: Span, raw: str, style: str) -> int | None:
    """How far behind the start of its span a text stands that is written as it reads; None for any other."""
    text = whole.text
    if text == raw:
        return 0
    return 1 if style in ("'", '"') and text[1:-1] == raw else None


@lru_cache(maxsize=512)
def _map_of(whole: Span, raw: str, style: str) -> _Map | None:
    """None where something else stands there. White space is only where it is about: YAML folds it."""
    written, at = list(_written(whole, style)), 0
    starts, ends = list[int](), list[int]()
    for letter in raw:
        while not letter.isspace() and at < len(written) and written[at][0].isspace():
            at += 1
        there, start, end = written[at] if at < len(written) else (" ", whole.end, whole.end)
        if letter.isspace() != there.isspace():
            if not letter.isspace():
                return None
            end = start
        elif letter != there and not letter.isspace():
            return None
        else:
            at += 1
        starts.append(start)
        ends.append(end)
    return (*starts, ends[-1] if ends else whole.start), tuple(ends)


def _written(whole: Span, style: str) -> Iterator[tuple[str, int, int]]:
    """Each character that is written, without what only YAML reads, with where it begins and ends."""
    text, low, high = whole.source.text, whole.start, whole.end
    if style in ("'", '"') and text[low] == style:
        low, high = low + 1, high - 1
    elif style in ("|", ">"):
        low = text.find("\n", low, high) + 1 or high
    for found in {'"': _DOUBLE, "'": _SINGLE}.get(style, _ANY).finditer(text, low, high):
        letter = found[0]
        if style == '"' and letter[0] == "\\":
            number = found["x"] or found["u"] or found["U"]
            if number is None and found["one"] is None:
                continue  # a line that goes on
            letter = chr(int(number, 16)) if number else _ESCAPES.get(found["one"], found["one"])
        yield letter[0], found.start(), found.end()
