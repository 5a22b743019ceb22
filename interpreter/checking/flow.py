"""Phases and steps: one verb each, its formulas, its modifiers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.checking.actions import loop_of, optional_form
from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.reader import words_of
from interpreter.checking.world import Scope, World, unknown
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import PLAYER, Kind, describe, list_of, number
from interpreter.language.model import Label, Phase, Step
from interpreter.language.syntax import Form
from interpreter.reading.tree import Node

VERBS = (
    "shuffle",
    "roll",
    "lots",
    "gather",
    "deal",
    "move",
    "turn",
    "set",
    "score",
    "choose",
    "play",
    "do",
    "as_one",
    "repeat",
    "turns",
    "run",
    "leave",
    "say",
    "check",
    "take_back",
)
NEEDS = {
    "deal": ("count", "to", "from"),
    "move": ("to",),
    "roll": ("from", "to"),
    "lots": ("into",),
    "turn": ("face",),
    "turns": ("from",),
}
"""What a verb cannot do without, besides its own formula."""


class FlowChecker:
    """Checks phases where they are reached, once with and once without somebody who acts."""

    def __init__(self, root: Node, world: World, checker: FormulaChecker) -> None:
        self.root, self.world, self.checker = root, world, checker
        self.phases: dict[tuple[str, bool], Phase] = {}
        self.offers: list[tuple[tuple[str, ...], tuple[str, ...], Node]] = []
        """(moves, obligations, step) of every decision."""
        self._open: list[str] = []
        self._alone = ""
        """Where nobody may be asked: in what."""

    def entry(self, name: str) -> tuple[Node, Node] | None:
        flow = self.root.get("flow")
        return flow.pairs.get(name) if flow is not None and flow.kind == "map" else None

    # ---- phases and steps --------------------------------------------------------------------------------------------

    def phase(self, name: str, acting: bool, where: Node) -> None:
        if name in self._open:
            self.world.problems.add(
                "R521", f"phase `{name}` runs itself", where.span, notes=[" → ".join([*self._open, name])]
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
        phase = Phase(name, [], me, found[0].span, words_of(found[1], name))
        self.phases[name, acting] = phase
        phase.steps = self.steps(found[1], Scope(me=me))
        self._open.pop()

    def steps(self, node: Node | None, scope: Scope, alone: str = "") -> list[Step]:
        """A map of steps. `alone`: in what they stand, if nobody may be asked anything there."""
        before, self._alone = self._alone, self._alone or alone
        found = []
        for name, key, value in node.entries() if node is not None and node.kind == "map" else ():
            step = self._step(name, key, value, scope) if value.kind == "map" else None
            if step is not None:
                found.append(step)
        self._alone = before
        return found

    def _step(self, name: str, key: Node, node: Node, scope: Scope) -> Step | None:
        verbs = [v for v in VERBS if node.get(v) is not None]
        if len(verbs) != 1:
            self._not_one(name, key, node, verbs)
            return None
        at = node.get("at")
        step = Step(name, verbs[0], node.key(verbs[0]).span, at.raw if at else "", outer_me=scope.me)
        step.loop, inner = loop_of(self.checker, node.get("for"), scope)
        by = optional_form(self.world, node.get("by"))
        if by is not None:
            step.by = self.checker.need(by, inner, PLAYER, present=True, what="`by`")
            inner = inner.acting(Var("me", PLAYER))
        step.me = inner.me
        when = optional_form(self.world, node.get("when"))
        step.when = self.checker.condition(when, inner) if when else None
        if not self._complete(name, step.verb, node):
            return None
        _CHECKS[step.verb](self, step, node, inner)
        if node.get("else"):
            step.inner["else"] = self.steps(node.get("else"), inner)
        return step

    def _complete(self, name: str, verb: str, node: Node) -> bool:
        """Has the step all that its verb needs? Told once for all that is missing."""
        missing = [f"`{key}`" for key in NEEDS.get(verb, ()) if node.get(key) is None]
        if missing:
            self.world.problems.add(
                "R418",
                f"step `{name}` says no {' and no '.join(missing)}",
                node.key(verb).span,
                help=f"`{verb}` needs {', '.join(f'`{k}`' for k in NEEDS[verb])}",
            )
        return not missing

    def _not_one(self, name: str, key: Node, node: Node, verbs: list[str]) -> None:
        """In one file the shape tells; what is put together of several files can be judged only here."""
        if verbs:
            place = max((node.key(v) for v in verbs), key=lambda k: k.span.source == self.root.span.source)
            self.world.problems.add(
                "R107",
                f"step `{name}` has {len(verbs)} verbs: {', '.join(f'`{v}`' for v in verbs)}",
                place.span,
                help="a step does one thing: remove the inherited verb with `~`",
            )
        else:
            self.world.problems.add(
                "R106",
                f"step `{name}` does nothing",
                key.span,
                help="if it is meant to change an inherited step, no step has that name",
            )

    def known_place(self, item: Node) -> None:
        """A phase or a step that `during` names."""
        steps = {s for name in self.world.phases for s in self._names(self.entry(name))}
        if item.raw not in self.world.phases and item.raw not in steps:
            unknown(self.world, "R307", "phase or step", item.raw, [*self.world.phases, *sorted(steps)], item.span)

    def _names(self, entry: tuple[Node, Node] | None) -> list[str]:
        return list(entry[1].pairs) if entry is not None and entry[1].kind == "map" else []

    def mentions(self, var: Var, *found: Any) -> bool:
        """Does any formula in there mention this variable?"""
        return any(e.op == "local" and e.value is var for x in found for e in _expressions(x))

    # ---- fields ------------------------------------------------------------------------------------------------------

    def form(self, node: Node, key: str) -> Form | None:
        return optional_form(self.world, node.get(key))

    def need(self, node: Node, key: str, scope: Scope, kind: Kind, present: bool = True) -> Expr | None:
        form = self.form(node, key)
        return self.checker.need(form, scope, kind, present=present, what=f"`{key}`") if form else None

    def pile(self, node: Node, key: str, scope: Scope) -> Expr | None:
        return self.need(node, key, scope, Kind("pile"))

    def condition(self, node: Node, key: str, scope: Scope) -> Expr | None:
        form = self.form(node, key)
        return self.checker.condition(form, scope) if form else None

    def place(self, form: Form, scope: Scope) -> Expr | None:
        """A cell of the state, as something to store in."""
        found = self.checker.check(form, scope)
        if found.op != "cell":
            if found.kind.name != "unknown":
                self.checker.problem(
                    "R412", "only state can be set", form, help="name an entry of `state`, with `of` if it is a family"
                )
            return None
        return found

    def store(self, place: Expr, value: Expr) -> None:
        """Warn when a number may not fit where it is stored."""
        cell = self.world.state[place.value.family].kind
        self.checker.fit(value, cell.maybe(False), present=not cell.optional, what=f"`{place.value.family}`")

    def label(self, node: Node | None, scope: Scope) -> Label | None:
        if node is None:
            return None
        if node.kind == "map":
            return Label(words_of(node, ""), None)
        form = optional_form(self.world, node)
        if form is None:
            return None
        row = self.checker.check(form, scope)
        if row.kind.name not in ("row", "text", "choice", "unknown", "player", "piece"):
            self.checker.problem(
                "R413", f"a label is a row or `{{en: …, fr: …}}`, and this is {describe(row.kind)}", form
            )
            return None
        return Label(None, row)

    def must_act(self, node: Node, key: str, scope: Scope) -> None:
        if scope.me is None and node.get("together") is None:
            self.world.problems.add(
                "R306", f"nobody acts here: who should `{key}`?", node.key(key).span, help="add `by: PLAYER`"
            )
        if self._alone:
            self.world.problems.add(
                "R522", f"`{key}` inside {self._alone}", node.key(key).span, help="nobody can be asked there"
            )

    def offered(self, node: Node, key: str) -> tuple[str, ...]:
        moves = []
        for item in node.pairs[key][1].items:
            if item.raw in self.world.moves:
                moves.append(item.raw)
            else:
                unknown(self.world, "R307", "move", item.raw, list(self.world.moves), item.span)
        return tuple(moves)

    def obeyed(self, node: Node) -> tuple[str, ...]:
        obey, found = node.get("obey"), []
        for item in obey.items if obey is not None else []:
            if item.raw in self.world.obligations:
                found.append(item.raw)
            else:
                unknown(self.world, "R307", "obligation", item.raw, list(self.world.obligations), item.span)
        return tuple(found)


def _expressions(found: Any) -> list[Expr]:
    if isinstance(found, Expr):
        return list(found.walk())
    if isinstance(found, Step):
        return _expressions([found.loop, found.by, found.when, list(found.fields.values()), list(found.inner.values())])
    if isinstance(found, Label):
        return _expressions(found.row)
    if isinstance(found, (list, tuple)):
        return [e for item in found for e in _expressions(item)]
    return []


# ---- verbs -----------------------------------------------------------------------------------------------------------


def _shuffle(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["pile"] = flow.pile(node, "shuffle", scope)


def _roll(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["count"] = flow.need(node, "roll", scope, number(0, 0))
    step.fields["from"], step.fields["to"] = flow.pile(node, "from", scope), flow.pile(node, "to", scope)


def _lots(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    form = flow.form(node, "lots")
    step.fields["items"] = flow.checker.as_list(flow.checker.check(form, scope)) if form else None
    into = flow.form(node, "into")
    step.fields["into"] = flow.place(into, scope) if into else None
    items = step.fields["items"]
    if step.fields["into"] is not None and items is not None and items.kind.item is not None:
        flow.store(step.fields["into"], replace(items, kind=items.kind.of_item))


def _gather(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    named = node.pairs["gather"][1]
    if named.raw not in flow.world.pieces:
        unknown(flow.world, "R301", "kind of piece", named.raw, list(flow.world.pieces), named.span)
    step.fields["kind"] = named.raw


def _deal(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["pile"] = flow.pile(node, "deal", scope)
    step.fields["count"] = flow.need(node, "count", scope, number(0, 0))
    step.fields["from"] = flow.need(node, "from", scope, PLAYER)
    to = node.pairs["to"][1]
    family = flow.world.piles.get(to.raw)
    if family is None:
        unknown(flow.world, "R301", "pile", to.raw, list(flow.world.piles), to.span)
    elif family.each is None or family.each.name != "player":
        flow.world.problems.add("R417", f"`{to.raw}` is not one for each player", to.span)
    else:
        flow.world.used.add(("piles", to.raw))
        step.fields["to"] = to.raw


def _move(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    form = flow.form(node, "move")
    what = flow.checker.check(form, scope) if form else None
    source = flow.form(node, "from")
    step.fields["from"] = flow.checker.check(source, scope) if source else None
    if what is not None:
        _moved(flow, step, what)
    step.fields["to"] = flow.pile(node, "to", scope)
    step.fields["count"] = flow.need(node, "count", scope, number(0, 0))
    packet = node.get("as")
    step.fields["packet"] = packet is not None and packet.raw == "packet"


def _moved(flow: FlowChecker, step: Step, what: Expr) -> None:
    """Which pieces, and out of which piles: `top(pile)`, `bottom(pile)` and `cards(piles)` say that themselves."""
    if what.op == "word" and what.value in ("top", "bottom", "cards") and step.fields["from"] is None:
        step.fields["from"] = what.args[0]
    if what.kind.name == "pile":
        step.fields["pile"] = what
    elif what.kind.name == "piece" or (what.kind.name == "list" and what.kind.of_item.name == "piece"):
        step.fields["pieces"] = what
        if step.fields["from"] is None:
            flow.world.problems.add(
                "R414", "out of which pile do these pieces move?", what.span, help="add `from: PILE`"
            )
    elif what.kind.name != "unknown":
        flow.world.problems.add(
            "R401", f"here must stand a pile or pieces, and this is {describe(what.kind)}", what.span
        )


def _turn(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    form = flow.form(node, "turn")
    what = flow.checker.check(form, scope) if form else None
    top = what is not None and what.op == "word" and what.value == "top"
    if top and what is not None:
        what = what.args[0]
    if what is not None and what.kind.name not in ("pile", "unknown"):
        flow.world.problems.add(
            "R401", f"here must stand a pile or `top(pile)`, and this is {describe(what.kind)}", what.span
        )
    step.fields["pile"] = what
    step.fields["count"] = flow.need(node, "count", scope, number(0, 0))
    step.fields["top"] = top
    face = node.get("face")
    step.fields["up"] = face is not None and face.raw == "up"


def _set(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    pairs: list[tuple[Expr, Expr]] = []
    for _, key, value in node.pairs["set"][1].entries():
        place, form = optional_form(flow.world, key), optional_form(flow.world, value)
        target = flow.place(place, scope) if place else None
        if target is None or form is None:
            continue
        cell = flow.world.state[target.value.family].kind
        found = flow.checker.check(form, scope, cell)
        flow.store(target, found)
        pairs.append((target, found))
    step.fields["set"] = pairs


def _score(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["points"] = flow.need(node, "score", scope, number(0, 0))
    to = flow.form(node, "to")
    if to is None and scope.me is None:
        flow.world.problems.add("R306", "who scores?", node.key("score").span, help="add `to: PLAYER`")
    step.fields["to"] = flow.checker.need(to, scope, PLAYER, present=True, what="`to`") if to else None
    named = node.get("in")
    name = named.raw if named else "score"
    family = flow.world.state.get(name)
    if family is None:
        unknown(flow.world, "R301", "state", name, list(flow.world.state), (named or node.key("score")).span)
    else:
        flow.world.used.add(("state", name))
        step.fields["in"] = name
    step.fields["label"] = flow.label(node.get("as"), scope)


def _choose(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    together = flow.form(node, "together")
    if together is not None:
        step.fields["together"] = flow.checker.need(together, scope, list_of(PLAYER, 0))
        step.me = Var("me", PLAYER)
    flow.must_act(node, step.verb, scope)
    step.fields["moves"], step.fields["obey"] = flow.offered(node, step.verb), flow.obeyed(node)
    flow.offers.append((step.fields["moves"], step.fields["obey"], node.key(step.verb)))
    step.fields["at_most"] = flow.need(node, "at_most", scope, number(0, 0))
    if node.get("then"):
        step.inner["then"] = flow.steps(node.get("then"), scope)


def _do(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.inner["do"] = flow.steps(node.get("do"), scope)


def _as_one(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.inner["do"] = flow.steps(node.get("as_one"), scope, alone="steps that are one event")


def _repeat(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.inner["do"] = flow.steps(node.get("repeat"), scope)
    step.fields["until"] = flow.condition(node, "until", scope)
    step.fields["at_most"] = flow.need(node, "at_most", scope, number(0, 0))
    if step.fields["at_most"] is None:
        flow.world.problems.add(
            "R523", "this may be repeated for ever", node.key("repeat").span, help="say `at_most: n`"
        )


def _turns(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    named = node.pairs["turns"][1]
    step.fields["phase"] = named.raw
    step.fields["from"] = flow.need(node, "from", scope, PLAYER)
    acting = scope.acting(Var("me", PLAYER))
    step.fields["me"] = acting.me
    for key in ("until", "skip"):
        step.fields[key] = flow.condition(node, key, acting)
    for key in ("rounds", "at_most"):
        step.fields[key] = flow.need(node, key, scope, number(0, 0))
    if step.fields["until"] is None and step.fields["rounds"] is None and step.fields["at_most"] is None:
        flow.world.problems.add(
            "R523", f"the turns of `{named.raw}` never end", node.key("turns").span, help="say `until:` or `rounds:`"
        )
    if flow._alone:
        flow.world.problems.add("R522", f"`turns` inside {flow._alone}", node.key("turns").span)
    flow.phase(named.raw, True, named)


def _run(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    named = node.pairs["run"][1]
    step.fields["phase"] = named.raw
    flow.phase(named.raw, scope.me is not None, named)


def _leave(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    named = node.pairs["leave"][1]
    if named.raw not in flow.world.phases:
        unknown(flow.world, "R307", "phase", named.raw, list(flow.world.phases), named.span)
    step.fields["phase"] = named.raw
    step.fields["span"] = named.span


def _say(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["label"] = flow.label(node.get("say"), scope)


def _check(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    step.fields["condition"] = flow.condition(node, "check", scope)


def _take_back(flow: FlowChecker, step: Step, node: Node, scope: Scope) -> None:
    flow.world.used.add(("words", "take_back"))


_CHECKS: dict[str, Callable[[FlowChecker, Step, Node, Scope], None]] = {
    "shuffle": _shuffle,
    "roll": _roll,
    "lots": _lots,
    "gather": _gather,
    "deal": _deal,
    "move": _move,
    "turn": _turn,
    "set": _set,
    "score": _score,
    "choose": _choose,
    "play": _choose,
    "do": _do,
    "as_one": _as_one,
    "repeat": _repeat,
    "turns": _turns,
    "run": _run,
    "leave": _leave,
    "say": _say,
    "check": _check,
    "take_back": _take_back,
}
