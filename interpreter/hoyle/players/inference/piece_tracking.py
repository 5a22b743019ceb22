"""Marks of pieces as they are carried through a move: which piece it is that has left a hand, what is seen of it, what was mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_never

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.views.view import can_see
from hoyle.players.inference.proofs import Excluded, Proof, Spot, by_block, by_move, of_block, of_move, spots
from hoyle.players.inference.recording_state import (
    Came,
    Confused,
    Course,
    Deed,
    Done,
    Left,
    Mixed,
    New,
    Put,
    Ran,
    Renewed,
    Role,
)
from hoyle.players.inference.scope import scope, scope_of_block
from hoyle.running.machine import STOP
from hoyle.running.state import Action, Core


class Bag(Struct, frozen=True):
    """Pieces of these classes are among those of these marks."""

    marks: frozenset[int]
    sorts: tuple[int, ...]

    @property
    def full(self) -> bool:
        return len(self.marks) == len(self.sorts)


class Mix(Struct, frozen=True):
    """The pieces of some marks have others since, nobody knows which has which; what was known of them before."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    known: Mapping[int, int]
    may: Mapping[int, int]
    bags: tuple[Bag, ...]


Past = Mix | Proof


class Marks:
    """What a seat knows while it changes."""

    def __init__(
        self,
        game: Compiled,
        player: int,
        piles: Iterable[Sequence[int]],
        known: Mapping[int, int],
        may: Mapping[int, int],
        bags: Iterable[Bag],
        past: Iterable[Past],
        cells: Mapping[int, Any],
    ) -> None:
        self.game, self.player = game, player
        self.piles = [[*pile] for pile in piles]
        self.known, self.may = dict(known), dict(may)
        self.bags, self.past, self.cells = [*bags], [*past], dict(cells)
        self.numbers = [[*pile] for pile in self.piles]
        self.flying: dict[int, int] = {}
        self.told: Mapping[int, int] = {}
        self.left: list[tuple[Left, int]] = []
        self.next = 0
        self.begun_again = False
        self.at_once: Ran | None = None
        self.ran: Ran | None = None
        self.hidden: tuple[Spot, ...] = ()
        self.roles: dict[int, Role] = {}
        self.shuffled: list[tuple[int, ...]] = []
        self.at = 0

    # ---- a move ------------------------------------------------------------------------------------------------------

    def carry(self, course: Course, before: Core, action: Action | None) -> None:
        """What the seat knows after a move, or after the beginning."""
        self.next = course.next
        self.told = {**course.told, **dict(self._seen_at_last(course.end))}
        hidden = spots(self.game, before, self.player, self.piles)
        at = len(self.past)
        apart = action is None or before.actor == self.player
        apart = apart or self._prove_apart(course, before, action or (), hidden)
        for deed in course.deeds:
            self._carry(deed)
        for number, mark in self._numbered():
            if number in self.told:
                self.see(mark, self.told[number])
        if action is not None and not self.begun_again and (self.at_once is not None or not apart):
            roles = dict(course.listed) if not apart else {}
            roles |= self.at_once.looked_at if self.at_once is not None else {}
            proof = of_move(self.game, self.player, before, action, hidden, self.left, self.known, roles, self.at_once)
            self.past[at:at] = [proof] if proof is not None else []
        self._settle(course.end)

    def _seen_at_last(self, end: Core) -> Iterator[tuple[int, int]]:
        """What the seat sees where the move has come to its end."""
        for number, pile in enumerate(end.piles):
            numbers = pile.numbers if hasattr(pile, "numbers") else ()
            for height, piece in enumerate(list.__iter__(pile)):
                if can_see(self.game, number, height, len(pile), piece, self.player):
                    yield numbers[height], piece >> 1

    def _carry(self, deed: Deed) -> None:
        match deed:
            case Left():
                self._leave(deed)
            case Came(number, pile):
                self.piles[pile].append(self.flying.pop(number))
                self.numbers[pile].append(number)
            case New(number, pile, sort):
                self.piles[pile].append(number)
                self.numbers[pile].append(number)
                self._find(sort)
                self.known[number] = sort
            case Mixed(pile, numbers):
                self.piles[pile] = self._mixed(self.piles[pile])
                self.numbers[pile] = [*numbers]
                self.shuffled.append(tuple(self.piles[pile]))
                self._begin_again(self.piles[pile])
            case Confused(numbers):
                marks = dict(self._numbered())
                self._mixed([marks[number] for number in numbers])
            case Put(pile, numbers):
                here = dict(zip(self.numbers[pile], self.piles[pile], strict=True))
                self.piles[pile] = [here.get(number, number) for number in numbers]
                self.numbers[pile] = [*numbers]
            case Ran():
                self._ran(deed)
            case Done():
                self._done()
            case Renewed(cells):
                self._set(cells)
                self.cells |= cells
            case _:
                assert_never(deed)

    # ---- what leaves a pile ------------------------------------------------------------------------------------------

    def _leave(self, deed: Left) -> None:
        pile = self.piles[deed.pile]
        self.numbers[deed.pile].pop(deed.height)
        seen = deed.seen[deed.height] or deed.by_place
        mark = pile.pop(deed.height) if seen else self._which(deed)
        if deed.piece in self.told:
            self.see(mark, self.told[deed.piece])
        self.flying[deed.piece] = mark
        self.left.append((deed, mark))

    def _which(self, deed: Left) -> int:
        """The mark of a piece that left a hand of which the seat did not see it leave; what the seat sees there stays in its place."""
        pile = self.piles[deed.pile]
        unseen = [mark for mark, seen in zip(pile, deed.seen, strict=True) if not seen]
        mark = (
            self._any_of(unseen)
            if deed.piece not in self.told
            else self._one_that_may_be(unseen, self.told[deed.piece])
        )
        pile = self.piles[deed.pile]  # what was mixed has new marks
        unseen = [m for m, seen in zip(pile, deed.seen, strict=True) if not seen and m != mark]
        rest, lying = iter(unseen), [*zip(pile, deed.seen, strict=True)]
        del lying[deed.height]
        self.piles[deed.pile] = [m if seen else next(rest) for m, seen in lying]
        return mark

    def _any_of(self, unseen: list[int]) -> int:
        return self._mixed(unseen)[-1]

    def _one_that_may_be(self, unseen: list[int], sort: int) -> int:
        for mark in unseen:
            if self.known.get(mark) == sort:
                return mark
        possible = [mark for mark in unseen if self.may.get(mark, 0) >> sort & 1]
        among = [mark for mark in possible if any(mark in bag.marks and sort in bag.sorts for bag in self.bags)]
        if among and self.game.machine.copies[sort] == 1:
            possible = among
        return self._mixed(possible or unseen)[-1]

    # ---- what is mixed -----------------------------------------------------------------------------------------------

    def _mixed(self, marks: list[int]) -> list[int]:
        """Marks for the same pieces, nobody knows which for which; the same marks where that is no news."""
        if len({self._status(mark) for mark in marks}) <= 1:
            return marks
        fresh = [*range(self.next, self.next + len(marks))]
        self.next += len(marks)
        known = {mark: self.known[mark] for mark in marks if mark in self.known}
        unknown = [mark for mark in marks if mark not in known]
        if self._matters(marks, unknown):
            may = {mark: self.may[mark] for mark in unknown}
            self.past.append(Mix(tuple(marks), tuple(fresh), known, may, tuple(self.bags)))
        self._rename(marks, fresh)
        either = 0
        for mark in marks:
            either |= self.may[mark] if mark not in known else of_kind(self.game, 2 * known[mark])
        self.may |= dict.fromkeys(fresh, either)
        if known:
            self.bags.append(Bag(frozenset(fresh), tuple(known.values())))
        return fresh

    def _status(self, mark: int) -> object:
        """What tells a mark from others."""
        if mark in self.known:
            return mark
        return self.may[mark], tuple(mark in bag.marks for bag in self.bags), tuple(_role(p, mark) for p in self.past)

    def _matters(self, marks: list[int], unknown: list[int]) -> bool:
        """Would something be forgotten if it were not remembered which marks these were?"""
        among = set(marks)
        if len({self.may[mark] for mark in unknown}) > 1 or any(among & _about(past) for past in self.past):
            return True
        return any(len(bag.sorts) > 1 and bag.marks & among and not bag.marks <= among for bag in self.bags)

    def _rename(self, marks: list[int], fresh: list[int]) -> None:
        new = dict(zip(marks, fresh, strict=True))
        self.piles = [[new.get(mark, mark) for mark in pile] for pile in self.piles]
        self.flying = {number: new.get(mark, mark) for number, mark in self.flying.items()}
        for n, bag in enumerate(self.bags):
            if bag.marks & new.keys():
                self.bags[n] = Bag(bag.marks - new.keys() | frozenset(fresh), bag.sorts)

    def _begin_again(self, pile: list[int]) -> None:
        """Once everything unknown lies mixed in one pile, nothing from before says where."""
        unknown = {mark for own in self.piles for mark in own if mark not in self.known}
        unknown |= {mark for mark in self.flying.values() if mark not in self.known}
        if unknown <= set(pile):
            self.past.clear()
            self.begun_again = True
            for mark in unknown:
                self.may[mark] = (1 << len(self.game.namer.piece_kinds)) - 1

    # ---- what is seen and proved -------------------------------------------------------------------------------------

    def see(self, mark: int, sort: int) -> None:
        """The seat knows what piece a mark is of."""
        if mark in self.known:
            return
        self.known[mark] = sort
        having = [n for n, bag in enumerate(self.bags) if mark in bag.marks and sort in bag.sorts]
        spent = min(having, key=lambda n: (not self.bags[n].full, len(self.bags[n].marks)), default=-1)
        for n, bag in enumerate(self.bags):
            if mark in bag.marks:
                sorts = [*bag.sorts]
                if n == spent:
                    sorts.remove(sort)
                self.bags[n] = Bag(bag.marks - {mark}, tuple(sorts))

    def _find(self, sort: int) -> None:
        """A piece lies where all know it, wherever it was: no bag has it."""
        for n, bag in enumerate(self.bags):
            if sort in bag.sorts:
                sorts = [*bag.sorts]
                sorts.remove(sort)
                self.bags[n] = Bag(bag.marks, tuple(sorts))
                return

    def _prove_apart(self, course: Course, before: Core, action: Action, hidden: Sequence[object]) -> bool:
        """What a move proves of each piece by itself; is that all?"""
        point = self.game.machine.points[before.pc]
        found = scope(self.game, (point,), action[0])
        if not hidden or not found.matters:
            return True
        first = course.deeds[0] if course.deeds else None
        if isinstance(first, Left) and not first.seen[first.height] and first.piece not in self.told:
            return False
        if not found.apart or point.together:
            return False
        plain = (found.plain, *action[1:])
        self._exclude(by_move(self.game, self.player, before, plain, self.piles, self.may))
        return bool(found.plain == action[0])

    def _exclude(self, excluded: Iterable[Excluded]) -> None:
        for marks, sorts in excluded:
            for mark in marks:
                self.may[mark] &= ~sorts

    def _ran(self, deed: Ran) -> None:
        """Rules looked at what is hidden, and something came of it; or what is secret was set."""
        self._set(dict.fromkeys(deed.cells))
        if deed.action is not None:
            self.at_once = deed
        elif deed.outcome[0] != STOP and deed.lots == () and scope_of_block(self.game, deed.pc).apart:
            self._exclude(by_block(self.game, self.player, deed.core, deed.pc, self.piles, self.may))
        self.ran, self.shuffled = deed, []
        self.hidden = spots(self.game, deed.core, self.player, self.piles)
        self.roles = self._by_mark(deed.looked_at)
        self.at = len(self.past)

    def _done(self) -> None:
        """What a block proves that is at its end. If pieces were mixed in it, it looked at what came of that."""
        if self.ran is None or self.ran.action is not None:
            self.at_once = None if self.shuffled else self.at_once
            return
        roles = self._by_mark(self.ran.looked_at) if self.shuffled else self.roles
        proof = of_block(self.game, self.player, self.ran, self.hidden, roles, tuple(self.shuffled))
        at = len(self.past) if self.shuffled else self.at
        self.past[at:at] = [proof] if proof is not None else []

    def _by_mark(self, looked_at: Mapping[int, Role]) -> dict[int, Role]:
        marks = dict(self._numbered())
        return {marks[number]: role for number, role in looked_at.items() if number in marks}

    def _numbered(self) -> Iterator[tuple[int, int]]:
        """The mark of each piece, by the number that it is followed by."""
        for numbers, marks in zip(self.numbers, self.piles, strict=True):
            yield from zip(numbers, marks, strict=True)

    def _set(self, cells: Mapping[int, Any]) -> None:
        """What was known of secret cells is no longer so."""
        self.cells = {cell: value for cell, value in self.cells.items() if cell not in cells}
        self.past = [p.without(cells) if isinstance(p, Proof) else p for p in self.past]

    # ---- afterwards --------------------------------------------------------------------------------------------------

    def _settle(self, end: Core) -> None:
        """Say in the simplest way what is known."""
        for pile, marks in zip(end.piles, self.piles, strict=True):
            for piece, mark in zip(list.__iter__(pile), marks, strict=True):
                if mark not in self.known:
                    self.may[mark] = self.may.get(mark, -1) & of_kind(self.game, piece)
        while self._settled_more():
            pass

    def _settled_more(self) -> bool:
        for bag in self.bags:
            if bag.full and len(set(bag.sorts)) == 1:
                for mark in bag.marks:
                    self.see(mark, bag.sorts[0])
                return True
        unknown = {mark: self.may[mark] for pile in self.piles for mark in pile if mark not in self.known}
        there = [Bag(bag.marks & unknown.keys(), bag.sorts) for bag in self.bags if bag.sorts]
        self.bags = [bag for bag in there if not _says_nothing(bag, unknown)]
        return False

    def forget(self, kept: Iterable[Sequence[int]]) -> None:
        """Leave out what is no longer about anything."""
        while self.past and _is_over(self.past[0], self.known):
            del self.past[0]
        self.past = [p for p in self.past if not isinstance(p, Proof) or not _is_over(p, self.known)]
        needed = {mark for pile in (*self.piles, *kept) for mark in pile}
        for p in self.past:
            needed |= p.marks if isinstance(p, Proof) else {*p.before, *p.after}
        self.known = {mark: sort for mark, sort in self.known.items() if mark in needed}
        self.may = {mark: sorts for mark, sorts in self.may.items() if mark in needed and mark not in self.known}


def of_kind(game: Compiled, piece: int) -> int:
    """The classes of the kind of a piece: a bit for each."""
    kind = game.namer.piece_kinds[piece >> 1]
    return ((1 << len(kind.classes)) - 1) << kind.base


def _role(past: Past, mark: int) -> object:
    """What a mark is in something that may not be contradicted; None: nothing."""
    if isinstance(past, Mix):
        return mark in past.after or None
    return past.roles.get(mark)


def _about(past: Past) -> frozenset[int]:
    """The marks that must be known to say whether something is contradicted."""
    return frozenset(past.after) if isinstance(past, Mix) else past.marks


def _says_nothing(bag: Bag, unknown: Mapping[int, int]) -> bool:
    """Is there no other place for these pieces anyway?"""
    sorts = 0
    for sort in bag.sorts:
        sorts |= 1 << sort
    return all(mark in bag.marks for mark, may in unknown.items() if may & sorts)


def _is_over(past: Past, known: Mapping[int, int]) -> bool:
    if isinstance(past, Mix):
        return all(mark in known for mark in past.after)
    return past.is_over(known)
