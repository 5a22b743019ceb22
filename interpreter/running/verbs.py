"""What single verbs do to a state. Generated blocks call these; faces, rooms and homes come from the machine's constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.diagnostics import Diagnostic, Refused
from interpreter.language.ir import ABSENT
from interpreter.running.machine import Machine
from interpreter.running.state import Action, Core

KEEP, UP, DOWN = 2, 1, 0
UNSEEN: frozenset[object] = frozenset()


class Ended(Exception):
    """A look-ahead has come to the end of the play it looks through."""


def verbs(machine: Machine) -> dict[str, Callable[..., Any]]:
    """The functions that blocks of this machine call, by name."""
    face, top_up, room, limited = machine.face, machine.top_up, machine.room, machine.limited

    def broken(fault: int, message: str = "this does not hold") -> None:
        raise Refused([Diagnostic("R901", message, machine.faults[fault], help="the ruleset says this always holds")])

    def restless(fault: int) -> None:
        raise Refused(
            [
                Diagnostic(
                    "R902",
                    "rules that act by themselves wake each other without end",
                    machine.faults[fault],
                    help="what such a rule does must make its own `if` false",
                )
            ]
        )

    def within(value: int, low: int, high: int, fault: int, optional: bool = False) -> int:
        if low <= value <= high or (optional and value == -(2**31)):
            return value
        raise Refused(
            [
                Diagnostic(
                    "R903",
                    f"{value} is outside {low}..{high}",
                    machine.faults[fault],
                    help="give the state a wider `range`, or the formula a bound",
                )
            ]
        )

    def inside(index: int, size: int) -> int:
        if 0 <= index < size:
            return index
        raise Refused([Diagnostic("R904", f"there is no member {index + 1} of {size} to set")])

    def full(pile: int) -> None:
        raise Refused([Diagnostic("R905", f"more than {room[pile]} pieces would lie in `{machine.pile_name(pile)}`")])

    def arrive(piece: int, pile: int) -> int:
        way = face[pile]
        return piece if way == KEEP else piece | 1 if way == UP else piece & -2

    def settle_tops(piles: list[list[int]], *numbers: int) -> None:
        for n in numbers:
            if top_up[n] and piles[n]:
                piles[n][-1] |= 1

    def ended() -> None:
        raise Ended

    def shuffle(s: Core, pile: int) -> None:
        if s.looking:
            raise Ended
        s.piles[pile] = found = s.chance.shuffle(pile, s.piles[pile])
        if s.log is not None:
            s.log.append(("shuffle", pile, tuple(found)))

    def roll(s: Core, count: int, source: int, target: int) -> None:
        if s.looking:
            raise Ended
        cup, thrown = s.piles[source], []
        for _ in range(count):
            kinds = sorted({piece >> 1 for piece in cup})
            if not kinds:
                break
            kind = s.chance.roll(kinds)
            piece = next(p for p in cup if p >> 1 == kind)
            cup.remove(piece)
            thrown.append(arrive(piece, target))
        s.piles[target] += thrown
        if s.log is not None:
            s.log.append(("roll", target, tuple(thrown)))

    def lots(s: Core, items: Sequence[int], label: int) -> int | None:
        if s.looking:
            raise Ended
        if not items:
            return None
        found: int = s.chance.lots(items, label)
        if s.log is not None:
            s.log.append(("lots", label, found))
        return found

    def gather(s: Core, low: int, high: int) -> None:
        kept = [[p for p in pile if not low <= p < high] for pile in s.piles]
        for code in range(low, high, 2):
            home = machine.homes[code >> 1]
            kept[home] += [arrive(code, home)] * machine.copies[code >> 1]
        s.piles[:] = kept

    def deal(s: Core, source: int, count: int, first: int, base: int, columns: int) -> None:
        pack = s.piles[source]
        for _ in range(count):
            for player in machine.rounds[first]:
                if pack:
                    target = base + player * columns
                    s.piles[target].append(arrive(pack.pop(), target))
        settle_tops(s.piles, source, *(base + p * columns for p in machine.rounds[first]))

    def move_top(s: Core, source: int, count: int, target: int, packet: bool) -> None:
        pile = s.piles[source]
        if source == target or not pile:
            return
        size = len(pile) if count < 0 else min(count, len(pile))
        if size <= 0:
            return
        taken = pile[-size:]
        del pile[-size:]
        place(s, taken if packet else taken[::-1], target)
        settle_tops(s.piles, source, target)

    def place(s: Core, pieces: list[int], target: int) -> None:
        way = face[target]
        if way != KEEP:
            pieces = [p | 1 for p in pieces] if way == UP else [p & -2 for p in pieces]
        s.piles[target] += pieces
        if limited[target] and len(s.piles[target]) > room[target]:
            full(target)

    def move_pieces(
        s: Core, pieces: Sequence[int], sources: Sequence[int], target: int, count: int, packet: bool
    ) -> None:
        wanted = [p for p in pieces if p >= 0]
        wanted = wanted if count < 0 else wanted[:count]
        taken = [found for p in wanted if (found := take_out(s, p, sources)) is not None]
        place(s, taken, target)
        settle_tops(s.piles, *sources, target)

    def take_out(s: Core, piece: int, sources: Sequence[int]) -> int | None:
        """The piece nearest the top that is this one, whatever its face."""
        for n in sources:
            pile = s.piles[n]
            for i in range(len(pile) - 1, -1, -1):
                if pile[i] >> 1 == piece >> 1:
                    return pile.pop(i)
        return None

    def turn(s: Core, pile: int, count: int, up: int) -> None:
        pieces = s.piles[pile]
        first = 0 if count < 0 else max(0, len(pieces) - count)
        for i in range(first, len(pieces)):
            pieces[i] = pieces[i] | 1 if up else pieces[i] & -2

    def score(
        s: Core, points: int, player: int, cell: int, low: int, high: int, label: int, value: int, fault: int
    ) -> None:
        if not points:
            return
        s.cells[cell] = within(s.cells[cell] + points, low, high, fault)
        if s.log is not None:
            s.log.append(("score", points, player, cell, label, value))

    def say(s: Core, label: int, value: int, player: int) -> None:
        if s.log is not None:
            s.log.append(("say", label, value, player))

    def fault_of(s: Core, action: Action) -> int:
        """The obligation that a legal action breaks, or none."""
        found = ABSENT if s.looking or not s.faults else s.faults[s.acts.index(action)]
        s.faults = ()
        return found

    def keep(s: Core) -> None:
        s.back = ([pile[:] for pile in s.piles], s.cells[: machine.state_size])

    def take_back(s: Core) -> None:
        if s.back is None:
            return
        s.piles[:] = [pile[:] for pile in s.back[0]]
        s.cells[: machine.state_size] = s.back[1]
        if s.log is not None:
            s.log.append(("taken_back",))

    def arrangement(s: Core, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(s.piles[n]) for n in numbers)

    def remember(
        s: Core, action: Action, register: int, guard: int, forgetting: Sequence[int], numbers: Sequence[int]
    ) -> None:
        """`register` holds (guard, arrangement) for all that its guards have seen."""
        seen = s.cells[register]
        if action[0] in forgetting:
            s.cells[register] = frozenset(entry for entry in seen if entry[0] != guard)
        else:
            s.cells[register] = seen | {(guard, arrangement(s, numbers))}

    def never_twice(
        s: Core, acts: list[Action], label: int, guard: int, over: Sequence[int], numbers: Sequence[int], seen: Any
    ) -> list[Action]:
        if s.looking:
            return acts
        now = arrangement(s, numbers)

        def new(action: Action) -> bool:
            made = after(s, action, label, numbers)
            return made != now and (guard, made) not in seen

        return [a for a in acts if a[0] not in over or new(a)]

    def after(s: Core, action: Action, label: int, numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The arrangement that an action would make."""
        tried = s.copy()
        tried.log, tried.looking = None, True
        machine.apply[label](tried, action)
        return arrangement(tried, numbers)

    return {
        "UNSEEN": UNSEEN,
        **{name: found for name, found in locals().items() if callable(found) and name not in ("machine",)},
    }
