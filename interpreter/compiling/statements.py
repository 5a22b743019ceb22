"""Steps in which nobody decides: plain loops and conditions inside one block."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from interpreter.compiling import effects
from interpreter.compiling.blocks import Blocks, Context
from interpreter.language.ir import Var
from interpreter.language.model import Phase
from interpreter.language.steps import AsOne, Choose, Deed, Do, Leave, Play, Repeat, Run, Score, Step, Turns
from interpreter.language.unfolding import Touched, all_changes, changes, looped, phase_of
from interpreter.passes.rebuild import substituted
from interpreter.passes.unroll import rows_of

After = Callable[[Touched, Var | None, Context], None]
"""What is written after a verb that changed something: done by whom, where."""


class Statements:
    """Writes steps into the open function. `after` follows every verb; `leave` writes how to go on at what `Context.leaves` says."""

    def __init__(self, blocks: Blocks, after: After, leave: Callable[[int], None]) -> None:
        self.blocks, self.after, self._go = blocks, after, leave

    def steps(self, steps: Iterable[Step], context: Context) -> None:
        for step in steps:
            inner = context.inside(step.name)
            self.blocks.put_use("step", " / ".join(inner.path))
            self.step(step, inner)

    def step(self, step: Step, context: Context) -> None:
        """`context` is that inside the step."""
        blocks = self.blocks
        if self._rows(step, context):
            return
        with blocks.indented():
            if step.loop is not None:
                blocks.each(step.loop.var, looped(step.loop))
            if step.by is not None and step.me is not None:
                blocks.emit.names[step.me] = blocks.emit.name(blocks.emit(step.by), "me")
            if step.when is None:
                self._verb(step, context)
            else:
                self._guarded(step, blocks.emit(step.when), context)

    def _guarded(self, step: Step, condition: str, context: Context) -> None:
        """`when`, and `else`."""
        known = condition in ("True", "False")
        with self.blocks.test(condition):
            self._verb(step, context)
        if step.otherwise and known:
            with self.blocks.test("False" if condition == "True" else "True"):
                self.steps(step.otherwise, context)
        elif step.otherwise:
            with self.blocks.block("else:"):
                self.steps(step.otherwise, context)

    def _rows(self, step: Step, context: Context) -> bool:
        """Points for each row of a table, where a column of formulas says how many: one row after the other, and those without any are
        left out. False if this is another step."""
        verb, loop, parts, emit = step.verb, step.loop, self.blocks.program.parts, self.blocks.emit
        if not isinstance(verb, Score) or loop is None or loop.where or step.when or step.by is not None:
            return False
        rows = rows_of(loop.items, loop.var, (verb.points,), parts)
        if rows is None:
            return False
        with emit.together():
            for row in rows:
                emit.names[loop.var] = str(row.value)
                self.deed(replace(verb, points=substituted(verb.points, {loop.var: row})), step.me, context)
                emit.forget(frozenset([verb.into]))
        return True

    def _verb(self, step: Step, context: Context) -> None:
        verb = step.verb
        match verb:
            case Do(steps):
                self.steps(steps, context)
            case AsOne(steps):
                self.as_one(steps, step.me, context)
            case Repeat():
                self._repeat(verb, context)
            case Run():
                self._phase(phase_of(self.blocks.ruleset, step, verb), step.me, context)
            case Leave():
                self.leave(verb, context)
            case Choose() | Play() | Turns():
                raise AssertionError("somebody decides in this step")
            case _:
                self.deed(verb, step.me, context)

    def deed(self, deed: Deed, me: Var | None, context: Context) -> None:
        effects.write(self.blocks, deed, me)
        before = len(self.blocks.emit.writer.lines)
        self.after(changes(self.blocks.ruleset, deed), me, context)
        if len(self.blocks.emit.writer.lines) > before:
            self.blocks.emit.forget_all()

    def as_one(self, steps: Iterable[Step], me: Var | None, context: Context) -> None:
        """What follows a verb follows the whole event; before the event is left, too."""
        touched = all_changes(self.blocks.ruleset, steps)

        def leave(target: int) -> None:
            self.after(touched, me, context)
            self._go(target)

        Statements(self.blocks, nothing_after, leave).steps(steps, context)
        self.after(touched, me, context)

    def _repeat(self, verb: Repeat, context: Context) -> None:
        blocks, done = self.blocks, self.blocks.fresh("round")
        blocks.put(f"{done} = 0")
        with blocks.block("while True:"):
            blocks.put_bounds(verb, done, "break", context)
            self.steps(verb.steps, context)
            if verb.until is not None:
                blocks.exit_if(blocks.emit(verb.until), "break")
            blocks.put(f"{done} += 1")

    def _phase(self, phase: Phase, me: Var | None, context: Context) -> None:
        renew(self.blocks, phase.name)
        if phase.me is not None:
            names = self.blocks.emit.names
            names[phase.me] = names[me] if me is not None and me in names else "-1"
        self.steps(phase.steps, context.inside(phase.name))

    def leave(self, verb: Leave, context: Context) -> None:
        self.blocks.leave(context.leaves[verb.phase], context)
        self._go(context.leaves[verb.phase])


def nothing_after(touched: Touched, me: Var | None, context: Context) -> None:
    """Where a verb is part of something larger, nothing follows it."""


def renew(blocks: Blocks, phase: str) -> None:
    """State that begins anew with this phase."""
    for family in blocks.ruleset.state.values():
        if phase in family.renewed:
            start = str(family.starts)
            blocks.put(
                f"C[{family.base}:{family.base + family.size}] = [{start}] * {family.size}"
                if family.size > 1
                else f"C[{family.base}] = {start}"
            )
