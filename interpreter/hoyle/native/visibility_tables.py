"""Writes which values each seat can see or distinguish as C constants, for searches (`ismcts.c`, `endings.c`)."""

from __future__ import annotations

from hoyle.language.model import Move, StateFamily, count_of
from hoyle.language.value_types import ValueType, get_families
from hoyle.native.layout import Layout
from hoyle.running.machine import Machine

PIECE, LISTED = 1, 2
"""Flags of a binding: it holds pieces, it is a list."""
EVERYBODY, NOBODY, FIRST_SEAT = 0, 1, 2
"""Visibility of a value of the state. From `FIRST_SEAT` on, only that seat knows it."""


def sights(machine: Machine, places: Layout) -> dict[str, list[int]]:
    """Return constant arrays by name.

    They say which piles show only their top, who knows each value of the state, which sides and families there are,
    which blocks have unseen choices, which moves hide a choice, and whether anything is hidden. The bindings of each
    move (offset and flags, ended by -1) come with the index of their beginning.
    """
    bindings, begins = _bindings(machine, places)
    return {
        "TOP_ONLY": [
            int(f.face == "top seen") for f in machine.ruleset.piles.values() for _ in range(f.members * f.columns)
        ],
        "SECRET": secrets(machine),
        "BINDINGS": bindings,
        "BINDINGS_AT": begins,
        "SIDE_OF": sides(machine),
        "FAMILY": families(machine),
        "UNSEEN": unseen(machine),
        "QUIETLY": quietly(machine),
        "HIDES": [int(hides(machine))],
    }


def sides(machine: Machine) -> list[int]:
    """Return the side of each seat."""
    found = [0] * len(machine.ruleset.seats)
    for number, side in enumerate(machine.ruleset.sides):
        for seat in side:
            found[seat] = number
    return found


def families(machine: Machine) -> list[int]:
    """Return the family number of each pile."""
    return [number for number, f in enumerate(machine.ruleset.piles.values()) for _ in range(f.members * f.columns)]


def unseen(machine: Machine) -> list[int]:
    """Return 1 for each block, up to the last decision, where players choose unseen; else 0."""
    points = (machine.points.get(label) for label in range(max(machine.points, default=0) + 1))
    return [int(point is not None and point.together is not None) for point in points]


def quietly(machine: Machine) -> list[int]:
    """Return 1 for each move that may hide from others which piece was used; else 0."""
    moves = machine.ruleset.moves.values()
    return [int(len(machine.ruleset.seats) > 1 and _is_quiet(move, machine)) for move in moves]


def _is_quiet(move: Move, machine: Machine) -> bool:
    pieces = [var for var in move.bindings if nature(var.type) & PIECE]
    to = get_families(move.put.type) if move.put is not None else frozenset()
    shown = bool(to) and all(machine.ruleset.piles[family].face in ("up", "top seen") for family in to)
    return bool(pieces) and not move.openly and not (shown and pieces == [move.card])


def hides(machine: Machine) -> bool:
    """Return whether anything in the game is hidden from a player."""
    piles, state = machine.ruleset.piles.values(), machine.ruleset.state.values()
    return any(pile.face != "up" for pile in piles) or any(family.secret for family in state)


def secrets(machine: Machine) -> list[int]:
    """Return the visibility of each value of the state."""
    found = [EVERYBODY] * machine.state_size
    for family in machine.ruleset.state.values():
        for member in range(family.size):
            found[family.base + member] = _secret(family, member, machine)
    return found


def _secret(family: StateFamily, member: int, machine: Machine) -> int:
    if not family.secret:
        return EVERYBODY
    if family.secret != "owner" or family.each is None or family.each.name != "player":
        return NOBODY
    inner = 1
    for key in family.also:
        inner *= count_of(key, machine.ruleset)
    return FIRST_SEAT + member // inner


def _bindings(machine: Machine, places: Layout) -> tuple[list[int], list[int]]:
    found: list[int] = []
    begins = [0] * len(machine.ruleset.moves)
    for move in machine.ruleset.moves.values():
        begins[move.number] = len(found)
        for var, binding in zip(move.bindings, places.moves[move.number], strict=True):
            found += [binding.at, nature(var.type)]
        found.append(-1)
    return found, begins


def nature(value_type: ValueType) -> int:
    """Return the flags of a binding: a sum of `PIECE` and `LISTED`."""
    listed = value_type.name == "list"
    return PIECE * ((value_type.item_type if listed else value_type).name == "piece") | LISTED * listed


def natures(machine: Machine) -> dict[int, list[int]]:
    """Return the flags of each move's bindings, by its number."""
    return {move.number: [nature(var.type) for var in move.bindings] for move in machine.ruleset.moves.values()}
