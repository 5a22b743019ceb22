"""What formulas may mention: the symbols of one ruleset, and the scope of bound names at one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.diagnostics import UNSAID, Fix, Problems, Said, Span, replacing, similar, verbatim
from hoyle.language.ir import Expr, Instance, Local, Var
from hoyle.language.kinds import PLAYER, SIDE, SIDES, Kind
from hoyle.language.model import (
    Family,
    Option,
    PieceKind,
    Sides,
    StateFamily,
    Table,
    Tables,
    TermSource,
    count_of,
)
from hoyle.language.sentences import said
from hoyle.language.syntax import Form


class Heard(Struct, frozen=True):
    """A form that was checked: the names it could mention, what it was taken for, and what came of it."""

    form: Form
    scope: Scope
    expected: Kind | None
    found: Expr


class Hearing(Struct):
    """What whoever wants to know it is told of a check, however far that came: every form, the symbols, and how what only the whole
    ruleset can tell is asked, which adds to its problems and to nothing that is told here."""

    forms: list[Heard] = []
    world: World | None = None
    rest: Callable[[], None] | None = None


class World(Struct):
    """Every symbol of a ruleset, filled section by section."""

    problems: Problems
    seats: tuple[str, ...] = ()
    sides: Sides = ()
    options: dict[str, Option] = {}
    tables: dict[str, Table] = {}
    pieces: dict[str, PieceKind] = {}
    piles: dict[str, Family] = {}
    state: dict[str, StateFamily] = {}
    terms: dict[str, TermSource] = {}
    moves: dict[str, int] = {}
    obligations: dict[str, int] = {}
    phases: dict[str, Span] = {}
    attributes: Tables = field(default_factory=Tables)
    instances: dict[tuple[object, ...], Instance] = {}
    used: set[tuple[str, str]] = set()
    """(section, name) of everything some formula mentions."""
    removed: dict[str, Span] = {}
    """Names that a variant has removed with `~`, or left out of the choices of an option, and where."""
    doubtful: set[str] = set()
    """Names whose declaration is wrong: that is reported, and nothing is said of what uses them."""
    may_play: range = range(0)
    """How many players the game is for; `seats` are those of one number."""
    away: dict[str, Kind] = {}
    """Seats and sides that some number of players leaves empty, and what kind of thing each is."""
    own: Span | None = None
    """Where the file itself stands; what stands in others is inherited."""
    heard: list[Heard] | None = None
    """Where every form is noted, if somebody wants to know."""

    def size_of(self, kind: Kind) -> int:
        """How many values a finite kind has."""
        return count_of(kind, self)

    @property
    def side(self) -> Kind:
        """The kind of a side: a player, where everybody plays alone."""
        return SIDE if SIDES in self.tables else PLAYER

    def row_owners(self, name: str) -> list[Table]:
        return [table for table in self.tables.values() if name in table.rows]

    def choice_owners(self, name: str) -> list[Option]:
        return [option for option in self.options.values() if name in option.choices]


class Scope(Struct, frozen=True):
    """Bound names at one place. `me` is None where nobody acts; `lacking` are names that other moves have, by kind; `row` is the row
    whose cell is being defined; `mine` are parameters that are whoever acts, because the term is called with `me`."""

    names: dict[str, Var] = {}
    me: Var | None = None
    lacking: dict[str, Kind] = {}
    move: int | None = None
    row: Var | None = None
    mine: frozenset[Var] = frozenset()

    def bind(self, *variables: Var) -> Scope:
        names = {**self.names, **{v.name: v for v in variables}}
        return replace(self, names=names)

    def acting(self, me: Var | None) -> Scope:
        return replace(self, me=me, mine=frozenset())

    def is_me(self, player: Expr) -> bool:
        """Is it certainly the player who acts?"""
        return isinstance(player, Local) and self.me is not None and player.var in (self.me, *self.mine)


Called = str | Callable[[], Said]
"""What messages call something: a name as it is written, or what says it once there is something to say."""


def called(what: Called) -> Said:
    return verbatim(what) if isinstance(what, str) else what()


class Meant(NamedTuple):
    """What an author may have meant: what is said of that, and what makes it of the text where that is certain."""

    help: Said
    fixes: tuple[Fix, ...] = ()


NOTHING_MEANT = Meant(UNSAID)


def unknown(
    world: World,
    code: str,
    what: str,
    name: str,
    known: list[str],
    span: Span,
    *,
    of: str = "",
    help: Meant = NOTHING_MEANT,
) -> None:
    """Report a name that does not exist, with the similar one that does; if it was removed, at the place that removes it. `what`: the
    sentence of `unknown` that tells it, `of` which entry; `help`: what helps better than a similar name."""
    if is_removed(world, name, span):
        return
    close = similar(name, known)
    similar_one = Meant(said("similar", close=close), replacing(span, name, close)) if close else NOTHING_MEANT
    meant = help if help.help else similar_one
    shown = ", ".join(f"`{k}`" for k in known[:12]) if 0 < len(known) <= 12 else ""
    world.problems.add(
        code,
        said(f"unknown.{what}", name=name, of=of),
        span,
        label=said("world.not_known"),
        notes=[said("world.known", shown=shown)] if shown and not meant.help else [],
        help=meant.help,
        fixes=meant.fixes,
    )


def is_removed(world: World, name: str, *uses: Span, help: Called = "") -> bool:
    """Has a variant removed what is used there? That is told, at the place that removes it."""
    removed = world.removed.get(name.replace("_", " "))
    if removed is not None:
        message, related = said("world.removed", name=name), [(use, said("world.used_here")) for use in uses]
        world.problems.add("R602", message, removed, related=related, help=called(help) or said("world.change_use"))
    return removed is not None
