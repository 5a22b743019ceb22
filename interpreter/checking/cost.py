"""What a formula costs at worst, in steps, and how many actions a decision may have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from msgspec.structs import replace

from interpreter.checking.flow import FlowChecker
from interpreter.checking.force import in_force
from interpreter.checking.reads import all_formulas
from interpreter.checking.world import World
from interpreter.diagnostics import Span
from interpreter.language import ir
from interpreter.language.evaluate import instances
from interpreter.language.ir import Expr, walk
from interpreter.language.kinds import Kind, List, Pile
from interpreter.language.model import Move, Ruleset, Take
from interpreter.language.simplify import settled
from interpreter.language.vocabulary import WORDS

STEPS = 2_000_000
ACTIONS = 100_000
_FEWER = "look through fewer items: put a condition first, or count once instead of for each"
LONG = 40
"""No more of a formula is quoted in a note."""
LOOPS = 8
"""How many lists may be gone through inside each other."""
_CALLS = (ir.WordCall, ir.TermCall, ir.ColumnCall)
_LOOPS = (ir.Quantified, ir.Chosen, ir.Collect)


class Cost:
    """Costs of the formulas of one game. Lists of pieces are no longer than there are pieces, whatever their kind says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._pieces = sum(kind.total for kind in world.pieces.values())
        self._piles = sum(f.members * f.columns for f in world.piles.values())
        self._known: dict[Expr, tuple[int, int]] = {}

    def length(self, kind: Kind) -> int:
        """The greatest length of a list."""
        if not isinstance(kind, List):
            return 1
        limits = {"piece": self._pieces, "pile": self._piles, "player": len(self.world.seats)}
        return min(kind.most, limits.get(kind.item.name, kind.most))

    def steps(self, expr: Expr) -> int:
        return self._of(expr)[0]

    def loops(self, expr: Expr) -> int:
        """How many lists are gone through inside each other, in the terms it names too."""
        return self._of(expr)[1]

    def _of(self, expr: Expr) -> tuple[int, int]:
        """Steps and loops, of each formula once."""
        if not expr.args and not isinstance(expr, _CALLS):
            return 1, 0
        found = self._known.get(expr)
        if found is None:
            parts = [self._of(part) for part in expr.args]
            called = [self._of(instance.body) for instance in instances(expr)]
            loops = max((loops for _, loops in (*parts, *called)), default=0) + isinstance(expr, _LOOPS)
            steps = self._own(expr, [steps for steps, _ in called]) + self._inside(expr, [steps for steps, _ in parts])
            found = self._known[expr] = steps, loops
        return found

    def factors(self, expr: Expr) -> list[tuple[int, Expr]]:
        """The lists that are gone through inside each other where it costs most, the outermost first: how long, and which."""
        parts = [*expr.args, *(instance.body for instance in instances(expr))]
        own: list[tuple[int, Expr]] = []
        if isinstance(expr, _LOOPS) and self.steps(expr.items) * 2 < self.steps(expr):
            own, parts = [(self.length(expr.items.kind), expr.items)], parts[1:]
        elif isinstance(expr, ir.WordCall) and self._own(expr, ()) * 2 > self.steps(expr):
            own, parts = [(self._own(expr, ()), expr)], []
        inner = max(parts, key=self.steps, default=None)
        return [*(f for f in own if f[0] > 1), *(self.factors(inner) if inner is not None else [])]

    def _inside(self, expr: Expr, parts: Sequence[int]) -> int:
        """The operands; those of a loop once for each item."""
        if isinstance(expr, _LOOPS):
            items, *each = parts
            return items + self.length(expr.items.kind) * (sum(each) + len(each))
        return sum(parts)

    def _own(self, expr: Expr, called: Sequence[int]) -> int:
        """`called`: what the terms cost that it may call."""
        match expr:
            case ir.TermCall() | ir.ColumnCall():
                return 1 + max(called)
            case ir.WordCall(word=word):
                return WORDS[word].cost([self._clamped(a.kind) for a in expr.args])
            case ir.Without(left=left, right=right):
                return 1 + self.length(left.kind) * self.length(right.kind)
            case ir.In() | ir.Same() | ir.Differs() | ir.Concat() | ir.Range():
                return 1 + max(self.length(e.kind) for e in (*expr.args, expr) if isinstance(e.kind, List) or e is expr)
        return 1

    def _clamped(self, kind: Kind) -> Kind:
        return replace(kind, most=self.length(kind)) if isinstance(kind, List) else kind

    def actions(self, move: Move) -> int:
        """How many bindings a move may have."""
        return prod(self.choices(move).values())

    def choices(self, move: Move) -> dict[str, int]:
        """How many values each name of a move may have."""
        found = {move.card.name: sum(map(self._taken, move.takes))} if move.takes and move.card is not None else {}
        found |= {var.name: self.length(items.kind) for var, items in move.withs}
        put = {move.target.name: self.length(move.put.kind)} if move.put is not None and move.target is not None else {}
        return {**found, **put}

    def _taken(self, take: Take) -> int:
        """Piles whose top may be taken; the pieces of piles of which any may."""
        piles, kind = self.length(take.source.kind), take.source.kind
        if not take.any_piece:
            return piles
        pile = kind.of_item if isinstance(kind, List) else kind
        room = pile.room if isinstance(pile, Pile) and pile.room else self._pieces
        return min(self._pieces, piles * room)


def check_costs(found: Ruleset, world: World, flow: FlowChecker) -> None:
    cost, off = Cost(world), _switched_off(found)
    for expr in all_formulas(found):
        if expr not in off:
            check_cost(expr, world, cost)
    for offer in flow.offers:
        _decision(found, world, cost, offer.moves, offer.place.span)


def _switched_off(found: Ruleset) -> set[Expr]:
    """What the options as they are keep from ever being computed: what is not looked at costs nothing."""
    ever, now = in_force(found), in_force(found, partial(settled, attributes=found.attributes.by_name))
    return set(ever.formulas).difference(now.formulas)


def check_cost(expr: Expr, world: World, cost: Cost) -> None:
    """Refuses one formula that may take too long."""
    steps = cost.steps(expr)
    if cost.loops(expr) > LOOPS:
        message = f"this formula goes through more than {LOOPS} lists inside each other"
        _told_once(world, expr, message, [], "make a term of a part, or state that remembers it")
    if steps > STEPS:
        _too_dear(world, cost, _culprit(cost, expr), steps)


def _culprit(cost: Cost, expr: Expr) -> Expr:
    """The innermost part that is too dear by itself, so that the message stands where the cost arises."""
    for part in (*expr.args, *(instance.body for instance in instances(expr))):
        if cost.steps(part) > STEPS:
            return _culprit(cost, part)
    return expr


def _too_dear(world: World, cost: Cost, expr: Expr, steps: int) -> None:
    factors = cost.factors(expr)
    found = " × ".join(f"{_rounded(length)} of `{_short(items)}`" for length, items in factors)
    message = f"this formula may take {_rounded(steps)} steps"
    notes = [f"a formula may take {STEPS:,} steps", *([f"it goes through {found}"] if found else [])]
    help = _shorter(max(factors, key=lambda f: f[0], default=(0, expr))[1])
    _told_once(world, expr, message, notes, help or _FEWER)


def _told_once(world: World, expr: Expr, message: str, notes: list[str], help: str) -> None:
    """A term is a formula of its own for each sort of argument, and its author wrote one."""
    if not any(d.code == "R540" and d.span == expr.span for d in world.problems):
        world.problems.add("R540", message, expr.span, notes=notes, help=help)


def _short(expr: Expr) -> str:
    """The formula, if it is not too long to be quoted."""
    text = " ".join(expr.span.text.split())
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _shorter(items: Expr) -> str:
    """What makes this list shorter."""
    found = next((e for e in walk(items) if isinstance(e, ir.WordCall) and e.word == "subsets"), None)
    if found is None:
        return ""
    few = "say how many they are, `subsets(list, k)`, or leave out what can be in none, `subsets(first((x for x in list where …), n))`"
    known = found.args[0].kind.of_item.name == "piece" and _has_room(found.args[0])
    return f"{few}" if known else f"{few}; or say how much `room` the pile has"


def _has_room(items: Expr) -> bool:
    """Is it said already how many lie there at most?"""
    kinds = [part.kind for part in walk(items) if isinstance(part.kind, Pile)]
    return bool(kinds) and all(kind.room for kind in kinds)


def _decision(found: Ruleset, world: World, cost: Cost, moves: tuple[str, ...], span: Span) -> None:
    counts = {name: cost.actions(found.moves[name]) for name in moves if name in found.moves}
    total = sum(counts.values())
    if total <= ACTIONS:
        return
    most = max(counts, key=lambda name: counts[name])
    choices = cost.choices(found.moves[most])
    factors = " × ".join(f"{name}: {_rounded(n)}" for name, n in choices.items() if n > 1)
    widest, of = max(choices, key=lambda name: choices[name]), _lists(found.moves[most])
    world.problems.add(
        "R541",
        f"this decision may have {_rounded(total)} actions",
        span,
        notes=[
            f"a decision may have {ACTIONS:,} actions",
            f"`{most}` alone may have {factors}",
            f"most there are of `{widest}`, out of `{_short(of[widest])}`",
        ],
        help=_shorter(of[widest]) or "ask in two steps, or say of the piles how much `room` they have",
        related=[(found.moves[most].span, "this move has the most")],
    )


def _lists(move: Move) -> dict[str, Expr]:
    """What each name of a move is chosen out of."""
    found = {var.name: items for var, items in move.withs}
    if move.card is not None and move.takes:
        found[move.card.name] = move.takes[0].source
    if move.target is not None and move.put is not None:
        found[move.target.name] = move.put
    return found


def _rounded(count: int) -> str:
    return f"{count:,}" if count < 10**12 else "more than a million million"
