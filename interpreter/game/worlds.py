"""States that look the same to a seat. They are made from what it sees alone: what is hidden is put in order before it is dealt
anew, so what is worked out in such states cannot depend on what the seat does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Union

from msgspec import Struct

from interpreter.diagnostics import Refused
from interpreter.game.compiled import Compiled
from interpreter.game.view import knows, sees
from interpreter.language.evaluate import evaluate
from interpreter.language.ir import absent_of
from interpreter.language.kinds import Kind
from interpreter.language.model import NeverTwice, StateFamily
from interpreter.running.chance import Chance
from interpreter.running.state import Core

Slot = tuple[int, int]
"""A pile and a height in it."""
Piles = Sequence[Sequence[int]]
Pieces = Union[int, Sequence["Pieces"]]  # noqa: UP007 (it names itself)
"""A piece, or pieces in lists of whatever depth."""


def imagined(game: Compiled, core: Core, player: int, chance: Chance) -> Core:
    """A state that looks the same to a player: hidden pieces, secret values and unseen choices are others, and so is the future.

    Raises Refused if the rules cannot go on from there."""
    world = anew(game, core, player, chance)
    stand(game, core, world, player, chance)
    return world


def anew(game: Compiled, core: Core, player: int, chance: Chance, at: Mapping[Slot, int] | None = None) -> Core:
    """A state with these classes of pieces at the places that the player does not see (None: any that lie hidden now). It stands where the
    other does, and what is legal there has not been listed."""
    world = core.copy()
    world.log, world.chance = [], Chance.seeded(chance.next32(), chance.next32())
    dealt = _dealt(core, at if at is not None else _any_deal(game, core, player, chance))
    world.piles = dealt.piles(core.piles)
    _tell_anew(game, world.cells, player, chance)
    if core.back is not None:
        world.back = (dealt.piles(core.back[0]), core.back[1][:])
        _tell_anew(game, world.back[1], player, chance)
    _registers(game, core, world, dealt)
    world.acts, world.faults = [], ()
    return world


def worlds(
    game: Compiled, core: Core, player: int, chance: Chance, tries: int, over: Callable[[], bool] = lambda: False
) -> Iterator[Core]:
    """Of so many imagined states (or until it is `over`) those in which the same moves are legal, if the player is to move."""
    wanted = game.namer.ids(core, core.acts, core.actor) if core.actor == player else None
    for _ in range(tries):
        if over():
            return
        try:
            world = imagined(game, core, player, chance)
        except Refused:
            continue
        if (world.pc, world.actor) != (core.pc, core.actor):
            continue
        if wanted is None or game.namer.ids(world, world.acts, world.actor) == wanted:
            yield world


# ---- pieces ----------------------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True):
    """Hidden pieces dealt anew: the class at each hidden place, and what each class that lies only in hidden places became."""

    true: Piles
    at: Mapping[Slot, int]
    became: dict[int, int]

    def piece(self, piece: int) -> int:
        """What stands for a piece that is remembered without its place."""
        return 2 * self.became.get(piece >> 1, piece >> 1) | (piece & 1) if piece >= 0 else piece

    def pile(self, number: int, pile: Sequence[int]) -> list[int]:
        """What stands for a pile as it is or was: where the same piece lies now, what lies there anew."""
        return [self._lying(number, height, piece) for height, piece in enumerate(pile)]

    def _lying(self, number: int, height: int, piece: int) -> int:
        found = self.at.get((number, height))
        same = found is not None and self.true[number][height] >> 1 == piece >> 1
        return 2 * found | (piece & 1) if found is not None and same else self.piece(piece)

    def piles(self, piles: Piles) -> list[list[int]]:
        return [self.pile(number, pile) for number, pile in enumerate(piles)]


def hidden(game: Compiled, core: Core, player: int) -> dict[str, list[Slot]]:
    """Where pieces lie that a player cannot see, by their kind."""
    found: dict[str, list[Slot]] = {}
    for number, pile in enumerate(core.piles[:-1]):
        for height, piece in enumerate(pile):
            if not sees(game, number, height, len(pile), piece, player):
                found.setdefault(game.namer.piece_kinds[piece >> 1].name, []).append((number, height))
    return found


def _any_deal(game: Compiled, core: Core, player: int, chance: Chance) -> dict[Slot, int]:
    """Pieces as they may lie where a player does not see them, going by what it sees now."""
    at: dict[Slot, int] = {}
    for slots in hidden(game, core, player).values():
        classes = sorted(core.piles[pile][height] >> 1 for pile, height in slots)
        at |= zip(slots, chance.shuffle(0, classes), strict=True)
    return at


def _dealt(core: Core, at: Mapping[Slot, int]) -> Dealt:
    seen = {p >> 1 for n, pile in enumerate(core.piles) for h, p in enumerate(pile) if (n, h) not in at}
    became: dict[int, int] = {}
    for (pile, height), found in at.items():
        if core.piles[pile][height] >> 1 not in seen:
            became.setdefault(core.piles[pile][height] >> 1, found)
    return Dealt(core.piles, at, became)


# ---- cells -----------------------------------------------------------------------------------------------------------


def _tell_anew(game: Compiled, cells: list[int], player: int, chance: Chance) -> None:
    """Values that the player may not know become any that they can have."""
    for family in game.ruleset.state.values():
        for member in range(family.size) if family.secret else ():
            if not knows(game, family, member, player):
                cells[family.base + member] = _any_value(game, family, chance)


def _any_value(game: Compiled, family: StateFamily, chance: Chance) -> int:
    kind = family.kind
    count = 2 if kind.name == "bool" else game.count_of(kind)
    chosen = chance.below(count + kind.optional)
    if chosen == count:
        return absent_of(kind)
    if kind.name == "piece":
        return 2 * (game.ruleset.pieces[kind.of].base + chosen)
    return kind.low + chosen if kind.name == "number" else chosen


def _holds_pieces(kind: Kind) -> bool:
    return kind.name == "piece" or (kind.name == "list" and _holds_pieces(kind.of_item))


def _registers(game: Compiled, core: Core, world: Core, dealt: Dealt) -> None:
    """What names are bound to, and what arrangements were met."""
    for register, kind in enumerate(game.machine.register_kinds, game.machine.state_size):
        if _holds_pieces(kind):
            world.cells[register] = _pieces(core.cells[register], dealt)
    for point in game.machine.points.values():
        if point.seen is not None:
            world.cells[point.seen] = frozenset(_met(game, core, entry, dealt) for entry in core.cells[point.seen])


def _pieces(value: Pieces, dealt: Dealt) -> Pieces:
    return dealt.piece(value) if isinstance(value, int) else tuple(_pieces(v, dealt) for v in value)


Met = tuple[int, tuple[tuple[int, ...], ...]]
"""An arrangement that was met, and the number of the obligation that remembers it."""


def _met(game: Compiled, core: Core, entry: Met, dealt: Dealt) -> Met:
    guard, arrangement = entry
    obligation = next(o for o in game.ruleset.obligations.values() if o.number == guard)
    assert isinstance(obligation.demand, NeverTwice)
    numbers = evaluate(obligation.demand.piles, game.setting(core), {obligation.me: core.actor})
    return guard, tuple(tuple(dealt.pile(n, pile)) for n, pile in zip(numbers, arrangement, strict=True))


# ---- the decision ----------------------------------------------------------------------------------------------------


def stand(game: Compiled, core: Core, world: Core, player: int, chance: Chance) -> None:
    """List what is legal there; what others have chosen unseen they choose anew."""
    together = game.machine.points[core.pc].together
    if together is None:
        game.machine.advance(world, core.pc)
        return
    world.cells[together.cursor], world.cells[together.chosen] = 0, ()
    game.machine.advance(world, core.pc)
    while world.pc == core.pc and world.cells[together.cursor] < core.cells[together.cursor]:
        own = core.cells[together.chosen][world.cells[together.cursor]] if world.actor == player else None
        action = own or world.acts[chance.below(len(world.acts))]
        game.machine.advance(world, game.machine.apply[core.pc](world, action))
