"""Checks phases and their steps: modifiers, and the verbs that ask somebody or have steps or phases inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.presence import find_present, keep_lasting
from hoyle.checking.formulas.symbols import Offer, Scope, SymbolTable, report_unknown
from hoyle.checking.sections.reader import list_pairs, parse_optional, read_loop, read_names, read_words
from hoyle.checking.sections.verbs import INSTANT_VERBS, FieldReader
from hoyle.diagnostics import verbatim
from hoyle.language.ir import Var
from hoyle.language.model import Phase
from hoyle.language.sentences import join_negatives, make_message
from hoyle.language.steps import AsOne, Choose, Do, Leave, Play, Repeat, Run, Step, Turns, Verb
from hoyle.language.value_types import PLAYER, SOME_NUMBER, List
from hoyle.reading.grammar import keys_by_verb, required_by_verb
from hoyle.reading.tree import STEPS_INSIDE, Node, add_key_fix, is_text_key

MOST_NESTED = 60
"""Greatest depth of steps inside steps, counting those of the phases they run."""


class FlowChecker:
    """Checks each phase where it is reached, once with and once without an acting player."""

    def __init__(self, root: Node, symbols: SymbolTable, checker: FormulaChecker) -> None:
        self.root, self.symbols, self.checker = root, symbols, checker
        self.fields = FieldReader(symbols, checker)
        self.phases: dict[tuple[str, bool], Phase] = {}
        self._open: list[str] = []
        self._depth = 0
        self._silent = ""
        """Key of the sentence below `inside` that says why nobody may be asked here; empty if players may be."""

    def check_place(self, item: Node) -> None:
        """Report a name in `during` that is neither a phase nor a step."""
        steps = {step for _, _, phase in list_pairs(self.root.get("flow")) for step in _list_step_names(phase)}
        if item.raw not in self.symbols.phases and item.raw not in steps:
            known = [*self.symbols.phases, *sorted(steps)]
            report_unknown(self.symbols, "R307", "phase_or_step", item.raw, known, item.span)

    # ---- phases and steps --------------------------------------------------------------------------------------------

    def check_phase(self, name: str, acting: bool, where: Node) -> None:
        """Check a phase unless that is done. `where`: the node that runs it."""
        if name in self._open:
            circle = verbatim(" → ".join([*self._open, name]))
            self.symbols.report("R521", "runs_itself", where.span, name=name, note=circle)
            return
        if (name, acting) in self.phases:
            return
        flow = self.root.get("flow")
        entry = flow.pairs.get(name) if flow is not None and flow.kind == "map" else None
        if entry is None:
            report_unknown(self.symbols, "R307", "phase", name, list(self.symbols.phases), where.span)
            return
        self._open.append(name)
        me = Var("me", PLAYER) if acting else None
        phase = self.phases[name, acting] = Phase(name, (), me, entry[0].span, read_words(entry[1], name))
        phase.steps = self.check_steps(entry[1], Scope(me=me))
        self._open.pop()

    def check_steps(self, node: Node | None, scope: Scope) -> tuple[Step, ...]:
        if self._depth >= MOST_NESTED:
            span, help = node.span if node is not None else None, "flow.fewer_inside"
            self.symbols.report("R524", "flow.too_deep", span, most=MOST_NESTED, help=help)
            return ()
        self._depth += 1
        steps = [self._check_step(*entry, scope) for entry in list_pairs(node) if entry[2].kind == "map"]
        self._depth -= 1
        return tuple(step for step in steps if step is not None)

    def check_silent_steps(self, node: Node | None, scope: Scope, what: str) -> tuple[Step, ...]:
        """Check steps that may ask nobody. `what`: key of the sentence below `inside` that says why."""
        before, self._silent = self._silent, self._silent or what
        steps = self.check_steps(node, scope)
        self._silent = before
        return steps

    def _check_step(self, name: str, key: Node, node: Node, scope: Scope) -> Step | None:
        """Check a step; None if it cannot be read, which is reported."""
        verbs = [verb for verb in VERBS if node.get(verb) is not None]
        if len(verbs) != 1:
            self._report_verbs(name, key, node, verbs)
            return None
        verb = verbs[0]
        loop, inner = read_loop(self.checker, node.get("for"), scope)
        present = find_present(loop.where) if loop is not None and loop.where is not None else frozenset()
        with self.checker.assuming(keep_lasting(present)):
            form = parse_optional(self.symbols, node.get("by"))
            by = self.checker.check_as(form, inner, PLAYER, present=True, what="`by`") if form is not None else None
            inner = inner.with_actor(Var("me", PLAYER)) if by is not None else inner
            when = self.fields.condition(node, "when", inner)
            self._check_keys(verb, node)
            present = find_present(when) if when is not None else frozenset()
            # The state may change before a step inside is carried out.
            with self.checker.assuming(present if verb in INSTANT_VERBS else keep_lasting(present)):
                done = self._check_verb(verb, node, inner) if self._is_complete(name, verb, node) else None
            otherwise = self.check_steps(node.get("else"), inner)
        if done is None:
            return None
        me = Var("me", PLAYER) if isinstance(done, Choose) and done.together is not None else inner.me
        return Step(name, done, node.key(verb).span, node.raw_of("at"), loop, by, when, otherwise, me)

    def _check_verb(self, verb: str, node: Node, scope: Scope) -> Verb | None:
        if verb in INSTANT_VERBS:
            return INSTANT_VERBS[verb](self.fields, node, scope)
        return _VERBS_WITH_STEPS[verb](self, node, scope)

    def _is_complete(self, name: str, verb: str, node: Node) -> bool:
        """Return whether a step has all keys that its verb needs. Missing ones are reported together."""
        needed = required_by_verb().get(verb, ())
        lacking = [key for key in needed if node.get(key) is None]
        if lacking:
            place = node.place_without(lacking, node.key(verb).span)
            help = make_message("flow.needs", verb=verb, keys=", ".join(f"`{key}`" for key in needed))
            missing = join_negatives(f"`{key}`" for key in lacking)
            self.symbols.report("R418", "flow.lacks", place, name=name, keys=missing, help=help)
        return not lacking

    def _check_keys(self, verb: str, node: Node) -> None:
        """Report keys left over from an inherited verb. Within one file the schema reports them."""
        for name, key, value in node.entries():
            if name not in keys_by_verb()[verb] and not (value.is_null or is_text_key(name)):
                self.symbols.report(
                    "R108",
                    "keys.not_with",
                    node.key(verb).span,
                    name=name,
                    verb=verb,
                    related=[(key.span, make_message("flow.still_there", name=name))],
                    help="flow.remove_inherited",
                    fixes=add_key_fix(node, name, "~"),
                )

    def _report_verbs(self, name: str, key: Node, node: Node, verbs: list[str]) -> None:
        """Report a step without a verb or with several. Within one file the schema reports them."""
        if verbs:
            place = max((node.key(v) for v in verbs), key=lambda k: k.span.shares_file(self.root.span))
            shown = ", ".join(f"`{v}`" for v in verbs)
            message = make_message("flow.several_verbs", name=name, count=len(verbs), verbs=shown)
            self.symbols.problems.add("R107", message, place.span, help=make_message("flow.one_thing"))
        else:
            span = node.place_without(VERBS, key.span)
            help = "flow.none_inherited" if span is key.span else "flow.whole_step"
            self.symbols.report("R106", "flow.does_nothing", span, name=name, help=help)

    # ---- verbs that ask somebody -------------------------------------------------------------------------------------

    def _choose(self, node: Node, scope: Scope) -> Choose:
        with self.checker.for_decision():
            together = self.fields.need(node, "together", scope, List(PLAYER, 0))
        moves, obey = self._check_offer("choose", node, scope)
        unasked = read_names(self.symbols, node.get("unasked"), "move_of_choice", moves)
        return Choose(moves, obey, together, *unasked)

    def _play(self, node: Node, scope: Scope) -> Play:
        moves, obey = self._check_offer("play", node, scope)
        with self.checker.for_decision():
            at_most = self.fields.need(node, "at_most", scope, SOME_NUMBER)
        return Play(moves, obey, at_most, self.check_steps(node.get("then"), scope))

    def _check_offer(self, verb: str, node: Node, scope: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
        key = node.key(verb)
        if scope.me is None and node.get("together") is None:
            self.symbols.report("R306", "flow.who_should", key.span, verb=verb, help="flow.add_by")
        self._check_may_ask(verb, key, "flow.nobody_asked")
        moves = read_names(self.symbols, node.get(verb), "move", self.symbols.moves)
        obey = read_names(self.symbols, node.get("obey"), "obligation", self.symbols.obligations)
        self.symbols.offers.append(Offer(moves, obey, key))
        return moves, obey

    def _check_may_ask(self, verb: str, key: Node, help: str = "") -> None:
        if self._silent:
            self.symbols.report("R522", f"inside.{self._silent}", key.span, verb=verb, help=help)

    # ---- verbs with steps or phases inside ---------------------------------------------------------------------------

    def _do(self, node: Node, scope: Scope) -> Do:
        return Do(self.check_steps(node.get("do"), scope))

    def _as_one(self, node: Node, scope: Scope) -> AsOne:
        return AsOne(self.check_silent_steps(node.get("as_one"), scope, "event"))

    def _repeat(self, node: Node, scope: Scope) -> Repeat | None:
        steps, until = self.check_steps(node.get("repeat"), scope), self.fields.condition(node, "until", scope)
        rounds, at_most = (self.fields.need(node, k, scope, SOME_NUMBER) for k in ("rounds", "at_most"))
        if rounds is None and at_most is None:
            self.symbols.report("R523", "flow.for_ever", node.key("repeat").span, help="flow.say_rounds")
            return None
        return Repeat(steps, until, rounds, at_most)

    def _turns(self, node: Node, scope: Scope) -> Turns | None:
        named, key, me = node["turns"], node.key("turns"), Var("me", PLAYER)
        first, acting = self.fields.need(node, "from", scope, PLAYER), scope.with_actor(me)
        until, skip = (self.fields.condition(node, k, acting) for k in ("until", "skip"))
        rounds, at_most = (self.fields.need(node, k, scope, SOME_NUMBER) for k in ("rounds", "at_most"))
        if until is None and rounds is None and at_most is None:
            self.symbols.report("R523", "flow.turns_for_ever", key.span, name=named.raw, help="flow.say_until")
        self._check_may_ask("turns", key)
        self.check_phase(named.raw, True, named)
        return Turns(named.raw, first, me, until, skip, rounds, at_most) if first else None

    def _run(self, node: Node, scope: Scope) -> Run:
        named = node["run"]
        self.check_phase(named.raw, scope.me is not None, named)
        return Run(named.raw)

    def _leave(self, node: Node, scope: Scope) -> Leave:
        named = node["leave"]
        if named.raw not in self.symbols.phases:
            report_unknown(self.symbols, "R307", "phase", named.raw, list(self.symbols.phases), named.span)
        return Leave(named.raw, named.span)


_VERBS_WITH_STEPS: dict[str, Callable[[FlowChecker, Node, Scope], Verb | None]] = {
    "choose": FlowChecker._choose,
    "play": FlowChecker._play,
    "do": FlowChecker._do,
    "as_one": FlowChecker._as_one,
    "repeat": FlowChecker._repeat,
    "turns": FlowChecker._turns,
    "run": FlowChecker._run,
    "leave": FlowChecker._leave,
}
VERBS = (*INSTANT_VERBS, *_VERBS_WITH_STEPS)


def _list_step_names(steps: Node) -> Iterator[str]:
    """List the names of steps and of the steps inside them."""
    for name, _, step in list_pairs(steps):
        yield name
        for inner, _, value in list_pairs(step):
            if inner in STEPS_INSIDE:
                yield from _list_step_names(value)
