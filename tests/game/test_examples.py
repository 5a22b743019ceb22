"""What is said of examples that do not hold, letter for letter; and that what holds is told of none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from untranslated import left_in_english

from interpreter.game.examples import run
from interpreter.reporting import report

FOLDER = Path(__file__).parent / "scenes"


@pytest.mark.parametrize("name", ["expected", "bargain", "together", "fewer", "again"])
def test_what_does_not_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wanted change, run with UPDATE_GOLDEN=1 and read the difference."""
    monkeypatch.chdir(FOLDER)
    told = run(f"{name}.yaml")
    found = "".join(
        f"{o.name}: {'holds' if o.passed else 'does not hold'}\n{report.text(o.problems)}\n" for o in told.outcomes
    )
    if os.environ.get("UPDATE_GOLDEN"):
        Path(f"{name}.out").write_text(found, encoding="utf-8")
    assert found == Path(f"{name}.out").read_text(encoding="utf-8")
    assert not left_in_english(problem for o in told.outcomes for problem in o.problems)


def test_which_rules_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    inherited, own = run("expected.yaml", coverage=True), run("ladder.yaml", coverage=True)
    assert inherited.rules == () and not inherited.passed, "the rules of the file itself, and it has none"
    assert inherited.reached["move", "climb"] > 0 and inherited.reached.get(("obligation", "no circle"), 0) == 0
    assert own.unreached == list(own.rules) and own.passed, "without examples nothing is reached"
    assert own.rules[0] == ("move", "climb") and ("obligation", "climb first") in own.rules
