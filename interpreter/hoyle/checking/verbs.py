"""The verbs that are over at once: nobody is asked, and no step stands inside them.

Each function gives the verb, or None after it has reported why there is none.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from hoyle.checking.entries import optional_form
from hoyle.checking.fields import Fields
from hoyle.checking.meant import out_of
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import Span
from hoyle.language.ir import Cell, Const, Expr, Local, WordCall
from hoyle.language.kinds import PLAYER, SIDE, SOME_NUMBER, Pile, describe, families_of, item_of, number
from hoyle.language.model import StateFamily
from hoyle.language.sentences import said
from hoyle.language.steps import (
    Check,
    Deal,
    Deed,
    Ends,
    Gather,
    Lots,
    MovePieces,
    MovePile,
    Roll,
    Say,
    Score,
    Set,
    Shuffle,
    TakeBack,
    Turn,
)
from hoyle.language.vocabulary import WORDS
from hoyle.reading.tree import Node


def _shuffle(fields: Fields, node: Node, scope: Scope) -> Shuffle | None:
    pile = fields.pile(node, "shuffle", scope)
    return Shuffle(pile) if pile else None


def _cut(fields: Fields, node: Node, scope: Scope) -> Shuffle | None:
    pile, least = fields.pile(node, "cut", scope), fields.need(node, "leaving", scope, SOME_NUMBER)
    return Shuffle(pile, least) if pile and least else None


def _roll(fields: Fields, node: Node, scope: Scope) -> Roll | None:
    count = fields.need(node, "roll", scope, SOME_NUMBER)
    cup, to = fields.pile(node, "from", scope), fields.pile(node, "to", scope)
    if cup and to:
        fields.checker.lies_there(cup.kind, to.kind, to.span)
    return Roll(count, cup, to) if count and cup and to else None


def _lots(fields: Fields, node: Node, scope: Scope) -> Lots | None:
    form = fields.form(node, "lots")
    items = fields.checker.listed(form, scope) if form else None
    form = fields.form(node, "into")
    into = fields.place(form, scope) if form else None
    if items is None or into is None:
        return None
    fields.store(into, replace(items, kind=item_of(items.kind)))
    return Lots(items, into)


def _gather(fields: Fields, node: Node, scope: Scope) -> Gather | None:
    named = node["gather"]
    if named.raw in fields.world.pieces:
        return Gather(named.raw)
    unknown(fields.world, "R301", "kind_of_piece", named.raw, list(fields.world.pieces), named.span)
    return None


def _deal(fields: Fields, node: Node, scope: Scope) -> Deal | None:
    pile = fields.pile(node, "deal", scope)
    count = fields.need(node, "count", scope, SOME_NUMBER)
    first = fields.need(node, "from", scope, PLAYER)
    to = _dealt_to(fields, node["to"])
    if pile and to:
        fields.checker.lies_there(pile.kind, Pile(fields.world.piles[to].holds), node["to"].span)
    return Deal(pile, count, first, to) if pile and count and first and to else None


def _dealt_to(fields: Fields, to: Node) -> str | None:
    family = fields.world.piles.get(to.raw)
    if family is None:
        unknown(fields.world, "R301", "pile", to.raw, list(fields.world.piles), to.span)
    elif family.each is None or family.each.name != "player":
        fields.world.problems.add("R417", said("verbs.not_each", name=to.raw), to.span)
    else:
        return to.raw
    return None


def _move(fields: Fields, node: Node, scope: Scope) -> MovePile | MovePieces | None:
    what, source = fields.any(node, "move", scope), fields.any(node, "from", scope)
    source = _source(fields, what, source) if what is not None else source
    to, count = fields.pile(node, "to", scope), fields.need(node, "count", scope, SOME_NUMBER)
    packet = node.get("as")
    if what is None or to is None:
        return None
    fields.checker.lies_there(what.kind, to.kind, to.span)
    if what.kind.name == "pile":
        return MovePile(what, to, count, packet is not None and packet.raw == "packet")
    return MovePieces(what, source, to, count) if source else None


def _source(fields: Fields, what: Expr, source: Expr | None) -> Expr | None:
    """Out of which piles do these pieces come? `top(pile)`, `bottom(pile)` and `cards(piles)` say that themselves."""
    if what.kind.name == "pile" and source is not None:
        message = said("verbs.from_pile")
        fields.world.problems.add("R108", message, source.span, help=said("verbs.remove_from"))
    if source is None and isinstance(what, WordCall) and WORDS[what.word].pieces:
        source = what.args[0]
    if what.kind.name == "piece" or (what.kind.name == "list" and what.kind.of_item.name == "piece"):
        if source is None:
            message = said("verbs.which_pile")
            meant = out_of(what)
            fields.world.problems.add("R414", message, what.span, help=meant.help, fixes=meant.fixes)
    elif what.kind.name not in ("pile", "unknown"):
        fields.world.problems.add("R401", said("verbs.pile_or_pieces", found=describe(what.kind)), what.span)
    return source


def _turn(fields: Fields, node: Node, scope: Scope) -> Turn | None:
    what, count = fields.any(node, "turn", scope), fields.need(node, "count", scope, SOME_NUMBER)
    if what is None:
        return None
    pile = what
    if isinstance(what, WordCall) and WORDS[what.word].pieces == "top":
        pile, count = what.args[0], Const(number(1, 1), what.span, 1)
    if pile.kind.name not in ("pile", "unknown"):
        fields.world.problems.add("R401", said("verbs.pile_or_top", found=describe(pile.kind)), pile.span)
    return Turn(pile, count, node["face"].raw == "up")


def _set(fields: Fields, node: Node, scope: Scope) -> Set:
    pairs: list[tuple[Cell, Expr]] = []
    for _, key, value in node["set"].entries():
        place, form = optional_form(fields.world, key), optional_form(fields.world, value)
        with fields.checker.knowing_nothing():  # the places are looked for when others may have been set
            target = fields.place(place, scope) if place else None
        if target is None or form is None:
            continue
        cell = fields.world.state[target.ref.family].kind
        pairs.append((target, fields.store(target, fields.checker.check(form, scope, cell))))
    return Set(tuple(pairs))


def _score(fields: Fields, node: Node, scope: Scope) -> Score | None:
    points = fields.need(node, "score", scope, SOME_NUMBER)
    into = _scored_into(fields, node)
    to = _scored_to(fields, node, scope, into)
    label = fields.label(node.get("as"), scope, points)
    of = _shown(fields, node, scope)
    return Score(points, to, into, label, of) if points and to and into else None


def _shown(fields: Fields, node: Node, scope: Scope) -> Expr | None:
    """The pieces that are told along: one, several, or lists of them. Nobody sees what lies covered where only the top is seen."""
    form = fields.form(node, "of")
    found = fields.checker.check(form, scope) if form else None
    if found is None or found.kind.name in ("piece", "unknown"):
        return found if found is None or found.kind.name == "piece" else None
    found = fields.checker.as_list(found)
    item = found.kind.of_item if found.kind.name == "list" else found.kind
    item = item.of_item if item.name == "list" else item
    if item.name not in ("piece", "unknown"):
        message = said("verbs.pieces_needed", found=describe(found.kind))
        fields.world.problems.add("R401", message, found.span)
    for name in sorted(families_of(found.kind)):
        if fields.world.piles[name].face == "top seen":
            message = said("verbs.covered", name=name)
            fields.world.problems.add("R401", message, found.span)
    return found if item.name == "piece" else None


def _scored_to(fields: Fields, node: Node, scope: Scope, into: str | None) -> Expr | None:
    """Whom the points are for: a side, where the state is one for each; nothing is said where the state could not be read."""
    if into is None or into in fields.world.doubtful:
        return fields.any(node, "to", scope)
    each = fields.world.state[into].each
    return fields.need(node, "to", scope, SIDE if each == SIDE else PLAYER)


def _scored_into(fields: Fields, node: Node) -> str | None:
    named = node.get("in")
    name = named.raw if named else "score"
    span = (named or node.key("score")).span
    if name not in fields.world.state:
        unknown(fields.world, "R301", "state", name, list(fields.world.state), span)
        return None
    fields.world.used.add(("state", name))
    _can_be_scored_in(fields, fields.world.state[name], span)
    return name


def _can_be_scored_in(fields: Fields, state: StateFamily, span: Span) -> None:
    if state.kind.name == "unknown" or state.name in fields.world.doubtful:
        return
    if state.kind.name != "number" or state.kind.optional:
        which = "no_number" if state.kind.name != "number" else "absent"
        fields.world.problems.add("R428", said(f"verbs.{which}", name=state.name), span)
    elif state.keys not in ((), (PLAYER,), (SIDE,)):
        fields.world.problems.add("R428", said("verbs.not_each", name=state.name), span, help=said("verbs.use_set"))


def _say(fields: Fields, node: Node, scope: Scope) -> Say | None:
    label, of = fields.label(node.get("say"), scope), _shown(fields, node, scope)
    return Say(label, of) if label else None


def _ends(fields: Fields, node: Node, scope: Scope) -> Ends:
    key = node.get("by")
    winner = Local(PLAYER, key.span, scope.me) if key is not None and scope.me is not None else None
    return Ends(node["ends"].raw, winner)


def _check(fields: Fields, node: Node, scope: Scope) -> Check | None:
    condition = fields.condition(node, "check", scope)
    return Check(condition) if condition else None


def _take_back(fields: Fields, node: Node, scope: Scope) -> TakeBack:
    fields.world.used.add(("words", "take_back"))
    return TakeBack()


DEEDS: dict[str, Callable[[Fields, Node, Scope], Deed | None]] = {
    "shuffle": _shuffle,
    "cut": _cut,
    "roll": _roll,
    "lots": _lots,
    "gather": _gather,
    "deal": _deal,
    "move": _move,
    "turn": _turn,
    "set": _set,
    "score": _score,
    "say": _say,
    "ends": _ends,
    "check": _check,
    "take_back": _take_back,
}
