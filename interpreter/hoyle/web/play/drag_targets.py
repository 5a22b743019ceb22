"""By what a move is taken hold of: the pieces and piles that it is bound to. So a table on a screen needs to know no game to let people play it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.game import State
from hoyle.game.moves.legal import Move, actions_of
from hoyle.game.views.view import sees
from hoyle.language.evaluate import Names, evaluate
from hoyle.language.ir import ABSENT, Expr, Local, Var, WordCall, walk
from hoyle.language.kinds import families_of
from hoyle.language.model import Move as Definition
from hoyle.language.steps import Deal, MovePieces, MovePile, Turn
from hoyle.running.state import Action, Core


class Spot(Struct, frozen=True, omit_defaults=True):
    """A pile, by its key; a piece of it by its height or, where it does not matter which of several equal ones it is, by its sign."""

    pile: str
    at: int | None = None
    sign: str | None = None


class Handle(Struct, frozen=True, omit_defaults=True):
    """
    pick    what is taken hold of, in the order of the move's bindings
    several  are these pieces that are chosen together, so that their order means nothing?
    to      the pile that it puts on
    aimed   may it put on others?
    near    without anything to take hold of: the pile that its first step takes from
    """

    pick: tuple[Spot, ...] = ()
    several: bool = False
    to: str | None = None
    aimed: bool = False
    near: str | None = None


def handles(game: Compiled, core: Core, moves: Sequence[Move]) -> list[Handle]:
    """Of these moves, which are legal for whoever acts."""
    if not moves:
        return []
    known = {move.number: move for move in game.machine.points[core.pc].moves}
    able: Able = {}
    return [_Held(game, core, known[move.action[0]], move.action, able).handle() for move in moves]


def aims(game: Compiled, core: Core) -> bool:
    """Is a place chosen at this decision: by any of its moves, whether it is legal or not?"""
    point = game.machine.points.get(core.pc)
    return point is not None and any(move.aim is not None for move in point.moves)


def handle_of(game: Compiled, core: Core, move: Definition, action: Sequence[Any]) -> Handle:
    """Of a move of whoever acts, whether it is legal or not."""
    return _Held(game, core, move, action, {}).handle()


Able = dict[Var, list[int]]
"""In which piles the pieces may lie that something is bound to, own piles first."""


class _Held:
    """One move; `able` is what all moves of a decision share."""

    def __init__(self, game: Compiled, core: Core, move: Definition, action: Sequence[Any], able: Able) -> None:
        self.game, self.core, self.move, self.able = game, core, move, able
        self.values: dict[Var, Any] = dict(zip(move.bindings, action[1:], strict=True))
        self.spots: dict[Var, tuple[Spot, ...]] = {}

    def handle(self) -> Handle:
        move = self.move
        self._take()
        for var, items in move.withs:
            self.spots[var] = tuple(self._bound(var, items))
        pick = tuple(spot for spots in self.spots.values() for spot in spots)
        to = self.values.get(move.target, ABSENT) if move.target is not None else ABSENT
        aim = self._key(to) if to >= 0 else None
        return Handle(pick, self._several(), aim, move.aim is not None, None if pick else self._near())

    def _key(self, pile: int) -> str:
        return self.game.namer.key(pile)

    def _take(self) -> None:
        """The piece that it takes: any of a pile, or that on top."""
        if self.move.taken is None:
            return
        origin, card = self.move.taken
        pile, piece = self.values[origin], self.values[card]
        if any(take.any_piece for take in self.move.takes):
            self.spots[card] = (self._piece(pile, piece),)
        else:
            self.spots[card] = (Spot(self._key(pile), len(self.core.piles[pile]) - 1),)

    def _several(self) -> bool:
        return any(_is_subset(items) for _, items in self.move.withs)

    # ---- what `with` chooses ----

    def _bound(self, var: Var, items: Expr) -> Iterator[Spot]:
        value = self.values[var]
        if var.kind.name == "pile" and value >= 0:
            yield Spot(self._key(value))
        elif var.kind.name == "piece" and value >= 0:
            yield from self._found(var, value)
        elif var.kind.name == "list" and var.kind.of_item.name == "piece":
            yield from self._pieces(var, value, _is_subset(items))

    def _pieces(self, var: Var, pieces: Sequence[int], subset: bool) -> Iterator[Spot]:
        packet = None if subset else self._packet(var, pieces)
        if packet is not None:
            self._drop_pile(packet)
            yield packet
            return
        for piece in pieces:
            yield from self._found(var, piece)

    def _drop_pile(self, packet: Spot) -> None:
        """Who takes hold of a packet needs not name its pile, too."""
        self.spots = {var: spots for var, spots in self.spots.items() if spots != (Spot(packet.pile),)}

    def _packet(self, var: Var, pieces: Sequence[int]) -> Spot | None:
        """Pieces that lie on top of a pile, by the lowest of them."""
        size = len(pieces)
        for pile in self._piles(var):
            if size and tuple(self.core.piles[pile][-size:]) == tuple(pieces):
                return Spot(self._key(pile), len(self.core.piles[pile]) - size)
        return None

    def _found(self, var: Var, piece: int) -> Iterator[Spot]:
        """The piece, where whoever acts sees it."""
        for pile in self._piles(var):
            if piece in self.core.piles[pile] and self._is_seen(pile, piece):
                yield self._piece(pile, piece)
                return

    def _piles(self, var: Var) -> list[int]:
        """Where its pieces may lie: first the piles that the move is bound to, then its own, then the others."""
        bound = [value for other, value in self.values.items() if other.kind.name == "pile" and value >= 0]
        if var not in self.able:
            families, namer = families_of(var.kind), self.game.namer
            able = [n for n in range(len(self.core.piles) - 1) if not families or namer.family(n).name in families]
            self.able[var] = sorted(able, key=lambda n: namer.owner(n) != self.core.actor)
        return [*bound, *self.able[var]]

    def _is_seen(self, pile: int, piece: int) -> bool:
        held = self.core.piles[pile]
        return any(
            sees(self.game, pile, at, len(held), piece, self.core.actor) for at, p in enumerate(held) if p == piece
        )

    def _piece(self, pile: int, piece: int) -> Spot:
        """One that whoever acts does not see has no sign."""
        if self._is_seen(pile, piece):
            return Spot(self._key(pile), None, self.game.namer.signs[piece >> 1])
        return Spot(self._key(pile), self.core.piles[pile].index(piece))

    # ---- what nothing is bound to ----

    def _near(self) -> str | None:
        """The pile that the first step takes from which is always done, once or for each of several things."""
        names = {self.move.me: self.core.actor, **self.values}
        for step in self.move.then:
            source = _source(step.verb)
            if source is not None and step.when is None and _is_known(source, names):
                pile = evaluate(source, self.game.setting(self.core), names)
                return self._key(pile) if isinstance(pile, int) and pile >= 0 else None
        return None


def _is_subset(items: Expr) -> bool:
    return isinstance(items, WordCall) and items.word == "subsets"


def _is_known(formula: Expr, names: Names) -> bool:
    return all(part.var in names for part in walk(formula) if isinstance(part, Local))


def _source(verb: object) -> Expr | None:
    match verb:
        case MovePile() | Turn() | Deal():
            return verb.pile
        case MovePieces():
            return verb.source
        case _:
            return None


MOST, NEAREST = 3_000, 4
"""So many bindings are looked at, and so many moves are asked about."""


def dropped(state: State, said: Mapping[str, Any]) -> list[str]:
    """The ids of moves that take hold of `from` (a pile, and `at` and `sign` of a piece) and put on `to`; first those that are about nothing else.
    Without `to` those that there is but one place for, and of a pile as a whole those that begin by taking from it."""
    game, core = state.game.compiled, state.core
    spot, to = _spot(said), said.get("to")
    if core.over or core.pc not in game.machine.points or spot is None:
        return []
    found = [
        (len(handle.pick), game.namer.move_id(move, action, core.actor), handle)
        for move, action in islice(_every(game, core), MOST)
        if _is_told(game, core, move, action)
        and _takes(handle := handle_of(game, core, move, action), spot, to is None)
        and (to is None or handle.to in (to, None))
    ]
    if to is None and (any(handle.aimed for *_, handle in found) or len({handle.to for *_, handle in found}) > 1):
        return []
    return list(dict.fromkeys(ident for _, ident, _ in sorted(found, key=lambda one: one[0])))[:NEAREST]


def _spot(said: Mapping[str, Any]) -> Spot | None:
    pile, at, sign = said.get("from"), said.get("at"), said.get("sign")
    if not isinstance(pile, str):
        return None
    return Spot(pile, at if isinstance(at, int) else None, sign if isinstance(sign, str) and sign else None)


def _every(game: Compiled, core: Core) -> Iterator[tuple[Definition, Action]]:
    for move in game.machine.points[core.pc].moves:
        for action in actions_of(game, core, move):
            yield move, action


def _takes(handle: Handle, spot: Spot, alone: bool) -> bool:
    """By the piece itself, or by its pile; a pile `alone` by what it is near to, too."""
    return (alone and spot == Spot(spot.pile) and handle.near == spot.pile) or any(
        pick.pile == spot.pile
        and (pick == Spot(spot.pile) or pick.at == spot.at or (pick.sign is not None and pick.sign == spot.sign))
        for pick in handle.pick
    )


def _is_told(game: Compiled, core: Core, move: Definition, action: Action) -> bool:
    """Does the id name no piece that whoever acts does not see?"""
    words = set(game.namer.move_id(move, action, core.actor).split())
    return not any(game.namer.signs[piece >> 1] in words for piece in _unseen(game, core, move, action))


def _unseen(game: Compiled, core: Core, move: Definition, action: Action) -> Iterator[int]:
    for var, value in zip(move.bindings, action[1:], strict=True):
        kind = var.kind.of_item if var.kind.name == "list" else var.kind
        if kind.name == "piece":
            pieces: Sequence[int] = value if isinstance(value, (list, tuple)) else [value]
            yield from (piece for piece in pieces if piece >= 0 and not _is_seen(game, core, piece))


def _is_seen(game: Compiled, core: Core, piece: int) -> bool:
    return any(
        other == piece and sees(game, number, at, len(pile), other, core.actor)
        for number, pile in enumerate(core.piles[:-1])
        for at, other in enumerate(pile)
    )
