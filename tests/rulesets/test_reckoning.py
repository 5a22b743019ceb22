"""Reckoning of deals against trying everything, and games written by hand against their rulesets."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from brute_gin import PACK, RANKS, least_deadwood, melds
from brute_piquet import Deal
from by_hand import TablesWitness, Witness, card_number
from english import spaced
from games import game, loaded
from msgspec import Struct
from rules import read_cases
from tiers import in_tiers, sized, some_now

from benchmarks import backgammon_baseline, cribbage_baseline, grabuge_baseline, hearts_baseline
from benchmarks.shows_baseline import show
from hoyle import Move, State, load

SETTINGS: list[dict[str, Any]] = [
    {},
    {"point_worth": "tens", "low_cards": "nothing", "capot": 50},
    {"point_call": "value", "first_deal": "lowest", "dealer_may_keep": True},
]


def hands(state: State) -> dict[str, list[str]]:
    return {
        pile.owner: [str(piece.sign) for piece in pile.pieces]
        for seat in state.game.seats
        for pile in state.view(seat).piles
        if pile.family == "hand" and pile.owner == seat
    }


def deals(state: State, seed: int, options: dict[str, Any]) -> Iterator[tuple[Deal, dict[str, int]]]:
    """Each deal of a random game, and what it scored."""
    stream, told = random.Random(seed), 0
    dealt = held = hands(state)
    fresh, played = True, list[tuple[str, str]]()
    while not state.is_over:
        move = stream.choice(state.moves())
        word, _, card = move.id.partition(" ")
        if word == "discard" and fresh:
            dealt, fresh = hands(state), False
        if word == "play-a-card":
            held = held if played else hands(state)
            played.append((move.seat, card))
        state = state.play(move)
        scores = [e for e in state.events[told:] if e.kind == "score" and e.data["as"] == "points of the deal"]
        told = len(state.events)
        if len(played) == 24:
            yield Deal(played[0][0], dealt, held, played, options), {str(e.seat): e.data["score"] for e in scores}
            fresh, played = True, []


@pytest.mark.whole
@pytest.mark.parametrize("options", in_tiers(SETTINGS, whole=SETTINGS[:1]), ids=str)
def test_what_a_deal_scores(options: dict[str, Any]) -> None:
    game = load("piquet", sinking="forbidden", **options)
    for seed in range(sized(1, 2)):
        for deal, scored in deals(game.start(seed=seed), seed, options):
            assert {p: n for p, n in deal.scores().items() if n} == scored, (seed, deal)


LOW, CORNER = {"aces": "low"}, {"aces": "round_the_corner"}


def draw_hands(count: int, size: int) -> Iterator[list[str]]:
    """Hands of some ranks that follow each other, because those of the whole pack have few melds."""
    pick = Random(size)
    for _ in range(count):
        lowest, wide = pick.randrange(13), pick.choice((3, 4, 4, 5, 6, 13))
        near = [card for card in PACK if (RANKS.index(card[0]) - lowest) % 13 < wide]
        yield pick.sample(near, size)


@pytest.mark.whole
@pytest.mark.parametrize("options", [LOW, CORNER], ids=["low", "corner"])
@pytest.mark.parametrize("size", some_now([10, 3, 7, 11], 1))
def test_the_best_melds(options: dict[str, Any], size: int) -> None:
    found, corner = loaded("gin-rummy", options), options is CORNER
    least = found.evaluator("least_deadwood(hand of A)", "hand of A")
    how_many = found.evaluator("count(melds(hand of A))", "hand of A")
    for hand in draw_hands(sized(10, 40), size):
        assert least(hand) == least_deadwood(hand, corner), hand
        assert how_many(hand) == len(set(melds(hand, corner))), hand


@pytest.mark.whole
def test_the_most_sets_there_can_be() -> None:
    hand = [rank + suit for rank in "234" for suit in "SHDC"][:11]
    for formula, most in (("sets(hand of A)", 11), ("ways(hand of A)", 72)):
        assert loaded("gin-rummy").evaluator(f"count({formula})", "hand of A")(hand) == most


@pytest.mark.whole
@pytest.mark.parametrize("limit", some_now([10, 4, 0], 1))
def test_one_may_knock_when_the_best_melds_allow_it(limit: int) -> None:
    found, knocks = loaded("gin-rummy", knock_at=limit, big_gin_bonus=31), 0
    for hand in draw_hands(sized(10, 30), 11):
        state = found.position({"at": "turn / discard", "to_act": "A", "piles": {"hand of A": " ".join(hand)}})
        offered = {move.id.split()[1] for move in state.moves() if move.name == "knock"}
        assert offered == {card for card in hand if least_deadwood(set(hand) - {card}) <= limit}
        assert any(move.name == "go big gin" for move in state.moves()) == (least_deadwood(hand) == 0)
        knocks += len(offered)
    assert knocks


@pytest.mark.whole
@pytest.mark.parametrize(("name", "given", "said"), [tuple(case) for case in read_cases("rulesets/counts")["said"]])
def test_what_is_said_of_the_count(name: str, given: dict[str, Any], said: list[str]) -> None:
    after = game(name).position({"at": "reckoning", **given})
    assert [spaced(event.text("fr")) for event in after.events if event.kind == "say"] == said


@pytest.mark.whole
@pytest.mark.parametrize("belotes", [0, 1, 2])
def test_who_has_said_belote_is_shown_so_and_others_not_at_all(belotes: int) -> None:
    state = game("belote").position(
        {
            "at": "play to the trick",
            "to_act": "A",
            "state": {"leader": "A", "bidder": "A", "trump": "hearts", "belotes of B": belotes},
            "piles": {"hand of A": "7C"},
        }
    )
    shown = {value.name: value.member for value in state.view("A").state if value.value is True}
    assert {name for name in shown if "said" in name} == {0: set(), 1: {"belote_said"}, 2: {"both_said"}}[belotes]
    assert "belotes" not in {value.name for value in state.view("A").state}


LOW_ACE, HIGH_ACE = "A23456789TJQK", "23456789TJQKA"


class Pair(Struct, frozen=True):
    """A program by hand, who compares it with the engine, and whether its result is that of the engine's game."""

    playout: Callable[[random.Random], Any]
    witness: Callable[[State, int], Witness]
    ends_alike: Callable[[Any, State], bool]


def same_scores(found: Any, end: State) -> bool:
    return bool(found.scores == tuple(end.scores.values()))


def same_points(found: backgammon_baseline.Result, end: State) -> bool:
    return [found.points if seat == found.winner else 0 for seat in (0, 1)] == list(end.scores.values())


PAIRS = {
    "cribbage": Pair(cribbage_baseline.playout, partial(Witness, ranks=LOW_ACE), same_scores),
    "hearts": Pair(hearts_baseline.playout, partial(Witness, ranks=HIGH_ACE), same_scores),
    "backgammon": Pair(backgammon_baseline.playout, partial(TablesWitness, ranks=""), same_points),
}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        *((name, range(100, 101)) for name in PAIRS),
        *(
            pytest.param(name, range(200, 200 + n), marks=pytest.mark.slow)
            for name, n in zip(PAIRS, (60, 8, 24), strict=True)
        ),
    ],
    ids=str,
)
def test_every_decision_is_that_of_the_game_by_hand(name: str, seeds: range) -> None:
    pair = PAIRS[name]
    for seed in seeds:
        witness = pair.witness(loaded(name).start(seed=seed), seed)
        found = pair.playout(witness)
        assert witness.is_done
        assert found.decisions == witness.state.decisions
        assert pair.ends_alike(found, witness.state)


class GrabugeWitness(Witness):
    """Packets of one height are alike, so that it does not matter which of them the other game chose: only their number is compared."""

    game: grabuge_baseline.Game

    def __init__(self, state: State, seed: int) -> None:
        super().__init__(state, seed, LOW_ACE)

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
def test_every_decision_of_grabuge_is_that_of_the_game_by_hand(packs: int, seeds: range) -> None:
    for seed in seeds:
        state = loaded("grabuge", decks=packs).start(seed=seed)
        witness = GrabugeWitness(state, seed)
        witness.game = grabuge_baseline.Game(witness, packs)
        while not state.is_over and state.moves()[0].name == "base an ace":
            state.play_here(state.moves()[0])
        found = witness.game.play()
        assert witness.is_done
        assert (found.decisions, found.totals) == (state.decisions, tuple(state.scores.values()))


@pytest.mark.whole
def test_shows_are_those_reckoned_by_hand() -> None:
    """Hands and cribs with a starter; every third of one suit, or random hands would hardly have a flush."""
    stream, cribbage = random.Random(1), loaded("cribbage")
    number = {card_number(piece.sign, LOW_ACE): cribbage.piece(piece.sign) for piece in cribbage.pieces()}
    hand, crib = (cribbage.evaluator(f"worth({pile})", pile, "starter") for pile in ("hand of A", "crib"))
    for n in range(300):
        pack = range(13 * (n % 4), 13 * (n % 4) + 13) if n % 3 == 0 else range(52)
        held = stream.sample(pack, 4)
        starter = stream.choice([card for card in range(52) if card not in held])
        pieces = [number[card] for card in held], [number[starter]]
        assert (hand(*pieces), crib(*pieces)) == (show(held, starter), show(held, starter, crib=True))
