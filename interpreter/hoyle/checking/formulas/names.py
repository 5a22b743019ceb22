"""Rules for names, members of families (`x of y`, `x at n`), and the words for players."""

from __future__ import annotations

from msgspec.structs import replace

from hoyle.checking.formulas import suggestions
from hoyle.checking.formulas.calls import call_term, make_choice, make_column, make_row
from hoyle.checking.formulas.checker import Checker
from hoyle.checking.formulas.symbols import Scope, report_unknown
from hoyle.diagnostics import Fix, build_replacement
from hoyle.language import ir, value_types
from hoyle.language.ir import CellRef, Key, PileRef
from hoyle.language.model import Family, StateFamily
from hoyle.language.sentences import join_all, make_message
from hoyle.language.syntax import Form
from hoyle.language.value_types import (
    BOOL,
    MOVE,
    NOTHING,
    OBLIGATION,
    PAIR,
    PLAYER,
    SIDE,
    Choice,
    List,
    Row,
    ValueType,
    describe_type,
    get_bounds,
    get_lengths,
    make_number_type,
)
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning


def check_name(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    """Resolve a bare name: a binding, a value of the expected type, an entry, a built-in name, or the row of a single table."""
    if form.name in checker.symbols.doubtful and form.name not in scope.names:
        return checker.make_unknown(form)
    for find in (_find_bound, _find_expected, _find_entry, _find_builtin, _find_unique):
        expr = find(checker, form, scope, expected)
        if expr is not None:
            return expr
    if expected is not None and _is_doubtful(checker, expected):
        return checker.make_unknown(form)  # perhaps a row or a choice of what was dropped
    return _report_unknown_name(checker, form, scope, expected)


def _is_doubtful(checker: Checker, value_type: ValueType) -> bool:
    """Return whether values of a type may have been dropped from the tree as damaged."""
    doubtful = checker.symbols.doubtful
    return (
        bool(doubtful) if value_type.name == "unknown" else isinstance(value_type, Row) and value_type.table in doubtful
    )


def _find_bound(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr | None:
    if form.name in scope.names:
        var = scope.names[form.name]
        few = checker.count_parts(form, checker.let_sizes.get(var, 0))
        return ir.Local(var.type, form.span, var) if few else checker.make_unknown(form)
    if scope.row is not None and form.name in ("order", *checker.symbols.table_of(scope.row.type).columns):
        own = ir.Local(scope.row.type, form.span, scope.row)
        return make_column(checker, own, form, scope, ())
    if form.name in scope.lacking:
        if checker.symbols.doubtful:  # it is not certain which move this is
            return checker.make_unknown(form)
        return _make_missing(scope.lacking[form.name], form)
    return None


def _make_missing(value_type: ValueType, form: Form) -> ir.Expr:
    """Make the value of a name that only other moves bind: false, an empty list, or absent."""
    if value_type.name == "bool":
        return ir.Const(BOOL, form.span, False)
    return (
        ir.Listed(List(value_type.item_type, 0), form.span, ())
        if value_type.name == "list"
        else ir.Const(NOTHING, form.span, -1)
    )


def _find_expected(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr | None:
    if expected is None:
        return None
    value_type = expected.item_type if expected.name == "list" else expected
    symbols = checker.symbols
    if isinstance(value_type, Row) and form.name in symbols.tables[value_type.table].rows:
        return make_row(checker, value_type.table, form)
    if isinstance(value_type, Choice) and form.name in symbols.options[value_type.option].choices:
        return make_choice(checker, value_type.option, form)
    known = {"move": symbols.moves, "obligation": symbols.obligations}.get(value_type.name)
    if known is not None:
        for name, index in known.items():
            if form.name == name.replace(" ", "_"):
                return ir.Const(value_type.with_optional(False), form.span, index)
        report_unknown(symbols, "R307", value_type.name, form.name, [n.replace(" ", "_") for n in known], form.span)
        return checker.make_unknown(form)
    return None


def _find_entry(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr | None:
    symbols, name = checker.symbols, form.name
    if name in symbols.options:
        symbols.used.add(("options", name))
        option = symbols.options[name]
        return ir.Const(option.type, form.span, option.value)
    if name in symbols.piles:
        return make_piles(checker, form, symbols.piles[name], scope)
    if name in symbols.state:
        return make_cell(checker, form, symbols.state[name], scope)
    if name in symbols.terms:
        return call_term(checker, form, name, (), scope)
    if name in symbols.tables:
        symbols.used.add(("tables", name))
        size = len(symbols.tables[name].rows)
        return ir.Rows(List(Row(name), size, size), form.span, size)
    return _find_seat(checker, form)


def _find_seat(checker: Checker, form: Form) -> ir.Expr | None:
    """Find a seat. A seat that is empty with this number of players is absent, and optional if it is empty with some other number."""
    symbols, name = checker.symbols, form.name
    if name in symbols.seats:
        return ir.Const(symbols.away.get(name, PLAYER), form.span, symbols.seats.index(name))
    if name in symbols.away and not symbols.row_owners(name):
        return ir.Const(symbols.away[name], form.span, ir.ABSENT)
    return None


def _find_builtin(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr | None:
    symbols, name, span = checker.symbols, form.name, form.span
    if name == "me":
        return checker.make_actor(form, scope)
    if name == "opponent":
        return make_opponent(checker, form, checker.make_actor(form, scope))
    if name == "partner":
        return make_partner(checker, form, checker.make_actor(form, scope))
    if name == "sides":
        count = len(symbols.sides)
        return ir.Rows(List(symbols.side, count, count), span, count)
    if name == "players":
        return ir.Rows(List(PLAYER, len(symbols.seats), len(symbols.seats)), span, len(symbols.seats))
    if name == "pairs":
        count = symbols.size_of(PAIR)
        return ir.Rows(List(PAIR, count, count), span, count)
    if name == "others":
        value_type = List(PLAYER, len(symbols.seats) - 1, len(symbols.seats) - 1)
        return ir.Others(value_type, span, checker.make_actor(form, scope))
    if name == "move" and scope.move is not None:
        return ir.Const(MOVE, span, scope.move)
    if name == "fault":
        symbols.used.add(("words", "fault"))
        return ir.Fault(OBLIGATION, span)
    return None


def _find_unique(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr | None:
    tables, options = checker.symbols.row_owners(form.name), checker.symbols.choice_owners(form.name)
    if len(tables) == 1 and not options:
        return make_row(checker, tables[0].name, form)
    if len(options) == 1 and not tables:
        return make_choice(checker, options[0].name, form)
    if (tables or options) and _is_already_reported(expected):
        return checker.make_unknown(form)
    if tables or options:
        owners = [t.name for t in tables] + [o.name for o in options]
        checker.symbols.report(
            "R304",
            "names.one_of_several",
            form.span,
            name=form.name,
            owner=owners[0],
            owners=", ".join(f"`{o}`" for o in owners),
            note="names.belongs_to",
            help="names.write_whole",
            fixes=[fix for owner in owners for fix in build_replacement(form.span, form.name, f"{owner}.{form.name}")],
        )
        return checker.make_unknown(form)
    return None


def _is_already_reported(expected: ValueType | None) -> bool:
    """Return whether the other side of a comparison has an error that hides which name is meant."""
    value_type = expected.item if isinstance(expected, List) else expected
    return value_type is not None and value_type.name == "unknown"


_STATES = ("empty", "none")
"""Words of the grammar that a misspelt name behind `is` may mean."""


def _report_unknown_name(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    symbols = checker.symbols
    if _is_already_reported(expected) and form.name in {
        n.replace(" ", "_") for n in (*symbols.moves, *symbols.obligations)
    }:
        return checker.make_unknown(form)
    known = [
        *scope.names,
        *symbols.options,
        *symbols.piles,
        *symbols.state,
        *symbols.terms,
        *symbols.tables,
        *symbols.seats,
        *symbols.away,
        *NAMES,
        *WORDS,
        *_STATES,
    ]
    known += [r for t in symbols.tables.values() for r in t.rows] + [
        c for o in symbols.options.values() for c in o.choices
    ]
    if form.name in WORDS:
        checker.symbols.report("R403", "names.needs_arguments", form.span, name=form.name, usage=WORDS[form.name].usage)
    elif form.name in NAMES:
        taken = make_message("names.bound")
        checker.symbols.report(
            "R306",
            "names.not_here",
            form.span,
            name=form.name,
            help=taken
            if form.name in ("card", "from", "to")
            else make_message("names.it_is", what=name_meaning(form.name)),
        )
    else:
        report_unknown(
            symbols, "R301", "name", form.name, known, form.span, help=suggestions.suggest_name(symbols, form, expected)
        )
    return checker.make_unknown(form)


def make_opponent(checker: Checker, form: Form, of: ir.Expr) -> ir.Expr:
    """Make the other of two players, or of two sides."""
    if of.type.name == "unknown" and len(checker.symbols.sides) == 2:
        return checker.make_unknown(form)  # perhaps a side
    if of.type.with_optional(False) == SIDE and len(checker.symbols.sides) == 2:
        return ir.Attr(of.type, form.span, of, ir.OTHER_SIDE)
    if len(checker.symbols.seats) != 2:
        checker.symbols.report("R306", "members.opponent", form.span, help="members.use_others")
        return checker.make_unknown(form)
    return ir.WordCall(PLAYER.with_optional(of.type.optional), form.span, (of,), "next")


def make_partner(checker: Checker, form: Form, of: ir.Expr) -> ir.Expr:
    """Make the other player of a side of two."""
    if any(len(side) != 2 for side in checker.symbols.sides):
        checker.symbols.report("R306", "members.partner", form.span, help="members.members_all")
        return checker.make_unknown(form)
    return ir.Attr(PLAYER.with_optional(of.type.optional), form.span, of, ir.PARTNER)


def make_piles(checker: Checker, form: Form, family: Family, scope: Scope, of: ir.Expr | None = None) -> ir.Expr:
    """Make a pile, or the list of piles, of a family. `of`: the member of the family, if one is named."""
    checker.symbols.used.add(("piles", family.name))
    if of is None and family.each is not None and _is_per_player(family.each):
        of = checker.convert(checker.make_actor(form, scope), family.each)
    mine = of is None or scope.is_me(of)
    pile = value_types.Pile(family.holds, frozenset([family.name]), mine, family.room, *family.numbers)
    key = _key(checker, family.each) if family.each is not None else Key(0, 1)
    ref = PileRef(family.name, family.base, key, family.columns)
    if of is not None and not family.has_columns:
        return ir.Pile(pile.with_optional(not key.holds(of.type)), form.span, ref, of)
    if of is None and family.each is None and not family.has_columns:
        return ir.Pile(pile, form.span, ref)
    size = family.columns if of is not None else family.columns * family.members
    certain = of is None or key.holds(of.type)
    return ir.Piles(List(pile, size, size if certain else 0), form.span, ref, of)


def _key(checker: Checker, value_type: ValueType) -> Key:
    """Return the key by which members of a family are numbered."""
    symbols = checker.symbols
    low = symbols.pieces[value_type.of].base if isinstance(value_type, value_types.Piece) else get_bounds(value_type)[0]
    return Key(low, symbols.size_of(value_type))


def _is_per_player(each: ValueType) -> bool:
    """Return whether a family without a named member means that of the acting player."""
    return each.name == "player" or each == SIDE


def make_cell(checker: Checker, form: Form, family: StateFamily, scope: Scope, *of: ir.Expr) -> ir.Expr:
    """Make a cell of state. A family with several keys needs them all: `played of p of k`."""
    checker.symbols.used.add(("state", family.name))
    each = family.keys
    if len(of) == len(each) - 1 and _is_per_player(each[0]):
        of = (checker.convert(checker.make_actor(form, scope), each[0]), *of)
    if len(of) != len(each):
        known = join_all(make_message("members.each", kind=describe_type(k)) for k in each)
        checker.symbols.report(
            "R417", "members.one_for", form.span, name=family.name, known=known, help="members.say_of_which"
        )
        return checker.make_unknown(form)
    own = family.secret == "owner" and each and each[0].name == "player" and scope.is_me(of[0])
    if family.secret and not own:
        checker.check_state_visible(family.name, family.secret, form)
    keys = tuple(_key(checker, value_type) for value_type in each)
    certain = all(key.holds(o.type) for key, o in zip(keys, of, strict=True))
    value_type = family.type.with_optional(family.type.optional or not certain)
    return ir.Cell(value_type, form.span, CellRef(family.name, family.base, keys), of)


def check_member(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    """Check `x of y`."""
    target, index = form.part(0), form.part(1)
    symbols = checker.symbols
    if target.op == "of" and _innermost(target).name in symbols.state:
        return _check_keys(checker, form, scope)
    if target.op != "name":
        checker.symbols.report("R417", "members.of_follows", target.span)
        return checker.make_unknown(form)
    if target.name == "opponent":
        of = checker.check(index, scope)
        return make_opponent(checker, form, of if of.type.name == "row" else checker.check_as(index, scope, PLAYER))
    if target.name == "partner":
        return make_partner(checker, form, checker.check_as(index, scope, PLAYER))
    if target.name in symbols.doubtful:
        return checker.make_unknown(form)
    family = symbols.piles.get(target.name) or symbols.state.get(target.name)
    if family is None or target.name in scope.names:
        return _report_no_family(checker, target, form)
    if family.each is None:
        fixes, help = (Fix(form.span, family.name),), "members.write_alone"
        checker.symbols.report("R417", "members.only_one", form.span, name=family.name, help=help, fixes=fixes)
        return checker.make_unknown(form)
    key = family.keys[-1] if isinstance(family, StateFamily) else family.each
    of = checker.check_as(index, scope, key)
    named = replace(form, name=target.name)
    if isinstance(family, Family):
        return make_piles(checker, named, family, scope, of)
    return make_cell(checker, named, family, scope, of)


def _innermost(form: Form) -> Form:
    """Return the form before the first `of`: the x of `x of y of z`."""
    while form.op == "of":
        form = form.part(0)
    return form


def _check_keys(checker: Checker, form: Form, scope: Scope) -> ir.Expr:
    """Check `state of y of z`. A first key that is left out is the acting player."""
    family, given, part = checker.symbols.state[_innermost(form).name], list[Form](), form
    while part.op == "of":
        given.insert(0, part.part(1))
        part = part.part(0)
    if len(given) > len(family.keys):
        ordinal = ("second", "second", "third", "fourth")[len(family.keys)]
        checker.symbols.report("R417", f"members.no_{ordinal}", form.span, name=family.name)
        return checker.make_unknown(form)
    keys = [
        checker.check_as(key, scope, value_type)
        for key, value_type in zip(given, family.keys[-len(given) :], strict=True)
    ]
    return make_cell(checker, replace(form, name=family.name), family, scope, *keys)


def _report_no_family(checker: Checker, target: Form, form: Form) -> ir.Expr:
    families = [name for name, f in checker.symbols.piles.items() if f.each] + [
        name for name, s in checker.symbols.state.items() if s.each
    ]
    if target.name in checker.symbols.terms:
        checker.symbols.report("R417", "members.a_term", target.span, name=target.name, help="members.write_called")
    else:
        report_unknown(checker.symbols, "R301", "pile_or_state", target.name, families, target.span)
    return checker.make_unknown(form)


def check_numbered(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    """Check `x at n`: a member by number, or an item of a list."""
    target, index = form.part(0), checker.check_as(form.part(1), scope, make_number_type(-(10**9), 10**9))
    if target.op == "name" and target.name not in scope.names:
        family = checker.symbols.state.get(target.name)
        if family and family.each and family.each.name == "number":
            return make_cell(checker, target, family, scope, index)
        pile = checker.symbols.piles.get(target.name)
        if pile and pile.each and pile.each.name == "number":
            return make_piles(checker, target, pile, scope, index)
    items = checker.as_list(checker.check(target, scope))
    if items.type.name != "list":
        return checker.make_unknown(form)
    low, high = get_bounds(index.type)
    inside = low >= 1 and high <= get_lengths(items.type)[0] and not index.type.optional
    value_type = items.type.item_type.with_optional(items.type.item_type.optional or not inside)
    return ir.Item(value_type, form.span, items, index, inside)
