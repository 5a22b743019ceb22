"""Writing formulas into functions: the program they belong to, and the one that writes.

Formulas are pure and total, so a part may be computed earlier than it stands; only what would be wasted is put under an `if`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from interpreter.compiling.code import Function, Line, Lines, Writer, assemble
from interpreter.language.ir import Expr, Instance, TermCall, Var
from interpreter.language.simplify import simplify
from interpreter.language.vocabulary import WORDS

_SIMPLE = re.compile(r"-?\w+\Z")
Write = Callable[["Emitter", Expr], str]


class Program:
    """The functions and constants of one game while it is compiled. `write` says how each form is written."""

    def __init__(self, attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any], write: Write) -> None:
        self.attributes, self.write = attributes, write
        self.namespace: dict[str, Any] = dict(constants)
        self.functions: list[Function] = []
        self.line_of = Lines()
        self._names: dict[Any, str] = {}
        self._instances: dict[int, str] = {}
        self._sizes: dict[int, int] = {}
        self._columns: dict[tuple[str, ...], str] = {}
        for name, word in WORDS.items():
            if not word.emit:
                self.namespace[f"w_{name}"] = word.apply

    def constant(self, value: Any, hint: str = "K") -> str:
        """The global name of a constant."""
        key = (hint, value)
        if key not in self._names:
            self._names[key] = f"{hint}_{len(self._names)}"
            self.namespace[self._names[key]] = value
        return self._names[key]

    def function(self, name: str, parameters: str, span: Any, writer: Writer) -> None:
        """What is written becomes a function."""
        self.functions.append(Function(name, parameters, span.source.name, self.line_of(span), writer))

    def instance(self, instance: Instance) -> str:
        """The function of a term or cell."""
        name = self._instances.get(id(instance))
        if name is None:
            name = self._instances[id(instance)] = (
                f"t{len(self._instances)}_{re.sub(r'[^0-9A-Za-z_]', '_', instance.name)}"
            )
            self._define(name, instance)
        return name

    def column(self, instances: tuple[Instance, ...]) -> str:
        """The list of the functions of a column, one for each row."""
        functions = tuple(self.instance(i) for i in instances)
        return self._columns.setdefault(functions, f"G_{len(self._columns)}")

    def assemble(self) -> None:
        """Define all functions in the namespace."""
        for empty in (f for f in self.functions if not f.writer.lines):
            empty.writer.put("pass")
        assemble(self.functions, self.namespace)
        for functions, name in self._columns.items():
            self.namespace[name] = [self.namespace[f] for f in functions]

    def _define(self, name: str, instance: Instance) -> None:
        writer = Writer()
        names = {var: f"p{i}" for i, var in enumerate(instance.parameters)}
        names[instance.me] = "me"
        emitter = Emitter(self, writer, names, instance.body.span.source.name)
        writer.put(f"return {emitter(instance.body)}")
        parameters = ", ".join(["P", "C", "me", *(f"p{i}" for i in range(len(instance.parameters)))])
        self.function(name, parameters, instance.body.span, writer)

    def size(self, expr: Expr) -> int:
        """How many parts a formula has with its terms unfolded."""
        key = id(expr)
        if key not in self._sizes:
            own = 1 + sum(self.size(a) for a in expr.args)
            self._sizes[key] = own + (self.size(expr.instance.body) if isinstance(expr, TermCall) else 0)
        return self._sizes[key]


class Hoist(Struct):
    """Where what does not change inside loops is computed before them: a place in some lines, and what is known there."""

    lines: list[Line]
    place: int
    indent: int
    fixed: frozenset[str]
    known: dict[tuple[object, ...], str] = {}


class Emitter:
    """Writes formulas into one function. `names` says what each variable is called there."""

    def __init__(self, program: Program, writer: Writer, names: dict[Var, str], file: str) -> None:
        self.program, self.writer, self.names, self.file = program, writer, names, file
        self.hoist: Hoist | None = None

    def begin_loops(self, *fixed: str) -> None:
        """From here on terms of nothing but these names are computed once, here, however deep in loops they stand."""
        self.hoist = Hoist(self.writer.lines, len(self.writer.lines), self.writer.indent, frozenset(fixed))

    def __call__(self, expr: Expr) -> str:
        self.writer.origin = self._line(expr)
        plain = simplify(expr, self.program.attributes)
        return self.program.write(self, plain)

    def _line(self, expr: Expr) -> int:
        return self.program.line_of(expr.span) if expr.span.source.name == self.file else self.writer.origin

    def named(self, expr: Expr, hint: str = "v") -> str:
        """The value under a name, so that it may be used twice."""
        return self.name(self(expr), hint)

    def name(self, text: str, hint: str = "v") -> str:
        if _SIMPLE.match(text):
            return text
        found = self.writer.fresh(hint)
        self.writer.put(f"{found} = {text}")
        return found

    def aside(self, expr: Expr) -> tuple[str, list[Line]]:
        """The value, and the statements it needs, kept aside."""
        with self.writer.aside() as lines:
            found = self(expr)
        return found, lines

    def loop(self, expr: Expr, var: Var) -> str:
        """The head of a loop over a list; the variable gets a name of its own."""
        items = self(expr)
        self.names[var] = self.writer.fresh(re.sub(r"\W", "_", var.name))
        return f"for {self.names[var]} in {items}:"
