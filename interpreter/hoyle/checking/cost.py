"""Estimates the cost of formulas in steps, and the number of actions of a decision, in the worst case."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from msgspec.structs import replace

from hoyle.checking.analysis import find_reachable, list_formulas
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import NO_TEXT, LocalizedText, Span
from hoyle.language import ir
from hoyle.language.evaluate import fixed_truth, instances
from hoyle.language.ir import Expr, walk
from hoyle.language.model import Move, Ruleset, Take
from hoyle.language.sentences import join_row, localize_integer, make_message
from hoyle.language.value_types import List, Pile, ValueType
from hoyle.language.vocabulary import WORDS

STEPS = 2_000_000
ACTIONS = 100_000
LONG = 40
"""Greatest number of characters of a formula that a note quotes."""
LOOPS = 8
"""Greatest depth of lists looped over inside each other."""
_CALLS = (ir.WordCall, ir.TermCall, ir.ColumnCall)
_LOOPS = (ir.Quantified, ir.Chosen, ir.Collect)


class Cost:
    """Costs of the formulas of one game. A list of pieces is never longer than the number of pieces."""

    def __init__(self, symbols: SymbolTable) -> None:
        self.symbols = symbols
        self._pieces = sum(kind.total for kind in symbols.pieces.values())
        self._piles = sum(f.members * f.columns for f in symbols.piles.values())
        self._known: dict[int, tuple[Expr, tuple[int, int]]] = {}
        """Results by identity, since comparing formulas is slow. The formula is kept so that its identity stays unique."""

    def length(self, value_type: ValueType) -> int:
        """Return the greatest length of a list; 1 for other values."""
        if not isinstance(value_type, List):
            return 1
        limits = {"piece": self._pieces, "pile": self._piles, "player": len(self.symbols.seats)}
        return min(value_type.most, limits.get(value_type.item.name, value_type.most))

    def steps(self, expr: Expr) -> int:
        return self._of(expr)[0]

    def loops(self, expr: Expr) -> int:
        """Count the lists looped over inside each other, through terms, too."""
        return self._of(expr)[1]

    def _of(self, expr: Expr) -> tuple[int, int]:
        """Return steps and loops of a formula, computed once."""
        if not expr.args and not isinstance(expr, _CALLS):
            return 1, 0
        known = self._known.get(id(expr))
        if known is None:
            parts = [self._of(part) for part in expr.args]
            called = [self._of(instance.body) for instance in instances(expr)]
            loops = max((loops for _, loops in (*parts, *called)), default=0) + isinstance(expr, _LOOPS)
            steps = self._own(expr, [steps for steps, _ in called]) + self._inside(expr, [steps for steps, _ in parts])
            known = self._known[id(expr)] = expr, (steps, loops)
        return known[1]

    def factors(self, expr: Expr) -> list[tuple[int, Expr]]:
        """Return the nested loops where a formula costs most, the outermost first, each with length and list."""
        parts = [*expr.args, *(instance.body for instance in instances(expr))]
        own: list[tuple[int, Expr]] = []
        if isinstance(expr, _LOOPS) and self.steps(expr.items) * 2 < self.steps(expr):
            own, parts = [(self.length(expr.items.type), expr.items)], parts[1:]
        elif isinstance(expr, ir.WordCall) and self._own(expr, ()) * 2 > self.steps(expr):
            own, parts = [(self._own(expr, ()), expr)], []
        inner = max(parts, key=self.steps, default=None)
        return [*(f for f in own if f[0] > 1), *(self.factors(inner) if inner is not None else [])]

    def _inside(self, expr: Expr, parts: Sequence[int]) -> int:
        """Sum the operands; those of a loop count once for each item."""
        if isinstance(expr, _LOOPS):
            items, *each = parts
            return items + self.length(expr.items.type) * (sum(each) + len(each))
        return sum(parts)

    def _own(self, expr: Expr, called: Sequence[int]) -> int:
        """Return the cost of a form itself. `called`: costs of the terms it may call."""
        match expr:
            case ir.TermCall() | ir.ColumnCall():
                return 1 + max(called)
            case ir.WordCall(word=word):
                return WORDS[word].cost([self._clamped(a.type) for a in expr.args])
            case ir.Without(left=left, right=right):
                return 1 + self.length(left.type) * self.length(right.type)
            case ir.In() | ir.Same() | ir.Differs() | ir.Concat() | ir.Range():
                return 1 + max(self.length(e.type) for e in (*expr.args, expr) if isinstance(e.type, List) or e is expr)
        return 1

    def _clamped(self, value_type: ValueType) -> ValueType:
        return replace(value_type, most=self.length(value_type)) if isinstance(value_type, List) else value_type

    def actions(self, move: Move) -> int:
        """Count the bindings that a move may have."""
        return prod(self.choices(move).values())

    def choices(self, move: Move) -> dict[str, int]:
        """Count the values that each name of a move may have."""
        counts = {move.card.name: sum(map(self._taken, move.takes))} if move.takes and move.card is not None else {}
        counts |= {var.name: self.length(items.type) for var, items in move.withs}
        put = {move.target.name: self.length(move.put.type)} if move.put is not None and move.target is not None else {}
        return {**counts, **put}

    def _taken(self, take: Take) -> int:
        """Count the pieces that may be taken: the top of each pile, or all of them."""
        piles, value_type = self.length(take.source.type), take.source.type
        if not take.any_piece:
            return piles
        pile = value_type.item_type if isinstance(value_type, List) else value_type
        room = pile.room if isinstance(pile, Pile) and pile.room else self._pieces
        return min(self._pieces, piles * room)


def check_costs(ruleset: Ruleset, symbols: SymbolTable) -> None:
    """Report formulas that take too many steps, and decisions with too many actions."""
    cost, off = Cost(symbols), _find_switched_off(ruleset)
    for expr in list_formulas(ruleset):
        if expr not in off:
            check_cost(expr, symbols, cost)
    for offer in symbols.offers:
        _check_decision(ruleset, symbols, cost, offer.moves, offer.place.span)


def _find_switched_off(ruleset: Ruleset) -> set[Expr]:
    """Find the formulas that the options in force never compute."""
    ever, now = (
        find_reachable(ruleset),
        find_reachable(ruleset, partial(fixed_truth, attributes=ruleset.attributes.by_name)),
    )
    return set(ever.formulas).difference(now.formulas)


def check_cost(expr: Expr, symbols: SymbolTable, cost: Cost) -> None:
    """Report a formula that takes too many steps."""
    steps = cost.steps(expr)
    if cost.loops(expr) > LOOPS:
        message = make_message("cost.too_many_loops", loops=LOOPS)
        _report_once(symbols, expr, message, [], make_message("cost.make_a_term"))
    if steps > STEPS:
        _report_cost(symbols, cost, _find_culprit(cost, expr), steps)


def _find_culprit(cost: Cost, expr: Expr) -> Expr:
    """Find the innermost part that alone costs too much."""
    for part in (*expr.args, *(instance.body for instance in instances(expr))):
        if cost.steps(part) > STEPS:
            return _find_culprit(cost, part)
    return expr


def _report_cost(symbols: SymbolTable, cost: Cost, expr: Expr, steps: int) -> None:
    factors = cost.factors(expr)
    loops = join_row(
        (make_message("cost.times", count=_format_count(n), items=_abbreviate(items)) for n, items in factors), " × "
    )
    message = make_message("cost.steps", steps=_format_count(steps))
    notes = [
        make_message("cost.may_take", steps=localize_integer(STEPS)),
        *([make_message("cost.goes_through", found=loops)] if loops else []),
    ]
    help = _suggest_shorter(max(factors, key=lambda f: f[0], default=(0, expr))[1])
    _report_once(symbols, expr, message, notes, help or make_message("cost.fewer"))


def _report_once(
    symbols: SymbolTable, expr: Expr, message: LocalizedText, notes: list[LocalizedText], help: LocalizedText
) -> None:
    """Report a place once, though a term is checked for each set of argument types."""
    if not any(d.code == "R540" and d.span == expr.span for d in symbols.problems):
        symbols.problems.add("R540", message, expr.span, notes=notes, help=help)


def _abbreviate(expr: Expr) -> str:
    """Quote a formula, shortened to LONG characters."""
    text = " ".join(expr.span.text.split())
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _suggest_shorter(items: Expr) -> LocalizedText:
    """Suggest how to shorten a list of subsets."""
    subsets = next((e for e in walk(items) if isinstance(e, ir.WordCall) and e.word == "subsets"), None)
    if subsets is None:
        return NO_TEXT
    known = subsets.args[0].type.item_type.name == "piece" and _has_room(subsets.args[0])
    return make_message("cost.how_many" if known else "cost.how_many_or_room")


def _has_room(items: Expr) -> bool:
    """Return whether all piles of a formula have a limited number of pieces."""
    types = [part.type for part in walk(items) if isinstance(part.type, Pile)]
    return bool(types) and all(value_type.room for value_type in types)


def _check_decision(ruleset: Ruleset, symbols: SymbolTable, cost: Cost, moves: tuple[str, ...], span: Span) -> None:
    counts = {name: cost.actions(ruleset.moves[name]) for name in moves if name in ruleset.moves}
    total = sum(counts.values())
    if total <= ACTIONS:
        return
    most = max(counts, key=lambda name: counts[name])
    choices = cost.choices(ruleset.moves[most])
    several = ((name, n) for name, n in choices.items() if n > 1)
    factors = join_row((make_message("cost.choices", name=name, count=_format_count(n)) for name, n in several), " × ")
    widest, of = max(choices, key=lambda name: choices[name]), _list_sources(ruleset.moves[most])
    symbols.report(
        "R541",
        "cost.actions",
        span,
        actions=_format_count(total),
        notes=[
            make_message("cost.may_have", actions=localize_integer(ACTIONS)),
            make_message("cost.alone", move=most, factors=factors),
            make_message("cost.widest", widest=widest, items=_abbreviate(of[widest])),
        ],
        help=_suggest_shorter(of[widest]) or make_message("cost.two_steps"),
        related=[(ruleset.moves[most].span, make_message("cost.this_move"))],
    )


def _list_sources(move: Move) -> dict[str, Expr]:
    """List what each name of a move is chosen from."""
    sources = {var.name: items for var, items in move.withs}
    if move.card is not None and move.takes:
        sources[move.card.name] = move.takes[0].source
    if move.target is not None and move.put is not None:
        sources[move.target.name] = move.put
    return sources


def _format_count(count: int) -> LocalizedText:
    return localize_integer(count) if count < 10**12 else make_message("huge")
