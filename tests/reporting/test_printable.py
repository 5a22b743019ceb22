"""Printable text: no control characters, whatever was given."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.printable import printable, printable_lines, width

OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb\x9bc", "a\\x1b[31mb\\x9bc"),
        ("a\nb\tc\u2028d", "a b c d"),
        ("abc\u202etxt.exe", "abc\\u202etxt.exe"),
        ("\ud800", "\\ud800"),
        ("10\u202f000 € « voilà » ♠ 名前 e\u0301", "10\u202f000 € « voilà » ♠ 名前 e\u0301"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_keep_their_ends_and_colours_if_asked_for() -> None:
    text = "a\x1b[31mb\x1b[0m\nc\x1b[2Jd\r"
    assert printable_lines(text) == "a\\x1b[31mb\\x1b[0m\nc\\x1b[2Jd "
    assert printable_lines(text, colours=True) == "a\x1b[31mb\x1b[0m\nc\\x1b[2Jd "


@pytest.mark.whole
@given(st.text())
def test_no_control_characters_are_left(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not {unicodedata.bidirectional(c) for c in shown} & OVERRIDES
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("é", 1), ("e\u0301", 1), ("漢", 2), ("\x1b[31mx\x1b[0m", 1)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
