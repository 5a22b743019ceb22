"""Moves, obligations and whenever entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.reader import words_of
from interpreter.checking.world import Scope, World, unknown
from interpreter.diagnostics import Refused
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import BOOL, PLAYER, UNKNOWN, Kind, join, list_of
from interpreter.language.model import LANGUAGES, Condition, Move, Obligation, Rule, Take, Whenever
from interpreter.language.syntax import Form
from interpreter.reading import parse
from interpreter.reading.tree import Node

if TYPE_CHECKING:
    from interpreter.checking.flow import FlowChecker


def rule_of(world: World, node: Node, key: Node, what: str) -> Rule:
    """The `rule:` of an entry. It is required: every rule says where it comes from."""
    rule = node.get("rule")
    if rule is None or rule.kind != "map":
        world.problems.add(
            "R116",
            f"{what} `{key.raw}` says no `rule`",
            key.span,
            help="add `rule: {at: …, en: …, fr: …}`: where it comes from and one sentence",
        )
        return Rule("")
    at = rule.get("at")
    return Rule(at.raw if at else "", tuple((lang, rule.pairs[lang][1].raw) for lang in LANGUAGES if rule.get(lang)))


def optional_form(world: World, node: Node | None) -> Form | None:
    if node is None or node.kind != "scalar":
        return None
    try:
        return parse.formula(node)
    except Refused as refused:
        world.problems.extend(refused.diagnostics)
        return None


def loop_of(
    checker: FormulaChecker, node: Node | None, scope: Scope
) -> tuple[tuple[Var, Expr, Expr | None] | None, Scope]:
    """`for: x in xs where c` → its variable, list and condition, and the scope inside."""
    if node is None:
        return None, scope
    try:
        found = parse.generator(node)
    except Refused as refused:
        checker.world.problems.extend(refused.diagnostics)
        return None, scope
    items = checker.as_list(checker.check(found.source, scope))
    var = Var(found.name, items.kind.of_item if items.kind.item else UNKNOWN)
    inner = scope.bind(var)
    return (var, items, checker.condition(found.where, inner) if found.where else None), inner


class ActionChecker:
    """Checks `moves`, `obligations` and `whenever`."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker
        self.judged: dict[tuple[str, str], Expr | tuple[Expr, ...]] = {}

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
        self.checker.private = True
        takes, origin, card = self._takes(node.get("take"), scope)
        scope = scope.bind(*(v for v in (origin, card) if v))
        withs: list[tuple[Var, Expr]] = []
        for text, form in self._withs(node):
            items = self.checker.as_list(self.checker.check(form, scope))
            var = Var(text, items.kind.of_item if items.kind.item else UNKNOWN)
            withs.append((var, items))
            scope = scope.bind(var)
        put, target = self._put(node.get("put"), scope)
        scope = scope.bind(target) if target else scope
        conditions = self._conditions(node, scope)
        self.checker.private = False
        move = Move(
            name,
            rule,
            takes,
            card,
            origin,
            withs,
            put,
            target,
            conditions,
            [],
            bool(node.get("openly")),
            words_of(node, name),
            key.span,
            me,
            self.world.moves[name],
        )
        move.then = flow.steps(node.get("then"), scope)
        return move

    def _takes(self, node: Node | None, scope: Scope) -> tuple[list[Take], Var | None, Var | None]:
        if node is None:
            return [], None, None
        takes = [t for item in (node.items if node.kind == "list" else [node]) if (t := self._take(item, scope))]
        pile: Kind | None = None
        for take in takes:
            kind = take.source.kind if take.source.kind.name == "pile" else take.source.kind.of_item
            pile = kind if pile is None else join(pile, kind)
        if pile is None:
            pile = Kind("pile")
        piece = Kind("piece", of=pile.of, families=pile.families, mine=pile.mine)
        return takes, Var("from", pile.maybe(False)), Var("card", piece)

    def _take(self, node: Node, scope: Scope) -> Take | None:
        form = optional_form(self.world, node)
        if form is None:
            return None
        any_piece = form.op == "call" and form.name == "cards" and len(form.parts) == 1
        source = self.checker.check(form.part(0) if any_piece else form, scope)
        return Take(source, any_piece) if self._are_piles(source, "take") else None

    def _are_piles(self, source: Expr, what: str) -> bool:
        kind = source.kind
        fine = kind.name == "pile" or (kind.name == "list" and kind.of_item.name == "pile")
        if not fine and kind.name != "unknown":
            self.world.problems.add(
                "R411",
                f"`{what}` names piles: a pile, a family or a list of piles",
                source.span,
                help="any piece of a pile is `cards(pile)`" if what == "take" else "",
            )
        return fine

    def _withs(self, node: Node) -> list[tuple[str, Form]]:
        withs = node.get("with")
        found = []
        for text, key, value in withs.entries() if withs is not None and withs.kind == "map" else ():
            form = optional_form(self.world, value)
            if not parse.is_identifier(text):
                self.world.problems.add("R310", f"`{text}` cannot be a name in formulas", key.span)
            elif form is not None:
                found.append((text, form))
        return found

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
        return {name: self._obligation(name, key, node) for name, key, node in self.entries("obligations")}

    def _obligation(self, name: str, key: Node, node: Node) -> Obligation:
        rule = rule_of(self.world, node, key, "obligation")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        when, call = (self._condition_of(node.get(k), scope) for k in ("when", "callable"))
        sorts = [k for k in ("prefer", "maximise", "never_twice") if node.get(k)]
        if len(sorts) != 1:
            code, what = ("R114", "may have only") if sorts else ("R117", "needs")
            self.world.problems.add(
                code, f"obligation `{name}` {what} one of `prefer`, `maximise`, `never_twice`", key.span
            )
        prefer, weights = node.get("prefer"), node.get("maximise")
        moves = self.move_names(prefer) if prefer is not None and prefer.kind == "list" else None
        piles = optional_form(self.world, node.get("never_twice"))
        most = node.get("most")
        found = Obligation(
            name,
            rule,
            when,
            sorts[0] if sorts else "prefer",
            self.move_names(node.get("over")),
            self.move_names(node.get("until")),
            call,
            optional_form(self.world, prefer),
            moves,
            tuple(f for w in (weights.items if weights else []) if (f := optional_form(self.world, w))),
            tuple(
                self.checker.need(f, scope, Kind("number"))
                for w in (most.items if most else [])
                if (f := optional_form(self.world, w))
            ),
            self._never(piles, scope) if piles else None,
            words_of(node, name),
            key.span,
            me,
            self.world.obligations[name],
        )
        if found.until is not None and sorts != ["never_twice"]:
            span = node.key("until").span
            self.world.problems.add("R103", "`until` needs `never_twice` beside it", span)
        if found.weights and len(found.weights) != len(found.most):
            self.world.problems.add("R416", "`most` gives one number for each of `maximise`", key.span)
        return found

    def _condition_of(self, node: Node | None, scope: Scope) -> Expr | None:
        form = optional_form(self.world, node)
        return self.checker.condition(form, scope) if form else None

    def _never(self, form: Form, scope: Scope) -> Expr | None:
        found = self.checker.check(form, scope)
        if found.kind.name == "pile":
            found = Expr("list", list_of(found.kind, 1, 1), found.span, (found,))
        return found if self._are_piles(found, "never_twice") else None

    def move_names(self, node: Node | None) -> tuple[str, ...] | None:
        """A list of move names, each of which must exist."""
        if node is None:
            return None
        found = []
        for item in node.items if node.kind == "list" else [node]:
            if item.raw in self.world.moves:
                found.append(item.raw)
            else:
                unknown(self.world, "R307", "move", item.raw, list(self.world.moves), item.span)
        return tuple(found)

    def judge(self, obligation: Obligation, move: Move, others: list[Move]) -> None:
        """Check what an obligation asks of one move that some step offers with it."""
        key = (obligation.name, move.name)
        if key in self.judged or (obligation.prefer is None and not obligation.weights):
            return
        own = {v.name for v in move.bindings}
        lacking = frozenset(v.name for m in others for v in m.bindings) - own
        scope = Scope(me=obligation.me, lacking=lacking, move=move.number).bind(*move.bindings)
        self.checker.private = True
        if obligation.weights:
            self.judged[key] = tuple(
                self.checker.need(w, scope, Kind("number"), present=True) for w in obligation.weights
            )
        elif obligation.prefer is not None:
            self.judged[key] = self.checker.condition(obligation.prefer, scope)
        self.checker.private = False

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
        always = Expr("const", BOOL, key.span, value=False)
        condition = self.checker.condition(form, scope) if form else always
        during = node.get("during")
        for item in during.items if during is not None and during.kind == "list" else []:
            flow.known_place(item)
        do = flow.steps(node.get("do"), scope, alone="a rule that acts by itself")
        places = tuple(i.raw for i in during.items) if during is not None else None
        found = Whenever(name, rule, places, loop, condition, do, me, False, key.span, number)
        found.uses_me = flow.mentions(me, condition, loop, do)
        return found
