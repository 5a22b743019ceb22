"""Backgammon, Jacquet and Le Garanguet without the interpreter, written from the rules alone to judge the rulesets.

A side is a tuple of 26 counts by distance from the end of its own track: 0 is off the board, 24 the first arrow, 25 the bar.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from brute_turns import LETTERS, Pool, Turn, Turns

OFF, BAR = 0, 25

Side = tuple[int, ...]
Final = tuple[Side, Side]
"""How both stand, the side to play first."""
Step = tuple[int, int]
"""One number played: the distance the man stood at, and the number."""


def opposed(distance: int) -> int:
    """The same arrow as the opponent counts it, when the tracks run against each other."""
    return 25 - distance


def parallel(distance: int) -> int:
    """The same arrow as the opponent counts it, when both run the same way from opposite corners."""
    return (distance + 11) % 24 + 1


@dataclass(frozen=True)
class Rules(Turns[Final, int]):
    """Rules that differ between the games and their options; the defaults are those of the Garanguet."""

    across: Callable[[int], int] = opposed
    hits: bool = False
    overbear: str = "backgammon"
    obligation: str = "dice_then_pips"
    overbear_pips: str = "die"
    finish_exempt: bool = False
    prime: str = "unrestricted"
    circular: bool = False
    postillon: bool = False

    @property
    def strongest_first(self) -> bool:
        return self.obligation == "strongest_first_greedy"

    def plays(self, position: Final, die: int) -> Iterator[tuple[int, int, Final]]:
        for start in range(25, 0, -1):
            if position[0][start] and may_play(*position, start, die, self):
                points = min(die, start) if self.overbear_pips == "distance" else die
                yield start, points, moved(*position, start, max(start - die, OFF), self)

    def value(self, turn: Turn[Final]) -> tuple[int, ...]:
        if self.obligation == "dice_then_pips":
            return turn.played, turn.points
        return (turn.points,) if self.obligation == "max_pips" else ()

    def spares(self, turn: Turn[Final]) -> bool:
        """With `finish_exempt`, a turn that takes the last man off."""
        own, _ = turn.end
        return self.finish_exempt and own[OFF] == sum(own)


GARANGUET = Rules()
BACKGAMMON = Rules(hits=True)
JACQUET = Rules(across=parallel, prime="needs_23_24", circular=True, postillon=True)


# ---- the numbers of a throw ------------------------------------------------------------------------------------------


def pool_of(dice: tuple[int, ...], triplet_plays: int = 6) -> Pool:
    if len(set(dice)) == 1:
        return (dice[0],) * (4 if len(dice) == 2 else triplet_plays)
    if len(dice) == 3 and len(set(dice)) == 2:
        pair = sorted(dice)[1]
        odd = next(d for d in dice if d != pair)
        if odd < pair:
            return (pair,) * 4 + (odd,)
    return tuple(sorted(dice, reverse=True))


# ---- one number ------------------------------------------------------------------------------------------------------


def may_play(own: Side, enemy: Side, start: int, die: int, rules: Rules) -> bool:
    if own[BAR] and start != BAR:
        return False
    if rules.postillon and not postillon_may(own, start):
        return False
    end = start - die
    if end > 0:
        return is_free(enemy, end, rules) and not makes_prime(own, start, end, rules)
    if any(own[7:]):
        return False
    return end == 0 or all(not holds_back(own, enemy, other, start, die, rules) for other in range(1, 7))


def is_free(enemy: Side, end: int, rules: Rules) -> bool:
    return enemy[rules.across(end)] <= (1 if rules.hits else 0)


def holds_back(own: Side, enemy: Side, other: int, start: int, die: int, rules: Rules) -> bool:
    """Must the man at `other` be played rather than the nearer one at `start` be carried out by a number too great for it?"""
    if not own[other] or other <= start:
        return False
    if rules.overbear == "backgammon" or other < die:
        return True
    return other == die or is_free(enemy, other - die, rules)


def postillon_may(own: Side, start: int) -> bool:
    """One man must reach the last quadrant before a second leaves the first arrow."""
    if any(own[:7]):
        return True
    return own[24] == 15 or start < 24


def makes_prime(own: Side, start: int, end: int, rules: Rules) -> bool:
    if rules.prime == "unrestricted" or own[end]:
        return False
    after = list(own)
    after[start] -= 1
    after[end] += 1
    if rules.prime == "needs_23_24" and own[2] and own[1]:
        return False
    firsts = range(1, 25) if rules.circular else range(1, 20)
    runs = [[(first + k - 1) % 24 + 1 for k in range(6)] for first in firsts]
    return any(end in run and all(after[d] for d in run) for run in runs)


def moved(own: Side, enemy: Side, start: int, end: int, rules: Rules) -> Final:
    mine, theirs = list(own), list(enemy)
    mine[start] -= 1
    mine[end] += 1
    if rules.hits and end != OFF and theirs[rules.across(end)]:
        theirs[rules.across(end)] -= 1
        theirs[BAR] += 1
    return tuple(mine), tuple(theirs)


# ---- how positions are written ---------------------------------------------------------------------------------------


def side(text: str, *, descends: bool = True, men: int = 15) -> Side:
    """`g1 e1 a13` for the player who runs from x down to a (or, ascending, from a up to x); men not written are off."""
    counts = [0] * 26
    for word in text.split():
        if word.startswith(("off", "bar")):
            counts[OFF if word[0] == "o" else BAR] += int(word[3:])
        else:
            index = LETTERS.index(word[0]) + 1
            counts[index if descends else 25 - index] += int(word[1:])
    counts[OFF] = men - sum(counts[1:])
    return tuple(counts)


def show(own: Side, *, descends: bool = True) -> str:
    """The inverse of `side`, farthest man first, `off` last."""
    words = [f"bar{own[BAR]}"] if own[BAR] else []
    for distance in range(24, 0, -1):
        if own[distance]:
            words.append(f"{LETTERS[(distance if descends else 25 - distance) - 1]}{own[distance]}")
    return " ".join(words + ([f"off{own[OFF]}"] if own[OFF] else []))


BACKGAMMON_START: Side = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(d, 0) for d in range(26))
