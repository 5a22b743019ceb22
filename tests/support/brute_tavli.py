"""Every legal turn of the two Greek games of tables that are not backgammon, enumerated without the interpreter.

Written from the rules alone, to judge the rulesets, and on another board than theirs: twenty-four stacks of `w` and `b` from bottom to
top, `a` first, and each side walks along its own track. Who is not on the board is off. Nothing here is clever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LETTERS = "abcdefghijklmnopqrstuvwx"
KEPT = 5_000  # positions of whose turns all ends are remembered: many times those of one turn, and no more memory in long runs
MEN, HOME, END = 15, 18, 24
"""Checkers a side; the step of the track at which its last quadrant begins; the step that is off the board."""

Board = tuple[str, ...]
Pool = tuple[int, ...]
Step = tuple[str, int]
"""One number played: the point the checker left, and the number."""


@dataclass(frozen=True)
class Rules:
    """One of the games with its options; the defaults are the rulesets'."""

    pins: bool
    mother: str = "start_cleared"
    pinned_at_home: str = "holds_all"
    first_checker: int = 13
    quarter_open: bool = True
    way_out: bool = True


PLAKOTO, FEVGA = Rules(pins=True), Rules(pins=False)


def track(who: str, rules: Rules) -> list[int]:
    """The points in the order in which a side walks them."""
    down = list(range(23, -1, -1))
    if who == "w":
        return down
    return down[::-1] if rules.pins else down[12:] + down[:12]


def enemy(who: str) -> str:
    return "b" if who == "w" else "w"


def steps_of(board: Board, who: str, rules: Rules) -> list[int]:
    """Where this side stands, pinned checkers too, by the steps of its track."""
    return [step for step, point in enumerate(track(who, rules)) if who in board[point]]


def off(board: Board, who: str) -> int:
    return MEN - "".join(board).count(who)


# ---- one number ------------------------------------------------------------------------------------------------------


def numbers(board: Board, who: str, die: int, rules: Rules) -> Iterator[tuple[str, Board]]:
    """Every way to play one number: the point that is left, and the board afterwards."""
    path = track(who, rules)
    if is_over(board, rules):
        return
    for step, point in enumerate(path):
        if board[point][-1:] != who or not may_leave_its_point(board, who, step, rules):
            continue
        if step + die < END:
            target = path[step + die]
            after = moved(board, point, target)
            if is_open(board[target], who, rules) and not is_forbidden(after, who, rules):
                yield LETTERS[point], after
        elif may_bear_off(board, who, step, die, rules):
            yield LETTERS[point], moved(board, point, None)


def moved(board: Board, point: int, target: int | None) -> Board:
    stacks = list(board)
    man, stacks[point] = stacks[point][-1], stacks[point][:-1]
    if target is not None:
        stacks[target] += man
    return tuple(stacks)


def is_open(stack: str, who: str, rules: Rules) -> bool:
    if not stack or stack[-1] == who:
        return True
    return rules.pins and len(stack) == 1


def may_leave_its_point(board: Board, who: str, step: int, rules: Rules) -> bool:
    """Where a first checker goes alone: until it has gone far enough only the one that is ahead moves."""
    if rules.pins:
        return True
    ahead = max(steps_of(board, who, rules))
    return ahead >= rules.first_checker or step == ahead


def is_forbidden(after: Board, who: str, rules: Rules) -> bool:
    """All six points of one's own starting quarter."""
    quarter = track(who, rules)[:6]
    return not rules.pins and rules.quarter_open and all(who in after[point] for point in quarter)


def may_bear_off(board: Board, who: str, step: int, die: int, rules: Rules) -> bool:
    standing = steps_of(board, who, rules)
    if min(standing) < HOME:
        return False
    if rules.pins and rules.pinned_at_home == "holds_all" and any(is_pinned(stack, who) for stack in board):
        return False
    return step + die == END or step == min(standing)


# ---- pins and primes -------------------------------------------------------------------------------------------------


def is_pinned(stack: str, who: str) -> bool:
    return stack[:1] == who and stack[-1] == enemy(who)


def mother_is_pinned(board: Board, who: str, rules: Rules) -> bool:
    return rules.pins and is_pinned(board[track(who, rules)[0]], who)


def winner(board: Board, rules: Rules) -> str | None:
    """Who has borne off all, or has pinned the mother and need not fear for his own."""
    for who in "wb":
        if off(board, who) == MEN:
            return who
        start = board[track(who, rules)[0]]
        safe = rules.mother == "at_once" or who not in start
        if rules.mother != "plain" and mother_is_pinned(board, enemy(who), rules) and safe:
            return who
    return None


def is_tie(board: Board, rules: Rules) -> bool:
    return all(mother_is_pinned(board, who, rules) for who in "wb")


def is_over(board: Board, rules: Rules) -> bool:
    return is_tie(board, rules) or winner(board, rules) is not None


def shuts_in(board: Board, who: str, rules: Rules) -> bool:
    """Has the enemy all his checkers on one point, and this side the six next of his track?"""
    other = enemy(who)
    standing = steps_of(board, other, rules)
    if rules.pins or not rules.way_out or len(standing) != 1 or standing[0] + 6 >= END:
        return False
    path = track(other, rules)
    return all(who in board[path[standing[0] + k]] for k in range(1, 7))


# ---- whole turns -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """A turn played until nothing can be: how many numbers, how many points, and the board it leaves."""

    played: int
    points: int
    board: Board


@lru_cache(maxsize=KEPT)
def turns(board: Board, who: str, pool: Pool, rules: Rules) -> frozenset[Turn]:
    found = set()
    for _, die, after, rest in continuations(board, who, pool, rules):
        for turn in turns(after, who, rest, rules):
            found.add(Turn(turn.played + 1, turn.points + die, turn.board))
    return frozenset(found) or frozenset({Turn(0, 0, board)})


def continuations(board: Board, who: str, pool: Pool, rules: Rules) -> Iterator[tuple[str, int, Board, Pool]]:
    for die in sorted(set(pool)):
        at = pool.index(die)
        for point, after in numbers(board, who, die, rules):
            yield point, die, after, pool[:at] + pool[at + 1 :]


def value(turn: Turn, who: str, rules: Rules) -> tuple[int, int, bool]:
    """What a turn is worth: numbers, then points, then that nobody is left shut in."""
    return turn.played, turn.points, not shuts_in(turn.board, who, rules)


def legal(board: Board, who: str, pool: Pool, rules: Rules) -> set[Turn]:
    """The turns that are worth most. With the mother pinned nothing more is to be played, so such a turn is whole too."""
    found = turns(board, who, pool, rules)
    best = max(value(turn, who, rules) for turn in found)
    return {t for t in found if value(t, who, rules) == best or (rules.pins and is_over(t.board, rules))}


def finals(board: Board, who: str, pool: Pool, rules: Rules) -> set[Board]:
    """How the board can stand after a legal turn."""
    return {turn.board for turn in legal(board, who, pool, rules)}


def first_steps(board: Board, who: str, pool: Pool, rules: Rules) -> set[Step]:
    """The numbers that may be played first: those that begin a legal turn."""
    allowed, found = legal(board, who, pool, rules), set()
    for point, die, after, rest in continuations(board, who, pool, rules):
        whole = {Turn(t.played + 1, t.points + die, t.board) for t in turns(after, who, rest, rules)}
        if whole & allowed:
            found.add((point, die))
    return found
