"""Numbers, opens and fills blocks: functions of the state that return the number of the next block.

A value that outlives a block (acting player, loop cursor, counter) gets a register: one more cell after the state's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hoyle.compiling.code import (
    FALSE,
    LOOKING,
    TRUE,
    Binary,
    Do,
    For,
    Forever,
    If,
    Item,
    Label,
    Name,
    Not,
    Open,
    P,
    Return,
    Role,
    S,
    Statement,
    Value,
    call,
    cell,
    compare,
)
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.outline import Outline
from hoyle.compiling.writer import Writer
from hoyle.diagnostics import Span
from hoyle.language.ir import Expr, Var, lets_in
from hoyle.language.model import Ruleset
from hoyle.language.steps import Repeat, Step, Turns
from hoyle.running.machine import Turn


def end_look_ahead() -> Do:
    """Return the statement that ends a look-ahead."""
    return Do(call("ended"))


class Context(Struct, frozen=True):
    """Facts about one place of the unfolded flow.

    `path` has the steps and phases around it. `registers` has those of variables and of acting players (`acting`,
    innermost last). `leaves` has the block after each phase. `ends` has the blocks that end a turn, possibly during a
    look-ahead. `seen` is the register in which the enclosing `play` stores arrangements for `never_twice`.
    """

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
        """Return the context inside a step in which this player acts."""
        return replace(self.bind(me, register), acting=(*self.acting, register))


class Blocks(Outline):
    """The blocks of one game while they are written.

    `emit` writes formulas into the open function. With `seeks`, also writes generators of actions for look-ahead.
    """

    emit: Emitter

    def __init__(self, ruleset: Ruleset, program: Program, traced: bool, seeks: bool = False) -> None:
        super().__init__(ruleset, traced)
        self.program, self.seeks = program, seeks
        self.count = 0

    def put_use(self, section: str, name: str) -> None:
        self.put(*self.use(section, name))

    def count_step(self, step: Step) -> None:
        """Count a step whose `when` holds, if the machine is watched."""
        watch = self.program.watch
        if watch is not None:
            self.put_if(Not(LOOKING), Do(call("CAME", watch.number(step.span), 0)))

    def put_bounds(self, loop: Repeat | Turns, done: Value, end: Callable[[], Statement], context: Context) -> None:
        """End a loop after its greatest number of rounds.

        `done` is the number of rounds so far, `end` makes the statement that leaves the loop. Loops that `at_most` ends
        before their own condition are counted.
        """
        if loop.rounds is not None:
            rounds = self.emit(loop.rounds)
            times = Binary(rounds, "*", Name("SEATS")) if isinstance(loop, Turns) else rounds
            self.put_if(compare(done, ">=", times), end())
        if loop.at_most is not None:
            use = self.use("at_most", " / ".join(context.path)) if loop.ends_otherwise else []
            self.put_if(compare(done, ">=", self.emit(loop.at_most)), *use, end())

    # ---- writing -----------------------------------------------------------------------------------------------------

    def label(self) -> int:
        """Reserve the number of a new block."""
        self.count += 1
        return self.count - 1

    def open(
        self, label: int, span: Span, context: Context, role: Literal["block", "action", "effect"] = "block"
    ) -> None:
        """Begin the function of a label. Later statements go there."""
        parameters = ("s",) if role == "block" else ("s", "a")
        self._begin(f"{role[0]}{label}", parameters, span, role, label)
        self.paths[label] = context.path
        self.put(Open())
        self.name_registers(context)

    def name_registers(self, context: Context) -> None:
        self.emit.names.update({var: cell(register) for var, register in context.registers.items()})

    @contextmanager
    def function(
        self, name: str, parameters: tuple[str, ...], span: Span, role: Role = "value", label: int = -1
    ) -> Iterator[None]:
        """Write another function, then return to the one that was open."""
        outer = self.emit
        self._begin(name, parameters, span, role, label)
        yield
        self.emit = outer

    def _begin(self, name: str, parameters: tuple[str, ...], span: Span, role: Role, label: int) -> None:
        writer = Writer(self.program.line_of(span))
        self.emit = Emitter(self.program, writer, {}, span.source.name)
        self.program.function(name, parameters, span, writer, role, label)

    def leave(self, label: int, context: Context) -> None:
        """End a look-ahead before a jump out of a phase that ends a turn."""
        if label in context.ends:
            self.put_if(LOOKING, end_look_ahead())

    def jump(self, label: int) -> None:
        self.put(Return(Label(label)))

    def put(self, *statements: Statement) -> None:
        self.emit.writer.put(*statements)

    def put_if(self, test: Value, *statements: Statement) -> None:
        """Put a branch of simple statements."""
        for statement in statements:
            statement.origin = self.emit.writer.origin
        self.put(If(test, [*statements]))

    def call(self, function: str, *args: Value | int) -> None:
        """Put a call of a verb. Its first argument is the state."""
        self.put(Do(call(function, S, *args)))

    def assign(self, target: Value, value: Value) -> None:
        self.emit.writer.assign(target, value)

    @contextmanager
    def block(self, head: If | For | Forever, *bound: Value) -> Iterator[None]:
        """Write a loop over these names, or a branch."""
        self.emit.begin(head, *bound)
        yield
        self.emit.end()

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write the `else` of the last branch."""
        self.emit.begin_otherwise()
        yield
        self.emit.end()

    def fresh(self, hint: str) -> Name:
        return self.emit.writer.fresh(hint)

    def test(self, condition: Value) -> AbstractContextManager[None]:
        """Write statements that only run if the condition holds."""
        return self.emit.test(condition)

    def exit_if(self, condition: Value, exit_: Statement) -> None:
        """Put a statement that leaves (a `break` or a jump), under a condition unless it is constant."""
        if condition is TRUE:
            self.put(exit_)
        elif condition is not FALSE:
            self.put_if(condition, exit_)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """End all loops and branches that are begun inside it."""
        writer = self.emit.writer
        depth = writer.depth
        yield
        while writer.depth > depth:
            self.emit.end()

    def begin(self, head: If | For, *bound: Value) -> None:
        """Begin a loop over these names, or a branch. It lasts until the enclosing `nested` ends."""
        if not (isinstance(head, If) and head.test is TRUE):
            self.emit.begin(head, *bound)

    @contextmanager
    def scoped_lets(self) -> Iterator[None]:
        """Forget the names of `let` values that are set inside it, so that they are computed again."""
        before = set(self.emit.names)
        yield
        for var in [v for v in self.emit.names if v.value is not None and v not in before]:
            del self.emit.names[var]

    def compute_lets(self, *exprs: Expr) -> list[Var]:
        """Compute the `let` values of these formulas once, and return their variables."""
        found = lets_in(*exprs)
        for var in found:
            if var not in self.emit.names and var.value is not None:
                value = self.emit(var.value)
                self.emit.names[var] = self.emit.give(
                    call("tuple", value) if var.type.name == "list" else value, var.name
                )
        return found

    def each(self, var: Var, items: Expr, changes: frozenset[str] = frozenset()) -> None:
        """Begin a loop over a list that may change during the loop."""
        self.begin_each_of(var, self.emit(items), changes)

    def begin_each_of(self, var: Var, listed: Value, changes: frozenset[str] = frozenset()) -> None:
        if isinstance(listed, Item) and listed.items is P:
            listed = call("tuple", listed)
        name = self.emit.names[var] = self.fresh(var.name)
        self.emit.begin(For(name, listed, []), name, changes=changes)
