"""The machine of a compiled game: its blocks and constants, its decision points, and the loop that runs blocks until somebody decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, LocalizedText, Refused, Span
from hoyle.language.evaluate import Setting
from hoyle.language.ir import ABSENT, Expr, Var
from hoyle.language.model import Move, Obligation, Ruleset
from hoyle.language.phrases import used_lets
from hoyle.language.sentences import localize_integer, make_message
from hoyle.language.steps import Label
from hoyle.language.value_types import ValueType
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.hit_counts import Watch
from hoyle.running.state import Action, Core, Event

Path = tuple[str, ...]
Run = Callable[[Core], int]

WATCHED = 10_000
"""Blocks that are run to see where the game loops."""


def diagnose_loop(
    s: Core,
    pc: int,
    most: int,
    blocks: Sequence[Run],
    paths: Mapping[int, Path],
    places: Sequence[Place],
    points: Iterable[Point],
) -> Diagnostic:
    """The diagnostic (R906) of a game that runs on without a decision: the innermost loop, and decisions without any action.

    The state is of no use afterwards.
    """
    seen = {paths[label] for label in _visited(s, pc, blocks) if label in paths}
    loop = _shared(seen)
    place = next((p for n in range(len(loop), 0, -1) for p in places if p.path == loop[:n]), places[0])
    idle = [_from(point.path, loop) for point in points if point.path in seen and _nothing(s, point, blocks)]
    return Diagnostic(
        "R906",
        make_message("running.nobody_decides", most=localize_integer(most)),
        span=place.span,
        notes=(make_message("running.goes_round", place=" / ".join(place.path)), *_describe_idle(idle)),
        help=make_message("running.passed") if idle else make_message("running.comes_true"),
    )


def _describe_idle(idle: Sequence[str]) -> Iterator[LocalizedText]:
    if idle:
        yield make_message("running.nothing_possible", places=", ".join(f"`{name}`" for name in dict.fromkeys(idle)))


def _visited(s: Core, pc: int, blocks: Sequence[Run]) -> Iterator[int]:
    for _ in range(WATCHED):
        if pc < 0:
            return
        yield pc
        pc = blocks[pc](s)


def _shared(paths: Iterable[Path]) -> Path:
    """The common beginning of paths: the step that contains the loop."""
    first, *others = sorted(paths) or [()]
    last = others[-1] if others else first
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:same]


def _from(path: Path, loop: Path) -> str:
    """A place as seen from the loop."""
    return " / ".join(path[min(len(loop), len(path) - 1) :])


def _nothing(s: Core, point: Point, blocks: Sequence[Run]) -> bool:
    """Is no action possible at this decision?"""
    return point.together is None and blocks[point.label](s.copy()) != STOP


class Needs(Struct, frozen=True):
    """Values of the state before a move that the text of the move shows.

    target  the index in an action of the pile that it puts on; 0: none
    lets    the `let` variables that the text uses
    give    computes these from piles, cells, the acting player and the bindings
    """

    target: int
    lets: tuple[Var, ...]
    give: Callable[..., tuple[Any, ...]] | None

    def noted(self, s: Core, action: Action) -> tuple[Any, ...]:
        """The covered piece (ABSENT: none) and the values of `lets`; empty if the text needs neither."""
        pile: Sequence[int] = s.piles[action[self.target]] if self.target else ()
        if not pile and not self.lets:
            return ()
        return (pile[-1] if pile else ABSENT, self.given(s, action))

    def given(self, s: Core, action: Action) -> tuple[Any, ...]:
        """The values of `lets`: integers, and tuples of them."""
        return tuple(map(_kept, self.give(s.piles, s.cells, s.actor, *action[1:]))) if self.give is not None else ()


def needs_of(move: Move, space: Mapping[str, Any]) -> Needs:
    """`space` are the functions of the game."""
    return Needs(
        len(move.bindings) if move.target is not None else 0,
        lets_in_texts(move),
        space.get(lets_function_name(move.number)),
    )


def lets_in_texts(move: Move) -> tuple[Var, ...]:
    """The `let` variables that the move's texts use."""
    return used_lets(move.lets, move.telling, move.short)


def lets_function_name(number: int) -> str:
    """The name of the function that computes the `lets` of a move."""
    return f"given_{number}"


def _kept(value: Any) -> Any:
    return int(value) if isinstance(value, bool | int) else tuple(map(_kept, value))


STOP, OVER = -1, -2
"""Results of a block: somebody decides; the game is over."""


class Facts(Struct, frozen=True):
    """Decisions a generated function may stop at, and whether it reads a piece. Includes the functions it calls."""

    asks: tuple[int, ...]
    reads_pieces: bool


class Turn(Struct, frozen=True):
    """A `turns` around a place: the registers of its player and of the turns done, and the first player."""

    me: int
    done: int
    first: Expr
    registers: dict[Var, int]


class Place(Struct):
    """A step at which a position may stand: its path, its block, and the registers of acting players, innermost last."""

    path: tuple[str, ...]
    label: int
    acting: tuple[int, ...]
    by: bool
    span: Span
    turns: tuple[Turn, ...] = ()


class Together(Struct, frozen=True):
    """A decision that several players make unseen: registers of the players, of whose turn it is, and of their choices."""

    listed: int
    cursor: int
    chosen: int


class Point(Struct):
    """A decision of the running game, for explanations and texts. People are not asked if the move `unasked` is their only one to make."""

    label: int
    path: tuple[str, ...]
    moves: tuple[Move, ...]
    obey: tuple[Obligation, ...]
    together: Together | None
    seen: int | None
    span: Span
    unasked: int | None = None


Block = Callable[[Core], int]
Apply = Callable[[Core, Action], int]
Engine = Literal["auto", "python", "native"]
"""The engine that plays. `auto`: native for series that repay its compilation, or if it is compiled already."""
MOST_DECISIONS = 100_000
_FEW = range(8)
MOST_BLOCKS = 1_000_000
"""Blocks that may run without a decision, far above any game's need, before the game counts as stuck."""


class Machine(Struct):
    """A compiled game: functions, tuples of integers, and names for messages."""

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
    register_types: tuple[ValueType, ...]
    fault_register: int
    face: tuple[int, ...]
    top_up: tuple[bool, ...]
    room: tuple[int, ...]
    limited: tuple[bool, ...]
    hands: tuple[int, ...]
    """The player who alone sees a pile."""
    homes: tuple[int, ...]
    copies: tuple[int, ...]
    pile_names: tuple[tuple[str, int, int], ...]
    rounds: tuple[tuple[int, ...], ...]
    constants: dict[str, Any]
    source: str
    heaps: tuple[int, ...] = ()
    """Piles whose order no rule reads."""
    space: dict[str, Any] = {}
    sought: dict[Any, Any] = {}
    """Functions that `lookahead` needs from `space`, cached."""
    facts: Callable[[], dict[str, Facts]] = dict
    """The facts of each generated function, by its name; they are found when they are asked for."""
    paths: dict[int, tuple[str, ...]] = {}
    """The path in the flow of each block."""
    watch: Watch | None = None
    """Counts conditions and steps, if asked for."""
    told: dict[int, Needs] = {}
    """Values that the texts of moves show, by number of move. A cache."""

    def memory_key(self, s: Core) -> tuple[Any, ...]:
        """Equal for states that differ only in the order of piles whose order no rule reads."""
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
        """The values that formulas read in a state."""
        k, fault = self.constants, s.cells[self.fault_register]
        known = (k["INDEX"], k["NEXT"], k["ROUND"], k["PAIR"], k["MEMBERS"], k["SIDES"], k["SEATS"])
        return Setting(self.ruleset.attributes.by_name, s.piles, s.cells, fault, *known)

    def needs(self, number: int) -> Needs:
        """Return the values of the state before a move that the text of the move shows."""
        if number not in self.told:
            self.told.update({move.number: needs_of(move, self.space) for move in self.ruleset.moves.values()})
        return self.told[number]

    def noted(self, s: Core, action: Action) -> Event:
        """The log entry of an action that is about to be made, with what its text needs."""
        return ("move", s.actor, s.pc, action, *self.needs(action[0]).noted(s, action))

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Do not count uses of rules inside."""
        hits = self.hits[:]
        try:
            yield
        finally:
            self.hits[:] = hits

    def advance(self, s: Core, pc: int, done: int = 0) -> None:
        """Run blocks from `pc` until somebody decides or the game is over; `done` blocks have run since the last decision. Raises Refused (R906)."""
        blocks = self.blocks
        for _ in range(done, MOST_BLOCKS):
            if pc < 0:
                break
            pc = blocks[pc](s)
        else:
            raise Refused([diagnose_loop(s, pc, MOST_BLOCKS, blocks, self.paths, self.places, self.points.values())])
        if pc == -2:
            s.over, s.acts, s.actor = True, [], ABSENT

    def start(self, chance: Chance, log: bool = False) -> Core:
        s = self.fresh(chance)
        s.log = [] if log else None
        self.advance(s, self.entry)
        return s

    def play(self, s: Core, action: Action) -> None:
        """Make a legal action and run to the next decision. Raises Refused."""
        if s.log is not None:
            s.log.append(self.noted(s, action))
        move, actor = action[0], s.actor
        try:
            self.advance(s, self.apply[s.pc](s, action))
        except Refused as refused:
            name = next(m.name for m in self.ruleset.moves.values() if m.number == move)
            note = make_message("running.after_move", game=self.ruleset.name, name=name, seat=self.ruleset.seats[actor])
            raise Refused(replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None

    def playout(self, seed: int, index: int = 0, log: bool = False, most: int = MOST_DECISIONS) -> tuple[Core, int]:
        """Play random moves to the end, or for `most` decisions; return the state and the number of decisions."""
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


def refuse(code: str, message: LocalizedText, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, **more)])
