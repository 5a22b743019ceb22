"""A game in play: who may do what now. Every deed has a number, and is done once: what comes twice, late or from elsewhere does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from interpreter.game.game import Game, State
from interpreter.running.machine import MOST_DECISIONS
from interpreter.web.stops import MOST, Stop, watched
from interpreter.web.store import Deed

HUMAN = "human"
Write = Callable[[int, Deed], None]
"""Keeps a deed under its number, before it is answered. Raises Taken."""


class NotNow(Exception):
    """What was asked cannot be done: `key` says why, as `refused.KEY` in the words of the page."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Table:
    """`deeds` is all that was done, moves that were taken back among it; `made` the moves that count."""

    def __init__(
        self, ident: str, begun: State, kinds: Mapping[str, str], seed: int, deeds: Sequence[Deed] = ()
    ) -> None:
        """`begun`: the state at the start. Raises Refused if the deeds cannot have been done there."""
        self.id, self.begun, self.kinds, self.seed = ident, begun, kinds, seed
        self.game: Game = begun.game
        self.deeds: list[Deed] = list(deeds)
        self.made = counting(deeds)
        self.state = played(begun, (deed.move for deed in self.made))
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
    def waits_for(self) -> str | None:
        """The seat without a person that is to move."""
        seat = self.state.to_act
        return seat if seat is not None and not self.over and self.kinds[seat] != HUMAN else None

    # ---- what seats do -----------------------------------------------------------------------------------------------

    def move(self, seat: str, number: int, ident: str, write: Write) -> bool:
        """A seat moves, at the table as it was after `number` deeds; whether that is new. Raises NotNow, Taken."""
        deed = Deed("move", seat, ident)
        if self._is_done(number, deed):
            return False
        if self.state.to_act != seat or self.over:
            raise NotNow("over" if self.over else "turn")
        self._only_now(number)
        if all(move.id != ident for move in self.state.moves()):
            raise NotNow("move")
        write(number, deed)
        self.state, stops = watched(self.state, ident, self.number)
        self.stops = [*self.stops, *stops][-MOST:]
        self._did(deed)
        return True

    def undo(self, seat: str, number: int, write: Write) -> bool:
        """A person takes its last move back, and what came of it; whether that is new. Raises NotNow, Taken."""
        if 0 <= number < self.number and (self.deeds[number].deed, self.deeds[number].seat) == ("undo", seat):
            return False
        self._only_now(number)
        if not self.may_undo(seat):
            raise NotNow("undo")
        deed = Deed("undo", seat, str(self._last_of_people()))
        write(number, deed)
        self._did(deed)
        self.stops = []
        self.state = played(self.begun, (made.move for made in self.made))  # chance does what it did
        return True

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
        found = (at for at in range(len(self.made) - 1, -1, -1) if self.kinds[self.made[at].seat] == HUMAN)
        return next(found, None)

    def _only_now(self, number: int) -> None:
        if number != self.number:
            raise NotNow("late")

    def _is_done(self, number: int, deed: Deed) -> bool:
        return 0 <= number < self.number and self.deeds[number] == deed

    def _did(self, deed: Deed) -> None:
        self.deeds.append(deed)
        self.made = _counting(self.made, deed)


def counting(deeds: Iterable[Deed]) -> list[Deed]:
    """The moves that count, when some were taken back."""
    made: list[Deed] = []
    for deed in deeds:
        made = _counting(made, deed)
    return made


def _counting(made: list[Deed], deed: Deed) -> list[Deed]:
    if deed.deed == "undo":
        return made[: int(deed.move)]
    made.append(deed)
    return made


def played(begun: State, moves: Iterable[str]) -> State:
    """The state after these moves."""
    state = State(begun.game, begun.core.copy())
    for move in moves:
        state.play_here(move)
    return state
