"""Cribbage: every hand there is, whole games against a referee written by hand, and who sees what."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from brute_cribbage import PACK, RANKS, VARIANTS, Item, Referee, show
from games import loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import read_cases
from tiers import in_tiers

from hoyle import State

HIDDEN = ("pack", "hand", "laid_away", "fourth")


def scored(state: State) -> list[Item]:
    """Every item of points that was announced: who, how many, why."""
    return [(e.data["to"], e.data["score"], e.data["as"]) for e in state.events if e.kind == "score"]


# ---- every hand there is ---------------------------------------------------------------------------------------------


def deals() -> Iterator[tuple[list[str], str, int]]:
    """Four cards, a starter, and how many pairs of the 12,994,800 are worth the same as this one: 652,353 of them.

    No formula names a suit: suits are only compared with each other. So whoever renames the suits of hand and starter changes
    no score. Every pair is renamed so that its starter is a spade (four suits, each as often), and so that the sets of ranks
    held in the other three suits are in order; the pairs that are renamed to the same one are counted: four times the number
    of different orders of these three sets. That no pair is left out or counted twice is seen in the sum.
    """
    held = [ranks for size in range(5) for ranks in combinations(RANKS, size)]
    for spades in held:
        for others in _splits(held, 4 - len(spades)):
            weight = 4 * (1, 3, 6)[len(set(others)) - 1]
            hand = [rank + suit for suit, ranks in zip("SHDC", (spades, *others), strict=True) for rank in ranks]
            yield from ((hand, rank + "S", weight) for rank in RANKS if rank not in spades)


def _splits(held: list[tuple[str, ...]], size: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Three sets of ranks, in order, with so many cards together."""
    by_size = [[i for i, ranks in enumerate(held) if len(ranks) == n] for n in range(size + 1)]
    for i, first in enumerate(held):
        for second in (j for n in range(size - len(first) + 1) for j in by_size[n] if j >= i):
            for third in by_size[size - len(first) - len(held[second])] if len(first) <= size else ():
                if third >= second:
                    yield first, held[second], held[third]


def tally(worth: Callable[[list[str], str], int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for hand, starter, weight in deals():
        found[worth(hand, starter)] += weight
    return found


@cache
def scorer(formula: str, pile: str, name: str = "cribbage", **options: Any) -> Callable[[list[str], str], int]:
    """A formula of the ruleset as a function of the cards in that pile and the starter."""
    found = loaded(name, options)
    compiled, piece = found.evaluator(formula, pile, "starter"), {card: found.piece(card) for card in PACK}
    return lambda hand, starter: int(compiled([piece[card] for card in hand], [piece[starter]]))


@pytest.mark.slow
@pytest.mark.parametrize("pile", ["", "hand of A", "crib"])
def test_every_hand_and_every_crib(pile: str) -> None:
    """By the referee, and by the ruleset."""
    judged = scorer(f"worth({pile})", pile) if pile else lambda hand, starter: sum(show(hand, starter).values())
    assert tally(judged) == dict(read_cases("rulesets/known")["cribs" if pile == "crib" else "hands"])


def rows() -> tuple[str, ...]:
    return loaded("cribbage").ruleset.tables["combinations"].rows


@pytest.mark.slow
@settings(max_examples=50)
@given(st.permutations(PACK), st.integers(3, 5), st.permutations("SHDC"), st.booleans())
def test_a_hand_is_worth_what_the_referee_says(pack: list[str], size: int, names: list[str], crib: bool) -> None:
    """Line by line, in hands of any size, and with other names for the suits."""
    size = 4 if crib else size
    hand, starter = pack[:size], pack[size]
    pile = "crib" if crib else "hand of A"
    expected = show(hand, starter, crib)
    found = {row: scorer(f"combinations.{row}.in_show({pile})", pile, "cribbage-7")(hand, starter) for row in rows()}
    labels = loaded("cribbage").labels("en")["tables/combinations"]
    assert {labels[row]: points for row, points in found.items() if points} == expected
    renamed = [card[0] + names["SHDC".index(card[1])] for card in (*hand, starter)]
    worth = scorer(f"worth({pile})", pile, "cribbage-7")
    assert worth(renamed[:-1], renamed[-1]) == worth(hand, starter) == sum(expected.values())


# ---- whole games -----------------------------------------------------------------------------------------------------


def check_game(name: str, end: State) -> Referee:
    """The referee scores the same points; they add up, and the deal alternates."""
    events = end.events
    referee = Referee(
        VARIANTS[name],
        shuffles=iter([e.data["cards"] for e in events if e.kind == "shuffle"]),
        choices=iter([e.data["move"].split()[1:] for e in events if e.kind == "move"]),
    )
    referee.play()
    side = {seat: "".join(sorted(referee.side(seat))) for seat in end.game.seats}
    assert scored(end) == [(side[seat], points, why) for seat, points, why in referee.items]
    assert next(referee.shuffles, None) is next(referee.choices, None) is None
    assert end.is_over and not end.unfinished
    assert end.scores == {side[seat]: referee.points(seat) for seat in end.game.seats}
    assert all(end.value(f"score of {seat}").plain == referee.points(seat) for seat in end.game.seats)
    said = [(e.data["say"], e.data["by"]) for e in events if e.kind == "say"]
    assert [by for words, by in said if words == "deals"] == referee.dealers
    assert all(
        VARIANTS[name].seats.index(q) == (VARIANTS[name].seats.index(p) + 1) % len(end.game.seats)
        for p, q in zip(referee.dealers, referee.dealers[1:], strict=False)
    )
    best = max(end.scores.values())
    assert best >= VARIANTS[name].target
    assert end.winners == [seat for seat in end.game.seats if seat in referee.side(end.winners[0])]
    worst = min(end.scores.values())
    assert end.margin == best - worst
    if name == "cribbage":
        assert end.stake == (3 if worst <= 60 else 2 if worst <= 90 else 1)
    return referee


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "indices"),
    [
        ("cribbage-6p", range(1)),
        *(pytest.param(name, range(1, 60), marks=pytest.mark.slow) for name in VARIANTS),
    ],
    ids=str,
)
def test_games_score_what_a_referee_says(name: str, indices: range) -> None:
    for index in indices:
        check_game(name, loaded(name).playout(0, index))


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(VARIANTS, whole=["cribbage-3p"]))
def test_no_card_is_lost_and_none_is_seen_too_soon(name: str) -> None:
    state, stream = loaded(name).start(seed=0), random.Random(0)
    while not state.is_over and state.decisions < 60:
        for seat in (*state.game.seats, None):
            piles = state.view(seat).piles
            assert sum(pile.count for pile in piles) == 52
            for pile in piles:
                seen = sum(piece.sign is not None for piece in pile.pieces)
                mine = pile.family in ("hand", "laid_away") and pile.owner == seat
                assert seen == (0 if pile.family in HIDDEN and not mine else pile.count)
        state.play_here(stream.choice(state.moves()))


def test_the_opponent_sees_neither_hand_nor_crib() -> None:
    """Two deals that differ only in what A holds and lays away look and feel the same to B."""
    views = []
    for held, away in (("AS 2S 3S 4S KS QS", "KS QS"), ("AD 2D 3D 4D KC 9S", "AD 9S")):
        piles = {"hand of A": held, "hand of B": "5H 6H 7H 8H 9H TH", "pack": "?*40"}
        state = loaded("cribbage").position({"at": "deal / lay away", "piles": piles, "state": {"dealer": "B"}})
        state = state.play(f"lay-away {away}")
        assert state.to_act == "B" and len(state.moves()) == 15
        views.append((state.view("B"), [move.id for move in state.moves()], [e.text("en", "B") for e in state.events]))
    assert views[0] == views[1]
