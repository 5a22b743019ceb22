"""The flow, chapter by chapter: small rulesets whose worked examples say what each verb and modifier does."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import examples
from interpreter.reporting import report

FOLDER = Path(__file__).parent / "flow"
CHAPTERS = sorted(path.stem for path in FOLDER.glob("[!_]*.yaml"))


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("counted", [False, True], ids=["plain", "counting uses"])
def test_a_chapter(chapter: str, counted: bool) -> None:
    found = examples.run(FOLDER / f"{chapter}.yaml", coverage=counted)
    assert len(found.outcomes) > 3
    assert not [f"{o.name}: {report.text(list(o.problems))}" for o in found.outcomes if not o.passed]
    assert not counted or not found.unreached
