"""Every legal turn of a tables game, enumerated without the interpreter and without its look-ahead.

Written from the rules alone, to judge the rulesets: a turn is every way of playing the numbers one after the other until
none can be played, and the legal turns are those with the greatest key. Nothing here is clever.

A side is a tuple of 26 counts by distance from the end of its own track: 0 is off the board, 24 the first arrow, 25 the bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

LETTERS = "abcdefghijklmnopqrstuvwx"
KEPT = 5_000  # positions of whose turns all ends are remembered: many times those of one turn, and no more memory in long runs
OFF, BAR = 0, 25

Side = tuple[int, ...]
Pool = tuple[int, ...]
Final = tuple[Side, Side]
Step = tuple[int, int]
"""One number played: the distance the man stood at, and the number."""


def opposed(distance: int) -> int:
    """The same arrow as the opponent counts it, when the tracks run against each other."""
    return 25 - distance


def parallel(distance: int) -> int:
    """The same arrow as the opponent counts it, when both run the same way from opposite corners."""
    return (distance + 11) % 24 + 1


@dataclass(frozen=True)
class Rules:
    """What differs between the games and their options; the defaults are those of the Garanguet."""

    across: Callable[[int], int] = opposed
    hits: bool = False
    overbear: str = "backgammon"
    obligation: str = "dice_then_pips"
    overbear_pips: str = "die"
    finish_exempt: bool = False
    prime: str = "unrestricted"
    circular: bool = False
    postillon: bool = False


GARANGUET = Rules()
BACKGAMMON = Rules(hits=True)
JACQUET = Rules(across=parallel, prime="needs_23_24", circular=True, postillon=True)


# ---- the numbers of a throw ------------------------------------------------------------------------------------------


def pool_of(dice: tuple[int, ...], triplet_plays: int = 6) -> Pool:
    """How often each number of a throw is played, greatest first."""
    if len(set(dice)) == 1:
        return (dice[0],) * (4 if len(dice) == 2 else triplet_plays)
    if len(dice) == 3 and len(set(dice)) == 2:
        pair = sorted(dice)[1]
        odd = next(d for d in dice if d != pair)
        if odd < pair:
            return (pair,) * 4 + (odd,)
    return tuple(sorted(dice, reverse=True))


def all_throws(dice: int) -> Iterator[tuple[int, ...]]:
    """Every throw once, whatever the order of the dice."""
    return combinations_with_replacement(range(1, 7), dice)


# ---- one number ------------------------------------------------------------------------------------------------------


def steps(own: Side, enemy: Side, die: int, rules: Rules) -> Iterator[tuple[int, Side, Side]]:
    """Every way to play one number: where the man stood, and both sides afterwards."""
    for start in range(25, 0, -1):
        if own[start] and may_play(own, enemy, start, die, rules):
            yield start, *moved(own, enemy, start, max(start - die, OFF), rules)


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


# ---- whole turns -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def outcomes(own: Side, enemy: Side, pool: Pool, rules: Rules) -> frozenset[tuple[int, int, bool, Final]]:
    """(numbers played, points, did the last man leave, how both sides stand) of every turn played until nothing can be."""
    found = set()
    for start, die, mine, theirs, rest in continuations(own, enemy, pool, rules):
        pips = min(die, start) if rules.overbear_pips == "distance" else die
        for count, points, finished, final in outcomes(mine, theirs, rest, rules):
            found.add((count + 1, points + pips, finished, final))
    return frozenset(found) or frozenset({(0, 0, own[OFF] == sum(own), (own, enemy))})


def continuations(own: Side, enemy: Side, pool: Pool, rules: Rules) -> Iterator[tuple[int, int, Side, Side, Pool]]:
    """Every number that can be played next; under the greedy rule only the strongest of them."""
    for die in sorted(set(pool), reverse=True):
        at = pool.index(die)
        played = False
        for start, mine, theirs in steps(own, enemy, die, rules):
            played = True
            yield start, die, mine, theirs, pool[:at] + pool[at + 1 :]
        if played and rules.obligation == "strongest_first_greedy":
            return


def key(outcome: tuple[int, int, bool, Final], rules: Rules) -> tuple[int, ...]:
    """What a turn is worth under the obligation: only the greatest are legal."""
    count, points, _, _ = outcome
    if rules.obligation == "dice_then_pips":
        return count, points
    return (points,) if rules.obligation == "max_pips" else ()


def legal(own: Side, enemy: Side, pool: Pool, rules: Rules) -> Callable[[tuple[int, int, bool, Final]], bool]:
    """Is a turn among the greatest, or spared because the last man leaves?"""
    best = max(key(o, rules) for o in outcomes(own, enemy, pool, rules))
    return lambda o: key(o, rules) == best or (rules.finish_exempt and o[2])


def finals(own: Side, enemy: Side, pool: Pool, rules: Rules = GARANGUET) -> set[Final]:
    """How both sides can stand after a legal turn."""
    allowed = legal(own, enemy, pool, rules)
    return {o[3] for o in outcomes(own, enemy, pool, rules) if allowed(o)}


def first_steps(own: Side, enemy: Side, pool: Pool, rules: Rules = GARANGUET) -> set[Step]:
    """The numbers that may be played first: those that begin a legal turn."""
    allowed = legal(own, enemy, pool, rules)
    found = set()
    for start, die, mine, theirs, rest in continuations(own, enemy, pool, rules):
        pips = min(die, start) if rules.overbear_pips == "distance" else die
        turns = outcomes(mine, theirs, rest, rules)
        if any(allowed((count + 1, points + pips, finished, final)) for count, points, finished, final in turns):
            found.add((start, die))
    return found


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
