"""What a seat is handed when it is to choose: what it sees of a state. What it does not see is not in it, and neither is what will come by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, Union

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_know, can_see
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import absent_of
from hoyle.language.kinds import Kind
from hoyle.language.model import NeverTwice, StateFamily
from hoyle.running.chance import Chance
from hoyle.running.machine import Together
from hoyle.running.state import Action, Core

Slot = tuple[int, int]
"""A pile and a height in it."""


class HiddenPiece(Struct, frozen=True):
    """A piece that the seat does not see: where it lies (where it was remembered, where one like it lies), and its face."""

    slot: Slot
    face: int


class Unknown:
    """A value that the seat does not know. Whoever asks anything of it is refused: TypeError."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("nobody has told this seat what that is")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse


UNKNOWN = Unknown()
Shown = Union[int, HiddenPiece, Sequence["Shown"]]  # noqa: UP007 (it names itself)
"""A piece as a seat sees it, or pieces in lists of whatever depth."""
Met = tuple[int, tuple[tuple[int | HiddenPiece, ...], ...]]
"""An arrangement that was met, and the number of the obligation that remembers it."""


class RedactedContents(Struct, frozen=True):
    """Piles and cells, as they are or as `take_back` would restore them."""

    piles: tuple[tuple[int | HiddenPiece, ...], ...]
    cells: tuple[Any, ...]
    hiding: tuple[int, ...]
    """The piles with pieces that the seat does not see."""


class RedactedState(Struct, frozen=True):
    """
    player  the seat that sees this, and `actor` who is to choose
    pc      the place that the game stands at
    now     pieces, and values of the state and of registers, as far as the seat knows them; `back` those that `take_back` restores
    hidden  where pieces lie that it does not see, by their kind; and `unseen`, in order, which classes these have together
    pieces  the registers that pieces are kept in, and those in which arrangements are
    moves   the ids of what is legal, in order; None if somebody else is to choose
    """

    player: int
    actor: int
    pc: int
    now: RedactedContents
    back: RedactedContents | None
    hidden: Mapping[str, tuple[Slot, ...]]
    unseen: Mapping[str, tuple[int, ...]]
    pieces: tuple[int, ...]
    arranged: tuple[int, ...]
    moves: tuple[str, ...] | None

    @property
    def key(self) -> tuple[Any, ...]:
        """What is equal exactly when two states are in which nothing is hidden."""
        return self.pc, self.now.piles, self.now.cells


def redact(game: Compiled, core: Core, player: int) -> RedactedState:
    """What a seat sees of a state; if it is to choose, with what is legal."""
    asked = core.actor == player and not core.over
    return _Sealer(game, core, player).seen(tuple(game.namer.ids(core, core.acts, player)) if asked else None)


def redact_position(game: Compiled, core: Core, player: int) -> RedactedState:
    """The same, but for what is legal."""
    return _Sealer(game, core, player).seen(None)


def _kept(piles: tuple[tuple[int | HiddenPiece, ...], ...], cells: tuple[Any, ...]) -> RedactedContents:
    hiding = (number for number, pile in enumerate(piles) if any(isinstance(piece, HiddenPiece) for piece in pile))
    return RedactedContents(piles, cells, tuple(hiding))


class _Sealer:
    def __init__(self, game: Compiled, core: Core, player: int) -> None:
        self.game, self.core, self.player = game, core, player
        self.backs: dict[Slot, HiddenPiece] = {}
        self.hidden: dict[str, list[Slot]] = {}
        self.now = tuple(self._shown(number, pile) for number, pile in enumerate(core.piles))
        open_ = {piece >> 1 for pile in self.now for piece in pile if isinstance(piece, int)} if self.backs else set()
        self.covered: dict[int, Slot] = {}
        for slots in self.hidden.values():
            for slot in slots:
                if self._sort(slot) not in open_:
                    self.covered.setdefault(self._sort(slot), slot)

    def _shown(self, number: int, pile: Sequence[int]) -> tuple[int | HiddenPiece, ...]:
        count = len(pile)
        found: list[int | HiddenPiece] = list(pile)
        for height, piece in enumerate(pile):
            if not can_see(self.game, number, height, count, piece, self.player):
                slot = number, height
                found[height] = self.backs[slot] = HiddenPiece(slot, piece & 1)
                self.hidden.setdefault(self.game.namer.piece_kinds[piece >> 1].name, []).append(slot)
        return tuple(found)

    def _sort(self, slot: Slot) -> int:
        return self.core.piles[slot[0]][slot[1]] >> 1

    def seen(self, moves: tuple[str, ...] | None) -> RedactedState:
        core, (pieces, arranged) = self.core, _registers(self.game)
        back = None
        if core.back is not None:
            piles = tuple(self._pile(number, pile) for number, pile in enumerate(core.back[0]))
            back = _kept(piles, tuple(self._values(core.back[1])))
        return RedactedState(
            self.player,
            core.actor,
            core.pc,
            _kept(self.now, self._cells()),
            back,
            {kind: tuple(slots) for kind, slots in self.hidden.items()},
            {kind: tuple(sorted(map(self._sort, slots))) for kind, slots in self.hidden.items()},
            pieces,
            arranged,
            moves,
        )

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _pile(self, number: int, pile: Sequence[int]) -> tuple[int | HiddenPiece, ...]:
        """A pile as it was: where the same piece lies now, it is as it is there."""
        return tuple(self._lying((number, height), piece) for height, piece in enumerate(pile))

    def _lying(self, slot: Slot, piece: int) -> int | HiddenPiece:
        back = self.backs.get(slot)
        if back is None or self._sort(slot) != piece >> 1:
            return self._piece(piece)
        return back if back.face == piece & 1 else HiddenPiece(slot, piece & 1)

    def _piece(self, piece: int) -> int | HiddenPiece:
        """A piece that is remembered without its place."""
        slot = self.covered.get(piece >> 1) if piece >= 0 else None
        return HiddenPiece(slot, piece & 1) if slot is not None else piece

    # ---- cells -------------------------------------------------------------------------------------------------------

    def _values(self, cells: Sequence[Any]) -> list[Any]:
        found = list(cells)
        for cell, _ in list_secret_cells(self.game, self.player):
            found[cell] = UNKNOWN
        return found

    def _cells(self) -> tuple[Any, ...]:
        cells = self.core.cells
        found = self._values(cells)
        pieces, arranged = _registers(self.game)
        for register in pieces if self.covered else ():
            found[register] = self._remembered(cells[register])
        for register in arranged:
            found[register] = frozenset(self._met(entry) for entry in cells[register])
        for together in _chosen(self.game):
            if cells[together.chosen]:
                whose = zip(cells[together.listed], cells[together.chosen], strict=False)
                found[together.chosen] = tuple(own if who == self.player else UNKNOWN for who, own in whose)
        return tuple(found)

    def _remembered(self, value: Any) -> Shown:
        return self._piece(value) if isinstance(value, int) else tuple(map(self._remembered, value))

    def _met(self, entry: tuple[int, tuple[tuple[int, ...], ...]]) -> Met:
        guard, arrangement = entry
        obligation = next(o for o in self.game.ruleset.obligations.values() if o.number == guard)
        assert isinstance(obligation.demand, NeverTwice)
        numbers = evaluate(obligation.demand.piles, self.game.setting(self.core), {obligation.me: self.core.actor})
        return guard, tuple(self._pile(n, pile) for n, pile in zip(numbers, arrangement, strict=True))


# ---- what does not change while a game is played -----------------------------------------------------------------------


def list_secret_cells(game: Compiled, player: int) -> tuple[tuple[int, StateFamily], ...]:
    """The cells of the state that a seat does not know."""
    found: tuple[tuple[int, StateFamily], ...] | None = game.cache.get(("seen", "secret", player))
    if found is None:
        found = game.cache["seen", "secret", player] = tuple(_unknown(game, player))
    return found


def _unknown(game: Compiled, player: int) -> Iterator[tuple[int, StateFamily]]:
    for family in game.ruleset.state.values():
        for member in range(family.size) if family.secret else ():
            if not can_know(game, family, member, player):
                yield family.base + member, family


def _registers(game: Compiled) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The registers that pieces are kept in, and those in which arrangements are that were met."""
    found: tuple[tuple[int, ...], tuple[int, ...]] | None = game.cache.get(("seen", "registers"))
    if found is None:
        machine = game.machine
        kinds = enumerate(machine.register_kinds, machine.state_size)
        pieces = tuple(register for register, kind in kinds if _holds_pieces(kind))
        arranged = tuple(point.seen for point in machine.points.values() if point.seen is not None)
        found = game.cache["seen", "registers"] = pieces, arranged
    return found


def _chosen(game: Compiled) -> tuple[Together, ...]:
    found: tuple[Together, ...] | None = game.cache.get(("seen", "chosen"))
    if found is None:
        points = game.machine.points.values()
        found = game.cache["seen", "chosen"] = tuple(p.together for p in points if p.together is not None)
    return found


def _holds_pieces(kind: Kind) -> bool:
    return kind.name == "piece" or (kind.name == "list" and _holds_pieces(kind.of_item))


At = Mapping[Slot, int]
"""The class of the piece at each place that the seat does not see."""


def determinize(game: Compiled, seen: RedactedState, chance: Chance) -> Core:
    """A state that looks the same to a player: hidden pieces, secret values and unseen choices are others, and so is the future.

    Raises Refused if the rules cannot go on from there."""
    world = fill_hidden(game, seen, chance)
    run_to_decision(game, seen, world, chance)
    return world


def fill_hidden(game: Compiled, seen: RedactedState, chance: Chance, at: At | None = None) -> Core:
    """A state with these classes of pieces at the places that the player does not see (None: any that lie hidden now). It stands where the
    other does, and what is legal there has not been listed."""
    world = Core(Chance.seeded(chance.next32(), chance.next32()))
    at = at if at is not None else _any_deal(seen, chance)
    world.piles, world.cells = _fill_hidden(game, seen, seen.now, at, chance)
    _fill_registers(seen, world.cells, at)
    if seen.back is not None:
        world.back = _fill_hidden(game, seen, seen.back, at, chance)
    world.pc, world.actor, world.log = seen.pc, seen.actor, []
    return world


def sample_determinizations(
    game: Compiled, seen: RedactedState, chance: Chance, tries: int, over: Callable[[], bool] = lambda: False
) -> Iterator[Core]:
    """Of so many imagined states (or until it is `over`) those in which the same moves are legal, if the player is to move."""
    for _ in range(tries):
        if over():
            return
        try:
            world = determinize(game, seen, chance)
        except Refused:
            continue
        if (world.pc, world.actor) == (seen.pc, seen.actor) and has_same_moves(game, seen, world):
            yield world


def has_same_moves(game: Compiled, seen: RedactedState, world: Core) -> bool:
    """Are the moves legal there that the player knows to be, if it is to move?"""
    return seen.moves is None or tuple(game.namer.ids(world, world.acts, world.actor)) == seen.moves


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _any_deal(seen: RedactedState, chance: Chance) -> dict[Slot, int]:
    """Pieces as they may lie where a player does not see them, going by what it sees now."""
    at: dict[Slot, int] = {}
    for kind, slots in seen.hidden.items():
        at |= zip(slots, chance.shuffle(0, [*seen.unseen[kind]]), strict=True)
    return at


def _fill_hidden(
    game: Compiled, seen: RedactedState, kept: RedactedContents, at: At, chance: Chance
) -> tuple[list[list[int]], list[Any]]:
    """Piles and cells with these pieces at hidden places; values that the player may not know become any that they can have."""
    cells = list(kept.cells)
    for cell, family in list_secret_cells(game, seen.player):
        cells[cell] = _any_value(game, family, chance)
    piles: list[Any] = [*map(list, kept.piles)]
    for number in kept.hiding:
        piles[number] = _pile(kept.piles[number], at)
    return piles, cells


def _fill_registers(seen: RedactedState, cells: list[Any], at: At) -> None:
    """What names are bound to, and what arrangements were met."""
    for register in seen.pieces if at else ():
        cells[register] = _pieces(cells[register], at)
    for register in seen.arranged if at else ():
        cells[register] = frozenset(_met(entry, at) for entry in cells[register])


def _pile(pile: Sequence[int | HiddenPiece], at: At) -> list[int]:
    return [piece if isinstance(piece, int) else 2 * at[piece.slot] | piece.face for piece in pile]


def _pieces(value: Shown, at: At) -> Any:
    if isinstance(value, int):
        return value
    return 2 * at[value.slot] | value.face if isinstance(value, HiddenPiece) else tuple(_pieces(v, at) for v in value)


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


def run_to_decision(game: Compiled, seen: RedactedState, world: Core, chance: Chance) -> None:
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
