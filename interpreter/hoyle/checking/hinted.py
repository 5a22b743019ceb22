"""Hints that can be read and say nothing: a number that all places have, piles that cannot hold the men, words with places."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.world import Scope, World
from hoyle.diagnostics import Problems, Span
from hoyle.language.ir import Const, Expr, Var
from hoyle.language.kinds import PLAYER, UNKNOWN
from hoyle.language.model import Family, StateFamily
from hoyle.language.phrases import Unreadable, blanks, phrase_of
from hoyle.language.sentences import said
from hoyle.language.steps import mentions
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node, text_keys

_BINDS = ("quantifier", "extreme", "collected")
"""Forms that give a name to what they go through."""


def tell_numbers(world: World, number: Expr, place: Var) -> None:
    """The places of a board have numbers of their own."""
    if number.kind.name == "number" and not mentions([number], place):
        message = said("hinted.same_number")
        help = said("hinted.by_place")
        world.problems.add("R571", message, number.span, help=help)


def tell_other_pieces(world: World, board: Family, named: Node | None) -> None:
    """Men of a board come to piles for such men."""
    family = world.piles.get(named.raw) if named is not None else None
    if named is not None and family is not None and family.holds != board.holds:
        message = said("hinted.other_pieces", name=family.name, holds=family.holds, board=board.name, lies=board.holds)
        known = [pile.name for pile in world.piles.values() if pile.holds == board.holds and pile.name != board.name]
        shown = ", ".join(f"`{name}`" for name in known)
        notes = [said("hinted.piles_of", holds=board.holds, shown=shown)] if known else []
        world.problems.add("R571", message, named.span, notes=notes)


def tell_no_count(world: World, family: Family, state: StateFamily, span: Span) -> None:
    """What tells how much lies in a pile is a number, one for each pile."""
    if state.kind.name == "unknown" or state.name in world.doubtful:
        return
    alike = state.keys == ((family.each,) if family.each is not None else ())
    if state.kind.name != "number" or not alike:
        message = said("hinted.no_count", name=state.name, pile=family.name)
        help = said("hinted.one_each") if family.each is not None else said("hinted.one_number")
        world.problems.add("R571", message, span, help=help)


def is_whose(world: World, family: StateFamily) -> bool:
    """Does each player or side write for himself on this sheet?"""
    return family.each in (PLAYER, world.side)


def tell_no_sheet(world: World, family: StateFamily, hint: str, span: Span) -> None:
    """Only what has several keys, each another one, is a sheet with boxes."""
    if len(set(family.keys)) < max(2, len(family.keys)):
        message = said("hinted.no_sheet", hint=hint, name=family.name)
        help = said("hinted.a_sheet")
        world.problems.add("R571", message, span, help=help)


def tell_words(world: World, node: Node, what: str, section: str, name: str) -> None:
    """What has words where it is declared has none here."""
    for key, _ in text_keys(node):
        help = said("hinted.where_declared", section=section, name=name, lang=key.raw)
        world.problems.add("R571", said(f"says_nothing_here.{what}", name=key.raw), key.span, help=help)


def tell_places(world: World, node: Node) -> None:
    """Words that are only shown have no places."""
    for _, text in text_keys(node):
        try:
            found = blanks(phrase_of(text.raw))
        except Unreadable:
            continue
        for blank in found:
            message = said("hinted.no_places", name=blank.name)
            world.problems.add("R208", message, text.span, help=said("hinted.leave_out"))


def checked_without_loop(checker: FormulaChecker, form: Form) -> Expr:
    """A value that is shown once. Who writes `p` and has forgotten to say for whom is told that, and not what else may have the name."""
    world, kept = checker.world, checker.world.problems
    world.problems = Problems()
    try:
        found = checker.check(form, Scope())
        wrong = world.problems
    finally:
        world.problems = kept
    lost = next(_unbound(form, "p"), None) if wrong.errors else None
    if lost is None:
        kept.extend(wrong)
        return found
    help = said("hinted.say_for_whom")
    kept.add("R301", said("unknown.name", name="p", of=""), lost.span, label=said("world.not_known"), help=help)
    return Const(UNKNOWN, form.span, 0)


def _unbound(form: Form, name: str) -> Iterator[Form]:
    if form.op == "name" and form.name == name:
        yield form
    if form.op not in _BINDS or form.name != name:
        for part in form.parts:
            yield from _unbound(part, name) if part is not None else ()
