"""Writing Python: lines that remember which line of which ruleset they come from, and code objects made of them.

Generated code is meant to be read, but is long; what it says often has a short name:

    s           the state (`running.state.Core`); P its piles, C its cells (state, then registers)
    a           an action: the number of its move, then its bindings; acts, late the legal ones, and those that are faults
    me          whoever acts; in a term, a weight or a settler a parameter
    b7 a7 e7    the block 7, the function that does an action of decision 7, and what it does when players decide together
    L7          while blocks are written: the block 7, before jumps are linked
    settle_2    tries the rules that act by themselves; fired says whether one of them did
    weigh_7_0   what an action of decision 7 is worth to obligation 0
    each_7      gives the actions of decision 7 one by one; c7 does one to piles that are another state's, too (`idioms`)
    rows_0      the points that each row of a table gives, where many formulas have much in common
    t3_name     a term for one set of kinds; its parameters are p0, p1, …
    w_name      a word that is a call (`language.vocabulary`); verbs are called by their names (`running.verbs`)
    A_4 F_5 …   constants: a table of attributes (A), the piles of a family (F), a range or rows (R), functions of a column (G),
                a kind (K), TALLY and GUARD (`running.verbs`) and AIM (`running.lookahead`)
    f, t, card  where a move's piece comes from and goes to, and the piece
    done_7      says whether a value that is only worked out when it is needed has been
    name_5      any other value, named after what it is
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from types import CodeType
from typing import Any

from msgspec import Struct

from hoyle.compiling.linetable import placed
from hoyle.diagnostics import Span
from hoyle.language.ir import ABSENT
from hoyle.printable import file_in_code, in_code


class Line(Struct):
    indent: int
    text: str
    origin: int


class Writer(Struct):
    """The body of one function. `origin` is the ruleset's line that the next written line belongs to."""

    lines: list[Line] = []
    indent: int = 1
    origin: int = 1
    names: int = 0

    def put(self, text: str) -> None:
        self.lines.append(Line(self.indent, text, self.origin))

    def fresh(self, hint: str = "v") -> str:
        self.names += 1
        return f"{in_code(hint)}_{self.names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head:` and what is written inside it, indented; `pass` if nothing is."""
        self.put(head)
        self.indent += 1
        yield
        if self.lines[-1].indent < self.indent:
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


class Function(Struct):
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
        key = id(span.source)
        if key not in self._starts:
            lines = span.source.text.split("\n")
            self._starts[key] = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return bisect_right(self._starts[key], span.start)


OPENING = "P = s.piles; C = s.cells"
"""What a block begins with."""
_TARGET = re.compile(r"\bL(\d+)\b")
_LONGEST = 300
_MOST_REPEATED = 10_000
"""How many lines, in all, are written again where only another block goes on to them."""


def link(functions: list[Function]) -> None:
    """A block that only one other goes on to is appended to it, and a short one to all that go on to it.

    A jump is written `return L12`; afterwards `return 12`. Every block stays callable, since a position may begin at it."""
    for function in functions:
        _cut(function.writer.lines)
    blocks = {int(f.name[1:]): f for f in functions if f.name[:1] == "b" and f.name[1:].isdigit()}
    _append(functions, blocks, _references(_jumping(functions)))
    resolve(functions)


def _jumping(functions: list[Function]) -> list[Function]:
    return [f for f in functions if any("return" in line.text and _TARGET.search(line.text) for line in f.writer.lines)]


def resolve(functions: list[Function]) -> None:
    """Jumps become the numbers of the blocks that they go to; behind a block that only goes on to another, of that."""
    onward = {int(f.name[1:]): to for f in functions if f.name[:1] == "b" and (to := _only_jump(f)) is not None}

    def found(match: re.Match[str]) -> str:
        label, seen = int(match[1]), set[int]()
        while label in onward and label not in seen:
            seen.add(label)
            label = onward[label]
        return str(label)

    for function in _jumping(functions):
        for line in function.writer.lines:
            if "return" in line.text:
                line.text = _TARGET.sub(found, line.text)


def _only_jump(function: Function) -> int | None:
    """Where a block goes on to that does nothing else."""
    lines = [line for line in function.writer.lines if line.text != OPENING]
    return _tail(function) if len(lines) == 1 else None


def _cut(lines: list[Line]) -> None:
    """What stands behind a jump that is always made is never come to."""
    end = next(
        (n for n, line in enumerate(lines, 1) if line.indent == 1 and line.text.startswith("return")), len(lines)
    )
    del lines[end:]


def _references(functions: list[Function]) -> dict[int, int]:
    found: dict[int, int] = {}
    for function in functions:
        for line in function.writer.lines:
            for label in _TARGET.findall(line.text):
                found[int(label)] = found.get(int(label), 0) + 1
    return found


def _append(functions: list[Function], blocks: dict[int, Function], references: dict[int, int]) -> None:
    original, repeated = {n: list(f.writer.lines) for n, f in blocks.items()}, 0
    waiting, once = _beginnings(functions, blocks, references)
    for function in waiting:
        seen: set[int] = set()
        while (label := _tail(function)) is not None and label not in seen and label in blocks:
            seen.add(label)
            body = original[label]
            repeated += len(body)
            if (
                not (len(body) <= 3 or label in once)
                or repeated > _MOST_REPEATED
                or blocks[label].file != function.file
                or len(function.writer.lines) + len(body) > _LONGEST
            ):
                waiting += [blocks[label]] if label in once else []
                break
            known = (line for line in body if line.text != OPENING)
            function.writer.lines[-1:] = [Line(line.indent, line.text, line.origin) for line in known]


def _beginnings(
    functions: list[Function], blocks: dict[int, Function], references: dict[int, int]
) -> tuple[list[Function], set[int]]:
    """The functions to which others are appended, and the blocks that only one other goes on to. Such a block is called on its own only
    where a position begins, and needs nothing appended."""
    once = {label for f in functions if (label := _tail(f)) in blocks and references.get(label) == 1}
    names = {f"b{label}" for label in once}
    return [f for f in functions if f.name not in names], once


def _tail(function: Function) -> int | None:
    last = function.writer.lines[-1] if function.writer.lines else None
    match = re.fullmatch(r"return L(\d+)", last.text) if last is not None and last.indent == 1 else None
    return int(match.group(1)) if match else None


def assemble(functions: list[Function], namespace: dict[str, Any]) -> None:
    """Compile the functions, with the places of the rulesets, and define them in the namespace."""
    for function in functions:
        lines = function.writer.lines
        head = f"def {function.name}({function.parameters}):"
        text = "\n".join([head, *("    " * line.indent + line.text for line in lines)])
        file = function.file.encode(errors="replace").decode()  # half a character cannot be in the name of a file
        exec(_code(text, (function.line, *(line.origin for line in lines)), file), namespace)


def worth_of_each(column: str, things: int, namespace: dict[str, Any]) -> tuple[int, ...]:
    """What a function named `column` gives for each of so many things, and for none."""
    space = dict(namespace)
    exec(_function(column), space)
    return (*map(space["column"], range(things)), space["column"](ABSENT))


@lru_cache(maxsize=4096)
def _function(text: str) -> CodeType:
    return compile(text, "<column>", "exec")


@lru_cache(maxsize=4096)
def _code(text: str, origins: tuple[int, ...], file: str) -> CodeType:
    """The code of one function. A game with other options, or a rule changed, has most functions in common with the one before, and compiling
    them takes a third of the time to load it."""
    return placed(compile(text, file, "exec"), origins)


def source(functions: list[Function]) -> str:
    """The Python text, for reading and tests."""
    found = []
    for function in functions:
        place = f"{file_in_code(function.file)}:{function.line}"
        found.append(f"def {function.name}({function.parameters}):  # {place}")
        found += [f"{'    ' * line.indent}{line.text}" for line in function.writer.lines]
    return "\n".join(found) + "\n"
