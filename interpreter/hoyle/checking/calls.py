"""Calls: words, terms, columns with arguments."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from hoyle.checking import names, values
from hoyle.checking.checker import Checker, alone
from hoyle.checking.terms import arguments, call_term
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import Fix
from hoyle.language.ir import Expr, Listed, Member, WordCall
from hoyle.language.kinds import PLAYER, SOME_NUMBER, UNKNOWN, Kind, List, Piece, describe
from hoyle.language.sentences import said
from hoyle.language.syntax import Form
from hoyle.language.vocabulary import WORDS, Role, Word


def call(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    world = checker.world
    if form.name in world.doubtful:
        return checker.unknown(form)
    if form.name in world.terms:
        args = tuple(checker.check(p, scope) for p in form.parts if p)
        return call_term(checker, form, form.name, args, scope)
    word = WORDS.get(form.name)
    if word is None:
        known = [*WORDS, *world.terms]
        if form.name in world.piles or form.name in world.state:
            message, help = said("calls.not_called", name=form.name), said("calls.write_of", name=form.name)
            whose = form.part(0) if len(form.parts) == 1 else None
            fixes = (Fix(form.span, f"{form.name} of {whose.written}"),) if whose is not None else ()
            checker.problem("R417", message, form, help=help, fixes=fixes)
        else:
            unknown(world, "R303", "word_or_term", form.name, known, form.span)
        return checker.unknown(form)
    return _word(checker, form, word, scope)


def _word(checker: Checker, form: Form, word: Word, scope: Scope) -> Expr:
    parts = [p for p in form.parts if p]
    if len(parts) < len(word.takes) - word.optional or (len(parts) > len(word.takes) and not word.many):
        checker.problem(
            "R403",
            said("calls.usage", name=word.name, usage=word.usage),
            form,
            label=said("calls.arguments_here", arguments=arguments(len(parts))),
        )
        return checker.unknown(form)
    if word.name == "sorted" and len(parts) == 1 and parts[0].op == "collected" and parts[0].parts[3] is not None:
        return values.in_order(checker, parts[0], scope)
    args = [
        _argument(checker, p, word.takes[min(i, len(word.takes) - 1)], len(parts), scope) for i, p in enumerate(parts)
    ]
    if any(a.kind.name == "unknown" for a in args):
        return checker.unknown(form)
    if word.alike:
        checker.told_apart(args[0].kind, args[0].span)
    kind = word.kinds([a.kind for a in args])
    if isinstance(kind, str):
        checker.problem("R401", kind, form)
        return checker.unknown(form)
    if word.once and isinstance(kind, List):
        kind = List(kind.item, min(kind.most, len(checker.world.seats)), kind.least)
    if args[0].kind.name == "pair" and word.member is not None:
        return Member(kind, form.span, args[0], word.member)
    return WordCall(kind, form.span, tuple(args), word.name)


def _argument(checker: Checker, form: Form, role: Role, count: int, scope: Scope) -> Expr:
    """An argument as its role has it. `count`: how many arguments the call has."""
    match role:
        case "number":
            return checker.need(form, scope, SOME_NUMBER)
        case "present number":
            return checker.need(form, scope, SOME_NUMBER, present=True)
        case "piece":
            return checker.need(form, scope, Piece())
        case "player":
            return checker.need(form, scope, PLAYER, present=True)
        case "perhaps a player":
            return checker.need(form, scope, PLAYER)
        case "side":
            return checker.need(form, scope, checker.world.side, present=True)
        case "list or number":
            return _argument(checker, form, "list" if count == 1 else "number", count, scope)
        case "list":
            return checker.listed(form, scope)
        case "list or pair":
            value = checker.check(form, scope)
            return value if value.kind.name == "pair" else checker.as_list(alone(form, value))
        case "pile":
            return _of_pile(checker, checker.check(form, scope), "a_pile")
        case "piles":
            return _of_piles(checker, checker.check(form, scope))
        case _:
            assert_never(role)


def _of_piles(checker: Checker, value: Expr) -> Expr:
    if value.kind.name == "pile":
        return Listed(List(value.kind, 1, 0 if value.kind.optional else 1), value.span, (value,))
    several = value.kind.name == "list" and value.kind.of_item.name in ("pile", "unknown")
    return value if several else _of_pile(checker, value, "piles")


def _of_pile(checker: Checker, value: Expr, what: str) -> Expr:
    """`what`: the sentence of what it should be."""
    if value.kind.name in ("pile", "unknown"):
        return value
    message = said("must_stand", what=said(f"calls.{what}"), found=describe(value.kind))
    checker.world.problems.add("R401", message, value.span)
    return replace(value, kind=UNKNOWN)


def column_of(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    owner = checker.check(form.part(0), scope)
    args = tuple(checker.check(p, scope) for p in form.parts[1:] if p)
    if owner.kind.name == "row":
        return names.column(checker, owner, form, scope, args)
    if owner.kind.name != "unknown":
        checker.problem("R302", said("calls.no_columns", kind=describe(owner.kind)), form)
    return checker.unknown(form)
