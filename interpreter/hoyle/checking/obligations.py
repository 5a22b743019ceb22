"""Obligations: what they demand, and what that is for each move that is offered with them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from hoyle.checking.entries import are_piles, entries, names_in, optional_form, readable, rule_of, seen
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.reader import words_of
from hoyle.checking.world import Scope, World
from hoyle.diagnostics import Diagnostic, Problems, Span, similar
from hoyle.language.ir import Expr, Listed, Var
from hoyle.language.kinds import PLAYER, SOME_NUMBER, Kind, List, describe, join
from hoyle.language.model import Demand, Maximise, Move, NeverTwice, Obligation, Prefer, PreferMoves
from hoyle.language.sentences import either_of, said
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node, bracket_fix

_BESIDE = {
    "until": ("never_twice",),
    "most": ("maximise",),
    "unless": ("maximise",),
    "ends_if": ("maximise",),
    "over": ("prefer", "never_twice"),
    "callable": ("prefer",),
    "each": ("prefer",),
}
"""What an obligation may say besides, and what it must demand then."""


class ObligationChecker:
    """Checks `obligations`."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker
        self.judged: dict[tuple[str, str], Expr | tuple[Expr, ...]] = {}
        self.apart: dict[tuple[str, str], Expr] = {}
        self.found: dict[tuple[str, str], list[Diagnostic]] = {}
        self.spans: dict[str, list[Span]] = {}

    def obligations(self) -> dict[str, Obligation]:
        found = {name: self._obligation(name, key, node) for name, key, node in entries(self.root, "obligations")}
        return {name: obligation for name, obligation in found.items() if obligation is not None}

    def _obligation(self, name: str, key: Node, node: Node) -> Obligation | None:
        """None if what it demands cannot be made out, which is then reported."""
        rule = rule_of(self.world, node, key, "obligation")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        with self.checker.deciding():
            when, call = (self._condition_of(node.get(k), scope) for k in ("when", "callable"))
            demand, over = self._demand(name, key, node, scope), node.get("over")
        if demand is None:
            return None
        return Obligation(
            name=name,
            rule=rule,
            demand=demand,
            when=when,
            over=self._moves(over) if over is not None else None,
            callable=call,
            words=words_of(node, name),
            span=key.span,
            me=me,
            number=self.world.obligations[name],
            each=optional_form(self.world, node.get("each")),
        )

    def _demand(self, name: str, key: Node, node: Node, scope: Scope) -> Demand | None:
        sorts = [k for k in ("prefer", "maximise", "never_twice") if node.get(k)]
        if len(sorts) != 1:
            code, which = ("R114", "only_one_of") if sorts else ("R117", "needs_one_of")
            place = max(
                (node.key(k).span for k in sorts), key=lambda span: span.shares_file(self.root.span), default=None
            )
            place = place or node.place_without(node.gone, key.span)
            self.world.problems.add(code, said(f"obligations.{which}", name=name), place)
            return None
        demanded, until = node[sorts[0]], node.get("until")
        self._goes_together(sorts[0], node)
        if sorts[0] == "maximise":
            return self._maximise(node, scope)
        if sorts[0] == "prefer" and demanded.kind == "list":
            return PreferMoves(self._moves(demanded))
        meant = self._moves_meant(demanded) if sorts[0] == "prefer" else ""
        if meant:
            message = said("obligations.prefer_is")
            help = said("shape.in_brackets", written=meant)
            self.world.problems.add("R101", message, demanded.span, help=help, fixes=bracket_fix(demanded, meant))
            return None
        form = optional_form(self.world, demanded)
        if form is None:
            return None
        return Prefer(form) if sorts[0] == "prefer" else self._never_twice(form, until, scope)

    def _moves_meant(self, node: Node) -> str:
        """Names of moves, perhaps misspelt, where a formula stands that cannot be read or has no such name; empty if they are none."""
        world, names = self.world, [part.strip() for part in node.raw.split(",")]
        if all(name in world.moves for name in names):
            known = (world.options, world.state, world.terms)
            return "" if any(node.raw in section for section in known) else node.raw
        close = [similar(name, world.moves) or "" for name in names]
        return ", ".join(close) if all(close) and not readable(node) else ""

    def _goes_together(self, sort: str, node: Node) -> None:
        for key, sorts in _BESIDE.items():
            if node.get(key) is not None and sort not in sorts:
                needed = either_of(f"`{s}`" for s in sorts)
                self.world.problems.add(
                    "R103", said("obligations.needs_beside", key=key, needed=needed), node.key(key).span
                )

    def _maximise(self, node: Node, scope: Scope) -> Maximise:
        bounds = (self.checker.need(form, scope, SOME_NUMBER) for form in self._forms(node.get("most")))
        unless, ends_if = (self._condition_of(node.get(key), scope) for key in ("unless", "ends_if"))
        found = Maximise(tuple(self._forms(node.get("maximise"))), tuple(bounds), unless, ends_if)
        if found.most and len(found.weights) != len(found.most):
            self.world.problems.add("R416", said("obligations.most_each"), node.key("most").span)
        return found

    def _forms(self, node: Node | None) -> Iterator[Form]:
        for item in node.items if node is not None else ():
            form = optional_form(self.world, item)
            if form is not None:
                yield form

    def _moves(self, node: Node) -> tuple[str, ...]:
        return names_in(self.world, node, "move", self.world.moves)

    def _condition_of(self, node: Node | None, scope: Scope) -> Expr | None:
        form = optional_form(self.world, node)
        return self.checker.condition(form, scope) if form else None

    def _never_twice(self, form: Form, until: Node | None, scope: Scope) -> NeverTwice | None:
        found = self.checker.check(form, scope)
        if found.kind.name == "pile":
            found = Listed(List(found.kind, 1, 1), found.span, (found,))
        seen(self.checker, found)
        forgetting = self._moves(until) if until is not None else None
        return NeverTwice(found, forgetting) if are_piles(self.checker, found, "never_twice") else None

    def judge(self, obligation: Obligation, move: Move, others: list[Move], lacking: dict[str, Kind]) -> None:
        """Check what an obligation asks of one move that some step offers with it; `lacking`: the names that any move has."""
        key, demand = (obligation.name, move.name), obligation.demand
        scope = Scope(me=obligation.me, lacking=lacking, move=move.number).bind(*_alike(obligation, move, others))
        before, self.world.problems = self.world.problems, Problems()
        if obligation.each is not None and key not in self.apart:
            self.apart[key] = self._apart(obligation.name, obligation.each, scope)
        if key not in self.judged and isinstance(demand, Prefer | Maximise):
            self.judged[key] = self._judged(demand, scope)
        self.found.setdefault(key, list(self.world.problems))
        self.spans[obligation.name] = [form.span for form in _said_of_moves(obligation)]
        self.world.problems = before

    def tell(self) -> None:
        """What was found in judging; what is not so of every move names the move. (What is wrong in a term is told for one of them only.)"""
        of_each: dict[str, list[list[Diagnostic]]] = {}
        for (name, _), found in self.found.items():
            of_each.setdefault(name, []).append(found)
        for (name, move), found in self.found.items():
            others = of_each[name]
            for d in found:
                of_moves = d.span is not None and any(d.span.lies_in(span) for span in self.spans[name])
                alone = of_moves and any(d not in other for other in others)
                note = (said("obligations.so_of_move", move=move),) if alone else ()
                self.world.problems.extend([replace(d, notes=(*d.notes, *note))])

    def _judged(self, demand: Prefer | Maximise, scope: Scope) -> Expr | tuple[Expr, ...]:
        with self.checker.deciding():
            if isinstance(demand, Maximise):
                found = tuple(self.checker.need(w, scope, SOME_NUMBER, present=True) for w in demand.weights)
                self.checker.decided_by(*found)
                return found
            condition = self.checker.condition(demand.form, scope)
        self.checker.decided_by(condition)
        return condition

    def _apart(self, name: str, form: Form, scope: Scope) -> Expr:
        """What actions that are weighed together have in common: a single thing, of one kind in all moves."""
        with self.checker.deciding():
            found = self.checker.check(form, scope)
            self.checker.told_apart(found.kind, found.span)
        kinds = [e.kind for (known, _), e in self.apart.items() if known == name]
        other = next((kind for kind in kinds if join(kind, found.kind) is None), None)
        if found.kind.name == "list":
            self.world.problems.add("R401", said("obligations.each_single", found=describe(found.kind)), found.span)
        elif other is not None:
            message = said("obligations.each_differs", found=describe(found.kind), other=describe(other))
            self.world.problems.add("R402", message, found.span)
        self.checker.decided_by(found)
        return found


def _said_of_moves(obligation: Obligation) -> Iterator[Form]:
    """The formulas that are judged for each move."""
    if isinstance(obligation.demand, Prefer):
        yield obligation.demand.form
    elif isinstance(obligation.demand, Maximise):
        yield from obligation.demand.weights
    if obligation.each is not None:
        yield obligation.each


def _alike(obligation: Obligation, move: Move, others: list[Move]) -> list[Var]:
    """What a move has of the names an obligation may speak of. Of one that it is not over: not what is of another kind in those that
    it is over, since what it says it says of them."""
    over = obligation.over or ()
    if not over or move.name in over:
        return move.names
    meant = [v for m in others if m.name in over for v in m.names]
    return [v for v in move.names if all(join(v.kind, m.kind) is not None for m in meant if m.name == v.name)]
