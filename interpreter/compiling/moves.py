"""A decision: which actions are legal, and what each of them does.

An action is a tuple: the move's number, then its bindings in order (from, card, each of `with`, to).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.compiling.emitter import Emitter, Program
from interpreter.compiling.simplify import simplify
from interpreter.language.ir import Expr, Var
from interpreter.language.model import Move, Obligation, Ruleset, Take


@dataclass(slots=True)
class Decision:
    """A `choose` or `play` while it is compiled: its label, moves and obligations, and registers it keeps."""

    label: int
    moves: list[Move]
    obey: list[Obligation]
    seen: int = -1


class MoveCompiler:
    """Writes the enumeration of actions at one decision into a function."""

    def __init__(self, ruleset: Ruleset, program: Program, trace: Callable[[str, str], str]) -> None:
        self.ruleset, self.program, self.trace = ruleset, program, trace

    # ---- all actions -------------------------------------------------------------------------------------------------

    def enumerate(self, m: Emitter, decision: Decision, me: str) -> None:
        """Leaves the legal actions in `acts` (and faults in `late`)."""
        w = m.writer
        w.put("acts = []")
        m.begin_loops(me)
        first, rest, obey = self._preferred_first(decision)
        for move in first:
            self._actions(m, move, me)
        if rest and first:
            with w.block("if not acts:"):
                for move in rest:
                    self._actions(m, move, me)
            if self.trace("obligation", ""):
                w.put(
                    f"if acts and acts[0][0] in {tuple(f.number for f in first)}: {self.trace('obligation', decision.obey[0].name)}"
                )
        else:
            for move in rest:
                self._actions(m, move, me)
        m.hoist = None
        if any(self._is_callable(o) for o in obey):
            w.put("late = []")
        for obligation in obey:
            self._obey(m, obligation, decision, me)

    def _preferred_first(self, decision: Decision) -> tuple[list[Move], list[Move], list[Obligation]]:
        """When the first obligation prefers some moves whatever they are bound to, the others need not even be looked for."""
        obey = decision.obey
        if (
            obey
            and self._always(obey[0])
            and obey[0].prefer_moves
            and obey[0].over is None
            and not self._is_callable(obey[0])
        ):
            first = [mv for mv in decision.moves if mv.name in (obey[0].prefer_moves or ())]
            return first, [mv for mv in decision.moves if mv not in first], obey[1:]
        return [], decision.moves, obey

    def _always(self, obligation: Obligation) -> bool:
        when = simplify(obligation.when, self.program.attributes) if obligation.when else None
        return when is None or (when.op == "const" and bool(when.value))

    def _never(self, obligation: Obligation) -> bool:
        when = simplify(obligation.when, self.program.attributes) if obligation.when else None
        return when is not None and when.op == "const" and not when.value

    def _is_callable(self, obligation: Obligation) -> bool:
        if obligation.callable is None:
            return False
        found = simplify(obligation.callable, self.program.attributes)
        return not (found.op == "const" and not found.value)

    # ---- one move ----------------------------------------------------------------------------------------------------

    def _actions(self, m: Emitter, move: Move, me: str) -> None:
        indent = m.writer.indent
        m.names[move.me] = me
        waiting = [simplify(c.expr, self.program.attributes) for c in move.conditions]
        if any(c.op == "const" and not c.value for c in waiting):
            return  # with these options nobody may ever do this
        waiting = [c for c in waiting if c.op != "const"]
        waiting = self._test(m, waiting, {move.me})
        shared = self._shared(m, move)
        takes: list[Take | None] = [*move.takes] or [None]
        for take in takes:
            inner = m.writer.indent
            self._take(m, move, take, list(waiting), shared)
            m.writer.indent = inner
        m.writer.indent = indent

    def _shared(self, m: Emitter, move: Move) -> str | None:
        """Places that do not depend on the piece are listed once."""
        if move.put is None or move.put.kind.name == "pile" or _locals(move.put) - {move.me}:
            return None
        return m.named(move.put, "places")

    def _test(self, m: Emitter, waiting: list[Expr], bound: set[Var]) -> list[Expr]:
        """Every condition whose variables are bound by now is tested now; returns the others."""
        later = []
        for condition in waiting:
            if _locals(condition) <= bound:
                m.writer.put(f"if {m(condition)}:")
                m.writer.indent += 1
            else:
                later.append(condition)
        return later

    def _take(self, m: Emitter, move: Move, take: Take | None, waiting: list[Expr], shared: str | None) -> None:
        bound = {move.me}
        if take is not None:
            assert move.origin is not None and move.card is not None
            self._bind_piece(m, move.origin, move.card, take)
            bound |= {move.origin, move.card}
            waiting = self._test(m, waiting, bound)
        for var, items in move.withs:
            self._bind_item(m, var, items)
            bound.add(var)
            waiting = self._test(m, waiting, bound)
        if move.put is not None and move.target is not None:
            self._bind_target(m, move, move.target, move.put, shared)
            bound.add(move.target)
            waiting = self._test(m, waiting, bound)
            self._room(m, move.target)
        values = [f"tuple({m.names[v]})" if v.kind.name == "list" else m.names[v] for v in move.bindings]
        m.writer.put(f"acts.append(({', '.join([str(move.number), *values])},))")

    def _bind_piece(self, m: Emitter, origin: Var, card: Var, take: Take) -> None:
        w = m.writer
        m.names[origin], m.names[card] = w.fresh("f"), w.fresh("card")
        if take.source.kind.name == "pile":
            w.put(f"{m.names[origin]} = {m(take.source)}")
        else:
            w.put(f"for {m.names[origin]} in {m(take.source)}:")
            w.indent += 1
        if take.any_piece:
            w.put(f"for {m.names[card]} in {self._distinct(f'P[{m.names[origin]}]', card)}:")
            w.indent += 1
        else:
            w.put(f"if P[{m.names[origin]}]:")
            w.indent += 1
            w.put(f"{m.names[card]} = P[{m.names[origin]}][-1]")

    def _distinct(self, items: str, var: Var) -> str:
        """Indistinguishable pieces make one action."""
        kinds = (
            [self.ruleset.pieces[var.kind.of]]
            if var.kind.of in self.ruleset.pieces
            else list(self.ruleset.pieces.values())
        )
        return items if all(k.copies == 1 for k in kinds) else f"dict.fromkeys({items})"

    def _bind_item(self, m: Emitter, var: Var, items: Expr) -> None:
        listed = m(items)
        if var.kind.name == "list" and var.kind.of_item.name == "piece":
            listed = f"unique({listed})"
        elif var.kind.name == "piece":
            listed = self._distinct(listed, var)
        m.names[var] = m.writer.fresh(var.name)
        m.writer.put(f"for {m.names[var]} in {listed}:")
        m.writer.indent += 1

    def _bind_target(self, m: Emitter, move: Move, target: Var, put: Expr, shared: str | None) -> None:
        w = m.writer
        m.names[target] = w.fresh("t")
        if put.kind.name == "pile":
            w.put(f"{m.names[target]} = {m(put)}")
            if put.kind.optional:
                w.put(f"if {m.names[target]} >= 0:")
                w.indent += 1
        else:
            w.put(f"for {m.names[target]} in {shared or m(put)}:")
            w.indent += 1
        if move.origin is not None and _may_overlap(move.origin, target):
            w.put(f"if {m.names[target]} != {m.names[move.origin]}:")
            w.indent += 1

    def _room(self, m: Emitter, target: Var) -> None:
        families = target.kind.families or frozenset(self.ruleset.piles)
        if any(self.ruleset.piles[f].limited for f in families):
            m.writer.put(f"if len(P[{m.names[target]}]) < ROOM[{m.names[target]}]:")
            m.writer.indent += 1

    # ---- obligations -------------------------------------------------------------------------------------------------

    def _obey(self, m: Emitter, obligation: Obligation, decision: Decision, me: str) -> None:
        if self._never(obligation):
            return
        w, indent = m.writer, m.writer.indent
        m.names[obligation.me] = me
        w.put(f"if len(acts) > {0 if obligation.sort == 'never_twice' else 1}:")
        w.indent += 1
        if obligation.when is not None and not self._always(obligation):
            w.put(f"if {m(obligation.when)}:")
            w.indent += 1
        {"prefer": self._prefer, "maximise": self._maximise, "never_twice": self._never_twice}[obligation.sort](
            m, obligation, decision
        )
        w.indent = indent

    def _over(self, obligation: Obligation) -> tuple[int, ...]:
        return tuple(self.ruleset.moves[name].number for name in obligation.over or ())

    def _prefer(self, m: Emitter, obligation: Obligation, decision: Decision) -> None:
        w = m.writer
        w.put("good = []; rest = []")
        with w.block("for a in acts:"):
            if obligation.prefer_moves is not None:
                numbers = tuple(self.ruleset.moves[name].number for name in obligation.prefer_moves)
                w.put(f"(good if a[0] in {numbers} else rest).append(a)")
            else:
                self._judge(m, obligation, decision)
        with w.block("if good and rest:"):
            if self.trace("obligation", ""):
                w.put(self.trace("obligation", obligation.name))
            self._drop(m, obligation)

    def _judge(self, m: Emitter, obligation: Obligation, decision: Decision) -> None:
        for move in decision.moves:
            judged = self.ruleset.judged.get((obligation.name, move.name))
            if not isinstance(judged, Expr):
                continue
            judged = simplify(judged, self.program.attributes)
            with m.writer.block(f"if a[0] == {move.number}:"):
                if judged.op != "const":
                    self.unpack(m, move)
                m.writer.put(f"(good if {m(judged)} else rest).append(a)")

    def unpack(self, m: Emitter, move: Move) -> None:
        """Give the bindings of the action `a` their names."""
        if not move.bindings:
            return
        for var in move.bindings:
            m.names[var] = m.writer.fresh(var.name)
        m.writer.put(f"_, {', '.join(m.names[v] for v in move.bindings)} = a")

    def _drop(self, m: Emitter, obligation: Obligation) -> None:
        w, over = m.writer, self._over(obligation)
        kept = f"good + [a for a in rest if a[0] not in {over}]" if obligation.over is not None else "good"
        if not self._is_callable(obligation):
            w.put(f"acts = {kept}")
            return
        faulty = f" if a[0] in {over}" if obligation.over is not None else ""
        w.put(
            f"if {m(obligation.callable)}: late += [(a, {obligation.number}) for a in rest{faulty}]"
            if obligation.callable
            else ""
        )
        w.put(f"acts = {kept}")

    def _maximise(self, m: Emitter, obligation: Obligation, decision: Decision) -> None:
        name = f"weigh_{decision.label}_{obligation.number}"
        self._weigh(name, obligation, decision)
        most = ", ".join(m(e) for e in obligation.most)
        m.writer.put(f"acts = maximise(s, acts, {decision.label}, {name}, ({most},), {m.names[obligation.me]})")
        if self.trace("obligation", ""):
            m.writer.put(self.trace("obligation", obligation.name))

    def _weigh(self, name: str, obligation: Obligation, decision: Decision) -> None:
        """A function: what one action adds to each of the sums."""
        from interpreter.compiling.code import Writer

        span = obligation.span
        m = Emitter(self.program, Writer(), {obligation.me: "me"}, span.source.name)
        for move in decision.moves:
            weights = self.ruleset.judged.get((obligation.name, move.name))
            if isinstance(weights, tuple):
                with m.writer.block(f"if a[0] == {move.number}:"):
                    self.unpack(m, move)
                    m.writer.put(f"return ({', '.join(m(e) for e in weights)},)")
        self.program.function(name, "P, C, me, a", span, m.writer)

    def _never_twice(self, m: Emitter, obligation: Obligation, decision: Decision) -> None:
        assert obligation.piles is not None
        over, seen = self._restrained(obligation, decision), f"C[{decision.seen}]"
        m.writer.put("before = len(acts)")
        m.writer.put(
            f"acts = never_twice(s, acts, {decision.label}, {obligation.number}, {over}, {m(obligation.piles)}, {seen})"
        )
        if self.trace("obligation", ""):
            m.writer.put(f"if len(acts) < before: {self.trace('obligation', obligation.name)}")

    def _restrained(self, obligation: Obligation, decision: Decision) -> tuple[int, ...]:
        return self._over(obligation) if obligation.over is not None else tuple(mv.number for mv in decision.moves)

    def remember(self, m: Emitter, decision: Decision, me: str) -> None:
        """Before an action `a`: each `never_twice` remembers the arrangement that is left, or forgets all it has seen."""
        for obligation in decision.obey:
            if obligation.piles is not None and not self._never(obligation):
                m.names[obligation.me] = me
                forgetting = self._forgetting(obligation, decision)
                m.writer.put(
                    f"remember(s, a, {decision.seen}, {obligation.number}, {forgetting}, {m(obligation.piles)})"
                )

    def _forgetting(self, obligation: Obligation, decision: Decision) -> tuple[int, ...]:
        if obligation.until is not None:
            return tuple(self.ruleset.moves[name].number for name in obligation.until)
        restrained = self._restrained(obligation, decision)
        return tuple(move.number for move in decision.moves if move.number not in restrained)


def _locals(expr: Expr) -> set[Var]:
    """The variables a formula needs from outside."""
    found = {e.value for e in expr.walk() if e.op == "local"}
    own = {e.value for e in expr.walk() if e.op in ("some", "every", "no", "most", "least", "collect")}
    return found - own


def _may_overlap(a: Var, b: Var) -> bool:
    return not a.kind.families or not b.kind.families or bool(a.kind.families & b.kind.families)


def unique(items: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Lists of pieces of which no two hold the same kinds of pieces."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for item in items:
        found.setdefault(tuple(sorted(item)), tuple(item))
    return list(found.values())
