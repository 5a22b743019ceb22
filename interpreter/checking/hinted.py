"""Hints that can be read and say nothing: a number that all places have, piles that cannot hold the men, words with places."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope, World
from interpreter.diagnostics import Problems, Span
from interpreter.language.ir import Const, Expr, Var
from interpreter.language.kinds import PLAYER, UNKNOWN
from interpreter.language.model import Family, StateFamily
from interpreter.language.phrases import Unreadable, blanks, phrase_of
from interpreter.language.steps import mentions
from interpreter.language.syntax import Form
from interpreter.reading.tree import Node, text_keys

_BINDS = ("quantifier", "extreme", "collected")
"""Forms that give a name to what they go through."""


def tell_numbers(world: World, number: Expr, place: Var) -> None:
    """The places of a board have numbers of their own."""
    if number.kind.name == "number" and not mentions([number], place):
        message = "`numbered` gives every place the same number"
        help = "say it by `place`: `numbered: index(place)`, or by what `p` calls it"
        world.problems.add("R571", message, number.span, help=help)


def tell_other_pieces(world: World, board: Family, named: Node | None) -> None:
    """Men of a board come to piles for such men."""
    family = world.piles.get(named.raw) if named is not None else None
    if named is not None and family is not None and family.holds != board.holds:
        message = f"`{family.name}` holds `{family.holds}`, and what lies on `{board.name}` is `{board.holds}`"
        known = [pile.name for pile in world.piles.values() if pile.holds == board.holds and pile.name != board.name]
        shown = ", ".join(f"`{name}`" for name in known)
        notes = [f"piles of `{board.holds}`: {shown}"] if known else []
        world.problems.add("R571", message, named.span, notes=notes)


def tell_no_count(world: World, family: Family, state: StateFamily, span: Span) -> None:
    """What tells how much lies in a pile is a number, one for each pile."""
    if state.kind.name == "unknown" or state.name in world.doubtful:
        return
    alike = state.keys == ((family.each,) if family.each is not None else ())
    if state.kind.name != "number" or not alike:
        message = f"`{state.name}` does not tell how much lies in each `{family.name}`"
        help = "that is one number, for each member of the family" if family.each is not None else "that is one number"
        world.problems.add("R571", message, span, help=help)


def is_whose(world: World, family: StateFamily) -> bool:
    """Does each player or side write for himself on this sheet?"""
    return family.each in (PLAYER, world.side)


def tell_no_sheet(world: World, family: StateFamily, hint: str, span: Span) -> None:
    """Only what has several keys, each another one, is a sheet with boxes."""
    if len(set(family.keys)) < max(2, len(family.keys)):
        message = f"`{hint}` says nothing of `{family.name}`, which is no sheet with boxes"
        help = "such state is for each of two or three different things: `each: [player, boxes]`"
        world.problems.add("R571", message, span, help=help)


def tell_words(world: World, node: Node, what: str, section: str, name: str) -> None:
    """What has words where it is declared has none here."""
    for key, _ in text_keys(node):
        help = f"say what it is called where it is declared: `{section}: {{{name}: {{{key.raw}: …}}}}`"
        world.problems.add("R571", f"`{key.raw}` says nothing of {what} here", key.span, help=help)


def tell_places(world: World, node: Node) -> None:
    """Words that are only shown have no places."""
    for _, text in text_keys(node):
        try:
            found = blanks(phrase_of(text.raw))
        except Unreadable:
            continue
        for blank in found:
            message = f"nothing can stand in `{{{blank.name}}}`: these words are shown as they are"
            world.problems.add(
                "R208", message, text.span, help="leave it out: whose it is, and the value, stand beside"
            )


def checked_without_loop(checker: FormulaChecker, form: Form) -> Expr:
    """A value that is shown once. Who writes `p` and has forgotten to say for whom is told that, and not what else may have the name."""
    world, kept = checker.world, checker.world.problems
    world.problems = Problems()
    try:
        found = checker.check(form, Scope())
        said = world.problems
    finally:
        world.problems = kept
    lost = next(_unbound(form, "p"), None) if said.errors else None
    if lost is None:
        kept.extend(said)
        return found
    help = "say for whom: `for: p in players`"
    kept.add("R301", "unknown name `p`", lost.span, label="not known here", help=help)
    return Const(UNKNOWN, form.span, 0)


def _unbound(form: Form, name: str) -> Iterator[Form]:
    if form.op == "name" and form.name == name:
        yield form
    if form.op not in _BINDS or form.name != name:
        for part in form.parts:
            yield from _unbound(part, name) if part is not None else ()
