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


def test_how_often_steps_were_done() -> None:
    """Once for each time they are begun, by whom ever; what is passed over by `leave` not at all."""
    reached = examples.run(FOLDER / "phases.yaml", coverage=True).reached
    lap = "game / 1 / lap / "
    assert {
        name.removeprefix(lap): n for (sort, name), n in reached.items() if sort == "step" and name.startswith(lap)
    } == {
        "round": 2,
        "round / one turn / choice": 4,
        "round / one turn / note": 3,
        "round / one turn / enough": 3,
        "after": 0,
    }
