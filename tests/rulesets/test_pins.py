"""Pins the random games of every shipped game, so that an unintended change of play shows.

    UPDATE_PINS=1 pytest -n 0 tests/rulesets/test_pins.py

writes `pins.json` anew, after a rule was changed on purpose; the commit says which and why.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest
from games import FEW, loaded, names
from tiers import in_tiers

from hoyle.game.game import State, load
from hoyle.game.records.records import record_lines
from hoyle.web.shelf import describe_options

PINS = Path(__file__).parent / "pins.json"
GAMES = [name for name, _ in names()]
HOW = "UPDATE_PINS=1 pytest -n 0 tests/rulesets/test_pins.py -k {}"
"""The command that writes the pin of a game anew."""
LONGEST = 300
"""Decisions of each game that are looked at."""


TOLD = ("as", "of")
"""Keys of a record that only help people to follow. Announcements are lines of their own."""


def pin(name: str) -> str:
    """Hash all events of a random game, as its record has them, without explanations."""
    game = loaded(name)
    core, _ = game.machine.playout(2026, 0, log=True, most=LONGEST)
    happened = [json.loads(line) for line in list(record_lines(State(game, core), None))[1:]]
    played = [{key: value for key, value in one.items() if key not in TOLD} for one in happened if "say" not in one]
    return hashlib.sha256(json.dumps(played).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    "name",
    in_tiers(
        GAMES,
        ["hearts", "klondike"],
        {*FEW, "freecell", "garanguet", "gin-rummy", "grabuge", "piquet", "scopa", "spades"},
    ),
)
def test_games_are_as_they_were(name: str) -> None:
    pins = json.loads(PINS.read_text(encoding="utf-8")) if PINS.exists() else {}
    if os.environ.get("UPDATE_PINS"):
        PINS.write_text(json.dumps(dict(sorted({**pins, name: pin(name)}.items())), indent=1) + "\n", encoding="utf-8")
    else:
        assert pin(name) == pins.get(name), f"if that is meant: {HOW.format(name)}"


@pytest.mark.quick
def test_every_game_has_a_pin_and_every_pin_is_a_game() -> None:
    pins = json.loads(PINS.read_text(encoding="utf-8"))
    assert [name for name in GAMES if name not in pins] == [], f"for each: {HOW.format('NAME')}"
    assert [name for name in pins if name not in GAMES] == [], f"take them out of {PINS.name}"


@pytest.mark.slow
def test_options_without_effect_are_not_listed_and_change_no_game() -> None:
    """No contract of this variant has trumps or a sequence, so options about them change nothing."""
    base, name = loaded("barbu-32").ruleset, "barbu-32"
    assert " ".join(sorted(base.idle)) == (
        "head_trumps must_ruff naming opening_rank reussite_end reussite_ends undertrump"
    )
    assert not base.idle & {option["name"] for option in describe_options(base, "en")}
    settings = [
        (o.name, value) for o in base.options.values() for value in o.choices or (True, False) if o.name in base.idle
    ]
    games = [load(name, {option: value}) for option, value in settings if value != "ace_low"]
    assert len({repr(one.machine.playout(2026, 0, log=True, most=LONGEST)[0].log) for one in games}) == 1
