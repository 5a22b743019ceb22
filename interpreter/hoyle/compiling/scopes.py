"""The loops and branches that are open while formulas are written into a function, and what has been worked out in each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from hoyle.compiling.code import Line, Writer
from hoyle.language.ir import Expr

_SIMPLE = re.compile(r"-?\w+\Z")
Reads = Callable[[Expr], frozenset[str]]


def is_simple(text: str) -> bool:
    """Is it a name or a number, that may be written twice?"""
    return _SIMPLE.match(text) is not None


class Scope(Struct):
    """One of the loops and branches that are open while a formula is written; the first is where it begins.

    Into `lines`, at `place`, goes what is worked out before the loop or branch inside it; `known` is what has a name here. `level` counts
    the scopes around it."""

    lines: list[Line]
    indent: int
    level: int
    loop: bool
    place: int = 0
    known: dict[Any, Known] = {}
    changes: frozenset[str] = frozenset()
    """Of a loop of steps: the families of piles and of state that they change."""


class Known(Struct, frozen=True):
    """The name of a part's value, and the name of what says whether it has been worked out, if that is not certain."""

    expr: Expr
    name: str
    done: str = ""


class Scopes:
    """Heads of loops and conditions, names and the levels they belong to. `reads` says which families a formula looks at."""

    def __init__(self, writer: Writer, reads: Reads) -> None:
        self.writer, self._reads = writer, reads
        self._scopes: list[Scope] = []
        self._levels: dict[str, int] = {}
        self._before = 0
        self._inner = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written inside finds piles and cells as they are now."""
        if self._scopes:
            yield
            return
        self._levels, self._before = {}, self.writer.names
        self._scopes = [Scope(self.writer.lines, self.writer.indent, 0, False)]
        yield
        self._scopes = []

    def begin(self, head: str, *bound: str, changes: frozenset[str] = frozenset()) -> None:
        """The head of a loop that binds these names, or of a condition; `end` ends it. `changes`: what steps in the loop change."""
        loop = head.startswith("for ")
        self.writer.put(head)
        self.writer.indent += 1
        self._open(loop, len(self.writer.lines) - 1)
        if self._scopes and changes:
            self._scopes[-1].changes = changes
        self._levels.update(dict.fromkeys(bound, self._level))

    def end(self) -> None:
        if self.writer.lines[-1].indent < self.writer.indent:
            self.writer.put("pass")
        self.writer.indent -= 1
        if self._scopes:
            self._scopes.pop()

    def collapse(self, text: str) -> None:
        """Instead of the loop that has just begun, this."""
        self.writer.lines.pop()
        self.writer.indent -= 1
        self._scopes = self._scopes[:-1]
        self.writer.put(text)

    def _open(self, loop: bool, place: int) -> None:
        if self._scopes:
            self._scopes[-1].place = place
            self._scopes.append(Scope(self.writer.lines, self.writer.indent, self._level + 1, loop))

    @property
    def in_loop(self) -> bool:
        return any(scope.loop for scope in self._scopes)

    @property
    def _level(self) -> int:
        return self._scopes[-1].level if self._scopes else 0

    @contextmanager
    def test(self, condition: str) -> Iterator[None]:
        """What is written inside is done if the condition holds; one that always does is not written, nor what is never done."""
        if condition == "True":
            yield
        elif condition == "False":
            with self.writer.aside():
                if self._scopes:
                    self._open(False, len(self._scopes[-1].lines))
                yield
                self._scopes = self._scopes[:-1]
        else:
            self.begin(f"if {condition}:")
            yield
            self.end()

    def per(self, write: Callable[[], str], *bound: str) -> tuple[str, list[Line]]:
        """What `write` writes inside a loop that binds these names and is still to be put, and the statements it needs there."""
        with self.writer.aside() as lines:
            self._open(True, len(self._scopes[-1].lines))
            self._levels.update(dict.fromkeys(bound, self._level))
            found = write()
            self._scopes.pop()
        return found, lines

    def fixed(self, text: str, *names: str) -> str:
        """A cheap value of nothing but these names, before all loops that do not bind them."""
        outer = self._outside(max(map(self._level_of, names)))
        if outer is None:
            return text
        found = self.writer.fresh("v")
        self._levels[found] = self._scopes[outer].level
        self._insert([Line(self._scopes[outer].indent, f"{found} = {text}", self.writer.origin)], outer)
        return found

    def _apart(self, write: Callable[[], str]) -> tuple[str, list[Line]]:
        with self.writer.aside() as lines:
            self._open(False, len(self._scopes[-1].lines))
            found = write()
            self._scopes.pop()
        return found, lines

    def name(self, text: str, hint: str = "v") -> str:
        return text if is_simple(text) else self.give(text, hint)

    def give(self, text: str, hint: str = "v") -> str:
        """A new name for it."""
        found = self.own(self.writer.fresh(hint))
        self.writer.put(f"{found} = {text}")
        return found

    def own(self, name: str) -> str:
        """A name that has just been given in the loop or branch that is open."""
        self._levels[name] = self._level
        return name

    def _level_of(self, name: str) -> int:
        known = self._levels.get(name)
        return known if known is not None else self._level if self._is_new(name) else 0

    def _is_new(self, name: str) -> bool:
        """Was this name given since what is written together began?"""
        number = name.rpartition("_")[2]
        return number.isdigit() and int(number) > self._before

    def _outside(self, level: int, expr: Expr | None = None) -> int | None:
        """The place among the scopes of the one around the outermost loop that changes nothing it needs. What is only worked out when
        it is needed looks no further."""
        found = None
        for place in range(len(self._scopes) - 1, max(self._inner, 1) - 1, -1):
            scope = self._scopes[place]
            if scope.level <= level or self._changed(scope, expr):
                break
            if scope.loop:
                found = place - 1
        return found

    def _changed(self, scope: Scope, expr: Expr | None) -> bool:
        return bool(scope.changes) and expr is not None and not scope.changes.isdisjoint(self._reads(expr))

    def _found(self, expr: Expr, like: Any) -> Known | None:
        """What has been worked out and is still so."""
        for scope in reversed(self._scopes):
            if like in scope.known:
                return scope.known[like]
            if self._changed(scope, expr):
                return None
        return None

    def forget(self, changed: frozenset[str]) -> None:
        """These families of piles and of state are not as they were."""
        for scope in self._scopes:
            scope.known = {like: k for like, k in scope.known.items() if not self._reads(k.expr) & changed}

    def forget_all(self) -> None:
        """Nothing may be as it was."""
        for scope in self._scopes:
            scope.known = {}

    def _insert(self, lines: list[Line], outer: int) -> None:
        scope = self._scopes[outer]
        scope.lines[scope.place : scope.place] = lines
        for other in self._scopes[outer:]:
            if other.lines is scope.lines:
                other.place += len(lines)
