"""Cribbage without the interpreter: the reckoning of hands, and a referee who tells what every deal must score.

Written from the rules alone, to judge the rulesets, and in another way than they say it: ranks are counted, not subsets.
A card is two letters, rank and suit.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PAIRS = {2: "pair", 3: "pair royal", 4: "double pair royal"}
NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}

Item = tuple[str, int, str]
"""Who scores, how many, why."""


def order(card: str) -> int:
    return RANKS.index(card[0]) + 1


def worth(card: str) -> int:
    return min(10, order(card))


# ---- the show --------------------------------------------------------------------------------------------------------


def show(held: Sequence[str], starter: str, crib: bool = False) -> dict[str, int]:
    ranks = Counter(order(card) for card in (*held, starter))
    lines = Counter({"fifteen": 2 * _fifteens([worth(card) for card in (*held, starter)])})
    for many in ranks.values():
        if many > 1:
            lines[PAIRS[many]] += many * (many - 1)
    for length, ways in _runs(ranks):
        lines[f"run of {NUMBERS[length]}"] += length * ways
    suits = {card[1] for card in held}
    if len(suits) == 1 and starter[1] in suits:
        lines["flush"] = len(held) + 1
    elif len(suits) == 1 and not crib:
        lines["flush"] = len(held)
    lines["one for his nob"] = int("J" + starter[1] in held)
    return {name: points for name, points in lines.items() if points}


def _fifteens(values: Sequence[int]) -> int:
    ways = [1] + [0] * 15
    for value in values:
        for total in range(15, value - 1, -1):
            ways[total] += ways[total - value]
    return ways[15]


def _runs(ranks: Counter[int]) -> Iterator[tuple[int, int]]:
    """Length of every longest row of ranks of three and more, and in how many ways it can be picked."""
    length, ways = 0, 1
    for rank in range(1, 15):
        if ranks[rank]:
            length, ways = length + 1, ways * ranks[rank]
            continue
        if length > 2:
            yield length, ways
        length, ways = 0, 1


# ---- the play --------------------------------------------------------------------------------------------------------


def pegged(laid: Sequence[str]) -> dict[str, int]:
    """Return the score of the last card laid in this count."""
    total, ranks = sum(map(worth, laid)), [order(card) for card in reversed(laid)]
    lines = {}
    if total == 15:
        lines["fifteen"] = 2
    if total == 31:
        lines["thirty-one"] = 2
    same = next((n for n, rank in enumerate(ranks) if rank != ranks[0]), len(ranks))
    if same > 1:
        lines[PAIRS[same]] = same * (same - 1)
    for length in range(min(7, len(ranks)), 2, -1):
        ends = sorted(ranks[:length])
        if ends == list(range(ends[0], ends[0] + length)):
            lines[f"run of {NUMBERS[length]}"] = length
            break
    return lines


# ---- a referee -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    seats: str = "AB"
    hand: int = 6
    away: int = 2
    target: int = 121
    head_start: int = 0
    one_count: bool = False
    crib_card: bool = False
    partners: int = 0
    """How many seats away the partner sits."""
    spared: tuple[int, ...] = ()
    """How many seats after the dealer those sit who get no card to lay away."""


VARIANTS = {
    "cribbage": Rules(),
    "cribbage-5": Rules(hand=5, target=61, head_start=3, one_count=True),
    "cribbage-7": Rules(hand=7, target=151),
    "cribbage-61": Rules(target=61),
    "cribbage-club": Rules(),
    "cribbage-3p": Rules(seats="ABC", hand=5, away=1, crib_card=True),
    "cribbage-5p": Rules(seats="ABCDE", hand=5, away=1, spared=(0,)),
    "cribbage-6p": Rules(seats="ABCDEF", hand=5, away=1, partners=3, spared=(0, 5)),
    "cribbage-4p": Rules(seats="ABCD", hand=5, away=1, partners=2),
}


class Over(Exception):
    """Somebody has reached the target."""


@dataclass
class Referee:
    """Plays with the shuffles and the choices of a game that was played, and says what was to be scored.

    `shuffles` are packs from bottom to top; `choices` the cards of every decision in order: those laid away, or the one
    laid. Both are used up when the game is over.
    """

    rules: Rules
    shuffles: Iterator[Sequence[str]]
    choices: Iterator[Sequence[str]]
    items: list[Item] = field(default_factory=list)
    dealers: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    goes: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        dealer = self._first_dealer()
        try:
            self._score(self._after(dealer), "three for last", self.rules.head_start)
            while True:
                self.dealers.append(dealer)
                self._deal(dealer)
                dealer = self._after(dealer)
        except Over:
            pass

    def side(self, seat: str) -> str:
        at = self.rules.seats.index(seat)
        return (
            seat + self.rules.seats[(at + self.rules.partners) % len(self.rules.seats)] if self.rules.partners else seat
        )

    def points(self, seat: str) -> int:
        return sum(self.counts[member] for member in self.side(seat))

    def _after(self, seat: str, n: int = 1) -> str:
        return self.rules.seats[(self.rules.seats.index(seat) + n) % len(self.rules.seats)]

    def _round(self, first: str) -> list[str]:
        return [self._after(first, n) for n in range(len(self.rules.seats))]

    def _score(self, seat: str, why: str, points: int) -> None:
        self._score_all(seat, {why: points})

    def _score_all(self, seat: str, lines: dict[str, int]) -> None:
        """The points of one card or one hand: all are marked before anybody has won."""
        for why in _NAMES:
            if lines.get(why):
                self.items.append((seat, lines[why], why))
                self.counts[seat] += lines[why]
        if self.points(seat) >= self.rules.target:
            raise Over

    def _first_dealer(self) -> str:
        first = self.rules.seats[1]  # nobody has dealt yet, so the cut begins beside the first seat
        while True:
            pack = list(next(self.shuffles))
            cut = {seat: order(pack.pop()) for seat in self._round(first)}
            if len(set(cut.values())) == len(cut):
                return min(cut, key=lambda seat: cut[seat])

    def _deal(self, dealer: str) -> None:
        pack, eldest = list(next(self.shuffles)), self._after(dealer)
        hands: dict[str, list[str]] = {seat: [] for seat in self.rules.seats}
        spared = [self._after(dealer, n) for n in self.rules.spared]
        for n in range(self.rules.hand):
            for seat in self._round(eldest):
                if n < self.rules.hand - self.rules.away or seat not in spared:
                    hands[seat].append(pack.pop())
        crib = [pack.pop()] if self.rules.crib_card else []
        for seat in self.rules.seats:
            if seat in spared:
                continue
            away = next(self.choices)
            assert len(away) == self.rules.away and set(away) <= set(hands[seat])
            crib += away
            hands[seat] = [card for card in hands[seat] if card not in away]
        starter = pack.pop()
        if starter[0] == "J":
            self._score(dealer, "two for his heels", 2)
        self._lay_out({seat: list(cards) for seat, cards in hands.items()}, eldest)
        for seat in self._round(eldest):
            self._show(seat, hands[seat], starter)
        assert len(crib) == 4
        self._show(dealer, crib, starter, crib=True)

    def _show(self, seat: str, held: Sequence[str], starter: str, crib: bool = False) -> None:
        self._score_all(seat, show(held, starter, crib))

    def _lay_out(self, left: dict[str, list[str]], leader: str) -> None:
        while any(left.values()):
            leader = self._count(left, leader)
            if self.rules.one_count:
                return

    def _count(self, left: dict[str, list[str]], leader: str) -> str:
        """One count, from nothing to thirty-one or until nobody can lay; the next to lead."""
        laid: list[str] = []
        last, seat, said_go = leader, leader, set[str]()
        while sum(map(worth, laid)) < 31:
            room = 31 - sum(map(worth, laid))
            if not any(worth(card) <= room for cards in left.values() for card in cards):
                if any(left.values()):
                    self._score(last, "for go", 1)
                break
            if seat not in said_go and left[seat]:
                if any(worth(card) <= room for card in left[seat]):
                    [card] = next(self.choices)
                    left[seat].remove(card)
                    assert worth(card) <= room
                    laid.append(card)
                    last = seat
                    lines = pegged(laid)
                    if not any(left.values()) and sum(map(worth, laid)) < 31:
                        lines["last card"] = 1
                    self._score_all(seat, lines)
                else:
                    said_go.add(seat)
                    self.goes[seat] += 1
            seat = self._after(seat)
        return next(seat for seat in self._round(self._after(last)) if left[seat]) if any(left.values()) else leader


_NAMES = [
    *("fifteen", "thirty-one", *PAIRS.values(), *(f"run of {number}" for number in NUMBERS.values()), "flush"),
    *("one for his nob", "last card", "for go", "two for his heels", "three for last"),
]
"""In the order in which they are announced."""
