"""What each seat may see and tell apart, as constants of C, for players that search (`ismcts.c`, `endings.c`)."""

from __future__ import annotations

from hoyle.language.kinds import Kind, families_of
from hoyle.language.model import Move, StateFamily, count_of
from hoyle.native.layout import Layout
from hoyle.running.machine import Machine

PIECE, LISTED = 1, 2
"""What a binding of an action is: a piece, a list."""
EVERYBODY, NOBODY, FIRST_SEAT = 0, 1, 2
"""Who may know a value of the state; from `FIRST_SEAT` on the seat alone."""


def sights(machine: Machine, places: Layout) -> dict[str, list[int]]:
    """Constant arrays by their names.

    Piles of which only the top can be seen; who may know each value of the state; the bindings of each move (offset
    and nature, each move's ended by -1) and where they begin; sides and families; blocks with unseen choices; moves
    that do not show all that was chosen; and whether anything is hidden."""
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
    """The side of each seat."""
    found = [0] * len(machine.ruleset.seats)
    for number, side in enumerate(machine.ruleset.sides):
        for seat in side:
            found[seat] = number
    return found


def families(machine: Machine) -> list[int]:
    """The number of each pile's family."""
    return [number for number, f in enumerate(machine.ruleset.piles.values()) for _ in range(f.members * f.columns)]


def unseen(machine: Machine) -> list[int]:
    """For each block up to the last decision: are choices made unseen there?"""
    points = (machine.points.get(label) for label in range(max(machine.points, default=0) + 1))
    return [int(point is not None and point.together is not None) for point in points]


def quietly(machine: Machine) -> list[int]:
    """For each move: may it hide from others which piece it was made with?"""
    moves = machine.ruleset.moves.values()
    return [int(len(machine.ruleset.seats) > 1 and _is_quiet(move, machine)) for move in moves]


def _is_quiet(move: Move, machine: Machine) -> bool:
    pieces = [var for var in move.bindings if nature(var.kind) & PIECE]
    to = families_of(move.put.kind) if move.put is not None else frozenset()
    shown = bool(to) and all(machine.ruleset.piles[family].face in ("up", "top seen") for family in to)
    return bool(pieces) and not move.openly and not (shown and pieces == [move.card])


def hides(machine: Machine) -> bool:
    """Is anything in the game hidden from a player?"""
    piles, state = machine.ruleset.piles.values(), machine.ruleset.state.values()
    return any(pile.face != "up" for pile in piles) or any(family.secret for family in state)


def secrets(machine: Machine) -> list[int]:
    """The player who may know each value of the state."""
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
            found += [binding.at, nature(var.kind)]
        found.append(-1)
    return found, begins


def nature(kind: Kind) -> int:
    """What a binding is: a sum of `PIECE` and `LISTED`."""
    listed = kind.name == "list"
    return PIECE * ((kind.of_item if listed else kind).name == "piece") | LISTED * listed


def natures(machine: Machine) -> dict[int, list[int]]:
    """The natures of each move's bindings, by its number."""
    return {move.number: [nature(var.kind) for var in move.bindings] for move in machine.ruleset.moves.values()}
