"""Writes formulas into functions: `Program` holds the functions of a game, `Emitter` writes one of them.

Formulas are pure and total, so a part may be computed earlier than it stands. It is guarded by an `if` only if the
work might be wasted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hoyle.compiling import code
from hoyle.compiling.code import FALSE, TRUE, Function, Name, Return, Role, Statement, Value, is_simple
from hoyle.compiling.python import column_text, define, tabulate
from hoyle.compiling.writer import Known, Lines, Scope, Scopes, Writer
from hoyle.language.ir import NO_NUMBER, Const, Expr, Instance, Local, TermCall, Var
from hoyle.language.step_analysis import list_reads
from hoyle.language.vocabulary import WORDS
from hoyle.passes.columns import Columns
from hoyle.passes.fold import Fold
from hoyle.passes.loops import subset_sums
from hoyle.passes.subformulas import COSTLY, HEAVY, Analysis
from hoyle.printable import in_code
from hoyle.running.hit_counts import Watch

Write = Callable[["Emitter", Expr], Value]
Prepare = Callable[["Emitter", Expr], None]


class Program:
    """The functions and constants of one game while it is compiled.

    `write` lowers a formula. `prepare` writes the values that must be computed before a formula.
    """

    def __init__(
        self, attributes: dict[str, tuple[Any, ...]], constants: dict[str, Any], write: Write, prepare: Prepare
    ) -> None:
        self.attributes, self.write, self.prepare = dict(attributes), write, prepare
        self.namespace: dict[str, Any] = dict(constants)
        self.watch: Watch | None = None
        """Counts the conditions and steps that are reached, if requested."""
        self.functions: list[Function] = []
        self.parts = Analysis()
        self.shared: dict[Any, str] = {}
        """Functions that several steps call, by the formulas they compute."""
        self._fold, self._columns = Fold(self.attributes, self.parts), Columns(self.parts, self._made)
        self.line_of = Lines()
        self._folded: dict[int, tuple[Expr, Expr]] = {}
        self._names: dict[Any, Name] = {}
        self._instances: dict[int, str] = {}
        self._sizes: dict[int, int] = {}
        self._reads: dict[int, tuple[Expr, frozenset[str]]] = {}
        self._functions: dict[tuple[str, ...], str] = {}
        for name, word in WORDS.items():
            if not word.emit:
                self.namespace[f"w_{name}"] = word.apply

    def fold(self, expr: Expr) -> Expr:
        """Return the simplified formula. It has the same value."""
        known = self._folded.get(id(expr))
        if known is None:
            found = self._columns(self._fold(expr))
            self._folded[id(found)] = (found, found)
            known = self._folded[id(expr)] = (expr, found)
        return known[1]

    def _made(self, expr: Expr, one: Var, table: str) -> str | None:
        """Tabulate a formula of one variable as a column. The text of the formula is the name of the column."""
        writer = Writer()
        emitter = Emitter(self, writer, {one: Name("i")}, expr.span.source.name)
        with emitter.together():
            writer.put(Return(self.write(emitter, expr)))
        name = column_text(writer.body)
        if name not in self.attributes:
            found = tabulate(name, len(self.attributes[table]) - 1, self.namespace)
            if max(map(abs, found[:-1]), default=0) >= -NO_NUMBER:
                return None
            self.attributes[name] = (*found[:-1], found[-1] if abs(found[-1]) < -NO_NUMBER else NO_NUMBER)
        return name

    def constant(self, value: Any, hint: str = "K") -> Name:
        """Return the global name of a constant."""
        key = (hint, value)
        if key not in self._names:
            name = self._names[key] = Name(f"{hint}_{len(self._names)}")
            self.namespace[name.id] = value
        return self._names[key]

    def function(
        self, name: str, parameters: tuple[str, ...], span: Any, writer: Writer, role: Role = "value", label: int = -1
    ) -> None:
        """Add a function whose body is the writer's."""
        line = self.line_of(span)
        self.functions.append(Function(name, parameters, span.source.name, line, writer.body, role, label))

    def instance(self, instance: Instance) -> str:
        """Return the name of the function of a term."""
        name = self._instances.get(id(instance))
        if name is None:
            name = self._instances[id(instance)] = f"t{len(self._instances)}_{in_code(instance.name)}"
            self._define(name, instance)
        return name

    def column(self, instances: tuple[Instance, ...]) -> str:
        """Return the name of a column, which is the list of its rows' functions."""
        functions = tuple(self.instance(i) for i in instances)
        return self._functions.setdefault(functions, f"G_{len(self._functions)}")

    def columns(self) -> dict[str, tuple[str, ...]]:
        """Return the function names of each column."""
        return {name: functions for functions, name in self._functions.items()}

    def define(self) -> str:
        """Define all functions in the namespace. Returns their text."""
        text = define(self.functions, self.namespace)
        for name, functions in self.columns().items():
            self.namespace[name] = [self.namespace[f] for f in functions]
        return text

    def _define(self, name: str, instance: Instance) -> None:
        writer = Writer()
        own = [f"p{n}" for n in range(len(instance.parameters))]
        names: dict[Var, Value] = dict(zip(instance.parameters, map(Name, own), strict=True))
        names[instance.me] = code.ME
        emitter = Emitter(self, writer, names, instance.body.span.source.name)
        with emitter.together():
            self.prepare(emitter, instance.body)
            writer.put(Return(emitter.write_watched(instance.body)))
        self.function(name, ("P", "C", "me", *own), instance.body.span, writer)

    def reads(self, expr: Expr) -> frozenset[str]:
        """Return the families of piles and state that a formula reads."""
        key = id(expr)
        if key not in self._reads:
            self._reads[key] = (expr, list_reads(expr))
        return self._reads[key][1]

    def size(self, expr: Expr) -> int:
        """Return the number of nodes of a formula with its terms inlined."""
        key = id(expr)
        if key not in self._sizes:
            own = 1 + sum(self.size(a) for a in expr.args)
            self._sizes[key] = own + (self.size(self.fold(expr.instance.body)) if isinstance(expr, TermCall) else 0)
        return self._sizes[key]


class Emitter(Scopes):
    """Writes formulas into one function. `names` holds the value of each variable there.

    Loop invariants are computed before the loop: at once if they are cheap or certainly needed, else on demand. Costly
    values that occur twice are computed once. Both are valid only while nothing changes: for one formula, or for
    everything that is written `together`.
    """

    def __init__(self, program: Program, writer: Writer, names: dict[Var, Value], file: str) -> None:
        super().__init__(writer, program.reads)
        self.program, self.names, self.file = program, names, file
        self._sums: set[Var] = set()

    def __call__(self, expr: Expr) -> Value:
        self.writer.origin = self._line(expr)
        plain = self.program.fold(expr)
        if isinstance(plain, Const | Local) and not self._sums:
            return self.program.write(self, plain)
        if self._scopes:
            return self._shared(plain) or self.program.write(self, plain)
        with self.together():
            return self._shared(plain) or self.program.write(self, plain)

    def write_watched(self, expr: Expr, written: Expr | None = None) -> Value:
        """Return the value of a condition or term, counted if the machine is watched.

        `written` is the formula as it stands in the ruleset.
        """
        value, watch = self(expr), self.program.watch
        if watch is None:
            return value
        span = (written or expr).span
        if value is TRUE or value is FALSE:
            watch.settle(span, value is TRUE)
            return value
        return code.call("HELD" if expr.type.name == "bool" else "CAME", watch.number(span), value)

    def _line(self, expr: Expr) -> int:
        return self.program.line_of(expr.span) if expr.span.source.name == self.file else self.writer.origin

    # ---- scopes ------------------------------------------------------------------------------------------------------

    @contextmanager
    def loop(self, items: Expr, var: Var) -> Iterator[None]:
        """Write a loop over a list, with a new name for the variable."""
        listed = self(items)
        name = self.names[var] = self.writer.fresh(var.name)
        self.begin(code.For(name, listed, []), name)
        yield
        self.end()

    @contextmanager
    def loop_in_any_order(self, items: Expr, var: Var, *inside: Expr) -> Iterator[None]:
        """Write a loop whose result does not depend on the order of items.

        If only the sum of each subset is needed, the sums are computed instead of the subsets.
        """
        summed = subset_sums(self.program.fold(items), var, [self.program.fold(e) for e in inside], self.program.parts)
        if summed is None:
            with self.loop(items, var):
                yield
            return
        sums, total = self.give(code.List((code.number(0),)), "sums"), self.writer.fresh("total")
        with self.loop(summed.items, summed.var):
            more = code.Binary(total, "+", self.write_named(summed.worth))
            self.writer.put(code.Add(sums, code.Comprehension(more, total, sums)))
        self.begin(code.For(total, sums, []), total)
        self.names[var] = total
        self._sums.add(var)
        self._scopes[-1].known[self.program.parts.key(summed.sum, self.names.get)] = Known(summed.sum, total)
        yield
        self.end()

    def aside(self, expr: Expr) -> tuple[Value, list[Statement]]:
        """Return a value that may not be needed, and the statements it needs, which are not put yet."""
        return self._apart(lambda: self(expr))

    # ---- named values ------------------------------------------------------------------------------------------------

    def write_named(self, expr: Expr, hint: str = "v") -> Value:
        """Return the value of a formula under a name, so that it can be repeated."""
        return self.name(self(expr), hint)

    def write_operand(self, expr: Expr) -> Value:
        """Return the value of a term's argument under a name, computed as far outside of loops as possible."""
        plain = self.program.fold(expr)
        if isinstance(plain, Const) or (
            isinstance(plain, Local) and plain.var in self.names and is_simple(self.names[plain.var])
        ):
            return self.program.write(self, plain)
        with self.together():
            return self._shared(plain, 0) or self.write_named(plain)

    def _shared(self, expr: Expr, least: int = 1) -> Value | None:
        """Return the name of a value that is known, hoisted out of a loop, or likely to be needed again; else None."""
        weight = self.program.parts.weight(expr)
        asked = bool(self._sums) and not self._sums.isdisjoint(self.program.parts.shape(expr)[1])
        if weight < least and not asked:
            return None
        outer = self._outside(self._needs(expr), expr) if self.in_loop else None
        again = weight >= HEAVY and isinstance(expr, COSTLY)
        kept = outer is not None or again or not least
        if not kept and not asked:
            return None
        like = self.program.parts.key(expr, self.names.get)
        known = self._known(expr, like)
        if known is not None and known.done is None:
            return known.name
        if outer is None:
            return self._keep(expr, like) if kept else None
        sure = all(scope.is_loop for scope in self._scopes[outer + 1 :])
        if sure or (weight < HEAVY and self.program.parts.certain(expr)):
            return self._before_loop(expr, like, outer)
        return self._compute_on_demand(expr, like, outer, known) if weight >= HEAVY else None

    def note_value(self, expr: Expr, name: Value) -> None:
        """Register a name as the value of a formula."""
        self._scopes[-1].known[self.program.parts.key(expr, self.names.get)] = Known(expr, name)

    def _needs(self, expr: Expr) -> int:
        """Return the level of the innermost scope that defines a name which the formula needs."""
        found = 0
        for var in self.program.parts.shape(expr)[1]:
            name = self.names.get(var)
            if name is not None:
                found = max(found, self._level_of(name))
            elif var.value is not None:
                found = max(found, self._needs(var.value))
        return found

    def _keep(self, expr: Expr, like: Any) -> Value:
        name = self.name(self.program.write(self, expr))
        if self._is_new(name):
            self._levels.setdefault(name, self._level)
        self._scopes[-1].known[like] = Known(expr, name)
        return name

    def _before_loop(self, expr: Expr, like: Any, outer: int) -> Value:
        inner, begun, scope = self._scopes, self._inner, self._scopes[outer]
        self._inner = 0
        with self.writer.aside() as statements:
            self._scopes = [*inner[: outer + 1], Scope(statements, scope.level, False, 0, scope.known)]
            name = self._keep(expr, like)
        self._scopes, self._inner = inner, begun
        self._insert(statements, outer)
        return name

    def _compute_on_demand(self, expr: Expr, like: Any, outer: int, known: Known | None) -> Value:
        """Compute a value the first time it is needed."""
        inner, self._inner = self._inner, len(self._scopes)
        value, statements = self._apart(lambda: self.program.write(self, expr))
        self._inner = inner
        if not statements and is_simple(value):
            return value
        if known is None or known.done is None:
            name, done = self.writer.fresh("v"), self.writer.fresh("done")
            known = self._scopes[outer].known[like] = Known(expr, name, done)
            self._insert([code.Assign(done, FALSE, origin=self.writer.origin)], outer)
        assert known.done is not None
        with self.test(code.Not(known.done)):
            self.writer.insert(statements)
            self.writer.assign(known.name, value)
            self.writer.assign(known.done, TRUE)
        self._scopes[-1].known[like] = Known(expr, known.name)
        self._levels[known.name] = self._level
        return known.name
