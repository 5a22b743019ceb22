"""Effects of verbs on a state, and errors of rulesets in play. Generated blocks call them by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import LocalizedText, Refused
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.sentences import make_message
from hoyle.running.machine import Machine, refuse
from hoyle.running.naming import Namer
from hoyle.running.state import Action, Core, Groups, open_pieces


class Refusals:
    """Errors of a running game. `fault` is the number of the place in the ruleset that caused it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def _refusal(self, code: str, message: LocalizedText, fault: int, help: LocalizedText) -> Refused:
        return refuse(code, message, span=self.machine.faults[fault], help=help)

    def broken(self, fault: int) -> None:
        raise self._refusal("R901", make_message("running.not_held"), fault, make_message("running.always_holds"))

    def restless(self, fault: int) -> None:
        message = make_message("running.restless")
        raise self._refusal("R902", message, fault, make_message("running.make_false"))

    def within(self, value: int, low: int, high: int, cell: int, fault: int) -> int:
        """Return a value if it is within the bounds of a cell. Raises Refused (R903)."""
        if low <= value <= high or value == NO_NUMBER:
            return value
        message = make_message("running.outside", cell=Namer(self.machine).cell(cell), value=value, low=low, high=high)
        raise self._refusal("R903", message, fault, make_message("running.wider"))

    def inside(self, index: int, size: int, fault: int) -> int:
        """Return an index if there is such a member. Raises Refused (R904)."""
        if 0 <= index < size:
            return index
        message = make_message("running.no_member", number=index + 1, size=size)
        raise self._refusal("R904", message, fault, make_message("running.look_first"))

    def taken(self, piece: int, pile: int, fault: int) -> None:
        namer = Namer(self.machine)
        message = make_message("running.taken", piece=namer.signs[piece >> 1], pile=namer.key(pile))
        raise self._refusal("R908", message, fault, make_message("running.own_pieces"))

    def short(self, pile: int, count: int, there: int, fault: int) -> None:
        message = make_message("running.short", pile=Namer(self.machine).key(pile), there=there, count=count)
        raise self._refusal("R909", message, fault, make_message("running.roll_fewer"))

    def full(self, pile: int, fault: int) -> None:
        room, name = self.machine.room[pile], Namer(self.machine).key(pile)
        message = make_message("running.full", room=room, name=name)
        raise self._refusal("R905", message, fault, make_message("running.more_room"))


KEEP, UP, DOWN = 2, 1, 0
"""The face that an arriving piece gets."""
UNSEEN: frozenset[object] = frozenset()


class Tally(Struct, frozen=True):
    """A cell that counts points: its bounds, the number of the announcement, and the source for errors."""

    low: int
    high: int
    label: int
    fault: int


class Guard(Struct, frozen=True):
    """A `never_twice` at a decision.

    label       of the decision
    number      of the obligation
    register    of the arrangements seen
    over        numbers of the moves that it restrains
    forgetting  numbers of the moves that clear the register
    """

    label: int
    number: int
    register: int
    over: tuple[int, ...]
    forgetting: tuple[int, ...]


class Ended(Exception):
    """Raised when a look-ahead reaches the end of the play that it examines."""


def verbs(machine: Machine) -> dict[str, Any]:
    """The functions that blocks of a machine call, by name."""
    return {"UNSEEN": UNSEEN, "ended": ended, **_methods(Refusals(machine)), **_methods(Verbs(machine))}


def _methods(owner: object) -> dict[str, Callable[..., Any]]:
    return {name: getattr(owner, name) for name in vars(type(owner)) if not name.startswith("_")}


def ended() -> None:
    raise Ended


class Verbs:
    """Effects of verbs. `s` is the state; faces, rooms and homes are the machine's."""

    def __init__(self, machine: Machine) -> None:
        self._machine, self._refusals = machine, Refusals(machine)
        self._face, self._top_up, self._room, self._limited = (
            machine.face,
            machine.top_up,
            machine.room,
            machine.limited,
        )
        self._alone = tuple(copies == 1 for copies in machine.copies)
        self._hands, self._turns_tops = machine.hands, any(machine.top_up)
        self._homes: dict[tuple[int, int], list[tuple[int, list[int]]]] = {}

    # ---- pieces and piles --------------------------------------------------------------------------------------------

    def arrive(self, piece: int, pile: int) -> int:
        """The piece with the face that it gets in a pile."""
        way = self._face[pile]
        return piece if way == KEEP else piece | 1 if way == UP else piece & -2

    def _settle_tops(self, s: Core, *numbers: int) -> None:
        """Turn up the tops of piles whose top lies face up."""
        for n in numbers:
            if self._top_up[n] and s.piles[n] and not s.piles[n][-1] & 1:
                self.show_top(s, n)

    def show_top(self, s: Core, number: int) -> None:
        """Turn up the top of a pile, which lies face down."""
        pile = s.piles[number]
        pile[-1] |= 1
        if s.log is not None:
            s.log.append(("turned", number, len(pile), (pile[-1],)))

    def _bring(self, s: Core, pieces: list[int], sources: Sequence[int], target: int, fault: int) -> None:
        """Put pieces on top of a pile and log it."""
        way = self._face[target]
        shows = way == UP and s.log is not None and self._uncovers(pieces, sources)
        if s.log is not None:
            self._tell(s, pieces, sources, target)
        if way != KEEP:
            pieces = [p | 1 for p in pieces] if way == UP else [p & -2 for p in pieces]
        there = s.piles[target]
        there += pieces
        if shows and s.log is not None:
            s.log.append(("turned", target, len(there), tuple(pieces)))
        if self._limited[target] and len(there) > self._room[target]:
            self._refusals.full(target, fault)

    def _bring_one(self, s: Core, piece: int, target: int, fault: int) -> None:
        """Put one piece on top of a pile without log."""
        way, there = self._face[target], s.piles[target]
        there.append(piece if way == KEEP else piece | 1 if way == UP else piece & -2)
        if self._limited[target] and len(there) > self._room[target]:
            self._refusals.full(target, fault)

    def fits(self, s: Core, pile: int, fault: int) -> None:
        """Refuse pieces for which a pile has no room."""
        if self._limited[pile] and len(s.piles[pile]) > self._room[pile]:
            self._refusals.full(pile, fault)

    def _tell(self, s: Core, pieces: Sequence[int], sources: Sequence[int], target: int) -> None:
        """Log the face-down pieces that a player receives and has not seen, and who held all of them before."""
        whose, hidden = self._hands[target], tuple(piece for piece in pieces if not piece & 1)
        news = whose >= 0 and s.piles[target] and any(self._hands[n] != whose for n in sources)
        if news and hidden and s.log is not None:
            givers = {self._hands[n] for n in sources}
            s.log.append(("received", target, hidden, givers.pop() if len(givers) == 1 else -1))

    def _uncovers(self, pieces: Sequence[int], sources: Sequence[int]) -> bool:
        """Does some piece become visible that nobody saw?"""
        return any(not piece & 1 for piece in pieces) and all(self._hands[n] < 0 for n in sources)

    def gather(self, s: Core, low: int, high: int) -> None:
        """Send every piece with a code from low to high - 1 home."""
        kept: list[list[int]]
        if low == 0 and high == 2 * len(self._machine.homes):
            kept = [[] for _ in s.piles]
        else:
            kept = [
                [p for p in pile if not low <= p < high] if pile and max(pile) >= low and min(pile) < high else pile
                for pile in s.piles
            ]
        for home, pieces in self._at_home(low, high):
            kept[home] += pieces
        s.piles[:] = kept

    def _at_home(self, low: int, high: int) -> list[tuple[int, list[int]]]:
        """(home, its pieces) for the codes from low to high - 1, cached."""
        if (low, high) not in self._homes:
            found: dict[int, list[int]] = {}
            for code in range(low, high, 2):
                home = self._machine.homes[code >> 1]
                found.setdefault(home, []).extend([self.arrive(code, home)] * self._machine.copies[code >> 1])
            self._homes[low, high] = list(found.items())
        return self._homes[low, high]

    def still(self, s: Core, piece: int, pile: int, fault: int) -> None:
        """Refuse a piece that a player who chose at the same time has taken."""
        if piece not in s.piles[pile]:
            self._refusals.taken(piece, pile, fault)

    def deal(self, s: Core, source: int, count: int, first: int, base: int, columns: int, fault: int) -> None:
        """Deal to the pile `base + p * columns` of each player p."""
        pack, targets = s.piles[source], [base + player * columns for player in self._machine.rounds[first]]
        dealt = min(len(pack), max(count, 0) * len(targets))
        came = pack[len(pack) - dealt :]
        came.reverse()
        del pack[len(pack) - dealt :]
        for n, target in enumerate(targets):
            self._bring(s, came[n :: len(targets)], (source,), target, fault)
        if self._turns_tops:
            self._settle_tops(s, source, *targets)

    def move_top(self, s: Core, source: int, count: int, target: int, packet: bool, fault: int) -> None:
        """Move pieces from the top; `count` -1: all."""
        pile = s.piles[source]
        if not pile or not count or source == target:
            return
        if (count == 1 or len(pile) == 1) and s.log is None:
            self._bring_one(s, pile.pop(), target, fault)
        else:
            if count < 0 or count >= len(pile):
                taken = pile[:]
                pile.clear()
            else:
                taken = pile[-count:]
                del pile[-count:]
            if not packet:
                taken.reverse()
            self._bring(s, taken, (source,), target, fault)
        if self._turns_tops:
            self._settle_tops(s, source, target)

    def move_pieces(
        self, s: Core, pieces: Sequence[int], sources: Sequence[int], target: int, count: int, fault: int
    ) -> None:
        piles, taken, left = s.piles, list[int](), count
        for piece in pieces:
            if piece >= 0 and left != 0:
                left -= 1
                for n in sources:
                    if _taken_out(piles[n], piece, taken):
                        break
        if taken:
            self._bring(s, taken, sources, target, fault)
        if self._turns_tops:
            self._settle_tops(s, *sources, target)

    def move_piece(self, s: Core, piece: int, source: int, target: int, fault: int) -> None:
        """Move one piece between two piles: the fast case of `move_pieces`."""
        if s.log is not None:
            self.move_pieces(s, (piece,), (source,), target, -1, fault)
            return
        piles = s.piles
        pile, alone = piles[source], self._alone[piece >> 1]
        if not alone or piece not in pile:
            piece = _found(pile, piece)
        if piece >= 0:
            if pile[-1] == piece:
                pile.pop()
            elif alone:
                pile.remove(piece)
            else:
                _remove_last(pile, piece)
            self._bring_one(s, piece, target, fault)
        if self._turns_tops:
            self._settle_tops(s, source, target)

    def spare_piece(self, s: Core, piece: int, source: int, target: int, fault: int) -> None:
        """Move one piece where piles are shared with another state: they are replaced, not changed."""
        piles = s.piles
        pile = piles[source]
        if pile and pile[-1] == piece and not self._turns_tops:
            piles[source] = pile[:-1]
            piles[target] = piles[target][:]
            self._bring_one(s, piece, target, fault)
        else:
            piles[source] = pile[:]
            piles[target] = piles[target][:]
            self.move_piece(s, piece, source, target, fault)

    def turn(self, s: Core, pile: int, count: int, up: int) -> None:
        """Turn the top pieces; `count` -1: all."""
        pieces = s.piles[pile]
        if not pieces:
            return
        if count < 0 and not up:
            pieces[:] = [p & -2 for p in pieces]
            return
        first = 0 if count < 0 else max(0, len(pieces) - count)
        if up and s.log is not None and any(not piece & 1 for piece in pieces[first:]):
            s.log.append(("turned", pile, len(pieces), tuple(piece | 1 for piece in pieces[first:])))
        pieces[first:] = [p | 1 for p in pieces[first:]] if up else [p & -2 for p in pieces[first:]]

    # ---- chance ------------------------------------------------------------------------------------------------------

    def shuffle(self, s: Core, pile: int) -> None:
        if s.looking:
            raise Ended
        s.piles[pile] = found = s.chance.shuffle(pile, s.piles[pile])
        if s.log is not None:
            s.log.append(("shuffle", pile, tuple(found)))

    def cut(self, s: Core, pile: int, least: int) -> None:
        if s.looking:
            raise Ended
        s.piles[pile] = found = s.chance.shuffle(pile, s.piles[pile], max(least, 1))
        if s.log is not None:
            s.log.append(("cut", pile, tuple(found)))

    def roll(self, s: Core, count: int, source: int, target: int, player: int, fault: int, short: int) -> None:
        if s.looking:
            raise Ended
        cup, thrown = s.piles[source], []
        if count > len(cup):
            self._refusals.short(source, count, len(cup), short)
        for _ in range(count):
            kind = s.chance.roll(_kinds_in(tuple(cup)))
            thrown.append(self.arrive(_first_of(cup, kind), target))
        s.piles[target] += thrown
        self.fits(s, target, fault)
        if s.log is not None:
            s.log.append(("roll", target, tuple(thrown), player))

    def lots(self, s: Core, items: Sequence[int], label: int) -> int | None:
        if s.looking:
            raise Ended
        if not items:
            return None
        found: int = s.chance.lots(items, label)
        if s.log is not None:
            s.log.append(("lots", label, found))
        return found

    # ---- points and words --------------------------------------------------------------------------------------------

    def score(self, s: Core, points: int, player: int, cell: int, value: Any, tally: Tally, of: Groups = ()) -> None:
        if not points:
            return
        score = s.cells[cell] + points
        if not tally.low <= score <= tally.high:
            score = self._refusals.within(score, tally.low, tally.high, cell, tally.fault)
        s.cells[cell] = score
        if s.log is not None:
            s.log.append(("score", points, player, cell, tally.label, value, *open_pieces(of)))

    def say(self, s: Core, label: int, value: Any, player: int, of: Groups = ()) -> None:
        if s.log is not None:
            s.log.append(("say", label, value, player, *open_pieces(of)))

    def ends(self, s: Core, what: int, player: int) -> None:
        if s.log is not None:
            s.log.append(("ends", what, player))

    # ---- faults ------------------------------------------------------------------------------------------------------

    def fault_of(self, s: Core, action: Action) -> int:
        """The obligation that a legal action breaks, or ABSENT."""
        found = ABSENT if s.looking or not s.faults else s.faults[s.acts.index(action)]
        s.faults = ()
        return found

    def keep(self, s: Core) -> None:
        s.back = ([pile[:] for pile in s.piles], s.cells[: self._machine.state_size])

    def take_back(self, s: Core) -> None:
        if s.back is None:
            return
        s.piles[:] = [pile[:] for pile in s.back[0]]
        s.cells[: self._machine.state_size] = s.back[1]
        if s.log is not None:
            s.log.append(("taken_back",))

    # ---- arrangements that may not return ----------------------------------------------------------------------------

    def remember(self, s: Core, action: Action, guard: Guard, numbers: Sequence[int]) -> None:
        """Add the arrangement to the guard's register, or clear it. It holds (guard, arrangement) pairs."""
        seen = s.cells[guard.register]
        if action[0] in guard.forgetting:
            s.cells[guard.register] = frozenset(entry for entry in seen if entry[0] != guard.number)
        else:
            s.cells[guard.register] = seen | {(guard.number, _arrangement(s, numbers))}

    def never_twice(self, s: Core, acts: list[Action], guard: Guard, numbers: Sequence[int]) -> list[Action]:
        """The actions that the guard allows."""
        if s.looking:
            return acts
        now, seen = _arrangement(s, numbers), s.cells[guard.register]

        def new(action: Action) -> bool:
            made = self._after(s, action, guard.label, numbers)
            return made != now and (guard.number, made) not in seen

        return [a for a in acts if a[0] not in guard.over or new(a)]

    def _after(self, s: Core, action: Action, label: int, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The arrangement that an action makes."""
        tried = s.copy()
        tried.log, tried.looking = None, True
        self._machine.apply[label](tried, action)
        return _arrangement(tried, numbers)


def _taken_out(pile: list[int], piece: int, taken: list[int]) -> bool:
    """Take the topmost equal piece, whatever its face, out of a pile; return whether there was one."""
    there = _found(pile, piece)
    if there >= 0:
        taken.append(there)
        _remove_last(pile, there)
    return there >= 0


def _found(pile: list[int], piece: int) -> int:
    """The topmost equal piece as it lies; ABSENT if there is none."""
    other = piece ^ 1
    if other not in pile:
        return piece if piece in pile else ABSENT
    if piece not in pile:
        return other
    return next(p for p in reversed(pile) if p in (piece, other))


def _remove_last(pile: list[int], piece: int) -> None:
    """Remove the topmost of equal pieces."""
    if pile[-1] == piece:
        pile.pop()
    elif pile.count(piece) == 1:
        pile.remove(piece)
    else:
        del pile[len(pile) - 1 - pile[::-1].index(piece)]


@lru_cache(maxsize=1024)
def _kinds_in(cup: tuple[int, ...]) -> list[int]:
    """The kinds of pieces in a cup, cached."""
    return sorted({piece >> 1 for piece in cup})


def _first_of(cup: list[int], kind: int) -> int:
    """Take the first piece of a kind out of the cup, whatever its face."""
    down, up = 2 * kind, 2 * kind + 1
    piece = down if up not in cup or (down in cup and cup.index(down) < cup.index(up)) else up
    cup.remove(piece)
    return piece


def _arrangement(s: Core, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(s.piles[n]) for n in numbers)
