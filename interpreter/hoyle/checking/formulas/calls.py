"""Rules for calls of terms and words, and for attributes, rows and columns.

A term is checked once for each set of argument types that it is called with (`Instance`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from hoyle.checking.formulas import suggestions, values
from hoyle.checking.formulas.checker import Checker, as_single_list
from hoyle.checking.formulas.symbols import Scope, report_unknown
from hoyle.diagnostics import NO_TEXT, Fix, LocalizedText, verbatim
from hoyle.language import ir
from hoyle.language.model import Column, Table, TermSource
from hoyle.language.sentences import make_message
from hoyle.language.syntax import Form
from hoyle.language.value_types import (
    NOTHING,
    PLAYER,
    SIDES,
    SOME_NUMBER,
    UNKNOWN,
    Choice,
    List,
    Piece,
    Row,
    ValueType,
    describe_type,
    join_types,
    make_number_type,
)
from hoyle.language.vocabulary import WORDS, Role, Word


def count_arguments(count: int) -> LocalizedText:
    return (
        make_message("terms.no_arguments")
        if count == 0
        else make_message("terms.one_argument")
        if count == 1
        else make_message("terms.arguments", count=count)
    )


def call_term(checker: Checker, form: Form, name: str, args: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
    source = checker.symbols.terms[name]
    source.used = True
    if len(args) != len(source.parameters):
        checker.symbols.report(
            "R403",
            "terms.takes",
            form.span,
            name=name,
            arguments=count_arguments(len(source.parameters)),
            given=len(args),
            help=make_message("terms.defined_as", name=name, parameters=", ".join(source.parameters))
            if source.parameters
            else NO_TEXT,
        )
        return checker.make_unknown(form)
    key = ("term", name, tuple(a.type for a in args), *_judgement_key(checker, args, scope))
    instance = _get_instance(checker, key, name, source, args, form, scope, None)
    return _make_call(checker, form, instance, args, scope) if instance else checker.make_unknown(form)


def call_column(
    checker: Checker, form: Form, table: Table, column: Column, value: ir.Expr, args: tuple[ir.Expr, ...], scope: Scope
) -> ir.Expr:
    """Call a column of formulas: the cell of a known row, else the cells of all rows."""
    all_args = (value, *args)
    rows = table.rows if not isinstance(value, ir.Const) else (table.rows[value.value],)
    instances = [_cell_instance(checker, table, column, row, all_args, form, scope) for row in rows]
    made = [i for i in instances if i is not None]
    if len(made) != len(instances) or not made:
        return checker.make_unknown(form)
    if len(made) == 1 and isinstance(value, ir.Const):
        return _make_call(checker, form, made[0], all_args, scope)
    value_type = made[0].body.type
    for other in made[1:]:
        value_type = join_types(value_type, other.body.type) or value_type
    acting = (checker.make_actor(form, scope),) if any(i.uses_me for i in made) else ()
    value_type = value_type.with_optional(value_type.optional or value.type.optional)
    return ir.ColumnCall(value_type, form.span, (*all_args, *acting), tuple(made))


def _cell_instance(
    checker: Checker, table: Table, column: Column, row: str, args: tuple[ir.Expr, ...], form: Form, scope: Scope
) -> ir.Instance | None:
    name = f"{table.name}.{row}.{column.name}"
    source = TermSource(name, ("row", *column.parameters), column.forms[row], column.forms[row].span)
    key = (
        "column",
        name,
        args[0].type.with_optional(False),
        tuple(a.type for a in args[1:]),
        *_judgement_key(checker, args, scope),
    )
    instance = _get_instance(checker, key, name, source, args, form, scope, column)
    if instance is not None:
        instance.body = checker.convert(
            instance.body, column.type, what=partial(make_message, "tables.column", name=column.name)
        )
    return instance


def _judgement_key(checker: Checker, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[object, ...]:
    """Return what else an instance depends on: whether somebody acts, whether the formula decides, and which arguments are the actor."""
    return scope.me is not None, checker.for_actor, tuple(checker.for_actor and scope.is_me(a) for a in args)


def _get_instance(
    checker: Checker,
    key: tuple[object, ...],
    name: str,
    source: TermSource,
    args: tuple[ir.Expr, ...],
    form: Form,
    scope: Scope,
    column: Column | None,
) -> ir.Instance | None:
    if key in checker.symbols.instances:
        return checker.symbols.instances[key]
    if name in checker.open_terms:
        chain = [*checker.open_terms, name]
        checker.symbols.report(
            "R308",
            "terms.by_itself",
            source.span,
            name=name,
            note=verbatim(" → ".join(chain[chain.index(name) :])),
            help="terms.not_itself",
        )
        return None
    checker.open_terms.append(name)
    with checker.without_assumptions(), _naming_call(checker, form):
        instance = _check_body(checker, name, source, args, scope, column)
    checker.open_terms.pop()
    checker.symbols.instances[key] = instance
    return instance


def _naming_call(checker: Checker, form: Form) -> AbstractContextManager[None]:
    """Name a call in the file itself in problems of an inherited term that it calls."""
    own, problems = checker.symbols.own, checker.symbols.problems
    is_own = own is not None and own.shares_file(form.span)
    return problems.relate_to_caller(form.span, partial(make_message, "terms.called_here")) if is_own else nullcontext()


def _check_body(
    checker: Checker, name: str, source: TermSource, args: tuple[ir.Expr, ...], scope: Scope, column: Column | None
) -> ir.Instance:
    variables = tuple(
        ir.Var(p, a.type if not (column and i == 0) else a.type.with_optional(False))
        for i, (p, a) in enumerate(zip(source.parameters, args, strict=True))
    )
    own_me = ir.Var("me", PLAYER)
    mine = frozenset(v for v, a in zip(variables, args, strict=True) if scope.is_me(a))
    inner = Scope(me=own_me if scope.me is not None else None, mine=mine).bind(*variables)
    if column is None:
        body = checker.check(source.form, inner)
    else:
        body = checker.check(source.form, replace(inner, row=variables[0]), column.type)
    uses = any(isinstance(e, ir.Local) and e.var is own_me for e in ir.walk(body))
    return ir.Instance(
        name, len(checker.symbols.instances) + len(checker.open_terms) * 10_000, variables, own_me, body, uses_me=uses
    )


def _make_call(checker: Checker, form: Form, instance: ir.Instance, args: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
    acting = (checker.make_actor(form, scope),) if instance.uses_me else ()
    return ir.TermCall(instance.body.type, form.span, (*args, *acting), instance)


def check_call(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    symbols = checker.symbols
    if form.name in symbols.doubtful:
        return checker.make_unknown(form)
    if form.name in symbols.terms:
        args = tuple(checker.check(p, scope) for p in form.parts if p)
        return call_term(checker, form, form.name, args, scope)
    word = WORDS.get(form.name)
    if word is None:
        known = [*WORDS, *symbols.terms]
        if form.name in symbols.piles or form.name in symbols.state:
            whose = form.part(0) if len(form.parts) == 1 else None
            checker.symbols.report(
                "R417",
                "calls.not_called",
                form.span,
                name=form.name,
                help="calls.write_of",
                fixes=(Fix(form.span, f"{form.name} of {whose.written}"),) if whose is not None else (),
            )
        else:
            report_unknown(symbols, "R303", "word_or_term", form.name, known, form.span)
        return checker.make_unknown(form)
    return _check_word(checker, form, word, scope)


def _check_word(checker: Checker, form: Form, word: Word, scope: Scope) -> ir.Expr:
    parts = [p for p in form.parts if p]
    if len(parts) < len(word.takes) - word.optional or (len(parts) > len(word.takes) and not word.many):
        checker.symbols.report(
            "R403",
            "calls.usage",
            form.span,
            name=word.name,
            usage=word.usage,
            arguments=count_arguments(len(parts)),
            label="calls.arguments_here",
        )
        return checker.make_unknown(form)
    if word.name == "sorted" and len(parts) == 1 and parts[0].op == "collected" and parts[0].parts[3] is not None:
        return values.check_sorted(checker, parts[0], scope)
    args = [
        _check_argument(checker, p, word.takes[min(i, len(word.takes) - 1)], len(parts), scope)
        for i, p in enumerate(parts)
    ]
    if any(a.type.name == "unknown" for a in args):
        return checker.make_unknown(form)
    if word.alike:
        checker.check_distinguished(args[0].type, args[0].span)
    value_type = word.infer_type([a.type for a in args])
    if isinstance(value_type, str):
        checker.symbols.problems.add("R401", value_type, form.span)
        return checker.make_unknown(form)
    if word.once and isinstance(value_type, List):
        value_type = List(value_type.item, min(value_type.most, len(checker.symbols.seats)), value_type.least)
    if args[0].type.name == "pair" and word.member is not None:
        return ir.Member(value_type, form.span, args[0], word.member)
    return ir.WordCall(value_type, form.span, tuple(args), word.name)


def _check_argument(checker: Checker, form: Form, role: Role, count: int, scope: Scope) -> ir.Expr:
    """Check an argument by its role. `count`: number of arguments of the call."""
    match role:
        case "number":
            return checker.check_as(form, scope, SOME_NUMBER)
        case "present number":
            return checker.check_as(form, scope, SOME_NUMBER, present=True)
        case "piece":
            return checker.check_as(form, scope, Piece())
        case "player":
            return checker.check_as(form, scope, PLAYER, present=True)
        case "perhaps a player":
            return checker.check_as(form, scope, PLAYER)
        case "side":
            return checker.check_as(form, scope, checker.symbols.side, present=True)
        case "list or number":
            return _check_argument(checker, form, "list" if count == 1 else "number", count, scope)
        case "list":
            return checker.check_list(form, scope)
        case "list or pair":
            value = checker.check(form, scope)
            return value if value.type.name == "pair" else checker.as_list(as_single_list(form, value))
        case "pile":
            return _require_pile(checker, checker.check(form, scope), "a_pile")
        case "piles":
            return _require_piles(checker, checker.check(form, scope))
        case _:
            assert_never(role)


def _require_piles(checker: Checker, value: ir.Expr) -> ir.Expr:
    if value.type.name == "pile":
        return ir.Listed(List(value.type, 1, 0 if value.type.optional else 1), value.span, (value,))
    several = value.type.name == "list" and value.type.item_type.name in ("pile", "unknown")
    return value if several else _require_pile(checker, value, "piles")


def _require_pile(checker: Checker, value: ir.Expr, what: str) -> ir.Expr:
    """Return a pile, or report another value. `what`: key of the sentence below `calls` for what is expected."""
    if value.type.name in ("pile", "unknown"):
        return value
    checker.symbols.report(
        "R401", "must_stand", value.span, what=make_message(f"calls.{what}"), found=describe_type(value.type)
    )
    return replace(value, type=UNKNOWN)


def check_column_call(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    owner = checker.check(form.part(0), scope)
    args = tuple(checker.check(p, scope) for p in form.parts[1:] if p)
    if owner.type.name == "row":
        return make_column(checker, owner, form, scope, args)
    if owner.type.name != "unknown":
        checker.symbols.report("R302", "calls.no_columns", form.span, kind=describe_type(owner.type))
    return checker.make_unknown(form)


def make_row(checker: Checker, table: str, form: Form) -> ir.Expr:
    checker.symbols.used.add(("tables", table))
    may_be_away = table == SIDES and form.name in checker.symbols.away
    return ir.Const(
        Row(table).with_optional(may_be_away), form.span, checker.symbols.tables[table].rows.index(form.name)
    )


def make_choice(checker: Checker, option: str, form: Form) -> ir.Expr:
    checker.symbols.used.add(("choices", f"{option}.{form.name}"))
    return ir.Const(Choice(option), form.span, checker.symbols.options[option].choices.index(form.name))


def check_attribute(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    """Check `x.name`, where x is a piece, row, player, table or option."""
    owner = form.part(0)
    if owner.op == "name" and owner.name not in scope.names:
        qualified = _check_qualified(checker, owner, form)
        if qualified is not None:
            return qualified
    value = checker.check(owner, scope)
    if isinstance(value.type, Piece):
        return _check_piece_attribute(checker, value, value.type, form)
    if value.type.name == "row":
        return make_column(checker, value, form, scope, ())
    if value.type.name == "nothing":
        return ir.Const(NOTHING, form.span, -1)
    if value.type.name == "player" and form.name == "order":
        return ir.Attr(
            make_number_type(1, len(checker.symbols.seats)).with_optional(value.type.optional),
            form.span,
            value,
            ir.SEAT_NUMBER,
        )
    if value.type.name != "unknown":
        which = "only_order" if value.type.name == "player" else "no_attributes"
        suggestion = suggestions.suggest_owner(checker.symbols, value, form)
        label = verbatim(f"`.{form.name}`")
        checker.symbols.report(
            "R302",
            f"names.{which}",
            form.span,
            kind=describe_type(value.type),
            label=label,
            help=suggestion.help,
            fixes=suggestion.fixes,
        )
    return checker.make_unknown(form)


def _check_qualified(checker: Checker, owner: Form, form: Form) -> ir.Expr | None:
    table, option = checker.symbols.tables.get(owner.name), checker.symbols.options.get(owner.name)
    if table and form.name in table.rows:
        return make_row(checker, table.name, form)
    if table:
        report_unknown(checker.symbols, "R305", "row_of", form.name, list(table.rows), form.span, of=table.name)
        return checker.make_unknown(form)
    if option and form.name in option.choices:
        return make_choice(checker, option.name, form)
    return None


def _check_piece_attribute(checker: Checker, value: ir.Expr, piece: Piece, form: Form) -> ir.Expr:
    kind = checker.symbols.pieces.get(piece.of)
    if kind is None:
        kind = next((k for k in checker.symbols.pieces.values() if form.name in k.attributes), None)
    doubtful = checker.symbols.doubtful
    if (kind is None and doubtful) or (kind is not None and form.name not in kind.attributes and kind.name in doubtful):
        return checker.make_unknown(form)
    if kind is None or form.name not in kind.attributes:
        has = kind.attributes if kind else {}
        what, help = (
            "attribute_of" if piece.of else "attribute",
            suggestions.suggest_attribute(checker.symbols, has, form),
        )
        report_unknown(checker.symbols, "R302", what, form.name, list(has), form.span, of=piece.of, help=help)
        return checker.make_unknown(form)
    checker.check_piece_visible(piece, form.span)
    attribute = kind.attributes[form.name]
    return ir.Attr(attribute.with_optional(piece.optional), form.span, value, f"{kind.name}.{form.name}")


def make_column(checker: Checker, value: ir.Expr, form: Form, scope: Scope, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """Make the value of a column of a row: its order, a constant, or a call of a formula."""
    table = checker.symbols.table_of(value.type)
    if form.name == "order":
        size = len(table.rows)
        return ir.Attr(
            make_number_type(1, max(1, size)).with_optional(value.type.optional),
            form.span,
            value,
            f"{table.name}.order",
        )
    column = table.columns.get(form.name)
    if column is None:
        known = ["order", *table.columns]
        help = suggestions.suggest_other_column(checker.symbols, value, form)
        report_unknown(checker.symbols, "R302", "column_of", form.name, known, form.span, of=table.name, help=help)
        return checker.make_unknown(form)
    if len(args) != len(column.parameters):
        checker.symbols.report(
            "R403",
            "names.takes_arguments",
            form.span,
            name=column.name,
            arguments=count_arguments(len(column.parameters)),
            given=len(args),
        )
        return checker.make_unknown(form)
    if column.constants is not None:
        value_type = column.type.with_optional(column.type.optional or value.type.optional)
        return ir.Attr(value_type, form.span, value, f"{table.name}.{column.name}")
    return call_column(checker, form, table, column, value, args, scope)
