"""A table in play: checks which seat may do which operation now. It has no storage, bots or network.

Operations are numbered. A message that arrives twice, late or from the wrong seat changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from hoyle.game.game import Game, State
from hoyle.language.ir import ABSENT
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import ENDED, Core, Event
from hoyle.web.play.stored_tables import Operation

HUMAN = "human"
MOST_PAUSES = 12
"""Number of recent pause points that are kept for visitors who are behind."""
Write = Callable[[int, Operation], None]
"""Stores an operation under its number before it is carried out. Raises TableError."""


class TableError(Exception):
    """A request that cannot be carried out. `key` names the sentence `refused.KEY` of the page."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class PausePoint(Struct, frozen=True):
    """The state at the end of a trick or deal (`what`), while its pieces still lie there, during operation `number`."""

    number: int
    what: str
    state: State


class Pass(Struct, frozen=True):
    """A decision that the table made for a person whom the rules do not ask: the moves before it, and the state there."""

    move_count: int
    state: State

    @property
    def seat(self) -> str:
        return str(self.state.to_act)


class Table:
    """A table: its state, and the operations that led to it.

    operations  all operations in order; their count is the number of the next one
    moves       the operations that still count: moves and passes that were not taken back
    passes      the decisions among `moves` that were passed over
    asked_at    number of moves after which a person is asked even where the rules would not ask (see `call`, `undo`)
    """

    def __init__(
        self,
        ident: str,
        start: State,
        kinds: Mapping[str, str],
        seed: int,
        operations: Sequence[Operation] = (),
        seeded: bool = False,
    ) -> None:
        """Replay `operations` from `start`. `seeded`: the first person chose the seed. Raises Refused for wrong moves."""
        self.id, self.start, self.kinds, self.seed, self.seeded = ident, start, kinds, seed, seeded
        self.game: Game = start.game
        self.operations: list[Operation] = list(operations)
        self.moves: list[Operation] = []
        self.passes: list[Pass] = []
        self.asked_at: int | None = None
        for operation in operations:
            self._apply(operation)
        self.state = self._replay()
        self.pauses: list[PausePoint] = []

    @property
    def number(self) -> int:
        """The number of the next operation. It only grows."""
        return len(self.operations)

    @property
    def people(self) -> list[str]:
        """The seats of people."""
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    @property
    def is_over(self) -> bool:
        return self.state.is_over or len(self.moves) >= MOST_DECISIONS

    @property
    def is_called(self) -> bool:
        """Return whether a person went back to a decision that had been passed over, and has not made it yet."""
        return self.asked_at == len(self.moves) and self.state.unasked is not None

    @property
    def bot_to_move(self) -> str | None:
        """The bot's seat that is to move, or None."""
        seat = self.state.to_act
        return seat if seat is not None and not self.is_over and self.kinds[seat] != HUMAN else None

    # ---- operations --------------------------------------------------------------------------------------------------
    # Each takes the number that the seat believes to be the next, returns whether the operation is new, and raises
    # TableError.

    def move(self, seat: str, number: int, ident: str, write: Write) -> bool:
        """Make a move, by its id."""
        operation = Operation("move", seat, ident)
        if 0 <= number < self.number and self.operations[number] == operation:
            return False
        if self.state.to_act != seat or self.is_over:
            raise TableError("over" if self.is_over else "turn")
        self._require_current(number)
        if all(move.id != ident for move in self.state.moves()):
            raise TableError("move")
        self._move(operation, write)
        return True

    def repeat(self, ident: str, write: Write) -> None:
        """Make a move for whoever is to move, by its id; as a pass if the table would make it. Raises TableError."""
        seat = self.state.to_act
        if seat is None or self.is_over or all(move.id != ident for move in self.state.moves()):
            raise TableError("over" if self.is_over else "move")
        passing = self._find_pass()
        is_pass = passing is not None and passing.move == ident
        self._move(Operation("pass" if is_pass else "move", seat, ident), write)

    def undo(self, seat: str, number: int, write: Write) -> bool:
        """Take back a person's last move and all moves after it."""
        if 0 <= number < self.number and (self.operations[number].kind, self.operations[number].seat) == ("undo", seat):
            return False
        self._require_current(number)
        if not self.can_undo(seat):
            raise TableError("undo")
        self._go_back(Operation("undo", seat, str(self._find_last_choice())), write)
        return True

    def call(self, seat: str, number: int, move_count: int, write: Write) -> bool:
        """Go back to the decision of a seat that was passed over after `move_count` moves, so that the seat decides.

        Raises TableError if an `undo` or another `call` happened since operation `number`. Moves since then do not matter.
        """
        if self.asked_at == move_count == len(self.moves) and self.state.to_act == seat:
            return False
        went_back = any(operation.kind in ("undo", "call") for operation in self.operations[max(0, number) :])
        if went_back or all(place.move_count != move_count for place in self.list_calls(seat)):
            raise TableError("late")
        self._go_back(Operation("call", seat, str(move_count)), write)
        return True

    def list_calls(self, seat: str | None) -> list[Pass]:
        """Return the decisions of a seat that were passed over since its last move. The seat may go back to them."""
        if self.is_over:
            return []
        own = (n for n, move in enumerate(self.moves) if move.seat == seat and move.kind == "move")
        last = max(own, default=-1)
        return [place for place in self.passes if place.seat == seat and place.move_count > last]

    def pass_unasked(self, write: Write) -> bool:
        """Move for people where the rules do not ask them, unless that would end the game. Return whether any moved."""
        before = self.number
        while (operation := self._find_pass()) is not None:
            self._move(operation, write)
        return self.number > before

    def _find_pass(self) -> Operation | None:
        seat = self.state.to_act
        if seat is None or self.is_over or self.kinds[seat] != HUMAN or self.asked_at == len(self.moves):
            return None
        move = self.state.unasked
        return Operation("pass", seat, move.id) if move is not None and not self.state.play(move).is_over else None

    def can_undo(self, seat: str) -> bool:
        """Return whether a seat may take its last move back: when it acts again, or after losing alone."""
        last = self._find_last_choice()
        if last is None or self.moves[last].seat != seat:
            return False
        if self.is_over:
            won = self.game.ruleset.result.won is not None and bool(self.state.winning_sides)
            return len(self.game.seats) == 1 and not won
        return self.state.to_act == seat

    def _find_last_choice(self) -> int | None:
        """Return the index of the last move that a person chose."""
        back = range(len(self.moves) - 1, -1, -1)
        return next((n for n in back if self.kinds[self.moves[n].seat] == HUMAN and self.moves[n].kind == "move"), None)

    def _require_current(self, number: int) -> None:
        if number != self.number:
            raise TableError("late")

    def _move(self, operation: Operation, write: Write) -> None:
        """Carry out a move. It is stored only if it is legal, and takes effect only once stored."""
        before = self.state
        after, pauses = play_with_pauses(before, operation.move, self.number)
        write(self.number, operation)
        self.state = after
        self.pauses = [*self.pauses, *pauses][-MOST_PAUSES:]
        if operation.kind == "pass":
            self.passes.append(Pass(len(self.moves), before))
        self.operations.append(operation)
        self._apply(operation)

    def _go_back(self, operation: Operation, write: Write) -> None:
        write(self.number, operation)
        self.operations.append(operation)
        self._apply(operation)
        self.pauses = []
        self.state = self._replay()  # draws the same random numbers again

    def _apply(self, operation: Operation) -> None:
        """Update the moves that count."""
        if operation.kind in ("move", "pass"):
            self.moves.append(operation)
        else:
            self.asked_at = int(operation.move)
            self.moves = self.moves[: self.asked_at]

    def _replay(self) -> State:
        """Return the state after the moves that count, and find the passes among them."""
        state, self.passes = State(self.game, self.start.core.copy()), []
        for count, operation in enumerate(self.moves):
            if operation.kind == "pass":
                self.passes.append(Pass(count, State(self.game, state.core.copy())))
            state.play_here(operation.move)
        return state


def replay_moves(start: State, moves: Iterable[str]) -> State:
    """Return the state after moves, given by their ids."""
    state = State(start.game, start.core.copy())
    for move in moves:
        state.play_here(move)
    return state


class _PauseLog(list[Event]):
    """An event log that copies the state whenever the end of a trick or deal is logged."""

    def __init__(self, core: Core) -> None:
        super().__init__(core.log or ())
        self._core = core
        self.pauses: list[tuple[str, Core]] = []

    def append(self, event: Event) -> None:
        super().append(event)
        if event[0] == "ends":
            core = self._core.copy()
            core.acts, core.actor = [], ABSENT  # nobody is to move in it
            self.pauses.append((ENDED[event[1]], core))


def play_with_pauses(state: State, ident: str, number: int) -> tuple[State, list[PausePoint]]:
    """Return the state after a legal move, and the pause points during it. `number` is that of the operation."""
    game, core = state.game, state.core.copy()
    core.log = log = _PauseLog(core)
    game.machine.play(core, state.find(ident).action)
    core.log = [*log]
    return State(game, core), [PausePoint(number, what, State(game, then)) for what, then in log.pauses]
