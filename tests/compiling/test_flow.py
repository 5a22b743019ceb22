"""Chapters of the flow: small rulesets whose worked examples say what each verb and modifier does."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tiers import in_tiers

from hoyle.game.examples import examples
from hoyle.reporting import report

FOLDER = Path(__file__).parent / "flow"
CHAPTERS = sorted(path.stem for path in FOLDER.glob("[!_]*.yaml"))
SHORT = ("decisions", "faces", "keys", "lets", "loops", "whenever")


@pytest.mark.parametrize(
    "chapters",
    [SHORT, pytest.param([chapter for chapter in CHAPTERS if chapter not in SHORT], marks=pytest.mark.whole)],
    ids=["short", "long"],
)
def test_examples_of_chapters(chapters: Sequence[str]) -> None:
    found = {chapter: examples.run_examples(FOLDER / f"{chapter}.yaml", coverage=True) for chapter in chapters}
    assert {chapter: text for chapter, each in found.items() if (text := wrong(each.outcomes))} == {}
    assert {chapter: each.unreached for chapter, each in found.items() if each.unreached} == {}


@pytest.mark.whole
@pytest.mark.parametrize("chapter", in_tiers(CHAPTERS, quick=["obligations"], whole=["decisions", "turns"]))
def test_examples_of_a_chapter_that_is_compiled_without_counters(chapter: str) -> None:
    assert wrong(examples.run_examples(FOLDER / f"{chapter}.yaml").outcomes) == []


def wrong(outcomes: Sequence[examples.Outcome]) -> list[str]:
    """Examples that do not hold. A chapter has at least four."""
    assert len(outcomes) > 3
    return [f"{one.name}: {report.as_text(list(one.problems))}" for one in outcomes if not one.passed]


def test_how_often_steps_are_begun() -> None:
    """By whichever player; those that `leave` jumps over, never."""
    reached = examples.run_examples(FOLDER / "phases.yaml", coverage=True).reached
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
