"""No sentence of a ruleset says by hand what an option settles: it would be false as soon as the option is another."""

from pathlib import Path

import pytest
from games import names
from stated import elsewhere, excused, says, stated
from tiers import in_tiers

NAMES = [name for name, _ in names()]
MADE = """\
ruleset: 1
game: made
extends: gin-rummy
title: Made
clauses:
  GR12: {en: "Gin is worth {undercut_bonus} points.", fr: Le gin vaut vingt-cinq points.}
  GR13: {en: "The difference is scored, not 25.", fr: On marque la différence.}
  GR14: {en: "Undercut, one scores {undercut_bonus} points.", fr: "On marque {undercut_bonus} points."}
  GR18: {en: "A box is {box_bonus} points, elsewhere twenty.", fr: "{box_bonus} points par donne, ailleurs vingt.", if: ~}
  GR2: {en: "By agreement, an ace counts fifteen.", fr: Un as compte quinze., if: aces is round_the_corner}
"""


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(NAMES, whole=["gin-rummy"]))
def test_no_sentence_says_by_hand_a_number_that_an_option_settles(name: str) -> None:
    found = {f"{one.place} {one.option}": f"{one.lang}: {one.text}" for one in stated(name)}
    assert {place: text for place, text in found.items() if place not in excused("numbers", name)} == {}
    assert excused("numbers", name) - found.keys() == set(), "reasons that nothing needs any more"


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(NAMES, whole=["gin-rummy"]))
def test_no_sentence_tells_what_would_hold_if_something_else_were_agreed(name: str) -> None:
    found = {one.place: f"{one.lang}: {one.text}" for one in elsewhere(name)}
    assert {place: text for place, text in found.items() if place not in excused("agreed", name)} == {}
    assert excused("agreed", name) - found.keys() == set(), "reasons that nothing needs any more"


@pytest.mark.whole
def test_what_is_said_by_hand_is_found(tmp_path: Path) -> None:
    """Not where the number is another thing, or the clause does not hold."""
    place = tmp_path / "made.yaml"
    place.write_text(MADE, encoding="utf-8")
    assert {(one.place, one.option, one.lang) for one in stated(str(place))} == {("GR12", "gin_bonus", "fr")}
    assert {(one.place, one.lang) for one in elsewhere(str(place))} == {("GR18", "en"), ("GR18", "fr")}


@pytest.mark.parametrize(
    ("number", "lang", "text", "said"),
    [
        (10, "en", "ten points", True),
        (10, "en", "100 points, often", False),
        (25, "en", "Twenty-five of them", True),
        (5, "fr", "vingt-cinq points, 25, 0,5", False),
        (200, "fr", "deux cents points", True),
        (2, "en", "at least twice", True),
    ],
)
def test_numbers_are_known_as_they_are_written(number: int, lang: str, text: str, said: bool) -> None:
    assert says(text, number, lang) is said
