"""What is said when a deal is reckoned, as it is counted at a table: what each side took, and why it scores what it does."""

from typing import Any

import pytest
from games import game
from rules import read_cases
from spaces import spaced


@pytest.mark.whole
@pytest.mark.parametrize(("name", "given", "said"), [tuple(case) for case in read_cases("rulesets/counts")["said"]])
def test_what_is_said_of_the_count(name: str, given: dict[str, Any], said: list[str]) -> None:
    after = game(name).position({"at": "reckoning", **given})
    assert [spaced(event.text("fr")) for event in after.events if event.kind == "say"] == said


@pytest.mark.whole
@pytest.mark.parametrize("belotes", [0, 1, 2])
def test_who_has_said_belote_is_shown_so_and_others_not_at_all(belotes: int) -> None:
    state = game("belote").position(
        {
            "at": "play to the trick",
            "to_act": "A",
            "state": {"leader": "A", "bidder": "A", "trump": "hearts", "belotes of B": belotes},
            "piles": {"hand of A": "7C"},
        }
    )
    shown = {value.name: value.member for value in state.view("A").state if value.value is True}
    assert {name for name in shown if "said" in name} == {0: set(), 1: {"belote_said"}, 2: {"both_said"}}[belotes]
    assert "belotes" not in {value.name for value in state.view("A").state}
