"""Plakoto and Fevga without the interpreter, written from the rules alone to judge the rulesets, and on another board than theirs.

There are twenty-four stacks of `w` and `b` from bottom to top, `a` first, and each side walks along its own track. Who is not on the board
is off.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from brute_turns import LETTERS, Turn, Turns

MEN, HOME, END = 15, 18, 24
"""Checkers a side; the step of the track at which its last quadrant begins; the step that is off the board."""

Board = tuple[str, ...]
Standing = tuple[Board, str]
"""The board, and the side to play."""


@dataclass(frozen=True)
class Rules(Turns[Standing, str]):
    """One of the games with its options; the defaults are the rulesets'."""

    pins: bool
    mother: str = "start_cleared"
    pinned_at_home: str = "holds_all"
    first_checker: int = 13
    quarter_open: bool = True
    way_out: bool = True

    def plays(self, position: Standing, die: int) -> Iterator[tuple[str, int, Standing]]:
        board, who = position
        yield from ((point, die, (after, who)) for point, after in numbers(board, who, die, self))

    def value(self, turn: Turn[Standing]) -> tuple[int, int, bool]:
        """Numbers, then points, then that nobody is left shut in."""
        return turn.played, turn.points, not shuts_in(*turn.end, self)

    def spares(self, turn: Turn[Standing]) -> bool:
        """With the mother pinned nothing more is to be played."""
        return self.pins and is_over(turn.end[0], self)


def track(who: str, rules: Rules) -> list[int]:
    down = list(range(23, -1, -1))
    if who == "w":
        return down
    return down[::-1] if rules.pins else down[12:] + down[:12]


def enemy(who: str) -> str:
    return "b" if who == "w" else "w"


def steps_of(board: Board, who: str, rules: Rules) -> list[int]:
    """Return this side's checkers, pinned ones too, by the steps of its track."""
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
    """A first checker goes alone: until it has gone far enough, only the leading one moves."""
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
