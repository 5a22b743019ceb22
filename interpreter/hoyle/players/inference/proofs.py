"""What it proves of hidden pieces that somebody made a move, or could make none: rules that look at what the seat cannot see are asked
whether that could be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState, fill_hidden, redact_position
from hoyle.game.views.view import can_see
from hoyle.language.ir import ABSENT
from hoyle.language.model import Move
from hoyle.players.inference.move_replay import outcome
from hoyle.players.inference.recording_state import Left, Outcome, Ran, Role
from hoyle.players.inference.scope import scope_of_block
from hoyle.running.chance import Chance
from hoyle.running.machine import STOP
from hoyle.running.state import Action, Core

Spot = tuple[int, int, int]
"""A pile, a height in it, and the mark (see `knowledge`) of the piece that lies there."""


class There(Struct, frozen=True):
    """Whatever piece has a mark."""

    mark: int


class Told(Struct, frozen=True):
    """A move as the seat knows it: pieces by their class, hidden ones by their mark; None where nothing tells which it was."""

    move: int
    values: tuple[Any, ...]
    pieces: tuple[bool, ...]
    """Which values are pieces, or lists of them."""


class Proof(Struct, frozen=True):
    """A state as the seat saw it, and what was done there: a move (`told`), or what a block does; where pieces lay in it that the seat did not see; how marks were looked at; who made the move; what the seat saw come of it, if it hangs on what is hidden (None: not); the secret
    cells that were set then, and whether some were looked at; and what chance did: the lots drawn, and the marks of what was mixed."""

    seen: RedactedState
    pc: int
    spots: tuple[Spot, ...]
    roles: Mapping[int, Role]
    actor: int = -1
    told: Told | None = None
    outcome: Outcome | None = None
    cells: tuple[int, ...] = ()
    secrets: bool = False
    lots: tuple[Any, ...] = ()
    shuffled: tuple[tuple[int, ...], ...] = ()

    @property
    def marks(self) -> frozenset[int]:
        """Of the pieces that it needs: those that it is about, and all that were mixed then."""
        return frozenset(self.roles).union(*self.shuffled)

    def is_over(self, known: Container[int]) -> bool:
        """Is all known that it is about?"""
        if self.told is None and self.outcome is None:
            return not self.cells
        return not self.cells and not self.secrets and all(mark in known for mark in self.roles)

    def without(self, cells: Container[int]) -> Proof:
        """The same, when these cells have been set again."""
        return replace(self, cells=tuple(cell for cell in self.cells if cell not in cells)) if self.cells else self


# ---- noted when it happens -------------------------------------------------------------------------------------------


def spots(game: Compiled, core: Core, player: int, marks: Sequence[Sequence[int]]) -> tuple[Spot, ...]:
    """Where pieces lie that the seat does not see."""
    return tuple(
        (n, h, marks[n][h])
        for n, pile in enumerate(core.piles[:-1])
        for h, piece in enumerate(pile)
        if not can_see(game, n, h, len(pile), piece, player)
    )


def of_block(
    game: Compiled,
    player: int,
    ran: Ran,
    hidden: tuple[Spot, ...],
    roles: Mapping[int, Role],
    shuffled: tuple[tuple[int, ...], ...],
) -> Proof | None:
    """What a block proves besides what it proves of each piece by itself."""
    owners = {game.machine.hands[role] if isinstance(role, int) else ABSENT for role in roles.values()}
    asks_nobody = ran.outcome[0] != STOP and len(owners) == 1 and scope_of_block(game, ran.pc).apart
    looked = (bool(roles) and not (asks_nobody and ABSENT not in owners)) or ran.secrets
    if ran.lots is None or not (looked or ran.cells) or is_carried_out(game, ran.core):
        return None
    result = ran.outcome if looked else None
    return Proof(
        redact_position(game, ran.core, player),
        ran.pc,
        hidden,
        roles,
        outcome=result,
        cells=ran.cells,
        secrets=ran.secrets,
        lots=ran.lots,
        shuffled=shuffled,
    )


def is_carried_out(game: Compiled, core: Core) -> bool:
    """Is done there what several have chosen unseen? No world says what that was."""
    registers = (point.together for point in game.machine.points.values() if point.together is not None)
    return any(core.cells[r.chosen] and core.cells[r.cursor] >= len(core.cells[r.listed]) for r in registers)


def of_move(
    game: Compiled,
    player: int,
    before: Core,
    action: Action,
    hidden: tuple[Spot, ...],
    left: Sequence[tuple[Left, int]],
    known: Mapping[int, int],
    roles: Mapping[int, Role],
    ran: Ran | None,
) -> Proof | None:
    """What a move proves. `left`: what left piles in it, and of which mark; `known`: what the seat knows by now; `roles`: how hidden pieces were looked
    at; `ran`: what it did at once, if that hung on what is hidden."""
    if ran is not None and ran.lots != ():
        ran = None
    secrets = ran is not None and ran.secrets
    if not (roles or secrets or (ran is not None and ran.cells)):
        return None
    point = game.machine.points[before.pc]
    move = next(m for m in point.moves if m.number == action[0])
    told = _told(move, action, left, known, bool(point.together))
    result = ran.outcome if ran is not None else None
    cells = ran.cells if ran is not None else ()
    return Proof(
        redact_position(game, before, player), before.pc, hidden, roles, before.actor, told, result, cells, secrets
    )


def _told(move: Move, action: Action, left: Sequence[tuple[Left, int]], known: Mapping[int, int], unseen: bool) -> Told:
    kinds = [var.kind for var in move.bindings]
    pieces = tuple(k.name == "piece" or (k.name == "list" and k.of_item.name == "piece") for k in kinds)
    waiting = list(left)

    def told(piece: int) -> int | There | None:
        if piece < 0 or piece & 1:
            return piece >> 1
        for n, (gone, mark) in enumerate(waiting):
            if gone.sort == piece >> 1:
                del waiting[n]
                return known.get(mark, There(mark))
        return None

    def value(found: Any, is_piece: bool) -> Any:
        if not is_piece:
            return None if unseen else found
        return told(found) if isinstance(found, int) else tuple(map(told, found))

    return Told(action[0], tuple(map(value, action[1:], pieces)), pieces)


# ---- asked when a world is drawn -------------------------------------------------------------------------------------


def holds(
    game: Compiled, player: int, proof: Proof, sorts: Mapping[int, int], chance: Chance, set_to: dict[int, Any]
) -> bool:
    """Could it be so, if the pieces are of these sorts? What secret cells became then goes into `set_to`."""
    at = {(pile, height): sorts[mark] for pile, height, mark in proof.spots if mark in sorts}
    if len(at) < len(proof.spots):  # it is not about these
        rest = Counter(sort for sorts in proof.seen.unseen.values() for sort in sorts)
        rest.subtract(at.values())
        others = [(pile, height) for pile, height, mark in proof.spots if mark not in sorts]
        at |= zip(others, chance.shuffle(0, sorted((+rest).elements())), strict=False)
    world = fill_hidden(game, proof.seen, chance, at)
    for cell, value in set_to.items():
        world.cells[cell] = value
    world.chance = _Given([[sorts[mark] for mark in marks] for marks in proof.shuffled], proof.lots)
    try:
        came_to = _done(game, proof, world, sorts)
    except Refused:
        return False
    if came_to is None or (proof.outcome is not None and outcome(game, player, world, came_to) != proof.outcome):
        return False
    set_to.update((cell, world.cells[cell]) for cell in proof.cells)
    return True


class _Given(Chance):
    """Chance that mixes pieces so that they lie as they are said to."""

    def __init__(self, orders: Sequence[Sequence[int]], lots: Sequence[Any]) -> None:
        super().__init__(0, 1)
        self.orders, self.drawn = iter(orders), iter(lots)

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        waiting: dict[int, list[int]] = {}
        for item in items:
            waiting.setdefault(item >> 1, []).append(item)
        return [waiting[sort].pop() for sort in next(self.orders)]

    def lots(self, items: Sequence[Any], label: int) -> Any:
        return next(self.drawn)


def _done(game: Compiled, proof: Proof, world: Core, sorts: Mapping[int, int]) -> int | None:
    """Do there what was done; None if that is not legal."""
    if proof.told is None:
        return game.machine.blocks[proof.pc](world)
    if game.machine.blocks[proof.pc](world) != STOP or (world.pc, world.actor) != (proof.pc, proof.actor):
        return None
    action = next((action for action in world.acts if _is_it(proof.told, action, sorts)), None)
    if action is None or proof.outcome is None:
        return STOP if action is not None else None
    return game.machine.apply[proof.pc](world, action)


def _is_it(told: Told, action: Action, sorts: Mapping[int, int]) -> bool:
    return action[0] == told.move and all(map(_agrees, told.values, action[1:], told.pieces, repeat(sorts)))


def _agrees(told: Any, value: Any, is_piece: bool, sorts: Mapping[int, int]) -> bool:
    if told is None or not is_piece:
        return told is None or bool(told == value)
    if isinstance(value, int):
        return value >= 0 and _sort(told, sorts) == value >> 1 if told != ABSENT else value < 0
    if len(told) != len(value) or None in told:
        return len(told) == len(value)
    return sorted(_sort(part, sorts) for part in told) == sorted(piece >> 1 for piece in value)


def _sort(told: int | There, sorts: Mapping[int, int]) -> int:
    return sorts[told.mark] if isinstance(told, There) else told


Excluded = tuple[list[int], int]
"""Marks, and the classes that their pieces cannot have: a bit for each."""
Marked = Sequence[Sequence[int]]


def by_move(
    game: Compiled, player: int, before: Core, action: Action, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """What a move proves of the hands of who made it; the seat knows all of the move."""

    def legal(core: Core) -> bool:
        asked = game.machine.blocks[before.pc](core) == STOP
        return asked and (core.pc, core.actor) == (before.pc, before.actor) and action in core.acts

    moved = _taken(game, before, action)
    for pile in _hands(game, before, before.actor):
        yield from _excluded(game, player, before, pile, moved, piles, may, legal)


def by_block(
    game: Compiled, player: int, core: Core, pc: int, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """What it proves that nobody was asked where a block would ask who can do something."""
    for other in range(len(game.seats)):
        if other == player:
            continue

        def passed(tried: Core, other: int = other) -> bool:
            return game.machine.blocks[pc](tried) != STOP or tried.actor != other

        for pile in _hands(game, core, other):
            yield from _excluded(game, player, core, pile, None, piles, may, passed)


def _hands(game: Compiled, core: Core, actor: int) -> Iterator[int]:
    """The piles that a player looks at and others do not."""
    yield from (n for n, whose in enumerate(game.machine.hands) if whose == actor and core.piles[n])


def _taken(game: Compiled, before: Core, action: Action) -> tuple[int, int] | None:
    """The pile that a piece is taken from, and the piece."""
    move = next(m for m in game.machine.points[before.pc].moves if m.number == action[0])
    if move.taken is None:
        return None
    origin, card = (action[1 + move.bindings.index(var)] for var in move.taken)
    return origin, card


def _excluded(
    game: Compiled,
    player: int,
    core: Core,
    number: int,
    moved: tuple[int, int] | None,
    piles: Marked,
    may: Mapping[int, int],
    so: Callable[[Core], bool],
) -> Iterator[Excluded]:
    """Of one hand: its marks, and the classes with which it would not have been so."""
    pile = core.piles[number]
    unseen = [h for h, p in enumerate(pile) if not can_see(game, number, h, len(pile), p, player)]
    marks = [piles[number][h] for h in unseen if piles[number][h] in may]
    asked = 0
    for mark in marks:
        asked |= may[mark]
    sorts = [c for c in range(asked.bit_length()) if asked >> c & 1]
    tried = _Tried(game, core, number, unseen, moved, so)
    if sorts and not tried(sorts):
        bad = sum(1 << c for c in sorts if not tried([c]))
        if bad:
            yield marks, bad


class _Tried:
    """Would it have been so with nothing unseen in the hands of a player but these?"""

    def __init__(
        self,
        game: Compiled,
        core: Core,
        number: int,
        unseen: Sequence[int],
        moved: tuple[int, int] | None,
        so: Callable[[Core], bool],
    ) -> None:
        self.core, self.number, self.so = core, number, so
        hidden = frozenset(unseen)
        self.rest = [p for h, p in enumerate(core.piles[number]) if h not in hidden]
        self.others = [n for n in _hands(game, core, game.machine.hands[number]) if n != number]
        self.moved = moved

    def __call__(self, sorts: Sequence[int]) -> bool:
        tried = self.core.tried()
        tried.looking = False
        for n in self.others:
            tried.piles[n] = []
        tried.piles[self.number] = [*self.rest, *(2 * c for c in sorts)]
        if self.moved is not None and self.moved[1] not in tried.piles[self.moved[0]]:
            tried.piles[self.moved[0]].append(self.moved[1])
        try:
            return self.so(tried)
        except Refused:
            return True
