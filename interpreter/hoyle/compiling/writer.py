"""Tracks where statements are written: the open list, the enclosing loops and branches, and the named values in each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import FALSE, Name, Statement, Value, is_simple
from hoyle.diagnostics import Span
from hoyle.language.ir import Expr
from hoyle.printable import in_code

Reads = Callable[[Expr], frozenset[str]]


class Writer:
    """The body of one function. `origin` is the ruleset's line of the next statement."""

    def __init__(self, origin: int = 1) -> None:
        self.body: list[Statement] = []
        self.open, self.origin, self.names = self.body, origin, 0
        self._around: list[list[Statement]] = []

    def put(self, *statements: Statement) -> None:
        for statement in statements:
            statement.origin = self.origin
        self.open += statements

    def insert(self, statements: list[Statement]) -> None:
        """Put statements that were written aside. They keep their line numbers."""
        self.open += statements

    def assign(self, target: Value, value: Value) -> None:
        self.put(code.Assign(target, value))

    def empty_loop(self) -> code.For | None:
        """Return the loop that has just been put, if it is open and still empty."""
        last = self._around[-1][-1] if self._around and not self.open and self._around[-1] else None
        return last if isinstance(last, code.For) and last.body is self.open else None

    def fresh(self, hint: str = "v") -> Name:
        self.names += 1
        return Name(f"{in_code(hint)}_{self.names}")

    def enter(self, body: list[Statement]) -> None:
        """Continue in the body of a statement, until `leave`."""
        self._around.append(self.open)
        self.open = body

    def leave(self) -> None:
        self.open = self._around.pop()

    @property
    def depth(self) -> int:
        """Number of open loops and branches."""
        return len(self._around)

    @contextmanager
    def block(self, head: code.If | code.For | code.Forever) -> Iterator[None]:
        """Put a loop or branch. Statements written inside are its body."""
        self.put(head)
        self.enter(head.body)
        yield
        self.leave()

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write the `else` of the last branch."""
        last = self.open[-1]
        assert isinstance(last, code.If)
        self.enter(last.otherwise)
        yield
        self.leave()

    @contextmanager
    def aside(self) -> Iterator[list[Statement]]:
        """Collect the statements written inside, to be inserted or dropped later."""
        inner: list[Statement] = []
        self.enter(inner)
        yield inner
        self.leave()


class Lines:
    """Converts spans to line numbers. Cached by source, since counting newlines is slow."""

    def __init__(self) -> None:
        self._starts: dict[int, list[int]] = {}

    def __call__(self, span: Span) -> int:
        key = id(span.source)
        if key not in self._starts:
            lines = span.source.text.split("\n")
            self._starts[key] = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return bisect_right(self._starts[key], span.start)


class Scope(Struct):
    """A loop or branch that is open while a formula is written. The first scope is where the formula begins.

    Values computed before the loop or branch inside it go into `body`, at `place`. `known` has the values that are
    named here.
    """

    body: list[Statement]
    level: int
    is_loop: bool
    place: int = 0
    known: dict[Any, Known] = {}
    changes: frozenset[str] = frozenset()


class Known(Struct, frozen=True):
    """The name of a value, and the name of the flag that says whether it has been computed, unless that is certain."""

    expr: Expr
    name: Value
    done: Name | None = None


class Scopes:
    """Opens and closes loops and branches, and tracks the level of each name.

    `reads` returns the families that a formula reads.
    """

    def __init__(self, writer: Writer, reads: Reads) -> None:
        self.writer, self._reads = writer, reads
        self._scopes: list[Scope] = []
        self._levels: dict[Value, int] = {}
        self._before = 0
        self._inner = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """Share values between the formulas inside. Piles and cells must not change there."""
        if self._scopes:
            yield
            return
        self._levels, self._before = {}, self.writer.names
        self._scopes = [Scope(self.writer.open, 0, False)]
        yield
        self._scopes = []

    def begin(
        self, head: code.If | code.For | code.Forever, *bound: Value, changes: frozenset[str] = frozenset()
    ) -> None:
        """Put the head of a branch, or of a loop that binds these names. Close it with `end`.

        `changes` has the families that steps in the loop change.
        """
        self.writer.put(head)
        self.writer.enter(head.body)
        self._open(isinstance(head, code.For), -1)
        if self._scopes and changes:
            self._scopes[-1].changes = changes
        self._levels.update(dict.fromkeys(bound, self._level))

    def begin_otherwise(self) -> None:
        """Begin the `else` of the last branch. Close it with `end`."""
        last = self.writer.open[-1]
        assert isinstance(last, code.If)
        self.writer.enter(last.otherwise)
        self._open(False, -1)

    def end(self) -> None:
        self.writer.leave()
        if self._scopes:
            self._scopes.pop()

    def collapse(self, statement: Statement) -> None:
        """Replace the loop that has just begun."""
        self.writer.leave()
        self.writer.open.pop()
        self._scopes = self._scopes[:-1]
        self.writer.put(statement)

    def _open(self, is_loop: bool, place: int = 0) -> None:
        """`place` is -1 if the statement with this body has already been put, so that its values go before it."""
        if self._scopes:
            outer = self._scopes[-1]
            outer.place = len(outer.body) + place
            self._scopes.append(Scope(self.writer.open, self._level + 1, is_loop))

    @property
    def in_loop(self) -> bool:
        return any(scope.is_loop for scope in self._scopes)

    @property
    def _level(self) -> int:
        return self._scopes[-1].level if self._scopes else 0

    @contextmanager
    def test(self, condition: Value) -> Iterator[None]:
        """Write the body under a condition: unconditionally if it is always true, not at all if always false."""
        if condition is code.TRUE:
            yield
        elif condition is FALSE:
            with self.writer.aside():
                self._open(False)
                yield
                self._scopes = self._scopes[:-1]
        else:
            self.begin(code.If(condition, []))
            yield
            self.end()

    def write_per_item(self, write: Callable[[], Value], *bound: Value) -> tuple[Value, list[Statement]]:
        """Return the value of `write` inside a loop that is not put yet, and the statements it needs there.

        The loop binds the names in `bound`.
        """
        with self.writer.aside() as statements:
            self._open(True)
            self._levels.update(dict.fromkeys(bound, self._level))
            value = write()
            self._scopes.pop()
        return value, statements

    def hoist(self, value: Value, *names: Value) -> Value:
        """Compute a cheap value that depends on these names only before all loops that do not bind them."""
        outer = self._outside(max(map(self._level_of, names)))
        if outer is None:
            return value
        name = self.writer.fresh()
        self._levels[name] = self._scopes[outer].level
        self._insert([code.Assign(name, value, origin=self.writer.origin)], outer)
        return name

    def _apart(self, write: Callable[[], Value]) -> tuple[Value, list[Statement]]:
        with self.writer.aside() as statements:
            self._open(False)
            value = write()
            self._scopes.pop()
        return value, statements

    def name(self, value: Value, hint: str = "v") -> Value:
        """Return a value that can be repeated: a name or a literal itself, else a new name."""
        return value if is_simple(value) else self.give(value, hint)

    def give(self, value: Value, hint: str = "v") -> Name:
        """Assign a value to a new name."""
        name = self.writer.fresh(hint)
        self.note_level(name)
        self.writer.assign(name, value)
        return name

    def note_level(self, name: Name) -> Name:
        """Record the open loop or branch as the level of a new name."""
        self._levels[name] = self._level
        return name

    def _level_of(self, name: Value) -> int:
        known = self._levels.get(name)
        return known if known is not None else self._level if self._is_new(name) else 0

    def _is_new(self, value: Value) -> bool:
        """Return whether this name was made inside the current `together`."""
        number = value.id.rpartition("_")[2] if isinstance(value, Name) else ""
        return number.isdigit() and int(number) > self._before

    def _outside(self, level: int, expr: Expr | None = None) -> int | None:
        """Return the index of the scope around the outermost loop that changes nothing the formula needs.

        For a value that is computed on demand, the search ends at its own scope.
        """
        outside = None
        for place in range(len(self._scopes) - 1, max(self._inner, 1) - 1, -1):
            scope = self._scopes[place]
            if scope.level <= level or self._changed(scope, expr):
                break
            if scope.is_loop:
                outside = place - 1
        return outside

    def _changed(self, scope: Scope, expr: Expr | None) -> bool:
        return bool(scope.changes) and expr is not None and not scope.changes.isdisjoint(self._reads(expr))

    def _known(self, expr: Expr, like: Any) -> Known | None:
        """Return a value that has been computed and is still valid, or None."""
        for scope in reversed(self._scopes):
            if like in scope.known:
                return scope.known[like]
            if self._changed(scope, expr):
                return None
        return None

    def forget(self, changed: frozenset[str]) -> None:
        """Drop values that read these families of piles and of state."""
        for scope in self._scopes:
            scope.known = {like: k for like, k in scope.known.items() if not self._reads(k.expr) & changed}

    def forget_all(self) -> None:
        for scope in self._scopes:
            scope.known = {}

    def _insert(self, statements: list[Statement], outer: int) -> None:
        """Put statements before the loop or branch that is open in a scope."""
        scope = self._scopes[outer]
        scope.body[scope.place : scope.place] = statements
        scope.place += len(statements)
