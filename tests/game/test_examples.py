"""Problems of examples that do not hold, and the rules that examples reach."""

import os
from pathlib import Path

import pytest
from untranslated import left_in_english

from hoyle.diagnostics import Diagnostic
from hoyle.game.examples.examples import run_examples

FOLDER = Path(__file__).parent / "scenes"


def told(problem: Diagnostic) -> str:
    """The code, the line, the text pointed at and the message; notes and help behind them."""
    at = f"{problem.span.line} `{problem.span.text}`" if problem.span else "nowhere"
    found = " / ".join([problem.message, *problem.notes, *([f"help: {problem.help}"] if problem.help else [])])
    return f"  {problem.code} {at}: {found}"


@pytest.mark.parametrize("name", ["again", "bargain", "together", "expected", "fewer"])
def test_problems_of_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """UPDATE_GOLDEN=1 renews `scenes/NAME.out`."""
    monkeypatch.chdir(FOLDER)
    outcomes = run_examples(f"{name}.yaml").outcomes
    found = "".join(
        f"{line}\n"
        for o in outcomes
        for line in (f"{o.name}: {'holds' if o.passed else 'does not hold'}", *map(told, o.problems))
    )
    if os.environ.get("UPDATE_GOLDEN"):
        Path(f"{name}.out").write_text(found, encoding="utf-8")
    assert found == Path(f"{name}.out").read_text(encoding="utf-8")
    assert not left_in_english(problem for o in outcomes for problem in o.problems)


@pytest.mark.whole
def test_which_rules_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    inherited, own = run_examples("expected.yaml", coverage=True), run_examples("ladder.yaml", coverage=True)
    assert inherited.rules == () and not inherited.passed, "the rules of the file itself, and it has none"
    assert inherited.reached["move", "climb"] > 0 and inherited.reached.get(("obligation", "no circle"), 0) == 0
    assert own.unreached == list(own.rules) and own.passed, "without examples nothing is reached"
    assert own.rules[0] == ("move", "climb") and ("obligation", "climb first") in own.rules
