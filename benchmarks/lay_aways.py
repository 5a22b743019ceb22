"""What players give away when they lay cards away for the crib: `python -m benchmarks.lay_aways`.

For each hand of six that is dealt, all fifteen lay-aways are worth what the cards kept score, on the average of all 46 starters, and more or less by what the
crib scores, on the average of all pairs that the other may lay away and of all starters: the dealer has it, the other has it against him. Both averages are
exact: 690 hands and 683,100 cribs are counted, by the ruleset's own formula as machine code. A lay-away gives away what the best of the fifteen is worth above it.
All kinds of players lay away from the same hands, both seats of every deal, at the beginning of a game.

Two judges, since nobody knows what the other lays away. To the first any two of the other's cards are as likely; that is what is exact. To the second, they are
as likely as in hands from which somebody lays away who goes by the first, cards being told apart by their ranks and by whether their suits are alike.
The play is not counted, nor that his heels are more likely if jacks are kept; players who search play for the game, and so for the play, too.
"""

from __future__ import annotations

import argparse
import random
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, repeat
from statistics import fmean
from typing import NamedTuple

from benchmarks.shows import pack
from hoyle.game.evaluators import Evaluator
from hoyle.game.game import Game, State, load
from hoyle.game.spelling import find_pile
from hoyle.game.views.redaction import redact
from hoyle.players.bots import create_players
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.state import Core
from hoyle.series.measures import Measure, measure_mean, measure_share

KINDS = ("search:5000", "search:2000", "search:500", "search:100", "greedy", "random")
HAND = "the hand alone"
"""Who keeps what scores most, whosever crib it is."""
SUITS, RANKS = 4, 13

Pair = tuple[int, int]
"""Two cards by the numbers of their pieces, the lower first."""
Sort = tuple[int, int, bool]
"""Of two cards: their ranks, the lower first, and whether their suits are alike."""


class Worth(NamedTuple):
    """What cards are worth with a starter: in a hand and in the crib."""

    pack: list[int]
    hand: Evaluator
    crib: Evaluator


def worth_of(game: Game) -> Worth:
    hand, crib = (
        game.evaluator("worth(hand of A)", "hand of A", "starter"),
        game.evaluator("worth(crib)", "crib", "starter"),
    )
    return Worth(pack(game), hand, crib)


# ---- expectations ----------------------------------------------------------------------------------------------------


def lay_aways(six: Sequence[int]) -> list[Pair]:
    return [*combinations(sorted(six), 2)]


def kept(worth: Worth, six: Sequence[int]) -> dict[Pair, float]:
    """What the other four cards are worth on the average of all starters, for each two that may be laid away."""
    starters = [card for card in worth.pack if card not in six]
    hands = [[card for card in six if card not in pair] for pair in lay_aways(six)]
    rows = array("i", chain.from_iterable(hand * len(starters) for hand in hands))
    found = worth.hand.many(_in_rows(rows), array("i", starters * len(hands)))
    return dict(zip(lay_aways(six), _means(found, len(starters)), strict=True))


class Cribs(NamedTuple):
    """All that may come to two cards: the other two, and for each of them, one after the other, all starters; `rows` has room for all four cards."""

    pairs: list[Pair]
    starters: array[int]
    rows: array[int]


def cribs(unseen: Sequence[int]) -> Cribs:
    pairs = [*combinations(unseen, 2)]
    starters = array("i", chain.from_iterable([card for card in unseen if card not in pair] for pair in pairs))
    each = len(unseen) - 2
    rows = array("i", chain.from_iterable(chain.from_iterable(repeat((0, 0, *pair), each)) for pair in pairs))
    return Cribs(pairs, starters, rows)


def with_each(worth: Worth, laid: Pair, others: Cribs) -> list[float]:
    """What the crib is worth with each pair of the other's, on the average of all starters."""
    count = len(others.starters)
    for place, card in enumerate(laid):
        others.rows[place::4] = array("i", [card]) * count
    return _means(worth.crib.many(_in_rows(others.rows), others.starters), count // len(others.pairs))


def _in_rows(cards: array[int]) -> memoryview:
    return memoryview(cards).cast("B").cast("i", (len(cards) // 4, 4))


def _means(values: array[int], each: int) -> list[float]:
    return [sum(values[at : at + each]) / each for at in range(0, len(values), each)]


# ---- what the other lays away ----------------------------------------------------------------------------------------


def sort_of(worth: Worth, pair: Pair) -> Sort:
    (suit, rank), (other_suit, other_rank) = (divmod(worth.pack.index(card), RANKS) for card in pair)
    return min(rank, other_rank), max(rank, other_rank), suit == other_suit


def sorts(worth: Worth) -> dict[Pair, Sort]:
    return {pair: sort_of(worth, pair) for pair in combinations(sorted(worth.pack), 2)}


def on_the_average(worth: Worth, of: Mapping[Pair, Sort]) -> dict[Sort, float]:
    """What the crib is worth with two cards of each sort, if nothing is known of the other fifty."""
    found: dict[Sort, float] = {}
    for pair, sort in of.items():
        if sort not in found:
            found[sort] = fmean(with_each(worth, pair, cribs([card for card in worth.pack if card not in pair])))
    return found


def habits(worth: Worth, of: Mapping[Pair, Sort], hands: int) -> dict[bool, dict[Pair, float]]:
    """How likely is it that somebody who lays away well lays these two away? By whether it is his crib; up to a factor."""
    crib, stream = on_the_average(worth, of), random.Random(0)
    laid: dict[bool, Counter[Sort]] = {True: Counter(), False: Counter()}
    for _ in range(hands):
        found = kept(worth, stream.sample(worth.pack, 6))
        for own, sign in ((True, 1), (False, -1)):
            laid[own][of[max(found, key=lambda pair: found[pair] + sign * crib[of[pair]])]] += 1
    there = Counter(of.values())
    return {own: {pair: counts[sort] / there[sort] for pair, sort in of.items()} for own, counts in laid.items()}


# ---- what players do -------------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    """Six cards and whether the crib will be theirs; what each lay-away is worth to the two judges, and by its cards alone."""

    own: bool
    any_two: dict[Pair, float]
    well_laid: dict[Pair, float]
    alone: dict[Pair, float]


Habits = Mapping[bool, Mapping[Pair, float]]


def judged(worth: Worth, six: Sequence[int], own: bool, other: Habits) -> Hand:
    alone, sign = kept(worth, six), 1 if own else -1
    others = cribs([card for card in worth.pack if card not in six])
    weights = [other[not own][min(pair), max(pair)] for pair in others.pairs]
    any_two, well_laid = {}, {}
    for pair, hand in alone.items():
        found = with_each(worth, pair, others)
        any_two[pair] = hand + sign * fmean(found)
        well_laid[pair] = hand + sign * _weighed(found, weights)
    return Hand(own, any_two, well_laid, alone)


def _weighed(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def laid_away(game: Game, kind: str, index: int, seed: int) -> Iterator[tuple[list[int], bool, Pair]]:
    """Of both seats at the beginning of a game: six cards, whether the crib will be theirs, and what a player of this kind lays away."""
    core, chance = game.machine.start(Chance.stream(seed, index), log=True), Chance.stream(seed, index, PLAYER)
    players, memories = create_players([kind] * 2, game)
    for memory in memories:
        memory.begins(core)
    for _ in range(2):
        before, number = core.copy(), players[core.actor](redact(game.compiled, core, core.actor), chance)
        yield _held(game, core), State(game, core).value("dealer is me").plain, _meant(game, core, number)
        core.log = []
        game.machine.play(core, before.acts[number])
        for memory in memories:
            memory.moved(before, before.acts[number], core)


def _held(game: Game, core: Core) -> list[int]:
    pile = core.piles[find_pile(game.compiled, f"hand of {game.seats[core.actor]}")]
    return [piece | 1 for piece in pile]


def _meant(game: Game, core: Core, number: int) -> Pair:
    """`lay-away JD 3S` → the two cards."""
    one, other = sorted(game.piece(sign) for sign in State(game, core).moves()[number].id.split()[1:])
    return one, other


# ---- the table -------------------------------------------------------------------------------------------------------


class Given(NamedTuple):
    """What a lay-away gives away by each judge, in points."""

    own: bool
    any_two: float
    well_laid: float


def given(hand: Hand, pair: Pair) -> Given:
    return Given(hand.own, *(max(by.values()) - by[pair] for by in (hand.any_two, hand.well_laid)))


def given_away(game: Game, kinds: Sequence[str], deals: int, seed: int, learnt: int) -> dict[str, list[Given]]:
    """What each kind of player gives away, and whoever goes by his hand alone."""
    worth = worth_of(game)
    other = habits(worth, sorts(worth), learnt)
    found: dict[str, list[Given]] = {who: [] for who in (*kinds, HAND)}
    for index in range(deals):
        laid = {kind: [*laid_away(game, kind, index, seed)] for kind in kinds}
        for seat, (six, own, _) in enumerate(laid[kinds[0]]):
            hand = judged(worth, six, own, other)
            for kind in kinds:
                found[kind].append(given(hand, laid[kind][seat][2]))
            found[HAND].append(given(hand, max(hand.alone, key=lambda pair: hand.alone[pair])))
    return found


HEAD = f"{'':15}{'with the crib':>20}{'against it':>20}{'the best':>22}{'by the second judge':>24}"


def row(who: str, found: Sequence[Given]) -> str:
    cells = [measure_mean([one.any_two for one in found if one.own is own]) for own in (True, False)]
    best = measure_share(sum(one.any_two < 1e-9 for one in found), len(found))
    second = measure_mean([one.well_laid for one in found])
    return f"{who:15}{_interval(cells[0]):>20}{_interval(cells[1]):>20}{_share(best):>22}{_interval(second):>24}"


def _interval(found: Measure) -> str:
    return f"{found.mean:.2f} [{found.low:.2f} – {found.high:.2f}]"


def _share(found: Measure) -> str:
    return f"{found.mean:.0%} [{100 * found.low:.0f} – {100 * found.high:.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="*", default=KINDS, help=f"who lays away (default: {', '.join(KINDS)})")
    parser.add_argument("--deals", type=int, default=200, help="deals, of two hands each (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--learnt", type=int, default=2000, help="hands that the second judge goes by (default: 2000)")
    arguments = parser.parse_args()
    found = given_away(
        load("cribbage", engine="native"), arguments.kind, arguments.deals, arguments.seed, arguments.learnt
    )
    print(f"{arguments.deals} deals: points that a lay-away gives away, with 95 % intervals", HEAD, sep="\n")
    for who, some in found.items():
        print(row(who, some))


if __name__ == "__main__":
    main()
