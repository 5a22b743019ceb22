"""Terms and columns of formulas: one instance for each set of kinds they are called with."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial

from msgspec.structs import replace

from hoyle.checking.checker import Checker
from hoyle.checking.world import Scope
from hoyle.diagnostics import UNSAID, Said, verbatim
from hoyle.language.ir import ColumnCall, Const, Expr, Instance, Local, TermCall, Var, walk
from hoyle.language.kinds import PLAYER, join
from hoyle.language.model import Column, Table, TermSource
from hoyle.language.sentences import said
from hoyle.language.syntax import Form


def arguments(count: int) -> Said:
    return (
        said("terms.no_arguments")
        if count == 0
        else said("terms.one_argument")
        if count == 1
        else said("terms.arguments", count=count)
    )


def call_term(checker: Checker, form: Form, name: str, args: tuple[Expr, ...], scope: Scope) -> Expr:
    source = checker.world.terms[name]
    source.used = True
    if len(args) != len(source.parameters):
        checker.problem(
            "R403",
            said("terms.takes", name=name, arguments=arguments(len(source.parameters)), given=len(args)),
            form,
            help=said("terms.defined_as", name=name, parameters=", ".join(source.parameters))
            if source.parameters
            else UNSAID,
        )
        return checker.unknown(form)
    key = ("term", name, tuple(a.kind for a in args), *_judged_for(checker, args, scope))
    instance = _instance(checker, key, name, source, args, form, scope, None)
    return _call(checker, form, instance, args, scope) if instance else checker.unknown(form)


def call_column(
    checker: Checker, form: Form, table: Table, column: Column, value: Expr, args: tuple[Expr, ...], scope: Scope
) -> Expr:
    """A column whose cells are formulas: of one row if the row is known, else of whichever it is."""
    all_args = (value, *args)
    rows = table.rows if not isinstance(value, Const) else (table.rows[value.value],)
    instances = [_cell_instance(checker, table, column, row, all_args, form, scope) for row in rows]
    found = [i for i in instances if i is not None]
    if len(found) != len(instances) or not found:
        return checker.unknown(form)
    if len(found) == 1 and isinstance(value, Const):
        return _call(checker, form, found[0], all_args, scope)
    kind = found[0].body.kind
    for other in found[1:]:
        kind = join(kind, other.body.kind) or kind
    acting = (checker.acting(form, scope),) if any(i.uses_me for i in found) else ()
    kind = kind.maybe(kind.optional or value.kind.optional)
    return ColumnCall(kind, form.span, (*all_args, *acting), tuple(found))


def _cell_instance(
    checker: Checker, table: Table, column: Column, row: str, args: tuple[Expr, ...], form: Form, scope: Scope
) -> Instance | None:
    name = f"{table.name}.{row}.{column.name}"
    source = TermSource(name, ("row", *column.parameters), column.forms[row], column.forms[row].span)
    key = (
        "column",
        name,
        args[0].kind.maybe(False),
        tuple(a.kind for a in args[1:]),
        *_judged_for(checker, args, scope),
    )
    instance = _instance(checker, key, name, source, args, form, scope, column)
    if instance is not None:
        instance.body = checker.fit(instance.body, column.kind, what=partial(said, "tables.column", name=column.name))
    return instance


def _judged_for(checker: Checker, args: tuple[Expr, ...], scope: Scope) -> tuple[object, ...]:
    """Does somebody act, must the formula see no more than he does, and which arguments are he? (What is his own he sees.)"""
    return scope.me is not None, checker.private, tuple(checker.private and scope.is_me(a) for a in args)


def _instance(
    checker: Checker,
    key: tuple[object, ...],
    name: str,
    source: TermSource,
    args: tuple[Expr, ...],
    form: Form,
    scope: Scope,
    column: Column | None,
) -> Instance | None:
    if key in checker.world.instances:
        return checker.world.instances[key]
    if name in checker.building:
        chain = [*checker.building, name]
        checker.world.problems.add(
            "R308",
            said("terms.by_itself", name=name),
            source.span,
            notes=[verbatim(" → ".join(chain[chain.index(name) :]))],
            help=said("terms.not_itself"),
        )
        return None
    checker.building.append(name)
    with checker.knowing_nothing(), _told_of(checker, form):
        instance = _build(checker, name, source, args, scope, column)
    checker.building.pop()
    checker.world.instances[key] = instance
    return instance


def _told_of(checker: Checker, form: Form) -> AbstractContextManager[None]:
    """A call in the file itself is told with what is wrong in an inherited term that it calls."""
    own, problems = checker.world.own, checker.world.problems
    is_own = own is not None and own.shares_file(form.span)
    return problems.called_at(form.span, partial(said, "terms.called_here")) if is_own else nullcontext()


def _build(
    checker: Checker, name: str, source: TermSource, args: tuple[Expr, ...], scope: Scope, column: Column | None
) -> Instance:
    variables = tuple(
        Var(p, a.kind if not (column and i == 0) else a.kind.maybe(False))
        for i, (p, a) in enumerate(zip(source.parameters, args, strict=True))
    )
    own_me = Var("me", PLAYER)
    mine = frozenset(v for v, a in zip(variables, args, strict=True) if scope.is_me(a))
    inner = Scope(me=own_me if scope.me is not None else None, mine=mine).bind(*variables)
    if column is None:
        body = checker.check(source.form, inner)
    else:
        body = checker.check(source.form, replace(inner, row=variables[0]), column.kind)
    uses = any(isinstance(e, Local) and e.var is own_me for e in walk(body))
    return Instance(
        name, len(checker.world.instances) + len(checker.building) * 10_000, variables, own_me, body, uses_me=uses
    )


def _call(checker: Checker, form: Form, instance: Instance, args: tuple[Expr, ...], scope: Scope) -> Expr:
    acting = (checker.acting(form, scope),) if instance.uses_me else ()
    return TermCall(instance.body.kind, form.span, (*args, *acting), instance)
