"""What a member of a family of piles or of state stands for in a formula, and who sits with or against whom."""

from __future__ import annotations

from msgspec.structs import replace

from hoyle.checking.checker import Checker
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import Fix
from hoyle.language import kinds
from hoyle.language.ir import (
    OTHER_SIDE,
    PARTNER,
    Attr,
    Cell,
    CellRef,
    Expr,
    Item,
    Key,
    Pile,
    PileRef,
    Piles,
    WordCall,
)
from hoyle.language.kinds import (
    PLAYER,
    SIDE,
    Kind,
    List,
    bounds,
    describe,
    lengths,
    number,
)
from hoyle.language.model import Family, StateFamily
from hoyle.language.sentences import both_of, said
from hoyle.language.syntax import Form


def opponent(checker: Checker, form: Form, of: Expr) -> Expr:
    """The other of two players, or of two sides."""
    if of.kind.name == "unknown" and len(checker.world.sides) == 2:
        return checker.unknown(form)  # perhaps a side
    if of.kind.maybe(False) == SIDE and len(checker.world.sides) == 2:
        return Attr(of.kind, form.span, of, OTHER_SIDE)
    if len(checker.world.seats) != 2:
        checker.problem("R306", said("members.opponent"), form, help=said("members.use_others"))
        return checker.unknown(form)
    return WordCall(PLAYER.maybe(of.kind.optional), form.span, (of,), "next")


def partner(checker: Checker, form: Form, of: Expr) -> Expr:
    """The other player of a side of two."""
    if any(len(side) != 2 for side in checker.world.sides):
        checker.problem("R306", said("members.partner"), form, help=said("members.members_all"))
        return checker.unknown(form)
    return Attr(PLAYER.maybe(of.kind.optional), form.span, of, PARTNER)


def family(checker: Checker, form: Form, found: Family, scope: Scope, of: Expr | None = None) -> Expr:
    """A pile family: one pile, or the list of its columns or members."""
    checker.world.used.add(("piles", found.name))
    if of is None and found.each is not None and _has_me(found.each):
        of = checker.fit(checker.acting(form, scope), found.each)
    mine = of is None or scope.is_me(of)
    pile = kinds.Pile(found.holds, frozenset([found.name]), mine, found.room, *found.numbers)
    key = _key(checker, found.each) if found.each is not None else Key(0, 1)
    ref = PileRef(found.name, found.base, key, found.columns)
    if of is not None and not found.has_columns:
        return Pile(pile.maybe(not key.holds(of.kind)), form.span, ref, of)
    if of is None and found.each is None and not found.has_columns:
        return Pile(pile, form.span, ref)
    size = found.columns if of is not None else found.columns * found.members
    certain = of is None or key.holds(of.kind)
    return Piles(List(pile, size, size if certain else 0), form.span, ref, of)


def _key(checker: Checker, kind: Kind) -> Key:
    """What the members of a family that is one for each of a kind are known by."""
    world = checker.world
    low = world.pieces[kind.of].base if isinstance(kind, kinds.Piece) else bounds(kind)[0]
    return Key(low, world.size_of(kind))


def _has_me(each: Kind) -> bool:
    """Is a member of this family that of whoever acts, where nobody is named?"""
    return each.name == "player" or each == SIDE


def cell(checker: Checker, form: Form, found: StateFamily, scope: Scope, *of: Expr) -> Expr:
    """A cell of the state. A family with several keys needs them all: `played of p of k`."""
    checker.world.used.add(("state", found.name))
    each = found.keys
    if len(of) == len(each) - 1 and _has_me(each[0]):
        of = (checker.fit(checker.acting(form, scope), each[0]), *of)
    if len(of) != len(each):
        known = both_of(said("members.each", kind=describe(k)) for k in each)
        checker.problem(
            "R417",
            said("members.one_for", name=found.name, known=known),
            form,
            help=said("members.say_of_which", name=found.name),
        )
        return checker.unknown(form)
    own = found.secret == "owner" and each and each[0].name == "player" and scope.is_me(of[0])
    if found.secret and not own:
        checker.looked_into(found.name, found.secret, form)
    keys = tuple(_key(checker, kind) for kind in each)
    certain = all(key.holds(o.kind) for key, o in zip(keys, of, strict=True))
    kind = found.kind.maybe(found.kind.optional or not certain)
    return Cell(kind, form.span, CellRef(found.name, found.base, keys), of)


def member(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """`x of y`."""
    target, index = form.part(0), form.part(1)
    world = checker.world
    if target.op == "of" and _innermost(target).name in world.state:
        return _many_keys(checker, form, scope)
    if target.op != "name":
        checker.problem("R417", said("members.of_follows"), target)
        return checker.unknown(form)
    if target.name == "opponent":
        of = checker.check(index, scope)
        return opponent(checker, form, of if of.kind.name == "row" else checker.need(index, scope, PLAYER))
    if target.name == "partner":
        return partner(checker, form, checker.need(index, scope, PLAYER))
    if target.name in world.doubtful:
        return checker.unknown(form)
    found = world.piles.get(target.name) or world.state.get(target.name)
    if found is None or target.name in scope.names:
        return _no_family(checker, target, form)
    if found.each is None:
        message, help = said("members.only_one", name=found.name), said("members.write_alone", name=found.name)
        checker.problem("R417", message, form, help=help, fixes=(Fix(form.span, found.name),))
        return checker.unknown(form)
    key = found.keys[-1] if isinstance(found, StateFamily) else found.each
    of = checker.need(index, scope, key)
    named = replace(form, name=target.name)
    return (
        family(checker, named, found, scope, of)
        if isinstance(found, Family)
        else cell(checker, named, found, scope, of)
    )


def _innermost(form: Form) -> Form:
    """What stands before the first `of`: the x of `x of y of z`."""
    while form.op == "of":
        form = form.part(0)
    return form


def _many_keys(checker: Checker, form: Form, scope: Scope) -> Expr:
    """`state of y of z`: a first key that is left out is who acts."""
    found, given, part = checker.world.state[_innermost(form).name], list[Form](), form
    while part.op == "of":
        given.insert(0, part.part(1))
        part = part.part(0)
    if len(given) > len(found.keys):
        ordinal = ("second", "second", "third", "fourth")[len(found.keys)]
        checker.problem("R417", said(f"members.no_{ordinal}", name=found.name), form)
        return checker.unknown(form)
    keys = [checker.need(key, scope, kind) for key, kind in zip(given, found.keys[-len(given) :], strict=True)]
    return cell(checker, replace(form, name=found.name), found, scope, *keys)


def _no_family(checker: Checker, target: Form, form: Form) -> Expr:
    families = [name for name, f in checker.world.piles.items() if f.each] + [
        name for name, s in checker.world.state.items() if s.each
    ]
    if target.name in checker.world.terms:
        checker.problem(
            "R417",
            said("members.a_term", name=target.name),
            target,
            help=said("members.write_called", name=target.name),
        )
    else:
        unknown(checker.world, "R301", "pile_or_state", target.name, families, target.span)
    return checker.unknown(form)


def numbered(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """`x at n`: a member by number, or an item of a list."""
    target, index = form.part(0), checker.need(form.part(1), scope, number(-(10**9), 10**9))
    if target.op == "name" and target.name not in scope.names:
        found = checker.world.state.get(target.name)
        if found and found.each and found.each.name == "number":
            return cell(checker, target, found, scope, index)
        pile = checker.world.piles.get(target.name)
        if pile and pile.each and pile.each.name == "number":
            return family(checker, target, pile, scope, index)
    items = checker.as_list(checker.check(target, scope))
    if items.kind.name != "list":
        return checker.unknown(form)
    low, high = bounds(index.kind)
    inside = low >= 1 and high <= lengths(items.kind)[0] and not index.kind.optional
    kind = items.kind.of_item.maybe(items.kind.of_item.optional or not inside)
    return Item(kind, form.span, items, index, inside)
