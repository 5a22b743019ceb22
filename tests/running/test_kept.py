"""What has been made before is kept, and forgotten when it has become too much."""

from __future__ import annotations

import pytest

from interpreter.running import naming


def test_all_is_forgotten_when_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "MOST_KEPT", 3)
    kept, sizes = naming.Kept[int, int](), []
    for number in range(7):
        kept[number] = number
        sizes.append(len(kept))
    assert sizes == [1, 2, 3, 1, 2, 3, 1]
    assert kept == {6: 6}
