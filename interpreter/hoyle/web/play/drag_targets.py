"""Drag and drop: which pieces and piles a legal move is made with, and which moves a drop may mean.

The browser needs no knowledge of the game: it narrows the legal moves by what a player picks up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.game import State
from hoyle.game.moves.legal import Move, list_actions
from hoyle.game.views.view import can_see
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import ABSENT, Expr, Local, Var, WordCall, walk
from hoyle.language.model import Move as Definition
from hoyle.language.steps import Deal, MovePieces, MovePile, Turn
from hoyle.language.value_types import get_families
from hoyle.running.state import Action, Core

MOST_ACTIONS, MOST_MEANT = 3_000, 4
"""How many actions are searched for the meaning of a drop, and how many moves are returned."""
Places = dict[Var, list[int]]
"""The piles where the pieces bound to a variable may lie, the actor's own piles first."""


class Spot(Struct, frozen=True, omit_defaults=True):
    """A pile, by its key, or a piece in it: by height (`at`), or by sign if equal pieces are interchangeable."""

    pile: str
    at: int | None = None
    sign: str | None = None


class DragTarget(Struct, frozen=True, omit_defaults=True):
    """How a move is made by drag and drop.

    pick     what a player picks up for the move, in the order of its bindings
    several  the picked pieces are a set: their order does not matter
    to       the pile where the move puts them
    aimed    the move has bindings for other target piles
    near     for a move without anything to pick: the pile from which its first step takes
    """

    pick: tuple[Spot, ...] = ()
    several: bool = False
    to: str | None = None
    aimed: bool = False
    near: str | None = None


def find_drag_targets(game: Compiled, core: Core, moves: Sequence[Move]) -> list[DragTarget]:
    """Return the drag target of each of these legal moves of the actor."""
    if not moves:
        return []
    definitions = {move.number: move for move in game.machine.points[core.pc].moves}
    places: Places = {}
    return [_TargetFinder(game, core, definitions[move.action[0]], move.action, places).find() for move in moves]


def has_aimed_moves(game: Compiled, core: Core) -> bool:
    """Return whether any move of this decision, legal or not, has a target pile."""
    point = game.machine.points.get(core.pc)
    return point is not None and any(move.aim is not None for move in point.moves)


class _TargetFinder:
    """Finds the drag target of one action. `places` caches piles for all actions of a decision."""

    def __init__(self, game: Compiled, core: Core, move: Definition, action: Sequence[Any], places: Places) -> None:
        self.game, self.core, self.move, self.places = game, core, move, places
        self.values: dict[Var, Any] = dict(zip(move.bindings, action[1:], strict=True))
        self.spots: dict[Var, tuple[Spot, ...]] = {}

    def find(self) -> DragTarget:
        move = self.move
        if move.taken is not None:
            origin, card = move.taken
            pile, piece = self.values[origin], self.values[card]
            if any(take.any_piece for take in move.takes):
                self.spots[card] = (self._make_piece_spot(pile, piece),)
            else:  # the top piece
                self.spots[card] = (Spot(self._get_key(pile), len(self.core.piles[pile]) - 1),)
        for var, items in move.withs:
            self.spots[var] = tuple(self._find_binding_spots(var, items))
        pick = tuple(spot for spots in self.spots.values() for spot in spots)
        several = any(_is_subset(items) for _, items in move.withs)
        to = self.values.get(move.target, ABSENT) if move.target is not None else ABSENT
        near = None if pick else self._find_near_pile()
        return DragTarget(pick, several, self._get_key(to) if to >= 0 else None, move.aim is not None, near)

    def _get_key(self, pile: int) -> str:
        return self.game.namer.key(pile)

    def _find_binding_spots(self, var: Var, items: Expr) -> Iterator[Spot]:
        """Yield what is picked for one variable of `with`."""
        value = self.values[var]
        if var.type.name == "pile" and value >= 0:
            yield Spot(self._get_key(value))
        elif var.type.name == "piece" and value >= 0:
            yield from self._find_visible_spot(var, value)
        elif var.type.name == "list" and var.type.item_type.name == "piece":
            packet = None if _is_subset(items) else self._find_packet(var, value)
            if packet is None:
                for piece in value:
                    yield from self._find_visible_spot(var, piece)
            else:  # whoever picks up a packet need not pick its pile too
                self.spots = {other: spots for other, spots in self.spots.items() if spots != (Spot(packet.pile),)}
                yield packet

    def _find_packet(self, var: Var, pieces: Sequence[int]) -> Spot | None:
        """Return the spot of the lowest piece if the pieces lie together on top of a pile."""
        size = len(pieces)
        for pile in self._list_piles(var):
            if size and tuple(self.core.piles[pile][-size:]) == tuple(pieces):
                return Spot(self._get_key(pile), len(self.core.piles[pile]) - size)
        return None

    def _find_visible_spot(self, var: Var, piece: int) -> Iterator[Spot]:
        """Yield the first spot where the actor sees the piece."""
        for pile in self._list_piles(var):
            if _sees_piece(self.game, self.core, pile, piece):
                yield self._make_piece_spot(pile, piece)
                return

    def _list_piles(self, var: Var) -> list[int]:
        """Return where the variable's pieces may lie: first the piles of the action, then own piles, then others."""
        bound = [value for other, value in self.values.items() if other.type.name == "pile" and value >= 0]
        if var not in self.places:
            families, namer = get_families(var.type), self.game.namer
            piles = [n for n in range(len(self.core.piles) - 1) if not families or namer.family(n).name in families]
            self.places[var] = sorted(piles, key=lambda n: namer.owner(n) != self.core.actor)
        return [*bound, *self.places[var]]

    def _make_piece_spot(self, pile: int, piece: int) -> Spot:
        """Return the spot of a piece, with its sign only if the actor sees it."""
        if _sees_piece(self.game, self.core, pile, piece):
            return Spot(self._get_key(pile), None, self.game.namer.signs[piece >> 1])
        return Spot(self._get_key(pile), self.core.piles[pile].index(piece))

    def _find_near_pile(self) -> str | None:
        """Return the pile of the first unconditional step that takes pieces."""
        names = {self.move.me: self.core.actor, **self.values}
        for step in self.move.then:
            source = _get_source(step.verb)
            if source is None or step.when is not None:
                continue
            if all(part.var in names for part in walk(source) if isinstance(part, Local)):
                pile = evaluate(source, self.game.setting(self.core), names)
                return self._get_key(pile) if isinstance(pile, int) and pile >= 0 else None
        return None


def _is_subset(items: Expr) -> bool:
    return isinstance(items, WordCall) and items.word == "subsets"


def _get_source(verb: object) -> Expr | None:
    """Return the pile from which a verb takes."""
    match verb:
        case MovePile() | Turn() | Deal():
            return verb.pile
        case MovePieces():
            return verb.source
        case _:
            return None


def _sees_piece(game: Compiled, core: Core, pile: int, piece: int) -> bool:
    """Return whether the actor sees such a piece in a pile."""
    pieces = core.piles[pile]
    return any(
        other == piece and can_see(game, pile, at, len(pieces), piece, core.actor) for at, other in enumerate(pieces)
    )


# ---- the meaning of a drop -------------------------------------------------------------------------------------------


def resolve_drop(state: State, message: Mapping[str, Any]) -> list[str]:
    """Return the ids of moves, legal or not, that a drop may mean, the simplest first.

    A drop picks up `from` (a pile, with `at` and `sign` of a piece) and puts it on `to`. Without `to` it means moves
    with a single place to go, or for a whole pile those that begin by taking from it.
    """
    game, core = state.game.compiled, state.core
    spot, to = _parse_spot(message), message.get("to")
    if core.over or core.pc not in game.machine.points or spot is None:
        return []
    actions = ((m, a) for m in game.machine.points[core.pc].moves for a in list_actions(game, core, m))
    meant = [
        (len(target.pick), game.namer.move_id(move, action, core.actor), target)
        for move, action in islice(actions, MOST_ACTIONS)
        if not _names_unseen_piece(game, core, move, action)
        and _picks(target := _TargetFinder(game, core, move, action, {}).find(), spot, to is None)
        and (to is None or target.to in (to, None))
    ]
    if to is None and (any(target.aimed for *_, target in meant) or len({target.to for *_, target in meant}) > 1):
        return []
    return list(dict.fromkeys(ident for _, ident, _ in sorted(meant, key=lambda entry: entry[0])))[:MOST_MEANT]


def _parse_spot(message: Mapping[str, Any]) -> Spot | None:
    pile, at, sign = message.get("from"), message.get("at"), message.get("sign")
    if not isinstance(pile, str):
        return None
    return Spot(pile, at if isinstance(at, int) else None, sign if isinstance(sign, str) and sign else None)


def _picks(target: DragTarget, spot: Spot, has_no_goal: bool) -> bool:
    """Return whether a move picks up this piece or its pile. Without a goal, a pile may also be the one `near` it."""
    return (has_no_goal and spot == Spot(spot.pile) and target.near == spot.pile) or any(
        pick.pile == spot.pile
        and (pick == Spot(spot.pile) or pick.at == spot.at or (pick.sign is not None and pick.sign == spot.sign))
        for pick in target.pick
    )


def _names_unseen_piece(game: Compiled, core: Core, move: Definition, action: Action) -> bool:
    """Return whether the id of an action names a piece that the actor does not see. Such ids are secret."""
    words = set(game.namer.move_id(move, action, core.actor).split())
    for var, value in zip(move.bindings, action[1:], strict=True):
        value_type = var.type.item_type if var.type.name == "list" else var.type
        if value_type.name != "piece":
            continue
        pieces: Sequence[int] = value if isinstance(value, (list, tuple)) else [value]
        for piece in pieces:
            is_seen = piece < 0 or any(_sees_piece(game, core, n, piece) for n in range(len(core.piles) - 1))
            if not is_seen and game.namer.signs[piece >> 1] in words:
                return True
    return False
