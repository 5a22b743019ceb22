"""Judge a move that was made: its cost against the best move that its seat could know."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.move_evaluation import (
    OFTEN,
    ROUNDING,
    RatedMove,
    Step,
    rate_ending,
    rate_known_move,
    rate_moves,
    trace_ending_line,
    trace_line,
    trace_winning_line,
)
from hoyle.players.search.driver import MOST, Search, run_iterations, run_search
from hoyle.players.search.endgame import find_certain_state, solve_view
from hoyle.players.search.win_search import (
    TIME_SHARE,
    WinningLine,
    can_know_win,
    find_winning_line,
    find_winning_line_after,
    value_win,
)
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Outcome, Tried
from hoyle.running.state import Core

ERROR = 0.05
"""Least sure loss of an error, as a share of a win."""
NOTABLE = 0.005
"""Least loss worth telling."""
DEAR = 0.5
"""Least loss in points worth telling."""
SURE = 2.0
"""A loss is sure if it exceeds this many standard errors."""
OTHERS = 2
"""Better moves that are tried again, besides the best."""
AFTER, INSTEAD = 7, 8
"""Uses of chance: wins after the move that was made, and any wins."""


class Decision(Struct, frozen=True):
    """A choice in a record.

    number     moves before it
    core       the state, without its past; `seen` and `knowledge`: what the actor saw and knew
    made       the chosen action, by number
    lead       lead of each side
    drawn      chance events before it
    """

    number: int
    actor: int
    core: Core
    seen: RedactedState
    made: int
    lead: list[float]
    knowledge: Knowledge | None
    drawn: int = 0


class KnownWin(Struct, frozen=True):
    """A certain win: its first move by number, what it gains, and how it goes on."""

    number: int
    gained: float
    line: tuple[Step, ...] = ()


class Judgement(Struct, frozen=True):
    """The moves of a decision, best first, and the cost of the one that was made.

    best, own  the best move and the one made; if they differ, as measured by an equal number of further games
    line       play after the best move, if the loss is notable; `others`: other better moves
    way        a win that was certain before the move. If the move is part of it, nothing was lost
    """

    number: int
    actor: int
    moves: list[RatedMove]
    best: RatedMove
    own: RatedMove
    line: tuple[Step, ...] = ()
    others: tuple[RatedMove, ...] = ()
    way: KnownWin | None = None

    @property
    def is_kept(self) -> bool:
        """True if the move is part of a certain win. Its value is then that of the win."""
        return self.way is not None and self.way.number == self.own.number

    @property
    def has_left(self) -> bool:
        """True if a win was certain and another move was made."""
        return self.way is not None and not self.is_kept

    @property
    def loss(self) -> float:
        """Cost as a share of a win; 0 if the move turned out better than the best."""
        return max(0.0, self.signed_loss)

    @property
    def signed_loss(self) -> float:
        """Cost as measured. Negative values balance overestimates over many moves."""
        return self.best.tried.mean - self.own.tried.mean

    @property
    def is_exact(self) -> bool:
        """True if the cost is certain, not estimated."""
        return self.best.outcome.is_exact

    @property
    def error(self) -> float:
        """Standard error of the loss."""
        return math.hypot(self.best.tried.error, self.own.tried.error) if self.best.number != self.own.number else 0.0

    @property
    def points(self) -> float:
        """Cost in points, of the score that wins."""
        return max(0.0, self.signed_points)

    @property
    def signed_points(self) -> float:
        return self.best.outcome.gain - self.own.outcome.gain

    @property
    def is_sure(self) -> bool:
        return self.loss > SURE * self.error + ROUNDING

    @property
    def is_notable(self) -> bool:
        """True if the loss is sure and large, and the best move also shows better figures."""
        ended = self.own.ended and self.best.ended
        return self.is_sure and self.loss >= NOTABLE and self.best.standing(ended) > self.own.standing(ended)

    @property
    def is_dear(self) -> bool:
        """True if it surely cost points."""
        if self.best.number == self.own.number or not (self.best.outcome.tells and self.own.outcome.tells):
            return False
        error = math.hypot(self.best.outcome.gain_error, self.own.outcome.gain_error)
        return self.points >= DEAR and self.points > SURE * error

    @property
    def is_error(self) -> bool:
        return self.is_sure and self.loss >= ERROR


def judge(
    game: Compiled,
    decision: Decision,
    seed: int,
    iterations: int | None,
    seconds: float | None = None,
    before: frozenset[Hashable] = frozenset(),
    won: float | None = None,
) -> Judgement | None:
    """Judge a move by what its seat saw. None if no world could be sampled.

    If a search prefers another move, both are tried again as often, in the same worlds and with the same chance.

    Args:
        before: information sets of earlier choices of a single side.
        won: what was gained until the end, if the record shows a certain win from here.
    """
    bounds = Bounds(iterations or MOST)
    solved = _judge_ending(game, decision, bounds, seconds)
    if solved is not None:
        return solved
    if won is not None:
        return judge_winning_move(decision, won)
    way = _find_win(game, decision, seed, bounds, seconds)
    if way is not None and way.number == decision.made:
        return judge_winning_move(decision, way.worth.gained)
    left = seconds if seconds is None or not can_know_win(game, decision.seen) else (1 - TIME_SHARE) * seconds
    judged = _judge_by_search(game, decision, seed, bounds, left, before)
    if judged is None or way is None:
        return judged
    return replace(judged, way=KnownWin(way.number, way.worth.gained, tuple(trace_winning_line(game, way))))


def _find_win(
    game: Compiled, decision: Decision, seed: int, bounds: Bounds, seconds: float | None
) -> WinningLine | None:
    """Look for a win that begins with the move that was made, then for any win."""
    seen, half = decision.seen, None if seconds is None else seconds / 2
    after, instead = (Chance.stream(seed, decision.number, use) for use in (AFTER, INSTEAD))
    own = find_winning_line_after(game, seen, decision.made, bounds, after, half)
    return own or find_winning_line(game, seen, bounds, instead, half)


def judge_winning_move(decision: Decision, gained: float) -> Judgement:
    """Judge a move that is part of a certain win."""
    move = rate_known_move(decision.made, value_win(gained))
    return Judgement(decision.number, decision.actor, [move], move, move, way=KnownWin(decision.made, gained))


def _judge_ending(game: Compiled, decision: Decision, bounds: Bounds, seconds: float | None) -> Judgement | None:
    """Judge a move of an ending that can be solved."""
    seen, knowledge = decision.seen, decision.knowledge
    ending = solve_view(game, seen, bounds, seconds, knowledge, every=True)
    if ending is None or ending.worths[decision.made] is None:
        return None
    moves = rate_ending(ending)
    judged = Judgement(decision.number, decision.actor, moves, moves[0], _find(moves, decision.made))
    state = find_certain_state(game, seen, knowledge) if judged.is_notable else None
    if state is None:
        return judged
    line = trace_ending_line(game, state, moves[0].number, bounds, seconds)
    return replace(judged, line=line, others=_keep_better(judged, _select_better(judged)))


def _judge_by_search(
    game: Compiled,
    decision: Decision,
    seed: int,
    bounds: Bounds,
    seconds: float | None,
    before: frozenset[Hashable],
) -> Judgement | None:
    chance = Chance.stream(seed, decision.number, PLAYER)
    search = run_search(game, decision.seen, chance, bounds, seconds, before, decision.knowledge)
    if search is None:
        return None

    def try_again(move: RatedMove) -> RatedMove:
        return _try_again(game, search, move, bounds.iterations, seconds)

    moves = rate_moves(search)
    best, own = moves[0], _find(moves, decision.made)
    if best.tried != own.tried:  # else they are one move, or look alike
        best, own = try_again(best), try_again(own)
    judged = Judgement(decision.number, decision.actor, moves, best, own)
    if not judged.is_notable:
        return judged
    others = _keep_better(judged, [try_again(move) for move in _select_better(judged)])
    return replace(judged, line=tuple(trace_line(game, search, best.number)), others=others)


def _select_better(judged: Judgement) -> list[RatedMove]:
    """Select other moves that the search prefers to the one made; only one of those that look alike."""
    own, known = _find(judged.moves, judged.own.number), [judged.best.number, judged.own.number]
    told = [_find(judged.moves, number).tried for number in known]
    better = list[RatedMove]()
    for move in sorted(judged.moves, key=lambda move: -move.tried.mean):
        is_often = move.outcome.is_exact or (move.tried.tried >= OFTEN and move.tried not in told)
        if is_often and move.number not in known and move.tried.mean > own.tried.mean + ROUNDING:
            told.append(move.tried)
            better.append(move)
    return better[:OTHERS]


def _keep_better(judged: Judgement, others: Sequence[RatedMove]) -> tuple[RatedMove, ...]:
    """Keep moves that are still better when tried again, best first."""
    better = [move for move in others if move.tried.mean > judged.own.tried.mean]
    return tuple(sorted(better, key=lambda move: -move.tried.mean))


def _find(moves: Sequence[RatedMove], number: int) -> RatedMove:
    return next(move for move in moves if move.number == number)


def _try_again(game: Compiled, search: Search, move: RatedMove, most: int, seconds: float | None) -> RatedMove:
    """Rate a move by new games only: the games that selected it overestimate it."""
    number = move.number
    tried, outcome = search.found()[number], search.outcomes()[number]
    with game.machine.uncounted():
        run_iterations(search, most, most, seconds, number)
    return RatedMove(number, _subtract(search.found()[number], tried), _subtract(search.outcomes()[number], outcome))


Sums = TypeVar("Sums", Tried, Outcome)


def _subtract(total: Sums, part: Sums) -> Sums:
    return type(total)(*(getattr(total, name) - getattr(part, name) for name in total.__struct_fields__))
