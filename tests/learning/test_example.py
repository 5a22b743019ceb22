"""The worked example: a policy that learns beats one that chooses at random, in little time."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

PLACE = Path(__file__).parents[2] / "docs" / "examples" / "learn_golf.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_golf", PLACE)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_who_has_not_learned_is_as_good_as_random() -> None:
    untaught, at_random = example().learn(0, 10)
    assert untaught == at_random < -15


@pytest.mark.slow
def test_who_learns_beats_random_in_less_than_two_minutes() -> None:
    """A third of the games it learns from by itself; random comes to some 24 strokes."""
    began = time.process_time()
    learned, at_random = example().learn(30, 100)
    assert learned > at_random + 8
    assert time.process_time() - began < 60
