"""Flow → blocks. A block is a function of the state that returns the number of the next one; the machine stops where somebody decides.

Phases are unfolded where they are run, so the number of the block says the whole context, and no stack is needed. Steps in which
nobody decides become plain Python loops and ifs inside a block. Whatever must outlive a block (who acts, cursors of loops,
counters) has a register: one more cell after the state's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.compile.code import Writer
from interpreter.compile.effects import VERBS, Touched, filtered, reads, transfer, writes
from interpreter.compile.expressions import Emitter, Program
from interpreter.compile.moves import Decision, MoveCompiler
from interpreter.diagnostics import Problems, Span
from interpreter.ir import Expr, Var
from interpreter.model import Label, Move, Obligation, Phase, Ruleset, Step, Whenever

STOP, OVER = -1, -2
_MAX_BLOCKS = 20_000


@dataclass(frozen=True, slots=True)
class Turn:
    """A `turns` that a place is inside of: the registers of its player and of the turns done, and where it began."""

    me: int
    done: int
    first: Expr
    registers: dict[Var, int]


@dataclass(slots=True)
class Place:
    """A step as a place to stand at: its path, its block, and the registers of whoever acts there, innermost last."""

    path: tuple[str, ...]
    label: int
    acting: tuple[int, ...]
    by: bool
    span: Span
    turns: tuple[Turn, ...] = ()


@dataclass(slots=True)
class Point:
    """A decision of the running game: what the explainer and the move texts need to know of it."""

    label: int
    path: tuple[str, ...]
    moves: tuple[Move, ...]
    obey: tuple[Obligation, ...]
    together: bool
    seen: int
    span: Span


@dataclass(frozen=True, slots=True)
class Context:
    """What is known at compile time at one place of the unfolded flow."""

    path: tuple[str, ...] = ()
    registers: dict[Var, int] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)
    acting: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()

    def bind(self, var: Var, register: int) -> Context:
        return replace(self, registers={**self.registers, var: register})


class FlowCompiler:
    """Unfolds the phase `game` into blocks of one program."""

    def __init__(self, ruleset: Ruleset, program: Program, problems: Problems, trace: bool) -> None:
        self.ruleset, self.program, self.problems, self.traced = ruleset, program, problems, trace
        self.moves = MoveCompiler(ruleset, program, self.trace)
        self.state_size = sum(f.size for f in ruleset.state.values())
        self.registers: list[int | tuple[int, ...] | frozenset[object]] = []
        self.fault_register = self.register()
        self.places: list[Place] = []
        self.points: dict[int, Point] = {}
        self.labels: list[Label] = []
        self.faults: list[Span] = []
        self.counters: dict[tuple[str, str], int] = {}
        self.blocks = 0
        self.steps_met: list[Step] = []
        self._settlers: dict[tuple[tuple[int, ...], tuple[int, ...], bool, bool], tuple[str, tuple[str, ...]]] = {}
        self._settling = False
        self.m: Emitter

    # ---- small things ------------------------------------------------------------------------------------------------

    def register(self, start: int | tuple[int, ...] | frozenset[object] = 0) -> int:
        self.registers.append(start)
        return self.state_size + len(self.registers) - 1

    def trace(self, section: str, name: str) -> str:
        """The statement that counts a rule's use, if uses are counted."""
        if not self.traced:
            return ""
        if not name:
            return "traced"
        index = self.counters.setdefault((section, name), len(self.counters))
        return f"HITS[{index}] += 1"

    def hit(self, section: str, name: str) -> None:
        if self.traced:
            self.m.writer.put(self.trace(section, name))

    def fault(self, expr: Expr) -> int:
        self.faults.append(expr.span)
        return len(self.faults) - 1

    def label_number(self, label: Label | None) -> int:
        if label is None:
            return -1
        if label not in self.labels:
            self.labels.append(label)
        return self.labels.index(label)

    # ---- blocks ------------------------------------------------------------------------------------------------------

    def label(self) -> int:
        self.blocks += 1
        if self.blocks > _MAX_BLOCKS:
            self.problems.add("R524", "the flow is too large when its phases are unfolded")
            self.problems.stop_on_errors()
        return self.blocks - 1

    def open(self, label: int, span: Span, context: Context, name: str = "b", parameters: str = "s") -> None:
        """Begin the block that `label` stands for; what is emitted from now on goes there."""
        writer = Writer(origin=self.program.line_of(span))
        writer.put("P = s.piles; C = s.cells")
        names = {var: f"C[{register}]" for var, register in context.registers.items()}
        self.m = Emitter(self.program, writer, names, span.source.name)
        self.program.function(f"{name}{label}", parameters, span, writer)

    def jump(self, label: int) -> None:
        """Go on at a block; inside a settler numbers are codes of what to leave, not blocks."""
        self.m.writer.put(f"return {label}" if self._settling else f"return L{label}")

    def compile(self) -> int:
        """All blocks; returns the number of the first."""
        game = self.ruleset.phases["game", False]
        entry, end = self.label(), self.label()
        context = Context(path=("game",), leaves={"game": end})
        self.open(entry, game.span, context)
        self.phase(game, context, entry)
        self.jump(end)
        self.open(end, game.span, context)
        self.m.writer.put(f"return {OVER}")
        return entry

    def phase(self, phase: Phase, context: Context, label: int | None = None) -> None:
        self._renew(phase.name)
        if label is not None and phase.steps:
            first = self.label()
            self.jump(first)
            self.open(first, phase.steps[0].span, context)
            self.places.append(Place(context.path, first, context.acting, False, phase.span, context.turns))
        self.steps(phase.steps, context)

    def _renew(self, phase: str) -> None:
        for family in self.ruleset.state.values():
            if family.renewed == phase:
                value = str(family.starts)
                self.m.writer.put(f"C[{family.base}:{family.base + family.size}] = [{value}] * {family.size}" if family.size > 1
                                  else f"C[{family.base}] = {value}")  # fmt: skip

    def steps(self, steps: list[Step], context: Context) -> None:
        for step in steps:
            inner = replace(context, path=(*context.path, step.name))
            label = self.label()
            self.jump(label)
            self.open(label, step.span, inner)
            self.places.append(Place(inner.path, label, context.acting, step.by is not None or "together" in step.fields, step.span,
                                     context.turns))  # fmt: skip
            self.hit("step", " / ".join(inner.path))
            if self.straight(step):
                self.plain(step, inner)
            else:
                self._blocks(step, inner)

    # ---- steps in which nobody decides -------------------------------------------------------------------------------

    def straight(self, step: Step) -> bool:
        """Can it be plain Python inside one block?"""
        if step.verb in ("choose", "play", "turns"):
            return False
        if step.verb == "run" and not self._straight_phase(step):
            return False
        return all(self.straight(s) for inner in step.inner.values() for s in inner)

    def _straight_phase(self, step: Step) -> bool:
        phase = self._phase(step)
        return all(self.straight(s) for s in phase.steps) and phase.name not in self._leaves_in(phase.steps)

    def _phase(self, step: Step) -> Phase:
        found = self.ruleset.phases.get((step.fields["phase"], step.me is not None))
        return found or self.ruleset.phases[step.fields["phase"], True]

    def _leaves_in(self, steps: list[Step]) -> set[str]:
        found: set[str] = set()
        for step in steps:
            if step.verb == "leave":
                found.add(step.fields["phase"])
            if step.verb == "run":
                found |= self._leaves_in(self._phase(step).steps)
            for inner in step.inner.values():
                found |= self._leaves_in(inner)
        return found

    def plain(self, step: Step, context: Context) -> None:
        """The step as statements of the current block."""
        self.steps_met.append(step)
        w, indent = self.m.writer, self.m.writer.indent
        items = filtered(step)
        if items is not None and step.loop is not None:
            listed = self.m(items)
            listed = f"tuple({listed})" if listed.startswith("P[") else listed
            self.m.names[step.loop[0]] = w.fresh(step.loop[0].name)
            w.put(f"for {self.m.names[step.loop[0]]} in {listed}:")
            w.indent += 1
        if step.by is not None and step.me is not None:
            self.m.names[step.me] = self.m.name(self.m(step.by), "me")
        if step.when is None:
            self._verb(step, context)
        else:
            self._when(step, context)
        w.indent = indent

    def _when(self, step: Step, context: Context) -> None:
        assert step.when is not None
        with self.m.writer.block(f"if {self.m(step.when)}:"):
            self._verb(step, context)
        if step.inner.get("else"):
            with self.m.writer.block("else:"):
                self._plain_steps(step.inner["else"], context)

    def _plain_steps(self, steps: list[Step], context: Context) -> None:
        for step in steps:
            inner = replace(context, path=(*context.path, step.name))
            self.hit("step", " / ".join(inner.path))
            self.plain(step, inner)

    def _verb(self, step: Step, context: Context) -> None:
        """One verb in plain Python."""
        if step.verb in VERBS:
            VERBS[step.verb](self, self.m, step)
            self.settle(writes(self.ruleset, step), step.me, context)
        elif step.verb == "leave":
            self.leave(step, context)
        elif step.verb == "do":
            self._plain_steps(step.inner["do"], context)
        elif step.verb == "run":
            self._plain_phase(step, context)
        elif step.verb == "repeat":
            self._plain_repeat(step, context)

    def _plain_phase(self, step: Step, context: Context) -> None:
        phase = self._phase(step)
        self._renew(phase.name)
        if phase.me is not None:
            self.m.names[phase.me] = self.m.names[step.me] if step.me is not None and step.me in self.m.names else "-1"
        self._plain_steps(phase.steps, replace(context, path=(*context.path, phase.name)))

    def _plain_repeat(self, step: Step, context: Context) -> None:
        most = self.m(step.fields["at_most"]) if step.fields["at_most"] is not None else "1000000"
        with self.m.writer.block(f"for {self.m.writer.fresh('round')} in range({most}):"):
            self._plain_steps(step.inner["do"], context)
            if step.fields["until"] is not None:
                self.m.writer.put(f"if {self.m(step.fields['until'])}: break")

    def leave(self, step: Step, context: Context) -> None:
        self.hit("step", " / ".join(context.path))
        target = context.leaves.get(step.fields["phase"])
        if target is None:
            running = ", ".join(f"`{name}`" for name in context.leaves)
            self.problems.add("R520", f"`{step.fields['phase']}` is not running here, so it cannot be left", step.fields["span"],
                              notes=[f"running: {running}"])  # fmt: skip
            target = 0
        self.jump(target)

    # ---- whenever ----------------------------------------------------------------------------------------------------

    def settle(self, touched: Touched, me: Var | None, context: Context, piles: str = "") -> None:
        """After a verb: whatever rules its changes may wake. `piles`: the only piles that changed, if they are known."""
        if self._settling:
            return
        acting = me is not None and me in self.m.names
        woken = [w for w in self._awake(context, acting) if self._wakes(w, touched)]
        if not woken:
            return
        name, leaves = self._settler(woken, self._closure(woken, context, acting), acting, bool(piles))
        call = f"{name}(s, {self.m.names[me] if acting and me is not None else '-1'}{f', ({piles})' if piles else ''})"
        if not leaves:
            self.m.writer.put(call)
            return
        left = self.m.writer.fresh("left")
        self.m.writer.put(f"{left} = {call}")
        for code, phase in enumerate(leaves, 1):
            if phase in context.leaves:
                self.m.writer.put(f"if {left} == {code}: return L{context.leaves[phase]}")
            else:
                self.problems.add("R520", f"`{phase}` may not be running when this rule leaves it", self._leave_span(woken, phase))

    def _leave_span(self, entries: list[Whenever], phase: str) -> Span:
        return entries[0].span

    def _awake(self, context: Context, acting: bool) -> list[Whenever]:
        here = set(context.path)
        entries = list(self.ruleset.whenever.values())
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
                touched |= writes(self.ruleset, step)
            if step.verb == "run":
                touched |= self._all_writes(self._phase(step).steps)
            for inner in step.inner.values():
                touched |= self._all_writes(inner)
        return touched

    def _settler(self, woken: list[Whenever], closure: list[Whenever], acting: bool, known: bool) -> tuple[str, tuple[str, ...]]:
        key = (tuple(w.number for w in woken), tuple(w.number for w in closure), acting, known)
        if key not in self._settlers:
            leaves = tuple(sorted({p for w in closure for p in self._leaves_in(w.do)}))
            self._settlers[key] = (f"settle_{len(self._settlers)}", leaves)
            self._define_settler(self._settlers[key][0], woken, closure, leaves, known)
        return self._settlers[key]

    def _define_settler(self, name: str, woken: list[Whenever], closure: list[Whenever], leaves: tuple[str, ...],
                        known: bool) -> None:  # fmt: skip
        outer, span = self.m, woken[0].span
        writer = Writer(origin=self.program.line_of(span))
        self.m = Emitter(self.program, writer, {}, span.source.name)
        self.program.function(name, "s, me, piles" if known else "s, me", span, writer)
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
        self.faults.append(woken[0].span)
        writer.put(f"restless({len(self.faults) - 1})")
        self.m = outer

    def _try(self, entry: Whenever, context: Context, known: bool = False) -> None:
        """One rule. When it looks at nothing but the piles it goes through, and only some piles have changed since no rule
        applied any more, only those need be tried."""
        w, indent = self.m.writer, self.m.writer.indent
        self.m.names[entry.me] = "me"
        if entry.loop is not None:
            step = Step("", "do", entry.span, loop=entry.loop)
            items = filtered(step)
            assert items is not None
            few = known and entry.during is None and items.op == "piles" and not items.args and not reads(entry.condition)
            listed = "piles" if few else self.m(items)
            self.m.names[entry.loop[0]] = w.fresh(entry.loop[0].name)
            w.put(f"for {self.m.names[entry.loop[0]]} in {f'tuple({listed})' if listed.startswith('P[') else listed}:")
            w.indent += 1
            if few:
                ref, name = items.value, self.m.names[entry.loop[0]]
                w.put(f"if {ref.base} <= {name} < {ref.base + ref.members * ref.columns}:")
                w.indent += 1
        with w.block(f"if {self.m(entry.condition)}:"):
            w.put("fired = True")
            self.hit("whenever", entry.name)
            w.put(f"if s.log is not None: s.log.append(('rule', {entry.number}, me))")
            self._doing(entry.do, context)
        w.indent = indent

    def _doing(self, steps: list[Step], context: Context) -> None:
        """The steps of a rule that acts by itself: what they change is looked at by the settler's own loop."""
        self._settling = True
        self._plain_steps(steps, context)
        self._settling = False

    # ---- steps in which somebody decides -----------------------------------------------------------------------------

    def _blocks(self, step: Step, context: Context) -> None:
        self.steps_met.append(step)
        after = self.label()
        inner = self._loop(step, context, after) if step.loop is not None else context
        back = inner.leaves.get("(loop)", after) if step.loop is not None else after
        inner = replace(inner, leaves={k: v for k, v in inner.leaves.items() if k != "(loop)"})
        inner = self._by(step, inner)
        self._guard(step, inner, back)
        _BLOCKS[step.verb](self, step, inner)
        self.jump(back)
        self.open(after, step.span, context)

    def _loop(self, step: Step, context: Context, after: int) -> Context:
        items = filtered(step)
        assert step.loop is not None and items is not None
        listed, cursor, current, head = self.register(()), self.register(), self.register(), self.label()
        w = self.m.writer
        w.put(f"C[{listed}] = tuple({self.m(items)}); C[{cursor}] = 0")
        self.jump(head)
        self.open(head, step.span, context)
        w = self.m.writer
        w.put(f"if C[{cursor}] >= len(C[{listed}]): return L{after}")
        w.put(f"C[{current}] = C[{listed}][C[{cursor}]]; C[{cursor}] += 1")
        self.m.names[step.loop[0]] = f"C[{current}]"
        return replace(context.bind(step.loop[0], current), leaves={**context.leaves, "(loop)": head})

    def _by(self, step: Step, context: Context) -> Context:
        if step.by is None or step.me is None:
            return context
        register = self.register()
        self.m.writer.put(f"C[{register}] = {self.m(step.by)}")
        return self._acting(step.me, register, context)

    def _acting(self, me: Var, register: int, context: Context) -> Context:
        self.m.names[me] = f"C[{register}]"
        return replace(context.bind(me, register), acting=(*context.acting, register))

    def _guard(self, step: Step, context: Context, back: int) -> None:
        if step.when is None:
            return
        condition = self.m(step.when)
        if not step.inner.get("else") or step.verb in ("choose", "play"):
            self.m.writer.put(f"if not {condition}: return L{back}")
            return
        other, body = self.label(), self.label()
        self.m.writer.put(f"return L{body} if {condition} else L{other}")
        self.open(other, step.span, context)
        self.steps(step.inner["else"], context)
        self.jump(back)
        self.open(body, step.span, context)

    def _do(self, step: Step, context: Context) -> None:
        self.steps(step.inner["do"], context)

    def _repeat(self, step: Step, context: Context) -> None:
        counter, head, done = self.register(), self.label(), self.label()
        self.m.writer.put(f"C[{counter}] = 0")
        self.jump(head)
        self.open(head, step.span, context)
        self.steps(step.inner["do"], context)
        if step.fields["until"] is not None:
            self.m.writer.put(f"if {self.m(step.fields['until'])}: return L{done}")
        self.m.writer.put(f"C[{counter}] += 1")
        self.m.writer.put(f"return L{head} if C[{counter}] < {self.m(step.fields['at_most'])} else L{done}")
        self.open(done, step.span, context)

    def _turns(self, step: Step, context: Context) -> None:
        """`me`, the turns done and the turns skipped in a row have registers."""
        f, w = step.fields, self.m.writer
        me, done, skipped = self.register(), self.register(), self.register()
        head, after = self.label(), self.label()
        w.put(f"C[{me}] = {self.m(f['from'])}; C[{done}] = 0; C[{skipped}] = 0")
        self.jump(head)
        turn = Turn(me, done, f["from"], dict(context.registers))
        inner = replace(self._acting(f["me"], me, context), leaves=context.leaves, turns=(*context.turns, turn))
        self.open(head, step.span, inner)
        self._before_turn(step, me, done, skipped, head, after)
        self.m.writer.put(f"C[{skipped}] = 0")
        phase = self.ruleset.phases[f["phase"], True]
        self._unfold(phase, f["me"], me, inner)
        self.m.writer.put(f"C[{done}] += 1; C[{me}] = NEXT[C[{me}]]")
        self.jump(head)
        self.open(after, step.span, context)

    def _before_turn(self, step: Step, me: int, done: int, skipped: int, head: int, after: int) -> None:
        f, w = step.fields, self.m.writer
        if f["until"] is not None:
            w.put(f"if {self.m(f['until'])}: return L{after}")
        if f["rounds"] is not None:
            w.put(f"if C[{done}] >= {self.m(f['rounds'])} * SEATS: return L{after}")
        if f["at_most"] is not None:
            w.put(f"if C[{done}] >= {self.m(f['at_most'])}: return L{after}")
        if f["skip"] is not None:
            with w.block(f"if {self.m(f['skip'])}:"):
                w.put(f"C[{done}] += 1; C[{skipped}] += 1; C[{me}] = NEXT[C[{me}]]")
                w.put(f"return L{head} if C[{skipped}] < SEATS else L{after}")

    def _unfold(self, phase: Phase, outer: Var | None, register: int | None, context: Context) -> None:
        """A phase where it is run; leaving it goes on behind it."""
        done = self.label()
        inner = replace(context, path=(*context.path, phase.name), leaves={**context.leaves, phase.name: done})
        if phase.me is not None and register is not None:
            inner = inner.bind(phase.me, register)
        begin = self.label()
        self.jump(begin)
        self.open(begin, phase.span, inner)
        self.phase(phase, inner, begin)
        self.jump(done)
        self.open(done, phase.span, context)

    def _run(self, step: Step, context: Context) -> None:
        register = context.registers.get(step.me) if step.me is not None else None
        self._unfold(self._phase(step), step.me, register, context)

    # ---- decisions ---------------------------------------------------------------------------------------------------

    def _choose(self, step: Step, context: Context) -> None:
        if step.fields.get("together") is not None:
            self._together(step, context)
            return
        assert step.me is not None
        again = step.verb == "play"
        done, head = self.label(), self.label()
        counter = self.register()
        decision = self._decision(step, head)
        self.m.writer.put(f"C[{counter}] = 0")
        if decision.seen >= 0:
            self.m.writer.put(f"C[{decision.seen}] = UNSEEN")
        self.jump(head)
        self.open(head, step.span, context)
        other = self.label() if step.inner.get("else") else done
        if step.fields["at_most"] is not None:
            self.m.writer.put(f"if C[{counter}] >= {self.m(step.fields['at_most'])}: return L{done}")
        self._stop(decision, self.m.names[step.me], f"L{other} if C[{counter}] == 0 else L{done}" if other != done else f"L{done}")
        self._point(decision, step, context)
        follow = head if again else done
        self._apply(decision, step, context, follow, counter)
        if other != done:
            self.open(other, step.span, context)
            self.steps(step.inner["else"], context)
            self.jump(done)
        self.open(done, step.span, context)

    def _decision(self, step: Step, label: int) -> Decision:
        moves = [self.ruleset.moves[name] for name in step.fields["moves"]]
        obey = [self.ruleset.obligations[name] for name in step.fields["obey"]]
        seen = self.register(frozenset()) if any(o.sort == "never_twice" for o in obey) else -1
        return Decision(label, moves, obey, seen)

    def _stop(self, decision: Decision, me: str, nothing: str) -> None:
        """List the legal actions; go on if there are none, else stop for whoever acts."""
        w = self.m.writer
        w.put(f"me = {me}")
        self.moves.enumerate(self.m, decision, "me")
        if any(self.moves._is_callable(o) for o in decision.obey):
            w.put("s.faults = (-1,) * len(acts) + tuple([o for _, o in late]); acts = acts + [a for a, _ in late]")
        if any(o.sort == "maximise" for o in decision.obey):
            w.put("if not acts and s.looking: ended()")
        w.put(f"if not acts: return {nothing}")
        w.put(f"s.acts = acts; s.actor = me; s.pc = {decision.label}")
        w.put(f"return {STOP}")

    def _point(self, decision: Decision, step: Step, context: Context) -> None:
        self.points[decision.label] = Point(decision.label, context.path, tuple(decision.moves), tuple(decision.obey),
                                            step.fields.get("together") is not None, decision.seen, step.span)  # fmt: skip

    def _apply(self, decision: Decision, step: Step, context: Context, follow: int, counter: int) -> None:
        """What each action does, as one function; then the `then` steps of the decision."""
        then = self.label() if step.inner.get("then") else follow
        jobs = []
        self.open(decision.label, step.span, context, "a", "s, a")
        w = self.m.writer
        if self._uses("take_back") and step.verb == "play":
            w.put("keep(s)")
        if self._uses("fault") and any(o.callable is not None for o in decision.obey):
            w.put(f"C[{self.fault_register}] = fault_of(s, a)")
        w.put(f"C[{counter}] += 1")
        if decision.seen >= 0:
            w.put(f"remember(s, a, {decision.label}, {decision.seen})")
        for move in decision.moves:
            with w.block(f"if a[0] == {move.number}:"):
                jobs.append(self._effect(move, step, context, then))
        for job in jobs:
            if job is not None:
                job()
        if step.inner.get("then"):
            self.open(then, step.span, context)
            self.steps(step.inner["then"], context)
            self.jump(follow)

    def _uses(self, what: str) -> bool:
        return what in self.ruleset.uses

    def _effect(self, move: Move, step: Step, context: Context, follow: int | None) -> Any:
        """One action in place; if somebody is asked inside its `then`, its bindings go to registers and it continues in blocks."""
        assert step.me is not None
        self.m.names[move.me] = self.m.names[step.me]
        self.moves.unpack(self.m, move)
        self.hit("move", move.name)
        path = replace(context, path=(*context.path, move.name))
        touched = transfer(self, self.m, move)
        both = f"{self.m.names[move.origin]}, {self.m.names[move.target]}" if move.origin and move.target else ""
        self.settle(touched, move.me, path, both)
        if all(self.straight(s) for s in move.then):
            self._plain_steps(move.then, path)
            self.m.writer.put(f"return {STOP}" if follow is None else f"return L{follow}")
            return None
        assert follow is not None
        inner = path
        for var in move.bindings:
            register = self.register()
            self.m.writer.put(f"C[{register}] = {self.m.names[var]}")
            inner = inner.bind(var, register)
        inner = inner.bind(move.me, context.registers[step.me])
        begin = self.label()
        self.jump(begin)
        return lambda: self._continued(move, begin, inner, follow)

    def _continued(self, move: Move, begin: int, context: Context, follow: int) -> None:
        self.open(begin, move.span, context)
        self.steps(move.then, context)
        self.jump(follow)

    def _together(self, step: Step, context: Context) -> None:
        """Each of the players decides in turn, unseen; then all actions are carried out in seat order."""
        assert step.me is not None
        players, cursor, chosen, me = self.register(()), self.register(), self.register(()), self.register()
        head, carry, done = self.label(), self.label(), self.label()
        decision = self._decision(step, head)
        self.m.writer.put(f"C[{players}] = tuple({self.m(step.fields['together'])}); C[{cursor}] = 0; C[{chosen}] = ()")
        self.jump(head)
        inner = self._acting(step.me, me, context)
        self.open(head, step.span, inner)
        w = self.m.writer
        w.put(f"if C[{cursor}] >= len(C[{players}]): return L{carry}")
        w.put(f"C[{me}] = C[{players}][C[{cursor}]]")
        skip = self.label()
        self._stop(decision, f"C[{me}]", f"L{skip}")
        self._point(decision, step, inner)
        for label, action in ((skip, "()"), (decision.label, "a")):
            self.open(label, step.span, inner, *(("a", "s, a") if label == decision.label else ()))
            self.m.writer.put(f"C[{chosen}] += ({action},); C[{cursor}] += 1")
            self.jump(head)
        self._effects(decision, step, inner)
        self.open(carry, step.span, inner)
        with self.m.writer.block(f"for C[{me}], a in sorted(zip(C[{players}], C[{chosen}])):"):
            with self.m.writer.block("if a:"):
                self.m.writer.put(f"r = e{decision.label}(s, a)")
                self.m.writer.put("if r >= 0: return r")
        self.m.writer.put(f"C[{chosen}] = ()")
        self.jump(done)
        self.open(done, step.span, context)

    def _effects(self, decision: Decision, step: Step, context: Context) -> None:
        self.open(decision.label, step.span, context, "e", "s, a")
        for move in decision.moves:
            with self.m.writer.block(f"if a[0] == {move.number}:"):
                if not all(self.straight(s) for s in move.then):
                    self.problems.add("R525", "what players choose together cannot ask them again", move.span)
                    return
                self._effect(move, step, context, None)


_BLOCKS: dict[str, Any] = {
    "do": FlowCompiler._do, "repeat": FlowCompiler._repeat, "turns": FlowCompiler._turns, "run": FlowCompiler._run,
    "choose": FlowCompiler._choose, "play": FlowCompiler._choose, "leave": FlowCompiler.leave,
}  # fmt: skip
