"""Chapters of the flow: small rulesets whose worked examples say what each verb and modifier does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiers import in_tiers

from interpreter.game import examples
from interpreter.reporting import report

FOLDER = Path(__file__).parent / "flow"
CHAPTERS = sorted(path.stem for path in FOLDER.glob("[!_]*.yaml"))
CASES = [(chapter, counted) for chapter in CHAPTERS for counted in (True, False)]
UNCOUNTED = [("obligations", False), ("turns", False), ("decisions", False)]
"""Other rulesets are compiled without counters throughout the tests."""


@pytest.mark.parametrize(
    ("chapter", "counted"),
    in_tiers(CASES, quick=[("decisions", True), ("obligations", False)], whole=[*CASES[::2], *UNCOUNTED]),
)
def test_examples_of_a_chapter(chapter: str, counted: bool) -> None:
    found = examples.run(FOLDER / f"{chapter}.yaml", coverage=counted)
    assert len(found.outcomes) > 3
    assert not [f"{o.name}: {report.text(list(o.problems))}" for o in found.outcomes if not o.passed]
    assert not counted or not found.unreached


def test_how_often_steps_are_begun() -> None:
    """By whichever player; those that `leave` jumps over, never."""
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
