"""Moves, obligations and the rules that act by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.checking.entries import loop_of, names_in, optional_form, rule_of
from interpreter.checking.flow import FlowChecker
from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.reader import words_of
from interpreter.checking.world import Scope, World
from interpreter.language.ir import Const, Expr, Listed, Var, lets_in
from interpreter.language.kinds import BOOL, PLAYER, SOME_NUMBER, UNKNOWN, Kind, List, Pile, item_of, join
from interpreter.language.model import (
    Condition,
    Demand,
    Maximise,
    Move,
    NeverTwice,
    Obligation,
    Prefer,
    PreferMoves,
    Take,
    Whenever,
)
from interpreter.language.steps import Run, Step, every_step, formulas, mentions
from interpreter.language.syntax import Form
from interpreter.language.vocabulary import NAMES, WORDS
from interpreter.reading import parse
from interpreter.reading.tree import Node

MOST_BOUND, MOST_CONDITIONS = 6, 40
"""In one move."""
_BESIDE = {
    "until": ("never_twice",),
    "unless": ("maximise",),
    "over": ("prefer", "never_twice"),
    "callable": ("prefer",),
}
"""What an obligation may say besides, and what it must demand then."""
ANOTHER = "choose another name"


class ActionChecker:
    """Checks `moves`, `obligations` and `whenever`."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker
        self.judged: dict[tuple[str, str], Expr | tuple[Expr, ...]] = {}
        self._given: dict[Var, tuple[Form, Scope]] = {}
        """What `let` gives: as it is written, and the names it sees."""

    def entries(self, section: str) -> list[tuple[str, Node, Node]]:
        node = self.root.get(section)
        return [e for e in node.entries() if e[2].kind == "map"] if node is not None and node.kind == "map" else []

    # ---- moves -------------------------------------------------------------------------------------------------------

    def moves(self, flow: FlowChecker) -> dict[str, Move]:
        return {name: self._move(name, key, node, flow) for name, key, node in self.entries("moves")}

    def _move(self, name: str, key: Node, node: Node, flow: FlowChecker) -> Move:
        rule = rule_of(self.world, node, key, "move")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        with self.checker.deciding():
            takes, origin, card = self._takes(node.get("take"), scope)
            scope = scope.bind(*(v for v in (origin, card) if v))
            withs, scope = self._withs(node, scope)
            put, target = self._put(node.get("put"), scope)
        lets, scope = self._lets(node, scope.bind(target) if target else scope)
        with self.checker.deciding():
            conditions = self._conditions(node, scope)
        self._decided_by(*(condition.expr for condition in conditions))
        self._few_enough(name, len(withs), len(conditions), key)
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
            words=words_of(node, name),
            span=key.span,
            me=me,
            number=self.world.moves[name],
        )

    def _few_enough(self, name: str, withs: int, conditions: int, key: Node) -> None:
        for count, most, what in ((withs, MOST_BOUND, "things in `with`"), (conditions, MOST_CONDITIONS, "conditions")):
            if count > most:
                self.world.problems.add(
                    "R420",
                    f"`{name}` has {count} {what}",
                    key.span,
                    notes=[f"a move may have {most}"],
                    help="make two moves of it, or put several conditions into one term",
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
        if not self._are_piles(source, "take"):
            return None
        if any_piece:
            self._seen(source)
        return Take(source, any_piece)

    def _seen(self, piles: Expr) -> None:
        """The pieces of these piles decide what is offered."""
        kind = piles.kind.of_item if piles.kind.name == "list" else piles.kind
        if isinstance(kind, Pile):
            self.checker.looked_at(kind.piece, piles.span)

    def _are_piles(self, source: Expr, what: str) -> bool:
        kind = source.kind
        fine = kind.name == "pile" or (kind.name == "list" and kind.of_item.name in ("pile", "unknown"))
        if not fine and kind.name != "unknown":
            self.world.problems.add(
                "R411",
                f"`{what}` names piles: a pile, a family or a list of piles",
                source.span,
                help="any piece of a pile is `cards(pile)`" if what == "take" else "",
            )
        return fine

    def _withs(self, node: Node, scope: Scope) -> tuple[list[tuple[Var, Expr]], Scope]:
        """What is chosen of which lists, and the scope in which that is known."""
        withs: list[tuple[Var, Expr]] = []
        for text, _, form in self._named(node.get("with")):
            items = self.checker.as_list(self.checker.check(form, scope))
            self.checker.told_apart(items.kind, items.span)
            var = Var(text, item_of(items.kind))
            withs.append((var, items))
            scope = scope.bind(var)
        return withs, scope

    def _named(self, node: Node | None) -> list[tuple[str, Node, Form]]:
        found = []
        for text, key, value in node.entries() if node is not None and node.kind == "map" else ():
            form = optional_form(self.world, value)
            if not parse.is_identifier(text):
                self.world.problems.add("R310", f"`{text}` cannot be a name in formulas", key.span)
            elif form is not None:
                found.append((text, key, form))
        return found

    def _lets(self, node: Node, scope: Scope) -> tuple[list[Var], Scope]:
        """The values that get a name, and the scope in which it is known."""
        lets: list[Var] = []
        for text, key, form in self._named(node.get("let")):
            if text in scope.names or text in NAMES:
                self.world.problems.add("R309", f"`{text}` already means something else", key.span, help=ANOTHER)
                continue
            value = self.checker.check(form, scope)
            lets.append(Var(text, value.kind, value))
            self._given[lets[-1]] = (form, scope)
            scope = scope.bind(lets[-1])
        return lets, scope

    def _decided_by(self, *found: Expr) -> None:
        """What these formulas have from `let` decides what somebody may do."""
        with self.checker.deciding():
            for var in lets_in(*found):
                self.checker.check(*self._given[var])

    def _put(self, node: Node | None, scope: Scope) -> tuple[Expr | None, Var | None]:
        form = optional_form(self.world, node)
        if form is None:
            return None, None
        put = self.checker.check(form, scope)
        if not self._are_piles(put, "put"):
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

    # ---- obligations -------------------------------------------------------------------------------------------------

    def obligations(self) -> dict[str, Obligation]:
        found = {name: self._obligation(name, key, node) for name, key, node in self.entries("obligations")}
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
        )

    def _demand(self, name: str, key: Node, node: Node, scope: Scope) -> Demand | None:
        sorts = [k for k in ("prefer", "maximise", "never_twice") if node.get(k)]
        if len(sorts) != 1:
            code, what = ("R114", "may have only") if sorts else ("R117", "needs")
            place = max((node.key(k) for k in sorts), key=lambda k: k.span.shares_file(self.root.span), default=key)
            message = f"obligation `{name}` {what} one of `prefer`, `maximise`, `never_twice`"
            self.world.problems.add(code, message, place.span)
            return None
        demanded, until = node[sorts[0]], node.get("until")
        self._goes_together(sorts[0], node)
        if sorts[0] == "maximise":
            return self._maximise(key, node, scope)
        if sorts[0] == "prefer" and demanded.kind == "list":
            return PreferMoves(self._moves(demanded))
        form = optional_form(self.world, demanded)
        if form is None:
            return None
        return Prefer(form) if sorts[0] == "prefer" else self._never_twice(form, until, scope)

    def _goes_together(self, sort: str, node: Node) -> None:
        for key, sorts in _BESIDE.items():
            if node.get(key) is not None and sort not in sorts:
                needed = " or ".join(f"`{s}`" for s in sorts)
                self.world.problems.add("R103", f"`{key}` needs {needed} beside it", node.key(key).span)

    def _maximise(self, key: Node, node: Node, scope: Scope) -> Maximise:
        bounds = (self.checker.need(form, scope, SOME_NUMBER) for form in self._forms(node.get("most")))
        unless = self._condition_of(node.get("unless"), scope)
        found = Maximise(tuple(self._forms(node.get("maximise"))), tuple(bounds), unless)
        if len(found.weights) != len(found.most):
            self._not_as_many(key, node)
        return found

    def _not_as_many(self, key: Node, node: Node) -> None:
        given = node.pairs.get("most")
        if given is None:
            help = "say in `most` what each of the sums could be at best: it ends the search early"
            self.world.problems.add("R416", "`maximise` needs `most`", node.key("maximise").span, help=help)
        else:
            self.world.problems.add("R416", "`most` gives one number for each of `maximise`", given[0].span)

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
        self._seen(found)
        forgetting = self._moves(until) if until is not None else None
        return NeverTwice(found, forgetting) if self._are_piles(found, "never_twice") else None

    def judge(self, obligation: Obligation, move: Move, others: list[Move]) -> None:
        """Check what an obligation asks of one move that some step offers with it."""
        key, demand = (obligation.name, move.name), obligation.demand
        if key in self.judged or not isinstance(demand, Prefer | Maximise):
            return
        lacking = {v.name: v.kind for m in others for v in m.names}
        scope = Scope(me=obligation.me, lacking=lacking, move=move.number).bind(*move.names)
        with self.checker.deciding():
            if isinstance(demand, Maximise):
                self.judged[key] = tuple(self.checker.need(w, scope, SOME_NUMBER, present=True) for w in demand.weights)
            else:
                self.judged[key] = self.checker.condition(demand.form, scope)
        found = self.judged[key]
        self._decided_by(*(found if isinstance(found, tuple) else (found,)))

    # ---- whenever ----------------------------------------------------------------------------------------------------

    def whenever(self, flow: FlowChecker) -> dict[str, Whenever]:
        return {
            name: self._whenever(i, name, key, node, flow)
            for i, (name, key, node) in enumerate(self.entries("whenever"))
        }

    def _whenever(self, number: int, name: str, key: Node, node: Node, flow: FlowChecker) -> Whenever:
        rule = rule_of(self.world, node, key, "rule")
        me = Var("me", PLAYER)
        loop, scope = loop_of(self.checker, node.get("for"), Scope(me=me))
        form = optional_form(self.world, node.get("if"))
        if node.get("if") is None:
            self.world.problems.add("R103", f"`{name}` needs an `if`", key.span)
        always = Const(BOOL, key.span, False)
        condition = self.checker.condition(form, scope) if form else always
        during = node.get("during")
        for item in during.items if during is not None and during.kind == "list" else []:
            flow.known_place(item)
        do = flow.steps_alone(node.get("do"), scope, "a rule that acts by itself")
        places = tuple(i.raw for i in during.items) if during is not None else None
        asked = [condition, *(loop.formulas if loop is not None else ())]
        uses_me = mentions(asked, me) or _uses(flow, do, me)
        return Whenever(name, rule, places, loop, condition, do, me, uses_me, key.span, number)


def _uses(flow: FlowChecker, steps: Iterable[Step], me: Var) -> bool:
    """Must somebody act where these steps are carried out? A phase that is run there knows whoever acts by its own name."""
    for step in every_step(steps):
        if mentions(formulas(step), me):
            return True
        phase = flow.phases.get((step.verb.phase, True)) if isinstance(step.verb, Run) and step.me is me else None
        if phase is not None and phase.me is not None and _uses(flow, phase.steps, phase.me):
            return True
    return False
