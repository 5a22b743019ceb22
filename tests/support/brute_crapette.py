"""Crapette without the interpreter: which moves a position allows, and which of them are faults.

Written from the rules alone, to judge the ruleset, and in another way than it says them: here the manœuvres are tried one after
the other as a player would. A card is two letters, rank and suit; piles are bottom to top.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RANKS = "A23456789TJQK"
Cases = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Position:
    """The view of the player on turn. `talon` is a number of cards; `seen`: the arrangements of the cases that may not come back."""

    me: int
    side: Cases
    centre: Cases
    crapette: tuple[str, ...]
    turned: tuple[str, ...]
    pot: tuple[str, ...]
    talon: int
    their_crapette: tuple[str, ...]
    their_pot: tuple[str, ...]
    crapette_size: int
    pot_size: int
    has_turned: bool = False
    seen: frozenset[Cases] = frozenset()
    shifts: int = 0


@dataclass(frozen=True)
class Try:
    """A manœuvre 1, 2 or 3: where from (and which case), how many cards, where to."""

    number: int
    source: str
    case: int
    cards: int
    to: str
    place: int

    def id(self, packet: Sequence[str]) -> str:
        source = f"side {self.case + 1}" if self.source == "side" else self.source
        if self.number == 1:
            return f"to-the-centre {source} -> {self.place + 1}"
        if self.number == 2:
            return f"load-the-opponent {source} -> {self.to}"
        if self.cards > 1:
            return f"shift-a-sequence {self.case + 1} {' '.join(packet)} -> {self.place + 1}"
        if self.source == "side":
            return f"side-to-side {self.case + 1} -> {self.place + 1}"
        return f"to-a-side-case {source} -> {self.place + 1}"


def rank(card: str) -> int:
    return RANKS.index(card[0])


def contrast(a: str, b: str) -> bool:
    return (a[1] in "HD") != (b[1] in "HD")


class Judge:
    def __init__(self, position: Position, options: Mapping[str, Any]) -> None:
        self.p, self.o = position, options
        self.m1, self.m2, self.m3 = self._to_the_centre(), self._loads(), self._to_the_cases()

    # ---- what the building rules allow -------------------------------------------------------------------------------

    def _sources(self) -> list[tuple[str, int, str]]:
        p = self.p
        found = [("crapette", 0, p.crapette[-1])] if p.crapette else []
        own = range(len(p.side)) if self.o["side_ownership"] == "common" else self._dealt()
        found += [("side", i, p.side[i][-1]) for i in own if p.side[i]]
        found += [("turned", 0, p.turned[-1])] if p.turned else []
        if self.o["pot_playable"] and p.pot:
            found.append(("pot", 0, p.pot[-1]))
        return found

    def _dealt(self) -> range:
        return range(self.p.me * self.o["side_each"], (self.p.me + 1) * self.o["side_each"])

    def _to_the_centre(self) -> list[Try]:
        empty = next((i for i, c in enumerate(self.p.centre) if not c), None)
        found = []
        for source, case, card in self._sources():
            places = [
                i for i, c in enumerate(self.p.centre) if c and c[-1][1] == card[1] and rank(c[-1]) + 1 == rank(card)
            ]
            if card[0] == "A" and empty is not None:
                places.append(empty)
            found += [Try(1, source, case, 1, "", i) for i in places]
        return found

    def _loads(self) -> list[Try]:
        p, o = self.p, self.o
        allowed = {
            "crapette_only": ["crapette"],
            "crapette_and_turned": ["crapette", "turned"],
            "any": ["crapette", "turned", "side", "pot"],
        }
        held = p.crapette_size + p.talon + p.pot_size + len(p.turned)
        if o["win_requires"] == "by_board" and held == 1:
            return []
        them = "AB"[1 - p.me]
        piles = [(f"crapette of {them}", p.their_crapette)] * (o["load_targets"] != "pot_only")
        piles += [(f"pot of {them}", p.their_pot)] * (o["load_targets"] != "crapette_only")
        return [
            Try(2, source, case, 1, name, 0)
            for source, case, card in self._sources()
            for name, pile in piles
            if source in allowed[o["load_sources"]] and pile and self._loadable(card, pile[-1])
        ]

    def _loadable(self, card: str, top: str) -> bool:
        gap, rule = abs(rank(card) - rank(top)), self.o["load_rule"]
        if rule == "alternate_colour_adjacent":
            return gap == 1 and contrast(card, top)
        return card[1] == top[1] and (gap == 1 or (gap == 0 and rule == "same_suit_adjacent_or_equal"))

    def _fits_case(self, card: str, case: Sequence[str]) -> bool:
        if not case:
            return bool(self.o["empty_case"] == "any" or card[0] == "K")
        suits = contrast(card, case[-1]) if self.o["side_rule"] == "alternate_down" else card[1] == case[-1][1]
        return suits and rank(card) + 1 == rank(case[-1])

    def _to_the_cases(self) -> list[Try]:
        found = []
        for source, case, card in self._sources():
            most = len(self.p.side[case]) if source == "side" and self.o["move_unit"] == "sequence" else 1
            for cards in range(1, most + 1):
                first = self.p.side[case][-cards] if source == "side" else card
                for i, to in enumerate(self.p.side):
                    whole = source == "side" and cards == len(self.p.side[case])
                    if self._fits_case(first, to) and not (whole and not to):
                        found.append(Try(3, source, case, cards, "", i))
        return [t for t in found if t.source != "side" or self._may_shift(t)]

    def _may_shift(self, t: Try) -> bool:
        endless = self.o["turn_blocked_by"] != "own" and self.p.shifts == 40
        return not endless and self._after(t) not in self.p.seen

    def _after(self, t: Try) -> Cases:
        cases = [list(c) for c in self.p.side]
        moved = cases[t.case][-t.cards :]
        del cases[t.case][-t.cards :]
        cases[t.place] += moved
        return tuple(tuple(c) for c in cases)

    # ---- what the order of priority leaves ---------------------------------------------------------------------------

    def _in_order(self, tries: list[Try], ordered: bool) -> list[Try]:
        """The crapette before the cases, these before the rest."""
        for source in ("crapette", "side"):
            first = [t for t in tries if t.source == source]
            if ordered and first:
                return first
        return tries

    def _turning(self) -> str | None:
        p = self.p
        if p.turned:
            return None
        if self.o["talon_cards_per_turn"] == "one" and p.has_turned:
            return "pass"
        return "turn-the-talon" if p.talon + p.pot_size else "pass"

    def _must_move_before_turning(self) -> bool:
        if self.m1 or (self.m2 and self.o["load"] == "forced") or any(t.source == "crapette" for t in self.m3):
            return True
        shifts = [t for t in self.m3 if t.source == "side"]
        clearing = [t for t in shifts if t.cards == len(self.p.side[t.case])]
        return bool({"own": [], "clearing": clearing, "literal": shifts}[self.o["turn_blocked_by"]])

    def _pot_refused(self) -> bool:
        """Must the turned card be placed, or something else be done first? None of the three faults is to put it there, so it is the same
        where faults are called."""
        rule = self.o["pot_rule"]
        if rule == "only_if_unplaceable":
            fits = any(t.source == "turned" for t in self.m3)
            return bool(self.m1 or (self.m2 and self.o["load"] == "forced") or fits)
        return bool(self.m1) and rule == "free_unless_centre"

    def _name(self, t: Try) -> str:
        return t.id(self.p.side[t.case][-t.cards :] if t.source == "side" else ())

    def legal(self) -> set[str]:
        order = self.o["source_order"]
        if self.m1:
            found = self._in_order(self.m1, order != "free")
        elif self.m2 and self.o["load"] == "forced":
            found = self._in_order(self.m2, order in ("m1_m2", "all"))
        else:
            found = self._in_order(self.m2, order in ("m1_m2", "all")) + self._in_order(self.m3, order == "all")
        ids = {self._name(t) for t in found}
        if self.p.turned and not self._pot_refused():
            ids.add("to-the-pot")
        turning = self._turning()
        return ids | {turning} if turning and not self._must_move_before_turning() else ids

    def called(self) -> dict[str, str | None]:
        """The moves of a game in which faults are called, each with the fault it is."""
        found: dict[str, str | None] = {self._name(t): None for t in self.m1}
        found |= {self._name(t): "F1" if self.m1 else None for t in self.m2}
        forced = self.m2 and self.o["load"] == "forced"
        found |= {self._name(t): "F1" if self.m1 else "F2" if forced else None for t in self.m3}
        if self.p.turned and not self._pot_refused():
            found["to-the-pot"] = None
        turning, due = self._turning(), self._must_move_before_turning()
        if turning == "pass" and not due:  # nothing is turned, so passing is no fault: it is possible or it is not
            found[turning] = None
        elif turning == "turn-the-talon":
            found[turning] = "F3" if due else None
        return found
