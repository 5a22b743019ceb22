"""Le Grabuge: whole games keep its invariants, every option can be played, and its figures are those of a game written by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from by_hand import Witness
from games import loaded
from settings import settings_of
from tiers import in_tiers, spread

from benchmarks import grabuge_baseline
from interpreter import Game, Move, State

RANKS = "A23456789TJQK"
CHOICES: list[dict[str, Any]] = settings_of("grabuge")


@cache
def grabuge(**options: Any) -> Game:
    return loaded("grabuge", **options)


def positions(game: Game, seed: int) -> Iterator[State]:
    """A random game from its first decision to its end: one state, which changes."""
    state, stream = game.start(seed=seed), random.Random(seed)
    yield state
    while not state.is_over:
        state.play_here(stream.choice(state.moves()))
        yield state


def piles(state: State) -> dict[str, list[list[str]]]:
    """The pieces of every pile by family, `?` for a back."""
    found: dict[str, list[list[str]]] = {}
    for pile in state.view().piles:
        found.setdefault(pile.family, []).append([piece.sign or "?" for piece in pile.pieces])
    return found


def number(state: State, formula: str) -> int:
    found = state.value(formula).plain
    assert isinstance(found, int)
    return found


def bonuses(state: State) -> int:
    return sum(event.kind == "score" and "grabuge exhausted" in event.text("en") for event in state.events)


def check_cards(state: State, packs: int, ranks: str = RANKS) -> None:
    """No card is lost, packets ascend from the ace and are taken with their last card, won cards are whole packets."""
    found = piles(state)
    assert sum(len(pile) for family in found.values() for pile in family) == 4 * len(ranks) * packs
    for packet in found["tableau"]:
        assert [card[0] for card in packet] == list(ranks[: len(packet)])
        assert len(packet) < len(ranks)
    assert all(len(won) % len(ranks) == 0 for won in found["won"])


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("packs", in_tiers([2, 4, 8], whole=[2]))
def test_every_position_keeps_the_cards(packs: int) -> None:
    for state in positions(grabuge(decks=packs), 0):
        check_cards(state, packs)
    assert bonuses(state) <= 1


@pytest.mark.whole
def test_a_game_ends_when_neither_player_can_play() -> None:
    for seed, packs in enumerate((2, 2, 2, 4)):
        end = grabuge(decks=packs).playout(seed)
        found = piles(end)
        assert end.is_over and not end.unfinished
        assert not any(any(found[family]) for family in ("talon", "grabuge", "drawn", "turned"))
        tops = {RANKS.index(packet[-1][0]) + 1 for packet in found["tableau"] if packet} | {0}
        assert not any(RANKS.index(column[-1][0]) in tops for column in found["reserve"] if column)


@pytest.mark.whole
def test_the_totals_are_packets_bonus_and_leftovers() -> None:
    for seed in range(12):
        end = grabuge().playout(seed)
        won, held = ([number(end, f"{term}({seat})") for seat in "AB"] for term in ("won_packets", "unplayed"))
        counted = [e.data["score"] for e in end.events if e.kind == "score" and "exhausted" in e.text("en")]
        more = abs(held[0] - held[1]) // 5
        assert sum(end.scores.values()) == sum(won) + sum(counted) + more
        assert end.margin == abs(end.scores["A"] - end.scores["B"])
        assert end.winners == [seat for seat in "AB" if end.scores[seat] == max(end.scores.values())]


@pytest.mark.whole
def test_only_the_tops_of_grabuges_are_seen() -> None:
    for state in positions(grabuge(), 5):
        found = piles(state)
        assert all(card == "?" for family in ("talon", "drawn") for pile in found[family] for card in pile)
        assert all(pile[-1:] != ["?"] and set(pile[:-1]) <= {"?"} for pile in found["grabuge"])


@pytest.mark.whole
def test_lots_decide_between_equal_cards_and_the_seed_fixes_them() -> None:
    where = {
        "at": "one game / who begins",
        "piles": {"grabuge of A": "?*7 | 9C", "grabuge of B": "?*7 | 9H", "talon of A": "?*44", "talon of B": "?*44"},
    }
    first = [grabuge().position(where, seed=seed).to_act for seed in range(20)]
    assert set(first) == {"A", "B"}
    assert first == [grabuge().position(where, seed=seed).to_act for seed in range(20)]


# ---- options and variants --------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    "options", spread(CHOICES, 3), ids=lambda options: " ".join(f"{k}={v}" for k, v in options.items())
)
def test_every_option_can_be_played(options: dict[str, Any]) -> None:
    *_, end = positions(grabuge(**options), 0)
    check_cards(end, options.get("decks", 2))
    assert end.winners


@pytest.mark.whole
def test_short_packs_end_at_the_seven() -> None:
    game = loaded("grabuge-short")
    for state in positions(game, 0):
        check_cards(state, 2, RANKS[:7])


@pytest.mark.whole
def test_a_match_adds_up_its_games() -> None:
    end = grabuge(match="cumulative", games=4).playout(2)
    gained = [e.data["score"] for e in end.events if e.kind == "score" and "this game" in e.text("en")]
    assert sum(end.scores.values()) == sum(gained)
    assert len([e for e in end.events if e.kind == "shuffle"]) == 4


@pytest.mark.whole
def test_best_of_five_stops_at_three_wins() -> None:
    for seed in range(3):
        end = grabuge(match="best_of", games=5).playout(seed)
        games = len([e for e in end.events if e.kind == "shuffle"])
        assert games == 5 or max(end.scores.values()) == 3
        assert sum(end.scores.values()) <= games


# ---- the same game by hand -------------------------------------------------------------------------------------------


class GrabugeWitness(Witness):
    """Packets of one height are alike, so that it does not matter which of them the other game chose: only their number is compared."""

    game: grabuge_baseline.Game

    def __init__(self, state: State, seed: int) -> None:
        super().__init__(state, seed, RANKS)

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)
        x.reverse()

    def chosen(self, moves: list[Move], seq: Any) -> tuple[Move, Any]:
        assert len(moves) == len(seq), self.state.place
        move = moves[int(self.random() * len(moves))]
        columns = self.game.players["AB".index(move.seat)].reserve
        if move.name == "keep in the reserve":
            return move, columns[int(move.id[-1]) - 1]
        if move.name == "play from the reserve":
            column = columns[int(move.id.split()[1]) - 1]
            return move, next(pair for pair in seq if pair[0] is column)
        assert move.name == ("play the grabuge" if isinstance(seq[0], tuple) else "play the turned card")
        return move, seq[0]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("packs", "seeds"),
    [
        (2, range(2)),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((2, range(2, 60)), (4, range(3)), (8, range(3)))),
    ],
    ids=str,
)
def test_every_decision_is_that_of_the_game_by_hand(packs: int, seeds: range) -> None:
    for seed in seeds:
        check_witness(packs, seed)


def check_witness(packs: int, seed: int) -> None:
    state = grabuge(decks=packs).start(seed=seed)
    witness = GrabugeWitness(state, seed)
    witness.game = grabuge_baseline.Game(witness, packs)
    while not state.is_over and state.moves()[0].name == "base an ace":
        state.play_here(state.moves()[0])
    found = witness.game.play()
    assert witness.is_done
    assert (found.decisions, found.totals) == (state.decisions, tuple(state.scores.values()))
