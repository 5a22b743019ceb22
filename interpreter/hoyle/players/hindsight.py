"""What a record shows later of who plays alone: from where a win is known, every move that led there had kept it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from hoyle.game.results import winning
from hoyle.players.analysis import Course
from hoyle.players.judging import Decision, Judged, kept
from hoyle.players.winning import may_be_known


class _Win(Struct, frozen=True):
    """A win that is known: where it leaves whoever plays, and how often chance had had a part by then."""

    lead: float
    drawn: int


def won_later(found: Course, decision: Decision) -> float | None:
    """What is gained from a choice to the end of the record, if that is a win, and chance has no part in it; else None."""
    end = _end(found)
    return end.lead - decision.lead[0] if end is not None and _leads_to(found, decision, end) else None


def with_hindsight(found: Course, judged: Sequence[Judged]) -> list[Judged]:
    """What was judged, in order, in the light of ways to win that are known from later choices."""
    at, win, told = {decision.number: decision for decision in found.decisions}, _end(found), list[Judged]()
    for one in reversed(judged):
        decision = at[one.number]
        if win is not None and not one.is_exact and _leads_to(found, decision, win):
            one = kept(decision, win.lead - decision.lead[0])
        win = _known(one, decision) or win
        told.append(one)
    return told[::-1]


def _end(found: Course) -> _Win | None:
    return _Win(found.lead[0], found.drawn) if winning(found.state.game.compiled, found.state.core) else None


def _leads_to(found: Course, decision: Decision, win: _Win) -> bool:
    """Would it have come so whatever fell by chance, as far as whoever chose could see?"""
    return win.drawn == decision.drawn and may_be_known(found.state.game.compiled, decision.seen)


def _known(one: Judged, decision: Decision) -> _Win | None:
    """The win that is known from this choice on."""
    sure = one.way.gained if one.way is not None else one.best.outcome.gain if one.best.is_won else None
    return _Win(decision.lead[0] + sure, decision.drawn) if sure is not None else None
