"""Phases and steps: modifiers, and the verbs that ask somebody or have steps or phases inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from hoyle.checking.entries import loop_of, names_in, optional_form
from hoyle.checking.facts import lasting, told
from hoyle.checking.fields import Fields
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.reader import words_of
from hoyle.checking.verbs import DEEDS
from hoyle.checking.world import Called, Scope, World, called, unknown
from hoyle.diagnostics import verbatim
from hoyle.language.ir import Var
from hoyle.language.kinds import PLAYER, SOME_NUMBER, List
from hoyle.language.model import Phase
from hoyle.language.sentences import nothing_of, said
from hoyle.language.steps import AsOne, Choose, Do, Leave, Loop, Play, Repeat, Run, Step, Turns, Verb
from hoyle.reading.grammar import keys_by_verb, required_by_verb
from hoyle.reading.tree import STEPS_INSIDE, Node, add_key_fix, is_text_key

MOST_NESTED = 60
"""How deep steps may stand in each other, in the phases they run too."""


class Offer(Struct, frozen=True):
    """A decision: its moves, the obligations it obeys, and where it says so."""

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    place: Node


class FlowChecker:
    """Checks phases where they are reached, once with and once without somebody who acts."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker
        self.fields = Fields(world, checker)
        self.phases: dict[tuple[str, bool], Phase] = {}
        self.offers: list[Offer] = []
        self._open: list[str] = []
        self._depth = 0
        self._alone = ""
        """Where nobody may be asked: in what."""

    def entry(self, name: str) -> tuple[Node, Node] | None:
        flow = self.root.get("flow")
        return flow.pairs.get(name) if flow is not None and flow.kind == "map" else None

    def known_place(self, item: Node) -> None:
        """A phase or a step that `during` names."""
        steps = {s for name in self.world.phases if (entry := self.entry(name)) for s in _step_names(entry[1])}
        if item.raw not in self.world.phases and item.raw not in steps:
            unknown(self.world, "R307", "phase_or_step", item.raw, [*self.world.phases, *sorted(steps)], item.span)

    # ---- phases and steps --------------------------------------------------------------------------------------------

    def phase(self, name: str, acting: bool, where: Node) -> None:
        if name in self._open:
            self.world.problems.add(
                "R521", said("runs_itself", name=name), where.span, notes=[verbatim(" → ".join([*self._open, name]))]
            )
            return
        if (name, acting) in self.phases:
            return
        found = self.entry(name)
        if found is None:
            unknown(self.world, "R307", "phase", name, list(self.world.phases), where.span)
            return
        self._open.append(name)
        me = Var("me", PLAYER) if acting else None
        phase = Phase(name, (), me, found[0].span, words_of(found[1], name))
        self.phases[name, acting] = phase
        phase.steps = self.steps(found[1], Scope(me=me))
        self._open.pop()

    def steps(self, node: Node | None, scope: Scope) -> tuple[Step, ...]:
        """A map of steps."""
        entries = node.entries() if node is not None and node.kind == "map" else ()
        if self._depth >= MOST_NESTED:
            self._too_deep(node)
            return ()
        self._depth += 1
        found = [self._step(name, key, value, scope) for name, key, value in entries if value.kind == "map"]
        self._depth -= 1
        return tuple(step for step in found if step is not None)

    def _too_deep(self, node: Node | None) -> None:
        self.world.problems.add(
            "R524",
            said("flow.too_deep", most=MOST_NESTED),
            node.span if node is not None else None,
            help=said("flow.fewer_inside"),
        )

    def steps_alone(self, node: Node | None, scope: Scope, what: str) -> tuple[Step, ...]:
        """Steps of something in which nobody may be asked anything; `what`: which of the sentences `inside` says so."""
        before, self._alone = self._alone, self._alone or what
        found = self.steps(node, scope)
        self._alone = before
        return found

    def _step(self, name: str, key: Node, node: Node, scope: Scope) -> Step | None:
        """None if the step cannot be made out, which is then reported."""
        verbs = [verb for verb in VERBS if node.get(verb) is not None]
        if len(verbs) != 1:
            self._not_one(name, key, node, verbs)
            return None
        loop, inner = loop_of(self.checker, node.get("for"), scope)
        where = told(loop.where) if loop is not None and loop.where is not None else frozenset()
        with self.checker.knowing(lasting(where)):
            return self._of_each(name, verbs[0], node, loop, inner)

    def _of_each(self, name: str, verb: str, node: Node, loop: Loop | None, inner: Scope) -> Step | None:
        form = optional_form(self.world, node.get("by"))
        by = self.checker.need(form, inner, PLAYER, present=True, what="`by`") if form is not None else None
        inner = inner.acting(Var("me", PLAYER)) if by is not None else inner
        when = self.fields.condition(node, "when", inner)
        self._goes_together(verb, node)
        known = told(when) if when is not None else frozenset()
        with self.checker.knowing(
            known if verb in DEEDS else lasting(known)
        ):  # the state may change before a step inside is done
            done = self._verb(verb, node, inner) if self._complete(name, verb, node) else None
        otherwise = self.steps(node.get("else"), inner)
        if done is None:
            return None
        at, span, me = node.get("at"), node.key(verb).span, inner.me
        if isinstance(done, Choose) and done.together is not None:
            me = Var("me", PLAYER)
        return Step(name, done, span, at.raw if at else "", loop, by, when, otherwise, me)

    def _verb(self, verb: str, node: Node, scope: Scope) -> Verb | None:
        if verb in DEEDS:
            return DEEDS[verb](self.fields, node, scope)
        return _WITH_STEPS[verb](self, node, scope)

    def _complete(self, name: str, verb: str, node: Node) -> bool:
        """Has the step all that its verb needs? Told once for all that is missing."""
        needed = required_by_verb().get(verb, ())
        lacking = [key for key in needed if node.get(key) is None]
        if lacking:
            self.world.problems.add(
                "R418",
                said("flow.lacks", name=name, keys=nothing_of(f"`{key}`" for key in lacking)),
                node.place_without(lacking, node.key(verb).span),
                help=said("flow.needs", verb=verb, keys=", ".join(f"`{key}`" for key in needed)),
            )
        return not lacking

    def _goes_together(self, verb: str, node: Node) -> None:
        """In one file the shape tells; here a key of the inherited verb may be left over."""
        for name, key, value in node.entries():
            if name not in keys_by_verb()[verb] and not (value.is_null or is_text_key(name)):
                self.world.problems.add(
                    "R108",
                    said("keys.not_with", name=name, verb=verb),
                    node.key(verb).span,
                    related=[(key.span, said("flow.still_there", name=name))],
                    help=said("flow.remove_inherited", name=name),
                    fixes=add_key_fix(node, name, "~"),
                )

    def _not_one(self, name: str, key: Node, node: Node, verbs: list[str]) -> None:
        """In one file the shape tells; what is put together of several files can be judged only here."""
        if verbs:
            place = max((node.key(v) for v in verbs), key=lambda k: k.span.shares_file(self.root.span))
            self.world.problems.add(
                "R107",
                said("flow.several_verbs", name=name, count=len(verbs), verbs=", ".join(f"`{v}`" for v in verbs)),
                place.span,
                help=said("flow.one_thing"),
            )
        else:
            at = node.place_without(VERBS, key.span)
            meant = said("flow.none_inherited")
            help = meant if at is key.span else said("flow.whole_step", name=name)
            self.world.problems.add("R106", said("flow.does_nothing", name=name), at, help=help)

    # ---- verbs that ask somebody -------------------------------------------------------------------------------------

    def choose(self, node: Node, scope: Scope) -> Choose:
        with self.checker.deciding():
            together = self.fields.need(node, "together", scope, List(PLAYER, 0))
        moves, obey = self._offer("choose", node, scope)
        unasked = names_in(self.world, node.get("unasked"), "move_of_choice", moves)
        return Choose(moves, obey, together, *unasked)

    def play(self, node: Node, scope: Scope) -> Play:
        moves, obey = self._offer("play", node, scope)
        with self.checker.deciding():
            at_most = self.fields.need(node, "at_most", scope, SOME_NUMBER)
        return Play(moves, obey, at_most, self.steps(node.get("then"), scope))

    def _offer(self, verb: str, node: Node, scope: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
        key = node.key(verb)
        if scope.me is None and node.get("together") is None:
            self.world.problems.add("R306", said("flow.who_should", verb=verb), key.span, help=said("flow.add_by"))
        self._not_alone(verb, key, help=partial(said, "flow.nobody_asked"))
        moves = names_in(self.world, node.get(verb), "move", self.world.moves)
        obey = names_in(self.world, node.get("obey"), "obligation", self.world.obligations)
        self.offers.append(Offer(moves, obey, key))
        return moves, obey

    def _not_alone(self, verb: str, key: Node, help: Called = "") -> None:
        if self._alone:
            self.world.problems.add("R522", said(f"inside.{self._alone}", verb=verb), key.span, help=called(help))

    # ---- verbs with steps or phases inside ---------------------------------------------------------------------------

    def do(self, node: Node, scope: Scope) -> Do:
        return Do(self.steps(node.get("do"), scope))

    def as_one(self, node: Node, scope: Scope) -> AsOne:
        return AsOne(self.steps_alone(node.get("as_one"), scope, "event"))

    def repeat(self, node: Node, scope: Scope) -> Repeat | None:
        steps, until = self.steps(node.get("repeat"), scope), self.fields.condition(node, "until", scope)
        rounds, at_most = (self.fields.need(node, k, scope, SOME_NUMBER) for k in ("rounds", "at_most"))
        if rounds is None and at_most is None:
            help = said("flow.say_rounds")
            self.world.problems.add("R523", said("flow.for_ever"), node.key("repeat").span, help=help)
            return None
        return Repeat(steps, until, rounds, at_most)

    def turns(self, node: Node, scope: Scope) -> Turns | None:
        named, key, me = node["turns"], node.key("turns"), Var("me", PLAYER)
        first, acting = self.fields.need(node, "from", scope, PLAYER), scope.acting(me)
        until, skip = (self.fields.condition(node, k, acting) for k in ("until", "skip"))
        rounds, at_most = (self.fields.need(node, k, scope, SOME_NUMBER) for k in ("rounds", "at_most"))
        if until is None and rounds is None and at_most is None:
            self.world.problems.add(
                "R523", said("flow.turns_for_ever", name=named.raw), key.span, help=said("flow.say_until")
            )
        self._not_alone("turns", key)
        self.phase(named.raw, True, named)
        return Turns(named.raw, first, me, until, skip, rounds, at_most) if first else None

    def run(self, node: Node, scope: Scope) -> Run:
        named = node["run"]
        self.phase(named.raw, scope.me is not None, named)
        return Run(named.raw)

    def leave(self, node: Node, scope: Scope) -> Leave:
        named = node["leave"]
        if named.raw not in self.world.phases:
            unknown(self.world, "R307", "phase", named.raw, list(self.world.phases), named.span)
        return Leave(named.raw, named.span)


_WITH_STEPS: dict[str, Callable[[FlowChecker, Node, Scope], Verb | None]] = {
    "choose": FlowChecker.choose,
    "play": FlowChecker.play,
    "do": FlowChecker.do,
    "as_one": FlowChecker.as_one,
    "repeat": FlowChecker.repeat,
    "turns": FlowChecker.turns,
    "run": FlowChecker.run,
    "leave": FlowChecker.leave,
}
VERBS = (*DEEDS, *_WITH_STEPS)


def _step_names(steps: Node) -> Iterator[str]:
    """The names of steps, and of those that stand inside them."""
    for name, _, step in steps.entries() if steps.kind == "map" else ():
        yield name
        for inner in step.pairs if step.kind == "map" else ():
            if inner in STEPS_INSIDE:
                yield from _step_names(step[inner])
