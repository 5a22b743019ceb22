"""Blocks: functions of the state that return the number of the next one. Here they are numbered, opened and written into, and what
outlives a block (who acts, cursors of loops, counters) gets a register: one more cell after the state's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from msgspec import Struct
from msgspec.structs import replace

from hoyle.compiling.code import OPENING, Writer
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.outline import Outline
from hoyle.diagnostics import Span
from hoyle.language.ir import Expr, Var, lets_in
from hoyle.language.model import Ruleset
from hoyle.language.steps import Repeat, Step, Turns
from hoyle.running.machine import Turn


class Context(Struct, frozen=True):
    """What is known at one place of the unfolded flow: the steps and phases around it, the registers of variables and of
    whoever acts (innermost last), the turns around it, where leaving a phase goes on, and of these the places that end a turn that
    somebody may be looking ahead in; the register in which the `play` around it remembers arrangements for `never_twice`."""

    path: tuple[str, ...] = ()
    registers: dict[Var, int] = {}
    leaves: dict[str, int] = {}
    acting: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()
    ends: frozenset[int] = frozenset()
    seen: int | None = None

    def inside(self, name: str) -> Context:
        return replace(self, path=(*self.path, name))

    def bind(self, var: Var, register: int) -> Context:
        return replace(self, registers={**self.registers, var: register})

    def act(self, me: Var, register: int) -> Context:
        """Inside, this player acts."""
        return replace(self.bind(me, register), acting=(*self.acting, register))


class Blocks(Outline):
    """The blocks of one game while they are written. `emit` writes formulas into the function that is open. `seeks`: with functions for
    `Search` that give actions one by one instead of listing all."""

    emit: Emitter

    def __init__(self, ruleset: Ruleset, program: Program, traced: bool, seeks: bool = False) -> None:
        super().__init__(ruleset, traced)
        self.program, self.seeks = program, seeks
        self.count = 0

    def put_use(self, section: str, name: str) -> None:
        if self.traced:
            self.put(self.use(section, name))

    def put_done(self, step: Step) -> None:
        """Counts that a step is done, whose `when` holds, where that is watched."""
        watch = self.program.watch
        if watch is not None:
            self.put(f"if not s.looking: CAME({watch.number(step.span)}, 0)")

    def put_bounds(self, loop: Repeat | Turns, done: str, end: str, context: Context) -> None:
        """How often at most: `done` are the times so far, `end` goes on behind the loop. What is cut short, though something else was to
        end it, is counted."""
        if loop.rounds is not None:
            times = f"{self.emit(loop.rounds)} * SEATS" if isinstance(loop, Turns) else self.emit(loop.rounds)
            self.put(f"if {done} >= {times}: {end}")
        if loop.at_most is not None:
            use = self.use("at_most", " / ".join(context.path)) if loop.ends_otherwise else ""
            self.put(f"if {done} >= {self.emit(loop.at_most)}: " + f"{use}; {end}".removeprefix("; "))

    # ---- writing -----------------------------------------------------------------------------------------------------

    def label(self) -> int:
        """The number of one more block."""
        self.count += 1
        return self.count - 1

    def open(self, label: int, span: Span, context: Context, name: str = "b", parameters: str = "s") -> None:
        """Begin the block that `label` stands for; what is written from now on goes there."""
        self._begin(f"{name}{label}", parameters, span)
        self.paths[label] = context.path
        self.put(OPENING)
        self.emit.names.update({var: f"C[{register}]" for var, register in context.registers.items()})

    @contextmanager
    def function(self, name: str, parameters: str, span: Span) -> Iterator[None]:
        """Write another function meanwhile; afterwards the one that was open is so again."""
        outer = self.emit
        self._begin(name, parameters, span)
        yield
        self.emit = outer

    def _begin(self, name: str, parameters: str, span: Span) -> None:
        writer = Writer(origin=self.program.line_of(span))
        self.emit = Emitter(self.program, writer, {}, span.source.name)
        self.program.function(name, parameters, span, writer)

    def leave(self, label: int, context: Context) -> None:
        """Before a jump out of a phase: whoever looks ahead looks no further than his turn."""
        if label in context.ends:
            self.put("if s.looking: ended()")

    def jump(self, label: int) -> None:
        self.put(f"return L{label}")

    def put(self, text: str) -> None:
        self.emit.writer.put(text)

    @contextmanager
    def block(self, head: str, *bound: str) -> Iterator[None]:
        """A loop over these names, or a condition."""
        self.emit.begin(head, *bound)
        yield
        self.emit.end()

    def fresh(self, hint: str) -> str:
        return self.emit.writer.fresh(hint)

    def test(self, condition: str) -> AbstractContextManager[None]:
        """What is written inside is done if the condition holds."""
        return self.emit.test(condition)

    def exit_if(self, condition: str, way: str) -> None:
        """If the condition holds, it goes on elsewhere (`break`, or a jump)."""
        if condition == "True":
            self.put(way)
        elif condition != "False":
            self.put(f"if {condition}: {way}")

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Heads of loops and conditions written inside hold to the end of it; `pass` if the last of them holds nothing."""
        writer = self.emit.writer
        indent = writer.indent
        yield
        while writer.indent > indent:
            self.emit.end()

    def begin(self, head: str, *bound: str) -> None:
        """The head of a loop over these names, or of a condition, that holds to the end of what is `indented`."""
        if head != "if True:":
            self.emit.begin(head, *bound)

    @contextmanager
    def letting(self) -> Iterator[None]:
        """What `let` gives names inside is worked out anew behind it."""
        before = set(self.emit.names)
        yield
        for var in [v for v in self.emit.names if v.value is not None and v not in before]:
            del self.emit.names[var]

    def let(self, *exprs: Expr) -> list[Var]:
        """Work out once what these formulas have from `let`, as it is now; returns the names."""
        found = lets_in(*exprs)
        for var in found:
            if var not in self.emit.names and var.value is not None:
                value = self.emit(var.value)
                self.emit.names[var] = self.emit.give(f"tuple({value})" if var.kind.name == "list" else value, var.name)
        return found

    def each(self, var: Var, items: Expr, changes: frozenset[str] = frozenset()) -> None:
        """Begin a loop over a list, which may change meanwhile."""
        self.each_of(var, self.emit(items), changes)

    def each_of(self, var: Var, listed: str, changes: frozenset[str] = frozenset()) -> None:
        listed = f"tuple({listed})" if listed.startswith("P[") else listed
        name = self.emit.names[var] = self.fresh(var.name)
        self.emit.begin(f"for {name} in {listed}:", name, changes=changes)
