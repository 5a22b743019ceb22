"""Proofs from moves: what a move, or a block that asked nobody, tells about hidden pieces.

Two methods:

Exclusion, class by class. If obligations only prefer and nothing else looks at a hand, a move legal from a hand is legal from every
part of it that has the piece moved. It is illegal exactly if a single other piece forbids it. So each class is tried alone.

Proofs. Otherwise the state before is kept, and every sampled world must allow the same move, or lead to the same outcome, there.
"""

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
from hoyle.players.inference.move_replay import observe_outcome
from hoyle.players.inference.recording_state import BlockRun, Outcome, Removed, Role
from hoyle.players.inference.scope import scope_of_block
from hoyle.running.chance import Chance
from hoyle.running.machine import STOP
from hoyle.running.state import Action, Core

Spot = tuple[int, int, int]
"""A pile, a height in it, and the mark of the piece there."""
Excluded = tuple[list[int], int]
"""Marks, and the classes that their pieces cannot have, as bits."""
Marked = Sequence[Sequence[int]]
Condition = Callable[[Core], bool]


def find_hidden(game: Compiled, core: Core, player: int, marks: Marked) -> tuple[Spot, ...]:
    """Return the spots whose pieces the seat does not see."""
    return tuple(
        (n, h, marks[n][h])
        for n, pile in enumerate(core.piles[:-1])
        for h, piece in enumerate(pile)
        if not can_see(game, n, h, len(pile), piece, player)
    )


# ---- exclusion -------------------------------------------------------------------------------------------------------


def exclude_by_move(
    game: Compiled, player: int, before: Core, action: Action, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """Yield classes that the hands of the actor cannot hold, since this action was legal."""

    def is_legal(core: Core) -> bool:
        stops = game.machine.blocks[before.pc](core) == STOP
        return stops and (core.pc, core.actor) == (before.pc, before.actor) and action in core.acts

    moved = None
    move = next(m for m in game.machine.points[before.pc].moves if m.number == action[0])
    if move.taken is not None:
        origin, card = (action[1 + move.bindings.index(var)] for var in move.taken)
        moved = origin, card
    for pile in _list_hands(game, before, before.actor):
        yield from _exclude_from_hand(game, player, before, pile, moved, piles, may, is_legal)


def exclude_by_block(
    game: Compiled, player: int, core: Core, pc: int, piles: Marked, may: Mapping[int, int]
) -> Iterator[Excluded]:
    """Yield classes that hands of others cannot hold, since a block did not ask their owners."""
    for other in range(len(game.seats)):
        if other == player:
            continue

        def is_passed(tried: Core, other: int = other) -> bool:
            return game.machine.blocks[pc](tried) != STOP or tried.actor != other

        for pile in _list_hands(game, core, other):
            yield from _exclude_from_hand(game, player, core, pile, None, piles, may, is_passed)


def _list_hands(game: Compiled, core: Core, actor: int) -> Iterator[int]:
    yield from (n for n, whose in enumerate(game.machine.hands) if whose == actor and core.piles[n])


def _exclude_from_hand(
    game: Compiled,
    player: int,
    core: Core,
    number: int,
    moved: tuple[int, int] | None,
    piles: Marked,
    may: Mapping[int, int],
    condition: Condition,
) -> Iterator[Excluded]:
    """Try the condition with each class alone in a hand, and exclude those with which it fails.

    Args:
        moved: a pile, and the piece that must be in it.
    """
    pile = core.piles[number]
    unseen = [h for h, p in enumerate(pile) if not can_see(game, number, h, len(pile), p, player)]
    visible = [p for h, p in enumerate(pile) if h not in frozenset(unseen)]
    marks = [piles[number][h] for h in unseen if piles[number][h] in may]
    others = [n for n in _list_hands(game, core, game.machine.hands[number]) if n != number]

    def holds_with(classes: Sequence[int]) -> bool:
        tried = core.tried()
        tried.looking = False
        for n in others:
            tried.piles[n] = []
        tried.piles[number] = [*visible, *(2 * c for c in classes)]
        if moved is not None and moved[1] not in tried.piles[moved[0]]:
            tried.piles[moved[0]].append(moved[1])
        try:
            return condition(tried)
        except Refused:
            return True

    possible = 0
    for mark in marks:
        possible |= may[mark]
    classes = [c for c in range(possible.bit_length()) if possible >> c & 1]
    if classes and not holds_with(classes):
        bad = sum(1 << c for c in classes if not holds_with([c]))
        if bad:
            yield marks, bad


# ---- proofs: recorded when something happens -------------------------------------------------------------------------


class MarkedPiece(Struct, frozen=True):
    """Stands for the piece of a mark, whatever it is."""

    mark: int


class KnownAction(Struct, frozen=True):
    """An action as the seat knows it: pieces by class, hidden ones by mark, None for what nothing tells.

    `pieces` tells which values are pieces or lists of them.
    """

    move: int
    values: tuple[Any, ...]
    pieces: tuple[bool, ...]


class Proof(Struct, frozen=True):
    """A state as the seat saw it, and what happened there: an action, or else a block.

    spots     hidden pieces in it
    roles     how marks were looked at
    outcome   what the seat saw of the result, if that depends on hidden things
    cells     secret cells that were set; `secrets`, if some were read
    lots      lots that were drawn; `shuffled`, the marks of each shuffled pile
    """

    seen: RedactedState
    pc: int
    spots: tuple[Spot, ...]
    roles: Mapping[int, Role]
    actor: int = -1
    action: KnownAction | None = None
    outcome: Outcome | None = None
    cells: tuple[int, ...] = ()
    secrets: bool = False
    lots: tuple[Any, ...] = ()
    shuffled: tuple[tuple[int, ...], ...] = ()

    @property
    def marks(self) -> frozenset[int]:
        """The marks whose classes it needs."""
        return frozenset(self.roles).union(*self.shuffled)

    def is_resolved(self, known: Container[int]) -> bool:
        """Return True if it can tell nothing more."""
        if self.action is None and self.outcome is None:
            return not self.cells
        return not self.cells and not self.secrets and all(mark in known for mark in self.roles)

    def without_cells(self, cells: Container[int]) -> Proof:
        """Return the proof after these cells were set again."""
        return replace(self, cells=tuple(cell for cell in self.cells if cell not in cells)) if self.cells else self


def prove_block(
    game: Compiled,
    player: int,
    run: BlockRun,
    hidden: tuple[Spot, ...],
    roles: Mapping[int, Role],
    shuffled: tuple[tuple[int, ...], ...],
) -> Proof | None:
    """Return what a block proves besides exclusions; None if nothing."""
    owners = {game.machine.hands[role] if isinstance(role, int) else ABSENT for role in roles.values()}
    asks_nobody = run.outcome[0] != STOP and len(owners) == 1 and scope_of_block(game, run.pc).apart
    looked = (bool(roles) and not (asks_nobody and ABSENT not in owners)) or run.secrets
    if run.lots is None or not (looked or run.cells) or _executes_secret_choices(game, run.core):
        return None
    return Proof(
        redact_position(game, run.core, player),
        run.pc,
        hidden,
        roles,
        outcome=run.outcome if looked else None,
        cells=run.cells,
        secrets=run.secrets,
        lots=run.lots,
        shuffled=shuffled,
    )


def _executes_secret_choices(game: Compiled, core: Core) -> bool:
    """Return True if moves that several players chose unseen are carried out: no world tells them."""
    registers = (point.together for point in game.machine.points.values() if point.together is not None)
    return any(core.cells[r.chosen] and core.cells[r.cursor] >= len(core.cells[r.listed]) for r in registers)


def prove_move(
    game: Compiled,
    player: int,
    before: Core,
    action: Action,
    hidden: tuple[Spot, ...],
    removed: Sequence[tuple[Removed, int]],
    known: Mapping[int, int],
    roles: Mapping[int, Role],
    run: BlockRun | None,
) -> Proof | None:
    """Return what a move proves; None if nothing.

    Args:
        removed: pieces that left piles in it, with their marks.
        known: classes that the seat knows by now.
        run: its immediate part, if that depends on hidden things.
    """
    if run is not None and run.lots != ():
        run = None
    secrets = run is not None and run.secrets
    if not (roles or secrets or (run is not None and run.cells)):
        return None
    point = game.machine.points[before.pc]
    move = next(m for m in point.moves if m.number == action[0])
    told = _describe_action(move, action, removed, known, bool(point.together))
    outcome, cells = (run.outcome, run.cells) if run is not None else (None, ())
    seen = redact_position(game, before, player)
    return Proof(seen, before.pc, hidden, roles, before.actor, told, outcome, cells, secrets)


def _describe_action(
    move: Move, action: Action, removed: Sequence[tuple[Removed, int]], known: Mapping[int, int], is_unseen: bool
) -> KnownAction:
    types = [var.type for var in move.bindings]
    pieces = tuple(k.name == "piece" or (k.name == "list" and k.item_type.name == "piece") for k in types)
    waiting = list(removed)

    def describe(piece: int) -> int | MarkedPiece | None:
        if piece < 0 or piece & 1:
            return piece >> 1
        for n, (event, mark) in enumerate(waiting):
            if event.piece_class == piece >> 1:
                del waiting[n]
                return known.get(mark, MarkedPiece(mark))
        return None

    def describe_value(value: Any, is_piece: bool) -> Any:
        if not is_piece:
            return None if is_unseen else value
        return describe(value) if isinstance(value, int) else tuple(map(describe, value))

    return KnownAction(action[0], tuple(map(describe_value, action[1:], pieces)), pieces)


# ---- proofs: checked when a world is drawn ---------------------------------------------------------------------------


def holds(
    game: Compiled, player: int, proof: Proof, classes: Mapping[int, int], chance: Chance, cells: dict[int, Any]
) -> bool:
    """Return True if the proof agrees with these classes of marks.

    `cells`: values of secret cells set by earlier proofs; those set by this one are added.
    """
    at = {(pile, height): classes[mark] for pile, height, mark in proof.spots if mark in classes}
    if len(at) < len(proof.spots):  # the other spots do not matter to it
        rest = Counter(piece_class for unseen in proof.seen.unseen.values() for piece_class in unseen)
        rest.subtract(at.values())
        others = [(pile, height) for pile, height, mark in proof.spots if mark not in classes]
        at |= zip(others, chance.shuffle(0, sorted((+rest).elements())), strict=False)
    world = fill_hidden(game, proof.seen, chance, at)
    for cell, value in cells.items():
        world.cells[cell] = value
    world.chance = _GivenChance([[classes[mark] for mark in marks] for marks in proof.shuffled], proof.lots)
    try:
        result = _replay(game, proof, world, classes)
    except Refused:
        return False
    if result is None or (proof.outcome is not None and observe_outcome(game, player, world, result) != proof.outcome):
        return False
    cells.update((cell, world.cells[cell]) for cell in proof.cells)
    return True


class _GivenChance(Chance):
    """Chance with given shuffles (as classes) and lots."""

    def __init__(self, orders: Sequence[Sequence[int]], lots: Sequence[Any]) -> None:
        super().__init__(0, 1)
        self.orders, self.drawn = iter(orders), iter(lots)

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        waiting: dict[int, list[int]] = {}
        for item in items:
            waiting.setdefault(item >> 1, []).append(item)
        return [waiting[piece_class].pop() for piece_class in next(self.orders)]

    def lots(self, items: Sequence[Any], label: int) -> Any:
        return next(self.drawn)


def _replay(game: Compiled, proof: Proof, world: Core, classes: Mapping[int, int]) -> int | None:
    """Run the block, or make the action, in a world. None if the action is not legal there."""
    if proof.action is None:
        return game.machine.blocks[proof.pc](world)
    if game.machine.blocks[proof.pc](world) != STOP or (world.pc, world.actor) != (proof.pc, proof.actor):
        return None
    action = next((action for action in world.acts if _matches(proof.action, action, classes)), None)
    if action is None or proof.outcome is None:
        return STOP if action is not None else None
    return game.machine.apply[proof.pc](world, action)


def _matches(known: KnownAction, action: Action, classes: Mapping[int, int]) -> bool:
    if action[0] != known.move:
        return False
    return all(map(_agrees, known.values, action[1:], known.pieces, repeat(classes)))


def _agrees(known: Any, value: Any, is_piece: bool, classes: Mapping[int, int]) -> bool:
    if known is None or not is_piece:
        return known is None or bool(known == value)
    if isinstance(value, int):
        return value >= 0 and _find_class(known, classes) == value >> 1 if known != ABSENT else value < 0
    if len(known) != len(value) or None in known:
        return len(known) == len(value)
    return sorted(_find_class(part, classes) for part in known) == sorted(piece >> 1 for piece in value)


def _find_class(known: int | MarkedPiece, classes: Mapping[int, int]) -> int:
    return classes[known.mark] if isinstance(known, MarkedPiece) else known
