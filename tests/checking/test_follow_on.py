"""An error in an argument is reported there, not in the term that is called with it."""

from pathlib import Path

import pytest
from games import FEW, game
from tiers import some_now

from hoyle import Refused, validate
from hoyle.game.values import check_formula

WRONG = "cards(1, 2, 3)"
"""A call of unknown type."""


def called_wrongly(name: str) -> list[str]:
    """List calls of every term with parameters, each with a mistake in an argument."""
    terms = game(name).ruleset.terms.values()
    return [f"{t.name}({', '.join([WRONG] * len(t.parameters))})" for t in terms if t.parameters]


def blamed(name: str, call: str) -> list[tuple[str, str]]:
    """List the problems outside the call."""
    with pytest.raises(Refused) as refused:
        check_formula(game(name).compiled, call, True)
    return [(d.code, d.message) for d in refused.value.diagnostics if d.span and d.span.text != WRONG]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["piquet", "hearts", *FEW], 1))
def test_a_mistake_in_an_argument_is_not_reported_in_the_term(name: str) -> None:
    calls = called_wrongly(name)
    assert calls or name == "yams"
    assert not {call: found for call in calls if (found := blamed(name, call))}


@pytest.mark.whole
def test_a_name_of_a_move_is_not_unknown_where_a_mistake_hides_that_moves_are_meant(tmp_path: Path) -> None:
    text = "terms:\n  all_penalties: 26 + (if cards(1, 2) is pass_cards then 1 else 0)\n"
    place = tmp_path / "variant.yaml"
    place.write_text(f"ruleset: 1\ngame: variant\nextends: hearts\n{text}", encoding="utf-8")
    assert [d.code for d in validate([place]) if d.severity == "error"] == ["R403"]
