"""States with what a seat does not know removed (`redact`), and full states that look the same to it (`determinize`).

Determinizations are made of redacted states alone, so what is computed in them cannot depend on hidden information."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, Union

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_know, can_see
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import absent_of
from hoyle.language.model import NeverTwice, StateFamily
from hoyle.language.value_types import ValueType
from hoyle.running.chance import Chance
from hoyle.running.machine import Together
from hoyle.running.state import Action, Core

Slot = tuple[int, int]
"""Pile and height."""


class HiddenPiece(Struct, frozen=True):
    """A piece that the seat does not see: its face, and where it lies. A remembered piece has the slot of one like
    it."""

    slot: Slot
    face: int


class Unknown:
    """A value that the seat does not know. Any question raises TypeError."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("nobody has told this seat what that is")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse


UNKNOWN = Unknown()
Shown = Union[int, HiddenPiece, Sequence["Shown"]]  # noqa: UP007 (it names itself)
"""A piece as a seat sees it, or nested lists of pieces."""
Met = tuple[int, tuple[tuple[int | HiddenPiece, ...], ...]]
"""Number of the obligation that remembers an arrangement, and the arrangement."""


class RedactedContents(Struct, frozen=True):
    """Piles and cells, as they are or as `take_back` would restore them."""

    piles: tuple[tuple[int | HiddenPiece, ...], ...]
    cells: tuple[Any, ...]
    hiding: tuple[int, ...]
    """Piles with hidden pieces."""


class RedactedState(Struct, frozen=True):
    """Knowledge of a seat about a state, without chance.

    player    the seat that knows this; `actor` is to choose
    pc        place in the flow
    now       pieces, state and registers as far as the seat knows them; `back` is what `take_back` restores
    hidden    slots of hidden pieces by type; `unseen` are the classes of these pieces together, sorted
    pieces    registers that hold pieces; `arranged` are those that hold arrangements
    moves     ids of the legal moves in order; None if another seat is to choose"""

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
        """Key that is equal for equal states in which nothing is hidden."""
        return self.pc, self.now.piles, self.now.cells


def redact(game: Compiled, core: Core, player: int) -> RedactedState:
    """Return what a seat knows of a state, with the legal moves if it is to choose."""
    asked = core.actor == player and not core.over
    return _Redactor(game, core, player).seen(tuple(game.namer.ids(core, core.acts, player)) if asked else None)


def redact_position(game: Compiled, core: Core, player: int) -> RedactedState:
    """Return what a seat knows of a state, without the legal moves."""
    return _Redactor(game, core, player).seen(None)


def _make_contents(piles: tuple[tuple[int | HiddenPiece, ...], ...], cells: tuple[Any, ...]) -> RedactedContents:
    hiding = (number for number, pile in enumerate(piles) if any(isinstance(piece, HiddenPiece) for piece in pile))
    return RedactedContents(piles, cells, tuple(hiding))


class _Redactor:
    def __init__(self, game: Compiled, core: Core, player: int) -> None:
        self.game, self.core, self.player = game, core, player
        self.backs: dict[Slot, HiddenPiece] = {}
        self.hidden: dict[str, list[Slot]] = {}
        self.now = tuple(self._redact_pile(number, pile) for number, pile in enumerate(core.piles))
        open_ = {piece >> 1 for pile in self.now for piece in pile if isinstance(piece, int)} if self.backs else set()
        self.covered: dict[int, Slot] = {}
        for slots in self.hidden.values():
            for slot in slots:
                if self._class_at(slot) not in open_:
                    self.covered.setdefault(self._class_at(slot), slot)

    def _redact_pile(self, number: int, pile: Sequence[int]) -> tuple[int | HiddenPiece, ...]:
        count = len(pile)
        found: list[int | HiddenPiece] = list(pile)
        for height, piece in enumerate(pile):
            if not can_see(self.game, number, height, count, piece, self.player):
                slot = number, height
                found[height] = self.backs[slot] = HiddenPiece(slot, piece & 1)
                self.hidden.setdefault(self.game.namer.piece_kinds[piece >> 1].name, []).append(slot)
        return tuple(found)

    def _class_at(self, slot: Slot) -> int:
        return self.core.piles[slot[0]][slot[1]] >> 1

    def seen(self, moves: tuple[str, ...] | None) -> RedactedState:
        core, (pieces, arranged) = self.core, _piece_registers(self.game)
        back = None
        if core.back is not None:
            piles = tuple(self._redact_earlier_pile(number, pile) for number, pile in enumerate(core.back[0]))
            back = _make_contents(piles, tuple(self._without_secrets(core.back[1])))
        return RedactedState(
            self.player,
            core.actor,
            core.pc,
            _make_contents(self.now, self._redact_cells()),
            back,
            {kind: tuple(slots) for kind, slots in self.hidden.items()},
            {kind: tuple(sorted(map(self._class_at, slots))) for kind, slots in self.hidden.items()},
            pieces,
            arranged,
            moves,
        )

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _redact_earlier_pile(self, number: int, pile: Sequence[int]) -> tuple[int | HiddenPiece, ...]:
        """Redact an earlier pile. Pieces that still lie at the same place are as they are there."""
        return tuple(self._redact_earlier((number, height), piece) for height, piece in enumerate(pile))

    def _redact_earlier(self, slot: Slot, piece: int) -> int | HiddenPiece:
        back = self.backs.get(slot)
        if back is None or self._class_at(slot) != piece >> 1:
            return self._redact_remembered(piece)
        return back if back.face == piece & 1 else HiddenPiece(slot, piece & 1)

    def _redact_remembered(self, piece: int) -> int | HiddenPiece:
        """Redact a piece that is remembered without its place."""
        slot = self.covered.get(piece >> 1) if piece >= 0 else None
        return HiddenPiece(slot, piece & 1) if slot is not None else piece

    # ---- cells -------------------------------------------------------------------------------------------------------

    def _without_secrets(self, cells: Sequence[Any]) -> list[Any]:
        found = list(cells)
        for cell, _ in list_secret_cells(self.game, self.player):
            found[cell] = UNKNOWN
        return found

    def _redact_cells(self) -> tuple[Any, ...]:
        cells = self.core.cells
        found = self._without_secrets(cells)
        pieces, arranged = _piece_registers(self.game)
        for register in pieces if self.covered else ():
            found[register] = self._redact_value(cells[register])
        for register in arranged:
            found[register] = frozenset(self._redact_arrangement(entry) for entry in cells[register])
        for together in _simultaneous_choices(self.game):
            if cells[together.chosen]:
                whose = zip(cells[together.listed], cells[together.chosen], strict=False)
                found[together.chosen] = tuple(own if who == self.player else UNKNOWN for who, own in whose)
        return tuple(found)

    def _redact_value(self, value: Any) -> Shown:
        return self._redact_remembered(value) if isinstance(value, int) else tuple(map(self._redact_value, value))

    def _redact_arrangement(self, entry: tuple[int, tuple[tuple[int, ...], ...]]) -> Met:
        guard, arrangement = entry
        obligation = next(o for o in self.game.ruleset.obligations.values() if o.number == guard)
        assert isinstance(obligation.demand, NeverTwice)
        numbers = evaluate(obligation.demand.piles, self.game.setting(self.core), {obligation.me: self.core.actor})
        return guard, tuple(self._redact_earlier_pile(n, pile) for n, pile in zip(numbers, arrangement, strict=True))


# ---- what does not change while a game is played -----------------------------------------------------------------------


def list_secret_cells(game: Compiled, player: int) -> tuple[tuple[int, StateFamily], ...]:
    """Return the cells of the state that a seat does not know, with their families."""
    return game.cached(("seen", "secret", player), lambda: tuple(_secret_cells(game, player)))


def _secret_cells(game: Compiled, player: int) -> Iterator[tuple[int, StateFamily]]:
    for family in game.ruleset.state.values():
        for member in range(family.size) if family.secret else ():
            if not can_know(game, family, member, player):
                yield family.base + member, family


def _piece_registers(game: Compiled) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the registers that hold pieces, and those that hold arrangements."""

    def find() -> tuple[tuple[int, ...], tuple[int, ...]]:
        types = enumerate(game.machine.register_types, game.machine.state_size)
        pieces = tuple(register for register, value_type in types if _holds_pieces(value_type))
        return pieces, tuple(point.seen for point in game.machine.points.values() if point.seen is not None)

    return game.cached(("seen", "registers"), find)


def _simultaneous_choices(game: Compiled) -> tuple[Together, ...]:
    points = game.machine.points.values()
    return game.cached(("seen", "chosen"), lambda: tuple(p.together for p in points if p.together is not None))


def _holds_pieces(value_type: ValueType) -> bool:
    return value_type.name == "piece" or (value_type.name == "list" and _holds_pieces(value_type.item_type))


At = Mapping[Slot, int]
"""Class of the piece at each hidden slot."""


def determinize(game: Compiled, seen: RedactedState, chance: Chance) -> Core:
    """Return a state that looks the same to a player: hidden pieces, secret values, unseen choices and chance are
    random.

    Raises Refused if the rules cannot go on from there."""
    world = fill_hidden(game, seen, chance)
    run_to_decision(game, seen, world, chance)
    return world


def fill_hidden(game: Compiled, seen: RedactedState, chance: Chance, at: At | None = None) -> Core:
    """Return a state with these pieces at hidden slots (None: random ones), before its legal moves are listed."""
    world = Core(Chance.seeded(chance.next32(), chance.next32()))
    at = at if at is not None else _deal_hidden(seen, chance)
    world.piles, world.cells = _fill_hidden(game, seen, seen.now, at, chance)
    _fill_registers(seen, world.cells, at)
    if seen.back is not None:
        world.back = _fill_hidden(game, seen, seen.back, at, chance)
    world.pc, world.actor, world.log = seen.pc, seen.actor, []
    return world


def sample_determinizations(
    game: Compiled, seen: RedactedState, chance: Chance, tries: int, over: Callable[[], bool] = lambda: False
) -> Iterator[Core]:
    """Yield those of `tries` random states in which the same moves are legal, until `over` returns True."""
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
    """Return whether the moves that the player knows to be legal are legal there. Always true if another is to move."""
    return seen.moves is None or tuple(game.namer.ids(world, world.acts, world.actor)) == seen.moves


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _deal_hidden(seen: RedactedState, chance: Chance) -> dict[Slot, int]:
    """Deal the unseen pieces at random to the hidden slots."""
    at: dict[Slot, int] = {}
    for kind, slots in seen.hidden.items():
        at |= zip(slots, chance.shuffle(0, [*seen.unseen[kind]]), strict=True)
    return at


def _fill_hidden(
    game: Compiled, seen: RedactedState, kept: RedactedContents, at: At, chance: Chance
) -> tuple[list[list[int]], list[Any]]:
    """Return piles and cells with these pieces at hidden slots, and random values for secrets."""
    cells = list(kept.cells)
    for cell, family in list_secret_cells(game, seen.player):
        cells[cell] = _random_value(game, family, chance)
    piles: list[Any] = [*map(list, kept.piles)]
    for number in kept.hiding:
        piles[number] = _fill_pile(kept.piles[number], at)
    return piles, cells


def _fill_registers(seen: RedactedState, cells: list[Any], at: At) -> None:
    """Fill the registers of pieces and arrangements."""
    for register in seen.pieces if at else ():
        cells[register] = _fill_pieces(cells[register], at)
    for register in seen.arranged if at else ():
        cells[register] = frozenset(_fill_arrangement(entry, at) for entry in cells[register])


def _fill_pile(pile: Sequence[int | HiddenPiece], at: At) -> list[int]:
    return [piece if isinstance(piece, int) else 2 * at[piece.slot] | piece.face for piece in pile]


def _fill_pieces(value: Shown, at: At) -> Any:
    if isinstance(value, int):
        return value
    return (
        2 * at[value.slot] | value.face if isinstance(value, HiddenPiece) else tuple(_fill_pieces(v, at) for v in value)
    )


def _fill_arrangement(entry: Met, at: At) -> tuple[int, tuple[tuple[int, ...], ...]]:
    return entry[0], tuple(tuple(_fill_pile(pile, at)) for pile in entry[1])


# ---- cells -----------------------------------------------------------------------------------------------------------


def _random_value(game: Compiled, family: StateFamily, chance: Chance) -> int:
    value_type = family.type
    count = 2 if value_type.name == "bool" else game.count_of(value_type)
    chosen = chance.below(count + value_type.optional)
    if chosen == count:
        return absent_of(value_type)
    if value_type.name == "piece":
        return 2 * (game.ruleset.pieces[value_type.of].base + chosen)
    return value_type.low + chosen if value_type.name == "number" else chosen


# ---- the decision ----------------------------------------------------------------------------------------------------


def run_to_decision(game: Compiled, seen: RedactedState, world: Core, chance: Chance) -> None:
    """List the legal moves of a state. Unseen simultaneous choices of others are made at random."""
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
