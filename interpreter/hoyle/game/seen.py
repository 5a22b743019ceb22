"""What a seat is handed when it is to choose: what it sees of a state. What it does not see is not in it, and neither is what will come by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, Union

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.view import knows, sees
from hoyle.language.evaluate import evaluate
from hoyle.language.kinds import Kind
from hoyle.language.model import NeverTwice, StateFamily
from hoyle.running.machine import Together
from hoyle.running.state import Core

Slot = tuple[int, int]
"""A pile and a height in it."""


class Back(Struct, frozen=True):
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
Shown = Union[int, Back, Sequence["Shown"]]  # noqa: UP007 (it names itself)
"""A piece as a seat sees it, or pieces in lists of whatever depth."""
Met = tuple[int, tuple[tuple[int | Back, ...], ...]]
"""An arrangement that was met, and the number of the obligation that remembers it."""


class Kept(Struct, frozen=True):
    """Piles and cells, as they are or as `take_back` would restore them."""

    piles: tuple[tuple[int | Back, ...], ...]
    cells: tuple[Any, ...]
    hiding: tuple[int, ...]
    """The piles with pieces that the seat does not see."""


class Seen(Struct, frozen=True):
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
    now: Kept
    back: Kept | None
    hidden: Mapping[str, tuple[Slot, ...]]
    unseen: Mapping[str, tuple[int, ...]]
    pieces: tuple[int, ...]
    arranged: tuple[int, ...]
    moves: tuple[str, ...] | None

    @property
    def key(self) -> tuple[Any, ...]:
        """What is equal exactly when two states are in which nothing is hidden."""
        return self.pc, self.now.piles, self.now.cells


def seen_by(game: Compiled, core: Core, player: int) -> Seen:
    """What a seat sees of a state; if it is to choose, with what is legal."""
    asked = core.actor == player and not core.over
    return _Sealer(game, core, player).seen(tuple(game.namer.ids(core, core.acts, player)) if asked else None)


def position_seen(game: Compiled, core: Core, player: int) -> Seen:
    """The same, but for what is legal."""
    return _Sealer(game, core, player).seen(None)


def _kept(piles: tuple[tuple[int | Back, ...], ...], cells: tuple[Any, ...]) -> Kept:
    hiding = (number for number, pile in enumerate(piles) if any(isinstance(piece, Back) for piece in pile))
    return Kept(piles, cells, tuple(hiding))


class _Sealer:
    def __init__(self, game: Compiled, core: Core, player: int) -> None:
        self.game, self.core, self.player = game, core, player
        self.backs: dict[Slot, Back] = {}
        self.hidden: dict[str, list[Slot]] = {}
        self.now = tuple(self._shown(number, pile) for number, pile in enumerate(core.piles))
        open_ = {piece >> 1 for pile in self.now for piece in pile if isinstance(piece, int)} if self.backs else set()
        self.covered: dict[int, Slot] = {}
        for slots in self.hidden.values():
            for slot in slots:
                if self._sort(slot) not in open_:
                    self.covered.setdefault(self._sort(slot), slot)

    def _shown(self, number: int, pile: Sequence[int]) -> tuple[int | Back, ...]:
        count = len(pile)
        found: list[int | Back] = list(pile)
        for height, piece in enumerate(pile):
            if not sees(self.game, number, height, count, piece, self.player):
                slot = number, height
                found[height] = self.backs[slot] = Back(slot, piece & 1)
                self.hidden.setdefault(self.game.namer.piece_kinds[piece >> 1].name, []).append(slot)
        return tuple(found)

    def _sort(self, slot: Slot) -> int:
        return self.core.piles[slot[0]][slot[1]] >> 1

    def seen(self, moves: tuple[str, ...] | None) -> Seen:
        core, (pieces, arranged) = self.core, _registers(self.game)
        back = None
        if core.back is not None:
            piles = tuple(self._pile(number, pile) for number, pile in enumerate(core.back[0]))
            back = _kept(piles, tuple(self._values(core.back[1])))
        return Seen(
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

    def _pile(self, number: int, pile: Sequence[int]) -> tuple[int | Back, ...]:
        """A pile as it was: where the same piece lies now, it is as it is there."""
        return tuple(self._lying((number, height), piece) for height, piece in enumerate(pile))

    def _lying(self, slot: Slot, piece: int) -> int | Back:
        back = self.backs.get(slot)
        if back is None or self._sort(slot) != piece >> 1:
            return self._piece(piece)
        return back if back.face == piece & 1 else Back(slot, piece & 1)

    def _piece(self, piece: int) -> int | Back:
        """A piece that is remembered without its place."""
        slot = self.covered.get(piece >> 1) if piece >= 0 else None
        return Back(slot, piece & 1) if slot is not None else piece

    # ---- cells -------------------------------------------------------------------------------------------------------

    def _values(self, cells: Sequence[Any]) -> list[Any]:
        found = list(cells)
        for cell, _ in secret_state(self.game, self.player):
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


def secret_state(game: Compiled, player: int) -> tuple[tuple[int, StateFamily], ...]:
    """The cells of the state that a seat does not know."""
    found: tuple[tuple[int, StateFamily], ...] | None = game.kept.get(("seen", "secret", player))
    if found is None:
        found = game.kept["seen", "secret", player] = tuple(_unknown(game, player))
    return found


def _unknown(game: Compiled, player: int) -> Iterator[tuple[int, StateFamily]]:
    for family in game.ruleset.state.values():
        for member in range(family.size) if family.secret else ():
            if not knows(game, family, member, player):
                yield family.base + member, family


def _registers(game: Compiled) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The registers that pieces are kept in, and those in which arrangements are that were met."""
    found: tuple[tuple[int, ...], tuple[int, ...]] | None = game.kept.get(("seen", "registers"))
    if found is None:
        machine = game.machine
        kinds = enumerate(machine.register_kinds, machine.state_size)
        pieces = tuple(register for register, kind in kinds if _holds_pieces(kind))
        arranged = tuple(point.seen for point in machine.points.values() if point.seen is not None)
        found = game.kept["seen", "registers"] = pieces, arranged
    return found


def _chosen(game: Compiled) -> tuple[Together, ...]:
    found: tuple[Together, ...] | None = game.kept.get(("seen", "chosen"))
    if found is None:
        points = game.machine.points.values()
        found = game.kept["seen", "chosen"] = tuple(p.together for p in points if p.together is not None)
    return found


def _holds_pieces(kind: Kind) -> bool:
    return kind.name == "piece" or (kind.name == "list" and _holds_pieces(kind.of_item))
