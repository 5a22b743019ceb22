"""States that look the same to a seat. They are made from what it sees alone (`seen`), so what is worked out in such states cannot depend on
what the seat does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.seen import Back, Kept, Met, Seen, Shown, Slot, secret_state
from hoyle.language.ir import absent_of
from hoyle.language.model import StateFamily
from hoyle.running.chance import Chance
from hoyle.running.state import Action, Core

At = Mapping[Slot, int]
"""The class of the piece at each place that the seat does not see."""


def imagined(game: Compiled, seen: Seen, chance: Chance) -> Core:
    """A state that looks the same to a player: hidden pieces, secret values and unseen choices are others, and so is the future.

    Raises Refused if the rules cannot go on from there."""
    world = anew(game, seen, chance)
    stand(game, seen, world, chance)
    return world


def anew(game: Compiled, seen: Seen, chance: Chance, at: At | None = None) -> Core:
    """A state with these classes of pieces at the places that the player does not see (None: any that lie hidden now). It stands where the
    other does, and what is legal there has not been listed."""
    world = Core(Chance.seeded(chance.next32(), chance.next32()))
    at = at if at is not None else _any_deal(seen, chance)
    world.piles, world.cells = _kept(game, seen, seen.now, at, chance)
    _registers(seen, world.cells, at)
    if seen.back is not None:
        world.back = _kept(game, seen, seen.back, at, chance)
    world.pc, world.actor, world.log = seen.pc, seen.actor, []
    return world


def worlds(
    game: Compiled, seen: Seen, chance: Chance, tries: int, over: Callable[[], bool] = lambda: False
) -> Iterator[Core]:
    """Of so many imagined states (or until it is `over`) those in which the same moves are legal, if the player is to move."""
    for _ in range(tries):
        if over():
            return
        try:
            world = imagined(game, seen, chance)
        except Refused:
            continue
        if (world.pc, world.actor) == (seen.pc, seen.actor) and is_offered(game, seen, world):
            yield world


def is_offered(game: Compiled, seen: Seen, world: Core) -> bool:
    """Are the moves legal there that the player knows to be, if it is to move?"""
    return seen.moves is None or tuple(game.namer.ids(world, world.acts, world.actor)) == seen.moves


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _any_deal(seen: Seen, chance: Chance) -> dict[Slot, int]:
    """Pieces as they may lie where a player does not see them, going by what it sees now."""
    at: dict[Slot, int] = {}
    for kind, slots in seen.hidden.items():
        at |= zip(slots, chance.shuffle(0, [*seen.unseen[kind]]), strict=True)
    return at


def _kept(game: Compiled, seen: Seen, kept: Kept, at: At, chance: Chance) -> tuple[list[list[int]], list[Any]]:
    """Piles and cells with these pieces at hidden places; values that the player may not know become any that they can have."""
    cells = list(kept.cells)
    for cell, family in secret_state(game, seen.player):
        cells[cell] = _any_value(game, family, chance)
    piles: list[Any] = [*map(list, kept.piles)]
    for number in kept.hiding:
        piles[number] = _pile(kept.piles[number], at)
    return piles, cells


def _registers(seen: Seen, cells: list[Any], at: At) -> None:
    """What names are bound to, and what arrangements were met."""
    for register in seen.pieces if at else ():
        cells[register] = _pieces(cells[register], at)
    for register in seen.arranged if at else ():
        cells[register] = frozenset(_met(entry, at) for entry in cells[register])


def _pile(pile: Sequence[int | Back], at: At) -> list[int]:
    return [piece if isinstance(piece, int) else 2 * at[piece.slot] | piece.face for piece in pile]


def _pieces(value: Shown, at: At) -> Any:
    if isinstance(value, int):
        return value
    return 2 * at[value.slot] | value.face if isinstance(value, Back) else tuple(_pieces(v, at) for v in value)


def _met(entry: Met, at: At) -> tuple[int, tuple[tuple[int, ...], ...]]:
    return entry[0], tuple(tuple(_pile(pile, at)) for pile in entry[1])


# ---- cells -----------------------------------------------------------------------------------------------------------


def _any_value(game: Compiled, family: StateFamily, chance: Chance) -> int:
    kind = family.kind
    count = 2 if kind.name == "bool" else game.count_of(kind)
    chosen = chance.below(count + kind.optional)
    if chosen == count:
        return absent_of(kind)
    if kind.name == "piece":
        return 2 * (game.ruleset.pieces[kind.of].base + chosen)
    return kind.low + chosen if kind.name == "number" else chosen


# ---- the decision ----------------------------------------------------------------------------------------------------


def stand(game: Compiled, seen: Seen, world: Core, chance: Chance) -> None:
    """List what is legal there; what others have chosen unseen they choose anew."""
    together = game.machine.points[seen.pc].together
    if together is None:
        game.machine.advance(world, seen.pc)
        return
    done, chosen = seen.now.cells[together.cursor], seen.now.cells[together.chosen]
    world.cells[together.cursor], world.cells[together.chosen] = 0, ()
    game.machine.advance(world, seen.pc)
    while world.pc == seen.pc and world.cells[together.cursor] < done:
        own: Action | None = chosen[world.cells[together.cursor]] if world.actor == seen.player else None
        action = own or world.acts[chance.below(len(world.acts))]
        game.machine.advance(world, game.machine.apply[seen.pc](world, action))
