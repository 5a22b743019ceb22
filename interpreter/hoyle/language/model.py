"""The checked ruleset as records: `checking` makes it, all later stages read it. Contains no YAML and no Lark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.display import Display
from hoyle.language.ir import Expr, Instance, Var
from hoyle.language.phrases import Telling
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.language.steps import Loop, Step
from hoyle.language.syntax import Form
from hoyle.language.value_types import SIDES, Choice, Number, Piece, Plain, Row, ValueType, get_bounds

Words = dict[str, str]
"""A text by language."""
Texts = tuple[tuple[str, str], ...]
"""A text by language, immutable."""


def texts_of(make: Callable[[str], str], languages: Iterable[str] = LANGUAGES) -> Texts:
    """Make a text in each language."""
    return tuple((lang, make(lang)) for lang in languages)


def text_in(texts: Texts, lang: str) -> str:
    """The text in a language, else in English, else in any."""
    words = dict(texts)
    return words.get(lang) or words.get(FALLBACK) or next(iter(words.values()), "")


Sides = tuple[tuple[int, ...], ...]
"""The players of each side. A player alone is a side of one."""


class Tables(Struct):
    """Tables of attributes by name (`card.rank`, `ranks.order`, …): value → value, with one more cell for ABSENT."""

    by_name: dict[str, tuple[int, ...]] = {}
    texts: list[str] = []
    """The texts of text columns; their cells are indices of this list."""


class Rule(Struct, frozen=True):
    """The source of a rule: clause ids and place, and a sentence by language."""

    at: str
    texts: Texts = ()

    def text(self, lang: str) -> str:
        return text_in(self.texts, lang)


class Clause(Struct, frozen=True):
    """The text of a clause of the source. `home`: the path of the entry that carries it out when none cites it."""

    words: Words
    home: str = ""


class Option(Struct):
    name: str
    type: ValueType
    choices: tuple[str, ...]
    default: int | bool
    value: int | bool
    words: Words
    span: Span
    choice_words: tuple[Words, ...] = ()
    """The words of each choice, in their order."""


class Constraint(Struct, frozen=True):
    """A condition on options, tables and pieces, and its sentence by language."""

    name: str
    expr: Expr
    at: str
    texts: Words
    span: Span


class Column(Struct):
    """A column of a table: constant cells, or a formula over the parameters for each row."""

    name: str
    type: ValueType
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
    """By row and language: what people read instead of its sign (`symbols`), and what they may type (`letters`)."""


class PieceKind(Struct):
    """A kind of piece. `classes[i]` are the attributes of class `base + i`; its `copies` begin at `starts[i]`."""

    name: str
    base: int
    attributes: dict[str, ValueType]
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
"""How the pieces of a pile lie and who sees them. `owner`: face down, seen by their player; `top up`: a piece that comes on top is turned up, others
lie as they were; `top seen`: face up, but only the top can be made out.
"""
FACES: tuple[Face, ...] = get_args(Face)


class Family(Struct):
    """A family of piles. `each` is the type that numbers its members; None for a single one."""

    name: str
    base: int
    each: ValueType | None
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
    """Was it declared for sides? Where nobody plays together, each player is a side."""

    @property
    def numbers(self) -> tuple[int, int]:
        """The least and greatest number of its piles: columns, members by number, or counted from 1."""
        if isinstance(self.each, Number) and not self.has_columns:
            return self.each.low, self.each.high
        return 1, self.columns if self.has_columns else self.members


class StateFamily(Struct):
    name: str
    base: int
    each: ValueType | None
    size: int
    type: ValueType
    starts: int
    renewed: tuple[str, ...]
    secret: str
    """Seats that do not know it: none (empty), all but its `owner`, or `all`."""
    track: int
    layout: str
    words: Words
    span: Span
    also: tuple[ValueType, ...] = ()
    """The keys after the first."""

    @property
    def keys(self) -> tuple[ValueType, ...]:
        """All keys; none for a family with a single member."""
        return () if self.each is None else (self.each, *self.also)


class Condition(Struct):
    name: str
    expr: Expr
    rule: Rule | None
    words: Words


class Take(Struct):
    """Source of a move's piece: the tops of piles, or with `any_piece` any piece in them."""

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
    """Values that are computed before the move is made, each from those before it."""
    conditions: list[Condition]
    then: tuple[Step, ...]
    openly: bool
    telling: Telling
    span: Span
    me: Var
    number: int = 0
    short: Telling | None = None
    """The notation, the same in every language."""

    @property
    def words(self) -> Words:
        """The name of the move, whatever its bindings."""
        return self.telling.words

    @property
    def bindings(self) -> list[Var]:
        """The variables of an action's values, in order: from, card, each of `with`, to."""
        found = [self.origin, self.card, *(var for var, _ in self.withs), self.target]
        return [var for var in found if var is not None]

    @property
    def names(self) -> list[Var]:
        """The names that its formulas may use: bindings and `lets`."""
        return [*self.bindings, *self.lets]

    @property
    def taken(self) -> tuple[Var, Var] | None:
        """The variables of the pile and the piece that it takes, if it takes one."""
        return (self.origin, self.card) if self.origin is not None and self.card is not None else None

    @property
    def aim(self) -> Var | None:
        """The variable of the pile that it puts on, if there are several to choose from."""
        return self.target if self.put is not None and self.put.type.name == "list" else None


class Prefer(Struct, frozen=True):
    """Demands actions for which the form holds, if there are any. Its meaning for each move is in `Ruleset.judged`."""

    form: Form


class PreferMoves(Struct, frozen=True):
    """Demands actions of these moves, if there are any."""

    moves: tuple[str, ...]


class Maximise(Struct, frozen=True):
    """Demands actions that begin a turn with the greatest sums of weights.

    most     bounds of the sums; may be empty
    unless   a turn at whose end it holds is allowed as well
    ends_if  turns count only if it holds at their end, and they may then end early
    """

    weights: tuple[Form, ...]
    most: tuple[Expr, ...]
    unless: Expr | None = None
    ends_if: Expr | None = None

    @property
    def formulas(self) -> tuple[Expr, ...]:
        return (*self.most, *(e for e in (self.unless, self.ends_if) if e is not None))


class NeverTwice(Struct, frozen=True):
    """Forbids actions that repeat an arrangement of these piles since the last of the moves `until` (None: of any other move)."""

    piles: Expr
    until: tuple[str, ...] | None


Demand = Prefer | PreferMoves | Maximise | NeverTwice


class Obligation(Struct, frozen=True):
    """A demand on the acting player.

    when      the condition under which it binds
    over      the moves that it restrains; None: all
    callable  if set, a breach is only a fault, which others may call
    each      groups actions that are compared with each other; its meaning for each move is in `Ruleset.apart`
    """

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
    """A term as written."""

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
    """A side; a player where nobody plays together."""
    won: Expr | None = None
    """The condition for winning at all."""

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
    side: ValueType
    away: dict[str, ValueType]
    """Seats and sides that some number of players leaves empty, and their kinds."""
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
    """(obligation, move) → its `prefer`, or its weights, in terms of the move's bindings."""
    apart: dict[tuple[str, str], Expr]
    """(obligation, move) → its `each`, in terms of the move's bindings."""
    phases: dict[tuple[str, bool], Phase]
    whenever: dict[str, Whenever]
    result: Result
    source: Words
    clauses: dict[str, Clause]
    summary: Words
    glossary: dict[str, Words]
    """Words of its sentences by language: `Word: meaning`. `summary` is the game in a few sentences."""
    notes: dict[str, str]
    terms: dict[str, TermSource]
    instances: dict[tuple[object, ...], Instance]
    """The instances of terms, by what they are called with."""
    digest: str
    files: tuple[str, ...]
    languages: tuple[str, ...]
    """The languages of the interpreter, and those of translations."""
    idle: frozenset[str] = frozenset()
    """Options that change nothing in play."""
    only_shown: frozenset[str] = frozenset()
    """Options that only display hints read."""
    uses: frozenset[str] = frozenset()
    """The words `fault` and `take_back`, if the ruleset mentions them."""
    places: tuple[tuple[str, ...], ...] = ()
    """The paths of phases and steps at which a position may stand."""
    display: Display = Display()

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides; the seats where nobody plays together."""
        return self.tables[SIDES].rows if SIDES in self.tables else self.seats


class Symbols(Protocol):
    """The sizes of types: of a ruleset, or of one that is being checked."""

    @property
    def seats(self) -> tuple[str, ...]: ...
    @property
    def options(self) -> Mapping[str, Option]: ...
    @property
    def tables(self) -> Mapping[str, Table]: ...
    @property
    def pieces(self) -> Mapping[str, PieceKind]: ...


def count_of(value_type: ValueType, symbols: Symbols) -> int:
    """The number of values of a finite type."""
    seats = len(symbols.seats)
    match value_type:
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
    low, high = get_bounds(value_type)
    return high - low + 1
