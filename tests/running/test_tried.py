"""Means and standard errors of searches and playouts, with few games and none."""

import math

import pytest

from hoyle.running.outcomes import Outcome, Tried


@pytest.mark.parametrize(
    ("outcome", "share", "share_error", "gain", "gain_error"),
    [
        (Outcome(games=1, over=1, won=1.0, wons=1.0, gained=7.0, gains=49.0), 1.0, 1.0, 7.0, math.inf),
        (Outcome(games=2, over=2, won=1.0, wons=1.0, gained=4.0, gains=16.0), 0.5, 0.5, 2.0, 2.0),
        (Outcome(), 0.0, 1.0, 0.0, math.inf),
        (Outcome(games=9, over=4, won=4.0, wons=4.0), 1.0, 0.2, 0.0, 0.0),
    ],
)
def test_an_outcome_has_means_and_errors(
    outcome: Outcome, share: float, share_error: float, gain: float, gain_error: float
) -> None:
    assert (outcome.share, outcome.share_error) == (share, share_error)
    assert (outcome.gain, outcome.gain_error) == (gain, gain_error)
    assert outcome.tells == (outcome.games > 1) and not outcome.is_exact


def test_an_action_tried_once_has_no_known_error() -> None:
    assert (Tried().mean, Tried(1, 1, 0.5, 0.25).error, Tried(2, 2, 1.0, 1.0).error) == (0.0, 1.0, 0.5)
