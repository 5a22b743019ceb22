"""What cannot be told apart: conditions with one formula, moves with one name in a decision, players with one standing. Only of the
file itself."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.checking.flow import FlowChecker, Offer
from hoyle.checking.world import World
from hoyle.diagnostics import Span
from hoyle.language.ir import Local, walk
from hoyle.language.model import Result
from hoyle.language.sentences import FALLBACK, LANGUAGES, said
from hoyle.reading.tree import Node, text_key


def check_alike(result: Result, world: World, flow: FlowChecker, root: Node) -> None:
    for _, _, move in _entries(root.get("moves")):
        _conditions(move.get("if"), world, root)
    for offer in flow.offers:
        for lang in LANGUAGES:
            _names(offer, lang, world, root)
    if len(world.seats) > 1:
        _standing(result, world, root)


def _entries(node: Node | None) -> Iterator[tuple[str, Node, Node]]:
    return node.entries() if node is not None and node.kind == "map" else iter(())


def _conditions(conditions: Node | None, world: World, root: Node) -> None:
    first: dict[str, Node] = {}
    for name, key, value in _entries(conditions):
        formula = value.get("is") if value.kind == "map" else value
        if formula is None:
            continue
        other = first.setdefault(" ".join(formula.raw.split()), key)
        if other is not key and formula.span.shares_file(root.span):
            message = said("alike.one_condition", other=other.raw, name=name)
            world.problems.add("R562", message, formula.span, related=[(other.span, said("alike.the_same"))])


def _names(offer: Offer, lang: str, world: World, root: Node) -> None:
    """A move without words is called by its name."""
    moves, first = root.get("moves"), dict[str, str]()
    for name in offer.moves:
        key, move = moves.pairs[name] if moves is not None else (offer.place, offer.place)
        words = move.get(text_key(lang)) or move.get(FALLBACK)
        shown = words.raw if words is not None else name
        other = first.setdefault(shown, name)
        if other != name and key.span.shares_file(root.span):
            _same_name(other, name, shown, _place(key, words), world)


def _place(key: Node, words: Node | None) -> Span:
    """The words, if they are the entry's own."""
    own = words is not None and words.span.shares_file(key.span) and words.span.start > key.span.start
    return words.span if words is not None and own else key.span


def _same_name(other: str, name: str, shown: str, span: Span, world: World) -> None:
    message = said("alike.not_apart", other=other, name=name, shown=shown)
    world.problems.add("R563", message, span)


def _standing(result: Result, world: World, root: Node) -> None:
    for expr in result.best:
        mine = any(isinstance(part, Local) and part.var is result.p for part in walk(expr))
        if not mine and expr.span.shares_file(root.span):
            help = said("alike.p_is")
            world.problems.add("R564", said("alike.same_for_all"), expr.span, help=help)
