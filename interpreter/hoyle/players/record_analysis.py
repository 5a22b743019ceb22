"""Analyse a whole record: its decisions, wins known in hindsight, the luck of deal and draws, and what each seat's moves cost.

`judgement` judges a single move; `series.analysis` spreads the work.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Source
from hoyle.game.compiled import Compiled
from hoyle.game.events import make_event
from hoyle.game.game import Game, State
from hoyle.game.records.records import replay
from hoyle.game.results import compute_leads, find_winners
from hoyle.game.views.redaction import redact
from hoyle.language.sentences import FALLBACK
from hoyle.native.visibility_tables import sides
from hoyle.players.inference.knowledge import Memory, has_hidden_information
from hoyle.players.judgement import Decision, Judgement, judge_winning_move
from hoyle.players.move_evaluation import RatedMove, rate_moves
from hoyle.players.search.driver import MOST, is_fully_visible, is_solo, root_node, run_search
from hoyle.players.search.win_search import can_know_win
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Outcome
from hoyle.running.state import CHANCE, MIXED, Core, Event

DEAL = 6
"""Number of the random stream for other deals."""
LONGEST = 40
"""Choices after which another deal stops. Seats that had no choice by then are left out."""
FEWEST = 8
"""Minimum number of other deals for an average."""


# ---- records ---------------------------------------------------------------------------------------------------------


class RecordedGame(Struct, frozen=True):
    """A verified record.

    state       the state at its end; `lead` is the lead of each side there
    has_chance  True if chance or hidden pieces matter after the first choice
    is_dealt    True if chance came before the first choice, so other deals are possible
    drawn       the number of all chance events
    """

    header: dict[str, Any]
    state: State
    decisions: list[Decision]
    lead: list[float]
    has_chance: bool
    is_dealt: bool = False
    drawn: int = 0


def read_record(source: Source, game: str | Path | Game | None = None) -> RecordedGame:
    """Replay a record and collect its choices. Raises Refused at the first wrong line."""
    collector = _Collector()
    whole = replay(source, None, game, collector.visit)
    log, compiled = whole.state.core.log or [], whole.state.game.compiled
    decisions, begun = collector.decisions, collector.begun
    has_chance = _count_drawn(log[begun:]) > 0 or any(not is_fully_visible(compiled, one.seen) for one in decisions)
    lead = compute_leads(compiled, whole.state.core)
    is_dealt = _count_drawn(log[:begun]) > 0
    return RecordedGame(whole.header, whole.state, decisions, lead, has_chance, is_dealt, _count_drawn(log))


class _Collector:
    """Collects decisions move by move; `begun` is the length of the log at the first choice."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.moves = self.begun = self.drawn = 0
        self.memories: list[Memory] = []

    def visit(self, before: State, after: State) -> None:
        core, game = before.core, before.game.compiled
        earlier = core.log or []
        new = (after.core.log or [])[len(earlier) :]
        action = new[0][3]
        if self.moves == 0:
            self.memories, self.drawn = _start_memories(game, core), _count_drawn(earlier)
        if len(core.acts) > 1:
            self.begun = self.begun or len(earlier)
            known = self.memories[core.actor].now if self.memories else None
            copy = core.copy()
            copy.log = []  # only what is seen and known counts, not the past
            seen, made = redact(game, copy, copy.actor), copy.acts.index(action)
            lead = compute_leads(game, copy)
            self.decisions.append(Decision(self.moves, copy.actor, copy, seen, made, lead, known, self.drawn))
        for memory in self.memories:
            memory.moved(core, action, after.core)
        self.moves, self.drawn = self.moves + 1, self.drawn + _count_drawn(new)


def _count_drawn(log: Sequence[Event]) -> int:
    return sum(event[0] in CHANCE for event in log)


def _start_memories(game: Compiled, core: Core) -> list[Memory]:
    """Create the memories of all seats, if the game hides something."""
    memories = [Memory(game, seat) for seat in range(len(game.seats))] if has_hidden_information(game) else []
    for memory in memories:
        memory.begins(core)
    return memories


def list_views(game: Compiled, decisions: Sequence[Decision]) -> list[Hashable]:
    """Return the information sets of decisions in a game for one side.

    Returns nothing for other games, because repetitions do not matter there.
    """
    return [root_node(game, decision.seen) for decision in decisions] if is_solo(game) else []


# ---- other deals -----------------------------------------------------------------------------------------------------

Prospects = tuple[float | None, ...]
"""Expected lead of each seat at its first choice; None without a choice."""


def play_other_deal(
    game: Compiled, number: int, seed: int, iterations: int | None, seconds: float | None = None
) -> Prospects:
    """Play another deal by searches until every seat had a choice. Equal numbers and seeds give equal results."""
    prospects: list[float | None] = [None] * len(game.seats)
    core, side = game.machine.start(Chance.stream(seed, number, DEAL), log=True), sides(game.machine)
    memories = _start_memories(game, core)
    choices = 0
    while None in prospects and choices < LONGEST and not core.over:
        made = 0
        if len(core.acts) > 1:
            chance = Chance.stream(seed, number * LONGEST + choices, PLAYER)
            best = _find_best(game, core, memories, chance, iterations, seconds)
            if best is None:
                break
            if prospects[core.actor] is None:
                prospects[core.actor] = compute_leads(game, core)[side[core.actor]] + best.outcome.gain
            made, choices = best.number, choices + 1
        if _ends_deal(game, core, made, memories):
            break
    return tuple(prospects)


def _find_best(
    game: Compiled,
    core: Core,
    memories: Sequence[Memory],
    chance: Chance,
    iterations: int | None,
    seconds: float | None,
) -> RatedMove | None:
    known = memories[core.actor].now if memories else None
    seen = redact(game, core, core.actor)
    search = run_search(game, seen, chance, Bounds(iterations or MOST), seconds, knowledge=known)
    return rate_moves(search)[0] if search is not None else None


def _ends_deal(game: Compiled, core: Core, made: int, memories: Sequence[Memory]) -> bool:
    """Make a move and update the memories. Returns True, without an update, if the move shuffles pieces."""
    core.log = []
    before, action = core.copy(), core.acts[made]
    game.machine.play(core, action)
    if any(event[0] in MIXED for event in core.log or ()):
        return True
    for memory in memories:
        memory.moved(before, action, core)
    return False


def _average(deals: Sequence[Prospects], seat: int) -> tuple[float, float] | None:
    """Return the mean prospect of a seat and its standard error; None if there are too few deals."""
    known = [prospect for deal in deals if (prospect := deal[seat]) is not None]
    if len(known) < FEWEST:
        return None
    return statistics.fmean(known), statistics.stdev(known) / len(known) ** 0.5


# ---- hindsight -------------------------------------------------------------------------------------------------------


class _Win(Struct, frozen=True):
    """A certain win: the lead at its end, and the chance events before it."""

    lead: float
    drawn: int


def find_later_win(record: RecordedGame, decision: Decision) -> float | None:
    """Return the gain until the end if the record ends in a win that needs no further chance; else None."""
    end = _find_end(record)
    return end.lead - decision.lead[0] if end is not None and _leads_to(record, decision, end) else None


def apply_hindsight(record: RecordedGame, judged: Sequence[Judgement]) -> list[Judgement]:
    """Correct judgements by later wins that were certain: no earlier move that leads there lost the win.

    Returns the judgements in their order.
    """
    decisions = {decision.number: decision for decision in record.decisions}
    win, corrected = _find_end(record), list[Judgement]()
    for one in reversed(judged):
        decision = decisions[one.number]
        if win is not None and not one.is_exact and _leads_to(record, decision, win):
            one = judge_winning_move(decision, win.lead - decision.lead[0])
        gain = one.way.gained if one.way is not None else one.best.outcome.gain if one.best.is_won else None
        win = _Win(decision.lead[0] + gain, decision.drawn) if gain is not None else win
        corrected.append(one)
    return corrected[::-1]


def _find_end(record: RecordedGame) -> _Win | None:
    is_won = find_winners(record.state.game.compiled, record.state.core)
    return _Win(record.lead[0], record.drawn) if is_won else None


def _leads_to(record: RecordedGame, decision: Decision, win: _Win) -> bool:
    """Return True if no chance event lies before the win and the actor could know that it follows."""
    return win.drawn == decision.drawn and can_know_win(record.state.game.compiled, decision.seen)


# ---- summaries -------------------------------------------------------------------------------------------------------


class SeatSummary(Struct):
    """Costs and luck of one seat.

    loss, points  cost of its moves, in wins and in points; never below 0
    luck          points gained by luck, with the error `luck_error`; None in a game without chance
    deal          points gained by the deal, with the error `deal_error`; None if not measured
    """

    decisions: int = 0
    loss: float = 0.0
    points: float = 0.0
    errors: int = 0
    luck: float | None = None
    luck_error: float = 0.0
    deal: float | None = None
    deal_error: float = 0.0

    @property
    def mean(self) -> float:
        """Mean loss per decision."""
        return self.loss / self.decisions if self.decisions else 0.0


def summarize_seats(
    record: RecordedGame, judged: Sequence[Judgement], deals: Sequence[Prospects] = ()
) -> dict[str, SeatSummary]:
    """Summarize the judged moves by seat; `deals`: prospects of other deals."""
    seats = record.state.game.seats
    summaries = {seat: SeatSummary() for seat in seats}
    for one in judged:
        summary = summaries[seats[one.actor]]
        summary.decisions += 1
        summary.loss += one.signed_loss
        summary.points += one.signed_points
        summary.errors += one.is_error
    for actor, summary in enumerate(summaries.values()):
        summary.loss, summary.points = max(0.0, summary.loss), max(0.0, summary.points)
        if record.has_chance and summary.decisions:
            summary.luck, summary.luck_error = _measure_luck(record, judged, actor)
        dealt = _measure_deal(record, judged, actor, deals)
        if dealt is not None:
            summary.deal, summary.deal_error = dealt
    return {seat: summary for seat, summary in summaries.items() if summary.decisions}


def select_dearest(judged: Sequence[Judgement], count: int) -> list[Judgement]:
    """Select the moves that certainly cost points, most expensive first."""
    return sorted((one for one in judged if one.is_dear), key=lambda one: (-one.points, one.number))[:count]


def select_worst(judged: Sequence[Judgement], count: int) -> list[Judgement]:
    """Select the moves with notable losses, greatest loss first."""
    return sorted((one for one in judged if one.is_notable), key=lambda one: (-one.loss, one.number))[:count]


def _measure_luck(record: RecordedGame, judged: Sequence[Judgement], actor: int) -> tuple[float, float]:
    """Return the luck of a seat in points, and its standard error.

    Luck is the growth of the expected lead between the seat's moves, and after its last move until the end.
    Points that others gave away by bad moves are subtracted, also those before its first move that it did not see.
    """
    own = [one for one in judged if one.actor == actor and one.own.outcome.tells and one.best.outcome.tells]
    side = sides(record.state.game.machine)
    lead = {decision.number: decision.lead[side[actor]] for decision in record.decisions}
    unseen = [o for o in judged if own and o.number < own[0].number and not _is_seen(record, o, actor)]
    total, square = -sum(_gift(other, side, side[actor]) for other in unseen), 0.0
    for one, following in zip(own, [*own[1:], None], strict=True):
        if following is None and not record.state.is_over:
            break
        if following is not None and one.is_kept != following.is_kept:
            continue  # estimates and certain wins cannot be compared
        after, end = one.own.outcome, following.best.outcome if following else Outcome()
        now = lead[following.number] + end.gain if following else record.lead[side[actor]]
        total += now - lead[one.number] - after.gain
        square += after.gain_error**2 + (end.gain_error**2 if following else 0.0)
        until = following.number if following else math.inf
        total -= sum(_gift(other, side, side[actor]) for other in judged if one.number < other.number < until)
    return total + 0.0, math.sqrt(square)  # avoids -0.0


def _measure_deal(
    record: RecordedGame, judged: Sequence[Judgement], actor: int, deals: Sequence[Prospects]
) -> tuple[float, float] | None:
    """Return by how much the deal was better than others for a seat, and the standard error.

    Compares expected leads at the first choice. Points that others had visibly given away by then are subtracted.
    """
    average = _average(deals, actor)
    began = next((decision for decision in record.decisions if decision.actor == actor), None)
    first = next((one for one in judged if began is not None and one.number == began.number), None)
    if average is None or began is None or first is None or first.is_kept or not first.moves[0].outcome.tells:
        return None
    side, expected = sides(record.state.game.machine), first.moves[0].outcome
    before = (other for other in judged if other.number < first.number and _is_seen(record, other, actor))
    given = sum(_gift(other, side, side[actor]) for other in before)
    total = began.lead[side[actor]] + expected.gain - given - average[0]
    return total, math.hypot(expected.gain_error, average[1])


def _gift(other: Judgement, side: Sequence[int], own: int) -> float:
    """Return the points that a side gained by a move that was not the best.

    The other sides share the loss of one side equally.
    """
    return -other.signed_points if side[other.actor] == own else other.signed_points / max(side)


def _is_seen(record: RecordedGame, other: Judgement, actor: int) -> bool:
    """Return True if the seat can tell the move from the best move by its event."""
    game = record.state.game.compiled
    core = next(decision.core for decision in record.decisions if decision.number == other.number)
    made, best = (
        make_event(game, ("move", core.actor, core.pc, core.acts[move.number])) for move in (other.own, other.best)
    )
    seat = game.seats[actor]
    return made is None or best is None or made.text(FALLBACK, seat) != best.text(FALLBACK, seat)
