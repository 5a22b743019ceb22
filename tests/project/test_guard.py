"""Decisions cost no more than is written down (`benchmarks/guard.json`): counted, not timed. `python -m benchmarks.guard --pin` writes it anew."""

import pytest

from benchmarks.guard import GAMES, WAYS, change


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_decision_costs_no_more(way: str, game: str) -> None:
    more, most = change(way, game)
    assert more <= most
