"""Barbu without the interpreter: who decides what, which announcements and cards are allowed, and what every deal is worth.

Written from the rules alone, to judge the rulesets, as one long generator: it yields who decides and the ids of the moves he may make, and
is sent the one he makes. Cards are two letters, rank and suit.
"""

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
NAMES = dict(
    zip(
        RANKS,
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
        strict=True,
    )
)
SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
CONTRACTS = ["plis", "dernieres", "dames", "coeurs", "barbu", "atout", "reussite"]
POSITIVE = ("atout", "reussite")
AWARDS = {3: (45, 20, -10), 4: (45, 20, 10, -10), 5: (45, 20, 10, 0, -10)}

Step = Generator[tuple[str, set[str]], str, Any]
Hands = dict[str, list[str]]


class Referee:
    """One game. `read_hands` is asked for the hands once the cards of a deal are dealt. `positive`: which text settles the positive contracts."""

    def __init__(
        self,
        options: Mapping[str, Any],
        read_hands: Callable[[], Hands],
        first: str,
        *,
        positive: str,
        seats: str = "ABCD",
        ranks: str = RANKS,
    ) -> None:
        self.o = options
        self.read_hands, self.first, self.positive, self.seats, self.ranks = read_hands, first, positive, seats, ranks
        self.score = Counter(dict.fromkeys(seats, 0))
        self.doubles: Counter[tuple[str, str]] = Counter()
        self.played: dict[str, list[str]] = {s: [] for s in seats}
        self.plans: dict[str, list[str]] = {}

    def round(self, seat: str) -> str:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # ---- the game ----------------------------------------------------------------------------------------------------

    def game(self) -> Step:
        for _ in range(len(CONTRACTS) if self.o["rotation"] == "each_deal" else 1):
            for declarer in self.round(self.first):
                yield from self.manche(declarer)

    def manche(self, declarer: str) -> Step:
        if self.o["choice"] == "precommit" and declarer not in self.plans:
            plan: list[str] = []
            while len(plan) < len(CONTRACTS):
                move = yield declarer, {f"plan-the-next-contract {c}" for c in CONTRACTS if c not in plan}
                plan.append(move.split()[1])
            self.plans[declarer] = plan
        for _ in range(1 if self.o["rotation"] == "each_deal" else len(CONTRACTS)):
            yield from self.deal(declarer)
        if self.o["quota"] == "penalty" and len(self.played[declarer]) == len(CONTRACTS):
            countable = sum(1 for c in CONTRACTS if self.counts(c))
            for p in self.seats:
                lacking = (
                    max(0, min(self.o["quota_size"], countable) - self.doubles[p, declarer]) if p != declarer else 0
                )
                self.score[p] -= self.o["penalty"] * lacking
                self.score[declarer] += self.o["penalty"] * lacking

    def deal(self, declarer: str) -> Step:
        hands = self.read_hands()
        left = [c for c in CONTRACTS if c not in self.played[declarer]]
        if self.o["choice"] == "precommit":
            left = [c for c in self.plans[declarer] if c in left][:1]
        contract = (yield declarer, {f"choose-a-contract {c}" for c in left}).split()[1]
        named = ""
        if self.o["naming"] == "with_contract":
            named = yield from self.name(declarer, contract, hands[declarer])
        level: dict[frozenset[str], int] = {}
        if self.o["doubling"] != "nobody":
            level = yield from self.auction(declarer, contract)
        if self.o["naming"] == "after_doubles":
            named = yield from self.name(declarer, contract, hands[declarer])
        raw = yield from self.play(declarer, contract, named, hands, bool(level))
        self.played[declarer].append(contract)
        self.settle(declarer, contract, raw, level)

    def name(self, declarer: str, contract: str, hand: list[str]) -> Step:
        if contract == "atout":
            return (yield declarer, {f"name-trumps {s}" for s in SUITS}).split()[1]
        if contract == "reussite":
            own = {c[0] for c in hand} if self.o["opening_rank"] == "must_hold" else set(self.ranks)
            if len(self.seats) != 4:
                own.discard("7")  # two sevens are out of the pack
            return (yield declarer, {f"name-the-rank {NAMES[r]}" for r in own}).split()[1]
        return ""

    # ---- doubling ----------------------------------------------------------------------------------------------------

    def counts(self, contract: str) -> bool:
        return self.o["quota_on"] == "all" or contract not in POSITIVE

    def auction(self, declarer: str, contract: str) -> Step:
        level: dict[frozenset[str], int] = {}
        last: dict[frozenset[str], str] = {}
        order = self.round(declarer)[1:] + (declarer if self.o["doubling"] == "everyone" else "")
        for me in order:
            move = yield me, self.announcements(me, declarer, contract, level)
            for other in move.split()[1:]:
                pair = frozenset(me + other)
                level[pair] = 2 if pair in level and self.o["mutual"] == "counts_as_redouble" else 1
                last.setdefault(pair, me)
            if declarer in move.split()[1:] and self.counts(contract):
                self.doubles[me, declarer] += 1
        for turn in range(2, self.o["rounds"] + 1):
            for me in self.round(declarer):
                asked = [
                    p
                    for p in self.seats
                    if p != me and level.get(frozenset(me + p)) == turn - 1 and last[frozenset(me + p)] == p
                ]
                if asked:
                    move = yield me, {"do-not-redouble", *subsets("redouble", asked)}
                    for other in move.split()[1:]:
                        level[frozenset(me + other)] = turn
                        last[frozenset(me + other)] = me
        return level

    def announcements(self, me: str, declarer: str, contract: str, level: Mapping[frozenset[str], int]) -> set[str]:
        free = (0,) if self.o["mutual"] == "excluded" else (0, 1)
        others = [p for p in self.seats if p != me and level.get(frozenset(me + p), 0) in free]
        if contract in POSITIVE and me != declarer:
            others = [p for p in others if p == declarer]
        every = {"pass", *subsets("double", others)}
        if self.o["quota"] != "enforce" or not self.counts(contract) or me == declarer:
            return every
        left = sum(1 for c in CONTRACTS if c not in self.played[declarer] and self.counts(c))
        must = self.o["quota_size"] - self.doubles[me, declarer] >= left
        return {a for a in every if declarer in a.split()[1:]} if must else every

    # ---- play --------------------------------------------------------------------------------------------------------

    def play(self, declarer: str, contract: str, named: str, hands: Hands, doubled: bool) -> Step:
        if contract == "reussite":
            return (yield from self.layout(declarer, next(r for r in RANKS if NAMES[r] == named), hands))
        leader, size = declarer, len(hands[declarer])
        pack = {declarer: [c for hand in hands.values() for c in hand]}
        total = sum(self.points(contract, [declarer] * size, pack, size).values())
        if self.o["undoubled"] == "divided" and contract != "atout" and not doubled:
            flanks = len(self.seats) - 1
            raw = dict.fromkeys(self.seats, total // flanks)
            raw[declarer] = total - flanks * (total // flanks)
            return raw
        trump = SUITS[named] if contract == "atout" else ""
        takers: list[str] = []
        won: Hands = {s: [] for s in self.seats}
        while hands[leader]:
            trick: list[tuple[str, str]] = []
            for me in self.round(leader):
                legal = self.cards(hands[me], trick, trump, contract, any(c[1] == "H" for w in won.values() for c in w))
                card = (yield me, {f"play-a-card {c}" for c in legal}).split()[1]
                hands[me].remove(card)
                trick.append((me, card))
            leader = best(trick, trump)[0]
            takers.append(leader)
            won[leader] += [c for _, c in trick]
            gone = contract != "atout" and sum(self.points(contract, takers, won, size).values()) == total
            if self.o["early_stop"] and gone:
                break
        return self.points(contract, takers, won, size)

    def points(self, contract: str, takers: list[str], won: Mapping[str, list[str]], size: int) -> dict[str, int]:
        found = dict.fromkeys(self.seats, 0)
        for seat in self.seats:
            cards, tricks = won.get(seat, []), takers[:size].count(seat)
            found[seat] = {
                "plis": -2 * tricks,
                "dernieres": -20 * (takers[size - 1 : size] == [seat]) - 10 * (takers[size - 2 : size - 1] == [seat]),
                "dames": -6 * sum(c[0] == "Q" for c in cards),
                "coeurs": sum(-6 if c == "AH" else -2 for c in cards if c[1] == "H"),
                "barbu": -20 * ("KH" in cards),
                "atout": 5 * tricks,
            }[contract]
        return found

    def cards(
        self, hand: list[str], trick: list[tuple[str, str]], trump: str, contract: str, heart_seen: bool
    ) -> list[str]:
        if not trick:
            ban = contract in ("coeurs", "barbu") and (
                self.o["heart_lead"] == "last_resort" or (self.o["heart_lead"] == "broken" and not heart_seen)
            )
            others = [c for c in hand if c[1] != "H"]
            return others if ban and others else hand
        led, high = trick[0][1][1], best(trick, trump)[1]
        suited = [c for c in hand if c[1] == led]
        if suited:
            head = self.o["head_all"] or (self.o["head_trumps"] and led == trump)
            higher = [c for c in suited if high[1] == led and RANKS.index(c[0]) > RANKS.index(high[0])]
            return higher if head and higher else suited
        trumps = [c for c in hand if c[1] == trump]
        if not trumps or led == trump:
            king = contract == "barbu" and self.o["barbu_forced_discard"] and "KH" in hand
            return ["KH"] if king else hand
        if high[1] != trump:
            return trumps if self.o["must_ruff"] else hand
        over = [c for c in trumps if RANKS.index(c[0]) > RANKS.index(high[0])]
        if over:
            return over
        rest = [c for c in hand if c[1] != trump]
        return {"optional": hand, "required": trumps, "forbidden": rest or hand}[self.o["undertrump"]]

    def layout(self, declarer: str, opening: str, hands: Hands) -> Step:
        laid: set[str] = set()
        out: list[str] = []
        me, last = declarer, 0 if self.o["reussite_end"] == "play_out" else 1
        while sum(1 for h in hands.values() if h) > last:
            if hands[me]:
                fits = [
                    c
                    for c in hands[me]
                    if c[0] == opening or any(c[1] == d[1] and self.adjacent(c[0], d[0]) for d in laid)
                ]
                move = yield me, {f"lay-a-card {c}" for c in fits} or {"pass-the-turn"}
                if fits:
                    hands[me].remove(move.split()[1])
                    laid.add(move.split()[1])
                if not hands[me]:
                    out.append(me)
            me = self.round(me)[1]
        out += [s for s in self.seats if s not in out]
        return {seat: AWARDS[len(self.seats)][i] for i, seat in enumerate(out)}

    def adjacent(self, a: str, b: str) -> bool:
        i, j = self.ranks.index(a), self.ranks.index(b)
        if self.o["reussite_ends"] == "ace_low":
            i, j = (-1 if r == "A" else k for r, k in ((a, i), (b, j)))
        wrapped = self.o["reussite_ends"] == "wrap" and {a, b} == {self.ranks[0], "A"}
        return abs(i - j) == 1 or wrapped

    # ---- settlement --------------------------------------------------------------------------------------------------

    def settle(self, declarer: str, contract: str, raw: dict[str, int], level: Mapping[frozenset[str], int]) -> None:
        line = dict(raw)
        gave: set[str] = set()
        for p, q in combinations(self.seats, 2):
            times = level.get(frozenset(p + q), 0)
            if times == 0 or raw[p] == raw[q]:
                continue
            up, down = (p, q) if raw[p] > raw[q] else (q, p)
            gap = raw[up] - raw[down]
            paid = times * gap
            if contract in POSITIVE and self.positive == "WP":
                given = 0 if self.o["give"] == "once" and down in gave else raw[down]
                gave.add(down)
                paid = given + (times - 1) * gap
                if contract == "reussite" and raw[down] == AWARDS[len(self.seats)][-1]:
                    if times == 1 or self.o["last_redoubled"] == "no_effect":
                        paid = 0
                    elif self.o["last_redoubled"] == "difference_only":
                        paid -= given
            line[up] += paid
            line[down] -= paid
        self.score.update(line)


def subsets(word: str, players: list[str]) -> set[str]:
    return {" ".join([word, *chosen]) for n in range(1, len(players) + 1) for chosen in combinations(players, n)}


def best(trick: list[tuple[str, str]], trump: str) -> tuple[str, str]:
    ruffs = [t for t in trick if t[1][1] == trump]
    able = ruffs or [t for t in trick if t[1][1] == trick[0][1][1]]
    return max(able, key=lambda t: RANKS.index(t[1][0]))
