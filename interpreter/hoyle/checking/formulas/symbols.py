"""The names that formulas may use: the symbol table of one ruleset, and the scope of bound names at one place.

Problems are reported through the symbol table, which knows what a variant removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from hoyle.diagnostics import NO_TEXT, Fix, LocalizedText, Problems, Span, build_replacement, find_close_name, verbatim
from hoyle.language.ir import Expr, Instance, Local, Var
from hoyle.language.model import Family, Option, PieceKind, Sides, StateFamily, Table, Tables, TermSource, count_of
from hoyle.language.sentences import FALLBACK, make_message
from hoyle.language.sentences import load_messages as sentences
from hoyle.language.syntax import Form
from hoyle.language.value_types import PLAYER, SIDE, SIDES, Row, ValueType
from hoyle.reading.tree import Node


class CheckedForm(Struct, frozen=True):
    """A checked form: the names in scope, the type that was expected, and the resulting expression."""

    form: Form
    scope: Scope
    expected: ValueType | None
    found: Expr


class CheckTrace(Struct):
    """Details of a check for an editor: every form, the symbols, and the global checks, which have not run yet.

    compute_digest  computes the digest of the ruleset
    """

    forms: list[CheckedForm] = []
    symbols: SymbolTable | None = None
    rest: Callable[[], None] | None = None
    compute_digest: Callable[[], str] | None = None


class Offer(Struct, frozen=True):
    """A decision of the flow: its moves, the obligations it obeys, and the node that says so."""

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    place: Node


class SymbolTable(Struct):
    """Every symbol of a ruleset, filled section by section.

    used      (section, name) of everything that some formula mentions
    removed   names that a variant removed with `~`, or choices it left out, with the place
    doubtful  names whose declaration is wrong; uses of them are not reported
    may_play  the numbers of players the game is for; `seats` are those of one number
    declared  the keys of all names in the one name space
    away      seats and sides that are empty under some number of players, with their types
    own       the span of the file itself; what stands in other files is inherited
    heard     list to which every checked form is added, if an editor traces the check
    """

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
    offers: list[Offer] = []
    used: set[tuple[str, str]] = set()
    removed: dict[str, Span] = {}
    doubtful: set[str] = set()
    may_play: range = range(0)
    away: dict[str, ValueType] = {}
    declared: dict[str, Node] = {}
    own: Span | None = None
    heard: list[CheckedForm] | None = None

    def report(
        self,
        code: str,
        key: str,
        span: Span | None,
        /,
        *,
        label: str = "",
        note: str = "",
        notes: Iterable[LocalizedText] = (),
        help: str = "",
        related: Iterable[tuple[Span, LocalizedText]] = (),
        fixes: Iterable[Fix] = (),
        **values: object,
    ) -> None:
        """Add a problem to the list.

        `key`, `label`, `note` and `help` are keys of sentences; each is filled with the `values` that it has places for.
        The last three may also be a `LocalizedText`.
        """

        def fill(text: str) -> LocalizedText:
            if isinstance(text, LocalizedText) or not text:
                return verbatim(text)
            sentence = sentences(FALLBACK)[text]
            return make_message(text, **{name: v for name, v in values.items() if re.search(rf"\{{{name}\b", sentence)})

        notes = [fill(note), *notes] if note else notes
        self.problems.add(
            code, fill(key), span, label=fill(label), notes=notes, help=fill(help), related=related, fixes=fixes
        )

    @contextmanager
    def collecting(self) -> Iterator[Problems]:
        """Collect the problems found inside instead of reporting them."""
        before, self.problems = self.problems, Problems()
        try:
            yield self.problems
        finally:
            self.problems = before

    def size_of(self, value_type: ValueType) -> int:
        """Return the number of values of a finite type."""
        return count_of(value_type, self)

    @property
    def side(self) -> ValueType:
        """The type of a side; the player type where everybody plays alone."""
        return SIDE if SIDES in self.tables else PLAYER

    def table_of(self, row: ValueType) -> Table:
        assert isinstance(row, Row)
        return self.tables[row.table]

    def row_owners(self, name: str) -> list[Table]:
        return [table for table in self.tables.values() if name in table.rows]

    def choice_owners(self, name: str) -> list[Option]:
        return [option for option in self.options.values() if name in option.choices]


class Scope(Struct, frozen=True):
    """Bound names at one place.

    me       the acting player; None where nobody acts
    lacking  names that only other moves bind, with their types
    row      the row whose cell is being defined
    mine     parameters that are the acting player, because the term is called with `me`
    """

    names: dict[str, Var] = {}
    me: Var | None = None
    lacking: dict[str, ValueType] = {}
    move: int | None = None
    row: Var | None = None
    mine: frozenset[Var] = frozenset()

    def bind(self, *variables: Var) -> Scope:
        return replace(self, names={**self.names, **{v.name: v for v in variables}})

    def with_actor(self, me: Var | None) -> Scope:
        return replace(self, me=me, mine=frozenset())

    def is_me(self, player: Expr) -> bool:
        """Return whether an expression is certainly the acting player."""
        return isinstance(player, Local) and self.me is not None and player.var in (self.me, *self.mine)


Subject = str | Callable[[], LocalizedText]
"""Name of something in messages: its name in code, or a function that is only called if there is a message."""


def say_subject(subject: Subject) -> LocalizedText:
    return verbatim(subject) if isinstance(subject, str) else subject()


class Suggestion(NamedTuple):
    """A guess at the author's intention: the help of a diagnostic, and fixes if the change is certain."""

    help: LocalizedText
    fixes: tuple[Fix, ...] = ()


NO_SUGGESTION = Suggestion(NO_TEXT)


def report_unknown(
    symbols: SymbolTable,
    code: str,
    what: str,
    name: str,
    known: list[str],
    span: Span,
    *,
    of: str = "",
    help: Suggestion = NO_SUGGESTION,
) -> None:
    """Report a name that does not exist, with a similar one that does.

    A name that the variant removed is reported where it was removed.

    what: key of the sentence below `unknown`
    of: the entry that lacks the name, for sentences that tell it
    help: a better suggestion than a similar name
    """
    if report_removed(symbols, name, span):
        return
    close = find_close_name(name, known)
    suggestion = help
    if not help.help and close:
        suggestion = Suggestion(make_message("similar", close=close), build_replacement(span, name, close))
    shown = ", ".join(f"`{k}`" for k in known[:12]) if 0 < len(known) <= 12 and not suggestion.help else ""
    symbols.report(
        code,
        f"unknown.{what}",
        span,
        name=name,
        of=of,
        label="world.not_known",
        notes=[make_message("world.known", shown=shown)] if shown else [],
        help=suggestion.help,
        fixes=suggestion.fixes,
    )


def report_removed(symbols: SymbolTable, name: str, *uses: Span, help: Subject = "") -> bool:
    """Report uses of a name that a variant removed, at the place of its removal. Return whether it was removed."""
    removed = symbols.removed.get(name.replace("_", " "))
    if removed is not None:
        related = [(use, make_message("world.used_here")) for use in uses]
        spare = say_subject(help) or make_message("world.change_use")
        symbols.report("R602", "world.removed", removed, name=name, related=related, help=spare)
    return removed is not None
