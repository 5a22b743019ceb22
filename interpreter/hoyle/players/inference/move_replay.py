"""What becomes of each piece in a move: the move is made once more in a state whose pieces are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_know, can_see
from hoyle.language.ir import Cell
from hoyle.language.model import Move
from hoyle.players.inference.recording_state import (
    Came,
    Cells,
    Confused,
    Course,
    Deed,
    Done,
    Left,
    Log,
    Mixed,
    New,
    Outcome,
    Pieces,
    Piles,
    Put,
    Ran,
    Renewed,
    Role,
    Watch,
    plain,
)
from hoyle.players.inference.scope import is_looking, scope
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_BLOCKS, STOP
from hoyle.running.state import Action, Core, Event


class _Happened(Chance):
    """Chance as it was: what was drawn is given once more."""

    __slots__ = ("dice", "events")

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(0, 1)
        self.events, self.dice = iter(events), list[int]()

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        return list(next(self.events)[2])

    def roll(self, kinds: Sequence[int]) -> int:
        if not self.dice:
            self.dice = [piece >> 1 for piece in next(self.events)[2]]
        return self.dice.pop(0)

    def lots(self, items: Sequence[Any], label: int) -> Any:
        return next(self.events)[2]


class _Anew(Chance):
    """The same, drawn again from where the stream stood; what is mixed is not changed in place."""

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        return super().shuffle(pile, list(items), least)


# ---- a move ----------------------------------------------------------------------------------------------------------


def follow(
    game: Compiled, player: int, before: Core, numbers: list[list[int]], kept: list[list[int]] | None, action: Action | None,
    events: Sequence[Event] | None,
) -> Course:  # fmt: skip
    """Make a move once more, or (without an action) begin the game. `numbers`: those of the pieces of each pile, and of those that may
    be restored; `events`: what happened by chance, None to draw it from the state's own stream."""
    return _Course(game, player, before, numbers, kept, events).run(action)


class _Course(Watch):
    def __init__(
        self,
        game: Compiled,
        player: int,
        before: Core,
        numbers: list[list[int]],
        kept: list[list[int]] | None,
        events: Sequence[Event] | None,
    ) -> None:
        self.game, self.player = game, player
        self.deeds: list[Deed] = []
        self.told: dict[int, int] = {}
        self.open: frozenset[int] | None = None
        self.flying: list[tuple[int, int]] = []
        self.next = 1 + max((n for pile in [*numbers, *(kept or [])] for n in pile), default=-1)
        self.expected: Counter[int] = Counter()
        super().__init__(frozenset(_secret_cells(game, player)))
        self.lots: list[Any] | None = []
        self.core = s = before.copy()
        s.chance = _Happened(events) if events is not None else _Anew(before.chance.state, before.chance.step)
        s.piles = Piles(
            (Pieces(pile, own[:], n, self) for n, (pile, own) in enumerate(zip(before.piles, numbers, strict=True))),
            self,
        )
        s.cells = Cells(s.cells, self)
        s.log = Log(self)
        if before.back is not None and kept is not None:
            s.back = ([Pieces(p, own[:]) for p, own in zip(before.back[0], kept, strict=True)], before.back[1])

    def run(self, action: Action | None) -> Course:
        s, machine = self.core, self.game.machine
        listed: dict[int, Role] = {}
        pc = machine.entry
        if action is not None:
            listed = self._listed(action)
            self._expect(next(m for m in machine.points[s.pc].moves if m.number == action[0]), action)
            pc = self._block(s.pc, action)
        for _ in range(MOST_BLOCKS):
            if pc < 0:
                break
            pc = self._block(pc)
        kept = [p.numbers for p in s.back[0] if isinstance(p, Pieces)] if s.back is not None else None
        return Course(self.deeds, self.told, kept, s, self.next, listed)

    def _listed(self, action: Action) -> dict[int, Role]:
        """The hidden pieces looked at to say that this was legal, if that matters."""
        s, machine = self.core, self.game.machine
        if s.actor != self.player and scope(self.game, (machine.points[s.pc],), action[0]).matters:
            s.acts = []
            machine.advance(s, s.pc)
        return dict(self.looked_at)

    def _block(self, pc: int, action: Action | None = None) -> int:
        """Run a block, or what a move does at once; what may betray something is noted."""
        machine, s = self.game.machine, self.core
        before = plain_copy(s) if is_looking(self.game, pc, is_action=action is not None) else None
        at, since = len(self.deeds), len(s.log or ())
        self._note_anew()
        came_to = machine.blocks[pc](s) if action is None else machine.apply[pc](s, action)
        if self.secrets:
            self._confuse(self.deeds[at:])
        looked_at = self._besides_listing(came_to)
        if before is not None and (looked_at or self.set_now or self.secrets):
            lots = tuple(self.lots) if self.lots is not None else None
            found = outcome(self.game, self.player, s, came_to, since)
            ran = Ran(before, pc, action, found, looked_at, tuple(sorted(self.set_now)), self.secrets, lots)
            self.deeds.insert(at, ran)
            self.deeds.append(Done())
        return came_to

    def _confuse(self, deeds: Sequence[Deed]) -> None:
        """After something secret was looked at, nobody knows how many hidden pieces moved."""
        touched = {d.pile for d in deeds if isinstance(d, Left) and d.by_place and not d.seen[d.height]}
        touched |= {d.pile for d in deeds if isinstance(d, Came)} if touched else set()
        piles = [pile for n in sorted(touched) for pile in (self.core.piles[n],) if isinstance(pile, Pieces)]
        hidden = [m for pile in piles for h, m in enumerate(pile.numbers) if not self.sees(pile, h)]
        if hidden:
            self.deeds.append(Confused(tuple(hidden)))
            self.lots = None

    def _note_anew(self) -> None:
        """Nothing has been noted yet of what a block does."""
        self.lots, self.secrets, self.looks = [], False, 0
        self.set_now.clear()
        self.looked_at.clear()
        self.open = None

    def _besides_listing(self, came_to: int) -> dict[int, Role]:
        """The hidden pieces looked at, if it was not only done to list what somebody may do: what he does then will prove that."""
        found, before = dict(self.looked_at), self.looks
        if came_to == STOP and found:
            self.game.machine.advance(self.core, self.core.pc)
            return found if self.looks - before < before else {}
        return found

    def sees(self, pile: Pieces, height: int) -> bool:
        return can_see(self.game, pile.number, height, len(pile), list.__getitem__(pile, height), self.player)

    def lies_open(self, sort: int) -> bool:
        if self.open is None:
            piles = [pile for pile in self.core.piles if isinstance(pile, Pieces)]
            seen = (p >> 1 for pile in piles for h, p in enumerate(pile) if self.sees(pile, h))
            self.open = frozenset(sort for sort in seen if self.game.machine.copies[sort] == 1)
        return sort in self.open

    # ---- what piles, and the log, call -------------------------------------------------------------------------------

    def leaves(self, pile: Pieces, number: int, height: int, by_choice: bool) -> None:
        game, count = self.game, len(pile)
        seen = tuple(can_see(game, pile.number, h, count, p, self.player) for h, p in enumerate(list.__iter__(pile)))
        whose = game.namer.family(pile.number).face == "owner"
        by_place = not by_choice or (not whose and height == count - 1)
        piece = list.__getitem__(pile, height)
        self.deeds.append(Left(number, piece >> 1, pile.number, height, seen, by_place))
        self.flying.append((number, piece))

    def comes(self, pile: Pieces, piece: int) -> None:
        for place, (number, there) in enumerate(self.flying):
            if there >> 1 == piece >> 1:
                del self.flying[place]
                self.deeds.append(Came(number, pile.number))
                self._as_expected(number, piece, pile.number)
                break
        else:
            number, self.next = self.next, self.next + 1
            self.deeds.append(New(number, pile.number, piece >> 1))
        pile.numbers.append(number)

    def mixed(self, number: int, pieces: list[int]) -> Pieces:
        numbers = [*range(self.next, self.next + len(pieces))]
        self.next += len(pieces)
        self.deeds.append(Mixed(number, tuple(numbers)))
        return Pieces(pieces, numbers, number, self)

    def replaced(self, old: list[list[int]], found: list[list[int]]) -> list[list[int]]:
        """Either pieces lie as they did (`take_back`), or those of a kind are at home."""
        self.flying.clear()
        if all(isinstance(pile, Pieces) and pile.course is None for pile in found):
            again = [Pieces(p, p.numbers, n, self) for n, p in enumerate(found) if isinstance(p, Pieces)]
            self.deeds += [Put(pile.number, tuple(pile.numbers)) for pile in again]
            return [*again]
        return [*self._gathered(old, found)]

    def _gathered(self, old: list[list[int]], found: list[list[int]]) -> Iterator[Pieces]:
        kinds = self.game.namer.piece_kinds
        home = {k.name for k in self.game.ruleset.pieces.values() if _moved(k.name, kinds, old, found)}
        changed = [n for n, pile in enumerate(found) if pile is not old[n] or len(pile) != len(old[n])]
        for n, pile in enumerate(found):
            was = old[n]
            numbers = was.numbers if isinstance(was, Pieces) else []
            if n not in changed:
                yield Pieces(pile, numbers, n, self)
                continue
            stay = [m for m, p in zip(numbers, list.__iter__(was), strict=False) if kinds[p >> 1].name not in home]
            self.deeds.append(Put(n, tuple(stay)))
            for piece in pile:
                if kinds[piece >> 1].name in home:
                    stay.append(self.next)
                    self.deeds.append(New(self.next, n, piece >> 1))
                    self.next += 1
            yield Pieces(pile, stay, n, self)

    def renewed(self, cells: dict[int, Any]) -> None:
        self.deeds += [Renewed(cells)] * bool(cells)

    def tells(self, event: Event) -> None:
        """What is turned up, thrown or received is told to those who may know of it."""
        if event[0] == "turned":
            _, number, size, pieces = event
            self._tell_top(number, size - len(pieces), size, pieces)
        elif event[0] == "roll":
            self.lots = None
            number, pieces = event[1:3]
            count = len(self.core.piles[number])
            own = self._numbers(number)[count - len(pieces) :]
            self.told |= {
                n: p >> 1
                for n, p in zip(own, pieces, strict=True)
                if can_see(self.game, number, count - 1, count, p, self.player)
            }
        elif event[0] == "lots" and self.lots is not None:
            row = self.game.machine.labels[event[1]].row
            secret = isinstance(row, Cell) and self.game.ruleset.state[row.ref.family].secret
            self.lots = None if secret else [*self.lots, event[2]]
        elif event[0] == "say":
            self._tell_said(event[1], event[2])
        elif event[0] == "received":
            _, number, pieces, giver = event
            if self.player in (self.game.namer.owner(number), giver):
                self._tell_flying(Counter(p >> 1 for p in pieces))

    def _tell_said(self, label: int, value: Any) -> None:
        """A piece that is named was looked at: where it alone was, all know which it is."""
        said = self.game.machine.labels[label]
        kinds = [said.row.kind] if said.row is not None else [formula.kind for formula in said.formulas]
        values = [value] if said.row is not None else value
        for kind, piece in zip(kinds, values if kinds else (), strict=True):
            if kind.name == "piece" and piece >= 0:
                alike = [
                    n
                    for n, role in self.looked_at.items()
                    if isinstance(role, tuple) and self._sort(role) == piece >> 1
                ]
                self.told |= {alike[0]: piece >> 1} if len(alike) == 1 else {}

    def _sort(self, at: tuple[int, int]) -> int:
        pile = self.core.piles[at[0]]
        return list.__getitem__(pile, at[1]) >> 1 if at[1] < len(pile) else -1

    def _tell_top(self, number: int, lowest: int, size: int, pieces: Sequence[int]) -> None:
        for n, piece in enumerate(pieces):
            if can_see(self.game, number, lowest + n, size, piece, self.player):
                self.told[self._numbers(number)[lowest + n]] = piece >> 1

    def _tell_flying(self, sorts: Counter[int]) -> None:
        for number, piece in self.flying:
            if sorts[piece >> 1] > 0:
                sorts[piece >> 1] -= 1
                self.told[number] = piece >> 1

    def _numbers(self, number: int) -> list[int]:
        pile = self.core.piles[number]
        assert isinstance(pile, Pieces)
        return pile.numbers

    # ---- the move as it is told --------------------------------------------------------------------------------------

    def _expect(self, move: Move, action: Action) -> None:
        """Which pieces the seat is told with the move itself."""
        point = self.game.machine.points[self.core.pc]
        if self.core.actor == self.player or (move.openly and not point.together):
            self.expected = Counter(pieces_in(self.game, move, action))
        elif move.card is not None and move.target is not None and not point.together:
            self.expected = Counter([action[1 + move.bindings.index(move.card)] >> 1])
            target = action[1 + move.bindings.index(move.target)]
            up = int(self.game.machine.face[target] == 1 and self.game.namer.family(target).face in ("up", "top seen"))
            if not can_see(self.game, target, 0, 1, up, self.player):
                self.expected = Counter()

    def _as_expected(self, number: int, piece: int, pile: int) -> None:
        if self.expected[piece >> 1] > 0:
            self.expected[piece >> 1] -= 1
            self.told[number] = piece >> 1


def pieces_in(game: Compiled, move: Move, action: Action) -> Iterator[int]:
    """The classes of the pieces that a move is bound to."""
    for var, value in zip(move.bindings, action[1:], strict=True):
        if var.kind.name == "piece" and value >= 0:
            yield value >> 1
        elif var.kind.name == "list" and var.kind.of_item.name == "piece":
            yield from (piece >> 1 for piece in value)


def _moved(name: str, kinds: Sequence[Any], old: list[list[int]], found: list[list[int]]) -> bool:
    """Do the pieces of a kind lie otherwise than they did?"""

    def lie(piles: list[list[int]]) -> list[list[int]]:
        return [[p for p in list.__iter__(pile) if kinds[p >> 1].name == name] for pile in piles]

    return lie(old) != lie(found)


def plain_copy(core: Core) -> Core:
    """A copy that notes nothing."""
    found = Core.__new__(Core)
    found.chance, found.log, found.looking, found.over = core.chance, None, False, core.over
    found.piles = [list(list.__iter__(pile)) for pile in core.piles]
    found.cells = [plain(value) for value in list.__iter__(core.cells)]
    found.pc, found.acts, found.faults, found.actor, found.back = core.pc, [], (), core.actor, None
    if core.back is not None:
        found.back = ([list(list.__iter__(pile)) for pile in core.back[0]], core.back[1])
    return found


def outcome(game: Compiled, player: int, core: Core, came_to: int, since: int = 0) -> Outcome:
    """What a seat sees and hears when a block has been run, which the log tells of after so many events. Which pieces they are that it
    sees then, marks tell: of several that would have done it may be any."""
    public = game.cache.get(("players", "public", player))
    if public is None:
        secret = {*_secret_cells(game, player)}
        public = game.cache["players", "public", player] = [
            c for c in range(game.machine.state_size) if c not in secret
        ]
    asked = (core.actor, core.pc) if came_to == STOP else ()
    values: Sequence[Any] = core.cells if type(core.cells) is list else [*list.__iter__(core.cells)]
    cells = [values[cell] if type(values[cell]) is int else plain(values[cell]) for cell in public]
    said = [event for event in (core.log or ())[since:] if event[0] == "say"]
    return (came_to, asked, tuple(cells), tuple(map(len, core.piles)), tuple(said))


def _secret_cells(game: Compiled, player: int) -> Iterator[int]:
    """The state that a seat may not know."""
    for family in game.ruleset.state.values():
        if family.secret:
            yield from (family.base + m for m in range(family.size) if not can_know(game, family, m, player))
