"""A single game of Backgammon written by hand, without the cube: what a playout costs without an interpreter.

Every choice is made at random among the same legal moves, counted as one decision each, that the ruleset offers: a number is
played with one checker at a time, and a forced one is a decision too. Who can play nothing is not asked. What may be begun with
is found by trying how the turn could go on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

OFF, BAR = 0, 25
MEN = 15
HOME = 6
START = {24: 2, 13: 5, 8: 3, 6: 5}

Step = tuple[int, int]
"""The point that a checker leaves, and the number it moves by."""


@dataclass(frozen=True, slots=True)
class Result:
    decisions: int
    turns: int
    winner: int
    points: int


class Game:
    """White is 0 and Black 1. Each side counts its checkers by the steps they have to go: 0 is off the board, 25 the bar.

    The point that is at `n` for one side is at `25 - n` for the other.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.men = [[START.get(point, 0) for point in range(26)] for _ in range(2)]
        self.decisions = 0
        self.turns = 0

    def throw(self) -> int:
        return self.rng.randrange(1, 7)

    def play(self) -> Result:
        white, black = self.throw(), self.throw()
        while white == black:
            white, black = self.throw(), self.throw()
        side = 0 if white > black else 1
        dice = [white, black]
        while True:
            self.turn(side, dice)
            if self.men[side][OFF] == MEN:
                return Result(self.decisions, self.turns, side, self.points(1 - side))
            side = 1 - side
            dice = [self.throw(), self.throw()]

    def turn(self, side: int, dice: list[int]) -> None:
        self.turns += 1
        pool = dice * 2 if dice[0] == dice[1] else list(dice)
        while True:
            mine, theirs = self.men[side], self.men[1 - side]
            legal = legal_steps(mine, theirs, pool)
            if not legal:
                return
            self.decisions += 1
            start, die = self.rng.choice(legal)
            self.men[side], self.men[1 - side] = moved(mine, theirs, start, die)
            pool.remove(die)

    def points(self, loser: int) -> int:
        """What the game is worth: a backgammon three, a gammon two."""
        men = self.men[loser]
        if men[OFF]:
            return 1
        return 3 if any(men[19:]) else 2


def steps(mine: Sequence[int], theirs: Sequence[int], pool: Sequence[int]) -> list[Step]:
    """Every way to play one of the numbers."""
    starts = [BAR] if mine[BAR] else [point for point in range(24, 0, -1) if mine[point]]
    found = []
    for die in set(pool):
        for start in starts:
            end = start - die
            if end > OFF:
                if theirs[25 - end] < 2:
                    found.append((start, die))
            elif starts[0] <= HOME and (end == OFF or start == starts[0]):
                found.append((start, die))
    return found


def moved(mine: list[int], theirs: list[int], start: int, die: int) -> tuple[list[int], list[int]]:
    """Both sides after one number is played."""
    mine, theirs = mine[:], theirs[:]
    end = max(start - die, OFF)
    mine[start] -= 1
    mine[end] += 1
    if end > OFF and theirs[25 - end]:
        theirs[25 - end] -= 1
        theirs[BAR] += 1
    return mine, theirs


def legal_steps(mine: list[int], theirs: list[int], pool: list[int]) -> list[Step]:
    """Those that begin a turn with as many numbers as possible, and of these the greatest."""
    found = steps(mine, theirs, pool)
    if len(found) < 2:
        return found
    values = [value(mine, theirs, pool, step) for step in found]
    best = max(values)
    return [found[i] for i in range(len(found)) if values[i] == best]


def value(mine: list[int], theirs: list[int], pool: list[int], step: Step) -> tuple[int, int]:
    """How many numbers can be played if the turn goes on with this step, and how much they are together."""
    start, die = step
    rest = list(pool)
    rest.remove(die)
    if not rest:
        return 1, die
    count, total = most(*moved(mine, theirs, start, die), rest)
    return count + 1, total + die


def most(mine: list[int], theirs: list[int], pool: list[int]) -> tuple[int, int]:
    """How many numbers can be played from here, and how much they are together at most."""
    best = (0, 0)
    for step in steps(mine, theirs, pool):
        best = max(best, value(mine, theirs, pool, step))
        if best[0] == len(pool):
            break
    return best


def playout(rng: random.Random) -> Result:
    """One game of random legal moves."""
    return Game(rng).play()
