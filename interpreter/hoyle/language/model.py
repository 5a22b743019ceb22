"""The checked ruleset: what `check` makes of the merged tree, and `compile` reads. No YAML and no Lark in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.display import Display
from hoyle.language.ir import Expr, Instance, Var
from hoyle.language.kinds import SIDES, Choice, Kind, Number, Piece, Plain, Row, bounds
from hoyle.language.phrases import Telling
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.language.steps import Loop, Step
from hoyle.language.syntax import Form

Words = dict[str, str]
"""A text by language."""
Texts = tuple[tuple[str, str], ...]
"""The same, where it has to be immutable."""


def texts_of(make: Callable[[str], str], languages: Iterable[str] = LANGUAGES) -> Texts:
    """What is said in each language."""
    return tuple((lang, make(lang)) for lang in languages)


def text_in(texts: Texts, lang: str) -> str:
    """The text in a language, or the English one, or whichever there is."""
    words = dict(texts)
    return words.get(lang) or words.get(FALLBACK) or next(iter(words.values()), "")


Sides = tuple[tuple[int, ...], ...]
"""The players of each side. Who plays alone is a side of one."""


class Tables(Struct):
    """Attribute tables by name (`card.rank`, `ranks.order`, …): value → value, and one more cell for ABSENT."""

    by_name: dict[str, tuple[int, ...]] = {}
    texts: list[str] = []
    """What text columns say; their cells are places in this list."""


class Rule(Struct, frozen=True):
    """Where a rule comes from: clause ids and place in the source, and a sentence by language."""

    at: str
    texts: Texts = ()

    def text(self, lang: str) -> str:
        return text_in(self.texts, lang)


class Clause(Struct, frozen=True):
    """What a clause of the source says, and the path of the entry that carries it out when none cites it."""

    words: Words
    home: str = ""


class Option(Struct):
    name: str
    kind: Kind
    choices: tuple[str, ...]
    default: int | bool
    value: int | bool
    words: Words
    span: Span
    choice_words: tuple[Words, ...] = ()
    """Of each choice, in their order."""


class Constraint(Struct, frozen=True):
    """What must hold between options, tables and pieces, and the sentence that says so in each language."""

    name: str
    expr: Expr
    at: str
    texts: Words
    span: Span


class Column(Struct):
    """One column of a table: either constant cells, or for every row a formula over the parameters."""

    name: str
    kind: Kind
    parameters: tuple[str, ...]
    forms: dict[str, Form] = {}
    constants: list[Any] | None = None


class Table(Struct):
    name: str
    one: str
    rows: tuple[str, ...]
    columns: dict[str, Column]
    words: dict[str, Words]
    span: Span
    signs: tuple[str, ...] | None = None
    symbols: dict[str, Words] = {}
    letters: dict[str, Words] = {}
    """What people read instead of the sign of a row, and what they may type for it, by language."""


class PieceKind(Struct):
    """`classes[i]` are the attribute values of class `base + i`; `starts[i]` where its `copies` begin."""

    name: str
    base: int
    attributes: dict[str, Kind]
    classes: list[dict[str, int]]
    copies: int
    home: str
    words: Words
    span: Span
    starts: list[int] = []

    @property
    def total(self) -> int:
        return len(self.classes) * self.copies


Face = Literal["down", "up", "owner", "top up", "top seen"]
"""How the pieces of a pile lie and who sees them. `owner`: face down, but its player looks at them; `top up`: what comes to lie on top is
turned up, the rest lies as it was turned; `top seen`: all lie face up, and only the top can be made out."""
FACES: tuple[Face, ...] = get_args(Face)


class Family(Struct):
    """A pile family. `each` is the kind its members are numbered by (None: one member)."""

    name: str
    base: int
    each: Kind | None
    members: int
    columns: int
    has_columns: bool
    room: int
    holds: str
    face: Face
    layout: str
    words: Words
    span: Span
    limited: bool = False
    of_sides: bool = False
    """Is it written that each side has one? Where nobody plays with another, that is each player."""

    @property
    def numbers(self) -> tuple[int, int]:
        """The least and the greatest number of its piles: of columns, of members by number, or counted from 1."""
        if isinstance(self.each, Number) and not self.has_columns:
            return self.each.low, self.each.high
        return 1, self.columns if self.has_columns else self.members


class StateFamily(Struct):
    name: str
    base: int
    each: Kind | None
    size: int
    kind: Kind
    starts: int
    renewed: tuple[str, ...]
    secret: str
    """From whom it is kept: nobody (empty), all but its `owner`, or `all`."""
    track: int
    layout: str
    words: Words
    span: Span
    also: tuple[Kind, ...] = ()
    """The keys after the first."""

    @property
    def keys(self) -> tuple[Kind, ...]:
        """All keys of the family; none of one that has a single member."""
        return () if self.each is None else (self.each, *self.also)


class Condition(Struct):
    name: str
    expr: Expr
    rule: Rule | None
    words: Words


class Take(Struct):
    """Where a move's piece comes from: piles (`any_piece`: not only their tops)."""

    source: Expr
    any_piece: bool


class Move(Struct):
    name: str
    rule: Rule
    takes: list[Take]
    card: Var | None
    origin: Var | None
    withs: list[tuple[Var, Expr]]
    put: Expr | None
    target: Var | None
    lets: list[Var]
    """What is worked out before it is made, each from those before it."""
    conditions: list[Condition]
    then: tuple[Step, ...]
    openly: bool
    telling: Telling
    span: Span
    me: Var
    number: int = 0
    short: Telling | None = None
    """Its notation, the same in every language."""

    @property
    def words(self) -> Words:
        """What it is called, whatever it is bound to."""
        return self.telling.words

    @property
    def bindings(self) -> list[Var]:
        """In the order of an action's values: from, card, each of `with`, to."""
        found = [self.origin, self.card, *(var for var, _ in self.withs), self.target]
        return [var for var in found if var is not None]

    @property
    def names(self) -> list[Var]:
        """Whatever its formulas may name: what it is bound to, and what `let` gives."""
        return [*self.bindings, *self.lets]

    @property
    def taken(self) -> tuple[Var, Var] | None:
        """The pile and the piece that it takes, if it takes any."""
        return (self.origin, self.card) if self.origin is not None and self.card is not None else None

    @property
    def aim(self) -> Var | None:
        """The pile that it puts on, where there are several to choose from."""
        return self.target if self.put is not None and self.put.kind.name == "list" else None


class Prefer(Struct, frozen=True):
    """Actions for which this holds, if there are any. What it means for each move stands in `Ruleset.judged`."""

    form: Form


class PreferMoves(Struct, frozen=True):
    """Actions of these moves, if there are any."""

    moves: tuple[str, ...]


class Maximise(Struct, frozen=True):
    """Actions that begin a turn with the greatest sums of weights, or one at whose end `unless` holds; `most` bounds each sum (or is
    empty). Of turns only those count at whose end `ends_if` holds, which may then end early."""

    weights: tuple[Form, ...]
    most: tuple[Expr, ...]
    unless: Expr | None = None
    ends_if: Expr | None = None

    @property
    def formulas(self) -> tuple[Expr, ...]:
        return (*self.most, *(e for e in (self.unless, self.ends_if) if e is not None))


class NeverTwice(Struct, frozen=True):
    """Actions that do not make an arrangement of these piles that was there before, since one of the moves `until` (None:
    any that the obligation does not restrain)."""

    piles: Expr
    until: tuple[str, ...] | None


Demand = Prefer | PreferMoves | Maximise | NeverTwice


class Obligation(Struct, frozen=True):
    """What is demanded of whoever acts, `when` it binds, of which moves (`over`; None: all), of which of their actions apart (`each`;
    None: of all together), and whether its breach is only a fault that others may call."""

    name: str
    rule: Rule
    demand: Demand
    when: Expr | None
    over: tuple[str, ...] | None
    callable: Expr | None
    words: Words
    span: Span
    me: Var
    number: int = 0
    each: Form | None = None
    """What it is for each move stands in `Ruleset.apart`."""


class Phase(Struct):
    name: str
    steps: tuple[Step, ...]
    me: Var | None
    span: Span
    words: Words = {}


class Whenever(Struct):
    name: str
    rule: Rule
    during: tuple[str, ...] | None
    loop: Loop | None
    condition: Expr
    do: tuple[Step, ...]
    me: Var
    uses_me: bool
    span: Span
    number: int = 0
    words: Words = {}


class TermSource(Struct):
    """A term as written: its parameters and its formula."""

    name: str
    parameters: tuple[str, ...]
    form: Form
    span: Span
    used: bool = False


class Result(Struct):
    best: list[Expr]
    score: Expr
    stake: Expr | None
    margin: Expr | None
    p: Var
    """A side, which is a player where everybody plays alone."""
    won: Expr | None = None
    """What a side must fulfil to win at all."""

    @property
    def formulas(self) -> tuple[Expr, ...]:
        found = (*self.best, self.score, self.won, self.stake, self.margin)
        return tuple(e for e in found if e is not None)


class Ruleset(Struct):
    """A whole checked ruleset with its options fixed."""

    name: str
    title: Words
    seats: tuple[str, ...]
    may_play: range
    seat_words: dict[str, Words]
    sides: Sides
    side: Kind
    away: dict[str, Kind]
    """Seats and sides that some number of players leaves empty, and what kind of thing each is."""
    options: dict[str, Option]
    constraints: dict[str, Constraint]
    tables: dict[str, Table]
    pieces: dict[str, PieceKind]
    piles: dict[str, Family]
    state: dict[str, StateFamily]
    attributes: Tables
    moves: dict[str, Move]
    obligations: dict[str, Obligation]
    judged: dict[tuple[str, str], Expr | tuple[Expr, ...]]
    """(obligation, move) → its `prefer`, or its weights, in terms of that move's bindings."""
    apart: dict[tuple[str, str], Expr]
    """(obligation, move) → its `each`, in terms of that move's bindings."""
    phases: dict[tuple[str, bool], Phase]
    whenever: dict[str, Whenever]
    result: Result
    source: Words
    clauses: dict[str, Clause]
    summary: Words
    glossary: dict[str, Words]
    """The game in a few sentences, and words that its sentences use, each with what it means: `Word: meaning`."""
    notes: dict[str, str]
    terms: dict[str, TermSource]
    instances: dict[tuple[object, ...], Instance]
    """The terms by what they are called with."""
    digest: str
    files: tuple[str, ...]
    languages: tuple[str, ...]
    """Those of the interpreter, and others in which files of words say what this game's things are called."""
    idle: frozenset[str] = frozenset()
    """Options that change nothing: what would heed them is never done, offered or obeyed."""
    only_shown: frozenset[str] = frozenset()
    """Options that only hints of the display heed."""
    uses: frozenset[str] = frozenset()
    """Of `fault` and `take_back`, those the ruleset mentions."""
    places: tuple[tuple[str, ...], ...] = ()
    """The paths of the phases and steps where a position may stand."""
    display: Display = Display()

    @property
    def side_names(self) -> tuple[str, ...]:
        """The sides; those of one player by the name of the seat, where everybody plays alone."""
        return self.tables[SIDES].rows if SIDES in self.tables else self.seats


class Symbols(Protocol):
    """What says how many values a kind has: a ruleset, whole or while it is being checked."""

    @property
    def seats(self) -> tuple[str, ...]: ...
    @property
    def options(self) -> Mapping[str, Option]: ...
    @property
    def tables(self) -> Mapping[str, Table]: ...
    @property
    def pieces(self) -> Mapping[str, PieceKind]: ...


def count_of(kind: Kind, symbols: Symbols) -> int:
    """How many values a finite kind has."""
    seats = len(symbols.seats)
    match kind:
        case Plain("player"):
            return seats
        case Plain("pair"):
            return seats * (seats - 1) // 2
        case Row(table):
            return len(symbols.tables[table].rows)
        case Choice(option):
            return len(symbols.options[option].choices)
        case Piece(of):
            return len(symbols.pieces[of].classes)
    low, high = bounds(kind)
    return high - low + 1
