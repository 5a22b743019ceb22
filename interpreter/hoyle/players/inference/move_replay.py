"""Replay a move in a recording state, to learn where each piece goes and which hidden pieces the rules read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_know, can_see
from hoyle.language.ir import Cell
from hoyle.language.model import Move
from hoyle.players.inference.recording_state import (
    Added,
    BlockEnd,
    BlockRun,
    Cells,
    CellsReset,
    Confused,
    Log,
    Outcome,
    Pieces,
    Piles,
    Recorder,
    Removed,
    Replay,
    ReplayEvent,
    Restored,
    Revealed,
    Role,
    Shuffled,
    unveil,
)
from hoyle.players.inference.scope import is_looking, scope
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_BLOCKS, STOP
from hoyle.running.state import Action, Core, Event


class _LoggedChance(Chance):
    """Chance that repeats logged events."""

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


class _RedrawnChance(Chance):
    """Chance drawn again from its stream; shuffles return a new list."""

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        return super().shuffle(pile, list(items), least)


def replay_move(
    game: Compiled,
    player: int,
    before: Core,
    numbers: list[list[int]],
    kept: list[list[int]] | None,
    action: Action | None,
    events: Sequence[Event] | None,
) -> Replay:
    """Make a move again, or start the game if `action` is None.

    Args:
        numbers: numbers of the pieces of each pile; `kept`, of the piles that may be restored.
        events: chance events of the move; None to draw them from the state's own stream.
    """
    return _Replayer(game, player, before, numbers, kept, events).run(action)


class _Replayer(Recorder):
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
        self.events: list[ReplayEvent] = []
        self.told: dict[int, int] = {}
        self.visible: frozenset[int] | None = None
        self.flying: list[tuple[int, int]] = []
        self.next = 1 + max((n for pile in [*numbers, *(kept or [])] for n in pile), default=-1)
        self.expected: Counter[int] = Counter()
        super().__init__(frozenset(_list_secret_cells(game, player)))
        self.lots: list[Any] | None = []
        self.core = s = before.copy()
        s.chance = (
            _LoggedChance(events) if events is not None else _RedrawnChance(before.chance.state, before.chance.step)
        )
        piles = enumerate(zip(before.piles, numbers, strict=True))
        s.piles = Piles((Pieces(pile, own[:], n, self) for n, (pile, own) in piles), self)
        s.cells = Cells(s.cells, self)
        s.log = Log(self)
        if before.back is not None and kept is not None:
            s.back = ([Pieces(p, own[:]) for p, own in zip(before.back[0], kept, strict=True)], before.back[1])

    def run(self, action: Action | None) -> Replay:
        s, machine = self.core, self.game.machine
        listed: dict[int, Role] = {}
        pc = machine.entry
        if action is not None:
            listed = self._list_looks(action)
            self._expect_pieces(next(m for m in machine.points[s.pc].moves if m.number == action[0]), action)
            pc = self._run_block(s.pc, action)
        for _ in range(MOST_BLOCKS):
            if pc < 0:
                break
            pc = self._run_block(pc)
        kept = [p.numbers for p in s.back[0] if isinstance(p, Pieces)] if s.back is not None else None
        return Replay(self.events, self.told, kept, s, self.next, listed)

    def _list_looks(self, action: Action) -> dict[int, Role]:
        """Return the hidden pieces looked at to list this action, if they matter."""
        s, machine = self.core, self.game.machine
        if s.actor != self.player and scope(self.game, (machine.points[s.pc],), action[0]).matters:
            s.acts = []
            machine.advance(s, s.pc)
        return dict(self.looked_at)

    def _run_block(self, pc: int, action: Action | None = None) -> int:
        """Run a block, or the immediate part of a move. Record a `BlockRun` if it read or set anything hidden."""
        machine, s = self.game.machine, self.core
        before = _copy_plainly(s) if is_looking(self.game, pc, is_action=action is not None) else None
        start, since = len(self.events), len(s.log or ())
        self._clear_notes()
        result = machine.blocks[pc](s) if action is None else machine.apply[pc](s, action)
        if self.secrets:
            self._confuse(self.events[start:])
        looked_at = self._select_looks(result)
        if before is not None and (looked_at or self.set_now or self.secrets):
            lots = tuple(self.lots) if self.lots is not None else None
            outcome = observe_outcome(self.game, self.player, s, result, since)
            cells = tuple(sorted(self.set_now))
            self.events.insert(start, BlockRun(before, pc, action, outcome, looked_at, cells, self.secrets, lots))
            self.events.append(BlockEnd())
        return result

    def _clear_notes(self) -> None:
        self.lots, self.secrets, self.looks, self.visible = [], False, 0, None
        self.set_now.clear()
        self.looked_at.clear()

    def _confuse(self, events: Sequence[ReplayEvent]) -> None:
        """After a secret was read, nobody knows how many hidden pieces moved."""
        touched = {d.pile for d in events if isinstance(d, Removed) and d.by_place and not d.seen[d.height]}
        touched |= {d.pile for d in events if isinstance(d, Added)} if touched else set()
        piles = [pile for n in sorted(touched) for pile in (self.core.piles[n],) if isinstance(pile, Pieces)]
        hidden = [m for pile in piles for h, m in enumerate(pile.numbers) if not self.sees(pile, h)]
        if hidden:
            self.events.append(Confused(tuple(hidden)))
            self.lots = None

    def _select_looks(self, result: int) -> dict[int, Role]:
        """Return the hidden pieces that were read. Empty if only the list of actions read them, because the move itself proves as much."""
        looks, before = dict(self.looked_at), self.looks
        if result == STOP and looks:
            self.game.machine.advance(self.core, self.core.pc)
            return looks if self.looks - before < before else {}
        return looks

    def sees(self, pile: Pieces, height: int) -> bool:
        return can_see(self.game, pile.number, height, len(pile), list.__getitem__(pile, height), self.player)

    def is_visible(self, piece_class: int) -> bool:
        if self.visible is None:
            piles = [pile for pile in self.core.piles if isinstance(pile, Pieces)]
            seen = (p >> 1 for pile in piles for h, p in enumerate(pile) if self.sees(pile, h))
            self.visible = frozenset(one for one in seen if self.game.machine.copies[one] == 1)
        return piece_class in self.visible

    # ---- calls from piles, cells and log -----------------------------------------------------------------------------

    def piece_leaves(self, pile: Pieces, number: int, height: int, by_choice: bool) -> None:
        game, count = self.game, len(pile)
        seen = tuple(can_see(game, pile.number, h, count, p, self.player) for h, p in enumerate(list.__iter__(pile)))
        is_hand = game.namer.family(pile.number).face == "owner"
        by_place = not by_choice or (not is_hand and height == count - 1)
        piece = list.__getitem__(pile, height)
        self.events.append(Removed(number, piece >> 1, pile.number, height, seen, by_place))
        self.flying.append((number, piece))

    def piece_comes(self, pile: Pieces, piece: int) -> None:
        for place, (number, flying) in enumerate(self.flying):
            if flying >> 1 == piece >> 1:
                del self.flying[place]
                self.events.append(Added(number, pile.number))
                if self.expected[piece >> 1] > 0:
                    self.expected[piece >> 1] -= 1
                    self.told[number] = piece >> 1
                break
        else:
            number, self.next = self.next, self.next + 1
            self.events.append(Revealed(number, pile.number, piece >> 1))
        pile.numbers.append(number)

    def pile_shuffled(self, number: int, pieces: list[int]) -> Pieces:
        numbers = [*range(self.next, self.next + len(pieces))]
        self.next += len(pieces)
        self.events.append(Shuffled(number, tuple(numbers)))
        return Pieces(pieces, numbers, number, self)

    def piles_replaced(self, old: list[list[int]], new: list[list[int]]) -> list[list[int]]:
        """Handle `take_back`, which restores all piles, and gathering, which brings kinds of pieces home."""
        self.flying.clear()
        if all(isinstance(pile, Pieces) and pile.recorder is None for pile in new):
            restored = [Pieces(p, p.numbers, n, self) for n, p in enumerate(new) if isinstance(p, Pieces)]
            self.events += [Restored(pile.number, tuple(pile.numbers)) for pile in restored]
            return [*restored]
        return [*self._gather(old, new)]

    def _gather(self, old: list[list[int]], new: list[list[int]]) -> Iterator[Pieces]:
        kinds = self.game.namer.piece_kinds
        home = {k.name for k in self.game.ruleset.pieces.values() if _has_moved(k.name, kinds, old, new)}
        changed = [n for n, pile in enumerate(new) if pile is not old[n] or len(pile) != len(old[n])]
        for n, pile in enumerate(new):
            was = old[n]
            numbers = was.numbers if isinstance(was, Pieces) else []
            if n not in changed:
                yield Pieces(pile, numbers, n, self)
                continue
            stay = [m for m, p in zip(numbers, list.__iter__(was), strict=False) if kinds[p >> 1].name not in home]
            self.events.append(Restored(n, tuple(stay)))
            for piece in pile:
                if kinds[piece >> 1].name in home:
                    stay.append(self.next)
                    self.events.append(Revealed(self.next, n, piece >> 1))
                    self.next += 1
            yield Pieces(pile, stay, n, self)

    def cells_reset(self, cells: dict[int, Any]) -> None:
        self.events += [CellsReset(cells)] * bool(cells)

    def event_logged(self, event: Event) -> None:
        """Note the pieces that the seat is told: turned up, thrown, said or received."""
        game = self.game
        if event[0] == "turned":
            _, number, size, pieces = event
            self._tell_top(number, pieces, [size - len(pieces) + n for n in range(len(pieces))], size)
        elif event[0] == "roll":
            self.lots = None
            number, pieces = event[1:3]
            count = len(self.core.piles[number])
            self._tell_top(number, pieces, [count - 1] * len(pieces), count)
        elif event[0] == "lots" and self.lots is not None:
            row = game.machine.labels[event[1]].row
            secret = isinstance(row, Cell) and game.ruleset.state[row.ref.family].secret
            self.lots = None if secret else [*self.lots, event[2]]
        elif event[0] == "say":
            self._tell_said(event[1], event[2])
        elif event[0] == "received":
            _, number, pieces, giver = event
            if self.player in (game.namer.owner(number), giver):
                self._tell_flying(Counter(p >> 1 for p in pieces))

    def _tell_top(self, number: int, pieces: Sequence[int], heights: Sequence[int], size: int) -> None:
        """Tell which pieces are on top of a pile, if the seat can see them at these heights."""
        pile = self.core.piles[number]
        assert isinstance(pile, Pieces)
        lowest = size - len(pieces)
        for n, (piece, height) in enumerate(zip(pieces, heights, strict=True)):
            if can_see(self.game, number, height, size, piece, self.player):
                self.told[pile.numbers[lowest + n]] = piece >> 1

    def _tell_said(self, label: int, value: Any) -> None:
        """Tell everybody where a named piece lies, if it is the only piece that was looked at."""
        said = self.game.machine.labels[label]
        types = [said.row.type] if said.row is not None else [formula.type for formula in said.formulas]
        values = [value] if said.row is not None else value
        for value_type, piece in zip(types, values if types else (), strict=True):
            if value_type.name == "piece" and piece >= 0:
                alike = [n for n, role in self.looked_at.items() if self._class_at(role) == piece >> 1]
                self.told |= {alike[0]: piece >> 1} if len(alike) == 1 else {}

    def _class_at(self, role: Role) -> int:
        """Return the class of a piece if it was the only one looked at for its role; else -1."""
        if not isinstance(role, tuple) or role[1] >= len(self.core.piles[role[0]]):
            return -1
        return list.__getitem__(self.core.piles[role[0]], role[1]) >> 1

    def _tell_flying(self, classes: Counter[int]) -> None:
        for number, piece in self.flying:
            if classes[piece >> 1] > 0:
                classes[piece >> 1] -= 1
                self.told[number] = piece >> 1

    def _expect_pieces(self, move: Move, action: Action) -> None:
        """Note which pieces the seat is told with the move itself."""
        point = self.game.machine.points[self.core.pc]
        if self.core.actor == self.player or (move.openly and not point.together):
            self.expected = Counter(_list_classes(move, action))
        elif move.card is not None and move.target is not None and not point.together:
            target = action[1 + move.bindings.index(move.target)]
            up = int(self.game.machine.face[target] == 1 and self.game.namer.family(target).face in ("up", "top seen"))
            if can_see(self.game, target, 0, 1, up, self.player):
                self.expected = Counter([action[1 + move.bindings.index(move.card)] >> 1])


def _list_classes(move: Move, action: Action) -> Iterator[int]:
    for var, value in zip(move.bindings, action[1:], strict=True):
        if var.type.name == "piece" and value >= 0:
            yield value >> 1
        elif var.type.name == "list" and var.type.item_type.name == "piece":
            yield from (piece >> 1 for piece in value)


def _has_moved(name: str, kinds: Sequence[Any], old: list[list[int]], new: list[list[int]]) -> bool:
    """Return True if pieces of a kind lie in other places."""

    def select(piles: list[list[int]]) -> list[list[int]]:
        return [[p for p in list.__iter__(pile) if kinds[p >> 1].name == name] for pile in piles]

    return select(old) != select(new)


def _copy_plainly(core: Core) -> Core:
    """Copy a recording state to one that does not record."""
    found = Core.__new__(Core)
    found.chance, found.log, found.looking, found.over = core.chance, None, False, core.over
    found.piles = [list(list.__iter__(pile)) for pile in core.piles]
    found.cells = [unveil(value) for value in list.__iter__(core.cells)]
    found.pc, found.acts, found.faults, found.actor, found.back = core.pc, [], (), core.actor, None
    if core.back is not None:
        found.back = ([list(list.__iter__(pile)) for pile in core.back[0]], core.back[1])
    return found


def observe_outcome(game: Compiled, player: int, core: Core, result: int, since: int = 0) -> Outcome:
    """Return the visible result of a block for a seat: state and events, without the identity of pieces (marks identify them).

    `since` is the length of the log before the block.
    """
    public = game.cache.get(("players", "public", player))
    if public is None:
        secret = {*_list_secret_cells(game, player)}
        public = game.cache["players", "public", player] = [
            c for c in range(game.machine.state_size) if c not in secret
        ]
    asked = (core.actor, core.pc) if result == STOP else ()
    values: Sequence[Any] = core.cells if type(core.cells) is list else [*list.__iter__(core.cells)]
    cells = [values[cell] if type(values[cell]) is int else unveil(values[cell]) for cell in public]
    said = [event for event in (core.log or ())[since:] if event[0] == "say"]
    return (result, asked, tuple(cells), tuple(map(len, core.piles)), tuple(said))


def _list_secret_cells(game: Compiled, player: int) -> Iterator[int]:
    for family in game.ruleset.state.values():
        if family.secret:
            yield from (family.base + m for m in range(family.size) if not can_know(game, family, m, player))
