"""Rules that act by themselves: functions that try them, attached to just those verbs that can change what they look at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interpreter.compiling.code import Writer
from interpreter.compiling.effects import VERBS, Touched, filtered, reads, writes
from interpreter.compiling.emitter import Emitter
from interpreter.diagnostics import Span
from interpreter.language.ir import Var
from interpreter.language.model import Step, Whenever
from interpreter.running.places import Context

if TYPE_CHECKING:
    from interpreter.compiling.flow import FlowCompiler


class Settlers:
    """The settlers of one flow: one function for each set of rules that some verb may wake."""

    def __init__(self, flow: FlowCompiler) -> None:
        self.flow = flow
        self.settling = False
        self._event: tuple[Touched, Var | None, Context] | None = None
        """Inside steps that are one event: what they change, who causes it, where."""
        self._settlers: dict[tuple[tuple[int, ...], tuple[int, ...], bool, bool], tuple[str, tuple[str, ...]]] = {}

    def after(self, touched: Touched, me: Var | None, context: Context, piles: str = "") -> None:
        """After a verb: whatever rules its changes may wake. `piles`: the only piles that changed, if they are known."""
        if self.settling or self._event is not None:
            return
        acting = me is not None and me in self.flow.m.names
        woken = [w for w in self._awake(context, acting) if self._wakes(w, touched)]
        if not woken:
            return
        name, leaves = self._settler(woken, self._closure(woken, context, acting), acting, bool(piles))
        call = f"{name}(s, {self.flow.m.names[me] if acting and me is not None else '-1'}{f', ({piles})' if piles else ''})"
        if not leaves:
            self.flow.m.writer.put(call)
            return
        left = self.flow.m.writer.fresh("left")
        self.flow.m.writer.put(f"{left} = {call}")
        for code, phase in enumerate(leaves, 1):
            if phase in context.leaves:
                self.flow.m.writer.put(f"if {left} == {code}: return L{context.leaves[phase]}")
            else:
                self.flow.problems.add(
                    "R520", f"`{phase}` may not be running when this rule leaves it", self._leave_span(woken, phase)
                )

    @contextmanager
    def event(self, steps: list[Step], me: Var | None, context: Context) -> Iterator[None]:
        """The rules wait until all these steps are done; inside another event, for its end."""
        if self.settling or self._event is not None:
            yield
            return
        self._event = self._all_writes(steps), me, context
        yield
        self.before_leaving()
        self._event = None

    def before_leaving(self) -> None:
        """Here the event that is under way, if any, is over."""
        event, self._event = self._event, None
        if event is not None:
            self.after(*event)
        self._event = event

    def _leave_span(self, entries: list[Whenever], phase: str) -> Span:
        return entries[0].span

    def _awake(self, context: Context, acting: bool) -> list[Whenever]:
        here = set(context.path)
        entries = list(self.flow.ruleset.whenever.values())
        return [w for w in entries if (w.during is None or here & set(w.during)) and (acting or not w.uses_me)]

    def _wakes(self, entry: Whenever, touched: Touched) -> bool:
        loop = entry.loop
        return bool(reads(entry.condition, *(loop[1:] if loop else ())) & touched)

    def _closure(self, woken: list[Whenever], context: Context, acting: bool) -> list[Whenever]:
        """The rules woken, and those that their own doing may wake."""
        found = list(woken)
        for entry in found:
            touched = self._all_writes(entry.do)
            found += [w for w in self._awake(context, acting) if w not in found and self._wakes(w, touched)]
        return sorted(found, key=lambda w: w.number)

    def _all_writes(self, steps: list[Step]) -> Touched:
        touched: Touched = frozenset()
        for step in steps:
            if step.verb in VERBS:
                touched |= writes(self.flow.ruleset, step)
            if step.verb == "run":
                touched |= self._all_writes(self.flow.phase_of(step).steps)
            for inner in step.inner.values():
                touched |= self._all_writes(inner)
        return touched

    def _settler(
        self, woken: list[Whenever], closure: list[Whenever], acting: bool, known: bool
    ) -> tuple[str, tuple[str, ...]]:
        key = (tuple(w.number for w in woken), tuple(w.number for w in closure), acting, known)
        if key not in self._settlers:
            leaves = tuple(sorted({p for w in closure for p in self.flow.leaves_in(w.do)}))
            self._settlers[key] = (f"settle_{len(self._settlers)}", leaves)
            self._define_settler(self._settlers[key][0], woken, closure, leaves, known)
        return self._settlers[key]

    def _define_settler(
        self, name: str, woken: list[Whenever], closure: list[Whenever], leaves: tuple[str, ...], known: bool
    ) -> None:
        outer, span = self.flow.m, woken[0].span
        writer = Writer(origin=self.flow.program.line_of(span))
        self.flow.m = Emitter(self.flow.program, writer, {}, span.source.name)
        self.flow.program.function(name, "s, me, piles" if known else "s, me", span, writer)
        writer.put("P = s.piles; C = s.cells; fired = False")
        context = Context(leaves={phase: code for code, phase in enumerate(leaves, 1)})
        for entry in woken:
            self._try(entry, context, known)
        writer.put("if not fired: return 0")
        with writer.block("for again in range(1000):"):
            writer.put("fired = False")
            for entry in closure:
                self._try(entry, context)
            writer.put("if not fired: return 0")
        self.flow.faults.append(woken[0].span)
        writer.put(f"restless({len(self.flow.faults) - 1})")
        self.flow.m = outer

    def _try(self, entry: Whenever, context: Context, known: bool = False) -> None:
        """One rule. When it looks at nothing but the piles it goes through, and only some piles have changed since no rule
        applied any more, only those need be tried."""
        w, indent = self.flow.m.writer, self.flow.m.writer.indent
        self.flow.m.names[entry.me] = "me"
        if entry.loop is not None:
            step = Step("", "do", entry.span, loop=entry.loop)
            items = filtered(step)
            assert items is not None
            few = (
                known and entry.during is None and items.op == "piles" and not items.args and not reads(entry.condition)
            )
            listed = "piles" if few else self.flow.m(items)
            self.flow.m.names[entry.loop[0]] = w.fresh(entry.loop[0].name)
            w.put(
                f"for {self.flow.m.names[entry.loop[0]]} in {f'tuple({listed})' if listed.startswith('P[') else listed}:"
            )
            w.indent += 1
            if few:
                ref, name = items.value, self.flow.m.names[entry.loop[0]]
                w.put(f"if {ref.base} <= {name} < {ref.base + ref.members * ref.columns}:")
                w.indent += 1
        with w.block(f"if {self.flow.m(entry.condition)}:"):
            w.put("fired = True")
            self.flow.hit("whenever", entry.name)
            w.put(f"if s.log is not None: s.log.append(('rule', {entry.number}, me))")
            self._doing(entry.do, context)
        w.indent = indent

    def _doing(self, steps: list[Step], context: Context) -> None:
        """The steps of a rule that acts by itself: what they change is looked at by the settler's own loop."""
        self.settling = True
        self.flow.plain_steps(steps, context)
        self.settling = False
