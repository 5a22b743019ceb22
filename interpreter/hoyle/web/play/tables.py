"""A game in play: who may do what now. Every deed has a number, and is done once: what comes twice, late or from elsewhere does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from hoyle.game.game import Game, State
from hoyle.language.ir import ABSENT
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import ENDED, Core, Event
from hoyle.web.play.store import Deed

MOST = 12
"""So many of the last ones are kept, for who is told late."""


class Stop(Struct, frozen=True):
    """After which deed, the end of what, and how all stood then."""

    number: int
    what: str
    state: State


class _Watched(list[Event]):
    """A log that keeps what stands there when an end is noted: nothing else of a move can be seen from outside before it is done."""

    def __init__(self, core: Core) -> None:
        super().__init__(core.log or ())
        self._core = core
        self.found: list[tuple[str, Core]] = []

    def append(self, event: Event) -> None:
        super().append(event)
        if event[0] == "ends":
            core = self._core.copy()
            core.acts, core.actor = [], ABSENT  # nobody is asked
            self.found.append((ENDED[event[1]], core))


def watched(state: State, ident: str, number: int) -> tuple[State, list[Stop]]:
    """The state after a legal move, which is the deed of this number, and where to look before that."""
    game, core = state.game, state.core.copy()
    core.log = log = _Watched(core)
    game.machine.play(core, state.find(ident).action)
    core.log = [*log]
    return State(game, core), [Stop(number, what, State(game, then)) for what, then in log.found]


HUMAN = "human"
BACK = ("undo", "call")
"""Deeds after which fewer moves count."""
Write = Callable[[int, Deed], None]
"""Keeps a deed under its number, before it is answered. Raises NotNow."""


class NotNow(Exception):
    """What was asked cannot be done: `key` says why, as `refused.KEY` in the words of the page."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Place(Struct, frozen=True):
    """Where somebody was not asked, since people seldom want to be: after how many moves, and the state there."""

    made: int
    state: State

    @property
    def seat(self) -> str:
        return str(self.state.to_act)


class Table:
    """`deeds` is all that was done, moves that were taken back among it; `made` the moves that count; `passed` where somebody was not asked among
    them; `asking` after how many moves whoever acts is asked whatever the rules say of that, having gone back there."""

    def __init__(
        self,
        ident: str,
        begun: State,
        kinds: Mapping[str, str],
        seed: int,
        deeds: Sequence[Deed] = (),
        seeded: bool = False,
    ) -> None:
        """`begun`: the state at the start. `seeded`: did the first person choose the seed? Raises Refused if the deeds cannot have been done there."""
        self.id, self.begun, self.kinds, self.seed, self.seeded = ident, begun, kinds, seed, seeded
        self.game: Game = begun.game
        self.deeds: list[Deed] = list(deeds)
        self.made: list[Deed] = []
        self.passed: list[Place] = []
        self.asking: int | None = None
        for deed in deeds:
            self._counted(deed)
        self.state = self._replayed()
        self.stops: list[Stop] = []

    @property
    def number(self) -> int:
        """Of the next deed: it only ever grows."""
        return len(self.deeds)

    @property
    def people(self) -> list[str]:
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    @property
    def over(self) -> bool:
        """Is there nothing to be done any more?"""
        return self.state.is_over or len(self.made) >= MOST_DECISIONS

    @property
    def is_called(self) -> bool:
        """Has somebody gone back to where people are not asked?"""
        return self.asking == len(self.made) and self.state.unasked is not None

    @property
    def waits_for(self) -> str | None:
        """The seat without a person that is to move."""
        seat = self.state.to_act
        return seat if seat is not None and not self.over and self.kinds[seat] != HUMAN else None

    # ---- what seats do -----------------------------------------------------------------------------------------------

    def move(self, seat: str, number: int, ident: str, write: Write) -> bool:
        """A seat moves, at the table as it was after `number` deeds; whether that is new. Raises NotNow."""
        deed = Deed("move", seat, ident)
        if self._is_done(number, deed):
            return False
        if self.state.to_act != seat or self.over:
            raise NotNow("over" if self.over else "turn")
        self._only_now(number)
        if all(move.id != ident for move in self.state.moves()):
            raise NotNow("move")
        self._move(deed, write)
        return True

    def undo(self, seat: str, number: int, write: Write) -> bool:
        """A person takes its last move back, and what came of it; whether that is new. Raises NotNow."""
        if 0 <= number < self.number and (self.deeds[number].deed, self.deeds[number].seat) == ("undo", seat):
            return False
        self._only_now(number)
        if not self.may_undo(seat):
            raise NotNow("undo")
        self._back(Deed("undo", seat, str(self._last_of_people())), write)
        return True

    def call(self, seat: str, number: int, made: int, write: Write) -> bool:
        """A person asks to choose where it was not asked, after so many moves; what came after is taken back. Others may have moved meanwhile: it is
        enough that nothing was taken back since `number` deeds. Whether that is new. Raises NotNow."""
        if self.asking == made == len(self.made) and self.state.to_act == seat:
            return False
        kept = all(deed.deed not in BACK for deed in self.deeds[max(0, number) :])
        if not kept or all(place.made != made for place in self.calls(seat)):
            raise NotNow("late")
        self._back(Deed("call", seat, str(made)), write)
        return True

    def calls(self, seat: str | None) -> list[Place]:
        """Where a seat was not asked since it chose last."""
        if self.over:
            return []
        last = max((n for n, deed in enumerate(self.made) if deed.seat == seat and deed.deed == "move"), default=-1)
        return [place for place in self.passed if place.seat == seat and place.made > last]

    def pass_over(self, write: Write) -> bool:
        """Moves for people where they are not asked, as the rules name it; where that would be the last move, they are asked while there is time.
        Whether there was such a place. Raises NotNow."""
        before = self.number
        while (deed := self._unasked()) is not None:
            self._move(deed, write)
        return self.number > before

    def _unasked(self) -> Deed | None:
        seat = self.state.to_act
        if seat is None or self.over or self.kinds[seat] != HUMAN or self.asking == len(self.made):
            return None
        move = self.state.unasked
        return Deed("pass", seat, move.id) if move is not None and not self.state.play(move).is_over else None

    def may_undo(self, seat: str) -> bool:
        """As at the terminal: who is asked again may take its own move back; at the end, who plays alone and has not won."""
        last = self._last_of_people()
        if last is None or self.made[last].seat != seat:
            return False
        if self.over:
            won = self.game.ruleset.result.won is not None and bool(self.state.winning_sides)
            return len(self.game.seats) == 1 and not won
        return self.state.to_act == seat

    def _last_of_people(self) -> int | None:
        """How many moves had been made before a person made one last."""
        back = range(len(self.made) - 1, -1, -1)
        return next((n for n in back if self.kinds[self.made[n].seat] == HUMAN and self.made[n].deed == "move"), None)

    def _only_now(self, number: int) -> None:
        if number != self.number:
            raise NotNow("late")

    def _is_done(self, number: int, deed: Deed) -> bool:
        return 0 <= number < self.number and self.deeds[number] == deed

    def _move(self, deed: Deed, write: Write) -> None:
        """Written is only what could be done, and done what is written."""
        before = self.state
        after, stops = watched(before, deed.move, self.number)
        write(self.number, deed)
        self.state = after
        self.stops = [*self.stops, *stops][-MOST:]
        if deed.deed == "pass":
            self.passed.append(Place(len(self.made), before))
        self.deeds.append(deed)
        self._counted(deed)

    def _back(self, deed: Deed, write: Write) -> None:
        write(self.number, deed)
        self.deeds.append(deed)
        self._counted(deed)
        self.stops = []
        self.state = self._replayed()  # chance does what it did

    def _counted(self, deed: Deed) -> None:
        """Whoever goes back somewhere is asked there."""
        if deed.deed not in BACK:
            self.made.append(deed)
            return
        self.asking = int(deed.move)
        self.made = self.made[: self.asking]

    def _replayed(self) -> State:
        """The state after the moves that count, and where somebody was not asked among them."""
        state, self.passed = State(self.game, self.begun.core.copy()), []
        for number, deed in enumerate(self.made):
            if deed.deed == "pass":
                self.passed.append(Place(number, State(self.game, state.core.copy())))
            state.play_here(deed.move)
        return state


def played(begun: State, moves: Iterable[str]) -> State:
    """The state after these moves."""
    state = State(begun.game, begun.core.copy())
    for move in moves:
        state.play_here(move)
    return state
