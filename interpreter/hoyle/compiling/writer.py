"""Where statements are written: the list that is open, the loops and branches around it, and the values that have a name in each of them."""

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
    """The body of one function. `origin` is the ruleset's line that the next statement belongs to."""

    def __init__(self, origin: int = 1) -> None:
        self.body: list[Statement] = []
        self.open, self.origin, self.names = self.body, origin, 0
        self._around: list[list[Statement]] = []

    def put(self, *statements: Statement) -> None:
        for statement in statements:
            statement.origin = self.origin
        self.open += statements

    def insert(self, statements: list[Statement]) -> None:
        """Puts statements that were written aside, with their own lines."""
        self.open += statements

    def assign(self, target: Value, value: Value) -> None:
        self.put(code.Assign(target, value))

    def empty_loop(self) -> code.For | None:
        """The loop that has just been put, if it is open and nothing stands in it yet."""
        last = self._around[-1][-1] if self._around and not self.open and self._around[-1] else None
        return last if isinstance(last, code.For) and last.body is self.open else None

    def fresh(self, hint: str = "v") -> Name:
        self.names += 1
        return Name(f"{in_code(hint)}_{self.names}")

    def enter(self, body: list[Statement]) -> None:
        """Continues in the body of a statement, until `leave`."""
        self._around.append(self.open)
        self.open = body

    def leave(self) -> None:
        self.open = self._around.pop()

    @property
    def depth(self) -> int:
        """How many loops and branches are open."""
        return len(self._around)

    @contextmanager
    def block(self, head: code.If | code.For | code.Forever) -> Iterator[None]:
        """Puts a loop or branch; what is written inside is its body."""
        self.put(head)
        self.enter(head.body)
        yield
        self.leave()

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Writes the other side of the branch that was put last."""
        last = self.open[-1]
        assert isinstance(last, code.If)
        self.enter(last.otherwise)
        yield
        self.leave()

    @contextmanager
    def aside(self) -> Iterator[list[Statement]]:
        """Keeps what is written inside aside, to be inserted or dropped."""
        inner: list[Statement] = []
        self.enter(inner)
        yield inner
        self.leave()


class Lines:
    """Line numbers of spans, remembered by source: counting newlines each time would be slow."""

    def __init__(self) -> None:
        self._starts: dict[int, list[int]] = {}

    def __call__(self, span: Span) -> int:
        key = id(span.source)
        if key not in self._starts:
            lines = span.source.text.split("\n")
            self._starts[key] = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return bisect_right(self._starts[key], span.start)


class Scope(Struct):
    """A loop or branch that is open while a formula is written; the first is where it begins.

    Values that are computed before the loop or branch inside it go into `body`, at `place`; `known` are those that have a name here.
    `level` counts the scopes around it; `changes` are the families of piles and of state that the steps of a loop change."""

    body: list[Statement]
    level: int
    is_loop: bool
    place: int = 0
    known: dict[Any, Known] = {}
    changes: frozenset[str] = frozenset()


class Known(Struct, frozen=True):
    """The name of a value, and the name of what says whether it has been computed, if that is not certain."""

    expr: Expr
    name: Value
    done: Name | None = None


class Scopes:
    """Opens and closes loops and conditions, and keeps the level that each name belongs to. `reads` says which families a formula reads."""

    def __init__(self, writer: Writer, reads: Reads) -> None:
        self.writer, self._reads = writer, reads
        self._scopes: list[Scope] = []
        self._levels: dict[Value, int] = {}
        self._before = 0
        self._inner = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """Inside, piles and cells stay as they are, so formulas share values."""
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
        """Puts the head of a condition, or of a loop that binds these names; `end` ends it. `changes`: what steps in the loop change."""
        self.writer.put(head)
        self.writer.enter(head.body)
        self._open(isinstance(head, code.For), -1)
        if self._scopes and changes:
            self._scopes[-1].changes = changes
        self._levels.update(dict.fromkeys(bound, self._level))

    def begin_otherwise(self) -> None:
        """Begins the other side of the branch that was put last; `end` ends it."""
        last = self.writer.open[-1]
        assert isinstance(last, code.If)
        self.writer.enter(last.otherwise)
        self._open(False, -1)

    def end(self) -> None:
        self.writer.leave()
        if self._scopes:
            self._scopes.pop()

    def collapse(self, statement: Statement) -> None:
        """Replaces the loop that has just begun."""
        self.writer.leave()
        self.writer.open.pop()
        self._scopes = self._scopes[:-1]
        self.writer.put(statement)

    def _open(self, is_loop: bool, place: int = 0) -> None:
        """`place`: -1 if the statement whose body is opened has been put, so that its values go before it."""
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
        """Writes what is inside under the condition: without it if it always holds, not at all if it never does."""
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
        """The value that `write` gives inside a loop that binds these names and is still to be put, and the statements it needs there."""
        with self.writer.aside() as statements:
            self._open(True)
            self._levels.update(dict.fromkeys(bound, self._level))
            value = write()
            self._scopes.pop()
        return value, statements

    def hoist(self, value: Value, *names: Value) -> Value:
        """A cheap value of nothing but these names, computed before all loops that do not bind them."""
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
        """A value that may be repeated: a name for it, unless it is one or a literal."""
        return value if is_simple(value) else self.give(value, hint)

    def give(self, value: Value, hint: str = "v") -> Name:
        """A new name for a value."""
        name = self.writer.fresh(hint)
        self.note_level(name)
        self.writer.assign(name, value)
        return name

    def note_level(self, name: Name) -> Name:
        """Notes that a name has just been given in the loop or branch that is open."""
        self._levels[name] = self._level
        return name

    def _level_of(self, name: Value) -> int:
        known = self._levels.get(name)
        return known if known is not None else self._level if self._is_new(name) else 0

    def _is_new(self, value: Value) -> bool:
        """Was this name given since what is written together began?"""
        number = value.id.rpartition("_")[2] if isinstance(value, Name) else ""
        return number.isdigit() and int(number) > self._before

    def _outside(self, level: int, expr: Expr | None = None) -> int | None:
        """The place among the scopes of the one around the outermost loop that changes nothing the formula needs. A value that is
        computed on demand looks no further."""
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
        """A value that has been computed and still holds."""
        for scope in reversed(self._scopes):
            if like in scope.known:
                return scope.known[like]
            if self._changed(scope, expr):
                return None
        return None

    def forget(self, changed: frozenset[str]) -> None:
        """Drops values that read these families of piles and of state."""
        for scope in self._scopes:
            scope.known = {like: k for like, k in scope.known.items() if not self._reads(k.expr) & changed}

    def forget_all(self) -> None:
        for scope in self._scopes:
            scope.known = {}

    def _insert(self, statements: list[Statement], outer: int) -> None:
        """Puts statements before the loop or branch that is open in a scope."""
        scope = self._scopes[outer]
        scope.body[scope.place : scope.place] = statements
        scope.place += len(statements)
