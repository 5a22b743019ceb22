"""The random generator, lazy lists of subsets, bounded caches, and means with their standard errors."""

import math
from itertools import combinations

import pytest

from hoyle.running import naming
from hoyle.running.chance import GAME, PLAYER, Chance, splitmix64
from hoyle.running.outcomes import Outcome, Tried
from hoyle.running.state import Choices

PUBLISHED = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
"""The first numbers of the demonstration program of PCG32, seeded with 42 and 54."""


def test_the_first_numbers_are_the_published_ones() -> None:
    chance = Chance.seeded(42, 54)
    assert [chance.next32() for _ in PUBLISHED] == PUBLISHED


@pytest.mark.parametrize(("state", "output"), [(0, 0xE220A8397B1DCDAF), (1234567, 6457827717110365317)])
def test_splitmix_gives_its_published_numbers(state: int, output: int) -> None:
    assert splitmix64(state) == output


def test_each_game_and_use_has_a_stream_of_its_own() -> None:
    made = [Chance.stream(seed, index, use) for seed in (0, 1, -1) for index in (0, 1) for use in (GAME, PLAYER)]
    assert len({tuple(c.to_json()) for c in made}) == len(made)
    assert Chance.stream(5).to_json() == Chance.stream(5, 0, GAME).to_json() == Chance.stream(5 + 2**64).to_json()
    assert [Chance.stream(7, 3).next32(), Chance.stream(7, 3, PLAYER).next32()] == [704485919, 3515435287]


@pytest.mark.parametrize(("count", "least"), [(2, 1), (7, 3), (8, 3), (32, 3), (5, 3), (0, 1)])
def test_a_cut_keeps_the_order_and_leaves_enough_in_each_part(count: int, least: int) -> None:
    pack = [*range(count)]
    found = {tuple(Chance.stream(seed).shuffle(0, [*pack], least)) for seed in range(400)}
    places = range(least, count - least + 1) if count >= 2 * least else [0]
    assert found == {tuple(pack[at:] + pack[:at]) for at in places}


@pytest.mark.parametrize("bound", [7, 2**31 + 1, 52, 1, 2, 3, 6])
def test_numbers_below_a_bound(bound: int) -> None:
    """The first 2³² modulo `bound` numbers would bias the result, and are drawn again."""
    chance, plain = Chance.seeded(1, 2), Chance.seeded(1, 2)
    for _ in range(200):
        while (drawn := plain.next32()) < 2**32 % bound:
            pass
        assert chance.below(bound) == drawn % bound


def shuffle_plainly(plain: Chance, count: int) -> list[int]:
    found = [*range(count)]
    for i in range(count - 1, 0, -1):
        j = plain.below(i + 1)
        found[i], found[j] = found[j], found[i]
    return found


def test_a_shuffle_goes_from_the_last_to_the_first() -> None:
    for count in (0, 1, 2, 3, 10, 24, 25, 52, 65, 66, 104, 200):
        chance, plain = Chance.seeded(3, 4), Chance.seeded(3, 4)
        for _ in range(5):
            assert chance.shuffle(0, [*range(count)]) == shuffle_plainly(plain, count)
            assert chance.to_json() == plain.to_json()


@pytest.mark.parametrize("bound", [52, 2**31 + 1, 6, 1, 2])
def test_a_picker_gives_the_numbers_of_its_stream(bound: int) -> None:
    pick, plain = Chance.seeded(5, 6).picker(), Chance.seeded(5, 6)
    assert [pick(bound) for _ in range(300)] == [plain.below(bound) for _ in range(300)]


@pytest.mark.parametrize("at", [17, 0, 1, 50])
@pytest.mark.parametrize("count", [30, 52, 104])
def test_a_shuffle_draws_a_biased_number_again(at: int, count: int) -> None:
    """The number after `at` others is 0."""
    step, multiplier = 9, 6364136223846793005
    state = 0
    for _ in range(at):
        state = (state - step) * pow(multiplier, -1, 2**64) % 2**64
    chance, plain = Chance(state, step), Chance(state, step)
    assert chance.shuffle(0, [*range(count)]) == shuffle_plainly(plain, count)
    assert chance.to_json() == plain.to_json()


def test_a_stream_can_be_saved_and_copied() -> None:
    chance = Chance.stream(11)
    chance.next32()
    again, copied = Chance.from_json(chance.to_json()), chance.copy()
    assert chance.next32() == again.next32() == copied.next32()
    assert [chance.roll([4, 5, 6]) for _ in range(9)] == [again.lots([4, 5, 6], 0) for _ in range(9)]
    assert all(len(word) == 16 for word in Chance(1, 3).to_json())


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
