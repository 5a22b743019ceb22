"""Writing Python: lines that remember which line of which ruleset they come from, and code objects made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from interpreter.diagnostics import Span


@dataclass(slots=True)
class Line:
    indent: int
    text: str
    origin: int


@dataclass(slots=True)
class Writer:
    """The body of one function. `origin` is the ruleset's line that the next written line belongs to."""

    lines: list[Line] = field(default_factory=list)
    indent: int = 1
    origin: int = 1
    names: int = 0

    def put(self, text: str) -> None:
        self.lines.append(Line(self.indent, text, self.origin))

    def fresh(self, hint: str = "v") -> str:
        self.names += 1
        return f"{hint}_{self.names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head:` and what is written inside it, indented; `pass` if nothing is."""
        self.put(head)
        self.indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.put("pass")
        self.indent -= 1

    @contextmanager
    def aside(self) -> Iterator[list[Line]]:
        """What is written inside is kept aside, to be `insert`ed or dropped."""
        kept, self.lines = self.lines, []
        inner = self.lines
        yield inner
        self.lines = kept

    def insert(self, lines: list[Line], deeper: int = 0) -> None:
        for line in lines:
            line.indent += deeper
        self.lines += lines


@dataclass(slots=True)
class Function:
    """A function to be: its file says where its lines stand."""

    name: str
    parameters: str
    file: str
    line: int
    writer: Writer


class Lines:
    """Line numbers of spans, remembered per source: counting newlines anew for each would be slow."""

    def __init__(self) -> None:
        self._starts: dict[int, list[int]] = {}

    def __call__(self, span: Span) -> int:
        from bisect import bisect_right

        key = id(span.source)
        if key not in self._starts:
            text = span.source.text
            self._starts[key] = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]
        return bisect_right(self._starts[key], span.start)


def assemble(functions: list[Function], namespace: dict[str, Any]) -> None:
    """Compile the functions file by file, with the places of the rulesets, and define them in the namespace."""
    for file in dict.fromkeys(f.file for f in functions):
        own = [f for f in functions if f.file == file]
        exec(_code(own, file), namespace)


def _code(functions: list[Function], file: str) -> CodeType:
    text: list[str] = []
    origins: list[int] = []
    for function in functions:
        text.append(f"def {function.name}({function.parameters}):")
        origins.append(function.line)
        for line in function.writer.lines:
            text.append("    " * line.indent + line.text)
            origins.append(line.origin)
    tree = ast.parse("\n".join(text) + "\n")
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = origins[node.lineno - 1]
            node.end_lineno = node.lineno
            node.col_offset = node.end_col_offset = 0
    return compile(tree, file, "exec")


def source(functions: list[Function]) -> str:
    """The Python text, for reading and tests."""
    found = []
    for function in functions:
        found.append(f"def {function.name}({function.parameters}):  # {function.file}:{function.line}")
        found += [f"{'    ' * line.indent}{line.text}" for line in function.writer.lines]
    return "\n".join(found) + "\n"
