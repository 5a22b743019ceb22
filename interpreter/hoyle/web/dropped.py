"""Which moves somebody may have meant that put something somewhere, whether they are legal or not: those that would do it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from hoyle.game.bindings import actions_of
from hoyle.game.compiled import Compiled
from hoyle.game.game import State
from hoyle.game.view import sees
from hoyle.language.model import Move as Definition
from hoyle.running.state import Action, Core
from hoyle.web.handles import Handle, Spot, handle_of

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
