"""Evaluate the moves of a decision: what each comes to, how sure that is, and how play goes on after the best.

Endings are solved and wins looked for first; otherwise a tree search decides.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from msgspec import Struct, structs

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.events import Event, make_event
from hoyle.game.views.redaction import RedactedState
from hoyle.language.sentences import FALLBACK
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search.driver import MOST, Search, run_iterations, run_search
from hoyle.players.search.endgame import find_certain_state, solve_state
from hoyle.players.search.information_set import SeatView
from hoyle.players.search.win_search import TIME_SHARE, StateKey, WinningLine, can_know_win, find_winning_line
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Ending, Fate, Known, Outcome, Tried, Worth
from hoyle.running.state import CHANCE, Action, Core
from hoyle.running.state import Event as CoreEvent

SECOND_SHARE = 0.25
"""Part of a search that tries the second best move only: why it is worse shows only if it is tried often."""
FOREMOST = 3
"""Moves that are ordered by outcome."""
ENDED = 0.9
"""Part of the games after a move that must have ended for it to be told by wins."""
ROUNDING = 1e-9
"""Difference below which computed numbers are equal."""

OFTEN = 24
"""Trials below which a move is in no line of play."""
SEEN = 40
"""Worlds that are followed for a line of play."""
MOSTLY = 0.5
"""Part of the worlds in which a move must be possible, not to be doubtful."""
LONGEST = 6
"""Moves of a line."""
_TOLD = ("move", "score", "say", "turned", "received", "ends", "taken_back")


# ---- rated moves -----------------------------------------------------------------------------------------------------


class RatedMove(Struct, frozen=True):
    """A move by its number among the legal ones, with its statistics and outcomes."""

    number: int
    tried: Tried | Known
    outcome: Outcome | Fate

    @property
    def is_won(self) -> bool:
        """True if it wins for certain."""
        return self.outcome.is_exact and self.outcome.over >= 1 and self.outcome.share >= 1

    @property
    def is_often(self) -> bool:
        """True if it was tried often enough to rely on."""
        return min(self.tried.tried, self.outcome.games) >= OFTEN or self.outcome.is_exact

    @property
    def share(self) -> tuple[float, float]:
        """Share of the win in percent, and its error, rounded as they are shown."""
        if self.outcome.is_exact:
            return round(100 * self.outcome.share, 1), 0.0
        return round(100 * self.outcome.share), max(1, round(100 * self.outcome.share_error))

    @property
    def gain(self) -> tuple[float, float]:
        """Gain in points, and its error, rounded as they are shown."""
        if self.outcome.is_exact:
            return self.outcome.gain, 0.0
        return round(self.outcome.gain, 1), max(0.1, round(self.outcome.gain_error, 1))

    def standing(self, ended: bool) -> tuple[float, float, float]:
        """Sort key, best last: what is shown first, then the mean reward. Wins count only if games `ended`."""
        return self.share[0] if ended else 0.0, self.gain[0], self.tried.mean

    @property
    def ended(self) -> bool:
        """True if nearly all games after it ended."""
        return self.outcome.over >= ENDED * self.outcome.games > 0


def rate_known_move(number: int, worth: Worth) -> RatedMove:
    """Rate a move whose value is certain."""
    outcome = Fate(1, worth.over, worth.won, worth.won**2, worth.gained, worth.gained**2)
    return RatedMove(number, Known(1, 1, worth.reward, worth.reward**2), outcome)


def rate_ending(ending: Ending) -> list[RatedMove]:
    """Rate the moves of a solved ending, best first."""
    rated = [rate_known_move(number, worth) for number, worth in enumerate(ending.worths) if worth is not None]
    return sorted(rated, key=lambda move: (-move.tried.total, move.number))


def rate_moves(search: Search) -> list[RatedMove]:
    """Rate the moves of a search, most tried first."""
    both = enumerate(zip(search.found(), search.outcomes(), strict=True))
    rated = [RatedMove(number, tried, outcome) for number, (tried, outcome) in both]
    return sorted(rated, key=lambda move: (-move.tried.tried, -move.tried.mean))


def select_shown(moves: Sequence[RatedMove]) -> list[RatedMove]:
    """Select those of the first moves that are shown, and sort them by what is shown.

    A move tried once is not shown. A move tried rarely may have been lucky: it is shown only below the often tried ones.
    """
    first = [move for move in moves[:FOREMOST] if move.outcome.tells]
    often = [move for move in first if move.is_often] or first
    ended = all(move.ended for move in often)
    best = max((move.standing(ended) for move in often), default=())
    shown = [m for m in first if m in often or (m.ended >= ended and m.standing(ended) <= best)]
    return sorted(shown, key=lambda move: move.standing(ended), reverse=True) or [*moves[:1]]


def select_followed(shown: Sequence[RatedMove]) -> list[RatedMove]:
    """Select the moves whose lines are shown: the best, and the next that was tried often."""
    often = [move for move in shown[1:] if move.is_often]
    return [*shown[:1], *(often or shown[1:])[:1]]


def _put_shown_first(moves: Sequence[RatedMove]) -> list[RatedMove]:
    shown = select_shown(moves)
    return [*shown, *(move for move in moves if move not in shown)]


# ---- evaluation ------------------------------------------------------------------------------------------------------


class Evaluation(Struct, frozen=True):
    """All moves of a decision, the shown ones first.

    games     games of the search
    lines     how play goes on after the moves of `select_followed`
    is_exact  nothing is estimated
    won       a certain win, of which only the first move is rated
    sought    such a win was looked for
    """

    moves: list[RatedMove]
    games: int
    lines: tuple[Sequence[Step], ...] = ()
    is_exact: bool = False
    won: WinningLine | None = None
    sought: bool = False

    @property
    def shown(self) -> list[RatedMove]:
        """The moves to show, best first."""
        return select_shown(self.moves)

    @property
    def ended(self) -> bool:
        """True if moves are shown by their share of the win."""
        return all(move.ended for move in self.shown)

    @property
    def is_alike(self) -> bool:
        """True if the two best moves show the same share of the win."""
        return len({move.share[0] for move in self.shown[:2]}) == 1 < len(self.shown)

    @property
    def is_close(self) -> bool:
        """True if the shown intervals of the two best moves overlap."""
        if len(self.shown) < 2:
            return False
        (first, *error), (second, *other) = (
            move.share if self.ended and not self.is_alike else move.gain for move in self.shown[:2]
        )
        return first - second <= sum((*error, *other)) + ROUNDING


def evaluate_moves(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    seconds: float,
    iterations: int | None = None,
    knowledge: Knowledge | None = None,
    ways: dict[StateKey, int] | None = None,
) -> Evaluation | None:
    """Evaluate two or more legal moves of a view. None if nothing speaks for any.

    Args:
        decisions: decisions before this one; seeds the search.
        iterations: games of the search, however long they take; then results are the same on every machine.
        knowledge: what the seat knows beyond what it sees.
        ways: choices of certain wins found before; a new win is added.
    """
    bounds, limit = Bounds(iterations or MOST), None if iterations is not None else seconds
    certain = _solve(game, seen, bounds, limit, knowledge) or _find_win(game, seen, decisions, bounds, limit, ways)
    if certain is not None:
        return certain
    sought = can_know_win(game, seen)
    left = (1 - TIME_SHARE) * seconds if sought else seconds
    found = _search(game, seen, decisions, bounds, None if limit is None else left, knowledge)
    return structs.replace(found, sought=sought) if found is not None else None


def _search(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    bounds: Bounds,
    seconds: float | None,
    knowledge: Knowledge | None,
) -> Evaluation | None:
    most, chance = bounds.iterations, Chance.stream(decisions, 1, PLAYER)
    second = int(SECOND_SHARE * most)
    first_seconds = None if seconds is None else (1 - SECOND_SHARE) * seconds
    search = run_search(game, seen, chance, Bounds(most - second), first_seconds, knowledge=knowledge)
    if search is None:
        return None
    order = [move.number for move in rate_moves(search)]
    with game.machine.uncounted():
        second_seconds = None if seconds is None else SECOND_SHARE * seconds
        run_iterations(search, most - second, second, second_seconds, order[1])
    moves = _put_shown_first(sorted(rate_moves(search), key=lambda move: order.index(move.number)))
    games = sum(move.tried.tried for move in moves)
    if not games:
        return None
    lines = tuple(trace_line(game, search, move.number) for move in select_followed(select_shown(moves)))
    return Evaluation(moves, games, lines)


def _solve(
    game: Compiled, seen: RedactedState, bounds: Bounds, seconds: float | None, knowledge: Knowledge | None
) -> Evaluation | None:
    with game.machine.uncounted():
        state = find_certain_state(game, seen, knowledge)
        ending = solve_state(game, state, bounds, seconds, every=True) if state is not None else None
    if state is None or ending is None:
        return None
    moves = rate_ending(ending)
    ended = all(move.ended for move in moves)
    moves = _put_shown_first(sorted(moves, key=lambda move: move.standing(ended), reverse=True))
    followed = select_followed(select_shown(moves))
    lines = tuple(trace_ending_line(game, state, move.number, bounds, seconds) for move in followed)
    return Evaluation(moves, 0, lines, is_exact=True)


def _find_win(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    bounds: Bounds,
    seconds: float | None,
    ways: dict[StateKey, int] | None,
) -> Evaluation | None:
    won = find_winning_line(game, seen, bounds, Chance.stream(decisions, 2, PLAYER), seconds, ways)
    if won is None:
        return None
    if ways is not None:
        ways |= won.chosen
    move = rate_known_move(won.number, won.worth)
    return Evaluation([move], 0, (trace_winning_line(game, won),), is_exact=True, won=won)


# ---- lines of play ---------------------------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """An event of a line, as it is logged; `doubtful` if it is a move that few worlds allow."""

    raw: CoreEvent
    doubtful: bool = False

    def event(self, game: Compiled) -> Event:
        found = make_event(game, self.raw)
        assert found is not None  # else it would be in no line
        return found


class _Continuation(Struct, frozen=True):
    """A state after a move, with the events that the seat is told, logged and in words."""

    core: Core
    events: list[CoreEvent]
    texts: tuple[str, ...]


def trace_ending_line(
    game: Compiled, state: Core, number: int, bounds: Bounds, seconds: float | None
) -> tuple[Step, ...]:
    """Trace best play after a move of a solved ending."""

    def choose(core: Core) -> int | None:
        ending = solve_state(game, core, bounds, seconds)
        return ending.best if ending is not None else None

    return tuple(trace_known_line(game, state, number, choose))


def trace_winning_line(game: Compiled, won: WinningLine) -> list[Step]:
    """Trace the start of a certain win."""
    return trace_known_line(game, won.core, won.number, lambda core: won.chosen.get(core.key()))


def trace_known_line(game: Compiled, core: Core, number: int, choose: Callable[[Core], int | None]) -> list[Step]:
    """Trace a line in a fully known state, until chance decides or no choice is known."""
    core, chosen, steps = core.copy(), number, list[Step]()
    with game.machine.uncounted():
        for _ in range(LONGEST):
            core.log = []
            game.machine.play(core, core.acts[chosen])
            kinds = [raw[0] for raw in core.log]
            until = next((at for at, kind in enumerate(kinds) if kind in CHANCE), len(kinds))
            steps += (Step(raw) for raw in core.log[:until] if raw[0] in _TOLD)
            following = None if core.over or until < len(kinds) else 0 if len(core.acts) == 1 else choose(core)
            if following is None:
                break
            chosen = following
    return steps


def trace_line(game: Compiled, search: Search, number: int) -> list[Step]:
    """Trace the most tried line after a move, as the searching seat would see it.

    It ends when moves were tried too rarely, when worlds begin to look different, and after a doubtful move.
    """
    tracer = _LineTracer(game, search)
    with game.machine.uncounted():
        return tracer.trace(number)


class _LineTracer:
    def __init__(self, game: Compiled, search: Search) -> None:
        self.game, self.search = game, search
        actor = search.worlds[0].actor
        self.seat = game.seats[actor]
        self.view = SeatView(game.machine, actor)
        self._texts: dict[tuple[int, int, Action], str] = {}

    def trace(self, number: int) -> list[Step]:
        steps: list[Step] = []
        chosen, doubtful = [(world, world.acts[number]) for world in self.search.worlds[:SEEN]], False
        for _ in range(LONGEST):
            after = [*self._play(chosen)]
            common = _count_common([one.texts for one in after])
            steps += (Step(raw, doubtful and raw[0] == "move") for raw in after[0].events[:common]) if after else ()
            is_same = len({(one.texts, self.view(one.core)) for one in after}) == 1
            if doubtful or not is_same or after[0].core.over:
                break
            chosen = self._choose([one.core for one in after])
            doubtful = len(chosen) < MOSTLY * len(after)
        return steps

    def _play(self, chosen: Sequence[tuple[Core, Action]]) -> Iterator[_Continuation]:
        for before, action in chosen:
            core = before.copy()
            core.log = []
            try:
                self.game.machine.play(core, action)
            except Refused:
                continue
            events = [
                (raw, found) for raw in core.log or () if raw[0] in _TOLD and (found := make_event(self.game, raw))
            ]
            told = [(raw, text) for raw, found in events if (text := found.text(FALLBACK, self.seat))]
            yield _Continuation(core, [raw for raw, _ in told], tuple(text for _, text in told))

    def _choose(self, cores: Sequence[Core]) -> list[tuple[Core, Action]]:
        """Return the most tried move, of those that look alike, with each state that has it; [] if it was tried rarely."""
        tried: dict[str, dict[Hashable, int]] = {}
        best: list[dict[str, tuple[int, Action]]] = []
        for core in cores:
            best.append({})
            known = self.search.found(core) if len(core.acts) > 1 else []
            for action, often in zip(core.acts, [one.tried for one in known] or [OFTEN], strict=True):
                if often:
                    text = self._text(core, action)
                    tried.setdefault(text, {})[self.view.action_key(core, action)] = often
                    best[-1][text] = max(best[-1].get(text, (0, action)), (often, action), key=lambda pair: pair[0])
        sums = {text: sum(counts.values()) for text, counts in tried.items()}
        most = max(sums, key=lambda text: sums[text], default="")
        if sums.get(most, 0) < OFTEN:
            return []
        return [(core, actions[most][1]) for core, actions in zip(cores, best, strict=True) if most in actions]

    def _text(self, core: Core, action: Action) -> str:
        """Return a move as the seat is told of it."""
        key = core.pc, core.actor, action
        if key not in self._texts:
            found = make_event(self.game, ("move", core.actor, core.pc, action))
            self._texts[key] = found.text(FALLBACK, self.seat) if found is not None else ""
        return self._texts[key]


def _count_common(texts: Sequence[tuple[str, ...]]) -> int:
    """Return how many first texts all have in common."""
    count = min(map(len, texts), default=0)
    return next((n for n in range(count) if len({each[n] for each in texts}) > 1), count)
