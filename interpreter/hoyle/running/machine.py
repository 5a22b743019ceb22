"""The machine of one compiled game: its blocks, its constants, and the loop that runs blocks until somebody decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, Refused, Said, Span
from hoyle.language.evaluate import Setting
from hoyle.language.ir import ABSENT
from hoyle.language.kinds import Kind
from hoyle.language.model import Ruleset
from hoyle.language.sentences import said
from hoyle.language.steps import Label
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.lets import Needs, needs_of
from hoyle.running.places import STOP, Place, Point
from hoyle.running.state import Action, Core, Event
from hoyle.running.stuck import stuck
from hoyle.running.watching import Watch

Block = Callable[[Core], int]
Apply = Callable[[Core, Action], int]
Engine = Literal["auto", "python", "native"]
"""Which engine plays. `auto`: the native one for series that repay its building, if it is not there already."""
MOST_DECISIONS = 100_000
_FEW = range(8)
MOST_BLOCKS = 1_000_000
"""How many blocks may run without a decision: no game needs a thousandth of it, and a hang tells an author nothing."""


class Machine(Struct):
    """Everything a running game needs and nothing else: functions, tuples of ints, and names for messages."""

    ruleset: Ruleset
    entry: int
    blocks: list[Block]
    apply: dict[int, Apply]
    points: dict[int, Point]
    places: list[Place]
    labels: list[Label]
    faults: list[Span]
    counters: dict[tuple[str, str], int]
    hits: list[int]
    state_size: int
    first_cells: list[Any]
    register_kinds: tuple[Kind, ...]
    fault_register: int
    face: tuple[int, ...]
    top_up: tuple[bool, ...]
    room: tuple[int, ...]
    limited: tuple[bool, ...]
    hands: tuple[int, ...]
    """Of a pile that only its owner sees, who that is."""
    homes: tuple[int, ...]
    copies: tuple[int, ...]
    pile_names: tuple[tuple[str, int, int], ...]
    rounds: tuple[tuple[int, ...], ...]
    constants: dict[str, Any]
    source: str
    heaps: tuple[int, ...] = ()
    """Piles whose order no rule looks at."""
    space: dict[str, Any] = {}
    sought: dict[Any, Any] = {}
    """What obligations that look ahead need of `space`, once they have."""
    paths: dict[int, tuple[str, ...]] = {}
    """Where in the flow each block is written."""
    watch: Watch | None = None
    """Counts what is come to, if that was asked for."""
    told: dict[int, Needs] = {}
    """What the words of moves need of the table, by the numbers of those that have been told."""

    def memory_key(self, s: Core) -> tuple[Any, ...]:
        """Equal for states that differ only in the order of piles whose order no rule looks at."""
        piles = list(map(tuple, s.piles))
        for n in self.heaps:
            if len(piles[n]) > 1:
                piles[n] = tuple(sorted(piles[n]))
        return (tuple(piles), tuple(s.cells))

    def function(self, name: str) -> Any:
        """A generated function by name."""
        return self.space[name]

    def fresh(self, chance: Chance) -> Core:
        """A state before the first step: every piece at home."""
        s = Core(chance)
        s.piles = [[] for _ in range(len(self.face) + 1)]
        for kind, home in enumerate(self.homes):
            s.piles[home] += [2 * kind | (self.face[home] == 1)] * self.copies[kind]
        s.cells = self.first_cells[:]
        s.cells[self.fault_register] = ABSENT
        return s

    def setting(self, s: Core) -> Setting:
        """What formulas are evaluated in: a state, and the constants of the game."""
        k, fault = self.constants, s.cells[self.fault_register]
        known = (k["INDEX"], k["NEXT"], k["ROUND"], k["PAIR"], k["MEMBERS"], k["SIDES"], k["SEATS"])
        return Setting(self.ruleset.attributes.by_name, s.piles, s.cells, fault, *known)

    def needs(self, number: int) -> Needs:
        """What the words of the move of this number need of the table as it is before it is made."""
        if number not in self.told:
            self.told.update({move.number: needs_of(move, self.space) for move in self.ruleset.moves.values()})
        return self.told[number]

    def noted(self, s: Core, action: Action) -> Event:
        """What the log says of an action that is about to be made, and what its words will need."""
        return ("move", s.actor, s.pc, action, *self.needs(action[0]).noted(s, action))

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """What is only tried within does not count as use of a rule."""
        hits = self.hits[:]
        try:
            yield
        finally:
            self.hits[:] = hits

    def advance(self, s: Core, pc: int, done: int = 0) -> None:
        """Run blocks from `pc` until somebody decides or the game is over; so many have been run since somebody did."""
        blocks = self.blocks
        for _ in range(done, MOST_BLOCKS):
            if pc < 0:
                break
            pc = blocks[pc](s)
        else:
            raise Refused([stuck(s, pc, MOST_BLOCKS, blocks, self.paths, self.places, self.points.values())])
        if pc == -2:
            s.over, s.acts, s.actor = True, [], ABSENT

    def start(self, chance: Chance, log: bool = False) -> Core:
        s = self.fresh(chance)
        s.log = [] if log else None
        self.advance(s, self.entry)
        return s

    def play(self, s: Core, action: Action) -> None:
        """Carry out a legal action and go on to the next decision."""
        if s.log is not None:
            s.log.append(self.noted(s, action))
        move, actor = action[0], s.actor
        try:
            self.advance(s, self.apply[s.pc](s, action))
        except Refused as refused:
            name = next(m.name for m in self.ruleset.moves.values() if m.number == move)
            note = said("running.after_move", game=self.ruleset.name, name=name, seat=self.ruleset.seats[actor])
            raise Refused(replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None

    def playout(self, seed: int, index: int = 0, log: bool = False, most: int = MOST_DECISIONS) -> tuple[Core, int]:
        """A game of random moves: its end (or the state after `most` decisions) and the number of decisions."""
        s = self.start(Chance.stream(seed, index), log)
        pick = Chance.stream(seed, index, PLAYER).picker()
        count, apply, advance, blocks = 0, self.apply, self.advance, self.blocks
        while not s.over and count < most:
            acts = s.acts
            offered = len(acts)
            action = acts[pick(offered)] if offered > 1 else acts[0]
            if s.log is not None:
                s.log.append(self.noted(s, action))
            pc = apply[s.pc](s, action)
            for _ in _FEW:  # mostly somebody decides soon
                if pc < 0:
                    break
                pc = blocks[pc](s)
            if pc != STOP:
                advance(s, pc, len(_FEW))
            count += 1
        return s, count


def rounds_of(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple((p + i) % seats for i in range(seats)) for p in range(seats))


def refuse(code: str, message: Said, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, **more)])
