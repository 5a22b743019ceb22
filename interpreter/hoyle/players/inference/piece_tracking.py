"""Track what a seat knows of hidden pieces through a replayed move.

A mark is a number that stands for a hidden piece as the seat can follow it. When pieces are mixed, they get new marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_see
from hoyle.players.inference.proofs import (
    Excluded,
    Proof,
    Spot,
    exclude_by_block,
    exclude_by_move,
    find_hidden,
    prove_block,
    prove_move,
)
from hoyle.players.inference.recording_state import (
    Added,
    BlockEnd,
    BlockRun,
    CellsReset,
    Confused,
    Removed,
    Replay,
    ReplayEvent,
    Restored,
    Revealed,
    Role,
    Shuffled,
)
from hoyle.players.inference.scope import scope, scope_of_block
from hoyle.running.machine import STOP
from hoyle.running.state import Action, Core


class Bag(Struct, frozen=True):
    """The fact that pieces of these classes are among the pieces with these marks."""

    marks: frozenset[int]
    classes: tuple[int, ...]

    @property
    def is_full(self) -> bool:
        return len(self.marks) == len(self.classes)

    def remove(self, piece_class: int, marks: frozenset[int] = frozenset()) -> Bag:
        """Return the bag without a piece, and without these marks."""
        classes = [*self.classes]
        classes.remove(piece_class)
        return Bag(self.marks - marks, tuple(classes))


class Mix(Struct, frozen=True):
    """The event that pieces got new marks in unknown order. `known`, `may` and `bags` are the knowledge before it."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    known: Mapping[int, int]
    may: Mapping[int, int]
    bags: tuple[Bag, ...]


Constraint = Mix | Proof


class PieceTracker:
    """The changing knowledge of a seat (see `knowledge.Knowledge`)."""

    def __init__(
        self,
        game: Compiled,
        player: int,
        piles: Iterable[Sequence[int]],
        known: Mapping[int, int],
        may: Mapping[int, int],
        bags: Iterable[Bag],
        past: Iterable[Constraint],
        cells: Mapping[int, Any],
    ) -> None:
        self.game, self.player = game, player
        self.piles = [[*pile] for pile in piles]
        self.known, self.may = dict(known), dict(may)
        self.bags, self.past, self.cells = [*bags], [*past], dict(cells)
        self.numbers = [[*pile] for pile in self.piles]
        self.flying: dict[int, int] = {}
        self.told: Mapping[int, int] = {}
        self.removed: list[tuple[Removed, int]] = []
        self.next = 0
        self.has_restarted = False
        self.at_once: BlockRun | None = None
        self.run: BlockRun | None = None
        self.hidden: tuple[Spot, ...] = ()
        self.roles: dict[int, Role] = {}
        self.shuffled: list[tuple[int, ...]] = []
        self.past_before_run = 0

    def update(self, replay: Replay, before: Core, action: Action | None) -> None:
        """Update the knowledge by a replayed move. Without an action, it is the start of a game."""
        self.next = replay.next
        self.told = {**replay.told, **dict(self._list_visible(replay.end))}
        hidden = find_hidden(self.game, before, self.player, self.piles)
        index = len(self.past)
        is_settled = action is None or before.actor == self.player
        is_settled = is_settled or self._exclude_by_move(replay, before, action or (), hidden)
        for event in replay.events:
            self._apply(event)
        for number, mark in self._list_marks():
            if number in self.told:
                self.see(mark, self.told[number])
        if action is not None and not self.has_restarted and (self.at_once is not None or not is_settled):
            roles = dict(replay.listed) if not is_settled else {}
            roles |= self.at_once.looked_at if self.at_once is not None else {}
            proof = prove_move(
                self.game, self.player, before, action, hidden, self.removed, self.known, roles, self.at_once
            )
            self.past[index:index] = [proof] if proof is not None else []
        self._simplify(replay.end)

    def _list_visible(self, end: Core) -> Iterator[tuple[int, int]]:
        """Yield the numbers and classes of pieces that the seat sees after the move."""
        for number, pile in enumerate(end.piles):
            numbers = pile.numbers if hasattr(pile, "numbers") else ()
            for height, piece in enumerate(list.__iter__(pile)):
                if can_see(self.game, number, height, len(pile), piece, self.player):
                    yield numbers[height], piece >> 1

    def _apply(self, event: ReplayEvent) -> None:
        match event:
            case Removed():
                self._remove(event)
            case Added(number, pile):
                self.piles[pile].append(self.flying.pop(number))
                self.numbers[pile].append(number)
            case Revealed(number, pile, piece_class):
                self.piles[pile].append(number)
                self.numbers[pile].append(number)
                self._take_out_of_bag(piece_class)
                self.known[number] = piece_class
            case Shuffled(pile, numbers):
                self.piles[pile] = self._mix(self.piles[pile])
                self.numbers[pile] = [*numbers]
                self.shuffled.append(tuple(self.piles[pile]))
                self._restart_if_all_mixed(self.piles[pile])
            case Confused(numbers):
                marks = dict(self._list_marks())
                self._mix([marks[number] for number in numbers])
            case Restored(pile, numbers):
                here = dict(zip(self.numbers[pile], self.piles[pile], strict=True))
                self.piles[pile] = [here.get(number, number) for number in numbers]
                self.numbers[pile] = [*numbers]
            case BlockRun():
                self._start_block(event)
            case BlockEnd():
                self._end_block()
            case CellsReset(cells):
                self._forget_cells(cells)
                self.cells |= cells
            case _:
                assert_never(event)

    # ---- removed pieces ----------------------------------------------------------------------------------------------

    def _remove(self, event: Removed) -> None:
        pile = self.piles[event.pile]
        self.numbers[event.pile].pop(event.height)
        is_identified = event.seen[event.height] or event.by_place
        mark = pile.pop(event.height) if is_identified else self._pick_mark(event)
        if event.piece in self.told:
            self.see(mark, self.told[event.piece])
        self.flying[event.piece] = mark
        self.removed.append((event, mark))

    def _pick_mark(self, event: Removed) -> int:
        """Pick a mark for a piece that left a hand unseen. The remaining hidden marks close the gap."""
        unseen = [mark for mark, seen in zip(self.piles[event.pile], event.seen, strict=True) if not seen]
        if event.piece in self.told:
            mark = self._find_mark_for(unseen, self.told[event.piece])
        else:
            mark = self._mix(unseen)[-1]
        pile = self.piles[event.pile]  # mixed marks are new
        rest = iter([m for m, seen in zip(pile, event.seen, strict=True) if not seen and m != mark])
        lying = [*zip(pile, event.seen, strict=True)]
        del lying[event.height]
        self.piles[event.pile] = [m if seen else next(rest) for m, seen in lying]
        return mark

    def _find_mark_for(self, unseen: list[int], piece_class: int) -> int:
        """Find the mark known to be of a class. If there is none, mix the marks that may be of it and take one."""
        for mark in unseen:
            if self.known.get(mark) == piece_class:
                return mark
        possible = [mark for mark in unseen if self.may.get(mark, 0) >> piece_class & 1]
        bagged = [m for m in possible if any(m in bag.marks and piece_class in bag.classes for bag in self.bags)]
        if bagged and self.game.machine.copies[piece_class] == 1:
            possible = bagged
        return self._mix(possible or unseen)[-1]

    # ---- mixed pieces ------------------------------------------------------------------------------------------------

    def _mix(self, marks: list[int]) -> list[int]:
        """Give pieces new marks in unknown order. Returns the same marks if nothing distinguishes them."""
        if len({self._describe(mark) for mark in marks}) <= 1:
            return marks
        fresh = [*range(self.next, self.next + len(marks))]
        self.next += len(marks)
        known = {mark: self.known[mark] for mark in marks if mark in self.known}
        unknown = [mark for mark in marks if mark not in known]
        if self._loses_something(marks, unknown):
            may = {mark: self.may[mark] for mark in unknown}
            self.past.append(Mix(tuple(marks), tuple(fresh), known, may, tuple(self.bags)))
        self._rename(marks, fresh)
        either = 0
        for mark in marks:
            either |= self.may[mark] if mark not in known else class_mask(self.game, 2 * known[mark])
        self.may |= dict.fromkeys(fresh, either)
        if known:
            self.bags.append(Bag(frozenset(fresh), tuple(known.values())))
        return fresh

    def _describe(self, mark: int) -> object:
        """Return a key of everything known about a mark. Marks with equal keys are interchangeable."""
        if mark in self.known:
            return mark
        roles = tuple((mark in p.after or None) if isinstance(p, Mix) else p.roles.get(mark) for p in self.past)
        return self.may[mark], tuple(mark in bag.marks for bag in self.bags), roles

    def _loses_something(self, marks: list[int], unknown: list[int]) -> bool:
        """Return True if knowledge is lost unless a `Mix` records which marks were mixed."""
        among = set(marks)
        if len({self.may[mark] for mark in unknown}) > 1:
            return True
        if any(among & (frozenset(p.after) if isinstance(p, Mix) else p.marks) for p in self.past):
            return True
        return any(len(bag.classes) > 1 and bag.marks & among and not bag.marks <= among for bag in self.bags)

    def _rename(self, marks: list[int], fresh: list[int]) -> None:
        new = dict(zip(marks, fresh, strict=True))
        self.piles = [[new.get(mark, mark) for mark in pile] for pile in self.piles]
        self.flying = {number: new.get(mark, mark) for number, mark in self.flying.items()}
        for n, bag in enumerate(self.bags):
            if bag.marks & new.keys():
                self.bags[n] = Bag(bag.marks - new.keys() | frozenset(fresh), bag.classes)

    def _restart_if_all_mixed(self, pile: list[int]) -> None:
        """Drop all constraints once every unknown piece lies mixed in one pile."""
        unknown = {mark for own in self.piles for mark in own if mark not in self.known}
        unknown |= {mark for mark in self.flying.values() if mark not in self.known}
        if unknown <= set(pile):
            self.past.clear()
            self.has_restarted = True
            for mark in unknown:
                self.may[mark] = (1 << len(self.game.namer.piece_kinds)) - 1

    # ---- what is seen and proved -------------------------------------------------------------------------------------

    def see(self, mark: int, piece_class: int) -> None:
        """Learn the class of a mark."""
        if mark in self.known:
            return
        self.known[mark] = piece_class
        having = [n for n, bag in enumerate(self.bags) if mark in bag.marks and piece_class in bag.classes]
        spent = min(having, key=lambda n: (not self.bags[n].is_full, len(self.bags[n].marks)), default=-1)
        for n, bag in enumerate(self.bags):
            if n == spent:
                self.bags[n] = bag.remove(piece_class, frozenset((mark,)))
            elif mark in bag.marks:
                self.bags[n] = Bag(bag.marks - {mark}, bag.classes)

    def _take_out_of_bag(self, piece_class: int) -> None:
        """Remove a piece that everybody sees now from the first bag that has one."""
        for n, bag in enumerate(self.bags):
            if piece_class in bag.classes:
                self.bags[n] = bag.remove(piece_class)
                return

    def _exclude_by_move(self, replay: Replay, before: Core, action: Action, hidden: Sequence[object]) -> bool:
        """Exclude classes that a move disproves for single pieces. Returns True if the move proves nothing else."""
        point = self.game.machine.points[before.pc]
        found = scope(self.game, (point,), action[0])
        if not hidden or not found.matters:
            return True
        first = replay.events[0] if replay.events else None
        if isinstance(first, Removed) and not first.seen[first.height] and first.piece not in self.told:
            return False
        if not found.apart or point.together:
            return False
        plain = (found.plain, *action[1:])
        self._exclude(exclude_by_move(self.game, self.player, before, plain, self.piles, self.may))
        return bool(found.plain == action[0])

    def _exclude(self, excluded: Iterable[Excluded]) -> None:
        for marks, classes in excluded:
            for mark in marks:
                self.may[mark] &= ~classes

    def _start_block(self, run: BlockRun) -> None:
        self._forget_cells(dict.fromkeys(run.cells))
        if run.action is not None:
            self.at_once = run
        elif run.outcome[0] != STOP and run.lots == () and scope_of_block(self.game, run.pc).apart:
            self._exclude(exclude_by_block(self.game, self.player, run.core, run.pc, self.piles, self.may))
        self.run, self.shuffled = run, []
        self.hidden = find_hidden(self.game, run.core, self.player, self.piles)
        self.roles = self._key_by_mark(run.looked_at)
        self.past_before_run = len(self.past)

    def _end_block(self) -> None:
        """Add what the block proves. If it shuffled, the proof is about the pieces after the shuffle."""
        if self.run is None or self.run.action is not None:
            self.at_once = None if self.shuffled else self.at_once
            return
        roles = self._key_by_mark(self.run.looked_at) if self.shuffled else self.roles
        proof = prove_block(self.game, self.player, self.run, self.hidden, roles, tuple(self.shuffled))
        index = len(self.past) if self.shuffled else self.past_before_run
        self.past[index:index] = [proof] if proof is not None else []

    def _key_by_mark(self, looked_at: Mapping[int, Role]) -> dict[int, Role]:
        marks = dict(self._list_marks())
        return {marks[number]: role for number, role in looked_at.items() if number in marks}

    def _list_marks(self) -> Iterator[tuple[int, int]]:
        """Yield the number of each piece with its mark."""
        for numbers, marks in zip(self.numbers, self.piles, strict=True):
            yield from zip(numbers, marks, strict=True)

    def _forget_cells(self, cells: Mapping[int, Any]) -> None:
        """Forget the values of secret cells that were set."""
        self.cells = {cell: value for cell, value in self.cells.items() if cell not in cells}
        self.past = [p.without_cells(cells) if isinstance(p, Proof) else p for p in self.past]

    # ---- simplification ----------------------------------------------------------------------------------------------

    def _simplify(self, end: Core) -> None:
        """Restrict each piece to the classes of its kind, then simplify the bags."""
        for pile, marks in zip(end.piles, self.piles, strict=True):
            for piece, mark in zip(list.__iter__(pile), marks, strict=True):
                if mark not in self.known:
                    self.may[mark] = self.may.get(mark, -1) & class_mask(self.game, piece)
        while self._simplify_bags():
            pass

    def _simplify_bags(self) -> bool:
        """Identify the pieces of one bag and return True; if no bag is decided, drop bags that say nothing."""
        for bag in self.bags:
            if bag.is_full and len(set(bag.classes)) == 1:
                for mark in bag.marks:
                    self.see(mark, bag.classes[0])
                return True
        unknown = {mark: self.may[mark] for pile in self.piles for mark in pile if mark not in self.known}
        bags = [Bag(bag.marks & unknown.keys(), bag.classes) for bag in self.bags if bag.classes]
        self.bags = [bag for bag in bags if not _is_useless(bag, unknown)]
        return False

    def forget(self, kept: Iterable[Sequence[int]]) -> None:
        """Drop constraints and marks that no current or `kept` pile depends on."""
        while self.past and _is_resolved(self.past[0], self.known):
            del self.past[0]
        self.past = [p for p in self.past if not isinstance(p, Proof) or not _is_resolved(p, self.known)]
        needed = {mark for pile in (*self.piles, *kept) for mark in pile}
        for p in self.past:
            needed |= p.marks if isinstance(p, Proof) else {*p.before, *p.after}
        self.known = {mark: piece_class for mark, piece_class in self.known.items() if mark in needed}
        self.may = {mark: classes for mark, classes in self.may.items() if mark in needed and mark not in self.known}


def class_mask(game: Compiled, piece: int) -> int:
    """Return the classes of a piece's kind as a bit mask."""
    kind = game.namer.piece_kinds[piece >> 1]
    return ((1 << len(kind.classes)) - 1) << kind.base


def _is_useless(bag: Bag, unknown: Mapping[int, int]) -> bool:
    """Return True if the bag says nothing: its pieces could not lie outside it anyway."""
    classes = 0
    for piece_class in bag.classes:
        classes |= 1 << piece_class
    return all(mark in bag.marks for mark, may in unknown.items() if may & classes)


def _is_resolved(past: Constraint, known: Mapping[int, int]) -> bool:
    if isinstance(past, Mix):
        return all(mark in known for mark in past.after)
    return past.is_resolved(known)
