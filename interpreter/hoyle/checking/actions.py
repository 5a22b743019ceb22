"""Moves, and the rules that act by themselves."""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.checking.entries import are_piles, entries, loop_of, optional_form, rule_of, seen
from hoyle.checking.flow import FlowChecker
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.phrases import telling_of_move
from hoyle.checking.reader import words_of
from hoyle.checking.world import Scope, World
from hoyle.language.ir import Const, Expr, Var
from hoyle.language.kinds import BOOL, PLAYER, UNKNOWN, Kind, Pile, item_of, join
from hoyle.language.model import Condition, Move, Take, Whenever
from hoyle.language.sentences import said
from hoyle.language.steps import Run, Step, every_step, formulas, mentions
from hoyle.language.syntax import Form, is_identifier, usable
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading.tree import Node

MOST_BOUND, MOST_CONDITIONS = 6, 40
"""In one move."""


def _is_whole(node: Node) -> bool:
    """Is this a move, and not what was meant to change another whose name is misspelt? That lacks a rule, which is told, and what its
    conditions are about."""
    return any(node.get(key) is not None for key in ("rule", "take", "with", "put"))


class ActionChecker:
    """Checks `moves` and `whenever`."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker

    # ---- moves -------------------------------------------------------------------------------------------------------

    def moves(self, flow: FlowChecker) -> dict[str, Move]:
        return {name: self._move(name, key, node, flow) for name, key, node in entries(self.root, "moves")}

    def _move(self, name: str, key: Node, node: Node, flow: FlowChecker) -> Move:
        rule = rule_of(self.world, node, key, "move")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        with self.checker.deciding():
            takes, origin, card = self._takes(node.get("take"), scope)
            scope = scope.bind(*(v for v in (origin, card) if v))
            withs, scope = self._withs(node, scope)
            put, target = self._put(node.get("put"), scope)
            if put is not None and card is not None:
                self.checker.lies_there(card.kind, put.kind, put.span)
        lets, scope = self._lets(node, scope.bind(target) if target else scope)
        with self.checker.deciding():
            conditions = self._conditions(node, scope) if _is_whole(node) else []
        self.checker.decided_by(*(condition.expr for condition in conditions))
        self._few_enough(name, len(withs), len(conditions), key)
        names = (origin, card, *(v for v, _ in withs), target, *lets)
        telling, short = telling_of_move(self.checker, node, name, scope, names)
        return Move(
            name=name,
            rule=rule,
            takes=takes,
            card=card,
            origin=origin,
            withs=withs,
            put=put,
            target=target,
            lets=lets,
            conditions=conditions,
            then=flow.steps(node.get("then"), scope),
            openly=bool(node.get("openly")),
            telling=telling,
            short=short,
            span=key.span,
            me=me,
            number=self.world.moves[name],
        )

    def _few_enough(self, name: str, withs: int, conditions: int, key: Node) -> None:
        for count, most, what in ((withs, MOST_BOUND, "bound"), (conditions, MOST_CONDITIONS, "conditions")):
            if count > most:
                self.world.problems.add(
                    "R420",
                    said(f"actions.{what}", name=name, count=count),
                    key.span,
                    notes=[said("actions.may_have", most=most)],
                    help=said("actions.two_moves"),
                )

    def _takes(self, node: Node | None, scope: Scope) -> tuple[list[Take], Var | None, Var | None]:
        if node is None:
            return [], None, None
        takes = [t for item in (node.items if node.kind == "list" else [node]) if (t := self._take(item, scope))]
        pile: Kind | None = None
        for take in takes:
            kind = take.source.kind if take.source.kind.name == "pile" else take.source.kind.of_item
            pile = kind if pile is None else join(pile, kind)
        pile = pile if isinstance(pile, Pile) else Pile()
        return takes, Var("from", pile.maybe(False)), Var("card", pile.piece)

    def _take(self, node: Node, scope: Scope) -> Take | None:
        form = optional_form(self.world, node)
        if form is None:
            return None
        word = WORDS.get(form.name) if form.op == "call" and len(form.parts) == 1 else None
        any_piece = word is not None and word.pieces == "all"
        source = self.checker.check(form.part(0) if any_piece else form, scope)
        if not are_piles(self.checker, source, "take"):
            return None
        if any_piece:
            seen(self.checker, source)
        return Take(source, any_piece)

    def _withs(self, node: Node, scope: Scope) -> tuple[list[tuple[Var, Expr]], Scope]:
        """What is chosen of which lists, and the scope in which that is known."""
        withs: list[tuple[Var, Expr]] = []
        for text, _, form in self._named(node.get("with")):
            items = self.checker.listed(form, scope)
            self.checker.told_apart(items.kind, items.span)
            var = Var(text, item_of(items.kind))
            withs.append((var, items))
            scope = scope.bind(var)
        return withs, scope

    def _named(self, node: Node | None) -> list[tuple[str, Node, Form]]:
        found = []
        for text, key, value in node.entries() if node is not None and node.kind == "map" else ():
            form = optional_form(self.world, value)
            if not is_identifier(text):
                help = usable(text)
                self.world.problems.add("R310", said("formula.no_name", name=text), key.span, help=help)
            elif form is not None:
                found.append((text, key, form))
        return found

    def _lets(self, node: Node, scope: Scope) -> tuple[list[Var], Scope]:
        """The values that get a name, and the scope in which it is known."""
        lets: list[Var] = []
        for text, key, form in self._named(node.get("let")):
            if text in scope.names or text in NAMES:
                self.world.problems.add(
                    "R309", said("actions.other_meaning", name=text), key.span, help=said("another_name")
                )
                continue
            before = self.checker.parts
            value = self.checker.check(form, scope)
            lets.append(Var(text, value.kind, value))
            self.checker.unfolded[lets[-1]] = self.checker.parts - before
            self.checker.given[lets[-1]] = (form, scope)
            scope = scope.bind(lets[-1])
        return lets, scope

    def _put(self, node: Node | None, scope: Scope) -> tuple[Expr | None, Var | None]:
        form = optional_form(self.world, node)
        if form is None:
            return None, None
        put = self.checker.check(form, scope)
        if not are_piles(self.checker, put, "put"):
            return None, Var("to", UNKNOWN)
        return put, Var("to", (put.kind if put.kind.name == "pile" else put.kind.of_item).maybe(False))

    def _conditions(self, node: Node, scope: Scope) -> list[Condition]:
        conditions = node.get("if")
        found = []
        for name, key, value in conditions.entries() if conditions is not None and conditions.kind == "map" else ():
            rule = rule_of(self.world, value, key, "condition") if value.kind == "map" and value.get("rule") else None
            form = optional_form(self.world, value.get("is") if value.kind == "map" else value)
            if form is not None:
                found.append(Condition(name, self.checker.condition(form, scope), rule, words_of(value, name)))
        return found

    # ---- whenever ----------------------------------------------------------------------------------------------------

    def whenever(self, flow: FlowChecker) -> dict[str, Whenever]:
        return {
            name: self._whenever(i, name, key, node, flow)
            for i, (name, key, node) in enumerate(entries(self.root, "whenever"))
        }

    def _whenever(self, number: int, name: str, key: Node, node: Node, flow: FlowChecker) -> Whenever:
        rule = rule_of(self.world, node, key, "rule")
        me = Var("me", PLAYER)
        loop, scope = loop_of(self.checker, node.get("for"), Scope(me=me))
        form = optional_form(self.world, node.get("if"))
        if node.get("if") is None:
            self.world.problems.add("R103", said("actions.needs_if", name=name), node.place_without(["if"], key.span))
        always = Const(BOOL, key.span, False)
        condition = self.checker.condition(form, scope) if form else always
        during = node.get("during")
        for item in during.items if during is not None and during.kind == "list" else []:
            flow.known_place(item)
        do = flow.steps_alone(node.get("do"), scope, "rule")
        places = tuple(i.raw for i in during.items) if during is not None else None
        asked = [condition, *(loop.formulas if loop is not None else ())]
        uses_me = mentions(asked, me) or _uses(flow, do, me)
        return Whenever(name, rule, places, loop, condition, do, me, uses_me, key.span, number, words_of(node, name))


def _uses(flow: FlowChecker, steps: Iterable[Step], me: Var) -> bool:
    """Must somebody act where these steps are carried out? A phase that is run there knows whoever acts by its own name."""
    for step in every_step(steps):
        if mentions(formulas(step), me):
            return True
        phase = flow.phases.get((step.verb.phase, True)) if isinstance(step.verb, Run) and step.me is me else None
        if phase is not None and phase.me is not None and _uses(flow, phase.steps, phase.me):
            return True
    return False
