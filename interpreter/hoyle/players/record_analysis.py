"""A record gone through: what each move cost against the best that its seat could know of, and what came of luck."""

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
from hoyle.players.inference.knowledge import Knowledge, Memory, hides
from hoyle.players.judgement import Decision, Judged, kept
from hoyle.players.move_evaluation import Weight, weights
from hoyle.players.search.driver import MOST, here, hunted, is_alone, is_open
from hoyle.players.search.win_search import may_be_known
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Outcome
from hoyle.running.state import CHANCE, MIXED, Action, Core, Event

DEAL = 6
"""Use of chance, by the number of the deal."""
LONGEST = 40
"""Choices of a deal after which a seat that had none is left out."""
FEWEST = 8
"""From fewer deals nothing is concluded."""

Prospects = tuple[float | None, ...]
"""By how much each seat, by its number, can expect to be ahead when it first has to choose; None if it had not to."""


def redealt(game: Compiled, number: int, seed: int, iterations: int | None, seconds: float | None = None) -> Prospects:
    """Another deal, by its number, played by searches until everybody has had to choose. The same number and seed find the same."""
    found: list[float | None] = [None] * len(game.seats)
    core, side = game.machine.start(Chance.stream(seed, number, DEAL), log=True), sides(game.machine)
    memories = [Memory(game, seat) for seat in range(len(game.seats))] if hides(game) else []
    for memory in memories:
        memory.begins(core)
    chosen = 0
    while None in found and chosen < LONGEST and not core.over:
        made = 0
        if len(core.acts) > 1:
            chance = Chance.stream(seed, number * LONGEST + chosen, PLAYER)
            best = _best(game, core, memories, chance, iterations, seconds)
            if best is None:
                break
            if found[core.actor] is None:
                found[core.actor] = compute_leads(game, core)[side[core.actor]] + best.outcome.gain
            made, chosen = best.number, chosen + 1
        if _is_dealt_anew(game, core, made, memories):
            break
    return tuple(found)


def _best(
    game: Compiled,
    core: Core,
    memories: Sequence[Memory],
    chance: Chance,
    iterations: int | None,
    seconds: float | None,
) -> Weight | None:
    """The move that whoever acts would make who searches, and what it comes to; None if no state could be imagined."""
    known = memories[core.actor].now if memories else None
    hunt = hunted(game, redact(game, core, core.actor), chance, Bounds(iterations or MOST), seconds, knowledge=known)
    return weights(hunt)[0] if hunt is not None else None


def _is_dealt_anew(game: Compiled, core: Core, made: int, memories: Sequence[Memory]) -> bool:
    """Makes a move, which everybody remembers; whether the deal ends with it."""
    core.log = []
    before, action = core.copy(), core.acts[made]
    game.machine.play(core, action)
    if any(event[0] in MIXED for event in core.log or ()):
        return True
    for memory in memories:
        memory.moved(before, action, core)
    return False


def mean_prospect(deals: Sequence[Prospects], seat: int) -> tuple[float, float] | None:
    """What a seat can expect before anything is dealt, and the standard error of that; None if too few deals tell."""
    known = [one for deal in deals if (one := deal[seat]) is not None]
    if len(known) < FEWEST:
        return None
    return statistics.fmean(known), statistics.stdev(known) / len(known) ** 0.5


class Course(Struct, frozen=True):
    """A verified record: all that somebody had to choose, where it ended, how far each side was ahead there; and whether there was chance, or
    something to be found out, once somebody had to choose."""

    header: dict[str, Any]
    state: State
    decisions: list[Decision]
    lead: list[float]
    has_chance: bool
    is_dealt: bool = False
    """Was there chance before anybody had to choose, that is, can it be dealt again?"""
    drawn: int = 0
    """How often chance had a part in it."""


def course(source: Source, game: str | Path | Game | None = None) -> Course:
    """The choices of a record. Raises Refused at the first line that is not as it must be."""
    gone = _Gone()
    whole = replay(source, None, game, gone.visit)
    log, compiled = whole.state.core.log or [], whole.state.game.compiled
    has_chance = _drawn(log[gone.begun :]) > 0 or any(not is_open(compiled, one.seen) for one in gone.found)
    is_dealt = _drawn(log[: gone.begun]) > 0
    lead = compute_leads(compiled, whole.state.core)
    return Course(whole.header, whole.state, gone.found, lead, has_chance, is_dealt, _drawn(log))


class _Gone:
    """A record as far as it has been gone through: its choices, how many moves it has, what had happened when somebody first had to choose, how often chance
    has had a part, and what seats remember."""

    def __init__(self) -> None:
        self.found: list[Decision] = []
        self.moves = self.begun = self.drawn = 0
        self.memories: list[Memory] = []

    def visit(self, before: State, after: State) -> None:
        earlier = before.core.log or []
        told = (after.core.log or [])[len(earlier) :]
        action = told[0][3]
        if self.moves == 0:
            self.memories, self.drawn = _memories(before), _drawn(earlier)
        if len(before.core.acts) > 1:
            self.begun = self.begun or len(earlier)
            known = self.memories[before.core.actor].now if self.memories else None
            self.found.append(_decision(before, action, self.moves, known, self.drawn))
        for memory in self.memories:
            memory.moved(before.core, action, after.core)
        self.moves, self.drawn = self.moves + 1, self.drawn + _drawn(told)


def _drawn(log: Sequence[Event]) -> int:
    """How often chance has a part in what happened."""
    return sum(event[0] in CHANCE for event in log)


def _memories(state: State) -> list[Memory]:
    """Of all seats, in a game that hides something."""
    game = state.game.compiled
    found = [Memory(game, seat) for seat in range(len(game.seats))] if hides(game) else []
    for memory in found:
        memory.begins(state.core)
    return found


def _decision(before: State, action: Action, moves: int, knowledge: Knowledge | None, drawn: int) -> Decision:
    """What is kept of a state has no past: only what is seen there counts, and what is known."""
    core = before.core.copy()
    core.log = []
    seen = redact(before.game.compiled, core, core.actor)
    made, lead = core.acts.index(action), compute_leads(before.game.compiled, core)
    return Decision(moves, core.actor, core, seen, made, lead, knowledge, drawn)


def sights(game: Compiled, decisions: Sequence[Decision]) -> list[Hashable]:
    """What was seen at each choice, where that matters later: who plays alone gets nowhere by going back. Else nothing."""
    return [here(game, decision.seen) for decision in decisions] if is_alone(game) else []


# ---- accounts --------------------------------------------------------------------------------------------------------


class Total(Struct):
    """Of one seat: choices, what its moves cost altogether as shares of a win and in points (what games found too great and too small evened out, and never less than nothing), errors; what it owes to luck, in points, and the standard
    error of that (None: there was no chance in the game); the same of the deal (None: it was not measured)."""

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
        """What a choice cost."""
        return self.loss / self.decisions if self.decisions else 0.0


def totals(found: Course, judged: Sequence[Judged], deals: Sequence[Prospects] = ()) -> dict[str, Total]:
    """Seat → what its moves cost, of those that were judged; `deals`: what seats could expect of others."""
    seats = found.state.game.seats
    accounts = {seat: Total() for seat in seats}
    for one in judged:
        account = accounts[seats[one.actor]]
        account.decisions += 1
        account.loss += one.apart
        account.points += one.points_apart
        account.errors += one.is_error
    for actor, (seat, account) in enumerate(accounts.items()):
        account.loss, account.points = max(0.0, account.loss), max(0.0, account.points)
        if found.has_chance and accounts[seat].decisions:
            accounts[seat].luck, accounts[seat].luck_error = _luck(found, judged, actor)
        dealt = _deal(found, judged, actor, deals)
        if dealt is not None:
            accounts[seat].deal, accounts[seat].deal_error = dealt
    return {seat: account for seat, account in accounts.items() if account.decisions}


def dearest(judged: Sequence[Judged], count: int) -> list[Judged]:
    """The moves that cost most points, of those that surely cost any."""
    return sorted((one for one in judged if one.is_dear), key=lambda one: (-one.points, one.number))[:count]


def worst(judged: Sequence[Judged], count: int) -> list[Judged]:
    """The moves that cost most, of those that surely cost something worth telling."""
    return sorted((one for one in judged if one.is_notable), key=lambda one: (-one.loss, one.number))[:count]


def _luck(found: Course, judged: Sequence[Judged], actor: int) -> tuple[float, float]:
    """By how much a seat's expected lead grew from after each of its moves to before the next, and at last to the end, less what others threw
    away meanwhile, or unseen before its first move: that came to light later. And the standard error of that."""
    own = [one for one in judged if one.actor == actor and one.own.outcome.tells and one.best.outcome.tells]
    side = sides(found.state.game.machine)
    lead = {decision.number: decision.lead[side[actor]] for decision in found.decisions}
    unseen = [other for other in judged if own and other.number < own[0].number and not _is_seen(found, other, actor)]
    total, square = -sum(_given(other, side, side[actor]) for other in unseen), 0.0
    for one, following in zip(own, [*own[1:], None], strict=True):
        if following is None and not found.state.is_over:
            break
        if following is not None and one.is_kept != following.is_kept:
            continue  # what games come to and what a way to win does are not to be compared
        after, end = one.own.outcome, following.best.outcome if following else Outcome()
        now = lead[following.number] + end.gain if following else found.lead[side[actor]]
        total += now - lead[one.number] - after.gain
        square += after.gain_error**2 + (end.gain_error**2 if following else 0.0)
        between = [
            other for other in judged if one.number < other.number < (following.number if following else math.inf)
        ]
        total -= sum(_given(other, side, side[actor]) for other in between)
    return total + 0.0, math.sqrt(square)  # no minus before nothing


def _deal(
    found: Course, judged: Sequence[Judged], actor: int, deals: Sequence[Prospects]
) -> tuple[float, float] | None:
    """By how much more a seat could expect of its deal, when it first had to choose, than before anything was dealt, less what others had thrown away by
    then as far as it saw that: of the rest it had not come to expect more. And the standard error of that."""
    usual = mean_prospect(deals, actor)
    began = next((decision for decision in found.decisions if decision.actor == actor), None)
    first = next((one for one in judged if began is not None and one.number == began.number), None)
    if usual is None or began is None or first is None or first.is_kept or not first.moves[0].outcome.tells:
        return None
    side, hoped = sides(found.state.game.machine), first.moves[0].outcome
    before = (other for other in judged if other.number < first.number and _is_seen(found, other, actor))
    given = sum(_given(other, side, side[actor]) for other in before)
    total = began.lead[side[actor]] + hoped.gain - given - usual[0]
    return total, math.hypot(hoped.gain_error, usual[1])


def _given(other: Judged, side: Sequence[int], own: int) -> float:
    """What a side gained by somebody's move that was not the best: what one side loses the others have, in equal parts as far as anybody knows."""
    return -other.points_apart if side[other.actor] == own else other.points_apart / max(side)


def _is_seen(found: Course, other: Judged, actor: int) -> bool:
    """Was another seat told anything else by the move that was made than it would have been by the best?"""
    game = found.state.game.compiled
    core = next(decision.core for decision in found.decisions if decision.number == other.number)
    made, best = (
        make_event(game, ("move", core.actor, core.pc, core.acts[weight.number])) for weight in (other.own, other.best)
    )
    return made is None or best is None or made.text(FALLBACK, seat := game.seats[actor]) != best.text(FALLBACK, seat)


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
    return _Win(found.lead[0], found.drawn) if find_winners(found.state.game.compiled, found.state.core) else None


def _leads_to(found: Course, decision: Decision, win: _Win) -> bool:
    """Would it have come so whatever fell by chance, as far as whoever chose could see?"""
    return win.drawn == decision.drawn and may_be_known(found.state.game.compiled, decision.seen)


def _known(one: Judged, decision: Decision) -> _Win | None:
    """The win that is known from this choice on."""
    sure = one.way.gained if one.way is not None else one.best.outcome.gain if one.best.is_won else None
    return _Win(decision.lead[0] + sure, decision.drawn) if sure is not None else None
