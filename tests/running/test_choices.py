"""Lazy lists of subsets and caches of bounded size."""

from itertools import combinations

import pytest

from hoyle.running import naming
from hoyle.running.state import Choices

ITEMS = [8, 3, 5, 12, 9, 0]


@pytest.mark.parametrize("size", [2, 0, -1, 1, 3, 6, 7])
def test_choices_equal_the_list_of_subsets(size: int) -> None:
    for count in (0, 1, 2, 5, 6):
        items = ITEMS[:count]
        wanted = [(4, some) for some in combinations(items, size)] if size >= 0 else []
        found = Choices(4, items, size)
        assert found == wanted
        assert wanted == found
        assert [*found] == wanted
        assert (len(found), bool(found)) == (len(wanted), bool(wanted))
        assert [found[n] for n in range(len(wanted))] == wanted
        assert [found[-n] for n in range(1, len(wanted) + 1)] == wanted[::-1]
        assert found[1:3] == wanted[1:3]
        for place in (len(wanted), -len(wanted) - 1):
            with pytest.raises(IndexError):
                found[place]


def test_choices_do_not_change_with_the_pile_they_are_from() -> None:
    pile = ITEMS[:4]
    found = Choices(0, pile, 2)
    pile.pop()
    assert len([*found]) == len(found) == 6
    assert found.index((0, (3, 12))) == 4
    assert found != [(0, (3, 12))]


def test_a_full_cache_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "MOST_KEPT", 3)
    kept, sizes = naming.Cache[int, int](), []
    for number in range(7):
        kept[number] = number
        sizes.append(len(kept))
    assert sizes == [1, 2, 3, 1, 2, 3, 1]
    assert kept == {6: 6}
