"""Whole numbers as people write them, wherever one may be typed."""

import pytest
from rules import find_rules

from hoyle import load
from hoyle.diagnostics import Refused
from hoyle.language.syntax import parse_integer

LONG = "9" * 5000
NO_NUMBERS = ("", "-", "--1", "+1", "²", "٣", "1.0", "1e3", " 1", "1_000", "0x1", "9" * 19, LONG, f"-{LONG}")


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("-12", -12), ("9" * 18, 10**18 - 1), *((text, None) for text in NO_NUMBERS)],
)
def test_a_text_is_a_whole_number_or_none(text: str, number: int | None) -> None:
    assert parse_integer(text) == number


@pytest.mark.whole
def test_options_and_players_are_such_numbers() -> None:
    ruleset = find_rules("language/packs")
    assert load(ruleset, {"decks": "2", "players": "3"}).options == {"decks": 2, "players": 3}
    for option in ("decks", "players"):
        for text in ("", "٣", "1.0", LONG, f"-{LONG}"):
            with pytest.raises(Refused) as refused:
                load(ruleset, {option: text})
            assert {d.code for d in refused.value.diagnostics} <= {"R611", "R610"}
