"""Check moves, rules that act by themselves (`whenever`), and obligations for each move offered with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, SymbolTable
from hoyle.checking.sections.flow import FlowChecker
from hoyle.checking.sections.reader import (
    check_piles_visible,
    list_entries,
    list_pairs,
    parse_optional,
    read_loop,
    read_names,
    read_rule,
    read_words,
    require_piles,
)
from hoyle.checking.sections.texts import read_move_telling
from hoyle.diagnostics import Diagnostic, Refused, Span, find_close_name
from hoyle.language.ir import Const, Expr, Listed, Var
from hoyle.language.model import (
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
from hoyle.language.sentences import join_alternatives, make_message
from hoyle.language.steps import Run, Step, every_step, formulas, mentions
from hoyle.language.syntax import Form, describe_valid_name, is_identifier
from hoyle.language.value_types import (
    BOOL,
    PLAYER,
    SOME_NUMBER,
    UNKNOWN,
    List,
    Pile,
    ValueType,
    describe_type,
    get_item_type,
    join_types,
)
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading import parse
from hoyle.reading.tree import Node, bracket_fix, list_items

MOST_BOUND, MOST_CONDITIONS = 6, 40
"""Maximum numbers of entries of `with` and of conditions in one move."""
_DEMANDS = ("prefer", "maximise", "never_twice")
_BESIDE = {
    "until": ("never_twice",),
    "most": ("maximise",),
    "unless": ("maximise",),
    "ends_if": ("maximise",),
    "over": ("prefer", "never_twice"),
    "callable": ("prefer",),
    "each": ("prefer",),
}
"""Further keys of an obligation, with the demands they go with."""


class MoveChecker:
    """Checks `moves` and `whenever`."""

    def __init__(self, root: Node, symbols: SymbolTable, checker: FormulaChecker) -> None:
        self.root, self.symbols, self.checker = root, symbols, checker

    # ---- moves -------------------------------------------------------------------------------------------------------

    def read_moves(self, flow: FlowChecker) -> dict[str, Move]:
        return {name: self._read_move(name, key, node, flow) for name, key, node in list_entries(self.root, "moves")}

    def _read_move(self, name: str, key: Node, node: Node, flow: FlowChecker) -> Move:
        rule = read_rule(self.symbols, node, key, "move")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        with self.checker.for_decision():
            takes, origin, card = self._read_takes(node.get("take"), scope)
            scope = scope.bind(*(var for var in (origin, card) if var))
            withs: list[tuple[Var, Expr]] = []
            for text, _, form in self._list_named(node.get("with")):
                items = self.checker.check_list(form, scope)
                self.checker.check_distinguished(items.type, items.span)
                withs.append((Var(text, get_item_type(items.type)), items))
                scope = scope.bind(withs[-1][0])
            put, target = self._read_put(node.get("put"), scope)
            if put is not None and card is not None:
                self.checker.check_holds(card.type, put.type, put.span)
        lets, scope = self._read_lets(node, scope.bind(target) if target else scope)
        # An entry without these keys is a misspelt change of another move; its conditions would only repeat that.
        is_move = any(node.get(key) is not None for key in ("rule", "take", "with", "put"))
        with self.checker.for_decision():
            conditions = self._read_conditions(node.get("if"), scope) if is_move else []
        self.checker.check_lets_of_decision(*(condition.expr for condition in conditions))
        for count, most, what in ((len(withs), MOST_BOUND, "bound"), (len(conditions), MOST_CONDITIONS, "conditions")):
            if count > most:
                message = make_message(f"actions.{what}", name=name, count=count)
                notes, help = [make_message("actions.may_have", most=most)], make_message("actions.two_moves")
                self.symbols.problems.add("R420", message, key.span, notes=notes, help=help)
        names = (origin, card, *(var for var, _ in withs), target, *lets)
        telling, short = read_move_telling(self.checker, node, name, scope, names)
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
            then=flow.check_steps(node.get("then"), scope),
            openly=bool(node.get("openly")),
            telling=telling,
            short=short,
            span=key.span,
            me=me,
            number=self.symbols.moves[name],
        )

    def _read_takes(self, node: Node | None, scope: Scope) -> tuple[list[Take], Var | None, Var | None]:
        """Read `take`, with the variables of the pile and the piece taken."""
        if node is None:
            return [], None, None
        takes = [take for item in list_items(node) if (take := self._read_take(item, scope)) is not None]
        pile: ValueType | None = None
        for take in takes:
            value_type = take.source.type if take.source.type.name == "pile" else take.source.type.item_type
            pile = value_type if pile is None else join_types(pile, value_type)
        pile = pile if isinstance(pile, Pile) else Pile()
        return takes, Var("from", pile.with_optional(False)), Var("card", pile.piece)

    def _read_take(self, node: Node, scope: Scope) -> Take | None:
        form = parse_optional(self.symbols, node)
        if form is None:
            return None
        word = WORDS.get(form.name) if form.op == "call" and len(form.parts) == 1 else None
        any_piece = word is not None and word.pieces == "all"
        source = self.checker.check(form.part(0) if any_piece else form, scope)
        if not require_piles(self.checker, source, "take"):
            return None
        if any_piece:
            check_piles_visible(self.checker, source)
        return Take(source, any_piece)

    def _read_put(self, node: Node | None, scope: Scope) -> tuple[Expr | None, Var | None]:
        form = parse_optional(self.symbols, node)
        if form is None:
            return None, None
        put = self.checker.check(form, scope)
        if not require_piles(self.checker, put, "put"):
            return None, Var("to", UNKNOWN)
        return put, Var("to", (put.type if put.type.name == "pile" else put.type.item_type).with_optional(False))

    def _list_named(self, node: Node | None) -> list[tuple[str, Node, Form]]:
        """List the names in `with` or `let` with their keys and formulas."""
        named = []
        for text, key, value in list_pairs(node):
            form = parse_optional(self.symbols, value)
            if not is_identifier(text):
                self.symbols.report("R310", "formula.no_name", key.span, name=text, help=describe_valid_name(text))
            elif form is not None:
                named.append((text, key, form))
        return named

    def _read_lets(self, node: Node, scope: Scope) -> tuple[list[Var], Scope]:
        """Read `let`, with the scope that has its names."""
        lets: list[Var] = []
        for text, key, form in self._list_named(node.get("let")):
            if text in scope.names or text in NAMES:
                self.symbols.report("R309", "actions.other_meaning", key.span, name=text, help="another_name")
                continue
            before = self.checker.parts
            value = self.checker.check(form, scope)
            lets.append(Var(text, value.type, value))
            self.checker.let_sizes[lets[-1]] = self.checker.parts - before
            self.checker.lets[lets[-1]] = (form, scope)
            scope = scope.bind(lets[-1])
        return lets, scope

    def _read_conditions(self, node: Node | None, scope: Scope) -> list[Condition]:
        conditions = []
        for name, key, value in list_pairs(node):
            is_map = value.kind == "map"
            rule = read_rule(self.symbols, value, key, "condition") if is_map and value.get("rule") else None
            form = parse_optional(self.symbols, value.get("is") if is_map else value)
            if form is not None:
                conditions.append(
                    Condition(name, self.checker.check_condition(form, scope), rule, read_words(value, name))
                )
        return conditions

    # ---- whenever ----------------------------------------------------------------------------------------------------

    def read_whenever(self, flow: FlowChecker) -> dict[str, Whenever]:
        entries = enumerate(list_entries(self.root, "whenever"))
        return {name: self._read_whenever(number, name, key, node, flow) for number, (name, key, node) in entries}

    def _read_whenever(self, number: int, name: str, key: Node, node: Node, flow: FlowChecker) -> Whenever:
        rule = read_rule(self.symbols, node, key, "rule")
        me = Var("me", PLAYER)
        loop, scope = read_loop(self.checker, node.get("for"), Scope(me=me))
        form = parse_optional(self.symbols, node.get("if"))
        if node.get("if") is None:
            self.symbols.report("R103", "actions.needs_if", node.place_without(["if"], key.span), name=name)
        condition = self.checker.check_condition(form, scope) if form else Const(BOOL, key.span, False)
        during = node.get("during")
        for item in during.items if during is not None and during.kind == "list" else []:
            flow.check_place(item)
        do = flow.check_silent_steps(node.get("do"), scope, "rule")
        places = tuple(item.raw for item in during.items) if during is not None else None
        read = [condition, *(loop.formulas if loop is not None else ())]
        uses_me = mentions(read, me) or _use_actor(flow, do, me)
        return Whenever(name, rule, places, loop, condition, do, me, uses_me, key.span, number, read_words(node, name))


def _use_actor(flow: FlowChecker, steps: Iterable[Step], me: Var) -> bool:
    """Return whether steps use the acting player `me`, directly or in a phase that they run.

    A phase has its own variable for the acting player.
    """
    for step in every_step(steps):
        if mentions(formulas(step), me):
            return True
        phase = flow.phases.get((step.verb.phase, True)) if isinstance(step.verb, Run) and step.me is me else None
        if phase is not None and phase.me is not None and _use_actor(flow, phase.steps, phase.me):
            return True
    return False


class ObligationChecker:
    """Checks `obligations`, and their formulas for each move that a step offers with them.

    judged  the demand on a move, by the names of obligation and move
    groups  the value of `each`, by the names of obligation and move; moves of equal value are compared
    """

    def __init__(self, root: Node, symbols: SymbolTable, checker: FormulaChecker) -> None:
        self.root, self.symbols, self.checker = root, symbols, checker
        self.judged: dict[tuple[str, str], Expr | tuple[Expr, ...]] = {}
        self.groups: dict[tuple[str, str], Expr] = {}

    def read_obligations(self) -> dict[str, Obligation]:
        read = {
            name: self._read_obligation(name, key, node) for name, key, node in list_entries(self.root, "obligations")
        }
        return {name: obligation for name, obligation in read.items() if obligation is not None}

    def _read_obligation(self, name: str, key: Node, node: Node) -> Obligation | None:
        """Read an obligation; None if its demand cannot be read, which is reported."""
        rule = read_rule(self.symbols, node, key, "obligation")
        me = Var("me", PLAYER)
        scope = Scope(me=me)
        with self.checker.for_decision():
            when, callable = (self._read_condition(node.get(k), scope) for k in ("when", "callable"))
            demand, over = self._read_demand(name, key, node, scope), node.get("over")
        if demand is None:
            return None
        return Obligation(
            name=name,
            rule=rule,
            demand=demand,
            when=when,
            over=self._read_moves(over) if over is not None else None,
            callable=callable,
            words=read_words(node, name),
            span=key.span,
            me=me,
            number=self.symbols.obligations[name],
            each=parse_optional(self.symbols, node.get("each")),
        )

    def _read_demand(self, name: str, key: Node, node: Node, scope: Scope) -> Demand | None:
        given = [demand for demand in _DEMANDS if node.get(demand)]
        if len(given) != 1:
            spans = [node.key(demand).span for demand in given]
            place = max(spans, key=lambda span: span.shares_file(self.root.span), default=None)
            code, which = ("R114", "only_one_of") if given else ("R117", "needs_one_of")
            place = place or node.place_without(node.gone, key.span)
            self.symbols.report(code, f"obligations.{which}", place, name=name)
            return None
        for beside, demands in _BESIDE.items():
            if node.get(beside) is not None and given[0] not in demands:
                needed = join_alternatives(f"`{demand}`" for demand in demands)
                self.symbols.report(
                    "R103", "obligations.needs_beside", node.key(beside).span, key=beside, needed=needed
                )
        demanded = node[given[0]]
        if given[0] == "maximise":
            return self._read_maximise(node, scope)
        if given[0] == "prefer" and demanded.kind == "list":
            return PreferMoves(self._read_moves(demanded))
        meant = self._guess_moves(demanded) if given[0] == "prefer" else ""
        if meant:
            fixes, help = bracket_fix(demanded, meant), make_message("shape.in_brackets", written=meant)
            self.symbols.report("R101", "obligations.prefer_is", demanded.span, help=help, fixes=fixes)
            return None
        form = parse_optional(self.symbols, demanded)
        if form is None:
            return None
        return Prefer(form) if given[0] == "prefer" else self._read_never_twice(form, node.get("until"), scope)

    def _guess_moves(self, node: Node) -> str:
        """Return the names of moves, perhaps misspelt, that stand in place of a formula; empty if it is a formula."""
        names = [part.strip() for part in node.raw.split(",")]
        if all(name in self.symbols.moves for name in names):
            known = (self.symbols.options, self.symbols.state, self.symbols.terms)
            return "" if any(node.raw in section for section in known) else node.raw
        close = [find_close_name(name, self.symbols.moves) or "" for name in names]
        if not all(close):
            return ""
        try:
            parse.formula(node)
        except Refused:
            return ", ".join(close)
        return ""

    def _read_maximise(self, node: Node, scope: Scope) -> Maximise:
        unless, ends_if = (self._read_condition(node.get(key), scope) for key in ("unless", "ends_if"))
        weights, most = (self._list_forms(node.get(key)) for key in ("maximise", "most"))
        bounds = [self.checker.check_as(form, scope, SOME_NUMBER) for form in most]
        maximise = Maximise(tuple(weights), tuple(bounds), unless, ends_if)
        if maximise.most and len(maximise.weights) != len(maximise.most):
            self.symbols.report("R416", "obligations.most_each", node.key("most").span)
        return maximise

    def _list_forms(self, node: Node | None) -> list[Form]:
        items = node.items if node is not None else ()
        return [form for item in items if (form := parse_optional(self.symbols, item)) is not None]

    def _read_moves(self, node: Node) -> tuple[str, ...]:
        return read_names(self.symbols, node, "move", self.symbols.moves)

    def _read_condition(self, node: Node | None, scope: Scope) -> Expr | None:
        form = parse_optional(self.symbols, node)
        return self.checker.check_condition(form, scope) if form else None

    def _read_never_twice(self, form: Form, until: Node | None, scope: Scope) -> NeverTwice | None:
        piles = self.checker.check(form, scope)
        if piles.type.name == "pile":
            piles = Listed(List(piles.type, 1, 1), piles.span, (piles,))
        check_piles_visible(self.checker, piles)
        forgetting = self._read_moves(until) if until is not None else None
        return NeverTwice(piles, forgetting) if require_piles(self.checker, piles, "never_twice") else None

    # ---- judging moves -----------------------------------------------------------------------------------------------

    def judge_offers(self, moves: dict[str, Move], obligations: dict[str, Obligation]) -> None:
        """Check obligations for each move offered with them. A problem of only some moves names the move."""
        lacking = {var.name: var.type for move in moves.values() for var in move.names}
        problems: dict[str, dict[str, list[Diagnostic]]] = {}
        spans: dict[str, list[Span]] = {}
        for offer in self.symbols.offers:
            for obligation in (obligations[name] for name in offer.obey if name in obligations):
                spans[obligation.name] = [form.span for form in _list_judged_forms(obligation)]
                for move in (moves[name] for name in offer.moves if name in moves):
                    by_move = problems.setdefault(obligation.name, {})
                    with self.symbols.collecting() as found:
                        self._judge(obligation, move, list(moves.values()), lacking)
                    by_move.setdefault(move.name, list(found))
        for name, by_move in problems.items():
            for move_name, of_move in by_move.items():
                for d in of_move:
                    is_judged = d.span is not None and any(d.span.lies_in(span) for span in spans[name])
                    if is_judged and any(d not in other for other in by_move.values()):
                        d = replace(d, notes=(*d.notes, make_message("obligations.so_of_move", move=move_name)))
                    self.symbols.problems.extend([d])

    def _judge(self, obligation: Obligation, move: Move, moves: list[Move], lacking: dict[str, ValueType]) -> None:
        """Check the formulas of an obligation for one move. `lacking`: names that any move binds."""
        key, demand = (obligation.name, move.name), obligation.demand
        names = _list_shared_names(obligation, move, moves)
        scope = Scope(me=obligation.me, lacking=lacking, move=move.number).bind(*names)
        if obligation.each is not None and key not in self.groups:
            self.groups[key] = self._check_each(obligation.name, obligation.each, scope)
        if key in self.judged or not isinstance(demand, Prefer | Maximise):
            return
        with self.checker.for_decision():
            if isinstance(demand, Prefer):
                judged: tuple[Expr, ...] = (self.checker.check_condition(demand.form, scope),)
            else:
                judged = tuple(self.checker.check_as(w, scope, SOME_NUMBER, present=True) for w in demand.weights)
        self.checker.check_lets_of_decision(*judged)
        self.judged[key] = judged[0] if isinstance(demand, Prefer) else judged

    def _check_each(self, name: str, form: Form, scope: Scope) -> Expr:
        """Check `each`, the value that groups moves for comparison. It must have one type in all moves."""
        with self.checker.for_decision():
            each = self.checker.check(form, scope)
            self.checker.check_distinguished(each.type, each.span)
        types = [expr.type for (known, _), expr in self.groups.items() if known == name]
        other = next((value_type for value_type in types if join_types(value_type, each.type) is None), None)
        shown = describe_type(each.type)
        if each.type.name == "list":
            self.symbols.report("R401", "obligations.each_single", each.span, found=shown)
        elif other is not None:
            self.symbols.report("R402", "obligations.each_differs", each.span, found=shown, other=describe_type(other))
        self.checker.check_lets_of_decision(each)
        return each


def _list_judged_forms(obligation: Obligation) -> Iterator[Form]:
    """List the formulas that are checked for each move."""
    if isinstance(obligation.demand, Prefer):
        yield obligation.demand.form
    elif isinstance(obligation.demand, Maximise):
        yield from obligation.demand.weights
    if obligation.each is not None:
        yield obligation.each


def _list_shared_names(obligation: Obligation, move: Move, moves: list[Move]) -> list[Var]:
    """List the names of a move that an obligation may use.

    In a move that the obligation is not `over`, names must have the types they have in the moves it is over.
    """
    over = obligation.over or ()
    if not over or move.name in over:
        return move.names
    meant = [var for other in moves if other.name in over for var in other.names]
    return [v for v in move.names if all(join_types(v.type, m.type) is not None for m in meant if m.name == v.name)]
