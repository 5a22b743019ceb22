"""Flow → blocks. A block is a function of the state that returns the number of the next one; the machine stops where somebody decides.

Phases are unfolded where they are run, so the number of the block says the whole context, and no stack is needed. Steps in which
nobody decides become plain Python loops and ifs inside a block. Whatever must outlive a block (who acts, cursors of loops,
counters) has a register: one more cell after the state's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.compiling import decisions
from interpreter.compiling.code import Writer
from interpreter.compiling.effects import VERBS, filtered, writes
from interpreter.compiling.emitter import Emitter, Program
from interpreter.compiling.moves import MoveCompiler
from interpreter.compiling.whenever import Settlers
from interpreter.diagnostics import Problems, Span
from interpreter.language.ir import Expr, Var
from interpreter.language.model import Label, Phase, Ruleset, Step
from interpreter.running.places import OVER, Context, Place, Point, Turn

_MAX_BLOCKS = 20_000


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
        self.settlers = Settlers(self)
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
        return f"HITS[{index}] += not s.looking"

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
        self.m.writer.put(f"return {label}" if self.settlers.settling else f"return L{label}")

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
                self.m.writer.put(
                    f"C[{family.base}:{family.base + family.size}] = [{value}] * {family.size}"
                    if family.size > 1
                    else f"C[{family.base}] = {value}"
                )

    def steps(self, steps: list[Step], context: Context) -> None:
        for step in steps:
            inner = replace(context, path=(*context.path, step.name))
            label = self.label()
            self.jump(label)
            self.open(label, step.span, inner)
            self.places.append(
                Place(
                    inner.path,
                    label,
                    context.acting,
                    step.by is not None or "together" in step.fields,
                    step.span,
                    context.turns,
                )
            )
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
        phase = self.phase_of(step)
        return all(self.straight(s) for s in phase.steps) and phase.name not in self.leaves_in(phase.steps)

    def phase_of(self, step: Step) -> Phase:
        found = self.ruleset.phases.get((step.fields["phase"], step.me is not None))
        return found or self.ruleset.phases[step.fields["phase"], True]

    def leaves_in(self, steps: list[Step]) -> set[str]:
        found: set[str] = set()
        for step in steps:
            if step.verb == "leave":
                found.add(step.fields["phase"])
            if step.verb == "run":
                found |= self.leaves_in(self.phase_of(step).steps)
            for inner in step.inner.values():
                found |= self.leaves_in(inner)
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
                self.plain_steps(step.inner["else"], context)

    def plain_steps(self, steps: list[Step], context: Context) -> None:
        for step in steps:
            inner = replace(context, path=(*context.path, step.name))
            self.hit("step", " / ".join(inner.path))
            self.plain(step, inner)

    def _verb(self, step: Step, context: Context) -> None:
        """One verb in plain Python."""
        if step.verb in VERBS:
            VERBS[step.verb](self, self.m, step)
            self.settlers.after(writes(self.ruleset, step), step.me, context)
        elif step.verb == "leave":
            self.leave(step, context)
        elif step.verb == "do":
            self.plain_steps(step.inner["do"], context)
        elif step.verb == "as_one":
            self._as_one(step, context)
        elif step.verb == "run":
            self._plain_phase(step, context)
        elif step.verb == "repeat":
            self._plain_repeat(step, context)

    def _as_one(self, step: Step, context: Context) -> None:
        """Rules that act by themselves see the group as one verb."""
        with self.settlers.event(step.inner["do"], step.me, context):
            self.plain_steps(step.inner["do"], context)

    def _plain_phase(self, step: Step, context: Context) -> None:
        phase = self.phase_of(step)
        self._renew(phase.name)
        if phase.me is not None:
            self.m.names[phase.me] = self.m.names[step.me] if step.me is not None and step.me in self.m.names else "-1"
        self.plain_steps(phase.steps, replace(context, path=(*context.path, phase.name)))

    def _plain_repeat(self, step: Step, context: Context) -> None:
        most = self.m(step.fields["at_most"]) if step.fields["at_most"] is not None else "1000000"
        with self.m.writer.block(f"for {self.m.writer.fresh('round')} in range({most}):"):
            self.plain_steps(step.inner["do"], context)
            if step.fields["until"] is not None:
                self.m.writer.put(f"if {self.m(step.fields['until'])}: break")

    def leave(self, step: Step, context: Context) -> None:
        self.hit("step", " / ".join(context.path))
        self.settlers.before_leaving()
        target = context.leaves.get(step.fields["phase"])
        if target is None:
            running = ", ".join(f"`{name}`" for name in context.leaves)
            self.problems.add(
                "R520",
                f"`{step.fields['phase']}` is not running here, so it cannot be left",
                step.fields["span"],
                notes=[f"running: {running}"],
            )
            target = 0
        self.jump(target)

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
        return self.acting(step.me, register, context)

    def acting(self, me: Var, register: int, context: Context) -> Context:
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

    def _asked_as_one(self, step: Step, context: Context) -> None:
        self.problems.add("R522", f"somebody is asked inside `{step.name}`, which is one event", step.span)

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
        inner = replace(self.acting(f["me"], me, context), leaves=context.leaves, turns=(*context.turns, turn))
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
        self._unfold(self.phase_of(step), step.me, register, context)


_BLOCKS: dict[str, Any] = {
    "do": FlowCompiler._do,
    "as_one": FlowCompiler._asked_as_one,
    "repeat": FlowCompiler._repeat,
    "turns": FlowCompiler._turns,
    "run": FlowCompiler._run,
    "choose": decisions.choose,
    "play": decisions.choose,
    "leave": FlowCompiler.leave,
}
