"""What a seat knows of pieces that it does not see now, as a value that is carried on from move to move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_see
from hoyle.native import visibility_tables
from hoyle.players.inference.move_replay import follow
from hoyle.players.inference.piece_tracking import Bag, Marks, Past, of_kind
from hoyle.players.inference.recording_state import Course
from hoyle.running.chance import Chance
from hoyle.running.state import CHANCE, Action, Core, Event


class Knowledge(Struct, frozen=True):
    """What one seat knows in one state of a game. A *mark* is a number that the seat gives to a piece, and that it keeps as long as the
    seat can tell which piece it is.

    piles    the marks of each pile, bottom to top
    known    the class of the piece of a mark, if it was ever seen
    may      of the others, the classes that it may have: a bit for each
    bags     pieces that are known to be among some marks
    past     what may not be contradicted: what was proved, and in which order marks were mixed
    cells    values of secret state that everybody knows, since they were renewed
    kept     the marks of what `take_back` would restore
    """

    game: Compiled
    player: int
    piles: tuple[tuple[int, ...], ...]
    known: Mapping[int, int]
    may: Mapping[int, int]
    bags: tuple[Bag, ...] = ()
    past: tuple[Past, ...] = ()
    cells: Mapping[int, Any] = {}
    kept: tuple[tuple[int, ...], ...] | None = None

    def after(self, before: Core, action: Action, after: Core) -> Knowledge:
        """What the seat knows once a move has been made. `before` is the state that this is the knowledge of; the log of `after`, if it has one,
        says what happened by chance, else it is drawn again from the chance of `before`."""
        numbers = [[*pile] for pile in self.piles]
        kept = [[*pile] for pile in self.kept] if self.kept is not None else None
        with self.game.machine.uncounted():
            course = follow(self.game, self.player, before, numbers, kept, action, _drawn(before, after))
        return self._carried(course, before, action)

    def _carried(self, course: Course, before: Core, action: Action | None) -> Knowledge:
        marks = Marks(self.game, self.player, self.piles, self.known, self.may, self.bags, self.past, self.cells)
        marks.carry(course, before, action)
        kept = tuple(map(tuple, course.kept)) if course.kept is not None else None
        marks.forget(kept or ())
        return Knowledge(
            self.game,
            self.player,
            tuple(map(tuple, marks.piles)),
            marks.known,
            marks.may,
            tuple(marks.bags),
            tuple(marks.past),
            marks.cells,
            kept,
        )


def beginning(game: Compiled, core: Core, player: int) -> Knowledge:
    """What a seat knows at the first decision of a game: packs begin in order, and what was mixed and dealt since is followed. Of a state that the
    game does not begin with, such as a position, it is what the seat sees."""
    began = _begun(game, core, player)
    return began if began is not None else seen_now(game, core, player)


def seen_now(game: Compiled, core: Core, player: int) -> Knowledge:
    """What a seat sees, and nothing else."""
    piles, mark = list[tuple[int, ...]](), 0
    known: dict[int, int] = {}
    may: dict[int, int] = {}
    for number, pile in enumerate(core.piles):
        piles.append(tuple(range(mark, mark + len(pile))))
        for height, piece in enumerate(pile):
            if can_see(game, number, height, len(pile), piece, player):
                known[mark + height] = piece >> 1
            else:
                may[mark + height] = of_kind(game, piece)
        mark += len(pile)
    return Knowledge(game, player, tuple(piles), known, may)


def _begun(game: Compiled, core: Core, player: int) -> Knowledge | None:
    machine = game.machine
    if core.log is None or any(event[0] == "move" for event in core.log):
        return None
    fresh = machine.fresh(Chance(0, 1))
    known, piles = dict[int, int](), list[list[int]]()
    for pile in fresh.piles:
        piles.append([*range(len(known), len(known) + len(pile))])
        known |= zip(piles[-1], (piece >> 1 for piece in pile), strict=True)
    try:
        with machine.uncounted():
            course = follow(game, player, fresh, piles, None, None, _chance_in(core.log))
    except (Refused, StopIteration):
        return None
    if course.end.key() != core.key():
        return None
    first = Knowledge(game, player, tuple(map(tuple, piles)), known, {})
    return first._carried(course, fresh, None)


def knowledge_of(game: Compiled, states: Sequence[Core], player: int) -> Knowledge:
    """What a seat knows in the last of the states of a game, each of which comes after a move from the one before. They have logs."""
    found = beginning(game, states[0], player)
    for before, after in pairwise(states):
        found = found.after(before, _made(before, after), after)
    return found


def _made(before: Core, after: Core) -> Action:
    log = (after.log or [])[len(before.log or ()) :]
    action: Action = next(event[3] for event in log if event[0] == "move")
    return action


def _drawn(before: Core, after: Core) -> list[Event] | None:
    if after.log is None or before.log is None:
        return None
    return _chance_in(after.log[len(before.log) :])


def _chance_in(log: Iterable[Event]) -> list[Event]:
    return [event for event in log if event[0] in CHANCE]


def sorts_of(core: Core) -> Counter[int]:
    """How many pieces of each class the game is played with."""
    return Counter(piece >> 1 for pile in core.piles for piece in pile)


Moved = tuple[Core, Action, Core]
"""A move, and the states before and after it."""


class Memory:
    """What one seat knows, from the beginning of a game or from wherever it sits down; what it knew before every move is kept, for moves
    that are taken back."""

    def __init__(self, game: Compiled, player: int) -> None:
        self._game, self._player = game, player
        self._trail: list[Knowledge] = []

    def begins(self, core: Core) -> None:
        """The seat sits down."""
        self._trail = [beginning(self._game, core, self._player)]

    def remembers(self, past: Sequence[Moved], core: Core) -> None:
        """It has sat there through these moves, which led to a state; or sits down there, if there were none."""
        self.begins(past[0][0] if past else core)
        for before, action, after in past:
            self.moved(before, action, after)

    def moved(self, before: Core, action: Action, after: Core) -> None:
        """Somebody has moved. `before` is the state that it stood at."""
        if self._trail:
            self._trail.append(self._trail[-1].after(before, action, after))

    def back(self, moves: int) -> None:
        """So many moves were taken back."""
        self._trail = self._trail[: len(self._trail) - moves]

    @property
    def now(self) -> Knowledge | None:
        """What it knows; None if it has not sat down."""
        return self._trail[-1] if self._trail else None


def hides(game: Compiled) -> bool:
    """Is there anything in the game that somebody does not see, so that it is worth remembering?"""
    return visibility_tables.hides(game.machine)
