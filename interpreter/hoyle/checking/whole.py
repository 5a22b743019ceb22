"""What can be said only of a whole ruleset: things nobody uses, fills, offers or reaches, and what a formula costs."""

from __future__ import annotations

from hoyle.checking.alike import check_alike
from hoyle.checking.carry import Carry
from hoyle.checking.cost import check_costs
from hoyle.checking.covered import check_covered
from hoyle.checking.flow import FlowChecker
from hoyle.checking.force import in_force
from hoyle.checking.idle import check_idle
from hoyle.checking.readings import check_readings
from hoyle.checking.reads import Reader, roots
from hoyle.checking.references import check_references
from hoyle.checking.termination import Termination
from hoyle.checking.unfolded import Unfolded
from hoyle.checking.usage import Usage
from hoyle.checking.world import World
from hoyle.language.ir import Cell, Expr
from hoyle.language.kinds import Pile
from hoyle.language.model import Move, Ruleset
from hoyle.language.sentences import said
from hoyle.language.steps import Set, every_step
from hoyle.reading.merge import Merged
from hoyle.reading.tree import Node


def check_whole(found: Ruleset, world: World, flow: FlowChecker, root: Node, merged: Merged) -> None:
    """Adds problems to the world. After an error only what cannot follow from it is said."""
    check_references(world, root, merged)
    if any(d.code != "R543" and d.code != "R607" for d in world.problems.errors):
        return
    reader = Reader(found)
    for move in found.moves.values():
        _does_something(move, world)
        _takes_tops(move, world, root)
    _stores(found, world)
    check_costs(found, world, flow)
    if not Unfolded(found, world).check():
        return
    Termination(found, world, reader).check()
    check_idle(found, world, root)
    _asks(found, world, root)
    check_covered(found, world, root)
    check_readings(world, root)
    check_alike(found.result, world, flow, root)
    Carry(found, world, reader).check(root)
    Usage(found, world, flow, root, merged, reader).check()


def _asks(found: Ruleset, world: World, root: Node) -> None:
    """A game in which nobody decides plays itself: whoever wrote or inherited moves meant somebody to make them."""
    if not in_force(found).moves and found.moves:
        span = found.phases["game", False].span
        help = said("whole.who_decides")
        place = span if span.shares_file(root.span) else root.key("game").span
        world.problems.add("R569", said("whole.nobody_asked"), place, help=help)


def _does_something(move: Move, world: World) -> None:
    if move.put is not None and not move.takes and not move.then:
        world.problems.add(
            "R539",
            said("whole.puts_nothing", name=move.name),
            move.span,
            help=said("whole.say_take"),
        )
    elif move.takes and move.put is None and not move.then and not move.openly:
        world.problems.add(
            "R539",
            said("whole.takes_idle", name=move.name),
            move.span,
            help=said("whole.say_put"),
        )


def _takes_tops(move: Move, world: World, root: Node) -> None:
    """The top card of a hand is rarely what is meant: a hand lies in no order that would matter."""
    for take in move.takes:
        pile, own = take.source.kind, take.source.span.shares_file(root.span)
        if take.any_piece or not own or not isinstance(pile, Pile) or pile.room <= 1:
            continue
        if pile.families and all(world.piles[name].face == "owner" for name in pile.families):
            text = take.source.span.text
            message = said("whole.only_top", text=text, piece=pile.of or said("whole.piece"))
            help = said("whole.any_of_them", text=text)
            world.problems.add("R568", message, take.source.span, help=help)


def _stores(found: Ruleset, world: World) -> None:
    """Only what is certain: a number that is outside the range whatever happens."""
    for steps in roots(found):
        for step in every_step(steps):
            for target, value in step.verb.pairs if isinstance(step.verb, Set) else ():
                _store(target, value, world)


def _store(target: Cell, value: Expr, world: World) -> None:
    cell, kind = world.state[target.ref.family].kind, value.kind
    if cell.name == kind.name == "number" and (kind.low > cell.high or kind.high < cell.low):
        shown = str(kind.low) if kind.low == kind.high else f"{kind.low}..{kind.high}"
        world.problems.add(
            "R542",
            said("whole.never_fits", shown=shown, name=target.ref.family, low=cell.low, high=cell.high),
            value.span,
        )
