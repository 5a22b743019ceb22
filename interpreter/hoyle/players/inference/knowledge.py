"""Knowledge of a seat about pieces that it does not see now: a value carried from move to move, and the memory that keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_see
from hoyle.native import visibility_tables
from hoyle.players.inference.move_replay import replay_move
from hoyle.players.inference.piece_tracking import Bag, Constraint, PieceTracker, class_mask
from hoyle.players.inference.recording_state import Replay
from hoyle.running.chance import Chance
from hoyle.running.state import CHANCE, Action, Core, Event

Moved = tuple[Core, Action, Core]
"""A move with the states before and after it."""


class Knowledge(Struct, frozen=True):
    """Knowledge of one seat in one state. A *mark* numbers a piece as long as the seat can follow it.

    piles    marks of each pile, bottom to top
    known    class of the piece of a mark, if the seat knows it
    may      possible classes of the other marks, as bits
    bags     pieces that lie among some marks
    past     constraints on earlier states: proofs, and mixes of marks
    cells    secret state whose values everybody knows since a reset
    kept     marks of the piles that `take_back` would restore
    """

    game: Compiled
    player: int
    piles: tuple[tuple[int, ...], ...]
    known: Mapping[int, int]
    may: Mapping[int, int]
    bags: tuple[Bag, ...] = ()
    past: tuple[Constraint, ...] = ()
    cells: Mapping[int, Any] = {}
    kept: tuple[tuple[int, ...], ...] | None = None

    def after(self, before: Core, action: Action, after: Core) -> Knowledge:
        """Return the knowledge after a move.

        Args:
            before: the state of this knowledge.
            after: its log tells what chance did; without a log, chance is drawn again from `before`.
        """
        numbers = [[*pile] for pile in self.piles]
        kept = [[*pile] for pile in self.kept] if self.kept is not None else None
        drawn = None
        if after.log is not None and before.log is not None:
            drawn = _select_chance(after.log[len(before.log) :])
        with self.game.machine.uncounted():
            replay = replay_move(self.game, self.player, before, numbers, kept, action, drawn)
        return self._update(replay, before, action)

    def _update(self, replay: Replay, before: Core, action: Action | None) -> Knowledge:
        tracker = PieceTracker(
            self.game, self.player, self.piles, self.known, self.may, self.bags, self.past, self.cells
        )
        tracker.update(replay, before, action)
        kept = tuple(map(tuple, replay.kept)) if replay.kept is not None else None
        tracker.forget(kept or ())
        return Knowledge(
            self.game,
            self.player,
            tuple(map(tuple, tracker.piles)),
            tracker.known,
            tracker.may,
            tuple(tracker.bags),
            tuple(tracker.past),
            tracker.cells,
            kept,
        )


def know_start(game: Compiled, core: Core, player: int) -> Knowledge:
    """Return the knowledge at the first decision: packs start in order and the deal is followed.

    For a position, which no game starts with, it is what the seat sees.
    """
    followed = _follow_start(game, core, player)
    return followed if followed is not None else know_view(game, core, player)


def know_view(game: Compiled, core: Core, player: int) -> Knowledge:
    """Return what a seat sees, and nothing else."""
    piles, mark = list[tuple[int, ...]](), 0
    known: dict[int, int] = {}
    may: dict[int, int] = {}
    for number, pile in enumerate(core.piles):
        piles.append(tuple(range(mark, mark + len(pile))))
        for height, piece in enumerate(pile):
            if can_see(game, number, height, len(pile), piece, player):
                known[mark + height] = piece >> 1
            else:
                may[mark + height] = class_mask(game, piece)
        mark += len(pile)
    return Knowledge(game, player, tuple(piles), known, may)


def _follow_start(game: Compiled, core: Core, player: int) -> Knowledge | None:
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
            replay = replay_move(game, player, fresh, piles, None, None, _select_chance(core.log))
    except (Refused, StopIteration):
        return None
    if replay.end.key() != core.key():
        return None
    return Knowledge(game, player, tuple(map(tuple, piles)), known, {})._update(replay, fresh, None)


def know_game(game: Compiled, states: Sequence[Core], player: int) -> Knowledge:
    """Return the knowledge in the last of these successive states, which have logs."""
    knowledge = know_start(game, states[0], player)
    for before, after in pairwise(states):
        log = (after.log or [])[len(before.log or ()) :]
        action: Action = next(event[3] for event in log if event[0] == "move")
        knowledge = knowledge.after(before, action, after)
    return knowledge


def _select_chance(log: Iterable[Event]) -> list[Event]:
    return [event for event in log if event[0] in CHANCE]


class Memory:
    """Knowledge of a seat through one game, kept for every move so that moves can be taken back."""

    def __init__(self, game: Compiled, player: int) -> None:
        self._game, self._player = game, player
        self._trail: list[Knowledge] = []

    def begins(self, core: Core) -> None:
        """Start remembering at a state."""
        self._trail = [know_start(self._game, core, self._player)]

    def remembers(self, past: Sequence[Moved], core: Core) -> None:
        """Start before these moves and follow them; without moves, start at `core`."""
        self.begins(past[0][0] if past else core)
        for before, action, after in past:
            self.moved(before, action, after)

    def moved(self, before: Core, action: Action, after: Core) -> None:
        """Follow a move."""
        if self._trail:
            self._trail.append(self._trail[-1].after(before, action, after))

    def back(self, moves: int) -> None:
        """Take back moves."""
        self._trail = self._trail[: len(self._trail) - moves]

    @property
    def now(self) -> Knowledge | None:
        """The current knowledge; None before `begins`."""
        return self._trail[-1] if self._trail else None


def has_hidden_information(game: Compiled) -> bool:
    """Return True if some seat does not see something."""
    return visibility_tables.hides(game.machine)
