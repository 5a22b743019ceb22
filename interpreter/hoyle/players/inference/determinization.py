"""States that look the same to a seat now, and in which all was so that it has seen and been told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import HiddenPiece, RedactedState, fill_hidden, has_same_moves, run_to_decision
from hoyle.native.visibility_tables import LISTED, PIECE, natures
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.inference.piece_tracking import Bag, Mix
from hoyle.players.inference.proofs import Proof, holds
from hoyle.running.chance import Chance
from hoyle.running.machine import STOP
from hoyle.running.state import Action, Core

MOST_WAYS = 20_000
"""So many ways of sharing out pieces of a sort are looked at; where there are more, they are exchanged until they fit."""
EXCHANGES = 4
"""How often, for each mark, two pieces that may be exchanged are."""

Caps = tuple[int, ...]
Share = tuple[int, ...]
"""How many go to each group."""


class _Sort(Struct, frozen=True):
    """Pieces that may lie in the same groups."""

    pieces: tuple[int, ...]
    groups: tuple[int, ...]


class TooMany(Exception):
    """There are too many ways to look at all of them."""


class Dealer:
    """Deals unseen pieces. `may`: of each mark the classes that its piece may have; `bags`: pieces that are among some marks; `unseen`: the
    pieces there are."""

    def __init__(self, may: Mapping[int, int], bags: Sequence[Bag], unseen: Counter[int]) -> None:
        self.may, self.bags = may, bags
        self.loose = Counter(sort for bag in bags for sort in bag.sorts)
        self.free = sorted((unseen - self.loose).elements())
        possible = sum(1 << sort for sort in unseen)
        groups: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
        for mark, sorts in may.items():
            groups.setdefault((sorts & possible, tuple(mark in bag.marks for bag in bags)), []).append(mark)
        self.marks = [*groups.values()]
        self.keys = [*groups]
        self.caps = tuple(map(len, self.marks))
        self.sorts = sorted(self._sorts(), key=lambda sort: len(sort.groups))
        self.looked_at = 0
        self.shares: dict[tuple[int, Caps], tuple[list[Share], list[int]]] = {}
        self.known_ways: dict[tuple[int, Caps], int] = {}
        try:
            self.exactly = True
            self.possible = sum(self.caps) == len(self.free) + self.loose.total() and self._ways(0, self.caps) > 0
        except TooMany:
            self.exactly, self.possible = False, True

    def _sorts(self) -> Iterator[_Sort]:
        alike: dict[tuple[int, ...], list[int]] = {}
        for sort in self.free:
            alike.setdefault(tuple(n for n, (may, _) in enumerate(self.keys) if may >> sort & 1), []).append(sort)
        yield from (_Sort(tuple(pieces), groups) for groups, pieces in alike.items())
        for number, bag in enumerate(self.bags):
            alike = {}
            for sort in bag.sorts:
                inside = (n for n, (may, among) in enumerate(self.keys) if among[number] and may >> sort & 1)
                alike.setdefault(tuple(inside), []).append(sort)
            yield from (_Sort(tuple(pieces), groups) for groups, pieces in alike.items())

    def dealt(self, chance: Chance) -> dict[int, int] | None:
        """A class for each mark; None if none was found."""
        if not self.possible:
            return None
        return self._dealt_exactly(chance) if self.exactly else exchanged_deal(self, chance)

    # ---- every way of it ---------------------------------------------------------------------------------------------

    def _dealt_exactly(self, chance: Chance) -> dict[int, int]:
        if len(self.sorts) == 1 and len(self.marks) == 1:
            return dict(zip(self.marks[0], chance.shuffle(0, [*self.sorts[0].pieces]), strict=True))
        found: dict[int, int] = {}
        caps, waiting = self.caps, [chance.shuffle(0, [*marks]) for marks in self.marks]
        for n, sort in enumerate(self.sorts):
            pieces = iter(chance.shuffle(0, [*sort.pieces]))
            share = self._share(n, caps, chance)
            caps = tuple(cap - count for cap, count in zip(caps, share, strict=True))
            for group, count in enumerate(share):
                for _ in range(count):
                    found[waiting[group].pop()] = next(pieces)
        return found

    def _share(self, n: int, caps: Caps, chance: Chance) -> Share:
        shares, sums = self._shares(n, caps)
        if len(shares) == 1:
            return shares[0]
        drawn = _below(chance, sums[-1])
        return next(share for share, upto in zip(shares, sums, strict=True) if drawn < upto)

    def _shares(self, n: int, caps: Caps) -> tuple[list[Share], list[int]]:
        """How pieces of a sort may be shared out so that the rest can be, and in how many ways altogether up to each."""
        if (n, caps) not in self.shares:
            found: list[Share] = []
            ways: list[int] = []
            for share in self._splits(n, caps):
                count = self._ways(n + 1, tuple(cap - k for cap, k in zip(caps, share, strict=True)))
                for cap, k in zip(caps, share, strict=True):
                    count *= comb(cap, k)
                if count:
                    found.append(share)
                    ways.append(count)
            self.shares[n, caps] = found, [*accumulate(ways)]
        return self.shares[n, caps]

    def _ways(self, n: int, caps: Caps) -> int:
        if n == len(self.sorts):
            return 1
        if (n, caps) not in self.known_ways:
            sums = self._shares(n, caps)[1]
            self.known_ways[n, caps] = sums[-1] if sums else 0
        return self.known_ways[n, caps]

    def _splits(self, n: int, caps: Caps) -> Iterator[Share]:
        """The ways in which so many can go to groups that have room for them."""
        sort = self.sorts[n]
        if n == len(self.sorts) - 1:  # what is left over is theirs
            if all(cap == 0 or group in sort.groups for group, cap in enumerate(caps)):
                yield caps
            return
        share = [0] * len(caps)

        def go_on(place: int, left: int) -> Iterator[Share]:
            self.looked_at += 1
            if self.looked_at > MOST_WAYS:
                raise TooMany
            if place == len(sort.groups):
                if not left:
                    yield tuple(share)
                return
            group = sort.groups[place]
            room = sum(caps[later] for later in sort.groups[place + 1 :])
            for count in range(max(0, left - room), min(left, caps[group]) + 1):
                share[group] = count
                yield from go_on(place + 1, left - count)
            share[group] = 0

        yield from go_on(0, len(sort.pieces))


def _below(chance: Chance, bound: int) -> int:
    """A number below a bound of any size."""
    words = (bound.bit_length() + 31) // 32
    while True:
        found = 0
        for _ in range(words):
            found = found << 32 | chance.next32()
        if found < (1 << 32 * words) // bound * bound:
            return found % bound


# ---- by exchanges ----------------------------------------------------------------------------------------------------


def exchanged_deal(dealer: Dealer, chance: Chance) -> dict[int, int] | None:
    """Any deal, made to fit by exchanges of two pieces, and then exchanged on as long as it fits."""
    marks = [*dealer.may]
    pieces = chance.shuffle(0, [*dealer.free, *dealer.loose.elements()])
    found = dict(zip(marks, pieces, strict=True))
    wrong = _wrong(dealer, found)
    for _ in range(100 * len(marks)):
        if not wrong:
            break
        one, two = wrong[chance.below(len(wrong))], marks[chance.below(len(marks))]
        found[one], found[two] = found[two], found[one]
        now = _wrong(dealer, found)
        if len(now) > len(wrong):
            found[one], found[two] = found[two], found[one]
        else:
            wrong = now
    else:
        return None
    for _ in range(EXCHANGES * len(marks)):
        one, two = marks[chance.below(len(marks))], marks[chance.below(len(marks))]
        found[one], found[two] = found[two], found[one]
        if _wrong(dealer, found, (one, two)):
            found[one], found[two] = found[two], found[one]
    return found


def _wrong(dealer: Dealer, found: Mapping[int, int], looked_at: Iterable[int] = ()) -> list[int]:
    """Marks of pieces that cannot be theirs, and those outside of bags that lack a piece."""
    wrong = [mark for mark in looked_at or found if not dealer.may[mark] >> found[mark] & 1]
    for bag in dealer.bags:
        if Counter(bag.sorts) - Counter(found[mark] for mark in bag.marks):
            wrong += [mark for mark in found if mark not in bag.marks and found[mark] in bag.sorts]
    return wrong


DRAWS = 200
"""How often a world is drawn again that contradicts something."""


class Worlds:
    """Where worlds of one state are drawn from."""

    def __init__(self, game: Compiled, seen: RedactedState, knowledge: Knowledge) -> None:
        self.game, self.seen, self.player, self.knowledge = game, seen, seen.player, knowledge
        known = knowledge.known
        backs = [piece.slot for pile in seen.now.piles for piece in pile if isinstance(piece, HiddenPiece)]
        self.slots = [(number, height, knowledge.piles[number][height]) for number, height in backs]
        lying = [mark for pile in knowledge.piles for mark in pile]
        unseen = unseen_sorts(seen, knowledge)
        self.dealer = Dealer({m: knowledge.may[m] for m in lying if m not in known}, knowledge.bags, unseen)
        self.proofs = [past for past in knowledge.past if isinstance(past, Proof)]
        self.open = {piece for pile in seen.now.piles for piece in pile if isinstance(piece, int)}
        self.offered: list[Action] | None = None
        self.natures = natures(game.machine)

    def draw(self, chance: Chance) -> Core | None:
        """A world, each equally likely as far as that can be had; None if this one came to a contradiction."""
        sorts = self.sorts(chance)
        if sorts is None:
            return None
        set_to: dict[int, Any] = {}
        for proof in self.proofs:
            if not holds(self.game, self.player, proof, sorts, chance, set_to):
                self._ask_first(proof)
                return None
        return self.world(sorts, set_to, chance)

    def _ask_first(self, proof: Proof) -> None:
        """What forbids one world may forbid the next; unless what was set then must be known before."""
        if not any(proof.cells or proof.secrets for proof in self.proofs):
            self.proofs.remove(proof)
            self.proofs.insert(0, proof)

    def sorts(self, chance: Chance) -> dict[int, int] | None:
        """The classes of all marks, also of those that others have taken the place of."""
        dealt = self.dealer.dealt(chance)
        if dealt is None:
            return None
        sorts = {**self.knowledge.known, **dealt}
        for past in reversed(self.knowledge.past):
            if isinstance(past, Mix) and not unmixed(past, sorts, chance):
                return None
        return sorts

    def world(self, sorts: Mapping[int, int], set_to: Mapping[int, Any], chance: Chance) -> Core | None:
        """The state now, with pieces of these classes. None if other moves are legal in it."""
        at = {(pile, height): sorts[mark] for pile, height, mark in self.slots}
        world = fill_hidden(self.game, self.seen, chance, at)
        for cell, value in (*self.knowledge.cells.items(), *set_to.items()):
            world.cells[cell] = value
        try:
            if not self._stands(world, chance):
                return None
        except Refused:
            return None
        return world if self._is_offered(world) else None

    def _is_offered(self, world: Core) -> bool:
        """Are the same moves legal? Those of pieces that the seat sees are called alike in all worlds."""
        if world.acts == self.offered:
            return True
        found = has_same_moves(self.game, self.seen, world)
        if found and self.seen.moves is not None and all(map(self._is_seen, world.acts)):
            self.offered = [*world.acts]
        return found

    def _is_seen(self, action: Action) -> bool:
        parts = zip(action[1:], self.natures[action[0]], strict=True)
        pieces = (value if nature & LISTED else (value,) for value, nature in parts if nature & PIECE)
        return all(piece < 0 or piece in self.open for some in pieces for piece in some)

    def _stands(self, world: Core, chance: Chance) -> bool:
        """Is the same player asked in it, before anything else happens?"""
        if self.game.machine.points[self.seen.pc].together is None:
            asked = self.game.machine.blocks[self.seen.pc](world) == STOP
        else:
            run_to_decision(self.game, self.seen, world, chance)
            asked = True
        return asked and (world.pc, world.actor) == (self.seen.pc, self.seen.actor)


def unseen_sorts(seen: RedactedState, knowledge: Knowledge) -> Counter[int]:
    """The classes of the pieces that the seat does not know by their marks."""
    found = Counter(piece >> 1 for pile in seen.now.piles for piece in pile if isinstance(piece, int))
    for sorts in seen.unseen.values():
        found.update(sorts)
    known = knowledge.known
    found.subtract(known[mark] for pile in knowledge.piles for mark in pile if mark in known)
    return +found


def unmixed(mix: Mix, sorts: dict[int, int], chance: Chance) -> bool:
    """Say for pieces that were mixed which was which before. False if that cannot be."""
    left = Counter(sorts[mark] for mark in mix.after)
    left.subtract(mix.known.values())
    if min(left.values()) < 0:
        return False
    pieces = chance.shuffle(0, sorted(left.elements()))
    marks = [mark for mark in mix.before if mark not in mix.known]
    if not all(mix.may[mark] >> piece & 1 for mark, piece in zip(marks, pieces, strict=True)):
        fitting = Dealer({mark: mix.may[mark] for mark in marks}, (), Counter(pieces)).dealt(chance)
        if fitting is None:
            return False
        pieces = [fitting[mark] for mark in marks]
    sorts.update(mix.known)
    sorts.update(zip(marks, pieces, strict=True))
    return all(_holds(bag, sorts) for bag in mix.bags)


def _holds(bag: Bag, sorts: Mapping[int, int]) -> bool:
    """Are the pieces of a bag in it? Where a mark of it is no longer known of, it may be."""
    found = Counter(sorts[mark] for mark in bag.marks if mark in sorts)
    return (Counter(bag.sorts) - found).total() <= sum(mark not in sorts for mark in bag.marks)


def sampled(
    game: Compiled, seen: RedactedState, knowledge: Knowledge, chance: Chance, draws: int = DRAWS
) -> Core | None:
    """A state that contradicts nothing that the seat knows; None if none was found in so many draws."""
    source = Worlds(game, seen, knowledge)
    return next((world for world in (source.draw(chance) for _ in range(draws)) if world is not None), None)


def known_worlds(
    game: Compiled,
    seen: RedactedState,
    knowledge: Knowledge,
    chance: Chance,
    tries: int,
    over: Callable[[], bool] = lambda: False,
) -> Iterator[Core]:
    """Of so many states drawn (or until it is `over`) those that contradict nothing that the seat knows."""
    source = Worlds(game, seen, knowledge)
    for _ in range(tries):
        if over():
            return
        world = source.draw(chance)
        if world is not None:
            yield world
