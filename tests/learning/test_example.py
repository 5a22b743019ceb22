"""The worked example: a policy that learns beats one that chooses at random, in little time."""

import runpy
import time
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).parents[2] / "docs" / "examples" / "learn_golf.py"


def learn(games: int, trials: int) -> tuple[float, float]:
    found: dict[str, Any] = runpy.run_path(str(PLACE), run_name="learn_golf")
    return found["learn"](games, trials)  # type: ignore[no-any-return]


@pytest.mark.whole
def test_untaught_policy_is_as_good_as_random() -> None:
    untaught, at_random = learn(0, 10)
    assert untaught == at_random < -15


@pytest.mark.slow
def test_taught_policy_beats_random_in_a_minute() -> None:
    """A third of the games it learns from by itself; random comes to some 24 strokes."""
    began = time.process_time()
    learned, at_random = learn(30, 100)
    assert learned > at_random + 8
    assert time.process_time() - began < 60
