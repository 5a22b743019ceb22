"""Determinization: sample worlds, full states that agree with all that a seat sees and knows.

Unseen pieces are dealt so that every possible deal is equally likely; worlds that contradict a proof are drawn again.
"""

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

DRAWS = 200
"""Draws of a world before `sample_world` gives up."""
MOST_WAYS = 20_000
"""Most distributions of pieces that are counted; beyond them, a random deal is repaired by exchanges."""
EXCHANGES = 4
"""Random exchanges per mark after such a repair."""

Caps = tuple[int, ...]
"""Free places of each group of marks."""
Share = tuple[int, ...]
"""How many pieces go to each group."""


# ---- deals -----------------------------------------------------------------------------------------------------------


class _Batch(Struct, frozen=True):
    """Pieces that may lie in the same groups of marks."""

    pieces: tuple[int, ...]
    groups: tuple[int, ...]


class _TooMany(Exception):
    """There are too many distributions to count."""


class Dealer:
    """Deals unseen pieces to marks.

    Args:
        may: the classes that the piece of each mark may have, as bits.
        bags: pieces that lie among some marks.
        unseen: the pieces to deal, by class.
    """

    def __init__(self, may: Mapping[int, int], bags: Sequence[Bag], unseen: Counter[int]) -> None:
        self.may, self.bags = may, bags
        self.bagged = Counter(piece_class for bag in bags for piece_class in bag.classes)
        self.free = sorted((unseen - self.bagged).elements())
        possible = sum(1 << piece_class for piece_class in unseen)
        groups: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
        for mark, classes in may.items():
            groups.setdefault((classes & possible, tuple(mark in bag.marks for bag in bags)), []).append(mark)
        self.marks = [*groups.values()]
        self.keys = [*groups]
        self.caps = tuple(map(len, self.marks))
        self.batches = sorted(self._list_batches(), key=lambda batch: len(batch.groups))
        self.counted = 0
        self.shares: dict[tuple[int, Caps], tuple[list[Share], list[int]]] = {}
        self.ways: dict[tuple[int, Caps], int] = {}
        try:
            self.is_exact = True
            fits = sum(self.caps) == len(self.free) + self.bagged.total()
            self.is_possible = fits and self._count_ways(0, self.caps) > 0
        except _TooMany:
            self.is_exact, self.is_possible = False, True

    def _list_batches(self) -> Iterator[_Batch]:
        """Group pieces, first the free ones and then those of each bag, by the groups of marks they may go to."""
        everywhere = [(may, True) for may, _ in self.keys]
        sources = [(tuple(self.free), everywhere)]
        sources += [(bag.classes, [(may, among[n]) for may, among in self.keys]) for n, bag in enumerate(self.bags)]
        for pieces, places in sources:
            alike: dict[tuple[int, ...], list[int]] = {}
            for piece_class in pieces:
                groups = tuple(n for n, (may, is_inside) in enumerate(places) if is_inside and may >> piece_class & 1)
                alike.setdefault(groups, []).append(piece_class)
            yield from (_Batch(tuple(classes), groups) for groups, classes in alike.items())

    def deal(self, chance: Chance) -> dict[int, int] | None:
        """Return a class for each mark; None if no deal was found."""
        if not self.is_possible:
            return None
        return self._deal_exactly(chance) if self.is_exact else deal_by_exchanges(self, chance)

    def _deal_exactly(self, chance: Chance) -> dict[int, int]:
        if len(self.batches) == 1 and len(self.marks) == 1:
            return dict(zip(self.marks[0], chance.shuffle(0, [*self.batches[0].pieces]), strict=True))
        dealt: dict[int, int] = {}
        caps, waiting = self.caps, [chance.shuffle(0, [*marks]) for marks in self.marks]
        for n, batch in enumerate(self.batches):
            pieces = iter(chance.shuffle(0, [*batch.pieces]))
            share = self._draw_share(n, caps, chance)
            caps = tuple(cap - count for cap, count in zip(caps, share, strict=True))
            for group, count in enumerate(share):
                for _ in range(count):
                    dealt[waiting[group].pop()] = next(pieces)
        return dealt

    def _draw_share(self, n: int, caps: Caps, chance: Chance) -> Share:
        shares, sums = self._list_shares(n, caps)
        if len(shares) == 1:
            return shares[0]
        drawn = _draw_below(chance, sums[-1])
        return next(share for share, upto in zip(shares, sums, strict=True) if drawn < upto)

    def _list_shares(self, n: int, caps: Caps) -> tuple[list[Share], list[int]]:
        """Return the possible shares of a batch, and cumulative counts of the deals with them."""
        if (n, caps) not in self.shares:
            shares: list[Share] = []
            counts: list[int] = []
            for share in self._split(n, caps):
                count = self._count_ways(n + 1, tuple(cap - k for cap, k in zip(caps, share, strict=True)))
                for cap, k in zip(caps, share, strict=True):
                    count *= comb(cap, k)
                if count:
                    shares.append(share)
                    counts.append(count)
            self.shares[n, caps] = shares, [*accumulate(counts)]
        return self.shares[n, caps]

    def _count_ways(self, n: int, caps: Caps) -> int:
        if n == len(self.batches):
            return 1
        if (n, caps) not in self.ways:
            sums = self._list_shares(n, caps)[1]
            self.ways[n, caps] = sums[-1] if sums else 0
        return self.ways[n, caps]

    def _split(self, n: int, caps: Caps) -> Iterator[Share]:
        """Yield all ways to place a batch. The last batch takes all places that are left."""
        batch = self.batches[n]
        if n == len(self.batches) - 1:
            if all(cap == 0 or group in batch.groups for group, cap in enumerate(caps)):
                yield caps
            return
        share = [0] * len(caps)

        def place(index: int, left: int) -> Iterator[Share]:
            self.counted += 1
            if self.counted > MOST_WAYS:
                raise _TooMany
            if index == len(batch.groups):
                if not left:
                    yield tuple(share)
                return
            group = batch.groups[index]
            room = sum(caps[later] for later in batch.groups[index + 1 :])
            for count in range(max(0, left - room), min(left, caps[group]) + 1):
                share[group] = count
                yield from place(index + 1, left - count)
            share[group] = 0

        yield from place(0, len(batch.pieces))


def _draw_below(chance: Chance, bound: int) -> int:
    """Draw a number below a bound of any size."""
    words = (bound.bit_length() + 31) // 32
    while True:
        drawn = 0
        for _ in range(words):
            drawn = drawn << 32 | chance.next32()
        if drawn < (1 << 32 * words) // bound * bound:
            return drawn % bound


def deal_by_exchanges(dealer: Dealer, chance: Chance) -> dict[int, int] | None:
    """Deal at random, exchange two pieces until the deal fits, then go on exchanging as long as it fits."""
    marks = [*dealer.may]
    pieces = chance.shuffle(0, [*dealer.free, *dealer.bagged.elements()])
    dealt = dict(zip(marks, pieces, strict=True))
    wrong = _list_wrong(dealer, dealt)
    for _ in range(100 * len(marks)):
        if not wrong:
            break
        one, two = wrong[chance.below(len(wrong))], marks[chance.below(len(marks))]
        dealt[one], dealt[two] = dealt[two], dealt[one]
        now = _list_wrong(dealer, dealt)
        if len(now) > len(wrong):
            dealt[one], dealt[two] = dealt[two], dealt[one]
        else:
            wrong = now
    else:
        return None
    for _ in range(EXCHANGES * len(marks)):
        one, two = marks[chance.below(len(marks))], marks[chance.below(len(marks))]
        dealt[one], dealt[two] = dealt[two], dealt[one]
        if _list_wrong(dealer, dealt, (one, two)):
            dealt[one], dealt[two] = dealt[two], dealt[one]
    return dealt


def _list_wrong(dealer: Dealer, dealt: Mapping[int, int], marks: Iterable[int] = ()) -> list[int]:
    """Return marks with an impossible class, and marks outside a bag that have a piece the bag lacks."""
    wrong = [mark for mark in marks or dealt if not dealer.may[mark] >> dealt[mark] & 1]
    for bag in dealer.bags:
        if Counter(bag.classes) - Counter(dealt[mark] for mark in bag.marks):
            wrong += [mark for mark in dealt if mark not in bag.marks and dealt[mark] in bag.classes]
    return wrong


# ---- worlds ----------------------------------------------------------------------------------------------------------


class WorldSampler:
    """Draws random determinizations: full states that agree with one view."""

    def __init__(self, game: Compiled, seen: RedactedState, knowledge: Knowledge) -> None:
        self.game, self.seen, self.player, self.knowledge = game, seen, seen.player, knowledge
        known = knowledge.known
        backs = [piece.slot for pile in seen.now.piles for piece in pile if isinstance(piece, HiddenPiece)]
        self.slots = [(number, height, knowledge.piles[number][height]) for number, height in backs]
        lying = [mark for pile in knowledge.piles for mark in pile]
        may = {mark: knowledge.may[mark] for mark in lying if mark not in known}
        self.dealer = Dealer(may, knowledge.bags, count_unseen(seen, knowledge))
        self.proofs = [past for past in knowledge.past if isinstance(past, Proof)]
        self.visible = {piece for pile in seen.now.piles for piece in pile if isinstance(piece, int)}
        self.offered: list[Action] | None = None
        self.natures = natures(game.machine)

    def draw(self, chance: Chance) -> Core | None:
        """Draw a world, all about equally likely; None if the draw contradicts what is known."""
        classes = self._draw_classes(chance)
        if classes is None:
            return None
        cells: dict[int, Any] = {}
        for proof in self.proofs:
            if not holds(self.game, self.player, proof, classes, chance, cells):
                self._check_first(proof)
                return None
        return self._build(classes, cells, chance)

    def _check_first(self, proof: Proof) -> None:
        """Check a failed proof first next time, unless proofs depend on the order of secret cells."""
        if not any(proof.cells or proof.secrets for proof in self.proofs):
            self.proofs.remove(proof)
            self.proofs.insert(0, proof)

    def _draw_classes(self, chance: Chance) -> dict[int, int] | None:
        """Draw the class of every mark, also of marks that were mixed into new ones."""
        dealt = self.dealer.deal(chance)
        if dealt is None:
            return None
        classes = {**self.knowledge.known, **dealt}
        for past in reversed(self.knowledge.past):
            if isinstance(past, Mix) and not _unmix(past, classes, chance):
                return None
        return classes

    def _build(self, classes: Mapping[int, int], cells: Mapping[int, Any], chance: Chance) -> Core | None:
        """Build the state; None if the rules do not come to the same decision with the same moves in it."""
        at = {(pile, height): classes[mark] for pile, height, mark in self.slots}
        world = fill_hidden(self.game, self.seen, chance, at)
        for cell, value in (*self.knowledge.cells.items(), *cells.items()):
            world.cells[cell] = value
        try:
            if not self._reaches_decision(world, chance):
                return None
        except Refused:
            return None
        return world if self._offers_same_moves(world) else None

    def _offers_same_moves(self, world: Core) -> bool:
        if world.acts == self.offered:
            return True
        is_same = has_same_moves(self.game, self.seen, world)
        if is_same and self.seen.moves is not None and all(map(self._is_visible, world.acts)):
            self.offered = [*world.acts]  # moves of visible pieces are the same in all worlds
        return is_same

    def _is_visible(self, action: Action) -> bool:
        parts = zip(action[1:], self.natures[action[0]], strict=True)
        pieces = (value if nature & LISTED else (value,) for value, nature in parts if nature & PIECE)
        return all(piece < 0 or piece in self.visible for some in pieces for piece in some)

    def _reaches_decision(self, world: Core, chance: Chance) -> bool:
        """Run the block that asks; return True if it asks the same player."""
        if self.game.machine.points[self.seen.pc].together is None:
            stops = self.game.machine.blocks[self.seen.pc](world) == STOP
        else:
            run_to_decision(self.game, self.seen, world, chance)
            stops = True
        return stops and (world.pc, world.actor) == (self.seen.pc, self.seen.actor)


def count_unseen(seen: RedactedState, knowledge: Knowledge) -> Counter[int]:
    """Count by class the pieces whose marks the seat cannot identify."""
    counts = Counter(piece >> 1 for pile in seen.now.piles for piece in pile if isinstance(piece, int))
    for classes in seen.unseen.values():
        counts.update(classes)
    known = knowledge.known
    counts.subtract(known[mark] for pile in knowledge.piles for mark in pile if mark in known)
    return +counts


def _unmix(mix: Mix, classes: dict[int, int], chance: Chance) -> bool:
    """Draw which marks mixed pieces had before. False if that is impossible."""
    left = Counter(classes[mark] for mark in mix.after)
    left.subtract(mix.known.values())
    if min(left.values()) < 0:
        return False
    pieces = chance.shuffle(0, sorted(left.elements()))
    marks = [mark for mark in mix.before if mark not in mix.known]
    if not all(mix.may[mark] >> piece & 1 for mark, piece in zip(marks, pieces, strict=True)):
        dealt = Dealer({mark: mix.may[mark] for mark in marks}, (), Counter(pieces)).deal(chance)
        if dealt is None:
            return False
        pieces = [dealt[mark] for mark in marks]
    classes.update(mix.known)
    classes.update(zip(marks, pieces, strict=True))
    return all(_can_hold(bag, classes) for bag in mix.bags)


def _can_hold(bag: Bag, classes: Mapping[int, int]) -> bool:
    """Return True if the pieces of a bag are, or may be, at its marks. Marks may be forgotten."""
    found = Counter(classes[mark] for mark in bag.marks if mark in classes)
    return (Counter(bag.classes) - found).total() <= sum(mark not in classes for mark in bag.marks)


def sample_world(
    game: Compiled, seen: RedactedState, knowledge: Knowledge, chance: Chance, draws: int = DRAWS
) -> Core | None:
    """Return a world that agrees with all that the seat knows; None if no draw gave one."""
    return next(iterate_worlds(game, seen, knowledge, chance, draws), None)


def iterate_worlds(
    game: Compiled,
    seen: RedactedState,
    knowledge: Knowledge,
    chance: Chance,
    tries: int,
    is_late: Callable[[], bool] = lambda: False,
) -> Iterator[Core]:
    """Yield those of `tries` draws that agree with all that the seat knows, until `is_late`."""
    sampler = WorldSampler(game, seen, knowledge)
    for _ in range(tries):
        if is_late():
            return
        world = sampler.draw(chance)
        if world is not None:
            yield world
