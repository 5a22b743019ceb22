"""Whole numbers as people write them, outside formulas."""

from __future__ import annotations

MOST_DIGITS = 18
"""More are a mistake, and slow to read."""


def whole(text: str) -> int | None:
    """The number that is written in plain digits, with or without `-`; None if it is none, or longer than any that is meant."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None
