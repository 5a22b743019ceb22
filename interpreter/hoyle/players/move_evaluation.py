"""What a search has to say of the moves of a decision: what each comes to, how sure that is, and how play goes on after the best."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from msgspec import Struct, structs

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.events import Event, make_event
from hoyle.game.views.redaction import RedactedState
from hoyle.language.sentences import FALLBACK
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search.driver import MOST, Hunt, go_on, hunted
from hoyle.players.search.endgame import certain, ending_in
from hoyle.players.search.information_set import Sight
from hoyle.players.search.win_search import SHARE as SOUGHT
from hoyle.players.search.win_search import Key, Won, may_be_known, winning_way
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.outcomes import Bounds, Ending, Fate, Known, Outcome, Tried, Worth
from hoyle.running.state import CHANCE, Action, Core
from hoyle.running.state import Event as CoreEvent

SEEN = 40
"""So many of its worlds are looked at."""
OFTEN = 24
"""A move that was tried less often is no part of a line."""
MOSTLY = 0.5
"""In so many of the worlds a move must be possible, not to be told with a doubt."""
LONGEST = 6
"""Moves of a line."""
_TOLD = ("move", "score", "say", "turned", "received", "ends", "taken_back")


class Step(Struct, frozen=True):
    """What somebody is told in a line of play, as it would be logged; `doubtful` if it is a move that can be made in few of the worlds."""

    raw: CoreEvent
    doubtful: bool = False

    def event(self, game: Compiled) -> Event:
        found = make_event(game, self.raw)
        assert found is not None  # else it would be in no line
        return found


class _Happened(Struct, frozen=True):
    """What somebody was told, as it was logged and in words, and the state after it."""

    core: Core
    events: list[CoreEvent]
    texts: tuple[str, ...]


def line(game: Compiled, hunt: Hunt, number: int) -> list[Step]:
    """What happens after this action of the first world, first of all the action: as far as each move was tried often, and as far as it looks the
    same to the seat in all worlds. Where dice or a card that is turned decides, it ends, and after what somebody does who may not be able to."""
    reader = _Reader(game, hunt)
    with game.machine.uncounted():
        return reader.line(number)


def certain_line(game: Compiled, core: Core, number: int, best: Callable[[Core], int | None]) -> list[Step]:
    """What happens after this action of a state of which nothing is hidden, as far as it is known which action is best, and up to where chance decides."""
    core, chosen, found = core.copy(), number, list[Step]()
    with game.machine.uncounted():
        for _ in range(LONGEST):
            core.log = []
            game.machine.play(core, core.acts[chosen])
            kinds = [raw[0] for raw in core.log]
            until = next((at for at, kind in enumerate(kinds) if kind in CHANCE), len(kinds))
            found += (Step(raw) for raw in core.log[:until] if raw[0] in _TOLD)
            following = None if core.over or until < len(kinds) else 0 if len(core.acts) == 1 else best(core)
            if following is None:
                break
            chosen = following
    return found


class _Reader:
    def __init__(self, game: Compiled, hunt: Hunt) -> None:
        self.game, self.hunt = game, hunt
        self.me = hunt.worlds[0].actor
        self.seat = game.seats[self.me]
        self.sight = Sight(game.machine, self.me)
        self._texts: dict[tuple[int, int, Action], str] = {}

    def line(self, number: int) -> list[Step]:
        found: list[Step] = []
        chosen, doubtful = [(world, world.acts[number]) for world in self.hunt.worlds[:SEEN]], False
        for _ in range(LONGEST):
            after = [*self._played(chosen)]
            same = _common([happened.texts for happened in after])
            found += (Step(raw, doubtful and raw[0] == "move") for raw in after[0].events[:same]) if after else ()
            alike = len({(happened.texts, self.sight(happened.core)) for happened in after}) == 1
            if doubtful or not alike or after[0].core.over:
                break
            chosen = self._chosen([happened.core for happened in after])
            doubtful = len(chosen) < MOSTLY * len(after)
        return found

    def _played(self, chosen: Sequence[tuple[Core, Action]]) -> Iterator[_Happened]:
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
            yield _Happened(core, [raw for raw, _ in told], tuple(text for _, text in told))

    def _chosen(self, cores: Sequence[Core]) -> list[tuple[Core, Action]]:
        """What was tried most there, of all that looks the same to the seat, and in which of the states; nothing if that is not often."""
        tried: dict[str, dict[Hashable, int]] = {}
        best: list[dict[str, tuple[int, Action]]] = []
        for core in cores:
            best.append({})
            known = self.hunt.found(core) if len(core.acts) > 1 else []
            for action, often in zip(core.acts, [one.tried for one in known] or [OFTEN], strict=True):
                if often:
                    text = self._text(core, action)
                    tried.setdefault(text, {})[self.sight.told_apart(core, action)] = often
                    best[-1][text] = max(best[-1].get(text, (0, action)), (often, action), key=lambda found: found[0])
        sums = {text: sum(each.values()) for text, each in tried.items()}
        most = max(sums, key=lambda text: sums[text], default="")
        if sums.get(most, 0) < OFTEN:
            return []
        return [(core, found[most][1]) for core, found in zip(cores, best, strict=True) if most in found]

    def _text(self, core: Core, action: Action) -> str:
        """A move as the seat would be told of it."""
        key = core.pc, core.actor, action
        if key not in self._texts:
            found = make_event(self.game, ("move", core.actor, core.pc, action))
            self._texts[key] = found.text(FALLBACK, self.seat) if found is not None else ""
        return self._texts[key]


def _common(texts: Sequence[tuple[str, ...]]) -> int:
    """How many texts all begin with."""
    count = min(map(len, texts), default=0)
    return next((n for n in range(count) if len({each[n] for each in texts}) > 1), count)


DOUBT = 0.25
"""Of a search, what goes into the second best move alone: why it is worse shows only if it is tried often."""
FOREMOST = 3
"""Moves that are put in the order of what they came to."""
ENDED = 0.9
"""Of the games, where they are said to have been played to their end."""
NEXT_TO_NOTHING = 1e-9
"""Numbers that are the same may differ by so much, if they were worked out in different ways."""


class Weight(Struct, frozen=True):
    """What speaks for a move, given by its number among the legal ones."""

    number: int
    tried: Tried | Known
    outcome: Outcome | Fate

    @property
    def is_won(self) -> bool:
        """Does it win for certain?"""
        return self.outcome.is_exact and self.outcome.over >= 1 and self.outcome.share >= 1

    @property
    def is_often(self) -> bool:
        """Was it tried often enough to go by?"""
        return min(self.tried.tried, self.outcome.games) >= OFTEN or self.outcome.is_exact

    @property
    def share(self) -> tuple[float, float]:
        """Of the win, in hundredths, and how far that may be off, both as they are told."""
        if self.outcome.is_exact:
            return round(100 * self.outcome.share, 1), 0.0
        return round(100 * self.outcome.share), max(1, round(100 * self.outcome.share_error))

    @property
    def gain(self) -> tuple[float, float]:
        """The same of what it gains, in points."""
        if self.outcome.is_exact:
            return self.outcome.gain, 0.0
        return round(self.outcome.gain, 1), max(0.1, round(self.outcome.gain_error, 1))

    def standing(self, ended: bool) -> tuple[float, float, float]:
        """What sorts the best last by what people are told: its share of the win where games were played to their end, and what it gains; of moves of which
        the same is told, by what they are worth to a search."""
        return self.share[0] if ended else 0.0, self.gain[0], self.tried.mean

    @property
    def ended(self) -> bool:
        """Were games after it played to their end, all or nearly all?"""
        return self.outcome.over >= ENDED * self.outcome.games > 0


class Weighed(Struct, frozen=True):
    """The moves, and how play went on mostly after those of the best that are `followed`. Before all others stand those that are told (`foremost`)."""

    moves: list[Weight]
    games: int
    lines: tuple[Sequence[Step], ...] = ()
    is_exact: bool = False
    """Is nothing guessed, because everything that can still happen was gone through, or a way to win is known?"""
    won: Won | None = None
    """The way, of which the only move that is told is the first."""
    sought: bool = False
    """Was a way looked for?"""

    @property
    def told(self) -> list[Weight]:
        """The best, by what is told of them, the best first."""
        return foremost(self.moves)

    @property
    def ended(self) -> bool:
        """Are they told by their share of the win?"""
        return all(one.ended for one in self.told)

    @property
    def is_alike(self) -> bool:
        """Is the same share of the win told of the two best, so that only points part them?"""
        return len({one.share[0] for one in self.told[:2]}) == 1 < len(self.told)

    @property
    def is_close(self) -> bool:
        """Do the figures of the two best that part them overlap, as they are told?"""
        if len(self.told) < 2:
            return False
        (first, *one), (second, *other) = (
            weight.share if self.ended and not self.is_alike else weight.gain for weight in self.told[:2]
        )
        return first - second <= sum((*one, *other)) + NEXT_TO_NOTHING


def foremost(found: Sequence[Weight]) -> list[Weight]:
    """Of the first of the moves, which were tried most, those that are told, the best first: nothing is told of what was tried once. What was tried
    a few times beside what was tried often may have been lucky: it is told only if it stands no higher. What gets ahead without winning is worth something to a search, but nobody
    understands why 0 of 100 should stand above 5, nor fewer points above more."""
    some = [one for one in found[:FOREMOST] if one.outcome.tells]
    often = [one for one in some if one.is_often] or some
    ended = all(one.ended for one in often)
    best = max((one.standing(ended) for one in often), default=())
    told = [one for one in some if one in often or (one.ended >= ended and one.standing(ended) <= best)]
    return sorted(told, key=lambda one: one.standing(ended), reverse=True) or [*found[:1]]


def followed(told: Sequence[Weight]) -> list[Weight]:
    """Of the moves that are told, best first: the best and the next that was tried often enough to know how play goes on after it, if one was."""
    often = [one for one in told[1:] if one.is_often]
    return [*told[:1], *(often or told[1:])[:1]]


def _told_first(found: Sequence[Weight]) -> list[Weight]:
    told = foremost(found)
    return [*told, *(one for one in found if one not in told)]


def weigh(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    seconds: float,
    iterations: int | None = None,
    knowledge: Knowledge | None = None,
    ways: dict[Key, int] | None = None,
) -> Weighed | None:
    """The moves (two or more) of a seat that sees this, after so many decisions; None if nothing speaks for any of them. `iterations`: so many
    games, however long it takes; then the same is found everywhere. `knowledge`: what the seat knows besides what it sees now; `ways`: what is to be
    chosen on ways to win that were found before, to which the one is added that is found now."""
    bounds, limit = Bounds(iterations or MOST), None if iterations is not None else seconds
    sure = _certainly(game, seen, bounds, limit, knowledge) or _won(game, seen, decisions, bounds, limit, ways)
    if sure is not None:
        return sure
    sought = may_be_known(game, seen)
    left = (1 - SOUGHT) * seconds if sought else seconds
    found = _searched(game, seen, decisions, bounds, None if limit is None else left, knowledge)
    return structs.replace(found, sought=sought) if found is not None else None


def _searched(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    bounds: Bounds,
    seconds: float | None,
    knowledge: Knowledge | None,
) -> Weighed | None:
    """What a search says of them."""
    most, chance = bounds.iterations, Chance.stream(decisions, 1, PLAYER)
    doubt = int(DOUBT * most)
    rest = None if seconds is None else (1 - DOUBT) * seconds
    hunt = hunted(game, seen, chance, Bounds(most - doubt), rest, knowledge=knowledge)
    if hunt is None:
        return None
    order = [weight.number for weight in weights(hunt)]
    with game.machine.uncounted():
        go_on(hunt, most - doubt, doubt, None if seconds is None else DOUBT * seconds, order[1])
    found = sorted(weights(hunt), key=lambda weight: order.index(weight.number))
    found = _told_first(found)
    games = sum(weight.tried.tried for weight in found)
    return (
        Weighed(found, games, tuple(line(game, hunt, one.number) for one in followed(foremost(found))))
        if games
        else None
    )


def _certainly(
    game: Compiled, seen: RedactedState, bounds: Bounds, seconds: float | None, knowledge: Knowledge | None
) -> Weighed | None:
    """The same where it can be worked out."""
    with game.machine.uncounted():
        state = certain(game, seen, knowledge)
        ending = ending_in(game, state, bounds, seconds, every=True) if state is not None else None
    if state is None or ending is None:
        return None

    found = certain_weights(ending)
    ended = all(one.ended for one in found)
    found = _told_first(sorted(found, key=lambda one: one.standing(ended), reverse=True))
    two = (sure_line(game, state, one.number, bounds, seconds) for one in followed(foremost(found)))
    return Weighed(found, 0, tuple(two), is_exact=True)


def sure_line(game: Compiled, state: Core, number: int, bounds: Bounds, seconds: float | None) -> tuple[Step, ...]:
    """How an ending goes on at best that was solved, after this move."""

    def best(core: Core) -> int | None:
        found = ending_in(game, core, bounds, seconds)
        return found.best if found is not None else None

    return tuple(certain_line(game, state, number, best))


def _won(
    game: Compiled,
    seen: RedactedState,
    decisions: int,
    bounds: Bounds,
    seconds: float | None,
    ways: dict[Key, int] | None,
) -> Weighed | None:
    """The same where a way to win is found, or known."""
    won = winning_way(game, seen, bounds, Chance.stream(decisions, 2, PLAYER), seconds, ways)
    if won is None:
        return None
    if ways is not None:
        ways |= won.chosen
    return Weighed([certain_weight(won.number, won.worth)], 0, (line_of(game, won),), is_exact=True, won=won)


def line_of(game: Compiled, won: Won) -> list[Step]:
    """How a way to win begins."""
    return certain_line(game, won.core, won.number, lambda core: won.chosen.get(core.key()))


def certain_weight(number: int, worth: Worth) -> Weight:
    """A move by its number, of which it is known what it comes to."""
    outcome = Fate(1, worth.over, worth.won, worth.won**2, worth.gained, worth.gained**2)
    return Weight(number, Known(1, 1, worth.reward, worth.reward**2), outcome)


def certain_weights(ending: Ending) -> list[Weight]:
    """What each move of an ending comes to that was solved, the best first."""
    found = [certain_weight(number, one) for number, one in enumerate(ending.worths) if one is not None]
    return sorted(found, key=lambda one: (-one.tried.total, one.number))


def weights(hunt: Hunt) -> list[Weight]:
    """What a search found of each move, the best first."""
    both = enumerate(zip(hunt.found(), hunt.outcomes(), strict=True))
    found = [Weight(number, tried, outcome) for number, (tried, outcome) in both]
    return sorted(found, key=lambda one: (-one.tried.tried, -one.tried.mean))
