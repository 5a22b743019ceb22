"""What a name, a family member or an attribute in a formula stands for."""

from __future__ import annotations

from hoyle.checking import meant, members
from hoyle.checking.checker import Checker
from hoyle.checking.terms import arguments, call_column, call_term
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import replacing, verbatim
from hoyle.language import kinds
from hoyle.language.ir import (
    ABSENT,
    SEAT_NUMBER,
    Attr,
    Const,
    Expr,
    Fault,
    Listed,
    Local,
    Others,
    Rows,
)
from hoyle.language.kinds import (
    BOOL,
    MOVE,
    NOTHING,
    OBLIGATION,
    PAIR,
    PLAYER,
    Choice,
    Kind,
    List,
    Row,
    describe,
    number,
)
from hoyle.language.model import Table
from hoyle.language.sentences import said
from hoyle.language.syntax import Form
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning


def resolve(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """A bare name: a binding, what is expected, an entry, a built-in word, or a row only one table has."""
    if form.name in checker.world.doubtful and form.name not in scope.names:
        return checker.unknown(form)
    for find in (_bound, _expected, _entry, _builtin, _unique):
        found = find(checker, form, scope, expected)
        if found is not None:
            return found
    if expected is not None and _in_doubt(checker, expected):
        return checker.unknown(form)  # perhaps a row or a choice of what has been left out
    return _not_found(checker, form, scope, expected)


def _in_doubt(checker: Checker, kind: Kind) -> bool:
    """May the kind, or what is of it, be in what has been left out?"""
    doubtful = checker.world.doubtful
    return bool(doubtful) if kind.name == "unknown" else isinstance(kind, Row) and kind.table in doubtful


def _bound(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr | None:
    if form.name in scope.names:
        var = scope.names[form.name]
        few = checker.count_parts(form, checker.unfolded.get(var, 0))
        return Local(var.kind, form.span, var) if few else checker.unknown(form)
    if scope.row is not None and form.name in ("order", *_table(checker, scope.row.kind).columns):
        own = Local(scope.row.kind, form.span, scope.row)
        return column(checker, own, form, scope, ())
    if form.name in scope.lacking:
        known = not checker.world.doubtful  # where something has been left out, it may not be known which move this is
        return _lacking(scope.lacking[form.name], form) if known else checker.unknown(form)
    return None


def _lacking(kind: Kind, form: Form) -> Expr:
    """What another move would be bound to: nothing of what is true or false is so, a list has no items."""
    if kind.name == "bool":
        return Const(BOOL, form.span, False)
    return Listed(List(kind.of_item, 0), form.span, ()) if kind.name == "list" else Const(NOTHING, form.span, -1)


def _expected(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr | None:
    if expected is None:
        return None
    kind = expected.of_item if expected.name == "list" else expected
    world = checker.world
    if isinstance(kind, Row) and form.name in world.tables[kind.table].rows:
        return _row(checker, kind.table, form)
    if isinstance(kind, Choice) and form.name in world.options[kind.option].choices:
        return _choice(checker, kind.option, form)
    known = {"move": world.moves, "obligation": world.obligations}.get(kind.name)
    if known is not None:
        for name, index in known.items():
            if form.name == name.replace(" ", "_"):
                return Const(kind.maybe(False), form.span, index)
        unknown(world, "R307", kind.name, form.name, [n.replace(" ", "_") for n in known], form.span)
        return checker.unknown(form)
    return None


def _row(checker: Checker, table: str, form: Form) -> Expr:
    checker.world.used.add(("tables", table))
    may_be_away = table == kinds.SIDES and form.name in checker.world.away
    return Const(Row(table).maybe(may_be_away), form.span, checker.world.tables[table].rows.index(form.name))


def _choice(checker: Checker, option: str, form: Form) -> Expr:
    checker.world.used.add(("choices", f"{option}.{form.name}"))
    return Const(Choice(option), form.span, checker.world.options[option].choices.index(form.name))


def _entry(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr | None:
    world, name = checker.world, form.name
    if name in world.options:
        world.used.add(("options", name))
        option = world.options[name]
        return Const(option.kind, form.span, option.value)
    if name in world.piles:
        return members.family(checker, form, world.piles[name], scope)
    if name in world.state:
        return members.cell(checker, form, world.state[name], scope)
    if name in world.terms:
        return call_term(checker, form, name, (), scope)
    if name in world.tables:
        world.used.add(("tables", name))
        size = len(world.tables[name].rows)
        return Rows(List(Row(name), size, size), form.span, size)
    return _somebody(checker, form)


def _somebody(checker: Checker, form: Form) -> Expr | None:
    """A seat; of a name that nobody has with so few players nobody, and where that may be, it may be absent with more, too."""
    world, name = checker.world, form.name
    if name in world.seats:
        return Const(world.away.get(name, PLAYER), form.span, world.seats.index(name))
    if name in world.away and not world.row_owners(name):
        return Const(world.away[name], form.span, ABSENT)
    return None


def _builtin(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr | None:
    world, name, span = checker.world, form.name, form.span
    if name == "me":
        return checker.acting(form, scope)
    if name == "opponent":
        return members.opponent(checker, form, checker.acting(form, scope))
    if name == "partner":
        return members.partner(checker, form, checker.acting(form, scope))
    if name == "sides":
        count = len(world.sides)
        return Rows(List(world.side, count, count), span, count)
    if name == "players":
        return Rows(List(PLAYER, len(world.seats), len(world.seats)), span, len(world.seats))
    if name == "pairs":
        count = world.size_of(PAIR)
        return Rows(List(PAIR, count, count), span, count)
    if name == "others":
        kind = List(PLAYER, len(world.seats) - 1, len(world.seats) - 1)
        return Others(kind, span, checker.acting(form, scope))
    if name == "move" and scope.move is not None:
        return Const(MOVE, span, scope.move)
    if name == "fault":
        world.used.add(("words", "fault"))
        return Fault(OBLIGATION, span)
    return None


def _unique(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr | None:
    tables, options = checker.world.row_owners(form.name), checker.world.choice_owners(form.name)
    if len(tables) == 1 and not options:
        return _row(checker, tables[0].name, form)
    if len(options) == 1 and not tables:
        return _choice(checker, options[0].name, form)
    if (tables or options) and _is_untold(expected):
        return checker.unknown(form)
    if tables or options:
        owners = [t.name for t in tables] + [o.name for o in options]
        checker.world.problems.add(
            "R304",
            said("names.one_of_several", name=form.name),
            form.span,
            notes=[said("names.belongs_to", owners=", ".join(f"`{o}`" for o in owners))],
            help=said("names.write_whole", owner=owners[0], name=form.name),
            fixes=[fix for owner in owners for fix in replacing(form.span, form.name, f"{owner}.{form.name}")],
        )
        return checker.unknown(form)
    return None


def _is_untold(expected: Kind | None) -> bool:
    """Would the other side of a comparison say which is meant, if what is wrong with it had not been told already?"""
    kind = expected.item if isinstance(expected, List) else expected
    return kind is not None and kind.name == "unknown"


_STATES = ("empty", "none")
"""Words of the grammar that may be meant by a name behind `is`."""


def _not_found(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    world = checker.world
    if _is_untold(expected) and form.name in {n.replace(" ", "_") for n in (*world.moves, *world.obligations)}:
        return checker.unknown(form)
    known = [
        *scope.names,
        *world.options,
        *world.piles,
        *world.state,
        *world.terms,
        *world.tables,
        *world.seats,
        *world.away,
        *NAMES,
        *WORDS,
        *_STATES,
    ]
    known += [r for t in world.tables.values() for r in t.rows] + [c for o in world.options.values() for c in o.choices]
    if form.name in WORDS:
        checker.problem("R403", said("names.needs_arguments", name=form.name, usage=WORDS[form.name].usage), form)
    elif form.name in NAMES:
        taken = said("names.bound")
        help = taken if form.name in ("card", "from", "to") else said("names.it_is", what=name_meaning(form.name))
        checker.problem("R306", said("names.not_here", name=form.name), form, help=help)
    else:
        unknown(world, "R301", "name", form.name, known, form.span, help=meant.named(world, form, expected))
    return checker.unknown(form)


# ---- attributes ------------------------------------------------------------------------------------------------------


def attribute(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """`x.name` of a piece, a row, a table or an option."""
    owner = form.part(0)
    if owner.op == "name" and owner.name not in scope.names:
        qualified = _qualified(checker, owner, form)
        if qualified is not None:
            return qualified
    value = checker.check(owner, scope)
    if isinstance(value.kind, kinds.Piece):
        return _piece_attribute(checker, value, value.kind, form)
    if value.kind.name == "row":
        return column(checker, value, form, scope, ())
    if value.kind.name == "nothing":
        return Const(NOTHING, form.span, -1)
    if value.kind.name == "player" and form.name == "order":
        return Attr(number(1, len(checker.world.seats)).maybe(value.kind.optional), form.span, value, SEAT_NUMBER)
    if value.kind.name != "unknown":
        which = "only_order" if value.kind.name == "player" else "no_attributes"
        message = said(f"names.{which}", kind=describe(value.kind))
        found = meant.has_no_attributes(checker.world, value, form)
        label = verbatim(f"`.{form.name}`")
        checker.problem("R302", message, form, label=label, help=found.help, fixes=found.fixes)
    return checker.unknown(form)


def _qualified(checker: Checker, owner: Form, form: Form) -> Expr | None:
    table, option = checker.world.tables.get(owner.name), checker.world.options.get(owner.name)
    if table and form.name in table.rows:
        return _row(checker, table.name, form)
    if table:
        unknown(checker.world, "R305", "row_of", form.name, list(table.rows), form.span, of=table.name)
        return checker.unknown(form)
    if option and form.name in option.choices:
        return _choice(checker, option.name, form)
    return None


def _piece_attribute(checker: Checker, value: Expr, piece: kinds.Piece, form: Form) -> Expr:
    kind = checker.world.pieces.get(piece.of)
    if kind is None:
        kind = next((k for k in checker.world.pieces.values() if form.name in k.attributes), None)
    doubtful = checker.world.doubtful
    if (kind is None and doubtful) or (kind is not None and form.name not in kind.attributes and kind.name in doubtful):
        return checker.unknown(form)
    if kind is None or form.name not in kind.attributes:
        has = kind.attributes if kind else {}
        what, help = (
            "attribute_of" if piece.of else "attribute",
            meant.of_attribute(checker.world, has, form),
        )
        unknown(checker.world, "R302", what, form.name, list(has), form.span, of=piece.of, help=help)
        return checker.unknown(form)
    checker.looked_at(piece, form.span)
    found = kind.attributes[form.name]
    return Attr(found.maybe(piece.optional), form.span, value, f"{kind.name}.{form.name}")


def _table(checker: Checker, kind: Kind) -> Table:
    assert isinstance(kind, Row)
    return checker.world.tables[kind.table]


def column(checker: Checker, value: Expr, form: Form, scope: Scope, args: tuple[Expr, ...]) -> Expr:
    """A column of a row: its order, a constant or a formula over parameters."""
    table = _table(checker, value.kind)
    if form.name == "order":
        size = len(table.rows)
        return Attr(number(1, max(1, size)).maybe(value.kind.optional), form.span, value, f"{table.name}.order")
    found = table.columns.get(form.name)
    if found is None:
        known = ["order", *table.columns]
        help = meant.of_another_table(checker.world, value, form)
        unknown(checker.world, "R302", "column_of", form.name, known, form.span, of=table.name, help=help)
        return checker.unknown(form)
    if len(args) != len(found.parameters):
        checker.problem(
            "R403",
            said("names.takes_arguments", name=found.name, arguments=arguments(len(found.parameters)), given=len(args)),
            form,
        )
        return checker.unknown(form)
    if found.constants is not None:
        kind = found.kind.maybe(found.kind.optional or value.kind.optional)
        return Attr(kind, form.span, value, f"{table.name}.{found.name}")
    return call_column(checker, form, table, found, value, args, scope)
